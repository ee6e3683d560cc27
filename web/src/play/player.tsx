// Choosing a player and its options; the value is its word: "uct:c=0.6".
import { useState } from 'preact/hooks';
import { players } from '../views/shared';
import { Dialog, Field } from '../ui/parts';
import { Glyph } from '../ui/glyphs';

export function splitPlayer(word: string): { name: string; options: Record<string, string> } {
	const [name, rest] = word.split(/:(.*)/s);
	return { name, options: Object.fromEntries((rest ?? '').split(',').filter(Boolean).map((o) => o.split(/=(.*)/s).slice(0, 2) as [string, string])) };
}

export function joinPlayer(name: string, options: Record<string, string>): string {
	const set = Object.entries(options).filter(([, v]) => v !== '');
	return set.length ? `${name}:${set.map(([k, v]) => `${k}=${v}`).join(',')}` : name;
}

export function PlayerPicker({ label, value, hidden, onChange }: { label: string; value: string; hidden?: boolean; onChange: (word: string) => void }) {
	const [open, setOpen] = useState(false);
	const { name, options } = splitPlayer(value);
	const known = players.value.find((p) => p.name === name);
	const offered = players.value.filter((p) => !hidden || p.hidden || p.name === name);
	return (
		<span class="row" style={{ flexWrap: 'nowrap' }}>
			<select aria-label={label} title={known?.summary} value={name} onChange={(e) => onChange(e.currentTarget.value)}>
				{(offered.length ? offered : [{ name, summary: '' }]).map((p) => <option key={p.name} value={p.name} title={p.summary}>{p.name}</option>)}
			</select>
			{!!known?.options.length && (
				<button type="button" class="plain icon" aria-label={`Options of ${name}`} title={value} onClick={() => setOpen(true)}>
					<Glyph name="more" />
				</button>
			)}
			{open && known && (
				<Dialog title={known.name} close={() => setOpen(false)}>
					<p class="soft">{known.summary}</p>
					<div class="stack">
						{known.options.map((o) => (
							<Field key={o.name} label={`${o.name}: ${o.help}`}>
								{o.choices ? (
									<select value={options[o.name] ?? ''} onChange={(e) => onChange(joinPlayer(name, { ...options, [o.name]: e.currentTarget.value }))}>
										<option value="">{o.default === null ? 'default' : `${o.default} (default)`}</option>
										{o.choices.map((c) => <option key={c}>{c}</option>)}
									</select>
								) : (
									<input value={options[o.name] ?? ''} placeholder={o.default === null ? '' : String(o.default)} onChange={(e) => onChange(joinPlayer(name, { ...options, [o.name]: e.currentTarget.value.trim() }))} />
								)}
							</Field>
						))}
					</div>
				</Dialog>
			)}
		</span>
	);
}
