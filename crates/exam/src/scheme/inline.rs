//! Marks inside running text: "the gradient is lost (1), so nothing drives the pump (1)", "4 True. +1 for 4, +1 for True",
//! "sand, silt and clay (2m)".

use super::EntryLine;
use super::column::bare_number;
use crate::marks;
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::schemes;

/// The lines with each statement that has its marks behind it, or before it, on a line of its own. Where the marks do not
/// make up the total, they are no such text and stay as they are; so do lines whose marks stand at their ends alone.
pub(super) fn priced(lines: Vec<EntryLine>, total: Option<Marks>) -> Vec<EntryLine> {
    // The column of marks may say what all of them make up.
    let mut columns = lines.iter().map(|line| line.marks.trim()).filter(|marks| !marks.is_empty());
    let column = columns.next();
    let guided = || lines.iter().any(|line| !line.guidance.trim().is_empty());
    let is_total =
        column.is_none_or(|column| bare_number(column) == total && !guided()) && columns.next().is_none();
    let Some(total) = total.filter(|_| is_total) else { return lines };
    // Items that share their lines with a program are a rubric beside it.
    let is_beside = |line: &EntryLine| {
        let adds = line.answer.split_whitespace().any(|word| added(word).is_some());
        adds && ["{", "}", "==", "++", "();"].iter().any(|sign| line.answer.contains(sign))
    };
    if lines.iter().any(is_beside) {
        return lines;
    }
    let text = lines.iter().map(|line| line.answer.trim()).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let prices = SIGNS.iter().map(|sign| (*sign, found(&words, *sign)));
    let whole = |prices: &Vec<Price>| {
        prices.len() > 1 && prices.iter().map(|price| price.marks).sum::<Marks>() == total
    };
    let Some((sign, prices)) = prices.into_iter().find(|(_, prices)| whole(prices)) else { return lines };
    let ends_priced = |line: &&EntryLine| {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        found(&words, sign).last().is_some_and(|price| price.end == words.len())
    };
    if lines.iter().filter(ends_priced).count() >= prices.len() {
        // A number in brackets that is this high counts something, unless all of them make up the total.
        let high = sign == Sign::Bracketed && prices.iter().any(|price| price.marks > PLAIN_MAX);
        return if high { lines.into_iter().map(priced_at_end).collect() } else { lines };
    }
    let (first, last) = (&prices[0], &prices[prices.len() - 1]);
    let leads = sign == Sign::Added && (first.start == 0 || last.end < words.len());
    let pieces: Vec<(String, String)> = if leads {
        let ends = prices.iter().skip(1).map(|price| price.start).chain([words.len()]);
        prices.iter().zip(ends).map(|(price, end)| statement(&words[price.end..end])).collect()
    } else {
        let begins = std::iter::once(0).chain(prices.iter().map(|price| price.end));
        let rest = words[last.end..].join(" ");
        let own = prices
            .iter()
            .zip(begins)
            .map(|(price, begin)| (words[begin..price.start].join(" "), String::new()));
        let mut own: Vec<(String, String)> = own.collect();
        own.iter_mut().next_back().into_iter().for_each(|(_, beside)| beside.clone_from(&rest));
        own
    };
    // "+1 EP" names what the mark is of.
    let is_code = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let said = |text: &str| {
        let names = leads && text.split_whitespace().next().is_some_and(is_code);
        !names && text.chars().any(char::is_alphanumeric)
    };
    if !pieces.iter().all(|(own, _)| said(own)) {
        return lines;
    }
    let guidance = lines.iter().map(|line| line.guidance.trim()).filter(|text| !text.is_empty());
    let mut guidance = guidance.collect::<Vec<_>>().join(" ");
    let mut out: Vec<EntryLine> = Vec::with_capacity(pieces.len());
    for (price, (own, beside)) in prices.iter().zip(pieces) {
        let plain = own.trim_matches([',', ';', '.', ' ', ':', '–', '-']);
        let (first, rest) = plain.split_once(' ').unwrap_or((plain, ""));
        let is_joint = schemes::PRICE_JOINTS.has(&first.to_lowercase()) && !rest.is_empty();
        let answer = if is_joint { rest } else { plain }.to_owned();
        let beside = [beside, std::mem::take(&mut guidance)].concat();
        let line = EntryLine {
            answer,
            marks: price.marks.to_string(),
            guidance: beside,
            space: 1.0,
            ..lines[0].clone()
        };
        out.push(EntryLine { strong: Vec::new(), repeats_question: false, ..line });
    }
    out
}

