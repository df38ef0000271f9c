//! The labels that a scheme prints, read without the paper: evidence for how the paper counts.

use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style, Token};
use crate::marks::{self, Certainty};
use lexicon::Concept;
use reader::page::Document;
use std::collections::HashSet;

/// The labels of a scheme, each with all levels above it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemeLabels {
    paths: HashSet<Vec<(Level, u32)>>,
    /// The leaves in the scheme's order, as they are printed.
    leaves: Vec<Vec<Token>>,
    /// Parts that follow right after the one before them: "(d)" after "(c)".
    steps: Vec<Vec<Token>>,
    /// Every part that begins a series: "(a)".
    firsts: Vec<Vec<Token>>,
}

/// What a level counts with. Decimals and numbers below a number are one: "1.2" and "Exercise 1, 2.".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Level {
    Number,
    Inner,
    Letter,
    Roman,
    Capital,
    Double,
}

fn key(path: &[Token]) -> Vec<(Level, u32)> {
    let level = |token: &Token| match token.kind {
        Kind::Number => Level::Number,
        Kind::Decimal | Kind::Inner => Level::Inner,
        Kind::Letter => Level::Letter,
        Kind::Roman => Level::Roman,
        Kind::Capital => Level::Capital,
        Kind::Double => Level::Double,
    };
    path.iter().map(|token| (level(token), token.value)).collect()
}

/// Fewer labels say nothing.
const LEAST: usize = 3;

impl SchemeLabels {
    /// Reads the labels of a scheme.
    pub fn of(document: &Document) -> SchemeLabels {
        let lines = flow::lines(document);
        let mut all = SchemeLabels::default();
        let mut current: Vec<Token> = Vec::new();
        for line in &lines {
            for (path, whole) in line_labels(line, &current) {
                for depth in 1..=path.len() {
                    all.paths.insert(key(&path[..depth]));
                }
                if path.len() > 1 && whole {
                    all.leaves.push(path.clone());
                }
                if before(&path).is_some_and(|before| before == current) {
                    all.steps.push(path.clone());
                }
                if path.len() > 1 && path.last().is_some_and(|last| last.value == 1) {
                    all.firsts.push(path.clone());
                }
                current = path;
            }
        }
        for (number, count) in capital_parts(&lines) {
            let part = |letter| key(&[Token::new(Kind::Number, number), Token::new(Kind::Letter, letter)]);
            all.paths.extend((1..=count).map(part));
        }
        all
    }

    /// True when the scheme says enough about its labels to be asked.
    pub fn speaks(&self) -> bool {
        self.paths.len() >= LEAST
    }

    /// True when the scheme has this label.
    pub fn has(&self, path: &[Token]) -> bool {
        self.paths.contains(&key(path))
    }

    /// True when the scheme answers a question before the one with this number. Where parts are answered, as the
    /// paper's have them, a number alone counts something else.
    pub(crate) fn begins_before(&self, first: u32, in_parts: bool) -> bool {
        self.paths.iter().any(|path| path[0].1 < first && (!in_parts || path.len() > 1))
    }

    /// The share of these paths that the scheme has.
    pub fn share<'p>(&self, paths: impl Iterator<Item = &'p [Token]>) -> f32 {
        let (mut own, mut all) = (0.0, 0.0);
        for path in paths {
            all += 1.0;
            own += f32::from(u8::from(self.has(path)));
        }
        if all > 0.0 { own / all } else { 0.0 }
    }

    /// Parts with which the scheme goes on right after the last of a question's parts.
    pub fn beyond<'p>(&self, paths: impl Iterator<Item = &'p [Token]>) -> Vec<&[Token]> {
        let known: Vec<&[Token]> = paths.collect();
        let has = |own: &[Token]| known.iter().any(|path| path.starts_with(own));
        // A series that begins again counts something else within an answer.
        let series = |own: &[Token]| {
            let Some((last, above)) = own.split_last() else { return false };
            let first = [above, &[Token::new(last.kind, 1)]].concat();
            last.value > 2 && self.firsts.iter().filter(|begun| **begun == first).count() == 1
        };
        let beyond =
            |own: &&Vec<Token>| series(own) && !has(own) && before(own).is_some_and(|before| has(&before));
        self.steps.iter().filter(beyond).map(Vec::as_slice).collect()
    }

    /// Labels with several levels that are no leaf of the paper, nor above or below one.
    pub fn without<'p>(&self, paths: impl Iterator<Item = &'p [Token]>) -> Vec<&[Token]> {
        let known: Vec<Vec<(Level, u32)>> = paths.map(key).collect();
        // "2.3" is a number where the paper does not count so.
        let alike = |own: &&Vec<Token>| {
            let own = key(own);
            known.iter().any(|path| {
                path.len() == own.len() && path.iter().zip(&own).all(|(one, other)| one.0 == other.0)
            })
        };
        let related =
            |own: &[(Level, u32)]| known.iter().any(|path| path.starts_with(own) || own.starts_with(path));
        let mut missing: Vec<&[Token]> = Vec::new();
        let leaves: Vec<&Vec<Token>> = self.leaves.iter().filter(alike).collect();
        for leaf in of_parts(&leaves, &known).into_iter().filter(|leaf| !related(&key(leaf))) {
            if !missing.contains(&leaf.as_slice()) {
                missing.push(leaf);
            }
        }
        missing
    }
}

