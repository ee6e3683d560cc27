// One match as this window sees it: kept up to date by its stream; earlier positions are asked for once.
import { batch, signal } from '@preact/signals';
import { get, listen, type Match, type Over, type Step, type View } from '../api';

export interface Store {
	match: ReturnType<typeof signal<Match | null>>;
	/* The step that is looked at; null: the present. */
	at: ReturnType<typeof signal<number | null>>;
	views: ReturnType<typeof signal<Map<number, View>>>;
	gone: ReturnType<typeof signal<string | null>>;
	clockSince: number;
	close: () => void;
	replace: (m: Match) => void;
}

interface StepEvent {
	step: number;
	made: Step;
	view: View;
	clock: Match['clock'];
	thinking: string[];
	waiting: string[];
	running: string[];
	over: Over | null;
	undo: boolean;
}

export function openMatch(id: string, as: string | null): Store {
	const store: Store = {
		match: signal<Match | null>(null),
		at: signal<number | null>(null),
		views: signal(new Map<number, View>()),
		gone: signal<string | null>(null),
		clockSince: performance.now(),
		close: () => {},
		replace(m) {
			batch(() => {
				// Steps that were taken back are no longer what they were.
				const kept = [...store.views.value!].filter(([step]) => step <= m.view.step && m.as === store.match.value?.as);
				store.views.value = new Map([...kept, [m.view.step, m.view]]);
				store.match.value = m;
				store.clockSince = performance.now();
				if (store.at.value != null && store.at.value >= m.view.step) store.at.value = null;
			});
		},
	};
	const catchUp = async () => {
		const { state } = await get<{ state: Match }>(`matches/${id}${as ? `?as=${encodeURIComponent(as)}` : ''}`);
		store.replace(state);
	};
	const change = (part: Partial<Match>) => {
		if (store.match.value) store.match.value = { ...store.match.value, ...part };
		store.clockSince = performance.now();
	};
	store.close = listen(`matches/${id}/events${as ? `?as=${encodeURIComponent(as)}` : ''}`, {
		match: (m: Match) => store.replace(m),
		step: (e: StepEvent) =>
			batch(() => {
				const { made, step: _, ...rest } = e;
				const m = store.match.value;
				if (!m) return;
				if (m.steps.length < e.view.step - 1) return void catchUp(); // something was missed
				store.views.value = new Map([...store.views.value!, [e.view.step, e.view]]);
				change({ ...rest, steps: [...m.steps.slice(0, e.view.step - 1), made] });
			}),
		thinking: (e: Partial<Match>) => change(e),
		seat: (e: Partial<Match>) => change(e),
		end: (e: { reason: string }) => (store.gone.value = e.reason),
	}, () => (store.gone.value = 'lost'));
	return store;
}

/* Fetches the position of a step unless it is known. */
export async function want(store: Store, step: number): Promise<void> {
	const m = store.match.value;
	if (!m || store.views.value!.has(step)) return;
	const { view } = await get<{ view: View }>(`matches/${m.match}/steps/${step}${m.as ? `?as=${encodeURIComponent(m.as)}` : ''}`);
	store.views.value = new Map([...store.views.value!, [step, view]]);
}
