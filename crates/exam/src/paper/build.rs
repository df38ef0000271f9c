//! From accepted labels to questions: texts, marks, options and places.

use super::notes::Note;
use super::regions::{merge_regions, regions_of};
use super::rubric::Rubric;
use super::{Leaf, Paper, Question, alternatives, capitals, kinds, options};
use crate::flow::Line;
use crate::labels::{self, Token};
use crate::marks::{self, Certainty, Scope};
use crate::numbering::Placed;
use domain::marks::Marks;
use domain::question::{Choice, Region};
use reader::page::{Document, Word};

/// What a label heads: the text up to the next label.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) path: Vec<Token>,
    /// Line and word where the label stands.
    pub(super) start: (usize, usize),
    /// Line and word where the text begins.
    pub(super) from: (usize, usize),
    /// Line and word where the next label stands.
    pub(super) to: (usize, usize),
    /// The beginning of its text where the label is glued to it.
    pub(super) lead: String,
    pub(super) options: Vec<Choice>,
    pub(super) marks: Vec<Found>,
    /// True when "OR" stands between it and the part before it.
    pub(super) is_instead: bool,
}

/// Marks found in a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) line: usize,
    words: (usize, usize),
    pub(super) scope: Scope,
    marks: Marks,
    /// Numbers whose product the marks are, where several parts share them.
    pub(super) shared: Option<(u32, u32)>,
    /// On a line of its own, as totals are.
    alone: bool,
}

impl Segment {
    /// Its words with their line and their place in it.
    pub(super) fn words<'a>(&self, lines: &'a [Line<'a>]) -> impl Iterator<Item = (usize, usize, &'a Word)> {
        let (from, to) = (self.from, self.to);
        (from.0..lines.len().min(to.0 + 1)).flat_map(move |line| {
            let start = if line == from.0 { from.1 } else { 0 };
            let end = if line == to.0 { to.1 } else { lines[line].words.len() };
            let words = lines[line].words.get(start..end.max(start)).unwrap_or_default();
            words.iter().enumerate().map(move |(index, word)| (line, start + index, word))
        })
    }

