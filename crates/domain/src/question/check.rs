//! The bounds of a question that a person edits. What the reader finds lies well within them.

use super::{AnswerKey, Choice, Level, Part, Point, Question, Region};
use crate::text::{check_line, check_lines};
use std::fmt;

/// Numbers, labels and names of levels.
const LABEL_MAX: usize = 60;
/// What is asked, notes, descriptors.
const TEXT_MAX: usize = 20_000;
/// One wording of a mark point.
const WORDING_MAX: usize = 4_000;
/// Parts of a question.
const PARTS_MAX: usize = 100;
/// Options of a multiple choice.
const OPTIONS_MAX: usize = 50;
/// Mark points, groups of them or levels of one answer key.
const POINTS_MAX: usize = 200;
/// Wordings of one kind at one point.
const WORDINGS_MAX: usize = 100;
/// Regions, pages and warnings.
const PLACES_MAX: usize = 400;

/// What is wrong with a question, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Such as `parts[1].answer_key.points[0].text`.
    pub path: String,
    /// Ends a sentence that begins with what stands there.
    pub problem: String,
}

type Checked = Result<(), Wrong>;

impl Question {
    /// Holds an edited question against the bounds; the first problem is the answer.
    pub fn check(&self) -> Checked {
        line("number", &self.number, 1, LABEL_MAX)?;
        text("text", &self.text)?;
        each("options", &self.options, OPTIONS_MAX, Choice::check)?;
        each("parts", &self.parts, PARTS_MAX, Part::check)?;
        key("answer_key", self.answer_key.as_ref())?;
        count("pages", self.pages.len(), PLACES_MAX)?;
        each("regions", &self.regions, PLACES_MAX, Region::check)?;
        if let Some(group) = &self.choice_group {
            line("choice_group", group, 1, LABEL_MAX)?;
        }
        each("warnings", &self.warnings, PLACES_MAX, |path, warning| line(path, warning, 0, WORDING_MAX))
    }
}

impl Part {
    fn check(path: &str, part: &Part) -> Checked {
        line(&at(path, "label"), &part.label, 1, LABEL_MAX)?;
        text(&at(path, "text"), &part.text)?;
        each(&at(path, "options"), &part.options, OPTIONS_MAX, Choice::check)?;
        key(&at(path, "answer_key"), part.answer_key.as_ref())?;
        each(&at(path, "regions"), &part.regions, PLACES_MAX, Region::check)
    }
}

impl Choice {
    fn check(path: &str, choice: &Choice) -> Checked {
        line(&at(path, "label"), &choice.label, 1, LABEL_MAX)?;
        text(&at(path, "text"), &choice.text)
    }
}

fn key(path: &str, key: Option<&AnswerKey>) -> Checked {
    let Some(key) = key else { return Ok(()) };
    each(&at(path, "points"), &key.points, POINTS_MAX, |path, point| Point::check(path, point, key))?;
    each(&at(path, "groups"), &key.groups, POINTS_MAX, |path, group| text(&at(path, "text"), &group.text))?;
    if let Some(notes) = &key.notes {
        text(&at(path, "notes"), notes)?;
    }
    each(&at(path, "regions"), &key.regions, PLACES_MAX, Region::check)?;
    each(&at(path, "levels"), &key.levels, POINTS_MAX, Level::check)
}

impl Point {
    fn check(path: &str, point: &Point, key: &AnswerKey) -> Checked {
        let lists = [
            ("alternatives", &point.alternatives),
            ("accept", &point.accept),
            ("reject", &point.reject),
            ("ignore", &point.ignore),
            ("required", &point.required),
        ];
        lines(&at(path, "text"), &point.text, 1, WORDING_MAX)?;
        for (name, wordings) in lists {
            each(&at(path, name), wordings, WORDINGS_MAX, |path, wording| {
                lines(path, wording, 1, WORDING_MAX)
            })?;
        }
        count(&at(path, "notation"), point.notation.len(), WORDINGS_MAX)?;
        let is_there =
            |index: Option<u32>, length: usize| index.is_none_or(|index| (index as usize) < length);
        if !is_there(point.group, key.groups.len()) {
            return wrong(&at(path, "group"), "names a group that is not there");
        }
        if !is_there(point.depends_on, key.points.len()) {
            return wrong(&at(path, "depends_on"), "names a mark point that is not there");
        }
        Ok(())
    }
}

