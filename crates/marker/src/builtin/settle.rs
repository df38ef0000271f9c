//! From verdicts to marks: dependence, "any two from", "max 2", final answers worth everything, and the total.

use super::routes::keep_best;
use super::verdict::Verdict;
use crate::instructions::Rules;
use crate::task::Strictness;
use domain::marks::Marks;
use domain::question::PointKind;
use domain::scheme::{Role, Scale, TypedKey, TypedPoint};

/// What each point earns under one setting. The sum never exceeds `available`.
pub(crate) fn settle(
    key: &TypedKey,
    verdicts: &[Verdict],
    available: Marks,
    strictness: Strictness,
    rules: &Rules,
) -> Vec<Marks> {
    let mut earned: Vec<Marks> = key
        .points
        .iter()
        .zip(verdicts)
        .map(|(point, verdict)| credit(point, verdict, strictness, rules))
        .collect();
    limit(key, &mut earned, available);
    earned
}

/// Takes away what dependence, groups and the total do not allow.
pub(crate) fn limit(key: &TypedKey, earned: &mut [Marks], available: Marks) {
    drop_dependents(key, earned);
    keep_best(key, earned);
    let made = earned.to_vec();
    limit_groups(key, earned);
    limit_total(key, earned, available.min(shared(key, &made, available)));
}

/// The point's worth when it is given, half of it where half marks are allowed and it is nearly given.
fn credit(point: &TypedPoint, verdict: &Verdict, strictness: Strictness, rules: &Rules) -> Marks {
    if verdict.gives(strictness) {
        return point.marks;
    }
    if !verdict.shares.is_empty() {
        let given = verdict.shares.iter().filter(|grant| **grant >= Some(strictness)).count() as u32;
        return Marks::halves(point.marks.as_halves() * given / verdict.shares.len() as u32);
    }
    let milder = match strictness {
        Strictness::Strict => Some(Strictness::Standard),
        Strictness::Standard => Some(Strictness::Lenient),
        Strictness::Lenient => None,
    };
    let nearly = rules.half_marks && milder.is_some_and(|milder| verdict.gives(milder));
    if nearly { Marks::halves(point.marks.as_halves() / 2) } else { Marks::ZERO }
}

fn drop_dependents(key: &TypedKey, earned: &mut [Marks]) {
    // A chain of dependence is at most as long as the key, so this many rounds reach its end.
    for _ in 0..key.points.len() {
        let mut changed = false;
        for index in 0..key.points.len() {
            let stands = key.points[index].needs.is_none_or(|needed| !earned[needed].is_zero());
            if !stands && !earned[index].is_zero() {
                earned[index] = Marks::ZERO;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn limit_groups(key: &TypedKey, earned: &mut [Marks]) {
    for (number, group) in key.groups.iter().enumerate() {
        let mut members: Vec<usize> =
            (0..key.points.len()).filter(|index| key.points[*index].group == Some(number as u32)).collect();
        members.sort_by_key(|index| std::cmp::Reverse(earned[*index]));
        let picked = group.pick.map_or(usize::MAX, |pick| pick as usize);
        let mut left = group.max.unwrap_or(Marks::MAX);
        for (rank, index) in members.into_iter().enumerate() {
            let most = if rank < picked { left } else { Marks::ZERO };
            earned[index] = earned[index].min(most);
            left = left.less(earned[index]);
        }
    }
}

/// The share of a solution that was made, as marks: whoever makes four of its eleven lines has not solved it, though it
/// be worth four. Nobody writes every line of another's solution, so two thirds of them are a whole one.
fn shared(key: &TypedKey, made: &[Marks], available: Marks) -> Marks {
    if key.scale != Scale::Solution {
        return available;
    }
    let lines = key.points.iter().filter(|point| point.role == Role::Point);
    let all: u32 = lines.map(|point| point.marks.as_halves()).sum();
    let made: u32 = made.iter().map(|marks| marks.as_halves()).sum();
    let share = (f64::from(made) / f64::from(all.max(1)) * 1.5).min(1.0);
    Marks::whole((share * f64::from(available.as_halves()) / 2.0).round() as u32)
}

/// A right final answer is worth all by itself; otherwise points count in their order up to the total.
fn limit_total(key: &TypedKey, earned: &mut [Marks], available: Marks) {
    let is_answer = |index: &usize| key.points[*index].kind == PointKind::Answer;
    let answers = (0..earned.len()).filter(is_answer);
    let steps = (0..earned.len()).filter(|index| !is_answer(index));
    let mut left = available;
    for index in answers.chain(steps).collect::<Vec<_>>() {
        earned[index] = earned[index].min(left);
        left = left.less(earned[index]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER};
    use domain::question::Group;

    fn point(kind: PointKind) -> TypedPoint {
        TypedPoint { marks: Marks::whole(1), kind, ..TypedPoint::default() }
    }

    fn earned(key: &TypedKey, grants: &[Grant], available: u32) -> Vec<u32> {
        let verdicts: Vec<Verdict> = grants.iter().map(|grant| Verdict::given(*grant, 1.0, 0..0)).collect();
        let settled =
            settle(key, &verdicts, Marks::whole(available), Strictness::Standard, &Rules::default());
        settled.into_iter().map(|marks| marks.as_halves() / 2).collect()
    }

    #[test]
    fn an_accuracy_mark_needs_its_method_mark() {
        let key = TypedKey {
            points: vec![
                point(PointKind::Method),
                TypedPoint { needs: Some(0), ..point(PointKind::Accuracy) },
            ],
            ..TypedKey::default()
        };
        assert_eq!(earned(&key, &[ALWAYS, ALWAYS], 2), [1, 1]);
        assert_eq!(earned(&key, &[NEVER, ALWAYS], 2), [0, 0]);
        assert_eq!(earned(&key, &[ALWAYS, LENIENT], 2), [1, 0]);
    }

    #[test]
    fn any_two_from_four_earn_two() {
        let member = TypedPoint { group: Some(0), ..point(PointKind::Point) };
        let group = Group { pick: Some(2), ..Group::default() };
        let key = TypedKey { points: vec![member; 4], groups: vec![group], ..TypedKey::default() };
        assert_eq!(earned(&key, &[ALWAYS, NEVER, ALWAYS, ALWAYS], 2), [1, 0, 1, 0]);
    }

    #[test]
    fn a_right_final_answer_is_worth_everything() {
        let answer = TypedPoint { marks: Marks::whole(3), ..point(PointKind::Answer) };
        let key = TypedKey {
            points: vec![point(PointKind::Method), point(PointKind::Point), answer],
            ..TypedKey::default()
        };
        assert_eq!(earned(&key, &[NEVER, NEVER, ALWAYS], 3), [0, 0, 3]);
        assert_eq!(earned(&key, &[ALWAYS, ALWAYS, ALWAYS], 3), [0, 0, 3]);
        assert_eq!(earned(&key, &[ALWAYS, NEVER, NEVER], 3), [1, 0, 0]);
    }
}
