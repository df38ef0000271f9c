// Changing the scheme after it was approved: edit a part's key, see who would change, apply or discard.

import * as api from './marking-api.js';
import { button, freshId, h, plural } from './dom.js';

/** How often a trial that runs is looked at, in milliseconds. */
const LOOK_EVERY = 1500;
const LISTS = {
  alternatives: 'As good as this, one in a line',
  accept: 'Accept, one in a line',
  reject: 'Do not accept, one in a line',
};

/** The part's key inside a question, which is the question's own where it has no such part. */
function keyOf(question, label) {
  const part = question.parts.find((own) => own.label === label);
  return (part ?? question).answer_key;
}

export async function amendScheme(desk, place, label) {
  const scheme = await api.scheme();
  const question = structuredClone(scheme.questions[place]);
  const key = keyOf(question, label);
  const id = freshId('scheme');
  const body = h('div', { class: 'dialog-body' });
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, `The scheme of question ${desk.partName(place, label)}`), body);
  let timer = null;
  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    dialog.remove();
  });
  const fail = (problem) => {
    dialog.close();
    desk.fail(problem);
  };

  const edit = () => {
    const points = (key?.points ?? []).map((point, index) => pointFields(point, index));
    body.replaceChildren(...[
      scheme.versions.length ? h('p', { class: 'muted' }, `Version ${scheme.version} of the scheme.`) : null,
      scheme.amendment ? h('p', { class: 'notice' }, `${lookedAt(scheme)} A change that you try here takes its place.`) : null,
      points.length ? null : h('p', { class: 'muted' }, 'This part has no points to change.'),
      ...points,
      h('div', { class: 'dialog-buttons' }, button('Cancel', () => dialog.close()),
        points.length ? button('See what would change', () => {
          api.amend({ place, question, seen: scheme.amendment?.id ?? null }).then(begin).catch(fail);
        }, { class: 'button primary' }) : null)].filter(Boolean));
  };

  // The change that this dialog is about: another teacher may put another in its place meanwhile.
  let own = null;
  const begin = (now) => {
    own = now.amendment.id;
    show(now);
  };
  const show = (now) => {
    const { amendment, version } = now;
    if (!amendment) {
      dialog.close();
      desk.announce(`The scheme is at version ${version}.`);
      return;
    }
    if (amendment.id !== own) {
      body.replaceChildren(h('p', { role: 'alert' }, `${lookedAt(now)} It took the place of the one that you looked at.`),
        h('div', { class: 'dialog-buttons' }, button('Close', () => dialog.close())));
      return;
    }
    const rows = amendment.changes.map((change) => h('tr', {},
      h('th', { scope: 'row' }, change.name ?? change.student), h('td', {}, change.part || '–'),
      h('td', {}, `${change.before} → ${change.after}`)));
    const column = (text) => h('th', { scope: 'col' }, text);
    body.replaceChildren(...[
      h('p', { role: 'status' }, amendment.done
        ? `${plural(amendment.changes.length, 'mark')} of ${plural(amendment.tried, 'script')} would change.`
        : `Marking again: ${amendment.tried} of ${amendment.scripts}…`),
      h('progress', { max: Math.max(1, amendment.scripts), value: amendment.tried, 'aria-label': 'Scripts marked again' }),
      h('p', { class: 'muted' }, 'Marks that a person has set stay.'),
      amendment.unmarked ? h('p', { role: 'alert' }, `${plural(amendment.unmarked, 'script')} could not be marked again: the marks stay. Look at them by hand.`) : null,
      amendment.untouched ? released(amendment) : null,
      rows.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Marks that would change' },
        h('table', { class: 'grid' }, h('thead', {}, h('tr', {}, ['Student', 'Part', 'Marks'].map(column))), h('tbody', {}, rows))) : null,
      h('div', { class: 'dialog-buttons' },
        button('Discard', () => api.discardAmendment(amendment.id).then(() => {
          dialog.close();
          desk.announce('The scheme stays as it is.');
        }).catch(fail)),
        button('Apply', () => api.applyAmendment(amendment.id).then((now) => {
          dialog.close();
          desk.announce(`Version ${now.version} of the scheme counts; the scripts follow in the background.`);
        }).catch(fail), { class: 'button primary', disabled: !amendment.done }))].filter(Boolean));
    if (!amendment.done) timer = setTimeout(() => api.scheme().then(show).catch(fail), LOOK_EVERY);
  };

  document.body.append(dialog);
  if (scheme.amendment?.place === place) begin(scheme);
  else edit();
  dialog.showModal();
}

/** Which change is looked at now. */
function lookedAt({ amendment, questions }) {
  const who = amendment.reviewer ? ` by ${amendment.reviewer}` : '';
  return `A change of question ${questions[amendment.place].number}${who} is looked at now.`;
}

/** Who is released and stays as they are, folded away. */
function released({ untouched, released: scripts }) {
  const more = untouched - scripts.length;
  return h('details', { class: 'untouched' },
    h('summary', {}, `${plural(untouched, 'released script')} will not be touched`),
    h('ul', {}, scripts.map((script) => h('li', {}, script.name ?? script.student)),
      more > 0 ? h('li', {}, `and ${more} more`) : null));
}

function pointFields(point, index) {
  const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);
  const marksId = freshId('marks');
  const fields = Object.entries(LISTS).map(([name, told]) => {
    const own = freshId(name);
    return h('div', { class: 'field' }, h('label', { for: own }, told),
      h('textarea', { id: own, rows: 2, value: point[name].join('\n'), onchange: (event) => { point[name] = lines(event.target.value); } }));
  });
  return h('fieldset', { class: 'point' }, h('legend', {}, point.text || `Point ${index + 1}`),
    h('div', { class: 'field' }, h('label', { for: marksId }, 'Marks'),
      h('input', { id: marksId, type: 'number', min: 0, step: 0.5, value: point.marks, onchange: (event) => { point.marks = Number(event.target.value); } })),
    fields);
}
