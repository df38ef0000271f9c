//! The column of a scheme that says on which page of the book an answer stands, which is no answer.

use reader::page::{Rect, Word};

/// The farthest below the first word of the column's name that its last one stands, in sizes of its type.
const NAME_REACH: f32 = 3.0;
/// How far beside the name a number may stand, in sizes of its type.
const BESIDE: f32 = 2.0;

/// Takes the column away, name and numbers.
pub(super) fn leave_out_pages(words: &mut Vec<Word>) {
    let mut names: Vec<Rect> = Vec::new();
    for pair in words.windows(2) {
        // The words come as they are drawn: the last of a name first.
        let both = [&pair[0], &pair[1]];
        let said = |word: &Word, name: &str| word.text == name;
        let named = both.iter().any(|word| said(word, lexicon::arabic::PAGE_OF_BOOK[0]))
            && both.iter().any(|word| said(word, lexicon::arabic::PAGE_OF_BOOK[1]));
        if named && names.len() < NAMES_MAX {
            names.push(pair[0].place.union(&pair[1].place));
        }
    }
    // "Page number (1)" heads a page.
    let number = |word: &Word| {
        !word.text.is_empty() && word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let below = |word: &Word, name: &Rect| {
        let (x, _) = word.place.centre();
        word.place.y0 >= name.y0 - word.size
            && (name.x0 - BESIDE * word.size..=name.x1 + BESIDE * word.size).contains(&x)
    };
    names
        .retain(|name| words.iter().filter(|word| number(word) && below(word, name)).count() >= COLUMN_LEAST);
    let is_name = |word: &Word, name: &Rect| {
        let part = lexicon::arabic::PAGE_OF_BOOK.contains(&word.text.as_str());
        part && below(word, name) && word.place.y0 < name.y0 + NAME_REACH * word.size
    };
    words.retain(|word| !names.iter().any(|name| is_name(word, name) || (number(word) && below(word, name))));
}

/// No page has more tables.
const NAMES_MAX: usize = 12;
/// Fewer numbers are no column.
const COLUMN_LEAST: usize = 3;
