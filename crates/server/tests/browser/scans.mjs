// The page on which the split of a class scan is looked at, corrected and confirmed, in a real browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, accessible, calm, launch, open, picture } from './browser.mjs';
import { PAPER, SCHEME } from './pdf.mjs';
import { BASE, api, classScan, link, paper } from './service.mjs';

const STUDENTS = [
  { external_id: 's-1', name: 'Ada Lovelace' }, { external_id: 's-2', name: 'Grace Hopper' }, { external_id: 's-3', name: 'Mary <b>Somerville</b>' },
];
const ANSWERS = [[60, 70, '1'], [84, 70, 'photosynthesis']];
const MORE = [[60, 70, '3'], [84, 70, 'B']];

let browser;
let own;

before(async () => {
  browser = await launch();
  own = await paper('A class in one stack', PAPER, SCHEME.map((page) => [...page, [60, 410, '6', true], [100, 410, 'less water is lost there'], [512, 410, '[1]']]));
  await api('POST', `/v1/papers/${own.id}/approve`);
});

after(() => browser?.close());

async function desk(scan, options) {
  const opened = await open(browser, await link(own.id), options);
  await opened.page.locator('#app').waitFor({ state: 'visible' });
  await opened.page.goto(`${BASE}/review/desk#scans${scan ? `/${scan.id}` : ''}`);
  return opened;
}

/** The paper's submissions: student and number of pages. */
async function submitted() {
  const { data } = await api('GET', `/v1/submissions?paper_id=${own.id}&limit=100`);
  return data.map((one) => `${one.student.external_id} ${one.files.reduce((sum, file) => sum + file.pages, 0)}`).sort();
}

test('by keyboard alone: a boundary is moved, a student chosen, a blank page left out, the split confirmed', async () => {
  // One cover was forgotten: the second stack holds two students, and a blank page.
  const scan = await classScan(own.id, STUDENTS, [[ANSWERS, MORE], [ANSWERS, MORE, ANSWERS, []]]);
  const { context, page, seen } = await desk();
  await page.getByRole('link', { name: /^Scan of/ }).press('Enter');
  const scripts = page.locator('.scan-script');
  await scripts.nth(1).waitFor();
  assert.equal(page.url(), `${BASE}/review/desk#scans/${scan.id}`);
  await page.getByAltText('Picture of page 4, cover sheet').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.images].filter((image) => image.alt === 'Picture of page 1, cover sheet')[0]?.naturalWidth > 0);
  assert.match(await page.locator('#view').textContent(), /No script of: Mary <b>Somerville<\/b>\./);
  await accessible(page, 'the split of a class scan');
  await picture(page, 'class-scan');

  await page.getByRole('button', { name: 'Leave out 1 blank page' }).press('Enter');
  await page.getByRole('button', { name: 'Leave out 0 blank pages' }).waitFor();
  await page.getByRole('button', { name: 'Begin a script at page 7' }).press('Enter');
  await scripts.nth(2).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'boundary-7', 'the focus stays where the work is');
  await page.getByRole('button', { name: 'Confirm 3 scripts' }).press('Enter');
  await page.locator('#saved', { hasText: 'Say whose script begins at page 7.' }).waitFor();
  const reference = scripts.nth(2).getByLabel('Student’s reference');
  await reference.focus();
  await page.keyboard.type('s-3');
  await page.keyboard.press('Tab');
  assert.equal(await scripts.nth(2).getByLabel('Name').inputValue(), 'Mary <b>Somerville</b>');
  await page.getByRole('button', { name: 'Confirm 3 scripts' }).press('Enter');
  await page.getByText('Submitted. 3 of 3 scripts submitted.').waitFor();
  assert.deepEqual(await submitted(), ['s-1 2', 's-2 2', 's-3 1']);
  calm(seen);
  await context.close();
});

test('on a phone: a script of a student who has one is refused, given to another and confirmed again', async () => {
  const scan = await classScan(own.id, [{ external_id: 's-1' }, { external_id: 's-4' }], [[ANSWERS], [MORE]]);
  const { context, page, seen } = await desk(scan, { viewport: PHONE, hasTouch: true });
  await page.getByRole('button', { name: 'Confirm 2 scripts' }).tap();
  await page.getByText('This student has a script for this paper already.').waitFor();
  assert.match(await page.locator('.scan-script.is-submitted').textContent(), /submitted/);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(isWide, false, 'nothing runs out of a small screen');
  await accessible(page, 'the split on a phone');
  await page.getByLabel('Student’s reference').first().fill('s-5');
  await page.getByRole('button', { name: 'Confirm 1 script' }).tap();
  await page.getByText('Submitted. 2 of 2 scripts submitted.').waitFor();
  assert.deepEqual(await submitted(), ['s-1 2', 's-2 2', 's-3 1', 's-4 1', 's-5 1']);
  calm(seen);
  await context.close();
});
