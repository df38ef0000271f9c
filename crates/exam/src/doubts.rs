//! What a reviewer should look at, question by question.

use crate::labels::{self, Token};
use crate::paper::{Leaf, Paper, Question as Source};
use crate::scheme::{Entry, Scheme, SchemeLabels};
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
        let scheme = scheme.entries.iter().find(own)?.printed_marks()?;
        let marks = (leaf.marks?, scheme);
        let name = leaf_name(&source.number, &leaf.label);
        (marks.0 != marks.1).then_some(Priced { question, name, marks })
    };
    leaves.filter_map(differs).collect()
}

/// Notes on the questions what does not fit. `off`: the total that the paper prints, and what was read; `priced`:
/// where both documents print different marks.
pub(crate) fn note(
    paper: &Paper,
    labels: &SchemeLabels,
    (off, priced): (Option<(Marks, Marks)>, &[Priced]),
    questions: &mut [Question],
) {
    note_numbers(paper, questions);
    note_marks(paper, questions);
    note_scheme(paper, labels, questions);
    note_options(questions);
    note_keys(questions);
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

/// Numbers that are missing between two that are there.
fn note_numbers(paper: &Paper, questions: &mut [Question]) {
    let mut before = paper.first.map_or(0, |first| first.saturating_sub(1));
    for (source, question) in paper.questions.iter().zip(questions) {
        let Some(number) = labels::parse_question_number(&source.number) else { continue };
        if number > before + 1 {
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
    let marked: Vec<usize> = paper
        .questions
        .iter()
        .zip(questions.iter())
        .filter(|(_, question)| has_marks(question))
        .map(|(source, _)| source.section)
        .collect();
    for (source, question) in paper.questions.iter().zip(questions) {
        let section_marked = marked.contains(&source.section);
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
            question.warnings.push(format!("The scheme has {}, the paper does not.", name(path)));
        }
    }
}

/// From this many marks on, a key says more than a sign or two, and from that many more than a few words.
const SOME_MARKS: Marks = Marks::whole(3);
const MANY_MARKS: Marks = Marks::whole(8);
const FEW_WORDS: usize = 4;
/// So many single signs in a row are the pieces of a formula.
const PIECES: usize = 3;
/// So many in a hundred of the keys must be in pieces.
const BROKEN_KEYS: usize = 40;
/// Fewer keys say nothing about the rest.
const LEAST_KEYS: usize = 5;

/// Keys that say too little for their marks, and schemes whose formulas come in pieces.
fn note_keys(questions: &mut [Question]) {
    let (mut broken, mut all) = (0, 0);
    for question in questions.iter_mut() {
        let own = question.answer_key.iter().map(|key| ("", question.total(), key));
        let parts = question.parts.iter();
        let parts =
            parts.filter_map(|part| Some((part.label.as_str(), part.marks, part.answer_key.as_ref()?)));
        let mut doubt = None;
        for (label, marks, key) in own.chain(parts) {
            if is_choice(key) || key.is_empty() {
                continue;
            }
            all += 1;
            broken += usize::from(is_in_pieces(key));
            let name = leaf_name(&question.number, label);
            let marks = marks.unwrap_or_default();
            if says_little(key, marks) {
                doubt = doubt.or(Some(format!("The key of {name} says little for {marks} marks.")));
            }
        }
        question.warnings.extend(doubt);
    }
    if all >= LEAST_KEYS && broken * 100 >= all * BROKEN_KEYS {
        questions[0]
            .warnings
            .push("The scheme's formulas were read in pieces: look at every key.".to_owned());
    }
}

/// True when letters and digits stand one by one, as a fraction's do that was read line by line: "d x d 2 y".
fn is_in_pieces(key: &AnswerKey) -> bool {
    let single = |word: &str| word.chars().count() == 1 && word.chars().all(char::is_alphanumeric);
    let broken = |text: &str| {
        let signs: Vec<bool> = text.split_whitespace().map(single).collect();
        signs.windows(PIECES).any(|run| run.iter().all(|single| *single))
    };
    key.points.iter().any(|point| broken(&point.text))
}

fn says_little(key: &AnswerKey, marks: Marks) -> bool {
    let said = said(key);
    let letters = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let words = said.split_whitespace().count();
    let telling = said.split_whitespace().filter(letters).count();
    // A single sign may well be the answer.
    let signs = marks >= SOME_MARKS && telling == 0 && words > 2;
    let little = signs || (marks >= MANY_MARKS && telling < FEW_WORDS && words > 1);
    little && !said.contains(|c: char| c.is_ascii_digit())
}

/// A leaf's name: "4(b)", "1.2".
pub(crate) fn leaf_name(number: &str, label: &str) -> String {
    if label.starts_with(|c: char| c.is_ascii_digit()) {
        label.to_owned()
    } else {
        format!("{number}{label}")
    }
}

/// One key in so many must repeat its question: a single one may do so with good reason.
const REPEATING: usize = 10;

/// Notes keys that only repeat the question, as a scheme's do that answers in a copy of the paper. True when there were
/// any worth a look.
pub(crate) fn note_repeating_keys(questions: &mut [Question]) -> bool {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut all = 0;
    for (index, question) in questions.iter().enumerate() {
        let own = question.answer_key.iter().map(|key| ("", question.text.as_str(), key));
        let parts = question.parts.iter();
        let parts = parts
            .filter_map(|part| Some((part.label.as_str(), part.text.as_str(), part.answer_key.as_ref()?)));
        all += question.parts.len().max(1);
        let repeating = own.chain(parts).filter(|(_, asked, key)| says_nothing(key, &plain(asked)));
        found.extend(repeating.map(|(label, _, _)| (index, leaf_name(&question.number, label))));
    }
    if found.len() < 2 || found.len() * REPEATING < all {
        return false;
    }
    for (index, name) in found {
        questions[index].warnings.push(format!("The key of {name} only repeats the question."));
    }
    true
}

fn is_choice(key: &AnswerKey) -> bool {
    key.points.iter().any(|point| point.kind == PointKind::Option)
}

/// All that a key says.
fn said(key: &AnswerKey) -> String {
    let points = key.points.iter().flat_map(|point| {
        let lists = [&point.alternatives, &point.accept].into_iter().flatten();
        std::iter::once(&point.text).chain(lists).map(String::as_str)
    });
    let levels = key.levels.iter().map(|level| level.descriptor.as_str());
    points.chain(levels).chain(key.notes.as_deref()).collect::<Vec<_>>().join(" ")
}

fn name(path: &[Token]) -> String {
    let decimals = path.iter().any(|token| token.kind == labels::Kind::Decimal);
    let number = path.first().map(|token| token.value.to_string()).filter(|_| !decimals).unwrap_or_default();
    number + &labels::display(path)
}

/// A shorter wording, in letters, may well be found in what is asked.
const ENOUGH_LETTERS: usize = 25;

/// One key in so many must say nothing: a single one may quote the question with good reason.
const MANY: usize = 4;

/// Takes keys away that say nothing: those whose print has no meaning, and those that only repeat the question word
/// for word, as a scheme does whose answers are drawings or handwriting. True when there were many.
pub(crate) fn drop_empty_keys(questions: &mut [Question]) -> bool {
    // What stands before the parts may be a passage, in whose words they are answered.
    let is_empty = |asked: &str, key: &Option<AnswerKey>| {
        key.as_ref().is_some_and(|key| says_nothing(key, &plain(asked)))
    };
    let (mut empty, mut all) = (0, 0);
    for question in questions.iter() {
        all += question.parts.len().max(1);
        empty += usize::from(is_empty(&question.text, &question.answer_key));
        let parts = question.parts.iter();
        empty += parts.filter(|part| is_empty(&part.text, &part.answer_key)).count();
    }
    if empty < 2 || empty * MANY < all {
        return false;
    }
    for question in questions {
        if is_empty(&question.text, &question.answer_key) {
            question.answer_key = None;
        }
        for part in &mut question.parts {
            if is_empty(&part.text, &part.answer_key) {
                part.answer_key = None;
            }
        }
    }
    true
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn says_nothing(key: &AnswerKey, asked: &str) -> bool {
    let chosen = key.points.iter().any(|point| point.kind == PointKind::Option);
    let more = key.notes.is_some()
        || key.points.iter().any(|point| !point.alternatives.is_empty() || !point.accept.is_empty());
    if chosen || more || !key.levels.is_empty() || key.points.is_empty() {
        return false;
    }
    let said: Vec<String> = key.points.iter().map(|point| plain(&point.text)).collect();
    let unmapped = key.points.iter().any(|point| point.text.contains(char::REPLACEMENT_CHARACTER));
    let letters: usize = said.iter().map(String::len).sum();
    let repeats = |text: &String| asked.contains(text.as_str());
    (letters == 0 && unmapped) || (letters >= ENOUGH_LETTERS && said.iter().all(repeats))
}
