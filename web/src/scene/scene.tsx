import type { Belief, Move } from '../api';
import type { Scene } from './types';

export function SceneView(_: { scene: Scene; small?: boolean; choices?: Move[]; choose?: (m: Move) => void; flip?: boolean; arrows?: { move: Move; weight: number }[]; last?: string[]; belief?: Belief | null; ask?: (term: string) => void }) {
	return <p>scene</p>;
}
