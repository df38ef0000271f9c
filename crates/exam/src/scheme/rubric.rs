//! Worked solutions with what each mark is for beside them: "x = 4 … 2 : { 1 : equation, 1 : answer". Each row of the
//! rubric is a point; what the solution says of it is its wording.

use super::solution::{Solution, formula_of};
use super::{EntryLine, phrases};
use domain::marks::Marks;
use domain::question::{AnswerKey, Point, PointKind};
use lexicon::Concept;
use reader::page::Word;

/// No row is worth more.
const MOST_MARKS: u32 = 20;
/// What is set under a row begins no farther to its left, in points.
const SLACK: f32 = 6.0;

/// A row of a rubric.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) worth: Marks,
    /// What the marks are for; empty where the row only sums up those in its brace.
    pub(super) name: String,
}

/// What a row asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// A step of the solution.
    Step,
    /// Its result.
    Result,
    /// What only a sentence says: a reason, a conclusion.
    Sentence,
}

/// The key of a solution with a rubric; `None` where no rubric makes up the marks.
pub(super) fn key(lines: &[EntryLine], total: Option<Marks>) -> Option<AnswerKey> {
    let parted = Parted::of(lines)?;
    let sum: Marks = parted.rows.iter().map(|row| row.worth).sum();
    if total.is_some_and(|total| total != sum) {
        return None;
    }
    let asks = asked(&parted.rows);
    let (has_result, has_reason) = (asks.contains(&Asks::Result), asks.contains(&Asks::Sentence));
    let mut solution = Solution::of(&parted.solution);
    let mut said: Vec<Option<String>> = vec![None; asks.len()];
    // The result and the reason are told by where they stand; steps take what these leave.
    for wanted in [Asks::Result, Asks::Sentence, Asks::Step] {
        for (at, _) in asks.iter().enumerate().filter(|(_, asks)| **asks == wanted) {
            said[at] = match wanted {
                Asks::Result => solution.result(has_reason),
                Asks::Sentence => solution.sentence(has_result),
                Asks::Step => solution.step(&parted.rows[at].name),
            };
        }
    }
    let (mut points, mut notes) = (Vec::new(), Vec::new());
    for ((row, asks), said) in parted.rows.into_iter().zip(asks).zip(said) {
        let kind = match asks {
            Asks::Step if has_result => PointKind::Method,
            Asks::Result if points.iter().any(|before: &Point| before.kind == PointKind::Method) => {
                PointKind::Accuracy
            }
            _ => PointKind::Point,
        };
        if said.as_ref().is_some_and(|said| !said.contains(&row.name)) {
            notes.push(format!("{} : {}", row.worth, row.name));
        }
        let text = said.unwrap_or(row.name);
        points.push(Point { text, marks: row.worth, kind, ..Point::default() });
    }
    notes.extend(parted.notes);
    notes.extend(solution.left());
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    Some(AnswerKey { points, notes, ..AnswerKey::default() })
}

/// What the rows of a rubric come to.
pub(super) fn marks(lines: &[EntryLine]) -> Option<Marks> {
    let parted = Parted::of(lines)?;
    Some(parted.rows.iter().map(|row| row.worth).sum())
}

/// What each row asks for. Where none names the result, the last that names no formula of its own is it.
fn asked(rows: &[Row]) -> Vec<Asks> {
    let says = |row: &Row, concept| lexicon::says(concept, &row.name.to_lowercase()).is_some();
    let named = |row: &Row| match () {
        () if says(row, Concept::NamesSentence) => Asks::Sentence,
        () if says(row, Concept::NamesResult) => Asks::Result,
        () => Asks::Step,
    };
    let mut asks: Vec<Asks> = rows.iter().map(named).collect();
    let last = asks.iter().rposition(|asks| *asks == Asks::Step);
    if let Some(last) =
        last.filter(|last| !asks.contains(&Asks::Result) && formula_of(&rows[*last].name).is_empty())
    {
        asks[last] = Asks::Result;
    }
    asks
}

/// An entry's lines by what they are.
#[derive(Debug, Default, PartialEq)]
struct Parted {
    rows: Vec<Row>,
    notes: Vec<String>,
    solution: Vec<String>,
}

