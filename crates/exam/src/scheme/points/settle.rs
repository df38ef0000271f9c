//! From units to points: which of them count together, and what each is worth.

use super::draft::Draft;
use crate::scheme::examiners;
use crate::scheme::partial::{self, Step};
use crate::scheme::shares::{self, depend};
use crate::scheme::unit::Unit;
use domain::marks::Marks;
use domain::question::{Group, Point, PointKind};
use lexicon::english::{joints, schemes};

impl Draft {
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
            only.text.split([',', ';']).flat_map(|piece| piece.split(joints::AND)).map(str::trim).collect();
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

    /// What only examiners are told is a note, unless nothing else was said.
    fn take_out_addressed(&mut self) {
        let is_addressed = |unit: &Unit| {
            unit.alternatives.is_empty() && unit.accept.is_empty() && examiners::is_addressed(&unit.text)
        };
        if !self.units.iter().all(is_addressed) {
            let units = std::mem::take(&mut self.units);
            let (addressed, own): (Vec<Unit>, Vec<Unit>) = units.into_iter().partition(is_addressed);
            self.units = own;
            self.notes.extend(addressed.into_iter().map(|unit| unit.text));
        }
    }

    /// Shares the marks out and makes points of the units.
    pub(super) fn finish(
        mut self,
        total: Option<Marks>,
        by_levels: bool,
    ) -> (Vec<Point>, Vec<Group>, Vec<String>) {
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
        self.take_out_addressed();
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
            self.groups.push(Group { text: schemes::at_most(total), pick: None, max: Some(total) });
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
