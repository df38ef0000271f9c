//! What a result says in words beyond what the marker says about each answer.

use super::{Choice, Flag, PartResult, QuestionResult, Result};
use crate::grading::FeedbackLevel;
use crate::marks::Marks;

/// More questions than this are not named one by one.
const NAMED_MAX: usize = 12;

/// Why a part earned nothing, for a marker that did not say.
pub(super) fn why_nothing(part: &PartResult) -> &'static str {
    if part.flags.contains(&Flag::NotAttempted) {
        "No answer was found for this question, so no marks could be given."
    } else if part.flags.contains(&Flag::Illegible) {
        "No readable answer: the writing could not be read well enough to be marked."
    } else if part.flags.contains(&Flag::NotJudged) {
        "Nobody has judged this answer yet: a person must mark it."
    } else if part.available.is_zero() {
        "This carries no marks."
    } else {
        "No marks this time. Nothing that the marking scheme looks for was found in the answer."
    }
}

/// What is said about a question with parts, each of which says more about itself.
pub(super) fn parts(parts: &[PartResult], awarded: Marks, available: Marks, level: FeedbackLevel) -> String {
    let all_have =
        |flags: &[Flag]| parts.iter().all(|part| part.flags.iter().any(|flag| flags.contains(flag)));
    if awarded.is_zero() {
        let why = if all_have(&[Flag::NotAttempted]) {
            "No answer was found for any part of this question, so no marks could be given."
        } else if all_have(&[Flag::NotAttempted, Flag::Illegible]) {
            "No readable answer was found for any part of this question, so no marks could be given."
        } else if all_have(&[Flag::NotAttempted, Flag::Illegible, Flag::NotJudged]) {
            "No marks have been given yet: nobody has judged these answers, and a person must mark them."
        } else if available.is_zero() {
            "This question carries no marks."
        } else {
            "No marks this time. Nothing that the marking scheme looks for was found in the answers to its parts."
        };
        return why.to_owned();
    }
    match level {
        FeedbackLevel::None => String::new(),
        _ if awarded == available => "Full marks: well done.".to_owned(),
        _ => format!("{awarded} of {available} marks. Each part says what was credited."),
    }
}

/// What is said about a mark that a person gave in place of the engine's.
pub(super) fn decided(awarded: Marks, available: Marks, level: FeedbackLevel) -> String {
    changed("Marked by a teacher", awarded, available, level)
}

/// What is said about a mark that follows a person's marks on like answers.
pub(super) fn followed(awarded: Marks, available: Marks, level: FeedbackLevel) -> String {
    changed("Marked as a teacher marked like answers", awarded, available, level)
}

fn changed(by: &str, awarded: Marks, available: Marks, level: FeedbackLevel) -> String {
    if awarded.is_zero() {
        return format!("{by}: no marks.");
    }
    if level == FeedbackLevel::None {
        String::new()
    } else {
        format!("{by}: {awarded} of {available} marks.")
    }
}

/// What is said about a question, or a part of one, that does not count. At every level, for its mark is 0.
pub(super) fn not_counted(
    feedback: &str,
    would_be: Option<(Marks, Marks)>,
    count: Option<u32>,
    level: FeedbackLevel,
) -> String {
    let rule = count.map_or_else(
        || "Not counted.".to_owned(),
        |count| {
            format!("Not counted: of this group of questions the best {count} count{}.", plural_verb(count))
        },
    );
    let Some((awarded, available)) = would_be else {
        return format!("{rule} No answer was found, and none was needed.");
    };
    let earned = format!("{rule} It would have earned {awarded} of {available} marks.");
    let says_more = level > FeedbackLevel::Brief && !feedback.is_empty();
    if says_more { format!("{earned} {feedback}") } else { earned }
}

fn plural_verb(count: u32) -> &'static str {
    if count == 1 { "s" } else { "" }
}

