//! From the lines of an entry to separate points with their marks.

use super::phrases::{self, Limit, Remark};
use super::{Entry, EntryLine, levels};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;
use domain::question::{AnswerKey, Group, Point, PointKind};

/// A point before the marks are shared out.
#[derive(Clone, Debug, Default)]
struct Unit {
    text: String,
    worth: Option<Marks>,
    kind: PointKind,
    notation: Vec<String>,
    strong: Vec<String>,
    alternatives: Vec<String>,
    accept: Vec<String>,
    reject: Vec<String>,
    ignore: Vec<String>,
    group: Option<u32>,
}

/// What is read from the lines, in order.
#[derive(Debug, Default)]
struct Reading {
    units: Vec<Unit>,
    groups: Vec<Group>,
    notes: Vec<String>,
    /// The last unit is complete: what follows is another.
    closed: bool,
    /// The lines after "OR" are another wording of the last unit.
    other_wording: bool,
    group: Option<u32>,
    /// Bare numbers in the marks column are the marks of the points beside them.
    priced: bool,
}

/// The answer key of an entry.
pub(super) fn key(entry: &Entry, total: Option<Marks>, multiple_choice: bool) -> AnswerKey {
    let own: Vec<EntryLine> = entry.lines.iter().filter(|line| !line.repeats_question).cloned().collect();
    let lines = if own.iter().all(|line| line.answer.is_empty()) { entry.lines.clone() } else { own };
    if multiple_choice && let Some(key) = option_key(&lines, total) {
        return key;
    }
    let (levels, taken) = levels::find(&lines).unwrap_or_default();
    let mut reading = Reading { priced: is_priced(&lines, total), ..Reading::default() };
    for (index, line) in lines.iter().enumerate() {
        if !taken.get(index).copied().unwrap_or(false) {
            reading.line(line);
        }
        reading.guidance(line);
    }
    let (points, groups, notes) = reading.finish(total, !levels.is_empty());
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    AnswerKey { points, groups, notes, levels }
}

/// The right option's letter, with what else the scheme says as notes.
fn option_key(lines: &[EntryLine], total: Option<Marks>) -> Option<AnswerKey> {
    let letter = |line: &EntryLine| {
        let first = line.answer.split_whitespace().next()?;
        let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
        let single = bare.chars().count() == 1 && bare.chars().all(|c| c.is_ascii_alphabetic());
        let excluded = line.answer.contains("is not") || line.answer.contains("incorrect");
        (single && !excluded).then(|| bare.to_owned())
    };
    let (index, letter) = lines.iter().enumerate().find_map(|(index, line)| Some((index, letter(line)?)))?;
    let answer = &lines[index].answer;
    let rest = answer.trim_start_matches(|c: char| !c.is_alphanumeric());
    let said = rest.get(letter.len()..).unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    let alternatives = if said.is_empty() { Vec::new() } else { vec![said.to_owned()] };
    let text = letter;
    let marks = total.unwrap_or(Marks::whole(1));
    let point = Point { text, marks, kind: PointKind::Option, alternatives, ..Point::default() };
    let others = lines.iter().enumerate().filter(|(other, line)| *other != index && !line.answer.is_empty());
    let notes: Vec<&str> = others.map(|(_, line)| line.answer.as_str()).collect();
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    Some(AnswerKey { points: vec![point], notes, ..AnswerKey::default() })
}

/// True when the marks column gives each point its own number, so that they add up to the total.
fn is_priced(lines: &[EntryLine], total: Option<Marks>) -> bool {
    let numbers: Vec<Marks> = lines.iter().filter_map(|line| bare_number(&line.marks)).collect();
    let sum: Marks = numbers.iter().copied().sum();
    numbers.len() >= 2 && total.is_none_or(|total| total == sum)
}

fn bare_number(text: &str) -> Option<Marks> {
    text.trim().parse::<u32>().ok().filter(|number| (1..=100).contains(number)).map(Marks::whole)
}

