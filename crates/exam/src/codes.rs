//! Questions that carry a letter before their number, "A1", "A.2", "B-1", or behind it, "1A", "2.B": read as plain
//! numbers, and named as they are printed afterwards.
//!
//! The letters count in one of three ways: A1, A2, B1 row by row; A1, B1, A2, B2 by turns, of which one is to be
//! answered; or anew below each announced problem.

mod printed;

use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style};
use crate::marks;
use domain::marks::Marks;
use domain::question::{Part, Question};
use lexicon::Concept;
use lexicon::english::papers::SECTION;
use printed::{code, lettered};
use reader::page::{Document, Page, Word};

/// Fewer codes are no way to count.
const LEAST: usize = 3;
/// The same where the first letter is not A.
const LEAST_OF_ONE: usize = 5;
/// Letters that codes begin with, in their order.
const LATIN: [char; 8] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/// How the letters of codes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A1, A2, B1 or A1, A2, B3.
    Rows,
    /// A1, B1, A2, B2, and perhaps 3 without a letter.
    Turns,
    /// A1, A2, B1 below each announced problem.
    Problems,
}

/// The number of a question with the letter before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// Its letter's place; `None` for a number alone behind the codes.
    letter: Option<usize>,
    number: u32,
    /// The announced problem that it stands below; 0 where none is announced.
    problem: u32,
    /// The number that it is read as.
    plain: u32,
    /// As it is printed: "A.1".
    printed: String,
    /// The letter of a part that is glued to it: "A1b".
    part: Option<char>,
}

/// A paper's codes in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Codes {
    way: Way,
    codes: Vec<Code>,
    /// What stands behind the number of each problem.
    titles: Vec<String>,
}

/// Where a code stands: its page's place in the document and its word's on the page, and whether a word announces it.
type Place = (usize, usize, bool);

/// A line that begins with a code, or announces a problem.
enum Beginning {
    Code(Place, Code, usize),
    /// Its number, and what follows it.
    Problem(u32, String),
    /// A closed number, as a question without a letter has.
    Plain(Place, u32),
}

/// A paper whose questions carry codes, with plain numbers in their stead, and its codes in order.
pub(crate) fn plain(document: &Document) -> Option<(Document, Codes)> {
    let all = beginnings(document);
    let from = |first: usize, ways: &[Way]| -> Vec<Chain> {
        ways.iter().map(|way| chain(&all, *way, first)).collect()
    };
    let mut chains = from(0, &[Way::Rows, Way::Turns, Way::Problems]);
    // "D1" to "D12": the first letter is another, if none are found that begin with A.
    if chains.iter().all(|chain| chain.found.len() < LEAST) {
        chains.extend((1..LATIN.len()).flat_map(|first| from(first, &[Way::Rows])));
    }
    // The first of those that take up most of them.
    let most = chains.iter().map(|chain| chain.found.len()).max()?;
    let Chain { way, found, asking, titles } = chains.into_iter().find(|chain| chain.found.len() == most)?;
    // "D1" may name a figure: another letter than the first counts only where it goes on.
    let least =
        if found.first().is_some_and(|(_, code)| code.letter == Some(0)) { LEAST } else { LEAST_OF_ONE };
    if found.len() < least || asking * 2 < found.len() {
        return None;
    }
    let codes = Codes { way, codes: found.iter().map(|(_, code)| code.clone()).collect(), titles };
    Some((replaced(document, &found, &codes), codes))
}

/// Codes that follow each other in one way.
struct Chain {
    way: Way,
    found: Vec<(Place, Code)>,
    /// How many of them ask something.
    asking: usize,
    titles: Vec<String>,
}

