//! From the pages of a marking scheme to what each part's answer must hold.
//!
//! A scheme is a table (question, answer, marks, guidance) or running text with labels. Its labels
//! are read against the paper's: a label counts only where the paper has such a part.

mod added;
mod announced;
mod asked;
mod awards;
mod beside;
mod beyond;
mod blank_names;
mod boxes;
mod bracketed_rows;
mod carried;
mod celled;
mod choice;
mod chosen;
mod coded;
mod collect;
mod column;
mod credits;
mod criteria;
mod earned;
mod echoes;
mod examiners;
mod formulae;
mod front;
mod graded;
mod grades;
mod grid;
mod inline;
mod key_columns;
mod known;
mod labels;
mod layout;
mod led_levels;
mod level_cells;
mod levels;
mod lists;
mod margin;
mod meant;
mod middles;
mod noted;
mod numeral_heads;
mod objectives;
mod option_rows;
mod own_version;
mod pairs;
mod partial;
mod phrases;
mod pieces;
mod points;
mod prices;
mod quality;
mod rated;
mod rated_below;
mod reported;
mod restated;
mod rubric;
mod run_on;
mod running;
mod scales;
mod section_letters;
mod shares;
mod sheet;
mod solution;
mod source;
mod spelled;
mod split;
mod stacked;
mod sums;
mod syllabus;
mod tabled;
mod tally;
mod told_parts;
mod twins;
mod two_lines;
mod unfolded;
mod unit;
mod unnamed;
mod versions;
mod whole_price;
mod worth;

use crate::flow::{self, Line};
use crate::labels::Token;
use crate::marks::{Certainty, Scope};
use crate::paper::Paper;
pub(crate) use choice::is_order;
pub(crate) use column::BULLETS;
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Level};
use known::Known;
pub use labels::SchemeLabels;
pub(crate) use levels::earns_nothing;
use lexicon::Concept;
pub use rated::Rated;
use reader::page::Document;
pub use source::Source;

/// A marking scheme as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scheme {
    /// One entry for each label, in the scheme's order.
    pub entries: Vec<Entry>,
    /// True when the scheme opens with general instructions to examiners.
    pub has_instructions: bool,
    /// The marks that it says each question has.
    pub each: Option<Marks>,
    /// The marks that it says each part has.
    pub each_part: Option<Marks>,
    /// What it says that each question with options is worth.
    pub each_choice: Option<Marks>,
    /// The marks that it says each question from one number to another has.
    pub ranges: Vec<(u32, u32, Marks)>,
    /// Its lines in reading order from the first answer on, without what repeats on every page and what was read as a
    /// table.
    pub said: Vec<Said>,
}

/// A line of a scheme.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// The page it stands on, counted from 1.
    pub page: u32,
    /// Its words.
    pub text: String,
}

/// What the scheme says about one part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The part's number and levels, as the paper has them.
    pub path: Vec<Token>,
    /// Which of the paper's runs of numbers it belongs to, counted from 0.
    pub section: usize,
    /// The scheme's page where it begins, counted from 1.
    pub page: u32,
    /// Its lines, by column.
    pub lines: Vec<EntryLine>,
    /// The letter that a table of answers gives it.
    pub letter: Option<char>,
    /// The marks that the scheme prints for it as a whole: "Total for part (b) 2 points".
    pub stated: Option<Marks>,
    /// Its tables of levels, each best first.
    pub scales: Vec<Vec<Level>>,
    /// Other tables that rate its answers.
    pub rated: Vec<Rated>,
}

/// A line of an entry, by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryLine {
    /// The answer column, or all of a line of running text.
    pub answer: String,
    /// The marks column.
    pub marks: String,
    /// The guidance column.
    pub guidance: String,
    /// Bold or underlined words among others.
    pub strong: Vec<String>,
    /// True when all of its words are bold or underlined.
    pub is_strong: bool,
    /// White above the line, in line heights.
    pub space: f32,
    /// Left edge of the answer.
    pub indent: f32,
    /// White between the answer and the right edge of its column.
    pub free: f32,
    /// Width of the answer's first word.
    pub first: f32,
    /// True when the text repeats what the paper asks.
    pub repeats_question: bool,
}

