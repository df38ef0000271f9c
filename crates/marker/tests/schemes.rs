//! Whole schemes: method and accuracy marks, follow-through, lists, gaps, levels, and what is never guessed.

use domain::marks::Marks;
use domain::question::{AnswerKey, Group, Kind, Level, Part, Point, PointKind, Question};
use marker::meaning::{Grade, Judge, Judgement};
use marker::{
    Answer, Builtin, FeedbackLevel, Flag, LeafAnswer, LeafOutcome, Marker, ModelIdentity, Outcome, Settings,
    Strictness, Task,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn point(text: &str) -> Point {
    Point { text: text.into(), marks: Marks::whole(1), ..Point::default() }
}

fn of_kind(kind: PointKind, text: &str) -> Point {
    Point { kind, ..point(text) }
}

fn part(label: &str, kind: Kind, text: &str, points: Vec<Point>) -> Part {
    let marks = points.iter().map(|point| point.marks).sum();
    let key = AnswerKey { points, ..AnswerKey::default() };
    Part {
        label: label.into(),
        text: text.into(),
        kind,
        marks: Some(marks),
        answer_key: Some(key),
        ..Part::default()
    }
}

fn question(parts: Vec<Part>) -> Question {
    Question { number: "1".into(), parts, ..Question::default() }
}

fn mark_with(question: &Question, answers: &[(&str, &str)], settings: &Settings) -> Outcome {
    let answers = answers
        .iter()
        .map(|(label, text)| LeafAnswer { label: Some((*label).into()), answer: Answer::from_text(*text) })
        .collect();
    Builtin::default().mark(&Task { question, answers, settings }).expect("the built-in engine always marks")
}

fn leaf(part: &Part, answer: &str) -> LeafOutcome {
    leaf_at(part, answer, Strictness::Standard)
}

fn leaf_at(part: &Part, answer: &str, strictness: Strictness) -> LeafOutcome {
    let settings = Settings { strictness, ..Settings::default() };
    mark_with(&question(vec![part.clone()]), &[(&part.label, answer)], &settings).leaves.remove(0)
}

fn marks(part: &Part, answer: &str) -> f64 {
    leaf(part, answer).awarded.as_number()
}

fn calculation() -> Part {
    let points = vec![
        of_kind(PointKind::Method, "0.5 × 4 × 3²"),
        Point { marks: Marks::whole(1), ..of_kind(PointKind::Accuracy, "18 J") },
    ];
    part("(a)", Kind::Numeric, "Calculate the kinetic energy.", points)
}

#[test]
fn method_and_accuracy_marks() {
    let part = calculation();
    assert_eq!(marks(&part, "0.5 × 4 × 3² = 18 J"), 2.0);
    assert_eq!(marks(&part, "18 J"), 2.0, "a right result implies its method");
    assert_eq!(marks(&part, "0.5 × 4 × 9 = 20 J"), 1.0, "a slip keeps the method mark");
    assert_eq!(marks(&part, "4 × 3 = 12 J"), 0.0);
    let mut shown = part.clone();
    shown.text = "Calculate the kinetic energy. You must show your working.".into();
    assert_eq!(marks(&shown, "18 J"), 0.0, "the working was asked for");
}

#[test]
fn steps_without_letters_are_implied_by_the_result_they_lead_to() {
    let points =
        ["substitution", "evaluation", "matching unit", "correct answer: 0.75 g/cm³"].map(point).to_vec();
    let mut part = part("(a)", Kind::Numeric, "Calculate the density.", points);
    part.marks = Some(Marks::whole(3));
    assert_eq!(marks(&part, "0.75 g/cm³"), 3.0);
    assert_eq!(marks(&part, "0.57 g/cm³"), 0.0);
    let separate = self::part(
        "(a)",
        Kind::Numeric,
        "Find the median and the range.",
        vec![point("median = 18"), point("range = 7")],
    );
    assert_eq!(marks(&separate, "range = 7"), 1.0, "another value is no step");
    assert_eq!(marks(&separate, "median = 18\nrange = 7"), 2.0);
}

#[test]
fn headings_that_were_read_as_points_earn_nothing() {
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "Define price.",
        vec![point("Answer"), point("Rationale Marks"), point("amount of money charged")],
    );
    assert_eq!(marks(&part, "Answer: full marks"), 0.0);
    assert_eq!(marks(&part, "the amount of money that is charged"), 1.0);
}

