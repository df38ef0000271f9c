// What a question is and what can be done with it. Pure functions: they change nothing they are given.

export const TYPES = [
  ['short_answer', 'Short answer'],
  ['multiple_choice', 'Multiple choice'],
  ['numeric', 'Number'],
  ['expression', 'Formula or expression'],
  ['extended', 'Extended answer'],
  ['drawing', 'Drawing or graph'],
];

export const POINT_KINDS = [
  ['point', 'Mark point'],
  ['method', 'Method (M)'],
  ['accuracy', 'Accuracy (A)'],
  ['independent', 'Independent (B)'],
  ['option', 'Right option'],
  ['answer', 'Final answer'],
];

export const copy = (value) => structuredClone(value);
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export const blankPoint = () => ({
  text: '', marks: 1, kind: 'point', alternatives: [], accept: [], reject: [], ignore: [], required: [], notation: [],
  group: null, depends_on: null,
});
export const blankLevel = (count) => ({ name: `Level ${count + 1}`, marks_from: 0, marks_to: 0, descriptor: '' });
export const blankGroup = () => ({ text: 'any one from', pick: 1, max: null });
export const blankKey = () => ({ points: [], groups: [], notes: null, levels: [], regions: [] });
export const blankPart = (label, page) => ({
  label, text: '', marks: null, kind: 'short_answer', options: [], answer_key: null, page, regions: [],
});
export const blankQuestion = (number) => ({
  number, text: '', marks: null, kind: 'short_answer', options: [], parts: [], answer_key: null, pages: [],
  regions: [], choice_group: null, choice_count: null, warnings: [],
});
const beside = (question, number) => ({
  ...blankQuestion(number), kind: question.kind, choice_group: question.choice_group, choice_count: question.choice_count,
});

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** What the parts are worth together; null when one does not say. */
export function partsTotal(question) {
  const marks = question.parts.map((part) => part.marks);
  return marks.length === 0 || marks.includes(null) ? null : sum(marks);
}

/** The question's marks, from itself or its parts. */
export function total(question) {
  if (question.marks !== null) return question.marks;
  const known = question.parts.map((part) => part.marks).filter((marks) => marks !== null);
  return known.length > 0 ? sum(known) : null;
}

/** True when nothing in a key could earn a mark. */
export function earnsNothing(key) {
  if (key === null) return true;
  return key.points.every((point) => point.marks === 0) && key.levels.every((level) => level.marks_to === 0);
}

/** Why there is nothing to mark; null when there is something. The server has the same rule. */
export function emptiness(question) {
  const keys = [question.answer_key, ...question.parts.map((part) => part.answer_key)];
  const hasKey = keys.some((key) => !earnsNothing(key));
  const hasMarks = (total(question) ?? 0) > 0;
  if (hasMarks && hasKey) return null;
  if (!hasMarks && !hasKey) return 'has no marks and no answer key';
  return hasMarks ? 'has no answer key' : 'has no marks';
}

/** Labels of the parts without an answer key, where others have one. */
export function keylessParts(question) {
  return question.parts.filter((part) => earnsNothing(part.answer_key)).map((part) => part.label);
}

/** Where a reference points to when what is at `index` is gone. */
function shifted(at, index) {
  if (at === null || at === undefined || at === index) return null;
  return at > index ? at - 1 : at;
}

/** Removes a mark point and keeps the others' references to each other right. */
export function withoutPoint(key, index) {
  const points = key.points.filter((_, at) => at !== index);
  return { ...key, points: points.map((point) => ({ ...point, depends_on: shifted(point.depends_on, index) })) };
}

/** Removes a choice; its points then count each for itself. */
export function withoutGroup(key, index) {
  const points = key.points.map((point) => ({ ...point, group: shifted(point.group, index) }));
  return { ...key, points, groups: key.groups.filter((_, at) => at !== index) };
}

// Characters that hide or turn text; the server refuses them, and a PDF may bring them along.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function cleanTexts(value) {
  if (typeof value === 'string') return value.replace(FORBIDDEN, '');
  if (Array.isArray(value)) return value.map(cleanTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanTexts(member)]));
}

const isBlank = (text) => text.trim() === '';

function cleanKey(key) {
  if (key === null) return null;
  let cleaned = key;
  for (let index = key.points.length - 1; index >= 0; index -= 1) {
    if (isBlank(key.points[index].text)) cleaned = withoutPoint(cleaned, index);
  }
  const isEmpty = cleaned.points.length === 0 && cleaned.levels.length === 0 && !cleaned.notes;
  return isEmpty ? null : cleaned;
}

const cleanOptions = (options) => options.filter((option) => !isBlank(option.label) || !isBlank(option.text));

/** As it is sent: without what was begun and left empty. */
export function cleaned(question) {
  const parts = question.parts.map((part) => ({
    ...part, options: cleanOptions(part.options), answer_key: cleanKey(part.answer_key),
  }));
  return cleanTexts({
    ...question, parts, options: cleanOptions(question.options), answer_key: cleanKey(question.answer_key),
  });
}

const joined = (texts) => texts.filter((text) => !isBlank(text)).join('\n\n');
const pagesOf = (regions) => [...new Set(regions.map((region) => region.page))].sort((one, other) => one - other);

/** The parts of regions above and below a line across a page. */
function cut(regions, page, y) {
  const above = [];
  const below = [];
  for (const region of regions) {
    const end = region.y + region.height;
    if (region.page < page || (region.page === page && end <= y)) above.push(region);
    else if (region.page > page || region.y >= y) below.push(region);
    else {
      above.push({ ...region, height: y - region.y });
      below.push({ ...region, y, height: end - y });
    }
  }
  return [above, below];
}

