//! Parts of which not all are to be answered, and marks that several parts share.

use super::priced::part_marks;
use super::segment::Segment;
use super::{ChoiceGroup, Leaf, Question, products};
use crate::flow::Line;
use crate::labels::Token;
use crate::marks::Scope;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;

/// True for a line that says nothing but "OR".
pub(super) fn is_or(line: &Line<'_>) -> bool {
    let [only] = line.words else { return false };
    papers::OR.has(only.text.trim_matches(|c: char| !c.is_alphabetic()))
}

/// Takes "OR" off the end of a part or a question and notes that the next may be answered instead of it.
pub(super) fn part_at_or(segments: &mut [Segment], lines: &[Line<'_>]) {
    for index in 1..segments.len() {
        let (before, own) = segments.split_at_mut(index);
        let (Some(before), Some(own)) = (before.last_mut(), own.first_mut()) else { continue };
        let last = before.to.0.saturating_sub(1);
        let parted = before.to.1 == 0 && last > before.start.0 && lines.get(last).is_some_and(is_or);
        if parted {
            before.to = (last, 0);
            own.is_instead = true;
        }
    }
}

/// Questions with "OR" between them, of which one is to be answered. `instead`: for each question, whether "OR" stands
/// before it.
pub(super) fn choose_between(questions: &mut [Question], instead: &[bool]) {
    let mut from = 0;
    while from < questions.len() {
        let more = instead[from + 1..].iter().take_while(|instead| **instead).count();
        let group = &mut questions[from..=from + more];
        from += more + 1;
        if more == 0 || group.iter().any(|question| question.choice.is_some()) {
            continue;
        }
        let name = group.iter().map(|question| question.number.as_str()).collect::<Vec<_>>().join("/");
        for question in group {
            question.choice = Some(ChoiceGroup { name: name.clone(), answer: 1 });
        }
    }
}

/// The line of a segment at which another wording of the whole question begins.
pub(super) fn or_within(segment: &Segment, lines: &[Line<'_>]) -> Option<usize> {
    (segment.from.0 + 1..segment.to.0.min(lines.len())).find(|line| is_or(&lines[*line]))
}

/// Notes which leaves count only when others are left out, and shares out marks that are printed once for
/// several.
pub(super) fn settle(leaves: &mut [Leaf], segments: &[Segment], lines: &[Line<'_>]) {
    let instead: Vec<&[Token]> = segments
        .windows(2)
        .filter(|pair| pair[1].is_instead)
        .map(|pair| parted_at(&pair[0].path, &pair[1].path))
        .collect();
    for leaf in leaves.iter_mut() {
        leaf.is_instead = instead.iter().any(|path| leaf.path.starts_with(path));
    }
    price_alternatives(leaves);
    // "OR" before the only part leaves nothing to choose from.
    if leaves.iter().all(|leaf| leaf.is_instead) {
        leaves.iter_mut().for_each(|leaf| leaf.is_instead = false);
    }
    for segment in segments {
        share_out(leaves, segment);
        if let Some(product) = products::in_head(segment, lines) {
            products::share_parts(leaves, &segment.path, product);
        }
        if let Some(count) = some_of(&segment.text(lines)) {
            let printed = part_marks(segment, lines).iter().map(|found| found.marks).sum();
            price_chosen(leaves, segment, count, printed);
            leave_out(leaves, segment, count);
        }
    }
}

/// What may be answered instead of a part, and prints no marks, is worth what that part is.
fn price_alternatives(leaves: &mut [Leaf]) {
    for at in 1..leaves.len() {
        let (before, own) = leaves.split_at_mut(at);
        let (before, own) = (&before[at - 1], &mut own[0]);
        let beside = own.path.len() == before.path.len()
            && own.path.len() > 1
            && own.path[..own.path.len() - 1] == before.path[..before.path.len() - 1];
        if own.is_instead && own.marks.is_none() && beside && !before.is_instead {
            own.marks = before.marks;
        }
    }
}

/// Each of several parts of which one is to be answered is worth what the question is: as printed, else as its section
/// says of each question.
pub(super) fn price_whole(question: &mut Question, each: Option<Marks>) {
    let silent = question.leaves.iter().all(|leaf| leaf.path.len() == 2 && leaf.marks.is_none());
    let counted = question.leaves.iter().filter(|leaf| !leaf.is_instead).count();
    if silent && counted == 1 && question.leaves.len() > 1 {
        question.marks = question.marks.or(each);
        question.leaves.iter_mut().for_each(|leaf| leaf.marks = question.marks);
    }
}

/// The part that "OR" between two paths begins: after (a)(ii), that of (b)(i) is all of (b).
fn parted_at<'p>(before: &[Token], own: &'p [Token]) -> &'p [Token] {
    let shared = before.iter().zip(own).take_while(|(one, other)| one == other).count();
    &own[..(shared + 1).min(own.len())]
}

/// "(5 x 2) (10)" after five parts gives each of them two.
fn share_out(leaves: &mut [Leaf], segment: &Segment) {
    let product =
        segment.marks.iter().rev().find(|found| found.scope == Scope::Part).and_then(|found| found.shared);
    let Some((one, other)) = product else { return };
    let Some(last) = leaves.iter().position(|leaf| leaf.path == segment.path) else { return };
    let parent = &segment.path[..segment.path.len() - 1];
    let alike = |leaf: &&Leaf| {
        leaf.path.len() == segment.path.len() && leaf.path.starts_with(parent) && leaf.marks.is_none()
    };
    let count = 1 + leaves[..last].iter().rev().take_while(alike).count();
    let is_count = |number: u32| number as usize == count;
    let each = if is_count(one) {
        other
    } else if is_count(other) {
        one
    } else {
        return;
    };
    for leaf in &mut leaves[last + 1 - count..=last] {
        leaf.marks = Some(Marks::whole(each));
    }
}

/// No question lets more of its parts be chosen.
const MOST_CHOSEN: usize = 15;

/// The letter of the first of several parts.
const FIRST_PART: &str = "a";

/// "Answer any two of the following": two.
fn some_of(text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // "Answer one of (a) and (b)."
    let stated = words.windows(4).find(|own| {
        papers::CHOOSING.has(own[0]) && lexicon::is(Concept::PickOf, own[2]) && own[3] == FIRST_PART
    });
    if let Some(count) = stated.and_then(|own| lexicon::small_number(own[1])) {
        return usize::try_from(count).ok().filter(|count| *count <= MOST_CHOSEN);
    }
    let any = words.iter().position(|word| papers::ANY.has(word))?;
    let number = words.get(any + 1)?;
    // "Give reasons: (any two)" asks so as well.
    let closes = any + 2 == words.len() && text.trim_end().trim_end_matches(['.', ':']).ends_with(')');
    let asked = closes || words[..any].iter().any(|word| papers::CHOOSING.has(word));
    let count = lexicon::small_number(number).and_then(|count| usize::try_from(count).ok());
    count.filter(|count| asked && *count <= MOST_CHOSEN)
}

/// What is printed once for the parts to be chosen right below a segment is shared among as many as are chosen.
fn price_chosen(leaves: &mut [Leaf], segment: &Segment, count: usize, printed: Marks) {
    let depth = segment.path.len();
    let mut below: Vec<&mut Leaf> =
        leaves.iter_mut().filter(|leaf| leaf.path.starts_with(&segment.path)).collect();
    let open = below.iter().all(|leaf| leaf.path.len() == depth + 1 && leaf.marks.is_none());
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let halves = printed.as_halves();
    if open && below.len() > count as usize && halves > 0 && halves.is_multiple_of(count) {
        below.iter_mut().for_each(|leaf| leaf.marks = Some(Marks::halves(halves / count)));
    }
}

/// Of the parts right below a segment, all worth the same, only so many count.
fn leave_out(leaves: &mut [Leaf], segment: &Segment, count: usize) {
    let depth = segment.path.len();
    let below = |leaf: &Leaf| leaf.path.len() == depth + 1 && leaf.path.starts_with(&segment.path);
    let worth: Vec<Option<Marks>> = leaves.iter().filter(|leaf| below(leaf)).map(|leaf| leaf.marks).collect();
    let all_below = leaves.iter().filter(|leaf| leaf.path.starts_with(&segment.path)).count() == worth.len();
    let alike = worth.windows(2).all(|pair| pair[0] == pair[1]) && worth.iter().all(Option::is_some);
    if alike && all_below && worth.len() > count {
        for leaf in leaves.iter_mut().filter(|leaf| below(leaf)).skip(count) {
            leaf.is_instead = true;
        }
    }
}
