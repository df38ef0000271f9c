//! Question and part labels as boards print them: `1`, `1.`, `(a)`, `ii)`, `1.1.2`, `Q1`,
//! `Question 1`, `01.1`, `1(a)(ii)`.

pub(crate) mod boxed;
mod capital;
mod cell;
mod glued;
mod han;
mod keyword;
mod numerals;

pub use capital::parse_capital;
pub use cell::parse_cell;
pub(crate) use han::{numeral as han_numeral, parse_han as han_value};
pub(crate) use keyword::is_priced_alone;
pub use keyword::{parse_capital_part, parse_lettered_part};
pub use numerals::{parse_question_number, parse_roman, print_capital};

use glued::{closed_numeral, glued_both, glued_letter, glued_numeral};
use keyword::{keyword, named_part};
use lexicon::Concept;
use numerals::{letters, roman};

/// The letters of parts in the running text, as far as they go there.
pub(crate) const LETTERED_PARTS: [&str; 10] =
    ["(a)", "(b)", "(c)", "(d)", "(e)", "(f)", "(g)", "(h)", "(i)", "(j)"];

/// One level of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token {
    /// What sort of counting it is.
    pub kind: Kind,
    /// Counted from 1: `(c)` and `(iii)` are 3.
    pub value: u32,
}

/// What sort of counting a level uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A question's number.
    Number,
    /// A number after a point: the second and later levels of `1.1.2`.
    Decimal,
    /// (a), (b), (c)
    Letter,
    /// (i), (ii), (iii)
    Roman,
    /// A number below a question's own: the 2 of "Exercise 1", then "2.".
    Inner,
    /// A capital letter over the numbers within a question: "Exercise 1", "Part A", then "1.".
    Capital,
    /// The second letter of aa), ab) below a) and ba), bb) below b).
    Double,
}

/// How a label is printed, which tells how likely it is to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// `1` alone: any number looks like that.
    Bare,
    /// `1.` or `a.`
    Dot,
    /// `1)` or `a)`
    Close,
    /// `(a)` or `[a]`
    Brackets,
    /// `1.1.2`, `01.3`
    Path,
    /// `Question 1`, `Q1`, `Problem 1`
    Keyword,
}

/// A label as it stands at the start of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// From the outermost level inwards. `(i)` reads as a roman one; see [`Token::as_letter`].
    pub tokens: Vec<Token>,
    /// How its first level is printed.
    pub style: Style,
    /// How many words it takes up.
    pub words: usize,
    /// True when it is glued to what follows: `(a)Find`.
    pub glued: bool,
}

/// No paper counts further in one level.
const MAX_VALUE: u32 = 200;
/// No label nests deeper.
const MAX_DEPTH: usize = 5;

impl Label {
    /// The same with its letter over the numbers of a question's parts.
    pub(crate) fn over_numbers(mut self) -> Label {
        self.tokens.iter_mut().for_each(|token| token.kind = Kind::Capital);
        self
    }
}

impl Token {
    /// A token of the given kind.
    pub const fn new(kind: Kind, value: u32) -> Token {
        Token { kind, value }
    }

    /// `(i)`, `(v)` and `(x)` may be letters as well: the same token read as one.
    pub fn as_letter(self) -> Option<Token> {
        match (self.kind, self.value) {
            (Kind::Roman, 1) => Some(Token::new(Kind::Letter, 9)),
            (Kind::Roman, 5) => Some(Token::new(Kind::Letter, 22)),
            (Kind::Roman, 10) => Some(Token::new(Kind::Letter, 24)),
            _ => None,
        }
    }

    /// True for a level that counts with numbers.
    pub const fn is_counted(self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Decimal | Kind::Inner)
    }

    /// The level as it is printed within a label: `(b)`, `(iv)`, `.2`.
    pub fn display(self) -> String {
        match self.kind {
            Kind::Number => self.value.to_string(),
            Kind::Inner => format!("({})", self.value),
            Kind::Decimal => format!(".{}", self.value),
            Kind::Letter | Kind::Double => format!("({})", letters(self.value)),
            Kind::Capital => format!("({})", letters(self.value).to_uppercase()),
            Kind::Roman => format!("({})", roman(self.value)),
        }
    }
}

