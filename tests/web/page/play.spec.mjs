// Matches by clicks: tic-tac-toe and chess to their ends, dice, undo, hints, records, a hidden game in two windows.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, cell, patience, run, startMatch, stepShown, test, waitForStep } from './harness.mjs';

const result = (page) => page.locator('.result');

test('tic-tac-toe is played to its end by clicks', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'tictactoe');
	for (let turn = 0; turn < 5 && !(await result(w.page).count()); turn++) {
		await w.page.locator('.hit.on').first().click();
		await w.page.waitForFunction((n) => document.querySelector('.result') || (document.querySelectorAll('.history li').length > n && document.querySelector('.hit.on')), 2 * turn + 1, { timeout: patience });
	}
	assert(/wins|draw/.test(await result(w.page).textContent()), 'the result is told');
	assert((await w.page.locator('.history li').count()) >= 5, 'all moves are listed');
	await w.page.getByRole('button', { name: 'Again' }).click();
	await w.page.locator('.hit.on').first().waitFor();
	assert((await stepShown(w.page)) === 0, 'a new match begins');
});

test('chess is played by two people at one screen, and mate ends it', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'chess', { white: 'me', black: 'me' });
	// The fool's mate: f3 e5 g4 Qh4.
	const moves = [[5, 1, 5, 2], [4, 6, 4, 4], [6, 1, 6, 3], [3, 7, 7, 3]];
	for (const [i, [x, y, tx, ty]] of moves.entries()) {
		await cell(w.page, x, y).click();
		await cell(w.page, tx, ty).click();
		await waitForStep(w.page, i + 1);
	}
	await result(w.page).waitFor();
	assert(/black wins/.test(await result(w.page).textContent()), 'black has won: ' + (await result(w.page).textContent()));
});

test('a piece is dragged, and moves are chosen by typing', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'chess', { white: 'me', black: 'me' });
	const from = await cell(w.page, 4, 1).boundingBox();
	const to = await cell(w.page, 4, 3).boundingBox();
	await w.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
	await w.page.mouse.down();
	await w.page.mouse.move(to.x + to.width / 2, to.y + to.height / 3, { steps: 4 });
	await w.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2);
	await w.page.mouse.up();
	await waitForStep(w.page, 1);
	await w.page.keyboard.press('m');
	await w.page.keyboard.type('b8 c6');
	await w.page.keyboard.press('Enter');
	await waitForStep(w.page, 2);
	assert(/c6/.test(await w.page.locator('.history li').nth(1).textContent()), 'the typed move was made');
});

test('moves are taken back, hinted, and looked at again', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'connect_four', { red: 'me', yellow: 'me' });
	for (let i = 1; i <= 3; i++) {
		await cell(w.page, 3, 5).click(); // any cell of a column drops into it
		await waitForStep(w.page, i);
	}
	await w.page.keyboard.press('u');
	await w.page.waitForFunction(() => /step 2$/.test(document.querySelector('.side .soft.small').textContent), null, { timeout: patience });
	await w.page.getByLabel('Hint (h)').click();
	await w.page.getByText(/is worth/).waitFor();
	await w.page.keyboard.press('ArrowLeft');
	await w.page.getByText('step 1 of 2').waitFor();
	await w.page.waitForFunction(() => document.querySelectorAll('[data-piece]').length === 1, null, { timeout: patience });
	await w.page.keyboard.press('End');
	await w.page.waitForFunction(() => document.querySelectorAll('[data-piece]').length === 2, null, { timeout: patience });
});

test('chance rolls between the moves', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'yahtzee', { alice: 'me', bob: 'me' });
	await waitForStep(w.page, 5);
	const told = await w.page.locator('.history').textContent();
	assert(/random/.test(told), 'what chance did is told: ' + told);
	await w.page.getByLabel('Legal moves').waitFor();
});

