//! From the pages of a question paper to questions with nested parts, marks, options and places.

mod addends;
mod alternatives;
mod boxed_prices;
mod build;
mod capitals;
mod fronted;
mod grading;
mod instructions;
mod itemized;
mod kinds;
mod lettered;
mod lettered_grid;
mod notes;
mod options;
mod others;
mod percent;
mod portions;
mod price_list;
mod priced;
mod products;
mod ranges;
mod regions;
mod rubric;
mod section_names;
mod section_sums;
mod sections;
mod segment;
mod spread;
mod stated;
mod sums;
mod total;
mod worths;

pub(crate) use options::BOXES;
pub(crate) use sections::{of_numerals as numeral_sections, title as section_title};
pub use worths::SectionWorth;
pub(crate) use worths::{asked as section_worth, in_brackets};

use crate::labels::Token;
use crate::numbering::{Evidence, Outline};
use crate::rules::{Reason, Rule};
use crate::scheme::SchemeLabels;
use crate::{blanks, flow, numbering};
use domain::marks::Marks;
use domain::question::{Choice, Kind, Region};
use lexicon::Concept;
use reader::page::Document;
use std::borrow::Cow;

/// A question paper as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paper {
    /// In the order of the paper.
    pub questions: Vec<Question>,
    /// The total that the paper prints.
    pub total: Option<Marks>,
    /// True when "Part A" heads parts of its questions.
    pub has_named_parts: bool,
    /// What announces its sections, where they are numbered as questions are elsewhere: "exercise".
    pub section_word: Option<String>,
    /// True when capital letters label parts of its questions.
    pub has_capital_parts: bool,
    /// The first and the last number that each of its sections says to answer: "Attempt Questions 11–16".
    pub announced: Vec<(u32, u32)>,
    /// Headings of sections that count something and have no question, each with the question before it.
    pub unread: Vec<(usize, String)>,
    /// The names of its sections, where they are titles with room for marks: "thinking".
    pub titles: Vec<String>,
    /// Sections that say what all of their questions are worth together.
    pub worths: Vec<SectionWorth>,
}

/// A question with its leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// As printed: "3".
    pub number: String,
    /// How often the paper began to count from 1 again before it.
    pub section: usize,
    /// The group with which it is named, where each counts from 1 again: "II".
    pub group: Option<String>,
    /// What stands before its first part.
    pub text: String,
    /// The total that the paper prints for it.
    pub marks: Option<Marks>,
    /// Every leaf part in order; one without a label when the question has no parts.
    pub leaves: Vec<Leaf>,
    /// Marks that are printed for parts which have parts of their own.
    pub joint: Vec<(Vec<Token>, Marks)>,
    /// Pages where it stands, counted from 1.
    pub pages: Vec<u32>,
    /// Where on those pages.
    pub regions: Vec<Region>,
    /// The group of questions of which only some are to be answered, and how many.
    pub choice: Option<ChoiceGroup>,
    /// True when it says that its marks come on top of the paper's total.
    pub is_bonus: bool,
}

/// Questions of which only some are to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceGroup {
    /// The section's letter, or a number of our own.
    pub name: String,
    /// How many are to be answered.
    pub answer: u32,
}

/// A part without parts of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaf {
    /// The question's number and every level below it.
    pub path: Vec<Token>,
    /// "(a)(ii)"; empty for a question without parts.
    pub label: String,
    /// What it asks, without the levels above it.
    pub text: String,
    /// What the levels between the question and the leaf say.
    pub lead: String,
    /// The marks printed for it.
    pub marks: Option<Marks>,
    /// Options to choose from.
    pub options: Vec<Choice>,
    /// How its answer is to be judged, by what it asks.
    pub kind: Kind,
    /// The page where it starts, counted from 1.
    pub page: u32,
    /// Where it stands.
    pub regions: Vec<Region>,
    /// True when it is to be answered instead of another part, so that the question's marks leave it out.
    pub is_instead: bool,
}

