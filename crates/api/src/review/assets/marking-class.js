// The class: students by questions, with marks, flags, what is checked and what is released.

import * as api from './marking-api.js';
import { button, h, plural } from './dom.js';

const query = { sort: 'student', descending: false, filter: 'all', search: '', page: 0 };
const FILTERS = { all: 'All scripts', unchecked: 'With answers to check', flagged: 'With flagged answers', checked: 'Checked, not released', released: 'Released' };
const PAUSE_MS = 250;

export async function showClass(desk, view) {
  const body = h('div', {});
  const again = async () => {
    const found = await api.classPage({ ...query });
    body.replaceChildren(table(desk, found, again), pager(found, () => again().catch(desk.fail)));
  };
  let timer;
  const search = h('input', {
    type: 'search', id: 'search', value: query.search, autocomplete: 'off',
    oninput: (event) => {
      query.search = event.target.value;
      query.page = 0;
      clearTimeout(timer);
      timer = setTimeout(() => again().catch(desk.fail), PAUSE_MS);
    },
  });
  const filter = h('select', {
    id: 'filter',
    onchange: (event) => {
      query.filter = event.target.value;
      query.page = 0;
      again().catch(desk.fail);
    },
  }, Object.entries(FILTERS).map(([value, text]) => h('option', { value, selected: value === query.filter }, text)));
  await again();
  view.replaceChildren(
    h('div', { class: 'bar' }, h('h2', {}, 'Class'),
      h('div', { class: 'field' }, h('label', { for: 'search' }, 'Find a student'), search),
      h('div', { class: 'field' }, h('label', { for: 'filter' }, 'Show'), filter),
      h('a', { class: 'button', href: '/review/desk/marks.csv', download: 'marks.csv' }, 'Marks as a table (CSV)')),
    body,
  );
}

function sorted(label, sort, again, desk) {
  const isOwn = query.sort === sort;
  const sign = isOwn ? (query.descending ? ' ▼' : ' ▲') : '';
  const attributes = isOwn ? { 'aria-sort': query.descending ? 'descending' : 'ascending' } : {};
  const choose = () => {
    query.descending = isOwn ? !query.descending : false;
    query.sort = sort;
    query.page = 0;
    again().catch(desk.fail);
  };
  return h('th', { scope: 'col', ...attributes }, h('button', { type: 'button', class: 'sort', onclick: choose }, `${label}${sign}`));
}

function table(desk, found, again) {
  if (!found.rows.length) return h('p', { class: 'muted' }, 'No script is like that.');
  const questions = desk.questions.map((question, index) => h('th', { scope: 'col' },
    h('a', { href: `#part/${index}/${encodeURIComponent(question.parts[0].label)}`, 'aria-label': `Question ${question.number}` }, question.number)));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The class' },
    h('table', { class: 'grid' },
      h('caption', { class: 'visually-hidden' }, `${plural(found.size, 'script')}, page ${found.page + 1} of ${Math.max(found.pages, 1)}`),
      h('thead', {}, h('tr', {}, sorted('Student', 'student', again, desk), sorted('Score', 'score', again, desk),
        sorted('To check', 'unchecked', again, desk), sorted('Flags', 'flagged', again, desk), h('th', { scope: 'col' }, 'State'), questions)),
      h('tbody', {}, found.rows.map((row) => line(row)))));
}

function line(row) {
  const name = row.name ? `${row.name} (${row.student})` : row.student;
  const score = row.score ? `${row.score.awarded} / ${row.score.available}` : '';
  const cells = row.cells.map(({ awarded, available, flagged, checked }) => {
    const told = flagged ? ', flagged' : checked ? ', checked' : '';
    const kind = flagged ? 'cell-flagged' : checked ? 'cell-checked' : '';
    return h('td', { class: kind || null }, available ? awarded : '–', h('span', { class: 'visually-hidden' }, told));
  });
  return h('tr', {},
    h('th', { scope: 'row' }, h('a', { class: 'student', href: `#script/${row.submission_id}`, title: name }, name)),
    h('td', {}, score), h('td', {}, row.parts - row.checked || '✓', row.parts - row.checked ? null : h('span', { class: 'visually-hidden' }, ' all checked')),
    h('td', {}, row.flagged || ''), h('td', {}, row.status === 'released' ? 'released' : row.checked >= row.parts ? 'checked' : 'marked'), cells);
}

export function pager(found, again, state = query) {
  if (found.pages <= 1) return h('p', { class: 'muted small' }, plural(found.size, state === query ? 'script' : 'answer'));
  const to = (page) => () => {
    state.page = page;
    again();
  };
  return h('nav', { class: 'pager', 'aria-label': 'Pages' },
    button('Earlier', to(found.page - 1), { disabled: found.page === 0 }),
    h('span', {}, `Page ${found.page + 1} of ${found.pages}`),
    button('Later', to(found.page + 1), { disabled: found.page + 1 >= found.pages }));
}
