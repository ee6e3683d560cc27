// Write: the editor, what the rules are worth as they are typed, and the board they make.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, type Diagnostic, type Facts, type GameInfo, gamePath, get, post, saveFile, type View } from '../api';
import { Editor, type EditorHandle } from '../editor/editor';
import { outline } from '../editor/kif';
import cards from '../editor/templates/cards.kif';
import grid from '../editor/templates/grid.kif';
import puzzle from '../editor/templates/puzzle.kif';
import { spoken } from '../play/terms';
import { go, route } from '../router';
import { SceneView } from '../scene/scene';
import { useKeys } from '../ui/keys';
import { complain, IconButton, number, pickFile, Trouble } from '../ui/parts';
import { type Draft, keepDrafts, newDraft, readDrafts } from './shared';

const templates = [
	{ name: 'grid', label: 'A game on a grid', text: grid },
	{ name: 'cards', label: 'A game of cards', text: cards },
	{ name: 'puzzle', label: 'A puzzle', text: puzzle },
];

interface Report {
	game: string | null;
	errors: number;
	warnings: number;
	diagnostics: Diagnostic[];
	trouble: string | null;
	facts: Facts | null;
	view: View | null;
	stuck: { moves: string[][]; role: string; view: View } | null;
}

export function Write() {
	const [drafts, setDrafts] = useState<Draft[]>(readDrafts);
	const game = route.value.query.get('game');
	useEffect(() => {
		if (!game) return;
		get<GameInfo>('games/' + gamePath(game)).then((info) => {
			// The same text is not put beside itself.
			const same = readDrafts().find((d) => d.text === info.rules);
			if (same) keepDrafts([same, ...readDrafts().filter((d) => d !== same && d.id !== same.id)]);
			else newDraft(info.game.replace(/^~.*/, 'mine'), info.rules);
			setDrafts(readDrafts());
			go('/write', true);
		}, complain);
	}, [game]);
	const change = (list: Draft[]) => {
		keepDrafts(list);
		setDrafts(list);
	};
	const begin = (name: string, text: string) => {
		newDraft(name, text);
		setDrafts(readDrafts());
	};
	const open = async () => {
		const file = await pickFile('.kif,.gdl,.txt');
		if (file) begin(file.name.replace(/\.\w+$/, ''), file.text);
	};
	if (game) return <p class="soft"><span class="spinner" /> Reading the rules</p>;
	if (!drafts.length)
		return (
			<div class="stack">
				<h1>Write</h1>
				<p class="soft">Begin with a small game that works, and change it.</p>
				<div class="row">
					{templates.map((t) => <button key={t.name} onClick={() => begin(t.name, t.text)}>{t.label}</button>)}
					<button onClick={() => begin('mine', '(role one)\n')}>An empty sheet</button>
					<button onClick={() => void open()}>Open a file…</button>
				</div>
			</div>
		);
	return <Desk key={drafts[0].id} draft={drafts[0]} drafts={drafts} change={change} begin={begin} open={() => void open()} />;
}

function Desk({ draft, drafts, change, begin, open }: { draft: Draft; drafts: Draft[]; change: (d: Draft[]) => void; begin: (name: string, text: string) => void; open: () => void }) {
	const [text, setText] = useState(draft.text);
	const [name, setName] = useState(draft.name);
	const [report, setReport] = useState<Report | null>(null);
	const [checking, setChecking] = useState(false);
	const [error, setError] = useState<unknown>(null);
	const handle = useRef<EditorHandle | null>(null);
	useEffect(() => {
		change([{ ...draft, name, text }, ...drafts.filter((d) => d.id !== draft.id)]);
		const abort = new AbortController();
		const timer = setTimeout(async () => {
			setChecking(true);
			try {
				const r = await post<Report>('rules', { rules: text, name, playouts: 500 }, abort.signal);
				setReport((old) => ({ ...r, view: r.view ?? old?.view ?? null }));
				setError(null);
			} catch (e) {
				if (!abort.signal.aborted && (e as ApiError).code !== 'old') setError(e);
			}
			if (!abort.signal.aborted) setChecking(false);
		}, 300);
		return () => {
			clearTimeout(timer);
			abort.abort();
		};
	}, [text, name]);
	const relations = useMemo(() => outline(text), [text]);
	const save = () => saveFile(new Blob([text], { type: 'text/plain' }), `${name || 'rules'}.kif`);
	useKeys('Writing', [
		{ key: 'e', what: 'To the editor', run: () => handle.current?.focus() },
		{ key: 'p', what: 'Play these rules', run: () => report?.game && go('/play?game=' + encodeURIComponent(report.game)) },
	]);
	const firstError = report?.diagnostics.find((d) => d.severity === 'error');
	return (
		<div class="desk">
			<div class="stack tight">
				<div class="row">
					<input class="draft-name" aria-label="Name of the rules" value={name} onInput={(e) => setName(e.currentTarget.value)} />
					{drafts.length > 1 && (
						<select aria-label="Other drafts" value="" onChange={(e) => { const d = drafts.find((x) => x.id === e.currentTarget.value); if (d) change([d, ...drafts.filter((x) => x !== d)]); }}>
							<option value="">Drafts ({drafts.length})</option>
							{drafts.slice(1).map((d) => <option key={d.id} value={d.id}>{d.name}</option>)}
						</select>
					)}
					<select aria-label="New from a template" value="" onChange={(e) => { const t = templates.find((x) => x.name === e.currentTarget.value); if (t) begin(t.name, t.text); else if (e.currentTarget.value) begin('mine', '(role one)\n'); }}>
						<option value="">New…</option>
						{templates.map((t) => <option key={t.name} value={t.name}>{t.label}</option>)}
						<option value="empty">An empty sheet</option>
					</select>
					<IconButton glyph="open" label="Open a file" onClick={open} />
					<IconButton glyph="save" label="Save as a file" onClick={save} />
					<IconButton glyph="close" label="Throw this draft away" onClick={() => confirm(`Throw ${name} away?`) && change(drafts.filter((d) => d.id !== draft.id))} />
				</div>
				<div class="editor-frame"><Editor text={draft.text} changed={setText} diagnostics={report?.diagnostics ?? []} handle={handle} save={save} /></div>
				<Messages report={report} checking={checking} goTo={(l, c) => handle.current?.goTo(l, c)} />
			</div>
			<div class="stack tight">
				<Trouble error={error} />
				<section class="sheet stack tight" aria-label="Board">
					<div class="row between">
						<h2>{report?.errors ? 'The last position that could be drawn' : 'Start'}</h2>
						{report?.game && (
							<span class="row">
								<a class="button main" href={`/play?game=${encodeURIComponent(report.game)}`}>Play</a>
								<a class="button" href={`/analyse?game=${encodeURIComponent(report.game)}`}>Analyse</a>
							</span>
						)}
					</div>
					{report?.view?.scene ? <SceneView scene={report.view.scene} /> : <p class="soft small">{firstError ? 'There is no board while there are errors.' : 'The board appears here.'}</p>}
				</section>
				{report?.facts && <FactsSheet facts={report.facts} stuck={report.stuck} />}
				<section class="sheet stack tight" aria-label="Outline">
					<h2>Outline</h2>
					<ul class="outline">
						{relations.map((r) => (
							<li key={r.name + r.arity}>
								<button class="plain" onClick={() => handle.current?.goTo(r.line)}>
									<span class="mono">{r.name}</span> <span class="soft small">{r.arity ? `/${r.arity}` : ''}</span> <span class="soft small number">{r.rules}</span>
								</button>
							</li>
						))}
					</ul>
				</section>
			</div>
		</div>
	);
}