impl Reading {
    fn line(&mut self, line: &EntryLine) {
        let price = || {
            let worth = bare_number(&line.marks).filter(|_| self.priced)?;
            Some(ColumnMark { worth, kind: PointKind::Point, notation: Vec::new(), lettered: false })
        };
        let column = column_mark(&line.marks).or_else(price);
        let (text, inline) = trailing_mark(&line.answer);
        let worth = column.as_ref().map(|mark| mark.worth).or(inline);
        if text.is_empty() {
            // A mark beside an empty line belongs to what stands above it.
            if let (Some(worth), Some(unit)) = (worth, self.units.last_mut()) {
                unit.worth = Some(unit.worth.unwrap_or(Marks::ZERO) + worth);
                self.closed |= inline.is_some();
            }
            return;
        }
        if let Some(limit) = phrases::limit(&text) {
            self.open_group(&text, limit);
            return;
        }
        if matches!(
            text.to_lowercase().trim_matches(|c: char| !c.is_alphabetic()),
            "or" | "alternatively" | "alt"
        ) {
            self.other_wording = !self.units.is_empty();
            return;
        }
        let (bullet, text) = strip_bullet(&text);
        let starts = self.units.is_empty()
            || self.closed
            || bullet
            || (column.is_some() && self.units.last().is_some_and(|unit| unit.worth.is_some()))
            || (line.space > 0.75 && !self.other_wording);
        if self.other_wording {
            self.add_wording(text);
        } else if starts {
            self.units.push(Unit { text: text.to_owned(), group: self.group, ..Unit::default() });
        } else if let Some(unit) = self.units.last_mut() {
            let target = unit.alternatives.last_mut().unwrap_or(&mut unit.text);
            target.push(' ');
            target.push_str(text);
        }
        self.close(line, column, worth, inline.is_some() || text.ends_with(';'));
    }

    fn add_wording(&mut self, text: &str) {
        if let Some(unit) = self.units.last_mut() {
            unit.alternatives.push(text.to_owned());
        }
        self.other_wording = false;
    }

    /// Notes on the last unit what its line says about marks.
    fn close(&mut self, line: &EntryLine, column: Option<ColumnMark>, worth: Option<Marks>, closed: bool) {
        let Some(unit) = self.units.last_mut() else { return };
        unit.strong.extend(line.strong.iter().cloned());
        if let Some(worth) = worth {
            unit.worth = Some(unit.worth.unwrap_or(Marks::ZERO) + worth);
        }
        if let Some(column) = column {
            unit.kind = column.kind;
            unit.notation.extend(column.notation);
        }
        self.closed = closed;
    }

    fn open_group(&mut self, text: &str, limit: Limit) {
        let (pick, max) = match limit {
            Limit::Pick(count) => (Some(count), None),
            Limit::Max(marks) => (None, Some(marks)),
        };
        self.groups.push(Group { text: text.to_owned(), pick, max });
        self.group = u32::try_from(self.groups.len() - 1).ok();
        self.closed = true;
    }

    /// Guidance beside a line is about the point on that line.
    fn guidance(&mut self, line: &EntryLine) {
        let text = line.guidance.trim();
        if text.is_empty() {
            return;
        }
        let (remark, wording) = phrases::remark(text);
        let wording = wording.to_owned();
        match (remark, self.units.last_mut()) {
            (Remark::Accept, Some(unit)) => unit.accept.push(wording),
            (Remark::Reject, Some(unit)) => unit.reject.push(wording),
            (Remark::Ignore, Some(unit)) => unit.ignore.push(wording),
            _ if phrases::begins_remark(text) => self.notes.push(text.to_owned()),
            (_, Some(unit)) => match [&mut unit.accept, &mut unit.reject, &mut unit.ignore]
                .into_iter()
                .filter_map(|list| list.last_mut())
                .next_back()
            {
                // A remark goes on over several lines of a narrow column.
                Some(last) if line.answer.is_empty() || line.space < 0.75 => {
                    last.push(' ');
                    last.push_str(text);
                }
                _ => self.notes.push(text.to_owned()),
            },
            (_, None) => self.notes.push(text.to_owned()),
        }
    }

    /// Shares the marks out and makes points of the units.
    fn finish(mut self, total: Option<Marks>, by_levels: bool) -> (Vec<Point>, Vec<Group>, Vec<String>) {
        if by_levels {
            // Levels carry the marks; the text beside them is indicative content.
            self.notes.splice(0..0, self.units.drain(..).map(|unit| unit.text));
            return (Vec::new(), Vec::new(), self.notes);
        }
        let stated = self.units.iter().any(|unit| unit.worth.is_some());
        let limited = self.units.iter().any(|unit| unit.group.is_some());
        if stated && !limited {
            let (priced, free): (Vec<Unit>, Vec<Unit>) =
                self.units.into_iter().partition(|unit| unit.worth.is_some());
            self.notes.splice(0..0, free.into_iter().map(|unit| unit.text));
            self.units = priced;
        }
        let worths = worths(&self.units, &self.groups, total);
        let sum: Marks = worths.iter().copied().sum();
        if let Some(total) = total.filter(|total| *total < sum && self.groups.is_empty()) {
            self.groups.push(Group { text: format!("max {total}"), pick: None, max: Some(total) });
            for unit in &mut self.units {
                unit.group = Some(0);
            }
        }
        let points = self.units.into_iter().zip(worths).map(|(unit, worth)| point(unit, worth)).collect();
        (points, self.groups, self.notes)
    }
}