/** Where a question that begins with this part begins on the page. */
function cutAtPart(question, index) {
  const first = question.parts[index].regions[0];
  return first ? cut(question.regions, first.page, first.y) : [question.regions, question.regions];
}

function cutAtShare(regions, share) {
  const height = sum(regions.map((region) => region.height));
  let left = height * share;
  for (const region of regions) {
    if (left <= region.height) return cut(regions, region.page, region.y + left);
    left -= region.height;
  }
  return [regions, regions];
}

const withPlaces = (question, regions) => ({ ...question, regions, pages: pagesOf(regions) });

/** Two questions of one with parts: the second begins with the part at `index`. */
export function splitAtPart(question, index, number) {
  const [above, below] = cutAtPart(question, index);
  const shares = [question.parts.slice(0, index), question.parts.slice(index)];
  const worth = shares.map((parts) => partsTotal({ parts }));
  const first = withPlaces({ ...question, parts: shares[0], marks: worth[0] }, above);
  const second = withPlaces({ ...beside(question, number), parts: shares[1], marks: worth[1] }, below);
  return [first, second].map(copy);
}

/** Two questions of one without parts: by a place in its text, and by a mark point. */
export function splitAtText(question, place, point, number) {
  const key = question.answer_key ?? blankKey();
  const [above, below] = cutAtShare(question.regions, question.text.length ? place / question.text.length : 1);
  const keep = (points) => ({ ...key, points: points.map((one) => ({ ...one, depends_on: null })), levels: [] });
  const points = [key.points.slice(0, point), key.points.slice(point)];
  const worth = points.map((part) => (part.length ? sum(part.map((one) => one.marks)) : null));
  const first = {
    ...question, text: question.text.slice(0, place).trim(), marks: worth[0],
    answer_key: { ...keep(points[0]), levels: key.levels },
  };
  const second = {
    ...beside(question, number), text: question.text.slice(place).trim(), marks: worth[1],
    answer_key: points[1].length ? { ...keep(points[1]), notes: null } : null,
  };
  return [withPlaces(first, above), withPlaces(second, below)].map(copy);
}

/** A question as a part of another. */
function asPart(question) {
  return {
    label: `(${question.number})`, text: question.text, marks: total(question), kind: question.kind,
    options: question.options, answer_key: question.answer_key, page: question.pages[0] ?? 1, regions: question.regions,
  };
}

function joinedKeys(one, other) {
  if (one === null || other === null) return one ?? other;
  const move = (at, by) => (at === null || at === undefined ? null : at + by);
  const points = other.points.map((point) => ({
    ...point, group: move(point.group, one.groups.length), depends_on: move(point.depends_on, one.points.length),
  }));
  return {
    points: [...one.points, ...points], groups: [...one.groups, ...other.groups],
    notes: joined([one.notes ?? '', other.notes ?? '']) || null, levels: [...one.levels, ...other.levels],
    regions: [...(one.regions ?? []), ...(other.regions ?? [])],
  };
}

/** One question of two neighbours. */
export function merge(first, second) {
  const marks = [total(first), total(second)];
  const places = {
    marks: marks.includes(null) ? marks[0] ?? marks[1] : marks[0] + marks[1],
    warnings: [...first.warnings, ...second.warnings],
  };
  const regions = [...first.regions, ...second.regions];
  let merged;
  if (first.parts.length > 0 && second.parts.length === 0) {
    merged = { ...first, ...places, parts: [...first.parts, asPart(second)] };
  } else {
    merged = {
      ...first, ...places, text: joined([first.text, second.text]), parts: [...first.parts, ...second.parts],
      options: [...first.options, ...second.options], answer_key: joinedKeys(first.answer_key, second.answer_key),
    };
  }
  return copy(withPlaces(merged, regions));
}

/** Where the key of a question stands in the marking scheme, or that of one of its parts. */
export function keyRegions(question, part = null) {
  const keys = part === null ? [question.answer_key, ...question.parts.map((one) => one.answer_key)] : [question.parts[part]?.answer_key];
  return keys.flatMap((key) => key?.regions ?? []);
}

/** The answer key in one line. */
export function keyLine(question) {
  const line = (key) => {
    const points = (key?.points ?? []).map((point) => point.text);
    const levels = (key?.levels ?? []).map((level) => level.name);
    return [...points, ...(points.length === 0 ? levels : [])].join('; ');
  };
  const parts = question.parts.map((part) => [part.label, line(part.answer_key)]).filter(([, text]) => text !== '');
  return [line(question.answer_key), ...parts.map(([label, text]) => `${label} ${text}`)].filter(Boolean).join(' · ');
}

/** True when a question stands above a region on the pages. */
export function isAbove(question, region) {
  const first = question.regions[0];
  if (!first) return (question.pages[0] ?? 0) < region.page;
  return first.page < region.page || (first.page === region.page && first.y < region.y);
}

/** The number after this one, as far as it can be told. */
export function nextNumber(number) {
  const found = /^(.*?)(\d+)(\D*)$/.exec(number);
  return found ? `${found[1]}${Number(found[2]) + 1}${found[3]}` : `${number}b`;
}

/** The label after these, as far as it can be told: "(a)", "(b)", … */
export function nextLabel(parts) {
  const found = /^\(([a-y])\)/.exec(parts.at(-1)?.label ?? '');
  if (found) return `(${String.fromCharCode(found[1].charCodeAt(0) + 1)})`;
  return parts.length === 0 ? '(a)' : '';
}
