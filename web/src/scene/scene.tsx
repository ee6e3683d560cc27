// A scene on the page: drawn, and where moves can be chosen also played on, by click, drag or keys.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Belief, Move } from '../api';
import { parseTerm, spoken } from '../play/terms';
import { Ground, Links, Pieces } from './board';
import { Facts } from './facts';
import { cellName, cellSize, keyOf, type LaidCell, layOut, type Sheet } from './geometry';
import { isCut } from './pieces';
import type { Scene, SceneMove } from './types';

export interface Arrow {
	move: Move;
	weight: number;
}

interface Props {
	scene: Scene;
	small?: boolean;
	choices?: Move[];
	choose?: (m: Move) => void;
	flip?: boolean;
	arrows?: Arrow[];
	belief?: Belief | null;
	/* Stands between the boards and what is beside them. */
	children?: ComponentChildren;
	/* Asked about what stands in a cell that cannot be played on. */
	ask?: (fluent: string) => void;
}

/* A move that the player may choose, with its cells. */
interface Playable {
	move: Move;
	from: string | null;
	to: string;
	menu: string;
	/* Names a whole column: every cell of it will do. */
	column: boolean;
	link: boolean;
}

function playables(scene: Scene, choices: Move[]): Playable[] {
	const byText = new Map(choices.map((m) => [`${m.id} ${m.text}`, m]));
	const out: Playable[] = [];
	for (const m of scene.moves) {
		const move = byText.get(`${m.move} ${m.text}`);
		if (!move || m.board === undefined || !m.to) continue;
		const board = scene.boards[m.board];
		const term = parseTerm(m.text);
		const link = board.kind === 'grid' && board.links.length > 0 && !!m.from;
		out.push({ move, from: m.from ? keyOf(m.board, m.from) : null, to: keyOf(m.board, m.to), menu: m.menu, column: !m.from && board.rows.length > 1 && Array.isArray(term) && term.length === 2, link });
	}
	return out;
}

