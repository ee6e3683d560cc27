// GDL in prefix form for the editor: colours, folding, completion, outline. Rules in infix form are edited as plain text with the
// same colours for keywords and comments.
import { type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { foldService, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

export const keywords: Record<string, string> = {
	role: 'a player: (role white)',
	init: 'holds at the start: (init (cell 1 1 b))',
	true: 'holds now: (true (control white))',
	does: 'the move a role makes: (does white (mark 1 1))',
	next: 'holds after the moves: (<= (next …) …)',
	legal: 'a move a role may make: (<= (legal white …) …)',
	goal: 'what the end is worth to a role, 0 to 100',
	terminal: 'the match is over',
	sees: 'what a role perceives (GDL-II)',
	base: 'every fluent there can be',
	input: 'every move there can be',
	not: 'the condition does not hold',
	or: 'one of the conditions holds',
	distinct: 'two terms differ: (distinct ?a ?b)',
	random: 'the role of chance (GDL-II)',
};

interface State {
	head: boolean;
}

const kif = StreamLanguage.define<State>({
	name: 'gdl',
	startState: () => ({ head: false }),
	token(stream, state) {
		if (stream.eatSpace()) return null;
		const next = stream.next()!;
		if (next === ';' || next === '%') {
			stream.skipToEnd();
			return 'comment';
		}
		if (next === '(') {
			state.head = true;
			return 'paren';
		}
		if (next === ')') {
			state.head = false;
			return 'paren';
		}
		if (next === '?') {
			stream.eatWhile(/[^\s();]/);
			state.head = false;
			return 'variableName';
		}
		stream.eatWhile(/[^\s();]/);
		const word = stream.current().toLowerCase();
		const head = state.head;
		state.head = false;
		if (word === '<=') {
			return 'operator';
		}
		if (word in keywords && (head || word === 'terminal' || word === 'random')) return 'keyword';
		if (/^\d+$/.test(word)) return 'number';
		return head ? 'function' : null;
	},
	languageData: { commentTokens: { line: ';' }, closeBrackets: { brackets: ['('] } },
	tokenTable: { function: tags.function(tags.name), paren: tags.paren },
});

const colours = HighlightStyle.define([
	{ tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
	{ tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
	{ tag: tags.operator, color: 'var(--code-keyword)' },
	{ tag: tags.variableName, color: 'var(--code-variable)' },
	{ tag: tags.number, color: 'var(--code-number)' },
	{ tag: tags.function(tags.name), color: 'var(--code-function)' },
	{ tag: tags.paren, color: 'var(--soft)' },
]);

/* A rule that goes over several lines folds to its first. */
const folding = foldService.of((state, start, end) => {
	const line = state.doc.lineAt(start);
	if (!/^\(/.test(line.text)) return null;
	let depth = 0;
	const text = state.sliceDoc(start, Math.min(state.doc.length, start + 20000));
	for (let i = 0; i < text.length; i++) {
		if (text[i] === ';') while (i < text.length && text[i] !== '\n') i++;
		else if (text[i] === '(') depth++;
		else if (text[i] === ')' && --depth === 0) return start + i > end ? { from: end, to: start + i } : null;
	}
	return null;
});

export const gdl = [kif, syntaxHighlighting(colours), folding];

export interface Relation {
	name: string;
	arity: number;
	line: number;
	rules: number;
}

/* What the text defines, in order: the heads of facts and rules. Keywords are listed with the fluent or move they are about. */
export function outline(text: string): Relation[] {
	const found = new Map<string, Relation>();
	const word = /[^\s();]+/y;
	let depth = 0;
	let line = 1;
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (c === '\n') line++;
		else if (c === ';') while (i + 1 < text.length && text[i + 1] !== '\n') i++;
		else if (c === '(') {
			if (depth === 0) note(i);
			depth++;
		} else if (c === ')') depth = Math.max(0, depth - 1);
	}
	return [...found.values()];

	function note(at: number): void {
		const head = /^\(\s*<=\s*\(?\s*([^\s();]+)/.exec(text.slice(at, at + 200)) ?? /^\(\s*([^\s();]+)/.exec(text.slice(at, at + 200));
		if (!head) return;
		const name = head[1];
		const open = at + head[0].length;
		let arity = 0;
		let inner = 0;
		const atom = head[0].startsWith('(') && /<=/.test(head[0]) && !/<=\s*\(/.test(head[0]);
		if (!atom)
			for (let i = open; i < text.length; i++) {
				if (text[i] === ';') while (i + 1 < text.length && text[i + 1] !== '\n') i++;
				else if (text[i] === '(') {
					if (inner++ === 0) arity++;
				} else if (text[i] === ')') {
					if (inner-- === 0) break;
				} else if (!/\s/.test(text[i])) {
					word.lastIndex = i;
					i += (word.exec(text)?.[0].length ?? 1) - 1;
					if (inner === 0) arity++;
				}
			}
		const key = `${name}/${arity}`;
		const known = found.get(key);
		if (known) known.rules++;
		else found.set(key, { name, arity, line, rules: 1 });
	}
}

export function complete(context: CompletionContext): CompletionResult | null {
	const before = context.matchBefore(/[?\w<=-]+/);
	if (!before && !context.explicit) return null;
	const text = context.state.doc.toString();
	const from = before?.from ?? context.pos;
	if (before?.text.startsWith('?')) {
		const start = text.lastIndexOf('\n(', from) + 1;
		const names = new Set(text.slice(start, from).match(/\?[\w-]+/g) ?? []);
		return { from, options: [...names].map((label) => ({ label, type: 'variable' })) };
	}
	const defined = outline(text).filter((r) => !(r.name in keywords));
	const constants = new Set(text.replace(/;.*/g, '').match(/(?<=[\s(])[a-z_][\w-]*(?=[\s)])/g) ?? []);
	for (const r of defined) constants.delete(r.name);
	for (const k of Object.keys(keywords)) constants.delete(k);
	return {
		from,
		validFor: /^[\w-]*$/,
		options: [
			...Object.entries(keywords).map(([label, info]) => ({ label, type: 'keyword', detail: info, boost: 1 })),
			...defined.map((r) => ({ label: r.name, type: 'function', detail: `${r.arity} argument${r.arity === 1 ? '' : 's'}` })),
			...[...constants].map((label) => ({ label, type: 'constant' })),
		],
	};
}
