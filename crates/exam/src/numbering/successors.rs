//! Which label may follow which.

use crate::labels::{Kind, Token};

/// The paths that a label may lead to from a path, each with the number of labels left out.
pub fn successors(path: &[Token], tokens: &[Token]) -> Vec<(Vec<Token>, u32)> {
    let counted =
        tokens.iter().take_while(|token| matches!(token.kind, Kind::Number | Kind::Decimal)).count();
    let (numbers, levels) = tokens.split_at(counted);
    let start = match numbers {
        [] => Some((path.to_vec(), 0)),
        numbers => number_successor(path, numbers, levels.is_empty()),
    };
    let mut ways: Vec<(Vec<Token>, u32)> = start.into_iter().collect();
    for (index, token) in levels.iter().enumerate() {
        let repeats = |path: &[Token]| {
            index + 1 < levels.len() && path.get(counted.max(1)..).is_some_and(|own| own.contains(token))
        };
        let grow = |(path, gaps): (Vec<Token>, u32)| -> Vec<(Vec<Token>, u32)> {
            // "2(a)(ii)" after "2(a)(i)" repeats the levels above its own.
            if repeats(&path) {
                return vec![(path, gaps)];
            }
            level_successors(&path, *token).into_iter().map(|(path, more)| (path, gaps + more)).collect()
        };
        ways = ways.into_iter().flat_map(grow).collect();
    }
    ways
}

/// 2 after 1, 1.2 after 1.1.3, 1.1.1 after 1.1. The same number again only leads to its parts.
fn number_successor(path: &[Token], numbers: &[Token], last: bool) -> Option<(Vec<Token>, u32)> {
    let counted = path.iter().take_while(|token| matches!(token.kind, Kind::Number | Kind::Decimal)).count();
    let current = &path[..counted];
    let same = current.iter().zip(numbers).take_while(|(own, new)| own == new).count();
    let new = match numbers.get(same) {
        Some(new) => new.value,
        None => return (!last && same == current.len()).then(|| (path.to_vec(), 0)),
    };
    let own = current.get(same).map_or(0, |own| own.value);
    let skipped: u32 = numbers[same + 1..].iter().map(|token| token.value - 1).sum();
    (new > own).then(|| (numbers.to_vec(), new - own - 1 + skipped))
}

/// The level itself, and its letter where `(i)` may be one.
fn level_successors(path: &[Token], token: Token) -> Vec<(Vec<Token>, u32)> {
    let letter = token.as_letter().filter(|letter| {
        let current = path.iter().find(|own| own.kind == Kind::Letter);
        current.is_some_and(|own| own.value + 1 == letter.value)
    });
    let read_as = [Some(token), letter];
    read_as.into_iter().flatten().filter_map(|token| level_successor(path, token)).collect()
}

/// (b) after (a), (i) inside (a), (a) inside 1.
fn level_successor(path: &[Token], token: Token) -> Option<(Vec<Token>, u32)> {
    path.first()?;
    match path.iter().position(|own| own.kind == token.kind) {
        Some(at) if token.value > path[at].value => {
            let gaps = token.value - path[at].value - 1;
            Some((path[..at].iter().copied().chain([token]).collect(), gaps))
        }
        Some(_) => None,
        // "Part A" stands right below its question.
        None if token.kind == Kind::Capital && path.len() > 1 => None,
        None => Some((path.iter().copied().chain([token]).collect(), token.value - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels;

    fn path(text: &str) -> Vec<Token> {
        labels::parse(&[text]).unwrap().tokens
    }

    fn next(from: &str, label: &str) -> Vec<(String, u32)> {
        let from = if from.is_empty() { Vec::new() } else { path(from) };
        let name = |path: &[Token]| {
            let number = path[0].value.to_string();
            let decimal = path.iter().any(|token| token.kind == Kind::Decimal);
            if decimal { labels::display(path) } else { number + &labels::display(path) }
        };
        successors(&from, &path(label)).into_iter().map(|(path, gaps)| (name(&path), gaps)).collect()
    }

    #[test]
    fn each_label_follows_the_one_before() {
        assert_eq!(next("", "1"), [("1".into(), 0)]);
        assert_eq!(next("1", "(a)"), [("1(a)".into(), 0)]);
        assert_eq!(next("1(a)", "(i)"), [("1(a)(i)".into(), 0)]);
        assert_eq!(next("1(a)(i)", "(ii)"), [("1(a)(ii)".into(), 0)]);
        assert_eq!(next("1(a)(ii)", "(b)"), [("1(b)".into(), 0)]);
        assert_eq!(next("1(b)", "1(c)(i)"), [("1(c)(i)".into(), 0)]);
        assert_eq!(next("1(c)(i)", "1(c)(ii)"), [("1(c)(ii)".into(), 0)]);
        assert_eq!(next("1(c)", "2"), [("2".into(), 0)]);
        assert_eq!(next("1(c)", "3"), [("3".into(), 1)]);
        assert!(next("2", "1").is_empty());
        assert!(next("1(b)", "(a)").is_empty());
    }

    #[test]
    fn the_letter_i_after_h_may_be_a_letter_or_a_numeral() {
        assert_eq!(next("1(h)", "(i)"), [("1(h)(i)".into(), 0), ("1(i)".into(), 0)]);
    }

    #[test]
    fn decimals_count_level_by_level() {
        assert_eq!(next("", "1.1"), [("1.1".into(), 0)]);
        assert_eq!(next("1.1", "1.2"), [("1.2".into(), 0)]);
        assert_eq!(next("1.2", "2.1"), [("2.1".into(), 0)]);
        assert_eq!(next("1.1.2", "1.1.3"), [("1.1.3".into(), 0)]);
        assert_eq!(next("1.1.3", "1.2.1"), [("1.2.1".into(), 0)]);
        assert_eq!(next("1", "1.1"), [("1.1".into(), 0)]);
        assert!(next("1.2", "1.1").is_empty());
    }
}
