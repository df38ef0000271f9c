//! From the lines of an entry to separate points with their marks.

use super::column::{ColumnMark, bare_number, column_mark, strip_bullet, trailing_mark};
use super::lists::{self, is_broken, is_list_of_lines, is_priced};
use super::partial::{self, Step};
use super::phrases::{self, Limit, Remark};
use super::pieces::{self, Cut, Piece};
use super::shares::{self, depend};
use super::unfolded::unfolded;
use super::unit::Unit;
use super::{Entry, EntryLine, boxes, choice, echoes, levels, worth};
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Group, Point, PointKind};

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
    /// What the part is worth.
    total: Option<Marks>,
    group: Option<u32>,
    /// Bare numbers in the marks column are the marks of the points beside them.
    priced: bool,
    /// Each line that was broken by hand ends a point.
    by_line: bool,
    /// White after the last line.
    free: f32,
    /// What the last line says about the last unit, as long as the remark may go on.
    remarking: Option<Remark>,
    /// "(1 mark each)" on a line of its own.
    each: Option<Marks>,
    /// The unit whose worth holds marks that may sum up all of them, and those marks.
    doubted: Option<(usize, Marks)>,
}

/// The answer key of an entry.
pub(super) fn key(entry: &Entry, total: Option<Marks>, options: &[Choice]) -> AnswerKey {
    let mut lines = echoes::without(&entry.lines);
    if let Some(letter) = entry.letter {
        lines.insert(0, EntryLine { answer: letter.to_string(), ..EntryLine::default() });
    }
    if !options.is_empty()
        && let Some(key) = choice::key(&lines, entry.letter.is_some(), total, options)
    {
        return key;
    }
    if let Some(units) = boxes::filled(&entry.lines) {
        let worths = shares::worths(&units, &[], total);
        let points = units.into_iter().zip(worths).map(|(unit, worth)| unit.into_point(worth)).collect();
        return AnswerKey { points, ..AnswerKey::default() };
    }
    let lines = lists::without_letters(lists::joined(phrases::joined_headings(lines)));
    let set_apart = entry.levels(total).map(|levels| (levels.to_vec(), Vec::new()));
    let in_lines = || levels::find(&lines).or_else(|| levels::by_column(&lines, total));
    let (levels, taken) = set_apart.or_else(in_lines).unwrap_or_default();
    let by_line = levels.is_empty() && is_list_of_lines(&lines, total);
    let mut reading = Reading { priced: is_priced(&lines, total), by_line, total, ..Reading::default() };
    for (index, line) in lines.iter().enumerate() {
        if !taken.get(index).copied().unwrap_or(false) {
            reading.line(line);
        }
        reading.guidance(line);
    }
    let (points, groups, notes) = reading.finish(total, !levels.is_empty());
    let points = if levels.is_empty() { worth::apart(points) } else { points };
    let notes = (!notes.is_empty()).then(|| notes.join("\n"));
    unfolded(AnswerKey { points, groups, notes, levels, ..AnswerKey::default() }, total)
}

impl Reading {
    fn line(&mut self, line: &EntryLine) {
        let price = || {
            let worth = bare_number(&line.marks).filter(|_| self.priced)?;
            Some(ColumnMark { worth, kind: PointKind::Point, notation: Vec::new(), lettered: false })
        };
        let column = column_mark(&line.marks).or_else(price);
        let broken = is_broken(std::mem::replace(&mut self.free, line.free), line);
        let text = pieces::without_lead(&line.answer);
        if let Some((heading, limit, list)) = phrases::limited_list(text) {
            self.open_group(heading, limit);
            self.list(list);
            return;
        }
        if let Some(limit) = phrases::limit(text) {
            self.open_group(text, limit);
            return;
        }
        if let Some(("", each)) = phrases::each(text) {
            self.each = Some(each);
            return;
        }
        if let Some((each, most)) = phrases::each_of(text) {
            self.each = Some(each);
            if let Some(most) = most {
                self.open_group(text, Limit::Max(most));
            }
            self.closed = true;
            return;
        }
        if let Some((marks, "")) = phrases::priced(text) {
            self.open_priced(marks, "");
            return;
        }
        let word = text.to_lowercase();
        if phrases::is_heading(&word) {
            self.closed = true;
            return;
        }
        if matches!(word.trim_matches(|c: char| !c.is_alphabetic()), "or" | "alternatively" | "alt") {
            self.other_wording = !self.units.is_empty() && !self.is_complete();
            self.closed = true;
            return;
        }
        self.pieces(line, pieces::cut(&line.answer), column.as_ref(), broken);
    }

