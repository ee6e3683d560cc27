// Line glyphs of buttons, on a field of 24 by 24.
const paths: Record<string, string> = {
	moon: 'M20 14.5A8 8 0 1 1 9.5 4 6.5 6.5 0 0 0 20 14.5z',
	sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
	keys: 'M3 7h18v10H3zM7 10h.01M11 10h.01M15 10h.01M17 13.5h.01M7 13.5h.01M10 14h4',
	undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
	hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2h5c0-.8.4-1.5 1-2A6 6 0 0 0 12 3z',
	swap: 'M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3',
	flip: 'M12 3v18M8 7H3v10h5M16 7h5v10h-5',
	save: 'M12 3v12M12 15l-4-4M12 15l4-4M4 20h16',
	open: 'M12 20V8M12 8 8 12M12 8l4 4M4 4h16',
	play: 'M7 4.5v15l12-7.5z',
	pause: 'M8 5v14M16 5v14',
	stop: 'M6 6h12v12H6z',
	first: 'M6 5v14M18 5l-9 7 9 7z',
	last: 'M18 5v14M6 5l9 7-9 7z',
	back: 'M15 5l-8 7 8 7',
	next: 'M9 5l8 7-8 7',
	plus: 'M12 5v14M5 12h14',
	close: 'M6 6l12 12M18 6 6 18',
	more: 'M5 12h.01M12 12h.01M19 12h.01',
	again: 'M4 12a8 8 0 1 1 2.5 5.8M4 12V7M4 12h5',
	chart: 'M4 20V4M4 20h16M8 16l4-5 3 3 5-7',
	pencil: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
	eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
	link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
	dice: 'M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
	seal: 'M12 3l2.5 2.2 3.3-.2.7 3.2 2.7 2-1.3 3 .3 3.3-3.2.9-2 2.6-3-1.2-3 1.2-2-2.6-3.2-.9.3-3.3-1.3-3 2.7-2 .7-3.2 3.3.2zM9 12l2 2 4-4',
	find: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20 20',
	tree: 'M12 4v5M12 9 6 14M12 9l6 5M6 14v5M18 14v5M12 9v10',
};

export function Glyph({ name }: { name: string }) {
	return (
		<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}
