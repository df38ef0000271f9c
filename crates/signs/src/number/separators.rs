//! Which sign parts whole from decimals: "3,50" in most of the world's schools, "3.50" in English ones.

/// How a document writes its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separators {
    /// "3,50" is three and a half.
    pub has_decimal_commas: bool,
    /// "84.000" is eighty-four thousand. Only where commas are decimal.
    pub has_dotted_thousands: bool,
}

/// A sign between two runs of digits.
struct Between<'a> {
    at: usize,
    before: &'a str,
    after: &'a str,
    /// More digits follow behind the same sign, or stood before it: "1,2,3", "1,250,000".
    is_chained: bool,
    /// The two numbers fill a bracket: "(3,7)".
    is_pair: bool,
}

impl Separators {
    /// What the numbers of these texts say together. A pair in brackets and a list say nothing, nor does "1,250", which
    /// may be thousands; "0,5" and "3,25" do, unless decimal points are as frequent.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Separators {
        let (mut strong, mut weak, mut points, mut dotted) = (0, 0, 0, 0);
        for text in texts {
            for comma in between(text, ',').filter(|one| !one.is_chained && !one.is_pair) {
                match comma.after.len() {
                    _ if comma.before == "0" => strong += 1,
                    3 => {}
                    1 => weak += 1,
                    _ => strong += 1,
                }
            }
            for point in between(text, '.') {
                if is_thousands(&point) {
                    dotted += 1;
                } else if !point.is_chained {
                    points += 1;
                }
            }
        }
        let has_decimal_commas = strong > 0 && strong + weak > points;
        Separators { has_decimal_commas, has_dotted_thousands: has_decimal_commas && dotted > 0 }
    }

    /// The text with decimal points, and blanks between thousands, byte for byte.
    pub fn in_english(self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        if self.has_dotted_thousands {
            for point in between(text, '.').filter(is_thousands) {
                bytes[point.at] = b' ';
            }
        }
        if self.has_decimal_commas {
            for comma in between(text, ',').filter(|one| !one.is_chained) {
                bytes[comma.at] = b'.';
            }
        }
        // Only ASCII was put in the place of ASCII.
        String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
    }
}

/// "84.000", "1.250.000": groups of three behind at most three, the first of them not a single 0.
fn is_thousands(point: &Between<'_>) -> bool {
    point.before.len() <= 3 && point.before != "0" && point.after.len() == 3
}

fn between(text: &str, sign: char) -> impl Iterator<Item = Between<'_>> {
    let is_digit = |c: char| c.is_ascii_digit();
    text.match_indices(sign).filter_map(move |(at, _)| {
        let lead = text[..at].trim_end_matches(is_digit);
        let rest = &text[at + 1..];
        let tail = rest.trim_start_matches(is_digit);
        let (before, after) = (&text[lead.len()..at], &rest[..rest.len() - tail.len()]);
        let goes_on = tail.strip_prefix(sign).is_some_and(|more| more.starts_with(is_digit));
        let came_on = lead.strip_suffix(sign).is_some_and(|more| more.ends_with(is_digit));
        let opens = lead.trim_end_matches([' ', '-', '−']).ends_with(['(', '[', '{']);
        let is_pair = opens && tail.trim_start().starts_with([')', ']', '}']);
        let found = Between { at, before, after, is_chained: goes_on || came_on, is_pair };
        (!before.is_empty() && !after.is_empty()).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Separators {
        Separators::of(texts.iter().copied())
    }

    #[test]
    fn commas_are_decimal_where_the_documents_use_them_so() {
        for texts in [["a = 3,50 m·s⁻²", "g = 9,8"], ["0,4 A", ""], ["Preis 84.000 €, Zins 2,25 %", ""]]
        {
            assert!(of(&texts).has_decimal_commas, "{texts:?}");
        }
        for texts in [
            ["1,250 people", "12,500 cars"],
            ["the points (3,7) and (0,15)", ""],
            ["1,2,3 and 1,50,000", ""],
            ["2.5 kg", "see 3,25"],
        ] {
            assert!(!of(&texts).has_decimal_commas, "{texts:?}");
        }
    }

    #[test]
    fn numbers_are_brought_into_the_english_form_byte_for_byte() {
        let school = of(&["84.000 € zu 2,25 %"]);
        assert_eq!(school.in_english("1.250.000,50 + (0,25)(136)"), "1 250 000.50 + (0.25)(136)");
        assert_eq!(school.in_english("1,2,3 und 0.5"), "1,2,3 und 0.5");
        let science = of(&["g = 9,81"]);
        assert_eq!(science.in_english("3.500 m und 9,81"), "3.500 m und 9.81");
        assert_eq!(Separators::default().in_english("1,5 – 84.000"), "1,5 – 84.000");
    }
}
