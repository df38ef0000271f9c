//! Levels whose rows begin with their marks: "7–8 All parts are answered in detail", "Give 3-4 marks to those who …".

use super::EntryLine;
use super::levels::{begins_content, counts_marks, earns_nothing, range};
use domain::marks::Marks;
use domain::question::Level;
use lexicon::Concept;

/// Fewer may be anything that begins with numbers.
const LEAST: usize = 3;
/// White above a line that belongs to no row before it, in line heights.
const APART: f32 = 0.75;

/// The levels of such rows, and which of the lines they take up: without a gap from one mark to all of the part's.
pub(super) fn by_lead(lines: &[EntryLine], total: Option<Marks>) -> Option<(Vec<Level>, Vec<bool>)> {
    let mut levels: Vec<Level> = Vec::new();
    let mut taken = vec![false; lines.len()];
    let mut open = Open::Nothing;
    for (index, line) in lines.iter().enumerate() {
        if let Some(level) = row(line).filter(|level| follows(&levels, level, total)) {
            levels.push(level);
            open = Open::Level;
        } else if is_nothing(line) {
            open = Open::Rest;
        } else if line.space >= APART || begins_content(&line.answer) || heads_content(line, &levels, total) {
            open = Open::Nothing;
        } else if let Some(level) = levels.last_mut().filter(|_| open == Open::Level) {
            level.descriptor.push(' ');
            level.descriptor.push_str(&line.answer);
        }
        taken[index] = open != Open::Nothing;
    }
    let spans = levels.iter().any(|level| level.marks_from < level.marks_to);
    (levels.len() >= LEAST && spans && are_all(&levels, total)).then_some((levels, taken))
}

/// True for levels from one mark to all.
fn are_all(levels: &[Level], total: Option<Marks>) -> bool {
    let lowest = levels.iter().map(|level| level.marks_from).min();
    lowest == Some(Marks::whole(1)) && levels.iter().map(|level| level.marks_to).max() == total
}

/// True for what leads to a list behind the last level.
fn heads_content(line: &EntryLine, levels: &[Level], total: Option<Marks>) -> bool {
    line.answer.trim().ends_with(':') && are_all(levels, total)
}

/// What the lines below belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Level,
    /// The row that tells what earns nothing.
    Rest,
}

/// The row of a level that a line begins.
fn row(line: &EntryLine) -> Option<Level> {
    let (name, said) = lead(&line.answer)?;
    let (marks_from, marks_to) =
        range(&name).filter(|(from, _)| *from > Marks::ZERO && line.marks.is_empty())?;
    Some(Level { name, marks_from, marks_to, descriptor: said })
}

/// "7–8" or "3-4 marks" at the beginning of a text, which "Give" may lead, and what follows it.
fn lead(text: &str) -> Option<(String, String)> {
    let mut words = text.split_whitespace().peekable();
    let awards = words.next_if(|word| lexicon::is(Concept::Award, &word.to_lowercase())).is_some();
    let marks = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let unit = words.next_if(|word| counts_marks(word));
    let said = words.collect::<Vec<_>>().join(" ");
    // "Give 2 examples" awards nothing.
    let counts = unit.is_some() || !awards;
    let name = [Some(marks), unit].into_iter().flatten().collect::<Vec<_>>().join(" ");
    (counts && said.starts_with(char::is_alphabetic)).then_some((name, said))
}

/// Each goes on right below the one before it, from the highest on, or right above it: then with the unit beside the
/// numbers, for those of a list rise as well.
fn follows(levels: &[Level], next: &Level, total: Option<Marks>) -> bool {
    let one = Marks::whole(1);
    let counted = next.name.contains(' ');
    match levels {
        [] => total == Some(next.marks_to) || counted && next.marks_from == one,
        [.., last] => {
            next.marks_to + one == last.marks_from || counted && last.marks_to + one == next.marks_from
        }
    }
}

/// "Give 0 marks for …", "0 Nothing relevant"
fn is_nothing(line: &EntryLine) -> bool {
    let mut words =
        line.answer.split_whitespace().skip_while(|word| lexicon::is(Concept::Award, &word.to_lowercase()));
    words.next() == Some("0") || earns_nothing(&line.answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(answer: &str, marks: &str) -> EntryLine {
        EntryLine { answer: answer.into(), marks: marks.into(), ..EntryLine::default() }
    }

    #[test]
    fn rows_may_begin_with_their_marks() {
        let lines = [
            line("Marks Description", ""),
            line("5–6 All parts answered,", ""),
            line("in detail", ""),
            line("3–4 Some parts answered", ""),
            line("1–2 A few statements", ""),
            line("0 Nothing relevant", ""),
            line("Points that may be included:", ""),
        ];
        let (levels, taken) = by_lead(&lines, Some(Marks::whole(6))).unwrap();
        assert_eq!(levels[0].descriptor, "All parts answered, in detail");
        assert_eq!((levels[2].marks_from, levels[2].marks_to), (Marks::whole(1), Marks::whole(2)));
        assert_eq!(taken, [false, true, true, true, true, true, false]);
        assert!(by_lead(&lines, Some(Marks::whole(8))).is_none(), "other marks than the part's");
    }

    #[test]
    fn rows_may_say_whom_to_give_them_and_rise() {
        let lines = [
            line("This question tests how writers persuade.", ""),
            line("Give 0 marks for responses where nothing is", ""),
            line("worthy of credit.", ""),
            line("Give 1-2 marks to those who name an example.", ""),
            line("Give 3-4 marks to those who comment on some", ""),
            line("examples.", ""),
            line("Give 5 marks to those who analyse.", ""),
            line("Details that may be explored could be:", ""),
            line("• the headline", ""),
        ];
        let (levels, taken) = by_lead(&lines, Some(Marks::whole(5))).unwrap();
        assert_eq!(levels.len(), 3);
        assert_eq!((levels[2].marks_from, levels[2].marks_to), (Marks::whole(5), Marks::whole(5)));
        assert_eq!(levels[1].descriptor, "to those who comment on some examples.");
        assert_eq!(taken, [false, true, true, true, true, true, true, false, false]);
    }
}
