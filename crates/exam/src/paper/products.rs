//! How many questions of how many marks a line asks for: "Answer any five of the following. 5 × 3 = 15".

use super::rubric::Rubric;
use super::segment::Segment;
use super::{Leaf, Question, spread};
use crate::flow::Line;
use crate::labels;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;

/// No section asks for more questions, and no question of one is worth more.
const FACTOR_MAX: u32 = 50;
/// The product stands among the last words of its line.
const WORDS_MAX: usize = 8;

/// A line that says how many questions of how many marks its section asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) line: usize,
    pub(super) factors: (u32, u32),
    /// How many are to be answered, where the line says so.
    pub(super) chosen: Option<u32>,
}

impl Product {
    /// What each of so many is worth: the factor that does not count them.
    pub(super) fn each(self, count: usize) -> Option<Marks> {
        let (one, other) = self.factors;
        let counts = |factor: u32| self.chosen.map_or(factor as usize == count, |chosen| factor == chosen);
        let each = if counts(one) {
            other
        } else if counts(other) {
            one
        } else {
            return None;
        };
        Some(Marks::whole(each))
    }
}

/// The product that a line without a label ends with, where it speaks of answering, heads a section or stands right below
/// the heading of one: "(Case based questions) (2 × 7 = 14)".
pub(super) fn of_line(index: usize, lines: &[Line<'_>]) -> Option<Product> {
    let line = &lines[index];
    let texts = line.texts();
    let factors = at_end(&texts)?;
    let words = cleaned(&texts);
    let asks = words.iter().any(|word| lexicon::is(Concept::Attempt, word) || papers::ANY.has(word));
    let above = || index.checked_sub(1).is_some_and(|above| super::is_section_heading(&lines[above]));
    let heads = super::is_section_heading(line) || above();
    // "3 × 2 = 6" alone begins with no number of a question.
    let signs = |c: char| c.is_ascii_digit() || matches!(c, '×' | 'x' | '*' | '✕' | '=' | '(' | ')');
    let whole = texts.iter().all(|word| word.chars().all(signs));
    let labelled = !whole && labels::parse(&texts).is_some();
    (!labelled && (asks || heads)).then(|| Product { line: index, factors, chosen: chosen(&words) })
}

/// The product that the heading of a section ends with, however it is named: "I. Choose the right one. 1 × 8 = 8".
pub(super) fn of_heading(index: usize, line: &Line<'_>) -> Option<Product> {
    let texts = line.texts();
    let factors = at_end(&texts)?;
    Some(Product { line: index, factors, chosen: chosen(&cleaned(&texts)) })
}

fn cleaned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect()
}

/// "any five": how many are to be chosen.
pub(super) fn chosen(words: &[String]) -> Option<u32> {
    let any = words.iter().position(|word| papers::ANY.has(word))?;
    lexicon::small_number(words.get(any + 1)?)
}

/// "5 × 3 = 15" or "(5x3=15 Marks)" at the end of a line: its two factors.
pub(super) fn at_end(texts: &[&str]) -> Option<(u32, u32)> {
    let from = texts.len().saturating_sub(WORDS_MAX);
    (from..texts.len()).find_map(|start| {
        let text = texts[start..].concat().to_lowercase();
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        let (product, sum) = text.split_once('=')?;
        let (one, other) = product.split_once(['×', 'x', '*', '✕'])?;
        let digits = sum.find(|c: char| !c.is_ascii_digit()).unwrap_or(sum.len());
        let unit = sum[digits..].trim_matches(|c: char| !c.is_alphanumeric());
        let clean =
            unit.is_empty() || lexicon::is(Concept::MarkUnit, unit) || lexicon::is(Concept::ShortUnit, unit);
        let number = |text: &str| text.parse::<u32>().ok();
        let (one, other, sum) = (number(one)?, number(other)?, number(&sum[..digits])?);
        let small = (1..=FACTOR_MAX).contains(&one) && (1..=FACTOR_MAX).contains(&other);
        (clean && small && one * other == sum).then_some((one, other))
    })
}

