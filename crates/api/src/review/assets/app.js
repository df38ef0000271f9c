// The page: opens the link, shows the paper, and connects the pages on one side with the questions on the other.

import * as api from './api.js';
import { Boxes } from './boxes.js';
import { Selection, instructions, joinAll, named, removeAll, renderBulk } from './bulk.js';
import { Card } from './card.js';
import { Desk } from './desk.js';
import { askBox, askSplit, chooseVersion, confirmApproval, confirmLeaving, showKeys } from './dialogs.js';
import { button, byId, h, plural, remembered } from './dom.js';
import { keyTable, listen } from './keys.js';
import { blankPart, blankQuestion, isAbove, nextLabel, nextNumber } from './model.js';
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
let boxes;
let isChecksLong = false;
let isList = false;
/** Ids of the questions that the reviewer has looked at. */
let checked = new Set();
const selection = new Selection(desk, () => {
  renderBulk(selection, actions);
  for (const card of cards.values()) card.refresh();
});

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
    if (state.paper.status === 'ready') {
      location.replace('/review/desk');
      return;
    }
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
  const draw = button('Draw a box', drawBox, { class: 'button small', id: 'draw', 'aria-pressed': 'false' });
  pages = new Pages(desk, (item) => boxes.isOn || focusCard(item), point, draw);
  boxes = new Boxes(pages.sheet, addBox, (isOn) => draw.setAttribute('aria-pressed', String(isOn)));
  checked = new Set(remembered(`checked-${state.paper.id}`) ?? []);
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
  selection.prune();
  for (const item of changed) cards.get(item.key)?.rebuild();
  for (const card of cards.values()) card.refresh();
  renderBulk(selection, actions);
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
  const seen = items.filter((item) => checked.has(item.id)).length;
  byId('totals').textContent = `${plural(items.length, 'question')} · ${plural(paper.total_marks ?? 0, 'mark')}${seen > 0 ? ` · ${seen} checked` : ''}`;
  for (const id of ['approve', 'undo', 'add', 'draw']) byId(id).hidden = isReadOnly;
  const last = desk.undoable.at(-1);
  byId('undo').disabled = !last;
  byId('undo').setAttribute('aria-label', last ? `Undo ${last.label}` : 'Undo');
  byId('undo').title = last ? `Undo ${last.label}` : '';
  const approved = paper.status === 'ready' ? h('div', { class: 'notice done' },
    h('p', {}, h('strong', {}, 'This paper is approved.'), ' Scripts can now be marked. You can look at everything, go on to the ', h('a', { href: '/review/desk' }, 'marking desk'), ', or leave when you are done.')) : null;
  byId('notice').replaceChildren(...(approved ? [approved] : []));
}

/** Paper warnings and questions with something to check, before everything else. */
function renderChecks() {
  const { paper, items, isReadOnly } = desk;
  // What may be instructions has a line of its own.
  const questions = items.slice(instructions(desk).length);
  const found = questions.flatMap((item) => cards.get(item.key)?.found().map((text) => [item, text]) ?? []);
  const wholes = desk.findings.filter((finding) => finding.question === null).map(({ text }) => h('li', {}, `The paper ${text}.`));
  const warnings = [...wholes, ...instructionsRow(), ...paper.warnings.map((warning) => h('li', {}, WARNINGS[warning] ?? warning))];
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
    h('h2', { id: 'check-title' }, title), count > 0 ? h('ul', {}, warnings, rows) : h('p', {}, 'Every question has marks and an answer key, and everything adds up.'), more,
  ].filter(Boolean));
}

