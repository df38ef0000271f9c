// The review page in a real browser against a real server: every test opens a link in a fresh profile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, accessible, calm, card, launch, numbers, open, picture, ready, saved, unfold } from './browser.mjs';
import { PAPER, SCHEME, longPaper, longScheme } from './pdf.mjs';
import './mending.mjs';
import './model.mjs';
import { BASE, api, link, paper, questions } from './service.mjs';

let browser;
/** A paper that tests may change but not approve. */
let shared;

before(async () => {
  browser = await launch();
  shared = await paper('Biology: Leaves and light', PAPER, SCHEME);
});

after(() => browser?.close());

async function review(url, options) {
  const opened = await open(browser, url, options);
  await ready(opened.page);
  return opened;
}

test('a link opens the paper, and its token leaves the address bar', async () => {
  const { context, page, seen } = await review(await link(shared.id));
  assert.equal(page.url(), `${BASE}/review`);
  assert.equal(await page.locator('h1').first().textContent(), 'Biology: Leaves and light');
  assert.deepEqual(await numbers(page), ['1', '2', '3', '4', '5', '6']);
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
  assert.ok(!seen.requests.some((url) => url.includes(cookie.value)));
  await page.reload();
  await ready(page);
  await page.locator('figure.is-drawn').first().waitFor();
  assert.match(await page.locator('#check-title').textContent(), /to check/);
  assert.match(await page.locator('#check').textContent(), /Question 6 has no answer key/);
  await picture(page, 'desktop');
  calm(seen);
  await context.close();
});

test('hovering or focusing a question outlines it on its page, and the other way round', async () => {
  const { context, page, seen } = await review(await link(shared.id));
  await page.locator('figure.is-drawn').first().waitFor();
  await card(page, '2').hover();
  const active = page.locator('.outline.is-active');
  await active.first().waitFor();
  assert.equal(await active.first().locator('.outline-label').textContent(), '2');
  await card(page, '4').locator('.card-toggle').focus();
  await page.mouse.move(5, 5);
  assert.equal(await active.first().locator('.outline-label').textContent(), '4');
  await page.locator('.outline', { hasText: '3' }).first().hover();
  assert.ok(await page.locator('.card.is-active .card-number', { hasText: '3' }).count());
  await page.locator('.outline', { hasText: '3' }).first().click();
  assert.equal(await card(page, '3').locator('.card-toggle').getAttribute('aria-expanded'), 'true');
  await page.getByRole('button', { name: 'Marking scheme' }).click();
  await page.locator('figure.is-drawn img[alt="Page 1 of the marking scheme"]').waitFor();
  calm(seen);
  await context.close();
});