impl EntryLine {
    /// True when the line holds nothing but the marks of the next, which begins beside it: the middle of a tall
    /// formula stands lower than what is set beside its top.
    fn prices(&self, next: &EntryLine) -> bool {
        const OVERLAP: f32 = -0.1;
        self.answer.is_empty()
            && !self.marks.is_empty()
            && !next.answer.is_empty()
            && next.marks.is_empty()
            && next.space < OVERLAP
    }
}

/// True for a line that heads the columns of a table of answers.
pub(crate) fn is_header(line: &Line<'_>, document: &Document) -> bool {
    let page = document.pages.iter().find(|page| page.number == line.page);
    page.is_some_and(|page| layout::header(line, page, &[]).is_some())
}

/// True for a line that announces the solution of a question: "Solution to Exercise 2".
pub(crate) fn announces_solution(texts: &[&str]) -> bool {
    announced::label(texts).is_some()
}

/// Reads a scheme for a paper.
pub fn read(document: &Document, paper: &Paper) -> Scheme {
    read_source(&Source::of(document), paper)
}

/// Reads a scheme that was made ready for a paper.
pub fn read_source(source: &Source, paper: &Paper) -> Scheme {
    let plain = section_letters::plain(&source.document, paper);
    let plain = numeral_heads::announced(&plain, paper);
    let (document, margin) = margin::apart(&plain, paper);
    let document = document.as_ref();
    let mut all = flow::all_lines(document);
    run_on::part(&mut all, document);
    end_after_answers(&mut all);
    syllabus::leave_out(&mut all);
    reported::leave_out(&mut all);
    leave_out_numerals(&mut all);
    leave_out_titles(&mut all);
    restated::leave_out(&mut all);
    let criteria = criteria::take(&mut all);
    let mut known = Known::of(paper);
    known.margin = margin;
    beyond::leave_out(&mut all, &known);
    let front = front::end(&all).unwrap_or(0);
    let speaks_in_front = all[..front].iter().any(|(line, furniture)| !furniture && speaks(line, true));
    all[..front].iter_mut().for_each(|(_, furniture)| *furniture = true);
    let mut grids = grid::take(&mut all, &known);
    twins::take(&mut all, &known, &mut grids);
    chosen::take(&mut all, &known, &mut grids);
    key_columns::take(&mut all, &known, &mut grids);
    known.answered = grids.answered(&known);
    known.told = grids.told();
    let open = known.leaves().saturating_sub(grids.len());
    let (mut scheme, cut) = tabled::read(&all, document, &known);
    // A table that answers most parts is the scheme; else the fuller of two readings is.
    // A table without a single answer is a chain of headings.
    let answers = |scheme: &Scheme| scheme.entries.iter().filter(|entry| entry.says_something()).count();
    let mut rest = None;
    // Columns that cut headings are those of a single answer's table.
    const CUT_LEAST: usize = 2;
    let is_table = cut < CUT_LEAST;
    // The names of columns answer nothing, in running text either.
    all.iter_mut().for_each(|(line, furniture)| *furniture |= is_header(line, document));
    if answers(&scheme) < open || scheme.entries.is_empty() || !is_table {
        let running = running::read(&all, document, &known);
        let (said, runs) = (answers(&scheme), answers(&running));
        if (said * 5 < open * 3 && runs > said) || (!is_table && runs >= said) {
            scheme = running;
        } else {
            rest = Some(running);
        }
    }
    told_parts::part(&mut scheme, &known);
    sums::settle_below(&mut scheme);
    sheet::add(&mut scheme, &all, &known);
    grids.add_to(&mut scheme);
    if let Some(rest) = rest.filter(|_| !scheme.entries.is_empty()) {
        known.complete(&mut scheme, rest);
    }
    if let Some(criteria) = criteria {
        criteria.add_to(&mut scheme, paper);
    }
    rated_below::take(&mut scheme.entries);
    sums::settle_of_parts(&mut scheme);
    for entry in &mut scheme.entries {
        entry.take_scales(source);
        whole_price::take(entry);
    }
    let plain: Vec<Line<'_>> =
        all.iter().filter(|(_, furniture)| !furniture).map(|(line, _)| line.clone()).collect();
    scheme.each = crate::paper::for_each_question(&plain);
    scheme.each_part = crate::paper::for_each_part(&plain);
    scheme.each_choice = crate::paper::for_each_choice(&plain);
    scheme.ranges = crate::paper::for_ranges(&plain);
    scheme.said = said(&scheme.entries, &plain, &known);
    let first = scheme.entries.first().map_or(0, |entry| entry.page);
    scheme.has_instructions = speaks_in_front || has_instructions(&all, first, &known);
    scheme
}

