// The page: opens the link, shows the paper, and connects the pages on one side with the questions on the other.

import * as api from './api.js';
import { Card, concerns } from './card.js';
import { Desk } from './desk.js';
import { askSplit, chooseVersion, confirmApproval, confirmLeaving } from './dialogs.js';
import { button, byId, h, plural } from './dom.js';
import { blankQuestion, merge, nextNumber } from './model.js';
import { Pages } from './pages.js';

const POLL_MS = 10000;
const CHECKS_SHOWN = 6;

const WARNINGS = {
  questions_may_be_incomplete: 'Some questions may be missing or incomplete. Compare them with the pages.',
  answer_keys_missing: 'Some questions or parts have no answer key.',
  scheme_instructions_not_used: 'The marking scheme or your instructions say something that marking does not follow.',
};

const CLOSED = {
  review_link_expired: ['This link has expired', 'Ask whoever sent it to you for a new one. Everything that was saved is kept.'],
  review_link_revoked: ['This link has been withdrawn', 'Ask whoever sent it to you for a new one. Everything that was saved is kept.'],
  account_suspended: ['This review is suspended', 'Please ask whoever sent you the link. Everything that was saved is kept.'],
  review_closed: ['No review is open here', 'Open the review link that was sent to you, as a whole.'],
  other_paper: ['Another paper was opened', 'A review of another paper was opened in this browser. To come back to this one, open its link again.'],
};

const desk = new Desk();
const cards = new Map();
let pages;
let link;
let isChecksLong = false;

function showMessage(title, text, action) {
  byId('app').hidden = true;
  byId('message').hidden = false;
  byId('message-title').textContent = title;
  byId('message-text').textContent = text;
  document.title = `${title} · Tickmark`;
  byId('message').querySelector('.button')?.remove();
  if (action) byId('message').append(action);
  byId('message').focus();
}

/** The token in the address is traded for a session and taken out of the address bar before anything else. */
async function start() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, '', location.pathname);
  try {
    if (token) api.showsPaper(await api.open(token));
    const state = await api.state();
    api.showsPaper(state.paper.id);
    link = { reviewer: state.reviewer, expiresAt: new Date(state.expires_at) };
    show(state);
  } catch (problem) {
    fail(problem);
  }
}

function show(state) {
  byId('message').hidden = true;
  byId('app').hidden = false;
  pages = new Pages(desk, (item) => focusCard(item), point);
  desk.addEventListener('list', ({ detail }) => renderList(detail.changed));
  for (const type of ['touched', 'saving', 'saved', 'conflict', 'problem']) {
    desk.addEventListener(type, ({ detail }) => renderStatus(type, detail.item));
  }
  desk.addEventListener('undone', ({ detail }) => renderList(detail.items));
  desk.addEventListener('failed', ({ detail }) => fail(detail.problem));
  desk.take(state);
  pages.show('question_paper');
  setInterval(() => document.visibilityState === 'visible' && !desk.isUnsaved && desk.poll(), POLL_MS);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && desk.flush());
  addEventListener('beforeunload', (event) => desk.isUnsaved && event.preventDefault());
}

function fail(problem) {
  // The browser drops its cookie when the link's time is over.
  const isOver = problem.code === 'review_closed' && link && link.expiresAt <= new Date();
  const closed = CLOSED[isOver ? 'review_link_expired' : problem.code];
  if (closed) {
    showMessage(...closed);
    return;
  }
  if (!link) {
    const again = button('Try again', () => location.reload(), { class: 'button primary' });
    showMessage('The review cannot be opened', problem.status ? problem.message : 'The service cannot be reached. Check your connection.', again);
    return;
  }
  if (problem.code === 'changed') announce('Another reviewer was faster. The questions are shown as they are now.');
  else announce(problem.status ? problem.message : 'The service cannot be reached. Nothing is lost; it is tried again.');
  if (problem.code === 'paper_not_awaiting_review') desk.poll();
}

function announce(text) {
  byId('saved').textContent = text;
}

/** The list follows the desk: cards are kept, so that the focus and what is open stay. */
function renderList(changed) {
  const elements = desk.items.map((item) => {
    if (!cards.has(item.key)) cards.set(item.key, new Card(item, desk, actions));
    return cards.get(item.key).element;
  });
  for (const [key, card] of cards) {
    if (!desk.find(key)) {
      card.element.remove();
      cards.delete(key);
    }
  }
  const list = byId('list');
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  for (const item of changed) cards.get(item.key)?.rebuild();
  for (const card of cards.values()) card.refresh();
  renderHead();
  renderStatus('saved');
  pages.outline();
}

