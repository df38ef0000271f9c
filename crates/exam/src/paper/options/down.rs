//! Options that count down two columns and are read across: "A. … C. …" over "B. … D. …".

use super::{Found, option_letter, option_number};
use crate::flow::Line;
use crate::paper::segment::Segment;
use domain::question::Choice;
use reader::page::Word;

/// `A. … C. …` over `B. … D. …`.
pub(super) fn lettered(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    let letter = |word: &Word| option_letter(&word.text).filter(|_| word.text.len() > 1);
    counted(
        segment,
        lines,
        |word| Some(letter(word)? as usize - 'A' as usize + 1),
        |value| char::from(b'A' + value as u8 - 1).to_string(),
    )
}

/// `(1) … (3) …` over `(2) … (4) …`.
pub(super) fn numbered(segment: &Segment, lines: &[Line<'_>]) -> Option<Found> {
    counted(segment, lines, |word| option_number(&word.text), |value| value.to_string())
}

/// Four to six options that count down two columns.
fn counted(
    segment: &Segment,
    lines: &[Line<'_>],
    value: impl Fn(&Word) -> Option<usize>,
    label: impl Fn(usize) -> String,
) -> Option<Found> {
    const SAME_EDGE: f32 = 6.0;
    const COUNTS: [usize; 3] = [6, 5, 4];
    let words: Vec<(usize, usize, &Word)> = segment.words_without_marks(lines).collect();
    let found: Vec<(usize, usize)> =
        words.iter().enumerate().filter_map(|(at, (_, _, word))| Some((at, value(word)?))).collect();
    // Row by row, 1 and 3 stand above 2 and 4.
    let in_order = |count: usize| {
        let rows = count.div_ceil(2);
        (0..count).map(move |at| at / 2 + 1 + (at % 2) * rows)
    };
    let last = COUNTS.into_iter().find_map(|count| {
        let (_, last) = found.split_at(found.len().checked_sub(count)?);
        last.iter().map(|(_, value)| *value).eq(in_order(count)).then_some(last)
    })?;
    let starts: Vec<(usize, usize, &Word)> = last.iter().map(|(at, _)| words[*at]).collect();
    let beside = |pair: &[(usize, usize, &Word)]| pair.len() < 2 || pair[0].0 == pair[1].0;
    let under = |own: &(usize, usize, &Word), first: &(usize, usize, &Word)| {
        (own.2.place.x0 - first.2.place.x0).abs() < SAME_EDGE
    };
    let rows: Vec<&[(usize, usize, &Word)]> = starts.chunks(2).collect();
    let set = rows.iter().all(|row| beside(row) && row.iter().zip(&starts).all(|(own, top)| under(own, top)))
        && rows.windows(2).all(|pair| pair[0][0].0 < pair[1][0].0);
    if !set || last[0].0 == 0 {
        return None;
    }
    // What goes on below a row stands close to it; what is set further down belongs to none of them.
    let (edge, leading) = (starts[1].2.place.x0 - SAME_EDGE, 2.0 * starts[0].2.size);
    let mut texts = vec![Vec::new(); rows.len() * 2];
    let (mut row, mut bottom) = (0, starts[0].2.place.y1);
    for (at, (line, _, word)) in words.iter().enumerate().skip(last[0].0) {
        row += usize::from(rows.get(row + 1).is_some_and(|next| *line >= next[0].0));
        if word.place.y0 > bottom + leading {
            break;
        }
        bottom = bottom.max(word.place.y1);
        if last.iter().all(|(start, _)| *start != at) {
            texts[row + if word.place.x0 < edge { 0 } else { rows.len() }].push(word.text.as_str());
        }
    }
    texts.truncate(last.len());
    let option = |(text, value): (Vec<&str>, usize)| Choice { label: label(value), text: text.join(" ") };
    let options: Vec<Choice> = texts.into_iter().zip(1..).map(option).collect();
    let said = options.iter().all(|option| !option.text.is_empty());
    said.then_some(Found { options, from: (starts[0].0, starts[0].1) })
}