/// How marks are written inside a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// "+1"
    Added,
    /// "(1)", "[1 pt]", "(2m)"
    Bracketed,
}

const SIGNS: [Sign; 2] = [Sign::Added, Sign::Bracketed];

/// Marks among the words of a text.
struct Price {
    start: usize,
    end: usize,
    marks: Marks,
}

/// Up to here a number in brackets at the end of a line is a mark by itself.
const PLAIN_MAX: Marks = Marks::whole(4);

/// The line with the mark at its end in the column of marks.
fn priced_at_end(line: EntryLine) -> EntryLine {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let Some(price) = found(&words, Sign::Bracketed).pop().filter(|price| price.end == words.len()) else {
        return line;
    };
    EntryLine { answer: words[..price.start].join(" "), marks: price.marks.to_string(), ..line }
}

/// What the numbers in brackets within an entry's text make up, of which the last ends it: "pipette (3)", "rinse (3) fill
/// (3 + 3)", "ANY TWO (2 × 3)".
pub(super) fn sum(lines: &[EntryLine]) -> Option<Marks> {
    /// "(2 × 3)" is of no more signs.
    const SIGNS_MAX: usize = 9;
    let own = lines.iter().filter(|line| !line.repeats_question);
    let text = own.map(|line| line.answer.trim()).collect::<Vec<_>>().join(" ");
    let (mut sum, mut rest) = (Marks::ZERO, text.as_str());
    while let Some(at) = rest.find('(') {
        let stands = at == 0 || rest[..at].ends_with(char::is_whitespace);
        let behind = &rest[at + 1..];
        let inner = behind.find(')').filter(|end| stands && *end <= SIGNS_MAX).map(|end| &behind[..end]);
        let earned = inner.and_then(|inner| bare_number(&inner.replace(' ', "")));
        rest = match (inner, earned) {
            (Some(inner), Some(earned)) => {
                sum = sum + earned;
                &behind[inner.len() + 1..]
            }
            _ => behind,
        };
    }
    // A remark in brackets may stand behind the last.
    let said = rest.split('[').next().unwrap_or_default();
    (!sum.is_zero() && !said.contains(char::is_alphabetic)).then_some(sum)
}

fn found(words: &[&str], sign: Sign) -> Vec<Price> {
    let mut prices = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let price = match sign {
            Sign::Added => added(words[at]).map(|marks| (marks, 1)),
            Sign::Bracketed => bracketed(words[at])
                .map(|marks| (marks, 1))
                .or_else(|| {
                    let both = format!("{} {next}", words[at]);
                    bracketed(&both).map(|marks| (marks, 2))
                })
                .or_else(|| {
                    let three = words.get(at..at + SUM_WORDS)?.concat();
                    bracketed_sum(&three).map(|marks| (marks, SUM_WORDS))
                }),
        };
        if let Some((marks, length)) = price {
            prices.push(Price { start: at, end: at + length, marks });
            at += length;
        } else {
            at += 1;
        }
    }
    prices
}

fn added(word: &str) -> Option<Marks> {
    let digits = word.strip_prefix('+')?.trim_end_matches(['.', ',', ';', ':', ')']);
    amount(digits)
}

