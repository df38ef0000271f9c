// One script: the student's pages with ticks where marks were earned, beside the questions.

import * as api from './marking-api.js';
import { AnswerCard, KEYS, placeOf, walk } from './marking-answer.js';
import { button, h, plural } from './dom.js';

export async function showScript(desk, view, id) {
  if (!id) {
    view.replaceChildren(h('h2', {}, 'No script is chosen'), h('p', {}, 'Choose one in the ', h('a', { href: '#class' }, 'class'), '.'));
    return;
  }
  desk.lastScript = id;
  const script = await api.script(id);
  const sheets = pages(script);
  const cards = [];
  const move = walk(cards);
  const score = h('span', {}, told(script.score));
  const explanation = h('p', { class: 'muted' }, script.explanation);
  for (const answer of script.answers.filter(({ available }) => available > 0)) {
    const card = new AnswerCard(desk, answer, {
      title: `Question ${desk.partName(answer.question, answer.part)}`,
      isOpen: script.is_open,
      withCutout: false,
      onmoved: (by) => move(card, by),
      ondecided: (own, isAgreed) => {
        score.textContent = told(own.score);
        // It tells of the marks before this decision.
        explanation.hidden = true;
        if (isAgreed) move(card, 1);
      },
    });
    card.element.addEventListener('focusin', () => sheets.show(answer));
    cards.push(card);
  }
  cards.forEach((card, index) => card.element.setAttribute('tabindex', index === 0 ? '0' : '-1'));
  const name = script.name ? `${script.name} (${script.student})` : script.student;
  const agreeAll = async () => {
    const open = cards.filter(({ answer }) => !answer.checked);
    const steps = open.map(({ answer }) => ({ question: answer.question, part: answer.part, say: 'agree', seen: answer.version, shown: answer.awarded }));
    if (!steps.length) return;
    try {
      const decided = await api.decide(id, steps);
      open.forEach((card) => card.take(decided));
    } catch (problem) {
      if (problem.code !== 'decided') throw problem;
      await showScript(desk, view, id);
      desk.announce('An answer changed in the meantime. Nothing was decided; please look again.', true);
      return;
    }
    const label = `agreement with ${plural(steps.length, 'answer')} of ${name}`;
    desk.remember({ label, back: async () => {
      const back = steps.map(({ question, part, seen }) => ({ question, part, say: { restore: seen }, seen: desk.versions.get(placeOf({ submission_id: id, question, part })) }));
      const now = await api.decide(id, back);
      now.answers.forEach((answer) => desk.versions.set(placeOf(answer), answer.version));
    } });
    desk.announce(`${plural(steps.length, 'answer')} checked`);
  };
  const release = async () => {
    await api.release({ submission_id: id });
    desk.totals.released += 1;
    desk.renderProgress();
    desk.announce(`Released: ${name}`);
    await showScript(desk, view, id);
  };
  view.replaceChildren(
    h('div', { class: 'bar' }, h('h2', {}, name, ' · ', score),
      script.is_open
        ? [button('Agree with all the rest', () => agreeAll().catch(desk.fail)), button('Release this script', () => release().catch(desk.fail))]
        : h('p', { class: 'muted' }, 'This result is released and final.')),
    explanation,
    script.is_open ? KEYS() : null,
    h('div', { class: 'script' }, sheets.element, h('ol', { class: 'answers', 'aria-label': 'Answers' }, cards.map(({ element }) => element))),
  );
}

function told({ awarded, available, percentage }) {
  return `${awarded} of ${available} marks (${percentage} %)`;
}

/** The pages, with a tick at the words of every point that earned something. */
function pages(script) {
  const figures = new Map();
  script.pages.forEach((count, file) => {
    for (let page = 1; page <= count; page += 1) {
      const image = h('img', { src: api.pageUrl(script.submission_id, file, page), alt: `Page ${page} of file ${file + 1}`, loading: 'lazy' });
      const paper = h('div', { class: 'sheet-page' }, image);
      image.addEventListener('error', () => paper.replaceChildren(h('p', { class: 'muted' }, `Page ${page} cannot be shown.`)));
      figures.set(`${file}/${page}`, paper);
    }
  });
  for (const answer of script.answers) {
    for (const point of answer.points.filter(({ awarded }) => awarded > 0)) {
      for (const { file, page, box } of point.evidence) {
        const tick = h('div', { class: 'tick', title: point.text });
        tick.style.left = `${100 * box.x}%`;
        tick.style.top = `${100 * box.y}%`;
        tick.style.width = `${100 * box.width}%`;
        tick.style.height = `${100 * box.height}%`;
        figures.get(`${file}/${page}`)?.append(tick);
      }
    }
  }
  const element = h('section', { class: 'sheets', 'aria-label': 'Pages of the script', tabindex: '0' }, [...figures.values()]);
  const show = ({ places }) => {
    const paper = places[0] && figures.get(`${places[0].file}/${places[0].page}`);
    if (paper && element.scrollHeight > element.clientHeight) element.scrollTop = paper.offsetTop + places[0].box.y * paper.offsetHeight - 60;
  };
  return { element, show };
}
