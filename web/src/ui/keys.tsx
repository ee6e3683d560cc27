// Keys: each view says which it has; `?` shows them all. Keys without Ctrl are not taken while somebody types.
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Dialog } from './parts';

export interface Key {
	key: string;
	what: string;
	run: () => void;
	/* Shown instead of `key`. */
	shown?: string;
	/* Hidden in the overview: another row stands for it. */
	silent?: boolean;
}

const groups = signal<{ name: string; keys: Key[] }[]>([]);
export const overview = signal(false);

export function useKeys(name: string, keys: Key[]): void {
	// Before the screen is painted: a key that follows at once must find what is shown, not what was.
	useLayoutEffect(() => {
		const group = { name, keys };
		groups.value = [...groups.value, group];
		return () => {
			groups.value = groups.value.filter((g) => g !== group);
		};
	});
}

function typing(target: EventTarget | null): boolean {
	const element = target as HTMLElement | null;
	return !!element && (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) || element.isContentEditable) && (element as HTMLInputElement).type !== 'range' && (element as HTMLInputElement).type !== 'checkbox';
}

export function watchKeys(): void {
	document.addEventListener('keydown', (e) => {
		if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || typing(e.target)) return;
		if (document.querySelector('dialog[open]') && e.key !== '?') return;
		if (e.key === 'Enter' || e.key === ' ') return;
		for (const group of [...groups.value].reverse()) {
			const found = group.keys.find((k) => k.key === e.key);
			if (!found) continue;
			e.preventDefault();
			found.run();
			return;
		}
	});
}

export function KeysOverview() {
	if (!overview.value) return null;
	return (
		<Dialog title="Keys" close={() => (overview.value = false)}>
			<div class="keys-columns">
				{groups.value.map((g) => (
					<section key={g.name}>
						<h3>{g.name}</h3>
						<dl class="keys-list">
							{g.keys.filter((k) => !k.silent).map((k) => (
								<div key={k.key}>
									<dt>{(k.shown ?? k.key).split(' ').map((s) => <kbd key={s}>{s}</kbd>)}</dt>
									<dd>{k.what}</dd>
								</div>
							))}
						</dl>
					</section>
				))}
			</div>
		</Dialog>
	);
}
