// Networks: a game's round or an XCSP3 file as a constraint network, solved one node after another.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type GameRow, get, listen, post, remove } from '../api';
import { type Domains, NetworkGraph } from '../network/graph';
import type { Network, Variable } from '../network/layout';
import { type SearchNode, SearchTree } from '../network/searchtree';
import { go, route } from '../router';
import { useKeys } from '../ui/keys';
import { complain, Field, IconButton, number, pickFile, Trouble } from '../ui/parts';

export function Networks() {
	const [network, setNetwork] = useState<Network | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [games, setGames] = useState<GameRow[]>([]);
	const [files, setFiles] = useState<{ file: string; name: string; kind: string }[]>([]);
	const game = route.value.query.get('game');
	const make = (body: object) => {
		setError(null);
		setNetwork(null);
		post<Network>('networks', body).then(setNetwork, setError);
	};
	useEffect(() => {
		get<{ games: GameRow[] }>('games').then((r) => setGames(r.games), setError);
		get<{ files: { file: string; name: string; kind: string }[] }>('files').then((r) => setFiles(r.files.filter((f) => f.kind === 'network')), setError);
	}, []);
	useEffect(() => {
		const handed = sessionStorage.getItem('macaw-network');
		if (handed) {
			sessionStorage.removeItem('macaw-network');
			const { name, text } = JSON.parse(handed);
			make({ xcsp3: text, name });
		} else if (game) make({ game, moves: [] });
	}, [game]);
	const open = async () => {
		const file = await pickFile('.xml');
		if (file) make({ xcsp3: file.text, name: file.name });
	};
	return (
		<div class="stack">
			<div class="row between">
				<h1>{network ? network.name.replaceAll('_', ' ') : 'Networks'}</h1>
				<div class="row">
					<select aria-label="Network of a game" value={game ?? ''} onChange={(e) => e.currentTarget.value && go('/networks?game=' + encodeURIComponent(e.currentTarget.value))}>
						<option value="">A round of a game…</option>
						{games.map((g) => <option key={g.game} value={g.game}>{g.title}</option>)}
					</select>
					{files.length > 0 && (
						<select aria-label="Network of a file" value="" onChange={(e) => e.currentTarget.value && make({ file: e.currentTarget.value })}>
							<option value="">Files…</option>
							{files.map((f) => <option key={f.file} value={f.file}>{f.name}</option>)}
						</select>
					)}
					<button onClick={() => void open()}>Open XCSP3…</button>
				</div>
			</div>
			<Trouble error={error} />
			{!network && !error && <p class="empty">{game ? 'Making the network…' : 'A round of a game is a stochastic constraint network: the position, the moves, chance, and the position after. Choose a game, or open a problem in XCSP3.'}</p>}
			{network && <One key={network.network} network={network} />}
		</div>
	);
}

interface Stats {
	nodes: number;
	failures: number;
	solutions: number;
	propagations: number;
	seconds: number;
	running: boolean;
}

