// Questions to the reviewer, each in a modal dialog. The browser keeps the focus inside and gives it back.

import { button, freshId, h, plural, shortened } from './dom.js';
import { TYPES, emptiness, nextNumber, splitAtPart, splitAtText } from './model.js';

/** Shows a dialog; gives what its buttons gave, or null when it was closed. */
export function ask(title, content, buttons, isWide = false) {
  return new Promise((resolve) => {
    const id = freshId('dialog');
    const dialog = h('dialog', { class: isWide ? 'dialog wide' : 'dialog', 'aria-labelledby': id });
    const close = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const row = buttons.map(([text, give, kind]) => button(text, () => close(give()), { class: `button ${kind ?? ''}` }));
    dialog.append(h('h2', { id }, title), h('div', { class: 'dialog-body' }, content), h('div', { class: 'dialog-buttons' }, row));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const cancel = ['Cancel', () => null];

/** Says what approval means; true when the reviewer wants it. */
export function confirmApproval(desk) {
  const { paper, items } = desk;
  const empty = items.filter((item) => emptiness(item.draft));
  if (empty.length > 0) {
    const lines = empty.map((item) => h('li', {}, `Question ${item.draft.number} ${emptiness(item.draft)}.`));
    return ask('Not ready to approve', [
      h('p', {}, 'Every question needs marks and an answer key. Complete these, or delete them:'), h('ul', {}, lines),
    ], [['Back to the questions', () => false, 'primary']]);
  }
  const release = paper.results_release === 'automatic'
    ? 'Students’ results are released as soon as they are marked.'
    : 'Students’ results stay provisional until your institution releases them.';
  return ask('Approve this paper?', [
    h('p', {}, h('strong', {}, `${plural(items.length, 'question')}, ${plural(paper.total_marks, 'mark')} in all.`)),
    h('ul', {},
      h('li', {}, 'Scripts can be handed in and are marked by these answer keys.'),
      h('li', {}, 'Questions, marks and keys can no longer be changed.'),
      h('li', {}, release)),
    desk.findings.length > 0 ? h('p', { class: 'notice' }, `${plural(desk.findings.length, 'thing')} still ${desk.findings.length === 1 ? 'does' : 'do'} not add up. Approve only if that is right.`) : null,
    paper.warnings.length > 0 ? h('p', { class: 'notice' }, 'There are still warnings about this paper. Approve only if you have checked them.') : null,
  ], [cancel, ['Approve paper', () => true, 'primary']]);
}

/** What a box on the page is: gives 'question', or the question that it is a part of; null when it was a slip. */
export function askBox(text, items, current) {
  const content = [
    h('p', { class: 'muted small' }, text ? 'This is what was read in the box:' : 'Nothing could be read in the box; its text can be typed in.'),
    text ? h('blockquote', { class: 'boxed' }, shortened(text, 300)) : null,
  ];
  const choices = [['', 'A new question'], ...items.map((item) => [item.key, `A part of question ${item.draft.number}`])];
  const [control, row] = select('The box is', choices);
  control.value = current?.key ?? '';
  return ask('What is in the box?', [...content, row],
    [cancel, ['Add', () => control.value || 'question', 'primary']]);
}

/** Says which keys there are. */
export function showKeys(table) {
  return ask('Keys', [h('p', { class: 'muted small' }, 'They work while the focus is in the list of questions and not in a field; those with Alt work everywhere in it.'), table],
    [['Close', () => null, 'primary']]);
}

/** True when the reviewer leaves although something is not saved. */
export function confirmLeaving() {
  return ask('Leave with unsaved changes?', h('p', {}, 'Some changes could not be saved. They are lost if you leave now.'),
    [['Stay', () => false, 'primary'], ['Leave anyway', () => true, 'danger']]);
}

/** Both versions of a question side by side; gives 'mine' or 'theirs'. */
export function chooseVersion(mine, theirs) {
  if (theirs === null) {
    return ask('This question was deleted', [
      h('p', {}, 'Another reviewer deleted it while you were editing it. This is your version:'), versionTable([['Yours', mine]]),
    ], [['Decide later', () => null], ['Delete it', () => 'theirs'], ['Keep mine', () => 'mine', 'primary']], true);
  }
  return ask('Two versions of one question', [
    h('p', {}, 'Another reviewer changed this question while you were editing it. Where they differ:'),
    versionTable([['Yours', mine], ['Theirs', theirs]]),
    h('p', { class: 'muted small' }, 'What you do not choose can be brought back with Undo.'),
  ], [['Decide later', () => null], ['Take theirs', () => 'theirs'], ['Keep mine', () => 'mine', 'primary']], true);
}

function versionTable(versions) {
  const described = versions.map(([, question]) => new Map(describe(question)));
  const names = [...new Set(described.flatMap((rows) => [...rows.keys()]))];
  const differ = names.filter((name) => described.length === 1 || described[0].get(name) !== described[1].get(name));
  return h('div', { class: 'versions', tabindex: 0, role: 'region', 'aria-label': 'Versions' }, h('table', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'What'), versions.map(([name]) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, differ.map((name) => h('tr', {}, h('th', { scope: 'row' }, name), described.map((rows) => h('td', {}, rows.get(name) ?? '—')))))));
}

/** A question as lines of text, each with its name. */
function describe(question) {
  const rows = [['Number', question.number], ['Text', question.text], ['Marks', shown(question.marks)], ['Type', typeName(question.kind)]];
  const owned = (owner, prefix) => {
    for (const option of owner.options) rows.push([`${prefix}Option ${option.label}`, option.text]);
    owner.answer_key?.points.forEach((point, index) => {
      const lists = [['or', point.alternatives], ['accept', point.accept], ['reject', point.reject]];
      const more = lists.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}: ${list.join(' / ')}`);
      rows.push([`${prefix}Mark point ${index + 1}`, [`${point.text} [${point.marks}] ${point.kind}`, ...more].join('\n')]);
    });
    owner.answer_key?.levels.forEach((level) => rows.push([`${prefix}${level.name}`, `${level.marks_from}–${level.marks_to}: ${level.descriptor}`]));
    if (owner.answer_key?.notes) rows.push([`${prefix}Notes`, owner.answer_key.notes]);
  };
  owned(question, '');
  for (const part of question.parts) {
    rows.push([`Part ${part.label}`, `${part.text} [${shown(part.marks)}] ${typeName(part.kind)}`]);
    owned(part, `${part.label} `);
  }
  if (question.warnings.length > 0) rows.push(['Warnings', question.warnings.join('\n')]);
  return rows;
}

const shown = (marks) => (marks === null ? 'none' : String(marks));
const typeName = (kind) => TYPES.find(([name]) => name === kind)?.[1] ?? kind;

/** Where to split a question; gives both halves. */
export function askSplit(question) {
  const number = h('input', { type: 'text', id: freshId('field'), value: nextNumber(question.number), autocomplete: 'off' });
  const numberRow = h('div', { class: 'field' }, h('label', { for: number.id }, 'Number of the new question'), number);
  const [fields, split] = question.parts.length > 1 ? splitByPart(question) : splitByText(question);
  return ask(`Split question ${question.number}`, [...fields, numberRow],
    [cancel, ['Split', () => split(number.value.trim() || nextNumber(question.number)), 'primary']]);
}

function select(label, choices) {
  const control = h('select', { id: freshId('field') }, choices.map(([value, text]) => h('option', { value }, text)));
  return [control, h('div', { class: 'field' }, h('label', { for: control.id }, label), control)];
}

function splitByPart(question) {
  const choices = question.parts.slice(1).map((part, index) => [index + 1, `${part.label} ${shortened(part.text, 50)}`]);
  const [control, row] = select('The new question begins with part', choices);
  return [[row], (number) => splitAtPart(question, Number(control.value), number)];
}

function splitByText(question) {
  const places = [...question.text.matchAll(/(?<=[.?!:;]\s|\n)\S/g)].map((found) => found.index);
  const texts = [...places.map((place) => [place, shortened(question.text.slice(place), 60)]), [question.text.length, 'Nothing: the text stays whole']];
  const [text, textRow] = select('The new question’s text begins with', texts);
  const points = question.answer_key?.points ?? [];
  const choices = [...points.map((point, index) => [index, `${index + 1}. ${shortened(point.text, 50)}`]), [points.length, 'No mark point goes to the new question']];
  const [point, pointRow] = select('Its mark points begin with', choices.slice(points.length > 1 ? 1 : 0));
  const rows = points.length > 0 ? [textRow, pointRow] : [textRow];
  return [rows, (number) => splitAtText(question, Number(text.value), Number(point.value), number)];
}

