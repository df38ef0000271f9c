// A reading with faults is put right: by keyboard, by selecting several questions, by a box on the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, accessible, calm, card, launch, numbers, open, picture, ready, saved } from './browser.mjs';
import { PAPER, SCHEME, longPaper, longScheme } from './pdf.mjs';
import { link, paper, questions } from './service.mjs';

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

async function review(url, options) {
  const opened = await open(browser, url, options);
  await ready(opened.page);
  return opened;
}

/** Waits until the questions have these numbers, in this order. */
async function numbered(page, expected) {
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll('.card-number')].map((one) => one.textContent).join() === wanted, expected.join());
}

/** The faults that readers make: instructions taken for questions, one question in two, a number twice, wrong marks, no key. */
async function spoil(url) {
  const { context, page } = await review(url);
  await page.evaluate(async () => {
    const { paper: { id }, questions: all } = await (await fetch('/review/paper')).json();
    const bare = (number, text) => ({ ...all[0].question, number, text, marks: null, answer_key: null, regions: [], pages: [1], warnings: [] });
    const half = { ...all[6].question, number: '8', text: 'and say how you know.', marks: null, answer_key: null, regions: [] };
    const save = (index, change) => ({ save: { id: all[index].id, version: all[index].version, question: { ...all[index].question, ...change } } });
    const steps = [
      { insert: { after: null, question: bare('3', 'Write in black ink.') } },
      { insert: { after: null, question: bare('2', 'Answer all questions.') } },
      { insert: { after: null, question: bare('1', 'Fill in the boxes at the top of this page.') } },
      { insert: { after: all[6].id, question: half } },
      save(11, { number: '11' }),
      save(14, { marks: 11 }),
      save(17, { answer_key: null }),
    ];
    const headers = { 'content-type': 'application/json', 'x-tickmark-review': id };
    const answer = await fetch('/review/edits', { method: 'POST', headers, body: JSON.stringify({ action: 'edit', steps }) });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await context.close();
}

test('a paper of twenty questions with five faults is put right with few keys', async () => {
  const own = await paper('Twenty questions', longPaper(20), longScheme(20));
  const url = await link(own.id);
  await spoil(url);
  const { context, page, seen } = await review(url);
  let keys = 0;
  const press = async (...names) => {
    for (const name of names) {
      keys += 1;
      await page.keyboard.press(name);
    }
  };
  const type = async (text) => {
    keys += text.length;
    await page.keyboard.type(text);
  };
  /** Goes down the list to a question, as the reviewer does who sees it on the screen. */
  const goTo = async (number) => {
    for (let count = 0; count < 30; count += 1) {
      const at = await page.evaluate(() => document.activeElement.querySelector('.card-number')?.textContent ?? null);
      if (at === number) return;
      await press('j');
    }
    assert.fail(`question ${number} cannot be reached`);
  };
  const check = page.locator('#check');
  assert.match(await check.textContent(), /Questions 1, 2 and 3 have neither marks nor a key and may be instructions/);
  assert.match(await check.textContent(), /Question 11 has the same number as another question/);
  assert.match(await check.textContent(), /Question 18 has no answer key/);
  await accessible(page, 'a paper with faults');
  await picture(page, 'faults');

  // Instructions: one button.
  await press('Tab', 'Enter', 'Tab', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('#list > li').length === 21);
  // Seven and its second half become one again.
  await goTo('7');
  await press('m');
  await page.waitForFunction(() => document.querySelectorAll('#list > li').length === 20);
  // The second 11 is 12.
  await goTo('11');
  await press('j', 'n');
  await type('12');
  await press('Escape');
  await saved(page);
  // Fifteen is worth 1, not 11.
  await goTo('15');
  await press('p');
  await type('1');
  await press('Escape');
  await saved(page);
  // Eighteen has a key.
  await goTo('18');
  await press('Enter');
  for (let count = 0; count < 12; count += 1) {
    if ((await page.evaluate(() => document.activeElement.textContent)) === 'Add a mark point') break;
    await press('Tab');
  }
  await press('Enter');
  await type('the colour of liquid 18 changes');
  await press('Escape');
  await saved(page);
  await page.locator('#check', { hasText: 'Nothing left to check' }).waitFor();
  const stored = await questions(own.id);
  assert.deepEqual(stored.map((question) => question.number), Array.from({ length: 20 }, (_, index) => String(index + 1)));
  assert.ok(stored.every((question) => question.marks === 1 && question.answer_key), JSON.stringify(stored.map(({ marks }) => marks)));
  // A practised hand needs about 0.28 s for a key and 1.35 s to decide what comes next; each fault has a few decisions.
  const seconds = 0.28 * keys + 1.35 * 5 * 4;
  console.log(`${keys} keys, about ${Math.round(seconds)} s`);
  assert.ok(keys <= 110 && seconds < 180, `${keys} keys, ${seconds} s`);
  calm(seen);
  await context.close();
});

test('what does not add up is said, and never beside "Nothing left to check"', async () => {
  const whole = [...SCHEME[0], [60, 410, '6', true], [100, 410, 'it is cooler there'], [512, 410, '[1]']];
  const own = await paper('Adding up', PAPER, [whole]);
  const { context, page, seen } = await review(await link(own.id));
  const check = page.locator('#check');
  assert.match(await check.textContent(), /Nothing left to check/);
  await card(page, '1').locator('.card-toggle').focus();
  await page.keyboard.press('p');
  await page.keyboard.type('2');
  await saved(page);
  await page.locator('#check', { hasText: 'The paper has questions that add up to 13 marks, but says 12.' }).waitFor();
  assert.match(await check.textContent(), /Question 1 has a key that gives only 1 mark, but is worth 2\./);
  assert.doesNotMatch(await check.textContent(), /Nothing left/);
  await page.keyboard.press('Escape');
  await page.locator('#approve').click();
  assert.match(await page.getByRole('dialog').textContent(), /2 things still do not add up/);
  await page.keyboard.press('Escape');
  await page.locator('#undo').click();
  await page.locator('#check', { hasText: 'Nothing left to check' }).waitFor();
  calm(seen);
  await context.close();
});

test('several questions are selected, deleted, joined, and brought back', async () => {
  const own = await paper('Selecting', PAPER, SCHEME);
  const { context, page, seen } = await review(await link(own.id));
  const undone = async () => {
    await page.locator('#undo').click();
    await numbered(page, ['1', '2', '3', '4', '5', '6']);
  };
  for (const number of ['2', '4', '5']) await page.getByLabel(`Select question ${number}`, { exact: true }).check();
  await page.getByText('3 questions selected').waitFor();
  await accessible(page, 'a selection');
  await picture(page, 'selection');
  await page.locator('#bulk-delete').click();
  await numbered(page, ['1', '3', '6']);
  assert.equal(await page.locator('#bulk').isVisible(), false);
  await undone();
  assert.deepEqual((await questions(own.id)).map((question) => question.number), ['1', '2', '3', '4', '5', '6']);

  await card(page, '3').locator('.card-toggle').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 questions selected').waitFor();
  await page.keyboard.press('m');
  await numbered(page, ['1', '2', '3', '6']);
  const joined = (await questions(own.id))[2];
  assert.equal(joined.marks, 6);
  assert.match(joined.text, /chlorophyll[^]*stomata[^]*water moves/);
  await undone();

  for (const number of await numbers(page)) await page.getByLabel(`Select question ${number}`, { exact: true }).check();
  await page.locator('#bulk-delete').click();
  await page.locator('#saved', { hasText: 'A paper keeps at least one question.' }).waitFor();
  calm(seen);
  await context.close();
});

test('a box on the page becomes a question or a part of one', async () => {
  const own = await paper('Boxes', PAPER, SCHEME);
  const { context, page, seen } = await review(await link(own.id));
  await page.locator('figure.is-drawn').first().waitFor();
  /** Where a place of the first page is on the screen, once that page is in sight. */
  const onPage = async () => {
    await page.evaluate(() => { document.querySelector('#pages').scrollTop = 0; });
    const sheet = await page.locator('.page-paper').first().boundingBox();
    return (x, y) => [sheet.x + (x / 595) * sheet.width, sheet.y + (y / 842) * sheet.height];
  };
  await page.locator('#draw').click();
  let spot = await onPage();
  await page.mouse.move(...spot(80, 482));
  await page.mouse.down();
  await page.mouse.move(...spot(300, 520), { steps: 3 });
  await page.mouse.move(...spot(500, 556));
  await picture(page, 'box');
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'What is in the box?' });
  assert.match(await dialog.textContent(), /A the nucleus/);
  await accessible(page, 'the dialog for a box');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await numbered(page, ['1', '2', '3', '4', '4', '5', '6']);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.path), 'number');
  const stored = await questions(own.id);
  assert.equal(stored[3].text, 'A the nucleus\nB the chloroplast\nC the cell wall\nD the vacuole');
  assert.match(await page.locator('#check').textContent(), /Question 4 has the same number as another question/);
  await page.keyboard.press('Escape');
  await page.locator('#undo').click();
  await numbered(page, ['1', '2', '3', '4', '5', '6']);

  // Two clicks do as well as a drag.
  await page.locator('#draw').click();
  spot = await onPage();
  await page.mouse.click(...spot(100, 340));
  await page.mouse.click(...spot(500, 360));
  await dialog.getByLabel('The box is').selectOption({ label: 'A part of question 2' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await saved(page);
  const parts = (await questions(own.id))[1].parts;
  assert.deepEqual(parts.map((part) => part.label), ['(a)', '(b)', '(c)']);
  assert.equal(parts[2].text, 'Explain why the plant in the cupboard turns pale.');
  calm(seen);
  await context.close();
});

