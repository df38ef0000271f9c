//! What does not add up in a paper as it was read: marks against keys, parts and the printed total, numbers
//! that are there twice or not at all. It says what to look at; it never stops an approval.

use super::{AnswerKey, PointKind, Question, available};
use crate::marks::Marks;
use std::fmt;

/// Numbers that are missing in one place are named up to so many.
const MISSING_MAX: usize = 3;

/// Something that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The index of the question it is about; `None` for the paper as a whole.
    pub question: Option<usize>,
    /// The index of the part it is about.
    pub part: Option<usize>,
    /// What it is.
    pub matter: Matter,
}

/// What does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matter {
    /// The parts are not worth what the question is.
    Parts {
        /// What the parts add up to.
        parts: Marks,
        /// What the question is worth.
        marks: Marks,
    },
    /// Not all marks can be earned by the key, or it gives more than there are.
    Key {
        /// The most that the key can earn.
        key: Marks,
        /// What the question or part is worth.
        marks: Marks,
        /// The part's label.
        part: Option<String>,
    },
    /// Another question has the same number.
    NumberTwice,
    /// Another part of the question has the same label.
    LabelTwice(String),
    /// The numbers jump here.
    NumbersMissing(Vec<u32>),
    /// The questions are not worth what the paper says.
    Total {
        /// What the questions add up to.
        sum: Marks,
        /// What the paper prints.
        printed: Marks,
    },
}

/// As a sentence without its subject, which is the question or the paper.
impl fmt::Display for Matter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matter::Parts { parts, marks } => {
                write!(f, "has parts that add up to {}, but is worth {marks}", counted(*parts))
            }
            Matter::Key { key, marks, part } => {
                let of = part.as_ref().map_or_else(String::new, |label| format!(" for {label}"));
                let only = if key < marks { "only " } else { "" };
                write!(f, "has a key{of} that gives {only}{}, but is worth {marks}", counted(*key))
            }
            Matter::NumberTwice => f.write_str("has the same number as another question"),
            Matter::LabelTwice(label) => write!(f, "has the part {label} twice"),
            Matter::NumbersMissing(numbers) => {
                let names: Vec<String> = numbers.iter().take(MISSING_MAX).map(u32::to_string).collect();
                let more = if numbers.len() > MISSING_MAX { " …" } else { "" };
                write!(f, "comes where {}{more} should be", names.join(", "))
            }
            Matter::Total { sum, printed } => {
                write!(f, "has questions that add up to {}, but says {printed}", counted(*sum))
            }
        }
    }
}

fn counted(marks: Marks) -> String {
    if marks == Marks::whole(1) { "1 mark".to_owned() } else { format!("{marks} marks") }
}

/// All that does not add up, in paper order, the paper as a whole first.
pub fn findings(questions: &[Question], printed: Option<Marks>) -> Vec<Finding> {
    let sum = available(questions);
    let total = printed.filter(|printed| *printed != sum).map(|printed| Finding {
        question: None,
        part: None,
        matter: Matter::Total { sum, printed },
    });
    let numbers = of_numbers(questions);
    let mut found: Vec<Finding> = total.into_iter().collect();
    for (index, question) in questions.iter().enumerate() {
        let own = |matter| Finding { question: Some(index), part: None, matter };
        found.extend(numbers.iter().filter(|(at, _)| *at == index).map(|(_, matter)| own(matter.clone())));
        found.extend(of_parts(question).map(own));
        found.extend(of_labels(question).into_iter().map(own));
        found.extend(of_keys(question).into_iter().map(|(part, matter)| Finding {
            question: Some(index),
            part,
            matter,
        }));
    }
    found
}

/// Parts that are all worth something and not what the question is worth.
fn of_parts(question: &Question) -> Option<Matter> {
    let marks = question.marks?;
    let parts: Option<Vec<Marks>> = question.parts.iter().map(|part| part.marks).collect();
    let parts: Marks = parts.filter(|parts| !parts.is_empty())?.into_iter().sum();
    // Marks of the whole beside its parts' own have a key of their own.
    (parts != marks && question.answer_key.is_none()).then_some(Matter::Parts { parts, marks })
}

fn of_labels(question: &Question) -> Vec<Matter> {
    let is_earlier =
        |index: usize, label: &str| question.parts[..index].iter().any(|part| part.label == label);
    let twice = question.parts.iter().enumerate().filter(|(index, part)| is_earlier(*index, &part.label));
    twice.map(|(_, part)| Matter::LabelTwice(part.label.clone())).collect()
}