    /// True when several points have earned all marks: what follows "OR" is another way to earn them.
    fn is_complete(&self) -> bool {
        let earned: Option<Vec<Marks>> = self.units.iter().map(|unit| unit.worth).collect();
        let sum = earned.map(|earned| earned.into_iter().sum::<Marks>());
        self.units.len() > 1 && sum.is_some() && sum == self.total
    }

    /// The points of one line.
    fn pieces(&mut self, line: &EntryLine, cut: Cut, column: Option<&ColumnMark>, broken: bool) {
        let count = cut.pieces.len();
        let doubted = cut.doubted;
        if count == 0
            && let (Some(mark), Some(unit)) = (column, self.units.last_mut())
        {
            // A mark beside an empty line belongs to what stands above it.
            unit.worth = Some(unit.worth.unwrap_or(Marks::ZERO) + mark.worth);
        }
        for (index, piece) in cut.pieces.into_iter().enumerate() {
            let own = column.cloned().filter(|_| index + 1 == count);
            if let Some(remark) = piece.remark.filter(|_| !self.units.is_empty()) {
                self.remark(remark, piece.text);
                continue;
            }
            if index == 0 && !broken && line.space < 0.75 && self.goes_on_remarking(&piece) {
                continue;
            }
            self.remarking = None;
            // Each line under "any two from" that was broken by hand is one of them.
            let listed = broken && (self.by_line || self.group.is_some());
            self.point(line, &piece, own, index > 0 || cut.opens || listed);
        }
        if let Some(marks) = doubted {
            self.doubted = self.units.len().checked_sub(1).map(|unit| (unit, marks));
        }
    }

    /// Adds a piece as a unit of its own, or to the last one.
    fn point(&mut self, line: &EntryLine, piece: &Piece, column: Option<ColumnMark>, apart: bool) {
        let worth = column.as_ref().map(|mark| mark.worth).or(piece.worth);
        if piece.text.is_empty() {
            if let (Some(worth), Some(unit)) = (worth, self.units.last_mut()) {
                unit.worth = Some(unit.worth.unwrap_or(Marks::ZERO) + worth);
                self.closed |= piece.worth.is_some();
            }
            return;
        }
        let (bullet, text) = strip_bullet(&piece.text);
        let starts = self.units.is_empty()
            || self.closed
            || bullet
            || apart
            || (column.is_some() && self.units.last().is_some_and(|unit| unit.worth.is_some()))
            || (line.space > 0.75
                && !self.other_wording
                && !self.units.last().is_some_and(|unit| unit.text.is_empty()));
        if self.other_wording {
            let priced = self.units.last().is_some_and(|unit| unit.worth.is_some());
            self.add_wording(text);
            // The other wording earns the same marks, not more.
            let worth = worth.filter(|_| !priced);
            return self.close(line, column, worth, piece.closed);
        }
        if starts {
            self.units.push(Unit { text: text.to_owned(), group: self.group, ..Unit::default() });
        } else if let Some(unit) = self.units.last_mut() {
            let target = unit.alternatives.last_mut().unwrap_or(&mut unit.text);
            if !target.is_empty() {
                target.push(' ');
            }
            target.push_str(text);
        }
        self.close(line, column, worth, piece.closed);
    }

    /// The items of a list that stands on its heading's line.
    fn list(&mut self, list: &str) {
        let (list, _) = trailing_mark(list);
        let pieces = pieces::cut(&list).pieces;
        let single = pieces.len() == 1 && pieces[0].worth.is_none();
        let texts: Vec<String> = match pieces.into_iter().next() {
            Some(only) if single && only.text.contains(" / ") => {
                only.text.split(" / ").map(str::to_owned).collect()
            }
            Some(only) if single => phrases::items(&only.text).into_iter().map(str::to_owned).collect(),
            _ => pieces::cut(&list).pieces.into_iter().map(|piece| piece.text).collect(),
        };
        let group = self.group;
        self.units.extend(texts.into_iter().map(|text| Unit { text, group, ..Unit::default() }));
        self.closed = true;
    }

    fn remark(&mut self, remark: Remark, wording: String) {
        let Some(unit) = self.units.last_mut() else { return };
        match remark {
            Remark::Accept => unit.accept.push(wording),
            Remark::Reject => unit.reject.push(wording),
            Remark::Ignore => unit.ignore.push(wording),
            Remark::Note => self.notes.push(wording),
        }
        self.remarking = Some(remark);
    }

