//! Marks as boards print them: `[3]`, `(3 marks)`, `(3)` at the right edge, `/3`, `[Total: 10]`,
//! `(Total for Question 5 is 12 marks)`, `The total mark for this paper is 60`.

mod alone;
mod categories;
mod lettered;
mod numbers;
mod out_of;
mod product;
pub(crate) mod quarters;
pub(crate) mod total;

pub use alone::alone;
pub(crate) use lettered::with_letter;
pub(crate) use out_of::at_start as out_of_at_start;
pub use total::paper_total;
pub(crate) use total::score_box;

use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::papers;
use numbers::{
    factors, from_nothing, in_steps, number_with_unit, of_three_kinds, read_number, sum_of_repeats,
};

/// A statement about marks at the end of a line or on a line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkNote {
    /// What the marks are for.
    pub scope: Scope,
    /// How many.
    pub marks: Marks,
    /// How sure the print is: `(3)` may be anything, `[3 marks]` may not.
    pub certainty: Certainty,
    /// True when brackets part it from the text before it.
    pub bracketed: bool,
    /// "(5 x 2) (10)": the marks are those of several parts, as many as one of the two numbers.
    pub shared: Option<(u32, u32)>,
    /// How many words it takes up.
    pub words: usize,
}

/// What a statement about marks covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The part it stands in.
    Part,
    /// The whole question, named or not.
    Question(Option<u32>),
    /// The whole paper.
    Paper,
}

/// How much a mark's print says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A number in round brackets: a mark only where a column of them stands at the right edge.
    ByPlace,
    /// A number in square brackets.
    Likely,
    /// The word "marks" or "points" stands with it.
    Sure,
}

/// A statement inside a line has no more words.
pub const LONGEST_WITHIN: usize = 16;

/// Reads the statement about marks that a line ends with.
pub fn at_end(words: &[&str]) -> Option<MarkNote> {
    const LONGEST: usize = 9;
    const LONGEST_EXPLAINED: usize = 16;
    let longest = words.len().min(LONGEST_EXPLAINED);
    // The longest statement wins, so that "(Total for Question 5 is 12 marks)" is read whole.
    (1..=longest).rev().find_map(|count| {
        let (before, own) = words.split_at(words.len() - count);
        if count > LONGEST && !own[0].starts_with(['(', '[']) {
            return None;
        }
        // "100 / 5" divides, and so does "(total / 5)".
        let divided = own[0].starts_with('/')
            && (closes_more(own) || before.last().is_some_and(|word| may_be_divided(word)));
        let note = statement(own).or_else(|| percentage(own)).or_else(|| lettered::statement(own));
        let note = note.or_else(|| categories::statement(own)).or_else(|| extra(own));
        // "(5 x 1) ..... /5": room for the mark behind its product.
        let note = note.filter(|note| !divided || product::before(before, note).is_some())?;
        // A product before the sign of its sum is none of the statement's.
        let sum = own.iter().rposition(|word| *word == "=").map_or(before.len(), |at| before.len() + at + 1);
        let sum_alone = product::before(&words[..sum], &note).filter(|_| sum > before.len());
        let count = if sum_alone.is_some() { words.len() - sum } else { count };
        let (shared, product) = sum_alone.or_else(|| product::before(before, &note)).unzip();
        Some(MarkNote { words: count + product.unwrap_or(0), shared: shared.or(note.shared), ..note })
    })
}

/// "[SPaG 4 marks]": what spelling earns beside what is said.
fn extra(words: &[&str]) -> Option<MarkNote> {
    let [name, number, rest @ ..] = words else { return None };
    let bracket = name.get(..1).filter(|bracket| matches!(*bracket, "[" | "("))?;
    let name = name[1..].trim_end_matches(':').to_lowercase();
    let opened = format!("{bracket}{number}");
    let own: Vec<&str> = std::iter::once(opened.as_str()).chain(rest.iter().copied()).collect();
    let note = statement(&own).filter(|note| note.certainty == Certainty::Sure)?;
    lexicon::is(Concept::SpellingMarks, &name).then_some(MarkNote { words: words.len(), ..note })
}

/// True for what may stand before a fraction's stroke: a number, a letter, a bracket's end but no word's.
fn may_be_divided(word: &str) -> bool {
    let worded =
        word.strip_suffix(')').is_some_and(|word| word.len() > 3 && word.chars().all(char::is_alphabetic));
    word.len() == 1 || (word.ends_with(|c: char| c.is_ascii_digit() || c == ')') && !worded)
}