impl Parted {
    fn of(lines: &[EntryLine]) -> Option<Parted> {
        let mut rows: Vec<Vec<Row>> = lines.iter().map(|line| rows(&line.answer)).collect();
        let set = lines.iter().zip(&rows).filter(|(_, rows)| !rows.is_empty());
        let edge = set.map(|(line, _)| line.indent).fold(f32::INFINITY, f32::min);
        drop_sum(lines, &mut rows, edge);
        let spoken = |row: &Row| row.name.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 2);
        if !rows.iter().flatten().any(spoken) {
            return None;
        }
        let mut parted = Parted::default();
        let mut in_note = false;
        for (line, rows) in lines.iter().zip(rows) {
            let text = line.answer.trim();
            let beside = line.indent >= edge - SLACK && edge.is_finite();
            if !rows.is_empty() {
                in_note = false;
                parted.rows.extend(rows.into_iter().filter(|row| !row.name.is_empty()));
            } else if phrases::is_note(text) {
                in_note = beside;
                parted.notes.push(text.to_owned());
            } else if let Some(note) = parted.notes.last_mut().filter(|_| beside && in_note) {
                go_on(note, text);
            } else if let Some(row) = parted.rows.last_mut().filter(|_| beside) {
                go_on(&mut row.name, text);
            } else if text.chars().any(char::is_alphabetic) || text.contains('=') {
                parted.solution.push(text.to_owned());
            }
        }
        (!parted.rows.is_empty()).then_some(parted)
    }
}

/// Takes in what a name goes on with; bounds of an integral, which stand above and below it, are none.
fn go_on(text: &mut String, more: &str) {
    let more = more.trim_start_matches(is_brace);
    if more.contains(char::is_alphabetic) {
        text.push(' ');
        text.push_str(more);
    }
}

/// "3 : of the distance" right before a brace sums up the rows in it; its words go on with the row above it.
fn drop_sum(lines: &[EntryLine], rows: &mut [Vec<Row>], edge: f32) {
    let is_outer = |at: &usize| lines[*at].indent < edge + SLACK;
    let mut single = (0..rows.len()).filter(|at| rows[*at].len() == 1);
    let (Some(sum), true) = (single.clone().find(is_outer), single.any(|at| !is_outer(&at))) else { return };
    let inner = (0..rows.len()).filter(|at| *at != sum).filter_map(|at| rows[at].last());
    let earned: Marks = inner.filter(|row| !row.name.is_empty()).map(|row| row.worth).sum();
    let goes_on = rows[sum][0].name.clone();
    if rows[sum][0].worth != earned || goes_on.is_empty() {
        return;
    }
    rows[sum][0].name.clear();
    if let Some(above) = rows[..sum].iter_mut().rev().find_map(|rows| rows.last_mut()) {
        go_on(&mut above.name, &goes_on);
    }
}

/// The rows that a line holds: "1 : limits", "3 : { 2 : integrand". None where it is no rubric's.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut rest = text;
    while let Some((worth, after)) = counted(rest) {
        rest = after;
        rows.push(Row { worth, name: String::new() });
    }
    if let Some(last) = rows.last_mut() {
        last.name = rest.trim().to_owned();
    }
    // "1 : 50 000" alone is a scale.
    let is_ratio = |row: &Row| row.name.starts_with(|c: char| c.is_ascii_digit());
    if rows.len() == 1 && is_ratio(&rows[0]) && !rows[0].name.contains(char::is_alphabetic) {
        rows.clear();
    }
    rows
}

/// Where among a line's words the row of a rubric begins, beyond the white behind a solution.
pub(super) fn begins_at(words: &[Word]) -> Option<usize> {
    /// White between words of a text is narrower, in sizes of type.
    const GAP: f32 = 0.7;
    /// A brace is set of so many pieces at most.
    const PIECES: usize = 4;
    let is_apart = |at: &usize| words[*at].place.x0 - words[at - 1].place.x1 > GAP * words[*at].size;
    (1..words.len()).filter(is_apart).find(|at| {
        // "{ 1 : answer": the brace stands apart from the solution.
        let pieces = words[*at..].iter().take(PIECES);
        let braces = pieces.take_while(|word| word.text.chars().all(is_brace)).count();
        begins_row(&words[at + braces..])
    })
}

