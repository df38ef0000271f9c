//! What a person decided about answers, laid over what the engine gave.
//!
//! The engine's own result is kept as it was; [`revise`] makes the result that counts from it and from what was
//! decided, so taking a decision back is exact.

use super::assemble::OVERALL;
use super::{
    Flag, Marked, PartResult, PointResult, QuestionResult, Result, Revision, Verdict, assemble, tell,
};
use crate::grading::FeedbackLevel;
use crate::marks::Marks;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One answer of a script. Numbers repeat from section to section of some papers, so the question's place counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartKey {
    /// The question's place in the paper, counted from 0.
    pub question: u32,
    /// Its part's label; empty for a question that is marked as a whole.
    pub part: String,
}

/// What a person decided about one answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The mark, from now on.
    pub awarded: Marks,
    /// What each point of the scheme earned, where the person said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Marks>>,
    /// What the person says to the student.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The answer as the person read it, judged again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reread: Option<Box<PartResult>>,
}

/// A mark that follows from what a person decided on like answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Taught {
    /// The mark.
    pub awarded: Marks,
    /// Why, for the person; it names no student.
    pub because: String,
}

/// Everything that was decided about one script, by answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// By a person.
    pub made: BTreeMap<PartKey, Decision>,
    /// Learned from a person's decisions on other scripts; one that was made goes first.
    pub taught: BTreeMap<PartKey, Taught>,
}

impl Decisions {
    /// True when the engine's own marks stand.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.taught.is_empty()
    }
}

/// The result that counts: the engine's, with what was decided laid over it and the sums made anew.
pub fn revise(machine: &Result, decisions: &Decisions, level: FeedbackLevel) -> Result {
    if decisions.is_empty() {
        return machine.clone();
    }
    let questions = (0_u32..).zip(&machine.questions).map(|(place, question)| {
        let leaves = question.leaves().into_owned().into_iter().map(|leaf| {
            let key = PartKey { question: place, part: leaf.label.clone() };
            match (decisions.made.get(&key), decisions.taught.get(&key)) {
                (Some(decision), _) => decided(leaf, decision, level),
                (None, Some(taught)) => follow(leaf, taught, level),
                (None, None) => leaf,
            }
        });
        marked(question, leaves.collect())
    });
    let revised = assemble(questions.collect(), level, machine.has_unassigned);
    Result { scheme_version: machine.scheme_version, ..revised }
}

/// The engine's result with some questions marked anew, each by its place, and the sums made anew.
pub fn with_questions(machine: &Result, anew: &[(u32, Vec<PartResult>)], level: FeedbackLevel) -> Result {
    let questions = (0_u32..).zip(&machine.questions).map(|(place, question)| {
        let own = anew.iter().find(|(other, _)| *other == place).map(|(_, leaves)| leaves.clone());
        marked(question, own.unwrap_or_else(|| question.leaves().into_owned()))
    });
    let result = assemble(questions.collect(), level, machine.has_unassigned);
    Result { scheme_version: machine.scheme_version, ..result }
}

fn marked(question: &QuestionResult, mut leaves: Vec<PartResult>) -> Marked {
    for leaf in leaves.iter_mut().filter(|leaf| leaf.label == OVERALL) {
        leaf.label.clear();
    }
    Marked { number: question.number.clone(), choice: question.choice.clone(), leaves }
}

fn decided(leaf: PartResult, decision: &Decision, level: FeedbackLevel) -> PartResult {
    let machine = leaf.awarded;
    let mut part = match &decision.reread {
        Some(reread) => {
            let (label, available, places) = (leaf.label, leaf.available, leaf.places);
            PartResult { label, available, places, ..PartResult::clone(reread) }
        }
        None => leaf,
    };
    let (judged, awarded) = (part.awarded, decision.awarded.min(part.available));
    if let Some(given) = &decision.points {
        for (point, given) in part.points.iter_mut().zip(given) {
            point.awarded = point.marks.min(*given);
        }
    }
    part.points.iter_mut().for_each(|point| point.verdict = judged_by_person(point, decision.awarded));
    part.awarded = awarded;
    // A person has looked; what is left to say is that nothing was written.
    part.flags.retain(|flag| *flag == Flag::NotAttempted && awarded.is_zero());
    if awarded != judged {
        part.feedback = tell::decided(awarded, part.available, level);
    }
    if let Some(remark) = &decision.remark {
        part.feedback = format!("{remark}\n{}", part.feedback).trim_end().to_owned();
    }
    part.revision = Some(Revision { machine, by_person: true, remark: decision.remark.clone() });
    part
}

