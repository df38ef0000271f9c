// Keyboard shortcuts of a part of the page. Keys without a modifier work only while the focus is in that part and not
// in a field, so that nobody who types or dictates sets something off by chance.

import { h } from './dom.js';

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** A pressed key with its modifiers: "Shift+ArrowDown", "Ctrl+z", "j", "?". */
export function keyName(event) {
  const isLetter = event.key.length === 1;
  const modifiers = [
    ['Ctrl', event.ctrlKey || event.metaKey], ['Alt', event.altKey], ['Shift', event.shiftKey && !isLetter],
  ];
  const names = modifiers.filter(([, isDown]) => isDown).map(([name]) => name);
  return [...names, isLetter ? event.key.toLowerCase() : event.key].join('+');
}

/**
 * Runs what a key is bound to while the focus is inside `element`. A binding has `keys`, `text` (what it does),
 * `run` (false: it did nothing, and the key keeps its usual meaning) and perhaps `inFields`.
 */
export function listen(element, bindings) {
  element.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const name = keyName(event);
    const isField = event.target.matches?.(FIELDS) ?? false;
    const bound = bindings.find(({ keys, inFields }) => keys.includes(name) && (inFields || !isField));
    if (bound && bound.run(event) !== false) event.preventDefault();
  });
}

const SHOWN = { ArrowDown: '↓', ArrowUp: '↑', Delete: 'Del' };
const shown = (name) => name.split('+').map((part) => SHOWN[part] ?? part).join(' + ');

/** The keys and what they do, as a list to read. */
export function keyTable(bindings) {
  const rows = bindings.filter(({ text }) => text).map(({ keys, text }) => [
    h('dt', {}, keys.map((name, index) => [index > 0 ? ' or ' : null, h('kbd', {}, shown(name))])), h('dd', {}, text),
  ]);
  return h('dl', { class: 'keys' }, rows);
}
