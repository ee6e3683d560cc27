// What several views do: open records, hand rules over, know the players.
import { signal } from '@preact/signals';
import { ApiError, type GameRow, get, keepKey, type Match, type Player, post } from '../api';
import { go } from '../router';

export const players = signal<Player[]>([]);

export async function loadPlayers(): Promise<void> {
	if (!players.value.length) players.value = (await get<{ players: Player[] }>('players')).players;
}

export interface Opened {
	match: string;
	key: string;
	invitations?: Record<string, string>;
	state: Match;
	disagrees?: string | null;
}

/* A match that the server made for this window. */
export function enter(opened: Opened): void {
	keepKey(opened.match, opened.key);
	if (opened.invitations && Object.keys(opened.invitations).length) sessionStorage.setItem('macaw-invitations-' + opened.match, JSON.stringify(opened.invitations));
	go('/play/' + opened.match);
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/* The game that a record without rules may be of: the one it names, or the one that the person names. */
async function gameOf(named: string): Promise<string | null> {
	const { games } = await get<{ games: GameRow[] }>('games');
	const word = plain(named.split('/').filter(Boolean).pop() ?? '');
	const known = games.find((g) => plain(g.game) === word);
	return known?.game ?? prompt(`This record holds no rules, and ${named}. Which of the games here is it?`);
}

export async function openRecord(text: string): Promise<void> {
	try {
		enter(await post<Opened>('records', { record: text }));
	} catch (e) {
		if (!(e instanceof ApiError && e.status === 422 && e.help)) throw e;
		const game = await gameOf(e.help);
		if (!game) throw e;
		enter(await post<Opened>('records', { record: text, game }));
	}
}

/* Rules that are being written. All drafts stay in this browser; the one edited last is the first. */
export interface Draft {
	id: string;
	name: string;
	text: string;
}

export function readDrafts(): Draft[] {
	try {
		return JSON.parse(localStorage.getItem('macaw-drafts') ?? '[]');
	} catch {
		return [];
	}
}

export function keepDrafts(drafts: Draft[]): void {
	localStorage.setItem('macaw-drafts', JSON.stringify(drafts));
}

export function newDraft(name: string, text: string): Draft {
	const draft = { id: Math.random().toString(36).slice(2), name, text };
	keepDrafts([draft, ...readDrafts()]);
	return draft;
}

/* What the program can do that depends on how it was built. */
export const limits = signal<{ explain?: boolean }>({});