/// The whole result in a few sentences.
pub(super) fn explanation(result: &Result, choices: &[Option<Choice>], has_unassigned: bool) -> String {
    if result.no_readable_answers {
        return nothing_readable(result, has_unassigned);
    }
    let score = &result.score;
    let mut sentences =
        vec![format!("{} of {} marks ({}).", score.awarded, score.available, score.percentage)];
    sentences.push(answered(&result.questions));
    sentences.extend(groups(choices));
    let unjudged = |flags: &[Flag]| flags.contains(&Flag::NotJudged);
    let to_mark = named(&result.questions, unjudged);
    if !to_mark.is_empty() {
        sentences.push(format!("A person must mark {}: nobody has judged it yet.", listed(&to_mark)));
    }
    let doubtful = |flags: &[Flag]| !unjudged(flags) && flags.iter().any(|flag| flag.is_doubt());
    let to_check = named(&result.questions, doubtful);
    if !to_check.is_empty() {
        sentences.push(format!("A person should look at {}.", listed(&to_check)));
    }
    if has_unassigned {
        sentences.push("Some writing could not be matched to a question and was not marked.".to_owned());
    }
    sentences.join(" ")
}

fn nothing_readable(result: &Result, has_unassigned: bool) -> String {
    let illegible = result.questions.iter().any(|question| question.flags.contains(&Flag::Illegible));
    let why = if illegible {
        "There is writing, but it could not be read well enough to be marked."
    } else if has_unassigned {
        "There is writing, but none of it could be matched to a question."
    } else {
        "Nothing was found in it that answers a question."
    };
    format!(
        "No readable answers were found in this script, so it earned 0 of {} marks. {why}",
        result.score.available
    )
}

fn answered(questions: &[QuestionResult]) -> String {
    // Whether there is a drawing that nobody has looked at is not known.
    let is_seen = |question: &&QuestionResult| {
        let is_unseen = question.flags.contains(&Flag::NotJudged) && question.answer.is_empty();
        !is_unseen && !question.flags.contains(&Flag::NotAttempted)
    };
    let attempted = questions.iter().filter(is_seen).count();
    match (attempted, questions.len()) {
        (1, 1) => "The question was answered.".to_owned(),
        (attempted, all) if attempted == all => format!("All {all} questions were answered."),
        (1, all) => format!("1 of {all} questions was answered."),
        (attempted, all) => format!("{attempted} of {all} questions were answered."),
    }
}

/// One sentence for each choice group, in the order in which the paper has them.
fn groups(choices: &[Option<Choice>]) -> Vec<String> {
    let mut groups: Vec<(&Choice, usize)> = Vec::new();
    for choice in choices.iter().flatten() {
        match groups.iter_mut().find(|(known, _)| known.group == choice.group) {
            Some((_, size)) => *size += 1,
            None => groups.push((choice, 1)),
        }
    }
    let limited = groups.into_iter().filter(|(choice, size)| (choice.count as usize) < *size);
    limited
        .map(|(choice, size)| {
            let verb = plural_verb(choice.count);
            format!(
                "Of the {size} questions of group {}, the best {} count{verb}.",
                choice.group, choice.count
            )
        })
        .collect()
}

/// The questions, or parts of them, whose flags are of that kind: "3", "4(a)".
fn named(questions: &[QuestionResult], wanted: impl Fn(&[Flag]) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for question in questions.iter().filter(|question| wanted(&question.flags)) {
        if question.parts.is_empty() {
            names.push(question.number.clone());
        }
        let parts = question.parts.iter().filter(|part| wanted(&part.flags));
        names.extend(parts.map(|part| full_label(&question.number, &part.label)));
    }
    names
}

/// How people call a part: "4(a)"; a label that carries its number itself, such as "4.1", stands alone.
pub fn full_label(number: &str, label: &str) -> String {
    if label.starts_with('(') {
        format!("{number}{label}")
    } else if label.starts_with(|first: char| first.is_ascii_digit()) {
        label.to_owned()
    } else {
        format!("{number} {label}")
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [one] => format!("question {one}"),
        [first @ .., last] if names.len() <= NAMED_MAX => {
            format!("questions {} and {last}", first.join(", "))
        }
        _ => format!("{} of the answers", names.len()),
    }
}
