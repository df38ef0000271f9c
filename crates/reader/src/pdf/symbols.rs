//! Characters that fonts encode in their own way: ligatures, symbol fonts, letters of mathematics, raised digits.

/// Puts a glyph's characters into plain ones: ligatures apart, symbol-font codes as Unicode.
pub(super) fn push_plain(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '\u{FB00}' => out.push_str("ff"),
            '\u{FB01}' => out.push_str("fi"),
            '\u{FB02}' => out.push_str("fl"),
            '\u{FB03}' => out.push_str("ffi"),
            '\u{FB04}' => out.push_str("ffl"),
            '\u{FB05}' | '\u{FB06}' => out.push_str("st"),
            // Soft hyphens and zero-width marks say nothing about the text.
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{FEFF}' => {}
            '\u{F020}'..='\u{F0FF}' => out.push(symbol(character)),
            '\u{2212}' => out.push('−'),
            '\u{1D400}'..='\u{1D7FF}' | '\u{210E}' => out.push(of_mathematics(character)),
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
}

/// The letter or digit that a slanted, bold or curved sign of mathematics is: what students write is none of them.
fn of_mathematics(sign: char) -> char {
    const PLANCK: char = '\u{210E}';
    const LATIN: u32 = 0x1D400;
    const GREEK_FROM: u32 = 0x1D6A8;
    const DIGITS: u32 = 0x1D7CE;
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const GREEK: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂εθκφρπ";
    let code = u32::from(sign);
    let of = |alphabet: &str, from: u32| {
        let at = (code - from) as usize % alphabet.chars().count();
        alphabet.chars().nth(at).unwrap_or(sign)
    };
    match code {
        _ if sign == PLANCK => 'h',
        DIGITS.. => of("0123456789", DIGITS),
        GREEK_FROM.. => of(GREEK, GREEK_FROM),
        // Two slanted letters without dots stand between.
        0x1D6A4 => 'i',
        0x1D6A5 => 'j',
        _ => of(LETTERS, LATIN),
    }
}

/// True for one glyph that is said to be a letter of mathematics twice. Word processors write such tables wrongly: every
/// digit of a range is then the first one twice, so 16 would be read as 1111.
pub(super) fn is_doubled(text: &str) -> bool {
    let mut signs = text.chars();
    let pair = (signs.next(), signs.next(), signs.next());
    matches!(pair, (Some(one @ '\u{1D400}'..='\u{1D7FF}'), Some(other), None) if one == other)
}

/// The meaning of a code of the Symbol font, as word processors write it into the private area.
fn symbol(character: char) -> char {
    const GREEK: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const GREEK_SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    let code = u32::from(character) - 0xF000;
    let letter = |letters: &str, first: u32| letters.chars().nth((code - first) as usize);
    let found = match code {
        0x41..=0x5A => letter(GREEK, 0x41),
        0x61..=0x7A => letter(GREEK_SMALL, 0x61),
        0x2D => Some('−'),
        0x20..=0x7E => char::from_u32(code),
        _ => OTHERS.iter().find(|(known, _)| *known == code).map(|(_, meaning)| *meaning),
    };
    found.unwrap_or(character)
}

const OTHERS: &[(u32, char)] = &[
    (0xA2, '′'),
    (0xA3, '≤'),
    (0xA5, '∞'),
    (0xAB, '↔'),
    (0xAC, '←'),
    (0xAE, '→'),
    (0xB0, '°'),
    (0xB1, '±'),
    (0xB3, '≥'),
    (0xB4, '×'),
    (0xB5, '∝'),
    (0xB6, '∂'),
    (0xB7, '•'),
    (0xB8, '÷'),
    (0xB9, '≠'),
    (0xBA, '≡'),
    (0xBB, '≈'),
    (0xBC, '…'),
    (0xC5, '⊕'),
    (0xC7, '∩'),
    (0xC8, '∪'),
    (0xCE, '∈'),
    (0xD0, '∠'),
    (0xD6, '√'),
    (0xD7, '·'),
    (0xDE, '⇒'),
    (0xE5, '∑'),
    (0xF2, '∫'),
    (0xFC, '✓'),
    (0xFE, '☑'),
];

/// A raised word as superscript characters, or after `^` where there are none.
pub(super) fn push_raised(raised: &str, out: &mut String) {
    const PLAIN: &str = "0123456789+-−=()ni";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ";
    let raise = |character: char| {
        let place = PLAIN.chars().position(|plain| plain == character)?;
        RAISED.chars().nth(place)
    };
    let ordinal = ["st", "nd", "rd", "th"].contains(&raised);
    let unchanged = ordinal || !raised.chars().any(char::is_alphanumeric);
    match raised.chars().map(raise).collect::<Option<String>>() {
        Some(superscript) if !unchanged => out.push_str(&superscript),
        None if !unchanged && is_product_or_sum(raised) => {
            out.push_str("^(");
            out.push_str(raised);
            out.push(')');
        }
        None if !unchanged => {
            out.push('^');
            out.push_str(raised);
        }
        _ => out.push_str(raised),
    }
}

/// True for "2x", "3x−3" and "kt+1", of which "^" would raise only the first sign.
fn is_product_or_sum(raised: &str) -> bool {
    let letters = raised.contains(char::is_alphabetic);
    let inner = raised.trim_start_matches(is_operator);
    let numbers = inner.contains(|c: char| c.is_ascii_digit() || is_operator(c));
    letters && numbers && !raised.contains(['(', ')', '[', ']', '/'])
}

/// True for signs that stand between numbers.
pub(super) fn is_operator(sign: char) -> bool {
    matches!(sign, '−' | '+' | '=' | '×' | '÷' | '±' | '<' | '>')
}

/// True for characters that draw the line to write an answer on.
pub(super) fn is_leader(character: char) -> bool {
    matches!(character, '.' | '_' | '…' | '․' | '‥' | '·')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        push_plain(text, &mut out);
        out
    }

    fn raised(text: &str) -> String {
        let mut out = String::new();
        push_raised(text, &mut out);
        out
    }

    #[test]
    fn ligatures_and_symbol_codes_become_plain() {
        assert_eq!(plain("\u{FB01}nd"), "find");
        assert_eq!(plain("\u{F0B4}\u{F070}\u{F044}"), "×πΔ");
        assert_eq!(plain("a\u{AD}b\u{7}"), "ab");
    }

    #[test]
    fn a_letter_of_mathematics_twice_is_none() {
        for (sign, plain) in
            [('𝑥', 'x'), ('𝐴', 'A'), ('𝟏', '1'), ('𝜋', 'π'), ('𝛼', 'α'), ('ℎ', 'h'), ('𝚨', 'Α')]
        {
            assert_eq!(of_mathematics(sign), plain);
        }
        assert!(is_doubled("𝟏𝟏"));
        assert!(!is_doubled("𝟏") && !is_doubled("𝑥𝑦") && !is_doubled("ff"));
    }

    #[test]
    fn powers_are_raised_and_ordinals_are_not() {
        assert_eq!(raised("2"), "²");
        assert_eq!(raised("−12"), "⁻¹²");
        assert_eq!(raised("kt"), "^kt");
        assert_eq!(raised("2x"), "^(2x)");
        assert_eq!(raised("3x−3"), "^(3x−3)");
        assert_eq!(raised("−kt"), "^−kt");
        assert_eq!(raised("th"), "th");
        assert_eq!(raised("*"), "*");
    }
}
