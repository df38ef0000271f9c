//! A document as one stream of lines, without what repeats on every page: headers, footers, page
//! numbers, barcodes, "turn over".

use crate::marks::total::without_unit;
use lexicon::Concept;
use lexicon::english::{joints, papers};
use reader::page::{Document, Page, Rect, Word};
use std::collections::HashMap;
use std::ops::Range;

/// A line of a document.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The page it stands on, counted from 1.
    pub page: u32,
    /// Its extent on the page.
    pub place: Rect,
    /// Its words, from left to right; never empty.
    pub words: &'a [Word],
    /// Which of the page's words they are.
    pub range: Range<usize>,
}

impl Line<'_> {
    /// The words with single spaces between them.
    pub fn text(&self) -> String {
        join(self.words)
    }

    /// The words' texts.
    pub fn texts(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }
}

/// Words with single spaces between them.
pub fn join(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// The lines of a document in reading order, without furniture, and which of them is the first after the line that
/// ends the paper.
pub fn lines_to_end(document: &Document) -> (Vec<Line<'_>>, Option<usize>) {
    let (mut own, mut end) = (Vec::new(), None);
    for (line, furniture) in all_lines(document) {
        let text = line.text().to_lowercase();
        if lexicon::is(Concept::PaperEnd, text.trim_matches(|c: char| !c.is_alphanumeric())) {
            end = end.or(Some(own.len()));
        }
        if !furniture {
            own.push(line);
        }
    }
    (own, end)
}

/// The lines of a document in reading order, without furniture.
pub fn lines(document: &Document) -> Vec<Line<'_>> {
    all_lines(document).into_iter().filter(|(_, furniture)| !furniture).map(|(line, _)| line).collect()
}

/// All lines of a document in reading order, each with whether it is furniture.
pub fn all_lines(document: &Document) -> Vec<(Line<'_>, bool)> {
    let all: Vec<Line<'_>> = document.pages.iter().flat_map(page_lines).collect();
    let repeats = Repeats::of(&all, document);
    let heights: HashMap<u32, f32> = document.pages.iter().map(|page| (page.number, page.height)).collect();
    let height = |line: &Line<'_>| heights.get(&line.page).copied().unwrap_or(842.0);
    let end = back_matter(&all);
    let is_furniture =
        |(place, line): (usize, &Line<'_>)| place >= end || repeats.is_furniture(line, height(line));
    let furniture: Vec<bool> = all.iter().enumerate().map(is_furniture).collect();
    all.into_iter().zip(furniture).collect()
}

/// The lines of a page, furniture and all.
pub(crate) fn page_lines(page: &Page) -> impl Iterator<Item = Line<'_>> {
    reader::lines::lines(page).into_iter().map(|line| Line {
        page: page.number,
        place: line.place,
        words: &page.words[line.words.clone()],
        range: line.words,
    })
}

/// The share of a page's height that headers and footers may take.
const HEAD: f32 = 0.13;
const FOOT: f32 = 0.10;

/// The same for numbers that count the pages of at least so many.
const COUNTED: f32 = 0.16;
const COUNTING: u32 = 5;

/// What stands at the same place on many pages.
struct Repeats {
    /// How many pages carry a text (its digits masked) at a height, in steps of a few points.
    counts: HashMap<(String, i32), u32>,
    /// How often the names of sections, and what says how many questions to answer, stand in the document, word for word.
    sections: HashMap<String, u32>,
    pages: u32,
    /// Page numbers minus page indices, with how many pages agree.
    offsets: HashMap<i64, u32>,
    /// The same for lines that begin with a number: "2 Biology" is a header, "2 Name a gas" is not.
    leading: HashMap<(String, i32, i64), u32>,
    /// Where numbers that count along with the pages stand.
    counted: HashMap<(i32, i32), u32>,
}

