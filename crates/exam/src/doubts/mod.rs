//! What a reviewer should look at, question by question.

mod joined;
mod keys;
mod lost;
mod names;

pub(crate) use joined::MAY_BE_SEVERAL;
pub(crate) use keys::{drop_empty_keys, drop_questions, note_repeating_keys};
pub(crate) use names::leaf_name;

use crate::labels;
use crate::paper::{Leaf, Paper, Question as Source};
use crate::scheme::{Entry, Said, Scheme, SchemeLabels};
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Part, PointKind, Question};

/// The scheme is believed about labels that the paper lacks only where it has this share of the paper's.
const TELLING_SHARE: f32 = 0.7;
/// A list longer than this says that the scheme counts in another way.
const MOST_MISSING: usize = 6;
/// Fewer questions on more pages than this are few.
const FEW_PAGES: u32 = 4;

/// A part for which paper and scheme print different marks.
pub(crate) struct Priced {
    /// Which of the paper's questions it belongs to.
    pub(crate) question: usize,
    /// Its number and label: "4(b)".
    pub(crate) name: String,
    /// What the paper prints, and what the scheme does.
    pub(crate) marks: (Marks, Marks),
    /// True when the scheme repeats the question with other marks behind it: no sum of its points.
    pub(crate) is_restated: bool,
}

/// Parts for which paper and scheme print different marks.
pub(crate) fn priced_apart(paper: &Paper, scheme: &Scheme) -> Vec<Priced> {
    let leaves = paper
        .questions
        .iter()
        .enumerate()
        .flat_map(|(index, question)| question.leaves.iter().map(move |leaf| (index, question, leaf)));
    let differs = |(question, source, leaf): (usize, &Source, &Leaf)| {
        let own = |entry: &&Entry| entry.section == source.section && entry.path == leaf.path;
        let entry = scheme.entries.iter().find(own)?;
        let restated = entry.restated_marks();
        let marks = (leaf.marks?, restated.or_else(|| entry.printed_marks())?);
        let name = leaf_name(&source.number, &leaf.label);
        let is_restated = restated.is_some();
        (marks.0 != marks.1).then_some(Priced { question, name, marks, is_restated })
    };
    leaves.filter_map(differs).collect()
}

/// Notes on the questions what does not fit. `off`: the total that the paper prints, and what was read; `priced`:
/// where both documents print different marks.
pub(crate) fn note(
    paper: &Paper,
    (labels, said): (&SchemeLabels, &[Said]),
    (off, priced): (Option<(Marks, Marks)>, &[Priced]),
    questions: &mut [Question],
) {
    note_numbers(paper, questions);
    note_marks(paper, questions);
    note_scheme(paper, labels, questions);
    note_options(questions);
    note_choices(paper, questions);
    keys::note(questions);
    joined::note(questions);
    lost::note(said, questions);
    note_prices(priced, questions);
    note_unread(paper, questions);
    let Some(first) = questions.first() else { return };
    let unmarked = questions.len() == 1 && first.parts.is_empty() && first.total().is_none();
    let pages = questions.iter().flat_map(|question| &question.pages).max().copied().unwrap_or(0);
    if questions.len() == 1 && first.parts.is_empty() && pages >= FEW_PAGES {
        questions[0].warnings.push(format!("Only one question was found on {pages} pages."));
    }
    if unmarked {
        questions[0].warnings.push("Only one question was found, and no marks.".to_owned());
    }
    if let Some((printed, sum)) = off {
        let (at, place) = place_of_fault(printed, sum, priced, questions);
        questions[at].warnings.push(format!("Marks add up to {sum}, the paper says {printed}: {place}."));
    }
}

/// Where to look when the marks do not add up: at the part that would mend the sum with the scheme's marks, at a part
/// without marks, or at a question that is doubtful anyway.
fn place_of_fault(printed: Marks, sum: Marks, priced: &[Priced], questions: &[Question]) -> (usize, String) {
    let mends = |part: &&Priced| sum + part.marks.1 == printed + part.marks.0;
    if let Some(part) = priced.iter().find(mends).or(priced.first()) {
        return (
            part.question,
            format!("look at {}, for which the scheme gives {}", part.name, part.marks.1),
        );
    }
    for (at, question) in questions.iter().enumerate() {
        if let Some(part) = question.parts.iter().find(|part| part.marks.is_none()) {
            return (at, format!("look at {}, which has none", leaf_name(&question.number, &part.label)));
        }
        if question.total().is_none() {
            return (at, format!("look at question {}, which has none", question.number));
        }
    }
    match questions.iter().position(|question| !question.warnings.is_empty()) {
        Some(at) => (at, format!("look at question {}", questions[at].number)),
        None => (0, "look for a question that is missing, or for marks that count twice".to_owned()),
    }
}

/// Parts that the scheme repeats with other marks than the paper's.
fn note_prices(priced: &[Priced], questions: &mut [Question]) {
    for part in priced.iter().filter(|part| part.is_restated) {
        let ((paper, scheme), name) = (part.marks, &part.name);
        let said = format!("The paper prints {paper} marks for {name}, the scheme {scheme}.");
        questions[part.question].warnings.push(said);
    }
}

/// Headings of sections below which something is counted and nothing was taken for a question.
fn note_unread(paper: &Paper, questions: &mut [Question]) {
    for (question, heading) in &paper.unread {
        if let Some(question) = questions.get_mut(*question) {
            question.warnings.push(format!("No question was found under “{heading}”."));
        }
    }
}