/// A bracket closes that these words do not open.
fn closes_more(words: &[&str]) -> bool {
    let count = |wanted: [char; 2]| words.iter().map(|word| word.matches(wanted).count()).sum::<usize>();
    count([')', ']']) > count(['(', '['])
}

/// Reads the statement about marks that a text begins with: `Problem 3 (10 points)`, `Question 1 - 4 marks`.
pub fn at_start(words: &[&str]) -> Option<MarkNote> {
    let dash = usize::from(words.first().is_some_and(|word| matches!(*word, "-" | "–" | "—" | ":" | "|")));
    let words = &words[dash..];
    let longest = words.len().min(5);
    (1..=longest).rev().find_map(|count| {
        let share = || {
            let note = percentage(&words[..count])?;
            Some(MarkNote { certainty: Certainty::Likely, ..note })
        };
        let note = statement(&words[..count]).or_else(share).or_else(|| named(&words[..count]))?;
        Some(MarkNote { words: dash + count, ..note })
    })
}

/// `Valor: 2,0`: what heads a column of marks elsewhere, and their number.
fn named(words: &[&str]) -> Option<MarkNote> {
    let [name, number] = words else { return None };
    let name = name.strip_suffix(':')?.to_lowercase();
    let marks = Marks::from_number(read_number(number.trim_end_matches('.'))?);
    let marks = marks.filter(|marks| !marks.is_zero() && lexicon::is(Concept::MarksColumn, &name))?;
    let (scope, certainty) = (Scope::Part, Certainty::Sure);
    Some(MarkNote { scope, marks, certainty, bracketed: false, shared: None, words: 0 })
}

/// Reads the marks that stand before a label: `[2] 1. Name a gas`, `3p 1 Name a gas`, `3 pts a. Name a gas`.
pub fn before_label(words: &[&str]) -> Option<MarkNote> {
    let bracketed = at_start(words).filter(|note| note.bracketed);
    let counted = || {
        let note = statement(words.get(..2)?)?;
        let plain = note.certainty == Certainty::Sure && read_number(words[0]).is_some();
        plain.then_some(MarkNote { words: 2, ..note })
    };
    bracketed.or_else(counted).or_else(|| {
        let marks = Marks::from_number(number_with_unit(words.first()?)?).filter(|marks| !marks.is_zero())?;
        let (scope, certainty) = (Scope::Part, Certainty::Sure);
        Some(MarkNote { scope, marks, certainty, bracketed: false, shared: None, words: 1 })
    })
}

/// `(20%)` right after a label: a share of a paper of a hundred marks.
fn percentage(words: &[&str]) -> Option<MarkNote> {
    let [only] = words else { return None };
    let inner = only.trim_end_matches([':', '.']).strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let marks =
        Marks::from_number(read_number(inner.strip_suffix('%')?)?).filter(|marks| !marks.is_zero())?;
    let (scope, certainty) = (Scope::Part, Certainty::ByPlace);
    Some(MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: 0 })
}

/// Reads words that are a statement about marks from end to end.
fn statement(words: &[&str]) -> Option<MarkNote> {
    let joined = without_breakdown(&words.join(" "));
    let text = joined.trim_end_matches(['.', ':']);
    if let Some(note) = total_before_bracket(text) {
        return Some(note);
    }
    if let Some(note) = out_of::room(text).or_else(|| out_of::said(text)) {
        return Some(note);
    }
    let (inner, bracket) = match text.as_bytes().first()? {
        b'[' => (text.strip_prefix('[')?.strip_suffix(']')?, Some('[')),
        b'(' => (text.strip_prefix('(')?.strip_suffix(')')?, Some('(')),
        _ => (text, None),
    };
    if inner.contains(['(', '[', ')', ']']) || inner.is_empty() {
        return None;
    }
    let inner = if bracket.is_some() { without_lead(without_explanation(inner)) } else { inner };
    // "total = 1" is a line of a program.
    let assigns = bracket.is_none() && inner.contains('=') && !inner.starts_with(char::is_uppercase);
    if assigns && !inner.split(' ').any(|word| is_unit(&word.to_lowercase())) {
        return None;
    }
    read_inner(&inner.to_lowercase(), bracket)
}

/// The statement that stands inside a line in brackets, with its unit: `The index is (1 point) nopqr`.
pub fn within(words: &[&str]) -> Option<MarkNote> {
    let opens = (0..words.len()).filter(|at| words[*at].starts_with(['(', '[']));
    opens.into_iter().find_map(|at| {
        let longest = (words.len() - at).min(LONGEST_WITHIN);
        let closes = (1..=longest).find(|count| words[at + count - 1].contains([')', ']']))?;
        statement(&words[at..at + closes]).filter(|note| note.certainty == Certainty::Sure)
    })
}

