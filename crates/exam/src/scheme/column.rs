//! Marks beside answers: the marks column, ticks and brackets at line ends, and their sum.

use super::phrases::{self, Limit};
use super::pieces::{self, Cut};
use super::{Entry, levels, prices, rubric, tally};
use crate::marks::{self, Certainty, MarkNote, Scope};
use domain::marks::Marks;
use domain::question::{Notation, PointKind};

/// A number of marks alone in its cell: "2", "½", "1 1/2", "1,5", "1+1", "½×4", "2(3m)".
pub(super) fn bare_number(text: &str) -> Option<Marks> {
    tally::total(text).or_else(|| added(text))
}

fn added(text: &str) -> Option<Marks> {
    /// No cell adds up more.
    const ADDENDS_MAX: usize = 10;
    let addends = text.split('+').take(ADDENDS_MAX + 1);
    let addends: Vec<Marks> = addends.map(repeated).collect::<Option<_>>()?;
    (addends.len() <= ADDENDS_MAX).then(|| addends.into_iter().sum())
}

/// "½×4": as many marks for each of so many points.
fn repeated(text: &str) -> Option<Marks> {
    const TIMES_MAX: u32 = 20;
    let Some((each, times)) = text.split_once('×') else { return one_number(text) };
    let times = times.trim().parse().ok().filter(|times| (2..=TIMES_MAX).contains(times))?;
    one_number(each).map(|each| Marks::halves(each.as_halves() * times))
}

fn one_number(text: &str) -> Option<Marks> {
    let text = text.trim();
    if let Some((whole, part)) = text.split_once(['.', ',']) {
        let whole = whole.parse::<u32>().ok().filter(|whole| *whole <= 100)?;
        let quarters = match part {
            "25" => 1,
            "5" | "50" => 2,
            "75" => 3,
            _ => return None,
        };
        return Marks::from_number(f64::from(4 * whole + quarters) / 4.0);
    }
    let halves = match text.strip_suffix('½').or_else(|| text.strip_suffix("1/2")) {
        Some("") => Some(1),
        Some(whole) => {
            whole.trim().parse::<u32>().ok().filter(|whole| *whole <= 100).map(|whole| 2 * whole + 1)
        }
        None => text.parse::<u32>().ok().filter(|number| (1..=100).contains(number)).map(|number| 2 * number),
    };
    halves.map(Marks::halves)
}

/// A mark in the marks column: "M1", "A1ft", "dM1", "B2", "1", "✓".
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColumnMark {
    pub(super) worth: Marks,
    pub(super) kind: PointKind,
    pub(super) notation: Vec<Notation>,
    /// True for "M1" and the like, false for a bare number.
    pub(super) lettered: bool,
}

pub(super) fn column_mark(text: &str) -> Option<ColumnMark> {
    let mut worth = Marks::ZERO;
    let mut kind = PointKind::Point;
    let mut notation = Vec::new();
    let mut lettered = false;
    // "(M1)(A1)" are two.
    let text = &text.replace(")(", ") (");
    for word in text.split([' ', ',', '+']).filter(|word| !word.is_empty()) {
        if let Some((own, marks, suffix, depends)) = lettered_mark(word) {
            if !lettered {
                kind = own;
            }
            lettered = true;
            worth = worth + marks;
            if depends {
                notation.push(Notation::Dependent);
            }
            notation.extend(lexicon::notation::read(&suffix.to_lowercase()));
        } else if lexicon::notation::IN_COLUMN.has(&word.to_lowercase()) {
            notation.extend(lexicon::notation::read(&word.to_lowercase()));
        }
    }
    if !lettered {
        // A bare number in the column is the part's total and says nothing about the line.
        let ticks = text.chars().filter(|c| matches!(c, '✓' | '✔' | '√')).count();
        worth = Marks::whole(u32::try_from(ticks).unwrap_or(0));
    }
    (!worth.is_zero()).then_some(ColumnMark { worth, kind, notation, lettered })
}

