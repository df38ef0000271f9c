// The operator's console in a real browser against a real server, without scripts, on a phone and by keyboard.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE, accessible, launch, picture } from './browser.mjs';
import { SCHEME, PAPER } from './pdf.mjs';
import { api, paper, script, settled } from './service.mjs';

const CONSOLE = process.env.TICKMARK_CONSOLE;
const KEY = process.env.TICKMARK_OPERATOR_KEY;
const ACCOUNT = process.env.TICKMARK_ACCOUNT;
const PATIENCE_MS = 60_000;

let browser;
let submission;
let paperId;

before(async () => {
  browser = await launch();
  const made = await paper('Leaves <b>and</b> light', PAPER, SCHEME.map((page) => [...page, [60, 410, '6', true], [100, 410, 'less water is lost there'], [512, 410, '[1]']]));
  paperId = made.id;
  await api('POST', `/v1/papers/${made.id}/approve`);
  submission = await settled((await script(made.id, 'student-7', [[[60, 70, '1'], [84, 70, 'photosynthesis']]])).id);
});

after(() => browser?.close());

/** A fresh browser that is logged in. Everything it asks for must be the console's, and nothing may go wrong. */
async function console_(options = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const seen = { requests: [], troubles: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('pageerror', (error) => seen.troubles.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && seen.troubles.push(message.text()));
  await page.goto(`${CONSOLE}/accounts`);
  await page.getByLabel('Operator key').fill(KEY);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  return { context, page, seen };
}

function calm({ requests, troubles }) {
  assert.deepEqual(requests.filter((url) => !url.startsWith(`${CONSOLE}/`)), []);
  assert.deepEqual(troubles, []);
}

const PAGES = [
  '/', '/accounts', '/accounts/new', `/accounts/${ACCOUNT}`, `/accounts/${ACCOUNT}/keys`, `/accounts/${ACCOUNT}/credits?mode=test`,
  `/accounts/${ACCOUNT}/endpoints`, `/accounts/${ACCOUNT}/papers?mode=test`, `/accounts/${ACCOUNT}/submissions?mode=test`,
  `/accounts/${ACCOUNT}/events?mode=test`, '/failures', '/events', '/log', '/settings', `/confirm?change=suspend&account=${ACCOUNT}`,
];

// Dark differs by its colours only, which these pages have all of.
const COLOURFUL = ['/', `/accounts/${ACCOUNT}/keys`, `/confirm?change=suspend&account=${ACCOUNT}`];

test('every page is accessible, in light and dark, and asks nobody else for anything', async () => {
  for (const [colorScheme, paths] of [['light', [...PAGES, `/papers/${paperId}`, `/submissions/${submission.id}`]], ['dark', COLOURFUL]]) {
    const { context, page, seen } = await console_({ colorScheme });
    for (const path of paths) {
      await page.goto(CONSOLE + path);
      await accessible(page, `${path} (${colorScheme})`);
    }
    await page.goto(CONSOLE);
    await picture(page, `console-overview-${colorScheme}`);
    calm(seen);
    await context.close();
  }
});

test('the login page is accessible and says when a key is wrong', async () => {
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await context.newPage();
  await page.goto(`${CONSOLE}/login`);
  await accessible(page, 'login');
  await picture(page, 'console-login');
  await page.getByLabel('Operator key').fill('tm_op_wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  await accessible(page, 'a failed login');
  await context.close();
});

test('on a phone nothing sticks out of the page', async () => {
  const { context, page, seen } = await console_({ viewport: PHONE });
  for (const path of [...PAGES, `/papers/${paperId}`, `/submissions/${submission.id}`]) {
    await page.goto(CONSOLE + path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.width, `${path} is ${width} wide`);
  }
  await page.goto(`${CONSOLE}/accounts/${ACCOUNT}/credits?mode=test`);
  await accessible(page, 'credits on a phone');
  await picture(page, 'console-phone-credits');
  await page.goto(CONSOLE);
  await picture(page, 'console-phone-overview');
  calm(seen);
  await context.close();
});

test('by keyboard and without scripts: credits are topped up, and the log tells', async () => {
  const { context, page } = await console_({ javaScriptEnabled: false });
  await page.goto(`${CONSOLE}/accounts/${ACCOUNT}/credits?mode=test`);
  await page.getByLabel('Credits', { exact: true }).focus();
  await page.keyboard.type('250');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Top up these credits?' }).waitFor();
  await picture(page, 'console-confirm');
  await page.getByLabel('Why? It stays in the log (optional).').focus();
  await page.keyboard.type('pilot of two weeks');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The credits are topped up.').waitFor();
  await picture(page, 'console-credits');
  await page.goto(`${CONSOLE}/log`);
  const line = page.locator('tbody tr').first();
  assert.match(await line.textContent(), /credits\.topped_up.*250 test credits.*pilot of two weeks/);
  await context.close();
});

test('a key is issued and shown once, and the skip link leads past the frame', async () => {
  const { context, page, seen } = await console_();
  await page.goto(`${CONSOLE}/accounts/${ACCOUNT}/keys`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the page');
  await page.getByLabel('A name to tell keys apart (optional)').fill('from the console');
  await page.getByLabel('papers:read').check();
  await page.getByRole('button', { name: 'Go on…' }).click();
  await page.getByRole('button', { name: 'Issue the key' }).click();
  const secret = await page.locator('.secret').textContent();
  assert.match(secret, /^tm_sk_test_/);
  await accessible(page, 'the new key');
  await picture(page, 'console-key');
  await page.getByRole('link', { name: "To the account's keys" }).click();
  await page.getByText('from the console').waitFor();
  assert.ok(!(await page.content()).includes(secret));
  calm(seen);
  await context.close();
});

test('a student is shown after a reason, and the title of a paper is only text', async () => {
  const { context, page, seen } = await console_();
  await page.goto(`${CONSOLE}/papers/${paperId}`);
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Leaves <b>and</b> light');
  await page.goto(`${CONSOLE}/submissions/${submission.id}`);
  assert.ok(!(await page.content()).includes('student-7'));
  await page.getByLabel('Why do you need to see them?').fill('ticket 12');
  await page.getByRole('button', { name: 'Record it and show them' }).click();
  await page.getByText('student-7').waitFor();
  await accessible(page, 'the student');
  await picture(page, 'console-student');
  calm(seen);
  await context.close();
});

test('the figures of the overview go on by themselves', async () => {
  const { context, page, seen } = await console_();
  await page.clock.install();
  await page.goto(CONSOLE);
  const answer = page.waitForResponse(`${CONSOLE}/live.json`);
  await page.clock.runFor(10_500);
  assert.equal((await answer).status(), 200);
  calm(seen);
  await context.close();
});
