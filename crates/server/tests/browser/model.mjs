// What the page's script makes of questions: split, merged, cleaned, without a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const source = readFileSync(new URL('../../../api/src/review/assets/model.js', import.meta.url), 'utf8');
const model = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const point = (text, marks = 1, more = {}) => ({ ...model.blankPoint(), text, marks, ...more });
const region = (page, y, height) => ({ page, x: 0.1, y, width: 0.8, height });

function question(number, more = {}) {
  return { ...model.blankQuestion(number), text: `Text ${number}.`, marks: 2, pages: [1], ...more };
}

function withParts() {
  const part = (label, y, marks) => ({ ...model.blankPart(label, 1), marks, regions: [region(1, y, 0.2)], answer_key: { ...model.blankKey(), points: [point(label, marks)] } });
  return question('2', { marks: 6, parts: [part('(a)', 0.2, 1), part('(b)', 0.4, 2), part('(c)', 0.6, 3)], regions: [region(1, 0.1, 0.7)] });
}

test('a question with parts is split before a part, with its marks and its place', () => {
  const [first, second] = model.splitAtPart(withParts(), 1, '3');
  assert.deepEqual(first.parts.map((part) => part.label), ['(a)']);
  assert.deepEqual(second.parts.map((part) => part.label), ['(b)', '(c)']);
  assert.deepEqual([first.marks, second.marks, second.number], [1, 5, '3']);
  assert.deepEqual([first.regions[0].y, second.regions[0].y], [0.1, 0.4]);
  assert.ok(Math.abs(first.regions[0].height + second.regions[0].height - 0.7) < 1e-9);
});

test('a question without parts is split in its text and in its mark points', () => {
  const key = { ...model.blankKey(), points: [point('one'), point('two', 1.5), point('three', 1, { depends_on: 1 })] };
  const whole = question('4', { text: 'First. Second.', answer_key: key, regions: [region(1, 0.5, 0.5), region(2, 0, 0.5)] });
  const [first, second] = model.splitAtText(whole, 7, 1, '5');
  assert.deepEqual([first.text, second.text], ['First.', 'Second.']);
  assert.deepEqual([first.marks, second.marks], [1, 2.5]);
  assert.deepEqual(second.answer_key.points.map((one) => one.depends_on), [null, null]);
  assert.deepEqual([first.pages, second.pages], [[1], [2]]);
});

test('what was split comes together again', () => {
  const whole = withParts();
  const merged = model.merge(...model.splitAtPart(whole, 2, '3'));
  assert.deepEqual(merged.parts, whole.parts);
  assert.equal(merged.marks, 6);
});

test('merging keeps every mark point and what they say of each other', () => {
  const group = { text: 'any one from', pick: 1, max: null };
  const one = question('1', { answer_key: { ...model.blankKey(), points: [point('a', 1, { group: 0 })], groups: [group] } });
  const other = question('2', { answer_key: { ...model.blankKey(), points: [point('b', 1, { group: 0 }), point('c', 1, { depends_on: 0 })], groups: [group] } });
  const merged = model.merge(one, other);
  assert.deepEqual(merged.answer_key.points.map((one_) => [one_.group, one_.depends_on]), [[0, null], [1, null], [null, 1]]);
  assert.equal(merged.marks, 4);
  assert.equal(merged.text, 'Text 1.\n\nText 2.');
  assert.deepEqual(model.merge(withParts(), one).parts.at(-1).label, '(1)', 'a question without parts becomes one');
});

test('a removed choice lets its points go and keeps the others', () => {
  const groups = [{ text: 'one', pick: 1, max: null }, { text: 'two', pick: 2, max: null }];
  const key = { ...model.blankKey(), groups, points: [point('a', 1, { group: 0 }), point('b', 1, { group: 1 }), point('c')] };
  const left = model.withoutGroup(key, 0);
  assert.deepEqual(left.groups.map((one) => one.text), ['two']);
  assert.deepEqual(left.points.map((one) => one.group), [null, 0, null]);
});

test('a removed point takes the references to it along', () => {
  const key = { ...model.blankKey(), points: [point('a'), point('b', 1, { depends_on: 0 }), point('c', 1, { depends_on: 1 })] };
  assert.deepEqual(model.withoutPoint(key, 0).points.map((one) => one.depends_on), [null, 0]);
});

test('what was begun and left empty is not sent, and neither is what hides text', () => {
  const begun = question('1', { text: 'a\u202eb\u0007c\n', answer_key: { ...model.blankKey(), points: [point('  ')] }, options: [{ label: '', text: ' ' }] });
  const sent = model.cleaned(begun);
  assert.deepEqual([sent.text, sent.answer_key, sent.options], ['abc\n', null, []]);
});

test('a question says why there is nothing to mark', () => {
  const key = { ...model.blankKey(), points: [point('a')] };
  assert.equal(model.emptiness(question('1', { answer_key: key })), null);
  assert.equal(model.emptiness(question('1')), 'has no answer key');
  assert.equal(model.emptiness(question('1', { marks: 0, answer_key: key })), 'has no marks');
  assert.equal(model.emptiness(question('1', { marks: null })), 'has no marks and no answer key');
});

test('numbers and labels go on', () => {
  assert.deepEqual(['9', 'B2', '3.4', 'x'].map(model.nextNumber), ['10', 'B3', '3.5', 'xb']);
  assert.deepEqual([[], [{ label: '(b)' }], [{ label: 'i' }]].map(model.nextLabel), ['(a)', '(c)', '']);
});
