// Tournaments: the list, a form to start one, and the tables of one as they fill.
import { useEffect, useState } from 'preact/hooks';
import { download, type GameRow, get, listen, post, remove } from '../api';
import { PlayerPicker } from '../play/player';
import { go, route } from '../router';
import { Field, IconButton, complain, number, Trouble } from '../ui/parts';
import { enter, loadPlayers, type Opened, players } from './shared';

interface Row {
	tournament: string;
	name: string;
	running: boolean;
	job: string | null;
	matches: number;
}

export function Tournaments() {
	const id = route.value.rest[0];
	return id ? <One key={id} id={id} /> : <List />;
}

function List() {
	const [rows, setRows] = useState<Row[] | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [starting, setStarting] = useState(false);
	useEffect(() => {
		const read = () => get<{ tournaments: Row[] }>('tournaments').then((r) => setRows(r.tournaments), setError);
		void read();
		const timer = setInterval(read, 3000);
		return () => clearInterval(timer);
	}, []);
	return (
		<div class="stack">
			<div class="row between">
				<h1>Tournaments</h1>
				{!starting && <button class="main" onClick={() => setStarting(true)}>New tournament</button>}
			</div>
			<Trouble error={error} />
			{starting && <Start close={() => setStarting(false)} />}
			{rows && !rows.length && !starting && <p class="empty">No tournament yet. Start one, or give the file of one to the program: <code>macaw web results.db</code></p>}
			{!!rows?.length && (
				<div class="sheet scroll">
					<table>
						<thead><tr><th>Name</th><th class="number">Matches</th><th>State</th></tr></thead>
						<tbody>{rows.map((r) => <tr key={r.tournament}><td><a href={'/tournaments/' + r.tournament}>{r.name}</a></td><td class="number">{number(r.matches)}</td><td>{r.running ? <><span class="spinner" /> running</> : 'at rest'}</td></tr>)}</tbody>
					</table>
				</div>
			)}
		</div>
	);
}

function Start({ close }: { close: () => void }) {
	const [games, setGames] = useState<GameRow[]>([]);
	const [chosen, setChosen] = useState<string[]>(['tictactoe']);
	const [field, setField] = useState<string[]>(['macaw', 'uct']);
	const [adding, setAdding] = useState('random');
	const [name, setName] = useState('evening');
	const [effort, setEffort] = useState('playouts');
	const [amount, setAmount] = useState('200');
	const [rounds, setRounds] = useState('4');
	const [keep, setKeep] = useState(false);
	const [error, setError] = useState<unknown>(null);
	const [busy, setBusy] = useState(false);
	useEffect(() => {
		get<{ games: GameRow[] }>('games').then((r) => setGames(r.games), setError);
		loadPlayers().catch(setError);
	}, []);
	const begin = async () => {
		setBusy(true);
		try {
			const { tournament } = await post<{ tournament: string }>('tournaments', { name, games: chosen, players: field, [effort]: Number(amount), rounds: Number(rounds), keep });
			go('/tournaments/' + tournament);
		} catch (e) {
			setError(e);
			setBusy(false);
		}
	};
	return (
		<form class="sheet stack" onSubmit={(e) => { e.preventDefault(); void begin(); }}>
			<h2>New tournament</h2>
			<div class="form-grid">
				<Field label="Name"><input value={name} onInput={(e) => setName(e.currentTarget.value)} required /></Field>
				<Field label="Effort of a move">
					<select value={effort} onChange={(e) => { setEffort(e.currentTarget.value); setAmount(e.currentTarget.value === 'seconds' ? '0.1' : '200'); }}>
						<option value="playouts">playouts</option>
						<option value="seconds">seconds</option>
					</select>
				</Field>
				<Field label={effort === 'seconds' ? 'Seconds' : 'Playouts'}><input type="number" step="any" min="0" value={amount} onInput={(e) => setAmount(e.currentTarget.value)} /></Field>
				<Field label="Rounds"><input type="number" min="1" max="1000" value={rounds} onInput={(e) => setRounds(e.currentTarget.value)} /></Field>
			</div>
			<div class="stack tight">
				<h3>Games</h3>
				<div class="chips">
					{chosen.map((g) => <button type="button" class="chip" key={g} aria-label={`Remove ${g}`} onClick={() => setChosen(chosen.filter((x) => x !== g))}>{g.replaceAll('_', ' ')} ×</button>)}
					<select class="chip" aria-label="Add a game" value="" onChange={(e) => e.currentTarget.value && setChosen([...new Set([...chosen, e.currentTarget.value])])}>
						<option value="">Add a game…</option>
						{games.filter((g) => !chosen.includes(g.game)).map((g) => <option key={g.game} value={g.game}>{g.title}</option>)}
					</select>
				</div>
			</div>
			<div class="stack tight">
				<h3>Players</h3>
				<div class="chips">
					{field.map((p) => <button type="button" class="chip" key={p} aria-label={`Remove ${p}`} onClick={() => setField(field.filter((x) => x !== p))}>{p} ×</button>)}
				</div>
				<div class="row">
					{players.value.length > 0 && <PlayerPicker label="Player to add" value={adding} onChange={setAdding} />}
					<button type="button" disabled={field.includes(adding)} onClick={() => setField([...field, adding])}>Add</button>
				</div>
			</div>
			<label class="check"><input type="checkbox" checked={keep} onChange={(e) => setKeep(e.currentTarget.checked)} /> Go on when this page is closed</label>
			<Trouble error={error} />
			<div class="row">
				<button class="main" type="submit" disabled={busy || field.length < 2 || !chosen.length}>Start</button>
				<button type="button" onClick={close}>Not now</button>
			</div>
		</form>
	);
}