    /// The same without statements about marks.
    pub(super) fn words_without_marks<'a>(
        &self,
        lines: &'a [Line<'a>],
    ) -> impl Iterator<Item = (usize, usize, &'a Word)> {
        let is_mark = |line: usize, word: usize| {
            self.marks
                .iter()
                .any(|found| found.line == line && (found.words.0..found.words.1).contains(&word))
        };
        self.words(lines).filter(move |(line, word, _)| !is_mark(*line, *word))
    }

    /// True when marks are printed in it.
    pub(super) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Its text without marks.
    pub(super) fn text(&self, lines: &[Line<'_>]) -> String {
        let words = self.words_without_marks(lines).map(|(_, _, word)| word.text.as_str());
        let lead = Some(self.lead.as_str()).filter(|lead| !lead.is_empty());
        lead.into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}

impl Segment {
    /// The heading of the next section is no part of the last question before it.
    fn end_before_heading(&mut self, rubric: &Rubric) {
        let last_mark = self.marks.iter().map(|found| found.line).max().unwrap_or(self.from.0);
        if let Some(line) = rubric.heading_between(last_mark, self.to.0) {
            self.to = (line, 0);
        }
    }
}

pub(super) fn build(
    document: &Document,
    lines: &[Line<'_>],
    (notes, leads): (&[Option<Note>], &[usize]),
    rubric: &Rubric,
    placed: Vec<Placed>,
    total: Option<Marks>,
) -> Paper {
    let mut segments = segments(placed, lines, leads);
    for segment in &mut segments {
        segment.marks = marks_in(segment, lines, notes);
        segment.marks.extend(marks_before(segment, lines, leads));
        segment.end_before_heading(rubric);
    }
    alternatives::part_at_or(&mut segments, lines);
    let mut segments = capitals::split(segments, lines);
    fold_lettered_options(&mut segments, lines);
    let segments = with_unprinted(segments, lines);
    let mut questions = Vec::new();
    let mut starts = Vec::new();
    let mut rest = segments.as_slice();
    while let Some(first) = rest.first() {
        let same =
            rest.iter().skip(1).take_while(|next| next.path.len() > 1 && next.path[0] == first.path[0]);
        let count = 1 + same.count();
        starts.push(first.start.0);
        questions.push(question(&rest[..count], lines, document, (rubric, total)));
        rest = &rest[count..];
    }
    let mut section = 0;
    let mut before = 0;
    for (question, choice) in questions.iter_mut().zip(rubric.choices_for(&starts)) {
        let number = question.leaves.first().map_or(0, |leaf: &Leaf| leaf.path[0].value);
        section += usize::from(number <= before);
        (question.choice, question.section, before) = (choice, section, number);
    }
    Paper { questions, total, first: rubric.first, has_named_parts: false }
}

fn segments(placed: Vec<Placed>, lines: &[Line<'_>], leads: &[usize]) -> Vec<Segment> {
    // Marks before a label are no text of the part before it.
    let start = |label: &Placed| (label.line, if label.word == leads[label.line] { 0 } else { label.word });
    let starts: Vec<(usize, usize)> = placed.iter().map(start).collect();
    let end = (lines.len(), 0);
    placed
        .into_iter()
        .enumerate()
        .map(|(index, label)| Segment {
            lead: glued_text(&lines[label.line], &label),
            path: label.path,
            start: starts[index],
            from: (label.line, label.word + label.words),
            to: starts.get(index + 1).copied().unwrap_or(end),
            options: Vec::new(),
            marks: Vec::new(),
            is_instead: false,
        })
        .collect()
}

fn glued_text(line: &Line<'_>, label: &Placed) -> String {
    let last = line.words.get(label.word + label.words - 1).filter(|_| label.glued);
    last.map_or_else(String::new, |word| labels::glued_text(&word.text).to_owned())
}

/// "[2] 1. Name a gas": marks before the label.
fn marks_before(segment: &Segment, lines: &[Line<'_>], leads: &[usize]) -> Option<Found> {
    let (line, start) = segment.start;
    let texts = lines.get(line).filter(|_| line == segment.from.0 && start == 0).map(Line::texts)?;
    // The "(2)" of "(2) (a)" is a part's number.
    let note = marks::at_start(&texts).filter(|note| note.words <= leads[line])?;
    let (scope, marks, shared) = (note.scope, note.marks, note.shared);
    Some(Found { line, words: (0, note.words), scope, marks, shared, alone: false })
}

fn marks_in(segment: &Segment, lines: &[Line<'_>], notes: &[Option<Note>]) -> Vec<Found> {
    let mut found = Vec::new();
    // "Problem 3 (10 points)": marks right after the label.
    let texts = lines.get(segment.from.0).map(Line::texts).unwrap_or_default();
    let after = texts.get(segment.from.1..).unwrap_or_default();
    if let Some(note) = marks::at_start(after).filter(|note| note.certainty != Certainty::ByPlace) {
        let words = (segment.from.1, segment.from.1 + note.words);
        let (scope, marks, shared) = (note.scope, note.marks, note.shared);
        found.push(Found { line: segment.from.0, words, scope, marks, shared, alone: false });
    }
    let reach = notes.iter().enumerate().take(segment.to.0 + 1).skip(segment.from.0);
    for (line, note) in reach {
        let Some(note) = note else { continue };
        let position = (line, note.word);
        let inside = position >= segment.from && position < segment.to;
        let words = (note.word, note.word + note.note.words);
        let known = found.iter().any(|found: &Found| found.line == line && found.words.0 == words.0);
        if inside && !known {
            found.push(Found {
                line,
                words,
                scope: note.note.scope,
                marks: note.note.marks,
                shared: note.note.shared,
                alone: note.word == 0,
            });
        }
    }
    found
}

/// Where a question's parts begin with (b), what stands before it is (a).
fn with_unprinted(segments: Vec<Segment>, lines: &[Line<'_>]) -> Vec<Segment> {
    let mut all: Vec<Segment> = Vec::with_capacity(segments.len());
    for segment in segments {
        if let (Some(head), Some(last)) = (all.last_mut(), segment.path.last())
            && last.value == 2
            && segment.path.len() == head.path.len() + 1
            && segment.path.starts_with(&head.path)
            && !head.text(lines).trim().is_empty()
        {
            let mut first = head.clone();
            first.path.push(Token::new(last.kind, 1));
            // What the head's own line prints is the question's.
            let own_line = head.start.0;
            head.marks.retain(|found| found.line == own_line);
            first.marks.retain(|found| found.line != own_line);
            head.to = head.from;
            all.push(first);
        }
        all.push(segment);
    }
    all
}

/// Turns parts that are the options of their parent into options.
fn fold_lettered_options(segments: &mut Vec<Segment>, lines: &[Line<'_>]) {
    let mut index = 0;
    while index < segments.len() {
        let depth = segments[index].path.len();
        let below = |segment: &&Segment| {
            segment.path.len() > depth && segment.path[..depth] == segments[index].path[..]
        };
        let parts: Vec<&Segment> = segments[index + 1..].iter().take_while(below).collect();
        // Marks after the last option belong to the question as a whole.
        let marked = parts.iter().rev().skip(1).any(|part| !part.marks.is_empty());
        if let Some(options) = options::lettered(&segments[index], &parts, lines, marked) {
            let count = parts.len();
            let mut marks: Vec<Found> = parts.iter().flat_map(|part| part.marks.clone()).collect();
            let folded: Vec<Segment> = segments.drain(index + 1..index + 1 + count).collect();
            let parent = &mut segments[index];
            parent.options = options;
            parent.marks.append(&mut marks);
            parent.to = if folded.is_empty() { parent.to } else { parent.to.min(folded[0].start) };
        }
        index += 1;
    }
}

/// A question from its own segment and those of its parts.
fn question(
    segments: &[Segment],
    lines: &[Line<'_>],
    document: &Document,
    (rubric, paper_total): (&Rubric, Option<Marks>),
) -> Question {
    let is_leaf = |index: usize| {
        let path = &segments[index].path;
        !segments.iter().any(|other| other.path.len() > path.len() && other.path.starts_with(path))
    };
    let leaf_indices: Vec<usize> = (0..segments.len()).filter(|index| is_leaf(*index)).collect();
    let marked = leaf_indices.iter().filter(|leaf| segments[**leaf].has_marks()).count();
    let unmarked = 2 * marked < leaf_indices.len();
    let total = question_total(segments, &leaf_indices, lines, paper_total)
        .or_else(|| rubric.share_at(segments[0].start.0).filter(|_| unmarked));
    let mut leaves: Vec<Leaf> =
        leaf_indices.iter().map(|index| leaf(segments, *index, lines, document, total)).collect();
    alternatives::settle(&mut leaves, segments, lines);
    let single = leaves.len() == 1 && leaves[0].path.len() == 1;
    if single && leaves[0].marks.is_none() {
        leaves[0].marks = total.or_else(|| rubric.marks_at(segments[0].start.0, segments[0].path[0].value));
    }
    let has_own_text = !single && segments[0].path.len() == 1;
    let text = if has_own_text { segments[0].text(lines) } else { String::new() };
    let regions: Vec<Region> = leaves.iter().flat_map(|leaf| leaf.regions.clone()).collect();
    let own = regions_of(&segments[0], lines, document);
    let regions = merge_regions(own.into_iter().chain(regions));
    let number = printed_number(&segments[0], lines);
    let pages = regions.iter().map(|region| region.page).collect();
    let is_joint = |index: &usize| !leaf_indices.contains(index) && segments[*index].path.len() > 1;
    let joint = (0..segments.len()).filter(is_joint).filter_map(|index| {
        let printed = part_marks(&segments[index], lines);
        let marks: Marks = printed.iter().map(|found| found.marks).sum();
        (!marks.is_zero()).then(|| (segments[index].path.clone(), marks))
    });
    let joint = joint.collect();
    Question { number, section: 0, text, marks: total, leaves, joint, pages, regions, choice: None }
}

/// A question's number as the paper prints it: "3", or "III" where its label holds no digit.
fn printed_number(segment: &Segment, lines: &[Line<'_>]) -> String {
    let value = segment.path[0].value;
    let capital = labels::print_capital(value);
    let (line, start) = segment.start;
    let words = lines[line].words.get(start..segment.from.1).unwrap_or_default();
    let mut pieces = words.iter().flat_map(|word| word.text.split(|c: char| !c.is_alphanumeric()));
    if pieces.any(|piece| piece == capital) { capital } else { value.to_string() }
}

/// The total that the paper prints for a question, however it prints it.
fn question_total(
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
    closing_total(segments, leaves)
}

/// "[10]" alone after the last part, when it is the sum of what came before.
fn closing_total(segments: &[Segment], leaves: &[usize]) -> Option<Marks> {
    let part = |found: &&Found| found.scope == Scope::Part;
    let last: Vec<&Found> = segments[*leaves.last()?].marks.iter().filter(part).collect();
    let (closing, own) = last.split_last()?;
    let earlier = leaves.iter().rev().skip(1).flat_map(|leaf| &segments[*leaf].marks).filter(part);
    let before: Marks = earlier.chain(own.iter().copied()).map(|found| found.marks).sum();
    (closing.alone && !own.is_empty() && before == closing.marks).then_some(closing.marks)
}

fn leaf(
    segments: &[Segment],
    index: usize,
    lines: &[Line<'_>],
    document: &Document,
    total: Option<Marks>,
) -> Leaf {
    let segment = &segments[index];
    let mut asked = segment.clone();
    let mut choices = segment.options.clone();
    if choices.is_empty()
        && let Some(found) = options::find(segment, lines)
    {
        asked.to = found.from.max(asked.from);
        choices = found.options;
    }
    let mut parts = part_marks(segment, lines);
    let closing = parts.last().is_some_and(|found| found.alone && Some(found.marks) == total);
    if closing && parts.len() > 1 {
        parts.pop();
    }
    let printed = (!parts.is_empty()).then(|| parts.iter().map(|found| found.marks).sum());
    let text = asked.text(lines);
    let lead: Vec<String> = segments[..index]
        .iter()
        .filter(|above| above.path.len() > 1 && segment.path.starts_with(&above.path))
        .map(|above| above.text(lines))
        .collect();
    Leaf {
        label: if segment.path.len() == 1 { String::new() } else { labels::display(&segment.path) },
        path: segment.path.clone(),
        kind: kinds::kind(&text, printed, &choices),
        text,
        lead: lead.join(" "),
        marks: printed,
        options: choices,
        page: lines[segment.start.0].page,
        regions: regions_of(segment, lines, document),
        is_instead: false,
    }
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
fn part_marks<'s>(segment: &'s Segment, lines: &[Line<'_>]) -> Vec<&'s Found> {
    let mut parts: Vec<&Found> = segment.marks.iter().filter(|found| found.scope == Scope::Part).collect();
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
