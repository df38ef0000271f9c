//! Parts that stand inside a sentence and share a sum of marks behind it: "Find the order for (i) SSTF and (ii) LOOK.
//! [3+3 marks]".

use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use crate::marks::Scope;
use crate::scheme::SchemeLabels;
use domain::marks::Marks;

/// A sum takes up no more words: "[3 + 3 + 4 marks]".
const SUM_WORDS_MAX: usize = 8;

/// Splits segments whose text names as many parts as the sum behind it has addends. What the scheme does not answer part by
/// part stays whole.
pub(super) fn split(
    segments: Vec<Segment>,
    lines: &[Line<'_>],
    scheme: Option<&SchemeLabels>,
) -> Vec<Segment> {
    let mut all = Vec::with_capacity(segments.len());
    let mut rest = segments.into_iter().peekable();
    while let Some(segment) = rest.next() {
        let has_parts = rest.peek().is_some_and(|next| next.path.starts_with(&segment.path));
        let parts = if has_parts { Vec::new() } else { parts(&segment, lines) };
        let known = |part: &Segment| scheme.is_none_or(|scheme| scheme.has(&part.path));
        if let Some(first) = parts.first().filter(|_| parts.iter().all(known)) {
            let to = first.start;
            all.push(Segment { to, marks: Vec::new(), options: Vec::new(), ..segment });
            all.extend(parts);
        } else {
            all.push(segment);
        }
    }
    all
}

/// The parts of a segment; none where it is whole.
fn parts(segment: &Segment, lines: &[Line<'_>]) -> Vec<Segment> {
    let kind = match segment.path.last().map(|last| last.kind) {
        Some(Kind::Letter) => Kind::Roman,
        Some(Kind::Number | Kind::Decimal | Kind::Inner) => Kind::Letter,
        _ => return Vec::new(),
    };
    let words: Vec<((usize, usize), &str)> =
        segment.words(lines).map(|(line, at, word)| ((line, at), word.text.as_str())).collect();
    let Some((end, addends)) = sum(&words) else { return Vec::new() };
    let mut starts: Vec<usize> = Vec::new();
    for (at, (_, word)) in words.iter().enumerate().take(end.saturating_sub(1)).skip(1) {
        let wanted = Token::new(kind, starts.len() as u32 + 1);
        if names(word, wanted) {
            starts.push(at);
        }
    }
    if starts.len() != addends.len() {
        return Vec::new();
    }
    let place = |at: usize| words.get(at).map_or(segment.to, |(place, _)| *place);
    let part = |(index, marks): (usize, Marks)| {
        let (line, word) = place(starts[index]);
        let to = place(starts.get(index + 1).copied().unwrap_or(end));
        let marks =
            Found { line, words: (word, word), scope: Scope::Part, marks, shared: None, alone: false };
        Segment {
            path: [segment.path.as_slice(), &[Token::new(kind, index as u32 + 1)]].concat(),
            start: (line, word),
            from: (line, word + 1),
            to,
            lead: String::new(),
            options: Vec::new(),
            marks: vec![marks],
            is_instead: false,
            is_choice: false,
        }
    };
    addends.into_iter().enumerate().map(part).collect()
}

/// The label alone, as it stands inside a sentence.
fn names(word: &str, wanted: Token) -> bool {
    let label = labels::parse(&[word]).filter(|label| !label.glued);
    label.is_some_and(|label| label.style == Style::Brackets && label.tokens == [wanted])
}

/// Where the sum at the end of some words begins, and its addends.
fn sum(words: &[((usize, usize), &str)]) -> Option<(usize, Vec<Marks>)> {
    let least = words.len().saturating_sub(SUM_WORDS_MAX);
    let begin = (least..words.len()).rev().find(|at| words[*at].1.starts_with(['[', '(']))?;
    let text = words[begin..].iter().map(|(_, word)| *word).collect::<Vec<_>>().join(" ");
    let inner = text.trim_end_matches('.').strip_prefix(['[', '('])?.strip_suffix([']', ')'])?;
    let (numbers, unit) = inner.split_at(inner.find(char::is_alphabetic).unwrap_or(inner.len()));
    let told = unit.is_empty() || crate::marks::is_unit(&unit.trim_end_matches('.').to_lowercase());
    let one = |text: &str| {
        let number = text.trim().replace(',', ".").parse::<f64>().ok().filter(|number| *number > 0.0)?;
        Marks::from_number(number)
    };
    let addends: Vec<Marks> = numbers.split('+').map(one).collect::<Option<_>>()?;
    (told && addends.len() > 1).then_some((begin, addends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_in_brackets_closes_a_part() {
        let read = |text: &str| {
            let words: Vec<((usize, usize), &str)> = text.split(' ').map(|word| ((0, 0), word)).collect();
            let (at, addends) = sum(&words)?;
            Some((at, addends.iter().map(Marks::to_string).collect::<Vec<_>>()))
        };
        let two = Some((2, vec!["3".to_owned(), "3".to_owned()]));
        assert_eq!(read("(ii) LOOK. [3+3 marks]"), two);
        assert_eq!(read("(ii) LOOK. (3 + 3)"), two);
        assert_eq!(read("(ii) LOOK. [6 marks]"), None);
        assert_eq!(read("find f (x + y)"), None);
    }
}
