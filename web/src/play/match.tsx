// A match on the board: moves by clicks or from the list, steps to and fro, hints, saving.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { download, isGuest, type Joint, type Match, type Move, post, type View } from '../api';
import { go } from '../router';
import { SceneView } from '../scene/scene';
import { useKeys } from '../ui/keys';
import { complain, IconButton, number } from '../ui/parts';
import { enter, loadPlayers, type Opened } from '../views/shared';
import { type Choice, History, LegalMoves } from './moves';
import { Seats } from './seats';
import { openMatch, type Store, want } from './store';
import { isIdle, spoken } from './terms';
import { Course } from './course';

interface Hint {
	move: Move;
	value: number | null;
	why: string | null;
	line: Joint[];
	step: number;
}

export function MatchView({ id }: { id: string }) {
	const [as, setAs] = useState<string | null>(null);
	const [store, setStore] = useState<Store | null>(null);
	useEffect(() => {
		const s = openMatch(id, as);
		setStore(s);
		if (!isGuest()) loadPlayers().catch(complain);
		return s.close;
	}, [id, as]);
	if (!store) return null;
	if (store.gone.value && !store.match.value)
		return (
			<div class="empty stack">
				<p>{store.gone.value === 'lost' ? 'This match cannot be opened from this window, or the program has ended.' : 'This match is gone.'}</p>
				<p><a class="button" href="/games">All games</a></p>
			</div>
		);
	if (!store.match.value) return <p class="soft"><span class="spinner" /> Opening the match</p>;
	return <Table key={id} store={store} as={as ?? store.match.value.as ?? null} setAs={setAs} />;
}