fn worths(units: &[Unit], groups: &[Group], total: Option<Marks>) -> Vec<Marks> {
    let one = Marks::whole(1);
    let count = u32::try_from(units.len()).unwrap_or(u32::MAX);
    let whole = total.unwrap_or(Marks::whole(count.max(1)));
    let stated: Marks = units.iter().filter_map(|unit| unit.worth).sum();
    if !stated.is_zero() {
        return units.iter().map(|unit| unit.worth.unwrap_or(one)).collect();
    }
    let pick = groups.iter().filter_map(|group| group.pick).sum::<u32>();
    let outside = units.iter().filter(|unit| unit.group.is_none()).count() as u32;
    let counted = if pick > 0 { pick + outside } else { count };
    if counted == 0 {
        return Vec::new();
    }
    let share = whole.as_halves() / counted;
    if share >= 2 && share * counted == whole.as_halves() {
        return vec![Marks::halves(share); units.len()];
    }
    if pick > 0 || whole <= Marks::whole(count) {
        return vec![one; units.len()];
    }
    // More marks than points: the last, which holds the answer, takes what is over.
    let mut shares = vec![one; units.len()];
    if let Some(last) = shares.last_mut() {
        *last = whole.less(Marks::whole(count - 1));
    }
    shares
}

fn point(unit: Unit, marks: Marks) -> Point {
    let (text, mut notation) = phrases::strip_notation(&unit.text);
    let (text, mut alternatives) = phrases::alternatives(&text);
    alternatives.extend(unit.alternatives);
    notation.extend(unit.notation);
    notation.dedup();
    Point {
        text,
        marks,
        kind: unit.kind,
        alternatives,
        accept: unit.accept,
        reject: unit.reject,
        ignore: unit.ignore,
        required: unit.strong,
        notation,
        group: unit.group,
        depends_on: None,
    }
}

/// A mark in the marks column: "M1", "A1ft", "dM1", "B2", "1", "✓".
#[derive(Clone, Debug, PartialEq)]
struct ColumnMark {
    worth: Marks,
    kind: PointKind,
    notation: Vec<String>,
    /// True for "M1" and the like, false for a bare number.
    lettered: bool,
}

fn column_mark(text: &str) -> Option<ColumnMark> {
    let mut worth = Marks::ZERO;
    let mut kind = PointKind::Point;
    let mut notation = Vec::new();
    let mut lettered = false;
    for word in text.split([' ', ',', '+']).filter(|word| !word.is_empty()) {
        if let Some((own, marks, suffix)) = lettered_mark(word) {
            if !lettered {
                kind = own;
            }
            lettered = true;
            worth = worth + marks;
            if !suffix.is_empty() {
                notation.push(suffix.to_lowercase());
            }
        } else if matches!(word.to_lowercase().as_str(), "ft" | "cao" | "oe" | "dep" | "isw" | "cso") {
            notation.push(word.to_lowercase());
        }
    }
    if !lettered {
        // A bare number in the column is the part's total and says nothing about the line.
        let ticks = text.chars().filter(|c| matches!(c, '✓' | '✔' | '√')).count();
        worth = Marks::whole(u32::try_from(ticks).unwrap_or(0));
    }
    (!worth.is_zero()).then_some(ColumnMark { worth, kind, notation, lettered })
}