/// A whole path as it is printed: `(a)(ii)` for levels below the number, `1.1.2` for decimals.
pub fn display(path: &[Token]) -> String {
    let decimals = path.iter().any(|token| token.kind == Kind::Decimal);
    let from = usize::from(!decimals && path.first().is_some_and(|token| token.kind == Kind::Number));
    let mut text: String = path.iter().skip(from).map(|token| token.display()).collect();
    // "aa)" names its letter itself.
    if path.iter().any(|token| token.kind == Kind::Double) {
        let pairs = path.windows(2).filter(|pair| pair[1].kind == Kind::Double);
        for pair in pairs {
            let (outer, inner) = (letters(pair[0].value), letters(pair[1].value));
            text = text.replacen(&format!("({outer})({inner})"), &format!("({outer}{inner})"), 1);
        }
    }
    text
}

/// Reads the label that a sequence of words begins with.
pub fn parse(words: &[&str]) -> Option<Label> {
    // A star marks questions in which the quality of writing is assessed.
    let first = without_speck(words.first()?.trim_start_matches('*'));
    if let Some(label) = keyword(words).or_else(|| named_part(words)).or_else(|| han::heading(first)) {
        return Some(label);
    }
    if let Some(label) = boxed::digits(words) {
        return Some(label);
    }
    let (mut tokens, style, rest) = word_tokens(first)?;
    // "2 Points: 3" says how many they are.
    let counted = words.get(2).is_some_and(|after| after.chars().all(|c| c.is_ascii_digit()));
    if style == Style::Bare && !counted && words.get(1).is_some_and(|next| counts_marks(next)) {
        return None;
    }
    // "1 hour 40 minutes"
    if style == Style::Bare && words.len() <= DURATION_WORDS && words.get(1).is_some_and(|next| lasts(next)) {
        return None;
    }
    if is_sum(&tokens, words) {
        return None;
    }
    let mut used = 1;
    let mut glued = !rest.is_empty();
    let mut bracketed = false;
    // "1 (a) (i)" stands in several words.
    while !glued && tokens.len() < MAX_DEPTH {
        let Some(next) = words.get(used) else { break };
        let Some((more, inner, rest)) = word_tokens(next) else { break };
        // "1. a)", "1. a." and "1) a." stand in two words as well; "1 a." may be the start of a sentence.
        // "1 (a) i." closes each level in its own way.
        let numeral = bracketed && more[0].kind == Kind::Roman && rest.is_empty();
        let closed = inner == Style::Brackets
            || (inner == Style::Close && rest.is_empty())
            || (inner == Style::Dot && (matches!(style, Style::Dot | Style::Close) || numeral));
        if !closed || !tokens.last().is_some_and(|last| nests(*last, more[0])) {
            break;
        }
        tokens.extend(more);
        used += 1;
        glued = !rest.is_empty();
        bracketed = inner == Style::Brackets;
    }
    Some(Label { tokens, style, words: used, glued })
}

/// How long a paper takes is said in so many words at most.
const DURATION_WORDS: usize = 5;

/// True for the unit of a time, in small letters as it stands behind its number.
fn lasts(word: &str) -> bool {
    word.starts_with(char::is_lowercase) && lexicon::is(Concept::Duration, word.trim_end_matches(['.', ',']))
}

/// "3.3 / 14.2 × 100 = 23.2" is worked out, and no part 3.3.
fn is_sum(tokens: &[Token], words: &[&str]) -> bool {
    let [first, "/" | "×" | "÷" | "·" | "*" | "+", rest @ ..] = words else { return false };
    let decimal = tokens.len() == 2 && tokens[1].kind == Kind::Decimal;
    decimal && first.ends_with(|last: char| last.is_ascii_digit()) && rest.contains(&"=")
}

/// `,1.` of a scanned page: what stands before a closed number is a speck of dirt.
fn without_speck(word: &str) -> &str {
    let rest = word.trim_start_matches([',', '\'', '`', '‘', '’', '·']);
    let digits = rest.strip_suffix(['.', ')']).unwrap_or_default();
    let closed = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    if closed { rest } else { word }
}

