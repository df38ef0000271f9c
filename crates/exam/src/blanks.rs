//! Blanks to fill in: "The capital is ……… ."

use crate::flow::Line;

/// A shorter row of points ends a sentence.
const LEAST: usize = 3;
/// White before the sign that ends a sentence, in sizes of its type, where the blank itself is drawn or left out.
const ROOM: f32 = 3.0;

/// True for a line of text with a blank in it.
pub(crate) fn leaves_blank(line: &Line<'_>) -> bool {
    let speaks = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    // "l’………" is one word.
    let begun = |c: char| c.is_alphanumeric() || matches!(c, '’' | '\'');
    let holds = |word: &&str| is_blank(word.trim_start_matches(begun));
    let texts = line.texts();
    let ends = line.words.windows(2).any(|pair| {
        let sign = pair[1].text.chars().all(|c| matches!(c, '.' | ',' | ';'));
        sign && pair[1].place.x0 - pair[0].place.x1 > ROOM * pair[1].size
    });
    texts.iter().any(speaks) && (ends || texts.iter().any(holds))
}

/// True for a word that leaves room for what is to be written: "………", "_____".
pub(crate) fn is_blank(word: &str) -> bool {
    let width = |c: char| match c {
        '…' => Some(LEAST),
        '_' | '.' => Some(1),
        _ => None,
    };
    let widths: Option<Vec<usize>> = word.chars().map(width).collect();
    widths.is_some_and(|widths| widths.iter().sum::<usize>() >= LEAST)
}
