//! Questions that carry a letter before their number, "A1", "A.2", "B-1": read as the numbers 1, 2 and 1 again, and
//! named as they are printed afterwards.

use crate::flow;
use domain::question::Question;
use lexicon::Concept;
use reader::page::Document;

/// Fewer codes are no way to count.
const LEAST: usize = 3;
/// Letters that codes begin with, in their order.
const LATIN: [char; 8] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
const GREEK: [char; 5] = ['Α', 'Β', 'Γ', 'Δ', 'Ε'];

/// The number of a question with the letter before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    letter: usize,
    number: u32,
    /// As it is printed: "A.1".
    printed: String,
}

/// Where a code stands: its page's place in the document and its word's on the page, and whether a word announces it.
type Place = (usize, usize, bool);

/// A paper whose questions carry codes, with plain numbers in their stead, and its codes in order.
pub(crate) fn plain(document: &Document) -> Option<(Document, Vec<Code>)> {
    let mut found: Vec<(Place, Code)> = Vec::new();
    let mut asking = 0;
    for (place, code, words) in coded(document) {
        if follows(found.last().map(|(_, last)| last), &code) {
            found.push((place, code));
            asking += usize::from(words > 2);
        }
    }
    if found.len() < LEAST || asking * 2 < found.len() {
        return None;
    }
    let document = replaced(document, &found);
    Some((document, found.into_iter().map(|(_, code)| code).collect()))
}

/// A scheme with plain numbers in the stead of a paper's codes.
pub(crate) fn plain_like(document: &Document, codes: &[Code]) -> Option<Document> {
    let mut found: Vec<(Place, Code)> = Vec::new();
    let mut next = 0;
    for (place, code, _) in coded(document) {
        let same = |own: &Code| (own.letter, own.number) == (code.letter, code.number);
        if let Some(at) = codes.iter().skip(next).position(same) {
            next += at;
            found.push((place, code));
        }
    }
    (found.len() >= LEAST.min(codes.len())).then(|| replaced(document, &found))
}

/// Names questions as the paper does.
pub(crate) fn name(questions: &mut [Question], codes: &[Code]) {
    let mut next = 0;
    for question in questions {
        let own = |code: &Code| question.number == code.number.to_string();
        if let Some(at) = codes[next..].iter().position(own) {
            question.number.clone_from(&codes[next + at].printed);
            next += at + 1;
        }
    }
}

/// Every line that begins with a code, perhaps behind the word that announces it, and how many words it has.
fn coded(document: &Document) -> Vec<(Place, Code, usize)> {
    let lines = flow::lines(document);
    let read = |line: &flow::Line<'_>| {
        let page = document.pages.iter().position(|page| page.number == line.page)?;
        let announced = lexicon::is(Concept::Label, &line.words[0].text.to_lowercase());
        let at = usize::from(announced);
        let code = code(&line.words.get(at)?.text)?;
        Some(((page, line.range.start + at, announced), code, line.words.len()))
    };
    lines.iter().filter_map(read).collect()
}

/// `A1`, `A.1.`, `B-2)`
fn code(word: &str) -> Option<Code> {
    let first = word.chars().next()?;
    let place = |letters: &[char]| letters.iter().position(|own| *own == first);
    let letter = place(&LATIN).or_else(|| place(&GREEK))?;
    let rest = word[first.len_utf8()..].trim_start_matches(['.', '-', '–']);
    // "A.3.-" as well as "A.3."
    let closing = ['.', ')', ':', '-', '–', '—'];
    let (printed, digits) = (word.trim_end_matches(closing), rest.trim_end_matches(closing));
    let plain = digits.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit());
    let number = digits.parse().ok().filter(|number| plain && *number > 0)?;
    Some(Code { letter, number, printed: printed.to_owned() })
}

/// A2 after A1; B1 or B3 after A2; A1 first.
fn follows(before: Option<&Code>, code: &Code) -> bool {
    let Some(before) = before else { return (code.letter, code.number) == (0, 1) };
    let next = code.number == before.number + 1;
    (code.letter == before.letter && next) || (code.letter == before.letter + 1 && (next || code.number == 1))
}

fn replaced(document: &Document, found: &[(Place, Code)]) -> Document {
    let mut document = document.clone();
    for ((page, word, announced), code) in found {
        // A question's word before the number lets it begin to count again.
        let lead = if *announced { "" } else { ANNOUNCING };
        if let Some(word) = document.pages.get_mut(*page).and_then(|page| page.words.get_mut(*word)) {
            word.text = format!("{lead}{}", code.number);
        }
    }
    document
}

/// What stands before the number of an announced question.
pub(crate) const ANNOUNCING: &str = "Q";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_letters_before_numbers() {
        let read = |word: &str| code(word).map(|code| (code.letter, code.number, code.printed));
        assert_eq!(read("A1"), Some((0, 1, "A1".to_owned())));
        assert_eq!(read("B.12."), Some((1, 12, "B.12".to_owned())));
        assert_eq!(read("A.3.-"), Some((0, 3, "A.3".to_owned())));
        assert_eq!(read("Γ2."), Some((2, 2, "Γ2".to_owned())));
        for word in ["A", "A4x", "M1", "A100", "A0", "1A"] {
            assert_eq!(read(word), None, "{word}");
        }
    }

    #[test]
    fn codes_count_within_each_letter_or_over_them() {
        let code = |word: &str| code(word).unwrap();
        assert!(follows(None, &code("A1")) && !follows(None, &code("B1")));
        assert!(follows(Some(&code("A2")), &code("B1")) && follows(Some(&code("A2")), &code("B3")));
        assert!(!follows(Some(&code("A2")), &code("A4")) && !follows(Some(&code("A2")), &code("C1")));
    }
}
