//! The embedded judge, end to end, on answers of our own.

use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Level, Point, Question};
use marker::meaning::{Counsel, Expected, Judge, PointText, Semantic};
use marker::{Answer, Builtin, LeafAnswer, LeafOutcome, Marker as _, Settings, Task};
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
        marks: Some(3.0),
        ..Expected::default()
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
        for is_content in [false, true] {
            let references = [text, text];
            let (rubric, marks) = (exam::key::rubric(text), Some(4.0));
            let rubric = Some(&rubric);
            let expected = Expected { question: text, references: &references, rubric, marks, is_content };
            let grade = JUDGE.grade(&expected, text);
            let shares = [grade.fraction, grade.confidence];
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{text}: {shares:?}");
        }
    }
}

#[test]
fn the_model_says_what_it_is() {
    let models = JUDGE.models();
    assert_eq!(models.len(), 2);
    assert!(models.iter().all(|model| model.checksum.len() == 64));
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

/// An engine, and a question by levels of response with what an answer may contain, among the points or in the notes.
fn by_levels(
    text: &str,
    content: &[&str],
    is_noted: bool,
    levels: &[(u32, u32, &str)],
) -> impl Fn(&str) -> LeafOutcome {
    let level = |(from, to, descriptor): &(u32, u32, &str)| Level {
        name: format!("Level {to}"),
        marks_from: Marks::whole(*from),
        marks_to: Marks::whole(*to),
        descriptor: (*descriptor).into(),
    };
    let point = |text: &&str| Point { text: (*text).into(), marks: Marks::ZERO, ..Point::default() };
    let listed = content.iter().filter(|_| !is_noted).map(point).collect();
    let noted =
        is_noted.then(|| format!("Indicative content:\n\nPoints in favour:\n{}", content.join("\n \n")));
    let levels: Vec<Level> = levels.iter().map(level).collect();
    let question = Question {
        text: text.into(),
        kind: Kind::Extended,
        marks: levels.iter().map(|level| level.marks_to).max(),
        answer_key: Some(AnswerKey { points: listed, notes: noted, levels, ..AnswerKey::default() }),
        ..Question::default()
    };
    engine_for(question)
}

/// An engine with the embedded judge, and a question without parts.
fn engine_for(question: Question) -> impl Fn(&str) -> LeafOutcome {
    let engine = Builtin::new(Arc::new(Semantic::load().expect("the embedded weights load")));
    move |answer| {
        let answers = vec![LeafAnswer { label: None, answer: Answer::from_text(answer) }];
        let keys = exam::key::typed(&question);
        let task = Task { question: &question, keys: &keys, answers, settings: &Settings::default() };
        engine.mark(&task).expect("the built-in engine marks").leaves.remove(0)
    }
}

fn whole_marks(outcome: &LeafOutcome) -> u32 {
    outcome.awarded.as_halves() / 2
}

#[test]
fn the_opposite_of_a_model_answer_earns_none_of_its_marks() {
    let text = "A lagoon is a shallow stretch of water that a bar of sand separates from the open sea.";
    let point = Point { text: text.into(), marks: Marks::whole(3), ..Point::default() };
    let mark = engine_for(Question {
        text: "What is a lagoon?".into(),
        kind: Kind::ShortAnswer,
        marks: Some(Marks::whole(3)),
        answer_key: Some(AnswerKey { points: vec![point], ..AnswerKey::default() }),
        ..Question::default()
    });
    let right = "Shallow water that a sand bar keeps apart from the sea.";
    let wrong = "A lagoon is a very deep stretch of water that is wide open to the sea, with no bar of sand.";
    assert!(whole_marks(&mark(right)) >= 2);
    assert_eq!(whole_marks(&mark(wrong)), 0);
}

#[test]
fn levels_that_count_elements_are_reached_by_the_number_of_elements() {
    let elements = [
        "light falls on the leaf",
        "roots take up water",
        "carbon dioxide enters through pores",
        "sugar is stored as starch",
    ];
    let levels =
        [(3, 3, "four key elements"), (2, 2, "three key elements"), (1, 1, "one or two key elements")];
    for is_noted in [false, true] {
        let text = "List and describe four steps of photosynthesis.";
        let marked = by_levels(text, &elements, is_noted, &levels);
        let awarded = |count: usize| whole_marks(&marked(&elements[..count].join(". ")));
        assert_eq!([1, 3, 4].map(awarded), [1, 2, 3]);
    }
}

#[test]
fn one_line_of_the_content_does_not_reach_the_top_level() {
    let content = [
        "Ploughing turns the soil and buries weeds.",
        "Bare soil is washed away by heavy rain.",
        "Worms and fungi are disturbed.",
        "Heavy machines press the ground together, so that water cannot sink in.",
        "Carbon that was stored in the ground escapes as carbon dioxide.",
        "Seeds find loose soil in which roots grow easily.",
        "Less weed killer is needed after ploughing.",
        "Fuel for the tractor costs money.",
        "Fields without ploughing must be sown with special machines.",
        "Straw that is left on the field shelters insects and birds.",
        "Wet fields dry faster after ploughing.",
        "Pests that live in old straw are buried.",
    ];
    let levels = [
        (5, 6, "A detailed and balanced discussion with a conclusion."),
        (3, 4, "Some effects are explained, on both sides."),
        (1, 2, "Simple statements."),
    ];
    for is_noted in [false, true] {
        let marked = by_levels("Discuss whether farmers should plough.", &content, is_noted, &levels);
        let outcomes = [1, 3, 6].map(|count| marked(&content[..count].join(" ")));
        let marks = outcomes.each_ref().map(whole_marks);
        assert!(marks[0] <= 2 && (2..=4).contains(&marks[1]) && marks[2] >= 5, "{marks:?}");
        let nothing = marked("I had toast for breakfast and then watched television.");
        assert_eq!((whole_marks(&nothing), nothing.evidence.len()), (0, 0));
        // The words behind the level, and in the scheme's terms what was found and what was not.
        let some = &outcomes[1];
        let words = some.evidence.iter().map(|range| range.to - range.from).sum::<u32>();
        assert!((10..=30).contains(&words), "{:?}", some.evidence);
        let (found, missing) = some.feedback.split_once("It could also say: ").expect("something is missing");
        assert!(found.contains("Found: “Ploughing turns the soil"), "{}", some.feedback);
        assert!(missing.contains("Carbon that was stored"), "{}", some.feedback);
        assert!(!some.feedback.contains("“”") && !some.feedback.contains("favour"), "{}", some.feedback);
    }
}

#[test]
fn levels_without_content_are_judged_by_fullness() {
    let levels = [(3, 4, "A full explanation with examples."), (1, 2, "A simple statement.")];
    let marked = by_levels("Explain why the narrator stays in the village.", &[], false, &levels);
    let full = "The narrator stays in the village because her grandmother is ill and needs somebody to cook and to \
                fetch wood. She also feels guilty about the summer before, when she left without a word; for example \
                she keeps the letter that she never posted. Staying is her way to make up for it.";
    let (full, short) = (whole_marks(&marked(full)), whole_marks(&marked("she likes the village")));
    assert!(full > short && full >= 2, "{full} {short}");
}

/// A judge of points from outside, who says the same of everything and counts how often it is asked.
#[derive(Debug, Default)]
struct Outside(std::sync::atomic::AtomicUsize);

impl Counsel for Outside {
    fn verdicts(&self, _: &str, points: &[Vec<&str>], _: &str) -> Vec<[f32; 4]> {
        self.0.fetch_add(points.len(), std::sync::atomic::Ordering::Relaxed);
        vec![[0.125, 0.5, 0.25, 0.125]; points.len()]
    }

    fn identity(&self) -> marker::outcome::ModelIdentity {
        marker::outcome::ModelIdentity { name: "outside".into(), checksum: "0".into() }
    }
}

#[test]
fn a_larger_judge_is_asked_once_beside_the_built_in_one() {
    let outside = Arc::new(Outside::default());
    let judge = Semantic::load_with(Arc::clone(&outside) as _).expect("the embedded weights load");
    let others = ["the pores shut".to_owned()];
    let points = [
        PointText { text: "stomata close", others: &others },
        PointText { text: "so less water is lost", others: &[] },
    ];
    let answer = "The stomata close at night.";
    let asked = "Why do plants lose less water at night?";
    let said = judge.opinions(asked, &points, answer);
    assert_eq!(judge.opinions(asked, &points, answer), said);
    assert_eq!(outside.0.load(std::sync::atomic::Ordering::Relaxed), 2, "each point once");
    let alone = JUDGE.opinions(asked, &points, answer);
    for (opinion, own) in said.iter().zip(&alone) {
        let between = |own: f32, told: f32, both: f32| (own.min(told)..=own.max(told)).contains(&both);
        assert!(between(own.credited, 0.125, opinion.credited), "{own:?} {opinion:?}");
        let four = [opinion.credited, opinion.vague, opinion.contradicted, opinion.missing];
        assert!((four.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{four:?}");
    }
    let evidence = said[0].evidence.clone().expect("the built-in judge points at the words");
    assert!(answer[evidence].contains("stomata"));
    assert!(judge.models().iter().any(|model| model.name == "outside"));

    // What the built-in judge cannot read is the larger one's alone.
    let german = [PointText { text: "die Spaltöffnungen schließen sich in der Nacht", others: &[] }];
    let said = judge.opinions(
        "Warum verlieren Pflanzen in der Nacht weniger Wasser?",
        &german,
        "Die Spaltöffnungen sind zu.",
    );
    assert_eq!(outside.0.load(std::sync::atomic::Ordering::Relaxed), 3);
    let four = [said[0].credited, said[0].vague, said[0].contradicted, said[0].missing];
    assert_eq!(four, [0.125, 0.5, 0.25, 0.125]);
}
