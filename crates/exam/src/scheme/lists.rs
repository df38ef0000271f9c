//! Lines of an entry before they are cut into points: what wraps is joined, what counts points is dropped, and
//! what their breaks and their column of marks say.

use super::column::{BULLETS, bare_number, column_mark, strip_bullet};
use super::{EntryLine, phrases, pieces};
use crate::marks::quarters;
use domain::marks::Marks;
use lexicon::Concept;

/// Puts a bullet that was read as a line of its own before the next line: its sign stands higher than the text.
pub(super) fn bullets_joined(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let is_bullet = |line: &EntryLine| {
        let text = line.answer.trim();
        text.chars().count() == 1
            && text.chars().all(|c| BULLETS.contains(&c))
            && line.marks.trim().is_empty()
    };
    let mut joined: Vec<EntryLine> = Vec::with_capacity(lines.len());
    for line in lines {
        match joined.last_mut().filter(|last| is_bullet(last) && !is_bullet(&line) && !line.answer.is_empty())
        {
            Some(last) => {
                let (answer, space) = (format!("{} {}", last.answer.trim(), line.answer), last.space);
                *last = EntryLine { answer, space, ..line };
            }
            None => joined.push(line),
        }
    }
    joined
}

/// Joins a line to the next where it wraps after a mark inside it: "move (1) and carry charge / (1)".
pub(super) fn joined(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut joined: Vec<EntryLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let Some(last) = joined.last_mut() else {
            joined.push(line);
            continue;
        };
        let alike = line.marks.is_empty() && line.guidance.is_empty() && !line.answer.is_empty();
        let wraps = line.space < 0.75 && !is_broken(last.free, &line) && alike;
        let priced = wraps && ends_price(&last.answer) && begins_spread(&line.answer);
        if priced || wraps && marked_inside(&last.answer) && line.answer.trim_end().ends_with(')') {
            last.answer = format!("{} {}", last.answer, line.answer);
            last.free = line.free;
            last.strong.extend(line.strong);
        } else {
            joined.push(line);
        }
    }
    joined
}

/// "… sinks again. 1 mark": what each of the points is worth goes on below.
fn ends_price(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [.., before, number, unit] = words[..] else { return false };
    let counts = lexicon::small_number(&number.to_lowercase()).is_some();
    before.ends_with(['.', ';']) && counts && lexicon::is(Concept::MarkUnit, &unit.to_lowercase())
}

/// "for each step", "per correct line"
fn begins_spread(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    lexicon::is(Concept::Per, first) || lexicon::is(Concept::Each, second) && lexicon::is(Concept::For, first)
}

/// Joins a line that ends with an odd quarter of a mark to the next that has one: only both together are marks.
pub(super) fn quarters_joined(lines: Vec<EntryLine>) -> Vec<EntryLine> {
    let mut joined: Vec<EntryLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let odd = |line: &EntryLine| quarters::count(&line.answer) % 2 == 1;
        match joined.last_mut().filter(|last| odd(last) && odd(&line)) {
            Some(last) => {
                let (_, text) = strip_bullet(&line.answer);
                last.answer = format!("{} {text}", last.answer);
                last.free = line.free;
            }
            None => joined.push(line),
        }
    }
    joined
}

/// Moves marks that stand before their points into the column of marks: "[1] No" and "[3] 7654 or 4567" for four.
pub(super) fn priced_before(mut lines: Vec<EntryLine>, total: Option<Marks>) -> Vec<EntryLine> {
    let price = |line: &EntryLine| {
        let (mark, text) = line.answer.strip_prefix('[')?.split_once("] ")?;
        let counts = !text.trim().is_empty() && line.marks.is_empty();
        Some((bare_number(mark).filter(|_| counts)?, text.trim().to_owned()))
    };
    let found: Vec<Option<(Marks, String)>> = lines.iter().map(price).collect();
    let sum: Marks = found.iter().flatten().map(|(marks, _)| *marks).sum();
    if found.iter().flatten().count() >= 2 && total == Some(sum) {
        for (line, priced) in lines.iter_mut().zip(found) {
            if let Some((marks, text)) = priced {
                (line.answer, line.marks) = (text, marks.to_string());
            }
        }
    }
    lines
}