/// Keys that cannot earn all that there is to earn, or that give more.
fn of_keys(question: &Question) -> Vec<(Option<usize>, Matter)> {
    let mut found = Vec::new();
    if question.parts.is_empty() {
        found.extend(of_key(question.answer_key.as_ref(), question.marks, None).map(|matter| (None, matter)));
    }
    for (index, part) in question.parts.iter().enumerate() {
        let matter = of_key(part.answer_key.as_ref(), part.marks, Some(&part.label));
        found.extend(matter.map(|matter| (Some(index), matter)));
    }
    found
}

fn of_key(key: Option<&AnswerKey>, marks: Option<Marks>, label: Option<&str>) -> Option<Matter> {
    let (key, marks) = (key.filter(|key| !key.is_empty())?, marks?);
    let most = key.worth();
    let is_off = most < marks || (most > marks && key.is_exact());
    is_off.then(|| Matter::Key { key: most, marks, part: label.map(str::to_owned) })
}

/// Numbers that come twice or leave a gap, with the index of the question where that shows.
fn of_numbers(questions: &[Question]) -> Vec<(usize, Matter)> {
    let mut found = Vec::new();
    // The questions since the numbers last began anew, as sections do.
    let mut run: Vec<(usize, &str, Option<u32>)> = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        let number = question.number.trim();
        let value = value(number);
        let last = run.last().copied();
        let begins_anew = run.first().is_some_and(|(_, first, _)| *first == number)
            && last.is_some_and(|(_, last, _)| last != number);
        if begins_anew {
            run.clear();
        } else if let Some((at, ..)) = run.iter().find(|(_, other, _)| *other == number) {
            if questions[*at].choice_group.is_none() || questions[*at].choice_group != question.choice_group {
                found.push((index, Matter::NumberTwice));
            }
        } else if let (Some((_, _, Some(before))), Some(value)) = (last, value)
            && value > before + 1
            && value - before <= JUMP_MAX
        {
            found.push((index, Matter::NumbersMissing((before + 1..value).collect())));
        }
        run.push((index, number, value));
    }
    found
}

/// A longer jump is another way of numbering, not a gap.
const JUMP_MAX: u32 = 20;

/// The number in a number as printed: "7", "Q7", "07".
fn value(number: &str) -> Option<u32> {
    let digits = number.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_bare = digits.chars().all(|c| c.is_ascii_digit());
    if is_bare { digits.parse().ok() } else { None }
}

impl AnswerKey {
    /// The most that it can earn.
    pub fn worth(&self) -> Marks {
        let levels = self.levels.iter().map(|level| level.marks_to).max().unwrap_or_default();
        if !levels.is_zero() {
            return levels;
        }
        let is_answer = |kind: PointKind| kind == PointKind::Answer;
        let answers = self.points.iter().filter(|point| is_answer(point.kind)).map(|point| point.marks);
        let whole = answers.max().unwrap_or_default();
        let single =
            self.points.iter().filter(|point| !is_answer(point.kind) && self.group_of(point.group).is_none());
        let mut steps: Marks = single.map(|point| point.marks).sum();
        for (index, group) in self.groups.iter().enumerate() {
            let own = self.points.iter().filter(|point| point.group.is_some_and(|at| at as usize == index));
            let mut marks: Vec<Marks> = own.map(|point| point.marks).collect();
            marks.sort_unstable_by(|one, other| other.cmp(one));
            let most = group.pick.map_or(marks.len(), |pick| pick as usize);
            let picked: Marks = marks.into_iter().take(most).sum();
            steps = steps + group.max.map_or(picked, |max| picked.min(max));
        }
        whole.max(steps)
    }

    /// True when it is a plain list of points that all count: examiners' notation and choices often name
    /// more marks than can be earned.
    fn is_exact(&self) -> bool {
        let is_plain = |kind: PointKind| matches!(kind, PointKind::Option);
        self.groups.is_empty()
            && self.levels.is_empty()
            && self.points.iter().all(|point| is_plain(point.kind))
    }