impl Repeats {
    fn of(lines: &[Line<'_>], document: &Document) -> Repeats {
        let mut counts: HashMap<(String, i32), u32> = HashMap::new();
        let mut offsets: HashMap<i64, u32> = HashMap::new();
        let mut leading: HashMap<(String, i32, i64), u32> = HashMap::new();
        let mut last: HashMap<(String, i32), u32> = HashMap::new();
        let mut sections: HashMap<String, u32> = HashMap::new();
        for line in lines {
            if crate::paper::is_section_heading(line) || attempts(&line.texts()) {
                *sections.entry(line.text()).or_default() += 1;
            }
            let key = (mask(&line.text()), step(line.place.y1));
            if let Some(offset) = leading_offset(line) {
                *leading.entry((key.0.clone(), key.1, offset)).or_default() += 1;
            }
            if last.insert(key.clone(), line.page) != Some(line.page) {
                *counts.entry(key).or_default() += 1;
            }
            if let Some(number) = page_number(line) {
                *offsets.entry(number - i64::from(line.page)).or_default() += 1;
            }
        }
        let agreed = |line: &Line<'_>| {
            let number = page_number(line)?;
            offsets.get(&(number - i64::from(line.page))).filter(|agreed| **agreed >= COUNTING)
        };
        let mut counted: HashMap<(i32, i32), u32> = HashMap::new();
        for line in lines.iter().filter(|line| agreed(line).is_some()) {
            *counted.entry(spot(line)).or_default() += 1;
        }
        Repeats { counts, sections, pages: document.pages.len() as u32, offsets, leading, counted }
    }

    /// True where the numbers of other pages stand: a page that was put in or taken out leaves its neighbours' as they
    /// were, and one may be printed twice.
    fn stands_with_others(&self, line: &Line<'_>) -> bool {
        let (x, y) = spot(line);
        let near = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
        near.filter_map(|spot| self.counted.get(&spot)).sum::<u32>() >= COUNTING
    }

    fn is_furniture(&self, line: &Line<'_>, height: f32) -> bool {
        if is_notice(line) || is_page_of(line) {
            return true;
        }
        let in_margin = line.place.y1 < height * HEAD || line.place.y0 > height * (1.0 - FOOT);
        if let Some(number) = page_number(line) {
            let agreed = self.offsets.get(&(number - i64::from(line.page))).copied().unwrap_or(0);
            // At the top of a single page, a number may as well be the first question's.
            let at_top = self.pages == 1 && line.place.y1 < height * HEAD;
            // A number that counts along with the pages may stand a little further in.
            let near_margin = line.place.y1 < height * COUNTED || line.place.y0 > height * (1.0 - COUNTED);
            return (in_margin && !at_top && (agreed * 2 >= self.pages || agreed >= COUNTING))
                || (near_margin && (agreed >= COUNTING || self.stands_with_others(line)));
        }
        let masked = mask(&line.text());
        // Headers shift by a point or two between left and right pages.
        let at = step(line.place.y1);
        let count: u32 = (at - 1..=at + 1).filter_map(|near| self.counts.get(&(masked.clone(), near))).sum();
        let often =
            if in_margin { self.pages.div_ceil(3).clamp(2, 6) } else { self.pages.div_ceil(2).max(4) };
        let counts_pages = leading_offset(line).is_none_or(|offset| {
            self.leading.get(&(masked, at, offset)).is_some_and(|agreed| *agreed >= often)
        });
        // "SECTION 1" and "SECTION 2", "Answer all 3 questions" and "Answer all 2 questions", each once at the top of its
        // page, are no header.
        let begins_section = self.sections.get(&line.text()) == Some(&1);
        count >= often && counts_pages && !begins_section && !is_heading_with_number(line) && !is_marks(line)
    }
}

/// The number that a line begins with, less its page's.
fn leading_offset(line: &Line<'_>) -> Option<i64> {
    let digits = line.words[0].text.trim_end_matches(['.', ')']);
    let short = digits.len() <= 3;
    short.then(|| digits.parse::<i64>().ok()).flatten().map(|number| number - i64::from(line.page))
}

/// The middle of a line and its foot, in steps of a few points.
fn spot(line: &Line<'_>) -> (i32, i32) {
    (step(line.place.centre().0), step(line.place.y1))
}

fn step(y: f32) -> i32 {
    (y / 4.0).round() as i32
}

/// Digits differ from page to page in what is otherwise the same header, and so does their number: "Physics 9" and
/// "Physics 10". What stands behind the page's number in brackets is left away: "Physics – June [4] [OVER]" and
/// "Physics – June [5]".
fn mask(text: &str) -> String {
    /// So many words before the number are those of a header.
    const NAMED: usize = 2;
    let is_digit = |c: char| c.is_ascii_digit();
    let named = |before: &str| {
        before.split_whitespace().count() >= NAMED
            && before.chars().filter(|c| c.is_alphabetic()).count() >= NAMED
    };
    let in_brackets = |last: &usize| {
        let before = text[..*last].trim_end_matches(is_digit).trim_end();
        let closed = text[last + 1..].trim_start().starts_with(']');
        closed && before.strip_suffix('[').is_some_and(named)
    };
    let text = match text.rfind(is_digit).filter(in_brackets) {
        Some(last) => &text[..=last],
        None => text,
    };
    let mut masked = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if masked.ends_with('#') => {}
            true => masked.push('#'),
            false => masked.push(c),
        }
    }
    masked
}

