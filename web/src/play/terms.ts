// Terms of GDL as people read them: (move a 2 a 4) is "move a2 a4", and moves are grouped by their first word.
export type Term = string | Term[];

export function parseTerm(text: string): Term {
	const words = text.match(/[()]|[^\s()]+/g) ?? [];
	let at = 0;
	const read = (): Term => {
		const word = words[at++];
		if (word !== '(') return word ?? '';
		const list: Term[] = [];
		while (at < words.length && words[at] !== ')') list.push(read());
		at++;
		return list;
	};
	return read();
}

function inner(t: Term): string {
	return typeof t === 'string' ? t.replaceAll('_', ' ') : `(${t.map(inner).join(' ')})`;
}

/* A letter and a number that follow each other are one place: a 2 becomes a2. */
export function spoken(text: string): string {
	const t = parseTerm(text);
	if (typeof t === 'string') return inner(t);
	const words = t.map(inner);
	const out: string[] = [words[0]];
	for (let i = 1; i < words.length; i++) {
		if (/^[a-z]$/.test(words[i]) && /^\d+$/.test(words[i + 1] ?? '')) out.push(words[i] + words[++i]);
		else out.push(words[i]);
	}
	return out.join(' ');
}

export function firstWord(text: string): string {
	const t = parseTerm(text);
	return inner(typeof t === 'string' ? t : t[0]);
}

/* The same without its first word, which stands above a group. */
export function afterFirst(text: string): string {
	const t = parseTerm(text);
	return typeof t === 'string' || t.length < 2 ? spoken(text) : spoken(text).slice(inner(t[0]).length + 1);
}

/* What a role does when it has nothing to do: a word without arguments that it says when another is to move. */
export const isIdle = (text: string) => /^(noop|pass|wait|nothing|none)$/.test(text);
