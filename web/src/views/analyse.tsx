// Analyse: what a player thinks of a position, growing; its best line on the board; the tree; what is symmetric; why.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type GameRow, gamePath, get, type GameInfo, type Joint, keyOf, listen, type Match, type Move, post, remove, type Table, type TableRow, type View } from '../api';
import { PlayerPicker } from '../play/player';
import { spoken } from '../play/terms';
import { go, route } from '../router';
import { SceneView } from '../scene/scene';
import { Glyph } from '../ui/glyphs';
import { useKeys } from '../ui/keys';
import { complain, IconButton, number, short, Trouble, ValueBar } from '../ui/parts';
import { Tree } from './tree';
import { type Question, Why } from './why';
import { limits, loadPlayers } from './shared';

/* Where the analysis stands: a game and the joint moves since its start. */
interface Place {
	game: string;
	moves: Joint[];
}

export function Analyse() {
	const query = route.value.query;
	const [place, setPlace] = useState<Place | null>(null);
	const [hidden, setHidden] = useState<Match | null>(null);
	const [error, setError] = useState<unknown>(null);
	const address = location.search;
	useEffect(() => {
		setError(null);
		setHidden(null);
		setPlace(null);
		const match = query.get('match');
		const step = Number(query.get('step') ?? 0);
		loadPlayers().catch(setError);
		if (match)
			get<{ state: Match }>('matches/' + match).then(({ state: m }) => {
				if (m.hidden && !m.over) setHidden(m);
				else setPlace({ game: m.game, moves: m.steps.slice(0, step).map((s) => m.roles.map((r) => s.moves[r])) });
			}, setError);
		else if (query.get('game')) setPlace({ game: query.get('game')!, moves: [] });
	}, [address]);
	if (error) return <Trouble error={error} />;
	if (hidden) return <Study key={address} place={{ game: hidden.game, moves: [] }} match={hidden} step={Number(query.get('step') ?? hidden.view.step)} setPlace={() => {}} />;
	if (place) return <Study key={place.game} place={place} setPlace={setPlace} />;
	return <Choose />;
}

function Choose() {
	const [games, setGames] = useState<GameRow[]>([]);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		get<{ games: GameRow[] }>('games').then((r) => setGames(r.games), setError);
	}, []);
	return (
		<div class="stack" style={{ maxWidth: '560px' }}>
			<h1>Analyse</h1>
			<Trouble error={error} />
			<p class="soft">Choose a game, or open a match and analyse any of its positions from there.</p>
			<label class="field">
				<span class="small soft">Game</span>
				<select onChange={(e) => e.currentTarget.value && go('/analyse?game=' + encodeURIComponent(e.currentTarget.value))}>
					<option value="">…</option>
					{games.map((g) => <option key={g.game} value={g.game}>{g.title}</option>)}
				</select>
			</label>
		</div>
	);
}

