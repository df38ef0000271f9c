//! What a scheme is read against: the labels and words of the paper.

use super::asked::Asked;
use super::margin::Margin;
use super::{Entry, Scheme};
use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use crate::numbering::Outline;
use crate::paper::{Paper, section_name, section_title};
use std::collections::{HashMap, HashSet};

/// The labels and words of the paper.
pub(super) struct Known {
    /// For each run of numbers from 1 on, the paths that it has.
    sections: Vec<HashSet<Vec<Token>>>,
    /// The numbers of leaves that offer options.
    offering: HashSet<u32>,
    /// For each run of numbers, the leaves that do.
    choosing: Vec<HashSet<Vec<Token>>>,
    /// Those whose options are numbered, each with how many it offers.
    pub(super) numbered: HashMap<u32, usize>,
    /// What the paper asks with.
    pub(super) asked: Asked,
    /// For each run of numbers, its leaves in order.
    pub(super) order: Vec<Vec<Vec<Token>>>,
    leaves: usize,
    /// True when "Part A" heads parts of its questions.
    pub(super) has_named_parts: bool,
    /// True when such parts stand over numbers that count again.
    pub(super) has_parts_over_numbers: bool,
    /// What announces its sections, where they are numbered as questions are elsewhere.
    pub(super) section_word: Option<String>,
    /// True when capital letters label parts of its questions.
    pub(super) has_capital_parts: bool,
    pub(super) last: u32,
    /// The names of its sections.
    titles: Vec<String>,
    /// For each run of numbers, the group that it is named by: "II".
    groups: Vec<Option<String>>,
    /// How the paper counts.
    pub(super) outline: Outline,
    /// What the scheme prints before labels.
    pub(super) margin: Margin,
    /// Runs of numbers that tables of letters answer whole, each with the page and the height of the last of them.
    pub(super) answered: Vec<(usize, (u32, f32))>,
    /// What tables answer part by part: behind a later number these count the items of a list.
    pub(super) told: HashSet<(usize, Vec<Token>)>,
}

impl Known {
    /// True for the name of one of the paper's sections.
    pub(super) fn is_title(&self, line: &Line<'_>) -> bool {
        !self.titles.is_empty() && self.titles.contains(&section_title(line))
    }

    /// The run of numbers that a heading names by its group.
    pub(super) fn grouped(&self, line: &Line<'_>) -> Option<usize> {
        let name = section_name(line)?;
        self.groups.iter().position(|group| group.as_deref() == Some(name.as_str()))
    }

    /// How many leaves the paper has.
    pub(super) fn leaves(&self) -> usize {
        self.leaves
    }

    pub(super) fn of(paper: &Paper) -> Known {
        let count = paper.questions.iter().map(|question| question.section + 1).max().unwrap_or(1);
        let mut sections = vec![HashSet::new(); count];
        let mut order: Vec<Vec<Vec<Token>>> = vec![Vec::new(); count];
        let mut choosing = vec![HashSet::new(); count];
        let mut groups = vec![None; count];
        let (mut offering, mut numbered) = (HashSet::new(), HashMap::new());
        for question in &paper.questions {
            groups[question.section] = question.group.clone();
            for leaf in &question.leaves {
                order[question.section].push(leaf.path.clone());
                for depth in 1..=leaf.path.len() {
                    sections[question.section].insert(leaf.path[..depth].to_vec());
                }
                if !leaf.options.is_empty() {
                    choosing[question.section].insert(leaf.path.clone());
                    let counted = leaf.path.iter().rev().find(|token| token.is_counted());
                    offering.extend(counted.map(|token| token.value));
                    if leaf.options.iter().all(|option| option.label.parse::<u32>().is_ok()) {
                        numbered.extend(counted.map(|token| (token.value, leaf.options.len())));
                    }
                }
            }
        }
        let last = paper
            .questions
            .iter()
            .filter_map(|question| question.leaves.first())
            .map(|leaf| leaf.path[0].value);
        let (leaves, last) = (paper.leaves().count(), last.max().unwrap_or(0));
        Known {
            sections,
            order,
            asked: Asked::of(paper),
            offering,
            choosing,
            numbered,
            leaves,
            has_named_parts: paper.has_named_parts,
            has_parts_over_numbers: paper
                .leaves()
                .any(|leaf| leaf.path.iter().any(|token| token.kind == Kind::Capital)),
            section_word: paper.section_word.clone(),
            has_capital_parts: paper.has_capital_parts,
            last,
            titles: paper.titles.clone(),
            groups,
            outline: paper.outline(),
            margin: Margin::default(),
            answered: Vec::new(),
            told: HashSet::new(),
        }
    }

