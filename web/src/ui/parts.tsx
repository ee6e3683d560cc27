// Small parts that all views use.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api';
import { Glyph } from './glyphs';

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
	const box = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		box.current?.showModal();
	}, []);
	return (
		<dialog ref={box} aria-label={title} onClose={close} onClick={(e) => e.target === box.current && box.current?.close()}>
			<div class="stack">
				<div class="row between">
					<h1>{title}</h1>
					<button class="plain icon" aria-label="Close" onClick={() => box.current?.close()}>
						<Glyph name="close" />
					</button>
				</div>
				{children}
			</div>
		</dialog>
	);
}

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
	return (
		<label class="field">
			<span class="small soft">{label}</span>
			{children}
		</label>
	);
}

export function IconButton({ glyph, label, onClick, disabled, pressed, text }: { glyph: string; label: string; onClick: () => void; disabled?: boolean; pressed?: boolean; text?: string }) {
	return (
		<button class="icon" aria-label={label} title={label} onClick={onClick} disabled={disabled} aria-pressed={pressed}>
			<Glyph name={glyph} />
			{text}
		</button>
	);
}

export function Trouble({ error }: { error: unknown }) {
	if (!error) return null;
	const e = error as Partial<ApiError>;
	return (
		<div class="notice bad" role="alert">
			<div>{e.message ?? String(error)}</div>
			{e.help && <div class="small">{e.help}</div>}
		</div>
	);
}

const toasts = signal<{ id: number; text: string; action?: { label: string; run: () => void } }[]>([]);
let nextToast = 1;

export function say(text: string, action?: { label: string; run: () => void }): void {
	const id = nextToast++;
	toasts.value = [...toasts.value, { id, text, action }];
	setTimeout(() => (toasts.value = toasts.value.filter((t) => t.id !== id)), 6000);
}

export function complain(error: unknown): void {
	const e = error as Partial<ApiError>;
	if (e.name === 'AbortError') return;
	say([e.message ?? String(error), e.help].filter(Boolean).join(' '));
}

export function Toasts() {
	return (
		<div class="toasts" role="status" aria-live="polite">
			{toasts.value.map((t) => (
				<div class="toast" key={t.id}>
					<span>{t.text}</span>
					{t.action && <button onClick={t.action.run}>{t.action.label}</button>}
				</div>
			))}
		</div>
	);
}

export const number = (x: number, digits = 0) => x.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

export function short(n: number): string {
	if (n >= 1e9) return number(n / 1e9, 1) + ' G';
	if (n >= 1e6) return number(n / 1e6, 1) + ' M';
	if (n >= 1e4) return number(n / 1e3, 1) + ' k';
	return number(n);
}

/* Where a value lies between 0 and 100, with its interval. */
export function ValueBar({ value, low, high, best }: { value: number | null; low?: number | null; high?: number | null; best?: boolean }) {
	return (
		<span class={best ? 'value-bar best' : 'value-bar'} aria-hidden="true">
			{value !== null && <span class="fill" style={{ width: `${value}%` }} />}
			{low != null && high != null && <span class="range" style={{ left: `${low}%`, width: `${Math.max(0.5, high - low)}%` }} />}
		</span>
	);
}

/* A file the user picks; its text. */
export function pickFile(accept: string): Promise<{ name: string; text: string } | null> {
	return new Promise((done) => {
		const input = document.createElement('input');
		input.type = 'file';
		input.accept = accept;
		input.onchange = async () => {
			const file = input.files?.[0];
			done(file ? { name: file.name, text: await file.text() } : null);
		};
		input.oncancel = () => done(null);
		input.click();
	});
}