    fn group_of(&self, index: Option<u32>) -> Option<&super::Group> {
        index.and_then(|index| self.groups.get(index as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Group, Level, Part, Point};

    fn point(marks: u32) -> Point {
        Point { text: "light".into(), marks: Marks::whole(marks), ..Point::default() }
    }

    fn key(points: Vec<Point>) -> AnswerKey {
        AnswerKey { points, ..AnswerKey::default() }
    }

    fn question(number: &str, marks: u32) -> Question {
        let answer_key = Some(key(vec![point(marks)]));
        Question {
            number: number.into(),
            marks: Some(Marks::whole(marks)),
            answer_key,
            ..Question::default()
        }
    }

    fn said(questions: &[Question], printed: Option<u32>) -> Vec<String> {
        let found = findings(questions, printed.map(Marks::whole));
        let name = |at: Option<usize>| at.map_or("paper".to_owned(), |at| questions[at].number.clone());
        found.into_iter().map(|one| format!("{} {}", name(one.question), one.matter)).collect()
    }

    fn numbered(numbers: &[&str]) -> Vec<String> {
        said(&numbers.iter().map(|number| question(number, 1)).collect::<Vec<_>>(), None)
    }

    #[test]
    fn what_adds_up_is_not_mentioned() {
        assert_eq!(said(&[question("1", 2), question("2", 3)], Some(5)), [""; 0]);
    }

    #[test]
    fn the_printed_total_is_held_against_the_questions() {
        let said = said(&[question("1", 2), question("2", 1)], Some(5));
        assert_eq!(said, ["paper has questions that add up to 3 marks, but says 5"]);
    }

    #[test]
    fn parts_are_held_against_their_question_and_keys_against_both() {
        let part = |label: &str, marks, worth| Part {
            label: label.into(),
            marks: Some(Marks::whole(marks)),
            answer_key: Some(key(vec![point(worth)])),
            ..Part::default()
        };
        let parts = vec![part("(a)", 2, 2), part("(b)", 3, 1), part("(b)", 1, 1)];
        let whole =
            Question { number: "4".into(), marks: Some(Marks::whole(5)), parts, ..Question::default() };
        assert_eq!(
            said(&[whole], None),
            [
                "4 has parts that add up to 6 marks, but is worth 5",
                "4 has the part (b) twice",
                "4 has a key for (b) that gives only 1 mark, but is worth 3",
            ]
        );
    }

    #[test]
    fn a_key_earns_by_its_choices_its_levels_or_its_final_answer() {
        let grouped = Point { group: Some(0), ..point(1) };
        let mut choice = key(vec![grouped.clone(), grouped.clone(), grouped, point(1)]);
        choice.groups.push(Group { text: "any two from".into(), pick: Some(2), max: None });
        assert_eq!(choice.worth(), Marks::whole(3));
        choice.groups[0].max = Some(Marks::whole(1));
        assert_eq!(choice.worth(), Marks::whole(2));
        let answer = Point { kind: PointKind::Answer, ..point(3) };
        assert_eq!(key(vec![answer, point(1), point(1)]).worth(), Marks::whole(3));
        let level = |marks| Level { marks_to: Marks::whole(marks), ..Level::default() };
        let levels = AnswerKey { levels: vec![level(2), level(6)], ..key(vec![point(1)]) };
        assert_eq!(levels.worth(), Marks::whole(6));
    }

    #[test]
    fn more_points_than_marks_are_usual_more_right_options_are_not() {
        let several = |kind| {
            let points = vec![Point { kind, ..point(1) }; 3];
            Question { answer_key: Some(key(points)), ..question("1", 2) }
        };
        assert_eq!(said(&[several(PointKind::Point)], None), [""; 0]);
        assert_eq!(
            said(&[several(PointKind::Option)], None),
            ["1 has a key that gives 3 marks, but is worth 2"]
        );
    }

    #[test]
    fn numbers_come_once_and_in_order_within_a_section() {
        assert_eq!(numbered(&["1", "2", "3"]), [""; 0]);
        assert_eq!(numbered(&["1", "2", "2", "3"]), ["2 has the same number as another question"]);
        assert_eq!(numbered(&["15", "16", "16", "17"]), ["16 has the same number as another question"]);
        assert_eq!(numbered(&["1", "2", "1", "2", "3"]), [""; 0], "section B begins anew");
        assert_eq!(numbered(&["1", "4"]), ["4 comes where 2, 3 should be"]);
        assert_eq!(numbered(&["Q1", "Q7"]), ["Q7 comes where 2, 3, 4 … should be"]);
        assert_eq!(numbered(&["A", "C", "1.2"]), [""; 0]);
    }

    #[test]
    fn two_questions_to_choose_from_may_share_a_number() {
        let choice = Question { choice_group: Some("B".into()), ..question("2", 1) };
        assert_eq!(said(&[question("1", 1), choice.clone(), choice], None), [""; 0]);
    }
}
