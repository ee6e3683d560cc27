// Pieces, drawn on a field from -50 to 50 both ways. What a piece is comes from the library with the scene; here is only how it looks.
import type { ComponentChildren } from 'preact';
import { type Paint, paintOf } from './colours';
import type { ScenePiece } from './types';

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

type Drawer = (p: Paint, piece: ScenePiece) => ComponentChildren;

const arrow = (turn: number): Drawer => (p) => <path transform={`rotate(${turn})`} d="M-36-8H6v-22L40 0 6 30V8h-42z" fill={p.fill} stroke={p.edge} stroke-width="4" stroke-linejoin="round" />;
const suit = (path: string): Drawer => (p) => <path d={path} fill={p.fill} stroke={p.edge} stroke-width="3" stroke-linejoin="round" />;

/* By the meaning as a whole. */
const signs: Record<string, Drawer> = {
	cross: (p) => <path d="M-27-27 27 27M27-27-27 27" stroke={p.fill} stroke-width="15" stroke-linecap="round" />,
	ring: (p) => <circle r="27" fill="none" stroke={p.fill} stroke-width="13" />,
	'arrow right': arrow(0),
	'arrow down': arrow(90),
	'arrow left': arrow(180),
	'arrow up': arrow(270),
	block: (p) => (
		<>
			<rect x="-46" y="-46" width="92" height="92" rx="4" fill={p.fill} />
			<path d="M-46-15h92M-46 16h92M-16-46v31M22-15v31M-16 16v30" stroke={p.edge} stroke-width="4" />
		</>
	),
	dot: (p) => <circle r="11" fill={p.fill} stroke={p.edge} stroke-width="3" />,
	trace: (p) => <circle r="17" fill="none" stroke={p.fill} stroke-width="6" stroke-dasharray="8 7" />,
	dirt: () => <g fill="#7a5a3a"><circle cx="-20" cy="12" r="9" /><circle cx="6" cy="20" r="12" /><circle cx="22" cy="2" r="7" /><circle cx="-6" cy="-8" r="10" /><circle cx="14" cy="-22" r="5" /></g>,
	heart: suit('M0 36C-60-4-34-40-14-36-6-34 0-26 0-20c0-6 6-14 14-16C34-40 60-4 0 36z'),
	diamond: suit('M0-42 32 0 0 42-32 0z'),
	spade: suit('M0-42C50-2 40 24 20 24 12 24 6 20 4 14l6 26h-20l6-26c-2 6-8 10-16 10-20 0-30-26 20-66z'),
	club: suit('M-8 40 -4 14a18 18 0 1 1-12-30 18 18 0 1 1 32 0 18 18 0 1 1-12 30l4 26z'),
	star: suit('M0-42 12-14 42-12 19 8 27 38 0 21-27 38-19 8-42-12-12-14z'),
	flag: (p) => <><path d="M-22 42v-84" stroke="#4a4238" stroke-width="7" stroke-linecap="round" /><path d="M-18-40h50l-14 18 14 18h-50z" fill={p.fill} stroke={p.edge} stroke-width="3" /></>,
};

const Eyes = () => <g><circle cx="-11" cy="-8" r="7" fill="#fff" /><circle cx="11" cy="-8" r="7" fill="#fff" /><circle cx="-9" cy="-7" r="3.5" fill="#111" /><circle cx="13" cy="-7" r="3.5" fill="#111" /></g>;

