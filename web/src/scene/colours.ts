// Colours of pieces: the library says which; here come the edge and an ink that can be read on it, and a mark for discs, so that
// nobody needs to see the hue.
export interface Paint {
	fill: string;
	edge: string;
	ink: string;
	mark: string;
}

const marks: Record<string, string> = { red: 'ring', yellow: 'dot', blue: 'square', green: 'triangle', orange: 'bar', purple: 'cross', violet: 'cross', pink: 'diamond', brown: 'bar', cyan: 'diamond' };

function channels(hex: string): [number, number, number] {
	const n = Number.parseInt(hex.slice(1), 16);
	return [n >> 16, (n >> 8) & 255, n & 255];
}

const known = new Map<string, Paint>();

export function paintOf(hex: string, word: string): Paint {
	const key = hex + word;
	let paint = known.get(key);
	if (!paint) {
		const rgb = channels(/^#[0-9a-f]{6}$/i.test(hex) ? hex : '#8f8f8f');
		const light = (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]) / 255;
		const edge = rgb.map((c) => Math.round(c * (light > 0.8 ? 0.35 : 0.45)));
		paint = { fill: hex, edge: `rgb(${edge.join(' ')})`, ink: light > 0.55 ? '#1c1a15' : '#ffffff', mark: marks[word] ?? 'none' };
		known.set(key, paint);
	}
	return paint;
}
