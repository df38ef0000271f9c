//! Levels whose rows begin with their marks: "7–8 All parts are answered in detail", "Give 3-4 marks to those who …".

use super::EntryLine;
use super::levels::{begins_content, counts_marks, earns_nothing, range};
use super::phrases;
use domain::marks::Marks;
use domain::question::Level;
use lexicon::Concept;
use lexicon::english::joints;

/// Fewer may be anything that begins with numbers.
const LEAST: usize = 3;
/// White above a line that belongs to no row before it, in line heights.
const APART: f32 = 0.75;

/// The levels of such rows, and which of the lines they take up: without a gap from one mark to all of the part's.
pub(super) fn by_lead(lines: &[EntryLine], total: Option<Marks>) -> Option<(Vec<Level>, Vec<bool>)> {
    let mut levels: Vec<Level> = Vec::new();
    let mut taken = vec![false; lines.len()];
    let mut open = Open::Nothing;
    let mut has_nothing = false;
    for (index, line) in lines.iter().enumerate() {
        let row = row(line);
        if let Some(last) =
            levels.last_mut().filter(|last| row.as_ref().is_some_and(|row| is_same(last, row)))
        {
            // "or" stands between two ways to reach a level.
            let said = row.map_or_else(String::new, |row| row.descriptor);
            last.descriptor = [last.descriptor.as_str(), &said].join(joints::OR);
            open = Open::Level;
        } else if let Some(level) = row.filter(|level| follows(&levels, level, total)) {
            levels.push(level);
            open = Open::Level;
        } else if is_nothing(line) {
            open = Open::Rest;
            has_nothing = true;
        } else if line.space >= APART && !phrases::is_or(&line.answer)
            || begins_content(&line.answer)
            || heads_content(line, &levels, total)
        {
            open = Open::Nothing;
        } else if let Some(level) =
            levels.last_mut().filter(|_| open == Open::Level && !phrases::is_or(&line.answer))
        {
            level.descriptor.push(' ');
            level.descriptor.push_str(&line.answer);
        }
        taken[index] = open != Open::Nothing;
    }
    let spans = levels.iter().any(|level| level.marks_from < level.marks_to);
    // A row for nothing tells levels from points of a mark each.
    let told = has_nothing && levels.len() > 1 || levels.len() >= LEAST && spans;
    (told && are_all(&levels, total)).then_some((levels, taken))
}

/// What the best of such rows earns, the first.
pub(super) fn best(lines: &[EntryLine]) -> Option<Marks> {
    let most = lines.iter().find_map(row)?.marks_to;
    by_lead(lines, Some(most)).map(|_| most)
}

fn is_same(one: &Level, other: &Level) -> bool {
    (one.marks_from, one.marks_to) == (other.marks_from, other.marks_to)
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
    let text = text.trim_start();
    // "(2 credits) Both are right"
    let inner = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let text = &inner.map_or_else(|| text.to_owned(), |(inner, rest)| format!("{inner}{rest}"));
    let mut words = text.split_whitespace().peekable();
    let awards = words.next_if(|word| lexicon::is(Concept::Award, &word.to_lowercase())).is_some();
    let marks = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let unit = words.next_if(|word| counts_marks(word));
    let said = words.collect::<Vec<_>>().join(" ");
    // "Give 2 examples" awards nothing.
    let counts = unit.is_some() || !awards;
    let name = [Some(marks), unit].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let begins = |c: char| c.is_alphabetic() || inner.is_some() && c.is_alphanumeric();
    (counts && said.starts_with(begins)).then_some((name, said))
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

/// "Give 0 marks for …", "0 Nothing relevant", "(0 credits) …"
fn is_nothing(line: &EntryLine) -> bool {
    let mut words =
        line.answer.split_whitespace().skip_while(|word| lexicon::is(Concept::Award, &word.to_lowercase()));
    words.next().is_some_and(|first| first.trim_start_matches('(') == "0") || earns_nothing(&line.answer)
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
