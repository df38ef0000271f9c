//! Points while the lines of an entry are read: each line opens a unit, goes on with one or says something about it.

use crate::scheme::column::{BULLETS, ColumnMark, bare_number, column_mark, strip_bullet, trailing_mark};
use crate::scheme::lists::is_broken;
use crate::scheme::partial::Step;
use crate::scheme::phrases::{self, Limit, Remark};
use crate::scheme::pieces::{self, Cut, Piece};
use crate::scheme::unit::Unit;
use crate::scheme::{EntryLine, awards, examiners, levels, prices, quality};
use domain::marks::Marks;
use domain::question::{Group, PointKind};
use lexicon::english::schemes;

/// What was read of the lines so far, in order: units without their share of the marks.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) units: Vec<Unit>,
    pub(super) groups: Vec<Group>,
    pub(super) notes: Vec<String>,
    /// Part marks that the guidance offers.
    pub(super) steps: Vec<Step>,
    /// The last line of guidance ended within a step.
    pub(super) in_step: bool,
    /// The last unit is complete: what follows is another.
    pub(super) closed: bool,
    /// The lines after "OR" are another wording of the last unit.
    pub(super) other_wording: bool,
    /// What the part is worth.
    pub(super) total: Option<Marks>,
    pub(super) group: Option<u32>,
    /// Bare numbers in the marks column are the marks of the points beside them.
    pub(super) priced: bool,
    /// Each line that was broken by hand ends a point.
    pub(super) by_line: bool,
    /// White after the last line.
    pub(super) free: f32,
    /// What the last line says about the last unit, as long as the remark may go on.
    pub(super) remarking: Option<Remark>,
    /// Lines are examples of what the points before them ask for.
    pub(super) in_examples: bool,
    /// Lines tell what earns nothing.
    pub(super) in_nothing: bool,
    /// A point of the list that is read began with a bullet: what has none goes on with the one above it.
    pub(super) bulleted: bool,
    /// "(1 mark each)" on a line of its own.
    pub(super) each: Option<Marks>,
    /// The unit whose worth holds marks that may sum up all of them, and those marks.
    pub(super) doubted: Option<(usize, Marks)>,
}

impl Draft {
    pub(super) fn line(&mut self, line: &EntryLine) {
        let whole = line.answer.trim();
        // What a list adds up to is no mark of its last item.
        let of_list =
            prices::sum_of_list(whole).filter(|(_, sum)| self.total.is_some_and(|total| *sum > total));
        let text = of_list.map_or(whole, |(said, _)| said);
        if let Some((pick, each, list)) = prices::picked(text) {
            let head = &text[..text.len() - list.len()];
            self.open_group(head.trim(), Limit::Pick(pick));
            self.each = Some(each);
            let listed = EntryLine { answer: list.to_owned(), ..line.clone() };
            if !list.is_empty() {
                self.unpriced(&listed);
            }
        } else if let Some((said, each)) = prices::each_behind(text) {
            self.each = Some(each);
            self.unpriced(&EntryLine { answer: said.to_owned(), ..line.clone() });
        } else if of_list.is_some() {
            self.unpriced(&EntryLine { answer: text.to_owned(), ..line.clone() });
        } else {
            self.unpriced(line);
        }
    }