fn begins_row(words: &[Word]) -> bool {
    let Some((own, rest)) = words.split_first() else { return false };
    let colon = || rest.first().is_some_and(|next| next.text.starts_with(':'));
    counted(&own.text).is_some() || (own.text.parse::<u32>().is_ok() && colon())
}

/// "2 : " at the beginning of a text, perhaps behind the brace that it stands in: the marks, and what follows.
fn counted(text: &str) -> Option<(Marks, &str)> {
    let text = text.trim_start_matches(is_brace);
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let marks: u32 = text[..end].parse().ok().filter(|marks| (1..=MOST_MARKS).contains(marks))?;
    let rest = text[end..].trim_start().strip_prefix(':')?;
    let parted = rest.is_empty() || rest.starts_with(|c: char| is_brace(c));
    parted.then(|| (Marks::whole(marks), rest.trim_start_matches(is_brace)))
}

/// True for white and the pieces of a brace, also those that a symbol font gives no meaning.
fn is_brace(c: char) -> bool {
    c.is_whitespace() || c == '{' || matches!(c, '⎧'..='⎪' | '\u{E000}'..='\u{F8FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: f32 = 380.0;

    fn read(lines: &[(&str, &str)], total: u32) -> Vec<String> {
        let mut all = Vec::new();
        for (solution, row) in lines {
            let line =
                |answer: &str, indent| EntryLine { answer: answer.into(), indent, ..EntryLine::default() };
            let both = [line(solution, 80.0), line(row, RIGHT)];
            all.extend(both.into_iter().filter(|line| !line.answer.is_empty()));
        }
        let Some(key) = key(&all, Some(Marks::whole(total))) else { return Vec::new() };
        let shown = |point: &Point| format!("{} :{} {:?}", point.text, point.marks, point.kind);
        let notes = key.notes.iter().flat_map(|notes| notes.lines()).map(|note| format!("note {note}"));
        key.points.iter().map(shown).chain(notes).collect()
    }

    #[test]
    fn each_row_takes_its_words_from_the_solution() {
        let lines =
            [("s(t) = 3t² + 2t", "2 : s(t)"), ("", "3 :"), ("s(2) = 12 + 4 = 16 m", "1 : answer with units")];
        assert_eq!(
            read(&lines, 3),
            [
                "s(t) = 3t² + 2t :2 Method",
                "16 m :1 Accuracy",
                "note 1 : answer with units",
                "note s(2) = 12 + 4 = 16 m"
            ]
        );
    }

    #[test]
    fn a_reason_is_what_the_sentences_say() {
        let lines = [
            ("The tank is fullest at t = 5 because the", "2 : { 1 : answer"),
            ("inflow is greater until then.", "1 : reason"),
        ];
        assert_eq!(
            read(&lines, 2)[..2],
            ["The tank is fullest at t = 5 :1 Point", "the inflow is greater until then. :1 Point"]
        );
    }

    #[test]
    fn ratios_and_rubrics_that_do_not_add_up_are_left_alone() {
        assert!(read(&[("1 : 50 000", "")], 1).is_empty());
        assert!(read(&[("x = 4", "1 : answer")], 3).is_empty());
    }

    #[test]
    fn a_name_that_wraps_beside_its_sum_is_one() {
        let line = |answer: &str, indent| EntryLine { answer: answer.into(), indent, ..EntryLine::default() };
        let lines = [
            line("2z dz = 2x dx", 80.0),
            line("2 : differentiation of", RIGHT + 20.0),
            line("3 : the distance", RIGHT),
            line("1 : answer", RIGHT + 20.0),
            line("z = 160", 80.0),
        ];
        let parted = Parted::of(&lines).unwrap();
        let names: Vec<&str> = parted.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["differentiation of the distance", "answer"]);
        assert_eq!(marks(&lines), Some(Marks::whole(3)));
    }

    #[test]
    fn notes_are_no_rows() {
        let lines =
            [("y = 2x", "1 : slope"), ("", "1 : answer"), ("", "Note: 0/2 if no slope"), ("", "is shown")];
        assert!(read(&lines, 2).contains(&"note Note: 0/2 if no slope is shown".to_owned()));
    }
}
