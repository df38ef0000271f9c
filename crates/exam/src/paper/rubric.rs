//! What a paper says about itself: sections, which questions to answer, marks for each.

use super::options::option_letter;
use super::products::{self, Product};
use super::section_names::{self, is_section_heading, section_of, stands_out};
use super::segment::Segment;
use super::stated::Stated;
use super::{ChoiceGroup, Question, ranges, sections, spread, worths};
use crate::flow::Line;
use crate::labels::{self, Kind, Token};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use lexicon::Concept;
use std::ops::Range;

/// The rubrics of a paper by line.
#[derive(Debug, Default)]
pub(super) struct Rubric {
    /// Headings of sections: line and letter.
    sections: Vec<(usize, String)>,
    /// Headings of groups that are named with their questions: line and numeral.
    groups: Vec<(usize, String)>,
    /// The marks that headings print for their whole section.
    worths: Vec<(usize, Marks)>,
    /// Headings whose marks are those of their section.
    pub(super) boxes: Vec<usize>,
    /// Lines of those that are surely headings and no part of a sentence.
    headings: Vec<usize>,
    /// "Answer two questions": line and how many; `None` for "answer all".
    choices: Vec<(usize, Option<u32>)>,
    /// Those of them that speak of all sections: "Answer four questions, choosing at least one from each section."
    across: Vec<usize>,
    /// Lines that ask to choose the right answers.
    choosing: Vec<usize>,
    /// "Each question carries 2 marks".
    each: Stated,
    /// "Questions 1 to 5 carry 2 marks each": first, last and marks.
    ranges: Vec<(u32, u32, Marks)>,
    /// The first and the last of "Questions 11–16", in the paper's order.
    pub(super) announced: Vec<(u32, u32)>,
    /// Every such first number, with its line.
    pub(super) firsts: Vec<(usize, u32)>,
    /// Lines that say how many questions of how many marks their section asks for.
    pub(super) products: Vec<Product>,
    /// Lines that offer what follows them to choose from: "Write on ONE of the following topics:".
    pub(super) offers: Vec<usize>,
    /// Headings over numbers that go on from one to the next: "Exercise 2" with 3 and 4.
    pub(super) over: Vec<usize>,
}

