//! Which of the marks in a question's text are its parts', and which its own.

use super::alternatives;
use super::notes::Note;
use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::labels;
use crate::marks::{self, Certainty, MarkNote, Scope};
use domain::marks::Marks;
use lexicon::Concept;

/// "[2] 1. Name a gas": marks before the label.
pub(super) fn marks_before(segment: &Segment, lines: &[Line<'_>], leads: &[usize]) -> Option<Found> {
    let (line, start) = segment.start;
    let texts = lines.get(line).filter(|_| line == segment.from.0 && start == 0).map(Line::texts)?;
    // The "(2)" of "(2) (a)" is a part's number.
    let note = marks::before_label(&texts).filter(|note| note.words <= leads[line])?;
    let (scope, marks, shared) = (note.scope, note.marks, note.shared);
    Some(Found { line, words: (0, note.words), scope, marks, shared, alone: false })
}

pub(super) fn marks_in(segment: &Segment, lines: &[Line<'_>], notes: &[Option<Note>]) -> Vec<Found> {
    let mut found = Vec::new();
    // "Problem 3 (10 points)": marks right after the label.
    let texts = lines.get(segment.from.0).map(Line::texts).unwrap_or_default();
    // "(Bonus) (+2 pts): What did …" names the question first.
    let is_bonus = |word: &&&str| {
        let bare = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        bare.is_some_and(|bare| lexicon::is(Concept::Bonus, &bare.to_lowercase()))
    };
    let from = segment.from.1 + usize::from(texts.get(segment.from.1).filter(is_bonus).is_some());
    let after = texts.get(from..).unwrap_or_default();
    let counts = |note: &MarkNote| note.certainty != Certainty::ByPlace || is_decimal(after);
    if let Some(note) = marks::at_start(after).filter(counts) {
        let words = (from, from + note.words);
        let (scope, marks, shared) = (note.scope, note.marks, note.shared);
        found.push(Found { line: segment.from.0, words, scope, marks, shared, alone: false });
    }
    let reach = notes.iter().enumerate().take(segment.to.0 + 1).skip(segment.from.0);
    for (line, note) in reach {
        let Some(note) = note else { continue };
        let position = (line, note.word);
        let inside = position >= segment.from && position < segment.to;
        let words = (note.word, note.word + note.note.words);
        let own = marks_beside(segment, line, note, lines).filter(|_| inside);
        let alone = note.word == 0 || own.is_some();
        found.extend(own);
        let known = found.iter().any(|found: &Found| found.line == line && found.words.0 == words.0);
        if inside && !known {
            found.push(Found {
                line,
                words,
                scope: note.note.scope,
                marks: note.note.marks,
                shared: note.note.shared,
                alone,
            });
        }
    }
    if found.is_empty() {
        found.extend(marks_inside(segment, lines));
    }
    found
}

/// The "[5]" of "[5] [8]" at the end of a line: a part's marks before the sum of its group.
fn marks_beside(segment: &Segment, line: usize, note: &Note, lines: &[Line<'_>]) -> Option<Found> {
    let start = if line == segment.from.0 { segment.from.1 } else { 0 };
    let texts = lines.get(line)?.texts();
    let before = marks::at_end(texts.get(start..note.word)?)?;
    let alike = before.bracketed && before.scope == Scope::Part && before.certainty > Certainty::ByPlace;
    let bracket = |word: usize| texts.get(word).and_then(|word| word.chars().next());
    let from = note.word - before.words;
    let same = note.note.scope == Scope::Part && bracket(from) == bracket(note.word);
    let (scope, marks, shared) = (before.scope, before.marks, before.shared);
    let found = Found { line, words: (from, note.word), scope, marks, shared, alone: false };
    (alike && same && before.marks <= note.note.marks).then_some(found)
}

/// "(1,5) Find the area": halves of marks before a sentence, and no interval.
fn is_decimal(after: &[&str]) -> bool {
    let [first, next, ..] = after else { return false };
    let inner = first.strip_prefix('(').and_then(|own| own.strip_suffix(')'));
    let halves = inner.and_then(|own| own.split_once([',', '.'])).is_some_and(|(whole, rest)| {
        whole.parse::<u32>().is_ok() && matches!(rest, "0" | "00" | "5" | "50" | "25" | "75")
    });
    halves && next.starts_with(char::is_uppercase)
}

/// "(a) What is a process? (2) (b) What …": marks at the end of a part that ends within a line.
fn marks_inside(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    let (line, end) = segment.to;
    let texts = lines.get(line).filter(|_| end > 0).map(Line::texts)?;
    let start = if line == segment.from.0 { segment.from.1 } else { 0 };
    let note =
        marks::at_end(texts.get(start..end)?).filter(|note| note.scope == Scope::Part && note.bracketed)?;
    let from = end - note.words;
    let ends = from > start && texts[from - 1].ends_with(['.', '?', '!', ':', ';']);
    let (scope, marks, shared) = (note.scope, note.marks, note.shared);
    let found = Found { line, words: (from, end), scope, marks, shared, alone: false };
    (ends || note.certainty > Certainty::ByPlace).then_some(found)
}

/// The total that the paper prints for a question, however it prints it.
pub(super) fn question_total(
    segments: &[Segment],
    leaves: &[usize],
    lines: &[Line<'_>],
    paper: Option<Marks>,
) -> Option<Marks> {
    let in_parts: Marks = segments
        .iter()
        .flat_map(|segment| &segment.marks)
        .filter(|found| found.scope == Scope::Part)
        .map(|found| found.marks)
        .sum();
    let mut all = segments.iter().rev().flat_map(|segment| segment.marks.iter().rev());
    // "TOTAL: 150" after the last question is the paper's.
    let of_question = |found: &&Found| match found.scope {
        Scope::Question(Some(_)) => true,
        Scope::Question(None) => Some(found.marks) != paper || found.marks == in_parts,
        Scope::Part | Scope::Paper => false,
    };
    if let Some(found) = all.find(of_question) {
        return Some(found.marks);
    }
    // Marks in the question's own text, before its parts: "Problem 3 (10 points)".
    let parted = leaves.first() != Some(&0);
    let own = Some(&segments[0]).filter(|head| parted && head.path.len() == 1);
    let head =
        own.and_then(|own| own.marks.iter().find(|found| is_at_head(found, own, lines)).or(own.marks.last()));
    // What stands further down in its text counts where the parts say nothing else.
    let marked = leaves.iter().all(|leaf| segments[*leaf].has_marks());
    let others: Marks = leaves.iter().flat_map(|leaf| &segments[*leaf].marks).map(|found| found.marks).sum();
    let believed = |found: &&Found| {
        let at_head = own.is_some_and(|own| is_at_head(found, own, lines));
        at_head || !marked || found.marks == others
    };
    if let Some(found) = head.filter(believed) {
        return Some(found.marks);
    }
    closing_total(segments, leaves, lines)
}

/// "[10]" after the marks of the last part, when it is the sum of what came before.
fn closing_total(segments: &[Segment], leaves: &[usize], lines: &[Line<'_>]) -> Option<Marks> {
    let part = |found: &&Found| found.scope == Scope::Part;
    let last: Vec<&Found> = segments[*leaves.last()?].marks.iter().filter(part).collect();
    let (closing, own) = last.split_last()?;
    let earlier = leaves.iter().rev().skip(1).flat_map(|leaf| &segments[*leaf].marks).filter(part);
    let before: Marks = earlier.chain(own.iter().copied()).map(|found| found.marks).sum();
    let closes = own.last().is_some_and(|part| is_sum(closing, part, lines));
    (closes && before == closing.marks).then_some(closing.marks)
}

/// True for marks that are set as a sum is, after those of a part: on a line of their own, or in other brackets,
/// where the text happens to end beside them.
pub(super) fn is_sum(found: &Found, part: &Found, lines: &[Line<'_>]) -> bool {
    let bracket = |found: &Found| {
        let word = lines.get(found.line)?.words.get(found.words.0)?;
        word.text.chars().next().filter(|first| matches!(first, '(' | '['))
    };
    found.alone || bracket(found).zip(bracket(part)).is_some_and(|(own, other)| own != other)
}

/// "[2 marks]" over "[2 markah]": the same in another language.
fn is_translated(one: &Found, other: &Found, lines: &[Line<'_>]) -> bool {
    let unit = |found: &Found| {
        let words = lines.get(found.line)?.texts();
        let said = words.get(found.words.0..found.words.1)?.concat().to_lowercase();
        Some(said.chars().filter(|c| c.is_alphabetic()).collect::<String>()).filter(|unit| !unit.is_empty())
    };
    let close = other.line <= one.line + 1 && one.marks == other.marks;
    close && unit(one).zip(unit(other)).is_some_and(|(one, other)| one != other)
}

/// True when later marks are the head's once more, or some of what it is made of. A single smaller one may be a
/// part's whose label was not seen.
fn is_made_of(head: &Found, rest: &[&Found]) -> bool {
    let sum = rest.iter().map(|found| found.marks).sum::<Marks>();
    sum == head.marks || (rest.len() >= 2 && sum < head.marks)
}

/// True for marks right after a label, or at the end of the line of a heading.
fn is_at_head(found: &Found, segment: &Segment, lines: &[Line<'_>]) -> bool {
    let (line, word) = segment.start;
    let heads = || {
        let label = labels::parse(&lines[line].texts()[word..]);
        label.is_some_and(|label| label.style == labels::Style::Keyword)
    };
    (found.line, found.words.0) == segment.from || (found.line == line && heads())
}

/// The marks that a leaf prints for itself, those that it prints twice left out.
pub(super) fn part_marks<'s>(segment: &'s Segment, lines: &[Line<'_>]) -> Vec<&'s Found> {
    let mut parts: Vec<&Found> = segment.marks.iter().filter(|found| found.scope == Scope::Part).collect();
    let twice: Vec<bool> = (0..parts.len())
        .map(|at| at.checked_sub(1).is_some_and(|before| is_translated(parts[before], parts[at], lines)))
        .collect();
    let mut told = twice.into_iter();
    parts.retain(|_| !told.next().unwrap_or(false));
    // What may be answered instead carries the same marks.
    if let Some(or) =
        alternatives::or_within(segment, lines).filter(|or| parts.iter().any(|found| found.line < *or))
    {
        parts.retain(|found| found.line < or);
    }
    // "Question 2 (4 marks)" at the head, and "4 marks" again where the text ends, or what they are made of.
    if let [head, rest @ ..] = parts.as_slice()
        && is_at_head(head, segment, lines)
        && is_made_of(head, rest)
    {
        parts.truncate(1);
    }
    parts
}
