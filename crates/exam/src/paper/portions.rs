//! What a line below the parts of a question says that each of them is worth: "0.5 points parts a) and b); 1 point part
//! c)", "Each part carries 2 marks".

use super::Leaf;
use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::labels::{self, Kind, Token};
use crate::marks::{self, Scope};
use domain::marks::Marks;
use lexicon::Concept;

/// No part carries more.
const MARKS_MAX: f64 = 50.0;

/// The prices that a line names.
struct Prices {
    /// Each with the parts that it is for; without any it is for all.
    prices: Vec<(Marks, Vec<Token>)>,
    /// How many of the line's words say so.
    words: usize,
}

impl Prices {
    fn of(&self, token: Token) -> Option<Marks> {
        let own = self.prices.iter().find(|(_, parts)| parts.is_empty() || parts.contains(&token));
        own.map(|(marks, _)| *marks)
    }
}

/// True for a line that says what each part of the question above it is worth.
pub(super) fn says(line: &Line<'_>) -> bool {
    of_line(line).is_some()
}

/// Takes such lines out of a segment's text.
pub(super) fn set_aside(segment: &mut Segment, lines: &[Line<'_>]) {
    let own = segment.from.0 + 1..segment.to.0.min(lines.len());
    for (line, prices) in own.filter_map(|line| Some((line, of_line(&lines[line])?))) {
        let (scope, marks, words) = (Scope::Part, Marks::ZERO, (0, prices.words));
        segment.marks.push(Found { line, words, scope, marks, shared: None, alone: true });
    }
}

/// Gives the parts of a question what such a line below them says.
pub(super) fn share(leaves: &mut [Leaf], segments: &[Segment], lines: &[Line<'_>]) {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return };
    let own = first.from.0..last.to.0.min(lines.len());
    let stated = own.into_iter().find_map(|line| of_line(&lines[line]));
    let each = || {
        of_stem(first, lines, leaves.len())
            .map(|marks| Prices { prices: vec![(marks, Vec::new())], words: 0 })
    };
    let Some(prices) = stated.or_else(each) else { return };
    for leaf in leaves.iter_mut().filter(|leaf| leaf.marks.is_none_or(Marks::is_zero)) {
        leaf.marks = match leaf.path[..] {
            [_, own] => prices.of(own),
            _ => None,
        };
    }
}

/// The 6 of "Each fragment is worth 6 points" or "6 points for each fragment" in the text of a question, whatever it calls
/// its parts, where so many of them make up what the question prints.
pub(super) fn of_stem(head: &Segment, lines: &[Line<'_>], count: usize) -> Option<Marks> {
    /// So many words stand between "each" and the marks.
    const WORDS_BETWEEN: usize = 4;
    /// The same between the marks and "each" behind them.
    const WORDS_BEFORE: usize = 1;
    let text = head.text(lines);
    let (said, count) = (text.split_whitespace().collect::<Vec<_>>(), u32::try_from(count).ok()?);
    let bare = |at: usize| {
        said.get(at)
            .map_or_else(String::new, |word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
    };
    let each = |at: usize| lexicon::is(Concept::Each, &bare(at));
    let number = |at: usize| bare(at).replace(',', ".").parse::<f64>().ok();
    let priced = |from: usize| {
        let ends = |at: &usize| !said[*at].ends_with(['.', '?', '!', ';']);
        let reach = (from + 1..said.len()).take_while(|at| ends(at) || number(*at).is_some());
        let behind = reach.take(WORDS_BETWEEN + 1).find(|at| marks::is_unit(&bare(at + 1)));
        let near = from.saturating_sub(WORDS_BEFORE + 1)..from;
        let before = || near.rev().find(|at| marks::is_unit(&bare(*at))).and_then(|at| at.checked_sub(1));
        Marks::from_number(number(behind.or_else(before)?)?)
    };
    let makes_up = |marks: &Marks| {
        let whole = marks.as_halves().checked_mul(count).map(Marks::halves);
        head.marks.iter().any(|found| found.scope != Scope::Paper && Some(found.marks) == whole)
    };
    (0..said.len()).filter(|at| each(*at)).filter_map(priced).find(makes_up).filter(|_| count > 1)
}

fn of_line(line: &Line<'_>) -> Option<Prices> {
    let texts = line.texts();
    if labels::parse(&texts)
        .is_some_and(|label| label.words == texts.len() || label.style > labels::Style::Bare)
    {
        return None;
    }
    let lower: Vec<String> =
        texts.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    let is = |at: usize, concept: Concept| lower.get(at).is_some_and(|word| lexicon::is(concept, word));
    let part = (0..lower.len()).find(|at| is(*at, Concept::QuestionPart))?;
    let spread = part > 0 && (is(part - 1, Concept::Per) || is(part - 1, Concept::Each));
    let number = |at: usize| {
        let value: f64 = lower.get(at)?.replace(',', ".").parse().ok()?;
        Marks::from_number(value).filter(|marks| !marks.is_zero() && value <= MARKS_MAX)
    };
    let pairs: Vec<(usize, Marks)> = (1..lower.len())
        .filter(|at| marks::is_unit(&lower[*at]))
        .filter_map(|at| Some((at, number(at - 1)?)))
        .collect();
    let named = |at: usize| {
        let bare = texts[at].trim_end_matches([';', ',', '.', ':']);
        let label = labels::parse(&[bare]).filter(|label| !label.glued)?;
        match label.tokens[..] {
            [only] if matches!(only.kind, Kind::Letter | Kind::Roman) => Some(only),
            _ => None,
        }
    };
    let (first, _) = pairs.first()?;
    let mut words = first + 1;
    let mut prices = Vec::new();
    for (index, (at, marks)) in pairs.iter().enumerate() {
        let end = pairs.get(index + 1).map_or(texts.len(), |(next, _)| next - 1);
        // Only what follows the word for a part, and the words between labels, name parts.
        let mut parts = Vec::new();
        let begins =
            (at + 1..end).find(|at| is(*at, Concept::QuestionPart)).filter(|begins| *begins <= at + 3);
        for word in begins.map_or(end..end, |begins| begins + 1..end) {
            if let Some(token) = named(word) {
                parts.push(token);
                words = word + 1;
            } else if lower[word].chars().count() > 3 {
                break;
            }
        }
        words = words.max(at + 1);
        prices.push((*marks, parts));
    }
    let labelled = prices.iter().all(|(_, parts)| !parts.is_empty());
    let for_all = prices.len() == 1 && spread;
    let words = if for_all { words.max(part + 1) } else { words };
    (labelled || for_all).then_some(Prices { prices, words })
}
