//! Sums in the column of marks: "-----(3)" under the marks of a part's steps.

use super::column::bare_number;
use super::{Entry, EntryLine, Scheme};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use lexicon::Concept;

/// Sums under a stroke in the column of marks, "-----(3)", say what the part above them is worth: also where they stand
/// beside the first line of the next, whose formula is tall.
pub(super) fn settle(scheme: &mut Scheme) {
    for index in 0..scheme.entries.len() {
        let mut has_begun = false;
        for at in 0..scheme.entries[index].lines.len() {
            let line = &mut scheme.entries[index].lines[at];
            let Some(sum) = ruled_sum(&line.marks) else {
                has_begun |= !line.answer.trim().is_empty() || !line.marks.trim().is_empty();
                continue;
            };
            line.marks.clear();
            has_begun |= !line.answer.trim().is_empty();
            let owner = if has_begun { Some(index) } else { index.checked_sub(1) };
            if let Some(owner) = owner {
                scheme.entries[owner].stated.get_or_insert(sum);
            }
        }
    }
}

/// Takes away the row that closes a table with the sum of all: "Total of the test  50", more than the last part has.
pub(super) fn leave_out_whole(scheme: &mut Scheme) {
    const WORDS_MAX: usize = 4;
    let Some(entry) = scheme.entries.last_mut() else { return };
    let Some((last, above)) = entry.lines.split_last().filter(|(_, above)| !above.is_empty()) else { return };
    let words: Vec<String> = last.answer.split_whitespace().map(str::to_lowercase).collect();
    let sums = words.first().is_some_and(|first| lexicon::is(Concept::Total, first.trim_end_matches(':')));
    let earned: Marks = above.iter().filter_map(|line| bare_number(line.marks.trim())).sum();
    let whole = bare_number(last.marks.trim()).is_some_and(|whole| whole > earned && !earned.is_zero());
    if sums && whole && words.len() <= WORDS_MAX {
        entry.lines.pop();
    }
}

/// A number alone below the marks of two lines or more that is their sum says what all of them are worth.
pub(super) fn settle_below(scheme: &mut Scheme) {
    const LEAST: usize = 2;
    for entry in &mut scheme.entries {
        let Some((last, above)) = entry.lines.split_last() else { continue };
        let alone = last.answer.trim().is_empty() && last.guidance.trim().is_empty();
        let Some(sum) = bare_number(&last.marks).filter(|_| alone) else { continue };
        let marks: Vec<Marks> = above.iter().filter_map(|line| bare_number(&line.marks)).collect();
        if marks.len() >= LEAST && marks.iter().copied().sum::<Marks>() == sum {
            entry.lines.pop();
            entry.stated.get_or_insert(sum);
        }
    }
}

/// What stands beside the first part of a question is what all of its parts are worth, where the parts say in their text what
/// each earns and only that adds up to it: "17. A) the mouth – 1 point | 2" over "B) the peak – 1 point"; or where all of them
/// are verdicts.
pub(super) fn settle_of_parts(scheme: &mut Scheme) {
    let mut at = 0;
    while at < scheme.entries.len() {
        let first = &scheme.entries[at];
        let depth = first.path.len();
        let below = |entry: &Entry| {
            entry.section == first.section
                && entry.path.len() == depth
                && entry.path[..depth - 1] == first.path[..depth - 1]
        };
        let count = scheme.entries[at..].iter().take_while(|entry| depth > 1 && below(entry)).count();
        let parts = &scheme.entries[at..at + count];
        let columns: Vec<Vec<Marks>> = parts.iter().map(column).collect();
        let beside = columns.first().and_then(|own| match own[..] {
            [whole] => Some(whole),
            _ => None,
        });
        let told: Marks = parts.iter().map(told).sum();
        let alone = count > 1 && columns[1..].iter().all(Vec::is_empty);
        let adds_up = |whole: &Marks| *whole == told && parts.iter().all(|own| !self::told(own).is_zero());
        let settled = |whole: &Marks| alone && (adds_up(whole) || parts.iter().all(judges));
        if let Some(whole) = beside.filter(settled) {
            let (path, section, page) = (first.path[..depth - 1].to_vec(), first.section, first.page);
            scheme.entries[at].lines.iter_mut().for_each(|line| line.marks.clear());
            let entry = Entry { path, section, page, stated: Some(whole), ..Entry::default() };
            scheme.entries.insert(at, entry);
            at += 1;
        }
        at += count.max(1);
    }
}

/// True for a part whose answer is a verdict.
fn judges(entry: &Entry) -> bool {
    let said = entry.lines.iter().map(|line| line.answer.trim()).find(|answer| !answer.is_empty());
    let bare = said.unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    lexicon::is(Concept::Verdict, &bare)
}

/// The numbers in a part's column of marks.
fn column(entry: &Entry) -> Vec<Marks> {
    entry.lines.iter().filter_map(|line| bare_number(line.marks.trim())).collect()
}

/// What the lines of a part say at their ends that they earn.
fn told(entry: &Entry) -> Marks {
    let at_end = |line: &EntryLine| {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        // "1 point for each of two reasons (2 points)"
        let bracket = &words[words.len().saturating_sub(2)..];
        let note = |words: &[&str]| {
            marks::at_end(words).filter(|note| note.certainty == Certainty::Sure && note.scope == Scope::Part)
        };
        note(bracket).filter(|note| note.bracketed).or_else(|| note(&words))
    };
    entry.lines.iter().filter_map(at_end).map(|note| note.marks).sum()
}