fn chain(all: &[Beginning], way: Way, first: usize) -> Chain {
    let mut chain = Chain { way, found: Vec::new(), asking: 0, titles: Vec::new() };
    let mut announced = (0, String::new());
    for beginning in all {
        let last = chain.found.last().map(|(_, code)| code);
        match beginning {
            Beginning::Problem(number, title) => announced = (*number, title.clone()),
            Beginning::Plain(place, number) => {
                let turns = way == Way::Turns && chain.found.len() > LEAST;
                if turns && last.is_some_and(|last| *number == last.number + 1) {
                    let plain = chain.found.len() as u32 + 1;
                    let (letter, printed) = (None, number.to_string());
                    let code = Code { letter, number: *number, problem: 0, plain, printed, part: None };
                    chain.found.push((*place, code));
                    chain.asking += 1;
                }
            }
            Beginning::Code(place, code, words) => {
                // A cover lists codes with their marks alone: the first that comes again begins the questions.
                if chain.asking == 0 && follows(None, code, first) {
                    chain.found.clear();
                }
                let last = chain.found.last().map(|(_, code)| code);
                if let Some(last) = last.filter(|last| last.goes_on_with(code)) {
                    let (problem, plain) = (last.problem, last.plain);
                    chain.found.push((*place, Code { problem, plain, ..code.clone() }));
                    chain.asking += usize::from(*words > 2);
                    continue;
                }
                let problem = last.map_or(0, |last| last.problem);
                let begins = way == Way::Problems && announced.0 == problem + 1;
                let follows = match way {
                    Way::Turns => takes_turn(last, code),
                    _ if begins => follows(None, code, first),
                    Way::Problems if problem == 0 => false,
                    _ => follows(last, code, first),
                };
                let alike =
                    last.is_none_or(|last| last.letter.is_none() || last.is_behind() == code.is_behind());
                if !follows || !alike {
                    continue;
                }
                if begins {
                    chain.titles.push(announced.1.clone());
                }
                let problem = if begins { announced.0 } else { problem };
                let through = chain.found.len() as u32 + 1;
                let plain = if way == Way::Rows { code.number } else { through };
                chain.found.push((*place, Code { problem, plain, ..code.clone() }));
                chain.asking += usize::from(*words > 2);
            }
        }
    }
    let behind = |(_, code): &(Place, Code)| code.is_behind();
    if chain.found.iter().any(behind) && (way != Way::Turns || !are_pairs(&chain.found, all)) {
        chain.found.clear();
    }
    // One problem alone counts nothing anew.
    if way == Way::Problems && chain.titles.len() < 2 {
        chain.found.clear();
    }
    chain
}

/// True where letters behind numbers name two questions of which one is to be answered: "1A" and "1B" for each number.
/// Where a C follows, or the number heads them, they are parts of a question.
fn are_pairs(found: &[(Place, Code)], all: &[Beginning]) -> bool {
    let whole = found.chunks(2).all(|pair| {
        matches!(pair, [(_, one), (_, other)] if one.number == other.number && other.letter == Some(1))
    });
    let headed = all.iter().any(|beginning| match beginning {
        Beginning::Code(_, code, _) => code.is_behind() && code.letter > Some(1),
        Beginning::Plain(_, number) | Beginning::Problem(number, _) => {
            found.iter().any(|(_, code)| code.number == *number)
        }
    });
    whole && !headed
}

/// A scheme with plain numbers in the stead of a paper's codes.
pub(crate) fn plain_like(document: &Document, codes: &Codes) -> Option<Document> {
    let mut found: Vec<(Place, Code)> = Vec::new();
    let (mut next, mut announced) = (0, None);
    for beginning in beginnings(document) {
        // A plain number is below whatever was announced.
        let (place, letter, number, part, here) = match beginning {
            Beginning::Problem(number, _) => {
                announced = Some(number).filter(|_| codes.way == Way::Problems);
                continue;
            }
            Beginning::Plain(place, number) => (place, None, number, None, None),
            Beginning::Code(place, code, _) => (place, code.letter, code.number, code.part, announced),
        };
        let same = |own: &Code| {
            let below = here.is_none_or(|problem| own.problem == problem);
            below && (own.letter, own.number) == (letter, number)
        };
        if let Some(at) = codes.codes.iter().skip(next).position(same) {
            next += at;
            found.push((place, Code { part, ..codes.codes[next].clone() }));
        }
    }
    (found.len() >= LEAST.min(codes.codes.len())).then(|| replaced(document, &found, codes))
}

