//! Which answers belong together: those that are the same but for case, spaces, punctuation at the edges or filler words,
//! and those that mean the same by the sentence model. Groups are proposals; a person decides.

use super::GROUP_MAX;
use domain::marks::Marks;
use marker::taught::Kept;
use marker::words;
use std::collections::BTreeMap;
use store::desk::Answer;
use store::desk::lessons::Learner;

/// Different wordings that are compared by what they mean; the work grows with the square of their number.
const WORDINGS_MAX: usize = 1000;
/// How alike two answers are, from -1 to 1, that mean the same.
const SAME_MEANING: f32 = 0.93;

/// Answers that one decision could be about.
#[derive(Clone, Debug)]
pub struct Group {
    /// Whether they say the same in the same words; else they only mean the same.
    pub is_same: bool,
    /// Who is in it.
    pub members: Vec<Member>,
}

/// An answer of a group, and whose it is.
#[derive(Clone, Debug)]
pub struct Member {
    /// The answer.
    pub answer: Answer,
    /// The client's own reference to the student.
    pub student: String,
    /// For people.
    pub name: Option<String>,
}

/// Answers in the same words.
struct Wording<'l> {
    members: Vec<&'l Learner>,
    /// What it means; empty where that is not known.
    meaning: Vec<f32>,
    /// What must not differ between answers that mean the same, however alike they look.
    facts: Facts,
}

/// Numbers, whether something is denied, and what the engine gave.
#[derive(PartialEq)]
struct Facts {
    numbers: Vec<String>,
    is_denied: bool,
    machine: Marks,
}