pub(super) fn read(lines: &[Line<'_>]) -> Rubric {
    let mut rubric = Rubric::default();
    for (index, line) in lines.iter().enumerate() {
        let texts = cleaned(line);
        let words: Vec<&str> = texts.iter().map(String::as_str).collect();
        if let Some(name) = section_of(line) {
            let roman = labels::parse_roman(&name.to_lowercase()).is_some();
            // "GRUPO I — Escolha múltipla"
            let parted = line.words.get(2).is_none_or(|next| matches!(next.text.as_str(), "-" | "–" | "—"));
            let grouped = roman && parted && lexicon::is(Concept::Group, words[0]);
            if grouped || section_names::test(&line.texts()).is_some() {
                rubric.groups.push((index, name.clone()));
            }
            rubric.sections.push((index, name));
            if stands_out(line) {
                rubric.headings.push(index);
            }
            let texts = line.texts();
            let note = marks::at_end(&texts).filter(|note| note.certainty == Certainty::Sure);
            // "Part V – Essay (12 pts). Choose ONE of the two topics."
            let inside = || worth_within(&texts).filter(|_| spread::of_text(&line.text()).is_none());
            rubric.worths.extend(note.or_else(inside).map(|note| (index, note.marks)));
        } else {
            rubric.worths.extend(heading_worth(line).map(|marks| (index, marks)));
        }
        rubric.ranges.extend(ranges::of_line(line, lines.get(index + 1)));
        let announced = ranges::announced(&line.text());
        rubric.firsts.extend(announced.map(|(first, _)| (index, first)));
        rubric.announced.extend(announced);
        if speaks_of_choices(line) && !is_form(line) {
            rubric.choosing.push(index);
        }
        let product = products::of_line(index, lines);
        rubric.products.extend(product);
        let chosen = product.and_then(|product| product.chosen);
        if let Some(choice) = choice(&words).or(chosen.map(Some)) {
            rubric.choices.push((index, choice));
            let of_each =
                |pair: &[&str]| lexicon::is(Concept::Each, pair[0]) && lexicon::is(Concept::Section, pair[1]);
            rubric.across.extend(words.windows(2).any(of_each).then_some(index));
        } else if offers_one(line) {
            let next = lines.get(index + 1).and_then(numbered);
            if next == Some(1) {
                rubric.firsts.push((index, 1));
                rubric.offers.push(index);
            }
            if next == Some(1) || heads_offer(lines, index) {
                rubric.choices.push((index, Some(1)));
            }
        }
        rubric.each.read(index, lines);
    }
    let lettered = lettered_sections(lines).into_iter().map(|(index, letter)| (index, letter.to_string()));
    let numerals = sections::of_numerals(lines).into_iter().chain(sections::of_numerals_again(lines));
    for (index, name) in lettered.chain(numerals) {
        rubric.sections.push((index, name));
        rubric.headings.push(index);
        if rubric.products.iter().all(|product| product.line != index) {
            rubric.products.extend(products::of_heading(index, &lines[index]));
        }
    }
    rubric.products.sort_by_key(|product| product.line);
    for index in sections::of_kinds(lines) {
        rubric.sections.push((index, lines[index].text().to_lowercase()));
        rubric.headings.push(index);
    }
    for (index, marks) in sections::of_boxes(lines) {
        if !rubric.headings.contains(&index) {
            rubric.sections.push((index, lines[index].text().to_lowercase()));
            rubric.headings.push(index);
        }
        if rubric.worth_of(index).is_none() {
            rubric.worths.push((index, marks));
        }
        rubric.boxes.push(index);
    }
    for (at, marks) in worths::offered(lines, &rubric.choices) {
        if rubric.worth_of(at).is_none() {
            rubric.worths.push((at, marks));
        }
    }
    rubric.worths.sort_by_key(|(line, _)| *line);
    rubric.each.add(spread::each(lines));
    rubric.sections.sort();
    rubric.headings.sort_unstable();
    rubric
}

/// "A. Vocabulary" and "B. Grammar", each once and each with a question 1 below it: sections that count again.
fn lettered_sections(lines: &[Line<'_>]) -> Vec<(usize, char)> {
    /// What a section says of itself before its first question.
    const LEAD: usize = 5;
    let letter = |line: &Line<'_>| {
        Some(&line.words[0].text).filter(|word| word.len() > 1).and_then(|word| option_letter(word))
    };
    let starts_at_one = |at: usize| {
        let below = lines[at + 1..].iter().take(LEAD).take_while(|line| letter(line).is_none());
        below
            .filter_map(|line| labels::parse(&line.texts()))
            .next()
            .is_some_and(|label| label.tokens[0] == Token::new(Kind::Number, 1))
    };
    let found: Vec<(usize, char)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, letter(line)?))).collect();
    let counts = |found: &[(usize, char)]| {
        found.len() >= 2 && found.iter().zip('A'..).all(|((_, own), expected)| *own == expected)
    };
    if counts(&found) {
        return if found.iter().all(|(at, _)| starts_at_one(*at)) { found } else { Vec::new() };
    }
    // Options have letters, too: what asks for marks of so many questions heads them.
    let priced = |(at, _): &&(usize, char)| products::of_heading(*at, &lines[*at]).is_some();
    let heads: Vec<(usize, char)> = found.into_iter().filter(|(at, _)| starts_at_one(*at)).collect();
    let most = heads.iter().filter(priced).count() * 2 > heads.len();
    if counts(&heads) && most { heads } else { Vec::new() }
}

