// The answer key of a question or a part: mark points, notes, levels.

import { h } from './dom.js';
import {
  countField, group, listField, longField, marksField, removeButton, selectField, textField,
} from './fields.js';
import { POINT_KINDS, blankGroup, blankKey, blankLevel, blankPoint, withoutGroup, withoutPoint } from './model.js';

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
    group('Mark points', points, 'Add a mark point', add),
    choices(owner, key, keyPath, edit),
    longField(`${keyPath}.notes`, 'Notes for marking', key.notes ?? '', setNotes),
    levels(owner, key, keyPath, edit));
}

/** "Any two from": limits what the points that belong to it can earn together. */
function choices(owner, key, keyPath, edit) {
  const rows = key.groups.map((one, index) => {
    const path = `${keyPath}.groups[${index}]`;
    const set = (name) => (value) => {
      owner.answer_key.groups[index][name] = value;
      edit.changed();
    };
    const remove = () => {
      owner.answer_key = withoutGroup(owner.answer_key, index);
      edit.rebuild(null);
    };
    return h('div', { class: 'point' },
      h('div', { class: 'row' },
        textField(`${path}.text`, `Choice ${index + 1}`, one.text, set('text'), { class: 'grow' }),
        countField(`${path}.pick`, 'Points that count', one.pick, set('pick'), edit.flag),
        marksField(`${path}.max`, 'At most', one.max, set('max'), edit.flag),
        removeButton(`Remove choice ${index + 1}`, remove)));
  });
  const add = () => {
    const changed = owner.answer_key ?? key;
    owner.answer_key = { ...changed, groups: [...changed.groups, blankGroup()] };
    edit.rebuild(`${keyPath}.groups[${key.groups.length}].text`);
  };
  const isOpen = rows.length > 0 || edit.isOpen(`${keyPath}.groups`);
  return h('details', { class: 'wordings', open: isOpen, ontoggle: edit.remember(`${keyPath}.groups`) },
    h('summary', {}, rows.length > 0 ? `Choices among points: ${rows.length}` : 'Choices among points, such as “any two from”'),
    group('Choices', rows, 'Add a choice', add));
}

/** Which choice a point belongs to, where there is one. */
function choiceField(key, point, path, set) {
  if (key.groups.length === 0) return null;
  const names = key.groups.map((one, index) => [String(index), `${index + 1}: ${one.text}`]);
  const choose = (value) => set(value === '' ? null : Number(value));
  return selectField(`${path}.group`, 'Part of choice', point.group === null ? '' : String(point.group), [['', 'None'], ...names], choose);
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
  const counts = [
    ['other', point.alternatives], ['accepted', point.accept], ['rejected', point.reject], ['ignored', point.ignore],
    ['required', point.required],
  ]
    .filter(([, list]) => list.length > 0).map(([name, list]) => `${list.length} ${name}`);
  return h('div', { class: 'point' },
    longField(`${path}.text`, `Mark point ${index + 1}`, point.text, set('text'), { rows: 1 }),
    h('div', { class: 'row' },
      marksField(`${path}.marks`, 'Marks', point.marks, set('marks'), edit.flag, { isRequired: true }),
      selectField(`${path}.kind`, 'Kind of mark', point.kind, POINT_KINDS, set('kind')),
      choiceField(key, point, path, set('group')),
      removeButton(`Remove mark point ${index + 1}`, remove)),
    h('details', { class: 'wordings', open: edit.isOpen(`${path}.wordings`), ontoggle: edit.remember(`${path}.wordings`) },
      h('summary', {}, counts.length > 0 ? `Wordings: ${counts.join(', ')}` : 'Other, accepted and rejected wordings'),
      listField(`${path}.alternatives`, 'As good', point.alternatives, set('alternatives')),
      listField(`${path}.accept`, 'Also accept', point.accept, set('accept')),
      listField(`${path}.reject`, 'Reject', point.reject, set('reject')),
      listField(`${path}.ignore`, 'Ignore', point.ignore, set('ignore')),
      listField(`${path}.required`, 'Words that must be there', point.required, set('required'))));
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
