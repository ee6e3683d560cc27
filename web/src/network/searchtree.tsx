// The search tree as it grows: decisions go left, refutations right, failures are crosses, solutions discs.
export interface SearchNode {
	node: number;
	parent: number | null;
	depth: number;
	kind: 'root' | 'decision' | 'refutation';
	variable: number | null;
	value: string | number | null;
	removed: [number, (string | number)[]][];
	left: [number, number][];
	failed: boolean | null;
	wiped: number | null;
	solution: [number, string | number][] | null;
}

export function SearchTree({ nodes, at, goTo, nameOf }: { nodes: SearchNode[]; at: number | null; goTo: (node: number) => void; nameOf: (variable: number) => string }) {
	if (!nodes.length) return null;
	const children = new Map<number, number[]>();
	const byId = new Map(nodes.map((n) => [n.node, n]));
	for (const n of nodes) if (n.parent !== null && byId.has(n.parent)) children.set(n.parent, [...(children.get(n.parent) ?? []), n.node]);
	const x = new Map<number, number>();
	let leaves = 0;
	const walk = (id: number): number => {
		const below = children.get(id) ?? [];
		const at = below.length ? below.map(walk).reduce((a, b) => a + b, 0) / below.length : leaves++;
		x.set(id, at);
		return at;
	};
	for (const n of nodes) if (n.parent === null || !byId.has(n.parent)) walk(n.node);
	const wide = 22;
	const depth = Math.max(...nodes.map((n) => n.depth));
	return (
		<div class="scroll tree-box" tabIndex={0} role="group" aria-label={`Search tree of ${nodes.length} nodes`}>
			<svg width={Math.max(60, leaves * wide + 20)} height={(depth + 1) * 30 + 20} viewBox={`${-wide / 2 - 5} -14 ${Math.max(60, leaves * wide + 20)} ${(depth + 1) * 30 + 20}`}>
				{nodes.map((n) => n.parent !== null && byId.has(n.parent) && <line key={'e' + n.node} class="edge" x1={x.get(n.parent)! * wide} y1={byId.get(n.parent)!.depth * 30} x2={x.get(n.node)! * wide} y2={n.depth * 30} stroke-dasharray={n.kind === 'refutation' ? '3 3' : undefined} />)}
				{nodes.map((n) => (
					<g key={n.node} class={`search-node ${n.failed ? 'failed' : n.solution ? 'solution' : ''}${n.node === at ? ' on' : ''}`} transform={`translate(${x.get(n.node)! * wide} ${n.depth * 30})`} onClick={() => goTo(n.node)}>
						<title>{n.variable === null ? 'root' : `${nameOf(n.variable)} ${n.kind === 'refutation' ? '≠' : '='} ${n.value}${n.failed ? ': fails' : n.solution ? ': a solution' : ''}`}</title>
						{n.failed ? <path d="M-5-5 5 5M5-5-5 5" /> : <circle r={n.solution ? 7 : 5} />}
					</g>
				))}
			</svg>
		</div>
	);
}
