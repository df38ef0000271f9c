// A question as a card: a line that says what it is, and below it, when opened, everything that can be changed.

import { button, freshId, h, plural, shortened } from './dom.js';
import { group, longField, marksField, removeButton, selectField, tellErrors, textField } from './fields.js';
import { keyFields } from './key.js';
import { TYPES, blankPart, emptiness, keyLine, keylessParts, nextLabel, partsTotal, total } from './model.js';

/** With more parts than this, they are folded. */
const PARTS_OPEN = 3;

/** What a reviewer should look at in a question, as sentences without their subject. */
export function concerns(question) {
  const empty = emptiness(question);
  const keyless = empty ? [] : keylessParts(question);
  return [
    empty,
    keyless.length > 0 && keyless.length < question.parts.length + 1 ? `has no answer key for ${keyless.join(', ')}` : null,
    ...question.warnings.map((warning) => `may be misread: ${warning}`),
  ].filter(Boolean);
}

export class Card {
  isOpen = false;
  #folds = new Map();

  /** `actions` says what the buttons do; each gets the item. */
  constructor(item, desk, actions) {
    Object.assign(this, { item, desk, actions });
    const body = freshId('body');
    this.number = h('span', { class: 'card-number' });
    this.text = h('span', { class: 'card-text' });
    this.marks = h('span', { class: 'card-marks' });
    this.badge = h('span', { class: 'badge', hidden: true });
    this.key = h('span', { class: 'card-key' });
    this.done = h('span', { class: 'card-done', hidden: true }, 'Checked');
    this.toggle = h('button', {
      type: 'button', class: 'card-toggle', 'aria-expanded': 'false', 'aria-controls': body, onclick: () => this.open(!this.isOpen),
    }, this.number, this.text, this.badge, this.done, this.marks, this.key);
    this.select = h('input', {
      type: 'checkbox', class: 'card-select', onchange: () => actions.select(item, this.select.checked),
    });
    this.notice = h('div', { class: 'card-notice' });
    this.body = h('div', { class: 'card-body', id: body, hidden: true });
    this.element = h('li', { class: 'card', id: item.key, 'data-key': item.key },
      h('div', { class: 'card-row' }, this.select, h('h3', { class: 'card-head' }, this.toggle)), this.notice, this.body);
    this.refresh();
  }

