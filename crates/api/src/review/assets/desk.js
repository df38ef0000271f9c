// The questions under review: what the server has, what the reviewer made of it, and how the one becomes the other.
//
// An item keeps `base`, the question as the server has it in `version`, and `draft`, the question on the screen.
// All changes go to the server one after the other. A save that comes too late leaves the draft alone and puts
// the server's question beside it as `conflict`, for the reviewer to choose.

import * as api from './api.js';
import { cleaned, copy, same } from './model.js';

const SAVE_AFTER_MS = 800;
const RETRY_AFTER_MS = 4000;
const UNDO_MAX = 100;

export class Desk extends EventTarget {
  items = [];
  paper = null;
  /** What does not add up, as the server found it. */
  findings = [];
  undoable = [];
  isOffline = false;
  #queue = Promise.resolve();
  #timers = new Map();
  #keys = 0;

  /** Takes what the server has, and keeps what is not saved yet. */
  take(state) {
    this.paper = state.paper;
    this.findings = state.findings;
    const known = new Map(this.items.map((item) => [item.id, item]));
    const changed = [];
    this.items = state.questions.map(({ id, version, question }) => {
      const item = known.get(id) ?? this.#item(id, version, question);
      if (item.version !== version) changed.push(this.#renew(item, version, question));
      known.delete(id);
      return item;
    });
    // What another reviewer deleted stays on the screen as long as it holds unsaved work.
    const orphans = [...known.values()].filter((item) => this.isDirty(item));
    for (const item of orphans) item.conflict = { theirs: null, version: null };
    this.items.push(...orphans);
    this.#tell('list', { changed: changed.filter(Boolean) });
  }

  #item(id, version, question) {
    this.#keys += 1;
    return { key: `item-${this.#keys}`, id, version, base: question, draft: copy(question), problems: {}, conflict: null };
  }