export function SceneView({ scene, small = false, choices = [], choose, flip = false, arrows = [], belief, ask, children }: Props) {
	const sheet = useMemo(() => layOut(scene, flip, small), [scene, flip, small]);
	const chances = useMemo(() => new Map((belief?.fluents ?? []).map((f) => [f.text, f.probability])), [belief]);
	const [from, setFrom] = useState<string | null>(null);
	const [menu, setMenu] = useState<{ at: LaidCell; of: Playable[] } | null>(null);
	const [drag, setDrag] = useState<{ key: string; x0: number; y0: number; x: number; y: number } | null>(null);
	const box = useRef<SVGSVGElement>(null);
	const before = useRef<Map<string, string[]>>(new Map());
	const moves = useMemo(() => playables(scene, choices), [scene, choices]);
	const interactive = moves.length > 0 && !!choose;

	// What changed glides or appears; nothing moves when the system asks for that.
	useLayoutEffect(() => {
		setFrom(null);
		setMenu(null);
		setDrag(null);
		const now = new Map([...sheet.cells.values()].map((c) => [c.key, c.cell.pieces.map((p) => p.name)]));
		if (!small && before.current.size && !matchMedia('(prefers-reduced-motion: reduce)').matches) animate(box.current, sheet, before.current, now);
		before.current = now;
	}, [scene]);

	const take = (found: Playable[], at: LaidCell) => {
		if (found.length === 1) choose?.(found[0].move);
		else if (found.length) setMenu({ at, of: found });
		setFrom(null);
	};
	const into = (key: string, start: string | null) => {
		const cell = sheet.cells.get(key)!;
		return moves.filter((m) => !m.link && m.from === start && (m.to === key || (m.column && start === null && column(m.to) === column(key) && m.to.split(':')[0] === String(cell.board))));
	};
	const press = (key: string) => {
		const cell = sheet.cells.get(key)!;
		setMenu(null);
		if (from && from !== key) {
			const found = into(key, from);
			if (found.length) return take(found, cell);
		}
		if (from === key) return setFrom(null);
		if (moves.some((m) => m.from === key && !m.link)) return setFrom(key);
		const found = into(key, null);
		if (found.length) return take(found, cell);
		setFrom(null);
		const top = cell.cell.pieces[cell.cell.pieces.length - 1];
		if (top && ask) ask(top.fluent);
	};
	const point = (e: PointerEvent): { x: number; y: number } => {
		const m = box.current!.getScreenCTM()!.inverse();
		return { x: e.clientX * m.a + m.e, y: e.clientY * m.d + m.f };
	};
	const nearest = (p: { x: number; y: number }) => {
		let best: LaidCell | null = null;
		for (const c of sheet.cells.values()) if (Math.max(Math.abs(c.x - p.x), Math.abs(c.y - p.y)) <= cellSize / 2 && (!best || Math.hypot(c.x - p.x, c.y - p.y) < Math.hypot(best.x - p.x, best.y - p.y))) best = c;
		return best;
	};
	const down = (e: PointerEvent) => {
		const at = point(e);
		const cell = nearest(at);
		if (!cell || e.button) return;
		if (moves.some((m) => m.from === cell.key && !m.link)) setDrag({ key: cell.key, x0: at.x, y0: at.y, x: at.x, y: at.y });
	};
	const drop = (e: PointerEvent) => {
		if (!drag) return;
		const cell = nearest(point(e));
		const far = Math.hypot(drag.x - drag.x0, drag.y - drag.y0) > 20;
		setDrag(null);
		if (!far || !cell || cell.key === drag.key) return;
		const found = into(cell.key, drag.key);
		if (found.length) take(found, cell);
	};
	const keys = (e: KeyboardEvent) => {
		const by: Record<string, [number, number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
		const key = (e.target as Element).getAttribute?.('data-key');
		if (!key) return;
		if (e.key === 'Enter' || e.key === ' ') {
			e.preventDefault();
			(e.target as SVGElement).dispatchEvent(new MouseEvent('click', { bubbles: true }));
		} else if (e.key === 'Escape') setFrom(null);
		else if (by[e.key]) {
			e.preventDefault();
			e.stopPropagation();
			const at = sheet.cells.get(key)!;
			const next = neighbour(sheet, at, by[e.key]);
			if (next) box.current?.querySelector<SVGElement>(`[data-key="${next.key}"]`)?.focus();
		}
	};

	const starts = new Set(moves.filter((m) => m.from && !m.link).map((m) => m.from!));
	const aims = new Set(from ? moves.filter((m) => m.from === from).map((m) => m.to) : moves.filter((m) => !m.from).map((m) => m.to));
	const columns = moves.some((m) => m.column) ? new Set(moves.filter((m) => m.column).map((m) => `${m.to.split(':')[0]}:${column(m.to)}`)) : null;
	const live = (c: LaidCell) => starts.has(c.key) || aims.has(c.key) || !!columns?.has(`${c.board}:${column(c.key)}`);
	const first = [...sheet.cells.values()].find(live)?.key;
	const cut = small ? [] : [...new Map([...sheet.cells.values()].flatMap((c) => c.cell.pieces).filter(isCut).map((p) => [p.name, p])).values()];
	const tall = 72;
	return (
		<div class={small ? 'scene small' : 'scene'}>
			{sheet.boards.length > 0 && (
				<div class="sheet-of-boards" style={{ maxWidth: small ? undefined : `min(100%, ${Math.round(sheet.width * 1.1)}px, calc(${tall}vh * ${(sheet.width / sheet.height).toFixed(4)}))` }}>
					<svg
						ref={box}
						class={interactive ? 'boards live' : 'boards'}
						viewBox={`0 0 ${sheet.width} ${sheet.height}`}
						role={interactive ? 'group' : 'img'}
						aria-label={describe(scene)}
						onPointerDown={interactive ? down : undefined}
						onPointerMove={drag ? (e) => { const p = point(e); setDrag({ ...drag, x: p.x, y: p.y }); } : undefined}
						onPointerUp={drag ? drop : undefined}
						onPointerLeave={drag ? () => setDrag(null) : undefined}
						onKeyDown={interactive ? keys : undefined}
					>
						<defs>
							<marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" class="arrow-tip" /></marker>
						</defs>
						{sheet.boards.map((b) => (
							<g key={b.board.id + b.index}>
								<Ground b={b} small={small} />
								<Links b={b} sheet={sheet} />
							</g>
						))}
						{from && <rect class="mark-from" x={sheet.cells.get(from)!.x - 48} y={sheet.cells.get(from)!.y - 48} width="96" height="96" rx="10" />}
						{sheet.boards.map((b) => b.cells.map((c) => <Pieces key={c.key} c={c} b={b} chances={chances} lifted={drag?.key === c.key ? { x: drag.x - drag.x0, y: drag.y - drag.y0 } : undefined} />))}
						{interactive && [...sheet.cells.values()].filter((c) => aims.has(c.key)).map((c) => (c.cell.pieces.length ? <circle key={'a' + c.key} class="mark-aim taken" cx={c.x} cy={c.y} r="44" /> : <circle key={'a' + c.key} class="mark-aim" cx={c.x} cy={c.y} r="13" />))}
						{arrows.map((a) => <ArrowMark key={a.move.id} scene={scene} sheet={sheet} arrow={a} />)}
						{(interactive || ask) && !small && [...sheet.cells.values()].map((c) => {
							const on = interactive && live(c);
							const b = scene.boards[c.board];
							const name = `${cellName(b, c.cell.at)}${c.cell.pieces.length ? ': ' + c.cell.pieces.map((p) => p.name.replaceAll('_', ' ')).join(', ') : ''}`;
							return (
								<rect
									key={'h' + c.key} class={on ? 'hit on' : 'hit'} data-key={c.key}
									x={c.x - cellSize / 2} y={c.y - cellSize / 2} width={cellSize} height={cellSize}
									role={on ? 'button' : undefined} tabindex={on ? (c.key === (from ?? first) ? 0 : -1) : undefined}
									aria-label={on ? name : undefined} aria-pressed={on && starts.has(c.key) ? from === c.key : undefined}
									onClick={on || ask ? () => press(c.key) : undefined}
								>
									<title>{name}</title>
								</rect>
							);
						})}
						{moves.filter((m) => m.link).map((m) => {
							const a = sheet.cells.get(m.from!)!;
							const b = sheet.cells.get(m.to)!;
							const name = spoken(m.move.text);
							return <line key={m.move.id} class="hit-link" role="button" tabindex={0} aria-label={name} x1={a.x} y1={a.y} x2={b.x} y2={b.y} onClick={() => choose?.(m.move)} onKeyDown={(e) => e.key === 'Enter' && choose?.(m.move)}><title>{name}</title></line>;
						})}
					</svg>
					{menu && (
						<div class="menu" role="menu" aria-label="Which move?" style={{ left: `${(menu.at.x / sheet.width) * 100}%`, top: `${(menu.at.y / sheet.height) * 100}%` }} onKeyDown={(e) => e.key === 'Escape' && setMenu(null)}>
							{menu.of.map((m, i) => <button key={m.move.id} role="menuitem" autofocus={i === 0} onClick={() => choose?.(m.move)}>{m.menu.replaceAll('_', ' ') || spoken(m.move.text)}</button>)}
						</div>
					)}
				</div>
			)}
			{children}
			{cut.length > 0 && <p class="soft small">{cut.map((p) => p.name.replaceAll('_', ' ')).join(', ')}</p>}
			<Facts scene={scene} small={small} />
			{belief && <p class="soft small">{belief.role} thinks {belief.exact ? '' : 'at least '}{belief.states} {belief.states === 1 ? 'position' : 'positions'} possible{belief.exact ? '' : ' (a sample)'}.</p>}
		</div>
	);
}

const column = (key: string) => key.split(':')[1];

function neighbour(sheet: Sheet, at: LaidCell, [dx, dy]: [number, number]): LaidCell | null {
	let best: LaidCell | null = null;
	let least = Infinity;
	for (const c of sheet.cells.values()) {
		const x = c.x - at.x;
		const y = c.y - at.y;
		const along = x * dx + y * dy;
		const aside = Math.abs(x * dy) + Math.abs(y * dx);
		if (along > 10 && along + aside * 3 < least) {
			least = along + aside * 3;
			best = c;
		}
	}
	return best;
}

function ArrowMark({ scene, sheet, arrow }: { scene: Scene; sheet: Sheet; arrow: Arrow }) {
	const m: SceneMove | undefined = scene.moves.find((x) => x.move === arrow.move.id && x.text === arrow.move.text);
	if (!m || m.board === undefined || !m.to) return null;
	const to = sheet.cells.get(keyOf(m.board, m.to));
	const from = m.from && sheet.cells.get(keyOf(m.board, m.from));
	if (!to) return null;
	const opacity = 0.35 + 0.6 * Math.min(1, arrow.weight);
	if (!from) return <circle class="arrow-ring" cx={to.x} cy={to.y} r="42" opacity={opacity} />;
	return <line class="arrow" x1={from.x} y1={from.y} x2={to.x} y2={to.y} opacity={opacity} stroke-width={8 + 10 * Math.min(1, arrow.weight)} marker-end="url(#tip)" />;
}

function animate(svg: SVGSVGElement | null, sheet: Sheet, before: Map<string, string[]>, now: Map<string, string[]>): void {
	if (!svg) return;
	const gone: { key: string; name: string }[] = [];
	const come: { key: string; name: string }[] = [];
	for (const [key, names] of now) {
		const old = before.get(key) ?? [];
		for (const name of names) if (!old.includes(name)) come.push({ key, name });
		for (const name of old) if (!names.includes(name)) gone.push({ key, name });
	}
	if (come.length > 12) return;
	for (const c of come) {
		const origin = gone.find((g) => g.name === c.name && g.key !== c.key);
		const inner = [...svg.querySelectorAll<SVGGElement>(`[data-cell="${c.key}"]`)].find((g) => g.dataset.piece === c.name)?.querySelector('.piece-inner');
		if (!inner?.animate) continue;
		const to = sheet.cells.get(c.key)!;
		const start = origin && sheet.cells.get(origin.key);
		if (start) inner.animate([{ transform: `translate(${start.x - to.x}px, ${start.y - to.y}px)` }, { transform: 'none' }], { duration: 140, easing: 'ease-out' });
		else inner.animate([{ transform: 'scale(0.6)', opacity: 0.2 }, { transform: 'none', opacity: 1 }], { duration: 120, easing: 'ease-out' });
	}
}

/* For people who do not see it. */
function describe(scene: Scene): string {
	const counts = new Map<string, number>();
	for (const b of scene.boards) for (const c of b.cells) for (const p of c.pieces) counts.set(p.name, (counts.get(p.name) ?? 0) + 1);
	const what = [...counts].slice(0, 12).map(([name, n]) => `${n} ${name.replaceAll('_', ' ')}`).join(', ');
	return `Board${scene.boards.length > 1 ? 's' : ''} ${scene.boards.map((b) => b.id).slice(0, 4).join(', ')}: ${what || 'empty'}`;
}