  /** The line, the notices and the errors follow the draft; the fields stay as they are. */
  refresh() {
    const { draft, conflict, problems } = this.item;
    const worth = total(draft);
    const found = this.found();
    this.number.textContent = draft.number || '?';
    this.text.textContent = shortened(draft.text || draft.parts[0]?.text || 'No text');
    this.marks.textContent = worth === null ? 'No marks' : plural(worth, 'mark');
    this.key.textContent = shortened(keyLine(draft) || 'No answer key', 160);
    this.select.hidden = this.desk.isReadOnly;
    this.select.checked = this.actions.isSelected(this.item);
    this.select.setAttribute('aria-label', `Select question ${draft.number}`);
    const isChecked = this.actions.isChecked(this.item);
    this.done.hidden = !isChecked;
    this.element.classList.toggle('is-checked', isChecked);
    this.badge.hidden = found.length === 0 && !conflict;
    this.badge.textContent = conflict ? 'Conflict' : 'Check';
    this.element.classList.toggle('has-conflict', Boolean(conflict));
    this.#showNotice(found);
    if (this.isOpen) tellErrors(this.body, problems);
    this.hint?.replaceChildren(...this.#totalHint());
  }

  /** Everything that is to be looked at, each said once. */
  found() {
    return [...new Set([...concerns(this.item.draft), ...this.desk.findingsOf(this.item)])];
  }

  open(isOpen) {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    this.body.hidden = !isOpen;
    this.element.classList.toggle('is-open', isOpen);
    this.body.replaceChildren(...(isOpen ? this.#form() : []));
    this.refresh();
    if (isOpen) this.actions.show(this.item);
  }

  /** The fields are made anew from the draft; the focus stays where it was, or goes where it should. */
  rebuild(focusPath) {
    if (!this.isOpen) {
      this.refresh();
      return;
    }
    const held = this.body.contains(document.activeElement) ? document.activeElement : null;
    const path = focusPath ?? held?.dataset.path;
    this.body.replaceChildren(...this.#form());
    this.refresh();
    const target = path && this.body.querySelector(`[data-path="${CSS.escape(path)}"]`);
    if (target) target.focus();
    else if (held) this.toggle.focus();
  }

  #showNotice(found) {
    const { item } = this;
    const lines = [];
    if (item.conflict) {
      const text = item.conflict.theirs
        ? 'Another reviewer changed this question while you were editing it. Your version is kept here until you choose.'
        : 'Another reviewer deleted this question while you were editing it. Your version is kept here until you choose.';
      lines.push(h('div', { class: 'notice conflict' }, h('p', {}, text), button('Compare and choose…', () => this.actions.compare(item))));
    }
    if (this.isOpen && found.length > 0) {
      const dismiss = item.draft.warnings.length > 0 && !this.desk.isReadOnly
        ? button('I have checked it', () => this.#dismissWarnings(), { class: 'button small' }) : null;
      lines.push(h('div', { class: 'notice' }, h('ul', {}, found.map((text) => h('li', {}, `This question ${text}.`))), dismiss));
    }
    // A notice that says the same is left alone, so that the focus in it is not lost.
    const said = JSON.stringify(lines.map((line) => line.textContent));
    if (this.noticed !== said) this.notice.replaceChildren(...lines);
    this.noticed = said;
  }

  #dismissWarnings() {
    this.item.draft.warnings = [];
    this.toggle.focus();
    this.#changed();
  }

  #changed() {
    this.desk.touched(this.item);
  }

  /** What fields need: to say that something changed, and to remember what is unfolded. */
  #edit() {
    return {
      changed: () => this.#changed(),
      rebuild: (focusPath) => {
        this.#changed();
        this.rebuild(focusPath ?? undefined);
      },
      flag: () => {
        this.item.isInvalid = this.body.querySelector('[data-invalid]') !== null;
        this.#changed();
      },
      isOpen: (path) => this.#folds.get(path) ?? false,
      remember: (path) => (event) => this.#folds.set(path, event.target.open),
    };
  }

  #form() {
    const { draft } = this.item;
    const edit = this.#edit();
    const set = (name) => (value) => {
      draft[name] = value;
      edit.changed();
    };
    const setType = (value) => {
      draft.kind = value;
      edit.rebuild('kind');
    };
    const hasParts = draft.parts.length > 0;
    this.hint = h('p', { class: 'muted small hint' });
    const fields = h('fieldset', { class: 'fields', disabled: this.desk.isReadOnly },
      h('legend', { class: 'visually-hidden' }, `Question ${draft.number}`),
      h('div', { class: 'row' },
        textField('number', 'Number', draft.number, set('number'), { class: 'field-number' }),
        marksField('marks', 'Marks', draft.marks, set('marks'), edit.flag),
        selectField('kind', 'Type', draft.kind, TYPES, setType, { class: 'grow' })),
      this.hint,
      longField('text', 'Text', draft.text, set('text'), { rows: 3 }),
      optionFields(draft, '', edit),
      hasParts ? null : keyFields(draft, '', edit),
      this.#parts(edit),
      hasParts && draft.answer_key !== null ? wholeKey(draft, edit) : null);
    return [fields, this.desk.isReadOnly ? null : this.#tools()].filter(Boolean);
  }

  #parts(edit) {
    const { draft } = this.item;
    const rows = draft.parts.map((part, index) => partFields(draft, index, edit, draft.parts.length <= PARTS_OPEN));
    const add = () => {
      draft.parts.push(blankPart(nextLabel(draft.parts), draft.pages.at(-1) ?? 1));
      edit.remember(`parts[${draft.parts.length - 1}]`)({ target: { open: true } });
      edit.rebuild(`parts[${draft.parts.length - 1}].text`);
    };
    return group('Parts', rows, 'Add a part', add);
  }

