//! Whole schemes: method and accuracy marks, follow-through, lists, gaps and levels.

mod support;

use domain::marks::Marks;
use domain::question::{AnswerKey, Group, Kind, Level, Notation, Part, Point, PointKind};
use marker::{Answer, Builtin, Flag, LeafAnswer, Marker, Settings, Strictness, Task};
use support::{leaf, leaf_at, mark_with, marks, part, point, question};

fn of_kind(kind: PointKind, text: &str) -> Point {
    Point { kind, ..point(text) }
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
    assert_eq!(marks(&part, "0.57 g/cm³"), 1.0, "the unit is a mark of its own");
    assert_eq!(marks(&part, "0.75"), 2.0, "and is never implied");
    assert_eq!(marks(&part, "0.57"), 0.0);
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
fn several_results_are_each_heard_wherever_they_stand() {
    let points = ["8/20 = 40 %", "15/20 = 75 %"].map(point).to_vec();
    let part = part("(a)", Kind::Numeric, "What share was sold in each year?", points);
    assert_eq!(marks(&part, "40, 75"), 2.0);
    assert_eq!(marks(&part, "In 1787 8 of 20 = 40%. In 1789 15 of 20 = 75%."), 2.0);
    assert_eq!(marks(&part, "40, 57"), 1.0);
    let single = self::part("(a)", Kind::Numeric, "Calculate the speed.", vec![point("18 m/s")]);
    assert_eq!(marks(&single, "18, 20"), 0.0, "a choice is no answer");
}

#[test]
fn a_formula_is_had_by_whoever_reckons_with_its_values() {
    let points = ["I = V / R", "= 6 V / 3 Ω = 2 A"].map(point).to_vec();
    let part = part("(a)", Kind::Numeric, "Calculate the current.", points);
    assert_eq!(marks(&part, "6/3 = 2 A"), 2.0);
    assert_eq!(marks(&part, "2 A"), 1.0, "nothing was reckoned");
    assert_eq!(marks(&part, "6 × 3 = 18 A"), 0.0);
}

#[test]
fn a_stroke_between_sums_divides_and_steps_are_not_rounded_as_results_are() {
    let points = ["(8.0 − 3.0) / 8.0 × 100", "62.5 %"].map(point).to_vec();
    let part = part("(a)", Kind::ShortAnswer, "How much of it was lost?", points);
    assert_eq!(marks(&part, "(8.0 – 3.0)/8.0 × 100 = 62.5 %"), 2.0);
    let points = ["3.315 × 10^–3 mol", "0.166 mol/dm³"].map(point).to_vec();
    let asked = "Calculate the concentration. Give your answer to 3 significant figures.";
    let part = self::part("(b)", Kind::Numeric, asked, points);
    assert_eq!(marks(&part, "n = 0.150 × 0.0221 = 0.003315 mol\nc = 0.003315 / 0.02 = 0.166 mol/dm³"), 2.0);
    assert_eq!(marks(&part, "n = 0.003315 mol\nc = 0.16575 mol/dm³"), 1.0, "the result was to be rounded");
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
    let follow = Point { notation: vec![Notation::FollowThrough], ..of_kind(PointKind::Accuracy, "60") };
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
        key.points[0].notation = vec![Notation::IgnoreSubsequentWorking];
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
fn a_point_worth_several_marks_is_earned_by_shares() {
    let two = |text: &str| Point { marks: Marks::whole(2), ..point(text) };
    let pair = part("(a)", Kind::ShortAnswer, "What is needed for rusting?", vec![two("oxygen and water")]);
    assert_eq!(marks(&pair, "water and oxygen"), 2.0);
    assert_eq!(marks(&pair, "oxygen"), 1.0);
    assert_eq!(marks(&pair, "salt"), 0.0);
    let split = two("outer shell is further from the nucleus (1) so there is less attraction (1)");
    let split = part("(a)", Kind::ShortAnswer, "Explain the reactivity.", vec![split]);
    assert_eq!(marks(&split, "there is less attraction"), 1.0);
    assert_eq!(marks(&split, "the outer shell is further from the nucleus so less attraction"), 2.0);
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
fn a_tick_can_be_an_answer_in_words() {
    let part = part("(a)", Kind::ShortAnswer, "Is it true?", vec![point("True")]);
    let settings = Settings::default();
    let ticked =
        |label: &str| LeafAnswer { label: Some("(a)".into()), answer: Answer::from_selection([label]) };
    let mark = |label: &str| {
        let question = question(vec![part.clone()]);
        let task = Task {
            question: &question,
            keys: &exam::key::typed(&question),
            answers: vec![ticked(label)],
            settings: &settings,
        };
        Builtin::default().mark(&task).unwrap().awarded
    };
    assert_eq!((mark("True"), mark("False")), (Marks::whole(1), Marks::ZERO));
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
fn a_right_result_implies_nothing_where_a_special_case_is_priced() {
    let points = vec![
        of_kind(PointKind::Method, "61 − 52 P(X<61) = P( Z < ) = P( Z < 0.75) 12"),
        of_kind(PointKind::Accuracy, "0.773"),
    ];
    let mut part = part("(a)", Kind::Numeric, "Find the probability that X is less than 61.", points);
    assert_eq!(marks(&part, "0.773"), 2.0);
    let key = part.answer_key.as_mut().expect("the part has a key");
    key.notes = Some("If M0 scored, SC\nB1 for 0.773".into());
    assert_eq!(marks(&part, "0.773"), 1.0, "the special case");
    assert_eq!(marks(&part, "(61 - 52)/12 = 0.75\n0.773"), 2.0);
    assert_eq!(marks(&part, "(61 - 52)/12 = 0.75\n0.227"), 1.0);
}

#[test]
fn of_two_ways_to_a_result_the_better_counts() {
    let points = vec![
        of_kind(PointKind::Method, "9! × 2"),
        of_kind(PointKind::Accuracy, "725760"),
        of_kind(PointKind::Method, "8! × 18"),
        of_kind(PointKind::Accuracy, "725760"),
    ];
    let mut part = part("(a)", Kind::Numeric, "In how many ways can they stand?", points);
    part.marks = Some(Marks::whole(2));
    assert_eq!(marks(&part, "9! × 2 = 725760"), 2.0);
    assert_eq!(marks(&part, "9! × 2\n8! × 18 = 1"), 1.0, "a step of each way is one step");
}

#[test]
fn a_worked_solution_is_implied_by_its_result() {
    let solution = "x = 0, 1.7 2 : integrand 4 : 1 : limits V = π ∫ 0 dx 1 : answer = 41.3";
    let part = part(
        "(a)",
        Kind::Numeric,
        "Find the volume.",
        vec![Point { marks: Marks::whole(4), ..point(solution) }],
    );
    assert_eq!(marks(&part, "V = π ∫ (f(x))^2 dx from 0 to 1.7 = 41.3"), 4.0);
    assert!(marks(&part, "V = 14.3") < 4.0);
}

#[test]
fn answers_that_a_scheme_shows_with_their_marks_are_no_points() {
    let texts =
        ["owed to suppliers", "within one year", "Exemplar Mark Rationale", "a loan from the bank 1 vague"];
    let mut part = part("(a)", Kind::ShortAnswer, "Define trade payables.", texts.map(point).to_vec());
    part.marks = Some(Marks::whole(2));
    assert_eq!(marks(&part, "a loan from the bank"), 0.0);
    assert_eq!(marks(&part, "what is owed to suppliers within one year"), 2.0);
}

#[test]
fn answers_that_the_scheme_prices_get_what_it_says() {
    let mut part =
        part("(a)", Kind::Numeric, "Calculate the current.", vec![point("9.0 / 1800"), point("0.0050 A")]);
    let key = part.answer_key.as_mut().expect("a part has a key");
    key.notes = Some("an answer of 0.0075 (A) scores 1 mark\n0.015 (halved) scores 0".into());
    assert_eq!(marks(&part, "0.0050 A"), 2.0);
    assert_eq!(marks(&part, "V = IR\n9 = I × 1200\nI = 0.0075 A"), 1.0);
    assert_eq!(marks(&part, "9.0 / 600 = 0.015 A"), 0.0);
    assert_eq!(marks(&part, "0.0099 A"), 0.0, "nothing is said of it");
}

#[test]
fn a_sign_that_the_scheme_ignores_costs_nothing() {
    let mut part = part("(a)", Kind::Numeric, "Calculate the change in momentum.", vec![point("2.5 kg m/s")]);
    assert_eq!(marks(&part, "-2.5"), 0.0);
    part.answer_key.as_mut().expect("a part has a key").points[0].ignore = vec!["a negative sign".into()];
    assert_eq!(marks(&part, "-2.5"), 1.0);
    assert_eq!(marks(&part, "-5.2"), 0.0);
}

#[test]
fn an_equation_on_the_way_implies_its_method_where_working_is_wanted() {
    let points = vec![
        of_kind(PointKind::Method, "log(x² / (x − 2)) = 2"),
        of_kind(PointKind::Accuracy, "x² − 9x + 18 = 0"),
        of_kind(PointKind::Method, "(x − 3)(x − 6) = 0"),
        of_kind(PointKind::Accuracy, "x = 3, x = 6"),
    ];
    let part = part("(a)", Kind::Expression, "Solve the equation. You must show your working.", points);
    assert_eq!(marks(&part, "x² = 9(x − 2)\nx² − 9x + 18 = 0\n(x − 3)(x − 6) = 0\nx = 3 or x = 6"), 4.0);
    assert_eq!(marks(&part, "x = 2 or x = 9"), 0.0);
}

#[test]
fn a_step_with_the_student_s_own_value_counts_where_errors_are_carried() {
    let points = vec![point("λ = 2 × 0.90/3 = 0.60 m"), point("150 × 0.60"), point("v = 90 m/s")];
    let mut part = part("(a)", Kind::Numeric, "Calculate the speed.", points);
    let slip = "λ = 0.9/3 = 0.3\nv = 150 × 0.3 = 45 m/s";
    assert_eq!(marks(&part, slip), 0.0);
    part.answer_key.as_mut().expect("a part has a key").notes = Some("ECF for a wrong λ".into());
    assert!(marks(&part, slip) >= 2.0);
    assert_eq!(marks(&part, "v = 150 / 0.3 = 500 m/s"), 0.0, "another method");
}

#[test]
fn a_verdict_and_its_reason_earn_a_mark_each() {
    let told = Point { marks: Marks::whole(2), ..point("False. The list is searched one by one.") };
    let part =
        part("(a)", Kind::ShortAnswer, "Finding an item takes one step. True or false? Why?", vec![told]);
    assert_eq!(marks(&part, "False. The list is searched one by one."), 2.0);
    assert_eq!(marks(&part, "False: the list is searched one by one."), 2.0);
    assert_eq!(marks(&part, "F, it is quicker"), 1.0);
    assert_eq!(marks(&part, "True. The list is searched one by one."), 0.0);
}

#[test]
fn a_step_told_in_words_is_shown_by_both_its_ends() {
    let points = ["the measured height of the picture divided by 3", "2.8 cm"].map(point).to_vec();
    let part = part("(a)", Kind::ShortAnswer, "The picture is three times as high as the beetle.", points);
    assert_eq!(marks(&part, "The picture is 8.4 cm high, and the beetle only 2.8 cm"), 2.0);
    assert_eq!(marks(&part, "2.8 cm"), 1.0);
    assert_eq!(marks(&part, "8.4 cm"), 0.0);
}

#[test]
fn a_fault_named_is_its_mend() {
    let points = ["add a key", "use a compass", "draw in four colours"].map(point).to_vec();
    let asked = "The map has some problems. Name three things that the pupil needs to change.";
    let part = part("(a)", Kind::ShortAnswer, asked, points);
    assert_eq!(marks(&part, "There is no key. The circle was not drawn with a compass"), 2.0);
    assert_eq!(marks(&part, "It isn't in four colours and the key is missing"), 2.0);
    assert_eq!(marks(&part, "it does not need a key"), 0.0);
}
