//! Headings of sections: "二、填空题(每空1分,共12分)".

use super::{heading_numeral, leading_label};
use reader::page::{Rect, Word};

/// What a heading says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heading {
    value: u32,
    title: String,
    /// What each of its questions is worth.
    pub(super) each: Option<String>,
    /// What each of its blanks is worth.
    pub(super) blank: Option<f64>,
    /// What all of it is worth.
    pub(super) whole: Option<f64>,
}

/// True where headings stand over numbers that go on from one to the next.
pub(super) fn are_sections<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let (mut headed, mut first_below) = (0_usize, false);
    for line in lines {
        if heading_numeral(line).is_some() {
            headed += 1;
            first_below = true;
        } else if let Some((number, _)) = leading_label(line).filter(|_| first_below) {
            if headed > 1 && number > 1 {
                return true;
            }
            first_below = false;
        }
    }
    false
}

/// Reads a line in plain signs, without white.
pub(super) fn of(text: &str) -> Option<Heading> {
    let (value, rest) = heading_numeral(text)?;
    let end = rest.find(['(', ',', '。', '.', ':']).unwrap_or(rest.len());
    let said = &rest[end..];
    let after = |names: &[&str]| names.iter().find_map(|name| price(said, name));
    Some(Heading {
        value,
        title: rest[..end].to_owned(),
        each: after(lexicon::chinese::EACH_QUESTION),
        blank: after(lexicon::chinese::EACH_BLANK).and_then(|price| price.parse().ok()),
        whole: after(lexicon::chinese::TOGETHER).and_then(|price| price.parse().ok()),
    })
}

/// What each blank is worth, where a question begins by saying so: "14.(每空2分)(1)…".
pub(super) fn each_blank(text: &str) -> Option<f64> {
    let (_, rest) = leading_label(text)?;
    let inner = rest.strip_prefix('(')?.split_once(')')?.0;
    lexicon::chinese::EACH_BLANK.iter().find_map(|name| price(inner, name))?.parse().ok()
}

/// The number before "分" that stands right behind a name.
fn price(text: &str, name: &str) -> Option<String> {
    text.match_indices(name).find_map(|(at, _)| {
        let rest = &text[at + name.len()..];
        let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.')?;
        (end > 0 && rest[end..].starts_with('分')).then(|| rest[..end].to_owned())
    })
}

impl Heading {
    /// The words of a heading elsewhere: "Part 1: Multiple choice, 3 points each".
    pub(super) fn words(&self, printed: &[Word]) -> Vec<Word> {
        let Some(first) = printed.first() else { return Vec::new() };
        let mut texts = vec![lexicon::chinese::PART.to_owned(), self.value.to_string()];
        texts.extend(Some(self.title.clone()).filter(|title| !title.is_empty()));
        if let Some(each) = &self.each {
            let [unit, spread] = lexicon::chinese::POINTS_EACH;
            texts.extend([each.clone(), unit.to_owned(), spread.to_owned()]);
        }
        let whole = printed.iter().fold(first.place, |place, word| place.union(&word.place));
        let (share, gap) = (whole.width() / texts.len() as f32, 0.3 * first.size);
        let word = |(at, text): (usize, String)| {
            let x0 = whole.x0 + share * at as f32;
            let place = Rect { x0, x1: x0 + (share - gap).max(1.0), ..first.place };
            Word { text, place, ..first.clone() }
        };
        texts.into_iter().enumerate().map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_what_their_questions_are_worth() {
        let own = of("一、选择题(本题共8小题,每小题3分,共24分。每小题只有一个选项符合题意)").unwrap();
        assert_eq!((own.value, own.title.as_str(), own.each.as_deref()), (1, "选择题", Some("3")));
        assert_eq!((own.blank, own.whole), (None, Some(24.0)));
        let own = of("二、填空题(每空1分,共12分)").unwrap();
        assert_eq!((own.each, own.blank, own.whole), (None, Some(1.0), Some(12.0)));
        assert!(of("1.填空").is_none());
    }

    #[test]
    fn sections_are_told_by_the_numbers_below_them() {
        assert!(are_sections(["一、选择题", "1.甲", "2.乙", "二、填空题", "3.丙"].into_iter()));
        assert!(!are_sections(["一、证明", "1.甲", "2.乙", "二、计算", "1.丙"].into_iter()));
    }
}
