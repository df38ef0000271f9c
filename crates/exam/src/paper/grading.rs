//! Tables in which graders note what was earned: "Question: 1 2 3 Total" over "Points: 10 20 10 40", or one row for
//! each question. They ask nothing, but say what the questions are worth.

use super::{itemized, lettered_grid};
use crate::flow::Line;
use domain::marks::Marks;
use lexicon::Concept;

/// Fewer questions are no table.
const QUESTIONS_MIN: usize = 2;
/// A row is named by no more words: "max. reachable points".
const NAME_WORDS_MAX: usize = 3;
/// So many rows for the graders may follow: "Score:", "Signature".
const EMPTY_ROWS_MAX: usize = 2;

/// Questions and parts by their numbers, "3.1" as 3 and 1, with what each is worth.
pub(super) type Series = Vec<(Vec<u32>, Marks)>;

/// What the tables of a paper say, and where they stand.
#[derive(Debug, Default)]
pub(super) struct Grading {
    /// For each line, whether it is a row of such a table.
    pub(super) rows: Vec<bool>,
    /// What each question is worth.
    pub(super) prices: Vec<(u32, Marks)>,
    /// What the questions and parts of each section are worth, by their numbers.
    pub(super) series: Vec<Series>,
}

/// Finds the tables of a paper.
pub(super) fn find(lines: &[Line<'_>]) -> Grading {
    let mut found = Grading { rows: vec![false; lines.len()], ..Grading::default() };
    let mut at = 0;
    while at < lines.len() {
        let listed = labelled(&lines[at..]).or_else(|| itemized::rows(&lines[at..]));
        if let Some((rows, prices)) = listed.or_else(|| lettered_grid::rows(&lines[at..])) {
            found.rows[at..at + rows].fill(true);
            found.series.push(prices);
            at += rows;
            continue;
        }
        let table = across(&lines[at..]).or_else(|| announced(&lines[at..])).or_else(|| down(&lines[at..]));
        let table = table.or_else(|| unpriced(&lines[at..])).or_else(|| titled(&lines[at..]));
        let Some((rows, prices)) = table else {
            at += 1;
            continue;
        };
        found.rows[at..at + rows].fill(true);
        if found.prices.is_empty() {
            found.prices = prices;
        }
        at += rows;
    }
    found
}

/// The line at which tables at the end of a paper begin, their titles included: nothing but such rows stands from there
/// on. `last`: the line of the last question or part.
pub(super) fn begins(lines: &[Line<'_>], rows: &[bool], last: usize) -> usize {
    /// A line between rows, or above them, has no more words.
    const TITLE_WORDS_MAX: usize = 6;
    let short = |at: usize| lines[at].words.len() <= TITLE_WORDS_MAX;
    let Some(first) = (last + 1..lines.len()).find(|at| rows[*at]) else { return lines.len() };
    if !(first..lines.len()).all(|at| rows[at] || short(at)) {
        return lines.len();
    }
    let priced = |at: usize| lines[at].words.iter().any(|word| counts_marks(&word.text) || sums(&word.text));
    let titles =
        (last + 1..first).rev().take_while(|at| short(*at) && (priced(*at) || names_rows(&lines[*at])));
    first - titles.count()
}

/// "Item", "Grupo": a word alone that names what the rows are of.
fn names_rows(line: &Line<'_>) -> bool {
    let [only] = line.words else { return false };
    let word = bare(&only.text);
    names_questions(&word)
        || [Concept::Section, Concept::QuestionPart].iter().any(|own| lexicon::is(*own, &word))
}

type Table = (usize, Vec<(u32, Marks)>);

/// Questions side by side, what they are worth below them.
fn across(lines: &[Line<'_>]) -> Option<Table> {
    let [head, worth, ..] = lines else { return None };
    let (count, summed) = counted_across(head)?;
    let texts = worth.texts();
    let name = texts.iter().take_while(|word| number(word).is_none()).count();
    let values: Vec<u32> = texts[name..].iter().map(|word| number(word)).collect::<Option<_>>()?;
    let priced = texts[..name].iter().any(|word| counts_marks(word));
    let whole = values.get(count).copied();
    let adds_up = whole == Some(values.iter().take(count).sum());
    let closed = (count + 1..=count + 2).contains(&values.len());
    let fits = values.len() == count || (closed && adds_up && summed);
    if name > NAME_WORDS_MAX || !fits || !(priced || adds_up) {
        return None;
    }
    let rows = 2 + empty_rows(&lines[2..]);
    let prices = (1..).zip(&values[..count]).map(|(question, worth)| (question, Marks::whole(*worth)));
    Some((rows, prices.collect()))
}

/// How many questions a row names side by side, and whether it closes with their sum: "Question 1 2 3 Total".
fn counted_across(head: &Line<'_>) -> Option<(usize, bool)> {
    let texts = head.texts();
    let named = texts.first().is_some_and(|word| names_questions(word));
    let counted = (1..).zip(texts.iter().skip(1)).take_while(|(next, word)| number(word) == Some(*next));
    let count = counted.count();
    let summed = match texts.get(count + 1..)? {
        [] => false,
        [only] if sums(only) => true,
        // "Total   Grade"
        [sum, _] if sums(sum) => true,
        _ => return None,
    };
    (named && count >= QUESTIONS_MIN).then_some((count, summed))
}

/// How many of the next lines are rows for the graders to fill in.
fn empty_rows(lines: &[Line<'_>]) -> usize {
    let empty = |line: &&Line<'_>| {
        line.words.len() <= NAME_WORDS_MAX && !line.words.iter().any(|word| number(&word.text).is_some())
    };
    lines.iter().take(EMPTY_ROWS_MAX).take_while(empty).count()
}

/// "Marks" alone above rows of nothing but numbers, names of what is numbered and units, of which the last is the sum:
/// "I | 1. to 4. | 4 x 15 points | 60" and so on.
fn titled(lines: &[Line<'_>]) -> Option<Table> {
    const ROWS_MAX: usize = 40;
    const ROWS_MIN: usize = 3;
    let [title, rest @ ..] = lines else { return None };
    let [only] = title.words else { return None };
    let heads = only.text.starts_with(char::is_uppercase)
        && lexicon::is(Concept::MarksColumn, &only.text.to_lowercase());
    let named = |word: &str| {
        let word = bare(word);
        let concepts = [
            Concept::Section,
            Concept::QuestionPart,
            Concept::LabelColumn,
            Concept::MarksColumn,
            Concept::RangeTo,
            Concept::MarkUnit,
        ];
        word.chars().count() <= 2
            || names_questions(&word)
            || concepts.iter().any(|own| lexicon::is(*own, &word))
    };
    let plain = |line: &&Line<'_>| {
        line.words.iter().all(|word| {
            let counts = !word.text.contains(char::is_alphabetic);
            counts || named(&word.text) || roman(&word.text)
        })
    };
    let sum = |line: &Line<'_>| {
        let texts = line.texts();
        matches!(texts[..], [name, value] if sums(name) && number(value).is_some())
    };
    let count = rest.iter().take(ROWS_MAX).position(sum)?;
    // Rows that say what each question is worth are read.
    let is_read = (0..count.min(ROWS_MIN)).any(|skip| labelled(&rest[skip..]).is_some());
    (heads && !is_read && count >= ROWS_MIN && rest[..count].iter().all(|line| plain(&line)))
        .then(|| (count + 2, Vec::new()))
}

/// "III"
fn roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|letter| matches!(letter, b'I' | b'V' | b'X'))
}

