// Why something holds: the rules and facts behind a legal move or a fluent, as far as the program tells.
import { useEffect, useState } from 'preact/hooks';
import { type Joint, post } from '../api';
import { spoken } from '../play/terms';
import { IconButton, Trouble } from '../ui/parts';

export function Why({ place, question, close }: { place: { game: string; moves: Joint[] }; question: { of: string; role?: string; term: string }; close: () => void }) {
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
				<h2>Why {question.of === 'legal' ? 'may' : 'does'} {question.role ? `${question.role} ` : ''}{spoken(question.term)}{question.of === 'legal' ? '' : ' hold'}?</h2>
				<IconButton glyph="close" label="Close the explanation" onClick={close} />
			</div>
			<Trouble error={error} />
			{answer && <pre class="why">{answer.text}</pre>}
		</section>
	);
}