/// Answers that are none of the options.
fn note_options(questions: &mut [Question]) {
    let strange = |options: &[Choice], key: &Option<AnswerKey>| {
        let points = key.iter().flat_map(|key| &key.points);
        let named = points.filter(|point| point.kind == PointKind::Option).map(|point| point.text.as_str());
        let known = |label: &str| options.iter().any(|option| option.label.eq_ignore_ascii_case(label));
        named.filter(|label| !options.is_empty() && !known(label)).map(str::to_owned).next()
    };
    for question in questions {
        let own = strange(&question.options, &question.answer_key).map(|label| (label, String::new()));
        let part = |part: &Part| Some((strange(&part.options, &part.answer_key)?, part.label.clone()));
        if let Some((answer, label)) = own.or_else(|| question.parts.iter().find_map(part)) {
            let name = format!("{}{label}", question.number);
            question
                .warnings
                .push(format!("The scheme's answer to {name} is {answer}, which is none of its options."));
        }
    }
}

/// Questions to choose among that are worth more or less than their fellows.
fn note_choices(paper: &Paper, questions: &mut [Question]) {
    let worth: Vec<Option<(&str, Marks)>> = paper
        .questions
        .iter()
        .zip(questions.iter())
        .map(|(source, question)| Some((source.choice.as_ref()?.name.as_str(), question.total()?)))
        .collect();
    let usual = |name: &str| {
        let all: Vec<Marks> = worth.iter().flatten().filter(|own| own.0 == name).map(|own| own.1).collect();
        let count = |marks: &Marks| all.iter().filter(|own| *own == marks).count();
        all.iter().copied().max_by_key(count)
    };
    for (own, question) in worth.iter().zip(questions.iter_mut()) {
        let Some((name, marks)) = own else { continue };
        if let Some(usual) = usual(name).filter(|usual| usual != marks) {
            let said = format!("It is worth {marks} marks, others that may be chosen instead {usual}.");
            question.warnings.push(said);
        }
    }
}

/// Numbers that are missing between two that are there.
fn note_numbers(paper: &Paper, questions: &mut [Question]) {
    let mut before = paper.begins_with().map_or(0, |first| first.saturating_sub(1));
    for (source, question) in paper.questions.iter().zip(questions) {
        let Some(number) = labels::parse_question_number(&source.number) else { continue };
        if number > before + 1 && !paper.leaps(before, number) {
            let missing = if number == before + 2 {
                (before + 1).to_string()
            } else {
                format!("{} to {}", before + 1, number - 1)
            };
            question.warnings.push(format!("Question {missing} was not found before this one."));
        }
        before = number;
        if let Some(late) =
            source.leaves.first().and_then(|leaf| leaf.path.iter().skip(1).find(|token| token.value > 1))
        {
            question.warnings.push(format!("Its parts begin with {}.", late.display()));
        }
    }
}

/// Parts without marks where others of their section have them.
fn note_marks(paper: &Paper, questions: &mut [Question]) {
    let has_marks = |question: &Question| question.total().is_some();
    if let Some(total) = paper.total.filter(|_| !questions.iter().any(has_marks))
        && let Some(first) = questions.first_mut()
    {
        first.warnings.push(format!("The paper says {total} marks, but none were found."));
    }
    let marked: Vec<usize> = paper
        .questions
        .iter()
        .zip(questions.iter())
        .filter(|(_, question)| has_marks(question))
        .map(|(source, _)| source.section)
        .collect();
    let sections = paper.questions.iter().map(|source| source.section + 1).max().unwrap_or(0);
    let most = 2 * (0..sections).filter(|section| marked.contains(section)).count() > sections;
    // What a section without marks is worth is missing from the paper's total.
    let known: Marks = questions.iter().filter_map(Question::total).sum();
    let is_short = paper.total.is_some_and(|total| total > known);
    for (source, question) in paper.questions.iter().zip(questions) {
        let section_marked = most || is_short || marked.contains(&source.section);
        if section_marked && question.total().is_none() {
            question.warnings.push("No marks were found for it.".to_owned());
            continue;
        }
        // A mark after several parts is theirs together, and a question's own total may be for all.
        let known: Marks = question.parts.iter().filter_map(|part| part.marks).sum();
        let met = source.marks.is_some_and(|total| total == known || known.is_zero());
        // What the scheme says of a later part is that part's alone.
        let printed_after =
            |place: usize| source.leaves.iter().skip(place + 1).any(|leaf| leaf.marks.is_some());
        let unmarked = question.parts.iter().enumerate().filter(|(_, part)| part.marks.is_none());
        let last: Vec<&str> = unmarked
            .filter(|(place, _)| !printed_after(*place))
            .map(|(_, part)| part.label.as_str())
            .collect();
        if section_marked && !last.is_empty() && !met {
            let list = last.join(", ");
            question.warnings.push(format!("No marks were found for {list}."));
        }
    }
}

/// Labels that the scheme has and the paper does not.
fn note_scheme(paper: &Paper, labels: &SchemeLabels, questions: &mut [Question]) {
    let leaves = || paper.leaves().map(|leaf| leaf.path.as_slice());
    if !labels.speaks() || labels.share(leaves()) < TELLING_SHARE {
        return;
    }
    let missing = labels.without(leaves());
    if missing.len() > MOST_MISSING {
        return;
    }
    for path in missing.into_iter().chain(labels.beyond(leaves())) {
        let number = path[0].value;
        let own = |question: &&mut Question| labels::parse_question_number(&question.number) == Some(number);
        if let Some(question) = questions.iter_mut().find(own) {
            question.warnings.push(format!("The scheme has {}, the paper does not.", names::name(path)));
        }
    }
}
