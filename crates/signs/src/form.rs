//! One form for what can be typed, printed or written in many: minus signs, powers, fractions, quotes.
//! Every character remembers where it came from, so that evidence can be shown in the original.

use unicode_normalization::UnicodeNormalization;

/// A text in one form.
#[derive(Clone, Debug, Default)]
pub struct Normal {
    /// The text: plain digits, `^2` for raised ones, `1/2` for vulgar fractions, single spaces.
    pub text: String,
    /// For each byte of `text`, the byte of the original that it came from.
    origin: Vec<usize>,
}

impl Normal {
    /// Brings a text into one form.
    pub fn of(original: &str) -> Normal {
        let mut normal = Normal::default();
        let mut raised = false;
        let has_raised_points = has_raised_points(original);
        for (at, c) in original.char_indices() {
            if c == RAISED_POINT && has_raised_points && stands_between_digits(original, at) {
                normal.push(".", at);
                continue;
            }
            if let Some(plain) = superscript(c) {
                if !raised {
                    normal.push("^", at);
                }
                normal.push(plain, at);
                raised = true;
                continue;
            }
            raised = false;
            normal.push_character(c, at);
        }
        normal.trim();
        normal
    }

    fn push_character(&mut self, c: char, at: usize) {
        if let Some(plain) = subscript(c).or_else(|| plain_sign(c)) {
            self.push(plain, at);
        } else if let Some(fraction) = vulgar_fraction(c) {
            if self.text.ends_with(|before: char| before.is_ascii_digit()) {
                self.push(" ", at);
            }
            self.push(fraction, at);
        } else if c == '>' && self.text.ends_with(['-', '=']) && !self.text.ends_with("<=") {
            self.end_arrow();
        } else if c == '\n' || c == '\u{2028}' {
            self.end_line(at);
        } else if c.is_whitespace() || is_invisible(c) {
            if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                self.push(" ", at);
            }
        } else if c.is_ascii() {
            self.push(c.encode_utf8(&mut [0; 4]), at);
        } else {
            let composed: String = std::iter::once(c).nfkc().collect();
            self.push(&composed, at);
        }
    }

    /// "->", "-->" and "=>" are arrows that were typed; "<->" and "<=>" are left to chemistry.
    fn end_arrow(&mut self) {
        let shaft = self.text.len() - self.text.trim_end_matches(['-', '=']).len();
        let at = self.origin[self.text.len() - shaft];
        self.text.truncate(self.text.len() - shaft);
        self.origin.truncate(self.text.len());
        self.push("→", at);
    }

    fn end_line(&mut self, at: usize) {
        if self.text.ends_with(' ') {
            self.text.pop();
            self.origin.pop();
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n", at);
        }
    }

    fn push(&mut self, plain: &str, at: usize) {
        self.text.push_str(plain);
        self.origin.resize(self.text.len(), at);
    }

    fn trim(&mut self) {
        while self.text.ends_with([' ', '\n']) {
            self.text.pop();
            self.origin.pop();
        }
    }

    /// The byte of the original that this byte came from.
    pub fn origin(&self, at: usize) -> Option<usize> {
        self.origin.get(at).copied()
    }
}

/// A decimal point as some boards print it, "0·24", and the sign of a product elsewhere, "3·4 = 12".
const RAISED_POINT: char = '·';

fn stands_between_digits(text: &str, at: usize) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    text[..at].ends_with(is_digit) && text[at + RAISED_POINT.len_utf8()..].starts_with(is_digit)
}

/// True where dots between digits are decimal points: one follows a single 0, or nothing is worked out in the text. Where
/// a number has a decimal part before the dot, dots follow each other, or a power of ten follows, they multiply.
fn has_raised_points(text: &str) -> bool {
    let mut found = false;
    for (at, _) in text.match_indices(RAISED_POINT).filter(|(at, _)| stands_between_digits(text, *at)) {
        let before = text[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        let whole = &text[before.len()..at];
        let after = &text[at + RAISED_POINT.len_utf8()..];
        let is_power = after
            .strip_prefix("10")
            .is_some_and(|rest| rest.starts_with(|c: char| c == '^' || superscript(c).is_some()));
        if before.ends_with(['.', ',', RAISED_POINT]) || is_power {
            return false;
        }
        if whole == "0" {
            return true;
        }
        found = true;
    }
    // A unit in brackets is no sum.
    let mut depth = 0;
    found
        && !text.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth <= 0 && "=+×*/÷−-".contains(c)
        })
}

