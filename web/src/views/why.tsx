// Why something holds: the rules and facts behind a legal move or a fluent, as far as the program tells.
import { useEffect, useState } from 'preact/hooks';
import { type Joint, post } from '../api';
import { spoken } from '../play/terms';
import { IconButton, Trouble } from '../ui/parts';

/* A move or a fluent that was pointed at, or a statement in words of the rules. */
export type Question = { of: string; role?: string; term: string } | { statement: string };

function asked(q: Question, holds: boolean | undefined): string {
	if ('statement' in q) return holds === undefined ? q.statement : `Why does ${q.statement} ${holds ? '' : 'not '}hold?`;
	return `Why ${q.of === 'legal' ? 'may' : 'does'} ${q.role ? `${q.role} ` : ''}${spoken(q.term)}${q.of === 'legal' ? '' : ' hold'}?`;
}

export function Why({ place, question, close }: { place: { game: string; moves: Joint[] }; question: Question; close: () => void }) {
	const [answer, setAnswer] = useState<{ holds: boolean; text: string } | null>(null);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => {
		setAnswer(null);
		setError(null);
		post<{ holds: boolean; text: string }>('positions/explain', { ...place, ...question }).then(setAnswer, setError);
	}, [question, place]);
	return (
		<section class="sheet stack tight" aria-label="Why">
			<div class="row between">
				<h2>{asked(question, answer?.holds)}</h2>
				<IconButton glyph="close" label="Close the explanation" onClick={close} />
			</div>
			<Trouble error={error} />
			{answer && <pre class="why">{answer.text}</pre>}
		</section>
	);
}