    /// True for a run of numbers that tables above a line answer whole.
    pub(super) fn is_answered_above(&self, section: usize, line: &Line<'_>) -> bool {
        let above =
            |(page, bottom): (u32, f32)| page < line.page || page == line.page && bottom < line.place.y1;
        self.answered.iter().any(|(own, at)| *own == section && above(*at))
    }

    /// True when a question offers options to choose from, or nearly all of the paper's do.
    pub(super) fn offers(&self, number: u32) -> bool {
        self.offering.contains(&number) || self.offering.len() * 5 >= self.leaves * 4 && self.leaves > 0
    }

    /// True when the part at this place offers options to choose from.
    pub(super) fn offers_at(&self, section: usize, path: &[Token]) -> bool {
        self.choosing.get(section).is_some_and(|own| own.contains(path))
    }

    /// True for a line that heads a section as the paper's do: "Exercise 2 Rivers".
    pub(super) fn is_section(&self, texts: &[&str]) -> bool {
        let announces = |word: &String| texts.first().is_some_and(|first| first.to_lowercase() == *word);
        let numbered = || labels::parse(texts).is_some_and(|label| label.style == Style::Keyword);
        self.section_word.as_ref().is_some_and(announces) && numbered()
    }

    /// The only run of numbers whose questions all of these are, each with options to choose from.
    pub(super) fn section_of(&self, paths: &[Vec<Token>]) -> Option<usize> {
        let has_all = |section: &usize| paths.iter().all(|path| self.choosing[*section].contains(path));
        let mut sections = (0..self.choosing.len()).filter(has_all);
        sections.next().filter(|_| sections.next().is_none())
    }

    /// The first run of numbers in which all of these offer options.
    pub(super) fn choosing_all(&self, paths: &[Vec<Token>]) -> Option<usize> {
        self.choosing.iter().position(|own| paths.iter().all(|path| own.contains(path)))
    }

    /// True when the paper counts from 1 more than once.
    pub(super) fn counts_again(&self) -> bool {
        self.sections.len() > 1
    }

    /// True when the paper has the label's question or part in any of its sections.
    pub(super) fn has(&self, tokens: &[Token]) -> bool {
        (0..self.sections.len()).any(|section| self.resolve(section, &[], tokens).is_some())
    }

    /// The path that a label means after the current one, if the paper has it, and how many of the
    /// label's levels it takes: a scheme may go deeper than the paper.
    pub(super) fn resolve(
        &self,
        section: usize,
        current: &[Token],
        tokens: &[Token],
    ) -> Option<(Vec<Token>, usize)> {
        let paths = self.sections.get(section)?;
        let first = tokens.first()?;
        let bases: Vec<&[Token]> = match first.kind {
            Kind::Number => vec![&[]],
            _ => (1..=current.len()).rev().map(|depth| &current[..depth]).collect(),
        };
        let plain = || self.plain(section, tokens).and_then(|tokens| self.resolve(section, &[], &tokens));
        let found = bases.into_iter().find_map(|base| {
            readings(tokens).into_iter().map(|tokens| [base, tokens.as_slice()].concat()).find_map(|path| {
                let depth = (1..=path.len()).rev().find(|depth| paths.contains(&path[..*depth]))?;
                // "2.3" is a number where the paper has no part 2.3.
                let whole =
                    path[depth..].iter().all(|token| !matches!(token.kind, Kind::Decimal | Kind::Inner));
                (depth > base.len() && whole).then(|| (path[..depth].to_vec(), depth - base.len()))
            })
        });
        found.or_else(plain).filter(|(path, _)| !self.is_item(section, current, path))
    }

