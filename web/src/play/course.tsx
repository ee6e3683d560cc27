// The course of a match: what the players thought it was worth, and on demand what one player thinks of every position.
import { useEffect, useState } from 'preact/hooks';
import { keyOf, listen, type Match, post, remove } from '../api';
import { complain } from '../ui/parts';
import { Plot, type Series } from '../ui/plot';

interface Point {
	step: number;
	values: Record<string, number>;
}

export function Course({ match, at, goTo, setTurning }: { match: Match; at: number; goTo: (step: number) => void; setTurning: (m: Map<number, number>) => void }) {
	const [points, setPoints] = useState<Point[]>([]);
	const [job, setJob] = useState<string | null>(null);
	useEffect(() => {
		if (!job) return;
		const close = listen(`jobs/${job}/events`, {
			point: (p: Point) => setPoints((all) => [...all.filter((q) => q.step !== p.step), p].sort((a, b) => a.step - b.step)),
			turning: (t: { steps: { step: number; drop: number }[] }) => setTurning(new Map(t.steps.map((s) => [s.step, s.drop]))),
			end: () => setJob(null),
		});
		return () => {
			close();
			remove('jobs/' + job).catch(() => {});
		};
	}, [job]);
	const begin = async () => {
		setPoints([]);
		try {
			setJob((await post<{ job: string }>('curves', { match: match.match, key: keyOf(match.match) })).job);
		} catch (e) {
			complain(e);
		}
	};
	const roles = match.roles.filter((r) => r !== 'random');
	const x = match.steps.map((_, i) => i).concat(match.steps.length);
	const series: Series[] = points.length
		? roles.map((r) => ({ label: r, values: x.map((s) => points.find((p) => p.step === s)?.values[r] ?? null) }))
		: roles.filter((r) => match.steps.some((s) => s.values?.[r] !== undefined)).map((r) => ({ label: r, values: x.map((s) => match.steps[s]?.values?.[r] ?? null) }));
	if (match.steps.length === 0) return null;
	const mayAsk = !match.hidden || !!match.over;
	return (
		<section class="sheet stack tight" aria-label="Course of the match">
			<div class="row between">
				<h2>Course</h2>
				{mayAsk && (job ? <button class="chip" onClick={() => setJob(null)}>Stop</button> : <button class="chip" onClick={() => void begin()}>Evaluate</button>)}
			</div>
			{series.length ? <Plot x={x} series={series} mark={at} pick={goTo} label="Value of the match by step, 0 to 100" /> : <p class="soft small">{mayAsk ? 'Evaluate every position to see where the match turned.' : 'Values are shown after the end.'}</p>}
		</section>
	);
}
