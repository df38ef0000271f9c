// The pages as pictures, with each question's place outlined. A picture is asked for when its page comes near.

import { pictureUrl } from './api.js';
import { byId, h } from './dom.js';
import { keyRegions } from './model.js';

const DOCUMENTS = [['question_paper', 'Question paper'], ['marking_scheme', 'Marking scheme']];

export class Pages {
  #document = 'question_paper';
  #figures = new Map();
  #observer = null;
  #active = null;
  #part = null;
  #located = null;

  /** `onpick` is told the question whose outline was clicked, `onpoint` the one under the pointer or null. */
  constructor(desk, onpick, onpoint, tools = []) {
    Object.assign(this, { desk, onpick, onpoint });
    this.pane = byId('pages');
    this.tabs = DOCUMENTS.map(([name, text]) => h('button', {
      type: 'button', 'aria-pressed': String(name === this.#document), onclick: () => this.show(name),
    }, text));
    this.sheet = h('div', { class: 'sheet' });
    const documents = h('div', { class: 'switch', role: 'group', 'aria-label': 'Document' }, this.tabs);
    this.pane.append(h('div', { class: 'pages-head' }, documents, tools), this.sheet);
  }

  get document() {
    return this.#document;
  }

  /** Shows the other document. */
  turn() {
    this.show(DOCUMENTS.find(([name]) => name !== this.#document)[0]);
  }

  /** Shows one of the documents, at the question that was looked at last. */
  show(name) {
    this.#document = name;
    DOCUMENTS.forEach(([other], index) => this.tabs[index].setAttribute('aria-pressed', String(other === name)));
    const title = DOCUMENTS.find(([other]) => other === name)[1].toLowerCase();
    const count = this.desk.paper[`${name}_pages`];
    this.#observer?.disconnect();
    this.#observer = new IntersectionObserver((entries) => this.#near(entries), { root: this.pane, rootMargin: '600px' });
    this.#figures = new Map();
    for (let page = 1; page <= count; page += 1) this.#figures.set(page, this.#figure(page, count, title));
    this.sheet.replaceChildren(...this.#figures.values());
    for (const figure of this.#figures.values()) this.#observer.observe(figure);
    this.pane.scrollTop = 0;
    this.outline();
    const item = this.#located && this.desk.find(this.#located.key);
    if (item) this.locate(item);
  }

  #figure(page, count, title) {
    const picture = h('img', { alt: `Page ${page} of the ${title}`, width: 1100, height: 1556, decoding: 'async' });
    picture.addEventListener('load', () => figure.classList.add('is-drawn'));
    picture.addEventListener('error', () => {
      if (picture.src) figure.classList.add('is-missing');
    });
    const figure = h('figure', { class: 'page', 'data-page': page },
      h('div', { class: 'page-paper' }, picture, h('p', { class: 'page-missing' }, 'This page cannot be shown.'),
        h('div', { class: 'outlines', 'aria-hidden': 'true' })),
      h('figcaption', {}, `Page ${page} of ${count}`));
    return figure;
  }

  #near(entries) {
    for (const { isIntersecting, target } of entries) {
      const picture = target.querySelector('img');
      if (isIntersecting && !picture.getAttribute('src')) {
        picture.src = pictureUrl(this.#document, target.dataset.page);
        this.#observer.unobserve(target);
      }
    }
  }

  /** Where a question stands in the document that is shown. */
  #regions(item, part = null) {
    if (this.#document === 'marking_scheme') return keyRegions(item.draft, part);
    return part === null ? item.draft.regions : item.draft.parts[part]?.regions ?? [];
  }

  /** Draws the outlines of all questions anew. */
  outline() {
    for (const figure of this.#figures.values()) figure.querySelector('.outlines').replaceChildren();
    for (const item of this.desk.items) {
      for (const region of this.#regions(item)) this.#box(item, region);
    }
    this.highlight(this.#active, this.#part);
  }

  #box(item, region) {
    const box = h('div', {
      class: 'outline', 'data-key': item.key, onclick: () => this.onpick(item),
      onpointerenter: () => this.onpoint(item), onpointerleave: () => this.onpoint(null),
    }, h('span', { class: 'outline-label' }, item.draft.number));
    place(box, region);
    this.#figures.get(region.page)?.querySelector('.outlines').append(box);
  }

  /** Makes a question's outline stand out, and within it a part's. */
  highlight(item, part = null) {
    this.#active = item;
    this.#part = part;
    for (const box of this.sheet.querySelectorAll('.outline-part')) box.remove();
    for (const box of this.sheet.querySelectorAll('.outline')) box.classList.toggle('is-active', box.dataset.key === item?.key);
    if (!item || part === null) return;
    for (const region of this.#regions(item, part)) {
      const box = h('div', { class: 'outline-part' });
      place(box, region);
      this.#figures.get(region.page)?.querySelector('.outlines').append(box);
    }
  }

  /** Scrolls to a question's place in the document that is shown, if it is not in sight. False: it is not known. */
  locate(item, part = null) {
    this.#located = item;
    const own = part === null ? [] : this.#regions(item, part);
    const region = own[0] ?? this.#regions(item)[0];
    const figure = region && this.#figures.get(region.page);
    if (!figure) return false;
    const top = figure.offsetTop + figure.offsetHeight * region.y;
    const isSeen = top > this.pane.scrollTop && top < this.pane.scrollTop + this.pane.clientHeight * 0.7;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    if (!isSeen) this.pane.scrollTo({ top: Math.max(0, top - 90), behavior });
    return true;
  }
}

/** A region begins right at its first line's letters; a little above them looks better. */
const ABOVE = 0.006;

export function place(box, { x, y, width, height }, above = ABOVE) {
  const share = (value) => `${Math.round(value * 10000) / 100}%`;
  Object.assign(box.style, { left: share(x), top: share(y - above), width: share(width), height: share(height) });
}