/* Words that can be drawn; any other is written. */
const words: Record<string, Drawer> = {
	ghost: (p) => <><path d="M-30 38v-42a30 30 0 0 1 60 0v42l-12-10-10 10-8-10-8 10-10-10z" fill={p.fill} stroke={p.edge} stroke-width="3" stroke-linejoin="round" /><Eyes /></>,
	pacman: () => <path d="M30-22A37 37 0 1 0 30 22L0 0z" fill="#f0c419" stroke="#6b5500" stroke-width="4" stroke-linejoin="round" />,
	bomb: () => <><circle cy="8" r="28" fill="#2b2d31" stroke="#8d959c" stroke-width="3" /><path d="M10-18 22-32" stroke="#8c5a34" stroke-width="6" stroke-linecap="round" /><circle cx="25" cy="-36" r="7" fill="#e07b1a" /></>,
	fire: () => <path d="M0-44c8 16 30 24 26 50a26 26 0 0 1-52 4c-2-14 8-18 8-32 6 4 10 8 11 14 6-8 8-20 7-36z" fill="#e07b1a" stroke="#713800" stroke-width="4" stroke-linejoin="round" />,
	balloon: (p) => <><path d="M0-42c34 0 36 46 0 62-36-16-34-62 0-62z" fill={p.fill} stroke={p.edge} stroke-width="3" /><path d="M0 20c-8 10 8 14 0 24" fill="none" stroke={p.edge} stroke-width="3" /></>,
	cheese: () => <><path d="M-40 22V4L30-28l10 20v30z" fill="#f2c744" stroke="#7b5a00" stroke-width="4" stroke-linejoin="round" /><circle cx="-12" cy="8" r="6" fill="#7b5a00" opacity="0.5" /><circle cx="16" cy="4" r="8" fill="#7b5a00" opacity="0.5" /></>,
	mouse: () => <><circle cx="-20" cy="-20" r="16" fill="#b9bec3" stroke="#454b50" stroke-width="3" /><circle cx="20" cy="-20" r="16" fill="#b9bec3" stroke="#454b50" stroke-width="3" /><path d="M0 36c-26 0-32-30-20-44 10-12 30-12 40 0 12 14 6 44-20 44z" fill="#b9bec3" stroke="#454b50" stroke-width="3" /><circle cx="-9" cy="2" r="4" fill="#111" /><circle cx="9" cy="2" r="4" fill="#111" /><circle cy="22" r="5" fill="#d982ae" /></>,
	cat: () => <><path d="M-34-38l18 14h32l18-14v44c0 20-16 32-34 32S-34 26-34 6z" fill="#8c5a34" stroke="#462a14" stroke-width="3" stroke-linejoin="round" /><circle cx="-13" cy="0" r="5" fill="#fff" /><circle cx="13" cy="0" r="5" fill="#fff" /><path d="M-6 14h12l-6 7z" fill="#d982ae" /></>,
	rabbit: () => <><path d="M-14-8c-12-34-4-38 2-34 6 5 8 20 8 32M14-8c12-34 4-38-2-34-6 5-8 20-8 32" fill="#eee6da" stroke="#5c5346" stroke-width="3" /><circle cy="14" r="25" fill="#eee6da" stroke="#5c5346" stroke-width="3" /><circle cx="-9" cy="8" r="4" fill="#111" /><circle cx="9" cy="8" r="4" fill="#111" /><circle cy="19" r="4" fill="#d982ae" /></>,
	sheep: () => <><path d="M-36 6a14 14 0 0 1 8-24 16 16 0 0 1 28-8 16 16 0 0 1 28 8 14 14 0 0 1 8 24 14 14 0 0 1-16 18h-40a14 14 0 0 1-16-18z" fill="#f5f2e8" stroke="#5c5346" stroke-width="3" /><ellipse cx="0" cy="4" rx="12" ry="15" fill="#3a3733" /><circle cx="-4" cy="0" r="2.5" fill="#fff" /><circle cx="4" cy="0" r="2.5" fill="#fff" /><path d="M-18 24v14M18 24v14" stroke="#3a3733" stroke-width="6" stroke-linecap="round" /></>,
	wolf: () => <><path d="M-32-40l14 16h36l14-16 2 34c0 24-20 32-34 46-14-14-34-22-34-46z" fill="#6d747b" stroke="#2c3136" stroke-width="3" stroke-linejoin="round" /><circle cx="-13" cy="-6" r="5" fill="#f0c419" /><circle cx="13" cy="-6" r="5" fill="#f0c419" /><path d="M-6 22h12l-6 8z" fill="#16181a" /></>,
	gold: () => <path d="M-34 26l10-28h48l10 28zM-18-6l7-20h22l7 20z" fill="#e3b325" stroke="#6b5500" stroke-width="4" stroke-linejoin="round" />,
	pit: () => <ellipse rx="36" ry="26" fill="#16181a" stroke="#5b626a" stroke-width="5" />,
	wumpus: (p) => <><path d="M-36 36c0-50 8-72 36-72s36 22 36 72l-12-8-12 8-12-8-12 8-12-8z" fill={p.fill} stroke={p.edge} stroke-width="3" /><Eyes /><path d="M-14 14h28l-5 8-5-6-4 6-4-6-5 6z" fill="#fff" /></>,
	robot: (p) => <><path d="M0-44v12" stroke={p.edge} stroke-width="5" /><rect x="-28" y="-32" width="56" height="40" rx="8" fill={p.fill} stroke={p.edge} stroke-width="3" /><circle cx="-11" cy="-13" r="6" fill="#fff" /><circle cx="11" cy="-13" r="6" fill="#fff" /><path d="M-20 14h40v22h-40z" fill={p.fill} stroke={p.edge} stroke-width="3" /></>,
	heads: (p) => coin(p, 'H'),
	tails: () => coin({ fill: '#b8bcc2', edge: '#4d5257', ink: '#22262a', mark: 'none' }, 'T'),
	on: () => <><circle r="32" fill="#ffd84d" stroke="#7a5a00" stroke-width="4" /><path d="M0-18v36M-18 0h36M-13-13 13 13M13-13-13 13" stroke="#7a5a00" stroke-width="4" stroke-linecap="round" /></>,
	off: () => <circle r="32" fill="none" stroke="currentColor" stroke-width="4" opacity="0.5" />,
};
words.lit = words.on;
words.lamp = words.on;
words.light = words.on;
words.dark = words.off;
words.flame = words.fire;
words.blast = words.fire;
words.explosion = words.fire;
words.vacuum = words.robot;
words.hunter = words.robot;
words.shepherd = words.robot;
words.dirty = signs.dirt;
for (const name of ['blinky', 'pinky', 'inky', 'clyde', 'hubi']) words[name] = words.ghost;

