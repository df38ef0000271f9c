// The answer key of a question or a part: mark points, notes, levels.

import { h, plural } from './dom.js';
import { group, listField, longField, marksField, removeButton, selectField, textField } from './fields.js';
import { POINT_KINDS, blankKey, blankLevel, blankPoint, withoutPoint } from './model.js';

/**
 * Fields for the key of `owner` (a question or a part) at `path`.
 * `edit.changed` is called after a change of a value, `edit.rebuild` after one of the structure.
 */
export function keyFields(owner, path, edit) {
  const key = owner.answer_key ?? blankKey();
  const put = (changed) => {
    owner.answer_key = changed;
  };
  const keyPath = `${path}answer_key`;
  const points = key.points.map((point, index) => pointFields(owner, key, index, `${keyPath}.points[${index}]`, edit));
  const add = () => {
    put({ ...key, points: [...key.points, blankPoint()] });
    edit.rebuild(`${keyPath}.points[${key.points.length}].text`);
  };
  const setNotes = (text) => {
    put({ ...(owner.answer_key ?? key), notes: text.trim() === '' ? null : text });
    edit.changed();
  };
  return h('div', { class: 'key' },
    group('Mark points', [groupNotes(key), points], 'Add a mark point', add),
    longField(`${keyPath}.notes`, 'Notes for marking', key.notes ?? '', setNotes),
    levels(owner, key, keyPath, edit));
}

/** "Any two from": shown, because it limits what the points below can earn. */
function groupNotes(key) {
  return key.groups.map((one) => {
    const limits = [one.pick === null ? null : `at most ${plural(one.pick, 'point')}`, one.max === null ? null : plural(one.max, 'mark')];
    const text = [one.text, limits.filter(Boolean).join(', ')].filter(Boolean).join(': ');
    return text ? h('p', { class: 'muted small' }, text) : null;
  });
}

function pointFields(owner, key, index, path, edit) {
  const point = key.points[index];
  const set = (name) => (value) => {
    owner.answer_key.points[index][name] = value;
    edit.changed();
  };
  const remove = () => {
    owner.answer_key = withoutPoint(owner.answer_key, index);
    edit.rebuild(null);
  };
  const counts = [['other', point.alternatives], ['accepted', point.accept], ['rejected', point.reject]]
    .filter(([, list]) => list.length > 0).map(([name, list]) => `${list.length} ${name}`);
  return h('div', { class: 'point' },
    longField(`${path}.text`, `Mark point ${index + 1}`, point.text, set('text'), { rows: 1 }),
    h('div', { class: 'row' },
      marksField(`${path}.marks`, 'Marks', point.marks, set('marks'), edit.flag, { isRequired: true }),
      selectField(`${path}.kind`, 'Kind of mark', point.kind, POINT_KINDS, set('kind')),
      removeButton(`Remove mark point ${index + 1}`, remove)),
    h('details', { class: 'wordings', open: edit.isOpen(`${path}.wordings`), ontoggle: edit.remember(`${path}.wordings`) },
      h('summary', {}, counts.length > 0 ? `Wordings: ${counts.join(', ')}` : 'Other, accepted and rejected wordings'),
      listField(`${path}.alternatives`, 'As good', point.alternatives, set('alternatives')),
      listField(`${path}.accept`, 'Also accept', point.accept, set('accept')),
      listField(`${path}.reject`, 'Reject', point.reject, set('reject'))));
}

function levels(owner, key, keyPath, edit) {
  const rows = key.levels.map((level, index) => {
    const path = `${keyPath}.levels[${index}]`;
    const set = (name) => (value) => {
      owner.answer_key.levels[index][name] = value;
      edit.changed();
    };
    const remove = () => {
      owner.answer_key.levels.splice(index, 1);
      edit.rebuild(null);
    };
    return h('div', { class: 'point' },
      h('div', { class: 'row' },
        textField(`${path}.name`, 'Level', level.name, set('name'), { class: 'grow' }),
        marksField(`${path}.marks_from`, 'From', level.marks_from, set('marks_from'), edit.flag, { isRequired: true }),
        marksField(`${path}.marks_to`, 'To', level.marks_to, set('marks_to'), edit.flag, { isRequired: true }),
        removeButton(`Remove level ${level.name}`, remove)),
      longField(`${path}.descriptor`, 'What an answer at this level looks like', level.descriptor, set('descriptor')));
  });
  const add = () => {
    const changed = owner.answer_key ?? key;
    owner.answer_key = { ...changed, levels: [...changed.levels, blankLevel(changed.levels.length)] };
    edit.rebuild(`${keyPath}.levels[${key.levels.length}].descriptor`);
  };
  const isOpen = rows.length > 0 || edit.isOpen(`${keyPath}.levels`);
  return h('details', { class: 'wordings', open: isOpen, ontoggle: edit.remember(`${keyPath}.levels`) },
    h('summary', {}, rows.length > 0 ? `Levels of response: ${rows.length}` : 'Levels of response'),
    group('Levels', rows, 'Add a level', add));
}