/// True when a mark such as "(1)" stands inside the text and none at its end.
fn marked_inside(text: &str) -> bool {
    let is_mark = |word: &str| {
        let inner =
            word.trim_end_matches([',', ';', '.']).strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        inner.is_some_and(|inner| matches!(inner, "1" | "2" | "3"))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let inside = words.iter().skip(1).any(|word| is_mark(word));
    inside && !words.last().is_some_and(|last| is_mark(last))
}

/// Turns the letters of a list, "a. b. c." one after the other, and its numerals, "(i) (ii) (iii)", into bullets.
pub(super) fn without_letters(mut lines: Vec<EntryLine>) -> Vec<EntryLine> {
    /// Fewer small numerals in brackets may be parts of the question.
    const NUMERALS_LEAST: usize = 3;
    let ways: [(usize, Behind); 2] = [(2, behind_letter), (NUMERALS_LEAST, behind_numeral)];
    for (least, counted) in ways {
        let mut found: Vec<(usize, String)> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let rest =
                counted(&line.answer, found.len()).filter(|rest| rest.starts_with(char::is_whitespace));
            found.extend(rest.map(|rest| (index, format!("• {}", rest.trim()))));
        }
        if found.len() >= least {
            found.into_iter().for_each(|(index, text)| lines[index].answer = text);
        }
    }
    lines
}

/// Reads what stands behind the sign at a place of a list.
type Behind = fn(&str, usize) -> Option<&str>;

/// What stands behind the letter at this place of a list, "b." or "b)".
fn behind_letter(text: &str, at: usize) -> Option<&str> {
    let letter = char::from(b'a'.saturating_add(u8::try_from(at).ok()?));
    text.strip_prefix(letter)?.strip_prefix(['.', ')'])
}

fn behind_numeral(text: &str, at: usize) -> Option<&str> {
    text.strip_prefix(NUMERALS.get(at)?)
}

/// Small numerals in brackets, as lists of points count.
const NUMERALS: [&str; 10] =
    ["(i)", "(ii)", "(iii)", "(iv)", "(v)", "(vi)", "(vii)", "(viii)", "(ix)", "(x)"];

/// True when the marks column gives each point its own number, so that they add up to the total.
pub(super) fn is_priced(lines: &[EntryLine], total: Option<Marks>) -> bool {
    // What follows "OR" carries the same marks again.
    let first = lines.iter().take_while(|line| !phrases::is_or(&line.answer));
    let numbers: Vec<Marks> = first.filter_map(|line| bare_number(&line.marks)).collect();
    let sum: Marks = numbers.iter().copied().sum();
    // More points of one mark each than marks: any of them count, up to the total.
    let said = lines.iter().filter(|line| !line.answer.is_empty()).count();
    let spare = numbers.len() == said && numbers.iter().all(|number| *number == Marks::whole(1));
    numbers.len() >= 2 && total.is_none_or(|total| total == sum || (spare && sum > total))
}

/// True when a line was broken before the next one's first word for want of nothing but a new point.
pub(super) fn is_broken(free: f32, next: &EntryLine) -> bool {
    const SPACE: f32 = 3.0;
    free > next.first + SPACE
}

/// True when plain lines, each broken by hand, are as many as the marks.
pub(super) fn is_list_of_lines(lines: &[EntryLine], total: Option<Marks>) -> bool {
    let Some(total) = total.filter(|total| *total >= Marks::whole(2)) else { return false };
    let says =
        |line: &&EntryLine| pieces::cut(&line.answer).pieces.iter().any(|piece| !piece.text.is_empty());
    let said: Vec<&EntryLine> = lines.iter().filter(says).collect();
    let plain = |line: &&EntryLine| {
        let cut = pieces::cut(&line.answer);
        let whole = cut.pieces.len() == 1 && cut.pieces[0].worth.is_none() && cut.pieces[0].remark.is_none();
        let or = phrases::is_or(&line.answer);
        let marked = column_mark(&line.marks).is_some();
        whole && !or && !marked && !strip_bullet(&line.answer).0 && phrases::limit(&line.answer).is_none()
    };
    let breaks = said.windows(2).filter(|pair| is_broken(pair[0].free, pair[1])).count();
    // Where some lines have their price, the others go on with them.
    !is_priced(lines, Some(total))
        && said.iter().all(plain)
        && u32::try_from(breaks + 1).is_ok_and(|count| Marks::whole(count) == total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(texts: &[&str], total: u32) -> Vec<(String, String)> {
        let line = |text: &&str| EntryLine { answer: (*text).to_owned(), ..EntryLine::default() };
        let lines = priced_before(texts.iter().map(line).collect(), Some(Marks::whole(total)));
        lines.into_iter().map(|line| (line.marks, line.answer)).collect()
    }

    #[test]
    fn marks_before_points_are_their_price() {
        let pair = |marks: &str, text: &str| (marks.to_owned(), text.to_owned());
        let read = moved(&["[1] No", "[2] Each of them is joined to", "one other"], 3);
        assert_eq!(read, [pair("1", "No"), pair("2", "Each of them is joined to"), pair("", "one other")]);
        // Numbers of sources add up to nothing.
        assert_eq!(moved(&["[1] Smith", "[2] Jones"], 5)[0], pair("", "[1] Smith"));
        assert_eq!(moved(&["[2, 3] is closed", "[1] x"], 1)[0], pair("", "[2, 3] is closed"));
    }
}