impl Rubric {
    /// The same without headings that name parts of a question.
    pub(super) fn without(mut self, parts: &[bool]) -> Rubric {
        let is_part = |line: usize| parts.get(line).copied().unwrap_or(false);
        self.sections.retain(|(line, _)| !is_part(*line));
        self.headings.retain(|line| !is_part(*line));
        self
    }

    /// For each line, whether it is the heading of a section.
    pub(super) fn headings(&self, lines: usize) -> Vec<bool> {
        let mut headings = vec![false; lines];
        for (index, (line, name)) in self.sections.iter().enumerate() {
            // A list of sections on the cover heads nothing: each is named again where it begins.
            let listed = self.sections.get(index + 1).is_some_and(|(next, _)| *next == line + 1)
                || index.checked_sub(1).is_some_and(|before| self.sections[before].0 + 1 == *line);
            let again = self.sections[index + 1..].iter().any(|(_, later)| later == name);
            headings[*line] = !(listed && again);
        }
        headings
    }

    /// Lines that are surely headings of sections, in order.
    pub(super) fn sure_headings(&self) -> impl Iterator<Item = usize> {
        self.headings.iter().copied()
    }

    /// What the heading on a line prints for its whole section.
    pub(super) fn worth_of(&self, heading: usize) -> Option<Marks> {
        self.worths.iter().find(|(line, _)| *line == heading).map(|(_, marks)| *marks)
    }

    /// True when one of these lines leaves questions to be chosen.
    pub(super) fn chooses_within(&self, lines: Range<usize>) -> bool {
        self.choices.iter().any(|(line, answer)| lines.contains(line) && answer.is_some())
    }

    /// The first line after `from` and before `to` that is surely the heading of a section.
    pub(super) fn heading_between(&self, from: usize, to: usize) -> Option<usize> {
        self.headings.iter().chain(&self.over).copied().filter(|line| (from + 1..to).contains(line)).min()
    }

