// Addresses of the page: /games, /play/m3, /analyse?game=chess, …
import { signal } from '@preact/signals';

export interface Route {
	view: string;
	rest: string[];
	query: URLSearchParams;
}

function read(): Route {
	const [view, ...rest] = location.pathname.split('/').filter(Boolean).map(decodeURIComponent);
	return { view: view || 'games', rest, query: new URLSearchParams(location.search) };
}

export const route = signal<Route>(read());

export function go(to: string, replace = false): void {
	if (replace) history.replaceState(null, '', to);
	else history.pushState(null, '', to);
	const before = route.value.view;
	route.value = read();
	if (before !== route.value.view) {
		scrollTo(0, 0);
		document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
	}
}

export function watchAddress(): void {
	route.value = read();
	addEventListener('popstate', () => (route.value = read()));
	document.addEventListener('click', (e) => {
		const link = (e.target as Element).closest?.('a');
		if (!link || link.target || link.hasAttribute('download') || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey) return;
		if (link.origin !== location.origin) return;
		e.preventDefault();
		go(link.pathname + link.search);
	});
}