/// "dM1", "A1ft", "B2", "M1*": kind, worth, suffix, and whether it depends on the method before it.
pub(super) fn lettered_mark(word: &str) -> Option<(PointKind, Marks, &str, bool)> {
    let bare = word.trim_matches(['(', ')', '*', '[', ']', ':']);
    // "1M" and "2A" are "M1" and "A2".
    if let [value @ b'1'..=b'9', letter @ (b'M' | b'A')] = bare.as_bytes() {
        let kind = if *letter == b'M' { PointKind::Method } else { PointKind::Accuracy };
        return Some((kind, Marks::whole(u32::from(value - b'0')), "", false));
    }
    // "ddM1" depends on two methods before it.
    let (whole, bare) = (bare, bare.trim_start_matches(['d', 'D']));
    let depends = (1..=2).contains(&(whole.len() - bare.len()));
    if whole.len() > bare.len() + 2 {
        return None;
    }
    let kind = match bare.chars().next()? {
        'M' => PointKind::Method,
        'A' => PointKind::Accuracy,
        'B' | 'E' | 'C' | 'P' | 'R' => PointKind::Independent,
        _ => return None,
    };
    let rest = &bare[1..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let value: u32 = rest[..digits].parse().ok().filter(|value| (1..=9).contains(value))?;
    let suffix = &rest[digits..];
    (suffix.len() <= 4 && suffix.chars().all(char::is_alphabetic)).then_some((
        kind,
        Marks::whole(value),
        suffix,
        depends,
    ))
}

/// True for "M1", which no answer holds by chance, unlike "A1" or "B2".
pub(super) fn is_method_mark(word: &str) -> bool {
    lettered_mark(word)
        .is_some_and(|(kind, marks, _, _)| kind == PointKind::Method && marks == Marks::whole(1))
}

/// "+E", "+CPL": a mark of the kind that a capital names, where marks are of several kinds.
pub(super) fn is_graded_mark(word: &str) -> bool {
    const LONGEST: usize = 3;
    let kind = word.strip_prefix('+').unwrap_or_default();
    (1..=LONGEST).contains(&kind.len()) && kind.bytes().all(|letter| letter.is_ascii_uppercase())
}

/// Takes "+E" off the end of a line: the answer, and a mark that stands by itself.
pub(super) fn split_graded(text: &str) -> (String, String) {
    match text.rsplit_once(' ') {
        Some((answer, last)) if is_graded_mark(last) => {
            (answer.to_owned(), lexicon::notation::INDEPENDENT_MARK.to_owned())
        }
        _ => (text.to_owned(), String::new()),
    }
}

/// Takes "M1", "A1 ft" and the like off the end or the beginning of a line of running text: the answer,
/// and the marks.
pub(super) fn split_lettered(text: &str) -> (String, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let small = |mark: &str| lettered_mark(mark).is_some_and(|(_, marks, _, _)| marks <= Marks::whole(3));
    // "(M1)(A1)" and "1M+1A" are two marks in one word.
    let lettered = |word: &&str| word.replace(")(", "+").split('+').all(small);
    let noted = |word: &&str| lexicon::notation::IN_COLUMN.has(word);
    let trailing = words.iter().rev().take_while(|word| lettered(word) || noted(word)).count();
    if words[words.len() - trailing..].iter().any(lettered) {
        let (answer, marks) = words.split_at(words.len() - trailing);
        return (answer.join(" "), marks.join(" "));
    }
    let leading = words.iter().take_while(|word| lettered(word)).count();
    let (marks, answer) = words.split_at(leading);
    (answer.join(" ").trim_start_matches([':', '-', '–', ' ']).to_owned(), marks.join(" "))
}

/// No single point behind a stroke earns more.
const POINT_MAX: Marks = Marks::whole(10);

/// "(1)", "(1 mark)", "[2]", "✓" at the end of a line, and the text without it.
pub(super) fn trailing_mark(text: &str) -> (String, Option<Marks>) {
    let trimmed = text.trim();
    let bare = trimmed.trim_end_matches(['✓', '✔', ' ']);
    let ticks = trimmed[bare.len()..].chars().filter(|c| *c != ' ').count();
    if ticks > 0 {
        return (bare.to_owned(), Some(Marks::whole(u32::try_from(ticks).unwrap_or(1))));
    }
    let words: Vec<&str> = trimmed.split_whitespace().collect();
    if let Some(note) = marks::at_end(&words).filter(|note| note.scope == Scope::Part) {
        // "(3)" may be an exponent or a case; a small number alone in brackets is a mark.
        let small = note.certainty > Certainty::ByPlace || note.marks <= Marks::whole(4);
        let formula =
            words.len() > note.words && words[words.len() - note.words - 1].ends_with(['=', '+', '−']);
        let before = words.len() - note.words;
        // "light - 1 mark", "light, 1 mark"
        let dash = |word: &str| matches!(word, "-" | "–" | "—");
        let parted = before > 0
            && note.certainty == Certainty::Sure
            && (dash(words[before - 1]) || words[before - 1].ends_with([',', ';', ':', '.', '=']));
        // "higher in the north / 82" offers another wording; a small number may be the column's beside it.
        let offered = before > 0 && words[before] == "/" && note.marks > POINT_MAX;
        // "(a) – (3)" matches two lists, and "a: (3)" fills a blank.
        let matched = before > 0 && note.bracketed && is_matched(&words[before.saturating_sub(2)..before]);
        if small && !formula && !offered && !matched && (note.bracketed || before == 0 || parted) {
            let said = words[..before].join(" ");
            let said = if parted {
                said.trim_end_matches(['-', '–', '—', ',', ';', ':', '=', ' '])
            } else {
                &said
            };
            return (said.to_owned(), Some(note.marks));
        }
    }
    (trimmed.to_owned(), None)
}

/// A letter or a numeral and a sign behind it, and nothing else: "(a) –", "ii:", "B →".
pub(super) fn is_matched(words: &[&str]) -> bool {
    const LETTERS_MAX: usize = 3;
    let [label, sign] = words else { return false };
    let bare = label.trim_matches(['(', ')', '.', '[', ']']);
    let short =
        !bare.is_empty() && bare.len() <= LETTERS_MAX && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
    short && matches!(*sign, "-" | "–" | "—" | "→" | ":" | "=")
}

/// Signs that begin the items of a list.
pub(crate) const BULLETS: [char; 10] = ['•', '●', '▪', '◦', '○', '–', '-', '·', '*', '\u{F0B7}'];

/// Takes a bullet or a list number off a line: "• text", "1. text", "M1 text".
pub(super) fn strip_bullet(text: &str) -> (bool, &str) {
    let rest = text.trim_start_matches(BULLETS).trim_start();
    if rest.len() < text.len() && !rest.is_empty() && !text.starts_with(['-', '–', '*']) {
        return (true, without_count(text, rest));
    }
    if text.starts_with("- ") || text.starts_with("– ") || text.starts_with("* ") {
        return (true, rest);
    }
    let Some((first, after)) = text.split_once(' ') else { return (false, text) };
    let digits = first
        .trim_start_matches(lexicon::notation::MARK_POINT)
        .trim_start_matches('M')
        .trim_end_matches(['.', ')', ':']);
    let counted = !digits.is_empty() && digits.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit());
    let marked = first.len() > digits.len();
    let is_count = counted && marked && !after.trim().is_empty() && !counts_on(first, digits, after);
    if is_count { (true, after.trim()) } else { (false, text) }
}

