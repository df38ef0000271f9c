//! From accepted labels to questions: texts, marks, options and places.

use super::notes::Note;
use super::priced::{is_sum, marks_before, marks_in, part_marks, question_total};
use super::regions::{merge_regions, regions_of};
use super::rubric::Rubric;
use super::segment::{Found, Segment};
use super::{
    Leaf, Paper, Question, addends, alternatives, boxed_prices, capitals, fronted, kinds, options, others,
    percent, portions, products, section_sums, sums, worths,
};
use crate::bonus;
use crate::flow::Line;
use crate::labels::{self, Token};
use crate::numbering::Placed;
use crate::scheme::SchemeLabels;
use domain::marks::Marks;
use domain::question::Region;
use reader::page::Document;

pub(super) fn build(
    document: &Document,
    lines: &[Line<'_>],
    (notes, leads): (&[Option<Note>], &[usize]),
    rubric: &Rubric,
    (placed, scheme): (Vec<Placed>, Option<&SchemeLabels>),
    total: Option<Marks>,
) -> Paper {
    let mut segments = segments(placed, lines, leads);
    for segment in &mut segments {
        segment.marks = marks_in(segment, lines, notes);
        segment.marks.extend(marks_before(segment, lines, leads));
        segment.end_before_heading(rubric);
        portions::set_aside(segment, lines);
    }
    alternatives::part_at_or(&mut segments, lines);
    let labelled = segments.len();
    let mut segments = capitals::split(addends::split(segments, lines, scheme), lines, scheme);
    let in_brackets = |segment: &Segment| {
        let (line, word) = segment.start;
        let label = lines[line].words.get(word).map(|word| [word.text.as_str()]);
        label.is_some_and(|label| label[0].starts_with('(') && labels::parse_capital_part(&label).is_some())
    };
    let has_capital_parts = segments.len() > labelled || segments.iter().any(in_brackets);
    rubric.note_choices(&mut segments);
    fold_lettered_options(&mut segments, lines, scheme);
    fold_rows(&mut segments, lines);
    let mut segments = with_unprinted(segments, lines);
    sums::settle_sections(&mut segments, rubric);
    let mut of_question = segments.as_mut_slice();
    while let Some(first) = of_question.first().map(|first| first.path[0]) {
        let below =
            of_question.iter().skip(1).take_while(|next| next.path.len() > 1 && next.path[0] == first);
        let count = 1 + below.count();
        let (own, rest) = of_question.split_at_mut(count);
        own.iter_mut().for_each(|segment| sums::settle_inner(segment, lines));
        boxed_prices::settle(own, lines);
        sums::settle(own);
        fronted::price(own, lines);
        of_question = rest;
    }
    let mut questions = Vec::new();
    let mut starts = Vec::new();
    let mut instead = Vec::new();
    let mut rest = segments.as_slice();
    while let Some(first) = rest.first() {
        let same =
            rest.iter().skip(1).take_while(|next| next.path.len() > 1 && next.path[0] == first.path[0]);
        let count = 1 + same.count();
        starts.push(first.start.0);
        instead.push(first.is_instead);
        questions.push(question(&rest[..count], lines, document, (rubric, total)));
        rest = &rest[count..];
    }
    rubric.share_worths(&starts, &mut questions);
    section_sums::settle(&mut questions, &starts, rubric);
    products::share(rubric, &starts, &mut questions);
    for (question, start) in questions.iter_mut().zip(&starts) {
        let number = question.leaves.first().map_or(0, |leaf| leaf.path[0].value);
        alternatives::price_whole(question, rubric.marks_at(*start, number, false));
    }
    percent::scale(&mut questions, &starts, lines);
    let mut section = 0;
    let mut before = 0;
    for (question, choice) in questions.iter_mut().zip(rubric.choices_for(&starts)) {
        let number = question.leaves.first().map_or(0, |leaf: &Leaf| leaf.path[0].value);
        section += usize::from(number <= before);
        // What comes on top of the paper is no choice.
        let choice = choice.filter(|_| !question.is_bonus);
        (question.choice, question.section, before) = (choice, section, number);
    }
    alternatives::choose_between(&mut questions, &instead);
    others::choose(lines, &mut questions);
    if section > 0 {
        for (question, start) in questions.iter_mut().zip(&starts) {
            question.group = rubric.group_at(*start).map(str::to_owned);
        }
    }
    let worths = worths::of_sections(lines, rubric, &starts);
    Paper {
        questions,
        total,
        worths,
        announced: rubric.announced.clone(),
        has_capital_parts,
        ..Paper::default()
    }
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
            is_choice: false,
        })
        .collect()
}