test('edits are saved by themselves, wrong ones are told at their field', async () => {
  const { context, page, seen } = await review(await link(shared.id));
  const first = await unfold(page, '1');
  await first.getByLabel('Text', { exact: true }).fill('Name the process by which plants make sugar.');
  await first.getByLabel('Marks').first().fill('1.5');
  await saved(page);
  await page.waitForFunction(() => document.querySelector('#totals').textContent.includes('12.5 marks'));
  let stored = (await questions(shared.id))[0];
  assert.deepEqual([stored.text, stored.marks], ['Name the process by which plants make sugar.', 1.5]);

  await first.getByLabel('Marks').first().fill('1.3');
  await first.getByText('Marks are whole or half numbers').waitFor();
  await first.getByLabel('Marks').first().fill('1');
  const number = page.locator('#list > li').first().getByLabel('Number');
  await number.fill('');
  await page.getByText('Must have 1 to 60 characters.').waitFor();
  assert.equal(await number.getAttribute('aria-invalid'), 'true');
  assert.match(await page.locator('#saved').textContent(), /not saved/);
  await number.fill('1');
  await saved(page);
  assert.equal(await page.getByText('Must have 1 to 60 characters.').isVisible(), false);

  await first.getByText('Other, accepted and rejected wordings').click();
  await first.getByLabel('Also accept (one a line)').fill('carbon assimilation\nlight reaction');
  await first.getByRole('button', { name: 'Add a mark point' }).click();
  await first.getByLabel('Mark point 2', { exact: true }).fill('in chloroplasts');
  await saved(page);
  stored = (await questions(shared.id))[0];
  assert.deepEqual(stored.answer_key.points.map((point) => point.text), ['photosynthesis', 'in chloroplasts']);
  assert.deepEqual(stored.answer_key.points[0].accept, ['carbon assimilation', 'light reaction']);

  await first.getByLabel('Words that must be there (one a line)').first().fill('photo');
  await first.getByLabel('Ignore (one a line)').first().fill('energy');
  await first.getByText('Choices among points, such as “any two from”').click();
  await first.getByRole('button', { name: 'Add a choice' }).click();
  await first.getByLabel('Choice 1', { exact: true }).fill('any one of these');
  await first.getByLabel('Points that count').fill('none');
  await first.getByText('A whole number from 1 to 100').waitFor();
  await first.getByLabel('Points that count').fill('1');
  for (const select of await first.getByLabel('Part of choice').all()) await select.selectOption('0');
  await saved(page);
  await page.reload();
  await unfold(page, '1');
  assert.equal(await first.getByLabel('Choice 1', { exact: true }).inputValue(), 'any one of these');
  const chosen = await first.getByLabel('Part of choice').all();
  assert.deepEqual(await Promise.all(chosen.map((select) => select.inputValue())), ['0', '0']);
  await first.locator('.point .wordings summary').first().click();
  assert.equal(await first.getByLabel('Words that must be there (one a line)').first().inputValue(), 'photo');
  assert.equal(await first.getByLabel('Ignore (one a line)').first().inputValue(), 'energy');
  await accessible(page, 'a choice among points');
  await picture(page, 'choice');
  await first.getByRole('button', { name: 'Remove choice 1' }).click();
  await saved(page);
  assert.equal(await first.getByLabel('Part of choice').count(), 0);
  await first.getByRole('button', { name: 'Remove mark point 2' }).click();
  await saved(page);

  const second = await unfold(page, '2');
  await second.locator('[data-path="parts[0].marks"]').fill('3');
  assert.equal(await second.locator('[data-path="marks"]').inputValue(), '5', 'the total follows the parts');
  await second.locator('[data-path="parts[0].marks"]').fill('2');
  await saved(page);
  calm(seen);
  await context.close();
});

test('two reviewers of one question: nothing is lost, and the reviewer chooses', async () => {
  const one = await review(await link(shared.id, 'Ms Okafor'));
  const other = await review(await link(shared.id, 'Mr Lind'));
  // Without looking for news, so that each overtakes the other for certain.
  for (const { page } of [one, other]) await page.route('**/review/paper', (route) => route.fulfill({ status: 304 }));
  const mine = (await unfold(other.page, '5')).getByLabel('Text', { exact: true });
  const theirs = (await unfold(one.page, '5')).getByLabel('Text', { exact: true });
  await theirs.fill('Describe how water gets to the leaves.');
  await saved(one.page);
  await mine.fill('Describe the way of water through a tree.');
  await other.page.getByRole('button', { name: 'Compare and choose…' }).click();
  const dialog = other.page.getByRole('dialog');
  assert.match(await dialog.textContent(), /Describe how water gets to the leaves\./);
  assert.match(await dialog.textContent(), /Describe the way of water through a tree\./);
  await picture(other.page, 'conflict');
  await accessible(other.page, 'the conflict dialog');
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await saved(other.page);
  assert.equal(await card(other.page, '5').getByLabel('Text', { exact: true }).inputValue(), 'Describe how water gets to the leaves.');
  await other.page.locator('#undo').click();
  await other.page.waitForFunction(() => [...document.querySelectorAll('[data-path="text"]')].some((field) => field.value.includes('the way of water')));
  await saved(other.page);
  assert.equal((await questions(shared.id))[4].text, 'Describe the way of water through a tree.');

  // The first reviewer sees it without doing anything, and keeps the own version when it comes to it.
  await theirs.fill('Say how water climbs a tree.');
  await one.page.getByRole('button', { name: 'Compare and choose…' }).click();
  await one.page.getByRole('button', { name: 'Keep mine' }).click();
  await saved(one.page);
  assert.equal((await questions(shared.id))[4].text, 'Say how water climbs a tree.');
  await other.page.unroute('**/review/paper');
  await other.page.waitForFunction(() => [...document.querySelectorAll('[data-path="text"]')].some((field) => field.value.includes('climbs')));
  for (const { context, seen } of [one, other]) {
    calm(seen);
    await context.close();
  }
});

