//! How a part's marks are shared out among its points, and which points wait for others.

use super::unit::Unit;
use domain::marks::Marks;
use domain::question::{Group, Notation, Point, PointKind};

/// A dependent mark ("dM1", "dep") can be earned only after the method before it.
pub(super) fn depend(points: &mut [Point]) {
    for index in 0..points.len() {
        if points[index].notation.contains(&Notation::Dependent) {
            let method = points[..index].iter().rposition(|point| point.kind == PointKind::Method);
            let before = method.or(index.checked_sub(1));
            points[index].depends_on = before.and_then(|before| u32::try_from(before).ok());
        }
    }
}

/// What each unit is worth: as the scheme states it, else an even share of the whole.
pub(super) fn worths(units: &[Unit], groups: &[Group], total: Option<Marks>) -> Vec<Marks> {
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