/// `Puntuación máxima: 2 puntos` without what names the marks; a total is one of more than this part.
fn without_lead(inner: &str) -> &str {
    const LEAD_WORDS_MAX: usize = 3;
    let Some((lead, said)) = inner.split_once(':') else { return inner };
    let words: Vec<&str> = lead.split_whitespace().collect();
    let names = words.len() <= LEAD_WORDS_MAX
        && words.iter().all(|word| word.chars().all(char::is_alphabetic) && !is_total(&word.to_lowercase()));
    let said = said.trim();
    let counted = matches!(
        said.split(' ').collect::<Vec<_>>().as_slice(),
        [number, unit] if read_number(number).is_some() && is_unit(&unit.to_lowercase())
    );
    if names && counted { said } else { inner }
}

/// `2 points, 1 for a close value`: what the marks are given for stands behind them.
fn without_explanation(inner: &str) -> &str {
    let said = inner.split_once([',', ';', ':', '=', '-', '–']).map(|(said, _)| said.trim());
    let counts = |said: &&str| {
        let words: Vec<&str> = said.split(' ').collect();
        matches!(words.as_slice(), [number, unit] if read_number(number).is_some() && is_unit(&unit.to_lowercase()))
    };
    said.filter(counts).unwrap_or(inner)
}

/// `12 (2, 4, 6) marks` without what the marks are made of: `12 marks`.
fn without_breakdown(text: &str) -> String {
    let breakdown = text.split_once('(').and_then(|(before, rest)| {
        let (inner, after) = rest.split_once(')')?;
        let listed =
            inner.contains(',') && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '));
        let counts = before.trim_end().ends_with(|c: char| c.is_ascii_digit());
        (listed && counts).then(|| format!("{}{after}", before.trim_end()))
    });
    breakdown.unwrap_or_else(|| text.to_owned())
}

/// `Total [5 marks]`, `Total = (5)`
fn total_before_bracket(text: &str) -> Option<MarkNote> {
    let (first, rest) = text.split_once([' ', ':', '='])?;
    let inner =
        rest.trim_start_matches([' ', ':', '=']).strip_prefix(['[', '('])?.strip_suffix([']', ')'])?;
    let plain = is_total(&first.to_lowercase()) && !inner.contains(['(', '[', ')', ']']);
    let note = plain.then(|| read_inner(&inner.to_lowercase(), Some('[')))??;
    Some(MarkNote { scope: Scope::Question(None), certainty: Certainty::Sure, ..note })
}

fn read_inner(inner: &str, bracket: Option<char>) -> Option<MarkNote> {
    // "(–0.4 × 10 = –4)" is working.
    let negative = |text: &str| text.trim_start().starts_with(['-', '–', '−', '—']);
    if negative(inner) || inner.rsplit_once('=').is_some_and(|(_, sum)| negative(sum)) {
        return None;
    }
    // "(+2 pts)"
    let added = inner.strip_prefix('+').filter(|rest| bracket.is_some() && rest.split(' ').any(is_unit));
    let inner = added.unwrap_or(inner);
    let inner = &inner.replace(" x ", "×").replace(" × ", "×").replace(" + ", "+");
    if let Some(marks) = from_nothing(inner).filter(|_| bracket.is_some()) {
        let (scope, certainty) = (Scope::Part, Certainty::Likely);
        return Some(MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: 0 });
    }
    if let Some(marks) = in_steps(inner).filter(|_| bracket.is_some()) {
        let (scope, certainty) = (Scope::Part, Certainty::Sure);
        return Some(MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: 0 });
    }
    if let Some(marks) = of_three_kinds(inner) {
        let bracketed = bracket.is_some();
        let (scope, certainty) = (Scope::Part, if bracketed { Certainty::Sure } else { Certainty::ByPlace });
        return Some(MarkNote { scope, marks, certainty, bracketed, shared: None, words: 0 });
    }
    let mut found: Vec<f64> = Vec::new();
    let named = if bracket.is_some() { behind_name(inner) } else { None };
    let (mut unit, mut total, mut question) = (named.is_some(), false, None);
    let mut previous = "";
    for word in named.unwrap_or(inner).split([' ', ':', '=', '–', '-', '—']).filter(|word| !word.is_empty())
    {
        if let Some(number) = read_number(word) {
            if papers::NUMBERED.has(previous) {
                question = Some(number as u32);
            } else {
                found.push(number);
            }
        } else if let Some(number) = number_with_unit(word) {
            found.push(number);
            unit = true;
        } else if is_unit(word) || (bracket.is_some() && is_short_unit(word)) {
            // "60 m" without brackets is a length.
            unit = true;
        } else if is_total(word) {
            total = true;
        } else if !lexicon::is(Concept::MarkFiller, word) {
            return None;
        }
        previous = word;
    }
    let marks = sum_of_repeats(&found, inner)?;
    let shared = factors(inner).filter(|(one, other)| Marks::whole(one * other) == marks);
    let bare = !unit && !total;
    if bracket.is_none() && (bare || !starts_like_a_statement(inner)) {
        return None;
    }
    if bare && inner.contains(' ') && inner.contains(char::is_alphabetic) {
        return None;
    }
    let scope = match (total, question) {
        _ if papers::WHOLE.within(inner) => Scope::Paper,
        (_, Some(number)) => Scope::Question(Some(number)),
        (true, None) => Scope::Question(None),
        (false, None) => Scope::Part,
    };
    let certainty = match (bare, bracket) {
        (false, _) => Certainty::Sure,
        (true, Some('[')) => Certainty::Likely,
        (true, _) => Certainty::ByPlace,
    };
    Some(MarkNote { scope, marks, certainty, bracketed: bracket.is_some(), shared, words: 0 })
}

