//! Rubrics that count: a list of elements, and a scale that says how many of them earn how many marks
//! ("3 points: four key elements"); or content without such a scale, of which each element earns a mark.

use super::features::Reference;
use super::points;
use super::wording::Wording;
use crate::words::{Token, fold, small_number, stem, tokens};
use lexicon::english::rubrics;
use std::collections::{HashMap, HashSet};

/// An element is likely there when this share of its weight was found, with a soft edge of this width.
const FOUND: f32 = 0.4;
const EDGE: f32 = 0.1;
/// A line of the scale has no more words than this; a longer one is an element or a description.
const SCALE_WORDS_MAX: usize = 20;
/// A rubric with fewer elements is no list; of a longer list the rest is left aside.
const ELEMENTS_MIN: usize = 3;
const ELEMENTS_MAX: usize = 40;
/// One line of content is a model answer. Schemes with levels do not ask for all that an answer may contain.
const CONTENT_MIN: usize = 2;
const CONTENT_NEEDED: f32 = 0.75;

/// True for a rubric with a list of elements and a scale that counts them.
pub(crate) fn counts_elements(rubric: &str) -> bool {
    let scale = scale(rubric);
    let highest = scale.iter().map(|(_, count)| *count).max();
    scale.len() >= 2 && highest.is_some_and(|highest| elements(rubric).len() >= ELEMENTS_MIN.max(highest))
}

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
    pub(super) fn of(rubric: &str, asked: &Wording, marks: f32) -> Option<Counted> {
        if !counts_elements(rubric) || marks <= 0.0 {
            return None;
        }
        let (scale, texts) = (scale(rubric), elements(rubric));
        let worth = |found: usize| {
            let reached = scale.iter().filter(|(_, count)| *count <= found).map(|(worth, _)| *worth);
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

/// What is counted: the items of the list, or else what the rubric asks for.
fn elements(rubric: &str) -> Vec<&str> {
    let items = rubric.lines().filter_map(|line| line.trim().strip_prefix('•')).map(str::trim);
    let items: Vec<&str> = items.filter(|item| !is_open_end(item)).take(ELEMENTS_MAX).collect();
    if items.is_empty() { points::of_rubric(rubric) } else { items }
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

/// The scale: marks, and how many elements are needed for them at least.
fn scale(rubric: &str) -> Vec<(f32, usize)> {
    let lines: Vec<&str> = rubric.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut scale = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((worth, rest)) = worth(line) else { continue };
        let said =
            if rest.trim().is_empty() { lines.get(index + 1).copied().unwrap_or_default() } else { rest };
        if let Some(count) = count(said) {
            scale.push((worth, count));
        }
    }
    scale
}

/// "3 points", "Score 3", "2 marks: …": what a line of the scale is worth, and what follows on the line.
fn worth(line: &str) -> Option<(f32, &str)> {
    let words = tokens(line);
    let number = |token: &Token| token.is_number().then(|| token.folded.parse::<f32>().ok()).flatten();
    let is_unit = |token: &Token| rubrics::UNIT_STEMS.has(&token.stem);
    let (value, end) = match words.as_slice() {
        [first, second, third, ..] if is_unit(first) && is_unit(second) => (number(third)?, third.span.end),
        [first, second, ..] if is_unit(first) => (number(second)?, second.span.end),
        [first, second, ..] if is_unit(second) => (number(first)?, second.span.end),
        _ => return None,
    };
    Some((value, line[end..].trim_start_matches([':', '-', '–', '—', '.', ' '])))
}

/// "Four key elements", "describes three additional pieces of information", "one or two elements": the least
/// number of elements that is enough.
fn count(line: &str) -> Option<usize> {
    let words = tokens(line);
    let counted: Vec<String> = rubrics::COUNTED.iter().map(stem).collect();
    let noun = words.iter().position(|word| counted.contains(&word.stem))?;
    if words.len() > SCALE_WORDS_MAX {
        return None;
    }
    words[..noun].iter().filter_map(|word| small_number(&word.folded)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "Key elements:\n• Light falls on the leaf\n• Roots take up water\n• Carbon dioxide enters \
                       through pores\n• Sugar is stored as starch\nRubric:\n3 points\nFour key elements\n2 points\n\
                       Three key elements\n1 point\nOne or two key elements\n0 points\nOther";

    fn share(rubric: &str, answer: &str) -> f32 {
        let asked = Wording::of("List the steps of photosynthesis.");
        Counted::of(rubric, &asked, 3.0).unwrap().share(&Wording::of(answer))
    }

    #[test]
    fn the_scale_is_read_in_every_form() {
        assert_eq!(scale(KEY), [(3.0, 4), (2.0, 3), (1.0, 1)]);
        let inline = "2 marks: two reasons\n1 mark - one reason";
        assert_eq!(scale(inline), [(2.0, 2), (1.0, 1)]);
        let described = "Score 3\nThe response describes three pieces of information.\nScore Point 1\nOne piece is given.";
        assert_eq!(scale(described), [(3.0, 3), (1.0, 1)]);
    }

    #[test]
    fn more_elements_earn_more_and_each_counts_by_itself() {
        let none = share(KEY, "Plants are green and grow in summer.");
        let one = share(KEY, "The roots take up water.");
        let three = share(KEY, "Roots take up water, light falls on the leaf, sugar is stored as starch.");
        let all = share(
            KEY,
            "Light falls on the leaf. Roots take up water. Carbon dioxide enters through pores. Sugar is stored as starch.",
        );
        assert!(none < 0.1 && one > 0.25 && three > 0.55 && all > 0.9, "{none} {one} {three} {all}");
    }

    #[test]
    fn words_that_every_element_has_show_nothing() {
        let rubric = "• You need to know the volume of acid\n• You need to know the kind of metal\n• You need to know \
                      the temperature\n• Other acceptable responses\nScore 2\nTwo pieces of information.\nScore 1\nOne \
                      piece of information.";
        assert!(share(rubric, "You need to know it, you need to know more.") < 0.1);
        assert!(share(rubric, "the temperature, and the kind of metal") > 0.6);
    }

    #[test]
    fn a_rubric_without_a_list_or_a_scale_does_not_count() {
        let asked = Wording::of("Why?");
        for rubric in ["", "2 points\nProficient: fulfils all requirements.", "• One\n• Two\n• Three\n• Four"]
        {
            assert!(Counted::of(rubric, &asked, 2.0).is_none(), "{rubric}");
        }
    }
}
