//! How a document counts: its questions 1, 2, 3 or I, II, III, and perhaps 1, 2 again within each of them.

use super::candidates::Candidate;
use super::evidence::Evidence;
use crate::labels::{self, Kind, Label, Style, Token};
use lexicon::Concept;
use std::ops::Range;

/// How a document counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Questions carry capital Roman numerals.
    pub roman: bool,
    /// Which numbers count the parts of a question.
    pub inner: Inner,
    /// A word that asks announces parts of what another word announces: "Exercise 1", then "Question 1".
    pub asks_within: bool,
}

/// Which numbers count the parts of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inner {
    /// None: a number is a question's.
    #[default]
    None,
    /// Those in brackets: "1.", then "(1)", "(2)".
    Bracketed,
    /// All that no word announces: "Exercise 1", then "1.", "2.".
    Any,
}

impl Outline {
    /// How a paper counts that has questions with these numbers and parts with these paths.
    pub(crate) fn of<'p>(
        mut numbers: impl Iterator<Item = &'p str>,
        mut paths: impl Iterator<Item = &'p [Token]>,
    ) -> Outline {
        let roman = numbers.any(|number| number.starts_with(|first: char| first.is_ascii_uppercase()));
        let inner = paths.any(|path| path.iter().any(|token| token.kind == Kind::Inner));
        Outline { roman, inner: if inner { Inner::Any } else { Inner::None }, asks_within: false }
    }

    /// How another document counts that answers a paper which counts so: numbers are those of parts only
    /// where something else names the questions.
    pub(crate) fn followed_in<'t>(self, lines: impl Iterator<Item = Vec<&'t str>>) -> Outline {
        if self == Outline::default() {
            return self;
        }
        let (mut capitals, mut announced, mut asked) = (0, false, false);
        for texts in lines {
            capitals += usize::from(labels::parse_capital(&texts).is_some());
            let asks = asks(&texts);
            asked |= asks;
            announced |= labels::parse(&texts).is_some_and(|label| label.style == Style::Keyword) && !asks
                || crate::scheme::announces_solution(&texts);
        }
        let asks_within = self.inner == Inner::Any && announced && asked;
        announced |= asked;
        let roman = self.roman && capitals > 0;
        let headed = roman || announced;
        let inner = match self.inner {
            Inner::Any if !headed => Inner::Bracketed,
            inner => inner,
        };
        Outline { roman, inner, asks_within }
    }

    /// Reads the label that words begin with, in the way that the document counts.
    pub fn parse(self, words: &[&str]) -> Option<Label> {
        let capital = if self.roman { labels::parse_capital(words) } else { None };
        capital.or_else(|| {
            labels::parse(words).map(|label| self.extend(self.place(self.lowered(label, words)), words))
        })
    }

    /// The label as one that no word announces, where that word announces parts.
    pub(crate) fn lowered(self, mut label: Label, words: &[&str]) -> Label {
        if self.asks_within && asks(words) {
            label.style = Style::Dot;
        }
        label
    }

    /// The label with the number in brackets that follows it, where such numbers count parts: "1. (2)", "b) (1)".
    pub(crate) fn extend(self, mut label: Label, words: &[&str]) -> Label {
        let open = self.inner != Inner::None && label.tokens.len() == 1 && !label.glued;
        let counts = match label.tokens[0].kind {
            Kind::Number => true,
            Kind::Letter => matches!(label.style, Style::Close | Style::Brackets),
            _ => false,
        };
        if open && counts && words.len() > label.words + 1 {
            let next = labels::parse(&words[label.words..=label.words]);
            // "b) 1)" as well.
            let closed = label.style == Style::Close && label.tokens[0].kind == Kind::Letter;
            let own = |style| style == Style::Brackets || (closed && style == Style::Close);
            let bracketed = next.filter(|next| own(next.style) && next.tokens.len() == 1 && !next.glued);
            if let Some(number) = bracketed.filter(|next| next.tokens[0].kind == Kind::Number) {
                label.tokens.push(Token::new(Kind::Inner, number.tokens[0].value));
                label.words += 1;
            }
        }
        label
    }

    /// The label with its number read as a part's, where the document counts parts so.
    pub fn place(self, mut label: Label) -> Label {
        let inner = match self.inner {
            Inner::None => false,
            Inner::Bracketed => label.style == Style::Brackets,
            Inner::Any => label.style != Style::Keyword,
        };
        let decimal = label.tokens.iter().any(|token| token.kind == Kind::Decimal);
        if inner && !decimal && label.tokens[0].kind == Kind::Number {
            label.tokens[0].kind = Kind::Inner;
        }
        label
    }
}

/// True for words that begin with a label which a word that asks announces: "Question 2", "Q.2".
pub(crate) fn asks(words: &[&str]) -> bool {
    let announced = labels::parse(words).is_some_and(|label| label.style == Style::Keyword);
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    let bare = first.trim_end_matches(|c: char| !c.is_alphabetic());
    announced && lexicon::is(Concept::AskingLabel, bare)
}

