//! Tables on a cover that list the parts of each question with what they are worth: "1 Pointers  (a) i 2, (a) ii 2,
//! (b) 4   8".

use super::grading::Series;
use crate::flow::Line;
use crate::labels::{self, Kind, Token};
use domain::marks::Marks;

/// Fewer rows are no table.
const ROWS_MIN: usize = 2;
/// Words of a row in front of its parts: the number and a title.
const TITLE_WORDS_MAX: usize = 9;
/// No question is worth more.
const PRICE_MAX: u32 = 200;

/// The rows from the first of these lines on, and what they say of each question and part. Every row must make up the
/// sum that it prints.
pub(super) fn rows(lines: &[Line<'_>]) -> Option<(usize, Series)> {
    let first = usize::from(row(&lines.first()?.texts(), 1).is_none());
    let mut series = Series::new();
    let mut count = 0;
    for line in &lines[first..] {
        let Some(own) = row(&line.texts(), count as u32 + 1) else { break };
        series.extend(own);
        count += 1;
    }
    let parted = series.iter().any(|(path, _)| path.len() > 1);
    (count >= ROWS_MIN && parted).then_some((first + count, series))
}

/// The question with this number, with its parts.
fn row(texts: &[&str], number: u32) -> Option<Series> {
    let (first, rest) = texts.split_first()?;
    let own = first.trim_end_matches(['.', ')', ':']).parse::<u32>().ok().filter(|own| *own == number)?;
    let filled = rest.iter().rposition(|word| word.chars().any(char::is_alphanumeric))?;
    let rest = &rest[..=filled];
    let parsed = (0..rest.len().min(TITLE_WORDS_MAX)).find_map(|from| parts(&rest[from..], own));
    let whole = || {
        let [title @ .., worth] = rest else { return None };
        let says = |word: &&str| !word.chars().any(|c| c.is_ascii_digit() || c == '(');
        let named = title.iter().all(says) && (1..=TITLE_WORDS_MAX).contains(&title.len());
        Some(vec![(vec![own], Marks::whole(amount(worth).filter(|_| named)?))])
    };
    parsed.or_else(whole)
}

/// "(a) i 2, (a) ii 2, (b) 4  8": parts with their worth, and perhaps the sum of all.
fn parts(words: &[&str], number: u32) -> Option<Series> {
    let mut found = Series::new();
    let mut path: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut sum = 0;
    while at < words.len() {
        let before = at;
        while let Some(levels) = words.get(at).and_then(|word| levels(word)) {
            for level in levels {
                let depth = path.iter().position(|own| own.kind == level.kind).unwrap_or(path.len());
                path.truncate(depth);
                path.push(level);
            }
            at += 1;
        }
        let worth = words.get(at).and_then(|word| amount(word))?;
        at += 1;
        if at == before + 1 {
            // A number behind a number is the sum, and stands last.
            let closes = at == words.len() && worth == sum && !found.is_empty();
            if !closes {
                return None;
            }
            found.push((vec![number], Marks::whole(worth)));
            break;
        }
        let values = path.iter().map(|token| token.value);
        found.push((std::iter::once(number).chain(values).collect(), Marks::whole(worth)));
        sum += worth;
    }
    let rising = found.windows(2).all(|pair| pair[0].0 < pair[1].0 || pair[1].0.len() == 1);
    (found.len() > 1 && rising).then_some(found)
}

/// "(a)", "(a)(i)", "a:", "ii": levels below a number.
fn levels(word: &str) -> Option<Vec<Token>> {
    let bare = word.trim_end_matches([':', '=', '–', '-']);
    let single = || labels::bare_level(bare.trim_end_matches([')', '.'])).map(|level| vec![level]);
    let bracketed = || labels::parse(&[bare]).filter(|label| !label.glued).map(|label| label.tokens);
    let found = single().or_else(bracketed)?;
    found.iter().all(|token| matches!(token.kind, Kind::Letter | Kind::Roman)).then_some(found)
}

fn amount(word: &str) -> Option<u32> {
    let bare = word.trim_matches([',', ';', '.', '(', ')', '[', ']', '/']);
    bare.parse().ok().filter(|worth| (1..PRICE_MAX).contains(worth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<(Vec<u32>, String)>> {
        let words: Vec<&str> = text.split(' ').collect();
        let own = row(&words, 2)?;
        Some(own.into_iter().map(|(path, marks)| (path, marks.to_string())).collect())
    }

    #[test]
    fn a_row_lists_parts_and_their_sum() {
        let own = |path: &[u32], marks: &str| (path.to_vec(), marks.to_owned());
        let wanted = vec![own(&[2, 1, 1], "2"), own(&[2, 1, 2], "3"), own(&[2, 2], "4"), own(&[2], "9")];
        assert_eq!(read("2 Lists and trees (a) i 2, (a) ii 3, (b) 4 9"), Some(wanted.clone()));
        assert_eq!(read("2. Lists (a)(i) 2; (ii) 3; (b) 4 9 ____"), Some(wanted));
        assert_eq!(read("2 Sorting 7"), Some(vec![own(&[2], "7")]));
    }

    #[test]
    fn other_rows_are_none() {
        assert_eq!(read("2 Lists (a) 2, (b) 4 9"), None, "they do not add up");
        assert_eq!(read("3 Lists (a) 2, (b) 4 6"), None, "another number");
        assert_eq!(read("2 3 4 5"), None);
        assert_eq!(read("2 Find the sum of x and 7 in (a)"), None);
    }
}
