//! A line of an answer cut where it holds several points: at marks inside it, at semicolons, at "1 mark
//! for", and at remarks such as "(accept CO2)".

use super::column::{is_matched, trailing_mark};
use super::phrases::{self, Remark};
use super::{prices, worth};
use crate::marks::{self, Certainty, MarkNote, Scope, quarters};
use domain::marks::Marks;
use lexicon::Concept;
use lexicon::english::{joints, schemes};

/// A piece of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) worth: Option<Marks>,
    /// Nothing that follows belongs to it.
    pub(super) closed: bool,
    /// What the piece says about the point before it, if it is no point itself.
    pub(super) remark: Option<Remark>,
}

impl Piece {
    fn new(text: &str, worth: Option<Marks>, closed: bool) -> Piece {
        Piece { text: trimmed(text).to_owned(), worth, closed, remark: None }
    }
}

/// A line in pieces, and the marks that it prints for all of them together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cut {
    pub(super) pieces: Vec<Piece>,
    pub(super) total: Option<Marks>,
    /// Marks right after others in the same brackets, "(2) (4)", which were added to the last piece and may
    /// as well sum up all points so far.
    pub(super) doubted: Option<Marks>,
    /// The first piece is a point of its own, whatever stands before it.
    pub(super) opens: bool,
}

/// Cuts a line.
pub(super) fn cut(text: &str) -> Cut {
    let text = &spaced_ticks(without_lead(text));
    if let Some((list, each)) = prices::each(text) {
        let items = phrases::items(list).into_iter().map(|item| Piece::new(item, Some(each), true));
        return Cut { pieces: items.collect(), opens: true, ..Cut::default() };
    }
    if let Some(priced) = prices::priced_list(text) {
        let last = priced.len() - 1;
        let piece = |(index, (marks, text)): (usize, (Marks, String))| {
            // The last may go on in the next line.
            Piece::new(&text, Some(marks), index < last || text.ends_with(['.', ';']))
        };
        let pieces = priced.into_iter().enumerate().map(piece).collect();
        return Cut { pieces, opens: true, ..Cut::default() };
    }
    let cut = at_marks(text);
    let pieces =
        cut.pieces.into_iter().flat_map(at_semicolons).flat_map(|piece| at_remarks(&piece)).collect();
    Cut { pieces, ..cut }
}

/// Takes "Answer:", "Ans.", "Solution:" off the beginning.
pub(super) fn without_lead(text: &str) -> &str {
    let trimmed = text.trim();
    let lower = trimmed.to_lowercase();
    let lead = lexicon::begins_with(Concept::AnswerLead, &lower);
    let rest = lead.and_then(|lead| trimmed.get(lead..));
    let rest = rest.and_then(|rest| rest.trim_start().strip_prefix([':', '-', '–', '.', '=']));
    rest.map_or(trimmed, str::trim)
}

/// Takes off what joins a piece to its neighbours.
fn trimmed(text: &str) -> &str {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    // "carbon dioxide ✓ /": the next line is another point.
    let text = text.strip_suffix(" /").or_else(|| text.strip_prefix("/ ")).unwrap_or(text);
    let text = if text == "/" { "" } else { text };
    text.strip_prefix(joints::AND.trim_start()).unwrap_or(text).trim()
}