/// Questions side by side with their sum, and below them only what the graders fill in.
fn unpriced(lines: &[Line<'_>]) -> Option<Table> {
    let (_, summed) = counted_across(lines.first()?)?;
    summed.then(|| (1 + empty_rows(&lines[1..]), Vec::new()))
}

/// Questions side by side, each with the word that announces it, what they are worth below them: "Exercise 1
/// Exercise 2 Total" over "12 points 8 points 20 points".
fn announced(lines: &[Line<'_>]) -> Option<Table> {
    let [head, worth, ..] = lines else { return None };
    let texts = head.texts();
    let mut pairs = texts.chunks_exact(2);
    let name = bare(texts.first().filter(|word| names_questions(word))?);
    let count = (1..)
        .zip(&mut pairs)
        .take_while(|(next, pair)| bare(pair[0]) == name && number(pair[1]) == Some(*next));
    let count = count.count();
    let summed = match texts.get(2 * count..)? {
        [] => 0,
        [only] if sums(only) => 1,
        _ => return None,
    };
    let texts = worth.texts();
    let values: Vec<u32> = texts.iter().filter_map(|word| number(word)).collect();
    let units = texts.iter().all(|word| number(word).is_some() || counts_marks(word));
    let adds_up = summed == 0 || values.last().copied() == Some(values.iter().take(count).sum());
    let fits = values.len() == count + summed && units && adds_up;
    let prices = (1..).zip(values.into_iter().take(count).map(Marks::whole)).collect();
    (count >= QUESTIONS_MIN && fits).then_some((2, prices))
}

/// Labels of questions and parts side by side, "1. 2. 3.1. 3.2.", and below them what they are worth; between the two
/// rows or behind the second stands the sum.
fn labelled(lines: &[Line<'_>]) -> Option<(usize, Series)> {
    const LEAST: usize = 3;
    const BETWEEN_MAX: usize = 1;
    let path = |word: &&str| -> Option<Vec<u32>> {
        let levels = word.strip_suffix(['.', ')'])?.split('.');
        levels.map(|level| level.parse().ok().filter(|own| (1..100).contains(own))).collect()
    };
    let texts = lines.first()?.texts();
    // "Grupo I" or "II" before them names their section.
    let named = texts.iter().take_while(|word| path(word).is_none()).count();
    let worded = |word: &&str| !word.chars().any(|c| c.is_ascii_digit());
    let named = Some(named).filter(|named| *named <= NAME_WORDS_MAX && texts[..*named].iter().all(worded))?;
    let paths: Vec<Vec<u32>> = texts[named..].iter().map(path).collect::<Option<_>>()?;
    let counts = paths.len() >= LEAST && paths.windows(2).all(|pair| pair[0] < pair[1]);
    let below = |between: usize| {
        let texts = lines.get(1 + between)?.texts();
        let values: Vec<u32> = texts.iter().map(|word| number(word)).collect::<Option<_>>()?;
        let sum: u32 = values.iter().take(paths.len()).sum();
        let beside = lines[1..=between].iter().flat_map(|line| line.words);
        let summed = values.get(paths.len()) == Some(&sum)
            || beside.into_iter().any(|word| number(&word.text) == Some(sum));
        let fits = (paths.len()..=paths.len() + 1).contains(&values.len());
        (fits && summed).then_some((2 + between, values))
    };
    let (rows, values) = (0..=BETWEEN_MAX).find_map(below).filter(|_| counts)?;
    Some((rows, paths.into_iter().zip(values.into_iter().map(Marks::whole)).collect()))
}

/// One row for each question, closed by their sum.
fn down(lines: &[Line<'_>]) -> Option<Table> {
    let texts = lines.first()?.texts();
    let named = texts.first().is_some_and(|word| names_questions(word));
    if !named || texts.len() > 2 * NAME_WORDS_MAX || !texts[1..].iter().any(|word| counts_marks(word)) {
        return None;
    }
    let mut prices: Vec<(u32, Marks)> = Vec::new();
    for line in &lines[1..] {
        let texts = line.texts();
        let texts = &texts[usize::from(texts.len() > 2 && names_questions(texts[0]))..];
        let [question, worth, rest @ ..] = texts else { break };
        let blank = rest.iter().all(|word| !word.chars().any(char::is_alphanumeric));
        let next = number(question) == Some(prices.len() as u32 + 1);
        let Some(worth) = number(worth).filter(|worth| next && blank && *worth > 0) else { break };
        prices.push((prices.len() as u32 + 1, Marks::whole(worth)));
    }
    let last = lines.get(1 + prices.len())?.texts();
    let whole: Marks = prices.iter().map(|(_, marks)| *marks).sum();
    let closes = last.first().is_some_and(|word| sums(word))
        && last.iter().any(|word| number(word).map(Marks::whole) == Some(whole));
    (prices.len() >= QUESTIONS_MIN && closes).then(|| (2 + prices.len(), prices))
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn number(word: &str) -> Option<u32> {
    word.trim_matches(|c: char| matches!(c, '.' | ')' | '(' | ':' | '/'))
        .parse()
        .ok()
        .filter(|own| *own < 1000)
}

fn names_questions(word: &str) -> bool {
    let word = bare(word);
    [Concept::Label, Concept::Questions, Concept::LabelColumn].iter().any(|own| lexicon::is(*own, &word))
}

fn counts_marks(word: &str) -> bool {
    let word = bare(word);
    [Concept::MarkUnit, Concept::MarksColumn, Concept::Most].iter().any(|own| lexicon::is(*own, &word))
}

fn sums(word: &str) -> bool {
    word.starts_with(['Σ', '∑']) || lexicon::is(Concept::Total, &bare(word))
}
