// Play: a match when the address names one, the seats of a game when it names that, else what is going on.
import { useEffect, useState } from 'preact/hooks';
import { get, keepKey, post } from '../api';
import { MatchView } from '../play/match';
import { Setup } from '../play/setup';
import { go, route } from '../router';
import { complain, pickFile, Trouble } from '../ui/parts';
import { openRecord, type Opened, enter } from './shared';

export function Play() {
	const id = route.value.rest[0];
	const game = route.value.query.get('game');
	const invite = new URLSearchParams(location.hash.slice(1)).get('invite');
	if (id && invite) return <Join id={id} code={invite} />;
	if (id) return <MatchView key={id} id={id} />;
	if (game) return <Setup game={game} />;
	return <Going />;
}

/* A guest's window: the code of the invitation becomes its key. */
function Join({ id, code }: { id: string; code: string }) {
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		post<{ key: string }>(`matches/${id}/join`, { invite: code }).then(({ key }) => {
			keepKey(id, key);
			go('/play/' + id, true);
		}, setError);
	}, [id, code]);
	return error ? <Trouble error={error} /> : <p class="soft"><span class="spinner" /> Joining the match</p>;
}

interface Row {
	match: string;
	game: string;
	step: number;
	over: unknown;
	people: number;
}
interface FileRow {
	file: string;
	name: string;
	kind: string;
}

function Going() {
	const [rows, setRows] = useState<Row[] | null>(null);
	const [files, setFiles] = useState<FileRow[]>([]);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		const read = () => get<{ matches: Row[] }>('matches').then((r) => setRows(r.matches), setError);
		void read();
		get<{ files: FileRow[] }>('files').then((r) => setFiles(r.files.filter((f) => f.kind === 'record')), setError);
		const timer = setInterval(read, 3000);
		return () => clearInterval(timer);
	}, []);
	const open = async () => {
		const file = await pickFile('.json');
		if (file) await openRecord(file.text).catch(setError);
	};
	const watch = async (row: Row) => {
		try {
			if (!sessionStorage.getItem('macaw-key-' + row.match)) keepKey(row.match, (await post<{ key: string }>(`matches/${row.match}/join`, { watch: true })).key);
			go('/play/' + row.match);
		} catch (e) {
			complain(e);
		}
	};
	return (
		<div class="stack">
			<div class="row between">
				<h1>Play</h1>
				<div class="row">
					<button onClick={() => void open()}>Open a record…</button>
					<a class="button main" href="/games">Choose a game</a>
				</div>
			</div>
			<Trouble error={error} />
			{rows && rows.length === 0 && <p class="empty">No match is going on. Choose a game, or open the record of a match.</p>}
			{!!rows?.length && (
				<div class="sheet scroll">
					<table>
						<thead><tr><th>Match</th><th>Game</th><th class="number">Step</th><th>State</th></tr></thead>
						<tbody>
							{rows.map((r) => (
								<tr key={r.match}>
									<td><button class="chip" onClick={() => void watch(r)}>Open {r.match}</button></td>
									<td>{r.game.replaceAll('_', ' ')}</td>
									<td class="number">{r.step}</td>
									<td>{r.over ? 'over' : 'going on'}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			)}
			{files.length > 0 && (
				<section class="stack tight">
					<h2>Records given to the program</h2>
					<div class="chips">
						{files.map((f) => <button class="chip" key={f.file} onClick={() => post<Opened>('records', { file: f.file }).then(enter, setError)}>{f.name}</button>)}
					</div>
				</section>
			)}
		</div>
	);
}
