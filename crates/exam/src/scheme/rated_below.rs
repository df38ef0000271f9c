//! What answers of each quality earn, said in rows below the solution: "All three elements are named | 3", "any two of
//! them | 2", "one of them | 1", "a wrong answer | 0", perhaps with "Most points | 3" behind them. The solution is what an
//! answer must say; the rows say how it is marked.

use super::{Entry, EntryLine};
use domain::marks::Marks;
use std::ops::Range;

/// Fewer rows are no scale: the best, the next, and what earns nothing.
const ROWS_MIN: usize = 3;
/// The line of the most points stands so near.
const BEHIND_MAX: usize = 2;

/// Takes such rows off what they rate, and notes what it is worth.
pub(super) fn take(entries: &mut Vec<Entry>) {
    let mut wholes: Vec<Entry> = Vec::new();
    for at in 0..entries.len() {
        let Some((rows, top)) = scale(&entries[at].lines) else { continue };
        let said = remarks(&entries[at].lines[rows.clone()]);
        // Below the last of several parts they rate all of these.
        let parent = &entries[at].path[..entries[at].path.len().saturating_sub(1)];
        let sibling = |other: &Entry| {
            let own = other.section == entries[at].section && other.path.len() == parent.len() + 1;
            own && other.path.starts_with(parent)
        };
        let priced = |other: &Entry| other.lines.iter().any(|line| marks(line).is_some());
        let before: Vec<&Entry> = entries[..at].iter().filter(|other| sibling(other)).collect();
        let of_all = !parent.is_empty() && !before.is_empty() && !before.iter().any(|other| priced(other));
        let whole = of_all.then(|| Entry {
            path: parent.to_vec(),
            section: entries[at].section,
            page: entries[at].page,
            lines: said.clone(),
            stated: Some(top),
            ..Entry::default()
        });
        let own = &mut entries[at];
        own.lines.truncate(rows.start);
        match whole {
            Some(whole) => wholes.push(whole),
            None => {
                own.lines.extend(said);
                own.stated = Some(top);
            }
        }
    }
    for whole in wholes {
        let own = |other: &&mut Entry| other.section == whole.section && other.path == whole.path;
        match entries.iter_mut().find(own) {
            Some(entry) => {
                entry.stated = entry.stated.or(whole.stated);
                entry.lines.extend(whole.lines);
            }
            None => entries.push(whole),
        }
    }
}

/// From where on the rows stand, with what follows them, and what the best of them earns.
fn scale(lines: &[EntryLine]) -> Option<(Range<usize>, Marks)> {
    let nothing = lines.iter().rposition(|line| marks(line).is_some_and(Marks::is_zero))?;
    let (mut first, mut top, mut rows) = (nothing, Marks::ZERO, 1);
    for (at, own) in lines[..nothing].iter().enumerate().rev() {
        let Some(own) = marks(own) else { continue };
        if own <= top {
            break;
        }
        (first, top, rows) = (at, own, rows + 1);
    }
    let behind: Vec<Marks> = lines[nothing + 1..].iter().filter_map(marks).collect();
    let closes = behind.is_empty() || (behind == [top] && marks_near(&lines[nothing + 1..]));
    let solved = lines[..first].iter().any(|line| !line.repeats_question && says(line));
    let plain = lines[..first].iter().all(|line| marks(line).is_none());
    (rows >= ROWS_MIN && closes && solved && plain).then_some((first..lines.len(), top))
}

fn marks_near(lines: &[EntryLine]) -> bool {
    lines.iter().take(BEHIND_MAX).any(|line| marks(line).is_some())
}

/// The number alone in the column of marks.
fn marks(line: &EntryLine) -> Option<Marks> {
    let number = line.marks.trim().replace(',', ".").parse::<f64>().ok()?;
    Marks::from_number(number)
}

fn says(line: &EntryLine) -> bool {
    line.answer.chars().any(char::is_alphanumeric)
}

/// The rows as remarks, each with what it earns before it.
fn remarks(rows: &[EntryLine]) -> Vec<EntryLine> {
    let mut remarks: Vec<EntryLine> = Vec::new();
    for row in rows.iter().filter(|row| says(row)) {
        match (marks(row), remarks.last_mut()) {
            (None, Some(last)) => last.guidance = format!("{} {}", last.guidance, row.answer),
            (worth, _) => {
                let worth = worth.map(|worth| format!("{worth}: ")).unwrap_or_default();
                let guidance = format!("{worth}{}", row.answer);
                remarks.push(EntryLine { guidance, space: row.space, ..EntryLine::default() });
            }
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{Kind, Token};

    fn entry(path: &[Token], rows: &[(&str, &str)]) -> Entry {
        let line = |(answer, marks): &(&str, &str)| EntryLine {
            answer: (*answer).to_owned(),
            marks: (*marks).to_owned(),
            ..EntryLine::default()
        };
        Entry { path: path.to_vec(), lines: rows.iter().map(line).collect(), ..Entry::default() }
    }

    const SCALE: [(&str, &str); 5] = [
        ("both are named and", "2"),
        ("no more", ""),
        ("one is named", "1"),
        ("a wrong answer", "0"),
        ("Most points", "2"),
    ];

    #[test]
    fn rows_below_a_solution_rate_it() {
        let number = Token::new(Kind::Number, 3);
        let mut entries = vec![entry(&[number], &[&[("1) sand 2) silt", "")], SCALE.as_slice()].concat())];
        take(&mut entries);
        let [own] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!(own.stated, Some(Marks::whole(2)));
        let answers: Vec<&str> = own.lines.iter().map(|line| line.answer.as_str()).collect();
        assert_eq!(answers, ["1) sand 2) silt", "", "", "", ""]);
        assert_eq!(own.lines[1].guidance, "2: both are named and no more");
    }

    #[test]
    fn below_the_last_part_they_rate_all_parts() {
        let part = |value| [Token::new(Kind::Number, 3), Token::new(Kind::Inner, value)];
        let last = [&[("silt", "")], SCALE.as_slice()].concat();
        let mut entries = vec![entry(&part(1), &[("sand", "")]), entry(&part(2), &last)];
        take(&mut entries);
        let [_, second, whole] = entries.as_slice() else { panic!("{entries:?}") };
        assert_eq!((second.lines.len(), second.stated), (1, None));
        assert_eq!((whole.path.len(), whole.stated), (1, Some(Marks::whole(2))));
    }

    #[test]
    fn what_is_priced_line_by_line_is_no_scale() {
        let number = Token::new(Kind::Number, 3);
        for rows in [
            &[("sand", "2"), ("silt", "1"), ("nothing", "0")][..],
            &[("names them", ""), ("sand", "1"), ("silt", "1"), ("nothing", "0")],
        ] {
            let mut entries = vec![entry(&[number], rows)];
            take(&mut entries);
            assert_eq!(entries, [entry(&[number], rows)]);
        }
    }
}
