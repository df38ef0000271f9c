//! What the checked answers to one part say about the others. Plain code without database or clock: the same answers and
//! decisions give the same marks, in whatever order they come.

use super::groups::tidy;
use crate::marking::points_made;
use domain::id::SubmissionId;
use domain::learning::{self, GENERAL_FROM, Reach};
use domain::marks::Marks;
use domain::question::Question;
use domain::result::{Flag, PartKey, Taught};
use marker::taught::{self, Kept, Lesson, Trait};
use std::collections::BTreeMap;
use store::desk::lessons::Learner;

/// Answers that are looked through for those that would teach most.
const CANDIDATES_MAX: usize = 250;
/// Answers that are offered at once.
const OFFERS_MAX: usize = 20;

/// What is asked in a part, as far as learning goes.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    key: PartKey,
    reach: Reach,
    step: Marks,
    /// How many answers to the part there are.
    answers: usize,
}

/// An answer to the part.
#[derive(Clone, Debug)]
pub(crate) struct Pupil {
    script: SubmissionId,
    words: String,
    /// What it means and which points it makes, packed.
    pub(crate) meaning: String,
    /// The engine's own mark for these words.
    machine: Marks,
    available: Marks,
    /// What a person gave.
    given: Option<Marks>,
    is_open: bool,
    /// Nothing was written, or nobody but a person can judge it.
    is_mute: bool,
}

impl Pupil {
    /// An answer; `means` says what a text means where that is not kept.
    pub(crate) fn new(learner: &Learner, means: impl FnOnce(&str) -> Vec<f32>) -> Pupil {
        let answer = &learner.answer;
        // The engine's mark belongs to the words that it was given for.
        let reread = answer.decision.as_ref().and_then(|decision| decision.reread.as_deref());
        let (words, machine) =
            reread.map_or((&answer.answer, answer.machine), |part| (&part.answer, part.awarded));
        let is_mute = words.trim().is_empty() || answer.flags.contains(&Flag::NotJudged);
        let kept = learner.meaning.clone().filter(|_| reread.is_none());
        let looked = || {
            let points = reread.map(points_made).unwrap_or_default();
            Kept { meaning: means(words), points }.pack()
        };
        let meaning = if is_mute { String::new() } else { kept.unwrap_or_else(looked) };
        Pupil {
            script: answer.submission_id,
            words: words.clone(),
            meaning,
            machine,
            available: answer.available,
            given: answer.decision.as_ref().map(|decision| decision.awarded),
            is_open: learner.is_open,
            is_mute,
        }
    }

    fn traits(&self) -> Trait {
        let share = share(self.machine, self.available);
        Trait::of(&self.words, share, Kept::unpack(&self.meaning))
    }
}

/// Marks as a share of those that can be earned.
fn share(marks: Marks, available: Marks) -> f64 {
    if available.is_zero() { 0.0 } else { marks.as_number() / available.as_number() }
}

impl Course {
    /// The part of this key; nothing is learned about one that the paper does not have.
    pub(crate) fn new(key: &PartKey, question: Option<&Question>, answers: usize) -> Course {
        let leaves = question.map(marker::Leaf::all).unwrap_or_default();
        let own = leaves.iter().find(|leaf| leaf.label.unwrap_or_default() == key.part);
        // What is marked as a whole beside the parts has a label of its own only in results.
        let leaf = own.or_else(|| leaves.iter().find(|leaf| leaf.label.is_none()));
        let is_half = |marks: Marks| marks.as_halves() % 2 == 1;
        let has_halves = leaf.is_some_and(|leaf| {
            let points = leaf.key.map(|key| key.points.as_slice()).unwrap_or_default();
            is_half(leaf.available()) || points.iter().any(|point| is_half(point.marks))
        });
        Course {
            key: key.clone(),
            reach: leaf.map_or(Reach::Nothing, |leaf| learning::reach(leaf.kind)),
            step: if has_halves { Marks::halves(1) } else { Marks::whole(1) },
            answers,
        }
    }

