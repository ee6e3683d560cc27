// The tree of a search, unfolded node by node: each opening asks a player for a short thought about that position.
import { useState } from 'preact/hooks';
import { type Joint, post, type Table, type View } from '../api';
import { spoken } from '../play/terms';
import { complain, number, short, ValueBar } from '../ui/parts';

interface Place {
	game: string;
	moves: Joint[];
}

export function Tree({ place, player }: { place: Place; player: string }) {
	return (
		<section class="sheet stack tight" aria-label="Tree">
			<h2>Tree</h2>
			<ul class="tree" role="tree" aria-label="Search tree">
				<Node place={place} player={player} label="this position" />
			</ul>
		</section>
	);
}

interface Opened {
	table: Table | null;
	role: string;
	view: View;
}

function Node({ place, player, label, value, visits }: { place: Place; player: string; label: string; value?: number | null; visits?: number }) {
	const [opened, setOpened] = useState<Opened | null>(null);
	const [open, setOpen] = useState(false);
	const [busy, setBusy] = useState(false);
	const toggle = async () => {
		if (open || opened) return setOpen(!open);
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
	const children = opened?.table ? [...opened.table.moves].sort((a, b) => b.visits - a.visits || (b.value ?? 0) - (a.value ?? 0)).slice(0, 12) : [];
	const roles = opened ? Object.keys(opened.view.legal) : [];
	return (
		<li role="treeitem" aria-expanded={open} aria-label={label}>
			<button class="plain tree-node" onClick={() => void toggle()}>
				<span aria-hidden="true">{busy ? <span class="spinner" /> : open ? '▾' : '▸'}</span>
				<span class="grow">{label}</span>
				{value != null && <><ValueBar value={value} /><span class="number">{number(value, 1)}</span></>}
				{visits !== undefined && <span class="number soft">{short(visits)}</span>}
			</button>
			{open && opened && (
				<ul role="group">
					{opened.view.terminal && <li role="treeitem" class="soft small">The end: {Object.entries(opened.view.goals ?? {}).map(([r, g]) => `${r} ${g}`).join(', ')}</li>}
					{!opened.view.terminal && !opened.table && <li role="treeitem" class="soft small">Nobody has a choice here.</li>}
					{children.map((row) => (
						<Node
							key={row.id}
							place={{ game: place.game, moves: [...place.moves, roles.map((r) => (r === opened.role ? row.text : (opened.view.legal[r]?.[0]?.text ?? 'noop')))] }}
							player={player}
							label={`${opened.role}: ${spoken(row.text)}`}
							value={row.value}
							visits={row.visits}
						/>
					))}
				</ul>
			)}
		</li>
	);
}
