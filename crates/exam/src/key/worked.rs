//! What is worked out in a key: steps that it names and shows by an example, and solutions with the names of their marks
//! beside them ("… 2 : integrand … 1 : limits … 1 : answer"). The names say nothing that an answer could say.

use super::number;
use domain::marks::Marks;
use domain::question::{AnswerKey, Point};
use domain::scheme::{Solution, Step, Worked};
use lexicon::english::{rubrics, steps};
use signs::form::normal;

/// A longer text says more than the name of a step.
const NAME_WORDS_MAX: usize = 12;

/// The step that a text names and does not show.
pub(super) fn step_of(text: &str) -> Option<Step> {
    let lower = text.to_lowercase();
    let says_number = lower.chars().any(|c| c.is_ascii_digit());
    if says_number || lower.split_whitespace().count() > NAME_WORDS_MAX {
        return None;
    }
    let named = [
        (steps::UNIT, Step::Unit),
        (steps::REARRANGEMENT, Step::Rearrangement),
        (steps::SUBSTITUTION, Step::Substitution),
        (steps::EVALUATION, Step::Evaluation),
    ];
    named.into_iter().find(|(names, _)| names.within(&lower)).map(|(_, step)| step)
}

/// All texts of a key that names steps, one of which may show them; nothing in other keys.
pub(super) fn example(key: &AnswerKey) -> Vec<Worked> {
    if !key.points.iter().any(|point| step_of(&point.text).is_some()) {
        return Vec::new();
    }
    let texts = |point: &Point| -> Vec<String> {
        std::iter::once(&point.text).chain(&point.alternatives).chain(&point.accept).cloned().collect()
    };
    key.points.iter().flat_map(texts).map(|text| worked(normal(&text))).collect()
}

fn worked(text: String) -> Worked {
    Worked { number: number::parse(&text, false), text }
}

/// A worked solution with the names of its marks; `None` where no mark has a name.
pub(super) fn solution(key: &AnswerKey) -> Option<Solution> {
    let parted: Vec<(Vec<(u32, String)>, String)> =
        key.points.iter().map(|point| apart(&normal(&point.text))).collect();
    let named: Vec<&(u32, String)> = parted.iter().flat_map(|(named, _)| named).collect();
    let marks: Marks = named.iter().map(|(worth, _)| Marks::whole(*worth)).sum();
    let is_in_words = named.iter().any(|(_, name)| rubrics::IN_WORDS.within(&name.to_lowercase()));
    let names_unit = named.iter().any(|(_, name)| steps::UNIT.within(name));
    (!marks.is_zero()).then(|| {
        let working = parted.into_iter().map(|(_, solution)| worked(solution)).collect();
        Solution { marks, is_in_words, names_unit, working }
    })
}

/// What each mark is for, and the solution without it. A number and a colon without a name sum up the others.
fn apart(text: &str) -> (Vec<(u32, String)>, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let label = |at: usize| -> Option<u32> {
        let is_label = words.get(at + 1) == Some(&":");
        words.get(at).filter(|_| is_label)?.parse::<u32>().ok().filter(|worth| (1..=9).contains(worth))
    };
    let (mut items, mut solution) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        let Some(worth) = label(at) else {
            solution.push(words[at]);
            at += 1;
            continue;
        };
        at += 2;
        let name: Vec<&str> = words[at..].iter().copied().take_while(|word| is_name(word)).collect();
        at += name.len();
        if !name.is_empty() {
            items.push((worth, name.join(" ")));
        }
    }
    (items, solution.join(" "))
}

fn is_name(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic() || c == ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_marks_are_told_from_the_solution() {
        let (items, solution) =
            apart("x = 0, 1.7 2 : integrand 4 : 1 : limits 1 : answer V = π ∫ 0 dx = 41.3");
        let named: Vec<(u32, &str)> = items.iter().map(|(worth, name)| (*worth, name.as_str())).collect();
        assert_eq!(named, [(2, "integrand"), (1, "limits"), (1, "answer")]);
        assert!(solution.ends_with("dx = 41.3"), "{solution}");
        assert!(apart("the ratio 3 : 5 is kept").0.len() <= 1);
    }

    #[test]
    fn steps_are_known_by_their_names_and_shown_ones_are_none() {
        assert_eq!(step_of("Substitution into the equation"), Some(Step::Substitution));
        assert_eq!(step_of("rearranges for mass"), Some(Step::Rearrangement));
        assert_eq!(step_of("substitution: 60 = 1.5 × a"), None);
        assert_eq!(step_of("the mass falls"), None);
    }
}