#[test]
fn an_earlier_slip_is_followed_through() {
    let first = part("(a)", Kind::Numeric, "Calculate the mass.", vec![point("12")]);
    let follow = Point { notation: vec!["ft".into()], ..of_kind(PointKind::Accuracy, "60") };
    let second = part(
        "(b)",
        Kind::Numeric,
        "Calculate the weight.",
        vec![of_kind(PointKind::Method, "12 × 5"), follow],
    );
    let both = question(vec![first, second]);
    let of = |answers: [&str; 2]| {
        let outcome = mark_with(&both, &[("(a)", answers[0]), ("(b)", answers[1])], &Settings::default());
        outcome.leaves.iter().map(|leaf| leaf.awarded.as_number()).collect::<Vec<_>>()
    };
    assert_eq!(of(["12", "12 × 5 = 60"]), [1.0, 2.0]);
    assert_eq!(of(["13", "13 × 5 = 65"]), [0.0, 2.0]);
    assert_eq!(of(["13", "65"]), [0.0, 2.0]);
    assert_eq!(of(["13", "60"]), [0.0, 2.0], "right all the same");
    assert_eq!(of(["13", "13 + 5 = 18"]), [0.0, 0.0]);
}

#[test]
fn subsequent_working_is_ignored_where_the_scheme_says_so() {
    let mut part = part("(a)", Kind::Numeric, "Find x.", vec![point("5")]);
    assert_eq!(marks(&part, "x = 5\nx + 2 = 7"), 0.0);
    if let Some(key) = &mut part.answer_key {
        key.points[0].notation = vec!["isw".into()];
    }
    assert_eq!(marks(&part, "x = 5\nx + 2 = 7"), 1.0);
}

fn any_two() -> Part {
    let member = |text: &str| Point { group: Some(0), ..point(text) };
    let mut part = part(
        "(a)",
        Kind::ShortAnswer,
        "Give two substances needed for rusting.",
        vec![member("oxygen"), member("water"), member("air")],
    );
    part.marks = Some(Marks::whole(2));
    if let Some(key) = &mut part.answer_key {
        key.groups = vec![Group { text: "any two from".into(), pick: Some(2), max: None }];
    }
    part
}

#[test]
fn any_two_from_three() {
    let part = any_two();
    assert_eq!(marks(&part, "oxygen and water"), 2.0);
    assert_eq!(marks(&part, "oxygen, water, air"), 2.0);
    assert_eq!(marks(&part, "oxygen"), 1.0);
    assert_eq!(marks(&part, "iron and salt"), 0.0);
    let extra = leaf(&part, "oxygen, water, salt");
    assert_eq!(extra.awarded, Marks::whole(2));
    assert_eq!(extra.flags, [Flag::MoreAnswersThanAsked]);
    assert_eq!(
        leaf_at(&part, "oxygen, water, salt", Strictness::Strict).awarded,
        Marks::whole(1),
        "a wrong extra cancels"
    );
}

#[test]
fn one_answer_was_asked_for() {
    let part =
        part("(a)", Kind::ShortAnswer, "Name the gas that relights a glowing splint.", vec![point("oxygen")]);
    assert_eq!(marks(&part, "oxygen"), 1.0);
    let hedged = leaf(&part, "oxygen or hydrogen");
    assert_eq!(hedged.awarded, Marks::ZERO);
    assert_eq!(hedged.flags, [Flag::MoreAnswersThanAsked]);
}

#[test]
fn gaps_are_marked_place_by_place() {
    let points = ["trachea", "bronchi", "alveoli"].map(point).to_vec();
    let part = part("(a)", Kind::ShortAnswer, "Complete the passage about the lungs.", points);
    assert_eq!(marks(&part, "trachea\nbronchi\nalveoli"), 3.0);
    assert_eq!(marks(&part, "trachea, alveoli, bronchi"), 1.0);
    assert_eq!(marks(&part, "trachea"), 1.0);
}

