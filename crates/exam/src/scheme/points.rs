//! From the lines of an entry to separate points with their marks.

use super::column::{ColumnMark, bare_number, column_mark, strip_bullet, trailing_mark};
use super::partial::{self, Step};
use super::phrases::{self, Limit, Remark};
use super::{Entry, EntryLine, levels};
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
    /// Part marks that the guidance offers.
    steps: Vec<Step>,
    /// The last line of guidance ended within a step.
    in_step: bool,
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
    let lines = phrases::joined_headings(lines);
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
        if let Some((marks, rest)) = phrases::priced(&text) {
            self.open_priced(marks, rest);
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
            || (line.space > 0.75
                && !self.other_wording
                && !self.units.last().is_some_and(|unit| unit.text.is_empty()));
        if self.other_wording {
            self.add_wording(text);
        } else if starts {
            self.units.push(Unit { text: text.to_owned(), group: self.group, ..Unit::default() });
        } else if let Some(unit) = self.units.last_mut() {
            let target = unit.alternatives.last_mut().unwrap_or(&mut unit.text);
            if !target.is_empty() {
                target.push(' ');
            }
            target.push_str(text);
        }
        self.close(line, column, worth, inline.is_some() || text.ends_with(';'));
    }

    /// "One mark for:" ends a list and prices what follows.
    fn open_priced(&mut self, marks: Marks, rest: &str) {
        self.group = None;
        self.units.push(Unit { text: rest.to_owned(), worth: Some(marks), ..Unit::default() });
        self.closed = false;
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
        let (text, steps) = partial::steps(text);
        let text = text.as_str();
        if let Some(step) = self.steps.last_mut().filter(|_| {
            self.in_step && steps.is_empty() && line.space < 0.75 && !phrases::begins_remark(text)
        }) {
            return step.go_on(text);
        }
        self.in_step = !steps.is_empty();
        self.steps.extend(steps);
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
            self.notes.extend(self.steps.iter().map(Step::said));
            return (Vec::new(), Vec::new(), self.notes);
        }
        self.units.retain(|unit| !unit.text.is_empty());
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
        let mut points: Vec<Point> =
            self.units.into_iter().zip(worths).map(|(unit, worth)| point(unit, worth)).collect();
        let whole = total.filter(|total| *total > Marks::whole(1) && !self.steps.is_empty());
        if let (Some(total), true) = (whole, points.len() == 1 && points[0].kind == PointKind::Point) {
            (points, self.groups) = partial::points(points.remove(0), &self.steps, total);
        } else {
            self.notes.extend(self.steps.iter().map(Step::said));
        }
        (points, self.groups, self.notes)
    }
}

fn worths(units: &[Unit], groups: &[Group], total: Option<Marks>) -> Vec<Marks> {
    let one = Marks::whole(1);
    let count = u32::try_from(units.len()).unwrap_or(u32::MAX);
    let whole = total.unwrap_or(Marks::whole(count.max(1)));
    let stated: Marks = units.iter().filter_map(|unit| unit.worth).sum();
    let pick = groups.iter().filter_map(|group| group.pick).sum::<u32>();
    if !stated.is_zero() {
        let left = whole.less(stated).as_halves();
        let each = if pick > 0 && left >= 2 * pick && left.is_multiple_of(pick) {
            Marks::halves(left / pick)
        } else {
            one
        };
        return units.iter().map(|unit| unit.worth.unwrap_or(each)).collect();
    }
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
