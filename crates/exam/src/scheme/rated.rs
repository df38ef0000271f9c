//! Small tables inside an answer that say what is worth how much: "Rationale | Marks", "Exemplar | Mark | Rationale".
//! The first price the answer, or tell how good it is; the second are examples and price nothing.

use super::scales::{self, Row};
use super::solution::Solution;
use domain::marks::Marks;
use domain::question::{AnswerKey, Group, Level, Point, PointKind};
use lexicon::Concept;
use lexicon::english::schemes;
use reader::page::{Direction, Page, Rect};
use reader::tables;

/// A table that rates answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// Its rows are answers that candidates might give.
    pub(super) is_examples: bool,
    pub(super) ratings: Vec<Rating>,
}

/// A row of such a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rating {
    pub(super) text: String,
    pub(super) worth: Marks,
    /// What stands behind the marks.
    pub(super) why: String,
}

/// A row alone rates nothing.
const LEAST_ROWS: usize = 2;
/// Longer cells are no names of columns.
const NAME_WORDS_MAX: usize = 4;

/// The tables of a page that rate answers, each with its place. A table that stands in no other is the scheme itself.
pub(super) fn find(page: &Page) -> Vec<(Rect, Rated)> {
    let found = tables::tables(page);
    let rated = found.iter().flat_map(|table| in_rows(&scales::rows(table, page)));
    rated.filter(|(place, _)| is_inside_another(place, page)).collect()
}

/// True when upright lines run on both sides of a place, beyond its own.
fn is_inside_another(place: &Rect, page: &Page) -> bool {
    const APART: f32 = 3.0;
    let middle = place.centre().1;
    let rulings = page.rulings.iter().filter(|ruling| ruling.direction == Direction::Vertical);
    let upright = rulings.map(|ruling| ruling.place);
    let edges = page.boxes.iter().flat_map(|own| [Rect { x1: own.x0, ..*own }, Rect { x0: own.x1, ..*own }]);
    let beside: Vec<Rect> =
        upright.chain(edges).filter(|line| line.y0 <= middle && middle <= line.y1).collect();
    beside.iter().any(|line| line.x1 < place.x0 - APART)
        && beside.iter().any(|line| line.x0 > place.x1 + APART)
}

fn in_rows(rows: &[Row]) -> Vec<(Rect, Rated)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let Some(column) = marks_column(&rows[at]) else {
            at += 1;
            continue;
        };
        let ratings: Vec<Rating> = rows[at + 1..].iter().map_while(|row| rating(row, column)).collect();
        let end = at + ratings.len();
        let place = rows[at..=end].iter().map(|row| row.place).reduce(|all, row| all.union(&row));
        let named = rows[at].cells.iter().find(|cell| !cell.trim().is_empty());
        let is_examples =
            named.is_some_and(|name| lexicon::is(Concept::ExampleColumn, &name.trim().to_lowercase()));
        if let Some(place) = place.filter(|_| ratings.len() >= LEAST_ROWS) {
            found.push((place, Rated { is_examples, ratings }));
        }
        at = end + 1;
    }
    found
}

/// Which column a row names for the marks, where it names the columns of a table inside an answer.
fn marks_column(row: &Row) -> Option<usize> {
    let names: Vec<&String> = row.cells.iter().filter(|cell| !cell.trim().is_empty()).collect();
    let short = names.iter().all(|name| name.split_whitespace().count() <= NAME_WORDS_MAX);
    let labels = |name: &&String| lexicon::is(Concept::LabelColumn, &name.trim().to_lowercase());
    let column = row.cells.iter().position(|cell| scales::is_unit(cell))?;
    (names.len() >= 2 && short && column > 0 && !names.iter().any(labels)).then_some(column)
}

fn rating(row: &Row, column: usize) -> Option<Rating> {
    let (from, worth) = scales::range(row.cells.get(column)?)?;
    let said = |cells: &[String]| {
        // "A", "B": what a row is called by the others.
        let own = cells.iter().map(|cell| cell.trim()).filter(|cell| cell.chars().count() > 1);
        own.collect::<Vec<_>>().join(" ")
    };
    let text = said(&row.cells[..column]);
    (from == worth && !text.is_empty()).then(|| Rating { text, worth, why: said(&row.cells[column + 1..]) })
}