/// The lines from the first answer on.
fn said(entries: &[Entry], plain: &[Line<'_>], known: &Known) -> Vec<Said> {
    /// So much of an answer tells where it stands.
    const OPENING: usize = 4;
    let Some(first) = entries.iter().min_by_key(|entry| entry.page) else { return Vec::new() };
    let answers = first.lines.iter().map(|line| line.answer.split_whitespace().take(OPENING));
    let opening = answers.map(|words| words.collect::<Vec<_>>().join(" ")).find(|words| !words.is_empty());
    // What heads a section is no answer.
    let heads = |line: &Line<'_>| known.is_section(&line.texts()) || crate::paper::is_section_heading(line);
    let lines = plain.iter().filter(|line| line.page >= first.page && !heads(line));
    let lines = lines.map(|line| Said { page: line.page, text: line.text() });
    let lines: Vec<Said> = lines.collect();
    let begins = |line: &Said| opening.as_ref().is_some_and(|opening| line.text.contains(opening));
    let start = lines.iter().position(begins).unwrap_or(0);
    lines.into_iter().skip(start).collect()
}

/// Leaves out what stands behind "End of marking scheme": forms for marks, notes for schools.
fn end_after_answers(all: &mut [(Line<'_>, bool)]) {
    const LONGEST: usize = 8;
    let ends = |line: &Line<'_>| {
        let lower = line.text().to_lowercase();
        let said = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let behind = lexicon::begins_with(Concept::EndOf, said).and_then(|length| said.get(length..));
        let names = |rest: &str| lexicon::ends_with(Concept::SchemeTitle, rest.trim());
        line.words.len() <= LONGEST && behind.is_some_and(names)
    };
    // What is said in the first half ends one of several schemes.
    let half = all.len() / 2;
    if let Some(at) = all.iter().rposition(|(line, _)| ends(line)).filter(|at| *at >= half) {
        all[at..].iter_mut().for_each(|(_, furniture)| *furniture = true);
    }
}

/// Leaves out what names a scheme again, over each answer or each of its parts: "PADRÃO DE RESPOSTA".
fn leave_out_titles(all: &mut [(Line<'_>, bool)]) {
    for (line, furniture) in all {
        let lower = line.text().to_lowercase();
        let said = lower.trim_matches(|c: char| !c.is_alphanumeric());
        *furniture |= said.contains(' ') && lexicon::is(Concept::SchemeTitle, said);
    }
}

/// Leaves out what capital numerals head over numbers that go on from one to the next.
fn leave_out_numerals(all: &mut [(Line<'_>, bool)]) {
    let plain: Vec<usize> = (0..all.len()).filter(|at| !all[*at].1).collect();
    let lines: Vec<Line<'_>> = plain.iter().map(|at| all[*at].0.clone()).collect();
    for (at, _) in crate::paper::numeral_sections(&lines) {
        all[plain[at]].1 = true;
    }
}

impl Entry {
    /// True when any of its lines holds an answer.
    pub(crate) fn says_something(&self) -> bool {
        self.letter.is_some()
            || !self.scales.is_empty()
            || !self.rated.is_empty()
            || self.lines.iter().any(|line| !line.answer.trim().is_empty())
    }

    /// The marks that the scheme's own column gives, without looking at its points.
    pub fn printed_marks(&self) -> Option<Marks> {
        let rated = || led_levels::best(&self.lines).or_else(|| quality::best(&self.lines));
        self.stated.or_else(rated).or_else(|| column::printed_marks(self)).or_else(|| self.best_level())
    }

    /// What the scheme states for the part, or the numbers in brackets within its text make up.
    pub(crate) fn inline_marks(&self) -> Option<Marks> {
        self.stated.or_else(|| inline::sum(&self.lines))
    }

    /// What a rubric that adds and takes away makes up: "+2 the loop", "+1 its bounds".
    pub(crate) fn added_marks(&self) -> Option<Marks> {
        added::sum(&self.lines)
    }

    /// The marks of its points, without what the scheme prints for the part as a whole.
    pub(crate) fn column_marks(&self) -> Option<Marks> {
        column::printed_marks(self)
    }

    /// The marks behind the question where the scheme repeats it: "Why does iron rust? [2]".
    pub(crate) fn restated_marks(&self) -> Option<Marks> {
        let at_end = |line: &EntryLine| {
            let words: Vec<&str> = line.answer.split_whitespace().collect();
            let note = crate::marks::at_end(&words).filter(|note| note.words < words.len())?;
            // "Climatic constraints (max 4)" limits some of its points.
            let limits = matches!(phrases::limit(&line.answer), Some(phrases::Limit::Max(_)));
            let told =
                note.certainty >= Certainty::Likely && note.bracketed && note.scope == Scope::Part && !limits;
            told.then_some(note.marks)
        };
        self.lines.iter().filter(|line| line.repeats_question).filter_map(at_end).next_back()
    }

    fn best_level(&self) -> Option<Marks> {
        self.scales.iter().filter_map(|levels| levels.first()).map(|level| level.marks_to).max()
    }

    /// Takes up the tables of levels that stood among its lines.
    fn take_scales(&mut self, source: &Source) {
        let mut shown: Vec<EntryLine> = Vec::new();
        for line in &mut self.lines {
            if let Some(rated) = source.rated(&line.answer) {
                line.answer = source::without_scale(&line.answer);
                self.rated.push(rated.clone());
            }
            let Some((levels, examples)) = source.scale(&line.answer) else { continue };
            let example = |text: &String| EntryLine { answer: format!("• {text}"), ..EntryLine::default() };
            shown.extend(examples.iter().map(example));
            line.answer = source::without_scale(&line.answer);
            let last = self.scales.last_mut().filter(|last| continues(last, levels));
            match last {
                // A table that was broken at the end of a page.
                Some(last) => {
                    last.extend(levels.iter().cloned());
                    last.sort_by_key(|level| std::cmp::Reverse(level.marks_to));
                }
                None => self.scales.push(levels.to_vec()),
            }
        }
        self.lines.extend(shown);
    }

    /// The levels that a part of these marks is judged by.
    fn levels(&self, total: Option<Marks>) -> Option<&[Level]> {
        let best = |levels: &&Vec<Level>| levels.first().map(|level| level.marks_to);
        let met = self.scales.iter().find(|levels| total.is_some() && best(levels) == total);
        // Of several that are as high, the first stands right below the question.
        met.or_else(|| self.scales.iter().rev().max_by_key(best)).map(Vec::as_slice)
    }

    /// The answer key of a part that carries these marks and, perhaps, options.
    pub fn key(&self, marks: Option<Marks>, options: &[Choice]) -> AnswerKey {
        points::key(self, marks, options)
    }
}

/// True when levels go on right below or above those of another table.
fn continues(before: &[Level], after: &[Level]) -> bool {
    let bounds = |levels: &[Level]| Some((levels.last()?.marks_from, levels.first()?.marks_to));
    let follows = |low: (Marks, Marks), high: (Marks, Marks)| {
        low.1 < high.1 && low.1 + Marks::whole(1) >= high.0 && low.0 < high.0
    };
    match (bounds(before), bounds(after)) {
        (Some(one), Some(other)) => follows(one, other) || follows(other, one),
        _ => false,
    }
}

/// True when what stands before the first entry speaks to examiners in general.
fn has_instructions(all: &[(Line<'_>, bool)], first: u32, known: &Known) -> bool {
    let begins = |line: &Line<'_>| {
        line.page >= first
            && crate::labels::parse(&line.texts()).is_some_and(|label| known.has(&label.tokens))
    };
    let before = all.iter().take_while(|(line, _)| !begins(line));
    let before = before.filter(|(line, furniture)| line.page <= first && !furniture);
    before.filter(|(line, _)| speaks(line, line.page < first)).count() >= 1
}

/// True for a line that speaks to examiners; in front of the answers more does.
fn speaks(line: &Line<'_>, in_front: bool) -> bool {
    let text = line.text().to_lowercase();
    // "Marking guidance" heads a column of a table as well.
    let guidance = in_front && lexicon::says(Concept::ToExaminersFirst, &text).is_some();
    guidance || lexicon::says(Concept::ToExaminers, &text).is_some()
}