/// Quarters in the column of marks, "0,75" over "0,75": only their sum is marks that can be given.
pub(super) fn settle_quarters(scheme: &mut Scheme) {
    for entry in &mut scheme.entries {
        let cells = entry.lines.iter().map(|line| line.marks.trim()).filter(|cell| !cell.is_empty());
        let Some(quarters) = cells.map(quarters).collect::<Option<Vec<u32>>>() else { continue };
        let sum: u32 = quarters.iter().sum();
        if sum > 0 && sum.is_multiple_of(2) && quarters.iter().any(|own| own % 2 == 1) {
            entry.stated.get_or_insert(Marks::halves(sum / 2));
        }
    }
}

/// How many quarters a cell prints: 3 of "0,75".
fn quarters(cell: &str) -> Option<u32> {
    const MOST: u32 = 100;
    let (whole, part) = cell.split_once(['.', ',']).unwrap_or((cell, ""));
    let part = match part {
        "" => 0,
        "25" => 1,
        "5" | "50" => 2,
        "75" => 3,
        _ => return None,
    };
    whole.parse::<u32>().ok().filter(|whole| *whole <= MOST).map(|whole| 4 * whole + part)
}

/// "-----(3)": the marks under a stroke.
fn ruled_sum(text: &str) -> Option<Marks> {
    const STROKES: [char; 4] = ['-', '–', '—', '_'];
    let text = text.trim();
    let number = text.trim_start_matches(STROKES).trim_start();
    let is_ruled = text.chars().take_while(|c| STROKES.contains(c)).count() > 1;
    let number = number.strip_prefix('(')?.strip_suffix(')')?;
    bare_number(number).filter(|_| is_ruled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_alone_below_its_addends_is_their_sum() {
        let line = |answer: &str, marks: &str| EntryLine {
            answer: answer.into(),
            marks: marks.into(),
            ..EntryLine::default()
        };
        let read = |last: EntryLine| {
            let lines = vec![line("x = 2", "2"), line("y = 3", "1"), last];
            let mut scheme =
                Scheme { entries: vec![Entry { lines, ..Entry::default() }], ..Scheme::default() };
            settle_below(&mut scheme);
            (scheme.entries[0].stated, scheme.entries[0].lines.len())
        };
        assert_eq!(read(line("", "3")), (Some(Marks::whole(3)), 2));
        assert_eq!(read(line("", "1")), (None, 3));
        assert_eq!(read(line("z = 4", "3")), (None, 3));
    }

    #[test]
    fn what_stands_beside_the_first_part_is_that_of_all_parts() {
        use crate::labels::{Kind, Token};
        let part = |letter: u32, answer: &str, marks: &str| Entry {
            path: vec![Token::new(Kind::Number, 4), Token::new(Kind::Letter, letter)],
            lines: vec![EntryLine { answer: answer.into(), marks: marks.into(), ..EntryLine::default() }],
            ..Entry::default()
        };
        let read = |entries: Vec<Entry>| {
            let mut scheme = Scheme { entries, ..Scheme::default() };
            settle_of_parts(&mut scheme);
            scheme.entries.iter().map(|entry| (entry.path.len(), entry.stated)).collect::<Vec<_>>()
        };
        let told = vec![part(1, "the mouth – 1 point", "2"), part(2, "the peak – 1 point", "")];
        assert_eq!(read(told), [(1, Some(Marks::whole(2))), (2, None), (2, None)]);
        let own = vec![part(1, "the mouth", "2"), part(2, "the peak", "")];
        assert_eq!(read(own), [(2, None), (2, None)]);
    }

    #[test]
    fn quarters_add_up_to_marks() {
        let read = |cells: &[&str]| {
            let line = |marks: &&str| EntryLine { marks: (*marks).to_owned(), ..EntryLine::default() };
            let entry = Entry { lines: cells.iter().map(line).collect(), ..Entry::default() };
            let mut scheme = Scheme { entries: vec![entry], ..Scheme::default() };
            settle_quarters(&mut scheme);
            scheme.entries[0].stated
        };
        assert_eq!(read(&["0,75", "", "0,75"]), Some(Marks::halves(3)));
        assert_eq!(read(&["0.25", "1", "0.75"]), Some(Marks::whole(2)));
        assert_eq!(read(&["0,75", "0,5"]), None);
        assert_eq!(read(&["1", "0,5"]), None);
        assert_eq!(read(&["0,75", "A1"]), None);
    }

    #[test]
    fn a_sum_belongs_to_what_stands_above_it() {
        let line = |answer: &str, marks: &str| EntryLine {
            answer: answer.into(),
            marks: marks.into(),
            ..EntryLine::default()
        };
        let entry = |lines: Vec<EntryLine>| Entry { lines, ..Entry::default() };
        let mut scheme = Scheme {
            entries: vec![
                entry(vec![line("6a = 18", "1M"), line("a = 3", "1A")]),
                entry(vec![line("", "-----(2)"), line("x = 4", "1A"), line("", "-----(1)")]),
            ],
            ..Scheme::default()
        };
        settle(&mut scheme);
        let stated: Vec<Option<Marks>> = scheme.entries.iter().map(|entry| entry.stated).collect();
        assert_eq!(stated, [Some(Marks::whole(2)), Some(Marks::whole(1))]);
        assert!(ruled_sum("(3)").is_none() && ruled_sum("-2").is_none());
    }
}