/// "dM1", "A1ft", "B2", "M1*": kind, worth and suffix.
fn lettered_mark(word: &str) -> Option<(PointKind, Marks, &str)> {
    let bare = word.trim_matches(['(', ')', '*', '[', ']', ':']);
    let bare = bare.strip_prefix(['d', 'D']).unwrap_or(bare);
    let kind = match bare.chars().next()? {
        'M' => PointKind::Method,
        'A' => PointKind::Accuracy,
        'B' | 'E' | 'C' | 'P' | 'R' => PointKind::Independent,
        _ => return None,
    };
    let rest = &bare[1..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let value: u32 = rest[..digits].parse().ok().filter(|value| (1..=9).contains(value))?;
    let suffix = &rest[digits..];
    (suffix.len() <= 4 && suffix.chars().all(char::is_alphabetic)).then_some((
        kind,
        Marks::whole(value),
        suffix,
    ))
}

/// "(1)", "(1 mark)", "[2]", "✓" at the end of a line, and the text without it.
fn trailing_mark(text: &str) -> (String, Option<Marks>) {
    let trimmed = text.trim();
    let bare = trimmed.trim_end_matches(['✓', '✔', ' ']);
    let ticks = trimmed[bare.len()..].chars().filter(|c| *c != ' ').count();
    if ticks > 0 {
        return (bare.to_owned(), Some(Marks::whole(u32::try_from(ticks).unwrap_or(1))));
    }
    let words: Vec<&str> = trimmed.split_whitespace().collect();
    if let Some(note) = marks::at_end(&words).filter(|note| note.scope == Scope::Part) {
        // "(3)" may be an exponent or a case; a small number alone in brackets is a mark.
        let small = note.certainty > Certainty::ByPlace || note.marks <= Marks::whole(4);
        let formula =
            words.len() > note.words && words[words.len() - note.words - 1].ends_with(['=', '+', '−']);
        if small && !formula && (note.bracketed || words.len() == note.words) {
            return (words[..words.len() - note.words].join(" "), Some(note.marks));
        }
    }
    (trimmed.to_owned(), None)
}

/// Takes a bullet or a list number off a line: "• text", "1. text", "M1 text".
fn strip_bullet(text: &str) -> (bool, &str) {
    let rest =
        text.trim_start_matches(['•', '●', '▪', '◦', '○', '–', '-', '·', '*', '\u{F0B7}']).trim_start();
    if rest.len() < text.len() && !rest.is_empty() && !text.starts_with(['-', '–', '*']) {
        return (true, rest);
    }
    if text.starts_with("- ") || text.starts_with("– ") || text.starts_with("* ") {
        return (true, rest);
    }
    let Some((first, after)) = text.split_once(' ') else { return (false, text) };
    let digits = first.trim_start_matches("MP").trim_start_matches('M').trim_end_matches(['.', ')', ':']);
    let counted = !digits.is_empty() && digits.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit());
    let marked = first.len() > digits.len();
    if counted && marked && !after.trim().is_empty() { (true, after.trim()) } else { (false, text) }
}

/// The marks that the scheme prints for the part as a whole.
pub(super) fn printed_marks(entry: &Entry) -> Option<Marks> {
    let mut bare: Vec<Marks> = Vec::new();
    let mut bracketed: Vec<Marks> = Vec::new();
    let mut lettered = Marks::ZERO;
    for line in &entry.lines {
        let text = line.marks.trim();
        if let Some(mark) = column_mark(text).filter(|mark| mark.lettered) {
            lettered = lettered + mark.worth;
        } else if let Some(number) = bare_number(text) {
            bare.push(number);
        } else if let Some(note) = marks::at_end(&text.split_whitespace().collect::<Vec<_>>())
            && note.scope == Scope::Part
        {
            bracketed.push(note.marks);
        }
    }
    if let Some(only) = bracketed.first().filter(|_| bracketed.len() == 1 || !lettered.is_zero()) {
        // A sum over several parts stands beside the last of them, whose own marks are fewer.
        return Some(if lettered.is_zero() { *only } else { lettered.min(*only) });
    }
    match bare.as_slice() {
        [] if !bracketed.is_empty() => Some(bracketed.into_iter().sum()),
        [] if !lettered.is_zero() => Some(lettered),
        [] => running_marks(entry),
        [first, rest @ ..] if !lettered.is_zero() || rest.iter().copied().sum::<Marks>() == *first => {
            Some(*first)
        }
        all => Some(all.iter().copied().sum()),
    }
}

/// Marks in running text: "2 : answer" beside a solution, or "(2 marks)" at line ends.
fn running_marks(entry: &Entry) -> Option<Marks> {
    let counted = |line: &EntryLine| {
        let text = line.answer.trim_start_matches(|c: char| !c.is_alphanumeric());
        let (number, rest) = text.split_once(':')?;
        let value: u32 = number.trim().parse().ok().filter(|value| (1..=20).contains(value))?;
        (rest.is_empty() || rest.starts_with([' ', '\u{F000}']) || rest.len() > 1)
            .then_some((line.indent, value))
    };
    let found: Vec<(f32, u32)> = entry.lines.iter().filter_map(counted).collect();
    let edge = found.iter().map(|(indent, _)| *indent).fold(f32::INFINITY, f32::min);
    // Inner marks are set to the right of the brace that sums them up.
    let outer: u32 = found.iter().filter(|(indent, _)| *indent <= edge + 6.0).map(|(_, value)| value).sum();
    if outer > 0 {
        return Some(Marks::whole(outer));
    }
    let stated = entry.lines.iter().filter_map(|line| {
        let words: Vec<&str> = line.answer.split_whitespace().collect();
        marks::at_end(&words)
            .filter(|note| note.scope == Scope::Part && note.certainty == Certainty::Sure && note.bracketed)
    });
    let sum: Marks = stated.map(|note| note.marks).sum();
    (!sum.is_zero()).then_some(sum)
}