/// What is said of a point once a person has judged its answer.
fn judged_by_person(point: &PointResult, awarded: Marks) -> Verdict {
    match point.verdict {
        _ if !point.awarded.is_zero() && !awarded.is_zero() => Verdict::Credited,
        Verdict::Credited | Verdict::NotJudged => Verdict::Missing,
        other => other,
    }
}

fn follow(mut leaf: PartResult, taught: &Taught, level: FeedbackLevel) -> PartResult {
    let (machine, awarded) = (leaf.awarded, taught.awarded.min(leaf.available));
    if awarded != machine {
        leaf.awarded = awarded;
        leaf.feedback = tell::followed(awarded, leaf.available, level);
        leaf.revision = Some(Revision { machine, by_person: false, remark: None });
    }
    leaf
}

/// Answers one by one, borrowed where they can be: a result is long.
fn each(leaves: Cow<'_, [PartResult]>) -> impl Iterator<Item = Cow<'_, PartResult>> {
    let (borrowed, owned) = match leaves {
        Cow::Borrowed(leaves) => (leaves, Vec::new()),
        Cow::Owned(leaves) => (&[] as &[PartResult], leaves),
    };
    borrowed.iter().map(Cow::Borrowed).chain(owned.into_iter().map(Cow::Owned))
}

impl Result {
    /// The answer with this key, as it was marked, whether its question counts or not.
    pub fn part(&self, key: &PartKey) -> Option<Cow<'_, PartResult>> {
        self.questions.get(key.question as usize)?.part(&key.part)
    }

    /// Every answer with its key, in paper order.
    pub fn all_parts(&self) -> Vec<(PartKey, Cow<'_, PartResult>)> {
        let questions = (0_u32..).zip(&self.questions);
        let parts = questions.flat_map(|(place, question)| {
            let key = move |leaf: &PartResult| PartKey { question: place, part: leaf.label.clone() };
            each(question.leaves()).map(move |leaf| (key(&leaf), leaf))
        });
        parts.collect()
    }

    /// True when a person decided about any of its answers.
    pub fn is_adjusted(&self) -> bool {
        self.questions.iter().any(QuestionResult::is_adjusted)
    }
}

impl QuestionResult {
    /// Its parts, or the question itself as its only one; for one that does not count, as they would count.
    pub fn leaves(&self) -> Cow<'_, [PartResult]> {
        if !self.set_aside.is_empty() {
            return Cow::Borrowed(&self.set_aside);
        }
        if !self.parts.is_empty() {
            return Cow::Borrowed(&self.parts);
        }
        Cow::Owned(vec![PartResult {
            label: String::new(),
            awarded: self.awarded,
            available: self.available,
            answer: self.answer.clone(),
            feedback: self.feedback.clone(),
            confidence: self.confidence,
            flags: self.flags.clone(),
            points: self.points.clone(),
            places: self.places.clone(),
            revision: self.revision.clone(),
        }])
    }

    /// The answer to one of its parts, as it was marked, whether it counts or not.
    pub fn part(&self, label: &str) -> Option<Cow<'_, PartResult>> {
        each(self.leaves()).find(|leaf| leaf.label == label)
    }

    /// True when a person decided about it or one of its parts.
    pub fn is_adjusted(&self) -> bool {
        let own = self.revision.iter().chain(self.parts.iter().filter_map(|part| part.revision.as_ref()));
        own.into_iter().any(|revision| revision.by_person)
    }

    /// What the engine gave by itself, where a person or what a person taught came after it.
    pub fn awarded_by_machine(&self) -> Option<Marks> {
        if self.parts.is_empty() {
            return self.revision.as_ref().map(|revision| revision.machine);
        }
        let is_revised = self.parts.iter().any(|part| part.revision.is_some());
        is_revised.then(|| self.parts.iter().map(PartResult::machine_mark).sum())
    }
}

impl PartResult {
    /// What the engine gave by itself.
    pub fn machine_mark(&self) -> Marks {
        self.revision.as_ref().map_or(self.awarded, |revision| revision.machine)
    }

    /// True when a person decided about it.
    pub fn is_adjusted(&self) -> bool {
        self.revision.as_ref().is_some_and(|revision| revision.by_person)
    }