/// Cuts after each mark inside the line, provided that the line ends with one too or with a remark: a line
/// that begins with "(1)" and goes on to "(2)" counts something.
fn at_marks(text: &str) -> Cut {
    let paired = paired_quarters(text);
    let text = paired.as_str();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut total, mut doubted, mut bracket) = (None, None, None);
    // A line may begin with the mark of what stands above it, if the mark says so by its unit.
    let above = mark_at(&words, 0).filter(|note| note.certainty == Certainty::Sure);
    let (mut from, mut at) = (0, usize::from(above.is_none()));
    let (mut all_sure, mut all_ticks) = (true, true);
    while at < words.len() {
        let Some(note) = mark_at(&words, at) else {
            at += 1;
            continue;
        };
        // "(a) – (3); (b) – (4)" matches two lists.
        if is_matched(&words[at.saturating_sub(2).max(from)..at]) {
            at += note.words;
            continue;
        }
        let said = words[from..at].join(" ");
        let own = words[at].chars().next();
        all_sure &= note.certainty > Certainty::ByPlace;
        // A root whose number went astray is no tick either.
        all_ticks &= words[at].chars().all(|sign| sign != '√' && TICKS.contains(&sign));
        match pieces.last_mut() {
            // "(1 mark) (3 marks maximum)"
            Some(_) if trimmed(&said).is_empty() && limits(&words[at..at + note.words]) => {}
            // "(1) [2]": the second mark sums up; "(1) (1)" adds up.
            Some(_) if trimmed(&said).is_empty() && own != bracket => total = Some(note.marks),
            Some(last) if trimmed(&said).is_empty() => {
                last.worth = last.worth.map(|worth| worth + note.marks);
                doubted = Some(note.marks);
            }
            _ => pieces.push(Piece::new(&said, Some(note.marks), true)),
        }
        (from, at, bracket) = (at + note.words, at + note.words, own);
    }
    let rest = words[from.min(words.len())..].join(" ");
    let rest = trimmed(&rest);
    if rest.is_empty() && !pieces.is_empty() {
        return Cut { pieces, total, doubted, opens: false };
    }
    let remarked = phrases::remark(rest.trim_start_matches('(')).0 != Remark::Note;
    if remarked && !pieces.is_empty() {
        pieces.push(Piece::new(rest, None, true));
        return Cut { pieces, total, doubted, opens: false };
    }
    // "N ✓ straight up", "= 40 × 2 ✓ = 80 kg": the tick stands inside its point.
    let inside = |last: &Piece| last.text.chars().count() <= 2 || rest.starts_with(OPERATORS);
    if let Some(last) = pieces.last_mut().filter(|last| all_ticks && inside(last)) {
        last.text = format!("{} {rest}", last.text);
        return Cut { pieces, total, doubted, opens: false };
    }
    // "… of demand (1 mark) together with": the next line goes on with another point.
    if (all_sure || all_ticks) && !pieces.is_empty() {
        pieces.push(Piece::new(rest, None, false));
        return Cut { pieces, total, doubted, opens: false };
    }
    let (text, worth) = trailing_mark(text);
    let whole = Piece { worth, closed: worth.is_some() || text.ends_with(';'), text, remark: None };
    Cut { pieces: vec![whole], ..Cut::default() }
}

/// The text with each two odd quarters of a mark as one mark behind both points: "iron (0,25), zinc (0,25)" is
/// "iron, zinc (0.5)".
fn paired_quarters(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    let (mut open, mut at) = (None, 0);
    while at < words.len() {
        let Some((quarters, count)) = quarters::at_start(&words[at..]) else {
            kept.push(words[at].to_owned());
            at += 1;
            continue;
        };
        at += count;
        match open.take() {
            Some(before) => kept.push(format!("({})", Marks::halves((before + quarters) / 2))),
            None => {
                open = Some(quarters);
                let goes_on = at < words.len();
                if let Some(last) = kept.last_mut().filter(|last| goes_on && !last.ends_with(',')) {
                    last.push(',');
                }
            }
        }
    }
    // A quarter without another stays as it is printed.
    if open.is_some() || kept.len() == words.len() { text.to_owned() } else { kept.join(" ") }
}

/// The mark in brackets that stands here, with what parts it from the next point.
fn mark_at(words: &[&str], at: usize) -> Option<MarkNote> {
    if let Some(marks) = ticks(words.get(at)?) {
        let (scope, certainty) = (Scope::Part, Certainty::Likely);
        let counted = ticked(words, at);
        let (marks, words) = counted.map_or((marks, 1), |counted| (counted, 2));
        return Some(MarkNote { scope, marks, certainty, bracketed: true, shared: None, words });
    }
    let longest = if words[at].starts_with(['(', '[']) { (words.len() - at).min(LONGEST_MARK) } else { 0 };
    (1..=longest).find_map(|count| {
        let mut own: Vec<&str> = words[at..at + count].to_vec();
        let last = own.last_mut()?;
        *last = last.trim_end_matches([',', ';', '.', ':']);
        if let Some(marks) = spelled(&own) {
            let (scope, certainty) = (Scope::Part, Certainty::Sure);
            return Some(MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: count });
        }
        let note = marks::at_end(&own).filter(|note| note.words == count && note.bracketed)?;
        let small = note.certainty > Certainty::ByPlace || note.marks <= Marks::whole(4);
        let formula = at > 0 && words[at - 1].ends_with(['=', '+', '−', '×', '/']);
        (small && !formula && note.scope == Scope::Part).then_some(note)
    })
}

