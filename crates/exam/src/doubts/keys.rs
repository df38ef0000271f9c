//! Keys that say too little, nothing, or only what is asked.

use super::names::leaf_name;
use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, PointKind, Question};

/// From this many marks on, a key says more than a sign or two, and from that many more than a few words.
const SOME_MARKS: Marks = Marks::whole(3);
const MANY_MARKS: Marks = Marks::whole(8);
const FEW_WORDS: usize = 4;
/// From here on, scripts are written without spaces.
const UNSPACED: char = '\u{2E80}';
/// So many single signs in a row are the pieces of a formula.
const PIECES: usize = 3;
/// So many in a hundred of the keys must be in pieces.
const BROKEN_KEYS: usize = 40;
/// Fewer keys say nothing about the rest.
const LEAST_KEYS: usize = 5;

/// Keys that say too little for their marks, and schemes whose formulas come in pieces.
pub(super) fn note(questions: &mut [Question]) {
    let (mut broken, mut all) = (0, 0);
    for question in questions.iter_mut() {
        let own = question.answer_key.iter().map(|key| ("", question.total(), key));
        let parts = question.parts.iter();
        let parts =
            parts.filter_map(|part| Some((part.label.as_str(), part.marks, part.answer_key.as_ref()?)));
        let mut doubt = names_no_option(question);
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
            if marks >= Marks::whole(1) && key.points.iter().any(|point| point.marks > marks) {
                doubt = doubt.or(Some(format!(
                    "A point in the key of {name} is worth more than all its marks ({marks})."
                )));
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

/// A question that offers options to choose from, and whose key is a sentence that names none of them.
fn names_no_option(question: &Question) -> Option<String> {
    const SENTENCE: usize = 8;
    // For more marks, several things are matched.
    let chooses = |kind: Kind, marks: Option<Marks>, offered: usize| {
        kind == Kind::MultipleChoice && offered > 2 && marks.is_none_or(|marks| marks <= Marks::whole(1))
    };
    let speaks = |key: &AnswerKey| !is_choice(key) && said(key).split_whitespace().count() >= SENTENCE;
    let own = question.answer_key.iter().map(|key| ("", key));
    let own = own.filter(|_| chooses(question.kind, question.marks, question.options.len()));
    let parts = question.parts.iter().filter(|part| chooses(part.kind, part.marks, part.options.len()));
    let parts = parts.filter_map(|part| Some((part.label.as_str(), part.answer_key.as_ref()?)));
    let (label, _) = own.chain(parts).find(|(_, key)| speaks(key))?;
    Some(format!("The key of {} names none of its options.", leaf_name(&question.number, label)))
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
    // Scripts without spaces set about two signs for a word.
    let size = |word: &str| (word.chars().filter(|c| c.is_alphabetic() && *c >= UNSPACED).count() / 2).max(1);
    let telling: usize = said.split_whitespace().filter(letters).map(size).sum();
    // A single sign may well be the answer, and so may a verdict on each of several statements: "P, F, P".
    let verdict = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()).chars().count() == 1;
    let verdicts = said.split_whitespace().all(verdict) && words > 1 && said.contains(',');
    let signs = marks >= SOME_MARKS && telling == 0 && words > 2 && !verdicts;
    let little = signs || (marks >= MANY_MARKS && telling < FEW_WORDS && words > 1);
    little && !said.contains(|c: char| c.is_ascii_digit())
}

/// One key in so many must repeat some of its question: a single one may do so with good reason.
const REPEATING: usize = 10;

/// Notes keys that only repeat the question, as a scheme's do that answers in a copy of the paper. True when there were
/// any worth a look.
pub(crate) fn note_repeating_keys(questions: &mut [Question]) -> bool {
    let mut found: Vec<(usize, String, bool)> = Vec::new();
    let mut all = 0;
    for (index, question) in questions.iter().enumerate() {
        let own = question.answer_key.iter().map(|key| ("", question.text.as_str(), key));
        let parts = question.parts.iter();
        let parts = parts
            .filter_map(|part| Some((part.label.as_str(), part.text.as_str(), part.answer_key.as_ref()?)));
        all += question.parts.len().max(1);
        let repeating = own.chain(parts).filter(|(_, asked, key)| says_nothing(key, &plain(asked)));
        found.extend(
            repeating.map(|(label, asked, key)| {
                (index, leaf_name(&question.number, label), only_asks(key, asked))
            }),
        );
    }
    // A single one may quote the question with good reason, but does not begin as it does and say no more.
    let many = found.len() >= 2 && found.len() * REPEATING >= all;
    found.retain(|(_, _, asks)| many || *asks);
    if found.is_empty() {
        return false;
    }
    for (index, name, _) in found {
        questions[index].warnings.push(format!("The key of {name} only repeats the question."));
    }
    true
}

/// True for a key of one point with which the question begins, word for word: what answers it was lost.
fn only_asks(key: &AnswerKey, asked: &str) -> bool {
    let [only] = key.points.as_slice() else { return false };
    let said = plain(&only.text);
    said.len() >= ENOUGH_LETTERS && plain(asked).starts_with(&said)
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

/// One key in so many must be its question: a single one may begin with its words.
const ASKED: usize = 3;
/// An opening of so many letters is no chance.
const OPENING: usize = 20;

/// Takes all keys away where a document that should hold both has no answers: what stands below each label is the
/// question itself. True when that is so.
pub(crate) fn drop_questions(questions: &mut [Question]) -> bool {
    let opening = |text: &str| plain(text).chars().take(OPENING).collect::<String>();
    let is_asked = |asked: &str, key: &AnswerKey| {
        let first = key.points.first().map(|point| opening(&point.text)).unwrap_or_default();
        first.chars().count() == OPENING && first == opening(asked)
    };
    let (mut asked, mut all) = (0, 0);
    for question in questions.iter() {
        let own = question.answer_key.iter().map(|key| (question.text.as_str(), key));
        let parts = question.parts.iter();
        let parts = parts.filter_map(|part| Some((part.text.as_str(), part.answer_key.as_ref()?)));
        for (text, key) in own.chain(parts).filter(|(_, key)| !key.is_empty()) {
            all += 1;
            asked += usize::from(!is_choice(key) && is_asked(text, key));
        }
    }
    if asked < 2 || asked * ASKED < all {
        return false;
    }
    for question in questions {
        question.answer_key = None;
        question.parts.iter_mut().for_each(|part| part.answer_key = None);
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Point;

    fn asked(text: &str, key: &str) -> Question {
        let point = Point { text: key.to_owned(), ..Point::default() };
        let answer_key = Some(AnswerKey { points: vec![point], ..AnswerKey::default() });
        let (number, text) = ("1".to_owned(), text.to_owned());
        Question { number, text, answer_key, ..Question::default() }
    }

    #[test]
    fn a_point_that_is_worth_more_than_its_question_is_noted() {
        let mut questions = vec![asked("How many?", "seven of them")];
        questions[0].marks = Some(Marks::whole(1));
        let key = questions[0].answer_key.as_mut().expect("a key");
        key.points[0].marks = Marks::whole(3);
        note(&mut questions);
        assert_eq!(questions[0].warnings, ["A point in the key of 1 is worth more than all its marks (1)."]);
    }

    #[test]
    fn a_single_key_that_begins_like_its_question_and_says_no_more_is_noted() {
        let text = "A red flower (r) is crossed with a white one. How many are red?";
        let mut questions = vec![asked(text, "A red flower (r) is crossed with a white one.")];
        assert!(note_repeating_keys(&mut questions));
        assert_eq!(questions[0].warnings, ["The key of 1 only repeats the question."]);
        assert!(!note_repeating_keys(&mut [asked(text, "three of four flowers will be red")]));
    }
}