    /// The steps in which its scheme gives marks: halves where it has any, else whole marks.
    pub fn step(&self) -> Marks {
        let is_half = |marks: Marks| marks.as_halves() % 2 == 1;
        let has_halves = is_half(self.available) || self.points.iter().any(|point| is_half(point.marks));
        if has_halves { Marks::halves(1) } else { Marks::whole(1) }
    }

    /// Whether a person may give this mark; the error ends a sentence that begins with "the mark".
    pub fn check_mark(&self, awarded: Marks) -> std::result::Result<(), String> {
        let step = self.step();
        let fits = awarded <= self.available && awarded.as_halves().is_multiple_of(step.as_halves());
        if fits {
            return Ok(());
        }
        Err(format!("must be from 0 to {} in steps of {step}", self.available))
    }

    /// Whether a person may credit the points so; gives the mark that they come to.
    pub fn check_points(&self, given: &[Marks]) -> std::result::Result<Marks, String> {
        if given.len() != self.points.len() {
            return Err(format!("must have {} items, one for each point", self.points.len()));
        }
        let beyond = |(point, given): (&PointResult, &Marks)| *given > point.marks;
        if self.points.iter().zip(given).any(beyond) {
            return Err("must not give a point more than it is worth".to_owned());
        }
        Ok(given.iter().copied().sum::<Marks>().min(self.available))
    }

    /// True when a person should look at it.
    pub fn is_flagged(&self) -> bool {
        self.flags.iter().any(|flag| flag.wants_person())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Score};
    use super::*;
    use proptest::prelude::*;

    fn point(marks: u32, awarded: u32) -> PointResult {
        let (marks, awarded) = (Marks::whole(marks), Marks::whole(awarded));
        let verdict = if awarded.is_zero() { Verdict::NotJudged } else { Verdict::Credited };
        PointResult { text: "a point".into(), marks, awarded, verdict, ..PointResult::default() }
    }

    fn leaf(label: &str, awarded: u32, available: u32) -> PartResult {
        PartResult {
            label: label.into(),
            awarded: Marks::whole(awarded),
            available: Marks::whole(available),
            answer: format!("answer {label}"),
            feedback: "As the engine says.".into(),
            confidence: 0.4,
            flags: vec![Flag::LowConfidence],
            points: (0..available).map(|number| point(1, u32::from(number < awarded))).collect(),
            ..PartResult::default()
        }
    }

    fn two_of_three() -> Result {
        let choice = Some(Choice { group: "B".into(), count: 1 });
        let questions = vec![
            Marked { number: "1".into(), choice: None, leaves: vec![leaf("(a)", 1, 2), leaf("(b)", 0, 3)] },
            Marked { number: "2".into(), choice: choice.clone(), leaves: vec![leaf("", 2, 4)] },
            Marked { number: "3".into(), choice, leaves: vec![leaf("", 1, 4)] },
        ];
        assemble(questions, FeedbackLevel::Standard, true)
    }

    fn key(question: u32, part: &str) -> PartKey {
        PartKey { question, part: part.into() }
    }

    fn with(made: impl IntoIterator<Item = (PartKey, Decision)>) -> Result {
        let decisions = Decisions { made: made.into_iter().collect(), ..Decisions::default() };
        revise(&two_of_three(), &decisions, FeedbackLevel::Standard)
    }

    #[test]
    fn a_persons_mark_counts_and_the_machines_stands_beside_it() {
        let decision =
            Decision { awarded: Marks::whole(3), remark: Some("Well argued.".into()), ..Decision::default() };
        let result = with([(key(0, "(b)"), decision)]);
        let part = &result.questions[0].parts[1];
        assert_eq!(
            (part.awarded, part.machine_mark(), part.is_adjusted()),
            (Marks::whole(3), Marks::ZERO, true)
        );
        assert_eq!(part.feedback, "Well argued.\nMarked by a teacher: 3 of 3 marks.");
        assert!(part.flags.is_empty() && result.questions[0].flags.contains(&Flag::LowConfidence));
        assert_eq!(result.questions[0].awarded_by_machine(), Some(Marks::whole(1)));
        assert_eq!(result.score, Score::of(Marks::whole(6), Marks::whole(9)));
        assert!(result.is_adjusted() && result.has_unassigned);
    }

    #[test]
    fn of_a_choice_group_the_best_count_anew() {
        let result = with([(key(2, ""), Decision { awarded: Marks::whole(4), ..Decision::default() })]);
        assert_eq!((result.questions[1].counted, result.questions[2].counted), (false, true));
        assert_eq!(result.questions[2].awarded, Marks::whole(4));
        let back = revise(&result, &Decisions::default(), FeedbackLevel::Standard);
        assert_eq!(back, result);
    }

