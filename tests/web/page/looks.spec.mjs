// Looks and size: names for everything (axe), nothing too wide on a phone, keys, and how much is sent before something is seen.
import { readFileSync } from 'node:fs';
import { assert, patience, require, run, startMatch, test, testOfPage } from './harness.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const paths = ['/games', '/play?game=chess', '/analyse?game=tictactoe', '/write', '/tournaments', '/networks?game=tictactoe'];

async function check(page, what) {
	await page.waitForFunction(() => document.querySelector('main h1, main .desk') && !document.querySelector('main > .spinner'), null, { timeout: patience });
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }));
	const list = found.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 2).map((n) => n.html.slice(0, 160)).join(' | ')})`);
	assert(!list.length, `${what}:\n${list.join('\n')}`);
}

for (const colorScheme of ['light', 'dark'])
	testOfPage(`axe finds nothing in any view, ${colorScheme}`, async ({ open }) => {
		const w = await open({ colorScheme });
		// Dark differs in colours only: two views and a match have them all.
		for (const path of colorScheme === 'dark' ? ['/games', '/write'] : paths) {
			await w.go(path);
			if (path === '/games') await w.page.getByLabel('Search the games').fill('tictactoe'); // what is true of a few cards is true of all
			if (path === '/write') await w.page.getByRole('button', { name: 'A puzzle' }).click();
			if (path === '/write') await w.page.getByText('No errors').waitFor();
			await check(w.page, path);
		}
		await startMatch(w, 'connect_four', { red: 'me', yellow: 'me' });
		await w.page.locator('.hit.on').first().waitFor();
		await check(w.page, 'a match');
		await w.page.keyboard.press('?');
		await w.page.getByRole('dialog').getByText('Take a move back').waitFor();
		await check(w.page, 'the keys');
	});

testOfPage('nothing is too wide for a phone', async ({ open }) => {
	const w = await open({ viewport: { width: 360, height: 720 } });
	const wide = async (what) => {
		const over = await w.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		assert(over <= 0, `${what} is ${over} pixels too wide`);
	};
	for (const path of paths) {
		await w.go(path);
		await w.page.locator('main h1').first().waitFor();
		await wide(path);
	}
	await startMatch(w, 'chess', { white: 'me', black: 'me' });
	await w.page.locator('.hit.on').first().waitFor();
	await wide('a match');
	const board = await w.page.locator('.boards').boundingBox();
	assert(board.width > 280, `the board uses the width: ${board.width}`);
});

testOfPage('everything is reached by keys', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'tictactoe', { x: 'me', o: 'me' });
	await w.page.locator('.hit.on').first().waitFor();
	await w.page.locator('.hit[tabindex="0"]').focus();
	await w.page.keyboard.press('ArrowRight');
	await w.page.keyboard.press('ArrowUp');
	const name = await w.page.evaluate(() => document.activeElement.getAttribute('aria-label'));
	assert(name === '2, 2', `the cursor is in the middle: ${name}`);
	await w.page.keyboard.press('Enter');
	await w.page.locator('[data-piece=x]').waitFor();
	for (const [key, title] of [['1', 'Games'], ['3', 'Analyse'], ['5', 'Tournaments'], ['6', 'Networks'], ['2', 'Play']]) {
		await w.page.locator('main').focus();
		await w.page.keyboard.press(key);
		await w.page.waitForFunction((t) => document.title.startsWith(t), title, { timeout: patience });
	}
	const before = await w.page.evaluate(() => document.documentElement.dataset.theme);
	await w.page.locator('main').focus();
	await w.page.keyboard.press('t');
	await w.page.waitForFunction((t) => document.documentElement.dataset.theme !== t, before, { timeout: patience });
});

testOfPage('the page is small and soon there', async ({ open }) => {
	const w = await open();
	const sizes = new Map();
	w.page.on('request', (r) => {
		const path = new URL(r.url()).pathname.replace(/^[^.]*$/, '/');
		if (!r.url().includes('/api/')) sizes.set(path, fetch(w.base + path).then((f) => Number(f.headers.get('content-length')))); // as sent: compressed
	});
	const sent = async () => (await Promise.all(sizes.values())).reduce((a, b) => a + b, 0);
	await w.go('/games');
	await w.page.locator('.card').first().waitFor();
	const first = await sent();
	assert(first > 10000 && first < 100000, `before the gallery ${first} bytes are sent`);
	const paint = await w.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
	assert(paint < 20000, `first paint after ${paint} ms`); // generous: the machine may be busy
	for (const path of paths) {
		await w.go(path);
		await w.page.locator('main h1').first().waitFor();
	}
	await w.go('/write');
	await w.page.getByRole('button', { name: 'A puzzle' }).click();
	await w.page.locator('.cm-content').waitFor();
	const all = await sent();
	assert(all < 500000, `all parts together are ${all} bytes`);
	console.log(`             first ${first}, all ${all} bytes, first paint ${Math.round(paint)} ms`);
});

test('without its token the page says what to do', async ({ open }) => {
	const w = await open();
	await w.page.evaluate(() => localStorage.clear());
	await w.go('/games');
	await w.page.getByText('no key to the program').waitFor();
});

await run();