/// Finds how a document counts, by its plain labels, its capital numerals and which lines print marks.
pub(super) fn find(found: &[Candidate], capitals: &[Candidate], evidence: &Evidence) -> Outline {
    // What "Part A" is worth is no mark of the numbers around it.
    let over = |line: usize| evidence.parts_over_numbers && evidence.parts.get(line) == Some(&true);
    let own = |(line, marked): (usize, &bool)| *marked && !over(line);
    let marks: &[bool] = &evidence.marks.iter().enumerate().map(own).collect::<Vec<bool>>();
    let announced =
        |candidate: &&Candidate| candidate.label.style == Style::Keyword && candidate.quality > 0.0;
    let heads = chain(found.iter().filter(announced));
    let roman = if heads.is_empty() { roman_outline(found, capitals, (marks, evidence)) } else { None };
    if let Some(outline) = roman {
        return outline;
    }
    if let Some(outline) = asked_within(found, marks.len()) {
        return outline;
    }
    let plain = |candidate: &&Candidate| matches!(candidate.label.style, Style::Dot | Style::Close);
    let (heads, inner) = match heads.is_empty() {
        false => (heads, Inner::Any),
        true => (chain(found.iter().filter(plain)), Inner::Bracketed),
    };
    // Where letters count the parts, a number in brackets is a mark or an equation's.
    let is_letter = |candidate: &Candidate| {
        candidate.begins_line && matches!(candidate.label.tokens[0].kind, Kind::Letter | Kind::Roman)
    };
    if inner == Inner::Bracketed && found.iter().any(is_letter) {
        return Outline::default();
    }
    let outline = Outline { roman: false, inner, asks_within: false };
    let runs: Vec<Run> = intervals(&heads, marks.len())
        .filter_map(|lines| run(found, outline, lines, (marks, evidence)))
        .collect();
    let marked = runs.iter().any(|run| run.marked);
    // Three to five numbers in brackets under each question, none with marks, are its options.
    let options = inner == Inner::Bracketed
        && !marked
        && runs.len() * 2 > heads.len()
        && runs.iter().all(|run| (OPTIONS.0..=OPTIONS.1).contains(&run.count) && run.count == runs[0].count);
    let parted = evidence.parts_over_numbers && evidence.parts.contains(&true) && !runs.is_empty();
    let within = inner == Inner::Any && counts_within_one(found, &heads, marks);
    if (runs.len() >= 2 || marked || parted || within) && !options { outline } else { Outline::default() }
}

/// True where each head prints what all of it earns, and below one of them numbers count from 1 that say what to do: no
/// question begins again there.
fn counts_within_one(found: &[Candidate], heads: &[usize], marks: &[bool]) -> bool {
    const LEAST: usize = 2;
    let priced = heads.len() >= LEAST && heads.iter().all(|head| marks.get(*head) == Some(&true));
    let asked = |lines: Range<usize>| {
        let own = found.iter().filter(|own| lines.contains(&own.line) && own.begins_line && own.commands);
        let closed = own.filter(|own| {
            let number = matches!(own.label.tokens[..], [only] if only.kind == Kind::Number);
            number && matches!(own.label.style, Style::Dot | Style::Close)
        });
        closed.fold(0, |count, own| count + usize::from(own.label.tokens[0].value as usize == count + 1))
    };
    priced && intervals(heads, marks.len()).any(|lines| asked(lines) >= LEAST)
}

/// "Exercise 1" over "Question 1" and "Question 2", and so again below "Exercise 2": what asks counts within what does not.
fn asked_within(found: &[Candidate], lines: usize) -> Option<Outline> {
    let announced = |candidate: &&Candidate| {
        candidate.begins_line && candidate.label.style == Style::Keyword && candidate.quality > 0.0
    };
    let heads = chain(found.iter().filter(announced).filter(|own| !own.asks));
    let first = Token::new(Kind::Number, 1);
    let mut asked = found.iter().filter(announced).filter(|own| own.asks);
    let begins = |own: &Candidate| own.label.tokens.first() == Some(&first);
    let firsts: Vec<usize> = asked.by_ref().filter(|own| begins(own)).map(|own| own.line).collect();
    let counted_again = intervals(&heads, lines).filter(|own| firsts.iter().any(|line| own.contains(line)));
    let outline = Outline { roman: false, inner: Inner::Any, asks_within: true };
    (heads.len() >= 2 && counted_again.count() >= 2).then_some(outline)
}

/// The lines of labels that count 1, 2, 3 from the first on.
fn chain<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Vec<usize> {
    let mut lines = Vec::new();
    for candidate in candidates.filter(|candidate| candidate.begins_line) {
        let first = candidate.label.tokens[0];
        if first.kind == Kind::Number && first.value as usize == lines.len() + 1 {
            lines.push(candidate.line);
        }
    }
    lines
}