/// "Question 3" or "3" may stand at the same place on each page and still say something.
fn is_heading_with_number(line: &Line<'_>) -> bool {
    let texts = line.texts();
    let label = crate::labels::parse(&texts);
    let continued = texts.iter().any(|word| papers::CONTINUED_STEM.within(&word.to_lowercase()));
    // No header begins with "(a)", "b)" or "ii.".
    let part = label.as_ref().is_some_and(|label| label.tokens[0].kind != crate::labels::Kind::Number);
    let announced = label.as_ref().is_some_and(|label| label.style == crate::labels::Style::Keyword);
    // "1 Read the information and answer the questions." opens page after page, each with its own number.
    let asked = label.as_ref().is_some_and(|label| commands(&texts[label.words..]));
    let heads = texts.len() <= 3 || announced || asked;
    // "Part B (3 points)" heads a part of question after question.
    let named = crate::labels::parse_lettered_part(&texts).is_some() && texts.len() > 2;
    (label.is_some() && !continued && (part || heads)) || (named && ends_with_marks(&texts))
}

/// True for a sentence that says what to do.
fn commands(texts: &[&str]) -> bool {
    const LEAST: usize = 5;
    let first = texts.first().map(|first| first.to_lowercase()).unwrap_or_default();
    let ends = texts.last().is_some_and(|last| last.ends_with(['.', ':', '?']));
    texts.len() >= LEAST
        && ends
        && [Concept::Command, Concept::Consult].iter().any(|own| lexicon::is(*own, &first))
}

/// True for a sentence that says which questions to answer.
fn attempts(texts: &[&str]) -> bool {
    let first = texts.first().map(|first| first.to_lowercase()).unwrap_or_default();
    lexicon::is(Concept::Attempt, &first)
        && texts.iter().any(|word| lexicon::is(Concept::Questions, &word.to_lowercase()))
}

fn ends_with_marks(texts: &[&str]) -> bool {
    crate::marks::at_end(texts).is_some()
}

/// "(Total for Question 3 is 7 marks)" ends page after page, and "Answer all questions in this part. [5]" opens one.
fn is_marks(line: &Line<'_>) -> bool {
    let all = crate::marks::at_end(&line.texts()).is_some_and(|note| note.words == line.words.len());
    all || crate::paper::section_worth(line).is_some()
}

/// A line that is nothing but a number, perhaps between dashes or after "page".
fn page_number(line: &Line<'_>) -> Option<i64> {
    let text = line.text().to_lowercase();
    let named =
        text.split_once(' ').filter(|(first, _)| lexicon::is(Concept::Page, first.trim_matches(['-', '.'])));
    let text = named.map_or(text.as_str(), |(_, rest)| rest);
    let text = text.split(joints::OF).next().unwrap_or(text);
    let text = text.split(" / ").next().unwrap_or(text);
    // "2 (3)", as Swedish papers count
    let counted = text.split_once(" (").filter(|(_, all)| {
        all.strip_suffix(')').is_some_and(|all| all.len() <= 3 && all.parse::<u32>().is_ok())
    });
    let text = counted.map_or(text, |(number, _)| number);
    let digits = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | '|' | '/'));
    let bare = !digits.is_empty() && digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit());
    bare.then(|| digits.parse().ok()).flatten()
}

/// True for a line that is nothing but a number.
pub(crate) fn is_number(line: &Line<'_>) -> bool {
    line.words.len() == 1 && line.words[0].text.parse::<u32>().is_ok()
}

/// "Page 3 of 8", wherever it stands.
fn is_page_of(line: &Line<'_>) -> bool {
    let lower = line.text().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let number = |word: &str| word.parse::<u32>().is_ok();
    let parts = |word: &str| word == "/" || lexicon::is(Concept::Of, word);
    matches!(words.as_slice(), [page, own, of, all] if lexicon::is(Concept::Page, page) && number(own) && parts(of) && number(all))
}

/// Lines that boards print for the printer or the candidate, not as part of a question.
fn is_notice(line: &Line<'_>) -> bool {
    let text = line.text();
    let lower = text.to_lowercase();
    let lower = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let code = &line.words[0].text;
    let barcode = code.len() >= 6
        && code.starts_with('*')
        && code.ends_with('*')
        && code.chars().any(|c| c.is_ascii_digit());
    let short = line.words.len() <= 12;
    barcode
        || lexicon::is(Concept::Notice, lower)
        || (papers::TURN_OVER.end(lower) && short)
        || papers::STOP.has(&text)
        || papers::COMPANY.within(lower)
        || (short && (is_end(line) || is_sum_of_section(lower) || is_section_box(line)))
        || is_row_of_boxes(line)
        || (short && is_continuation(lower))
}

