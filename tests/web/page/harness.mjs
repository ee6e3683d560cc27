// Drives the page of `macaw web` in Chromium: starts the program, opens windows, counts tests the way cmocka's are counted.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const source = process.env.MACAW_SOURCE;
const program = process.env.MACAW;
const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
export const require = createRequire(join(source, 'web', 'package.json'));

function skip(why) {
	console.log(`skipped: ${why}`);
	process.exit(77);
}
if (!chromiumPath) skip('chromium is missing (scripts/setup installs it)');
if (!existsSync(join(source, 'web', 'node_modules', 'playwright-core'))) skip('playwright-core is missing (npm ci in web/ fetches it)');

/* Waits for whatever is to come are long: the machine may be busy. They end as soon as it is there. */
export const patience = 60000;
const tests = [];
export const test = (name, run) => tests.push({ name, run });
/* About the page alone, whatever the program is built with: once is enough. */
export const testOfPage = (name, run) => process.env.MACAW_TEST_SAMPLE !== '1' && test(name, run);

export function assert(holds, what) {
	if (!holds) throw new Error(what);
}

async function startServer(folder) {
	const child = spawn(program, ['web', '--listen', '127.0.0.1:0', '--results', folder, join(source, 'examples', 'csp', 'queens8.xml')], { env: { ...process.env, MACAW_GAMES: join(source, 'games') }, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	child.stderr.on('data', (d) => (said += d));
	const address = await new Promise((done, fail) => {
		let text = '';
		child.stdout.on('data', (d) => {
			text += d;
			if (text.includes('\n')) done(text.split('\n')[0]);
		});
		child.on('exit', (code) => fail(new Error(`the program ended with ${code}: ${said}`)));
	});
	if (/built without/.test(said)) {
		child.kill();
		skip('the program was built without the page');
	}
	const state = { child, address, ended: null, said: () => said };
	child.removeAllListeners('exit');
	child.on('exit', (code, signal) => (state.ended = signal ?? code));
	return state;
}

/* A window of its own: nothing is shared with the others. What goes wrong in it fails the test. */
async function openWindow(browser, server, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
	const page = await context.newPage();
	page.setDefaultTimeout(patience);
	const wrong = [];
	page.on('pageerror', (e) => wrong.push(e.message));
	page.on('console', (m) => m.type() === 'error' && !/status of 4|ERR_/.test(m.text()) && wrong.push(m.text()));
	await page.goto(server.address.replace('/#', '/play#')); // not the gallery, which makes the program look at every game
	await page.locator('nav').waitFor();
	const base = new URL(server.address).origin;
	return { page, context, wrong, go: (path) => page.goto(base + path), base };
}

export async function run() {
	const { chromium } = require('playwright-core');
	const folder = mkdtempSync(join(tmpdir(), 'macaw-page-'));
	const server = await startServer(folder);
	const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
	let failed = 0;
	let passed = 0;
	const wanted = process.argv[2]; // part of a name: only those
	for (const { name, run } of tests) {
		if (wanted && !name.includes(wanted)) continue;
		const windows = [];
		const began = Date.now();
		try {
			await run({
				server,
				open: async (options) => {
					const w = await openWindow(browser, server, options);
					windows.push(w);
					return w;
				},
			});
			const wrong = windows.flatMap((w) => w.wrong);
			assert(!wrong.length, `the page complains: ${wrong.join('; ')}`);
			assert(server.ended === null, `the program ended (${server.ended}): ${server.said()}`);
			passed++;
			console.log(`[       OK ] ${name} (${Date.now() - began} ms)`);
		} catch (e) {
			failed++;
			console.log(`[  FAILED  ] ${name}: ${e.stack}`);
			const last = windows[windows.length - 1];
			if (last && process.env.MACAW_SHOT) await last.page.screenshot({ path: join(process.env.MACAW_SHOT, `${name.replaceAll(/\W+/g, '-')}.png`) });
			if (server.ended !== null) break;
		}
		for (const w of windows) await w.context.close();
	}
	await browser.close();
	server.child.kill();
	rmSync(folder, { recursive: true, force: true });
	console.log(`[  PASSED  ] ${passed} test(s).`);
	if (failed) console.log(`[  FAILED  ] ${failed} test(s).`);
	process.exit(failed ? 1 : 0);
}

/* Starts a match as people do: the game's card leads to the seats, Start begins. */
export async function startMatch(w, game, seats = {}) {
	await w.go('/play?game=' + game);
	for (const [role, who] of Object.entries(seats)) await w.page.getByLabel(`Who plays ${role}`).selectOption(who);
	await w.page.getByLabel('Seconds a move').selectOption('0.1');
	await w.page.getByRole('button', { name: 'Start', exact: true }).click();
	await w.page.waitForURL(/\/play\/m/);
	await w.page.getByLabel('Seats').waitFor();
}

export const stepShown = async (page) => Number((await page.locator('.side .soft.small').first().textContent()).match(/step (\d+)/)?.[1]);
export async function waitForStep(page, step) {
	await page.waitForFunction((n) => Number(document.querySelector('.side .soft.small')?.textContent.match(/step (\d+)/)?.[1]) >= n, step, { timeout: patience });
}
/* The cell of a board by its columns and rows, counted from 0 at the lower left. */
export const cell = (page, x, y, board = 0) => page.locator(`[data-key="${board}:${x}:${y}"]`);