/// "1. F, 2. P, 3. P" counts within its line: the first count says no less than the others.
fn counts_on(first: &str, digits: &str, after: &str) -> bool {
    let next = digits.parse().map(|count: u32| first.replacen(digits, &(count + 1).to_string(), 1));
    next.is_ok_and(|next| after.split_whitespace().any(|word| word == next))
}

/// "•2 substitute" counts its bullets with a small number right behind them.
fn without_count<'t>(text: &str, rest: &'t str) -> &'t str {
    let glued = text.chars().nth(1).is_some_and(|second| !second.is_whitespace());
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³' | '⁴'..='⁹' | '⁰');
    let counted = rest.trim_start_matches(is_digit);
    let told = glued && counted.len() < rest.len() && counted.starts_with(' ');
    if told { counted.trim_start() } else { rest }
}

/// The marks that the scheme prints for the part as a whole.
pub(super) fn printed_marks(entry: &Entry) -> Option<Marks> {
    let mut bare: Vec<Marks> = Vec::new();
    let mut bracketed: Vec<Marks> = Vec::new();
    let mut lettered = Marks::ZERO;
    for line in &entry.lines {
        let text = line.marks.trim();
        if let Some(mark) = column_mark(text).filter(|mark| mark.lettered) {
            lettered = lettered + mark.worth;
        } else if let Some(number) = bare_number(text) {
            bare.push(number);
        } else if let Some(note) = marks::at_end(&text.split_whitespace().collect::<Vec<_>>())
            && note.scope == Scope::Part
        {
            bracketed.push(note.marks);
        }
    }
    // "max 12" below all points
    let most = entry.lines.iter().rev().find_map(|line| match phrases::limit(line.marks.trim()) {
        Some(Limit::Max(most)) => Some(most),
        _ => None,
    });
    if most.is_some() && bare.is_empty() && bracketed.is_empty() && lettered.is_zero() {
        return most;
    }
    if let Some(highest) = levels::descending(&entry.lines) {
        return Some(highest);
    }
    if let Some(only) = bracketed.first().filter(|_| bracketed.len() == 1 || !lettered.is_zero()) {
        // A sum over several parts stands beside the last of them, whose own marks are fewer.
        return Some(if lettered.is_zero() { *only } else { lettered.min(*only) });
    }
    match bare.as_slice() {
        [] if !bracketed.is_empty() => Some(bracketed.into_iter().sum()),
        [] if !lettered.is_zero() => Some(lettered),
        [] => running_marks(entry),
        // "3" beside the part and "1" beside each of its points; "1" twice are two points.
        [first, rest @ ..]
            if !lettered.is_zero()
                || (rest.iter().copied().sum::<Marks>() == *first
                    && (rest.len() > 1 || *first > Marks::whole(1))) =>
        {
            Some(*first)
        }
        all => Some(all.iter().copied().sum()),
    }
}

