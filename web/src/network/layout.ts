// Where the nodes of a constraint network lie. Networks of a game flow from one time to the next and are laid out in layers by
// dagre; others have no direction, and forces spread them.
import * as dagre from '@dagrejs/dagre';

export interface Variable {
	id: number;
	name: string;
	domain: (string | number)[];
	size: number;
	group: string;
}
export interface Constraint {
	id: number;
	kind: string;
	scope: number[];
	rows?: number;
}
export interface Network {
	network: string;
	name: string;
	variables: Variable[];
	constraints: Constraint[];
	objective: string | null;
	cut: boolean;
	all: { variables: number; constraints: number };
}

export interface Place {
	x: number;
	y: number;
}
export interface Laid {
	variables: Map<number, Place>;
	constraints: Map<number, Place>;
	width: number;
	height: number;
}

const order = ['now', 'action', 'auxiliary', 'after', 'terminal', 'score'];

export function lay(n: Network): Laid {
	const flows = n.variables.some((v) => v.group === 'now') && n.variables.some((v) => v.group !== 'now' && v.group !== '');
	return flows && n.variables.length + n.constraints.length <= 400 ? layered(n) : flows ? columns(n) : spread(n);
}

function layered(n: Network): Laid {
	const g = new dagre.graphlib.Graph();
	g.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 70 });
	g.setDefaultEdgeLabel(() => ({}));
	const rank = new Map(n.variables.map((v) => [v.id, order.indexOf(v.group)]));
	for (const v of n.variables) g.setNode('v' + v.id, { width: 90, height: 34 });
	for (const c of n.constraints) {
		g.setNode('c' + c.id, { width: 14, height: 14 });
		// What a table derives stands last in time; the others lead to it.
		const last = Math.max(...c.scope.map((v) => rank.get(v) ?? 0));
		const heads = c.scope.filter((v) => (rank.get(v) ?? 0) === last);
		for (const v of c.scope) {
			if (heads.length < c.scope.length && heads.includes(v)) g.setEdge('c' + c.id, 'v' + v);
			else g.setEdge('v' + v, 'c' + c.id);
		}
	}
	dagre.layout(g);
	const at = (key: string): Place => ({ x: g.node(key).x ?? 0, y: g.node(key).y ?? 0 });
	const size = g.graph() as { width?: number; height?: number };
	return {
		variables: new Map(n.variables.map((v) => [v.id, at('v' + v.id)])),
		constraints: new Map(n.constraints.map((c) => [c.id, at('c' + c.id)])),
		width: size.width ?? 100,
		height: size.height ?? 100,
	};
}

/* Large networks of games: one band per kind of variable, its members in rows of a few. */
function columns(n: Network): Laid {
	const variables = new Map<number, Place>();
	let x = 50;
	let height = 0;
	for (const group of [...order, '']) {
		const all = n.variables.filter((v) => (order.includes(v.group) ? v.group : '') === group);
		if (!all.length) continue;
		const across = Math.max(1, Math.ceil(Math.sqrt(all.length / 4)));
		all.forEach((v, i) => variables.set(v.id, { x: x + (i % across) * 100, y: 24 + Math.floor(i / across) * 44 }));
		height = Math.max(height, Math.ceil(all.length / across) * 44 + 20);
		x += across * 100 + 80;
	}
	return { variables, constraints: centres(n, variables), width: x - 80, height };
}

function centres(n: Network, variables: Map<number, Place>): Map<number, Place> {
	return new Map(
		n.constraints.map((c) => {
			const places = c.scope.map((v) => variables.get(v)).filter((p): p is Place => !!p);
			const sum = places.reduce((s, p) => ({ x: s.x + p.x, y: s.y + p.y }), { x: 0, y: 0 });
			return [c.id, { x: sum.x / Math.max(1, places.length), y: sum.y / Math.max(1, places.length) }];
		}),
	);
}

/* Springs along constraints, repulsion between variables, the same result every time. */
function spread(n: Network): Laid {
	const count = n.variables.length;
	const index = new Map(n.variables.map((v, i) => [v.id, i]));
	const px = n.variables.map((_, i) => Math.cos((2 * Math.PI * i) / count) * 40 * Math.sqrt(count));
	const py = n.variables.map((_, i) => Math.sin((2 * Math.PI * i) / count) * 40 * Math.sqrt(count));
	const pairs: [number, number, number][] = [];
	for (const c of n.constraints) {
		const scope = c.scope.map((v) => index.get(v)!).filter((i) => i !== undefined);
		// A wide constraint pulls its variables together, each pair the less the wider it is.
		for (let a = 0; a < scope.length; a++) for (let b = a + 1; b < scope.length && b < a + 12; b++) pairs.push([scope[a], scope[b], 1 / Math.max(1, scope.length - 1)]);
	}
	const ideal = 110;
	const rounds = count > 300 ? 40 : 200;
	for (let round = 0; round < rounds; round++) {
		const heat = 30 * (1 - round / rounds);
		const dx = new Array<number>(count).fill(0);
		const dy = new Array<number>(count).fill(0);
		for (let i = 0; i < count; i++)
			for (let j = i + 1; j < count; j++) {
				// Boxes are wider than high, so they keep more distance sideways.
				const x = (px[i] - px[j]) / 1.8 || 0.01 * (i - j);
				const y = py[i] - py[j] || 0.01;
				const d2 = x * x + y * y;
				const f = (ideal * ideal) / d2;
				dx[i] += x * f; dy[i] += y * f;
				dx[j] -= x * f; dy[j] -= y * f;
			}
		for (const [i, j, w] of pairs) {
			const x = px[i] - px[j];
			const y = py[i] - py[j];
			const f = (Math.hypot(x, y) / ideal) * w;
			dx[i] -= x * f; dy[i] -= y * f;
			dx[j] += x * f; dy[j] += y * f;
		}
		for (let i = 0; i < count; i++) {
			dx[i] -= px[i] * 0.02;
			dy[i] -= py[i] * 0.02;
			const d = Math.hypot(dx[i], dy[i]) || 1;
			px[i] += (dx[i] / d) * Math.min(d, heat);
			py[i] += (dy[i] / d) * Math.min(d, heat);
		}
	}
	const minX = Math.min(...px) - 60;
	const minY = Math.min(...py) - 36;
	const variables = new Map(n.variables.map((v, i) => [v.id, { x: px[i] - minX, y: py[i] - minY }]));
	return { variables, constraints: centres(n, variables), width: Math.max(...px) - minX + 60, height: Math.max(...py) - minY + 36 };
}
