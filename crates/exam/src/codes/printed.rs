//! How a letter and a number are printed as a question's code.

use super::{Code, LATIN};

/// Parts that are glued to a code go no further.
const LAST_PART: char = 'h';
const GREEK: [char; 5] = ['Α', 'Β', 'Γ', 'Δ', 'Ε'];

/// `A1`, `A.1.`, `B-2)`, and `A1b` for a part
pub(super) fn code(word: &str) -> Option<Code> {
    let first = word.chars().next()?;
    let place = |letters: &[char]| letters.iter().position(|own| *own == first);
    let letter = place(&LATIN).or_else(|| place(&GREEK))?;
    // "A.3.-" as well as "A.3."
    let closing = ['.', ')', ':', '-', '–', '—'];
    let word = word.trim_end_matches(closing);
    // "A4x" is a formula's: no question has so many parts.
    let part = word.chars().next_back().filter(|last| ('a'..=LAST_PART).contains(last));
    let printed = part.map_or(word, |part| word.strip_suffix(part).unwrap_or(word));
    let digits = printed[first.len_utf8()..].trim_start_matches(['.', '-', '–']);
    let plain = digits.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit());
    let number = digits.parse().ok().filter(|number| plain && *number > 0)?;
    Some(Code { letter: Some(letter), number, problem: 0, plain: number, printed: printed.to_owned(), part })
}

/// `1A`, `2.B.`, `3-A)`
pub(super) fn lettered(word: &str) -> Option<Code> {
    let printed = word.trim_end_matches(['.', ')', ':', '-', '–', '—']);
    let last = printed.chars().next_back()?;
    let letter = LATIN.iter().position(|own| *own == last)?;
    let digits = printed.strip_suffix(last)?.trim_end_matches(['.', '-', '–']);
    let plain = (1..=2).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit());
    let number = digits.parse().ok().filter(|number| plain && *number > 0)?;
    Some(Code {
        letter: Some(letter),
        number,
        problem: 0,
        plain: number,
        printed: printed.to_owned(),
        part: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_letters_before_numbers() {
        let read = |word: &str| code(word).map(|code| (code.letter.unwrap(), code.number, code.printed));
        assert_eq!(read("A1"), Some((0, 1, "A1".to_owned())));
        assert_eq!(read("B.12."), Some((1, 12, "B.12".to_owned())));
        assert_eq!(read("A.3.-"), Some((0, 3, "A.3".to_owned())));
        assert_eq!(read("Γ2."), Some((2, 2, "Γ2".to_owned())));
        for word in ["A", "A4x", "M1", "A100", "A0", "1A", "D2aa", "Aa"] {
            assert_eq!(read(word), None, "{word}");
        }
        assert_eq!(read("D2a"), Some((3, 2, "D2".to_owned())));
        assert_eq!(code("D2a").unwrap().part, Some('a'));
    }

    #[test]
    fn the_letter_may_stand_behind_the_number() {
        let read = |word: &str| lettered(word).map(|code| (code.letter.unwrap(), code.number, code.printed));
        assert_eq!(read("1A."), Some((0, 1, "1A".to_owned())));
        assert_eq!(read("12.B)"), Some((1, 12, "12.B".to_owned())));
        for word in ["1", "A1", "1AB", "1a", "0A", "123A", "10N"] {
            assert_eq!(read(word), None, "{word}");
        }
    }
}
