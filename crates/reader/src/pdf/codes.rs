//! What the codes of a bitmap font mean, where the file does not say it: the two text encodings of TeX, which agree
//! with ASCII where papers have their letters, digits and signs.

/// The text that a code stands for in TeX's text encodings; `None` for a code that is told apart by neither.
pub(super) fn text_of(code: u32) -> Option<&'static str> {
    let byte = u8::try_from(code).ok()?;
    match byte {
        b' '..=b'~' => ASCII.get(usize::from(byte - b' ')..=usize::from(byte - b' ')),
        // The newer encoding has its ligatures after the dashes, the older before them.
        11 | 27 => Some("ff"),
        12 | 28 => Some("fi"),
        13 | 29 => Some("fl"),
        14 | 30 => Some("ffi"),
        15 | 31 => Some("ffl"),
        16..=18 => Some("\""),
        21 => Some("–"),
        22 => Some("—"),
        0xC0..=0xFF => Some(UPPER[usize::from(byte - 0xC0)]),
        _ => None,
    }
}

const ASCII: &str =
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// The accented letters of the newer encoding.
const UPPER: [&str; 64] = [
    "À", "Á", "Â", "Ã", "Ä", "Å", "Æ", "Ç", "È", "É", "Ê", "Ë", "Ì", "Í", "Î", "Ï", "Ð", "Ñ", "Ò", "Ó", "Ô",
    "Õ", "Ö", "Œ", "Ø", "Ù", "Ú", "Û", "Ü", "Ý", "Þ", "SS", "à", "á", "â", "ã", "ä", "å", "æ", "ç", "è", "é",
    "ê", "ë", "ì", "í", "î", "ï", "ð", "ñ", "ò", "ó", "ô", "õ", "ö", "œ", "ø", "ù", "ú", "û", "ü", "ý", "þ",
    "ß",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_signs_and_ligatures_have_their_codes() {
        let text: String = b"Aufgabe 1:".iter().filter_map(|code| text_of((*code).into())).collect();
        assert_eq!(text, "Aufgabe 1:");
        assert_eq!((text_of(252), text_of(255), text_of(28)), (Some("ü"), Some("ß"), Some("fi")));
        assert_eq!((text_of(3), text_of(160), text_of(4000)), (None, None, None));
    }
}
