//! Worked solutions that say beside them what each mark is for: "… 2 : integrand … 1 : limits … 1 : answer". The names
//! say nothing that an answer could say; a right result implies the solution.

use super::number;
use super::script::Script;
use super::steps::results;
use super::sums::is_near;
use super::verdict::{STANDARD, Verdict};
use crate::rule::Rule;
use domain::marks::Marks;
use domain::scheme::TypedKey;
use lexicon::english::{rubrics, steps};
use signs::form::normal;

/// How sure a solution is that was told by its result.
const CONFIDENCE: f32 = 0.8;

/// Credits the points of a worked solution whose result the answer reaches.
pub(super) fn judge(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let texts: Vec<String> = key.points.iter().map(|point| normal(&point.text)).collect();
    let parted: Vec<(Vec<(u32, String)>, String)> = texts.iter().map(|text| apart(text)).collect();
    let items: Vec<&(u32, String)> = parted.iter().flat_map(|(items, _)| items).collect();
    let worth: Marks = items.iter().map(|(worth, _)| Marks::whole(*worth)).sum();
    let in_words = |name: &str| rubrics::IN_WORDS.within(&name.to_lowercase());
    if worth.is_zero()
        || worth != script.leaf.available()
        || items.iter().any(|(_, name)| in_words(name))
        || script.rules.require_working
    {
        return;
    }
    let Some(written) = number::final_value(script.answer) else { return };
    let ends = parted.iter().filter_map(|(_, solution)| results(solution).last().copied());
    let ends: Vec<f64> = ends.collect();
    if ends.iter().any(|end| is_near(written.value, *end)) {
        let lacks_unit = written.unit.is_none() && items.iter().any(|(_, name)| steps::UNIT.within(name));
        if !lacks_unit {
            verdicts.fill(Verdict::given(STANDARD, CONFIDENCE, written.span.clone()).by(Rule::Implied));
        }
    }
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
        assert_eq!(results(&solution).last(), Some(&41.3));
        assert!(apart("the ratio 3 : 5 is kept").0.len() <= 1);
    }
}
