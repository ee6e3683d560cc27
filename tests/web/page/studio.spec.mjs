// Analysis, editor, tournaments, networks.
import { assert, patience, run, startMatch, test, waitForStep } from './harness.mjs';

const visits = (page) => page.locator('[data-running]').first().textContent();

test('an analysis grows, stops, and is followed on the board', async ({ open }) => {
	const w = await open();
	await w.go('/analyse?game=connect_four');
	await w.page.getByRole('button', { name: 'Think' }).click();
	await w.page.getByLabel('Moves by value').waitFor();
	const first = await visits(w.page);
	await w.page.waitForFunction((was) => document.querySelector('[data-running]').textContent !== was, first, { timeout: patience });
	assert((await w.page.locator('.moves-table tbody tr').count()) === 7, 'every move has its row');
	await w.page.getByRole('button', { name: 'Stop' }).click();
	await w.page.locator('[data-running=no]').waitFor();
	const last = await visits(w.page);
	await w.page.waitForTimeout(600);
	assert((await visits(w.page)) === last, 'nothing grows after the stop');
	await w.page.getByRole('button', { name: 'Show on the board' }).click();
	await w.page.locator('[data-piece]').first().waitFor();
	await w.page.keyboard.press('Escape');
	await w.page.waitForFunction(() => !document.querySelector('[data-piece]'), null, { timeout: patience });
	await w.page.getByRole('treeitem', { name: 'this position' }).getByRole('button').first().click();
	const held = w.page.getByRole('treeitem', { name: /^drop/ });
	await held.first().waitFor(); // what the search itself holds
	await held.first().getByRole('button').first().click();
	await held.first().getByRole('treeitem').first().waitFor();
	await w.page.getByRole('button', { name: 'Fold symmetric' }).click();
	await w.page.getByText('×2').first().waitFor();
	assert((await w.page.locator('.moves-table tbody tr').count()) === 4, 'mirrored columns are one row');
});

test('it is told why something holds and why not', async ({ open }) => {
	const w = await open();
	await w.go('/analyse?game=tictactoe');
	const ask = async (statement) => {
		await w.page.getByLabel('Statement of the rules').fill(statement);
		await w.page.getByRole('button', { name: 'Why, or why not?' }).click();
	};
	await ask('(legal o (mark 1 1))');
	await w.page.getByRole('heading', { name: 'Why does (legal o (mark 1 1)) not hold?' }).waitFor();
	await w.page.getByLabel('Why', { exact: true }).getByText(/control o/).first().waitFor();
	await ask('(legal x (mark 1 1))');
	await w.page.getByRole('heading', { name: 'Why does (legal x (mark 1 1)) hold?' }).waitFor();
	await ask('(legal x (mrak 1 1)');
	await w.page.getByLabel('Why', { exact: true }).getByRole('alert').waitFor();
});

test('a position of a match is analysed, and its course is drawn', async ({ open }) => {
	const w = await open();
	await startMatch(w, 'tictactoe', { x: 'player', o: 'player' });
	await w.page.locator('.result').waitFor();
	await w.page.getByRole('button', { name: 'Evaluate' }).click();
	await w.page.locator('.plot canvas').waitFor();
	await w.page.keyboard.press('Home');
	await w.page.keyboard.press('ArrowRight');
	await w.page.getByText('step 1 of').waitFor();
	await w.page.keyboard.press('a');
	await w.page.waitForURL(/analyse\?match=/);
	await w.page.getByText('step 1', { exact: true }).waitFor();
	await w.page.getByRole('button', { name: 'Think' }).click();
	await w.page.locator('.moves-table tr.best .seal').waitFor(); // small enough to be proved
	await w.page.locator('[data-running=no]').waitFor();
	await w.page.getByRole('button', { name: /^Why is/ }).first().click();
	await w.page.getByLabel('Why', { exact: true }).getByText(/control/).first().waitFor();
});

test('a mistake in the rules appears and goes', async ({ open }) => {
	const w = await open();
	await w.go('/write');
	await w.page.getByRole('button', { name: 'A puzzle' }).click();
	await w.page.getByText('No errors').waitFor();
	await w.page.getByLabel('Facts').getByText('solver').first().waitFor();
	await w.page.locator('.desk .ground').first().waitFor();
	await w.page.locator('.cm-content').click();
	await w.page.keyboard.press('Control+End');
	await w.page.keyboard.type('(<= (next (step ?n)) (true (stpe ?m)))');
	await w.page.getByLabel('Messages').getByText(/\d error/).waitFor();
	assert(/\?n/.test(await w.page.getByLabel('Messages').textContent()), 'the message names the variable');
	await w.page.locator('.cm-lintRange-error').first().waitFor();
	await w.page.reload();
	await w.page.getByLabel('Messages').getByText(/\d error/).waitFor(); // nothing is lost
	await w.page.locator('.cm-content').click();
	await w.page.keyboard.press('Control+End');
	await w.page.keyboard.press('Shift+Home');
	await w.page.keyboard.press('Delete');
	await w.page.getByText('No errors').waitFor();
	await w.page.getByLabel('Board').getByRole('link', { name: 'Play' }).click();
	await w.page.getByRole('button', { name: 'Start', exact: true }).click();
	await w.page.waitForURL(/\/play\/m/);
	await w.page.locator('.hit.on').first().click();
	await waitForStep(w.page, 1);
});

test('a tournament fills its tables, and its matches open', async ({ open }) => {
	const w = await open();
	await w.go('/tournaments');
	await w.page.getByRole('button', { name: 'New tournament' }).click();
	await w.page.getByLabel('Rounds').fill('2');
	await w.page.getByLabel('Playouts', { exact: true }).fill('30');
	await w.page.getByLabel('Player to add').selectOption('random');
	await w.page.getByRole('button', { name: 'Add', exact: true }).click();
	await w.page.getByRole('button', { name: 'Start', exact: true }).click();
	await w.page.waitForURL(/tournaments\/./);
	await w.page.getByLabel('Cross table').getByRole('row', { name: /^macaw/ }).waitFor();
	await w.page.getByText('12 matches').waitFor();
	await w.page.getByLabel('Elo').getByText('random').waitFor();
	await w.page.getByRole('button', { name: /^Open / }).first().click();
	await w.page.waitForURL(/\/play\/m/);
	await w.page.locator('.result').waitFor();
});

test('a network is drawn and solved node by node', async ({ open }) => {
	const w = await open();
	await w.go('/networks');
	await w.page.getByLabel('Network of a file').selectOption({ label: 'queens8.xml' });
	await w.page.locator('.variable').nth(7).waitFor();
	const step = w.page.getByRole('button', { name: 'One node' });
	await step.click();
	await w.page.locator('.search-node').first().waitFor();
	await step.click();
	await w.page.locator('.tick.gone').first().waitFor();
	assert((await w.page.locator('.search-node').count()) === 2, 'one node a click');
	await w.page.getByLabel('Seconds between nodes').selectOption('0');
	await w.page.getByRole('button', { name: 'Run' }).click();
	await w.page.getByText(/1 solutions?, done/).waitFor();
	assert((await w.page.locator('.search-node.failed').count()) > 0, 'failures are marked');
	await w.go('/networks?game=tictactoe');
	await w.page.locator('.variable').nth(20).waitFor();
});

await run();
