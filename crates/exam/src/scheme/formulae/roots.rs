//! Roots: a sign, a bar from its top, and what stands under the bar.

use super::{Formula, Side, beside, host, is_bracketed, operand, raised, text};
use reader::page::{Rect, Word};

/// How far beyond the bar's end a word reaches that goes on behind the root, in points.
const BEYOND: f32 = 3.0;

/// Parts a word that begins under the bar of a root and goes on behind it: the "2a" of a root of two times a.
pub(super) fn cut(words: &mut Vec<Word>, bar: &Rect) {
    let signed = || words.iter().any(|word| is_sign(word, bar));
    let under = |word: &Word| {
        let below = word.place.centre().1 - bar.y0;
        (word.place.x0 - bar.x0).abs() < 0.3 * word.size
            && word.place.x1 > bar.x1 + BEYOND
            && (0.0..word.size).contains(&below)
            && !word.turned
    };
    let Some(at) = words.iter().position(under).filter(|_| signed()) else { return };
    let word = &words[at];
    let letters = word.text.chars().count();
    // Letters are about as wide as each other.
    let inside = (letters as f32 * bar.width() / word.place.width()).round() as usize;
    let Some((cut, _)) = word.text.char_indices().nth(inside.max(1)) else { return };
    let (mut inner, mut rest) = (word.clone(), word.clone());
    inner.text.truncate(cut);
    inner.place.x1 = bar.x1;
    rest.text.drain(..cut);
    rest.place.x0 = bar.x1;
    words.splice(at..=at, [inner, rest]);
}

/// True for the sign of a root whose bar it is.
fn is_sign(word: &Word, bar: &Rect) -> bool {
    let middle = (bar.y0 + bar.y1) / 2.0;
    word.text.ends_with('√')
        && (word.place.x1 - bar.x0).abs() < 0.3 * word.size
        && word.place.y0 < middle + word.size
        && middle - word.size < word.place.y1
}

/// A root: the sign stands before the bar, and something under it.
pub(super) fn root(words: &[Word], bar: &Rect) -> Option<Formula> {
    let middle = (bar.y0 + bar.y1) / 2.0;
    let sign = words.iter().position(|word| is_sign(word, bar))?;
    let below = beside(words, bar, middle, Side::Below)?;
    if below.contains(&sign) {
        return None;
    }
    let inner = operand(&text(words, &below));
    let degree = degree(words, &below, &words[sign]);
    let text = match degree {
        Some(degree) => {
            let before = words[sign].text.trim_end_matches('√');
            let inner = if is_bracketed(&inner) { inner } else { format!("({inner})") };
            format!("{before}{inner}^(1/{})", words[degree].text)
        }
        None => format!("{}{inner}", words[sign].text),
    };
    let last = words[*below.last()?].clone();
    let mut taken = [vec![sign], degree.into_iter().collect(), below].concat();
    taken.sort_unstable();
    let place = Rect { x0: words[sign].place.x0, x1: bar.x1, ..last.place };
    let middle = last.place.centre().1;
    let host = host(words, &taken, &place, middle);
    Some(Formula { taken, text, place, host, middle })
}

/// The small number in the hook of a root sign: which root it is.
fn degree(words: &[Word], below: &[usize], sign: &Word) -> Option<usize> {
    let size = below.iter().map(|index| words[*index].size).fold(0.0, f32::max);
    words.iter().position(|word| {
        let (x, y) = word.place.centre();
        word.size < raised::SCRIPT * size
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
            && (sign.place.x0 - 0.6 * size..sign.place.x1).contains(&x)
            && (sign.place.y0 - 0.5 * size..sign.place.centre().1 + 0.1 * size).contains(&y)
    })
}