/// What stands behind the word that names marks: the "0,5" of "valor: 0,5". Without a colon the word must do so beside
/// numbers of marks as well: "note 3" points at a note.
fn behind_name(inner: &str) -> Option<&str> {
    let (name, rest) = inner.split_once([':', ' '])?;
    let filler = lexicon::is(Concept::MarkFiller, name) || inner[name.len()..].starts_with(':');
    (filler && lexicon::is(Concept::MarksColumn, name) && !is_total(name)).then_some(rest)
}

/// Without brackets only "3 marks", "Total 9 marks" and the like count, not any sentence.
fn starts_like_a_statement(inner: &str) -> bool {
    let first = inner.split(' ').next().unwrap_or_default();
    let word = first.trim_end_matches([':', '=']);
    // "Points: 3", in any language.
    let counted = || inner.split_once(' ').is_some_and(|(_, rest)| read_number(rest).is_some());
    read_number(first).is_some()
        || is_total(word)
        || (is_unit(word) && counted())
        || papers::MARKS.begin(first)
}

/// True for a word that counts marks, in any language.
pub(crate) fn is_unit(word: &str) -> bool {
    lexicon::is(Concept::MarkUnit, word.trim_end_matches(['.', ')']))
}

/// True for a letter that counts marks in brackets: "(3 P.)".
pub(crate) fn is_short_unit(word: &str) -> bool {
    lexicon::is(Concept::ShortUnit, word.trim_end_matches('.'))
}