/// Names questions as the paper does.
pub(crate) fn name(questions: &mut Vec<Question>, codes: &Codes) {
    let mut next = 0;
    let mut problems: Vec<u32> = Vec::new();
    for question in questions.iter_mut() {
        let own = |code: &Code| question.number == code.plain.to_string();
        let at = codes.codes[next..].iter().position(own);
        if let Some(at) = at {
            let code = &codes.codes[next + at];
            question.number = match codes.way {
                Way::Problems => code.label(),
                Way::Rows | Way::Turns => code.printed.clone(),
            };
            next += at + 1;
            problems.push(code.problem);
        } else {
            problems.push(problems.last().copied().unwrap_or(0));
        }
    }
    if codes.way == Way::Problems {
        *questions = gathered(std::mem::take(questions), &problems, &codes.titles);
    }
}

/// One question for each problem, with its codes as parts.
fn gathered(questions: Vec<Question>, problems: &[u32], titles: &[String]) -> Vec<Question> {
    let mut all: Vec<(u32, Question)> = Vec::new();
    for (question, problem) in questions.into_iter().zip(problems) {
        let title = problem.checked_sub(1).and_then(|at| titles.get(at as usize));
        if all.last().is_none_or(|(last, _)| last != problem) {
            let (number, text) = (problem.to_string(), title.cloned().unwrap_or_default());
            all.push((*problem, Question { number, text, marks: Some(Marks::ZERO), ..Question::default() }));
        }
        let Some((_, whole)) = all.last_mut() else { continue };
        whole.marks = whole.marks.zip(question.total()).map(|(sum, own)| sum + own);
        let news = question.pages.iter().filter(|page| !whole.pages.contains(page));
        let news: Vec<u32> = news.copied().collect();
        whole.pages.extend(news);
        whole.regions.extend(question.regions.iter().copied());
        whole.warnings.extend(question.warnings.iter().cloned());
        whole.parts.extend(parts(question));
    }
    all.into_iter().map(|(_, question)| question).collect()
}

/// A question as a part of its problem, or each of its own parts.
fn parts(question: Question) -> Vec<Part> {
    let Question { number, text, marks, kind, options, parts, answer_key, pages, regions, .. } = question;
    if parts.is_empty() {
        let page = pages.first().copied().unwrap_or(0);
        return vec![Part { label: number, text, marks, kind, options, answer_key, page, regions }];
    }
    let below = |part: Part| Part { label: format!("{number}{}", part.label), ..part };
    parts.into_iter().map(below).collect()
}

impl Code {
    /// True where another code names a later part of the same question: "A1b" after "A1a".
    fn goes_on_with(&self, next: &Code) -> bool {
        let same = (self.letter, self.number) == (next.letter, next.number);
        same && self.part.is_some() && self.part < next.part
    }

    /// True where the letter stands behind the number.
    fn is_behind(&self) -> bool {
        self.letter.is_some() && self.printed.starts_with(|first: char| first.is_ascii_digit())
    }

    /// As a part of its problem: "(A)(1)".
    fn label(&self) -> String {
        let letter = self.letter.and_then(|letter| LATIN.get(letter)).copied().unwrap_or(LATIN[0]);
        format!("({letter})({})", self.number)
    }
}

/// Every line that begins with a code, perhaps behind the word that announces it, announces a problem or begins with a
/// closed number.
fn beginnings(document: &Document) -> Vec<Beginning> {
    let lines = flow::lines(document);
    let read = |line: &Line<'_>| {
        let page = document.pages.iter().position(|page| page.number == line.page)?;
        let announced = lexicon::is(Concept::Label, &line.words[0].text.to_lowercase());
        let at = usize::from(announced);
        let lettered = |word: &Word| code(&word.text).or_else(|| lettered(&word.text));
        if let Some(code) = line.words.get(at).and_then(lettered) {
            let place = (page, line.range.start + at, announced);
            return Some(Beginning::Code(place, code, line.words.len()));
        }
        let (label, number) = number(line)?;
        match label.style {
            Style::Keyword => Some(Beginning::Problem(number, title(&line.texts()[label.words..]))),
            Style::Dot | Style::Close if label.words == 1 && line.words.len() > 2 => {
                Some(Beginning::Plain((page, line.range.start, false), number))
            }
            _ => None,
        }
    };
    lines.iter().filter_map(read).collect()
}

