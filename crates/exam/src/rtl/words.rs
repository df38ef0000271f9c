//! The words of Arabic script: letters in place of the forms that they are drawn in, in the order in which they are spoken.

use lexicon::arabic::{FORMS, MORE_FORMS};

/// Where the forms of Arabic letters begin.
const FIRST_FORM: u32 = 0xFE80;
/// True for a sign of Arabic script.
pub(super) fn is_arabic(sign: char) -> bool {
    matches!(sign, '\u{0620}'..='\u{064A}' | '\u{066E}'..='\u{06D3}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// The value of an Arabic-Indic digit.
pub(super) fn digit(sign: char) -> Option<u32> {
    let zero = match sign {
        '\u{0660}'..='\u{0669}' => 0x0660,
        '\u{06F0}'..='\u{06F9}' => 0x06F0,
        _ => return None,
    };
    Some(u32::from(sign) - zero)
}

/// Signs over and under letters, the stroke that stretches them, and what only turns the direction.
fn is_mark(sign: char) -> bool {
    matches!(sign, '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{0640}' | '\u{FE70}'..='\u{FE7F}')
        || matches!(sign, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The letters of a form.
fn letters(sign: char) -> Option<&'static str> {
    let code = u32::from(sign);
    if let Some((_, _, letter)) =
        MORE_FORMS.iter().find(|(first, count, _)| (*first..first + count).contains(&code))
    {
        return Some(letter);
    }
    let mut at = code.checked_sub(FIRST_FORM)?;
    FORMS.iter().find_map(|(letter, count)| {
        let own = at < *count;
        at = at.saturating_sub(*count);
        own.then_some(*letter).filter(|_| code <= 0xFEFC)
    })
}

/// How a document's words are stored.
#[derive(Debug)]
pub(super) struct Drawn {
    /// True where the letters come as they are drawn from left to right, the last first.
    backwards: bool,
    /// True where brackets come as they look, not as they are spoken.
    mirrors: bool,
}

impl Drawn {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Drawn {
        /// Letters that only end words.
        const LAST: [char; 2] = ['ة', 'ى'];
        let plain = |text: &str| -> Vec<char> {
            text.chars()
                .filter(|sign| !is_mark(*sign))
                .flat_map(|sign| letters(sign).and_then(|own| own.chars().next()).or(Some(sign)))
                .filter(|sign| sign.is_alphanumeric())
                .collect()
        };
        let (mut forwards, mut backwards) = (0_usize, 0_usize);
        for text in texts.clone() {
            let signs = plain(text);
            let [first, second, .., before, last] = signs[..] else { continue };
            forwards += usize::from(LAST.contains(&last)) + usize::from((first, second) == ('ا', 'ل'));
            backwards += usize::from(LAST.contains(&first)) + usize::from((before, last) == ('ل', 'ا'));
        }
        let backwards = backwards > forwards;
        let stored = Drawn { backwards, mirrors: backwards };
        // Spoken in order, brackets open before they close, and labels end with one.
        let (mut right, mut wrong) = (0_usize, 0_usize);
        for text in texts {
            let read = stored.read(text);
            right += usize::from(read.starts_with('(')) + usize::from(read.ends_with(')'));
            wrong += usize::from(read.starts_with(')')) + usize::from(read.ends_with('('));
        }
        Drawn { mirrors: stored.mirrors != (wrong > right), ..stored }
    }

    /// A word as it is spoken, its digits and signs as elsewhere; empty where nothing is left of it.
    pub(super) fn read(&self, text: &str) -> String {
        let signs: Vec<char> = text.chars().filter(|sign| !is_mark(*sign)).collect();
        let signs = if self.backwards { turned(signs) } else { signs };
        let mut read = String::with_capacity(text.len());
        for sign in signs {
            match (letters(sign), digit(sign)) {
                (Some(own), _) => read.push_str(own),
                (_, Some(value)) => read.extend(char::from_digit(value, 10)),
                _ => read.push(if self.mirrors { bracket(plain(sign)) } else { plain(sign) }),
            }
        }
        read
    }
}

/// The last sign first, but numbers and Latin words as they are.
fn turned(mut signs: Vec<char>) -> Vec<char> {
    signs.reverse();
    let runs = |sign: char| sign.is_ascii_alphanumeric() || digit(sign).is_some();
    let mut at = 0;
    while at < signs.len() {
        if !runs(signs[at]) {
            at += 1;
            continue;
        }
        let joins = |end: usize| {
            let sign = signs.get(end).copied();
            sign.is_some_and(runs)
                || (sign.is_some_and(|sign| matches!(sign, '.' | ',' | '/' | ':' | '٫' | '-'))
                    && signs.get(end + 1).copied().is_some_and(runs))
        };
        let mut end = at + 1;
        while joins(end) {
            end += 1;
        }
        signs[at..end].reverse();
        at = end;
    }
    signs
}

/// Signs that Arabic sets in its own way.
fn plain(sign: char) -> char {
    match sign {
        '،' => ',',
        '؛' => ';',
        '؟' => '?',
        '٪' => '%',
        '٫' => '.',
        '﴾' => ')',
        '﴿' => '(',
        other => other,
    }
}

fn bracket(sign: char) -> char {
    match sign {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        '<' => '>',
        '>' => '<',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_letters() {
        assert_eq!(letters('\u{FE8F}'), Some("ب"));
        assert_eq!(letters('\u{FEF4}'), Some("ي"));
        assert_eq!(letters('\u{FEFC}'), Some("لا"));
        assert_eq!(letters('\u{FE80}'), Some("ء"));
        assert_eq!(letters('\u{FBFE}'), Some("ی"));
        assert_eq!(letters('x'), None);
    }

    #[test]
    fn words_are_turned_and_numbers_are_not() {
        let drawn = Drawn { backwards: true, mirrors: true };
        assert_eq!(drawn.read("ﺔﻣﻼﻋ"), "علامة");
        assert_eq!(drawn.read(")٦"), "6(");
        assert_eq!(drawn.read("١٢٫٥"), "12.5");
        assert_eq!(drawn.read("(ج"), "ج)");
        assert_eq!(drawn.read("ّ"), "");
    }

    #[test]
    fn the_way_of_a_document_shows_in_its_words() {
        let backwards = ["ﺔﻳﺮﺨﺼﻟا", "ﺔﺑﺎﺟﻹا", "ﻒﺻ"];
        assert!(Drawn::of(backwards.into_iter()).backwards);
        let forwards = ["الصخرية", "الإجابة", "صف", "(أ)"];
        let drawn = Drawn::of(forwards.into_iter());
        assert!(!drawn.backwards && !drawn.mirrors);
        assert_eq!(drawn.read("(أ)"), "(أ)");
    }
}
