// Form fields with labels, help and errors. Each knows its place in the question, such as `parts[0].marks`, so that
// what the server says of that place is shown beside it.

import { button, freshId, h } from './dom.js';

function field(path, label, control, options = {}) {
  const error = h('p', { class: 'field-error', id: freshId('error'), hidden: true });
  control.id ||= freshId('field');
  control.dataset.path = path;
  control.setAttribute('aria-describedby', error.id);
  return h('div', { class: `field ${options.class ?? ''}` },
    h('label', { for: control.id, class: options.isLabelHidden ? 'visually-hidden' : '' }, label), control, error);
}

/** Shows or clears the error of a field. */
export function tellError(control, message) {
  const error = document.getElementById(control.getAttribute('aria-describedby'));
  if (!error) return;
  error.textContent = message ? `${message[0].toUpperCase()}${message.slice(1).replace(/\.$/, '')}.` : '';
  error.hidden = !message;
  if (message) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
}

/** Shows what the server said at the fields it speaks of; clears the others. */
export function tellErrors(form, problems) {
  const entries = Object.entries(problems);
  for (const control of form.querySelectorAll('[data-path]')) {
    if (control.dataset.invalid) continue;
    const { path } = control.dataset;
    const found = entries.find(([place]) => place === path || (place.startsWith(`${path}[`) && control.dataset.list));
    tellError(control, found?.[1]);
  }
}

export function textField(path, label, value, set, options = {}) {
  const control = h('input', { type: 'text', value, autocomplete: 'off', oninput: () => set(control.value) });
  return field(path, label, control, options);
}

export function longField(path, label, value, set, options = {}) {
  const control = h('textarea', { rows: options.rows ?? 2, value, oninput: () => set(control.value) });
  return field(path, label, control, options);
}

/** Several wordings, one a line. */
export function listField(path, label, values, set, options = {}) {
  const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);
  const value = values.map((one) => one.replace(/\s*\n\s*/g, ' ')).join('\n');
  const control = h('textarea', { rows: 2, value, 'data-list': true, oninput: () => set(lines(control.value)) });
  return field(path, `${label} (one a line)`, control, options);
}

/** Marks in whole or half numbers; nothing means that they are not known. `flag` hears whether it can be read. */
export function marksField(path, label, value, set, flag, options = {}) {
  const isMarks = (number) => number >= 0 && number <= 10000 && Number.isInteger(number * 2);
  return numberField(path, label, value, set, flag, {
    ...options, isNumber: isMarks, hint: 'Marks are whole or half numbers, such as 2 or 2.5',
  });
}

/** How many of something; nothing means that there is no bound. */
export function countField(path, label, value, set, flag, options = {}) {
  const isCount = (number) => number >= 1 && number <= 100 && Number.isInteger(number);
  return numberField(path, label, value, set, flag, { ...options, isNumber: isCount, hint: 'A whole number from 1 to 100' });
}

function numberField(path, label, value, set, flag, options) {
  const read = () => {
    const text = control.value.trim().replace(',', '.');
    const number = text === '' ? null : Number(text);
    const isGood = number === null ? !options.isRequired : options.isNumber(number);
    if (isGood) {
      delete control.dataset.invalid;
      set(number);
    } else control.dataset.invalid = 'true';
    tellError(control, isGood ? '' : options.hint);
    flag();
  };
  const control = h('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', value: value === null ? '' : String(value), oninput: read,
  });
  return field(path, label, control, { ...options, class: `field-marks ${options.class ?? ''}` });
}

export function selectField(path, label, value, choices, set, options = {}) {
  const control = h('select', { onchange: () => set(control.value) },
    choices.map(([name, text]) => h('option', { value: name, selected: name === value }, text)));
  return field(path, label, control, options);
}

/** A heading with a list of rows below it and a button that adds one. */
export function group(title, rows, addText, add) {
  const id = freshId('group');
  return h('div', { class: 'group', role: 'group', 'aria-labelledby': id },
    h('h4', { id, class: 'group-title' }, title), rows, button(addText, add, { class: 'button small' }));
}

/** A small button that takes something away. */
export function removeButton(label, onclick) {
  return button('Remove', onclick, { class: 'button small quiet', 'aria-label': label });
}
