// The marking desk in a real browser against a real server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, accessible, calm, launch, open, picture } from './browser.mjs';
import { SCHEME, PAPER } from './pdf.mjs';
import { BASE, api, link, paper, script, settled } from './service.mjs';

let browser;
let own;
let scripts;

const GOOD = [
  [60, 70, '1'], [84, 70, 'photosynthesis'], [60, 110, '2 (a)'], [108, 110, 'water and carbon dioxide'],
  [60, 150, '2 (b)'], [108, 150, 'no chlorophyll is made without light'], [60, 190, '3'], [84, 190, 'B'],
  [60, 230, '4'], [84, 230, '9600 / 24 = 400'], [60, 270, '5'], [84, 270, 'water is taken up by root hairs and rises in the xylem'],
];
const WEAK = [
  [60, 70, '1'], [84, 70, 'respiration'], [60, 110, '2 (a)'], [108, 110, 'Water.'], [60, 150, '3'], [84, 150, 'C'],
  [60, 190, '4'], [84, 190, '40'], [60, 230, '5'], [84, 230, 'the sun pulls it'],
];

/** Nothing changes by itself unless a test is about that. */
async function approved(title, learning = false) {
  const made = await paper(title, PAPER, SCHEME.map((page) => [...page, [60, 410, '6', true], [100, 410, 'less water is lost there'], [512, 410, '[1]']]), {
    results_release: 'after_review', grading: { learning },
  });
  await api('POST', `/v1/papers/${made.id}/approve`);
  return made;
}

before(async () => {
  browser = await launch();
  own = await approved('Leaves and light: the class');
  const made = [];
  for (const [student, pages] of [['s-1', GOOD], ['s-2', WEAK], ['s-3', WEAK], ['s-4', GOOD]]) made.push(await script(own.id, student, [pages]));
  scripts = [];
  for (const submission of made) scripts.push(await settled(submission.id));
});

after(() => browser?.close());

async function desk(options, reviewer) {
  const opened = await open(browser, await link(own.id, reviewer), options);
  await opened.page.locator('#app').waitFor({ state: 'visible' });
  await opened.page.locator('.grid tbody tr').first().waitFor();
  return opened;
}

const said = (page, text) => page.locator('#saved', { hasText: text }).waitFor();

test('a link on a ready paper opens the desk with the class', async () => {
  const { context, page, seen } = await desk();
  assert.equal(page.url(), `${BASE}/review/desk`);
  assert.equal(await page.locator('tbody tr').count(), 4);
  assert.match(await page.locator('#progress-text').textContent(), /^0 of \d+ answers checked/);
  await picture(page, 'desk-class');
  await accessible(page, 'the class');
  await page.getByLabel('Find a student').fill('s-2');
  await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
  assert.match(await page.locator('tbody th').textContent(), /s-2/);
  await page.getByLabel('Find a student').fill('');
  await page.locator('tbody tr').nth(3).waitFor();
  await page.getByRole('button', { name: 'Score' }).click();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Score' }).waitFor();
  assert.match(await page.locator('tbody th').first().textContent(), /s-[23]/);
  await page.getByLabel('Show').selectOption('released');
  await page.getByText('No script is like that.').waitFor();
  await page.getByLabel('Show').selectOption('all');
  calm(seen);
  await context.close();
});