/// Gives questions without marks what the line above their section says each is worth.
pub(super) fn share(rubric: &Rubric, starts: &[usize], questions: &mut [Question]) {
    for (index, product) in rubric.products.iter().enumerate() {
        let next = rubric.products.get(index + 1).map_or(usize::MAX, |next| next.line);
        let heading = rubric.heading_between(product.line, usize::MAX).unwrap_or(usize::MAX);
        let own = product.line..next.min(heading);
        let places: Vec<usize> = (0..starts.len()).filter(|place| own.contains(&starts[*place])).collect();
        let silent = |question: &Question| {
            question.marks.is_none() && question.leaves.iter().all(|leaf| leaf.marks.is_none())
        };
        let Some(each) = product.each(places.len()) else { continue };
        if !places.iter().all(|place| silent(&questions[*place])) {
            continue;
        }
        for place in places {
            let question = &mut questions[place];
            question.marks = Some(each);
            if let [only] = question.leaves.as_mut_slice() {
                only.marks = Some(each);
            }
        }
    }
}

/// The product that the text of a segment says, with how many of its parts are to be answered.
pub(super) fn in_head(segment: &Segment, lines: &[Line<'_>]) -> Option<Product> {
    let own = segment.from.0..segment.to.0.min(lines.len()).max(segment.from.0 + 1);
    own.into_iter().find_map(|line| {
        let texts = lines.get(line)?.texts();
        let (factors, chosen) = (at_end(&texts)?, chosen(&cleaned(&texts)));
        Some(Product { line, factors, chosen })
    })
}

/// Gives the parts right below a question what its head says each of them is worth: "Answer any five. [5 × 2 = 10]".
pub(super) fn share_parts(leaves: &mut [Leaf], head: &[labels::Token], product: Product) {
    let count = leaves.iter().filter(|leaf| leaf.path.starts_with(head)).count();
    if let Some(each) = product.each(count) {
        price_parts(leaves, head, each);
    }
}

/// Gives parts what the text above them says each of them is worth: "(1 mark each)".
pub(super) fn share_prices(leaves: &mut [Leaf], segments: &[Segment], lines: &[Line<'_>]) {
    for segment in segments {
        if let Some(each) = spread::of_text(&segment.text(lines)) {
            price_parts(leaves, &segment.path, each);
        }
    }
}

/// Gives the parts right below a question, none of which prints marks, the same price each.
pub(super) fn price_parts(leaves: &mut [Leaf], head: &[labels::Token], each: Marks) {
    let below = |leaf: &Leaf| leaf.path.len() == head.len() + 1 && leaf.path.starts_with(head);
    let own: Vec<usize> = (0..leaves.len()).filter(|place| leaves[*place].path.starts_with(head)).collect();
    let silent = |place: &usize| below(&leaves[*place]) && leaves[*place].marks.is_none();
    if own.len() >= 2 && own.iter().all(silent) {
        own.into_iter().for_each(|place| leaves[place].marks = Some(each));
    }
}

/// Gives the parts of a question what the sum in its heading says of each: "Question 1 [3 + 4 = 7 marks]".
pub(super) fn share_addends(leaves: &mut [Leaf], head: &Segment, lines: &[Line<'_>]) {
    let silent = leaves.iter().all(|leaf| leaf.marks.is_none());
    if leaves.len() < 2 || !silent || head.path.len() != 1 {
        return;
    }
    let own = head.start.0..head.to.0.min(lines.len()).max(head.start.0 + 1);
    let found =
        own.filter_map(|line| addends(&lines.get(line)?.text())).find(|own| own.len() == leaves.len());
    for (leaf, marks) in leaves.iter_mut().zip(found.into_iter().flatten()) {
        leaf.marks = Some(marks);
    }
}

/// Gives parts side by side what the sum behind the last of them says of each: "(1) …", "(2) … (1 + 3 points)".
/// `places`: for each leaf, its segment.
pub(super) fn share_addends_behind(
    leaves: &mut [Leaf],
    (segments, places): (&[Segment], &[usize]),
    lines: &[Line<'_>],
) {
    let above = |leaf: &Leaf| leaf.path[..leaf.path.len().saturating_sub(1)].to_vec();
    let mut from = 0;
    for last in 0..leaves.len() {
        if above(&leaves[from]) != above(&leaves[last]) || leaves[last].path.len() == 1 {
            from = last;
        }
        let Some(sum) = leaves[last].marks else { continue };
        let own = places.get(last).and_then(|place| segments.get(*place));
        let behind = own.into_iter().flat_map(|own| &own.marks).filter_map(|found| lines.get(found.line));
        let mut said = behind.filter_map(|line| addends(&line.text()).or_else(|| bare_addends(line)));
        let fits =
            |own: &Vec<Marks>| own.len() == last + 1 - from && own.iter().copied().sum::<Marks>() == sum;
        if let Some(said) = said.find(fits) {
            leaves[from..=last].iter_mut().zip(said).for_each(|(leaf, marks)| leaf.marks = Some(marks));
        }
        from = last + 1;
    }
}

/// The addends of a sum that ends a line: "2+3", "(04+04)".
fn bare_addends(line: &Line<'_>) -> Option<Vec<Marks>> {
    let last = line.words.last()?.text.trim_matches(|c: char| "()[]".contains(c));
    let addends = last.split('+').map(|own| own.parse().ok().map(Marks::whole));
    addends.collect::<Option<Vec<_>>>().filter(|addends| addends.len() >= 2)
}

/// The addends of a sum in brackets: "(3+4 points)", "[3 + 4 + 5 = 12 marks]".
fn addends(text: &str) -> Option<Vec<Marks>> {
    text.split(['(', '[']).skip(1).find_map(|rest| {
        let inner = rest.split([')', ']']).next()?;
        let (sum, after) = match inner.split_once('=') {
            Some((sum, after)) => (sum, after),
            None => inner.split_at(inner.find(char::is_alphabetic)?),
        };
        let one = |text: &str| Marks::from_number(text.trim().replace(',', ".").parse::<f64>().ok()?);
        let addends: Vec<Marks> = sum.split('+').map(one).collect::<Option<_>>()?;
        let whole: Marks = addends.iter().copied().sum();
        // What follows is their sum, or the unit that they count.
        let said = after.split_whitespace().next()?;
        let unit = said.trim_end_matches('.').to_lowercase();
        let counts = lexicon::is(Concept::MarkUnit, &unit) || lexicon::is(Concept::ShortUnit, &unit);
        let fits = counts || one(said).is_some_and(|own| own == whole);
        (addends.len() >= 2 && fits).then_some(addends)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u32, u32)> {
        at_end(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn products_are_read_at_the_end_of_a_line() {
        assert_eq!(read("Answer any five of the following: 5 × 3 = 15"), Some((5, 3)));
        assert_eq!(read("Answer all. (10x2=20)"), Some((10, 2)));
        assert_eq!(read("Answer all questions [4 x 5 = 20 marks]"), Some((4, 5)));
        assert_eq!(read("Show that 2 x 3 = 7"), None);
        assert_eq!(read("5 × 3 = 15 apples"), None);
    }

    #[test]
    fn sums_are_read_in_brackets() {
        let whole = |numbers: &[u32]| Some(numbers.iter().map(|number| Marks::whole(*number)).collect());
        assert_eq!(addends("Question 1 [3 + 4 + 5 = 12 marks]"), whole(&[3, 4, 5]));
        assert_eq!(addends("Aufgabe 2: Stetigkeit (3+4 Punkte)"), whole(&[3, 4]));
        assert_eq!(addends("Show that (2 + 3 = 6)"), None);
        assert_eq!(addends("Compute (2 + x)"), None);
    }
}