    /// True when a line goes on with the remark that the one before it began.
    fn goes_on_remarking(&mut self, piece: &Piece) -> bool {
        let Some(unit) = self.units.last_mut() else { return false };
        let list = match self.remarking {
            Some(Remark::Accept) => &mut unit.accept,
            Some(Remark::Reject) => &mut unit.reject,
            Some(Remark::Ignore) => &mut unit.ignore,
            Some(Remark::Note) | None => return false,
        };
        let Some(last) = list.last_mut().filter(|_| piece.worth.is_none()) else { return false };
        last.push(' ');
        last.push_str(&piece.text);
        true
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
        let opens = phrases::begins_remark(text) || partial::begins_mark(text);
        if let Some(step) =
            self.steps.last_mut().filter(|_| self.in_step && steps.is_empty() && line.space < 0.75 && !opens)
        {
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

    /// "(2) (4)" after the last point: the second sums up when the points then come to the total.
    fn settle_doubt(&mut self, total: Option<Marks>) {
        let Some((unit, marks)) = self.doubted.filter(|(_, marks)| Some(*marks) == total) else { return };
        let sum: Marks = self.units.iter().filter_map(|unit| unit.worth).sum();
        let Some(unit) = self.units.get_mut(unit) else { return };
        if let Some(worth) = unit.worth.filter(|_| sum > marks) {
            unit.worth = Some(worth.less(marks));
        }
    }

    /// "Any two" after a list limits what stands before it.
    fn close_lists(&mut self) {
        let Some(group) = self.groups.len().checked_sub(1) else { return };
        let index = u32::try_from(group).ok();
        let free = self.units.iter().filter(|unit| unit.group.is_none()).count();
        if self.units.iter().any(|unit| unit.group == index) || free != self.units.len() {
            return;
        }
        if self.groups[group].pick.is_some_and(|pick| pick as usize >= free) {
            self.groups.pop();
            return;
        }
        for unit in &mut self.units {
            unit.group = index;
        }
    }

    /// "a = 5, b = 7" for two marks is two points.
    fn part_values(&mut self, total: Option<Marks>) {
        let [only] = self.units.as_slice() else { return };
        let values: Vec<&str> =
            only.text.split([',', ';']).flat_map(|piece| piece.split(" and ")).map(str::trim).collect();
        let names = |value: &&str| {
            let (name, value) = value.split_once('=').unwrap_or_default();
            (1..=2).contains(&name.split_whitespace().count()) && !value.trim().is_empty()
        };
        let count = u32::try_from(values.len()).unwrap_or(0);
        let one_each = count > 1
            && total == Some(Marks::whole(count))
            && only.worth.is_none_or(|worth| Some(worth) == total);
        if one_each && values.iter().all(names) {
            let unit = |text: &str| Unit { text: text.to_owned(), worth: None, ..only.clone() };
            self.units = values.into_iter().map(unit).collect();
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
        self.settle_doubt(total);
        self.close_lists();
        self.part_values(total);
        self.units.retain(|unit| !unit.text.is_empty());
        if let Some(each) = self.each {
            for unit in &mut self.units {
                unit.worth = unit.worth.or(Some(each));
            }
        }
        let stated = self.units.iter().any(|unit| unit.worth.is_some());
        let limited = self.units.iter().any(|unit| unit.group.is_some());
        if stated && !limited {
            let (priced, free): (Vec<Unit>, Vec<Unit>) =
                self.units.into_iter().partition(|unit| unit.worth.is_some());
            self.notes.splice(0..0, free.into_iter().map(|unit| unit.text));
            self.units = priced;
        }
        let worths = shares::worths(&self.units, &self.groups, total);
        let sum: Marks = worths.iter().copied().sum();
        if let Some(total) = total.filter(|total| *total < sum && self.groups.is_empty()) {
            self.groups.push(Group { text: format!("max {total}"), pick: None, max: Some(total) });
            for unit in &mut self.units {
                unit.group = Some(0);
            }
        }
        let mut points: Vec<Point> =
            self.units.into_iter().zip(worths).map(|(unit, worth)| unit.into_point(worth)).collect();
        let whole = total.filter(|total| *total > Marks::whole(1) && !self.steps.is_empty());
        if let (Some(total), true) = (whole, points.len() == 1 && points[0].kind == PointKind::Point) {
            (points, self.groups) = partial::points(points.remove(0), &self.steps, total);
        } else {
            self.notes.extend(self.steps.iter().map(Step::said));
        }
        depend(&mut points);
        (points, self.groups, self.notes)
    }
}