/// "(Up to 3 marks)", "(3 marks maximum)" and "[1 additional]": what the words in brackets are worth.
fn spelled(words: &[&str]) -> Option<Marks> {
    let joined = words.join(" ");
    let inner = joined.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.or_else(|| joined.strip_prefix('[')?.strip_suffix(']'))?.to_lowercase();
    let own: Vec<&str> = inner.split_whitespace().collect();
    let (number, rest) = match own.as_slice() {
        [number, rest @ ..] if !rest.is_empty() && lexicon::small_number(number).is_some() => (number, rest),
        _ => return worth::worth(&inner),
    };
    let told = |word: &&str| schemes::MOST.has(word) || schemes::ADDITIONAL.has(word);
    let unit = |word: &&str| marks::is_unit(word);
    let all = rest.iter().all(|word| told(word) || unit(word)) && rest.iter().any(told);
    lexicon::small_number(number).filter(|_| all).map(Marks::whole)
}

/// True for "(3 marks maximum)", which limits the marks before it.
fn limits(words: &[&str]) -> bool {
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    words.iter().any(|word| schemes::MOST.has(&bare(word)))
}

/// No mark among the words of a line has more: "(up to 3 marks)".
const LONGEST_MARK: usize = 4;

/// What a formula goes on with.
const OPERATORS: [char; 7] = ['=', '+', '−', '×', '÷', '<', '>'];

/// Signs of a tick.
const TICKS: [char; 4] = ['✓', '✔', '√', '\u{F0FC}'];

/// What a word of nothing but ticks is worth. Without its font's table, the tick of a symbol font is a "ü".
fn ticks(word: &str) -> Option<Marks> {
    let all = |tick: &[char]| !word.is_empty() && word.chars().all(|c| tick.contains(&c));
    let count = u32::try_from(word.chars().count()).ok()?;
    (all(&TICKS) || all(&['ü'])).then(|| Marks::whole(count))
}

/// What the number behind a tick says that it is worth: "✓1", "✓½". A number that a formula goes on with is none.
fn ticked(words: &[&str], at: usize) -> Option<Marks> {
    let half = |word: &str| (word == "½").then(|| Marks::halves(1));
    let bare = words.get(at + 1)?.trim_end_matches([',', ';', '.']);
    let worth = half(bare).or_else(|| bare.parse().ok().filter(|count| *count <= 4).map(Marks::whole))?;
    let next = words.get(at + 2).and_then(|next| next.chars().next());
    next.is_none_or(|next| next.is_alphabetic() || matches!(next, '(' | '=' | '[')).then_some(worth)
}

/// True for a text with a tick in it.
pub(super) fn is_ticked(text: &str) -> bool {
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if TICKS.contains(&sign) && !is_root(sign, signs.peek().copied()) {
            return true;
        }
    }
    false
}

/// True for a sign with something under its root: "√3", "√(2gh)".
fn is_root(sign: char, next: Option<char>) -> bool {
    let parts = |next: char| next.is_whitespace() || matches!(next, '√' | '/' | ';' | ',' | '.');
    sign == '√' && !next.is_none_or(parts)
}

/// Parts ticks from the words that they are glued to: "light✓" is "light ✓". A root sign before a number is none.
fn spaced_ticks(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    let mut in_tick = false;
    while let Some(sign) = signs.next() {
        let tick = TICKS.contains(&sign) && !is_root(sign, signs.peek().copied());
        if tick != in_tick && !spaced.is_empty() && !spaced.ends_with(' ') && !sign.is_whitespace() {
            spaced.push(' ');
        }
        in_tick = tick;
        spaced.push(sign);
    }
    spaced
}

