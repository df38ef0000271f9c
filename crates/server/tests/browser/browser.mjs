// A headless Chromium that opens review pages and watches what they do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BASE } from './service.mjs';

const require = createRequire(join(process.env.TICKMARK_BROWSER_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const PATIENCE_MS = 120_000;
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 375, height: 740 };

export function launch() {
  return chromium.launch({ executablePath: process.env.TICKMARK_CHROMIUM, args: FLAGS });
}

/** A fresh browser profile with the link open. Everything it asks for must be ours, and nothing may go wrong. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const seen = { requests: [], troubles: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('pageerror', (error) => seen.troubles.push(String(error)));
  page.on('console', (message) => {
    // A refused call is a line in the console too; the tests look at the answer itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) seen.troubles.push(message.text());
  });
  await page.goto(url);
  return { context, page, seen };
}

/** Waits until the questions are there. */
export async function ready(page) {
  await page.locator('#app').waitFor({ state: 'visible' });
  await page.locator('#list > li').first().waitFor();
}

export async function saved(page) {
  await page.locator('#saved', { hasText: 'All changes saved' }).waitFor();
}

/** The card of a question; `open` unfolds it. */
export function card(page, number) {
  return page.locator('#list > li').filter({ has: page.locator('.card-number', { hasText: new RegExp(`^${number}$`) }) });
}

export async function unfold(page, number) {
  const found = card(page, number);
  const toggle = found.locator('.card-toggle');
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  return found;
}

export const numbers = (page) => page.locator('.card-number').allTextContents();

/** Fails when axe-core finds anything. */
export async function accessible(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`);
  assert.deepEqual(told, [], what);
}

/** Nothing was asked of anybody else, and nothing went wrong. */
export function calm({ requests, troubles }) {
  assert.deepEqual(requests.filter((url) => !url.startsWith(`${BASE}/review`)), []);
  assert.deepEqual(troubles, []);
}

/** A picture for people, when they want one: with every picture in it that is on the screen. */
export async function picture(page, name) {
  if (!process.env.TICKMARK_PICTURES) return;
  await page.waitForFunction(() => [...document.images].every((image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    const isSeen = image.currentSrc && width > 0 && bottom > 0 && top < innerHeight;
    return !isSeen || image.complete;
  }));
  await page.screenshot({ path: join(process.env.TICKMARK_PICTURES, `${name}.png`) });
}