impl Rating {
    fn shown(&self) -> String {
        let dash = if self.why.is_empty() { "" } else { " – " };
        format!("{} ({}){dash}{}", self.text, self.worth, self.why)
    }
}

/// The key of an answer in which tables stood that rate it; `key` is what its other lines say.
pub(super) fn applied(mut key: AnswerKey, tables: &[Rated], total: Option<Marks>) -> AnswerKey {
    let (examples, rationales): (Vec<&Rated>, Vec<&Rated>) =
        tables.iter().partition(|table| table.is_examples);
    if let Some(rationale) = rationales.first() {
        key = rated(key, &rationale.ratings, total);
    }
    let ratings = || examples.iter().flat_map(|table| &table.ratings);
    // An example that is a number and earns all is another way to write the result.
    let values = ratings().filter(|rating| Some(rating.worth) == total && is_value(&rating.text));
    let result = key.points.iter_mut().rev().find(|point| Some(point.marks) == total);
    if let Some(result) = result.filter(|point| point.text.contains(|c: char| c.is_ascii_digit())) {
        result.accept.extend(values.map(|rating| rating.text.clone()));
    }
    let others = rationales.iter().skip(1).flat_map(|table| &table.ratings).chain(ratings());
    add_notes(&mut key, others.map(Rating::shown));
    key
}

/// "11 250"
fn is_value(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_alphabetic)
}

fn rated(mut key: AnswerKey, ratings: &[Rating], total: Option<Marks>) -> AnswerKey {
    let ratings: Vec<&Rating> = ratings.iter().filter(|rating| !rating.worth.is_zero()).collect();
    let sum: Marks = ratings.iter().map(|rating| rating.worth).sum();
    let best = ratings.iter().map(|rating| rating.worth).max().unwrap_or_default();
    let total = total.unwrap_or(if ratings.iter().all(|rating| rating.worth == best) { sum } else { best });
    if sum == total && key.levels.is_empty() {
        return priced(key, &ratings);
    }
    let earned: Marks = key.points.iter().map(|point| point.marks).sum();
    let says_each = earned == total && key.groups.is_empty() && key.points.len() > 1;
    if best == total && key.levels.is_empty() && !says_each {
        return match calculated(&key, &ratings, total) {
            Some(points) => points,
            None => by_quality(key, &ratings),
        };
    }
    add_notes(&mut key, ratings.iter().map(|rating| rating.shown()));
    key
}

/// Each row is a point. "Flow – made without a break" below the table tells more of the row that speaks of flow.
fn priced(key: AnswerKey, ratings: &[&Rating]) -> AnswerKey {
    let point =
        |rating: &&Rating| Point { text: rating.text.clone(), marks: rating.worth, ..Point::default() };
    let mut points: Vec<Point> = ratings.iter().map(point).collect();
    let mut left = Vec::new();
    for content in key.points {
        let named = content.text.split_once(" – ").and_then(|(name, told)| {
            let own = words(name);
            let at = points.iter().position(|point| {
                let said = words(&point.text);
                !own.is_empty() && own.iter().all(|word| said.contains(word))
            });
            at.map(|at| (at, told.to_owned()))
        });
        match named {
            Some((at, told)) => {
                points[at].alternatives.push(told);
                points[at].alternatives.extend(content.alternatives);
            }
            None => left.push(content.text),
        }
    }
    let mut key = AnswerKey { points, groups: Vec::new(), ..AnswerKey { points: Vec::new(), ..key } };
    add_notes(&mut key, left.into_iter());
    key
}

