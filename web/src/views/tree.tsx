// The tree of a search: what the running analysis holds, and below that, node by node, a short thought of the player.
import { useState } from 'preact/hooks';
import { type Joint, post, type Table, type TreeNode, type View } from '../api';
import { spoken } from '../play/terms';
import { complain, number, short, ValueBar } from '../ui/parts';

interface Place {
	game: string;
	moves: Joint[];
}

/* A node of the tree that the player keeps; null: below what it has told. */
interface Held {
	tree: TreeNode[];
	at: number;
}

export function Tree({ place, player, tree }: { place: Place; player: string; tree: TreeNode[] | null }) {
	return (
		<section class="sheet stack tight" aria-label="Tree">
			<h2>Tree</h2>
			{tree && <p class="soft small">The {tree.length} most visited positions of the search. Those without more below are opened by a short thought.</p>}
			<ul class="tree" role="tree" aria-label="Search tree">
				<Node place={place} player={player} label="this position" held={tree && { tree, at: 0 }} />
			</ul>
		</section>
	);
}

interface Opened {
	table: Table | null;
	role: string;
	view: View;
}

interface Row {
	key: string;
	moves: Joint;
	label: string;
	value: number | null;
	visits: number;
	held: Held | null;
}

const named = (moves: Joint) => moves.filter((t) => t !== 'noop').map(spoken).join(' / ') || '…';

/* What the search holds below a node. */
function heldRows(held: Held | null): Row[] {
	if (!held) return [];
	return held.tree.flatMap((n, i) => (n.parent === held.at ? [{ key: n.moves.join(), moves: n.moves, label: named(n.moves), value: n.value, visits: n.visits, held: { tree: held.tree, at: i + 1 } }] : []));
}

/* What a thought about the position has brought. */
function thoughtRows(opened: Opened | null): Row[] {
	if (!opened?.table) return [];
	const roles = Object.keys(opened.view.legal);
	return [...opened.table.moves]
		.sort((a, b) => b.visits - a.visits || (b.value ?? 0) - (a.value ?? 0))
		.slice(0, 12)
		.map((row) => ({ key: String(row.id), moves: roles.map((r) => (r === opened.role ? row.text : (opened.view.legal[r]?.[0]?.text ?? 'noop'))), label: `${opened.role}: ${spoken(row.text)}`, value: row.value, visits: row.visits, held: null }));
}

function Node({ place, player, label, value, visits, held }: { place: Place; player: string; label: string; value?: number | null; visits?: number; held: Held | null }) {
	const [opened, setOpened] = useState<Opened | null>(null);
	const [open, setOpen] = useState(false);
	const [busy, setBusy] = useState(false);
	const known = heldRows(held);
	const toggle = async () => {
		if (open || opened || known.length) return setOpen(!open);
		setBusy(true);
		try {
			const { view } = await post<{ view: View }>('positions', { game: place.game, moves: place.moves });
			const role = view.turn.find((r) => r !== 'random');
			const table = role ? await post<Table>('thoughts', { ...place, role, player, seconds: 0.3 }) : null;
			setOpened({ table, role: role ?? '', view });
			setOpen(true);
		} catch (e) {
			complain(e);
		}
		setBusy(false);
	};
	const rows = known.length ? known : thoughtRows(opened);
	const alone = !known.length && opened;
	return (
		<li role="treeitem" aria-expanded={open} aria-label={label}>
			<button class="plain tree-node" onClick={() => void toggle()}>
				<span aria-hidden="true">{busy ? <span class="spinner" /> : open ? '▾' : '▸'}</span>
				<span class="grow">{label}</span>
				{value != null && <><ValueBar value={value} /><span class="number">{number(value, 1)}</span></>}
				{visits !== undefined && <span class="number soft">{short(visits)}</span>}
			</button>
			{open && (
				<ul role="group">
					{alone && alone.view.terminal && <li role="treeitem" class="soft small">The end: {Object.entries(alone.view.goals ?? {}).map(([r, g]) => `${r} ${g}`).join(', ')}</li>}
					{alone && !alone.view.terminal && !alone.table && <li role="treeitem" class="soft small">Nobody has a choice here.</li>}
					{rows.map((row) => (
						<Node key={row.key} place={{ game: place.game, moves: [...place.moves, row.moves] }} player={player} label={row.label} value={row.value} visits={row.visits} held={row.held} />
					))}
				</ul>
			)}
		</li>
	);
}