/// True for words that begin with the name of a part: "Part (a)".
pub(crate) fn name_part(words: &[&str]) -> bool {
    named_part(words).is_some()
}

/// What follows a label in the word that it is glued to: the "Find" of `(a)Find`.
pub fn glued_text(word: &str) -> &str {
    word_tokens(word).map_or("", |(_, _, rest)| rest)
}

/// True when the second token can be a level inside the first.
fn nests(outer: Token, inner: Token) -> bool {
    let level = matches!(inner.kind, Kind::Letter | Kind::Roman);
    (level && outer.kind != inner.kind) || inner.as_letter().is_some_and(|_| outer.kind == Kind::Letter)
}

/// The levels in brackets, or with a closing one, that may follow a number.
fn parse_parts(words: &[&str]) -> Option<Label> {
    let label = parse(words)?;
    let level = label.tokens[0].kind != Kind::Number;
    (level && matches!(label.style, Style::Brackets | Style::Close)).then_some(label)
}

/// The levels in one word, how the first is printed, and what of the word is left.
fn word_tokens(word: &str) -> Option<(Vec<Token>, Style, &str)> {
    if word.len() > 40 {
        return None;
    }
    if word.starts_with(['(', '[']) {
        let (tokens, rest) = bracketed(word)?;
        let (mut tokens, rest) = more_brackets(tokens, rest);
        tokens.truncate(MAX_DEPTH);
        // A star after the label marks questions in which the quality of writing is assessed.
        return Some((tokens, Style::Brackets, rest.trim_start_matches([':', '.', '*'])));
    }
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        return numbered(word);
    }
    // "a)", "a.", "ii)": a single level that something closes.
    let end = word.find([')', '.', ']'])?;
    let style = if word[end..].starts_with('.') { Style::Dot } else { Style::Close };
    // "ca." and "ed." are words.
    let double = || double(&word[..end]).filter(|_| style == Style::Close);
    let tokens = level(&word[..end]).map(|token| vec![token]).or_else(double)?;
    let (tokens, rest) = more_brackets(tokens, &word[end + 1..]);
    // "e.g." and "i.e." go on after their first point.
    (style != Style::Dot || rest.is_empty()).then_some((tokens, style, rest))
}

/// `1`, `1.`, `1)`, `1.1.2`, `01.3`, `1(a)(ii)`, `1a`, `1a)`, `2.(b)`
fn numbered(word: &str) -> Option<(Vec<Token>, Style, &str)> {
    let (number, mut rest) = leading_number(word)?;
    let mut tokens = vec![Token::new(Kind::Number, number)];
    let mut style = Style::Bare;
    while let Some((value, after)) = rest.strip_prefix('.').and_then(leading_number) {
        if tokens.len() >= MAX_DEPTH {
            return None;
        }
        tokens.push(Token::new(Kind::Decimal, value));
        (style, rest) = (Style::Path, after);
    }
    if let Some((letter, after)) = glued_letter(rest) {
        tokens.push(letter);
        rest = after;
        // "1.b.ii"
        if let Some((numeral, after)) = glued_numeral(rest) {
            tokens.push(numeral);
            (style, rest) = (Style::Path, after);
        }
    } else if let Some((letter, numeral, after)) = glued_both(rest) {
        tokens.extend([letter, numeral]);
        rest = after;
    } else if let Some((numeral, after)) = closed_numeral(rest).filter(|_| rest.starts_with('i')) {
        // "7i" and "7ii"
        tokens.push(numeral);
        rest = after;
    }
    // A star after the label marks questions in which the quality of writing is assessed.
    rest = rest.strip_prefix('*').unwrap_or(rest);
    match rest.chars().next() {
        // "1- Find" and "1-a) Find"
        Some('-' | '–') if rest.chars().count() == 1 => {
            rest = "";
            style = style.max(Style::Dot);
        }
        // "1..", and "1.-" as Spanish papers print it
        Some('.' | ':') => {
            let doubled = rest[1..].strip_prefix(['.', '-', '–', '—']).filter(|after| after.is_empty());
            rest = doubled.unwrap_or(&rest[1..]);
            style = style.max(Style::Dot);
        }
        Some(')' | ']') => {
            rest = rest[1..]
                .strip_prefix(['.', '-', '–'])
                .filter(|after| after.is_empty())
                .unwrap_or(&rest[1..]);
            style = style.max(Style::Close);
        }
        _ => {}
    }
    let before = tokens.len();
    let (tokens, rest) = more_brackets(tokens, rest);
    if tokens.len() > before {
        style = style.max(Style::Path);
    }
    // "3x", "5%" and "10kg" are not labels; "2Two plants" lost the white behind its number.
    let clean = rest.is_empty() || style != Style::Bare || begins_sentence(rest);
    let starts_text = rest.is_empty() || rest.starts_with(char::is_alphabetic);
    (clean && starts_text).then_some((tokens, style, rest))
}

