// Before a match: who plays each role, the clock, and a look at the start.
import { useEffect, useState } from 'preact/hooks';
import { type GameInfo, gamePath, get, post } from '../api';
import { SceneView } from '../scene/scene';
import { Field, Trouble } from '../ui/parts';
import { badges } from '../views/games';
import { enter, loadPlayers, type Opened, players } from '../views/shared';
import { useKeys } from '../ui/keys';
import { PlayerPicker } from './player';

interface Choice {
	who: 'me' | 'guest' | 'player';
	player: string;
}

export function Setup({ game }: { game: string }) {
	const [info, setInfo] = useState<GameInfo | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [seats, setSeats] = useState<Record<string, Choice>>({});
	const [seconds, setSeconds] = useState('1');
	const [clock, setClock] = useState('');
	const [busy, setBusy] = useState(false);
	useEffect(() => {
		setInfo(null);
		setError(null);
		get<GameInfo>('games/' + gamePath(game)).then((g) => {
			setInfo(g);
			const own = g.facts.roles.filter((r) => r !== 'random');
			setSeats(Object.fromEntries(own.map((r, i) => [r, { who: i === 0 ? 'me' : 'player', player: 'macaw' }])));
		}, setError);
		loadPlayers().catch(setError);
	}, [game]);
	const set = (role: string, c: Choice) => setSeats({ ...seats, [role]: c });
	const begin = async () => {
		setBusy(true);
		try {
			const [minutes, increment] = clock.split('+').map(Number);
			enter(
				await post<Opened>('matches', {
					game,
					seats: Object.fromEntries(Object.entries(seats).map(([role, c]) => [role, c.who === 'player' ? { who: 'player', player: c.player, seconds: Number(seconds) } : { who: c.who }])),
					clock: clock ? { seconds: minutes * 60, increment: increment || 0 } : null,
					delay: 0.5,
				}),
			);
		} catch (e) {
			setError(e);
			setBusy(false);
		}
	};
	const swap = () => {
		const roles = Object.keys(seats);
		setSeats(Object.fromEntries(roles.map((r, i) => [r, seats[roles[(i + 1) % roles.length]]])));
	};
	useKeys('Before a match', [{ key: 'x', what: 'Swap the seats', run: swap }]);
	if (error && !info) return <Trouble error={error} />;
	if (!info) return <p class="soft"><span class="spinner" /> Reading the rules</p>;
	return (
		<div class="setup">
			<form class="sheet stack" onSubmit={(e) => { e.preventDefault(); void begin(); }}>
				<div class="stack tight">
					<h1>{info.title}</h1>
					<span class="badges">{badges(info.facts).map((b) => <span class="badge" key={b}>{b}</span>)}</span>
				</div>
				{Object.entries(seats).map(([role, c]) => (
					<fieldset class="seat-choice" key={role}>
						<legend>{role.replaceAll('_', ' ')}</legend>
						<div class="row">
							<select aria-label={`Who plays ${role}`} value={c.who} onChange={(e) => set(role, { ...c, who: e.currentTarget.value as Choice['who'] })}>
								<option value="me">You</option>
								<option value="player">A player of the program</option>
								<option value="guest">Another window</option>
							</select>
							{c.who === 'player' && <PlayerPicker label={`Player of ${role}`} value={c.player} hidden={info.facts.hidden} onChange={(player) => set(role, { ...c, player })} />}
						</div>
					</fieldset>
				))}
				<div class="pair">
					<Field label="Seconds a move">
						<select value={seconds} onChange={(e) => setSeconds(e.currentTarget.value)}>
							{['0.1', '0.3', '1', '3', '10', '30'].map((s) => <option key={s}>{s}</option>)}
						</select>
					</Field>
					<Field label="Clock">
						<select value={clock} onChange={(e) => setClock(e.currentTarget.value)}>
							<option value="">none</option>
							<option value="1+0">1 minute</option>
							<option value="3+2">3 minutes + 2 s</option>
							<option value="5+3">5 minutes + 3 s</option>
							<option value="15+10">15 minutes + 10 s</option>
						</select>
					</Field>
				</div>
				<Trouble error={error} />
				<div class="row">
					<button class="main" type="submit" disabled={busy || !players.value.length} autofocus>Start</button>
					{Object.keys(seats).length > 1 && <button type="button" onClick={swap}>Swap seats</button>}
					<a class="button" href={`/analyse?game=${encodeURIComponent(game)}`}>Analyse</a>
					<a class="button" href={`/write?game=${encodeURIComponent(game)}`}>Rules</a>
					<a class="button" href={`/networks?game=${encodeURIComponent(game)}`}>Network</a>
				</div>
			</form>
			<div class="board-room">{info.view.scene && <SceneView scene={info.view.scene} />}</div>
		</div>
	);
}