/// What a heading says behind its number, without its marks.
fn title(words: &[&str]) -> String {
    let count = words.len() - marks::at_end(words).map_or(0, |note| note.words);
    words[..count].join(" ").trim_start_matches([':', '.', '-', '–', '—', ' ']).to_owned()
}

/// The number alone that a line begins with.
fn number(line: &Line<'_>) -> Option<(labels::Label, u32)> {
    let label = labels::parse(&line.texts()).filter(|label| !label.glued)?;
    let number = match label.tokens[..] {
        [only] if only.kind == Kind::Number => only.value,
        _ => return None,
    };
    Some((label, number))
}

/// A2 after A1; B1 or B3 after A2; A1 first, or the first of another letter.
fn follows(before: Option<&Code>, code: &Code, first: usize) -> bool {
    let Some((before, last)) = before.and_then(|before| Some((before, before.letter?))) else {
        return (code.letter, code.number) == (Some(first), 1);
    };
    let next = code.number == before.number + 1;
    let goes_on = code.letter == Some(last) && next;
    goes_on || (code.letter == Some(last + 1) && (next || code.number == 1))
}

/// B1 after A1; A2 after B1; A1 first.
fn takes_turn(before: Option<&Code>, code: &Code) -> bool {
    let Some((before, last)) = before.and_then(|before| Some((before, before.letter?))) else {
        return before.is_none() && (code.letter, code.number) == (Some(0), 1);
    };
    let beside = code.letter == Some(last + 1) && code.number == before.number;
    beside || (code.letter == Some(0) && last > 0 && code.number == before.number + 1)
}

fn replaced(document: &Document, found: &[(Place, Code)], codes: &Codes) -> Document {
    let mut document = document.clone();
    for ((page, word, announced), code) in found {
        // A question's word before the number lets it begin to count again.
        let lead = if *announced { "" } else { ANNOUNCING };
        if let Some(word) = document.pages.get_mut(*page).and_then(|page| page.words.get_mut(*word)) {
            let part = code.part.map_or_else(String::new, |part| format!("({part})"));
            word.text = format!("{lead}{}{part}", code.plain);
        }
    }
    if codes.way == Way::Problems {
        document.pages.iter_mut().for_each(head_sections);
    }
    document
}

/// Turns what announces problems, and "Part A" within them, into headings of sections.
fn head_sections(page: &mut Page) {
    /// A heading is no longer, in words.
    const LONGEST: usize = 14;
    let mut kept = vec![true; page.words.len()];
    let mut heads: Vec<usize> = Vec::new();
    for line in flow::page_lines(page) {
        // A code is one word now.
        let named = number(&line).filter(|(label, _)| label.style == Style::Keyword);
        let problem = named.is_some_and(|(label, _)| label.words == 2);
        let part = labels::parse_lettered_part(&line.texts()).is_some();
        if (problem || part) && line.words.len() <= LONGEST {
            if problem {
                heads.push(line.range.start);
            }
            kept[line.range.start + 2..line.range.end].fill(false);
        }
    }
    for head in heads {
        page.words[head].text = SECTION.to_owned();
    }
    let mut kept = kept.into_iter();
    page.words.retain(|_| kept.next().unwrap_or(true));
}

/// What stands before the number of an announced question.
pub(crate) const ANNOUNCING: &str = "Q";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_within_each_letter_or_over_them() {
        let code = |word: &str| code(word).unwrap();
        assert!(follows(None, &code("A1"), 0) && !follows(None, &code("B1"), 0));
        assert!(follows(Some(&code("A2")), &code("B1"), 0) && follows(Some(&code("A2")), &code("B3"), 0));
        assert!(!follows(Some(&code("A2")), &code("A4"), 0) && !follows(Some(&code("A2")), &code("C1"), 0));
        assert!(follows(None, &code("D1"), 3) && !follows(None, &code("A1"), 3));
    }

    #[test]
    fn codes_may_take_turns() {
        let code = |word: &str| code(word).unwrap();
        assert!(takes_turn(None, &code("A1")) && takes_turn(Some(&code("A1")), &code("B1")));
        assert!(takes_turn(Some(&code("B1")), &code("A2")) && !takes_turn(Some(&code("A1")), &code("A2")));
    }
}