impl Paper {
    /// All leaves in order.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.questions.iter().flat_map(|question| &question.leaves)
    }

    /// The number that it says to begin with, where it is a part of a longer paper.
    pub(crate) fn begins_with(&self) -> Option<u32> {
        self.announced.first().map(|(first, _)| *first)
    }

    /// True where a section says to begin with a number, and none says to answer the one behind the last: "Attempt Questions
    /// 1–20" before "Attempt Questions 31–36".
    pub(crate) fn leaps(&self, last: u32, number: u32) -> bool {
        let begins = self.announced.iter().any(|(first, _)| *first == number);
        begins && !self.announced.iter().any(|(first, until)| (*first..=*until).contains(&(last + 1)))
    }

    /// How it counts its questions and parts.
    pub(crate) fn outline(&self) -> Outline {
        Outline::of(
            self.questions.iter().map(|question| question.number.as_str()),
            self.leaves().map(|leaf| leaf.path.as_slice()),
        )
    }
}

/// The marks that a document says each question has: "5 points for each problem".
pub(crate) fn for_each_question(lines: &[flow::Line<'_>]) -> Option<Marks> {
    stated::for_each_question(lines)
}

/// The marks that a document says each part has.
pub(crate) fn for_each_part(lines: &[flow::Line<'_>]) -> Option<Marks> {
    stated::for_each_part(lines)
}

/// The marks that a scheme says each right answer to questions with options earns.
pub(crate) fn for_each_choice(lines: &[flow::Line<'_>]) -> Option<Marks> {
    stated::for_each_choice(lines)
}

/// The marks that a document says each question from one number to another has.
pub(crate) fn for_ranges(lines: &[flow::Line<'_>]) -> Vec<(u32, u32, Marks)> {
    let of_line = |(index, line)| ranges::of_line(line, lines.get(index + 1));
    lines.iter().enumerate().flat_map(of_line).collect()
}

/// True for a line that names a section of a paper, a scheme or a script: "Section B".
pub(crate) fn is_section_heading(line: &flow::Line<'_>) -> bool {
    section_names::is_section_heading(line)
}

/// The name of the section that a line is the heading of: "II".
pub(crate) fn section_name(line: &flow::Line<'_>) -> Option<String> {
    section_names::section_name(line)
}

/// True for the heading of a first section: "Section A", "Part I".
pub(crate) fn is_first_section(line: &flow::Line<'_>) -> bool {
    section_names::is_first_section(line)
}

/// Which of the ways to read a paper is tried.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The scheme's labels, and whether it has so many of the paper's that its silence says something.
    pub scheme: Option<(SchemeLabels, bool)>,
    /// How the paper counts, where that is not for the paper to say.
    pub outline: Option<Outline>,
    /// The page on which the scheme begins, where both stand in one document.
    pub until: Option<u32>,
}

/// The pages of a document before one of them.
fn before(document: &Document, until: Option<u32>) -> Cow<'_, Document> {
    let Some(until) = until else { return Cow::Borrowed(document) };
    let pages = document.pages.iter().filter(|page| page.number < until).cloned().collect();
    Cow::Owned(Document { pages })
}

/// Reads a question paper by itself.
pub fn read(document: &Document) -> Paper {
    read_in(document, Way::default())
}

/// Reads a question paper in one of several ways.
pub fn read_in(document: &Document, way: Way) -> Paper {
    let own = before(document, way.until);
    let document = own.as_ref();
    let Seen { lines, end, prices, series, rubric, notes, evidence } = look(document, way);
    let placed = numbering::number(&lines, &evidence);
    let unread = sections::unread(&lines, &rubric, &placed, end);
    let total = total::of_paper(document, notes::sum_of_parts(&notes));
    let has_named_parts = evidence.parts.contains(&true);
    // What stands after the end of the paper is no part of its last question.
    let kept = end.filter(|end| {
        let listed = evidence.tabled[*end..].contains(&true);
        (listed || !evidence.marks[*end..].contains(&true)) && placed.iter().all(|label| label.line < *end)
    });
    let last = placed.last().map_or(0, |label| label.line);
    // "Exercise 1" that was read as a question heads no section.
    let heads = |line: &usize| evidence.over[*line] && placed.iter().all(|label| label.line != *line);
    let over = (0..evidence.over.len()).find(heads);
    let kept = kept.unwrap_or(lines.len()).min(grading::begins(&lines, &evidence.tabled, last));
    let scheme = evidence.scheme.as_ref().map(|(labels, _)| labels);
    let mut paper = build::build(
        document,
        &lines[..kept],
        (&notes[..kept], &evidence.leads),
        &rubric,
        (placed, scheme),
        total,
    );
    for list in prices {
        price_list::apply(&mut paper.questions, &list);
    }
    price_list::apply_series(&mut paper.questions, &series);
    let titles = rubric.boxes.iter().map(|line| sections::title(&lines[*line])).collect();
    let section_word = over.map(|line| lines[line].words[0].text.to_lowercase());
    Paper { has_named_parts, section_word, unread, titles, ..paper }
}

/// A paper's lines and what speaks for and against questions in them.
struct Seen<'d> {
    lines: Vec<flow::Line<'d>>,
    /// The line at which the paper says that it ends.
    end: Option<usize>,
    /// Lists of what each question is worth.
    prices: [Vec<(u32, Marks)>; 2],
    /// What the questions and parts of each section are worth.
    series: Vec<grading::Series>,
    rubric: rubric::Rubric,
    notes: Vec<Option<notes::Note>>,
    evidence: Evidence,
}

fn look(document: &Document, way: Way) -> Seen<'_> {
    let (mut lines, end) = flow::lines_to_end(document);
    let listed = price_list::take(&mut lines);
    let end = end.filter(|end| *end <= lines.len());
    let lettered::Parts { heads: parts, over_numbers: parts_over_numbers } = lettered::find(&lines);
    let grading = grading::find(&lines);
    let mut rubric = rubric::read(&lines).without(&parts);
    let notes = notes(&lines, document, &parts, (&grading, &rubric));
    let pictured = regions::pictured(&lines, document);
    let evidence = evidence((&lines, end), &notes, &rubric, way);
    let evidence = Evidence { parts, parts_over_numbers, pictured, tabled: grading.rows, ..evidence };
    rubric.over = (0..lines.len()).filter(|line| evidence.over[*line]).collect();
    let prices = [price_list::whole(&listed), grading.prices];
    let series = if grading.series.is_empty() { price_list::by_section(&listed) } else { grading.series };
    Seen { lines, end, prices, series, rubric, notes, evidence }
}