/** What looks like a list of instructions, with one button that takes it out. */
function instructionsRow() {
  const items = instructions(desk);
  if (items.length === 0) return [];
  const take = async () => {
    await desk.flush();
    if (await removeAll(desk, items, announce)) cards.get(desk.items[0].key).toggle.focus();
  };
  const what = named(items);
  return [h('li', {}, `${what[0].toUpperCase()}${what.slice(1)} ${items.length === 1 ? 'has' : 'have'} neither marks nor a key and may be instructions. `,
    button(items.length === 1 ? 'Take it out' : 'Take them out', take, { class: 'button small', id: 'take-out' }))];
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

/** Opens a question at one of its fields. */
function edit(item, path) {
  focusCard(item);
  const field = cards.get(item.key).body.querySelector(`[data-path="${CSS.escape(path)}"]`);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
  field?.select?.();
}

/** The next or the previous question: opened where one is open, else only reached. */
function go(by, extends_ = false) {
  const [current] = belongs(document.activeElement);
  const index = current ? desk.items.indexOf(current) + by : by > 0 ? 0 : desk.items.length - 1;
  const item = desk.items[index];
  if (!item) return;
  const wasOpen = current && cards.get(current.key).isOpen;
  if (extends_ && current) for (const one of [current, item]) selection.set(one, true);
  if (wasOpen) {
    cards.get(current.key).open(false);
    focusCard(item);
    return;
  }
  const { toggle, element } = cards.get(item.key);
  toggle.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

/** Notes that the reviewer has looked at a question, and goes on. What the reader was unsure of is settled with it. */
function check(item) {
  if (checked.has(item.id)) checked.delete(item.id);
  else {
    checked.add(item.id);
    if (item.draft.warnings.length > 0 && !desk.isReadOnly) {
      item.draft.warnings = [];
      desk.touched(item);
    }
    go(1);
  }
  remembered(`checked-${desk.paper.id}`, [...checked]);
  cards.get(item.key).refresh();
  renderHead();
  renderChecks();
}

/** One line for each question with its key, and the pages follow the line. */
function showList(isOn) {
  isList = isOn;
  byId('as-list').setAttribute('aria-pressed', String(isOn));
  byId('list').classList.toggle('is-list', isOn);
  if (isOn) for (const card of cards.values()) card.open(false);
  const first = desk.items[0];
  if (isOn && first) cards.get(first.key).toggle.focus();
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

/** The questions that a command is for: those selected, else the one it was called from. */
const chosen = (item) => (selection.items.length > 0 ? selection.items : [item].filter(Boolean));

async function remove(items) {
  await desk.flush();
  const rest = desk.items.filter((item) => !items.includes(item));
  const last = desk.items.indexOf(items.at(-1));
  const next = desk.items.slice(last + 1).find((item) => rest.includes(item)) ?? rest.at(-1);
  if (await removeAll(desk, items, announce)) cards.get(next.key)?.toggle.focus();
}

async function join(items) {
  await desk.flush();
  const first = await joinAll(desk, items, announce);
  selection.clear();
  if (first) cards.get(first.key).toggle.focus();
}

/** Boxes are drawn on the question paper alone. */
function drawBox() {
  if (pages.document !== 'question_paper') pages.show('question_paper');
  boxes.turn(!boxes.isOn);
}

/** A box on the page becomes a question at its place, or a part of one. */
async function addBox(region) {
  let text = '';
  try {
    text = await api.boxText(region);
  } catch (problem) {
    if (problem.isClosed) {
      fail(problem);
      return;
    }
  }
  const open = desk.items.find((item) => cards.get(item.key)?.isOpen) ?? null;
  const choice = await askBox(text, desk.items, open);
  if (!choice) return;
  await desk.flush();
  if (choice !== 'question') {
    addPart(desk.find(choice), region, text);
    return;
  }
  const before = desk.items.filter((item) => isAbove(item.draft, region)).at(-1) ?? null;
  const number = before ? nextNumber(before.draft.number) : '1';
  const item = desk.newItem({ ...blankQuestion(number), text, regions: [region], pages: [region.page] });
  if (await desk.change('add', [{ type: 'insert', item, after: before }], `adding of question ${number}`)) edit(item, 'number');
}

function addPart(item, region, text) {
  const { draft } = item;
  const part = { ...blankPart(nextLabel(draft.parts), region.page), text, regions: [region] };
  draft.parts.push(part);
  draft.regions.push(region);
  if (!draft.pages.includes(region.page)) draft.pages.push(region.page);
  desk.touched(item, 0);
  cards.get(item.key).rebuild();
  edit(item, `parts[${draft.parts.length - 1}].label`);
}

/** Adds an empty question behind another, or at the end. */
async function addBehind(before) {
  await desk.flush();
  const item = desk.newItem(blankQuestion(before ? nextNumber(before.draft.number) : '1'));
  const operations = [{ type: 'insert', item, after: before }];
  if (await desk.change('add', operations, `adding of question ${item.draft.number}`)) edit(item, 'number');
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
  split, compare,
  merge: (item) => join([item, neighbour(item, 1)].filter(Boolean)),
  remove: (item) => remove(item?.draft ? [item] : selection.items),
  join: () => join(selection.items),
  select: (item, isSelected) => selection.set(item, isSelected),
  isSelected: (item) => selection.has(item),
  isChecked: (item) => checked.has(item.id),
};

/** Commands for the question that has the focus; nothing where there is none, or where it cannot be changed. */
const onItem = (run) => () => {
  const [item] = belongs(document.activeElement);
  return item && !desk.isReadOnly ? void run(item) : false;
};

const BINDINGS = [
  { keys: ['Alt+ArrowDown'], inFields: true, text: 'Next question; an open one is closed and the next opened', run: () => go(1) },
  { keys: ['Alt+ArrowUp'], inFields: true, text: 'Previous question', run: () => go(-1) },
  { keys: ['ArrowDown', 'j'], text: 'Next question', run: () => go(1) },
  { keys: ['ArrowUp', 'k'], text: 'Previous question', run: () => go(-1) },
  { keys: ['c'], text: 'Note that the question is checked, and go on', run: onItem(check) },
  { keys: ['x'], text: 'Select the question, or not', run: onItem((item) => selection.set(item, !selection.has(item))) },
  { keys: ['Shift+ArrowDown'], text: 'Select it and the next', run: () => go(1, true) },
  { keys: ['Shift+ArrowUp'], text: 'Select it and the previous', run: () => go(-1, true) },
  { keys: ['Delete', 'd'], text: 'Delete what is selected, or the question', run: onItem((item) => remove(chosen(item))) },
  {
    keys: ['m'], text: 'Join what is selected, or the question and the next',
    run: onItem((item) => join(selection.items.length > 1 ? selection.items : [item, neighbour(item, 1)].filter(Boolean))),
  },
  { keys: ['n'], text: 'Change its number', run: onItem((item) => edit(item, 'number')) },
  { keys: ['p'], text: 'Change its marks (points)', run: onItem((item) => edit(item, 'marks')) },
  { keys: ['a'], text: 'Add a question behind it', run: onItem((item) => addBehind(item)) },
  { keys: ['s'], text: 'Show the scheme or the paper', run: () => pages.turn() },
  { keys: ['u'], text: 'Undo', run: () => (desk.isReadOnly ? false : void undo()) },
  { keys: ['Escape'], text: 'Close the question', inFields: true, run: () => closeCurrent() },
  { keys: ['?'], text: 'Show these keys', run: () => void showKeys(keyTable(BINDINGS)) },
];

function closeCurrent() {
  const [item] = belongs(document.activeElement);
  const card = item && cards.get(item.key);
  if (!card?.isOpen) return false;
  card.open(false);
  card.toggle.focus();
  return true;
}

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
  if (item && (isList || cards.get(item.key)?.isOpen)) pages.locate(item, part);
});
document.querySelector('.skip').addEventListener('click', (event) => {
  // The fragment is for tokens alone.
  event.preventDefault();
  byId('questions').focus();
});
// Another link was opened in this tab.
addEventListener('hashchange', () => location.reload());
byId('undo').addEventListener('click', undo);
byId('add').addEventListener('click', () => addBehind(desk.items.at(-1) ?? null));
byId('as-list').addEventListener('click', () => showList(!isList));
byId('keys').addEventListener('click', () => showKeys(keyTable(BINDINGS)));
listen(byId('questions'), BINDINGS);
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