test('by keyboard alone: a question is checked, corrected and undone', async () => {
  const { context, page, seen } = await desk();
  await page.goto(`${BASE}/review/desk#part/0/`);
  const cards = page.locator('.answer');
  await cards.nth(3).waitFor();
  await page.locator('.cutout img').first().waitFor();
  const mark = (index) => cards.nth(index).locator('.mark').textContent();
  const first = await mark(0);
  for (let presses = 0; presses < 40 && !(await cards.first().evaluate((card) => card === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('a');
  await said(page, 'Saved: Answer 1');
  await page.waitForFunction(() => document.activeElement === document.querySelectorAll('.answer')[1]);
  assert.equal(await mark(0), first);
  assert.match(await cards.first().getAttribute('class'), /is-checked/);
  const other = (await mark(1)).startsWith('1') ? '0' : '1';
  await page.keyboard.press(other);
  await said(page, `Saved: Answer 2, ${other} of 1`);
  assert.match(await cards.nth(1).locator('.answer-head').textContent(), /machine/);
  assert.match(await page.locator('#part-checked').textContent(), /2 of 4 checked/);
  await picture(page, 'desk-question');
  await accessible(page, 'the question view');
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement === document.querySelectorAll('.answer')[2]);
  await page.locator('#undo').focus();
  await page.keyboard.press('Enter');
  await said(page, 'Undone');
  await page.locator('#undo').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#progress-text').textContent.startsWith('0 of'));
  for (const { id } of scripts) {
    const result = await api('GET', `/v1/submissions/${id}/result`);
    assert.equal(result.adjusted, false, 'undo is exact');
  }
  calm(seen);
  await context.close();
});

test('what was read is corrected and judged again, with a remark', async () => {
  const { context, page, seen } = await desk();
  await page.goto(`${BASE}/review/desk#script/${scripts[1].id}`);
  const card = page.locator('.answer', { hasText: 'Question 1' }).first();
  await card.waitFor();
  await page.locator('.sheet-page img').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.sheet-page img').naturalWidth > 0);
  await card.getByRole('button', { name: 'The student wrote…' }).click();
  await accessible(page, 'the dialog');
  await page.getByLabel('What the student really wrote').fill('photosynthesis');
  await page.getByRole('button', { name: 'Judge again' }).click();
  await said(page, 'Saved: Question 1, 1 of 1');
  await card.getByLabel('Remark for the student').fill('Write more clearly.');
  await card.getByLabel('Remark for the student').press('Tab');
  await said(page, 'Saved: Question 1');
  await picture(page, 'desk-script');
  await accessible(page, 'the script view');
  const [question] = (await api('GET', `/v1/submissions/${scripts[1].id}/result`)).questions;
  assert.deepEqual([question.answer, question.awarded, question.awarded_by_machine, question.remark], ['photosynthesis', 1, 0, 'Write more clearly.']);
  calm(seen);
  await context.close();
});

test('two teachers at once: the slower one sees it and chooses', async () => {
  const [one, other] = [await desk({}, 'Ms Okafor'), await desk({}, 'Mr Lindqvist')];
  for (const { page } of [one, other]) {
    await page.goto(`${BASE}/review/desk#script/${scripts[2].id}`);
    await page.locator('.answer').first().waitFor();
  }
  const card = ({ page }) => page.locator('.answer', { hasText: 'Question 4' }).first();
  await card(one).getByRole('button', { name: '2', exact: true }).click();
  await said(one.page, 'Saved: Question 4, 2 of 2');
  await card(other).getByRole('button', { name: '1', exact: true }).click();
  await other.page.getByText('Ms Okafor decided about this answer in the meantime: 2 of 2 marks.').waitFor();
  await accessible(other.page, 'a conflict');
  await picture(other.page, 'desk-conflict');
  await other.page.getByRole('button', { name: 'Use mine' }).click();
  await said(other.page, 'Saved: Question 4, 1 of 2');
  const { data } = await api('GET', `/v1/submissions/${scripts[2].id}/adjustments`);
  // Which answers the tests before decided about and undid depends on who is least sure.
  const decided = data.filter(({ question }) => question === '4');
  assert.deepEqual(decided.map(({ reviewer, awarded }) => [reviewer, awarded]), [['Mr Lindqvist', 1], ['Ms Okafor', 2]]);
  for (const { context, seen } of [one, other]) {
    calm(seen);
    await context.close();
  }
});

test('like answers are marked together, and who does not belong is taken out', async () => {
  const { context, page, seen } = await desk();
  await page.goto(`${BASE}/review/desk#part/4/`);
  await page.getByRole('button', { name: 'Like answers together' }).click();
  const group = page.locator('.group').first();
  await group.waitFor();
  await accessible(page, 'groups');
  await picture(page, 'desk-groups');
  await group.locator('summary').click();
  const count = await group.locator('.members input').count();
  assert.ok(count >= 2);
  assert.match(await group.locator('.members li').first().textContent(), /s-\d: “/, 'who is touched is named');
  await group.locator('.members input').first().uncheck();
  await group.getByRole('button', { name: /Give all 1 / }).click();
  const told = `${count - 1} answer${count === 2 ? '' : 's'} marked 1`;
  await said(page, told);
  const decided = async () => {
    const lists = scripts.map(({ id }) => api('GET', `/v1/submissions/${id}/result`));
    return (await Promise.all(lists)).filter(({ questions }) => questions[4].adjusted).length;
  };
  const before = await decided();
  assert.ok(before >= count - 1);
  await page.locator('#undo').click();
  await said(page, `Undone: ${told}`);
  assert.equal(await decided(), before - (count - 1), 'undo is exact');
  calm(seen);
  await context.close();
});

test('on a phone and in the dark, and the figures', async () => {
  const { context, page, seen } = await desk({ viewport: PHONE, colorScheme: 'dark' });
  await accessible(page, 'the class on a phone in the dark');
  await page.goto(`${BASE}/review/desk#script/${scripts[0].id}`);
  await page.locator('.answer').first().waitFor();
  await accessible(page, 'a script on a phone in the dark');
  await picture(page, 'desk-phone');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing runs out of the screen');
  await page.goto(`${BASE}/review/desk#figures`);
  await page.getByRole('heading', { name: 'Figures' }).waitFor();
  await page.getByText(/^4 scripts, mean/).waitFor();
  await accessible(page, 'the figures');
  await picture(page, 'desk-figures');
  calm(seen);
  await context.close();
});

test('results are released: one, then those that are checked, and are final', async () => {
  const { context, page, seen } = await desk();
  await page.goto(`${BASE}/review/desk#script/${scripts[3].id}`);
  await page.getByRole('button', { name: 'Agree with all the rest' }).click();
  await said(page, 'checked');
  await page.getByRole('button', { name: 'Release…' }).click();
  await accessible(page, 'the release dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await said(page, '1 script released');
  await page.getByText('This result is released and final.').waitFor();
  assert.equal((await api('GET', `/v1/submissions/${scripts[3].id}`)).status, 'released');
  await page.goto(`${BASE}/review/desk#script/${scripts[0].id}`);
  await page.getByRole('button', { name: 'Release this script' }).click();
  await said(page, 'Released: s-1');
  assert.equal((await api('GET', `/v1/submissions/${scripts[0].id}`)).status, 'released');
  calm(seen);
  await context.close();
});

test('marks follow a decision, with the reason beside them', async () => {
  const taught = await approved('A class that teaches', true);
  const made = [];
  for (const [student, pages] of [['t-1', WEAK], ['t-2', WEAK], ['t-3', GOOD]]) made.push(await settled((await script(taught.id, student, [pages])).id));
  const { context, page, seen } = await open(browser, await link(taught.id, 'Ms Okafor'));
  await page.locator('.grid tbody tr').first().waitFor();
  await page.goto(`${BASE}/review/desk#script/${made[0].id}`);
  const card = (index) => page.locator('.answer').nth(index);
  await card(0).waitFor();
  await card(0).getByRole('button', { name: '1', exact: true }).click();
  await said(page, 'Saved: Question 1, 1 of 1');
  const following = async () => (await api('GET', `/v1/submissions/${made[1].id}/result`)).questions[0].awarded;
  for (let tries = 0; tries < 60 && (await following()) !== 1; tries += 1) await page.waitForTimeout(250);
  await page.goto(`${BASE}/review/desk#script/${made[1].id}`);
  await page.getByText('The same as an answer that you gave 1 of 1.').waitFor();
  assert.match(await card(0).locator('.answer-head').textContent(), /machine: 0/);
  await picture(page, 'desk-learned');
  await accessible(page, 'a mark that followed');
  calm(seen);
  await context.close();
});

test('the scheme is amended: tried on the class, shown, applied', async () => {
  const amended = await approved('A class and its scheme');
  const made = [];
  for (const [student, pages] of [['u-1', WEAK], ['u-2', GOOD], ['u-3', GOOD]]) made.push(await settled((await script(amended.id, student, [pages])).id));
  await api('POST', `/v1/submissions/${made[2].id}/release`, {});
  const { context, page, seen } = await open(browser, await link(amended.id, 'Ms Okafor'));
  await page.locator('.grid tbody tr').first().waitFor();
  await page.goto(`${BASE}/review/desk#part/0/`);
  await page.locator('.answer').first().waitFor();
  await page.getByRole('button', { name: 'Amend the scheme…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('As good as this, one in a line').fill('respiration');
  await accessible(page, 'the scheme');
  await picture(page, 'desk-scheme');
  await dialog.getByRole('button', { name: 'See what would change' }).click();
  await dialog.getByText('1 mark of 2 scripts would change.').waitFor();
  await dialog.getByText('0 → 1').waitFor();
  await dialog.getByText('1 released script will not be touched').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('listitem').filter({ hasText: 'u-3' }).waitFor();
  await accessible(page, 'what would change');
  await picture(page, 'desk-preview');
  const other = await open(browser, await link(amended.id, 'Mr Lindqvist'));
  await other.page.locator('.grid tbody tr').first().waitFor();
  await other.page.goto(`${BASE}/review/desk#part/4/`);
  await other.page.getByRole('button', { name: 'Amend the scheme…' }).click();
  await other.page.getByText('A change of question 1 by Ms Okafor is looked at now.').waitFor();
  await accessible(other.page, 'a scheme that another amends');
  await picture(other.page, 'desk-scheme-taken');
  await other.context.close();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await said(page, 'Version 2 of the scheme counts');
  const result = async () => api('GET', `/v1/submissions/${made[0].id}/result`);
  for (let tries = 0; tries < 60 && (await result()).scheme_version !== 2; tries += 1) await page.waitForTimeout(250);
  assert.equal((await result()).questions[0].awarded, 1);
  calm(seen);
  await context.close();
});

test('a reviewer sees only that paper, and no picture without a session', async () => {
  const { context, page } = await desk();
  const other = await approved('Another class');
  const foreign = await settled((await script(other.id, 's-9', [GOOD])).id);
  const status = (path) => page.evaluate(async (asked) => (await fetch(asked)).status, path);
  assert.equal(await status(`/review/desk/scripts/${foreign.id}`), 404);
  assert.equal(await status(`/review/desk/scripts/${foreign.id}/pages/0/1`), 404);
  assert.equal(await status(`/review/desk/scripts/${scripts[0].id}/pages/0/1`), 200);
  assert.equal(await status(`/review/desk/scripts/${scripts[0].id}/pages/0/99`), 404);
  assert.equal((await fetch(`${BASE}/review/desk/scripts/${scripts[0].id}/pages/0/1`)).status, 401);
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'You have left the desk' }).waitFor();
  assert.equal(await status('/review/desk/opening'), 401);
  await context.close();
});
