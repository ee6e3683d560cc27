// The gallery: every game with its start, filters, and rules from elsewhere.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Facts, type GameRow, get, listen } from '../api';
import { go } from '../router';
import { SceneView } from '../scene/scene';
import { useKeys } from '../ui/keys';
import { complain, number, pickFile, Trouble } from '../ui/parts';
import { newDraft, openRecord } from './shared';

/* Kept while the page lives: coming back to the gallery shows it at once. */
const rows = signal<GameRow[]>([]);
const search = signal('');
const filters = signal<string[]>([]);

const kinds: { name: string; label: string; is: (f: Facts) => boolean }[] = [
	{ name: 'puzzle', label: 'Puzzle', is: (f) => f.players === 1 },
	{ name: 'two', label: '2 players', is: (f) => f.players === 2 },
	{ name: 'more', label: '3 or more', is: (f) => f.players > 2 },
	{ name: 'dice', label: 'Chance', is: (f) => f.chance },
	{ name: 'hidden', label: 'Hidden', is: (f) => f.hidden },
	{ name: 'together', label: 'At once', is: (f) => f.simultaneous },
	{ name: 'short', label: 'Short', is: (f) => !!f.length && f.length.mean < 20 },
];

export function badges(f: Facts): string[] {
	return [
		f.players === 1 ? 'puzzle' : `${f.players} players`,
		...(f.chance ? ['chance'] : []),
		...(f.hidden ? ['hidden'] : []),
		...(f.simultaneous ? ['at once'] : []),
		...(f.length ? [`${number(f.length.mean)} steps`] : []),
	];
}

function matches(row: GameRow): boolean {
	const words = search.value.toLowerCase().split(/[\s_]+/).filter(Boolean);
	const text = `${row.game} ${row.title}`.toLowerCase();
	if (!words.every((w) => text.includes(w))) return false;
	return filters.value.every((name) => row.facts && kinds.find((k) => k.name === name)!.is(row.facts));
}

function update(game: string, change: Partial<GameRow>): void {
	rows.value = rows.value.map((r) => (r.game === game ? { ...r, ...change } : r));
}

export function Games() {
	const [trouble, setTrouble] = useState<unknown>(null);
	const [over, setOver] = useState(false);
	const grid = useRef<HTMLUListElement>(null);
	const box = useRef<HTMLInputElement>(null);
	useEffect(() => {
		let stop = () => {};
		let gone = false;
		get<{ games: GameRow[] }>('games').then(({ games }) => {
			if (gone) return;
			const known = new Map(rows.value.map((r) => [r.game, r]));
			rows.value = games.map((g) => ({ ...known.get(g.game), ...g, facts: g.facts ?? known.get(g.game)?.facts ?? null }));
			if (rows.value.some((r) => r.scene === undefined)) stop = listen('games/events', { game: (g: GameRow) => update(g.game, { facts: g.facts, scene: g.scene, error: g.error }) });
		}, setTrouble);
		return () => {
			gone = true;
			stop();
		};
	}, []);
	useKeys('Games', [
		{ key: '/', what: 'Search', run: () => box.current?.focus() },
		{ key: 'o', what: 'Open a file', run: () => void openFile() },
	]);

	const shown = rows.value.filter(matches);
	const step = (e: KeyboardEvent) => {
		const cards = [...(grid.current?.querySelectorAll<HTMLElement>('.card > a') ?? [])];
		const at = cards.indexOf(document.activeElement as HTMLElement);
		const columns = grid.current ? getComputedStyle(grid.current).gridTemplateColumns.split(' ').length : 1;
		const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[e.key];
		if (at < 0) {
			if (e.key === 'ArrowDown' && cards[0]) cards[0].focus();
			else if (e.key === 'Enter' && cards[0]) cards[0].click();
			else return;
		} else if (by !== undefined) (at + by < 0 ? box.current! : cards[Math.min(cards.length - 1, at + by)]).focus();
		else return;
		e.preventDefault();
	};

	return (
		<div
			class={over ? 'stack dropping' : 'stack'}
			onKeyDown={step}
			onDragOver={(e) => { e.preventDefault(); setOver(true); }}
			onDragLeave={() => setOver(false)}
			onDrop={async (e) => {
				e.preventDefault();
				setOver(false);
				const file = e.dataTransfer?.files[0];
				if (file) await openText(file.name, await file.text());
			}}
			onPaste={(e) => {
				const text = e.clipboardData?.getData('text') ?? '';
				if (/^\s*[(;{]/.test(text)) void openText('pasted', text);
			}}
		>
			<div class="row between">
				<h1>Games</h1>
				<div class="row">
					<button onClick={() => void openFile()}>Open a file…</button>
					<a class="button" href="/write">Write rules</a>
				</div>
			</div>
			<Trouble error={trouble} />
			<div class="row">
				<input ref={box} class="grow" type="search" aria-label="Search the games" placeholder="Search, or drop rules or a record here" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} autofocus />
				<span class="soft small" role="status">{shown.length === rows.value.length ? `${rows.value.length} games` : `${shown.length} of ${rows.value.length}`}</span>
			</div>
			<div class="chips" role="group" aria-label="Show only">
				{kinds.map((k) => {
					const on = filters.value.includes(k.name);
					return (
						<button key={k.name} class="chip" aria-pressed={on} onClick={() => (filters.value = on ? filters.value.filter((f) => f !== k.name) : [...filters.value, k.name])}>
							{k.label}
						</button>
					);
				})}
			</div>
			<ul class="gallery" ref={grid}>
				{shown.map((row) => <Card key={row.game} row={row} />)}
			</ul>
			{rows.value.length > 0 && shown.length === 0 && <p class="empty">No game is like that. Fewer words or filters find more.</p>}
		</div>
	);
}

function Card({ row }: { row: GameRow }) {
	return (
		<li class="card">
			<a href={`/play?game=${encodeURIComponent(row.game)}`}>
				<div class="picture" aria-hidden="true">
					{row.scene ? <SceneView scene={row.scene} small /> : row.error ? <span class="soft small">{row.error}</span> : <span class="spinner" />}
				</div>
				<h2>{row.title}</h2>
				<span class="badges">{row.facts ? badges(row.facts).map((b) => <span class="badge" key={b}>{b}</span>) : <span class="badge">…</span>}</span>
			</a>
		</li>
	);
}

async function openFile(): Promise<void> {
	const file = await pickFile('.kif,.gdl,.txt,.json,.xml');
	if (file) await openText(file.name, file.text);
}

/* Rules go to the editor, records to the board, networks to their view: told apart by how the text begins. */
async function openText(name: string, text: string): Promise<void> {
	try {
		if (/^\s*\{/.test(text)) await openRecord(text);
		else if (/^\s*</.test(text)) {
			sessionStorage.setItem('macaw-network', JSON.stringify({ name, text }));
			go('/networks');
		} else {
			newDraft(name.replace(/\.\w+$/, ''), text);
			go('/write');
		}
	} catch (e) {
		complain(e);
	}
}
