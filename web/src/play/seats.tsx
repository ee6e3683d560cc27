// Who plays what: clocks, who is thinking, scores, and the ways to change seats.
import { useEffect, useState } from 'preact/hooks';
import { type Match, post, type Seat } from '../api';
import { Glyph } from '../ui/glyphs';
import { complain, Dialog, Field, number, say } from '../ui/parts';
import { players } from '../views/shared';
import { PlayerPicker } from './player';
import type { Store } from './store';

function clockText(seconds: number): string {
	const s = Math.max(0, seconds);
	return s < 10 ? s.toFixed(1) : `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, '0')}`;
}

function Clock({ store, role }: { store: Store; role: string }) {
	const m = store.match.value!;
	const runs = m.running.includes(role) && !m.over;
	const [, tick] = useState(0);
	useEffect(() => {
		if (!runs) return;
		const timer = setInterval(() => tick((t) => t + 1), 100);
		return () => clearInterval(timer);
	}, [runs]);
	const left = m.clock![role] - (runs ? (performance.now() - store.clockSince) / 1000 : 0);
	return <span class={runs ? 'clock runs' : 'clock'}>{clockText(left)}</span>;
}

function whoText(seat: Seat, you: boolean): string {
	if (seat.who === 'chance') return 'chance';
	if (seat.who === 'player') return seat.player ?? 'player';
	if (you) return 'you';
	return seat.joined === false ? 'waiting for a guest' : (seat.name ?? 'guest');
}

export function Seats({ store, as, setAs }: { store: Store; as: string | null; setAs: (role: string) => void }) {
	const m = store.match.value!;
	const [changing, setChanging] = useState<string | null>(null);
	const invitations: Record<string, string> = JSON.parse(sessionStorage.getItem('macaw-invitations-' + m.match) ?? '{}');
	const link = (code: string) => `${location.origin}/#match=${m.match}&invite=${code}`;
	return (
		<section class="seats" aria-label="Seats">
			{m.roles.map((role) => {
				const seat = m.seats[role];
				const you = m.you.includes(role);
				const goal = m.over?.goals?.[role];
				const acting = m.thinking.includes(role) || m.waiting.includes(role);
				return (
					<div key={role} class={acting && !m.over ? 'sheet seat acting' : 'sheet seat'}>
						<div class="row between">
							<h2>{role === 'random' ? 'chance' : role.replaceAll('_', ' ')}</h2>
							{goal !== undefined && role !== 'random' && <span class="score">{number(goal)}</span>}
							{goal === undefined && m.clock?.[role] !== undefined && <Clock store={store} role={role} />}
						</div>
						<div class="row between">
							<span class="soft small">
								{whoText(seat, you)}
								{seat.who === 'player' && seat.seconds ? `, ${seat.seconds} s` : ''}
							</span>
							<span class="row">
								{m.thinking.includes(role) && <span class="small soft"><span class="spinner" /> thinking</span>}
								{m.waiting.includes(role) && !m.over && <span class="badge on">{you ? 'your move' : 'to move'}</span>}
							</span>
						</div>
						{invitations[role] && seat.joined === false && (
							<button
								class="chip"
								onClick={() => navigator.clipboard.writeText(link(invitations[role])).then(() => say('The address for the other window is copied.'), () => say(link(invitations[role])))}
							>
								<Glyph name="link" /> Copy the invitation
							</button>
						)}
						{invitations[role] && seat.joined === false && <a class="small" href={link(invitations[role])} target="_blank" rel="noopener">Open it in a new window</a>}
						{seat.who !== 'chance' && !m.over && (m.host || (seat.who === 'player' && m.thinking.includes(role))) && (
							<div class="row">
								{seat.who === 'player' && m.thinking.includes(role) && <button class="chip plain" onClick={() => post(`matches/${m.match}/now`, { role }).catch(complain)}>Move now</button>}
								{m.host && <button class="chip plain" aria-label={`Change who plays ${role}`} onClick={() => setChanging(role)}>Change</button>}
								{m.hidden && you && m.you.length > 1 && <button class="chip plain" aria-pressed={as === role} onClick={() => setAs(role)}>See as</button>}
							</div>
						)}
					</div>
				);
			})}
			{changing && <ChangeSeat match={m} role={changing} close={() => setChanging(null)} replace={store.replace} />}
		</section>
	);
}

function ChangeSeat({ match, role, close, replace }: { match: Match; role: string; close: () => void; replace: (m: Match) => void }) {
	const seat = match.seats[role];
	const [who, setWho] = useState(seat.who === 'player' ? 'player' : match.you.includes(role) ? 'me' : 'guest');
	const [player, setPlayer] = useState(seat.player ?? players.value[0]?.name ?? 'macaw');
	const [seconds, setSeconds] = useState(String(seat.seconds ?? 1));
	const change = async () => {
		try {
			const reply = await post<{ match: Match; invitations?: Record<string, string> }>(`matches/${match.match}/seat`, { role, who, ...(who === 'player' ? { player, seconds: Number(seconds) } : {}) });
			const codes = reply.invitations ?? reply.match.invitations;
			if (codes) sessionStorage.setItem('macaw-invitations-' + match.match, JSON.stringify(codes));
			replace(reply.match);
			close();
		} catch (e) {
			complain(e);
		}
	};
	return (
		<Dialog title={`Who plays ${role.replaceAll('_', ' ')}?`} close={close}>
			<Field label="Seat">
				<select value={who} onChange={(e) => setWho(e.currentTarget.value)}>
					<option value="me">You</option>
					<option value="player">A player of the program</option>
					<option value="guest">Another window</option>
				</select>
			</Field>
			{who === 'player' && (
				<div class="pair">
					<div><span class="small soft">Player</span><PlayerPicker label="Player" value={player} hidden={match.hidden} onChange={setPlayer} /></div>
					<Field label="Seconds per move"><input type="number" min="0.05" max="600" step="any" value={seconds} onInput={(e) => setSeconds(e.currentTarget.value)} /></Field>
				</div>
			)}
			<div class="row end">
				<button class="main" onClick={() => void change()}>Change</button>
			</div>
		</Dialog>
	);
}