    /// The marks that a question without printed marks carries, by what its section says.
    /// `offers`: whether it offers options to choose from, of which a paper may speak apart.
    pub(super) fn marks_at(&self, line: usize, number: u32, offers: bool) -> Option<Marks> {
        let range = self.ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&number));
        if let Some((_, _, marks)) = range {
            return Some(*marks);
        }
        let section = self.sections.iter().rev().find(|(at, _)| *at < line);
        self.each.at(line, section.map(|(at, name)| (*at, name.as_str())), offers)
    }

    /// What one of these lines says that each part is worth.
    pub(super) fn each_within(&self, lines: Range<usize>) -> Option<Marks> {
        self.each.within(lines)
    }

    /// For each line, whether it says what each part is worth.
    pub(super) fn spread(&self, lines: usize) -> Vec<bool> {
        let mut spread = vec![false; lines];
        self.each.lines().for_each(|line| spread[line] = true);
        spread
    }

    /// The marks of a question of a section that prints its own, of whose questions so many are to be answered: each
    /// is worth the same.
    pub(super) fn share_at(&self, line: usize) -> Option<Marks> {
        let (heading, _) = self.sections.iter().rev().find(|(at, _)| *at < line)?;
        let (_, whole) = self.worths.iter().find(|(at, _)| at == heading)?;
        let (_, answer) = self.choices.iter().rev().find(|(at, _)| *at >= *heading && *at < line)?;
        let count = (*answer)?;
        let halves = whole.as_halves();
        (count > 0 && halves.is_multiple_of(2 * count)).then(|| Marks::halves(halves / count))
    }

    /// Notes the questions that stand under a line which asks to choose the right answers, until the paper counts
    /// again. A question that asks so itself speaks of itself alone.
    pub(super) fn note_choices(&self, segments: &mut [Segment]) {
        let (mut open, mut before, mut start) = (false, 0, 0);
        for segment in segments.iter_mut().filter(|segment| segment.path.len() == 1) {
            let number = segment.path[0].value;
            let asked = self.choosing.iter().any(|line| (start..segment.start.0).contains(line));
            open = (open && number > before) || (asked && number == 1);
            segment.is_choice = open;
            (before, start) = (number, segment.start.0);
        }
        // "Exercise 1. Only one of the three answers is right." speaks of the numbers below it.
        for head in (0..segments.len()).filter(|at| segments[*at].path.len() == 1).collect::<Vec<_>>() {
            let own = segments[head].from.0..segments[head].to.0;
            if !self.choosing.iter().any(|line| own.contains(line)) {
                continue;
            }
            let parts = segments[head + 1..].iter_mut().take_while(|part| part.path.len() > 1);
            parts.filter(|part| part.path.len() == 2).for_each(|part| part.is_choice = true);
        }
    }

    /// Gives questions without marks an even share of what the title above them is worth. A title counts where question 1 follows it and none of its questions has marks of its own.
    pub(super) fn share_worths(&self, starts: &[usize], questions: &mut [Question]) {
        /// What a title says of its questions before the first of them.
        const LEAD: usize = 5;
        for (at, whole) in &self.worths {
            let Some(first) = starts.iter().position(|start| start > at) else { continue };
            let after = self.worths.iter().map(|(line, _)| *line).chain(self.headings.iter().copied());
            let end = after.filter(|line| line > at).min().unwrap_or(usize::MAX);
            let number = |question: &Question| question.leaves.first().map_or(0, |leaf| leaf.path[0].value);
            let mut count = 0;
            while first + count < questions.len()
                && starts[first + count] < end
                && number(&questions[first + count]) as usize == count + 1
            {
                count += 1;
            }
            let run = &mut questions[first..first + count];
            let silent = |question: &Question| {
                question.marks.is_none() && question.leaves.len() == 1 && question.leaves[0].marks.is_none()
            };
            if count >= 2
                && run.iter().all(silent)
                && let Some(own) = worths::in_brackets(&run.iter().collect::<Vec<_>>(), *whole)
            {
                run.iter_mut().zip(own).for_each(|(question, marks)| question.leaves[0].marks = Some(marks));
                continue;
            }
            let (halves, each) = (whole.as_halves(), u32::try_from(count).unwrap_or(u32::MAX));
            if count >= 2
                && starts[first] - at <= LEAD
                && run.iter().all(silent)
                && halves.is_multiple_of(each)
            {
                let share = Marks::halves(halves / each);
                run.iter_mut().for_each(|question| question.leaves[0].marks = Some(share));
            }
        }
    }

    /// The group that a question stands in which starts at this line, where there are several.
    pub(super) fn group_at(&self, line: usize) -> Option<&str> {
        let several = self.groups.len() > 1;
        let own = self.groups.iter().rev().find(|(at, _)| *at < line).filter(|_| several);
        own.map(|(_, name)| name.as_str())
    }

    /// The choice that questions starting at these lines belong to, one entry each.
    pub(super) fn choices_for(&self, starts: &[usize]) -> Vec<Option<ChoiceGroup>> {
        let mut groups: Vec<Option<(usize, ChoiceGroup)>> = Vec::new();
        let first = starts.first().copied().unwrap_or(0);
        for start in starts {
            // Rubrics on the front page speak of sections that come later, so only those close
            // before the questions count.
            let near = |at: usize| at < *start && (at >= first || first - at <= 6);
            let section = self.sections.iter().rev().find(|(at, _)| *at < *start && near(*at));
            let choice = self.choices.iter().rev().find(|(at, _)| near(*at));
            let stale = |at: usize| section.is_some_and(|(heading, _)| *heading > at + 4);
            groups.push(choice.filter(|(at, _)| !stale(*at)).and_then(|(at, answer)| {
                let name = section.map_or_else(|| at.to_string(), |(_, name)| name.clone());
                Some((*at, ChoiceGroup { name, answer: (*answer)? }))
            }));
        }
        // "Answer three questions" far up on the cover counts where nothing below says otherwise, and so does what is said of
        // all sections.
        if let [(at, Some(answer))] = self.choices[..]
            && (self.across.contains(&at) || self.headings.is_empty() && groups.iter().all(Option::is_none))
            && at < first
        {
            let group = (at, ChoiceGroup { name: at.to_string(), answer });
            groups.iter_mut().for_each(|own| *own = Some(group.clone()));
        }
        let size = |at: usize| groups.iter().flatten().filter(|(other, _)| *other == at).count();
        let real = |group: &(usize, ChoiceGroup)| (group.1.answer as usize) < size(group.0);
        groups.iter().map(|group| group.clone().filter(real).map(|(_, group)| group)).collect()
    }
}