function One({ network }: { network: Network }) {
	const [picked, setPicked] = useState<Variable | null>(null);
	const [job, setJob] = useState<string | null>(null);
	const [nodes, setNodes] = useState<SearchNode[]>([]);
	const [at, setAt] = useState<number | null>(null);
	const [stats, setStats] = useState<Stats | null>(null);
	const [paused, setPaused] = useState(true);
	const [delay, setDelay] = useState('0.3');
	const [order, setOrder] = useState('dom-deg');
	const [wanted, setWanted] = useState('1');
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		if (!job) return;
		const close = listen(`jobs/${job}/events`, {
			node: (n: SearchNode) => setNodes((all) => (all.some((m) => m.node === n.node) ? all.map((m) => (m.node === n.node ? n : m)) : [...all.slice(-600), n])),
			stats: setStats,
			end: () => setJob(null),
		}, () => setJob(null));
		return () => {
			close();
			remove('jobs/' + job).catch(() => {});
		};
	}, [job]);
	const begin = async (step: boolean) => {
		setNodes([]);
		setAt(null);
		setStats(null);
		setError(null);
		setPaused(step);
		try {
			const { job } = await post<{ job: string }>(`networks/${network.network}/solve`, { order, values: 'min', solutions: Number(wanted), delay: Number(delay), paused: step });
			setJob(job);
			if (step) await post(`jobs/${job}/pace`, { paused: true, step: 1 });
		} catch (e) {
			setError(e);
		}
	};
	const pace = (body: object) => job && post(`jobs/${job}/pace`, body).catch(complain);
	const step = () => {
		setAt(null);
		if (!job) return void begin(true);
		setPaused(true);
		void pace({ paused: true, step: 1 });
	};
	const run = () => {
		setAt(null);
		if (!job) return void begin(false);
		setPaused(!paused);
		void pace({ paused: !paused, delay: Number(delay) });
	};
	useKeys('Network', [
		{ key: 'n', what: 'One node', run: step },
		{ key: 'g', what: 'Run or pause', run },
	]);
	const names = useMemo(() => new Map(network.variables.map((v) => [v.id, v.name])), [network]);
	const nameOf = (v: number) => names.get(v) ?? String(v);
	const shown = nodes.find((n) => n.node === at) ?? nodes[nodes.length - 1];
	const domains = useMemo(() => domainsAt(nodes, shown, network), [nodes, shown, network]);
	return (
		<div class="network">
			<div class="stack tight">
				<section class="sheet"><NetworkGraph network={network} domains={domains} pick={setPicked} picked={picked} /></section>
			</div>
			<div class="stack tight">
				<section class="sheet stack tight" aria-label="Network">
					<p class="small">{number(network.all.variables)} variables, {number(network.all.constraints)} constraints{network.objective ? `, to ${network.objective}` : ''}.{network.cut ? ' Only the first 600 variables are drawn.' : ''}</p>
					{picked && (
						<div class="small">
							<h3>{picked.name}</h3>
							<p class="soft">{picked.size} values: {picked.domain.slice(0, 40).join(', ')}{picked.size > 40 ? ' …' : ''}</p>
							<p class="soft">In {network.constraints.filter((c) => c.scope.includes(picked.id)).length} constraints.</p>
						</div>
					)}
				</section>
				<section class="sheet stack tight" aria-label="Solve">
					<h2>Solve</h2>
					<div class="pair">
						<Field label="Variable order">
							<select value={order} disabled={!!job} onChange={(e) => setOrder(e.currentTarget.value)}>{['dom-deg', 'dom', 'deg', 'lex'].map((o) => <option key={o}>{o}</option>)}</select>
						</Field>
						<Field label="Solutions">
							<select value={wanted} disabled={!!job} onChange={(e) => setWanted(e.currentTarget.value)}>{['1', '10', '100'].map((o) => <option key={o}>{o}</option>)}</select>
						</Field>
					</div>
					<div class="row">
						<button onClick={step}>One node</button>
						<IconButton glyph={job && !paused ? 'pause' : 'play'} label={job && !paused ? 'Pause' : 'Run'} text={job && !paused ? 'Pause' : 'Run'} onClick={run} />
						<select aria-label="Seconds between nodes" value={delay} onChange={(e) => { setDelay(e.currentTarget.value); if (job) void pace({ paused, delay: Number(e.currentTarget.value) }); }}>{['0', '0.1', '0.3', '1'].map((d) => <option key={d} value={d}>{d} s</option>)}</select>
						{job && <button onClick={() => setJob(null)}>End</button>}
					</div>
					<Trouble error={error} />
					{stats && <p class="small soft" role="status">{number(stats.nodes)} nodes, {number(stats.failures)} failures, {number(stats.solutions)} solutions{stats.running ? '' : ', done'}</p>}
					{shown && (
						<p class="small" role="status">
							{shown.variable === null ? 'Root' : <><code>{nameOf(shown.variable)} {shown.kind === 'refutation' ? '≠' : '='} {String(shown.value)}</code></>}: {shown.removed.reduce((s, [, v]) => s + v.length, 0)} values removed
							{shown.failed && <strong>, failure{shown.wiped !== null && `: ${nameOf(shown.wiped)} has no value left`}</strong>}
							{shown.solution && <strong>, a solution</strong>}
						</p>
					)}
					<SearchTree nodes={nodes} at={shown?.node ?? null} goTo={setAt} nameOf={nameOf} />
				</section>
			</div>
		</div>
	);
}

/* What is left of the domains at a node: everything that was removed on the way to it. */
function domainsAt(nodes: SearchNode[], at: SearchNode | undefined, network: Network): Domains | null {
	if (!at) return null;
	const byId = new Map(nodes.map((n) => [n.node, n]));
	const gone = new Map<number, Set<string>>();
	for (let n: SearchNode | undefined = at; n; n = n.parent === null ? undefined : byId.get(n.parent))
		for (const [v, values] of n.removed) gone.set(v, new Set([...(gone.get(v) ?? []), ...values.map(String)]));
	const left = new Map(network.variables.filter((v) => gone.has(v.id)).map((v) => [v.id, v.size - gone.get(v.id)!.size]));
	return { gone, left, wiped: at.failed ? at.wiped : null };
}