/// "END OF SECTION A", "[END OF MARKING INSTRUCTIONS]"
fn is_end(line: &Line<'_>) -> bool {
    let words = line.words.iter().map(|word| word.text.trim_matches(|c: char| !c.is_alphanumeric()));
    words.take(papers::END_OF.len()).eq(papers::END_OF)
}

/// "Part I ____/10 Part II ____/5 TOTAL ____/15": the boxes of all sections in a row.
fn is_row_of_boxes(line: &Line<'_>) -> bool {
    let lower: Vec<String> = line.words.iter().map(|word| word.text.to_lowercase()).collect();
    let is_box = |word: &&String| {
        let out_of = word.trim_start_matches(['_', '.', '…']).strip_prefix('/');
        out_of.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let names = |word: &&String| {
        let name = word.trim_end_matches(':');
        lexicon::is(Concept::Section, name) || lexicon::is(Concept::Total, name)
    };
    let boxes = lower.iter().filter(is_box).count();
    boxes > 1 && lower.iter().filter(names).count() >= boxes
}

/// "Part B / 27", "Total /43": boxes for the marks of a section or of all.
fn is_section_box(line: &Line<'_>) -> bool {
    const LONGEST: usize = 5;
    let texts = line.texts();
    let first = texts[0].trim_end_matches(':').to_lowercase();
    let named = lexicon::is(Concept::Section, &first) && texts.len() >= 3;
    let rest = texts[if named { 2 } else { 1 }..].concat().to_lowercase();
    let out_of = rest.trim_start_matches(['_', '.', '…', ':']).strip_prefix('/');
    let out_of = out_of.map(without_unit);
    let boxed = out_of.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()));
    texts.len() <= LONGEST && boxed && (named || lexicon::is(Concept::Total, &first))
}

/// "TOTAL SECTION A: 20", "GRAND TOTAL: 150": sums of more than a question.
fn is_sum_of_section(lower: &str) -> bool {
    let counted = lower.ends_with(|c: char| c.is_ascii_digit()) || papers::MARKS.end(lower);
    counted && lexicon::begins_with(Concept::PartTotal, lower).is_some()
}

/// "Question 4 continued", "Turn over for question 5".
fn is_continuation(lower: &str) -> bool {
    let named = lower.split_whitespace().next().is_some_and(|first| lexicon::is(Concept::Label, first));
    let goes_on = lexicon::ends_with(Concept::Continued, lower) || papers::CONTINUES_ON.within(lower);
    named && goes_on
}

/// So many lines of a page that are addresses make it the publisher's.
const ADDRESSES_MIN: usize = 3;
/// An address stands by itself or behind a word or two.
const ADDRESS_LINE_MAX: usize = 3;

