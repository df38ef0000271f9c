// All answers to one part, one after the other, or those together that say the same.

import * as api from './marking-api.js';
import { AnswerCard, KEYS, markChoice, placeOf, walk } from './marking-answer.js';
import { button, h, plural, shortened } from './dom.js';
import { pager } from './marking-class.js';
import { amendScheme } from './marking-scheme.js';

const state = { filter: 'all', page: 0, isGrouped: false, at: null };
/** How many of the part's answers are checked, as of now. */
const count = h('span', { class: 'muted small', id: 'part-checked' });
const FILTERS = { all: 'All answers', unchecked: 'Not checked', flagged: 'Flagged' };

export async function showPart(desk, view, question, part) {
  const at = `${question}/${part}`;
  if (state.at !== at) Object.assign(state, { at, page: 0 });
  const again = async () => {
    const found = await api.part({ question, part, filter: state.filter, page: state.page, grouped: state.isGrouped });
    view.replaceChildren(head(desk, question, part, found, again), state.isGrouped ? groups(desk, question, part, found, again) : list(desk, found, again));
  };
  await again();
}

function head(desk, question, part, found, again) {
  const options = desk.questions.flatMap(({ parts }, index) => parts.map(({ label }) => h('option', {
    value: `${index}/${encodeURIComponent(label)}`, selected: index === question && label === part,
  }, `Question ${desk.partName(index, label)}`)));
  const chosen = desk.questions[question];
  const asked = [chosen?.text, chosen?.parts.find(({ label }) => label === part)?.text].filter(Boolean).join(' ');
  const filter = h('select', {
    id: 'part-filter',
    onchange: (event) => {
      Object.assign(state, { filter: event.target.value, page: 0 });
      again().catch(desk.fail);
    },
  }, Object.entries(FILTERS).map(([value, text]) => h('option', { value, selected: value === state.filter }, text)));
  const toggle = button(state.isGrouped ? 'One after the other' : 'Like answers together', () => {
    state.isGrouped = !state.isGrouped;
    state.page = 0;
    again().catch(desk.fail);
  });
  count.textContent = ` · ${found.checked} of ${found.all} checked`;
  return h('div', { class: 'bar' },
    h('h2', {}, `Question ${desk.partName(question, part)}`, count),
    asked ? h('p', { class: 'muted' }, shortened(asked, 400)) : null,
    h('div', { class: 'field' }, h('label', { for: 'part-choice' }, 'Question'),
      h('select', { id: 'part-choice', onchange: (event) => { location.hash = `#part/${event.target.value}`; } }, options)),
    state.isGrouped ? null : h('div', { class: 'field' }, h('label', { for: 'part-filter' }, 'Show'), filter), toggle,
    button('Amend the scheme…', () => amendScheme(desk, question, part).catch(desk.fail)));
}

function list(desk, found, again) {
  if (!found.answers.length) return h('p', { class: 'muted' }, 'There is no answer like that.');
  const cards = [];
  const move = walk(cards);
  // What nobody has checked comes first, so the next ones stand on the first page.
  const fresh = found.answers.filter(({ checked }) => !checked).length;
  const onwards = async () => {
    if (!cards.every(({ answer }) => answer.checked) || found.checked + fresh >= found.all) return;
    state.page = 0;
    await again().catch(desk.fail);
    document.querySelector('.answer')?.focus();
  };
  found.answers.forEach((answer, index) => {
    const card = new AnswerCard(desk, answer, {
      title: `Answer ${state.page * 20 + index + 1}`,
      onmoved: (by) => move(card, by),
      ontaken: () => {
        const more = cards.filter(({ answer: now }) => now.checked).length - (found.answers.length - fresh);
        count.textContent = ` · ${found.checked + more} of ${found.all} checked`;
      },
      ondecided: (_, isAgreed) => isAgreed && (move(card, 1) || onwards()),
    });
    cards.push(card);
  });
  cards.forEach((card, index) => card.element.setAttribute('tabindex', index === 0 ? '0' : '-1'));
  return h('div', {}, KEYS(), h('ol', { class: 'answers', 'aria-label': 'Answers' }, cards.map(({ element }) => element)),
    pager(found, () => again().catch(desk.fail), state));
}

/** Groups are proposals: whoever does not belong is taken out before the decision. */
function groups(desk, question, part, found, again) {
  if (!found.groups.length) return h('p', { class: 'muted' }, 'No two answers that are not checked say or mean the same.');
  const shown = found.groups.map((group, index) => {
    const members = group.members.map((member) => {
      const box = h('input', { type: 'checkbox', checked: true, value: member.submission_id });
      return h('li', {}, h('label', {}, box, ` ${member.name ?? member.student}: “${shortened(member.answer, 60) || 'nothing'}” `, h('span', { class: 'muted' }, `(${member.awarded})`)));
    });
    const details = h('details', {}, h('summary', {}, `${plural(group.members.length, 'answer')}: who is touched`), h('ul', { class: 'members' }, members));
    const { available } = found;
    const give = async (mark) => {
      const taken = new Set([...details.querySelectorAll('input:checked')].map(({ value }) => value));
      const scripts = group.members.filter(({ submission_id: id }) => taken.has(id)).map(({ submission_id, seen, awarded }) => ({ submission_id, seen, shown: awarded }));
      if (!scripts.length) return;
      try {
        const { count, versions } = await api.decideGroup({ question, part, say: { mark }, scripts });
        const know = (made) => Object.entries(made).forEach(([id, version]) => desk.versions.set(placeOf({ submission_id: id, question, part }), version));
        know(versions);
        const told = `${plural(count, 'answer')} marked ${mark}`;
        desk.remember({ label: told, back: async () => {
          const members = scripts.map(({ submission_id: id, seen }) => ({ submission_id: id, seen: desk.versions.get(placeOf({ submission_id: id, question, part })), before: seen }));
          know((await api.decideGroup({ question, part, say: 'back', scripts: members })).versions);
        } });
        await desk.refresh();
        desk.announce(told);
        return;
      } catch (problem) {
        if (problem.code !== 'decided') throw problem;
        desk.announce('Somebody else decided about one of them in the meantime. Nothing was changed; look again.', true);
      }
      await again();
    };
    const choice = markChoice('Give all of them', found, group.awarded[0], (mark) => give(mark).catch(desk.fail), (mark) => ({
      class: `button small${group.awarded.length === 1 && group.awarded[0] === mark ? ' primary' : ''}`, 'aria-label': `Give all ${mark} of ${available}`,
    }));
    return h('section', { class: 'group', 'aria-labelledby': `group-${index}` },
      h('h3', { id: `group-${index}` }, `“${shortened(group.answer, 160) || 'nothing'}”`),
      h('p', { class: 'why' }, `${plural(group.members.length, 'answer')} that ${group.same ? 'say the same' : 'seem to mean the same: please look who is in it'}, now ${group.awarded.join(' or ')} of ${available}`),
      details, choice);
  });
  return h('div', {}, shown);
}