/// The lines that each head stands over.
fn intervals(heads: &[usize], lines: usize) -> impl Iterator<Item = Range<usize>> {
    let end = move |index: usize| heads.get(index + 1).copied().unwrap_or(lines);
    heads.iter().enumerate().map(move |(index, head)| *head..end(index))
}

/// A question offers no fewer options and no more.
const OPTIONS: (usize, usize) = (4, 5);

/// Numbers that count from 1 within a question.
struct Run {
    /// How many they are.
    count: usize,
    /// Most of them carry marks.
    marked: bool,
}

/// Two numbers or more that count from 1 under a head. Where marks are printed under it, most must have
/// theirs, or a blank to fill in: steps of a method have none.
fn run(
    found: &[Candidate],
    outline: Outline,
    lines: Range<usize>,
    (marks, evidence): (&[bool], &Evidence),
) -> Option<Run> {
    let own = found.iter().filter(|candidate| lines.contains(&candidate.line));
    let inner = own.filter(|candidate| {
        let label = outline.place(candidate.label.clone());
        candidate.begins_line && candidate.has_text && label.tokens[0].kind == Kind::Inner
    });
    let inner: Vec<&Candidate> = inner.collect();
    let count = |closed: bool| {
        let mut items: Vec<&Candidate> = Vec::new();
        for candidate in &inner {
            let counts = !closed || candidate.label.style != Style::Bare;
            if counts && candidate.label.tokens[0].value as usize == items.len() + 1 {
                items.push(*candidate);
            }
        }
        items
    };
    // The lines of a program are numbered as well, but not with "1." and "2.".
    let items = Some(count(true)).filter(|items| items.len() >= 2).unwrap_or_else(|| count(false));
    let bare = items.iter().any(|item| item.label.style == Style::Bare);
    let ends = items.iter().skip(1).map(|item| item.line).chain([lines.end]);
    let marked = items.iter().zip(ends).filter(|(item, end)| marks[item.line..*end].contains(&true)).count();
    // What is to be completed is asked, marks or none.
    let blank =
        |item: &&Candidate| item.label.style != Style::Bare && evidence.blanks.get(item.line) == Some(&true);
    let completed = items.len() > 2 && items.iter().all(blank);
    // "2 points each" in their head.
    let first = items.first().map_or(lines.start, |item| item.line);
    let priced = !bare && evidence.spreads_within(lines.start..first);
    let is_marked = marked * 2 >= items.len() || completed || priced;
    // A head may carry the question's own marks.
    let unmarked = !marks[lines.start + 1..lines.end.max(lines.start + 1)].contains(&true);
    (items.len() >= 2 && (is_marked || (unmarked && !bare)))
        .then_some(Run { count: items.len(), marked: is_marked })
}

/// Capital numerals count questions where I stands once, before any 1, and the numbers below do not go on
/// from one numeral to the next: those would be sections.
fn roman_outline(
    found: &[Candidate],
    capitals: &[Candidate],
    (marks, evidence): (&[bool], &Evidence),
) -> Option<Outline> {
    let value = |candidate: &Candidate| candidate.label.tokens[0].value;
    let firsts = capitals.iter().filter(|candidate| value(candidate) == 1).count();
    let heads = chain(capitals.iter());
    let first = *heads.first().filter(|_| firsts == 1 && heads.len() >= 2)?;
    // "I. Circle the right answer." heads questions that count again below it.
    if heads.iter().all(|line| evidence.section.get(*line) == Some(&true)) {
        return None;
    }
    let numbers: Vec<&Candidate> = found
        .iter()
        .filter(|candidate| candidate.begins_line && candidate.label.tokens[0].kind == Kind::Number)
        .filter(|candidate| matches!(candidate.label.style, Style::Dot | Style::Close | Style::Brackets))
        .collect();
    if numbers.iter().any(|candidate| value(candidate) == 1 && candidate.line < first) {
        return None;
    }
    let starts: Vec<Option<u32>> = intervals(&heads, marks.len())
        .map(|lines| numbers.iter().find(|own| lines.contains(&own.line)).map(|own| value(own)))
        .collect();
    let goes_on = starts.iter().skip(1).flatten().any(|start| *start > 1);
    // "I. Instructions" and "II. Questions" are no questions.
    let in_last = starts.len() == 2 && starts[0].is_none() && starts[1].is_some();
    if goes_on || in_last {
        return None;
    }
    let outline = Outline { roman: true, inner: Inner::Any, asks_within: false };
    // Numbers alone, in a column of their own, count where they begin again under a second numeral and carry marks.
    let counted_again = || {
        let runs =
            intervals(&heads, marks.len()).filter_map(|lines| run(found, outline, lines, (marks, evidence)));
        runs.filter(|run| run.marked).count() >= 2
    };
    let counts = starts.iter().flatten().next().is_some() || counted_again();
    Some(Outline { inner: if counts { Inner::Any } else { Inner::None }, ..outline })
}