test('questions are split, merged, moved, added, deleted, and everything can be undone', async () => {
  const own = await paper('Splitting and merging', PAPER, SCHEME);
  const { context, page, seen } = await review(await link(own.id));
  const undone = async (expected) => {
    await page.locator('#undo').click();
    await page.waitForFunction((wanted) => [...document.querySelectorAll('.card-number')].map((one) => one.textContent).join() === wanted, expected);
  };
  await (await unfold(page, '2')).getByRole('button', { name: 'Split… question 2' }).click();
  await page.getByLabel('Number of the new question').fill('2x');
  await picture(page, 'split');
  await page.getByRole('dialog').getByRole('button', { name: 'Split' }).click();
  await card(page, '2x').waitFor();
  let stored = await questions(own.id);
  assert.deepEqual(stored.map((question) => question.number), ['1', '2', '2x', '3', '4', '5', '6']);
  assert.deepEqual([stored[1].marks, stored[2].marks, stored[2].parts[0].label], [2, 2, '(b)']);
  await undone('1,2,3,4,5,6');
  assert.equal((await questions(own.id))[1].parts.length, 2);

  await (await unfold(page, '4')).getByRole('button', { name: 'Merge with next question 4' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#list > li').length === 5);
  stored = await questions(own.id);
  assert.deepEqual([stored[3].number, stored[3].marks, stored[3].answer_key.points.length], ['4', 5, 5]);
  await undone('1,2,3,4,5,6');

  await (await unfold(page, '6')).getByRole('button', { name: 'Delete question 6' }).click();
  await card(page, '6').waitFor({ state: 'detached' });
  assert.match(await page.locator('#check').textContent(), /The paper has questions that add up to 11 marks, but says 12\./);
  await undone('1,2,3,4,5,6');

  await (await unfold(page, '3')).getByRole('button', { name: 'Move up question 3' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.card-number')[1].textContent === '3');
  assert.deepEqual((await questions(own.id)).map((question) => question.number).slice(0, 3), ['1', '3', '2']);
  await undone('1,2,3,4,5,6');

  await page.getByRole('button', { name: 'Add a question' }).click();
  await card(page, '7').getByLabel('Text', { exact: true }).fill('Name a plant.');
  await saved(page);
  assert.equal((await questions(own.id))[6].text, 'Name a plant.');
  await undone('1,2,3,4,5,6,7');
  await undone('1,2,3,4,5,6');
  assert.equal((await questions(own.id)).length, 6);
  calm(seen);
  await context.close();
});

test('the keyboard alone is enough, up to the approval', async () => {
  const own = await paper('By keyboard', PAPER, SCHEME);
  const { context, page, seen } = await review(await link(own.id));
  const press = async (key, times = 1) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
  };
  const tabTo = async (name) => {
    for (let count = 0; count < 80; count += 1) {
      await press('Tab');
      const found = await page.evaluate(() => {
        const active = document.activeElement;
        const label = active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent;
        return label.replace(/\s+/g, ' ').trim();
      });
      if (found.startsWith(name)) return;
    }
    assert.fail(`${name} cannot be reached`);
  };
  await press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the questions');
  await press('Enter');
  await tabTo('Question 6');
  await press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'true');
  await tabTo('Add a mark point');
  await press('Enter');
  await page.keyboard.type('it is cooler there, so less water is lost');
  await saved(page);
  assert.match(await page.locator('#check').textContent(), /Nothing left to check/);
  await page.locator('body').press('Control+Home');
  await page.evaluate(() => document.querySelector('#title').closest('header').querySelector('button').focus());
  await tabTo('Approve paper');
  await press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.closest('dialog') !== null), true, 'the focus is in the dialog');
  await press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'approve', 'and comes back');
  await press('Enter');
  await picture(page, 'approve');
  await accessible(page, 'the approval dialog');
  await tabTo('Approve paper');
  await press('Enter');
  await page.getByText('This paper is approved.').waitFor();
  assert.equal((await api('GET', `/v1/papers/${own.id}`)).status, 'ready');
  assert.equal(await page.locator('#approve').isVisible(), false);
  const first = await unfold(page, '1');
  assert.equal(await first.getByLabel('Text', { exact: true }).isDisabled(), true);
  await accessible(page, 'an approved paper');

  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'You have left the review' }).waitFor();
  assert.deepEqual(await context.cookies(), []);
  await page.reload();
  await page.getByRole('heading', { name: 'No review is open here' }).waitFor();
  calm(seen);
  await context.close();
});

