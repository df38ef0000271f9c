//! Rubrics that count: a list of elements, and a scale that says how many of them earn how many marks
//! ("3 points: four key elements"); or content without such a scale, of which each element earns a mark.

use super::features::Reference;
use super::wording::Wording;
use crate::words::{Token, fold, tokens};
use domain::scheme::Rubric;
use lexicon::english::rubrics;
use std::collections::{HashMap, HashSet};

/// An element is likely there when this share of its weight was found, with a soft edge of this width.
const FOUND: f32 = 0.4;
const EDGE: f32 = 0.1;
/// Of a longer list the rest is left aside.
const ELEMENTS_MAX: usize = 40;
/// One line of content is a model answer. Schemes with levels do not ask for all that an answer may contain.
const CONTENT_MIN: usize = 2;
const CONTENT_NEEDED: f32 = 0.75;

/// A rubric that counts, prepared for many answers.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    elements: Vec<Reference>,
    /// For each number of elements found, from none to all, the share of the marks.
    shares: Vec<f32>,
    /// The share of the elements that must be met by their sense for all marks. Sense meets more than words do: where a
    /// scale counts strictly, all.
    needed: f32,
}

impl Counted {
    /// `None` for a rubric without a list of elements or without a scale that counts them.
    pub(super) fn of(rubric: &Rubric, asked: &Wording, marks: f32) -> Option<Counted> {
        let counted = rubric.counted.as_ref().filter(|_| marks > 0.0)?;
        let texts: Vec<&str> = counted.elements.iter().map(String::as_str).collect();
        let worth = |found: usize| {
            let reached = counted.steps.iter().filter(|(_, count)| *count <= found).map(|(worth, _)| *worth);
            (reached.fold(0.0, f32::max) / marks).min(1.0)
        };
        Some(Counted::with(&texts, asked, 1.0, worth))
    }

    /// Content that no scale counts: one element for each mark, or most of fewer, is what an answer needs for everything.
    /// `None` where there is too little to count.
    pub(super) fn one_a_mark(texts: &[&str], asked: &Wording, marks: f32) -> Option<Counted> {
        let texts: Vec<&str> =
            texts.iter().copied().filter(|text| !is_open_end(text)).take(ELEMENTS_MAX).collect();
        if texts.len() < CONTENT_MIN || marks < 1.0 {
            return None;
        }
        let needed = marks.min(CONTENT_NEEDED * texts.len() as f32);
        let share = needed / texts.len() as f32;
        Some(Counted::with(&texts, asked, share, |found| (found as f32 / needed).min(1.0)))
    }

    fn with(texts: &[&str], asked: &Wording, needed: f32, worth: impl Fn(usize) -> f32) -> Counted {
        let shares = (0..=texts.len()).map(worth).collect();
        let elements = without_common_words(texts).iter().map(|text| Reference::of(text, asked)).collect();
        Counted { elements, shares, needed }
    }

    /// Half by the words of each element, half by the share of the elements that the answer meets by its sense, where that
    /// is known.
    pub(super) fn found(&self, answer: &Wording, met: f32) -> f32 {
        let counted = self.share(answer);
        if met.is_nan() { counted } else { (counted + (met / self.needed).min(1.0)) / 2.0 }
    }

    /// The expected share of the marks: over every number of elements that the answer may have.
    pub(super) fn share(&self, answer: &Wording) -> f32 {
        // How likely each number of elements is, among those looked at so far.
        let mut likely = vec![1.0f32];
        for element in &self.elements {
            let found = 1.0 / (1.0 + ((FOUND - element.recall(answer)) / EDGE).exp());
            likely.push(0.0);
            for count in (0..likely.len()).rev() {
                let one_less = if count == 0 { 0.0 } else { likely[count - 1] };
                likely[count] = likely[count] * (1.0 - found) + one_less * found;
            }
        }
        likely.iter().zip(&self.shares).map(|(likely, share)| likely * share).sum()
    }
}

/// "Other acceptable responses" and "Indicative content:" name nothing that could be found.
fn is_open_end(item: &str) -> bool {
    let folded = fold(item);
    folded.ends_with(':') || rubrics::OPEN_END.begin(&folded)
}

/// Words that most elements begin or end with ("You need to know …") tell none of them from the others.
fn without_common_words(texts: &[&str]) -> Vec<String> {
    let mut elements: HashMap<String, usize> = HashMap::new();
    for text in texts {
        let own: HashSet<String> = tokens(text).into_iter().map(|token| token.stem).collect();
        own.into_iter().for_each(|stem| *elements.entry(stem).or_default() += 1);
    }
    let is_common = |token: &Token| elements[&token.stem] * 2 > texts.len();
    let kept = |text: &&str| {
        let words = tokens(text).into_iter().filter(|token| !is_common(token));
        words.map(|token| text[token.span].to_owned()).collect::<Vec<_>>().join(" ")
    };
    texts.iter().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(elements: &[&str], steps: &[(f32, usize)], answer: &str) -> f32 {
        let asked = Wording::of("List the steps of photosynthesis.");
        let elements = elements.iter().map(ToString::to_string).collect();
        let counted = Some(domain::scheme::Counted { elements, steps: steps.to_vec() });
        let rubric = Rubric { counted, ..Rubric::default() };
        Counted::of(&rubric, &asked, 3.0).unwrap().share(&Wording::of(answer))
    }

    #[test]
    fn more_elements_earn_more_and_each_counts_by_itself() {
        let elements = [
            "Light falls on the leaf",
            "Roots take up water",
            "Carbon dioxide enters through pores",
            "Sugar is stored as starch",
        ];
        let share = |answer| share(&elements, &[(3.0, 4), (2.0, 3), (1.0, 1)], answer);
        let none = share("Plants are green and grow in summer.");
        let one = share("The roots take up water.");
        let three = share("Roots take up water, light falls on the leaf, sugar is stored as starch.");
        let all = share(
            "Light falls on the leaf. Roots take up water. Carbon dioxide enters through pores. Sugar is stored as starch.",
        );
        assert!(none < 0.1 && one > 0.25 && three > 0.55 && all > 0.9, "{none} {one} {three} {all}");
    }

    #[test]
    fn words_that_every_element_has_show_nothing() {
        let elements = [
            "You need to know the volume of acid",
            "You need to know the kind of metal",
            "You need to know the temperature",
        ];
        let share = |answer| share(&elements, &[(3.0, 2), (1.5, 1)], answer);
        assert!(share("You need to know it, you need to know more.") < 0.1);
        assert!(share("the temperature, and the kind of metal") > 0.6);
    }
}
