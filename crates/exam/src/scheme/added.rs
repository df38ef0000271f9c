//! Rubrics that add and take away: "+3 for the base case", "+2 for the step, +1 for the claim", "-1 if it is not stated",
//! by themselves or in a column beside a solution.

use super::EntryLine;
use crate::marks;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::examiners;

/// What a rubric adds becomes the price of its point, and what it takes away a remark. Where the sums that are added
/// do not make up the total, the lines are no such rubric and stay as they are.
pub(super) fn priced(lines: Vec<EntryLine>, total: Option<Marks>) -> Vec<EntryLine> {
    let items: Vec<Vec<Item>> = lines.iter().map(|line| items(&line.answer)).collect();
    let added = items.iter().flatten().filter(|item| item.adds);
    let (count, sum) = added.fold((0, Marks::ZERO), |(count, sum), item| (count + 1, sum + item.marks));
    let said = lines.iter().position(|line| !line.answer.trim().is_empty());
    let opens = said.is_some_and(|first| items[first].first().is_some_and(|item| item.adds));
    // Below a solution, or beside it, one such line may be anything.
    let is_enough = count > usize::from(!opens);
    if !is_enough || total != Some(sum) {
        return lines;
    }
    let (lines, items) = with_solution_aside(lines, items);
    let mut priced: Vec<EntryLine> = Vec::with_capacity(lines.len());
    // Where the last item began, and whether it adds.
    let mut last: Option<(f32, bool)> = None;
    for (mut line, items) in lines.into_iter().zip(items) {
        if items.is_empty() {
            // An item goes on below its beginning.
            let goes_on = |(indent, _): &(f32, bool)| !opens && (line.indent - indent).abs() < SAME;
            match (last.filter(goes_on), priced.last_mut()) {
                (Some((_, true)), Some(item)) => item.answer = format!("{} {}", item.answer, line.answer),
                (Some((_, false)), Some(item)) => {
                    item.guidance = format!("{} {}", item.guidance, line.answer);
                }
                _ => {
                    last = None;
                    priced.push(line);
                }
            }
            continue;
        }
        last = items.last().map(|item| (line.indent, item.adds));
        for item in items {
            match priced.last_mut().filter(|_| !item.adds) {
                Some(last) => {
                    last.guidance = [last.guidance.as_str(), &item.said].join(" ").trim().to_owned();
                }
                None => priced.push(EntryLine {
                    answer: item.text,
                    marks: item.marks.to_string(),
                    strong: Vec::new(),
                    guidance: std::mem::take(&mut line.guidance),
                    ..line.clone()
                }),
            }
        }
    }
    priced
}

/// A solution above its rubric is said beside the rubric's first item: it shows what earns all of them.
fn with_solution_aside(
    mut lines: Vec<EntryLine>,
    mut items: Vec<Vec<Item>>,
) -> (Vec<EntryLine>, Vec<Vec<Item>>) {
    let first = items.iter().position(|own| !own.is_empty()).unwrap_or(0);
    // Beside a solution both take turns.
    let indent = lines.get(first).map_or(0.0, |line| line.indent);
    let goes_on =
        |(line, own): (&EntryLine, &Vec<Item>)| !own.is_empty() || (line.indent - indent).abs() < SAME;
    let apart = lines.iter().zip(&items).skip(first).all(goes_on);
    if first == 0 || !apart {
        return (lines, items);
    }
    let solution: Vec<String> = lines.drain(..first).map(|line| line.answer).collect();
    items.drain(..first);
    let solution = solution.join(" ");
    lines[0].guidance = [solution.trim(), &lines[0].guidance].join(" ").trim().to_owned();
    (lines, items)
}

/// What such a rubric adds up to, where it stands alone or below a solution: what a part is worth of which nothing else
/// says so.
pub(super) fn sum(lines: &[EntryLine]) -> Option<Marks> {
    let named = |item: &Item| item.text.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS_MIN;
    let all: Vec<Item> = lines.iter().flat_map(|line| items(&line.answer)).collect();
    let first = lines.iter().position(|line| !items(&line.answer).is_empty())?;
    // From the first item on nothing but items stands there, and what they go on with.
    let others = lines[first..].iter().filter(|line| items(&line.answer).is_empty()).count();
    let adds: Vec<&Item> = all.iter().filter(|item| item.adds).collect();
    let is_rubric = adds.iter().all(|item| named(item)) && others <= all.len();
    (!adds.is_empty() && is_rubric).then(|| adds.iter().map(|item| item.marks).sum())
}

/// What marks are given for is said with at least so many letters.
const LETTERS_MIN: usize = 2;

/// What may stand before an item.
const BULLET: char = '•';

