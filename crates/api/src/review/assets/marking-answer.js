// One answer: its cut-out of the page beside the words that were read, the scheme's points, and what to decide.

import * as api from './marking-api.js';
import { button, freshId, h } from './dom.js';

const FLAGS = {
  low_confidence: 'the machine is not sure',
  illegible: 'hard to read',
  answer_continues_elsewhere: 'goes on elsewhere',
  more_answers_than_asked: 'more answers than asked for',
  not_attempted: 'nothing written',
  not_judged: 'not judged: please mark it yourself',
};
/** A cut-out shows at least this much of the page's width, so that one word does not fill the screen. */
const WIDTH_MIN = 0.55;
const PADDING = 0.012;

export class AnswerCard {
  /** `title` names the answer; `onmoved` is asked for the card to go to next (1) or before (-1), `ontaken` told of every change. */
  constructor(desk, answer, { title, isOpen = true, onmoved = () => {}, ondecided = () => {}, ontaken = () => {}, withCutout = true }) {
    Object.assign(this, { desk, answer, title, isOpen, onmoved, ondecided, ontaken, withCutout });
    this.element = h('li', { class: 'answer', tabindex: '-1', onkeydown: (event) => this.#key(event) });
    this.cutouts = withCutout ? answer.places.map((place) => cutout(answer, place)) : [];
    this.render();
  }

  render(conflict = null) {
    const { answer } = this;
    const isFlagged = answer.flags.some((flag) => flag !== 'not_attempted');
    this.element.classList.toggle('is-checked', answer.checked);
    this.element.classList.toggle('is-flagged', isFlagged);
    this.element.setAttribute('aria-label', `${this.title}, ${answer.awarded} of ${answer.available} marks${answer.checked ? ', checked' : ''}`);
    const flags = answer.flags.map((flag) => h('span', { class: 'flag' }, FLAGS[flag] ?? flag));
    const machine = answer.machine !== answer.awarded ? h('span', { class: 'muted' }, ` (machine: ${answer.machine})`) : null;
    const state = answer.checked ? `checked${answer.reviewer ? ` by ${answer.reviewer}` : ''}` : `${Math.round(answer.confidence * 100)} % sure`;
    const head = h('div', { class: 'answer-head' }, h('h3', {}, this.title),
      h('p', {}, flags, ' ', h('span', { class: 'why' }, state), ' ', h('span', { class: 'mark' }, `${answer.awarded} / ${answer.available}`), machine));
    const left = h('div', {}, this.cutouts,
      h('p', { class: 'read' }, answer.answer || h('em', { class: 'muted' }, 'Nothing was read here.')),
      answer.feedback ? h('p', { class: 'why' }, answer.feedback) : null,
      answer.because ? h('p', { class: 'why learned' }, answer.because) : null,
      answer.role === 'measures' && !answer.checked ? h('p', { class: 'why' }, 'Drawn at random to see how well you and the machine agree: no other mark follows this one.') : null);
    const right = h('div', {}, this.#points(), this.isOpen ? this.#tools() : null);
    this.element.replaceChildren(...[head, conflict, left, right].filter(Boolean));
  }

  #points() {
    const { answer } = this;
    const line = (point, index) => {
      const words = point.evidence.map(({ text }) => text).join(' … ');
      const isTurned = point.verdict === 'contradicted';
      const told = [point.text || 'A point of the scheme', h('span', { class: 'why' }, ` (${point.marks})${words ? ` – ${isTurned ? 'says otherwise: ' : ''}“${words}”` : ''}`)];
      const box = h('input', {
        type: 'checkbox', checked: point.awarded > 0, disabled: !this.isOpen,
        onchange: () => {
          const points = answer.points.map(({ awarded }) => awarded);
          points[index] = points[index] > 0 ? 0 : point.marks;
          this.decide({ points }, `points of ${this.title}`);
        },
      });
      return h('li', {}, h('label', {}, box, h('span', {}, told)));
    };
    return answer.points.length ? h('ul', { class: 'points', 'aria-label': 'Points of the scheme' }, answer.points.map(line)) : null;
  }

  #tools() {
    const { answer } = this;
    const remarkId = freshId('remark');
    const marks = markChoice('Mark', answer, answer.awarded, (mark) => this.decide({ mark }, `mark of ${this.title}`),
      (mark) => ({ 'aria-pressed': String(mark === answer.awarded) }));
    this.remark = h('textarea', { id: remarkId, rows: 1, maxlength: 2000, value: answer.remark ?? '', onchange: () => this.#remarked() });
    return [marks,
      h('div', { class: 'field' }, h('label', { for: remarkId }, 'Remark for the student'), this.remark),
      h('div', { class: 'answer-tools' },
        button(answer.checked ? 'Checked ✓' : 'Agree', () => this.agree(), { class: `button${answer.checked ? '' : ' primary'}` }),
        button('The student wrote…', () => this.reread()))];
  }

  agree() {
    return this.decide('agree', `agreement with ${this.title}`);
  }

  #remarked() {
    return this.decide({ mark: this.answer.awarded }, `remark on ${this.title}`);
  }

  /** What the student really wrote: judged again at once. */
  reread() {
    const id = freshId('wrote');
    const area = h('textarea', { id, rows: 5, value: this.answer.answer, maxlength: 10000 });
    const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title` }, 'The student wrote…'),
      h('div', { class: 'dialog-body' }, this.answer.places[0] ? cutout(this.answer, this.answer.places[0]) : null,
        h('div', { class: 'field' }, h('label', { for: id }, 'What the student really wrote'), area)),
      h('div', { class: 'dialog-buttons' }, button('Cancel', () => dialog.close()),
        button('Judge again', () => {
          dialog.close();
          this.decide({ wrote: area.value }, `what was read for ${this.title}`);
        }, { class: 'button primary' })));
    dialog.addEventListener('close', () => {
      dialog.remove();
      this.element.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  async decide(say, label, seen = this.answer.version) {
    const before = this.answer;
    const remark = this.remark?.value.trim() || null;
    // Whoever agrees means the mark on the screen; it may have followed another decision since.
    const step = { question: before.question, part: before.part, say, seen, ...(say === 'agree' ? { shown: before.awarded } : { remark }) };
    try {
      this.desk.announce('Saving…');
      this.take(await api.decide(before.submission_id, [step]));
      this.desk.announce(`Saved: ${this.title}, ${this.answer.awarded} of ${this.answer.available}`);
      this.desk.remember({ label, back: () => this.#restore(before.version) });
      this.ondecided(this, say === 'agree');
    } catch (problem) {
      if (problem.code === 'decided') this.#conflict(problem.decided, say, label);
      else this.desk.fail(problem);
    }
  }

  async #restore(version) {
    const step = { question: this.answer.question, part: this.answer.part, say: { restore: version }, seen: this.desk.versions.get(placeOf(this.answer)) };
    this.take(await api.decide(this.answer.submission_id, [step]));
  }

  /** Takes the answer over as it is now; the focus stays on the card. */
  take({ answers, score }) {
    const now = answers.find(({ question, part }) => question === this.answer.question && part === this.answer.part);
    if (!now) return;
    const hadFocus = this.element.contains(document.activeElement);
    const before = this.answer;
    this.answer = now;
    this.desk.versions.set(placeOf(now), now.version);
    this.score = score;
    this.render();
    if (hadFocus) this.element.focus();
    this.desk.decided(before, now);
    this.ontaken();
  }

  #conflict(theirs, say, label) {
    const who = theirs.reviewer ?? 'Somebody else';
    const told = theirs.version === this.answer.version
      ? `The mark followed another decision in the meantime: ${theirs.awarded} of ${this.answer.available} marks.`
      : `${who} decided about this answer in the meantime: ${theirs.awarded} of ${this.answer.available} marks.`;
    const notice = h('div', { class: 'conflict', role: 'alert' }, h('p', {}, told),
      button('Keep theirs', () => api.script(theirs.submission_id).then((now) => this.take(now)).catch(this.desk.fail)),
      button('Use mine', () => this.decide(say === 'agree' ? { mark: this.answer.awarded } : say, label, theirs.version)));
    this.render(notice);
    this.desk.announce('The answer has changed. Please choose.', true);
    notice.querySelector('button').focus();
  }

  /** Keys work while the card has the focus, and not while something is typed. */
  #key(event) {
    const isTyping = event.target.matches('textarea, input[type="text"], input[type="number"]');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const own = event.target === this.element;
    const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    if (event.key === 'j') this.onmoved(1);
    else if (event.key === 'k') this.onmoved(-1);
    else if (!this.isOpen) return;
    else if (event.key === 'a' || (own && event.key === 'Enter')) this.agree();
    else if (digit !== null && digit <= this.answer.available) this.decide({ mark: digit }, `mark of ${this.title}`);
    else if (event.key === 'e') this.reread();
    else if (event.key === 'r') this.remark?.focus();
    else return;
    event.preventDefault();
  }
}

export const KEYS = () => h('p', { class: 'key-line' }, 'On an answer: ', h('kbd', {}, 'j'), ' ', h('kbd', {}, 'k'), ' next and previous, ',
  h('kbd', {}, 'a'), ' or ', h('kbd', {}, 'Enter'), ' agree, ', h('kbd', {}, '0'), '–', h('kbd', {}, '9'), ' set the mark, ', h('kbd', {}, 'e'),
  ' what the student wrote, ', h('kbd', {}, 'r'), ' remark.');

/** Names an answer among all of the class. */
export const placeOf = ({ submission_id: id, question, part }) => `${id}/${question}/${part}`;

/** More marks than these are typed in. */
const BUTTONS_MAX = 21;

/** The marks that an answer can be given: buttons, or a field where they would be too many. */
export function markChoice(legend, { available, step }, given, choose, attributes) {
  const count = Math.round(available / step) + 1;
  if (count <= BUTTONS_MAX) {
    const marks = Array.from({ length: count }, (_, index) => index * step);
    return h('fieldset', { class: 'marks' }, h('legend', {}, legend), marks.map((mark) => h('button', {
      type: 'button', class: 'button small', onclick: () => choose(mark), ...attributes(mark),
    }, String(mark))));
  }
  const id = freshId('given');
  const field = h('input', { id, type: 'number', min: 0, max: available, step, value: given });
  return h('fieldset', { class: 'marks' }, h('legend', {}, legend), h('label', { class: 'visually-hidden', for: id }, `0 to ${available}`), field,
    button('Give', () => field.reportValidity() && field.value !== '' && choose(Number(field.value)), { class: 'button small' }));
}

/** The piece of the page where an answer stands, with the words that earned marks. */
function cutout(answer, place) {
  const frame = widened(place.box);
  const box = h('div', { class: 'cutout' });
  const image = h('img', { src: api.pageUrl(answer.submission_id, place.file, place.page), alt: 'The answer as it was written', loading: 'lazy' });
  image.style.width = `${100 / frame.width}%`;
  image.style.left = `${(-100 * frame.x) / frame.width}%`;
  image.style.top = `${(-100 * frame.y) / frame.height}%`;
  box.style.aspectRatio = `${frame.width} / ${frame.height * 1.4142}`;
  image.addEventListener('load', () => {
    box.style.aspectRatio = `${frame.width} / ${(frame.height * image.naturalHeight) / image.naturalWidth}`;
  });
  image.addEventListener('error', () => {
    box.hidden = true;
  });
  box.append(image);
  for (const point of answer.points.filter(({ awarded }) => awarded > 0)) {
    for (const piece of point.evidence.filter(({ file, page }) => file === place.file && page === place.page)) {
      const hit = h('div', { class: 'hit' });
      hit.style.left = `${(100 * (piece.box.x - frame.x)) / frame.width}%`;
      hit.style.top = `${(100 * (piece.box.y - frame.y)) / frame.height}%`;
      hit.style.width = `${(100 * piece.box.width) / frame.width}%`;
      hit.style.height = `${(100 * piece.box.height) / frame.height}%`;
      box.append(hit);
    }
  }
  return box;
}

function widened({ x, y, width, height }) {
  const wide = Math.min(1, Math.max(width + 2 * PADDING, WIDTH_MIN));
  const left = Math.min(Math.max(0, x - PADDING), 1 - wide);
  const top = Math.max(0, y - PADDING);
  return { x: left, y: top, width: wide, height: Math.min(1 - top, height + 2 * PADDING) };
}

/** Cards that the keys move between; says whether there was one. */
export function walk(cards) {
  return (from, by) => {
    const next = cards[cards.indexOf(from) + by];
    next?.element.focus();
    next?.element.scrollIntoView({ block: 'nearest' });
    return Boolean(next);
  };
}