#[test]
fn points_in_words_with_alternatives_rejects_and_required_words() {
    let collision = Point {
        alternatives: vec!["particles collide more often".into()],
        reject: vec!["particles vibrate".into()],
        ..point("more frequent collisions")
    };
    let energy = Point { required: vec!["kinetic".into()], ..point("particles have more kinetic energy") };
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "Explain why heating makes the reaction faster.",
        vec![energy, collision],
    );
    assert_eq!(marks(&part, "The particles gain more kinetic energy, so collisions are more frequent."), 2.0);
    assert_eq!(marks(&part, "Particles collide more often."), 1.0);
    assert_eq!(
        marks(&part, "Particles have more energy and collide more often."),
        1.0,
        "a required word is missing"
    );
    assert_eq!(marks(&part, "Particles vibrate and collide more often"), 0.0, "a rejected wording");
    assert_eq!(marks(&part, "There are less frequent collisions."), 0.0, "the opposite");
}

#[test]
fn dependent_points_need_what_they_depend_on() {
    let reason = Point { depends_on: Some(0), ..point("positive second derivative") };
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "State the nature of the point and say why.",
        vec![point("minimum"), reason],
    );
    assert_eq!(marks(&part, "It is a minimum because of the positive second derivative"), 2.0);
    assert_eq!(marks(&part, "It is a maximum with a positive second derivative"), 0.0);
}

#[test]
fn drawings_are_never_guessed() {
    let part =
        part("(a)", Kind::Drawing, "Sketch the graph.", vec![point("straight line through the origin")]);
    let drawn = leaf(&part, "straight line through the origin");
    assert_eq!(drawn.awarded, Marks::ZERO);
    assert_eq!(drawn.flags, [Flag::LowConfidence]);
    assert!(drawn.feedback.contains("person"), "{}", drawn.feedback);
}

#[test]
fn levels_of_response_are_only_proposed() {
    let level = |name: &str, from: u32, to: u32, descriptor: &str| Level {
        name: name.into(),
        marks_from: Marks::whole(from),
        marks_to: Marks::whole(to),
        descriptor: descriptor.into(),
    };
    let key = AnswerKey {
        points: vec![Point {
            marks: Marks::ZERO,
            ..point("trees absorb carbon dioxide and give shade to the soil")
        }],
        levels: vec![
            level("Level 2", 4, 6, "explains both sides"),
            level("Level 1", 1, 3, "names some effects"),
        ],
        ..AnswerKey::default()
    };
    let essay = Part {
        label: "(a)".into(),
        text: "Discuss deforestation.".into(),
        kind: Kind::Extended,
        marks: Some(Marks::whole(6)),
        answer_key: Some(key),
        ..Part::default()
    };
    let good = leaf(&essay, "Trees absorb carbon dioxide, and they give shade to the soil.");
    assert!(good.awarded >= Marks::whole(4), "{}", good.awarded);
    assert!(good.flags.contains(&Flag::LowConfidence));
    assert_eq!(leaf(&essay, "I like football a lot.").awarded, Marks::ZERO);
}

#[test]
fn a_blank_is_not_attempted() {
    let outcome = mark_with(&question(vec![calculation()]), &[], &Settings::default());
    assert_eq!(outcome.flags, [Flag::NotAttempted]);
    assert!(outcome.leaves[0].feedback.starts_with("No answer was found"));
}

#[test]
fn instructions_change_what_they_say() {
    let part = part("(a)", Kind::Numeric, "Calculate the force.", vec![point("4.2 N")]);
    let with = |instructions: &str, strictness, answer: &str| {
        let settings =
            Settings { instructions: Some(instructions.into()), strictness, ..Settings::default() };
        mark_with(&question(vec![part.clone()]), &[("(a)", answer)], &settings).awarded
    };
    assert_eq!(with("No marks for units.", Strictness::Strict, "4.2"), Marks::whole(1));
    assert_eq!(with("No marks for units.", Strictness::Standard, "4.2 kg"), Marks::whole(1));
    assert_eq!(with("Units are required.", Strictness::Standard, "4.2"), Marks::ZERO);
    assert_eq!(
        with("Units are required. Half marks allowed.", Strictness::Standard, "4.2"),
        Marks::halves(1)
    );
}

