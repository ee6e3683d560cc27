// What stands beside the boards: whose turn it is, counters, dice, hands, and the rest in words.
import { spoken } from '../play/terms';
import { Card, Die, PieceShape } from './pieces';
import type { Scene, SceneFact } from './types';

const who = (scene: Scene, role: number | undefined) => (role === undefined ? '' : (scene.roles[role] ?? '').replaceAll('_', ' '));

function Small({ children, label }: { children: preact.ComponentChildren; label: string }) {
	return <svg class="fact-piece" viewBox="-50 -50 100 100" role="img" aria-label={label}>{children}</svg>;
}

export function Facts({ scene, small }: { scene: Scene; small: boolean }) {
	const of = (kind: SceneFact['kind']) => scene.facts.filter((f) => f.kind === kind);
	const dice = of('dice');
	const counters = of('counter');
	const rest = of('rest');
	const hands = new Map<string, SceneFact[]>();
	for (const f of of('hand')) {
		const key = `${f.name.replaceAll('_', ' ')}${f.role === undefined ? '' : ` ${who(scene, f.role)}`}`;
		hands.set(key, [...(hands.get(key) ?? []), f]);
	}
	const bare = scene.boards.length === 0;
	if (small && !bare) return null;
	if (!scene.facts.length) return null;
	return (
		<div class={small ? 'facts-beside small' : 'facts-beside'}>
			{dice.length > 0 && (
				<div class="fact-row">
					{dice.map((f) => <span class="fact" key={f.value.fluent} title={spoken(f.value.fluent)}><Small label={`${f.name}: ${f.value.name}`}><Die value={f.value.name} /></Small></span>)}
				</div>
			)}
			{[...hands].map(([name, all]) => (
				<div class="fact-row" key={name}>
					<span class="soft fact-name">{name}</span>
					{all.slice(0, small ? 6 : 60).map((f) => (
						<span class="fact" key={f.value.fluent} title={spoken(f.value.fluent)} style={f.value.sure === false ? { opacity: 0.45 } : undefined}>
							{all.some((o) => /^word /.test(o.value.meaning) && o.value.name.length > 3) ? <span class="badge">{f.value.name.replaceAll('_', ' ')}</span> : <Small label={f.value.name}>{/^(word|number|letter) /.test(f.value.meaning) ? <Card value={f.value.name.replaceAll('_', ' ')} /> : <PieceShape piece={f.value} />}</Small>}
						</span>
					))}
				</div>
			))}
			{counters.length > 0 && (
				<div class="fact-row">
					{counters.map((f) => (
						<span class="counter" key={f.value.fluent} title={spoken(f.value.fluent)}>
							<span class="soft">{f.name.replaceAll('_', ' ')}{f.role === undefined ? '' : ` ${who(scene, f.role)}`}</span> <strong>{f.value.name.replaceAll('_', ' ')}{f.value.sure === false ? '?' : ''}</strong>
						</span>
					))}
				</div>
			)}
			{rest.length > 0 && (!small || (bare && !dice.length && !hands.size && !counters.length)) && (
				<div class="fact-row rest">{rest.slice(0, small ? 8 : 80).map((f) => <span class="badge" key={f.value.fluent}>{spoken(f.value.fluent)}{f.value.sure === false ? '?' : ''}</span>)}</div>
			)}
			{!small && of('turn').map((f) => <span class="unseen" key={f.value.fluent}>{`to move: ${f.value.name}`}</span>)}
		</div>
	);
}
