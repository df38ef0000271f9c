//! The embedded judge, end to end, on answers of our own.

use marker::meaning::{Expected, Judge, Semantic};
use std::sync::LazyLock;

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
        let grade = |judge: &Semantic| judge.grade(QUESTION, &[POINT], None, answer);
        assert_eq!(grade(&fresh), grade(&JUDGE));
    }
}

#[test]
fn any_script_and_any_length_is_graded() {
    let long = "water ".repeat(5_000);
    let expected = |text| JUDGE.grade(text, &[text], Some(text), text);
    for text in ["", "光合作用需要光。", "الطاقة لا تفنى", "Die Größe nimmt zu", "\u{0}\u{feff}🙂", &long]
    {
        let grade = expected(text);
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