interface Standing {
	name: string;
	matches: number;
	score: number;
	score_low: number;
	score_high: number;
	wins: number;
	draws: number;
	losses: number;
	share: number;
	share_low: number;
	share_high: number;
	elo: number | null;
	elo_error: number | null;
	late: number;
	illegal: number;
}
interface Standings {
	name: string;
	matches: number;
	games: string[];
	players: Standing[];
	versus: (number | null)[][];
	by_game: (number | null)[][];
}
interface MatchRow {
	id: number;
	game: string;
	seats: string[];
	goals: number[];
	steps: number;
	replay: boolean;
}

function One({ id }: { id: string }) {
	const [standings, setStandings] = useState<Standings | null>(null);
	const [matches, setMatches] = useState<{ total: number; matches: MatchRow[] } | null>(null);
	const [offset, setOffset] = useState(0);
	const [job, setJob] = useState<string | null>(null);
	const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		get<Standings>('tournaments/' + id).then(setStandings, setError);
		get<{ tournaments: Row[] }>('tournaments').then((r) => setJob(r.tournaments.find((t) => t.tournament === id)?.job ?? null), setError);
	}, [id]);
	useEffect(() => {
		if (!job) return;
		return listen(`jobs/${job}/events`, {
			progress: setProgress,
			standings: setStandings,
			end: () => {
				setJob(null);
				get<Standings>('tournaments/' + id).then(setStandings, setError);
			},
		});
	}, [job]);
	const count = standings?.matches ?? 0;
	useEffect(() => {
		get<{ total: number; matches: MatchRow[] }>(`tournaments/${id}/matches?offset=${offset}&count=50`).then(setMatches, setError);
	}, [id, offset, count]);
	if (!standings) return <><Trouble error={error} /><p class="soft"><span class="spinner" /> Reading the tournament</p></>;
	return (
		<div class="stack">
			<div class="row between">
				<h1>{standings.name.replace(/\.db$/, '')}</h1>
				<div class="row">
					{job && <button onClick={() => remove('jobs/' + job).catch(complain)}>Stop</button>}
					<IconButton glyph="save" label="Save the file of the tournament" onClick={() => void download(`tournaments/${id}/file`, `${standings.name}.db`).catch(complain)} />
					<a class="button" href="/tournaments">All tournaments</a>
				</div>
			</div>
			<Trouble error={error} />
			{job && (
				<div class="row" role="status">
					<progress class="grow" value={progress?.done ?? 0} max={progress?.total ?? 1} aria-label="Matches played" />
					<span class="small soft number">{progress ? `${progress.done} of ${progress.total}` : 'starting'}</span>
				</div>
			)}
			{standings.players.length === 0 ? <p class="empty">No match has ended yet.</p> : <Tables standings={standings} />}
			{!!matches?.matches.length && (
				<section class="sheet stack tight" aria-label="Matches">
					<div class="row between">
						<h2>Matches</h2>
						<span class="row small">
							<IconButton glyph="back" label="Earlier matches" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - 50))} />
							<span class="soft">{offset + 1}–{offset + matches.matches.length} of {matches.total}</span>
							<IconButton glyph="next" label="Later matches" disabled={offset + 50 >= matches.total} onClick={() => setOffset(offset + 50)} />
						</span>
					</div>
					<div class="scroll">
						<table>
							<thead><tr><th>Match</th><th>Game</th><th>Seats and scores</th><th class="number">Steps</th></tr></thead>
							<tbody>
								{matches.matches.map((m) => (
									<tr key={m.id}>
										<td>{m.replay ? <button class="chip" onClick={() => post<Opened>(`tournaments/${id}/matches/${m.id}`, {}).then(enter, complain)}>Open {m.id}</button> : m.id}</td>
										<td>{m.game.replaceAll('_', ' ')}</td>
										<td>{m.seats.map((s, i) => <span key={i} class="seat-score">{s} <strong>{m.goals[i]}</strong></span>)}</td>
										<td class="number">{m.steps}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				</section>
			)}
		</div>
	);
}

