//! Numbers in brackets right behind the labels of parts: "a) (0,8) Find the cost". They are marks where they add up to
//! what the question's heading prints.

use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::marks::Scope;
use domain::marks::Marks;

/// Decimals of what is printed add up to a total but for this.
const SLACK: f64 = 1e-6;

/// Gives the parts of a question the marks behind their labels. Those that are no halves stay open.
pub(super) fn price(segments: &mut [Segment], lines: &[Line<'_>]) {
    let Some((head, parts)) = segments.split_first_mut().filter(|(_, parts)| parts.len() > 1) else { return };
    let [whole] = head.marks.as_slice() else { return };
    let silent = |part: &Segment| part.path.len() == 2 && part.marks.is_empty();
    if !parts.iter().all(silent) {
        return;
    }
    let Some(numbers) = parts.iter().map(|part| behind_label(part, lines)).collect::<Option<Vec<f64>>>()
    else {
        return;
    };
    if (numbers.iter().sum::<f64>() - whole.marks.as_number()).abs() > SLACK {
        return;
    }
    for (part, number) in parts.iter_mut().zip(numbers) {
        let (line, word) = part.from;
        let found = |marks| Found {
            line,
            words: (word, word + 1),
            scope: Scope::Part,
            marks,
            shared: None,
            alone: false,
        };
        part.marks.extend(Marks::from_number(number).map(found));
    }
}

/// The number in brackets that a part's text begins with.
fn behind_label(part: &Segment, lines: &[Line<'_>]) -> Option<f64> {
    let word = lines.get(part.from.0)?.words.get(part.from.1)?;
    let inner = word.text.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let plain = inner.starts_with(|c: char| c.is_ascii_digit())
        && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    inner.replace(',', ".").parse().ok().filter(|number| plain && *number > 0.0)
}
