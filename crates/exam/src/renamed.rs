//! What was read, named again as the paper prints it: labels of parts, letters of options, and keys that name one.

use domain::question::{AnswerKey, Choice, Question};

/// How a paper prints labels that were read as Latin letters.
pub(crate) trait Names {
    /// The label of a part: "(b)".
    fn part(&self, label: &str) -> String;
    /// The letter of an option: "B".
    fn option(&self, label: &str) -> String;
}

/// Names all parts and options of questions.
pub(crate) fn all(questions: &mut [Question], names: &impl Names) {
    for question in questions {
        choices(&mut question.options, question.answer_key.as_mut(), names);
        for part in &mut question.parts {
            part.label = names.part(&part.label);
            choices(&mut part.options, part.answer_key.as_mut(), names);
        }
    }
}

/// The letters of options, and of the key that names one.
fn choices(options: &mut [Choice], key: Option<&mut AnswerKey>, names: &impl Names) {
    for choice in options.iter_mut() {
        choice.label = names.option(&choice.label);
    }
    for point in key.into_iter().flat_map(|key| &mut key.points) {
        if is_letter(&point.text) {
            point.text = names.option(&point.text);
        }
        for other in point.alternatives.iter_mut().chain(&mut point.accept) {
            if is_letter(other) {
                *other = names.option(other);
            }
        }
    }
}

fn is_letter(text: &str) -> bool {
    let bare = text.trim_matches(['(', ')', '.']);
    bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_alphabetic())
}