fn is_total(word: &str) -> bool {
    lexicon::is(Concept::Total, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<(Scope, f64, Certainty)> {
        let words: Vec<&str> = text.split(' ').collect();
        at_end(&words).map(|note| (note.scope, note.marks.as_number(), note.certainty))
    }

    #[test]
    fn marks_may_be_named_before_their_number() {
        let read = |text: &str| at_end(&text.split_whitespace().collect::<Vec<_>>());
        let part = read("Calcule el beneficio. (Puntuación máxima: 2 puntos)").unwrap();
        assert_eq!((part.scope, part.marks), (Scope::Part, Marks::whole(2)));
        assert_ne!(read("Work it out. (Total: 6 marks)").unwrap().scope, Scope::Part);
    }

    #[test]
    fn part_marks_are_read() {
        use Certainty::{ByPlace, Likely, Sure};
        assert_eq!(end("Define the term. [2]"), Some((Scope::Part, 2.0, Likely)));
        assert_eq!(end("Define it. [2 marks]"), Some((Scope::Part, 2.0, Sure)));
        assert_eq!(end("(3)"), Some((Scope::Part, 3.0, ByPlace)));
        assert_eq!(end("(1 mark)"), Some((Scope::Part, 1.0, Sure)));
        assert_eq!(end("State it. 4 marks"), Some((Scope::Part, 4.0, Sure)));
        assert_eq!(end("(10 points)"), Some((Scope::Part, 10.0, Sure)));
        assert_eq!(end("[2½]"), Some((Scope::Part, 2.5, Likely)));
        assert_eq!(end("(5 x 2) [2+2+1]"), Some((Scope::Part, 5.0, Likely)));
        assert_eq!(end("(4p)"), Some((Scope::Part, 4.0, Sure)));
        assert_eq!(end("(10pts)"), Some((Scope::Part, 10.0, Sure)));
        assert_eq!(end("(5×2=10)"), Some((Scope::Part, 10.0, ByPlace)));
        assert_eq!(end("[5 x 2 = 10]"), Some((Scope::Part, 10.0, Likely)));
        let words = ["iron;", "zinc.", "2", "x", "3p.", "=", "6", "puncte"];
        let note = at_end(&words).map(|note| (note.marks.as_number(), note.shared, note.words));
        assert_eq!(note, Some((6.0, Some((2, 3)), 6)));
        assert_eq!(at_end(&["(5", "x", "2)", "(10)"]).and_then(|note| note.shared), Some((5, 2)));
        assert_eq!(end("Name a gas. ___/2"), Some((Scope::Part, 2.0, Likely)));
        assert_eq!(end("Name a gas. /2"), Some((Scope::Part, 2.0, Likely)));
        assert_eq!(end("Zelle ____ / 5 P."), Some((Scope::Part, 5.0, Likely)));
        assert_eq!(end("one half is 1/2"), None);
        assert_eq!(end("Work out 100 / 5"), None);
        assert_eq!(end("60 m"), None);
        assert_eq!(
            end("The tag is (1 point; 0.5 for its size, 0.5 for its place)"),
            Some((Scope::Part, 1.0, Sure))
        );
        assert_eq!(end("How many? (2 points, 1 for 3 or 6)"), Some((Scope::Part, 2.0, Sure)));
        assert_eq!(end("a = 2 (3 points: formula 1, values 1, unit 1)"), Some((Scope::Part, 3.0, Sure)));
        assert_eq!(end("Solve it. (2/1/0)"), Some((Scope::Part, 3.0, Sure)));
        assert_eq!(end("Calcule a massa. (valor: 0,5)"), Some((Scope::Part, 0.5, Sure)));
        assert_eq!(end("Bonus (+2 pts):"), Some((Scope::Part, 2.0, Sure)));
        assert_eq!(end("is it? [K/U 2]"), Some((Scope::Part, 2.0, Certainty::ByPlace)));
        assert_eq!(end("see (note 3)"), None);
        assert_eq!(end("B (–0.4 × 10 = –4)"), None);
        let led = |text: &str| out_of_at_start(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(led("is out of 4: movement is caused by the price"), Some((Marks::whole(4), 4)));
        assert_eq!(led("Out of 12 marks: the curve is drawn"), Some((Marks::whole(12), 4)));
        assert_eq!(led("is out of date: 4"), None);
        assert_eq!(end("Solve it. 2/1/0"), Some((Scope::Part, 3.0, ByPlace)));
        assert_eq!(end("Marked out of 2.00"), Some((Scope::Part, 2.0, Sure)));
        assert_eq!(end("Mark 0.50 out of 1.00"), Some((Scope::Part, 1.0, Sure)));
        assert_eq!(end("one out of 5"), None);
        assert_eq!(end("[0 / ½ / 1 P.]"), Some((Scope::Part, 1.0, Sure)));
        assert_eq!(end("maximumscore 3"), Some((Scope::Part, 3.0, Sure)));
        assert_eq!(end("on (1/2/2020)"), None);
        assert_eq!(end("a quarter (1/4)"), None);
        assert_eq!(end("Void (due to a misprint, 0 points)"), None);
    }

    #[test]
    fn totals_are_told_from_part_marks() {
        let of = |number, marks| Some((Scope::Question(number), marks, Certainty::Sure));
        assert_eq!(end("(Total for Question 5 is 12 marks)"), of(Some(5), 12.0));
        assert_eq!(end("[Total: 10]"), of(None, 10.0));
        assert_eq!(end("(Total 9 marks)"), of(None, 9.0));
        assert_eq!(end("Total for Question 2 = 10 marks"), of(Some(2), 10.0));
        assert_eq!(end("Total 9 marks"), of(None, 9.0));
        assert_eq!(end("Total [9 marks]"), of(None, 9.0));
        assert_eq!(end("TOTAL FOR PAPER IS 100 MARKS"), Some((Scope::Paper, 100.0, Certainty::Sure)));
    }

    #[test]
    fn other_brackets_are_no_marks() {
        for text in [
            "(line 3)",
            "see (a)",
            "[Turn over",
            "(b)",
            "f(3)",
            "in 2019.",
            "(2018 to 2019)",
            "[0]",
            "are 14",
        ] {
            assert_eq!(end(text), None, "{text}");
        }
    }
}
