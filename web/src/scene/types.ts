// A scene: one position as a drawing, made by the library (docs/boards.md). Coordinates: x to the right, y upwards, one unit per cell.
export interface ScenePiece {
	name: string;
	/* "white knight", "disc red", "number 7", "word mouse", … */
	meaning: string;
	glyph: string;
	plain: string;
	colour: string;
	owner?: number;
	fluent: string;
	sure?: boolean;
	badge?: boolean;
}

export interface SceneCell {
	at: [number, number];
	x: number;
	y: number;
	pieces: ScenePiece[];
	last?: boolean;
	unknown?: boolean;
}

export interface SceneLink {
	from: [number, number];
	to: [number, number];
	pieces: ScenePiece[];
	last?: boolean;
	unknown?: boolean;
}

export interface SceneBoard {
	id: string;
	name: string;
	part: string;
	kind: 'grid' | 'hex' | 'strip' | 'graph';
	checkered: boolean;
	columns: string[];
	rows: string[];
	cells: SceneCell[];
	links: SceneLink[];
}

export interface SceneFact {
	kind: 'turn' | 'counter' | 'dice' | 'hand' | 'rest';
	name: string;
	role?: number;
	value: ScenePiece;
}

export interface SceneMove {
	move: number;
	role: number;
	text: string;
	board?: number;
	from?: [number, number];
	to?: [number, number];
	menu: string;
}

export interface Scene {
	roles: string[];
	boards: SceneBoard[];
	facts: SceneFact[];
	moves: SceneMove[];
	last: { role: number; move: number; text: string }[];
}
