// The frame of the page: the bar at the top, the view of the address, keys.
import { signal } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get, isGuest, takeToken } from './api';
import { go, route, watchAddress } from './router';
import './style/base.css';
import './style/games.css';
import './style/play.css';
import './style/board.css';
import './style/analyse.css';
import './style/write.css';
import './style/tournaments.css';
import './style/networks.css';
import 'uplot/dist/uPlot.min.css';
import { Glyph } from './ui/glyphs';
import { KeysOverview, overview, useKeys, watchKeys } from './ui/keys';
import { Toasts, Trouble } from './ui/parts';
import { Games } from './views/games';
import { limits } from './views/shared';

const views: { name: string; label: string; key: string; load: () => Promise<ComponentType> }[] = [
	{ name: 'games', label: 'Games', key: '1', load: async () => Games },
	{ name: 'play', label: 'Play', key: '2', load: async () => (await import('./views/play')).Play },
	{ name: 'analyse', label: 'Analyse', key: '3', load: async () => (await import('./views/analyse')).Analyse },
	{ name: 'write', label: 'Write', key: '4', load: async () => (await import('./views/write')).Write },
	{ name: 'tournaments', label: 'Tournaments', key: '5', load: async () => (await import('./views/tournaments')).Tournaments },
	{ name: 'networks', label: 'Networks', key: '6', load: async () => (await import('./views/networks')).Networks },
];

const loaded = signal<Record<string, ComponentType>>({ games: Games });
const theme = signal(localStorage.getItem('macaw-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

function toggleTheme(): void {
	theme.value = theme.value === 'dark' ? 'light' : 'dark';
	localStorage.setItem('macaw-theme', theme.value);
}

function Bar() {
	const dark = theme.value === 'dark';
	const here = route.value.view;
	useEffect(() => document.querySelector('.bar nav [aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }), [here]);
	return (
		<header class="bar">
			<a class="brand" href="/games" aria-label="Macaw, all games">
				<svg viewBox="0 0 32 32" aria-hidden="true">
					<rect width="32" height="32" rx="7" fill="#0b6e8a" />
					<path d="M9 25c-2-9 2-18 11-18 4 0 6 3 6 6-2-1-4-1-5 0 3 3 2 9-2 12z" fill="#fff" />
					<path d="M21 13c1-1 3-1 5 0 0 3-1 5-3 6 0-2 0-4-2-6z" fill="#f2b134" />
					<circle cx="18" cy="11.5" r="1.5" fill="#0b6e8a" />
				</svg>
				<span>Macaw</span>
			</a>
			<nav aria-label="Views">
				{views.map((v) => (
					<a key={v.name} href={'/' + v.name} aria-current={route.value.view === v.name ? 'page' : undefined}>
						{v.label}
					</a>
				))}
			</nav>
			<button class="plain icon" aria-label="Show the keys" title="Keys (?)" onClick={() => (overview.value = true)}>
				<Glyph name="keys" />
			</button>
			<button class="plain icon" aria-label={dark ? 'Light colours' : 'Dark colours'} title="Light or dark (t)" onClick={toggleTheme}>
				<Glyph name={dark ? 'sun' : 'moon'} />
			</button>
		</header>
	);
}

function Page() {
	const [trouble, setTrouble] = useState<unknown>(null);
	const wanted = views.find((v) => v.name === route.value.view) ?? views[0];
	const View = loaded.value[wanted.name];
	useEffect(() => {
		document.documentElement.dataset.theme = theme.value;
	}, [theme.value]);
	useEffect(() => {
		document.title = `${wanted.label} – Macaw`;
		if (!View) wanted.load().then((view) => (loaded.value = { ...loaded.value, [wanted.name]: view }), setTrouble);
	}, [wanted.name]);
	useEffect(() => {
		if (!isGuest()) get<{ explain?: boolean }>('limits').then((l) => (limits.value = l), setTrouble);
	}, []);
	useKeys('Everywhere', [
		...views.map((v) => ({ key: v.key, what: v.label, run: () => go('/' + v.name) })),
		{ key: 't', what: 'Light or dark', run: toggleTheme },
		{ key: '?', what: 'These keys', run: () => (overview.value = !overview.value) },
	]);
	return (
		<>
			<a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.querySelector('main')?.focus(); }}>To the content</a>
			<Bar />
			<main id="main" tabIndex={-1}>
				{trouble ? <Locked error={trouble} /> : View ? <View /> : <p class="soft"><span class="spinner" /> Loading</p>}
			</main>
			<KeysOverview />
			<Toasts />
		</>
	);
}

/* Nothing can be had without the token of the program; a guest of a match has a key instead. */
function Locked({ error }: { error: unknown }) {
	if ((error as { code?: string }).code !== 'bad-token') return <Trouble error={error} />;
	return (
		<div class="sheet stack" style={{ maxWidth: '560px', margin: '32px auto' }}>
			<h1>This window has no key to the program</h1>
			<p>
				Open the whole address that <code>macaw web</code> printed when it started; it ends in <code>#token=…</code>. Each start of the
				program makes a new one.
			</p>
		</div>
	);
}

document.documentElement.dataset.theme = theme.value;
takeToken();
watchAddress();
watchKeys();
render(<Page />, document.getElementById('page')!);
