// What the page costs: lines of three words for scripts/bench.
import { gzipSync } from 'node:zlib';
import { run, startMatch, test } from '../tests/web/page/harness.mjs';

const seconds = Math.max(2, Number(process.env.MACAW_BENCH_SECONDS ?? 1) * 3);
const say = (what, figure, unit) => console.log(`${what} ${figure} ${unit}`);

test('first paint', async ({ open }) => {
	const w = await open();
	const times = [];
	for (let i = 0; i < 5; i++) {
		await w.page.reload();
		await w.page.locator('nav').waitFor();
		times.push(await w.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN));
	}
	say('first_paint', times.sort((a, b) => a - b)[2].toFixed(0), 'ms');
});

// All that is loaded by somebody who goes through all views.
test('size', async ({ open }) => {
	const w = await open();
	const files = new Set();
	w.page.on('request', (r) => /\.(js|css)$/.test(new URL(r.url()).pathname) && files.add(r.url()));
	for (const view of ['play', 'analyse?game=tictactoe', 'write', 'tournaments', 'networks']) {
		await w.go('/' + view);
		await w.page.waitForLoadState('networkidle');
	}
	let bytes = 0;
	for (const file of files) bytes += gzipSync(await (await fetch(file)).text()).length;
	say('page_compressed', (bytes / 1000).toFixed(0), 'kB');
});

// Frames are asked for all the time; how far apart they come tells what the drawing leaves room for.
test('frames', async ({ open }) => {
	const w = await open({ reducedMotion: 'no-preference' });
	await startMatch(w, 'connect_four_20x20', { red: 'player', yellow: 'player' });
	await w.page.locator('[data-piece]').first().waitFor();
	const gaps = await w.page.evaluate((ms) => new Promise((done) => {
		const at = [];
		const step = (now) => {
			at.push(now);
			if (now - at[0] < ms) requestAnimationFrame(step);
			else done(at.slice(1).map((t, i) => t - at[i]));
		};
		requestAnimationFrame(step);
	}), seconds * 1000);
	gaps.sort((a, b) => a - b);
	say('frames_20x20', ((1000 * gaps.length) / gaps.reduce((a, b) => a + b, 0)).toFixed(1), 'per_second');
	say('slowest_frame_of_20', gaps[Math.floor(gaps.length * 0.95)].toFixed(1), 'ms');
});

test('tables', async ({ open }) => {
	const w = await open();
	await w.go('/analyse?game=othello');
	await w.page.getByRole('button', { name: 'Think' }).click();
	await w.page.getByLabel('Moves by value').waitFor();
	const changes = await w.page.evaluate((ms) => new Promise((done) => {
		let count = 0;
		const watch = new MutationObserver(() => count++);
		watch.observe(document.querySelector('[data-running]'), { subtree: true, characterData: true, childList: true });
		setTimeout(() => done(count), ms);
	}), seconds * 1000);
	await w.page.getByRole('button', { name: 'Stop' }).click();
	say('analysis_updates', (changes / seconds).toFixed(1), 'per_second');
});

await run();
