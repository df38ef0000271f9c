// Makes elements. Text only ever becomes text: nothing here reads HTML.

/** An element with attributes, listeners (`onclick: …`) and children (nodes, texts, arrays, nothing). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A plain button. */
export function button(text, onclick, attributes = {}) {
  return h('button', { type: 'button', class: 'button', onclick, ...attributes }, text);
}

export function byId(id) {
  return document.getElementById(id);
}

let counted = 0;

/** An id that no other element has. */
export function freshId(prefix) {
  counted += 1;
  return `${prefix}-${counted}`;
}

/** "1 mark", "2.5 marks". */
export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** Remembers a value for this tab, or gives what was remembered; null when there is nothing. */
export function remembered(name, value) {
  try {
    if (value !== undefined) sessionStorage.setItem(name, JSON.stringify(value));
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

/** The beginning of a text on one line. */
export function shortened(text, length = 90) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}
