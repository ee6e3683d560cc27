// The server: requests, streams, and the shapes of what it says (API.md). Scenes are in scene/types.ts.
import type { Scene } from './scene/types';

export interface Diagnostic {
	severity: 'error' | 'warning' | 'note';
	code: string;
	message: string;
	help: string | null;
	line: number;
	column: number;
	end_line: number;
	end_column: number;
	from: number;
	to: number;
	also: { message: string; line: number; column: number } | null;
}

export class ApiError extends Error {
	constructor(readonly status: number, readonly code: string, message: string, readonly help?: string, readonly diagnostics?: Diagnostic[]) {
		super(message);
	}
}

export interface Move {
	id: number;
	text: string;
}
export type Joint = string[];

export interface Belief {
	role: string;
	states: number;
	exact: boolean;
	fluents: { text: string; id: number; probability: number }[];
}

export interface View {
	step: number;
	terminal: boolean;
	stuck: boolean;
	goals: Record<string, number> | null;
	turn: string[];
	legal: Record<string, Move[]>;
	scene: Scene | null;
	state: string[] | null;
	belief: Belief | null;
}

export interface Facts {
	roles: string[];
	players: number;
	chance: boolean;
	hidden: boolean;
	simultaneous: boolean;
	engine: string;
	fluents: number;
	moves: number;
	length: { min: number; mean: number; max: number } | null;
	branching: number | null;
	playouts: number;
	stuck: number;
	unfinished: number;
	wins: Record<string, number> | null;
	goals: Record<string, number> | null;
}

export interface GameRow {
	game: string;
	title: string;
	source: 'library' | 'file' | 'page';
	facts: Facts | null;
	scene?: Scene | null;
	error?: string | null;
}

export interface GameInfo {
	game: string;
	title: string;
	source: string;
	rules: string;
	facts: Facts;
	view: View;
}

export interface PlayerOption {
	name: string;
	metavar: string | null;
	help: string;
	default: string | number | boolean | null;
	choices: string[] | null;
	min: number | null;
	max: number | null;
}
export interface Player {
	name: string;
	summary: string;
	details: string | null;
	hidden: boolean;
	options: PlayerOption[];
}

export interface Seat {
	who: 'human' | 'player' | 'chance' | 'guest' | 'me';
	joined?: boolean;
	name?: string;
	player?: string;
	seconds?: number;
	playouts?: number;
}

export interface Step {
	moves: Record<string, string>;
	sees?: string[];
	seconds?: Record<string, number>;
	faults?: Record<string, string>;
	values?: Record<string, number>;
	why?: Record<string, string>;
}

export interface Over {
	reason: string;
	goals: Record<string, number> | null;
	role?: string | null;
}

export interface Match {
	match: string;
	game: string;
	roles: string[];
	you: string[];
	as: string | null;
	host: boolean;
	hidden: boolean;
	seats: Record<string, Seat>;
	clock: Record<string, number> | null;
	running: string[];
	thinking: string[];
	waiting: string[];
	paused: boolean;
	delay: number;
	over: Over | null;
	steps: Step[];
	undo: boolean;
	view: View;
	invitations?: Record<string, string>;
}

export interface TableRow {
	id: number;
	text: string;
	value: number | null;
	low: number | null;
	high: number | null;
	bounds: [number, number] | null;
	visits: number;
	share: number | null;
	orbit: number | null;
}
export interface Table {
	seconds: number;
	visits: number;
	best: string;
	value: number | null;
	proved: boolean;
	why: string | null;
	fresh: boolean;
	moves: TableRow[];
	line: Joint[];
	tree: TreeNode[] | null;
}
/* Of the search tree, in an array: the n-th has the number n + 1, and 0 is the position itself. */
export interface TreeNode {
	parent: number;
	moves: Joint;
	value: number | null;
	proved: boolean;
	visits: number;
}

/* The token stands in the fragment of the address that the program prints. All windows of this browser may use it; the address
 * bar does not keep it. */
export function takeToken(): void {
	const fragment = new URLSearchParams(location.hash.slice(1));
	const invited = fragment.get('match');
	if (invited) history.replaceState(null, '', `/play/${invited}#invite=${fragment.get('invite')}`);
	const token = fragment.get('token');
	if (!token) return;
	localStorage.setItem('macaw-token', token);
	history.replaceState(null, '', location.pathname + location.search);
}

/* A guest of a match has a key and no token. */
export const isGuest = () => !localStorage.getItem('macaw-token') && /^\/play\/./.test(location.pathname);

const token = () => localStorage.getItem('macaw-token') ?? '';

/* Keys of matches belong to one window: what another window may see is another matter. */
export const keyOf = (match: string): string | null => sessionStorage.getItem('macaw-key-' + match);
export function keepKey(match: string, key: string): void {
	sessionStorage.setItem('macaw-key-' + match, key);
}

function headersFor(path: string): Record<string, string> {
	const headers: Record<string, string> = {};
	if (token()) headers['X-Macaw-Token'] = token();
	const key = keyOf(path.match(/^matches\/([^/?]+)/)?.[1] ?? '');
	if (key) headers['X-Macaw-Key'] = key;
	return headers;
}

async function failure(reply: Response): Promise<ApiError> {
	try {
		const { error } = await reply.json();
		return new ApiError(reply.status, error.code, error.message, error.help, error.diagnostics);
	} catch {
		return new ApiError(reply.status, 'trouble', `The server answered with status ${reply.status}.`);
	}
}

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
	const headers = headersFor(path);
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	let reply: Response;
	try {
		reply = await fetch('/api/' + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
	} catch (e) {
		if (signal?.aborted) throw e;
		throw new ApiError(0, 'gone', 'The program does not answer.', 'Is macaw web still running?');
	}
	if (!reply.ok) throw await failure(reply);
	return reply;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
	return (await ask('GET', path, undefined, signal)).json();
}
export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
	return (await ask('POST', path, body, signal)).json();
}
export async function remove(path: string): Promise<void> {
	await ask('DELETE', path);
}
export async function download(path: string, fallback: string): Promise<void> {
	const reply = await ask('GET', path);
	const named = reply.headers.get('Content-Disposition')?.match(/filename="?([^";]+)"?/)?.[1];
	saveFile(await reply.blob(), named ?? fallback);
}

export function saveFile(content: Blob, name: string): void {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(content);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* Listens to a stream until the returned function is called. `end` closes it, since the server sends nothing after it. */
export function listen(path: string, on: Record<string, (data: any) => void>, lost?: () => void): () => void {
	const query = new URLSearchParams();
	const key = keyOf(path.match(/^matches\/([^/?]+)/)?.[1] ?? '');
	if (key) query.set('key', key);
	else query.set('token', token());
	const source = new EventSource(`/api/${path}${path.includes('?') ? '&' : '?'}${query}`);
	for (const [name, hear] of Object.entries(on)) source.addEventListener(name, (e) => hear(JSON.parse((e as MessageEvent).data)));
	for (const last of ['end', 'done']) source.addEventListener(last, () => source.close());
	source.onerror = () => {
		if (source.readyState === EventSource.CLOSED) lost?.();
	};
	return () => source.close();
}

export const gamePath = (game: string) => encodeURIComponent(game);