/// A text in one form, where nobody asks what it came from.
pub fn normal(text: &str) -> String {
    Normal::of(text).text
}

fn superscript(c: char) -> Option<&'static str> {
    Some(match c {
        '⁰' => "0",
        '¹' => "1",
        '²' => "2",
        '³' => "3",
        '⁴' => "4",
        '⁵' => "5",
        '⁶' => "6",
        '⁷' => "7",
        '⁸' => "8",
        '⁹' => "9",
        '⁺' => "+",
        '⁻' => "-",
        'ⁿ' => "n",
        _ => return None,
    })
}

fn subscript(c: char) -> Option<&'static str> {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let digit = u32::from(c).checked_sub(u32::from('₀'))?;
    DIGITS.get(digit as usize).copied()
}

fn plain_sign(c: char) -> Option<&'static str> {
    Some(match c {
        '−' | '–' | '—' | '‐' | '‑' | '‒' | '﹣' | '－' => "-",
        '‘' | '’' | 'ʼ' | '′' | '´' => "'",
        '“' | '”' | '″' => "\"",
        '⁄' | '∕' => "/",
        '×' | '⋅' | '∗' | '✕' | '✖' => "*",
        '⩽' | '≦' => "≤",
        '⩾' | '≧' => "≥",
        '⟶' | '⇒' | '➔' | '➝' | '🡒' => "→",
        '⇄' | '⇋' | '↔' | '⇆' => "⇌",
        '…' => "...",
        _ => return None,
    })
}

fn vulgar_fraction(c: char) -> Option<&'static str> {
    Some(match c {
        '½' => "1/2",
        '⅓' => "1/3",
        '⅔' => "2/3",
        '¼' => "1/4",
        '¾' => "3/4",
        '⅕' => "1/5",
        '⅖' => "2/5",
        '⅗' => "3/5",
        '⅘' => "4/5",
        '⅙' => "1/6",
        '⅚' => "5/6",
        '⅛' => "1/8",
        '⅜' => "3/8",
        '⅝' => "5/8",
        '⅞' => "7/8",
        _ => return None,
    })
}

/// Characters without a shape: they could only hide something.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c), 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe0000..=0xe007f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_point_is_told_from_a_product() {
        assert_eq!(normal("0·24 mol"), "0.24 mol");
        assert_eq!(normal("1·5 + 0·5 = 2·0"), "1.5 + 0.5 = 2.0");
        assert_eq!(normal("1·1 (cm s−1)"), "1.1 (cm s-1)");
        assert_eq!(normal("3·4 = 12"), "3·4 = 12");
        assert_eq!(normal("2,5·3"), "2,5·3");
        assert_eq!(normal("2·3·5"), "2·3·5");
        assert_eq!(normal("3·10⁸ m/s"), "3·10^8 m/s");
        assert_eq!(normal("3·10^-4"), "3·10^-4");
        assert_eq!(normal("9 m·s"), "9 m·s");
    }

    #[test]
    fn many_ways_to_write_come_out_as_one() {
        for (written, form) in [
            ("3 × 10⁻⁵ m s⁻²", "3 * 10^-5 m s^-2"),
            ("H₂SO₄", "H2SO4"),
            ("2½ − 1", "2 1/2 - 1"),
            ("  a\u{200b}b \n\n  c ", "a b\nc"),
            ("x²y", "x^2y"),
            ("５°Ｃ", "5°C"),
            ("2x = 6 => x = 3 --> done", "2x = 6 → x = 3 → done"),
            ("N2 <=> 2N, x >= 3", "N2 <=> 2N, x >= 3"),
        ] {
            assert_eq!(normal(written), form);
        }
    }

    #[test]
    fn every_byte_knows_where_it_came_from() {
        let normal = Normal::of("v² is ½");
        assert_eq!(normal.text, "v^2 is 1/2");
        let half = normal.text.find("1/2").unwrap();
        assert_eq!((normal.origin(half), normal.origin(half + 2)), (Some(7), Some(7)));
        assert_eq!(normal.origin(normal.text.len()), None);
    }
}
