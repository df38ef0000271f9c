//! From a key's words to what it means: the one place that reads a scheme's notation.
//!
//! `scheme` finds which lines of a document belong to which part and makes points of them, in the scheme's own words,
//! which a teacher reviews and which are stored. Here those words are understood, before a paper is marked.

mod asked;
mod choices;
pub(crate) mod echoed;
mod headings;
mod levels;
mod number;
mod order;
mod phrases;
mod priced;
mod remarks;
mod roles;
mod rubric;
mod separators;
mod shares;
mod solutions;
mod wording;
mod wordings;
mod worked;

pub use rubric::of as rubric;

use asked::Asked;
use domain::question::{AnswerKey, Point, PointKind, Question};
use domain::scheme::{Keys, Required, Role, Scale, TypedKey, TypedPoint};
use lexicon::english::joints;
use signs::list::items;
use signs::number::Separators;
use signs::words::tokens;

/// The keys of a question, understood.
pub fn typed(question: &Question) -> Keys {
    let labels: Vec<&str> = question.parts.iter().map(|part| part.label.as_str()).collect();
    let separators = separators::of(question);
    let understood = |key: &Option<AnswerKey>, asked: Asked<'_>| {
        let key = key.as_ref().filter(|key| !key.is_empty())?;
        let asked = Asked { labels: labels.clone(), ..asked };
        if separators == Separators::default() {
            return Some(typed_key(key, &asked));
        }
        let mut typed = typed_key(&separators::in_english(key, separators), &asked);
        for (point, stored) in typed.points.iter_mut().zip(&key.points) {
            point.text.clone_from(&stored.text);
        }
        let Separators { has_decimal_commas, has_dotted_thousands } = separators;
        Some(TypedKey { has_decimal_commas, has_dotted_thousands, ..typed })
    };
    let parts = question.parts.iter().map(|part| {
        let asked = Asked::of(&question.text, &part.text, part.kind, &part.options);
        understood(&part.answer_key, asked)
    });
    let asked = Asked::of("", &question.text, question.kind, &question.options);
    Keys { parts: parts.collect(), own: understood(&question.answer_key, asked) }
}

/// A multiple choice key names labels; one that describes what to write is marked in words.
const OPTION_WORDS_MAX: usize = 12;
/// "E", "FA": codes stand beside numbers in a list.
const CODE_MAX: usize = 3;

fn typed_key(key: &AnswerKey, asked: &Asked<'_>) -> TypedKey {
    let remarks = remarks::of(key);
    let mut points: Vec<TypedPoint> = key.points.iter().map(|point| typed_point(point, key, asked)).collect();
    for (index, point) in points.iter_mut().enumerate() {
        point.needs = order::needs(key, index, remarks.has_special_case);
    }
    let is_solution = solutions::is_written_out(key);
    for point in points.iter_mut().filter(|point| is_solution && solutions::only_leads(&point.text)) {
        point.role = Role::Instruction;
    }
    let words = |point: &Point| point.text.split_whitespace().count();
    let is_bare = |point: &&Point| {
        point.kind != PointKind::Method
            && words(point) <= 2
            && (says_digit(&point.text) || point.text.chars().count() <= CODE_MAX)
    };
    TypedKey {
        points,
        groups: key.groups.clone(),
        routes: order::routes(key),
        scale: if is_solution { Scale::Solution } else { levels::scale(key) },
        remarks,
        names_options: key.points.iter().all(|point| words(point) <= OPTION_WORDS_MAX),
        has_several_numbers: key.points.iter().filter(is_bare).count() >= 2,
        solution: worked::solution(key),
        example: worked::example(key),
        has_decimal_commas: false,
        has_dotted_thousands: false,
    }
}

fn typed_point(point: &Point, key: &AnswerKey, asked: &Asked<'_>) -> TypedPoint {
    let understood = |text: &String| wording::of(text, asked.kind);
    let wordings = wordings::of(point);
    TypedPoint {
        text: point.text.clone(),
        marks: point.marks,
        kind: point.kind,
        role: roles::of(point, asked, key.points.len() > 1),
        is_heading: headings::is_heading(&point.text),
        heads_examples: headings::heads_examples(&point.text) || headings::is_program(&point.text),
        is_descriptor: roles::is_descriptor(&point.text),
        shares: shares::of(point).iter().map(|share| typed_point(share, key, asked)).collect(),
        own: understood(&point.text),
        required: required(point, &wordings),
        wordings: wordings.iter().map(understood).collect(),
        rejects: point.reject.iter().map(understood).collect(),
        ignore: point.ignore.clone(),
        options: choices::of(point, asked.options),
        notation: point.notation.clone(),
        group: point.group,
        needs: None,
        follows_on: remarks::follows_on(point, key),
        takes_over: remarks::takes_over(&point.text, &asked.labels),
        is_passing: is_passing(point, key),
        step: worked::step_of(&point.text),
        asks: asks(&point.text),
    }
}