/// "(20 points)" and "(1 question, 20 points)" within a heading.
fn worth_within(texts: &[&str]) -> Option<marks::MarkNote> {
    let counted = || {
        let from = texts.iter().rposition(|word| word.starts_with(['(', '[']))?;
        let [count, questions, rest @ ..] = &texts[from..] else { return None };
        let number = count.trim_start_matches(['(', '[']).parse::<u32>().is_ok();
        let names = is_question(&clean(questions)) && questions.ends_with([',', ';', ':']);
        let opened = format!("({}", rest.first()?);
        let own: Vec<&str> = std::iter::once(opened.as_str()).chain(rest[1..].iter().copied()).collect();
        marks::at_end(&own).filter(|note| number && names && note.bracketed && note.words == own.len())
    };
    marks::within(texts).or_else(counted)
}

/// A short title and what stands under it is worth: "QCM (4 points)", "Multiple choice [10 marks, none taken off]".
fn heading_worth(line: &Line<'_>) -> Option<Marks> {
    const LONGEST: usize = 8;
    let texts = line.texts();
    let first = texts.first().filter(|word| word.starts_with(char::is_uppercase))?;
    let titled = texts.len() <= LONGEST && labels::parse(&texts).is_none() && first.len() > 1;
    let note = marks::within(&texts).filter(|note| titled && note.scope == Scope::Part)?;
    Some(note.marks)
}

/// True for a line about questions that offer options: "Each multiple-choice question".
pub(super) fn speaks_of_choices(line: &Line<'_>) -> bool {
    let lower = line.text().to_lowercase().replace('-', " ");
    lexicon::says(Concept::AsksChoice, &lower).is_some()
}

/// "Instructor (circle one):   Adams   Brown": what a candidate says of themselves.
fn is_form(line: &Line<'_>) -> bool {
    let text = line.text().to_lowercase();
    let asked = text.split_once("):").and_then(|(before, _)| before.rsplit_once('('));
    asked.is_some_and(|(_, inner)| lexicon::says(Concept::AsksChoice, inner).is_some())
}

pub(super) fn cleaned(line: &Line<'_>) -> Vec<String> {
    line.texts().iter().map(|word| clean(word)).filter(|word| !word.is_empty()).collect()
}

