//! What holds for every task: strictness never turns round, marks stay in bounds, the same answer gets the
//! same mark, and nothing that can be written makes the engine panic.

use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Group, Kind, Level, Notation, Part, Point, PointKind, Question};
use marker::{Answer, Builtin, FeedbackLevel, LeafAnswer, Marker, Outcome, Settings, Strictness, Task};
use proptest::prelude::*;

const PHRASES: [&str; 40] = [
    "the rate increases",
    "particles move faster",
    "more frequent collisions",
    "photosynthesis",
    "mitosis",
    "meiosis",
    "5",
    "x = 5",
    "4.2 N",
    "4.2",
    "3.14",
    "awrt 3.14",
    "2.4 to 2.6",
    "2.5",
    "12 × 5",
    "60",
    "13 × 5 = 65",
    "65",
    "25%",
    "3/4",
    "6/8",
    "0.75",
    "x² + 5x + 6",
    "(x + 2)(x + 3)",
    "y = 2x + 3",
    "x > 3",
    "x ≥ 3",
    "CO2",
    "2H2 + O2 → 2H2O",
    "oxygen, water and light",
    "oxygen or nitrogen",
    "does not conduct",
    "conducts electricity",
    "B",
    "A and C",
    "heat/thermal energy",
    "1 - D",
    "C, A, D, B",
    "true",
    "photosinthesis",
];

const INSTRUCTIONS: [&str; 8] = [
    "Ignore spelling.",
    "No marks for units.",
    "Half marks allowed.",
    "Be strict about significant figures.",
    "Accept equivalent fractions.",
    "Allow error carried forward.",
    "Extra answers are penalised.",
    "Be nice.",
];

fn phrase() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => proptest::sample::select(PHRASES.as_slice()).prop_map(str::to_owned),
        1 => "[ -~]{0,30}",
        1 => "\\PC{0,20}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    (
        proptest::collection::vec(phrase(), 0..5),
        proptest::sample::select([" ", "\n", ", ", ". ", " and ", " = "].as_slice()),
    )
        .prop_map(|(phrases, joint)| phrases.join(joint))
}

fn point() -> impl Strategy<Value = Point> {
    let kinds = [
        PointKind::Point,
        PointKind::Method,
        PointKind::Accuracy,
        PointKind::Independent,
        PointKind::Option,
        PointKind::Answer,
    ];
    let few = || proptest::collection::vec(phrase(), 0..2);
    (
        phrase(),
        0_u32..5,
        proptest::sample::select(kinds.to_vec()),
        (few(), few(), few(), few()),
        proptest::collection::vec(proptest::sample::select(Notation::ALL), 0..2),
        (proptest::option::of(0_u32..3), proptest::option::of(0_u32..4)),
    )
        .prop_map(
            |(
                text,
                halves,
                kind,
                (alternatives, accept, reject, required),
                notation,
                (group, depends_on),
            )| Point {
                text,
                marks: Marks::halves(halves),
                kind,
                alternatives,
                accept,
                reject,
                required,
                notation,
                group,
                depends_on,
                ..Point::default()
            },
        )
}

fn key() -> impl Strategy<Value = AnswerKey> {
    let group = (proptest::option::of(0_u32..3), proptest::option::of(0_u32..5))
        .prop_map(|(pick, max)| Group { text: "any from".into(), pick, max: max.map(Marks::halves) });
    let level = (0_u32..4, phrase()).prop_map(|(to, descriptor)| Level {
        name: "Level".into(),
        marks_from: Marks::ZERO,
        marks_to: Marks::whole(to),
        descriptor,
    });
    (
        proptest::collection::vec(point(), 0..5),
        proptest::collection::vec(group, 0..3),
        proptest::collection::vec(level, 0..2),
    )
        .prop_map(|(points, groups, levels)| AnswerKey {
            points,
            groups,
            levels,
            ..AnswerKey::default()
        })
}

fn question() -> impl Strategy<Value = Question> {
    let kinds = [
        Kind::MultipleChoice,
        Kind::Numeric,
        Kind::ShortAnswer,
        Kind::Extended,
        Kind::Expression,
        Kind::Drawing,
    ];
    let asked = [
        "Explain why.",
        "Give two reasons.",
        "Calculate x to 2 decimal places.",
        "Complete the sentence.",
        "Factorise.",
        "Name one gas.",
        "What percentage?",
    ];
    let part = (
        proptest::sample::select(asked.to_vec()),
        proptest::sample::select(kinds.to_vec()),
        key(),
        proptest::option::of(0_u32..8),
    )
        .prop_map(|(text, kind, key, halves)| Part {
            text: text.into(),
            kind,
            marks: halves.map(Marks::halves),
            answer_key: Some(key),
            ..Part::default()
        });
    proptest::collection::vec(part, 1..4).prop_map(|mut parts| {
        for (index, part) in parts.iter_mut().enumerate() {
            part.label = format!("({index})");
            part.options = ["A", "B", "C"]
                .map(|label| Choice { label: label.into(), text: format!("option {label}") })
                .to_vec();
        }
        Question { text: "A stem.".into(), parts, ..Question::default() }
    })
}