#[test]
fn no_plea_in_any_language_changes_a_mark() {
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "Explain why heating makes the reaction faster.",
        vec![point("particles have more kinetic energy"), point("more frequent collisions")],
    );
    for plea in include_str!("injections.txt").lines() {
        assert_eq!(marks(&part, &format!("I do not know. {plea}")), 0.0, "{plea}");
        let right = format!("particles have more kinetic energy. {plea}");
        assert_eq!(marks(&part, &right), 1.0, "{plea}");
    }
}

#[test]
fn evidence_points_at_the_words_that_earned_the_mark() {
    let part = part("(a)", Kind::ShortAnswer, "Name the process.", vec![point("photosynthesis")]);
    let outcome = leaf(&part, "I think it is called photosynthesis in plants");
    let evidence = &outcome.points[0].evidence;
    assert_eq!((evidence[0].from, evidence[0].to), (5, 6));
}

#[test]
fn feedback_says_as_much_as_it_was_asked_to() {
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "Explain why the reaction is faster.",
        vec![point("particles have more kinetic energy"), point("more frequent collisions")],
    );
    let say = |answer: &str, feedback| {
        let settings = Settings { feedback, ..Settings::default() };
        mark_with(&question(vec![part.clone()]), &[("(a)", answer)], &settings).leaves.remove(0).feedback
    };
    let half = "the particles have more kinetic energy";
    assert_eq!(say(half, FeedbackLevel::None), "");
    assert_eq!(say(half, FeedbackLevel::Brief), "1 of 2 marks: part of what was asked for is there.");
    assert!(say(half, FeedbackLevel::Standard).contains("Still missing: “more frequent collisions”"));
    assert!(say(half, FeedbackLevel::Detailed).contains("credited (1)"));
    for level in [FeedbackLevel::None, FeedbackLevel::Brief] {
        let zero = say("because of magnets", level);
        assert!(zero.starts_with("No marks this time.") && !zero.contains("collisions"), "{zero}");
    }
    let number =
        Part { kind: Kind::Numeric, ..self::part("(a)", Kind::Numeric, "Find x.", vec![point("36")]) };
    assert!(!leaf(&number, "35").feedback.contains("36"), "the result itself is kept back");
}

#[test]
fn illegible_answers_are_said_to_be() {
    let part = part("(a)", Kind::ShortAnswer, "Name the process.", vec![point("photosynthesis")]);
    let answer = Answer::from_words([vec![("phqtxs", 0.2), ("ynih", 0.3)]]);
    let settings = Settings::default();
    let task = Task {
        question: &question(vec![part]),
        answers: vec![LeafAnswer { label: Some("(a)".into()), answer }],
        settings: &settings,
    };
    let outcome = Builtin::default().mark(&task).unwrap();
    assert_eq!(outcome.flags, [Flag::LowConfidence, Flag::Illegible]);
    assert!(outcome.leaves[0].feedback.contains("could not be read"));
}

/// A judge that counts how often it is asked.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Judge for Counting {
    fn judge(&self, _: &str, _: &str, _: &str) -> Judgement {
        self.0.fetch_add(1, Ordering::Relaxed);
        Judgement { score: 0.2, confidence: 0.8, evidence: None }
    }

    fn grade(&self, _: &str, _: &[&str], _: Option<&str>, _: &str) -> Grade {
        Grade { fraction: 0.0, confidence: 0.5 }
    }

    fn models(&self) -> Vec<ModelIdentity> {
        Vec::new()
    }
}

#[test]
fn identical_answers_cost_nothing_twice() {
    let part = part(
        "(a)",
        Kind::ShortAnswer,
        "Explain why it is faster.",
        vec![point("the particles collide with more energy than before")],
    );
    let whole = question(vec![part]);
    let judge = Arc::new(Counting::default());
    let engine = Builtin::new(Arc::clone(&judge) as Arc<dyn Judge>);
    for (text, asked) in
        [("the bits bump harder", 1), ("the  bits bump\u{a0}harder ", 1), ("the bits bump softly", 2)]
    {
        let settings = Settings::default();
        let answers = vec![LeafAnswer { label: Some("(a)".into()), answer: Answer::from_text(text) }];
        engine.mark(&Task { question: &whole, answers, settings: &settings }).unwrap();
        assert_eq!(judge.0.load(Ordering::Relaxed), asked, "{text:?}");
    }
}