/// The statements about marks that questions and parts make: none of those that graders or sections make.
fn notes(
    lines: &[flow::Line<'_>],
    document: &Document,
    parts: &[bool],
    (grading, rubric): (&grading::Grading, &rubric::Rubric),
) -> Vec<Option<notes::Note>> {
    let mut notes = notes::find(lines, document, parts);
    let product = |line: usize| rubric.products.iter().any(|product| product.line == line);
    let of_section = |line: usize| {
        section_worth(&lines[line]).is_some()
            || worths::asked_below(lines, line).is_some()
            || rubric.boxes.contains(&line)
    };
    // "Exercise 2 (9 points)" over numbers that go on from Exercise 1 is worth what they are together.
    let over = numbering::over(lines, &notes::leads(lines, &notes));
    for (line, note) in notes.iter_mut().enumerate() {
        let of_others = grading.rows[line] || over[line] || product(line) || of_section(line);
        if of_others || portions::says(&lines[line]) || goes_on_with_each(lines, line) {
            *note = None;
        }
    }
    notes
}

/// True for a line that ends with what each of some things is worth, which the next line names: "0.5 points" over "for each
/// word".
fn goes_on_with_each(lines: &[flow::Line<'_>], line: usize) -> bool {
    /// "for each"
    const REACH: usize = 2;
    let Some(next) = lines.get(line + 1).filter(|next| next.page == lines[line].page) else { return false };
    let texts = next.texts();
    let lower = texts.first().is_some_and(|first| first.starts_with(char::is_lowercase));
    let each = |word: &&str| lexicon::is(Concept::Each, &word.to_lowercase());
    let labelled = crate::labels::parse(&texts).is_some();
    lower && !labelled && texts.len() > REACH && texts.iter().take(REACH).any(each)
}

fn evidence(
    (lines, end): (&[flow::Line<'_>], Option<usize>),
    notes: &[Option<notes::Note>],
    rubric: &rubric::Rubric,
    way: Way,
) -> Evidence {
    let leads = notes::leads(lines, notes);
    let marks: Vec<bool> = notes.iter().zip(&leads).map(|(note, lead)| note.is_some() || *lead > 0).collect();
    let headings = rubric.headings(lines.len()).into_iter().zip(sections::named_alike(lines));
    Evidence {
        section: headings.map(|(known, alike)| known || alike).collect(),
        over: numbering::over(lines, &leads),
        leads,
        instructions: instructions::find(lines, &marks, end),
        announced: rubric.firsts.clone(),
        spread: spread(notes, rubric),
        offers: rubric.offers.clone(),
        blanks: lines.iter().map(blanks::leaves_blank).collect(),
        solutions: lines.iter().map(begins_solution).collect(),
        marks,
        outline: way.outline,
        scheme: way.scheme,
        ..Evidence::default()
    }
}

/// For each line, whether it says what each part below it is worth: "(1 mark each)", "(6 x 1) … /6".
fn spread(notes: &[Option<notes::Note>], rubric: &rubric::Rubric) -> Vec<bool> {
    let shares = |note: &Option<notes::Note>| note.is_some_and(|own| own.note.shared.is_some());
    rubric.spread(notes.len()).into_iter().zip(notes).map(|(said, note)| said || shares(note)).collect()
}

/// True for a line that begins a solution: "Answer. x = 3", "Proof."
fn begins_solution(line: &flow::Line<'_>) -> bool {
    let first = line.words[0].text.as_str();
    let bare = first.strip_suffix(['.', ':']).filter(|_| first.starts_with(char::is_uppercase));
    bare.is_some_and(|bare| lexicon::is(Concept::SolutionLead, &bare.to_lowercase()))
}

/// What was made of each line of a paper.
pub fn explain(document: &Document, way: Way) -> Vec<LineTaken> {
    let own = before(document, way.until);
    let document = own.as_ref();
    let all = flow::all_lines(document);
    let Seen { lines, notes, evidence, .. } = look(document, way);
    let placed = numbering::number(&lines, &evidence);
    let passed = numbering::passed_over(&lines, &evidence, &placed);
    let mut taken = Vec::with_capacity(all.len());
    let (mut index, mut current) = (0, String::new());
    for (line, furniture) in &all {
        let at = index;
        index += usize::from(!furniture);
        // A list of marks at the end is no question's.
        let furniture = *furniture || at >= lines.len();
        let own: Vec<&numbering::Placed> =
            placed.iter().filter(|label| label.line == at && !furniture).collect();
        if let Some(last) = own.last() {
            current = path_name(&last.path);
        }
        let heads = !furniture && evidence.section.get(at).copied().unwrap_or(false);
        let instructed = !furniture && evidence.instructions.get(at).copied().unwrap_or(false);
        let (part, reasons) = match (furniture, own.as_slice()) {
            (true, _) => (None, vec![(Rule::Furniture, 0.0)]),
            (_, [.., last]) => (Some(current.clone()), last.why.clone()),
            _ if heads => (None, vec![(Rule::SectionHeading, 0.0)]),
            _ if instructed => (None, vec![(Rule::InsideInstructions, Rule::InsideInstructions.weight())]),
            _ if current.is_empty() => (None, vec![(Rule::Cover, 0.0)]),
            _ => (Some(current.clone()), vec![(Rule::Text, 0.0)]),
        };
        let marks = if furniture { None } else { notes[at].map(|note| note.note.marks) };
        let second = passed.iter().find(|label| label.line == at && !furniture && own.is_empty());
        taken.push(LineTaken {
            page: line.page,
            text: line.text(),
            place: line.place,
            part,
            begins: !own.is_empty(),
            marks,
            reasons,
            second: second.map(|label| (path_name(&label.path), label.why.clone())),
        });
    }
    taken
}

fn path_name(path: &[Token]) -> String {
    let decimals = path.iter().any(|token| token.kind == crate::labels::Kind::Decimal);
    let number = path.first().map(|token| token.value.to_string()).filter(|_| !decimals).unwrap_or_default();
    number + &crate::labels::display(path)
}

/// What a line of a paper was taken for, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct LineTaken {
    /// The page it stands on, counted from 1.
    pub page: u32,
    /// Its words.
    pub text: String,
    /// Its extent on the page.
    pub place: reader::page::Rect,
    /// The question or part that it belongs to.
    pub part: Option<String>,
    /// True when that part's label stands on it.
    pub begins: bool,
    /// The marks that it prints.
    pub marks: Option<Marks>,
    /// By which rules.
    pub reasons: Vec<Reason>,
    /// The label that it might have been, and what spoke for and against that.
    pub second: Option<(String, Vec<Reason>)>,
}
