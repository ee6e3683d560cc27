// A constraint network as a picture: variables with what is left of their domains, constraints between them.
import { useMemo, useRef, useState } from 'preact/hooks';
import { lay, type Network, type Variable } from './layout';

export interface Domains {
	/* Values that are gone, by variable; a variable that is not here has them all. */
	gone: Map<number, Set<string>>;
	left: Map<number, number>;
	wiped: number | null;
}

const groups: Record<string, string> = { now: 'the position now', action: 'moves', after: 'the position after', score: 'scores', terminal: 'the end', auxiliary: 'helpers' };

export function NetworkGraph({ network, domains, pick, picked }: { network: Network; domains: Domains | null; pick: (v: Variable | null) => void; picked: Variable | null }) {
	const laid = useMemo(() => lay(network), [network]);
	const [zoom, setZoom] = useState(1);
	const drag = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
	const box = useRef<HTMLDivElement>(null);
	const near = useMemo(() => new Set(picked ? network.constraints.filter((c) => c.scope.includes(picked.id)).flatMap((c) => c.scope) : []), [picked, network]);
	const used = [...new Set(network.variables.map((v) => v.group))].filter((g) => g in groups);
	return (
		<div class="stack tight">
			<div class="row between small">
				<span class="row">{used.map((g) => <span key={g} class="legend"><span class={`swatch group-${g}`} /> {groups[g]}</span>)}</span>
				<span class="row">
					<button class="icon" aria-label="Smaller" onClick={() => setZoom(zoom / 1.3)}>−</button>
					<button class="icon" aria-label="Larger" onClick={() => setZoom(zoom * 1.3)}>+</button>
				</span>
			</div>
			<div
				class="network-box"
				ref={box}
				tabIndex={0}
				role="group"
				aria-label={`Network of ${network.all.variables} variables and ${network.all.constraints} constraints`}
				onPointerDown={(e) => (drag.current = { x: e.clientX, y: e.clientY, left: box.current!.scrollLeft, top: box.current!.scrollTop })}
				onPointerMove={(e) => {
					if (!drag.current || !(e.buttons & 1)) return;
					box.current!.scrollLeft = drag.current.left - (e.clientX - drag.current.x);
					box.current!.scrollTop = drag.current.top - (e.clientY - drag.current.y);
				}}
				onPointerUp={() => (drag.current = null)}
			>
				<svg viewBox={`-10 -10 ${laid.width + 20} ${laid.height + 20}`} style={{ width: `${Math.max(300, Math.min(laid.width * 1.3, 1000)) * zoom}px`, maxWidth: zoom === 1 ? '100%' : undefined, minWidth: laid.width > 700 ? `${700 * zoom}px` : undefined, display: 'block', margin: '0 auto' }}>
					<g class="edges">
						{network.constraints.map((c) => {
							const at = laid.constraints.get(c.id)!;
							const on = picked && c.scope.includes(picked.id);
							if (c.scope.length === 2) {
								const [a, b] = c.scope.map((v) => laid.variables.get(v));
								return a && b ? <line key={c.id} x1={a.x} y1={a.y} x2={b.x} y2={b.y} class={on ? 'edge on' : 'edge'} /> : null;
							}
							return c.scope.map((v) => {
								const p = laid.variables.get(v);
								return p && <line key={`${c.id}-${v}`} x1={at.x} y1={at.y} x2={p.x} y2={p.y} class={on ? 'edge on' : 'edge'} />;
							});
						})}
					</g>
					{network.constraints.filter((c) => c.scope.length !== 2).map((c) => {
						const at = laid.constraints.get(c.id)!;
						return <rect key={c.id} class="constraint" x={at.x - 5} y={at.y - 5} width="10" height="10" rx="2"><title>{`${c.kind}, ${c.scope.length} variables${c.rows ? `, ${c.rows} rows` : ''}`}</title></rect>;
					})}
					{network.variables.map((v) => {
						const at = laid.variables.get(v.id)!;
						return <VariableNode key={v.id} v={v} x={at.x} y={at.y} domains={domains} dim={!!picked && !near.has(v.id) && picked.id !== v.id} on={picked?.id === v.id} pick={() => pick(picked?.id === v.id ? null : v)} />;
					})}
				</svg>
			</div>
		</div>
	);
}

function VariableNode({ v, x, y, domains, dim, on, pick }: { v: Variable; x: number; y: number; domains: Domains | null; dim: boolean; on: boolean; pick: () => void }) {
	const gone = domains?.gone.get(v.id);
	const left = domains?.left.get(v.id) ?? v.size;
	const shown = v.domain.slice(0, 12);
	const decided = left === 1 ? String(v.domain.find((d) => !gone?.has(String(d))) ?? '') : null;
	const wiped = domains?.wiped === v.id;
	return (
		<g class={`variable group-${v.group || 'none'}${dim ? ' dim' : ''}${on ? ' on' : ''}${wiped ? ' wiped' : ''}${decided !== null && domains ? ' decided' : ''}`} transform={`translate(${x} ${y})`} onClick={pick}>
			<title>{`${v.name}: ${left} of ${v.size} values`}</title>
			<rect x="-44" y="-17" width="88" height="34" rx="8" />
			<text y="-4" text-anchor="middle" font-size={Math.min(11, 150 / Math.max(8, v.name.length))}>{v.name.length > 22 ? v.name.slice(0, 21) + '…' : v.name}</text>
			{decided !== null && domains ? (
				<text class="value" y="11" text-anchor="middle" font-size="11">{wiped ? '∅' : decided}</text>
			) : (
				shown.map((d, i) => <rect key={i} class={gone?.has(String(d)) ? 'tick gone' : 'tick'} x={(i - shown.length / 2) * 6.6 + 0.6} y="4" width="5.4" height="7" rx="1" />)
			)}
		</g>
	);
}
