//! Exponents: small words that stand raised behind another.

use super::{Side, beside, operand};
use reader::page::{Rect, Word};

/// So much smaller than the line's is the type of what is raised.
pub(super) const SCRIPT: f32 = 0.8;

/// A raised word so far behind another, in sizes of the line's type, may belong to what follows it; nearer ones only
/// stand clear of a slanted letter.
const APART: f32 = 0.12;

/// Writes what is raised behind a word as its exponent.
pub(super) fn raise(words: &mut Vec<Word>, bars: &[Rect]) -> bool {
    let in_fraction = |words: &[Word], index: usize| {
        bars.iter().any(|bar| {
            let middle = (bar.y0 + bar.y1) / 2.0;
            beside(words, bar, middle, Side::Above).is_some_and(|above| above.contains(&index))
        })
    };
    let mut changed = false;
    let mut base = 0;
    while base < words.len() {
        let scripts = scripts(words, base);
        if scripts.is_empty() || scripts.iter().any(|index| in_fraction(words, *index)) {
            base += 1;
            continue;
        }
        let raised = script_text(words, &scripts);
        let mut own = words[base].clone();
        own.text.push_str(&raised);
        own.place.x1 = scripts.iter().map(|index| words[*index].place.x1).fold(own.place.x1, f32::max);
        words[base] = own;
        let mut index = 0;
        words.retain(|_| {
            index += 1;
            !scripts.contains(&(index - 1))
        });
        base -= scripts.iter().filter(|index| **index < base).count();
        base += 1;
        changed = true;
    }
    changed
}

/// The small words that stand raised right behind a word, from left to right.
fn scripts(words: &[Word], base: usize) -> Vec<usize> {
    let own = &words[base];
    let last = own.text.chars().next_back();
    // Only letters, numbers and brackets have exponents.
    if own.turned || !last.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '′')) {
        return Vec::new();
    }
    let raised = |word: &Word| {
        let lift = (own.baseline - word.baseline) / own.size.max(0.1);
        !word.turned && word.size < SCRIPT * own.size && (0.15..1.25).contains(&lift) && word.text != "√"
    };
    // What stands between has the exponent: the bracket of "(x − 3)²".
    let parted = |x: f32| {
        let level = |word: &Word| (word.baseline - own.baseline).abs() < 0.4 * own.size;
        let mut others = words.iter().enumerate().filter(|(index, word)| *index != base && level(word));
        others.any(|(_, word)| {
            word.size >= SCRIPT * own.size
                && word.place.x0 > own.place.x0
                && (own.place.x1 - 0.5..x).contains(&word.place.centre().0)
        })
    };
    let mut found: Vec<usize> = Vec::new();
    let mut edge = own.place.x1;
    loop {
        let next = words.iter().enumerate().filter(|(index, word)| {
            let gap = word.place.x0 - edge;
            // Numbers and their signs are set farther away than letters, which may be an index of the line above.
            let reach = if word.text.starts_with(char::is_alphabetic) { 0.45 } else { 0.6 };
            let near = (-0.6 * word.size..reach * word.size).contains(&gap);
            near && !found.contains(index) && raised(word) && !parted(word.place.centre().0)
        });
        let next = next.filter(|(_, word)| !leads(words, word, word.place.x0 - edge, own.size));
        let Some((index, word)) = next.min_by(|(_, a), (_, b)| a.place.x0.total_cmp(&b.place.x0)) else {
            break;
        };
        edge = edge.max(word.place.x1);
        found.push(index);
    }
    found
}

/// True when a raised word stands nearer to a letter behind it: the 8 of "⁸C₅".
fn leads(words: &[Word], raised: &Word, gap: f32, size: f32) -> bool {
    words.iter().any(|word| {
        let behind = word.place.x0 - raised.place.x1;
        word.size >= 0.9 * size
            && word.text.starts_with(char::is_alphabetic)
            && (-0.3 * size..gap.max(0.05 * size)).contains(&behind)
            && (word.baseline - raised.baseline > 0.1 * size)
            && word.baseline - raised.baseline < size
            && gap > APART * size
    })
}

/// Exponents in one line: what stands above another is its numerator.
fn script_text(words: &[Word], scripts: &[usize]) -> String {
    let mut text = String::new();
    let mut done: Vec<usize> = Vec::new();
    for index in scripts {
        if done.contains(index) {
            continue;
        }
        let own = &words[*index];
        let (x, _) = own.place.centre();
        let other = scripts.iter().find(|other| {
            let word = &words[**other];
            *other != index
                && (word.place.x0..word.place.x1).contains(&x)
                && (word.baseline - own.baseline).abs() > 0.7 * own.size
        });
        match other {
            Some(other) => {
                let (above, below) =
                    if words[*other].baseline < own.baseline { (other, index) } else { (index, other) };
                text.push_str(&format!("{}/{}", operand(&words[*above].text), operand(&words[*below].text)));
                done.push(*other);
            }
            None => text.push_str(&own.text),
        }
        done.push(*index);
    }
    const PLAIN: &str = "0123456789+-−";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻";
    let sign = |c: char| PLAIN.chars().position(|plain| plain == c).and_then(|at| RAISED.chars().nth(at));
    match text.chars().map(sign).collect::<Option<String>>() {
        Some(raised) => raised,
        None => format!("^{}", operand(&text)),
    }
}