test('a paper with an empty question is not approved', async () => {
  const { context, page, seen } = await review(await link(shared.id));
  await page.locator('#approve').click();
  const dialog = page.getByRole('dialog', { name: 'Not ready to approve' });
  assert.match(await dialog.textContent(), /Question 6 has no answer key/);
  await dialog.getByRole('button', { name: 'Back to the questions' }).click();
  assert.equal((await api('GET', `/v1/papers/${shared.id}`)).status, 'awaiting_review');
  calm(seen);
  await context.close();
});

test('axe-core finds nothing in light, in dark and on a phone', async () => {
  const url = await link(shared.id);
  for (const [name, options] of [
    ['light', {}], ['dark', { colorScheme: 'dark' }], ['phone', { viewport: PHONE, hasTouch: true }],
    ['phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
  ]) {
    const { context, page, seen } = await review(url, options);
    await accessible(page, `${name}, closed`);
    await unfold(page, '2');
    await page.locator('.wordings summary').first().click();
    await accessible(page, `${name}, open`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `${name}: the page is ${overflow} pixels too wide`);
    await picture(page, name);
    if (name.startsWith('phone')) {
      await page.getByRole('button', { name: 'Pages', exact: true }).click();
      await page.locator('figure.is-drawn').first().waitFor();
      await accessible(page, `${name}, pages`);
      await picture(page, `${name}-pages`);
    }
    calm(seen);
    await context.close();
  }
});

test('the policy is in force: nothing inline, nothing from elsewhere', async () => {
  const { context, page } = await review(await link(shared.id));
  const blocked = await page.evaluate(async () => {
    const found = [];
    document.addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective));
    const script = document.createElement('script');
    try {
      script.textContent = 'globalThis.injected = true';
    } catch {
      found.push('trusted types');
    }
    document.head.append(script);
    const picture = new Image();
    picture.src = 'https://elsewhere.example/x.png';
    await fetch('https://elsewhere.example/').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [globalThis.injected === true, [...new Set(found)].sort()];
  });
  assert.equal(blocked[0], false);
  for (const directive of ['connect-src', 'img-src']) assert.ok(blocked[1].includes(directive), String(blocked[1]));
  await context.close();
});

test('the first page of forty is drawn while the others are not even asked for', async () => {
  const long = await paper('Forty pages', longPaper(40), longScheme(40));
  const url = await link(long.id);
  const begun = performance.now();
  const { context, page, seen } = await review(url);
  await page.locator('figure.is-drawn').first().waitFor();
  const took = performance.now() - begun;
  const drawing = await page.waitForFunction(() => performance.getEntriesByType('resource')
    .find((entry) => /\/question_paper\/1\b/.test(entry.name))?.duration);
  // Told, not judged: how long it takes depends on what else the machine does.
  console.log(`the picture took ${Math.round(await drawing.jsonValue())} ms, everything ${Math.round(took)} ms`);
  const asked = seen.requests.filter((one) => one.includes('/review/pages/')).length;
  assert.ok(asked < 10, `only what is near is asked for, not ${asked} pages`);
  calm(seen);
  await context.close();
});

test('a revoked and an expired link open nothing, and end what they opened', async () => {
  const [short, long] = [await link(shared.id, 'Short', 1), await link(shared.id, 'Long', 48)];
  const { context, page } = await review(short);
  await fetch(`${BASE}/dev/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"advance_seconds": 3600}' });
  const first = await unfold(page, '1');
  await first.getByLabel('Text', { exact: true }).fill('Too late.');
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await context.close();
  const again = await open(browser, short);
  await again.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await accessible(again.page, 'the message');
  await picture(again.page, 'expired');
  await again.context.close();

  const opened = await review(long);
  assert.ok((await api('POST', `/v1/papers/${shared.id}/review_links/revoke`)).revoked >= 1);
  await opened.page.locator('#approve').click();
  await opened.page.getByRole('button', { name: 'Back to the questions' }).click();
  await opened.page.getByRole('heading', { name: 'This link has been withdrawn' }).waitFor();
  await opened.context.close();
});
