//! Scales in plain lines: "Very good explanation  3 marks", "Fair explanation  1 mark". They say how good an answer is
//! and what that earns; what it should say stands beside them and is no point for itself.

use super::column::bare_number;
use super::{EntryLine, examiners, pieces};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use domain::question::Level;

/// Fewer lines are a remark about the whole answer.
const LEAST_LEVELS: usize = 2;

/// The levels that an entry's lines tell, and which lines they take up. The best earns all marks of the part.
pub(super) fn find(lines: &[EntryLine], total: Option<Marks>) -> Option<(Vec<Level>, Vec<bool>)> {
    let (levels, taken) = behind(lines).or_else(|| before(lines))?;
    let best = levels.first()?.marks_to;
    let own = || lines.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(line, _)| line);
    let priced = own().any(|line| pieces::cut(&line.answer).pieces.iter().any(|piece| piece.worth.is_some()));
    // A result is right or wrong, whatever else is said of how good an answer may be.
    let says = |line: &EntryLine| line.answer.chars().any(char::is_alphabetic);
    let is_result = own().any(|line| !line.answer.trim().is_empty()) && !own().any(says);
    (total.is_none_or(|total| total == best) && !priced && !is_result).then_some((levels, taken))
}

/// True for a line that says how good an answer is and what that earns.
pub(super) fn is_rating(line: &EntryLine) -> bool {
    rating(line).is_some()
}

/// What the best of levels earns that begin with their marks.
pub(super) fn best(lines: &[EntryLine]) -> Option<Marks> {
    before(lines).and_then(|(levels, _)| Some(levels.first()?.marks_to))
}

/// Lines that end with their marks, one below the other.
fn behind(lines: &[EntryLine]) -> Option<(Vec<Level>, Vec<bool>)> {
    let rated: Vec<Option<Level>> = lines.iter().map(rating).collect();
    let mut from = 0;
    while from < rated.len() {
        let run: Vec<Level> = rated[from..].iter().map_while(Clone::clone).collect();
        if run.len() >= LEAST_LEVELS && falls(&run) {
            let taken = (0..lines.len()).map(|at| (from..from + run.len()).contains(&at)).collect();
            return Some((run, taken));
        }
        from += run.len() + 1;
    }
    None
}

/// "Fair explanation - limited understanding  1 mark"
fn rating(line: &EntryLine) -> Option<Level> {
    let words: Vec<&str> = line.answer.split_whitespace().collect();
    let stated = || {
        let note = marks::at_end(&words).filter(|note| is_sure(note) && note.words < words.len())?;
        Some((note.marks, words[..words.len() - note.words].join(" ")))
    };
    let beside = bare_number(&line.marks).map(|marks| (marks, words.join(" ")));
    let (marks, text) = beside.or_else(stated)?;
    examiners::rates(&text).then(|| level(marks, text))
}

/// Lines that begin with their marks, each with what it asks for below it: "8 marks  Almost correct response".
fn before(lines: &[EntryLine]) -> Option<(Vec<Level>, Vec<bool>)> {
    let mut levels: Vec<Level> = Vec::new();
    let mut taken = vec![false; lines.len()];
    for (index, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        let note = marks::at_start(&words).filter(|note| is_sure(note) && !note.bracketed);
        let text = note.map(|note| words[note.words..].join(" "));
        match (note, text.filter(|text| examiners::rates(text))) {
            (Some(note), Some(text)) => levels.push(level(note.marks, text)),
            _ => match levels.last_mut() {
                Some(last) => last.descriptor = format!("{} {}", last.descriptor, line.answer),
                None => continue,
            },
        }
        taken[index] = true;
    }
    (levels.len() >= LEAST_LEVELS && falls(&levels)).then_some((levels, taken))
}

fn is_sure(note: &marks::MarkNote) -> bool {
    note.scope == Scope::Part && note.certainty == Certainty::Sure
}

fn falls(levels: &[Level]) -> bool {
    levels.windows(2).all(|pair| pair[1].marks_to < pair[0].marks_to)
}

fn level(marks: Marks, descriptor: String) -> Level {
    Level { name: marks.to_string(), marks_from: marks, marks_to: marks, descriptor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&str, &str)], total: u32) -> Option<Vec<String>> {
        let line = |(answer, marks): &(&str, &str)| EntryLine {
            answer: (*answer).to_owned(),
            marks: (*marks).to_owned(),
            ..EntryLine::default()
        };
        let lines: Vec<EntryLine> = lines.iter().map(line).collect();
        let shown = |level: &Level| format!("{} {}", level.marks_to, level.descriptor);
        find(&lines, Some(Marks::whole(total))).map(|(levels, _)| levels.iter().map(shown).collect())
    }

    #[test]
    fn lines_that_say_how_good_an_answer_is_are_levels() {
        let lines = [
            ("Warm air holds more water than cold air.", ""),
            ("Very good explanation - clear understanding", "3"),
            ("Fair explanation 1 mark", ""),
        ];
        assert_eq!(
            read(&lines, 3).unwrap(),
            ["3 Very good explanation - clear understanding", "1 Fair explanation"]
        );
        assert_eq!(read(&lines, 5), None);
        let led = [
            ("5 marks Correct response", ""),
            ("3 marks Almost correct response", ""),
            ("The loop ends one step early.", ""),
        ];
        assert_eq!(
            read(&led, 5).unwrap(),
            ["5 Correct response", "3 Almost correct response The loop ends one step early."]
        );
    }

    #[test]
    fn a_result_and_points_with_their_own_marks_are_not_judged_by_levels() {
        let result = [("0101 1100", ""), ("Correct 2 marks", ""), ("Half correct 1 mark", "")];
        assert_eq!(read(&result, 2), None);
        let points = [("air rises (1)", ""), ("Correct response 2 marks", ""), ("Fair response 1 mark", "")];
        assert_eq!(read(&points, 2), None);
        assert_eq!(read(&[("Correct decision 1 mark", ""), ("Reason 1 mark", "")], 2), None);
    }
}
