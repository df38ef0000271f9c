//! Which lines of a paper are its instructions to candidates: their numbers are no questions.

use super::section_names;
use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use lexicon::Concept;
use std::collections::HashMap;
use std::ops::Range;

/// Fewer items are no list of instructions.
const LEAST: usize = 3;
/// A heading is no longer, in words.
const HEADING: usize = 8;

/// For each line, whether it stands among the instructions. `marks`: whether it prints marks.
/// `end`: the first line after the one that ends the paper.
pub(super) fn find(lines: &[Line<'_>], marks: &[bool], end: Option<usize>) -> Vec<bool> {
    let mut found = vec![false; lines.len()];
    under_headings(lines, marks, &mut found);
    by_words(lines, marks, &mut found);
    before_sections(lines, marks, &mut found);
    if let Some(end) = end.filter(|end| *end < lines.len()) {
        after_end(lines, marks, end, &mut found);
    }
    found
}

/// What stands after "End of paper": thanks, sources, blank pages. A scheme that is bound to the paper prints marks.
fn after_end(lines: &[Line<'_>], marks: &[bool], end: usize, found: &mut [bool]) {
    let on_page = lines[end..].iter().take_while(|line| line.page == lines[end].page).count();
    let unmarked = marks[end..].iter().take_while(|marked| !**marked).count();
    let count = if marks[end..].contains(&true) { on_page.min(unmarked) } else { unmarked };
    found[end..end + count].fill(true);
}

/// What stands under "Instructions" up to the first section, the first announced question, or the end of
/// the page.
fn under_headings(lines: &[Line<'_>], marks: &[bool], found: &mut [bool]) {
    let mut open: Option<u32> = None;
    let last = announced_last(lines);
    for (index, line) in lines.iter().enumerate() {
        if is_heading(line) {
            open = Some(line.page);
        }
        let listed = open == Some(line.page) && is_listed(lines, index, &last);
        let announced = announced(line).is_some() && line.words.len() <= HEADING;
        let ends = announced || section_names::is_section_heading(line) || marks[index];
        if open != Some(line.page) || (ends && !listed) {
            open = None;
        }
        found[index] = open.is_some();
    }
}

/// The tokens of a label that a word announces: "QUESTION 1".
fn announced(line: &Line<'_>) -> Option<Vec<Token>> {
    let label = labels::parse(&line.texts()).filter(|label| label.style == Style::Keyword)?;
    Some(label.tokens)
}

/// For each question that a word announces, the last page on which one does.
fn announced_last(lines: &[Line<'_>]) -> HashMap<Vec<Token>, u32> {
    lines.iter().filter_map(|line| Some((announced(line)?, line.page))).collect()
}

/// True for a question that instructions list before it is asked: it is announced again on a later page, and the next
/// line lists another such, or goes on with the numbers of the instructions.
fn is_listed(lines: &[Line<'_>], index: usize, last: &HashMap<Vec<Token>, u32>) -> bool {
    let again = |line: &Line<'_>| {
        let page = announced(line).and_then(|own| last.get(&own).copied());
        page.is_some_and(|page| page > line.page)
    };
    let (line, next) = (&lines[index], lines.get(index + 1));
    let Some(next) = next.filter(|next| next.page == line.page && again(line)) else { return false };
    let instructs = || {
        let before = lines[..index].iter().rev().take_while(|line| line.page == next.page);
        number(next)
            .is_some_and(|own| own > 1 && before.into_iter().any(|line| number(line) == Some(own - 1)))
    };
    again(next) || instructs()
}

fn is_heading(line: &Line<'_>) -> bool {
    let text = line.text().to_lowercase();
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    line.words.len() <= HEADING && lexicon::is(Concept::InstructionsHeading, bare)
}

/// Lists from 1 on before the first section, without marks, where the sections count from 1 again and print theirs:
/// formulae that may be useful, information for candidates.
fn before_sections(lines: &[Line<'_>], marks: &[bool], found: &mut [bool]) {
    let Some(heading) = lines.iter().position(section_names::is_section_heading) else { return };
    let begins = |line: &Line<'_>| {
        labels::parse(&line.texts()).is_some_and(|label| label.tokens[0] == Token::new(Kind::Number, 1))
    };
    let again = (heading..lines.len()).find(|index| begins(&lines[*index]));
    let Some(again) = again.filter(|again| lines[*again].page > lines[0].page) else { return };
    // Questions ask, or offer something to choose from.
    let asks = |line: &Line<'_>| {
        let lettered = labels::parse(&line.texts()).is_some_and(|label| label.tokens[0].kind == Kind::Letter);
        lettered || offers(line) || line.text().ends_with('?')
    };
    let starts: Vec<usize> = (0..heading).filter(|index| number(&lines[*index]) == Some(1)).collect();
    let ends = starts.iter().skip(1).copied().chain([heading]);
    let mut lists = starts.iter().zip(ends);
    let is_list = |(start, end): (&usize, usize)| {
        let items = lines[*start..end].iter().filter(|line| number(line).is_some()).count();
        // Behind a closed list may stand a table for the examiners, with the total.
        let end = last_closed(lines, *start..end).map_or(end, |last| last + 1);
        items >= LEAST && !marks[*start..end].contains(&true) && !lines[*start..end].iter().any(asks)
    };
    let printed = marks[again..].iter().filter(|marked| **marked).count();
    if printed >= LEAST && lists.any(is_list) {
        found[..heading].fill(true);
    }
}

/// The line of the last item of a list that counts "1.", "2.", "3." from its first line on.
fn last_closed(lines: &[Line<'_>], own: Range<usize>) -> Option<usize> {
    let closed = |line: &Line<'_>| {
        let label = labels::parse(&line.texts()).filter(|label| label.style != Style::Bare)?;
        Some(label.tokens[0]).filter(|first| first.kind == Kind::Number).map(|first| first.value)
    };
    let (mut last, mut at) = (0, None);
    for index in own {
        if closed(&lines[index]) == Some(last + 1) {
            (last, at) = (last + 1, Some(index));
        }
    }
    at.filter(|_| last as usize >= LEAST)
}

/// True for a line that begins with an option's letter: "A.", "(B)".
fn offers(line: &Line<'_>) -> bool {
    super::options::option_letter(&line.words[0].text).is_some()
}

/// The number that a line begins with, where no word announces it.
fn number(line: &Line<'_>) -> Option<u32> {
    let label = labels::parse(&line.texts())?;
    let single =
        label.tokens.len() == 1 && label.tokens[0].kind == Kind::Number && label.style != Style::Keyword;
    single.then_some(label.tokens[0].value)
}

/// A list from 1 on, none of whose items prints marks, and most of which speak of pens, names and calculators.
fn by_words(lines: &[Line<'_>], marks: &[bool], found: &mut [bool]) {
    let mut start = 0;
    while start < lines.len() {
        if number(&lines[start]) != Some(1) {
            start += 1;
            continue;
        }
        let (mut end, mut items, mut speaking, mut last) = (start, 0_usize, 0_usize, 0);
        let mut spoke = false;
        for (index, line) in lines.iter().enumerate().skip(start) {
            let begins = number(line).filter(|value| *value == last + 1);
            if marks[index]
                || section_names::is_section_heading(line)
                || (number(line) == Some(1) && last > 0)
            {
                break;
            }
            if let Some(value) = begins {
                (last, spoke) = (value, false);
                items += 1;
            }
            if !spoke && lexicon::says(Concept::Instruction, &line.text().to_lowercase()).is_some() {
                (spoke, speaking) = (true, speaking + 1);
            }
            end = index + 1;
        }
        let page_end = lines[start..end].iter().take_while(|line| line.page <= lines[start].page + 1).count();
        // Questions with options may speak of the answer sheet, too.
        let offered = lines[start..end].iter().filter(|line| offers(line)).count();
        if items >= LEAST && speaking * 2 >= items && offered < items {
            found[start..start + page_end].fill(true);
        }
        start = end.max(start + 1);
    }
}
