//! Rubrics: what they ask for, and whether they count: a list of elements, and a scale that says how many of them earn how
//! many marks ("3 points: four key elements").

use domain::question::Level;
use domain::scheme::{Counted, Rubric};
use lexicon::english::rubrics;
use signs::words::{Token, fold, small_number, stem, tokens};

/// A line of the scale has no more words than this; a longer one is an element or a description.
const SCALE_WORDS_MAX: usize = 20;
/// A rubric with fewer elements is no list; of a longer list the rest is left aside.
const ELEMENTS_MIN: usize = 3;
const ELEMENTS_MAX: usize = 40;
/// A scale has so many steps at least.
const STEPS_MIN: usize = 2;
/// A rubric asks for no more separate things than this.
const ASKS_MAX: usize = 24;
/// Fewer words than this say nothing by themselves.
const WORDS_MIN: usize = 2;

/// A rubric in an examiner's words.
pub fn of(text: &str) -> Rubric {
    let items = text.lines().filter_map(|line| line.trim().strip_prefix('•')).map(str::trim);
    with(text.to_owned(), items, steps(text))
}

/// Levels of response, with what an answer may contain.
pub(super) fn of_levels(levels: &[Level], content: &[String]) -> Rubric {
    let list = content.iter().map(|text| format!("• {text}"));
    let scale = levels.iter().map(|level| rubrics::scale_line(level.marks_to, &level.descriptor));
    let text = list.chain(scale).collect::<Vec<_>>().join("\n");
    let steps = levels.iter().filter_map(|level| {
        let counted = count(level.descriptor.lines().next().unwrap_or_default())?;
        Some((level.marks_to.as_number() as f32, counted))
    });
    let items = content.iter().filter_map(|text| text.lines().next()).map(str::trim);
    with(text, items, steps.collect())
}

fn with<'t>(text: String, items: impl Iterator<Item = &'t str>, steps: Vec<(f32, usize)>) -> Rubric {
    let asks = asked_for(&text);
    let items = items.filter(|item| !is_open_end(item)).take(ELEMENTS_MAX).map(str::to_owned);
    let mut elements: Vec<String> = items.collect();
    if elements.is_empty() {
        elements.clone_from(&asks);
    }
    let highest = steps.iter().map(|(_, count)| *count).max();
    let counts = steps.len() >= STEPS_MIN
        && highest.is_some_and(|highest| elements.len() >= ELEMENTS_MIN.max(highest));
    Rubric { text, asks, counted: counts.then_some(Counted { elements, steps }) }
}

/// What a rubric asks for: its lines, without those that only say how marks are given.
fn asked_for(text: &str) -> Vec<String> {
    let lines = text.lines().flat_map(|line| line.split('•')).map(str::trim);
    lines.filter(|line| says_something(line)).take(ASKS_MAX).map(str::to_owned).collect()
}

/// True for a line that names something to find in an answer, not a heading or a number of marks.
fn says_something(line: &str) -> bool {
    let folded = fold(line);
    let words = tokens(&folded);
    let is_heading = rubrics::HEADINGS.begin(&folded);
    let is_amount = words.len() <= 3
        && words.first().is_some_and(Token::is_number)
        && words.last().is_some_and(|word| rubrics::AMOUNT.begin(&word.folded));
    let counts_elements =
        words.len() <= 6 && words.last().is_some_and(|word| rubrics::ELEMENT_STEM.has(&word.stem));
    let content = words.iter().filter(|word| word.is_content()).count();
    content >= WORDS_MIN && !is_heading && !is_amount && !counts_elements
}

/// "Other acceptable responses" and "Indicative content:" name nothing that could be found.
fn is_open_end(item: &str) -> bool {
    let folded = fold(item);
    folded.ends_with(':') || rubrics::OPEN_END.begin(&folded)
}

/// The scale: marks, and how many elements are needed for them at least.
fn steps(rubric: &str) -> Vec<(f32, usize)> {
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
    use domain::marks::Marks;

    const KEY: &str = "Key elements:\n• Light falls on the leaf\n• Roots take up water\n• Carbon dioxide enters \
                       through pores\n• Sugar is stored as starch\nRubric:\n3 points\nFour key elements\n2 points\n\
                       Three key elements\n1 point\nOne or two key elements\n0 points\nOther";

    #[test]
    fn the_scale_is_read_in_every_form() {
        assert_eq!(steps(KEY), [(3.0, 4), (2.0, 3), (1.0, 1)]);
        let inline = "2 marks: two reasons\n1 mark - one reason";
        assert_eq!(steps(inline), [(2.0, 2), (1.0, 1)]);
        let described = "Score 3\nThe response describes three pieces of information.\nScore Point 1\nOne piece is given.";
        assert_eq!(steps(described), [(3.0, 3), (1.0, 1)]);
    }

    #[test]
    fn a_rubric_is_its_elements_without_the_scale() {
        let rubric = "Rubric\nKey elements:\n• Light hits the leaf\n• Sugar is made\n2 points\nTwo key elements\nOther";
        assert_eq!(of(rubric).asks, ["Light hits the leaf", "Sugar is made"]);
        assert_eq!(of(KEY).counted.unwrap().elements.len(), 4);
    }

    #[test]
    fn a_rubric_without_a_list_or_a_scale_does_not_count() {
        for rubric in ["", "2 points\nProficient: fulfils all requirements.", "• One\n• Two\n• Three\n• Four"]
        {
            assert!(of(rubric).counted.is_none(), "{rubric}");
        }
    }

    #[test]
    fn levels_that_count_are_a_scale() {
        let level = |marks: u32, descriptor: &str| Level {
            marks_to: Marks::whole(marks),
            descriptor: descriptor.into(),
            ..Level::default()
        };
        let levels = [level(2, "Three elements are named"), level(1, "One element is named")];
        let content = ["the tide turns", "the wind drops", "sails are set"].map(str::to_owned);
        let counted = of_levels(&levels, &content).counted.unwrap();
        assert_eq!((counted.elements.len(), counted.steps), (3, vec![(2.0, 3), (1.0, 1)]));
        let described = [level(2, "A clear account"), level(1, "Some account")];
        assert!(of_levels(&described, &content).counted.is_none());
    }
}