    #[test]
    fn points_that_a_person_credits_add_up() {
        let given = vec![Marks::ZERO, Marks::whole(1), Marks::whole(1)];
        let decision =
            Decision { awarded: Marks::whole(2), points: Some(given.clone()), ..Decision::default() };
        let part = with([(key(0, "(b)"), decision)]).questions[0].parts[1].clone();
        let credited: Vec<Marks> = part.points.iter().map(|point| point.awarded).collect();
        assert_eq!(credited, given);
    }

    #[test]
    fn marks_beyond_the_scheme_are_refused() {
        let part = leaf("(a)", 1, 2);
        assert!(part.check_mark(Marks::whole(2)).is_ok());
        for wrong in [Marks::whole(3), Marks::halves(1)] {
            assert_eq!(part.check_mark(wrong), Err("must be from 0 to 2 in steps of 1".to_owned()));
        }
        assert!(part.check_points(&[Marks::whole(1)]).is_err());
        assert!(part.check_points(&[Marks::whole(2), Marks::ZERO]).is_err());
        assert_eq!(part.check_points(&[Marks::ZERO, Marks::whole(1)]), Ok(Marks::whole(1)));
    }

    #[test]
    fn questions_that_are_marked_anew_change_the_sums_and_nothing_else() {
        let machine = two_of_three();
        assert_eq!(with_questions(&machine, &[], FeedbackLevel::Standard), machine);
        let anew = [(0, vec![leaf("(a)", 2, 2), leaf("(b)", 0, 3)])];
        let result = with_questions(&machine, &anew, FeedbackLevel::Standard);
        assert_eq!(result.questions[0].awarded, Marks::whole(2));
        assert_eq!(result.questions[1..], machine.questions[1..]);
        assert_eq!(result.score.awarded, machine.score.awarded + Marks::whole(1));
    }

    #[test]
    fn a_taught_mark_gives_way_to_a_persons() {
        let taught = Taught { awarded: Marks::whole(2), because: String::new() };
        let mut decisions = Decisions::default();
        decisions.taught.insert(key(0, "(b)"), taught);
        let result = revise(&two_of_three(), &decisions, FeedbackLevel::Standard);
        let part = &result.questions[0].parts[1];
        assert_eq!((part.awarded, part.is_adjusted()), (Marks::whole(2), false));
        assert_eq!(part.revision.as_ref().map(|revision| revision.machine), Some(Marks::ZERO));
        decisions.made.insert(key(0, "(b)"), Decision { awarded: Marks::whole(1), ..Decision::default() });
        let result = revise(&two_of_three(), &decisions, FeedbackLevel::Standard);
        assert_eq!(result.questions[0].parts[1].awarded, Marks::whole(1));
    }

    proptest! {
        #[test]
        fn sums_hold_and_only_what_was_decided_about_changes(marks in prop::collection::vec(prop::option::of(0..5_u32), 4)) {
            let machine = two_of_three();
            let keys = [key(0, "(a)"), key(0, "(b)"), key(1, ""), key(2, "")];
            let made = keys.iter().cloned().zip(&marks).filter_map(|(key, mark)| {
                mark.map(|mark| (key, Decision { awarded: Marks::whole(mark), ..Decision::default() }))
            });
            let result = with(made);
            let sum: Marks = result.questions.iter().map(|question| question.awarded).sum();
            prop_assert_eq!(result.score.awarded, sum);
            prop_assert!(sum <= result.score.available);
            for (key, mark) in keys.iter().zip(&marks) {
                let (before, after) = (machine.part(key).unwrap(), result.part(key).unwrap());
                match mark {
                    Some(mark) => prop_assert_eq!(after.awarded, Marks::whole(*mark).min(before.available)),
                    None => prop_assert_eq!(&after, &before),
                }
                let points: Marks = after.points.iter().map(|point| point.awarded).sum();
                prop_assert_eq!(points, after.awarded);
            }
            // Taking the engine's result apart and together again changes nothing: undo is exact.
            let untouched = Decisions {
                taught: BTreeMap::from([(key(9, ""), Taught::default())]), ..Decisions::default()
            };
            prop_assert_eq!(revise(&machine, &untouched, FeedbackLevel::Standard), machine);
        }
    }
}