test('a record of ggp.org is of the game that it names', async ({ open }) => {
	const w = await open();
	await w.go('/play');
	const record = { matchId: 'm', gameMetaURL: 'http://games.example/base/games/ticTacToe/', moves: [['( mark 2 2 )', 'noop'], ['noop', '( mark 1 1 )']], isCompleted: false };
	const [chooser] = await Promise.all([w.page.waitForEvent('filechooser'), w.page.getByRole('button', { name: 'Open a record…' }).click()]);
	await chooser.setFiles({ name: 'theirs.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(record)) });
	await w.page.waitForURL(/\/play\/m/);
	await w.page.locator('[data-piece]').first().waitFor();
	assert((await w.page.locator('[data-piece]').count()) === 2, 'both moves are on the board');
});

test('a record is saved, loaded and stepped through', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'tictactoe', { x: 'player', o: 'player' });
	await result(w.page).waitFor();
	const steps = await stepShown(w.page);
	const [file] = await Promise.all([w.page.waitForEvent('download'), w.page.keyboard.press('s')]);
	const path = join(tmpdir(), `macaw-${process.pid}.json`);
	await file.saveAs(path);
	assert(JSON.parse(readFileSync(path, 'utf8')), 'the record is JSON');
	await w.go('/play');
	const [chooser] = await Promise.all([w.page.waitForEvent('filechooser'), w.page.getByRole('button', { name: 'Open a record…' }).click()]);
	await chooser.setFiles(path);
	await w.page.waitForURL(/\/play\/m/);
	await result(w.page).waitFor();
	assert((await stepShown(w.page)) === steps, 'all steps are there again');
	await w.page.keyboard.press('Home');
	await w.page.waitForFunction(() => !document.querySelector('[data-piece]'), null, { timeout: patience });
	for (let i = 1; i <= 3; i++) {
		await w.page.keyboard.press('ArrowRight');
		await w.page.waitForFunction((n) => document.querySelectorAll('[data-piece]').length === n, i, { timeout: patience });
	}
	writeFileSync(path, '{"no": "record"}');
	await w.go('/play');
	const [again] = await Promise.all([w.page.waitForEvent('filechooser'), w.page.getByRole('button', { name: 'Open a record…' }).click()]);
	await again.setFiles(path);
	await w.page.getByRole('alert').waitFor();
});

/* Everything a window is told, by requests and by its stream. */
function tap(page) {
	const heard = [];
	page.on('response', async (r) => {
		if (r.url().includes('/api/') && !r.url().includes('/events')) heard.push(await r.text().catch(() => ''));
	});
	return page
		.addInitScript(() => {
			const Real = window.EventSource;
			window.heard = [];
			window.EventSource = class extends Real {
				addEventListener(name, f) {
					super.addEventListener(name, (e) => {
						window.heard.push(String(e.data));
						f(e);
					});
				}
			};
		})
		.then(() => async () => heard.join('\n') + (await page.evaluate(() => window.heard.join('\n'))));
}

test('a hidden game in two windows tells each only its own card', async ({ open, server }) => {
	const alice = await open();
	const toAlice = await tap(alice.page);
	await startMatch(alice, 'kuhn_poker', { alice: 'me', bob: 'guest' });
	const link = await alice.page.getByRole('link', { name: 'Open it in a new window' }).getAttribute('href');
	const bob = await open();
	await bob.page.evaluate(() => localStorage.clear()); // a guest has no token
	const toBob = await tap(bob.page);
	await bob.page.goto('about:blank');
	await bob.page.goto(link);
	await bob.page.getByLabel('Seats').waitFor();
	await waitForStep(alice.page, 1);
	await waitForStep(bob.page, 1);
	const cardOf = async (w) => (await w.page.locator('.history').textContent()).match(/your card (\w+)/)?.[1];
	const own = await cardOf(alice);
	const other = await cardOf(bob);
	assert(own && other && own !== other, `both were dealt a card: ${own}, ${other}`);
	await alice.page.getByLabel('Legal moves').getByRole('button', { name: 'bet' }).click();
	await waitForStep(bob.page, 2);
	await bob.page.getByLabel('Legal moves').getByRole('button', { name: 'fold' }).waitFor();
	// What is certain for a role and the moves of chance must not name the other's card; beliefs name both that are possible.
	for (const [who, text, hidden] of [['alice', await toAlice(), other], ['bob', await toBob(), own]]) {
		const foe = who === 'alice' ? 'bob' : 'alice';
		for (const line of text.split('\n').filter((l) => l.includes('"view"'))) {
			const view = JSON.parse(line).view ?? JSON.parse(line).state?.view;
			assert(!(view?.state ?? []).includes(`(holds ${foe} ${hidden})`), `${who} is told ${foe}'s card`);
			const sure = (view?.belief?.fluents ?? []).find((f) => f.text === `(holds ${foe} ${hidden})`);
			assert(!sure || sure.probability < 0.99, `${who} is sure of ${foe}'s card`);
		}
		assert(!new RegExp(`"random": ?"\\(deal`).test(text), `${who} is told the deal`);
	}
	assert(!(await toBob()).includes(server.address.split('token=')[1]), 'the guest never hears the token');
});

await run();