fn clean(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// "Answer two questions" is `Some(Some(2))`, "Answer all questions" is `Some(None)`.
pub(super) fn choice(words: &[&str]) -> Option<Option<u32>> {
    /// "Please answer the questions below."
    const LEADING: usize = 1;
    let verb = words.iter().position(|word| lexicon::is(Concept::Attempt, word))?;
    if verb > 8 {
        return None;
    }
    let rest = &words[verb + 1..];
    // "Answer at least one question from this section" limits what is chosen of all.
    if lexicon::begins_with(Concept::AtLeast, &rest.join(" ")).is_some() {
        return None;
    }
    let counted_at = rest.iter().take(8).position(|word| is_question(word))?;
    if rest[..counted_at].iter().any(|word| lexicon::english::papers::ALTERNATIVES.has(word)) {
        return None;
    }
    // "to answer question 4" names a question, "Answer 4 questions" counts them.
    let named = |at: usize| {
        let digits = rest[at].chars().all(|c| c.is_ascii_digit());
        digits && rest[..at].iter().any(|word| is_question(word))
    };
    let counted = rest.iter().enumerate().take(4).filter(|(at, _)| !named(*at)).find_map(|(at, word)| {
        // "Use the table to answer the questions that follow" is said of one question's parts.
        let definite = verb <= LEADING && lexicon::english::papers::DEFINITE.has(word);
        let all = lexicon::is(Concept::All, word) || definite;
        match all {
            true => Some(None),
            false if lexicon::is(Concept::Either, word) || one_of(rest, at) => Some(Some(1)),
            false => counted(word).map(Some),
        }
    })?;
    Some(counted)
}

/// "on ONE of the following topics:"
fn offers_one(line: &Line<'_>) -> bool {
    lexicon::says(Concept::OffersOne, &line.text().to_lowercase()).is_some()
}

/// The 1 of "1.", and of any line that begins with a question's number.
fn numbered(line: &Line<'_>) -> Option<u32> {
    let label = labels::parse(&line.texts()).filter(|label| !label.glued)?;
    match label.tokens[..] {
        [only] if only.kind == Kind::Number => Some(only.value),
        _ => None,
    }
}

/// True where a section's heading says so, or the first lines below it, and its first question follows.
fn heads_offer(lines: &[Line<'_>], index: usize) -> bool {
    const REACH: usize = 4;
    let labelled = |line: &&Line<'_>| labels::parse(&line.texts()).is_some();
    let above = lines[..=index].iter().rev().take(REACH);
    let headed = above.take_while(|line| is_section_heading(line) || !labelled(line)).any(is_section_heading);
    let below = lines[index + 1..].iter().take(REACH).find(labelled);
    headed && below.is_some_and(|line| numbered(line).is_some())
}

/// "una de las", "one of the": an article counts before those that it is chosen from.
fn one_of(words: &[&str], at: usize) -> bool {
    let (word, next) = (words[at], words.get(at + 1));
    lexicon::small_number(word) == Some(1) && next.is_some_and(|next| lexicon::is(Concept::Of, next))
}

/// A small number. In most languages the word for 1 is an article as well.
fn counted(word: &str) -> Option<u32> {
    let article =
        |word: &str| word.parse::<u32>().is_err() && lexicon::number_in(lexicon::ALL[0], word) != Some(1);
    lexicon::small_number(word).filter(|number| *number > 1 || !article(word))
}

/// True for a word that speaks of one question or of several.
pub(super) fn is_question(word: &str) -> bool {
    lexicon::is(Concept::Questions, word) || lexicon::is(Concept::Label, word)
}

#[cfg(test)]
mod tests {
    use super::super::section_names::section;
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn rubrics_are_read() {
        assert_eq!(choice(&words("answer one question")), Some(Some(1)));
        assert_eq!(choice(&words("answer any three of the following questions")), Some(Some(3)));
        assert_eq!(choice(&words("answer all questions")), Some(None));
        assert_eq!(choice(&words("attempt only one of the alternatives in such questions")), None);
        assert_eq!(choice(&words("answer the following questions")), Some(None));
        assert_eq!(choice(&words("use the table to answer the questions that follow")), None);
        assert_eq!(choice(&words("write your answer in the box")), None);
        assert_eq!(section(&words("section b")), Some("B".into()));
        assert_eq!(section(&words("part of the circle")), None);
        assert_eq!(choice(&words("elija tres de las cinco preguntas")), Some(Some(3)));
        assert_eq!(choice(&words("responda a una de las dos preguntas")), Some(Some(1)));
        assert_eq!(choice(&words("bearbeiten sie alle aufgaben")), Some(None));
        assert_eq!(choice(&words("répondez à une question")), None);
    }
}
