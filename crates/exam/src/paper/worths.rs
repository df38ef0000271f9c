//! What a whole section says it is worth: "4 marks" under "Section I", "Answer all questions in this part. [5]".

use super::Question;
use super::rubric::{Rubric, is_question};
use super::section_names::is_section_heading;
use crate::flow::Line;
use crate::labels;
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use lexicon::Concept;
use std::ops::Range;

/// What a section says of itself before its first question.
const LEAD: usize = 8;

/// Questions that stand in one section, and what they are worth together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionWorth {
    /// Which of the paper's questions they are.
    pub questions: Range<usize>,
    /// What all of them are worth.
    pub marks: Marks,
}

/// The numbers in brackets that questions without marks print, "Name the parts. (4)", where they add up to what their
/// section is worth: one for each of them.
pub(crate) fn in_brackets(questions: &[&Question], whole: Marks) -> Option<Vec<Marks>> {
    let number = |word: &str| {
        let bare = word.trim_end_matches('.').strip_prefix('(')?.strip_suffix(')')?;
        bare.parse().ok().filter(|own| (1..100).contains(own)).map(Marks::whole)
    };
    let of = |question: &&Question| {
        let [only] = question.leaves.as_slice() else { return None };
        let mut said = only.text.split(' ').filter_map(number);
        said.next().filter(|_| said.next().is_none())
    };
    let found: Vec<Marks> = questions.iter().map(of).collect::<Option<_>>()?;
    (found.iter().copied().sum::<Marks>() == whole).then_some(found)
}

/// The marks at the end of a line that asks for all questions of a section.
pub(crate) fn asked(line: &Line<'_>) -> Option<Marks> {
    let texts = line.texts();
    let note = marks::at_end(&texts).filter(|note| note.scope == Scope::Part && note.bracketed)?;
    let words: Vec<String> = texts
        .iter()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let says = |concept: Concept| words.iter().any(|word| lexicon::is(concept, word));
    let asks = words.first().is_some_and(|first| lexicon::is(Concept::Attempt, first));
    let of_all = says(Concept::All) && words.iter().any(|word| is_question(word));
    (asks && of_all && !says(Concept::Each)).then_some(note.marks)
}

/// What sections are worth that ask for one of their questions and end so with its marks: "Choose one of the two prompts.
/// … (20 points)". Each with the line of its heading.
pub(super) fn offered(lines: &[Line<'_>], choices: &[(usize, Option<u32>)]) -> Vec<(usize, Marks)> {
    const PARAGRAPH: usize = 4;
    let one = choices.iter().filter(|(_, count)| *count == Some(1)).map(|(at, _)| *at);
    let worth = |at: usize| {
        let end = (at + PARAGRAPH).min(lines.len());
        (at..end).find_map(|own| asked_below(lines, own))
    };
    one.filter_map(|at| {
        let heading = (at.saturating_sub(LEAD)..at).rev().find(|above| is_section_heading(&lines[*above]))?;
        Some((heading, worth(at)?))
    })
    .collect()
}

/// The marks that end a paragraph below a section's heading which asks for its questions: "Answer all 4 questions in this
/// part. … Show your work. [8]"
pub(super) fn asked_below(lines: &[Line<'_>], at: usize) -> Option<Marks> {
    let note = marks::at_end(&lines[at].texts());
    let note = note.filter(|note| note.scope == Scope::Part && note.bracketed)?;
    let heading = (at.saturating_sub(LEAD)..at).rev().find(|above| is_section_heading(&lines[*above]))?;
    let paragraph = lines.get(heading + 1..=at).filter(|lines| !lines.is_empty())?;
    let asks = paragraph[0]
        .words
        .first()
        .is_some_and(|first| lexicon::is(Concept::Attempt, &first.text.to_lowercase()));
    let labelled = paragraph.iter().any(|line| labels::parse(&line.texts()).is_some());
    (asks && !labelled).then_some(note.marks)
}

/// True where nothing stands before a line's marks but what they are called: "Value: 16 marks".
pub(super) fn is_alone(line: &Line<'_>, before: usize) -> bool {
    match line.words[..before] {
        [] => true,
        [ref name] => name.text.ends_with(':'),
        _ => false,
    }
}

/// The marks that a line below a heading says its section is worth, alone or after what it asks for.
fn stated(line: &Line<'_>) -> Option<Marks> {
    let alone = marks::at_end(&line.texts()).filter(|note| {
        let whole = is_alone(line, line.words.len() - note.words) && note.scope == Scope::Part;
        whole && note.certainty == Certainty::Sure
    });
    alone.map(|note| note.marks).or_else(|| asked(line)).or_else(|| told(line))
}

/// "This section has four questions and is worth 4 marks."
fn told(line: &Line<'_>) -> Option<Marks> {
    let lower = line.text().to_lowercase();
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let says = |concept: Concept| words.iter().any(|word| lexicon::is(concept, word));
    if !says(Concept::Section) || says(Concept::Each) {
        return None;
    }
    let worth = lexicon::says(Concept::Worth, &lower)?;
    let behind: Vec<&str> = lower[worth.end..].split_whitespace().collect();
    let pairs = behind.windows(2).filter(|pair| marks::is_unit(pair[1].trim_end_matches([',', ';'])));
    let counted = pairs.filter_map(|pair| pair[0].parse().ok()).next();
    counted.map(Marks::whole).filter(|marks| !marks.is_zero())
}

/// The sections that say what they are worth. `starts`: the line of each question.
pub(super) fn of_sections(lines: &[Line<'_>], rubric: &Rubric, starts: &[usize]) -> Vec<SectionWorth> {
    let headings: Vec<usize> = rubric.sure_headings().collect();
    let worth = |(at, heading): (usize, &usize)| {
        let end = headings.get(at + 1).copied().unwrap_or(usize::MAX);
        let own = |start: &usize| (*heading..end).contains(start);
        let first = starts.iter().position(own)?;
        let count = starts[first..].iter().take_while(|start| own(start)).count();
        let lead = heading + 1..starts[first].min(heading + 1 + LEAD).min(lines.len());
        // Where some are to be chosen, the section is worth less than its questions.
        if rubric.chooses_within(*heading..starts[first]) {
            return None;
        }
        let marks = rubric.worth_of(*heading).or_else(|| {
            let below = |at: usize| stated(&lines[at]).or_else(|| asked_below(lines, at));
            lead.into_iter().find_map(below)
        })?;
        Some(SectionWorth { questions: first..first + count, marks })
    };
    headings.iter().enumerate().filter_map(worth).collect()
}
