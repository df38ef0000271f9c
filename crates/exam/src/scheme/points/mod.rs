//! From the lines of an entry to separate points with their marks.

mod draft;
mod remarks;
mod settle;

use super::lists::{self, is_list_of_lines, is_priced};
use super::unfolded::unfolded;
use super::{
    Entry, EntryLine, added, awards, boxes, choice, coded, credits, echoes, graded, inline, led_levels,
    levels, noted, option_rows, phrases, quality, rated, rubric, shares, spelled, tally, worth,
};
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Level};
use draft::Draft;

/// The answer key of an entry.
pub(super) fn key(entry: &Entry, total: Option<Marks>, options: &[Choice]) -> AnswerKey {
    let mut lines = lists::bullets_joined(echoes::without(&entry.lines));
    if !entry.scales.is_empty() {
        lines.retain(|line| !line.repeats_question);
    }
    if let Some(letter) = entry.letter {
        lines.insert(0, EntryLine { answer: letter.to_string(), ..EntryLine::default() });
    }
    let lines = option_rows::parted(lines, options);
    if choice::repeats_options(&lines, options) {
        return AnswerKey::default();
    }
    // What is judged by levels is no choice, whatever the question lists.
    if !options.is_empty()
        && entry.scales.is_empty()
        && let Some(key) = choice::key(&lines, entry.letter.is_some(), total, options)
            .or_else(|| choice::in_its_words(&entry.lines, total, options))
    {
        return key;
    }
    let lines = awards::told_apart(lines);
    if let Some((levels, taken)) = led_levels::by_lead(&lines, total) {
        return of_lines(entry, &lines, total, (levels, taken));
    }
    let lines = noted::apart(coded::priced(credits::grouped(tally::apart(lines, total), total), total));
    let lines = graded::of(lists::priced_before(inline::priced(added::priced(lines, total), total), total));
    let lines = spelled::lines(lines);
    if let Some((units, notes)) = boxes::filled(&entry.lines) {
        let worths = shares::worths(&units, &[], total);
        let points = units.into_iter().zip(worths).map(|(unit, worth)| unit.into_point(worth)).collect();
        return AnswerKey { points, notes, ..AnswerKey::default() };
    }
    if let Some(key) = rubric::key(&lines, total) {
        return key;
    }
    let lines =
        lists::without_letters(lists::joined(lists::quarters_joined(phrases::joined_headings(lines))));
    let set_apart = entry.levels(total).map(|levels| (levels.to_vec(), Vec::new()));
    let in_lines = || {
        let found = levels::find(&lines).or_else(|| quality::find(&lines, total));
        found.or_else(|| levels::by_column(&lines, total))
    };
    of_lines(entry, &lines, total, set_apart.or_else(in_lines).unwrap_or_default())
}

/// The answer key of lines of which some are taken up by levels.
fn of_lines(
    entry: &Entry,
    lines: &[EntryLine],
    total: Option<Marks>,
    found: (Vec<Level>, Vec<bool>),
) -> AnswerKey {
    let (levels, taken) = found;
    let by_line = levels.is_empty() && is_list_of_lines(lines, total);
    let mut draft = Draft { priced: is_priced(lines, total), by_line, total, ..Draft::default() };
    for (index, line) in lines.iter().enumerate() {
        if !taken.get(index).copied().unwrap_or(false) {
            draft.line(line);
        }
        draft.guidance(line);
    }
    let (points, groups, notes) = draft.finish(total, !levels.is_empty());
    let points = if levels.is_empty() { worth::apart(points) } else { points };
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    let key = unfolded(AnswerKey { points, groups, notes, levels, ..AnswerKey::default() }, total);
    rated::applied(key, &entry.rated, total)
}