/// Groups of unchecked answers, the largest first, in an order that does not depend on theirs.
pub(crate) fn groups(learners: &[Learner]) -> Vec<Group> {
    let open = learners.iter().filter(|learner| learner.is_open && learner.answer.decision.is_none());
    let mut by_words: BTreeMap<String, Vec<&Learner>> = BTreeMap::new();
    for learner in open {
        by_words.entry(tidy(&learner.answer.answer)).or_default().push(learner);
    }
    let mut wordings: Vec<Wording<'_>> =
        by_words.iter().map(|(words, all)| Wording::new(words, all)).collect();
    // What most have written leads its group.
    wordings.sort_by_key(|wording| std::cmp::Reverse(wording.members.len()));
    let mut leaders: Vec<(Wording<'_>, Vec<Wording<'_>>)> = Vec::new();
    for (place, wording) in wordings.into_iter().enumerate() {
        let own = leaders.iter_mut().find(|(leader, _)| place < WORDINGS_MAX && leader.means(&wording));
        match own {
            Some((_, others)) => others.push(wording),
            None => leaders.push((wording, Vec::new())),
        }
    }
    let mut groups: Vec<Group> =
        leaders.into_iter().map(|(leader, others)| Group::of(&leader, &others)).collect();
    groups.retain(|group| group.members.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    groups.iter_mut().for_each(|group| group.members.truncate(GROUP_MAX));
    groups
}

impl<'l> Wording<'l> {
    fn new(text: &str, all: &[&'l Learner]) -> Wording<'l> {
        let meaning = all.iter().find_map(|learner| learner.meaning.as_deref());
        let machine = all.first().map(|learner| learner.answer.machine).unwrap_or_default();
        Wording {
            members: all.to_vec(),
            meaning: meaning.map(|packed| Kept::unpack(packed).meaning).unwrap_or_default(),
            facts: Facts::of(text, machine),
        }
    }

    fn means(&self, other: &Wording<'_>) -> bool {
        let likeness: f32 = self.meaning.iter().zip(&other.meaning).map(|(one, other)| one * other).sum();
        likeness >= SAME_MEANING && self.facts == other.facts
    }
}

impl Facts {
    fn of(text: &str, machine: Marks) -> Facts {
        let tokens = words::tokens(text);
        let mut numbers: Vec<String> =
            tokens.iter().filter(|token| token.is_number()).map(|token| token.folded.clone()).collect();
        numbers.sort_unstable();
        let denials = tokens.iter().filter(|token| words::is_negation(&token.folded)).count();
        Facts { numbers, is_denied: denials % 2 == 1, machine }
    }
}

impl Group {
    fn of(leader: &Wording<'_>, others: &[Wording<'_>]) -> Group {
        let members =
            std::iter::once(leader).chain(others).flat_map(|wording| wording.members.iter().copied());
        Group { is_same: others.is_empty(), members: members.map(Member::from).collect() }
    }
}

impl From<&Learner> for Member {
    fn from(learner: &Learner) -> Member {
        let Learner { answer, student, name, .. } = learner.clone();
        Member { answer, student, name }
    }
}

/// An answer without what makes no difference. Signs inside words and numbers stay: "-2" is not "2", and "H2O" is
/// not "H20".
pub(crate) fn tidy(answer: &str) -> String {
    const EDGES: &[char] =
        &['.', ',', ';', ':', '!', '?', '"', '\'', '(', ')', '[', ']', '“', '”', '‘', '’', '…'];
    const FILLERS: &[&str] = &["a", "an", "the"];
    let words = answer.split_whitespace().map(|word| word.trim_matches(EDGES).to_lowercase());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let kept: Vec<&str> = words.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
    // An answer of fillers alone, such as the option "A", is what it says.
    if kept.is_empty() { words.join(" ") } else { kept.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::{Identifier as _, SubmissionId};
    use domain::result::{Decision, PartKey};
    use proptest::prelude::*;

    fn learner(number: u128, answer: &str, meaning: &[f32]) -> Learner {
        let answer = Answer {
            submission_id: SubmissionId::from_number(number),
            key: PartKey::default(),
            answer: answer.to_owned(),
            machine: Marks::ZERO,
            awarded: Marks::ZERO,
            available: Marks::whole(2),
            confidence: 0.5,
            flags: Vec::new(),
            decision: None,
            taught: None,
            version: None,
            reviewer: None,
        };
        let meaning = Some(Kept { meaning: meaning.to_vec(), points: Vec::new() }.pack());
        Learner { answer, meaning, is_open: true, student: number.to_string(), name: None }
    }

    fn sizes(learners: &[Learner]) -> Vec<(bool, usize)> {
        groups(learners).iter().map(|group| (group.is_same, group.members.len())).collect()
    }

    #[test]
    fn what_means_the_same_stands_together_unless_it_denies_or_counts_otherwise() {
        let (one, near, far) = ([1.0, 0.0], [0.99, 0.1], [0.0, 1.0]);
        let mut learners = vec![
            learner(1, "It falls.", &one),
            learner(2, "it falls", &one),
            learner(3, "it goes down", &near),
            learner(4, "it does not go down", &near),
            learner(5, "it falls by 3", &near),
            learner(6, "purple", &far),
        ];
        assert_eq!(sizes(&learners), [(false, 3)]);
        learners[2].answer.machine = Marks::whole(1);
        assert_eq!(sizes(&learners), [(true, 2)], "the engine saw a difference");
        learners[0].answer.decision = Some(Decision::default());
        learners[1].is_open = false;
        assert_eq!(sizes(&learners), []);
    }

    #[test]
    fn what_makes_no_difference_goes_and_the_rest_stays() {
        for (one, other) in [("The Sun.", "sun"), ("light,  and \n water", "Light and water!"), ("A", "a.")] {
            assert_eq!(tidy(one), tidy(other), "{one} {other}");
        }
        for (one, other) in [("-2", "2"), ("H2O", "H20"), ("3.5", "35"), ("light", "no light"), ("", "x")] {
            assert_ne!(tidy(one), tidy(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn tidying_twice_is_tidying_once(text: String) {
            prop_assert_eq!(tidy(&tidy(&text)), tidy(&text));
        }
    }
}
