// The gallery, and every game drawn at three positions: nothing may be empty, and nothing may leave its place.
import { assert, patience, run, test } from './harness.mjs';

const sample = process.env.MACAW_TEST_SAMPLE === '1';

test('the gallery shows, searches and filters the games', async ({ open }) => {
	const w = await open();
	await w.go('/games');
	const count = w.page.getByRole('status').first();
	await w.page.locator('.card').first().waitFor();
	const all = await w.page.locator('.card').count();
	assert(all > 80, `all games have a card: ${all}`);
	await w.page.keyboard.type('knights tour');
	await w.page.waitForFunction(() => document.querySelectorAll('.card').length === 3, null, { timeout: patience });
	assert(/3 of/.test(await count.textContent()), 'the number found is told');
	await w.page.getByLabel('Search the games').fill('tictactoe');
	await w.page.locator('.card .boards').first().waitFor();
	await w.page.getByLabel('Search the games').press('ArrowDown');
	await w.page.keyboard.press('Enter');
	await w.page.waitForURL(/\/play\?game=/);
	await w.page.getByRole('button', { name: 'Start', exact: true }).waitFor();
});

test('rules that are dropped on the gallery open in the editor', async ({ open }) => {
	const w = await open();
	await w.go('/games');
	await w.page.locator('.card').first().waitFor();
	const drop = (name, text) =>
		w.page.locator('.gallery').evaluate(
			(gallery, [name, text]) => {
				const data = new DataTransfer();
				data.items.add(new File([text], name));
				gallery.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
			},
			[name, text],
		);
	await drop('mine.kif', '(role one) (init (at 1)) (legal one go) (<= (next (at 2)) (does one go)) (<= terminal (true (at 2))) (goal one 100)');
	await w.page.waitForURL(/\/write/);
	await w.page.getByText('No errors').waitFor();
	assert((await w.page.getByLabel('Name of the rules').inputValue()) === 'mine', 'the name is kept');
});

/* What a person would call broken, seen from inside the page. */
function look() {
	const troubles = [];
	const svg = document.querySelector('.middle .boards');
	const facts = document.querySelectorAll('.facts-beside .fact, .facts-beside .counter, .facts-beside .badge').length;
	const grounds = document.querySelectorAll('.middle .ground, .middle .dot').length;
	if (!facts && !grounds) troubles.push('nothing is drawn');
	if (document.documentElement.scrollWidth > innerWidth) troubles.push(`the page is ${document.documentElement.scrollWidth - innerWidth} pixels too wide`);
	if (svg) {
		if (/NaN|undefined|Infinity/.test(svg.outerHTML)) troubles.push('numbers are missing in the drawing');
		const { width, height } = svg.viewBox.baseVal;
		const size = svg.getBoundingClientRect();
		if (size.width < 60 || size.height < 20) troubles.push(`the board is ${Math.round(size.width)} by ${Math.round(size.height)} pixels`);
		for (const part of svg.querySelectorAll('.ground, .piece, .dot, .board-edge, .axes text, .board-title')) {
			const box = part.getBoundingClientRect();
			const slack = 2 + (6 * size.width) / width;
			if (box.left < size.left - slack || box.right > size.right + slack || box.top < size.top - slack || box.bottom > size.bottom + slack)
				troubles.push(`${part.getAttribute('class') ?? part.tagName} ${part.dataset?.piece ?? part.textContent} leaves the board (${width} by ${height})`);
		}
		for (const piece of svg.querySelectorAll('.piece[data-piece]')) {
			const box = piece.getBoundingClientRect();
			if (box.width > (108 * size.width) / width || box.height > (116 * size.width) / width) troubles.push(`${piece.dataset.piece} is larger than its cell`);
		}
	}
	return [...new Set(troubles)].slice(0, 3);
}

test('every game is drawn at its start, in the middle and later', async ({ open }) => {
	const w = await open();
	const token = await w.page.evaluate(() => localStorage.getItem('macaw-token'));
	const ask = (method, path, data, key) =>
		w.page.request.fetch(`${w.base}/api/${path}`, { method, data, headers: { 'X-Macaw-Token': token, ...(key ? { 'X-Macaw-Key': key } : {}) }, timeout: patience }).then(async (r) => {
			const body = await r.json();
			assert(r.ok(), `${method} ${path}: ${JSON.stringify(body.error)}`);
			return body;
		});
	const { games } = await ask('GET', 'games');
	const broken = [];
	for (const [i, { game }] of games.entries()) {
		if (sample && i % 9) continue;
		const info = await ask('GET', 'games/' + game);
		const roles = info.facts.roles.filter((r) => r !== 'random');
		const { match, key } = await ask('POST', 'matches', { game, seats: Object.fromEntries(roles.map((r) => [r, { who: 'player', player: 'random', playouts: 1 }])), delay: 0, seed: 5 });
		let state;
		do ({ state } = await ask('GET', 'matches/' + match, undefined, key));
		while (!state.over && state.view.step < 16);
		if (!state.over) await ask('POST', `matches/${match}/pause`, { paused: true }, key);
		({ state } = await ask('GET', 'matches/' + match, undefined, key));
		await w.page.evaluate(([m, k]) => {
			sessionStorage.setItem('macaw-key-' + m, k);
			history.pushState(null, '', '/play/' + m);
			dispatchEvent(new PopStateEvent('popstate'));
		}, [match, key]);
		const last = state.view.step;
		for (const step of [...new Set([0, Math.min(7, last >> 1), last])]) {
			await w.page.waitForFunction(([m, n]) => location.pathname.endsWith(m) && document.querySelector('input[type=range]')?.max >= n, [match, last], { timeout: patience });
			await w.page.getByLabel('Step', { exact: true }).fill(String(step));
			await w.page.waitForFunction((n) => new RegExp(`step ${n}( |$)`).test(document.querySelector('.side .soft.small')?.textContent), step, { timeout: patience });
			await w.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30))));
			for (const trouble of await w.page.evaluate(look)) broken.push(`${game} at step ${step}: ${trouble}`);
		}
		await ask('DELETE', 'matches/' + match, undefined, key);
	}
	assert(!broken.length, broken.join('\n'));
});

await run();