/// "Correct answer | 3", with a worked solution below: the result earns all, its steps some without it.
fn calculated(key: &AnswerKey, ratings: &[&Rating], total: Marks) -> Option<AnswerKey> {
    let for_result = ratings.iter().any(|rating| {
        let lower = rating.text.to_lowercase();
        rating.worth == total && lexicon::says(Concept::NamesResult, &lower).is_some()
    });
    let texts: Vec<String> = key.points.iter().map(|point| point.text.clone()).collect();
    let mut solution = Solution::of_statements(texts);
    let result = solution
        .result(false)
        .filter(|result| for_result && result.contains(|c: char| c.is_ascii_digit()))?;
    let formulae = solution.formulae();
    let one = Marks::whole(1);
    let step = |text: String| Point {
        text,
        marks: one,
        kind: PointKind::Method,
        group: Some(0),
        ..Point::default()
    };
    let most = formulae.iter().map(|_| one).sum::<Marks>().min(total.less(one));
    let groups = match formulae.as_slice() {
        [] => Vec::new(),
        steps => {
            vec![Group { text: schemes::without_answer(&steps.join("; ")), pick: None, max: Some(most) }]
        }
    };
    let kind = if formulae.is_empty() { PointKind::Point } else { PointKind::Answer };
    let mut points: Vec<Point> = formulae.into_iter().map(step).collect();
    points.push(Point { text: result, marks: total, kind, ..Point::default() });
    let mut read = AnswerKey { points, groups, ..key.clone() };
    add_notes(&mut read, ratings.iter().map(|rating| rating.shown()));
    add_notes(&mut read, solution.left());
    Some(read)
}

/// Rows that tell how good an answer is are levels; what it may contain stands in the notes.
fn by_quality(key: AnswerKey, ratings: &[&Rating]) -> AnswerKey {
    let mut levels: Vec<Level> = Vec::new();
    for rating in ratings {
        match levels.iter_mut().find(|level| level.marks_to == rating.worth) {
            Some(level) => level.descriptor = format!("{}; {}", level.descriptor, rating.text),
            None => levels.push(Level {
                name: rating.worth.to_string(),
                marks_from: rating.worth,
                marks_to: rating.worth,
                descriptor: rating.text.clone(),
            }),
        }
    }
    levels.sort_by_key(|level| std::cmp::Reverse(level.marks_to));
    let content = key.points.into_iter().map(|point| {
        let wordings = std::iter::once(point.text).chain(point.alternatives);
        wordings.collect::<Vec<_>>().join(" / ")
    });
    let content: Vec<String> = content.collect();
    let mut read =
        AnswerKey { points: Vec::new(), groups: Vec::new(), notes: key.notes, levels, regions: key.regions };
    add_notes(&mut read, content.into_iter());
    read
}

fn add_notes(key: &mut AnswerKey, more: impl Iterator<Item = String>) {
    let notes: Vec<String> = key.notes.take().into_iter().chain(more).collect();
    key.notes = (!notes.is_empty()).then(|| notes.join("\n"));
}

