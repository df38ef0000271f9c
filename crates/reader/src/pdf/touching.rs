//! Words that touch: a formula's letters and digits are often drawn one font after the other, so that "2" and "x" come
//! far apart in the file and stand side by side on the page.

use crate::page::{Rect, Word};

/// How near two pieces of one word stand, in sizes of its type: nearer than two words, and hardly over each other.
const NEAR: std::ops::Range<f32> = -0.3..0.1;
/// How far, in sizes of its type, the baselines of one line may lie apart.
const LEVEL: f32 = 0.05;
/// The most that the sizes of one word's pieces differ.
const SIZES: f32 = 0.1;

/// Joins words that touch their neighbour; `words` stand in reading order.
pub(super) fn join(words: &mut Vec<Word>) {
    let mut joined: Vec<Word> = Vec::with_capacity(words.len());
    for word in words.drain(..) {
        match joined.last_mut().filter(|last| touches(last, &word)) {
            Some(last) => {
                last.text.push_str(&word.text);
                last.place = Rect {
                    x0: last.place.x0.min(word.place.x0),
                    y0: last.place.y0.min(word.place.y0),
                    x1: last.place.x1.max(word.place.x1),
                    y1: last.place.y1.max(word.place.y1),
                };
                last.bold &= word.bold;
                last.italic &= word.italic;
            }
            None => joined.push(word),
        }
    }
    *words = joined;
}

fn touches(before: &Word, after: &Word) -> bool {
    let size = before.size.max(after.size);
    let level = (before.baseline - after.baseline).abs() <= LEVEL * size;
    let alike = (before.size - after.size).abs() <= SIZES * size;
    let near = NEAR.contains(&((after.place.x0 - before.place.x1) / size));
    let inside =
        before.text.ends_with(char::is_alphanumeric) && after.text.starts_with(char::is_alphanumeric);
    // A single sign only: two words that touch are set too tight, and are two words.
    let single = before.text.chars().count() == 1 || after.text.chars().count() == 1;
    level && alike && near && inside && single && !before.turned && !after.turned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, x0: f32, x1: f32) -> Word {
        let place = Rect { x0, y0: 90.0, x1, y1: 102.0 };
        Word { text: text.to_owned(), place, size: 12.0, baseline: 100.0, ..Word::default() }
    }

    #[test]
    fn letters_and_digits_that_touch_are_one_word() {
        let mut words = vec![
            word("3", 10.0, 16.0),
            word("θ", 15.0, 21.0),
            word("≈", 22.0, 28.0),
            word("a", 40.0, 46.0),
            word("single", 49.0, 80.0),
        ];
        join(&mut words);
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["3θ", "≈", "a", "single"]);
        assert_eq!((words[0].place.x0, words[0].place.x1), (10.0, 21.0));
    }
}