fn glued_text(line: &Line<'_>, label: &Placed) -> String {
    let last = line.words.get(label.word + label.words - 1).filter(|_| label.glued);
    last.map_or_else(String::new, |word| labels::glued_text(&word.text).to_owned())
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
fn fold_lettered_options(segments: &mut Vec<Segment>, lines: &[Line<'_>], scheme: Option<&SchemeLabels>) {
    let mut index = 0;
    while index < segments.len() {
        if fold_statements(segments, index, lines) {
            index += 1;
            continue;
        }
        let parts = below(segments, index);
        let marked = are_marked(&parts);
        let has = |labels: &SchemeLabels| parts.iter().all(|part| labels.has(&part.path));
        // "Name the following: [5]" over five items
        let worth: Marks = segments[index].marks.iter().map(|found| found.marks).sum();
        let one_each = u32::try_from(parts.len()).is_ok_and(|count| worth == Marks::whole(count));
        let answered = scheme.is_some_and(has) && (one_each || options::sets_task(&segments[index], lines));
        if !answered && let Some(options) = options::lettered(&segments[index], &parts, lines, marked) {
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
    // Options that were taken for parts of the last statement are known as such now.
    let mut index = 0;
    while index < segments.len() {
        fold_statements(segments, index, lines);
        index += 1;
    }
}

/// Puts statements that are judged together back into what they stand below.
fn fold_rows(segments: &mut Vec<Segment>, lines: &[Line<'_>]) {
    let mut index = 0;
    while index < segments.len() {
        let parts = below(segments, index);
        if options::are_rows(&segments[index], &parts, lines) {
            let last = index + parts.len();
            segments[index].to = segments[last].to;
            segments.drain(index + 1..=last);
        }
        index += 1;
    }
}

/// Turns statements and the options that name some of them into the options of what they stand below. True where there
/// were such.
fn fold_statements(segments: &mut Vec<Segment>, index: usize, lines: &[Line<'_>]) -> bool {
    let parts = below(segments, index);
    let found = options::of_statements(&parts, lines).filter(|_| !are_marked(&parts));
    let Some((choices, from)) = found else { return false };
    let count = parts.len();
    let mut marks: Vec<Found> = parts.iter().flat_map(|part| part.marks.clone()).collect();
    segments.drain(index + 1..index + 1 + count);
    let parent = &mut segments[index];
    (parent.options, parent.to) = (choices, from);
    parent.marks.append(&mut marks);
    true
}

/// The parts of a segment, on all levels.
fn below(segments: &[Segment], index: usize) -> Vec<&Segment> {
    let path = &segments[index].path;
    let is_below = |segment: &&Segment| segment.path.len() > path.len() && segment.path.starts_with(path);
    segments[index + 1..].iter().take_while(is_below).collect()
}

/// True when any of them prints marks; those after the last option belong to the question as a whole.
fn are_marked(parts: &[&Segment]) -> bool {
    parts.iter().rev().skip(1).any(|part| !part.marks.is_empty())
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
    products::share_addends(&mut leaves, &segments[0], lines);
    products::share_addends_behind(&mut leaves, (segments, &leaf_indices), lines);
    portions::share(&mut leaves, segments, lines);
    products::share_prices(&mut leaves, segments, lines);
    alternatives::settle(&mut leaves, segments, lines);
    // "Multiple choice [4 points; 2 points each]" above the parts.
    let head = segments[0].start.0..leaf_indices.first().map_or(0, |first| segments[*first].start.0);
    let each = rubric.each_within(head).filter(|_| leaves.iter().all(|leaf| leaf.marks.is_none()));
    // "Question 2 (4 points). Judge each statement": none of several parts is worth all of them.
    let each = each.filter(|each| leaves.len() == 1 || total.is_none_or(|total| *each < total));
    if let Some(each) = each {
        leaves.iter_mut().for_each(|leaf| leaf.marks = Some(each));
    }
    let single = leaves.len() == 1 && leaves[0].path.len() == 1;
    if single && leaves[0].marks.is_none() {
        let (head, offers) = (&segments[0], !leaves[0].options.is_empty());
        leaves[0].marks = total.or_else(|| rubric.marks_at(head.start.0, head.path[0].value, offers));
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
    let is_bonus = bonus::is_said(&lines[segments[0].start.0].texts(), segments[0].from.1);
    Question { number, text, marks: total, leaves, joint, pages, regions, is_bonus, ..Question::default() }
}

/// A question's number as the paper prints it: "3", or "III" and "三" where its label holds no digit.
fn printed_number(segment: &Segment, lines: &[Line<'_>]) -> String {
    let value = segment.path[0].value;
    let capital = labels::print_capital(value);
    let (line, start) = segment.start;
    let words = lines[line].words.get(start..segment.from.1).unwrap_or_default();
    if let Some(numeral) = words.first().and_then(|word| labels::han_numeral(&word.text)) {
        return numeral.to_owned();
    }
    let mut pieces = words.iter().flat_map(|word| word.text.split(|c: char| !c.is_alphanumeric()));
    if pieces.any(|piece| piece == capital) { capital } else { value.to_string() }
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
    if let [.., part, last] = parts.as_slice()
        && is_sum(last, part, lines)
        && Some(last.marks) == total
    {
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
