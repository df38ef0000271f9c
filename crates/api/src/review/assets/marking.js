// The marking desk: opens the paper, shows one of its views, and keeps the bar of progress and the undo.

import * as api from './marking-api.js';
import { showClass } from './marking-class.js';
import { button, byId, h, plural } from './dom.js';
import { showFigures } from './marking-figures.js';
import { showPart } from './marking-part.js';
import { showScans } from './marking-scans.js';
import { showScript } from './marking-script.js';

const VIEWS = ['class', 'part', 'script', 'figures', 'scans'];

const CLOSED = {
  review_link_expired: ['This link has expired', 'Ask whoever sent it to you for a new one. Everything that was saved is kept.'],
  review_link_revoked: ['This link has been withdrawn', 'Ask whoever sent it to you for a new one. Everything that was saved is kept.'],
  account_suspended: ['This desk is suspended', 'Please ask whoever sent you the link. Everything that was saved is kept.'],
  review_closed: ['No desk is open here', 'Open the link that was sent to you, as a whole.'],
  other_paper: ['Another paper was opened', 'Another paper was opened in this browser. To come back to this one, open its link again.'],
  paper_not_ready: ['This paper is not approved yet', 'Scripts are marked once its questions are approved.'],
};

/** What the views share. */
const desk = {
  paper: null,
  questions: [],
  totals: null,
  lastScript: null,
  undoable: [],
  /** The last version of each answer that this browser knows of, so that undo goes over nobody else's decision. */
  versions: new Map(),
  announce(text, isBad = false) {
    byId('saved').textContent = text;
    byId('saved').classList.toggle('is-bad', isBad);
  },
  fail,
  /** The name of a part: "3(a)". */
  partName(question, part) {
    const { number } = desk.questions[question] ?? { number: '?' };
    if (!part) return number;
    return /^\d/.test(part) ? part : part.startsWith('(') ? `${number}${part}` : `${number} ${part}`;
  },
  /** Notes what was decided, for the bar and for undo. */
  decided(before, after) {
    desk.totals.checked += Number(after.checked) - Number(before.checked);
    desk.totals.flagged += Number(isFlagged(after)) - Number(isFlagged(before));
    renderProgress();
  },
  remember(step) {
    desk.undoable.push(step);
    renderUndo();
  },
  renderProgress,
  refresh,
};

function isFlagged({ flags }) {
  return flags.some((flag) => flag !== 'not_attempted');
}

function renderProgress() {
  const { checked, parts, flagged, released, scripts, waiting } = desk.totals;
  byId('progress').max = Math.max(parts, 1);
  byId('progress').value = checked;
  const more = [`${plural(flagged, 'flagged answer')} left`, `${released} of ${plural(scripts, 'script')} released`];
  if (waiting) more.push(`${waiting} still being marked`);
  byId('progress-text').textContent = `${checked} of ${plural(parts, 'answer')} checked · ${more.join(' · ')}`;
}

function renderUndo() {
  const last = desk.undoable.at(-1);
  byId('undo').disabled = !last;
  byId('undo').title = last ? `Undo ${last.label}` : '';
  byId('undo').setAttribute('aria-label', last ? `Undo ${last.label}` : 'Undo');
}

async function undo() {
  const last = desk.undoable.pop();
  renderUndo();
  if (!last) return;
  try {
    await last.back();
    desk.announce(`Undone: ${last.label}`);
    await refresh();
  } catch (problem) {
    if (problem.code === 'decided') desk.announce('Somebody else decided about it in the meantime: nothing was undone.', true);
    else fail(problem);
  }
}

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

function fail(problem) {
  const closed = CLOSED[problem.code];
  if (closed) {
    showMessage(...closed);
    return;
  }
  const text = problem.status ? problem.message : 'The service cannot be reached. Nothing is lost; try again.';
  if (desk.paper) desk.announce(text, true);
  else showMessage('The desk cannot be opened', text, button('Try again', () => location.reload(), { class: 'button primary' }));
}

async function opened() {
  const opening = await api.opening();
  api.showsPaper(opening.paper.id);
  Object.assign(desk, { paper: opening.paper, questions: opening.questions, totals: opening.totals });
  const until = new Date(opening.expires_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  byId('title').textContent = opening.paper.title;
  byId('subtitle').textContent = `${opening.reviewer} · this link works until ${until}${opening.paper.livemode ? '' : ' · test mode'}`;
  document.title = `${opening.paper.title} · Marking desk · Tickmark`;
  renderProgress();
}

async function refresh() {
  await opened();
  await route(false);
}

/** Shows the view that the address names. */
async function route(takesFocus = true) {
  const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
  const view = byId('view');
  const shown = VIEWS.includes(name) ? name : 'class';
  for (const other of VIEWS) {
    if (other === shown) byId(`to-${other}`).setAttribute('aria-current', 'page');
    else byId(`to-${other}`).removeAttribute('aria-current');
  }
  try {
    if (shown === 'class') await showClass(desk, view);
    if (shown === 'part') await showPart(desk, view, Number(rest[0] ?? 0), rest.slice(1).join('/'));
    if (shown === 'script') await showScript(desk, view, rest[0] ?? desk.lastScript);
    if (shown === 'figures') await showFigures(desk, view);
    if (shown === 'scans') await showScans(desk, view, rest[0]);
    if (takesFocus && !view.contains(document.activeElement)) view.focus();
  } catch (problem) {
    fail(problem);
  }
}

function askRelease() {
  const choice = (value, text) => h('label', { class: 'choice' },
    h('input', { type: 'radio', name: 'which', value, checked: value === 'checked' }), ' ', text);
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'release-title' },
    h('h2', { id: 'release-title' }, 'Release results'),
    h('div', { class: 'dialog-body' },
      h('p', {}, 'A released result is final: students may see it, and its marks cannot change any more.'),
      choice('checked', 'Scripts of which every answer is checked'),
      choice('unflagged', 'Scripts without a flagged answer that nobody has checked'),
      choice('all', 'All scripts that are marked')),
    h('div', { class: 'dialog-buttons' },
      button('Cancel', () => dialog.close()),
      button('Release', async () => {
        const which = dialog.querySelector('input:checked').value;
        dialog.close();
        try {
          const { count } = await api.release({ which });
          desk.announce(`${plural(count, 'script')} released`);
          await refresh();
        } catch (problem) {
          fail(problem);
        }
      }, { class: 'button primary' })));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function start() {
  try {
    await opened();
    byId('message').hidden = true;
    byId('app').hidden = false;
    byId('undo').addEventListener('click', undo);
    byId('release').addEventListener('click', askRelease);
    byId('leave').addEventListener('click', async () => {
      await api.leave().catch(() => null);
      showMessage('You have left the desk', 'Everything is saved. To come back, open your link again.');
    });
    addEventListener('hashchange', () => route());
    await route(false);
  } catch (problem) {
    fail(problem);
  }
}

start();