/// Cuts at semicolons outside brackets. Marks printed for all are shared out when they come out even.
fn at_semicolons(piece: Piece) -> Vec<Piece> {
    let mut parts: Vec<&str> = Vec::new();
    let (mut depth, mut from) = (0i32, 0);
    for (at, character) in piece.text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ';' if depth <= 0 => {
                parts.push(&piece.text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&piece.text[from..]);
    let real: Vec<&str> = parts.into_iter().filter(|part| part.chars().any(char::is_alphanumeric)).collect();
    let count = u32::try_from(real.len()).unwrap_or(u32::MAX);
    if count < 2 {
        return vec![piece];
    }
    let share = match piece.worth {
        None => None,
        Some(worth) if worth.as_halves().is_multiple_of(2 * count) => {
            Some(Marks::halves(worth.as_halves() / count))
        }
        Some(_) => return vec![piece],
    };
    let last = real.len() - 1;
    let cut = |(index, part): (usize, &&str)| {
        let closed = index < last || piece.closed;
        Piece::new(part, share, closed)
    };
    real.iter().enumerate().map(cut).collect()
}

/// Takes "(accept CO2)" out of a piece and tells a piece that is a remark from a point.
fn at_remarks(piece: &Piece) -> Vec<Piece> {
    let mut kept = piece.clone();
    let mut remarks = Vec::new();
    while let Some((before, inner, after)) = bracketed_remark(&kept.text) {
        let (remark, wording) = phrases::remark(&inner);
        remarks.push(Piece { text: wording.to_owned(), worth: None, closed: true, remark: Some(remark) });
        kept.text = trimmed(&format!("{before} {after}")).to_owned();
    }
    if let Some((before, shouted)) = shouted_remark(&kept.text) {
        let (remark, wording) = phrases::remark(&shouted);
        remarks.push(Piece { text: wording.to_owned(), worth: None, closed: true, remark: Some(remark) });
        kept.text = trimmed(&before).to_owned();
    }
    let (remark, wording) = phrases::remark(&kept.text);
    if remark != Remark::Note && !wording.is_empty() && !schemes::CREDIT.begin(&kept.text.to_lowercase()) {
        kept = Piece { text: wording.to_owned(), worth: None, closed: piece.closed, remark: Some(remark) };
    }
    if kept.text.is_empty() && kept.worth.is_none() {
        return remarks;
    }
    std::iter::once(kept).chain(remarks).collect()
}

/// "heated / vaporised IGNORE evaporated": what stands before a remark in capitals, and the remark.
fn shouted_remark(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let shouts = |word: &str| {
        word.len() > 3 && word.chars().all(char::is_uppercase) && phrases::remark(word).0 != Remark::Note
    };
    // Where all is in capitals nothing stands out.
    let plain = |words: &[&str]| words.iter().any(|word| word.contains(char::is_lowercase));
    let at = (1..words.len().saturating_sub(1)).find(|at| shouts(words[*at]))?;
    (plain(&words[..at]) && plain(&words[at..])).then(|| (words[..at].join(" "), words[at..].join(" ")))
}

/// The first remark in brackets, with what stands before and after it.
fn bracketed_remark(text: &str) -> Option<(String, String, String)> {
    let starts = text.match_indices('(');
    starts.into_iter().find_map(|(open, _)| {
        let inner = &text[open + 1..];
        let close = inner.find(')')?;
        let (remark, wording) = phrases::remark(&inner[..close]);
        let real = remark != Remark::Note && !wording.is_empty();
        real.then(|| (text[..open].to_owned(), inner[..close].to_owned(), inner[close + 1..].to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let worth = |piece: &Piece| piece.worth.map_or(String::new(), |worth| format!(":{worth}"));
        let cut = cut(text);
        let pieces = cut.pieces.iter().map(|piece| match piece.remark {
            Some(remark) => format!("{remark:?} {}", piece.text),
            None => format!("{}{}", piece.text, worth(piece)),
        });
        pieces.chain(cut.total.map(|total| format!("total {total}"))).collect()
    }

    #[test]
    fn a_root_is_no_tick() {
        for ticked in ["light✓", "The river dried up.√√", "iron √", "\u{F0FC} zinc"] {
            assert!(is_ticked(ticked), "{ticked}");
        }
        for plain in ["(A) v = √gD", "√(2gh)", "light"] {
            assert!(!is_ticked(plain), "{plain}");
        }
    }

    #[test]
    fn marks_cut_a_line() {
        assert_eq!(shown("light (1), carbon dioxide (1)"), ["light:1", "carbon dioxide:1"]);
        assert_eq!(shown("carbon dioxide (1)   [2]"), ["carbon dioxide:1", "total 2"]);
        assert_eq!(shown("it is transferred (1) to kinetic energy (1)").len(), 2);
        assert_eq!(shown("(1) wash (2) dry"), ["(1) wash (2) dry"]);
        assert_eq!(shown("f(2) = 4"), ["f(2) = 4"]);
        assert_eq!(shown("oxygen; water [2]"), ["oxygen:1", "water:1"]);
    }

    #[test]
    fn marks_that_name_their_unit_cut_a_line_wherever_they_stand() {
        assert_eq!(
            shown("(1 mark) well explained (1 mark) with a sketch (1 mark) (3 marks maximum)"),
            [":1", "well explained:1", "with a sketch:1"]
        );
        assert_eq!(shown("of prices (1 mark) leading to a fall"), ["of prices:1", "leading to a fall"]);
        assert_eq!(shown("It rusts [1] so that it"), ["It rusts:1", "so that it"]);
        assert_eq!(shown("for both towns (Up to 3 marks)"), ["for both towns:3"]);
        assert_eq!(shown("only 2 of them [1 additional]."), ["only 2 of them:1"]);
    }

    #[test]
    fn quarters_count_in_pairs() {
        assert_eq!(shown("iron (0,25 pt), zinc (0,25 pt), tin (0,5 pt)"), ["iron, zinc:0.5", "tin:0.5"]);
        assert_eq!(shown("iron (0,75 pt) zinc [¼]"), ["iron, zinc:1"]);
        assert_eq!(shown("iron (0,25 pt)"), ["iron (0,25 pt)"]);
    }

    #[test]
    fn ticks_cut_a_line() {
        assert_eq!(shown("living things✓ in an area ✓"), ["living things:1", "in an area:1"]);
        assert_eq!(shown("osmosis ✓✓ (2)"), ["osmosis:2", "total 2"]);
        assert_eq!(shown("x = √2"), ["x = √2"]);
        assert_eq!(shown("breaks up clods ✓1"), ["breaks up clods:1"]);
        assert_eq!(shown("sieve ✓½ then weigh ✓½"), ["sieve:0.5", "then weigh:0.5"]);
        assert_eq!(shown("profit 36,500 ✓2, highest at 3 ✓1"), ["profit 36,500:2", "highest at 3:1"]);
        assert_eq!(shown("N = 20 × 9 ✓ − 60 ✓ = 120 N"), ["N = 20 × 9:1", "− 60 = 120 N:1"]);
        assert_eq!(shown("N ✓ straight up"), ["N straight up:1"]);
        assert_eq!(shown("living things ✓ found in an"), ["living things:1", "found in an"]);
        assert_eq!(shown("habitat loss ü"), ["habitat loss:1"]);
    }

    #[test]
    fn remarks_are_told_from_points() {
        assert_eq!(shown("carbon dioxide (1) accept CO2"), ["carbon dioxide:1", "Accept CO2"]);
        assert_eq!(shown("skin (accept epidermis)"), ["skin", "Accept epidermis"]);
        assert_eq!(shown("Answer: skin"), ["skin"]);
        assert_eq!(shown("heated to boil IGNORE evaporated"), ["heated to boil", "Ignore evaporated"]);
    }
}