/* Shares from orange (0) over the ground (50) to blue (100), told apart by everybody; the number stands there too. */
function heat(share: number | null): { background: string } | undefined {
	if (share === null) return undefined;
	const far = Math.min(1, Math.abs(share - 50) / 50);
	return { background: `color-mix(in srgb, ${share >= 50 ? 'var(--heat-high)' : 'var(--heat-low)'} ${Math.round(far * 60)}%, transparent)` };
}

function Cell({ share, title }: { share: number | null; title: string }) {
	return <td class="number heat" style={heat(share)} title={title}>{share === null ? '·' : number(share)}</td>;
}

function Tables({ standings: s }: { standings: Standings }) {
	const order = s.players.map((_, i) => i).sort((a, b) => s.players[b].share - s.players[a].share);
	return (
		<div class="tables">
			<section class="sheet stack tight" aria-label="Standings">
				<h2>Standings <span class="soft small">{number(s.matches)} matches</span></h2>
				<div class="scroll">
					<table>
						<thead><tr><th>Player</th><th class="number">Matches</th><th class="number">Share</th><th class="number">Score</th><th class="number">Won</th><th class="number">Drawn</th><th class="number">Lost</th><th class="number">Late</th></tr></thead>
						<tbody>
							{order.map((i) => s.players[i]).map((p) => (
								<tr key={p.name}>
									<td>{p.name}</td>
									<td class="number">{p.matches}</td>
									<td class="number" title={`95%: ${number(p.share_low * 100, 1)} to ${number(p.share_high * 100, 1)}`}>{number(p.share * 100, 1)}%</td>
									<td class="number">{number(p.score, 1)}</td>
									<td class="number">{p.wins}</td>
									<td class="number">{p.draws}</td>
									<td class="number">{p.losses}</td>
									<td class="number">{p.late}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			</section>
			<Elo players={order.map((i) => s.players[i])} />
			<section class="sheet stack tight" aria-label="Cross table">
				<h2>Cross table <span class="soft small">share of the row against the column</span></h2>
				<div class="scroll">
					<table class="cross">
						<thead><tr><th><span class="unseen">Player</span></th>{order.map((j) => <th key={j} class="number">{s.players[j].name}</th>)}</tr></thead>
						<tbody>{order.map((i) => <tr key={i}><th scope="row">{s.players[i].name}</th>{order.map((j) => <Cell key={j} share={i === j ? null : (s.versus[i]?.[j] ?? null)} title={`${s.players[i].name} against ${s.players[j].name}`} />)}</tr>)}</tbody>
					</table>
				</div>
			</section>
			{s.games.length > 0 && (
				<section class="sheet stack tight" aria-label="By game">
					<h2>By game</h2>
					<div class="scroll">
						<table class="cross">
							<thead><tr><th>Game</th>{order.map((j) => <th key={j} class="number">{s.players[j].name}</th>)}</tr></thead>
							<tbody>{s.games.map((g, k) => <tr key={g}><th scope="row">{g.replaceAll('_', ' ')}</th>{order.map((i) => <Cell key={i} share={s.by_game[i]?.[k] ?? null} title={`${s.players[i].name} in ${g}`} />)}</tr>)}</tbody>
						</table>
					</div>
				</section>
			)}
		</div>
	);
}

function Elo({ players: all }: { players: Standing[] }) {
	const known = all.filter((p) => p.elo !== null).sort((a, b) => b.elo! - a.elo!);
	if (known.length < 2) return null;
	const low = Math.min(...known.map((p) => p.elo! - (p.elo_error ?? 0)));
	const high = Math.max(...known.map((p) => p.elo! + (p.elo_error ?? 0)));
	const room = Math.max(40, high - low);
	const x = (e: number) => `${((e - low) / room) * 100}%`;
	return (
		<section class="sheet stack tight" aria-label="Elo">
			<h2>Elo <span class="soft small">with 95% error</span></h2>
			<div class="elo">
				{known.map((p) => (
					<div class="elo-row" key={p.name}>
						<span>{p.name}</span>
						<span class="elo-track" aria-hidden="true">
							<span class="elo-error" style={{ left: x(p.elo! - (p.elo_error ?? 0)), width: `${((2 * (p.elo_error ?? 0)) / room) * 100}%` }} />
							<span class="elo-dot" style={{ left: x(p.elo!) }} />
						</span>
						<span class="number">{number(p.elo!)} <span class="soft">± {number(p.elo_error ?? 0)}</span></span>
					</div>
				))}
			</div>
		</section>
	);
}