function Table({ store, as, setAs }: { store: Store; as: string | null; setAs: (r: string) => void }) {
	const m = store.match.value!;
	const now = m.view.step;
	const at = store.at.value ?? now;
	const live = at === now;
	const view = store.views.value!.get(at) ?? m.view;
	const [flip, setFlip] = useState(false);
	const [hint, setHint] = useState<Hint | null>(null);
	const [pointed, setPointed] = useState<Move | null>(null);
	const [busy, setBusy] = useState(false);
	const [turning, setTurning] = useState(new Map<number, number>());
	const filter = useRef<HTMLInputElement>(null);

	const goTo = (step: number) => {
		const to = Math.max(0, Math.min(now, step));
		store.at.value = to === now ? null : to;
		want(store, to).catch(complain);
	};
	/* By keys, which may come faster than the page is drawn. */
	const goBy = (steps: number) => goTo((store.at.value ?? now) + steps);
	const ask = async (what: string, body: object = {}) => {
		try {
			const reply = await post<{ match: Match }>(`matches/${m.match}/${what}`, body);
			// A move is told by the stream, which may be ahead of this reply.
			if (reply.match && what !== 'move') store.replace(reply.match);
		} catch (e) {
			complain(e);
		}
	};

	// With several people at one screen the last move of any of them is taken back.
	const undo = () => {
		const made = m.steps.map((s, i) => (m.you.some((r) => s.moves[r] && !isIdle(s.moves[r])) ? i : -1)).filter((i) => i >= 0);
		return ask('undo', m.you.length > 1 && made.length ? { to: made[made.length - 1] } : {});
	};

	// People of this window that are to move; each chooses on its own.
	const choices: Choice[] = useMemo(
		() => (live && !m.over ? m.waiting.filter((r) => m.you.includes(r)).flatMap((role) => (m.view.legal[role] ?? []).map((move) => ({ role, move }))) : []),
		[m, live],
	);
	const movers = [...new Set(choices.map((c) => c.role))];
	const choose = async (c: Choice) => {
		if (busy) return;
		setBusy(true);
		setHint(null);
		setPointed(null);
		await ask('move', { role: c.role, move: c.move.text, step: now });
		setBusy(false);
	};
	const onBoard = (move: Move) => {
		const c = choices.find((x) => x.move.id === move.id && x.move.text === move.text);
		if (c) void choose(c);
	};
	const takeHint = async () => {
		const role = movers[0];
		if (!role) return;
		try {
			setHint({ ...(await post<Omit<Hint, 'step'>>(`matches/${m.match}/hint`, { role, seconds: 1 })), step: now });
		} catch (e) {
			complain(e);
		}
	};
	const again = async () => {
		try {
			const seats = Object.fromEntries(Object.entries(m.seats).filter(([, s]) => s.who !== 'chance').map(([r, s]) => [r, s.who === 'player' ? { who: 'player', player: s.player, ...(s.playouts ? { playouts: s.playouts } : { seconds: s.seconds ?? 1 }) } : { who: m.you.includes(r) ? 'me' : 'guest' }]));
			enter(await post<Opened>('matches', { game: m.game, seats, delay: m.delay }));
		} catch (e) {
			complain(e);
		}
	};
	const fromHere = async () => {
		try {
			enter(await post<Opened>('matches', { from: { match: m.match, key: sessionStorage.getItem('macaw-key-' + m.match), step: at } }));
		} catch (e) {
			complain(e);
		}
	};
	const save = () => download(`matches/${m.match}/record`, `${m.game}.json`).catch(complain);
	const analyse = () => go(`/analyse?match=${m.match}&step=${at}`);
	const watching = !m.over && m.you.length === 0;

	useKeys('Match', [
		{ key: 'ArrowLeft', shown: '← →', what: 'Step back and forth', run: () => goBy(-1) },
		{ key: 'ArrowRight', what: '', silent: true, run: () => goBy(1) },
		{ key: 'Home', shown: 'Home End', what: 'First and last position', run: () => goTo(0) },
		{ key: 'End', what: '', silent: true, run: () => goTo(now) },
		{ key: 'm', what: 'Type a move', run: () => (filter.current ?? document.querySelector<HTMLElement>('.legal button'))?.focus() },
		{ key: 'u', what: 'Take a move back', run: () => void undo() },
		{ key: 'h', what: 'Hint', run: () => void takeHint() },
		{ key: 'f', what: 'Turn the board', run: () => setFlip(!flip) },
		{ key: 'a', what: 'Analyse this position', run: analyse },
		{ key: 's', what: 'Save the record', run: () => void save() },
		...(m.host ? [{ key: 'x', what: 'Change sides', run: () => void ask('swap') }, { key: 'p', what: 'Pause', run: () => void ask('pause', { paused: !m.paused }) }] : []),
	]);

	const transport = (
		<div class="transport" role="group" aria-label="Steps of the match">
			<IconButton glyph="first" label="First position" onClick={() => goTo(0)} disabled={at === 0} />
			<IconButton glyph="back" label="One step back" onClick={() => goTo(at - 1)} disabled={at === 0} />
			<input type="range" aria-label="Step" min={0} max={now} value={at} onInput={(e) => goTo(Number(e.currentTarget.value))} />
			<IconButton glyph="next" label="One step on" onClick={() => goTo(at + 1)} disabled={live} />
			<IconButton glyph="last" label="Last position" onClick={() => goTo(now)} disabled={live} />
		</div>
	);
	const arrows = hint && hint.step === at ? [{ move: hint.move, weight: 1 }] : pointed ? [{ move: pointed, weight: 1 }] : [];
	return (
		<div class="table">
			<div class="side">
				<div class="row between">
					<h1>{m.game.startsWith('~') ? 'Your rules' : m.game.replaceAll('_', ' ')}</h1>
					<span class="soft small">step {at}{live ? '' : ` of ${now}`}</span>
				</div>
				<Seats store={store} as={as} setAs={setAs} />
				<div class="row tools" role="group" aria-label="Match">
					<IconButton glyph="undo" label="Take a move back (u)" onClick={() => void undo()} disabled={!m.undo} />
					<IconButton glyph="hint" label="Hint (h)" onClick={() => void takeHint()} disabled={!movers.length} />
					{m.host && !m.over && m.roles.filter((r) => r !== 'random').length > 1 && <IconButton glyph="swap" label="Change sides (x)" onClick={() => void ask('swap')} />}
					<IconButton glyph="flip" label="Turn the board (f)" pressed={flip} onClick={() => setFlip(!flip)} />
					<IconButton glyph="save" label="Save the record (s)" onClick={() => void save()} />
					<IconButton glyph="chart" label="Analyse this position (a)" onClick={analyse} />
					{(!live || m.over) && <button onClick={() => void fromHere()}>Play on from here</button>}
					{m.over && <button class="main" onClick={() => void again()}>Again</button>}
					{m.host && watching && (
						<>
							<IconButton glyph={m.paused ? 'play' : 'pause'} label={m.paused ? 'Go on (p)' : 'Pause (p)'} onClick={() => void ask('pause', { paused: !m.paused })} />
							{m.paused && <button onClick={() => void ask('step')}>One step</button>}
							<label class="row small">
								<span class="soft">Delay</span>
								<select aria-label="Seconds between steps" value={String(m.delay)} onChange={(e) => void ask('speed', { delay: Number(e.currentTarget.value) })}>
									{[...new Set([m.delay, 0, 0.2, 0.5, 1, 3])].sort((a, b) => a - b).map((d) => <option key={d} value={String(d)}>{d} s</option>)}
								</select>
							</label>
						</>
					)}
					{!m.over && movers.length > 0 && <button class="plain" onClick={() => confirm(`Resign as ${movers[0]}?`) && void ask('resign', { role: movers[0] })}>Resign</button>}
				</div>
			</div>
			<div class="middle">
				<Result match={m} view={view} live={live} />
				<div class="board-room">
					{view.scene ? (
						<SceneView scene={view.scene} choices={choices.map((c) => c.move)} choose={onBoard} flip={flip} arrows={arrows} belief={view.belief}>{transport}</SceneView>
					) : (
						<><p class="empty">Nothing is known of this position.</p>{transport}</>
					)}
				</div>
				{hint && hint.step === at && (
					<p class="notice" role="status">
						<strong>{spoken(hint.move.text)}</strong>
						{hint.value !== null && ` is worth ${number(hint.value, 1)}`}
						{hint.why && <span class="small soft"> {hint.why}</span>}
					</p>
				)}
				{!live && !m.over && <p class="soft small">You look at an earlier position. <button class="plain chip" onClick={() => goTo(now)}>Back to the present</button></p>}
			</div>
			<div class="side">
				{choices.length > 0 && <LegalMoves choices={choices} several={movers.length > 1} choose={(c) => void choose(c)} point={setPointed} box={filter} />}
				{!live && choices.length === 0 && m.steps[at] && <p class="soft small">Next: {Object.values(m.steps[at].moves).map(spoken).join(', ')}</p>}
				<History match={m} at={at} goTo={goTo} turning={turning} />
				<Course match={m} at={at} goTo={goTo} setTurning={setTurning} />
			</div>
		</div>
	);
}

function Result({ match, view, live }: { match: Match; view: View; live: boolean }) {
	if (!match.over || !live) return null;
	const goals = match.over.goals ?? view.goals;
	const own = Object.entries(goals ?? {}).filter(([r]) => r !== 'random');
	const most = Math.max(...own.map(([, g]) => g));
	const winners = own.filter(([, g]) => g === most);
	const text = own.length === 0 ? 'The match is over.' : own.length === 1 ? `The puzzle ends with ${own[0][1]} of 100.` : winners.length === own.length ? 'A draw.' : `${winners.map(([r]) => r.replaceAll('_', ' ')).join(' and ')} ${winners.length > 1 ? 'win' : 'wins'}.`;
	const how = { time: ' on time', resigned: ' by resignation', stuck: ' (the rules left somebody without a move)', trouble: ' (something went wrong)' }[match.over.reason] ?? '';
	return (
		<p class="notice result" role="status">
			<strong>{text.replace(/\.$/, how + '.')}</strong> {own.length > 1 && <span>{own.map(([r, g]) => `${r.replaceAll('_', ' ')} ${g}`).join(' · ')}</span>}
		</p>
	);
}

