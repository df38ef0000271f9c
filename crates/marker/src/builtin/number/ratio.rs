//! Ratios ("3 : 2") and times of day ("2.30 pm").

use crate::builtin::demand::Demands;
use crate::builtin::verdict::{ALWAYS, LENIENT, Reason, Verdict};
use lexicon::english::times;
use std::ops::Range;

/// A ratio of two or more numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratio {
    terms: Vec<f64>,
    span: Range<usize>,
}

impl Ratio {
    /// A wording that is a ratio and nothing else.
    pub(crate) fn parse(wording: &str) -> Option<Ratio> {
        let ratio = Ratio::all(wording).pop()?;
        let outside = format!("{}{}", &wording[..ratio.span.start], &wording[ratio.span.end..]);
        outside
            .chars()
            .all(|c| c.is_whitespace() || c.is_alphabetic() || ":().=,".contains(c))
            .then_some(ratio)
    }

    /// The ratios of a text, in order.
    fn all(text: &str) -> Vec<Ratio> {
        let mut found = Vec::new();
        let mut terms: Vec<f64> = Vec::new();
        let mut span = 0..0;
        let mut at = 0;
        while at < text.len() {
            let Some((value, range)) = decimal_from(text, at) else { break };
            let linked = !terms.is_empty() && text[span.end..range.start].trim() == ":";
            if !linked {
                keep(&mut found, &mut terms, &span);
                span.start = range.start;
            }
            terms.push(value);
            span.end = range.end;
            at = range.end;
        }
        keep(&mut found, &mut terms, &span);
        found
    }

    /// Judges the last ratio of an answer.
    pub(crate) fn judge(&self, answer: &str, demands: &Demands) -> Verdict {
        let Some(written) = Ratio::all(answer).pop() else {
            return Verdict::refused(0.9, Some(Reason::OtherValue));
        };
        let verdict = Verdict::given(ALWAYS, 0.96, written.span.clone());
        if written.terms == self.terms {
            verdict
        } else if written.is_proportional(self) {
            if demands.simplest { verdict.at_most(LENIENT, Reason::Form) } else { verdict }
        } else {
            Verdict { evidence: verdict.evidence, ..Verdict::refused(0.95, Some(Reason::OtherValue)) }
        }
    }

    fn is_proportional(&self, other: &Ratio) -> bool {
        self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(|(mine, theirs)| {
                (mine * other.terms[0] - theirs * self.terms[0]).abs()
                    < 1e-9 * (1.0 + mine.abs() * other.terms[0].abs())
            })
    }
}

fn keep(found: &mut Vec<Ratio>, terms: &mut Vec<f64>, span: &Range<usize>) {
    let terms = std::mem::take(terms);
    if terms.len() >= 2 {
        found.push(Ratio { terms, span: span.clone() });
    }
}

/// The next run of digits with at most one point in it.
fn decimal_from(text: &str, from: usize) -> Option<(f64, Range<usize>)> {
    let start = from + text[from..].find(|c: char| c.is_ascii_digit())?;
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
    let digits = text[start..end].trim_end_matches('.');
    let value = digits.parse().unwrap_or(f64::NAN);
    Some((value, start..start + digits.len().max(1)))
}

/// A time of day in minutes after midnight, and whether morning or afternoon was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeOfDay {
    minutes: u32,
    certain: bool,
}

impl TimeOfDay {
    /// "14:30", "2.30 pm", "1430", "9 am".
    pub(crate) fn parse(text: &str) -> Option<TimeOfDay> {
        let lower = text.to_lowercase().replace(['.', ' '], ":").replace(times::OCLOCK, "");
        let start = lower.find(|c: char| c.is_ascii_digit())?;
        let mut numbers = lower[start..].split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        let first = numbers.next()?;
        let (hour, minute) = match (first.len(), numbers.next()) {
            (3..=4, None) => first.split_at(first.len() - 2),
            (1 | 2, Some(minute)) if minute.len() == 2 => (first, minute),
            (1 | 2, None) => (first, "0"),
            _ => return None,
        };
        let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
        let squeezed: String = lower.chars().filter(char::is_ascii_alphabetic).collect();
        let (pm, am) = (squeezed.contains(times::PM), squeezed.contains(times::AM));
        let hour = match hour {
            12 if am => 0,
            1..=11 if pm => hour + 12,
            _ => hour,
        };
        let certain = pm || am || hour > 12 || first.len() == 4 || first.starts_with('0');
        (hour < 24 && minute < 60).then_some(TimeOfDay { minutes: hour * 60 + minute, certain })
    }

    /// The last "10:46" of some working, with the half of the day behind it.
    fn last_of(answer: &str) -> Option<TimeOfDay> {
        let is_digit = |at: usize| answer.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let mut times = answer.match_indices(':').filter_map(|(at, _)| {
            let begin = answer[..at]
                .rfind(|c: char| !c.is_ascii_digit())
                .map_or(0, |before| before + answer[before..].chars().next().map_or(1, char::len_utf8));
            let is_time =
                (1..=2).contains(&(at - begin)) && is_digit(at + 1) && is_digit(at + 2) && !is_digit(at + 3);
            let half: String =
                answer[at + 1..].chars().skip(2).filter(|c| !matches!(c, ' ' | '.')).take(2).collect();
            is_time.then(|| TimeOfDay::parse(&format!("{} {half}", &answer[begin..at + 3])))?
        });
        times.next_back()
    }

    /// Judges a time of day.
    pub(crate) fn judge(self, answer: &str) -> Verdict {
        let all = 0..answer.len();
        match TimeOfDay::parse(answer).or_else(|| TimeOfDay::last_of(answer)) {
            Some(written) if written.minutes == self.minutes => Verdict::given(ALWAYS, 0.95, all),
            Some(written) if !written.certain && (written.minutes + 720) % 1440 == self.minutes => {
                Verdict::given(LENIENT, 0.7, all).because(Reason::Form)
            }
            _ => Verdict::refused(0.9, Some(Reason::OtherValue)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_equal_when_proportional() {
        let key = Ratio::parse("3 : 2").unwrap();
        let plain = Demands::default();
        assert_eq!(key.judge("6:4", &plain).grant, ALWAYS);
        assert_eq!(key.judge("2:3", &plain).grant, None);
        assert_eq!(key.judge("3:2:1", &plain).grant, None);
        assert_eq!(key.judge("6:4", &Demands { simplest: true, ..plain }).grant, LENIENT);
    }

    #[test]
    fn times_of_day_are_the_same_in_both_clocks() {
        let key = TimeOfDay::parse("14:30").unwrap();
        for same in ["2.30 pm", "1430", "14.30", "2:30 p.m."] {
            assert_eq!(key.judge(same).grant, ALWAYS, "{same}");
        }
        assert_eq!(key.judge("2:30").grant, LENIENT);
        assert_eq!(key.judge("2:30 am").grant, None);
    }
}