/// The line from which on nothing belongs to a question; the number of lines where there is no such.
fn back_matter(lines: &[Line<'_>]) -> usize {
    let Some(last) = lines.last().map(|line| line.page) else { return 0 };
    let of_last = lines.iter().position(|line| line.page == last).unwrap_or_default();
    let is_free = |from: usize| from > 0 && !lines[from..].iter().any(is_marks);
    let heading = lines.iter().rposition(is_acknowledgement).filter(|at| lines[*at].page + 1 >= last);
    // Under such a heading stand addresses too, and say nothing of what stands above it.
    let own = of_last..heading.map_or(lines.len(), |at| at.max(of_last));
    let addresses = lines[own].iter().filter(|line| is_address_line(line)).count();
    let publisher = (addresses >= ADDRESSES_MIN).then_some(of_last);
    let found = [heading, publisher].into_iter().flatten().filter(|from| is_free(*from));
    found.min().unwrap_or(lines.len())
}

/// "Copyright Acknowledgements:" alone on its line.
fn is_acknowledgement(line: &Line<'_>) -> bool {
    let lower = line.text().to_lowercase();
    papers::ACKNOWLEDGEMENTS.has(lower.trim_matches(|c: char| !c.is_alphanumeric()))
}

fn is_address_line(line: &Line<'_>) -> bool {
    line.words.len() <= ADDRESS_LINE_MAX && line.words.iter().any(|word| is_address(&word.text))
}

/// "board.org.uk/papers", "help@board.org": labels of small letters with dots between, the last of two to four letters.
fn is_address(word: &str) -> bool {
    if papers::ADDRESSES.begin(word) {
        return true;
    }
    let host = word.rsplit('@').next().unwrap_or(word).split('/').next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| label.len() >= 2 && label.bytes().all(|byte| byte.is_ascii_lowercase());
    let ends = labels.last().is_some_and(|last| (2..=4).contains(&last.len()));
    let is_host = labels.len() >= 2 && ends && labels.iter().all(is_label);
    is_host && (labels.len() >= 3 || word.contains(['@', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32, lines: &[(f32, f32, &str)]) -> Page {
        let word = |(x, y, text): &(f32, f32, &str)| {
            let place = Rect { x0: *x, y0: *y, x1: x + 6.0 * text.len() as f32, y1: y + 10.0 };
            Word { text: (*text).to_owned(), place, size: 10.0, baseline: y + 8.0, ..Word::default() }
        };
        let words = lines.iter().map(word).collect();
        Page { number, width: 595.0, height: 842.0, words, ..Page::default() }
    }

    fn kept(pages: Vec<Page>) -> Vec<String> {
        lines(&Document { pages }).iter().map(Line::text).collect()
    }

    /// A line that no other page has.
    const METALS: [&str; 9] = ["iron", "zinc", "tin", "lead", "gold", "silver", "copper", "nickel", "cobalt"];

    fn numbered(numbers: [(f32, &str); 9]) -> Vec<String> {
        let pages = (1..).zip(numbers).zip(METALS);
        let of = |((at, (x, number)), metal)| page(at, &[(x, 40.0, number), (60.0, 300.0, metal)]);
        kept(pages.map(of).collect())
    }

    #[test]
    fn a_page_number_that_jumps_stands_where_the_others_do() {
        let numbers = ["1", "2", "3", "4", "5", "6", "7", "11", "11"];
        assert_eq!(numbered(numbers.map(|number| (297.0, number))), METALS);
        // One at the margin may be a question's.
        let mut numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "4"].map(|number| (297.0, number));
        numbers[8].0 = 60.0;
        assert_eq!(numbered(numbers)[8..], ["4", "cobalt"]);
    }

    #[test]
    fn pages_may_be_counted_with_how_many_there_are() {
        let pages = (1..=3)
            .zip(METALS)
            .map(|(at, metal)| page(at, &[(60.0, 300.0, metal), (290.0, 800.0, &format!("{at} (3)"))]));
        assert_eq!(kept(pages.collect()), METALS[..3]);
    }

    #[test]
    fn a_header_is_the_same_with_one_digit_and_with_two() {
        let headers = (8..=11).map(|at| format!("Mechanics-{at}"));
        let pages = (8..).zip(headers).zip(METALS);
        let of = |((at, header), metal): ((u32, String), &str)| {
            page(at, &[(60.0, 30.0, &header), (60.0, 300.0, metal)])
        };
        assert_eq!(kept(pages.map(of).collect()), METALS[..4]);
    }

    #[test]
    fn only_what_stands_behind_a_pages_number_is_no_part_of_a_header() {
        let pages = |lines: [&str; 2]| {
            let of =
                |(at, text): (u32, &str)| page(at, &[(60.0, 30.0, text), (60.0, 300.0, METALS[at as usize])]);
            kept((1..).zip(lines).map(of).collect())
        };
        assert_eq!(pages(["Physics – June [4] [OVER]", "Physics – June [5]"]), METALS[1..3]);
        assert_eq!(pages(["Study Figure 3, which is a map.", "Study Figure 4, which is a plan."]).len(), 4);
    }

    #[test]
    fn what_stands_above_the_sources_of_pictures_is_kept() {
        let sources = [
            (60.0, 300.0, "Floods"),
            (60.0, 400.0, "Acknowledgements"),
            (60.0, 420.0, "https://a.org/x"),
            (60.0, 440.0, "https://b.org/y"),
            (60.0, 460.0, "https://c.org/z"),
        ];
        assert_eq!(kept(vec![page(1, &[(60.0, 300.0, "Rain")]), page(2, &sources)]), ["Rain", "Floods"]);
    }

    #[test]
    fn addresses_are_told_from_words() {
        for address in ["board.org.uk", "help@board.org", "https://x", "www.x.org", "board.org/papers"] {
            assert!(is_address(address), "{address}");
        }
        for word in ["e.g.", "3.14", "student.name", "x@y", "km/h", "Fig.2", "and/or"] {
            assert!(!is_address(word), "{word}");
        }
    }
}
