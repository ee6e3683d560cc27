// Where everything of a scene lies: all boards on one sheet, in the rows that make them largest. A cell is 100 wide.
import type { Scene, SceneBoard, SceneCell } from './types';

export const cellSize = 100;
const gap = 60;
const margin = 14;
const nameRoom = 44;
const axisRoom = 40;

export interface LaidCell {
	cell: SceneCell;
	board: number;
	key: string;
	x: number;
	y: number;
}
export interface LaidBoard {
	board: SceneBoard;
	index: number;
	x: number;
	y: number;
	width: number;
	height: number;
	/* Lines between dots, as in dots and boxes. */
	dots: boolean;
	/* Disks on pegs: the tallest pile; 0: no piles. */
	piles: number;
	/* Many of the same word, which says no more than that something is there. */
	mere: boolean;
	cells: LaidCell[];
	title: string;
}
export interface Sheet {
	boards: LaidBoard[];
	cells: Map<string, LaidCell>;
	width: number;
	height: number;
}

export const keyOf = (board: number, at: [number, number]) => `${board}:${at[0]}:${at[1]}`;

/* A strip on which things with different numbers lie on each other: Hanoi. */
function pileHeight(b: SceneBoard): number {
	const pieces = b.cells.flatMap((c) => c.pieces);
	if (b.kind === 'hex' || b.kind === 'graph' || b.rows.length > 1 || b.links.length) return 0;
	if (!pieces.length || !pieces.every((p) => /^number /.test(p.meaning) && p.sure !== false) || !b.cells.some((c) => c.pieces.length > 1)) return 0;
	return pieces.length;
}

function isMere(b: SceneBoard): boolean {
	const pieces = b.cells.flatMap((c) => c.pieces);
	return pieces.length > 1 && pieces.every((p) => p.name === pieces[0].name && p.fluent.startsWith(`(${p.name} `));
}

const longest = 12;

/* A long straight strip is broken into rows, so that its cells stay large. */
function broken(b: SceneBoard): SceneBoard {
	if (b.kind !== 'strip' || b.cells.length <= longest || b.cells.some((c) => c.y !== b.cells[0].y)) return b;
	const across = Math.ceil(b.cells.length / Math.ceil(b.cells.length / 10));
	const left = Math.min(...b.cells.map((c) => c.x));
	return { ...b, cells: b.cells.map((c) => ({ ...c, x: (c.x - left) % across, y: -Math.floor((c.x - left) / across) })) };
}

/* Only squares of one colour are played on, as in draughts: the others are there to be seen. */
export function oneColour(b: SceneBoard): boolean {
	if (b.kind !== 'grid' || b.cells.length < 8 || b.cells.length * 2 > b.columns.length * b.rows.length + 1) return false;
	const parity = (b.cells[0].at[0] + b.cells[0].at[1]) % 2;
	return b.cells.every((c) => (c.at[0] + c.at[1]) % 2 === parity);
}

function size(b: SceneBoard, small: boolean): { width: number; height: number; left: number; low: number; across: number } {
	const xs = b.cells.map((c) => c.x);
	const ys = b.cells.map((c) => c.y);
	const left = Math.min(...xs);
	const low = Math.min(...ys);
	const axes = b.kind === 'grid' && !small ? axisRoom : b.kind === 'strip' && !small ? axisRoom : 0;
	const wide = (Math.max(...xs) - left + 1) * cellSize;
	const high = (Math.max(...ys) - low) * cellSize + (b.kind === 'hex' ? 116 : cellSize);
	return { width: wide + margin * 2 + axes, height: high + margin * 2 + axes, left, low, across: axes };
}

export function layOut(scene: Scene, flip: boolean, small: boolean): Sheet {
	const boards = scene.boards.map((board, index) => ({ board: broken(board), index })).filter(({ board }) => board.cells.length);
	const several = boards.length > 1;
	const sizes = boards.map(({ board }) => size(board, small));
	const titled = several && !small ? nameRoom : 0;
	const shape = (k: number) => {
		let width = 0;
		let height = 0;
		for (let i = 0; i < boards.length; i += k) {
			const row = sizes.slice(i, i + k);
			width = Math.max(width, row.reduce((s, b) => s + b.width, 0) + gap * (row.length - 1));
			height += Math.max(...row.map((b) => b.height)) + titled + (i ? gap / 2 : 0);
		}
		return { width, height };
	};
	let best = 1;
	for (let k = 2; k <= boards.length; k++) {
		const fit = (s: { width: number; height: number }) => Math.min(1.15 / s.width, 1 / s.height);
		if (fit(shape(k)) > fit(shape(best)) * 1.001) best = k;
	}
	const total = boards.length ? shape(best) : { width: 0, height: 0 };
	const sheet: Sheet = { boards: [], cells: new Map(), width: total.width, height: total.height };
	let y = 0;
	for (let i = 0; i < boards.length; i += best) {
		const row = boards.slice(i, i + best);
		let x = 0;
		row.forEach(({ board, index }, k) => {
			const s = sizes[i + k];
			const laid: LaidBoard = {
				board, index, x, y: y + titled, width: s.width, height: s.height,
				dots: board.kind === 'grid' && board.links.length > 0,
				piles: pileHeight(board),
				mere: isMere(board),
				cells: [],
				title: titled ? titleOf(board, boards.map((b) => b.board)) : '',
			};
			for (const cell of board.cells) {
				const cx = (cell.x - s.left + 0.5) * cellSize;
				const cy = s.height - margin * 2 - s.across - (cell.y - s.low) * cellSize - (board.kind === 'hex' ? 58 : cellSize / 2);
				const inner = { w: s.width - margin * 2 - s.across, h: s.height - margin * 2 - s.across };
				const at = flip ? { x: inner.w - cx, y: inner.h - cy } : { x: cx, y: cy };
				const found = { cell, board: index, key: keyOf(index, cell.at), x: laid.x + margin + s.across + at.x, y: laid.y + margin + at.y };
				laid.cells.push(found);
				sheet.cells.set(found.key, found);
			}
			sheet.boards.push(laid);
			x += s.width + gap;
		});
		y += Math.max(...sizes.slice(i, i + best).map((b) => b.height)) + titled + gap / 2;
	}
	return sheet;
}

function titleOf(b: SceneBoard, all: SceneBoard[]): string {
	const same = all.every((o) => o.name === b.name);
	return (b.part ? (same ? b.part : `${b.name} ${b.part}`) : b.name).replaceAll('_', ' ');
}

/* What people call a cell: e4, or 3, 4. */
export function cellName(b: SceneBoard, at: [number, number]): string {
	const column = b.columns[at[0]] ?? '';
	const row = b.rows[at[1]] ?? '';
	if (b.rows.length <= 1) return column;
	return /^[a-z]$/.test(column) && /^\d+$/.test(row) ? column + row : `${column}, ${row}`;
}
