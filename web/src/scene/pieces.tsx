// Pieces, drawn on a field from -50 to 50 both ways. What a piece is comes from the library with the scene; here is only how it looks.
import type { ComponentChildren } from 'preact';
import { type Paint, paintOf } from './colours';

const base = 'M-30 42h60v-7c0-4-5-6-9-7h-42c-4 1-9 3-9 7z';

/* Outlines of chessmen; `detail` is drawn in the colour of the edge on top. */
const chessmen: Record<string, { body: string; detail?: string }> = {
	pawn: { body: `${base}M-20 28c3-12 11-18 11-28a17 17 0 1 1 18 0c0 10 8 16 11 28z` },
	rook: { body: `${base}M-22 28l4-38h-8v-30h12v10h9v-10h10v10h9v-10h12v30h-8l4 38z`, detail: 'M-17-10h34' },
	knight: { body: `${base}M-22 28c0-18 14-24 16-36-8 6-17 14-25 12-6-2-6-10-1-15 6-7 9-20 17-25l1-10 10 7c22 2 30 30 26 67z`, detail: 'M-8-20h.5M-26-3l3-3' },
	bishop: { body: `${base}M-17 28c0-6 4-9 4-12-9-4-13-12-11-21 3-12 15-20 20-27a7 7 0 1 1 8 0c5 7 17 15 20 27 2 9-2 17-11 21 0 3 4 6 4 12z`, detail: 'M-13 15h26M0-20v16M-8-12h16' },
	queen: { body: `${base}M-24 28c2-8-2-14-5-22l-9-30a5.500 5.500 0 1 1 6-2l11 17 3-25a5.500 5.500 0 1 1 6-1l12 24 12-24a5.500 5.500 0 1 1 6 1l3 25 11-17a5.500 5.500 0 1 1 6 2l-9 30c-3 8-7 14-5 22z`, detail: 'M-27 10c18-5 36-5 54 0' },
	king: { body: `${base}M-23 28c2-7-2-12-7-18-10-13-4-29 12-28 6 0 11 3 13 8l1-14h-7v-8h7v-8h8v8h7v8h-7l1 14c2-5 7-8 13-8 16-1 22 15 12 28-5 6-9 11-7 18z`, detail: 'M-26 12c17-6 35-6 52 0M0-8v12' },
};
for (const c of Object.values(chessmen)) c.body = c.body.replaceAll('5.500', '5.5');

function mark(p: Paint) {
	const line = { fill: 'none', stroke: p.ink, 'stroke-width': 4, opacity: 0.55 };
	switch (p.mark) {
		case 'ring': return <circle r="22" {...line} />;
		case 'dot': return <circle r="9" fill={p.ink} opacity="0.5" />;
		case 'square': return <rect x="-15" y="-15" width="30" height="30" {...line} />;
		case 'triangle': return <path d="M0-19 17 12h-34z" {...line} />;
		case 'bar': return <path d="M-18 0h36" {...line} />;
		case 'cross': return <path d="M-14-14 14 14M14-14-14 14" {...line} />;
		case 'diamond': return <path d="M0-20 20 0 0 20-20 0z" {...line} />;
		default: return null;
	}
}

function disc(p: Paint, inside?: ComponentChildren, radius = 38) {
	return (
		<>
			<circle r={radius} fill={p.fill} stroke={p.edge} stroke-width="4" />
			{inside ?? mark(p)}
		</>
	);
}

export function fitted(text: string, colour: string, room = 62, tallest = 44) {
	const size = Math.min(tallest, (room / Math.max(1, text.length)) * 1.65);
	return (
		<text text-anchor="middle" dominant-baseline="central" font-size={size} font-weight="650" fill={colour}>
			{text}
		</text>
	);
}

const pips: Record<number, [number, number][]> = {
	1: [[0, 0]],
	2: [[-1, -1], [1, 1]],
	3: [[-1, -1], [0, 0], [1, 1]],
	4: [[-1, -1], [1, 1], [-1, 1], [1, -1]],
	5: [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]],
	6: [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]],
};

export function Die({ value }: { value: string }) {
	const dots = pips[Number(value)];
	return (
		<>
			<rect x="-36" y="-36" width="72" height="72" rx="14" fill="#fdfbf4" stroke="#3c3a35" stroke-width="4" />
			{dots ? dots.map(([x, y]) => <circle cx={x * 19} cy={y * 19} r="7.5" fill="#22211e" />) : fitted(value, '#22211e', 50)}
		</>
	);
}

export function Card({ value, back }: { value?: string; back?: boolean }) {
	return (
		<>
			<rect x="-31" y="-44" width="62" height="88" rx="8" fill={back ? '#2f5f7d' : '#fdfbf4'} stroke="#33312c" stroke-width="3" />
			{back ? <path d="M-20-33h40v66h-40zM-20-11 0-33 20-11M-20 11 0-11 20 11M-20 33 0 11 20 33" fill="none" stroke="#d7e6ef" stroke-width="3" /> : fitted(value ?? '', '#22211e', 50, 40)}
		</>
	);
}

/* symbol: what it looks like; colour: a word of colours.ts; text: for letters and digits; name: the constant of the rules. */
export interface Piece {
	symbol: string;
	colour?: string;
	text?: string;
	name: string;
}

type Drawer = (p: Paint, piece: Piece) => ComponentChildren;