function coin(p: Paint, letter: string) {
	return (
		<>
			<circle r="38" fill={p.fill} stroke={p.edge} stroke-width="4" />
			<circle r="30" fill="none" stroke={p.edge} stroke-width="2" stroke-dasharray="3 4" />
			{fitted(letter, p.ink, 40, 36)}
		</>
	);
}

/* Men on a point, side by side while there are few. */
function pile(p: Paint, count: number) {
	if (count > 6) return disc(p, fitted(String(count), p.ink, 50, 40));
	const across = count <= 1 ? 1 : count <= 4 ? 2 : 3;
	const down = Math.ceil(count / across);
	const size = Math.min(84 / across, 84 / down);
	return [...Array(count).keys()].map((i) => <circle key={i} cx={((i % across) - (across - 1) / 2) * size} cy={(Math.floor(i / across) - (down - 1) / 2) * size} r={size * 0.42} fill={p.fill} stroke={p.edge} stroke-width="3" />);
}

/* A number of things in a place of a strip: seeds, matches, men. */
export function Heap({ count, of }: { count: number; of: string }) {
	const paint = paintOf(of === 'white' ? '#f5f2e8' : of === 'black' ? '#262626' : '#6f8f3f', of);
	const across = Math.ceil(Math.sqrt(count));
	const down = Math.ceil(count / across);
	const step = Math.min(30, 62 / across);
	return (
		<>
			{[...Array(count).keys()].map((i) => <circle key={i} cx={((i % across) - (across - 1) / 2) * step} cy={(Math.floor(i / across) - (down - 1) / 2) * step - 8} r={step * 0.44} fill={paint.fill} stroke={paint.edge} stroke-width="2.5" />)}
			<text x="44" y="46" text-anchor="end" font-size="26" font-weight="650" fill="currentColor">{count}</text>
		</>
	);
}

function token(p: Paint, text: string) {
	const short = text.length > 9 ? text.slice(0, 8) + '…' : text;
	return (
		<>
			<rect x="-43" y="-24" width="86" height="48" rx="12" fill={p.fill} stroke={p.edge} stroke-width="3" />
			{fitted(short, p.ink, 74, 34)}
		</>
	);
}

function wordOf(name: string): Drawer | undefined {
	const parts = name.toLowerCase().split(/[_\s-]+/);
	for (const part of parts) {
		const found = words[part] ?? words[part.replace(/\d+$/, '')];
		if (found) return found;
	}
	return undefined;
}

/* The drawing of a piece, around the origin. */
export function PieceShape({ piece }: { piece: ScenePiece }) {
	const said = piece.meaning.split(' ');
	const last = said[said.length - 1];
	const colour = said[0] === 'disc' ? last : said[0];
	const paint = paintOf(piece.colour, colour);
	const man = chessmen[last];
	if (man)
		return (
			<>
				<path d={man.body} fill={paint.fill} stroke={paint.edge} stroke-width="3.5" stroke-linejoin="round" />
				{man.detail && <path d={man.detail} fill="none" stroke={paint.ink} stroke-width="4" stroke-linecap="round" opacity="0.8" />}
			</>
		);
	if (piece.meaning in signs) return <>{signs[piece.meaning](paint, piece)}</>;
	if (said[0] === 'disc') return disc(paint);
	if (last === 'man') return disc(paint, <><circle r="27" fill="none" stroke={paint.ink} stroke-width="3" opacity="0.45" /><circle r="15" fill="none" stroke={paint.ink} stroke-width="3" opacity="0.3" /></>);
	if (last === 'crown') return disc(paint, <path d="M-20 14v-26l10 10L0-18l10 16 10-10v26z" fill={paint.ink} opacity="0.85" />);
	if (said[0] === 'pile') return <>{pile(paint, Number(last))}</>;
	if (said[0] === 'number' || said[0] === 'letter') return <>{fitted(piece.name, 'currentColor', 74, 58)}</>;
	return <>{wordOf(piece.name)?.(paint, piece) ?? token(paint, piece.name.replaceAll('_', ' '))}</>;
}

export const isDrawn = (piece: ScenePiece) => !!wordOf(piece.name);

/* Is a word written out and cut? Then a legend says it whole. */
export const isCut = (piece: ScenePiece) => /^word /.test(piece.meaning) && piece.name.length > 9 && !wordOf(piece.name);