/// A capital letter with small ones behind it, more than a sign of an element or a unit has.
fn begins_sentence(text: &str) -> bool {
    let mut letters = text.chars();
    let small = |letter: Option<char>| letter.is_some_and(char::is_lowercase);
    letters.next().is_some_and(char::is_uppercase) && small(letters.next()) && small(letters.next())
}

fn more_brackets(mut tokens: Vec<Token>, mut rest: &str) -> (Vec<Token>, &str) {
    while tokens.len() < MAX_DEPTH && rest.starts_with('(') {
        let Some((more, after)) = bracketed(rest) else { break };
        if !tokens.last().is_some_and(|last| nests(*last, more[0])) {
            break;
        }
        tokens.extend(more);
        rest = after;
    }
    (tokens, rest)
}

/// `(a)`, `(iv)`, `[b]`, `(12)`, `(ab)`
fn bracketed(word: &str) -> Option<(Vec<Token>, &str)> {
    let close = if word.starts_with('(') { ')' } else { ']' };
    let end = word.find(close)?;
    let inner = word.get(1..end)?;
    let token = level(inner).or_else(|| {
        let (number, rest) = leading_number(inner)?;
        rest.is_empty().then_some(Token::new(Kind::Number, number))
    });
    let tokens = token.map(|token| vec![token]).or_else(|| double(inner))?;
    Some((tokens, &word[end + 1..]))
}

/// The two levels of `aa` and `cb`: a letter, and a letter below it.
fn double(text: &str) -> Option<Vec<Token>> {
    let [first @ b'a'..=b'h', second @ b'a'..=b'h'] = text.as_bytes() else { return None };
    let value = |letter: u8| u32::from(letter - b'a') + 1;
    Some(vec![Token::new(Kind::Letter, value(*first)), Token::new(Kind::Double, value(*second))])
}

/// True for the unit of "2 marks" and "2 p. –", but not for the first word of "2 Points A and B lie on a line".
fn counts_marks(word: &str) -> bool {
    let short = word.strip_suffix('.').is_some_and(|bare| lexicon::is(Concept::ShortUnit, bare));
    short || lexicon::is(Concept::MarkUnit, word.trim_end_matches(['.', ',', ':']))
}

/// A level's own text: a lower-case letter or a roman numeral.
fn level(text: &str) -> Option<Token> {
    if let Some(value) = parse_roman(text) {
        return Some(Token::new(Kind::Roman, value));
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_lowercase() => {
            Some(Token::new(Kind::Letter, u32::from(letter) - u32::from('a') + 1))
        }
        _ => None,
    }
}

/// A level that nothing closes: `a` to `h`, `i` to `x`.
pub(crate) fn bare_level(text: &str) -> Option<Token> {
    level(text).filter(|token| token.kind == Kind::Roman || token.value <= 8)
}

fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // A longer number is a year, a code or a quantity.
    if end == 0 || end > 3 {
        return None;
    }
    let value = text[..end].parse().ok()?;
    ((1..=MAX_VALUE).contains(&value)).then_some((value, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::{Decimal, Letter, Number, Roman};

    fn tokens(text: &str) -> Option<Vec<(Kind, u32)>> {
        let words: Vec<&str> = text.split(' ').collect();
        parse(&words).map(|label| label.tokens.iter().map(|token| (token.kind, token.value)).collect())
    }

    #[test]
    fn every_common_style_is_read() {
        let one = Some(vec![(Number, 1)]);
        for text in [
            "1",
            "1.",
            "1)",
            "(1)",
            "01",
            "Q1",
            "Q.1",
            "Q1.",
            "Question 1",
            "QUESTION 1:",
            "Question One",
            ",1.",
            "1.-",
            "1.–",
            "1).",
            "Pregunta 1.-",
            "Question 1 –",
        ] {
            assert_eq!(tokens(text), one, "{text}");
        }
        let a_two = Some(vec![(Number, 1), (Letter, 1), (Roman, 2)]);
        for text in [
            "1(a)(ii)",
            "1 (a) (ii) State",
            "1. (a) (ii)",
            "Q1(a)(ii)",
            "Question 1 (a)(ii)",
            "1a(ii)",
            "1. a) ii)",
            "1.a.ii",
            "1 (a) ii.",
            "1a.ii)",
            "1) a. ii)",
        ] {
            assert_eq!(tokens(text), a_two, "{text}");
        }
        assert_eq!(tokens("(b)"), Some(vec![(Letter, 2)]));
        assert_eq!(tokens("7i Define"), Some(vec![(Number, 7), (Roman, 1)]));
        assert_eq!(tokens("7iii"), Some(vec![(Number, 7), (Roman, 3)]));
        assert_eq!(tokens("1cii (3)"), Some(vec![(Number, 1), (Letter, 3), (Roman, 2)]));
        assert_eq!(tokens("Q2 = 8400 J"), None);
        assert_eq!(tokens("1 hour 40 minutes"), None);
        assert_eq!(tokens("b)"), Some(vec![(Letter, 2)]));
        assert_eq!(tokens("iv."), Some(vec![(Roman, 4)]));
        assert_eq!(tokens("cb)"), Some(vec![(Letter, 3), (Kind::Double, 2)]));
        assert_eq!(tokens("1(aa)"), Some(vec![(Number, 1), (Letter, 1), (Kind::Double, 1)]));
        assert_eq!(tokens("1.1.2"), Some(vec![(Number, 1), (Decimal, 1), (Decimal, 2)]));
        assert_eq!(tokens("01.3"), Some(vec![(Number, 1), (Decimal, 3)]));
        assert_eq!(tokens("3.3 / 14.2 × 100 = 23.2"), None);
        assert_eq!(tokens("0 1 . 3 State"), Some(vec![(Number, 1), (Decimal, 3)]));
        assert_eq!(tokens("0 7 Explain"), Some(vec![(Number, 7)]));
    }

    #[test]
    fn quantities_words_and_years_are_no_labels() {
        for text in [
            "3x", "5%", "10kg", "2023", "1,000", "e.g.", "i.e.", "(line", "A", "etc.", "Qatar", "$5", "0.5",
            "-1", "ca.", ",1", "2Na", "2NaCl", "4G", "1st",
        ] {
            assert_eq!(tokens(text), None, "{text}");
        }
    }

    #[test]
    fn a_label_glued_to_its_text_is_still_one() {
        let label = parse(&["(a)Find"]).unwrap();
        assert!(label.glued);
        assert_eq!(glued_text("(a)Find"), "Find");
        assert_eq!(label.tokens, [Token::new(Letter, 1)]);
    }

    #[test]
    fn a_number_glued_to_the_sentence_behind_it_is_a_label() {
        let label = parse(&["2Two", "plants"]).unwrap();
        assert_eq!((label.glued, label.style), (true, Style::Bare));
        assert_eq!(glued_text("2Two"), "Two");
    }

    #[test]
    fn paths_are_printed_as_boards_do() {
        let path = [Token::new(Number, 3), Token::new(Letter, 2), Token::new(Roman, 4)];
        assert_eq!(display(&path), "(b)(iv)");
        let path = [Token::new(Number, 3), Token::new(Letter, 1), Token::new(Kind::Double, 2)];
        assert_eq!(display(&path), "(ab)");
        let path = [Token::new(Number, 1), Token::new(Decimal, 1), Token::new(Decimal, 2)];
        assert_eq!(display(&path), "1.1.2");
    }
}