function renderHead() {
  const { paper, items, isReadOnly } = desk;
  document.title = `${paper.title} · Review · Tickmark`;
  byId('title').textContent = paper.title;
  const until = link.expiresAt.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  byId('subtitle').textContent = `${link.reviewer} · this link works until ${until}${paper.livemode ? '' : ' · test mode'}`;
  byId('totals').textContent = `${plural(items.length, 'question')} · ${plural(paper.total_marks ?? 0, 'mark')}`;
  for (const id of ['approve', 'undo', 'add']) byId(id).hidden = isReadOnly;
  const last = desk.undoable.at(-1);
  byId('undo').disabled = !last;
  byId('undo').setAttribute('aria-label', last ? `Undo ${last.label}` : 'Undo');
  byId('undo').title = last ? `Undo ${last.label}` : '';
  const approved = paper.status === 'ready' ? h('div', { class: 'notice done' },
    h('p', {}, h('strong', {}, 'This paper is approved.'), ' Scripts can now be marked. You can look at everything, and leave when you are done.')) : null;
  byId('notice').replaceChildren(...(approved ? [approved] : []));
}

/** Paper warnings and questions with something to check, before everything else. */
function renderChecks() {
  const { paper, items, isReadOnly } = desk;
  const found = items.flatMap((item) => concerns(item.draft).map((text) => [item, text]));
  const warnings = paper.warnings.map((warning) => h('li', {}, WARNINGS[warning] ?? warning));
  const count = warnings.length + found.length;
  byId('check').hidden = isReadOnly;
  byId('check').classList.toggle('is-done', count === 0);
  const shown = isChecksLong ? found : found.slice(0, CHECKS_SHOWN);
  const rows = shown.map(([item, text]) => h('li', {},
    h('button', { type: 'button', class: 'link', onclick: () => focusCard(item) }, `Question ${item.draft.number}`), ` ${text}.`));
  const more = found.length > shown.length ? button(`Show all ${found.length}`, () => {
    isChecksLong = true;
    renderChecks();
    byId('check').querySelector('button')?.focus();
  }, { class: 'button small' }) : null;
  const title = count === 0 ? 'Nothing left to check' : `${plural(count, 'thing')} to check`;
  const key = JSON.stringify([title, warnings.map((row) => row.textContent), rows.map((row) => row.textContent)]);
  if (byId('check').dataset.shown === key) return;
  byId('check').dataset.shown = key;
  byId('check').replaceChildren(...[
    h('h2', { id: 'check-title' }, title), count > 0 ? h('ul', {}, warnings, rows) : h('p', {}, 'Every question has marks and an answer key.'), more,
  ].filter(Boolean));
}

function renderStatus(type, item) {
  if (item) cards.get(item.key)?.refresh();
  if (type === 'touched') pages.outline();
  renderChecks();
  const saved = byId('saved');
  const isBlocked = desk.items.some((one) => one.conflict || one.isInvalid || Object.keys(one.problems).length > 0);
  let text = 'All changes saved';
  if (desk.isReadOnly) text = 'Approved';
  else if (desk.isOffline) text = 'Not saved: no connection. It is tried again.';
  else if (isBlocked) text = 'Some changes are not saved: see the marked questions';
  else if (desk.isUnsaved || type === 'saving') text = 'Saving…';
  saved.classList.toggle('is-bad', desk.isOffline || isBlocked);
  if (saved.textContent !== text) saved.textContent = text;
}

function point(item, part) {
  pages.highlight(item, part);
  for (const [key, card] of cards) card.element.classList.toggle('is-active', key === item?.key);
}

function focusCard(item) {
  showPane('questions');
  const card = cards.get(item.key);
  card.open(true);
  card.toggle.focus();
  card.element.scrollIntoView({ block: 'start' });
}

/** On a narrow screen one side is shown at a time. */
function showPane(name) {
  byId('panes').dataset.shown = name;
  byId('show-questions').setAttribute('aria-pressed', String(name === 'questions'));
  byId('show-pages').setAttribute('aria-pressed', String(name === 'pages'));
}

const neighbour = (item, by) => desk.items[desk.items.indexOf(item) + by] ?? null;

async function move(item, isUp) {
  await desk.flush();
  const from = neighbour(item, -1);
  const index = desk.items.indexOf(item);
  if (isUp ? index === 0 : index === desk.items.length - 1) return;
  const to = isUp ? desk.items[index - 2] ?? null : desk.items[index + 1];
  const name = document.activeElement?.getAttribute('aria-label');
  if (await desk.change('move', [{ type: 'move', item, from, to }], `move of question ${item.draft.number}`)) {
    announce(`Question ${item.draft.number} moved ${isUp ? 'up' : 'down'}.`);
    cards.get(item.key).element.querySelector(`[aria-label="${CSS.escape(name ?? '')}"]`)?.focus();
  }
}