    /// The mark that each answer follows to, `None` where the engine's own stands. An answer that a person has checked
    /// follows only where it measures: what it would have got is what is compared.
    pub(crate) fn marks(&self, pupils: &[Pupil]) -> Vec<Option<Taught>> {
        if self.reach == Reach::Nothing {
            return vec![None; pupils.len()];
        }
        let teachers: Vec<&Pupil> = pupils.iter().filter(|pupil| self.teaches(pupil)).collect();
        let same = same_answers(&teachers);
        let lesson = (self.reach == Reach::Like).then(|| {
            let examples =
                teachers.iter().filter_map(|own| Some((own.traits(), share(own.given?, own.available))));
            Lesson::of(examples.collect::<Vec<_>>())
        });
        let lesson = lesson.flatten();
        let mark = |pupil: &Pupil| {
            if pupil.is_mute || pupil.available.is_zero() || self.teaches(pupil) {
                return None;
            }
            let found = same.get(&(tidy(&pupil.words), pupil.machine));
            let taught = match found {
                Some(Some(given)) => Some(Taught {
                    awarded: *given,
                    because: format!("The same as an answer that you gave {given} of {}.", pupil.available),
                }),
                Some(None) if self.reach == Reach::Like => Some(self.mean_of(&teachers, pupil)),
                _ => lesson.as_ref().and_then(|lesson| self.like(lesson, pupil)),
            };
            taught.filter(|taught| taught.awarded != pupil.machine)
        };
        pupils.iter().map(mark).collect()
    }

    /// Whether others follow a person's decision about an answer.
    fn teaches(&self, pupil: &Pupil) -> bool {
        pupil.given.is_some() && !pupil.is_mute && !self.measures(pupil)
    }

    fn measures(&self, pupil: &Pupil) -> bool {
        learning::is_measured(pupil.script, &self.key, self.answers)
    }

    /// The mean of what the same words were given.
    fn mean_of(&self, teachers: &[&Pupil], pupil: &Pupil) -> Taught {
        let words = tidy(&pupil.words);
        let same = teachers.iter().filter(|own| own.machine == pupil.machine && tidy(&own.words) == words);
        let given: Vec<f64> = same.filter_map(|own| Some(share(own.given?, own.available))).collect();
        let mean = given.iter().sum::<f64>() / given.len().max(1) as f64;
        let awarded = learning::mark(mean, pupil.available, self.step);
        Taught { awarded, because: "You gave the same words different marks: this is their mean.".to_owned() }
    }

    fn like(&self, lesson: &Lesson, pupil: &Pupil) -> Option<Taught> {
        let traits = pupil.traits();
        let closest = lesson.closest(&traits).map(|(_, given)| given);
        if closest.is_none() && lesson.examples() < GENERAL_FROM {
            return None;
        }
        let awarded = learning::mark(lesson.mark(&traits), pupil.available, self.step);
        let alike = closest.map(|given| learning::mark(given, pupil.available, self.step));
        let because = match alike.filter(|given| *given == awarded) {
            Some(given) => format!("Like an answer that you gave {given} of {}.", pupil.available),
            None => format!("As the {} checked answers to this part suggest.", lesson.examples()),
        };
        Some(Taught { awarded, because })
    }

    /// The scripts whose answers would teach most, best first.
    pub(crate) fn offers(&self, pupils: &[Pupil]) -> Vec<SubmissionId> {
        if self.reach != Reach::Like {
            return Vec::new();
        }
        let known = pupils.iter().filter(|pupil| self.teaches(pupil)).map(Pupil::traits);
        let mut asked: Vec<&Pupil> = pupils
            .iter()
            .filter(|pupil| pupil.given.is_none() && pupil.is_open && !pupil.is_mute && !self.measures(pupil))
            .collect();
        asked.sort_by_cached_key(|pupil| learning::draw(pupil.script, &self.key));
        asked.truncate(CANDIDATES_MAX);
        let traits: Vec<Trait> = asked.iter().map(|pupil| pupil.traits()).collect();
        let chosen = taught::most_telling(&known.collect::<Vec<_>>(), &traits, OFFERS_MAX);
        chosen.into_iter().map(|place| asked[place].script).collect()
    }
}