fn words(text: &str) -> Vec<String> {
    let own = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    own.map(str::to_lowercase).filter(|word| !lexicon::is_stop_word(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated_by(rows: &[(&str, u32)]) -> Vec<Rated> {
        let rating = |(text, worth): &(&str, u32)| Rating {
            text: (*text).to_owned(),
            worth: Marks::whole(*worth),
            why: String::new(),
        };
        vec![Rated { is_examples: false, ratings: rows.iter().map(rating).collect() }]
    }

    fn content(points: &[(&str, u32)], max: Option<u32>) -> AnswerKey {
        let group = max.map(|_| 0);
        let point = |(text, worth): &(&str, u32)| Point {
            text: (*text).to_owned(),
            marks: Marks::whole(*worth),
            group,
            ..Point::default()
        };
        let groups = max.map(|max| Group { max: Some(Marks::whole(max)), ..Group::default() });
        AnswerKey {
            points: points.iter().map(point).collect(),
            groups: groups.into_iter().collect(),
            ..AnswerKey::default()
        }
    }

    fn shown(key: &AnswerKey) -> Vec<String> {
        let point = |point: &Point| {
            let or: String = point.alternatives.iter().map(|own| format!(" or {own}")).collect();
            format!("{}{or} :{} {:?}", point.text, point.marks, point.kind)
        };
        let level = |level: &Level| format!("{}-{} {}", level.marks_from, level.marks_to, level.descriptor);
        let notes = key.notes.iter().flat_map(|notes| notes.lines()).map(|note| format!("note {note}"));
        key.points.iter().map(point).chain(key.levels.iter().map(level)).chain(notes).collect()
    }

    #[test]
    fn rows_that_make_up_the_marks_are_points() {
        let tables = rated_by(&[("An understanding of rotation", 1), ("An example", 1), ("No content", 0)]);
        let below = content(&[("Rotation – another crop each year", 1), ("Crops differ", 1)], Some(2));
        assert_eq!(
            shown(&applied(below, &tables, Some(Marks::whole(2)))),
            [
                "An understanding of rotation or another crop each year :1 Point",
                "An example :1 Point",
                "note Crops differ"
            ]
        );
    }

    #[test]
    fn rows_that_tell_how_good_an_answer_is_are_levels() {
        let tables = rated_by(&[("A clear statement", 2), ("A vague statement", 1), ("No content", 0)]);
        let below = content(&[("land at the mouth of a river", 2)], None);
        assert_eq!(
            shown(&applied(below, &tables, Some(Marks::whole(2)))),
            ["2-2 A clear statement", "1-1 A vague statement", "note land at the mouth of a river"]
        );
        let elements = content(&[("soil is worn away", 1), ("by wind", 1)], None);
        assert_eq!(
            shown(&applied(elements, &tables, Some(Marks::whole(2))))[..2],
            ["soil is worn away :1 Point", "by wind :1 Point"]
        );
    }

    #[test]
    fn a_result_earns_all_and_its_steps_some_without_it() {
        let tables = rated_by(&[("Correct answer, with or without working", 3), ("Formula and area", 2)]);
        let below = content(&[("yield = area × rate", 1), ("area = 4 × 5", 1), ("20 × 3 = $60", 1)], Some(3));
        let key = applied(below, &tables, Some(Marks::whole(3)));
        assert_eq!(
            shown(&key)[..3],
            ["yield = area × rate :1 Method", "area = 4 × 5 :1 Method", "$60 :3 Answer"]
        );
        assert_eq!(key.groups[0].max, Some(Marks::whole(2)));
        let mut with_examples = [tables, rated_by(&[("60.00", 3), ("12", 0)])].concat();
        with_examples[1].is_examples = true;
        let below = content(&[("20 × 3 = $60", 3)], None);
        let key = applied(below, &with_examples, Some(Marks::whole(3)));
        assert_eq!(
            (key.points[0].text.as_str(), key.points[0].accept.as_slice()),
            ("$60", &["60.00".to_owned()][..])
        );
    }

    #[test]
    fn examples_price_nothing() {
        let mut tables = rated_by(&[("Soil is blown away", 2), ("Rocks get old", 0)]);
        tables[0].is_examples = true;
        tables[0].ratings[0].why = "all elements met".to_owned();
        let below = content(&[("soil is worn away", 2)], None);
        assert_eq!(
            shown(&applied(below, &tables, Some(Marks::whole(2)))),
            [
                "soil is worn away :2 Point",
                "note Soil is blown away (2) – all elements met",
                "note Rocks get old (0)"
            ]
        );
    }

    #[test]
    fn the_columns_of_a_table_are_told_by_their_names() {
        let place = Rect { x0: 100.0, y0: 100.0, x1: 300.0, y1: 120.0 };
        let row =
            |cells: &[&str]| Row { cells: cells.iter().map(|cell| (*cell).to_owned()).collect(), place };
        let inner =
            [row(&["", "Rationale", "Marks"]), row(&["B", "it grows", "1"]), row(&["A", "it is fed", "1"])];
        let found = in_rows(&inner);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1.ratings[0].text, "it grows");
        let outer =
            [row(&["Question", "Answer", "Marks"]), row(&["1", "it grows", "1"]), row(&["2", "fed", "1"])];
        assert!(in_rows(&outer).is_empty());
    }
}
