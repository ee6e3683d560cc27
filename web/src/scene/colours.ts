// Colours of pieces. Every named colour has a fill, an edge and an ink that can be read on it; two sides are told apart by
// lightness too, and pieces carry a mark of their colour, so that nobody needs to see the hue.
export interface Paint {
	fill: string;
	edge: string;
	ink: string;
	/* The mark that discs of this colour carry. */
	mark: 'none' | 'ring' | 'dot' | 'bar' | 'cross' | 'square' | 'triangle' | 'diamond';
}

const named: Record<string, Paint> = {
	white: { fill: '#fbf7ec', edge: '#4b4438', ink: '#2a251c', mark: 'none' },
	black: { fill: '#2b2d31', edge: '#0d0e10', ink: '#f2efe6', mark: 'none' },
	red: { fill: '#c8342b', edge: '#6d1610', ink: '#ffffff', mark: 'ring' },
	yellow: { fill: '#f2c744', edge: '#7b5a00', ink: '#2a2000', mark: 'dot' },
	blue: { fill: '#1f6fb4', edge: '#0c3458', ink: '#ffffff', mark: 'square' },
	green: { fill: '#12805c', edge: '#064030', ink: '#ffffff', mark: 'triangle' },
	orange: { fill: '#e07b1a', edge: '#713800', ink: '#1f1000', mark: 'bar' },
	purple: { fill: '#8a4f9e', edge: '#43204f', ink: '#ffffff', mark: 'cross' },
	violet: { fill: '#8a4f9e', edge: '#43204f', ink: '#ffffff', mark: 'cross' },
	pink: { fill: '#d982ae', edge: '#75325a', ink: '#2b0b1e', mark: 'diamond' },
	brown: { fill: '#8c5a34', edge: '#462a14', ink: '#ffffff', mark: 'bar' },
	grey: { fill: '#8d959c', edge: '#454b50', ink: '#111417', mark: 'none' },
	cyan: { fill: '#56b4d9', edge: '#1a566e', ink: '#06222d', mark: 'diamond' },
};
named.gray = named.grey;

/* For names that say nothing about colour: told apart by lightness as well as by hue. */
const stable: Paint[] = [named.blue, named.orange, named.green, named.pink, named.brown, named.cyan, named.purple, named.yellow, named.red, named.grey];

export function hash(text: string): number {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return h >>> 0;
}

export function paintOf(colour: string | undefined, name: string): Paint {
	return (colour && named[colour]) || stable[hash(name) % stable.length];
}

export function isColour(word: string): boolean {
	return word in named;
}