/// Marks in running text: "2 : answer" beside a solution, or "(2 marks)" at line ends.
fn running_marks(entry: &Entry) -> Option<Marks> {
    if let Some(marks) = rubric::marks(&entry.lines) {
        return Some(marks);
    }
    let stated = entry.lines.iter().filter_map(|line| {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        let stated = |note: &MarkNote| note.scope == Scope::Part && note.certainty == Certainty::Sure;
        let at_end = marks::at_end(&words).filter(stated);
        let note = at_end
            .filter(|note| note.bracketed || line.repeats_question)
            // What the candidate writes stands in a box behind the question's words.
            .or_else(|| marks::within(&words).filter(|note| line.repeats_question && stated(note)));
        note.map(|note| (note.marks, note.words == words.len())).filter(|(marks, _)| !marks.is_zero())
    });
    let stated: Vec<(Marks, bool)> = stated.collect();
    if !stated.is_empty() {
        return Some(without_sum(&stated));
    }
    // "(1)" after each point, with or without "[2]" for all of them.
    // What stands after "OR" earns the same marks again.
    let own = entry.lines.iter().filter(|line| !line.repeats_question);
    let own = own.enumerate().take_while(|(index, line)| {
        *index == 0 || !lexicon::english::schemes::OR_ALONE.has(line.answer.trim())
    });
    let cuts: Vec<Cut> = own.map(|(_, line)| pieces::cut(&line.answer)).collect();
    let totals: Marks = cuts.iter().filter_map(|cut| cut.total).sum();
    let points = cuts.iter().flat_map(|cut| &cut.pieces).filter_map(|piece| piece.worth);
    let sum: Marks = if totals.is_zero() { points.sum() } else { totals };
    let earned = || entry.lines.iter().filter_map(|line| prices::earned(&line.answer)).sum::<Marks>();
    let sum = if sum.is_zero() { earned() } else { sum };
    (!sum.is_zero()).then_some(sum).or_else(|| stated_once(entry))
}

/// What marks at the ends of lines, each with whether its line holds nothing else, add up to: "(2 marks)" alone below
/// "(1 mark)" and "(1 mark)" is their sum.
fn without_sum(stated: &[(Marks, bool)]) -> Marks {
    let sum = |stated: &[(Marks, bool)]| stated.iter().map(|(marks, _)| *marks).sum::<Marks>();
    match stated {
        [points @ .., (last, true)] if points.len() >= 2 && sum(points) == *last => *last,
        all => sum(all),
    }
}

/// The only statement in brackets and with its unit among an entry's lines, wherever it stands and the lines break.
fn stated_once(entry: &Entry) -> Option<Marks> {
    let words: Vec<&str> = entry.lines.iter().flat_map(|line| line.answer.split_whitespace()).collect();
    let mut found =
        words.iter().enumerate().filter(|(_, word)| word.starts_with(['(', '['])).filter_map(|(at, _)| {
            let end = words.len().min(at + marks::LONGEST_WITHIN);
            marks::within(&words[at..end]).filter(|note| note.scope == Scope::Part)
        });
    let only = found.next()?;
    found.all(|other| other == only).then_some(only.marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_may_add_its_marks_up() {
        let read = |text: &str| bare_number(text).map(Marks::as_number);
        assert_eq!(read("1+1"), Some(2.0));
        assert_eq!(read("½ + ½ + 1"), Some(2.0));
        assert_eq!(read("½×4"), Some(2.0));
        for other in ["+", "1+", "+1", "1×", "x×2", "1+a", "2×1000"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn a_large_number_behind_a_stroke_is_another_wording() {
        let read = |text: &str| trailing_mark(text);
        assert_eq!(read("more live in the north / 82"), ("more live in the north / 82".to_owned(), None));
        assert_eq!(
            read("more live in the north / 2"),
            ("more live in the north".to_owned(), Some(Marks::whole(2)))
        );
        assert_eq!(read("iron (1)"), ("iron".to_owned(), Some(Marks::whole(1))));
    }
}