/// What the same words with the same mark of the engine's were given; `None` where people gave them different marks. What
/// rests on an earlier part can be right in one script and wrong in the next, which the engine's mark tells apart.
fn same_answers(teachers: &[&Pupil]) -> BTreeMap<(String, Marks), Option<Marks>> {
    let mut same: BTreeMap<(String, Marks), Option<Marks>> = BTreeMap::new();
    for own in teachers {
        let given = own.given;
        let known = same.entry((tidy(&own.words), own.machine)).or_insert(given);
        if *known != given {
            *known = None;
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::Identifier as _;
    use domain::question::Kind;
    use proptest::prelude::*;

    fn course(kind: Kind) -> Course {
        let question = Question { kind, marks: Some(Marks::whole(3)), ..Question::default() };
        Course::new(&PartKey::default(), Some(&question), learning::MEASURED_FROM)
    }

    fn pupil(number: u128, words: &str, machine: u32, given: Option<u32>) -> Pupil {
        Pupil {
            script: SubmissionId::from_number(number),
            words: words.to_owned(),
            meaning: String::new(),
            machine: Marks::whole(machine),
            available: Marks::whole(3),
            given: given.map(Marks::whole),
            is_open: true,
            is_mute: words.trim().is_empty(),
        }
    }

    fn awarded(course: &Course, pupils: &[Pupil]) -> Vec<Option<Marks>> {
        course.marks(pupils).into_iter().map(|mark| mark.map(|mark| mark.awarded)).collect()
    }

    #[test]
    fn the_same_answer_follows_to_the_mark_and_an_empty_one_never() {
        let pupils = [
            pupil(1, "The rate falls.", 0, Some(3)),
            pupil(2, "the rate falls", 0, None),
            pupil(3, "purple", 0, None),
            pupil(4, " ", 0, None),
        ];
        for kind in [Kind::ShortAnswer, Kind::Numeric] {
            let marks = course(kind).marks(&pupils);
            let same = Taught {
                awarded: Marks::whole(3),
                because: "The same as an answer that you gave 3 of 3.".into(),
            };
            assert_eq!(marks, [None, Some(same), None, None], "{kind:?}");
        }
        assert_eq!(awarded(&course(Kind::Drawing), &pupils), [None; 4]);
    }

    #[test]
    fn the_same_words_that_were_given_different_marks_are_weighed() {
        let pupils = [
            pupil(1, "it falls", 0, Some(3)),
            pupil(2, "it falls", 0, Some(1)),
            pupil(3, "it falls", 0, None),
            pupil(4, "it falls", 1, None),
        ];
        assert_eq!(awarded(&course(Kind::Numeric), &pupils), [None; 4]);
        assert_eq!(awarded(&course(Kind::ShortAnswer), &pupils)[2], Some(Marks::whole(2)));
    }

    #[test]
    fn a_mark_is_explained_by_the_answer_that_it_is_like() {
        let pupils = [
            pupil(1, "the rate of reaction falls", 0, Some(3)),
            pupil(2, "rate of reaction falls off", 0, None),
        ];
        let marks = course(Kind::ShortAnswer).marks(&pupils);
        let because = marks[1].as_ref().map(|mark| mark.because.as_str());
        assert!(
            because.is_some_and(|text| text.starts_with("Like an answer that you gave ")
                || text.starts_with("As the 1 checked")),
            "{because:?}"
        );
    }

    proptest! {
        #[test]
        fn learning_knows_no_order_stays_within_the_marks_and_touches_no_checked_answer(
            all in prop::collection::vec(("[a-d ]{0,8}", 0..4_u32, prop::option::of(0..4_u32)), 1..30),
            turn in 0..30_usize,
        ) {
            let mut pupils: Vec<Pupil> = (1_u128..).zip(&all)
                .map(|(number, (words, machine, given))| pupil(number, words, *machine, *given)).collect();
            let course = course(Kind::ShortAnswer);
            let by_script = |pupils: &[Pupil]| {
                let scripts = pupils.iter().map(|pupil| pupil.script);
                scripts.zip(course.marks(pupils)).collect::<BTreeMap<_, _>>()
            };
            let forth = by_script(&pupils);
            let turn = turn % pupils.len();
            pupils.rotate_left(turn);
            pupils.reverse();
            prop_assert_eq!(&by_script(&pupils), &forth);
            for pupil in &pupils {
                let mark = &forth[&pupil.script];
                prop_assert!(mark.as_ref().is_none_or(|mark| mark.awarded <= pupil.available));
                prop_assert!(pupil.given.is_none() || course.measures(pupil) || mark.is_none());
                prop_assert!(!mark.as_ref().is_some_and(|mark| mark.because.contains("sub_")));
            }
            // Taking every decision back takes every lesson back.
            pupils.iter_mut().for_each(|pupil| pupil.given = None);
            prop_assert!(course.marks(&pupils).iter().all(Option::is_none));
        }
    }
}