test('the list view is gone through with one key, and the pages and the scheme follow', async () => {
  const own = await paper('List view', PAPER, SCHEME);
  for (const [name, options] of [
    ['list', {}], ['list-dark', { colorScheme: 'dark' }], ['list-phone', { viewport: PHONE, hasTouch: true }],
    ['list-phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
  ]) {
    const { context, page, seen } = await review(await link(own.id), options);
    await page.locator('#as-list').click();
    assert.equal(await page.evaluate(() => document.activeElement.querySelector('.card-number').textContent), '1');
    assert.equal(await card(page, '1').locator('.card-key').textContent(), 'photosynthesis');
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    assert.match(await page.locator('#totals').textContent(), /2 checked/);
    assert.equal(await page.evaluate(() => document.activeElement.querySelector('.card-number').textContent), '3');
    await accessible(page, name);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `${name}: the page is ${overflow} pixels too wide`);
    await picture(page, name);
    if (name === 'list') {
      await page.keyboard.press('s');
      await page.locator('figure.is-drawn img[alt="Page 1 of the marking scheme"]').waitFor();
      const active = page.locator('.outline.is-active .outline-label');
      assert.equal(await active.first().textContent(), '3');
      await page.keyboard.press('j');
      assert.equal(await active.first().textContent(), '4');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Alt+ArrowDown');
      assert.equal(await active.first().textContent(), '5');
      assert.equal(await card(page, '5').locator('.card-toggle').getAttribute('aria-expanded'), 'true');
      assert.equal(await card(page, '4').locator('.card-toggle').getAttribute('aria-expanded'), 'false');
      await picture(page, 'scheme');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await accessible(page, 'the keys');
      await picture(page, 'keys');
      await page.keyboard.press('Escape');
      await page.reload();
      await ready(page);
      assert.match(await page.locator('#totals').textContent(), /2 checked/, 'kept for this tab');
    }
    calm(seen);
    await context.close();
  }
});