  /** Another reviewer's change: shown at once, unless it would hide unsaved work. */
  #renew(item, version, question) {
    if (this.isDirty(item)) {
      item.conflict = { theirs: question, version };
      return null;
    }
    Object.assign(item, { version, base: question, draft: copy(question), problems: {}, conflict: null });
    return item;
  }

  isDirty(item) {
    return !same(cleaned(item.draft), cleaned(item.base));
  }

  /** True while something on the screen is not on the server. */
  get isUnsaved() {
    return this.items.some((item) => this.isDirty(item));
  }

  get isReadOnly() {
    return this.paper?.status !== 'awaiting_review';
  }

  /** What does not add up in a question. */
  findingsOf(item) {
    return this.findings.filter((finding) => finding.question !== null && finding.question === item.id).map(({ text }) => text);
  }

  find(key) {
    return this.items.find((item) => item.key === key);
  }

  /** The draft was changed: it is saved soon. */
  touched(item, delay = SAVE_AFTER_MS) {
    clearTimeout(this.#timers.get(item));
    this.#timers.set(item, setTimeout(() => this.save(item), delay));
    this.#tell('touched', { item });
  }

  /** Saves everything now; true when nothing is left unsaved. */
  async flush() {
    for (const item of this.items.filter((one) => this.isDirty(one))) this.save(item);
    await this.#queue;
    return !this.isUnsaved;
  }

  save(item) {
    clearTimeout(this.#timers.get(item));
    this.#timers.delete(item);
    return this.#next(() => this.#save(item));
  }

  async #save(item) {
    if (this.isReadOnly || item.conflict || item.isInvalid || !this.isDirty(item) || !this.items.includes(item)) {
      this.#tell('saved', { item });
      return;
    }
    const question = cleaned(item.draft);
    this.#tell('saving', { item });
    try {
      await this.#send('edit', [{ type: 'save', item, before: item.base, after: question }], `edit of question ${question.number}`);
      item.problems = {};
    } catch (problem) {
      this.#failed(item, problem);
    }
    this.#tell('saved', { item });
  }

  #failed(item, problem) {
    if (problem.code === 'changed') {
      const now = problem.changed[0]?.now ?? null;
      item.conflict = { theirs: now?.question ?? null, version: now?.version ?? null };
      this.#tell('conflict', { item });
    } else if (problem.code === 'wrong') {
      item.problems = { [problem.param.replace(/^steps\[\d+\]\.?/, '')]: problem.message };
      this.#tell('problem', { item });
    } else if (problem.isClosed || problem.status) {
      this.#tell('failed', { problem });
    } else {
      // The network is away: the draft waits, and is sent again by itself.
      this.isOffline = true;
      this.touched(item, RETRY_AFTER_MS);
    }
  }

  /** Does something to the list of questions. Call `flush` before, so that it is done to what is on the screen. */
  change(action, operations, label) {
    return this.#next(async () => {
      try {
        await this.#send(action, operations, label);
        return true;
      } catch (problem) {
        if (problem.code === 'changed') await this.refresh();
        this.#tell('failed', { problem });
        return false;
      }
    });
  }

  newItem(question) {
    return this.#item(null, 0, question);
  }

  /** Takes the last change back. */
  async undo() {
    await this.flush();
    const last = this.undoable.pop();
    if (!last) return null;
    const inverse = last.operations.map(inverted).reverse();
    const isDone = await this.change('undo', inverse, null);
    this.#tell('undone', { items: inverse.map((operation) => operation.item) });
    return isDone ? last.label : null;
  }

  async #send(action, operations, label) {
    const answer = await api.edit(action, operations.map(step));
    this.isOffline = false;
    const added = [...answer.added];
    for (const operation of operations) this.#apply(operation, added);
    this.paper = answer.paper;
    this.findings = answer.findings;
    if (label) this.undoable = [...this.undoable, { label, operations }].slice(-UNDO_MAX);
    const isKnown = this.#arrange(answer.order, operations);
    this.#tell('list', { changed: operations.filter((operation) => operation.replaces).map(({ item }) => item) });
    if (!isKnown) await this.refresh();
  }

  #apply({ type, item, after, replaces }, added) {
    if (type === 'save') {
      Object.assign(item, { base: copy(after), conflict: null });
      // What was typed while a save of the draft was under way stays.
      if (replaces) item.draft = copy(after);
    } else if (type === 'insert') {
      Object.assign(item, { id: added.shift(), version: 1 });
      this.items.push(item);
    } else if (type === 'delete') {
      this.items = this.items.filter((other) => other !== item);
    }
  }

  /** Puts the items in the server's order. False when another reviewer added or changed a question meanwhile. */
  #arrange(order, operations) {
    const ours = new Set(operations.map((operation) => operation.item));
    const known = new Map(this.items.map((item) => [item.id, item]));
    const arranged = order.map(({ id }) => known.get(id)).filter(Boolean);
    let isKnown = arranged.length === order.length;
    for (const { id, version } of order) {
      const item = known.get(id);
      if (ours.has(item)) item.version = version;
      else if (item?.version !== version) isKnown = false;
    }
    const rest = this.items.filter((item) => !arranged.includes(item));
    this.items = [...arranged, ...rest.filter((item) => this.isDirty(item))];
    return isKnown;
  }

  async refresh() {
    const state = await api.state();
    if (state) this.take(state);
  }

  /** Asks the server whether another reviewer did something; waits for what is under way. */
  poll() {
    return this.#next(async () => {
      try {
        await this.refresh();
        this.isOffline = false;
      } catch (problem) {
        if (problem.status) this.#tell('failed', { problem });
        else this.isOffline = true;
      }
      this.#tell('saved', {});
    });
  }

  approve() {
    return this.#next(async () => {
      this.paper = await api.approve();
      this.#tell('list', { changed: this.items });
    });
  }

  /** The reviewer chose between two versions of a question. What was not chosen can be brought back by undo. */
  async resolve(item, keepsMine) {
    const { theirs, version } = item.conflict;
    const mine = cleaned(item.draft);
    item.conflict = null;
    if (theirs === null) {
      this.items = this.items.filter((other) => other !== item);
      this.#tell('list', { changed: [] });
      if (!keepsMine) return;
      const again = this.newItem(mine);
      await this.change('add', [{ type: 'insert', item: again, after: this.items.at(-1) ?? null }], `question ${mine.number} kept`);
      return;
    }
    Object.assign(item, { version, base: theirs });
    if (keepsMine) {
      await this.save(item);
      return;
    }
    item.draft = copy(theirs);
    const operations = [{ type: 'save', item, before: mine, after: theirs, replaces: true }];
    this.undoable.push({ label: `choice of the other version of question ${theirs.number}`, operations });
    this.#tell('list', { changed: [item] });
  }

  #next(work) {
    this.#queue = this.#queue.then(work, work);
    return this.#queue;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** An operation as the server takes it. */
function step({ type, item, after, to }) {
  if (type === 'save') return { save: { id: item.id, version: item.version, question: after } };
  if (type === 'insert') return { insert: { after: after?.id ?? null, question: cleaned(item.draft) } };
  if (type === 'delete') return { delete: { id: item.id, version: item.version } };
  return { move: { id: item.id, after: to?.id ?? null } };
}

/** The operation that takes this one back. */
function inverted(operation) {
  const { type, item } = operation;
  if (type === 'save') return { type, item, before: operation.after, after: operation.before, replaces: true };
  if (type === 'insert') return { type: 'delete', item, after: operation.after };
  if (type === 'delete') return { type: 'insert', item, after: operation.after };
  return { type, item, from: operation.to, to: operation.from };
}
