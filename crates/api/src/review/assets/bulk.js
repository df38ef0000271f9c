// Several questions at once: which are selected, and what can be done with them. Everything is one edit, so that one
// "Undo" takes it back.

import { button, byId, plural } from './dom.js';
import { earnsNothing, merge, total } from './model.js';

/** The server takes so many steps in one edit. */
export const STEPS_MAX = 100;

export class Selection {
  #keys = new Set();

  constructor(desk, onchange) {
    Object.assign(this, { desk, onchange });
  }

  /** In the order of the paper. */
  get items() {
    return this.desk.items.filter((item) => this.#keys.has(item.key));
  }

  has(item) {
    return this.#keys.has(item.key);
  }

  set(item, isSelected) {
    if (isSelected) this.#keys.add(item.key);
    else this.#keys.delete(item.key);
    this.onchange();
  }

  clear() {
    this.#keys.clear();
    this.onchange();
  }

  /** What is gone is not selected. */
  prune() {
    for (const key of this.#keys) if (!this.desk.find(key)) this.#keys.delete(key);
  }
}

/** "questions 3, 4 and 7", "question 3". */
export function named(items) {
  const numbers = items.map((item) => item.draft.number);
  if (numbers.length === 1) return `question ${numbers[0]}`;
  if (numbers.length > 8) return `${numbers.length} questions`;
  return `questions ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** The steps that delete questions. Each is put back behind the last one before it that stays. */
function deletions(desk, items) {
  const gone = new Set(items);
  let before = null;
  const steps = [];
  for (const item of desk.items) {
    if (gone.has(item)) steps.push({ type: 'delete', item, after: before });
    else before = item;
  }
  return steps;
}

/** Deletes questions; false when nothing was done. */
export async function removeAll(desk, items, announce) {
  if (items.length === 0) return false;
  if (items.length >= desk.items.length) {
    announce('A paper keeps at least one question.');
    return false;
  }
  if (items.length > STEPS_MAX) {
    announce(`At most ${STEPS_MAX} questions can be deleted at once.`);
    return false;
  }
  const what = named(items);
  if (!(await desk.change('delete', deletions(desk, items), `deletion of ${what}`))) return false;
  announce(`Deleted ${what}. Undo brings ${items.length === 1 ? 'it' : 'them'} back.`);
  return true;
}

/** Makes one question of several: the first of them takes up the others. Gives it, or null. */
export async function joinAll(desk, items, announce) {
  if (items.length < 2 || items.length > STEPS_MAX) {
    announce(items.length < 2 ? 'Select the questions to join, or one that has a next.' : 'These are too many to join.');
    return null;
  }
  const [first, ...others] = items;
  const whole = others.reduce((joined, item) => merge(joined, item.base), first.base);
  const save = { type: 'save', item: first, before: first.base, after: whole, replaces: true };
  const what = named(items);
  if (!(await desk.change('merge', [save, ...deletions(desk, others)], `joining of ${what}`))) return null;
  announce(`Joined ${what}.`);
  return first;
}

/** Questions at the beginning that have neither marks nor a key, as a list of instructions on a cover gives them. */
export function instructions(desk) {
  const isBare = ({ draft }) =>
    (total(draft) ?? 0) === 0 && earnsNothing(draft.answer_key) && draft.parts.every((part) => earnsNothing(part.answer_key));
  const first = desk.items.findIndex((item) => !isBare(item));
  return first > 0 ? desk.items.slice(0, first) : [];
}

/** The row of buttons for what is selected. */
export function renderBulk(selection, actions) {
  const { items } = selection;
  const bar = byId('bulk');
  bar.hidden = items.length === 0 || selection.desk.isReadOnly;
  byId('bulk-count').textContent = `${plural(items.length, 'question')} selected`;
  if (bar.childElementCount === 1) {
    bar.append(
      button('Join', actions.join, { class: 'button small', id: 'bulk-join' }),
      button('Delete', actions.remove, { class: 'button small danger', id: 'bulk-delete' }),
      button('Select none', () => selection.clear(), { class: 'button small quiet' }));
  }
  byId('bulk-join').disabled = items.length < 2;
}