/// "(1)", "[2 pts].", "(2m)"; a number in brackets alone is one of at most two figures.
fn bracketed(word: &str) -> Option<Marks> {
    let inner =
        word.trim_end_matches(['.', ',', ';', ':']).strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let digits = inner.trim_end_matches(char::is_alphabetic).trim_end();
    let unit = inner[digits.len()..].trim();
    (unit.is_empty() || unit == MARK_LETTER || marks::is_unit(&unit.to_lowercase()))
        .then(|| amount(digits))
        .flatten()
}

/// "(3 + 3)" is of so many words.
const SUM_WORDS: usize = 3;

/// "(3+3)", "(2×3)": what two marks make up.
fn bracketed_sum(text: &str) -> Option<Marks> {
    let inner = text.trim_end_matches(['.', ',', ';', ':']).strip_prefix('(')?.strip_suffix(')')?;
    inner.contains(['+', '×']).then(|| bare_number(inner)).flatten()
}

/// Behind a number in brackets, on Irish schemes.
const MARK_LETTER: &str = "m";

fn amount(digits: &str) -> Option<Marks> {
    const MOST: f64 = 9.0;
    let plain = digits.replace('½', ".5").replace(',', ".");
    let is_short = !plain.is_empty()
        && plain.len() <= 3
        && plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let marks = plain.parse::<f64>().ok().filter(|marks| is_short && *marks > 0.0 && *marks <= MOST)?;
    Marks::from_number(marks)
}

/// What marks before it are given for, and what is said behind its first sentence.
fn statement(words: &[&str]) -> (String, String) {
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let unit = usize::from(words.first().is_some_and(|word| marks::is_unit(&bare(word))));
    let given = usize::from(words.get(unit).is_some_and(|word| lexicon::is(Concept::For, &bare(word))));
    let own = &words[(unit + given).min(words.len())..];
    let ends = |at: &usize| {
        let next = own.get(at + 1).and_then(|word| word.trim_start_matches(['“', '"', '(']).chars().next());
        own[*at].ends_with('.') && own[*at].len() > 2 && next.is_some_and(char::is_uppercase)
    };
    let end = (0..own.len()).find(ends).map_or(own.len(), |at| at + 1);
    (own[..end].join(" "), own[end..].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str], total: u32) -> Vec<(String, String)> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = priced(texts.iter().map(line).collect(), Some(Marks::whole(total)));
        lines.into_iter().map(|line| (line.marks, line.answer)).collect()
    }

    fn row(marks: &str, answer: &str) -> (String, String) {
        (marks.to_owned(), answer.to_owned())
    }

    #[test]
    fn marks_behind_statements_part_them() {
        let said = ["the gates shut (1). Pressure rises", "behind them (1), so water is forced up (1)."];
        let wanted = [
            row("1", "the gates shut"),
            row("1", "Pressure rises behind them"),
            row("1", "so water is forced up"),
        ];
        assert_eq!(read(&said, 3), wanted);
        assert_eq!(
            read(&["a share (2m), of all the owners (1m) [names: 1m]"], 3)[1],
            row("1", "of all the owners")
        );
        let added = ["8.0 (8 accepted) +1; it is set back at every turn +1."];
        assert_eq!(read(&added, 2), [row("1", "8.0 (8 accepted)"), row("1", "it is set back at every turn")]);
    }

    #[test]
    fn marks_before_statements_part_them() {
        let said = ["7 False. +1 for 7 (both name one list), +1 for False. “No” for False: no", "point."];
        assert_eq!(read(&said, 2), [row("1", "7 (both name one list)"), row("1", "False")]);
    }

    #[test]
    fn what_misses_the_total_or_stands_at_the_ends_stays() {
        for (texts, total) in [
            (&["the gates shut (1)", "water is forced up (1)"][..], 2),
            (&["f(1) = 3 and f(2) = 5"][..], 2),
            (&["see (1) and (2) above"][..], 5),
        ] {
            assert_eq!(read(texts, total).len(), texts.len(), "{texts:?}");
        }
    }
}
