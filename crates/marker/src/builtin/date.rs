//! Dates: "12 March 2024", "March 12", "12/03/2024".

use super::verdict::{ALWAYS, LENIENT, NEVER, Reason, Verdict};
use crate::words::tokens;
use lexicon::english::times;

/// A day of a month, with or without its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    day: u32,
    month: u32,
    year: Option<u32>,
}

impl Date {
    /// A wording that is a date with its month named, and nothing else.
    pub(crate) fn parse(wording: &str) -> Option<Date> {
        let words = tokens(wording);
        let date = Date::named(wording)?;
        let extra = words.iter().filter(|word| {
            !times::DATE_FILLERS.has(&word.folded) && !word.is_number() && month_of(&word.folded).is_none()
        });
        (extra.count() == 0).then_some(date)
    }

    /// Judges the date that an answer gives.
    pub(crate) fn judge(self, answer: &str) -> Verdict {
        let (given, turned) = match (Date::named(answer), Date::in_figures(answer)) {
            (Some(named), _) => (named, None),
            (None, Some(figures)) => {
                (figures, Some(Date { day: figures.month, month: figures.day, ..figures }))
            }
            (None, None) => return Verdict::refused(0.85, Some(Reason::OtherValue)),
        };
        let grant = self.grant(given).max(turned.map_or(NEVER, |turned| self.grant(turned).min(LENIENT)));
        let verdict = Verdict::given(grant, 0.93, 0..answer.len());
        if grant == ALWAYS { verdict } else { verdict.because(Reason::OtherValue) }
    }

    fn grant(self, given: Date) -> super::verdict::Grant {
        if (self.day, self.month) != (given.day, given.month) {
            return NEVER;
        }
        match (self.year, given.year) {
            (Some(wanted), Some(year))
                if wanted % 100 == year % 100 && (wanted == year || year < 100 || wanted < 100) =>
            {
                ALWAYS
            }
            (Some(_), Some(_)) => NEVER,
            (Some(_), None) => LENIENT,
            (None, _) => ALWAYS,
        }
    }

    /// A month by its name, with the numbers around it.
    fn named(text: &str) -> Option<Date> {
        let words = tokens(text);
        let month = words.iter().find_map(|word| month_of(&word.folded))?;
        let numbers: Vec<u32> = words.iter().filter_map(|word| leading_number(&word.folded)).collect();
        let day = numbers.iter().copied().find(|number| (1..=31).contains(number))?;
        let year = numbers.iter().copied().find(|number| (1000..3000).contains(number));
        Some(Date { day, month, year })
    }

    /// "12/03/2024", "12.3.24", "2024-03-12".
    fn in_figures(text: &str) -> Option<Date> {
        let parts: Option<Vec<u32>> =
            text.trim().split(['/', '.', '-']).map(|part| part.trim().parse().ok()).collect();
        let (day, month, year) = match parts?.as_slice() {
            [year, month, day] if *year > 31 => (*day, *month, Some(*year)),
            [day, month, year] => (*day, *month, Some(*year)),
            [day, month] => (*day, *month, None),
            _ => return None,
        };
        Some(Date { day, month, year })
    }
}

fn month_of(word: &str) -> Option<u32> {
    let index = times::MONTHS
        .iter()
        .position(|month| month == word || (word.len() >= 3 && word.len() <= 4 && month.starts_with(word)))?;
    Some(index as u32 + 1)
}

/// The number of "12" or "12th".
fn leading_number(word: &str) -> Option<u32> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    times::DAY_ENDINGS.has(rest).then(|| word[..digits].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_the_same_in_its_many_spellings() {
        let key = Date::parse("12 March 2024").unwrap();
        for same in [
            "12th March 2024",
            "March 12, 2024",
            "12/03/2024",
            "12.3.24",
            "2024-03-12",
            "on the 12th of March 2024",
        ] {
            assert_eq!(key.judge(same).grant, ALWAYS, "{same}");
        }
        assert_eq!(key.judge("12 March").grant, LENIENT);
        assert_eq!(key.judge("3/12/2024").grant, LENIENT);
        for other in ["13 March 2024", "12 May 2024", "12 March 2023", "March", "no idea"] {
            assert_eq!(key.judge(other).grant, NEVER, "{other}");
        }
        for prose in ["it may be 12 cells", "12", "the march of 300 men", "may"] {
            assert_eq!(Date::parse(prose), None, "{prose}");
        }
    }
}