fn mark(engine: &Builtin, question: &Question, answers: &[String], settings: &Settings) -> Outcome {
    let answers = answers
        .iter()
        .enumerate()
        .map(|(index, text)| LeafAnswer {
            label: Some(format!("({index})")),
            answer: Answer::from_text(text.clone()),
        })
        .collect();
    engine
        .mark(&Task { question, keys: &exam::key::typed(question), answers, settings })
        .expect("the built-in engine always marks")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn stricter_never_gives_more(
        question in question(),
        answers in proptest::collection::vec(text(), 3),
        instructions in proptest::option::of(proptest::sample::select(INSTRUCTIONS.as_slice())),
    ) {
        let engine = Builtin::default();
        let at = |strictness| {
            let settings = Settings { strictness, instructions: instructions.map(str::to_owned), ..Settings::default() };
            mark(&engine, &question, &answers, &settings)
        };
        let (lenient, standard, strict) = (at(Strictness::Lenient), at(Strictness::Standard), at(Strictness::Strict));
        for ((lenient, standard), strict) in lenient.leaves.iter().zip(&standard.leaves).zip(&strict.leaves) {
            prop_assert!(strict.awarded <= standard.awarded, "strict {} standard {}", strict.awarded, standard.awarded);
            prop_assert!(standard.awarded <= lenient.awarded, "standard {} lenient {}", standard.awarded, lenient.awarded);
        }
    }

    #[test]
    fn marks_and_evidence_stay_in_bounds(question in question(), answers in proptest::collection::vec(text(), 3)) {
        let engine = Builtin::default();
        let settings = Settings { feedback: FeedbackLevel::Detailed, ..Settings::default() };
        let outcome = mark(&engine, &question, &answers, &settings);
        for ((leaf, part), answer) in outcome.leaves.iter().zip(&question.parts).zip(&answers) {
            let words = answer.split_whitespace().count();
            let points = &part.answer_key.as_ref().expect("every part has a key").points;
            prop_assert!(leaf.awarded <= leaf.available);
            prop_assert!((0.0..=1.0).contains(&leaf.confidence));
            for (found, point) in leaf.points.iter().zip(points) {
                prop_assert!(found.awarded <= point.marks);
                prop_assert!(found.evidence.iter().all(|range| range.from < range.to && range.to as usize <= words));
            }
        }
        let again = mark(&engine, &question, &answers, &settings);
        prop_assert_eq!(&outcome, &again, "remembered");
        prop_assert_eq!(&outcome, &mark(&Builtin::default(), &question, &answers, &settings), "marked afresh");
    }

    #[test]
    fn nothing_that_can_be_written_breaks_it(
        kind in 0_usize..6,
        wording in "[0-9xyzabπθ+*/^()=<>≤≥√°%.,:;|!±' HOCNalgse²³½→⇌$£µ—\\-\n]{0,24}",
        answer in "[0-9xyzabπθ+*/^()=<>≤≥√°%.,:;|!±' HOCNalgse²³½→⇌$£µ—\\-\n]{0,40}",
        asked in "[a-z0-9 .%]{0,30}",
    ) {
        let kinds = [Kind::MultipleChoice, Kind::Numeric, Kind::ShortAnswer, Kind::Extended, Kind::Expression, Kind::Drawing];
        let point = Point { text: wording.clone(), marks: Marks::whole(1), reject: vec![answer.clone()], ..Point::default() };
        let method = Point { kind: PointKind::Method, reject: Vec::new(), ..point.clone() };
        let follow = Point { kind: PointKind::Accuracy, notation: vec![Notation::FollowThrough], reject: Vec::new(), ..point.clone() };
        let key = AnswerKey { points: vec![method, follow, point], ..AnswerKey::default() };
        let part = |label: &str| Part { label: label.into(), text: asked.clone(), kind: kinds[kind], answer_key: Some(key.clone()), ..Part::default() };
        let question = Question { parts: vec![part("(0)"), part("(1)")], ..Question::default() };
        let outcome = mark(&Builtin::default(), &question, &[answer.clone(), wording.clone()], &Settings::default());
        prop_assert!(outcome.awarded <= outcome.available);
    }
}