    /// The numbers of the questions that tables answer.
    pub(super) fn told_numbers(&self) -> HashSet<u32> {
        let number = |(_, path): &(usize, Vec<Token>)| match path[..] {
            [only] => Some(only.value),
            _ => None,
        };
        self.told.iter().filter_map(number).collect()
    }

    /// True for a label that goes back to what a table answers: "1)" in the solution of 13, below a key of 1 to 12.
    fn is_item(&self, section: usize, current: &[Token], path: &[Token]) -> bool {
        let ([own], Some(now)) = (path, current.first()) else { return false };
        let told = |path: &[Token]| self.told.contains(&(section, path.to_vec()));
        own.kind == Kind::Number && own.value < now.value && told(path) && !told(current)
    }

    /// A part's number as a question's, in a section that counts no parts so: multiple choice before "Exercise 1".
    fn plain(&self, section: usize, tokens: &[Token]) -> Option<Vec<Token>> {
        let (first, rest) = tokens.split_first().filter(|(first, _)| first.kind == Kind::Inner)?;
        let counts_parts = |path: &Vec<Token>| path.iter().any(|token| token.kind == Kind::Inner);
        let plain = !self.sections.get(section)?.iter().any(counts_parts);
        plain.then(|| [&[Token::new(Kind::Number, first.value)], rest].concat())
    }

    /// Puts in from another reading of a scheme what stands before the first answer of the first and what follows its
    /// last: a table of choices may be followed by solutions, or come behind them.
    pub(super) fn complete(&self, scheme: &mut Scheme, rest: Scheme) {
        let leaves = self.order.iter().enumerate();
        let leaves: Vec<(usize, &Vec<Token>)> =
            leaves.flat_map(|(section, leaves)| leaves.iter().map(move |leaf| (section, leaf))).collect();
        let answered = |(section, leaf): &(usize, &Vec<Token>)| {
            scheme.entries.iter().any(|entry| {
                let related = entry.path.starts_with(leaf) || leaf.starts_with(&entry.path);
                entry.section == *section && related && entry.says_something()
            })
        };
        let first = leaves.iter().position(answered).unwrap_or(0);
        let open = leaves.iter().rposition(answered).map_or(0, |last| last + 1);
        for entry in rest.entries.into_iter().filter(Entry::says_something) {
            let own = &(entry.section, &entry.path);
            if leaves[..first].contains(own) || leaves[open..].contains(own) {
                scheme.entries.retain(|own| own.section != entry.section || own.path != entry.path);
                scheme.entries.push(entry);
            }
        }
    }

    /// The first leaf below a path.
    pub(super) fn first_below(&self, section: usize, path: &[Token]) -> Option<&[Token]> {
        let mut leaves = self.order.get(section)?.iter();
        leaves.find(|leaf| leaf.len() > path.len() && leaf.starts_with(path)).map(Vec::as_slice)
    }

    /// The leaf after the one that stands at a path.
    pub(super) fn leaf_after(&self, section: usize, path: &[Token]) -> Option<&[Token]> {
        let leaves = self.order.get(section)?;
        let at = leaves.iter().position(|leaf| leaf == path)?;
        leaves.get(at + 1).map(Vec::as_slice)
    }
}

/// A label with `(i)` read as a numeral, and as a letter; with `1.2` as a number of its own, and as part 2 of
/// question 1.
fn readings(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut all = vec![tokens.to_vec()];
    for (index, token) in tokens.iter().enumerate() {
        if let Some(letter) = token.as_letter() {
            let mut other = tokens.to_vec();
            other[index] = letter;
            all.push(other);
        }
    }
    if let [_, second, ..] = tokens
        && second.kind == Kind::Decimal
    {
        let mut other = tokens.to_vec();
        other[1].kind = Kind::Inner;
        all.push(other);
    }
    all
}