    /// A line without what it says that each of its points is worth.
    fn unpriced(&mut self, line: &EntryLine) {
        let price = || {
            let worth = bare_number(&line.marks).filter(|_| self.priced)?;
            Some(ColumnMark { worth, kind: PointKind::Point, notation: Vec::new(), lettered: false })
        };
        let column = column_mark(&line.marks).or_else(price);
        let before = std::mem::replace(&mut self.free, line.free);
        let broken = is_broken(before, line);
        let text = pieces::without_lead(&line.answer);
        self.in_nothing = levels::earns_nothing(text) || (self.in_nothing && awards::goes_on(before, line));
        if self.in_nothing {
            self.notes.push(line.answer.clone());
            return;
        }
        if let Some((heading, limit, list)) = phrases::limited_list(text) {
            self.open_group(heading, limit);
            self.list(list);
            return;
        }
        if let Some(limit) = phrases::limit(text) {
            // "max 12" below all points of a part of 12 says no more than the paper.
            match limit {
                Limit::Max(most) if Some(most) == self.total && !self.units.is_empty() => self.closed = true,
                limit => self.open_group(text, limit),
            }
            return;
        }
        // "(mention only = 1 mark each)" tells what less is worth.
        let bracketed = text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
        if bracketed && !self.units.is_empty() && prices::each(text).is_some_and(|(said, _)| said.len() > 1) {
            self.notes.push(text.to_owned());
            self.closed = true;
            return;
        }
        if let Some(("", each)) = prices::each(text) {
            self.each = Some(each);
            return;
        }
        if let Some((each, most)) = prices::each_of(text) {
            self.each = Some(each);
            if let Some(most) = most {
                self.open_group(text, Limit::Max(most));
            }
            self.closed = true;
            return;
        }
        if let Some((marks, "")) = prices::priced(text) {
            self.open_priced(marks, "");
            return;
        }
        if prices::is_count(text) {
            self.notes.push(text.to_owned());
            self.closed = true;
            return;
        }
        let word = text.to_lowercase();
        self.in_examples |= self.earns_all() && examiners::heads_examples(&word);
        if self.in_examples {
            self.notes.push(line.answer.clone());
            return;
        }
        // A bullet with nothing behind it, and a line that says how good an answer is, are no points beside others.
        let is_bullet = !text.is_empty() && text.chars().all(|c| BULLETS.contains(&c) || c == '−');
        if !self.units.is_empty() && (is_bullet || quality::is_rating(line)) {
            self.notes.extend((!is_bullet).then(|| line.answer.clone()));
            self.closed = true;
            return;
        }
        if phrases::is_heading(&word) {
            self.closed = true;
            return;
        }
        if phrases::is_or(&word) {
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

    /// True when the points so far earn all marks of the part.
    fn earns_all(&self) -> bool {
        let one = Marks::whole(1);
        let sum: Marks = self.units.iter().map(|unit| unit.worth.or(self.each).unwrap_or(one)).sum();
        self.total.is_some_and(|total| sum >= total)
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
            let piece = self.with_value(line, piece);
            let own = column.cloned().filter(|_| index + 1 == count);
            if let Some(remark) = piece.remark.filter(|_| !self.units.is_empty()) {
                self.remark(remark, piece.text);
                continue;
            }
            if index == 0 && !broken && line.space < 0.75 && self.goes_on_remarking(&piece) {
                continue;
            }
            self.remarking = None;
            // Each line under "any two from", or "1 mark for each", that was broken by hand is one of them.
            let lists = self.group.is_some() || self.each.is_some();
            let listed = broken && (self.by_line || (lists && !self.bulleted));
            self.point(line, &piece, own, index > 0 || cut.opens || listed);
        }
        if let Some(marks) = doubted {
            self.doubted = self.units.len().checked_sub(1).map(|unit| (unit, marks));
        }
    }

    /// A number in brackets that is more than the part is worth, on a line whose marks stand in their column, is the
    /// answer: "Correct value (3)   1". So is what something is divided by: "round up days / 7:".
    fn with_value(&self, line: &EntryLine, piece: Piece) -> Piece {
        let more = piece.worth.zip(self.total).filter(|(worth, total)| worth > total);
        let ends = |value: &String| line.answer.trim_end_matches([':', ';', ' ']).ends_with(value);
        let divisor = || more.map(|(worth, _)| format!("/ {worth}")).filter(ends);
        let value = more.map(|(worth, _)| format!("({worth})"));
        match value.filter(|value| !line.marks.is_empty() && ends(value)).or_else(divisor) {
            Some(value) => Piece { text: format!("{} {value}", piece.text), worth: None, ..piece },
            None => piece,
        }
    }

    /// Adds a piece as a unit of its own, or to the last one.
    fn point(&mut self, line: &EntryLine, piece: &Piece, column: Option<ColumnMark>, apart: bool) {
        let worth = column.as_ref().map(|mark| mark.worth).or(piece.worth);
        if piece.text.is_empty() {
            // What has its marks already is followed by the sum of all, and so is what has none by a question's.
            let worth = worth.filter(|worth| self.total.is_none_or(|total| *worth <= total));
            if let Some(unit) = self.units.last_mut().filter(|unit| unit.worth.is_none()) {
                unit.worth = worth;
                self.closed |= worth.is_some();
            }
            return;
        }
        let (bullet, text) = strip_bullet(&piece.text);
        let starts = self.units.is_empty()
            || self.closed
            || bullet
            || apart
            || self.begins_credit(text)
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
            self.bulleted |= bullet;
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

    /// "For analysis of …" after a whole sentence names another thing that earns marks; so does what follows a sentence
    /// that only limits them. A heading begins something in any case.
    fn begins_credit(&self, text: &str) -> bool {
        if examiners::rules(text)
            || examiners::is_addressed(text) && (text.ends_with(':') || examiners::lets_in_more(text))
        {
            return true;
        }
        let Some(last) = self.units.last() else { return false };
        if examiners::announces(&last.text) {
            return true;
        }
        let ended = last.text.ends_with(['.', ')']);
        ended && (text.starts_with(schemes::FOR) || examiners::is_addressed(&last.text))
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
        self.bulleted = false;
    }
}