/// The labels without runs that count something else than the paper's parts, as general instructions do ("1.3 Marks are
/// awarded for …"): all that such a run shares with the paper, a longer one has too.
fn of_parts<'l>(leaves: &[&'l Vec<Token>], known: &[Vec<(Level, u32)>]) -> Vec<&'l Vec<Token>> {
    let values = |path: &[Token]| path.iter().map(|token| token.value).collect::<Vec<u32>>();
    let runs: Vec<&[&Vec<Token>]> = leaves.chunk_by(|one, next| values(one) <= values(next)).collect();
    let shared: Vec<HashSet<Vec<(Level, u32)>>> = runs
        .iter()
        .map(|run| run.iter().map(|leaf| key(leaf)).filter(|leaf| known.contains(leaf)).collect())
        .collect();
    let repeats = |own: &HashSet<Vec<(Level, u32)>>| {
        shared.iter().any(|other| other.len() > own.len() && own.is_subset(other))
    };
    let kept = runs.iter().zip(&shared).filter(|(_, own)| !repeats(own));
    kept.flat_map(|(run, _)| run.iter().copied()).collect()
}

/// The part before a part: (c) for (d).
fn before(path: &[Token]) -> Option<Vec<Token>> {
    let (last, above) = path.split_last().filter(|(last, above)| last.value > 1 && !above.is_empty())?;
    Some([above, &[Token::new(last.kind, last.value - 1)]].concat())
}

/// How many parts with capital letters the scheme answers of each question, each with what it earns or a verdict: "17. A) the
/// mouth of the river – 1 point", "B) the peak – 1 point". Letters of options have none.
fn capital_parts(lines: &[Line<'_>]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    // The current number, the letter that it has come to, and whether all of them were told.
    let (mut number, mut letter, mut told, mut whole) = (0, 0, false, true);
    for line in lines {
        let texts = line.texts();
        let label = labels::parse(&texts)
            .filter(|label| label.tokens.len() == 1 && label.tokens[0].kind == Kind::Number)
            .filter(|label| {
                let lettered = || labels::parse_capital_part(&texts[label.words..]).is_some();
                matches!(label.style, Style::Dot | Style::Close | Style::Keyword) || lettered()
            });
        if let Some(label) = &label {
            all.extend((letter > 1 && whole && (told || letter > 2)).then_some((number, letter)));
            (number, letter, told, whole) = (label.tokens[0].value, 0, false, true);
        }
        let own = &texts[label.map_or(0, |label| label.words)..];
        let part = labels::parse_capital_part(own).map(|part| part.tokens[0].value);
        let said = &own[usize::from(part.is_some())..];
        if let Some(part) = part {
            whole &= part == letter + 1 && (letter == 0 || told);
            (letter, told) = (part, false);
        }
        told |= letter > 0 && earns(said);
    }
    all.extend((letter > 1 && whole && (told || letter > 2)).then_some((number, letter)));
    all.retain(|(number, _)| *number > 0);
    all
}

/// True for words that end with marks, or are a verdict and nothing else.
fn earns(said: &[&str]) -> bool {
    /// "Yes, it is."
    const VERDICT_WORDS: usize = 2;
    let verdict = |said: &[&str]| {
        let bare = said.first().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
        said.len() <= VERDICT_WORDS && bare.is_some_and(|bare| lexicon::is(Concept::Verdict, &bare))
    };
    // A column may print what all of them are worth: "A) the mouth – 1 point | 2".
    let column = said.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    let said = &said[..said.len() - usize::from(column)];
    // "1 point for each of two reasons (2 points)"
    let bracket = &said[said.len().saturating_sub(2)..];
    let told = |words: &[&str]| marks::at_end(words).is_some_and(|note| note.certainty == Certainty::Sure);
    told(said) || told(bracket) || verdict(said)
}

/// The labels that a line begins with, one or "1.1 1.1.1", each with whether it is printed whole.
fn line_labels(line: &Line<'_>, current: &[Token]) -> Vec<(Vec<Token>, bool)> {
    let texts = line.texts();
    let mut found: Vec<(Vec<Token>, bool)> = Vec::new();
    let mut at = 0;
    while let Some(label) = labels::parse(&texts[at..]) {
        let above = found.last().map_or(current, |(path, _)| path.as_slice());
        let Some(path) = nested(above, &label.tokens, label.style) else { break };
        if at > 0 && !path.starts_with(above) {
            break;
        }
        found.push((path, label.tokens[0].kind == Kind::Number));
        at += label.words;
    }
    found
}

/// A label below the current one: "(b)" after "1(a)(ii)" is 1(b).
fn nested(current: &[Token], tokens: &[Token], style: Style) -> Option<Vec<Token>> {
    let first = tokens.first()?;
    if first.kind == Kind::Number {
        // A bare number may be anything, and one in brackets is often a mark.
        let next = current.first().map_or(1, |own| own.value + 1);
        let clear = tokens.len() > 1
            || !matches!(style, Style::Bare | Style::Brackets)
            || (style == Style::Bare && first.value == next);
        return clear.then(|| tokens.to_vec());
    }
    let same = current.iter().position(|own| own.kind == first.kind);
    let above = &current[..same.unwrap_or(current.len())];
    (!above.is_empty()).then(|| [above, tokens].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_earn_end_with_marks_or_are_a_verdict() {
        let earning = |text: &str| earns(&text.split(' ').collect::<Vec<_>>());
        assert!(earning("the mouth of the river – 1 point"));
        assert!(earning("1 point for each of two reasons (2 points)"));
        assert!(earning("the mouth of the river – 1 point 2"));
        assert!(earning("Yes") && earning("No 3"));
        assert!(!earning("the mouth of the river") && !earning("wrong because it is a wall"));
    }
}
