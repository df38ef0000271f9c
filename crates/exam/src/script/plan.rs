//! Which of the numbers at the beginning of lines name the question that is answered: the best consistent
//! choice over all blank sheets of a script.
//!
//! A student numbers answers in one way, mostly in order and each question once. An answer may itself hold
//! a numbered list or begin with a number, so each candidate counts only with its neighbours.

use super::leaves::Leaf;
use crate::labels::{Kind, Label, Style, Token};

/// A line that begins like the answer to a question.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) label: Label,
    /// Nothing else stands on the line.
    pub(super) alone: bool,
    /// It stands left of the writing.
    pub(super) outdented: bool,
    /// "(continued)" stands after it.
    pub(super) continued: bool,
    /// There is white above it.
    pub(super) spaced: bool,
    /// The heading of a section stands between it and the candidate before it.
    pub(super) headed: bool,
}

/// A line that names a question, and in which of the paper's runs of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) candidate: usize,
    pub(super) section: usize,
}

/// How many ways are kept at once.
const BEAM: usize = 48;

/// Chooses the candidates that name questions, in the order of lines.
pub(super) fn choose(candidates: &[Candidate], leaves: &[Leaf<'_>]) -> Vec<Chosen> {
    let sections = leaves.iter().map(|leaf| leaf.section + 1).max().unwrap_or(1);
    let lists = in_lists(candidates);
    let mut ways = vec![Way::default()];
    for (index, candidate) in candidates.iter().enumerate() {
        let mut grown: Vec<Way> = Vec::new();
        for way in &mut ways {
            way.headed |= candidate.headed;
            let next = usize::from(way.opens_section(candidate, sections));
            for section in [way.section, way.section + next].into_iter().take(1 + next) {
                let known =
                    leaves.iter().any(|leaf| leaf.section == section && leaf.is_under(&candidate.label));
                let gain = way.gain(candidate, section).filter(|_| known);
                let gain = gain.map(|gain| gain - if lists[index] && sections == 1 { 0.5 } else { 0.0 });
                if let Some(gain) = gain.filter(|gain| *gain > 0.0) {
                    grown.push(way.with(candidate, Chosen { candidate: index, section }, gain));
                }
            }
        }
        ways.extend(grown);
        ways.sort_by(|a, b| b.score.total_cmp(&a.score));
        ways.truncate(BEAM);
    }
    ways.into_iter().next().map(|way| way.chosen).unwrap_or_default()
}

/// One way to choose among the candidates so far.
#[derive(Clone, Debug, Default)]
struct Way {
    score: f32,
    section: usize,
    path: Vec<Token>,
    style: Option<Style>,
    used: Vec<(usize, Vec<Token>)>,
    chosen: Vec<Chosen>,
    headed: bool,
}

impl Way {
    /// A heading, or a 1 after other numbers, may open the next section.
    fn opens_section(&self, candidate: &Candidate, sections: usize) -> bool {
        let again = candidate.label.tokens[0].value < self.number() || self.headed;
        self.section + 1 < sections && again && !self.path.is_empty()
    }

    fn number(&self) -> u32 {
        self.path.first().map_or(0, |token| token.value)
    }

    /// What speaks for the candidate after this way; `None` when it cannot follow.
    fn gain(&self, candidate: &Candidate, section: usize) -> Option<f32> {
        let label = &candidate.label;
        let number = label.tokens[0].value;
        let whole = label.style == Style::Keyword;
        let levels = label.tokens.len() > 1;
        let fresh = section != self.section;
        let before = if fresh { 0 } else { self.number() };
        let repeated = self.used.iter().any(|(own, path)| *own == section && *path == label.tokens);
        let seen = self.used.iter().any(|(own, path)| *own == section && path[0].value == number);
        let order = match number {
            _ if seen && candidate.continued => 1.5,
            _ if repeated && !whole => return None,
            _ if repeated => 0.0,
            _ if seen && levels => 0.8,
            _ if seen => return None,
            number if number == before + 1 => 1.5,
            number if number > before => (1.0 - 0.1 * (number - before - 1) as f32).max(0.5),
            _ => 0.8,
        };
        let quality = match label.style {
            Style::Keyword => 1.0,
            Style::Bare if levels || candidate.continued => 0.0,
            Style::Bare => -0.8,
            Style::Path | Style::Brackets | Style::Dot | Style::Close => 0.0,
        };
        let place = [(candidate.alone, 0.1), (candidate.outdented, 0.6), (candidate.spaced, 0.2)];
        let place: f32 = place.iter().filter(|(holds, _)| *holds).map(|(_, gain)| gain).sum();
        let changes = self.style.is_some_and(|style| style != plain_style(label));
        let heading = if fresh && self.headed { 1.0 } else { 0.0 };
        Some(order + quality + place + heading - if changes { 0.7 } else { 0.0 })
    }

    fn with(&self, candidate: &Candidate, chosen: Chosen, gain: f32) -> Way {
        let mut next = self.clone();
        next.score += gain;
        next.headed &= chosen.section == self.section;
        next.section = chosen.section;
        next.path.clone_from(&candidate.label.tokens);
        next.style = Some(plain_style(&candidate.label));
        next.used.push((chosen.section, candidate.label.tokens.clone()));
        next.chosen.push(chosen);
        next
    }
}

/// "1(a)" and "2." go together in one hand.
fn plain_style(label: &Label) -> Style {
    match label.style {
        Style::Path => Style::Dot,
        Style::Bare if label.tokens.len() > 1 && label.words == 1 => Style::Dot,
        style => style,
    }
}

/// Candidates that count from 1 again where 1 was there before: a list inside an answer.
fn in_lists(candidates: &[Candidate]) -> Vec<bool> {
    let mut lists = vec![false; candidates.len()];
    for index in 0..candidates.len() {
        let own = &candidates[index].label;
        let first = Token::new(Kind::Number, 1);
        let same = |other: &Candidate| other.label.style == own.style && other.label.tokens.len() == 1;
        if own.tokens.len() != 1 {
            continue;
        }
        let again =
            own.tokens[0] == first && candidates[..index].iter().any(|other| other.label.tokens[0] == first);
        let before = (0..index).rev().find(|other| same(&candidates[*other]));
        let goes_on = before.is_some_and(|before| {
            lists[before] && candidates[before].label.tokens[0].value + 1 == own.tokens[0].value
        });
        lists[index] = again || goes_on;
    }
    lists
}
