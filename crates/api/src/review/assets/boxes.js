// A box drawn on a page with the pointer: from corner to corner by dragging, or by a click on each of two corners.

import { h } from './dom.js';
import { place } from './pages.js';

/** A box smaller than this share of the page was a slip. */
const SIZE_MIN = 0.012;

export class Boxes {
  isOn = false;
  #corner = null;
  #paper = null;
  #shape = h('div', { class: 'drawn-box', hidden: true });

  /** `ondone` is told the region when a box is complete, `onchange` when drawing begins or ends. */
  constructor(sheet, ondone, onchange) {
    Object.assign(this, { sheet, ondone, onchange });
    sheet.addEventListener('pointerdown', (event) => this.#begin(event));
    sheet.addEventListener('pointermove', (event) => this.#follow(event));
    sheet.addEventListener('pointerup', (event) => this.#end(event));
    sheet.addEventListener('pointercancel', () => this.turn(false));
  }

  turn(isOn) {
    this.isOn = isOn;
    this.#corner = null;
    this.#shape.hidden = true;
    this.sheet.classList.toggle('is-drawing', isOn);
    this.onchange(isOn);
  }

  #spot(event) {
    const edges = this.#paper.getBoundingClientRect();
    const share = (value, from, size) => Math.min(1, Math.max(0, (value - from) / size));
    return [share(event.clientX, edges.left, edges.width), share(event.clientY, edges.top, edges.height)];
  }

  #begin(event) {
    if (!this.isOn || !event.isPrimary || event.button !== 0) return;
    const paper = event.target.closest?.('.page-paper');
    if (!paper) return;
    event.preventDefault();
    if (this.#corner && paper === this.#paper) return;
    this.#paper = paper;
    this.#corner = this.#spot(event);
    paper.append(this.#shape);
    paper.setPointerCapture?.(event.pointerId);
    this.#draw(this.#corner);
  }

  #follow(event) {
    if (this.#corner) this.#draw(this.#spot(event));
  }

  #region([x, y]) {
    const [left, top] = this.#corner;
    return {
      page: Number(this.#paper.closest('.page').dataset.page),
      x: Math.min(x, left), y: Math.min(y, top), width: Math.abs(x - left), height: Math.abs(y - top),
    };
  }

  #draw(spot) {
    this.#shape.hidden = false;
    place(this.#shape, this.#region(spot), 0);
  }

  #end(event) {
    if (!this.#corner) return;
    const region = this.#region(this.#spot(event));
    // A click is the first of two corners.
    if (region.width < SIZE_MIN || region.height < SIZE_MIN / 2) return;
    this.turn(false);
    this.ondone(region);
  }
}