impl Level {
    fn check(path: &str, level: &Level) -> Checked {
        line(&at(path, "name"), &level.name, 1, LABEL_MAX)?;
        text(&at(path, "descriptor"), &level.descriptor)?;
        if level.marks_from > level.marks_to {
            return wrong(&at(path, "marks_to"), "must not be less than the marks it begins with");
        }
        Ok(())
    }
}

impl Region {
    fn check(path: &str, region: &Region) -> Checked {
        let edges = [region.x, region.y, region.width, region.height];
        // A little outside the page is the reader's rounding.
        if edges.iter().all(|edge| (-1.0..=2.0).contains(edge)) {
            return Ok(());
        }
        wrong(path, "must lie on its page")
    }
}

fn each<T>(path: &str, items: &[T], max: usize, check: impl Fn(&str, &T) -> Checked) -> Checked {
    count(path, items.len(), max)?;
    items.iter().enumerate().try_for_each(|(index, item)| check(&format!("{path}[{index}]"), item))
}

fn count(path: &str, items: usize, max: usize) -> Checked {
    if items <= max { Ok(()) } else { wrong(path, format_args!("must have at most {max} items")) }
}

fn line(path: &str, value: &str, min: usize, max: usize) -> Checked {
    check_line(value, min, max).or_else(|problem| wrong(path, problem))
}

fn lines(path: &str, value: &str, min: usize, max: usize) -> Checked {
    check_lines(value, min, max).or_else(|problem| wrong(path, problem))
}

fn text(path: &str, value: &str) -> Checked {
    lines(path, value, 0, TEXT_MAX)
}

fn wrong(path: &str, problem: impl fmt::Display) -> Checked {
    Err(Wrong { path: path.to_owned(), problem: problem.to_string() })
}

fn at(path: &str, name: &str) -> String {
    format!("{path}.{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::Marks;
    use crate::question::Group;

    fn question() -> Question {
        let point =
            Point { text: "light".into(), marks: Marks::whole(1), group: Some(0), ..Point::default() };
        let key = AnswerKey {
            points: vec![point],
            groups: vec![Group::default()],
            levels: vec![Level { name: "Level 1".into(), marks_to: Marks::whole(2), ..Level::default() }],
            ..AnswerKey::default()
        };
        let part = Part { label: "(a)".into(), answer_key: Some(key), ..Part::default() };
        Question { number: "1".into(), parts: vec![part], ..Question::default() }
    }

    fn path(change: impl FnOnce(&mut Question)) -> String {
        let mut question = question();
        change(&mut question);
        question.check().err().map_or_else(String::new, |wrong| wrong.path)
    }

    fn key(question: &mut Question) -> &mut AnswerKey {
        question.parts[0].answer_key.as_mut().unwrap()
    }

    #[test]
    fn the_first_wrong_thing_is_named_by_its_place() {
        assert_eq!(path(|_| ()), "");
        assert_eq!(path(|question| question.number.clear()), "number");
        assert_eq!(path(|question| question.text = "x".repeat(TEXT_MAX + 1)), "text");
        assert_eq!(path(|question| question.text = "a\u{202e}b".into()), "text");
        assert_eq!(path(|question| question.parts[0].label = "x\ny".into()), "parts[0].label");
        assert_eq!(path(|question| question.parts = vec![Part::default(); PARTS_MAX + 1]), "parts");
        assert_eq!(path(|question| question.options = vec![Choice::default()]), "options[0].label");
        assert_eq!(
            path(|question| key(question).points[0].text.clear()),
            "parts[0].answer_key.points[0].text"
        );
        let accept = "parts[0].answer_key.points[0].accept[0]";
        assert_eq!(path(|question| key(question).points[0].accept.push(String::new())), accept);
        let group = "parts[0].answer_key.points[0].group";
        assert_eq!(path(|question| key(question).groups.clear()), group);
        let depends = "parts[0].answer_key.points[0].depends_on";
        assert_eq!(path(|question| key(question).points[0].depends_on = Some(1)), depends);
        let level = "parts[0].answer_key.levels[0].marks_to";
        assert_eq!(path(|question| key(question).levels[0].marks_from = Marks::whole(3)), level);
        let nowhere = Region { x: f32::NAN, ..Region::default() };
        assert_eq!(path(|question| question.regions.push(nowhere)), "regions[0]");
    }
}