function Messages({ report, checking, goTo }: { report: Report | null; checking: boolean; goTo: (line: number, column: number) => void }) {
	const summary = !report ? 'Looking at the rules' : report.errors ? `${report.errors} error${report.errors > 1 ? 's' : ''}` : report.trouble ? 'No errors, but no game' : 'No errors';
	return (
		<section class="sheet stack tight" aria-label="Messages">
			<div class="row between">
				<h2 aria-live="polite" class={report?.errors ? 'bad-text' : ''}>{summary}{report?.warnings ? `, ${report.warnings} warning${report.warnings > 1 ? 's' : ''}` : ''}</h2>
				{checking && <span class="spinner" />}
			</div>
			{report?.trouble && <p class="notice warn">{report.trouble}</p>}
			<ul class="messages">
				{report?.diagnostics.slice(0, 100).map((d, i) => (
					<li key={i}>
						<button class="plain" onClick={() => goTo(d.line, d.column)}>
							<span class={d.severity === 'error' ? 'tag bad-text' : 'tag warn-text'}>{d.severity}</span>
							<span class="soft mono">{d.line}:{d.column}</span>
							<span>
								{d.message}
								{d.help && <span class="soft"> {d.help}</span>}
							</span>
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}

function FactsSheet({ facts, stuck }: { facts: Facts; stuck: Report['stuck'] }) {
	const own = facts.roles.filter((r) => r !== 'random');
	return (
		<section class="sheet stack tight" aria-label="Facts">
			<h2>Facts <span class="soft small">{facts.playouts ? `from ${number(facts.playouts)} random matches` : ''}</span></h2>
			<dl class="facts">
				<div><dt>Roles</dt><dd>{facts.roles.join(', ')}</dd></div>
				<div><dt>Fluents, moves</dt><dd>{number(facts.fluents)}, {number(facts.moves)}</dd></div>
				{facts.length && <div><dt>Length</dt><dd>{number(facts.length.mean, 1)} <span class="soft">({facts.length.min} to {facts.length.max})</span></dd></div>}
				{facts.branching !== null && <div><dt>Branching</dt><dd>{number(facts.branching, 1)}</dd></div>}
				<div><dt>Kind</dt><dd>{[facts.chance && 'chance', facts.hidden && 'hidden', facts.simultaneous && 'at once'].filter(Boolean).join(', ') || 'nothing hidden, in turn'}</dd></div>
				{facts.unfinished > 0 && <div><dt>Unfinished</dt><dd class="warn-text">{number(facts.unfinished)}</dd></div>}
			</dl>
			{facts.wins && (
				<table>
					<thead><tr><th>Role</th><th class="number">Wins</th><th class="number">Mean</th></tr></thead>
					<tbody>{own.map((r) => <tr key={r}><td>{r}</td><td class="number">{number((facts.wins?.[r] ?? 0) * 100, 1)}%</td><td class="number">{number(facts.goals?.[r] ?? 0, 1)}</td></tr>)}</tbody>
				</table>
			)}
			{facts.stuck > 0 && (
				<div class="notice warn">
					{number(facts.stuck)} of {number(facts.playouts)} matches got stuck{stuck ? `: ${stuck.role} has no legal move after ` : '.'}
					{stuck && <span class="mono">{stuck.moves.map((j) => j.filter((t) => t !== 'noop').map(spoken).join(' / ')).join(' · ') || 'nothing'}</span>}
					{stuck?.view.scene && <SceneView scene={stuck.view.scene} small />}
				</div>
			)}
		</section>
	);
}