async function split(item) {
  await desk.flush();
  const before = item.base;
  const halves = await askSplit(before);
  if (!halves) return;
  const added = desk.newItem(halves[1]);
  const operations = [
    { type: 'save', item, before, after: halves[0], replaces: true }, { type: 'insert', item: added, after: item },
  ];
  if (await desk.change('split', operations, `split of question ${before.number}`)) focusCard(added);
}

async function mergeWithNext(item) {
  await desk.flush();
  const next = neighbour(item, 1);
  if (!next) {
    announce('There is no question after this one.');
    return;
  }
  const operations = [
    { type: 'save', item, before: item.base, after: merge(item.base, next.base), replaces: true }, { type: 'delete', item: next, after: item },
  ];
  const label = `merge of questions ${item.base.number} and ${next.base.number}`;
  if (await desk.change('merge', operations, label)) cards.get(item.key).toggle.focus();
}

async function remove(item) {
  await desk.flush();
  const before = neighbour(item, -1);
  const next = neighbour(item, 1) ?? before;
  if (desk.items.length === 1) {
    announce('A paper keeps at least one question.');
    return;
  }
  const operations = [{ type: 'delete', item, after: before }];
  if (await desk.change('delete', operations, `deletion of question ${item.draft.number}`)) {
    announce(`Question ${item.draft.number} deleted. Undo brings it back.`);
    if (next) cards.get(next.key)?.toggle.focus();
  }
}

async function add() {
  await desk.flush();
  const last = desk.items.at(-1) ?? null;
  const item = desk.newItem(blankQuestion(last ? nextNumber(last.draft.number) : '1'));
  const operations = [{ type: 'insert', item, after: last }];
  if (await desk.change('add', operations, `adding of question ${item.draft.number}`)) {
    focusCard(item);
    cards.get(item.key).body.querySelector('[data-path="number"]')?.focus();
  }
}

async function undo() {
  const label = await desk.undo();
  if (label) announce(`Undone: ${label}.`);
}

async function compare(item) {
  const choice = await chooseVersion(item.draft, item.conflict.theirs);
  if (choice) await desk.resolve(item, choice === 'mine');
  (cards.get(item.key)?.toggle ?? byId('questions')).focus();
}

async function approve() {
  if (!(await desk.flush())) {
    announce('Not everything is saved yet: see the marked questions.');
    return;
  }
  if (!(await confirmApproval(desk))) return;
  try {
    await desk.approve();
    renderList(desk.items);
    byId('questions').focus();
    byId('questions').scrollTop = 0;
  } catch (problem) {
    fail(problem);
  }
}

async function leave() {
  const isSaved = desk.isReadOnly || (await desk.flush());
  if (!isSaved && !(await confirmLeaving())) return;
  try {
    await api.leave();
  } catch (problem) {
    if (!problem.isClosed) {
      fail(problem);
      return;
    }
  }
  desk.items = [];
  showMessage('You have left the review', 'Everything that was saved is kept. To come back, open the link again.');
}

const actions = {
  show: (item) => pages.locate(item),
  locate: (item) => {
    showPane('pages');
    point(item);
    if (!pages.locate(item)) announce(`Where question ${item.draft.number} stands is not known.`);
    if (matchMedia('(max-width: 60rem)').matches) byId('show-pages').focus();
  },
  up: (item) => move(item, true),
  down: (item) => move(item, false),
  split, merge: mergeWithNext, remove, compare,
};

/** The question and the part that an element belongs to. */
function belongs(target) {
  const card = target.closest?.('.card');
  const part = target.closest?.('[data-part]')?.dataset.part;
  return [card ? desk.find(card.dataset.key) : null, part ?? null];
}

byId('list').addEventListener('pointerover', ({ target }) => point(...belongs(target)));
byId('list').addEventListener('pointerleave', () => point(...belongs(document.activeElement)));
byId('list').addEventListener('focusin', ({ target }) => {
  const [item, part] = belongs(target);
  point(item, part);
  if (item && cards.get(item.key)?.isOpen) pages.locate(item, part);
});
document.querySelector('.skip').addEventListener('click', (event) => {
  // The fragment is for tokens alone.
  event.preventDefault();
  byId('questions').focus();
});
// Another link was opened in this tab.
addEventListener('hashchange', () => location.reload());
byId('undo').addEventListener('click', undo);
byId('add').addEventListener('click', add);
byId('approve').addEventListener('click', approve);
byId('leave').addEventListener('click', leave);
byId('show-questions').addEventListener('click', () => showPane('questions'));
byId('show-pages').addEventListener('click', () => showPane('pages'));
document.addEventListener('keydown', (event) => {
  const isField = event.target.matches?.('input, textarea, select');
  if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !isField && !desk.isReadOnly) {
    event.preventDefault();
    undo();
  }
});

start();
