//! The embedded judge, end to end, on answers of our own.

use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Level, Point, Question};
use marker::meaning::{Expected, Judge, Semantic};
use marker::{Answer, Builtin, LeafAnswer, Marker as _, Settings, Task};
use std::sync::{Arc, LazyLock};

static JUDGE: LazyLock<Semantic> = LazyLock::new(|| Semantic::load().expect("the embedded weights load"));

const QUESTION: &str = "Why do the pavement's puddles dry up on a sunny day?";
const POINT: &str = "The water evaporates because the sun heats it.";

#[test]
fn a_right_answer_is_told_from_a_wrong_one() {
    let score = |answer| JUDGE.judge(QUESTION, POINT, answer).score;
    let right = score("the heat of the sun makes the water evaporate into the air");
    assert!(right > 0.5, "{right}");
    for wrong in ["because birds are thirsty", "the puddles on the pavement", "I don't know", "", "…"] {
        assert!(score(wrong) < 0.5, "{wrong}: {}", score(wrong));
    }
}

#[test]
fn evidence_lies_inside_the_answer() {
    let answer = "On Monday it was warm. The water evaporated because of the sun’s heat.";
    let evidence = JUDGE.judge(QUESTION, POINT, answer).evidence.unwrap();
    assert!(answer[evidence].contains("evaporated"));
}

#[test]
fn more_of_the_key_earns_more() {
    let references = ["Plants need light. Plants need water. Plants need carbon dioxide from the air."];
    let expected = Expected {
        question: "What do plants need to make food?",
        references: &references,
        rubric: None,
        marks: Some(3.0),
    };
    let fraction = |answer| JUDGE.graded(&expected, answer).grade.fraction;
    let all = fraction("They need light, water and carbon dioxide from the air.");
    assert!(all > fraction("They need light."));
    assert!(fraction("They need light.") > fraction("They sing."));
}

#[test]
fn the_same_texts_always_give_the_same_grade() {
    let fresh = Semantic::load().expect("the embedded weights load");
    for answer in ["water turns into vapour", "sun", "光合作用", "die Sonne erwärmt das Wasser", "الماء"]
    {
        let expected = Expected { question: QUESTION, references: &[POINT], ..Expected::default() };
        let grade = |judge: &Semantic| judge.grade(&expected, answer);
        assert_eq!(grade(&fresh), grade(&JUDGE));
    }
}

#[test]
fn any_script_and_any_length_is_graded() {
    let long = "water ".repeat(5_000);
    for text in ["", "光合作用需要光。", "الطاقة لا تفنى", "Die Größe nimmt zu", "\u{0}\u{feff}🙂", &long]
    {
        let expected = Expected { question: text, references: &[text], rubric: Some(text), marks: Some(4.0) };
        let grade = JUDGE.grade(&expected, text);
        assert!((0.0..=1.0).contains(&grade.fraction) && (0.0..=1.0).contains(&grade.confidence), "{text}");
    }
}

#[test]
fn the_model_says_what_it_is() {
    let models = JUDGE.models();
    assert_eq!(models.len(), 1);
    assert_eq!(models[0].checksum.len(), 64);
}

#[test]
fn one_common_word_or_an_opposite_is_no_point_made() {
    let refused = |point: &str, answer: &str| {
        let score = JUDGE.judge("What do the leaves of a plant do in the daytime?", point, answer).score;
        assert!(score < 0.36, "{point} / {answer}: {score}");
    };
    refused("They absorb light.", "they reflect green light");
    refused("Chlorophyll absorbs light energy.", "they are light");
    refused("They give off oxygen through the stomata.", "they give shade");
    let made =
        JUDGE.judge("What do the leaves do?", "They absorb light.", "the leaves absorb the light of the sun");
    assert!(made.score >= 0.5, "{}", made.score);
}

#[test]
fn levels_that_count_elements_are_reached_by_the_number_of_elements() {
    let elements = [
        "light falls on the leaf",
        "roots take up water",
        "carbon dioxide enters through pores",
        "sugar is stored as starch",
    ];
    let level = |marks, descriptor: &str| Level {
        name: format!("Level {marks}"),
        marks_from: Marks::whole(marks),
        marks_to: Marks::whole(marks),
        descriptor: descriptor.into(),
    };
    let levels = vec![
        level(3, "four key elements"),
        level(2, "three key elements"),
        level(1, "one or two key elements"),
    ];
    let content = |text: &&str| Point { text: (*text).into(), marks: Marks::ZERO, ..Point::default() };
    // What an answer may contain stands among the points, or beside the levels.
    let listed = AnswerKey { points: elements.iter().map(content).collect(), ..AnswerKey::default() };
    let noted = format!("Indicative content:\n{}", elements.join("\n"));
    let noted = AnswerKey { notes: Some(noted), ..AnswerKey::default() };
    let engine = Builtin::new(Arc::new(Semantic::load().expect("the embedded weights load")));
    let settings = Settings::default();
    for key in [listed, noted] {
        let question = Question {
            text: "List and describe four steps of photosynthesis.".into(),
            kind: Kind::Extended,
            marks: Some(Marks::whole(3)),
            answer_key: Some(AnswerKey { levels: levels.clone(), ..key }),
            ..Question::default()
        };
        let awarded = |count: usize| {
            let answer = Answer::from_text(elements[..count].join(". "));
            let answers = vec![LeafAnswer { label: None, answer }];
            engine.mark(&Task { question: &question, answers, settings: &settings }).unwrap().awarded
        };
        assert_eq!([1, 3, 4].map(awarded), [1, 2, 3].map(Marks::whole));
    }
}
