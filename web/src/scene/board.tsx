// Boards as SVG: grounds, links, marks, pieces. What can be done on them is in scene.tsx.
import { cellSize, type LaidBoard, type LaidCell, oneColour, type Sheet } from './geometry';
import { fitted, Heap, isDrawn, PieceShape } from './pieces';
import type { ScenePiece } from './types';

const hexagon = 'M0-57.7 50-28.9 50 28.9 0 57.7-50 28.9-50-28.9z';

export function Ground({ b, small }: { b: LaidBoard; small: boolean }) {
	const kind = b.board.kind;
	const halfPlayed = oneColour(b.board);
	const dark = (c: LaidCell) => halfPlayed || (b.board.checkered && (c.cell.at[0] + c.cell.at[1]) % 2 === 0);
	const corners = b.cells.map((c) => c);
	const left = Math.min(...corners.map((c) => c.x));
	const right = Math.max(...corners.map((c) => c.x));
	const top = Math.min(...corners.map((c) => c.y));
	const bottom = Math.max(...corners.map((c) => c.y));
	const half = cellSize / 2;
	return (
		<g>
			{b.title && <text class="board-title" x={(left + right) / 2} y={top - half - 20} text-anchor="middle">{b.title}</text>}
			{kind === 'grid' && <rect class="board-edge" x={left - half - 8} y={top - half - 8} width={right - left + cellSize + 16} height={bottom - top + cellSize + 16} rx="10" />}
			{halfPlayed && <rect class="ground" x={left - half} y={top - half} width={right - left + cellSize} height={bottom - top + cellSize} />}
			{b.dots && <rect class="board-felt" x={left - half} y={top - half} width={right - left + cellSize} height={bottom - top + cellSize} />}
			{b.cells.map((c) => {
				if (b.dots) return null;
				if (kind === 'hex') return <path key={c.key} class={`ground${c.cell.last ? ' last' : ''}`} d={hexagon} transform={`translate(${c.x} ${c.y}) scale(0.97)`} />;
				if (kind === 'graph') return <circle key={c.key} class={`ground${c.cell.last ? ' last' : ''}`} cx={c.x} cy={c.y} r="42" />;
				return <rect key={c.key} class={`ground${dark(c) ? ' dark' : ''}${c.cell.last ? ' last' : ''}`} x={c.x - half} y={c.y - half} width={cellSize} height={cellSize} rx={kind === 'strip' ? 12 : 0} />;
			})}
			{!small && (kind === 'grid' || kind === 'strip') && <Axes b={b} left={left} bottom={bottom} />}
		</g>
	);
}

function Axes({ b, left, bottom }: { b: LaidBoard; left: number; bottom: number }) {
	const half = cellSize / 2;
	const columns = new Map<string, number>();
	const rows = new Map<string, number>();
	for (const c of b.cells) {
		columns.set(b.board.columns[c.cell.at[0]] ?? '', c.x);
		rows.set(b.board.rows[c.cell.at[1]] ?? '', c.y);
	}
	const folded = b.board.kind === 'strip' && new Set(b.cells.map((c) => c.y)).size > 1;
	return (
		<g class="axes">
			{b.board.kind === 'strip' && folded
				? !b.mere && b.cells.map((c) => <text key={c.key} x={c.x - 42} y={c.y - 32} font-size="20">{b.board.columns[c.cell.at[0]]}</text>)
				: [...columns].map(([name, x]) => <text key={name} x={x} y={bottom + half + 34} text-anchor="middle" font-size={Math.min(28, 150 / Math.max(3, name.length))}>{name.replaceAll('_', ' ')}</text>)}
			{b.board.rows.length > 1 && [...rows].map(([name, y]) => <text key={name} x={left - half - 26} y={y} text-anchor="middle" dominant-baseline="central" font-size={Math.min(28, 90 / Math.max(2, name.length))}>{name.replaceAll('_', ' ')}</text>)}
		</g>
	);
}