fn says_digit(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}

/// True for a result that others follow in the same key.
fn is_passing(point: &Point, key: &AnswerKey) -> bool {
    let states_number = |point: &Point| says_digit(&point.text) && point.kind != PointKind::Method;
    let last = key.points.iter().rfind(|point| states_number(point));
    states_number(point) && last.is_some_and(|last| last.text != point.text)
}

/// How many things a text lists; what stands between alternatives is one.
fn asks(text: &str) -> usize {
    let has_alternatives = text.contains('/') || text.contains(joints::OR);
    if has_alternatives { 1 } else { items(text).len().max(1) }
}

/// Words that the scheme insists on. Print that is bold throughout insists on nothing, nor does a word that some wording
/// does without.
fn required(point: &Point, wordings: &[String]) -> Vec<Required> {
    let insists = |word: &&String| {
        let wanted = word.trim().to_lowercase();
        let whole = tokens(&point.text).len() <= tokens(word).len();
        let stops = tokens(word).iter().all(|token| !token.is_content());
        // "Foreign key: OrderNo": what heads an answer need not be written.
        let answer = point.text.split_once(':').map_or(point.text.as_str(), |(_, answer)| answer);
        let heads = !answer.to_lowercase().contains(&wanted);
        !whole && !stops && !heads && wordings.iter().all(|wording| wording.to_lowercase().contains(&wanted))
    };
    let required = |word: &String| {
        let one_of = word.split('/').map(str::trim).filter(|word| !word.is_empty());
        Required { text: word.clone(), one_of: one_of.map(str::to_owned).collect() }
    };
    point.required.iter().filter(insists).map(required).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::marks::Marks;

    fn point(text: &str) -> Point {
        Point { text: text.into(), marks: Marks::whole(1), ..Point::default() }
    }

    fn own(points: Vec<Point>) -> TypedKey {
        let answer_key = Some(AnswerKey { points, ..AnswerKey::default() });
        typed(&Question { answer_key, ..Question::default() }).own.unwrap()
    }

    #[test]
    fn only_words_that_every_wording_has_are_insisted_on() {
        let insisted = |required: &str, alternatives: &[&str]| {
            let alternatives = alternatives.iter().map(ToString::to_string).collect();
            let point =
                Point { required: vec![required.into()], alternatives, ..point("the tide is higher/faster") };
            own(vec![point]).points.remove(0).required
        };
        assert_eq!(insisted("higher/faster", &[])[0].one_of, ["higher", "faster"]);
        assert!(insisted("higher/faster", &["the sea rises"]).is_empty());
        assert!(insisted("the tide is higher/faster", &[]).is_empty(), "bold throughout");
        assert!(insisted("the", &[]).is_empty(), "a word without meaning");
        let headed = Point { required: vec!["Tide".into()], ..point("Tide: higher") };
        assert!(own(vec![headed]).points.remove(0).required.is_empty(), "a heading");
    }

    #[test]
    fn a_key_knows_its_lists_its_codes_and_its_passing_results() {
        let key = own(vec![point("FA"), point("16"), point("clay, sand and silt")]);
        assert!(key.has_several_numbers && !own(vec![point("16")]).has_several_numbers);
        assert_eq!(key.points[2].asks, 3);
        assert_eq!(own(vec![point("clay / sand")]).points[0].asks, 1);
        let steps = own(vec![point("12 × 3"), point("36 cm")]);
        assert!(steps.points[0].is_passing && !steps.points[1].is_passing);
    }

    #[test]
    fn a_key_that_earns_nothing_is_none() {
        assert_eq!(typed(&Question::default()), Keys::default());
        let worthless = Some(AnswerKey { points: vec![Point::default()], ..AnswerKey::default() });
        assert_eq!(typed(&Question { answer_key: worthless, ..Question::default() }).own, None);
    }
}