function Study({ place, setPlace, match, step }: { place: Place; setPlace: (p: Place) => void; match?: Match; step?: number }) {
	const [info, setInfo] = useState<GameInfo | null>(null);
	const [view, setView] = useState<View | null>(null);
	const [future, setFuture] = useState<Joint[]>([]);
	const [role, setRole] = useState<string | null>(null);
	const [player, setPlayer] = useState('macaw');
	const [table, setTable] = useState<Table | null>(null);
	const [job, setJob] = useState<string | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [pointed, setPointed] = useState<Move | null>(null);
	const [preview, setPreview] = useState<{ views: View[]; at: number } | null>(null);
	const [folded, setFolded] = useState(false);
	const [orbits, setOrbits] = useState<string[][] | null>(null);
	const [flip, setFlip] = useState(false);
	const [asked, setAsked] = useState<Question | null>(null);
	const where = match ? { match: match.match, key: keyOf(match.match), step } : { game: place.game, moves: place.moves };

	useEffect(() => {
		if (!match) get<GameInfo>('games/' + gamePath(place.game)).then(setInfo, setError);
	}, [place.game]);
	useEffect(() => {
		setTable(null);
		setPreview(null);
		setOrbits(null);
		setAsked(null);
		setJob(null);
		const known: Promise<{ view: View }> = match ? get(`matches/${match.match}/steps/${step}`) : post('positions', { game: place.game, moves: place.moves });
		known.then(({ view }) => {
			setView(view);
			setRole((old) => (old && view.turn.includes(old) ? old : (view.turn.find((r) => r !== 'random') ?? view.turn[0] ?? null)));
		}, setError);
	}, [place, step]);

	// One analysis at a time: a new one ends the former, and leaving the page ends the last.
	useEffect(() => {
		if (!job) return;
		const close = listen(`jobs/${job}/events`, {
			table: (t: Table) => {
				setTable(t);
				if (t.proved) setJob(null); // what is proved does not get better
			},
			end: (e: { error: { message: string } | null }) => {
				setJob(null);
				if (e.error) complain(e.error);
			},
		}, () => setJob(null));
		return () => {
			close();
			remove('jobs/' + job).catch(() => {});
		};
	}, [job]);
	const begin = async () => {
		setError(null);
		try {
			setTable(null);
			setJob((await post<{ job: string }>('analyses', { ...where, role: role ?? undefined, player, seconds: 0, lines: true, tree: 200 })).job);
		} catch (e) {
			setError(e);
		}
	};
	const toggle = () => (job ? setJob(null) : void begin());

	const roles = info?.facts.roles ?? match?.roles ?? [];
	/* The move of one role becomes a joint move: the others do what they must, or the first thing they can. */
	const joint = (r: string, text: string): Joint => roles.map((other) => (other === r ? text : (view?.legal[other]?.[0]?.text ?? 'noop')));
	const play = (r: string, text: string) => {
		if (match) return;
		setFuture([]);
		setPlace({ ...place, moves: [...place.moves, joint(r, text)] });
	};
	const back = () => {
		if (!place.moves.length) return;
		setFuture([place.moves[place.moves.length - 1], ...future]);
		setPlace({ ...place, moves: place.moves.slice(0, -1) });
	};
	const forth = () => {
		if (!future.length) return;
		setPlace({ ...place, moves: [...place.moves, future[0]] });
		setFuture(future.slice(1));
	};
	const showLine = async (line: Joint[]) => {
		if (match || !line.length) return;
		try {
			const { views } = await post<{ views: View[] }>('positions/line', { ...where, line: line.slice(0, 40) });
			if (views.length) setPreview({ views, at: 0 });
		} catch (e) {
			complain(e);
		}
	};
	useEffect(() => {
		if (!preview || preview.at >= preview.views.length - 1) return;
		const timer = setTimeout(() => setPreview((p) => p && { ...p, at: p.at + 1 }), 700);
		return () => clearTimeout(timer);
	}, [preview]);
	const fold = async () => {
		if (orbits) {
			setFolded(!folded);
			return;
		}
		try {
			const r = await post<{ orbits: string[][] }>('positions/moves', where);
			setOrbits(r.orbits);
			setFolded(true);
		} catch (e) {
			complain(e);
		}
	};
	useKeys('Analysis', [
		{ key: 'g', what: 'Start or stop', run: toggle },
		{ key: 'ArrowLeft', shown: '← →', what: 'Step back and forth', run: back },
		{ key: 'ArrowRight', what: '', silent: true, run: forth },
		{ key: 'f', what: 'Turn the board', run: () => setFlip(!flip) },
		{ key: 'l', what: 'Show the best line', run: () => table && void showLine(table.line) },
		{ key: 'Escape', what: 'Back to the position', run: () => setPreview(null) },
	]);

	const rows = useMemo(() => foldRows(table, folded ? orbits : null), [table, folded, orbits]);
	if (error && !view) return <Trouble error={error} />;
	if (!view) return <p class="soft"><span class="spinner" /> Reading the rules</p>;
	const shown = preview ? preview.views[preview.at] : view;
	const choices = preview || match ? [] : view.turn.flatMap((r) => (r === (role ?? r) ? (view.legal[r] ?? []) : []));
	const best = table?.moves.find((r) => r.text === table.best);
	const arrows = pointed ? [{ move: pointed, weight: 1 }] : preview || !table ? [] : table.moves.filter((r) => r.visits > 0).sort((a, b) => b.visits - a.visits).slice(0, 3).map((r) => ({ move: r as Move, weight: table.visits ? r.visits / table.visits : 0 }));
	return (
		<div class="analysis">
			<div class="middle">
				<div class="row between">
					<h1>{info?.title ?? place.game.replaceAll('_', ' ')}</h1>
					<span class="soft small">step {view.step}{preview ? `, ${preview.at + 1} on` : ''}{view.terminal ? ', the end' : ''}</span>
				</div>
				<div class="board-room">
					{shown.scene && (
						<SceneView
							scene={shown.scene}
							choices={choices}
							choose={(m) => role && play(role, m.text)}
							flip={flip}
							arrows={arrows}
							belief={shown.belief}
							ask={match || !limits.value.explain ? undefined : (term) => setAsked({ of: 'true', term })}
						/>
					)}
				</div>
				<div class="row tools">
					<IconButton glyph="first" label="Start position" onClick={() => setPlace({ ...place, moves: [] })} disabled={!!match || !place.moves.length} />
					<IconButton glyph="back" label="One step back" onClick={back} disabled={!!match || !place.moves.length} />
					<IconButton glyph="next" label="One step on" onClick={forth} disabled={!future.length} />
					<IconButton glyph="flip" label="Turn the board (f)" pressed={flip} onClick={() => setFlip(!flip)} />
					{!match && <a class="button" href={`/play?game=${encodeURIComponent(place.game)}`}>Play</a>}
					{preview && <button onClick={() => setPreview(null)}>Back to the position</button>}
				</div>
				{place.moves.length > 0 && <p class="soft small">{place.moves.map((j) => j.filter((t) => t !== 'noop').map(spoken).join(' / ') || 'noop').join(' · ')}</p>}
			</div>
			<div class="side">
				<section class="sheet stack tight" aria-label="Player">
					<div class="row">
						<PlayerPicker label="Player that thinks" value={player} hidden={info?.facts.hidden ?? match?.hidden} onChange={(p) => { setPlayer(p); setJob(null); }} />
						{view.turn.length > 1 && (
							<select aria-label="Role to move" value={role ?? ''} onChange={(e) => { setRole(e.currentTarget.value); setJob(null); }}>
								{view.turn.map((r) => <option key={r}>{r}</option>)}
							</select>
						)}
						<button class="main" onClick={toggle} disabled={view.terminal || !role || role === 'random'}>
							<Glyph name={job ? 'stop' : 'play'} /> {job ? 'Stop' : 'Think'}
						</button>
					</div>
					<Trouble error={error} />
					<div class="row between small" role="status" data-running={job ? 'yes' : 'no'}>
						{table ? (
							<>
								<span><strong>{role}</strong> {table.value === null ? '' : number(table.value, 1)} {table.proved && <Seal text="proved" />}</span>
								<span class="soft">{short(table.visits)} visits, {number(table.seconds, 1)} s</span>
							</>
						) : (
							<span class="soft">{view.terminal ? 'The match is over here.' : view.turn.length ? (job ? 'Thinking…' : `${role} has ${view.legal[role ?? '']?.length ?? 0} moves.`) : 'Nobody has a choice here.'}</span>
						)}
					</div>
					{table?.why && <p class="small soft">{table.why}</p>}
				</section>
				{!table && view.turn.length === 0 && !view.terminal && !match && <button onClick={() => play(roles[0], view.legal[roles[0]]?.[0]?.text ?? 'noop')}>Go on</button>}
				{!table && view.turn.length > 0 && !match && role && (
					<section class="sheet stack tight" aria-label="Moves">
						<div class="chips legal">{(view.legal[role] ?? []).slice(0, 200).map((m) => <button class="chip" key={m.id} onClick={() => play(role, m.text)} onPointerEnter={() => setPointed(m)} onPointerLeave={() => setPointed(null)}>{spoken(m.text)}</button>)}</div>
					</section>
				)}
				{table && (
					<section class="sheet stack tight" aria-label="Moves by value">
						<div class="row between">
							<h2>Moves</h2>
							{!match && <button class="chip" aria-pressed={folded} onClick={() => void fold()}>Fold symmetric</button>}
						</div>
						<div class="scroll moves-table">
							<table>
								<thead><tr><th>Move</th><th>Value</th><th class="number">Visits</th><th><span class="unseen">Why</span></th></tr></thead>
								<tbody>
									{rows.map(({ row, like }) => (
										<tr key={row.id} class={row === best ? 'best' : ''} onPointerEnter={() => setPointed(row)} onPointerLeave={() => setPointed(null)}>
											<td>
												<button class="plain chip" onClick={() => role && play(role, row.text)} onFocus={() => setPointed(row)} onBlur={() => setPointed(null)}>{spoken(row.text)}</button>
												{like > 1 && <span class="badge">×{like}</span>}
											</td>
											<td><span class="value-cell">
												<ValueBar value={row.value} low={row.low} high={row.high} best={row === best} />
												<span class="number">{row.value === null ? '–' : number(row.value, 1)}</span>
												{row.bounds && row.bounds[0] === row.bounds[1] ? <Seal text={`proved to be ${row.bounds[0]}`} /> : row === best && table.proved && <Seal text={`proved to be ${table.value}`} />}
											</span></td>
											<td class="number">{short(row.visits)}</td>
											<td>{!match && limits.value.explain && <button class="plain chip" aria-label={`Why is ${spoken(row.text)} legal?`} onClick={() => setAsked({ of: 'legal', role: role ?? undefined, term: row.text })}>?</button>}</td>
										</tr>
									))}
								</tbody>
							</table>
						</div>
						{table.line.length > 0 && (
							<div class="stack tight">
								<div class="row between"><h3>Best line</h3>{!match && <button class="chip" onClick={() => void showLine(table.line)}><Glyph name="eye" /> Show on the board</button>}</div>
								<p class="small">{table.line.map((j, i) => <span key={i} class="line-step">{j.filter((t) => t !== 'noop').map(spoken).join(' / ') || '…'}</span>)}</p>
							</div>
						)}
					</section>
				)}
				{!match && limits.value.explain && <Ask ask={setAsked} />}
				{asked && !match && <Why place={place} question={asked} close={() => setAsked(null)} />}
				{!match && !view.terminal && view.turn.some((r) => r !== 'random') && <Tree key={place.moves.map((j) => j.join()).join(';')} place={place} player={player} tree={table?.tree ?? null} />}
			</div>
		</div>
	);
}