export function Links({ b, sheet }: { b: LaidBoard; sheet: Sheet }) {
	return (
		<g>
			{b.board.links.map((l) => {
				const from = sheet.cells.get(`${b.index}:${l.from[0]}:${l.from[1]}`);
				const to = sheet.cells.get(`${b.index}:${l.to[0]}:${l.to[1]}`);
				if (!from || !to) return null;
				const drawn = b.dots && l.pieces.length > 0;
				return (
					<line
						key={`${l.from}-${l.to}`}
						class={`link${b.dots ? (drawn ? ' drawn' : ' open') : ''}${l.last ? ' last' : ''}${l.unknown ? ' unknown' : ''}`}
						x1={from.x} y1={from.y} x2={to.x} y2={to.y}
						style={drawn && l.pieces[0].owner !== undefined ? { stroke: l.pieces[0].colour } : undefined}
					/>
				);
			})}
			{b.dots && b.cells.map((c) => <circle key={c.key} class="dot" cx={c.x} cy={c.y} r="9" />)}
		</g>
	);
}

const isHeap = (b: LaidBoard, p: ScenePiece) => b.board.kind === 'strip' && /^number /.test(p.meaning) && Number(p.name) <= 16;

/* Several things in one cell share it; disks on a peg lie on each other. */
export function Pieces({ c, b, chances, lifted }: { c: LaidCell; b: LaidBoard; chances: Map<string, number>; lifted?: { x: number; y: number } }) {
	const pieces = c.cell.pieces;
	if (!pieces.length) return c.cell.unknown ? <g class="fog" transform={`translate(${c.x} ${c.y})`}><path d="M-22 26a18 18 0 0 1-2-36 24 24 0 0 1 46-6 20 20 0 0 1 2 42z" /><text text-anchor="middle" dominant-baseline="central" y="4">?</text></g> : null;
	if (b.piles) return <Disks pieces={pieces} c={c} all={b.piles} />;
	const solid = pieces.filter((p) => p.sure !== false);
	const shown = solid.length ? pieces.filter((p) => p.sure !== false) : pieces.slice(0, 4);
	const across = Math.ceil(Math.sqrt(shown.length));
	const scale = across === 1 ? (b.board.kind === 'hex' || b.board.kind === 'graph' ? 0.86 : 0.92) : 0.95 / across;
	return (
		<g class={c.cell.unknown && !solid.length ? 'doubtful' : undefined}>
			{c.cell.unknown && <rect class="haze" x={c.x - 46} y={c.y - 46} width="92" height="92" rx="12" />}
			{shown.map((p, i) => {
				const x = across === 1 ? 0 : ((i % across) - (across - 1) / 2) * (cellSize / across);
				const y = across === 1 ? 0 : (Math.floor(i / across) - (Math.ceil(shown.length / across) - 1) / 2) * (cellSize / across);
				const chance = chances.get(p.fluent);
				return (
					<g
						key={p.fluent}
						class="piece"
						data-piece={p.name}
						data-cell={c.key}
						opacity={p.sure === false ? 0.25 + 0.6 * (chance ?? 0.3) : undefined}
						transform={`translate(${c.x + x + (lifted?.x ?? 0)} ${c.y + y + (lifted?.y ?? 0)}) scale(${scale})`}
					>
						<g class="piece-inner">{b.mere && p.meaning.startsWith('word ') && !isDrawn(p) ? <><rect class="mere" x="-40" y="-40" width="80" height="80" rx="12" />{b.board.kind === 'strip' && fitted(b.board.columns[c.cell.at[0]] ?? '', '#f6ead7', 64, 40)}</> : isHeap(b, p) && p.sure !== false ? <Heap count={Number(p.name)} of={b.board.part} /> : <PieceShape piece={p} />}</g>
						{p.sure === false && chance !== undefined && <text class="chance" y="46" text-anchor="middle" font-size="22">{Math.round(chance * 100)}%</text>}
					</g>
				);
			})}
		</g>
	);
}

function Disks({ pieces, c, all }: { pieces: ScenePiece[]; c: LaidCell; all: number }) {
	const sizes = pieces.map((p) => Number(p.name)).sort((a, b) => b - a);
	const high = Math.min(22, 88 / all);
	return (
		<g class="piece" transform={`translate(${c.x} ${c.y})`}>
			<path d="M0 44v-84" stroke="var(--board-ink)" stroke-width="5" stroke-linecap="round" />
			{sizes.map((s, i) => (
				<rect key={s} x={-(14 + (32 * s) / all)} y={44 - (i + 1) * high} width={2 * (14 + (32 * s) / all)} height={high - 2} rx="5" fill={`hsl(${(s * 47 + 190) % 360} 55% 48%)`} stroke="rgb(0 0 0 / 45%)" stroke-width="2" />
			))}
		</g>
	);
}
