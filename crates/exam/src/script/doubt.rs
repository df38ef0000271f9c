//! Writing for which no question was found: whether it may be an answer, so that an empty one is no longer sure.

use super::Written;
use super::align::plain;
use lexicon::english::scripts;

/// How sure it is that nothing was written where nothing was found, when there is writing without a home.
pub(super) const BLANK: f32 = 0.4;
/// How sure words are that were crossed out and never replaced, for they may have been taken back, or whose question had
/// to be guessed.
pub(super) const GUESSED: f32 = 0.5;
/// Fewer words are a name, a number, a note.
const WORDS_MIN: usize = 3;
/// The share of a page's height, at its top and bottom, where names, page numbers and headings stand.
const MARGIN: f32 = 0.07;

/// True when some of the words may be an answer.
pub(super) fn has_homeless_writing(words: &[Written]) -> bool {
    let lines = words.chunk_by(|_, next| !next.starts_line);
    let count = lines.filter(|line| !is_about_the_script(line)).flatten().filter(|word| tells(word)).count();
    count >= WORDS_MIN
}

/// True for a line that belongs to the sheet and not to an answer: a page number, the student's name. `height` is
/// where it stands on the page, 0 at the top.
pub(super) fn is_furniture(texts: &[&str], height: f32) -> bool {
    /// Names stand in this part of a page.
    const TOP: f32 = 0.15;
    let plain: Vec<String> = texts.iter().map(|text| plain(text)).filter(|text| !text.is_empty()).collect();
    let words: Vec<&str> = plain.iter().map(String::as_str).collect();
    let is_number = |text: &&str| text.len() <= 3 && text.chars().all(|letter| letter.is_ascii_digit());
    let in_margin = !(MARGIN..1.0 - MARGIN).contains(&height);
    let is_page_number = match words.as_slice() {
        [page, number] if scripts::PAGE.has(page) => is_number(number) && in_margin,
        [page, number, of, all] if scripts::PAGE.has(page) && scripts::OF.has(of) => {
            is_number(number) && is_number(all)
        }
        [number, of, all] if scripts::OF.has(of) => is_number(number) && is_number(all) && in_margin,
        _ => false,
    };
    let names = texts.first().is_some_and(|first| first.ends_with(':'))
        && words.first().is_some_and(|first| scripts::NAMES.has(first));
    is_page_number || names && height < TOP
}

fn tells(word: &Written) -> bool {
    !word.crossed_out && plain(&word.text).chars().count() > 1
}

fn is_about_the_script(line: &[Written]) -> bool {
    let Some(first) = line.first() else { return true };
    let middle = first.place.y + first.place.height / 2.0;
    let in_margin = !(MARGIN..1.0 - MARGIN).contains(&middle);
    in_margin || scripts::ABOUT.has(&plain(&first.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Region;

    fn line(text: &str, y: f32) -> Vec<Written> {
        let word = |(index, text): (usize, &str)| Written {
            text: text.to_owned(),
            place: Region { y, height: 0.02, ..Region::default() },
            starts_line: index == 0,
            ..Written::default()
        };
        text.split(' ').enumerate().map(word).collect()
    }

    #[test]
    fn page_numbers_and_names_are_no_part_of_an_answer() {
        assert!(is_furniture(&["Page", "9", "of", "9"], 0.5));
        assert!(is_furniture(&["Page", "3"], 0.97) && is_furniture(&["2", "of", "4"], 0.02));
        assert!(is_furniture(&["Name:", "Ada"], 0.05) && !is_furniture(&["Name:", "Ada"], 0.5));
        assert!(!is_furniture(&["Name", "of", "the", "process"], 0.05));
        assert!(!is_furniture(&["3"], 0.03) && !is_furniture(&["3", "of", "them"], 0.03));
        assert!(!is_furniture(&[], 0.5));
    }

    #[test]
    fn sentences_may_be_answers_and_names_are_not() {
        assert!(has_homeless_writing(&line("water moves into the cell", 0.5)));
        assert!(!has_homeless_writing(&line("Name: Ada Lovelace of 7B", 0.2)));
        assert!(!has_homeless_writing(&line("Page 9 of 9 turn over", 0.97)));
        assert!(!has_homeless_writing(&line("7 x =", 0.5)));
        assert!(!has_homeless_writing(&[]));
    }
}
