// The legal moves, grouped by their first word and filtered by typing; and the moves that were made.
import { useRef, useState } from 'preact/hooks';
import type { Match, Move } from '../api';
import { afterFirst, firstWord, isIdle, spoken } from './terms';

export interface Choice {
	role: string;
	move: Move;
}

export function LegalMoves({ choices, several, choose, point, box }: { choices: Choice[]; several: boolean; choose: (c: Choice) => void; point: (m: Move | null) => void; box: { current: HTMLInputElement | null } }) {
	const [filter, setFilter] = useState('');
	const list = useRef<HTMLDivElement>(null);
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	const shown = choices.filter((c) => words.every((w) => `${c.move.text} ${spoken(c.move.text)} ${several ? c.role : ''}`.toLowerCase().includes(w)));
	const groups = new Map<string, Choice[]>();
	for (const c of shown) {
		const name = several ? `${c.role}: ${firstWord(c.move.text)}` : firstWord(c.move.text);
		groups.set(name, [...(groups.get(name) ?? []), c]);
	}
	const keys = (e: KeyboardEvent) => {
		const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('.legal button') ?? [])];
		const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
		const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
		if (at < 0 && (e.key === 'ArrowLeft' || e.key === 'ArrowRight')) return;
		if (by !== undefined) (at + by < 0 ? box.current : buttons[Math.min(at + by, buttons.length - 1)])?.focus();
		else if (e.key === 'Enter' && at < 0 && shown.length) {
			choose(shown[0]);
			setFilter('');
		} else return;
		e.preventDefault();
		e.stopPropagation();
	};
	return (
		<section class="sheet stack tight" aria-label="Legal moves" onKeyDown={keys} ref={list}>
			<div class="row between">
				<h2>Your moves</h2>
				<span class="soft small">{shown.length === choices.length ? choices.length : `${shown.length} of ${choices.length}`}</span>
			</div>
			{choices.length > 6 && <input ref={box} type="search" placeholder="Type to filter, Enter plays the first" aria-label="Filter the moves" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />}
			<div class="legal">
				{[...groups].map(([name, moves]) => (
					<div key={name} role="group" aria-label={name}>
						{moves.length > 1 && <h3 class="soft">{name}</h3>}
						<div class="chips">
							{moves.slice(0, 300).map((c) => (
								<button key={c.role + c.move.id} class="chip" aria-label={spoken(c.move.text)} onClick={() => choose(c)} onPointerEnter={() => point(c.move)} onPointerLeave={() => point(null)} onFocus={() => point(c.move)} onBlur={() => point(null)}>
									{moves.length > 1 ? afterFirst(c.move.text) : spoken(c.move.text)}
								</button>
							))}
							{moves.length > 300 && <span class="soft small">and {moves.length - 300} more: type to find them</span>}
						</div>
					</div>
				))}
			</div>
		</section>
	);
}

/* Whatever somebody did in a step, without the words of those who only wait. */
export function stepText(moves: Record<string, string>): { role: string; text: string }[] {
	const all = Object.entries(moves).map(([role, text]) => ({ role, text }));
	const acting = all.filter((m) => !isIdle(m.text));
	return acting.length ? acting : all.slice(0, 1);
}

export function History({ match, at, goTo, turning }: { match: Match; at: number; goTo: (step: number) => void; turning: Map<number, number> }) {
	return (
		<section class="sheet stack tight" aria-label="Moves made">
			<h2>Match</h2>
			{match.steps.length === 0 && <p class="soft small">No move yet.</p>}
			<ol class="history">
				{match.steps.map((s, i) => {
					const done = stepText(s.moves);
					const drop = turning.get(i);
					return (
						<li key={i}>
							<button class="plain" aria-current={at === i + 1 ? 'step' : undefined} onClick={() => goTo(i + 1)}>
								<span class="soft number">{i + 1}</span>
								<span>
									{done.map((m) => (
										<span class="made" key={m.role}>
											<span class="soft">{m.role.replaceAll('_', ' ')}</span> {spoken(m.text)}
											{s.faults?.[m.role] && <span class="badge">{s.faults[m.role]}</span>}
										</span>
									))}
									{done.length === 0 && <span class="soft">hidden</span>}
									{!!s.sees?.length && <span class="made soft small">seen: {s.sees.map(spoken).join(', ')}</span>}
								</span>
								{drop !== undefined && <span class="badge on" title="A turning point: what this move gave away">−{Math.round(drop)}</span>}
							</button>
						</li>
					);
				})}
			</ol>
		</section>
	);
}