const plain: Record<string, Drawer> = {
	disc: (p) => disc(p),
	stone: (p) => disc({ ...p, mark: 'none' }),
	man: (p) => disc(p, <><circle r="27" fill="none" stroke={p.ink} stroke-width="3" opacity="0.45" /><circle r="15" fill="none" stroke={p.ink} stroke-width="3" opacity="0.3" /></>),
	crowned: (p) => disc(p, <path d="M-20 14v-26l10 10L0-18l10 16 10-10v26z" fill={p.ink} opacity="0.85" />),
	x: (p) => <path d="M-27-27 27 27M27-27-27 27" stroke={p.fill} stroke-width="15" stroke-linecap="round" />,
	o: (p) => <circle r="27" fill="none" stroke={p.fill} stroke-width="13" />,
	ring: (p) => <circle r="30" fill="none" stroke={p.fill} stroke-width="10" />,
	square: (p) => <rect x="-36" y="-36" width="72" height="72" rx="4" fill={p.fill} stroke={p.edge} stroke-width="4" />,
	tile: (p, piece) => (
		<>
			<rect x="-43" y="-43" width="86" height="86" rx="9" fill={p.fill} stroke={p.edge} stroke-width="3" />
			{fitted(piece.text ?? piece.name, p.ink, 70, 50)}
		</>
	),
	triangle: (p) => <path d="M0-38 40 32h-80z" fill={p.fill} stroke={p.edge} stroke-width="4" stroke-linejoin="round" />,
	diamond: (p) => <path d="M0-42 42 0 0 42-42 0z" fill={p.fill} stroke={p.edge} stroke-width="4" stroke-linejoin="round" />,
	star: (p) => <path d="M0-42 12-14 42-12 19 8 27 38 0 21-27 38-19 8-42-12-12-14z" fill={p.fill} stroke={p.edge} stroke-width="3" stroke-linejoin="round" />,
	wall: (p) => (
		<>
			<rect x="-48" y="-48" width="96" height="96" fill={p.fill} />
			<path d="M-48-16h96M-48 16h96M-16-48v32M24-16v32M-16 16v32" stroke={p.edge} stroke-width="4" />
		</>
	),
	blocked: (p) => (
		<>
			<rect x="-34" y="-34" width="68" height="68" rx="6" fill={p.fill} stroke={p.edge} stroke-width="4" />
			<path d="M-18-18 18 18M18-18-18 18" stroke={p.ink} stroke-width="7" stroke-linecap="round" />
		</>
	),
	dot: (p) => <circle r="12" fill={p.fill} stroke={p.edge} stroke-width="3" />,
	on: () => <><circle r="34" fill="#ffd84d" stroke="#7a5a00" stroke-width="4" /><path d="M0-20v40M-20 0h40M-14-14 14 14M14-14-14 14" stroke="#7a5a00" stroke-width="4" stroke-linecap="round" /></>,
	off: () => <circle r="34" fill="none" stroke="currentColor" stroke-width="4" opacity="0.45" />,
	ghost: (p) => <><path d="M-30 38v-42a30 30 0 0 1 60 0v42l-12-10-10 10-8-10-8 10-10-10z" fill={p.fill} stroke={p.edge} stroke-width="3" stroke-linejoin="round" /><circle cx="-11" cy="-8" r="7" fill="#fff" /><circle cx="11" cy="-8" r="7" fill="#fff" /><circle cx="-9" cy="-7" r="3.5" fill="#111" /><circle cx="13" cy="-7" r="3.5" fill="#111" /></>,
	pacman: (p) => <path d="M30-22A37 37 0 1 0 30 22L0 0z" fill={p.fill} stroke={p.edge} stroke-width="4" stroke-linejoin="round" />,
	bomb: () => <><circle cy="8" r="28" fill="#2b2d31" stroke="#0d0e10" stroke-width="3" /><path d="M10-18 22-32" stroke="#8c5a34" stroke-width="6" stroke-linecap="round" /><circle cx="25" cy="-36" r="7" fill="#e07b1a" /></>,
	flame: () => <path d="M0-44c8 16 30 24 26 50a26 26 0 0 1-52 4c-2-14 8-18 8-32 6 4 10 8 11 14 6-8 8-20 7-36z" fill="#e07b1a" stroke="#713800" stroke-width="4" stroke-linejoin="round" />,
	arrow: (p) => <path d="M-36-8H6v-22L40 0 6 30V8h-42z" fill={p.fill} stroke={p.edge} stroke-width="4" stroke-linejoin="round" />,
	cloud: () => <path d="M-22 26a18 18 0 0 1-2-36 24 24 0 0 1 46-6 20 20 0 0 1 2 42z" fill="#9aa5ad" stroke="#59636b" stroke-width="3" />,
	cheese: () => <><path d="M-40 22V4L30-28l10 20v30z" fill="#f2c744" stroke="#7b5a00" stroke-width="4" stroke-linejoin="round" /><circle cx="-12" cy="8" r="6" fill="#7b5a00" opacity="0.5" /><circle cx="16" cy="4" r="8" fill="#7b5a00" opacity="0.5" /></>,
};

export const symbols = [...Object.keys(plain), ...Object.keys(chessmen), 'die', 'card', 'back', 'text'];

/* The drawing of a piece, around the origin. */
export function PieceShape({ piece }: { piece: Piece }) {
	const paint = paintOf(piece.colour, piece.name);
	const man = chessmen[piece.symbol];
	if (man)
		return (
			<>
				<path d={man.body} fill={paint.fill} stroke={paint.edge} stroke-width="3.5" stroke-linejoin="round" />
				{man.detail && <path d={man.detail} fill="none" stroke={paint.ink} stroke-width="4" stroke-linecap="round" opacity="0.8" />}
			</>
		);
	if (piece.symbol in plain) return <>{plain[piece.symbol](paint, piece)}</>;
	if (piece.symbol === 'die') return <Die value={piece.text ?? piece.name} />;
	if (piece.symbol === 'card') return <Card value={piece.text ?? piece.name} />;
	if (piece.symbol === 'back') return <Card back />;
	return <>{fitted(piece.text ?? piece.name, 'currentColor', 78, 56)}</>;
}
