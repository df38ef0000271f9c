//! Whether a page's text layer says what the page shows.

use super::glyphs::Quality;
use crate::page::{Page, Rect};

/// Above this share of glyphs without a meaning, the text is of no use.
const MAX_UNMAPPED: f32 = 0.25;
/// Signs that no text holds beside its letters say that codes were taken for others from these shares on: of glyphs
/// without a meaning, and of such signs.
const SHIFTED: (f32, f32) = (0.05, 0.03);
/// A page is a scan when pictures cover at least this share of it.
const SCAN_COVER: f32 = 0.6;
/// A page with fewer words of letters is too short to judge by its vocabulary.
const ENOUGH_WORDS: usize = 25;

/// True when the page should be recognised from its picture instead.
pub(super) fn needs_recognition(page: &Page, quality: &Quality) -> bool {
    let scanned = picture_cover(page) >= SCAN_COVER;
    if quality.glyphs == 0 || page.words.is_empty() {
        return scanned;
    }
    let share = |part: usize| part as f32 / quality.glyphs as f32;
    if share(quality.unmapped) > MAX_UNMAPPED {
        return true;
    }
    if share(quality.unmapped) > SHIFTED.0 && strange(page) > SHIFTED.1 {
        return true;
    }
    // Meanings that were guessed by their codes must make words.
    if share(quality.guessed) > MAX_UNMAPPED && !speaks(page) {
        return true;
    }
    // Invisible text over a scan is another recogniser's guess, made without our models.
    if scanned && share(quality.invisible) > 0.5 {
        return true;
    }
    // A scan under a printed stamp, such as a page number or a download notice.
    if scanned && page.words.len() < ENOUGH_WORDS {
        return true;
    }
    !is_plausible(page)
}

fn picture_cover(page: &Page) -> f32 {
    let whole = Rect { x0: 0.0, y0: 0.0, x1: page.width, y1: page.height };
    let covered: f32 = page.pictures.iter().map(|picture| picture.intersection(&whole).area()).sum();
    covered / whole.area().max(1.0)
}

/// The share of signs that stand for themselves alone: accents without a letter, signs of currencies and ligatures
/// that another script's codes happen to name.
fn strange(page: &Page) -> f32 {
    const STRANGE: &str = "˘ˇ˙˚˛˜¨¸¯´¤¥¢¦ª¬®¶⁄ƒŒŠŽŸÞþÐð‡†‰‹›ı";
    let letters = || page.words.iter().flat_map(|word| word.text.chars());
    letters().filter(|letter| STRANGE.contains(*letter)).count() as f32 / letters().count().max(1) as f32
}

/// True when some of the words are among the commonest of a language, or when there are too few to say so.
fn speaks(page: &Page) -> bool {
    let texts = page.words.iter().map(|word| word.text.trim_matches(|c: char| !c.is_alphabetic()));
    let words: Vec<String> = texts.filter(|word| word.len() >= 2).map(str::to_lowercase).collect();
    let common = words.iter().filter(|word| COMMON.contains(&word.as_str())).count();
    words.len() < ENOUGH_WORDS || common * 50 >= words.len()
}

/// True unless the letters look shuffled: no common word at all and hardly a word with a vowel.
fn is_plausible(page: &Page) -> bool {
    let latin = |word: &&str| word.len() >= 2 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let texts = page.words.iter().map(|word| word.text.trim_matches(|c: char| c.is_ascii_punctuation()));
    let words: Vec<&str> = texts.filter(latin).collect();
    if words.len() < ENOUGH_WORDS {
        return true;
    }
    let common = words.iter().filter(|word| COMMON.contains(&word.to_ascii_lowercase().as_str())).count();
    let has_vowel = |word: &&&str| word.chars().any(|letter| "aeiouyAEIOUY".contains(letter));
    let voiced = words.iter().filter(has_vowel).count();
    common * 50 >= words.len() || voiced * 10 >= words.len() * 7
}

/// The most frequent words of the languages that exam papers in Latin script use.
const COMMON: &[&str] = &[
    "the", "of", "and", "to", "in", "is", "for", "that", "with", "on", "are", "by", "this", "de", "la", "le",
    "et", "les", "des", "en", "un", "une", "que", "el", "los", "del", "der", "die", "das", "und", "ist",
    "von", "zu", "den", "och", "att", "som", "det", "av", "het", "een", "van", "il", "di", "che", "per",
    "da", "do", "os", "um", "em",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Word;

    fn page(text: &str) -> Page {
        let words = text.split(' ').map(|word| Word { text: word.into(), ..Word::default() }).collect();
        Page { width: 600.0, height: 800.0, words, ..Page::default() }
    }

    const GOOD: Quality = Quality { glyphs: 100, unmapped: 0, guessed: 0, invisible: 0 };
    const SHUFFLED: &str = "Wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj dqg wkhq lw uxqv dzdb iurp doo ri wkh rwkhu \
                            grjv lq wkh ilhog ehfdxvh wkhb";

    #[test]
    fn plain_text_is_believed_and_shuffled_text_is_not() {
        let english = "The plant uses light to make sugar and gives off oxygen while it does so. ".repeat(3);
        assert!(!needs_recognition(&page(&english), &GOOD));
        assert!(needs_recognition(&page(SHUFFLED), &GOOD));
        assert!(needs_recognition(&page(&english), &Quality { unmapped: 60, ..GOOD }));
        let guessed = Quality { guessed: 100, ..GOOD };
        assert!(!needs_recognition(&page(&english), &guessed));
        assert!(needs_recognition(&page(&"qzx wvb nnk ".repeat(12)), &guessed));
    }

    #[test]
    fn codes_of_another_script_are_not_believed() {
        let shifted = "�! £�K�'15'⁄ �(X,d)·�l�m, ¥�Cauchy �§ ¿�x y†�x ˘ˇ‰´;";
        assert!(needs_recognition(&page(shifted), &Quality { unmapped: 19, ..GOOD }));
        let bullets =
            "\u{FFFD} The price is £5 \u{FFFD} The price is 3 ¥ or more, see the table on the next page";
        assert!(!needs_recognition(&page(bullets), &Quality { unmapped: 6, ..GOOD }));
    }

    #[test]
    fn a_scan_is_recognised_and_a_blank_page_is_not() {
        let whole = Rect { x0: 0.0, y0: 0.0, x1: 600.0, y1: 800.0 };
        let blank = Page { words: Vec::new(), ..page("") };
        assert!(!needs_recognition(&blank, &Quality::default()));
        let scan = Page { pictures: vec![whole], ..blank };
        assert!(needs_recognition(&scan, &Quality::default()));
    }
}