/* Why, or why not: any statement of the rules. */
function Ask({ ask }: { ask: (q: Question) => void }) {
	const [text, setText] = useState('');
	const submit = (e: Event) => {
		e.preventDefault();
		if (text.trim()) ask({ statement: text.trim() });
	};
	return (
		<form class="sheet row" aria-label="Ask why" onSubmit={submit}>
			<input class="grow" aria-label="Statement of the rules" placeholder="(legal x (mark 1 1))" value={text} onInput={(e) => setText(e.currentTarget.value)} spellcheck={false} />
			<button type="submit">Why, or why not?</button>
		</form>
	);
}

function Seal({ text }: { text: string }) {
	return <span class="seal" title={text} role="img" aria-label={text}><Glyph name="seal" /></span>;
}

/* One row per class of moves that symmetry makes equal: the best known of them. */
function foldRows(table: Table | null, orbits: string[][] | null): { row: TableRow; like: number }[] {
	const first = (r: TableRow) => Number(r.text === table?.best);
	const sorted = [...(table?.moves ?? [])].sort((a, b) => first(b) - first(a) || (b.value ?? -1) - (a.value ?? -1) || b.visits - a.visits);
	if (!orbits) return sorted.map((row) => ({ row, like: 1 }));
	const of = new Map(orbits.flatMap((o, i) => o.map((t) => [t, i] as const)));
	const seen = new Set<number>();
	return sorted.flatMap((row) => {
		const orbit = of.get(row.text);
		if (orbit === undefined) return [{ row, like: 1 }];
		if (seen.has(orbit)) return [];
		seen.add(orbit);
		return [{ row, like: orbits[orbit].length }];
	});
}