/// How far the lines of one column begin from each other.
const SAME: f32 = 6.0;

/// One item of such a rubric.
struct Item {
    adds: bool,
    marks: Marks,
    /// What it is given for.
    text: String,
    /// All of it.
    said: String,
}

/// The items that a line consists of; none where it does not begin with one.
fn items(text: &str) -> Vec<Item> {
    let text = text.trim_start_matches(|c: char| c == BULLET || c.is_whitespace());
    // "Rubric. +3 …"
    let led = text.split_once(' ').filter(|(lead, rest)| {
        let names = examiners::GRADING.has(&bare(lead)) && lead.ends_with(['.', ':']);
        names && rest.starts_with('+')
    });
    let text = led.map_or(text, |(_, rest)| rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    let price = |word: &str| {
        let adds = word.starts_with('+');
        let digits = word.strip_prefix(['+', '-', '−', '–'])?.trim_end_matches([':', ',', ')']);
        let marks = Marks::from_number(digits.replace(',', ".").parse().ok()?)?;
        (!marks.is_zero()).then_some((adds, marks))
    };
    // Within a line an item begins behind a sign that ends the one before it.
    let begins = |at: usize| {
        let parted = at == 0 || words[at - 1].ends_with([',', ';', '.']);
        parted && words.len() > at + 1 && price(words[at]).is_some()
    };
    let starts: Vec<usize> = (0..words.len()).filter(|at| begins(*at)).collect();
    if starts.first() != Some(&0) {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let item = |(start, end): (&usize, usize)| {
        let (adds, marks) = price(words[*start])?;
        let own = &words[start + 1..end];
        let unit = usize::from(own.first().is_some_and(|word| marks::is_unit(&bare(word))));
        let given = usize::from(own.get(unit).is_some_and(|word| lexicon::is(Concept::For, &bare(word))));
        let text = own[unit + given..].join(" ");
        let text = text.trim_end_matches([',', ';']).to_owned();
        (!text.is_empty()).then(|| Item { adds, marks, text, said: words[*start..end].join(" ") })
    };
    starts.iter().zip(ends).filter_map(item).collect()
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str], total: u32) -> Vec<(String, String, String)> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = priced(texts.iter().map(line).collect(), Some(Marks::whole(total)));
        lines.into_iter().map(|line| (line.marks, line.answer, line.guidance)).collect()
    }

    fn row(marks: &str, answer: &str, guidance: &str) -> (String, String, String) {
        (marks.to_owned(), answer.to_owned(), guidance.to_owned())
    }

    #[test]
    fn what_is_added_is_a_price_and_what_is_taken_away_a_remark() {
        let said = ["+3 for swapping the ends", "+2 points: moving both", "-1 if a list is made"];
        let wanted = [row("3", "swapping the ends", ""), row("2", "moving both", "-1 if a list is made")];
        assert_eq!(read(&said, 5), wanted);
        let one = ["+2 for the claim, +3 for the proof"];
        assert_eq!(read(&one, 5), [row("2", "the claim", ""), row("3", "the proof", "")]);
    }

    #[test]
    fn a_solution_above_its_rubric_is_said_beside_it() {
        let said = ["A program could rewrite", "the tables.", "Rubric. +3 protection; +2 an example."];
        let wanted =
            [row("3", "protection", "A program could rewrite the tables."), row("2", "an example.", "")];
        assert_eq!(read(&said, 5), wanted);
    }

    #[test]
    fn a_column_beside_the_solution_is_such_a_rubric() {
        let at =
            |answer: &str, indent: f32| EntryLine { answer: answer.into(), indent, ..EntryLine::default() };
        let lines = vec![
            at("for (int i = 0; i < n; i++) {", 60.0),
            at("+2 loop bounds", 300.0),
            at("right", 300.0),
            at("−1 if off by one", 300.0),
            at("    sum += a[i];", 60.0),
            at("+1 adds up", 300.0),
        ];
        let read = priced(lines, Some(Marks::whole(3)));
        let read: Vec<(&str, &str)> =
            read.iter().map(|line| (line.marks.as_str(), line.answer.as_str())).collect();
        let wanted = [
            ("", "for (int i = 0; i < n; i++) {"),
            ("2", "loop bounds right"),
            ("", "    sum += a[i];"),
            ("1", "adds up"),
        ];
        assert_eq!(read, wanted);
    }

    #[test]
    fn sums_that_miss_the_total_and_numbers_with_signs_stay() {
        assert_eq!(read(&["+3 for the ends"], 5), [row("", "+3 for the ends", "")]);
        assert_eq!(read(&["the charge is +2 and", "-1 for the other"], 2)[0].0, "");
        assert_eq!(read(&["+2"], 2), [row("", "+2", "")]);
    }
}