  #totalHint() {
    const { draft } = this.item;
    const parts = partsTotal(draft);
    if (parts === null || parts === draft.marks) return [];
    const use = () => {
      draft.marks = parts;
      this.#edit().rebuild('marks');
    };
    const action = this.desk.isReadOnly ? [] : [' ', button(`Use ${parts}`, use, { class: 'button small' })];
    return [`The parts add up to ${plural(parts, 'mark')}.`, ...action];
  }

  #tools() {
    const { item, actions } = this;
    const name = `question ${item.draft.number}`;
    const tool = (text, act, kind = '') => button(text, () => act(item), { class: `button small ${kind}`, 'aria-label': `${text} ${name}` });
    return h('div', { class: 'tools', role: 'group', 'aria-label': `Actions for ${name}` },
      tool('Show on page', actions.locate), tool('Move up', actions.up), tool('Move down', actions.down),
      tool('Split…', actions.split), tool('Merge with next', actions.merge), tool('Delete', actions.remove, 'danger'));
  }
}

function wholeKey(draft, edit) {
  return h('div', {}, h('h4', { class: 'group-title' }, 'Key of the whole question'), keyFields(draft, '', edit));
}

function partFields(question, index, edit, isOpenAtFirst) {
  const part = question.parts[index];
  const path = `parts[${index}]`;
  const set = (name) => (value) => {
    question.parts[index][name] = value;
    edit.changed();
  };
  // The question's marks follow its parts' as long as they agreed before.
  const setMarks = (value) => {
    const agreed = partsTotal(question) === question.marks || question.marks === null;
    question.parts[index].marks = value;
    const parts = partsTotal(question);
    if (agreed && parts !== null) {
      question.marks = parts;
      const field = document.activeElement?.closest('.fields')?.querySelector('[data-path="marks"]');
      if (field) field.value = String(parts);
    }
    edit.changed();
  };
  const setType = (value) => {
    question.parts[index].kind = value;
    edit.rebuild(`${path}.kind`);
  };
  const remove = () => {
    question.parts.splice(index, 1);
    edit.rebuild(null);
  };
  const isOpen = isOpenAtFirst || edit.isOpen(path);
  const worth = part.marks === null ? 'no marks' : plural(part.marks, 'mark');
  return h('details', { class: 'part', open: isOpen, ontoggle: edit.remember(path), 'data-part': index },
    h('summary', {}, h('strong', {}, part.label || 'Part'), ` · ${worth} · ${shortened(part.text, 50)}`),
    h('div', { class: 'row' },
      textField(`${path}.label`, 'Label', part.label, set('label'), { class: 'field-number' }),
      marksField(`${path}.marks`, 'Marks', part.marks, setMarks, edit.flag),
      selectField(`${path}.kind`, 'Type', part.kind, TYPES, setType, { class: 'grow' }),
      removeButton(`Remove part ${part.label}`, remove)),
    longField(`${path}.text`, 'Text', part.text, set('text')),
    optionFields(part, `${path}.`, edit),
    keyFields(part, `${path}.`, edit));
}

function optionFields(owner, path, edit) {
  if (owner.kind !== 'multiple_choice' && owner.options.length === 0) return null;
  const rows = owner.options.map((option, index) => {
    const set = (name) => (value) => {
      owner.options[index][name] = value;
      edit.changed();
    };
    const remove = () => {
      owner.options.splice(index, 1);
      edit.rebuild(null);
    };
    return h('div', { class: 'row option' },
      textField(`${path}options[${index}].label`, `Option ${index + 1}`, option.label, set('label'), { class: 'field-number' }),
      textField(`${path}options[${index}].text`, 'Says', option.text, set('text'), { class: 'grow' }),
      removeButton(`Remove option ${option.label}`, remove));
  });
  const add = () => {
    owner.options.push({ label: 'ABCDEFGHIJ'[owner.options.length] ?? '', text: '' });
    edit.rebuild(`${path}options[${owner.options.length - 1}].text`);
  };
  return group('Options', rows, 'Add an option', add);
}
