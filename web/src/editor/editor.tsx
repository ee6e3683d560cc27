// The text editor of the rules, CodeMirror with what is needed and no more.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language';
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import type { Diagnostic } from '../api';
import { complete, gdl } from './kif';

export interface EditorHandle {
	goTo: (line: number, column?: number) => void;
	setText: (text: string) => void;
	focus: () => void;
}

const look = EditorView.theme({
	'&': { height: '100%', fontSize: '13.5px', backgroundColor: 'var(--sheet)', color: 'var(--ink)' },
	'.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
	'.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--soft)', border: 'none' },
	'.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 45%, transparent)' },
	'.cm-cursor': { borderLeftColor: 'var(--ink)' },
	'&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
	'&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
	'.cm-tooltip, .cm-panels': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--line)' },
	'.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
	'.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
	'&.cm-focused': { outline: 'none' },
});

export function Editor({ text, changed, diagnostics, handle, save }: { text: string; changed: (text: string) => void; diagnostics: Diagnostic[]; handle: { current: EditorHandle | null }; save: () => void }) {
	const box = useRef<HTMLDivElement>(null);
	const view = useRef<EditorView | null>(null);
	const calls = useRef({ changed, save });
	calls.current = { changed, save };
	useEffect(() => {
		const v = new EditorView({
			parent: box.current!,
			state: EditorState.create({
				doc: text,
				extensions: [
					lineNumbers(), foldGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), search({ top: true }), lintGutter(),
					indentUnit.of('\t'), EditorState.tabSize.of(4), gdl, look,
					autocompletion({ override: [complete] }),
					keymap.of([{ key: 'Mod-s', run: () => (calls.current.save(), true) }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
					EditorView.contentAttributes.of({ 'aria-label': 'Rules', spellcheck: 'false' }),
					EditorView.updateListener.of((u) => u.docChanged && calls.current.changed(u.state.doc.toString())),
				],
			}),
		});
		v.scrollDOM.tabIndex = 0; // scrolls by keys too
		view.current = v;
		handle.current = {
			goTo(line, column = 1) {
				const l = v.state.doc.line(Math.max(1, Math.min(line, v.state.doc.lines)));
				v.dispatch({ selection: { anchor: Math.min(l.to, l.from + column - 1) }, effects: EditorView.scrollIntoView(l.from, { y: 'center' }) });
				v.focus();
			},
			setText: (t) => v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: t }, selection: { anchor: 0 } }),
			focus: () => v.focus(),
		};
		return () => {
			v.destroy();
			handle.current = null;
		};
	}, []);
	useEffect(() => {
		const v = view.current;
		if (!v) return;
		const doc = v.state.doc;
		const place = (line: number, column: number) => {
			if (line < 1) return 0;
			if (line > doc.lines) return doc.length;
			const l = doc.line(line);
			return Math.min(l.to, l.from + Math.max(0, column - 1));
		};
		const marks: Mark[] = diagnostics.map((d) => {
			const from = place(d.line, d.column);
			return { from, to: Math.max(from, place(d.end_line || d.line, d.end_column || d.column + 1)), severity: d.severity === 'error' ? 'error' : d.severity === 'warning' ? 'warning' : 'info', message: d.help ? `${d.message}\n${d.help}` : d.message };
		});
		v.dispatch(setDiagnostics(v.state, marks));
	}, [diagnostics]);
	return <div ref={box} class="editor" />;
}
