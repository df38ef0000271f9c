use super::*;
use domain::grading::{FeedbackLevel, Strictness};
use domain::question::{Level, Part, Point, Region};
use exam::script::Written;
use marker::Builtin;
use marker::turn::Behind;
use proptest::prelude::*;

fn key(points: &[&str]) -> AnswerKey {
    let point = |text: &&str| Point { text: (*text).into(), marks: Marks::whole(1), ..Point::default() };
    AnswerKey { points: points.iter().map(point).collect(), ..AnswerKey::default() }
}

fn part(label: &str, text: &str, points: &[&str]) -> Part {
    let marks = Some(Marks::whole(points.len() as u32));
    let answer_key = Some(key(points));
    Part { label: label.into(), text: text.into(), marks, answer_key, ..Part::default() }
}

fn question(number: &str, text: &str, points: &[&str]) -> Question {
    let marks = Some(Marks::whole(points.len() as u32));
    let answer_key = Some(key(points));
    Question { number: number.into(), text: text.into(), marks, answer_key, ..Question::default() }
}

fn cells() -> Question {
    let parts = vec![
        part("(a)", "Name the part of a cell that controls its activities.", &["nucleus"]),
        part("(b)", "State where respiration takes place.", &["mitochondria"]),
    ];
    Question { number: "2".into(), marks: Some(Marks::whole(2)), parts, ..Question::default() }
}

fn level(name: &str, from: u32, to: u32, descriptor: &str) -> Level {
    let (marks_from, marks_to) = (Marks::whole(from), Marks::whole(to));
    Level { name: name.into(), marks_from, marks_to, descriptor: descriptor.into() }
}

/// Words on one page, a new line at each `/`.
fn written(text: &str) -> Vec<Written> {
    let mut words = Vec::new();
    for (row, line) in text.split('/').enumerate() {
        for (column, word) in line.split_whitespace().enumerate() {
            let place = Region {
                page: 1,
                x: 0.1 + 0.1 * column as f32,
                y: 0.2 + 0.05 * row as f32,
                width: 0.09,
                height: 0.03,
            };
            let starts_line = column == 0;
            words.push(Written {
                text: word.into(),
                place,
                confidence: 0.97,
                starts_line,
                ..Written::default()
            });
        }
    }
    words
}

fn answer(number: &str, label: &str, text: &str) -> Answer {
    let words = written(text);
    let text = text.replace('/', "\n");
    Answer { number: number.into(), label: label.into(), text, words, legibility: 0.97, ..Answer::default() }
}

fn mark(questions: &[Question], answers: Vec<Answer>, grading: &Grading) -> result::Result {
    let script = Script { answers, unassigned: Vec::new() };
    mark_script(&questions.to_vec().into(), &script, &Builtin::default(), grading, Beside::default()).unwrap()
}

#[test]
fn marks_come_with_the_words_that_earned_them() {
    let questions = [cells()];
    let answers = vec![answer("2", "(a)", "it is the/nucleus of it"), answer("2", "(b)", "")];
    let result = mark(&questions, answers, &Grading::default());
    let parts = &result.questions[0].parts;
    assert_eq!((parts[0].awarded, parts[1].awarded), (Marks::whole(1), Marks::ZERO));
    let evidence = &parts[0].points[0].evidence;
    assert_eq!(evidence.len(), 1);
    assert_eq!(evidence[0].text, "nucleus");
    assert_eq!((evidence[0].place.page, evidence[0].place.frame.y), (1, 0.25));
    assert_eq!(parts[1].flags, [Flag::NotAttempted]);
    assert_eq!(result.score, result::Score::of(Marks::whole(1), Marks::whole(2)));
    assert!(result.explanation.starts_with("1 of 2 marks (50%). The question was answered."));
    assert_eq!(parts[0].places.len(), 1);
}

#[test]
fn an_empty_script_has_no_readable_answers() {
    for &level in FeedbackLevel::ALL {
        let grading = Grading { feedback: level, ..Grading::default() };
        let answers = vec![answer("2", "(a)", ""), answer("2", "(b)", "")];
        let result = mark(&[cells()], answers, &grading);
        assert!(result.no_readable_answers);
        assert!(result.questions[0].feedback.starts_with("No answer was found"));
        assert!(
            result.questions[0].parts.iter().all(|part| part.feedback.starts_with("No answer was found"))
        );
    }
}

#[test]
fn writing_that_cannot_be_read_is_no_readable_answer() {
    let mut scrawl = answer("1", "", "xq zzv wqk");
    scrawl.words.iter_mut().for_each(|word| word.confidence = 0.2);
    for &level in FeedbackLevel::ALL {
        let grading = Grading { feedback: level, ..Grading::default() };
        let result =
            mark(&[question("1", "Define osmosis.", &["movement of water"])], vec![scrawl.clone()], &grading);
        assert!(result.no_readable_answers);
        assert!(result.questions[0].flags.contains(&Flag::Illegible));
        assert!(result.questions[0].feedback.contains("could not be read"), "{level:?}");
    }
}

#[test]
fn what_was_crossed_out_and_never_replaced_is_marked_and_doubted() {
    let mut struck = answer("1", "", "nucleus");
    struck.words.iter_mut().for_each(|word| word.crossed_out = true);
    let result = mark(&[question("1", "Name it.", &["nucleus"])], vec![struck], &Grading::default());
    let question = &result.questions[0];
    assert_eq!(question.awarded, Marks::whole(1));
    assert!(question.flags.contains(&Flag::LowConfidence));
    assert!(question.feedback.ends_with("marked because nothing was written in its place."));
}

#[test]
fn a_tick_is_evidence_of_a_choice() {
    let options =
        ["A", "B", "C"].map(|label| domain::question::Choice { label: label.into(), text: String::new() });
    let asked = Question {
        kind: Kind::MultipleChoice,
        options: options.to_vec(),
        ..question("1", "Which one?", &["B"])
    };
    let ticks = vec![Written { text: "B".into(), ..written("B").remove(0) }];
    let chosen = Answer { selected: vec!["B".into()], ticks, ..answer("1", "", "") };
    let result = mark(&[asked], vec![chosen], &Grading::default());
    let only = &result.questions[0];
    assert_eq!((only.awarded, only.answer.as_str()), (Marks::whole(1), "B"));
    assert_eq!(only.points[0].evidence[0].text, "B");
}

#[test]
fn question_numbers_may_repeat_in_another_section() {
    let questions =
        [question("1", "Name the metal.", &["iron"]), question("1", "Name the gas.", &["oxygen"])];
    let answers = vec![answer("1", "", "iron"), answer("1", "", "oxygen")];
    let result = mark(&questions, answers, &Grading::default());
    assert_eq!(result.score.awarded, Marks::whole(2));
}

#[test]
fn of_a_choice_group_the_best_answers_count() {
    let grouped = |number: &str, point: &str| Question {
        choice_group: Some("B".into()),
        choice_count: Some(1),
        ..question(number, "Name the metal.", &[point])
    };
    let questions = [grouped("1", "iron"), grouped("2", "copper")];
    let answers = vec![answer("1", "", "zinc"), answer("2", "", "copper")];
    let result = mark(&questions, answers, &Grading::default());
    assert_eq!(result.score, result::Score::of(Marks::whole(1), Marks::whole(1)));
    assert!(!result.questions[0].counted);
}

#[test]
fn levels_tell_which_one_was_reached() {
    let levels = vec![
        level("Level 2", 3, 4, "A clear account with reasons of how plants make food with light."),
        level("Level 1", 1, 2, "Simple statements about plants."),
    ];
    let mut asked = question("1", "Explain how plants make food.", &[]);
    asked.marks = Some(Marks::whole(4));
    let notes = Some("Leaves take in light.\nRoots take in water.\nSugar is made.".to_owned());
    asked.answer_key = Some(AnswerKey { levels, notes, ..AnswerKey::default() });
    asked.kind = Kind::Extended;
    let result = mark(
        &[asked],
        vec![answer("1", "", "the leaves take in light and roots take in water")],
        &Grading::default(),
    );
    let only = &result.questions[0];
    assert_eq!(only.points.len(), 1);
    assert!(only.points[0].text.starts_with("Level "));
    assert_eq!(only.points[0].awarded, only.awarded);
    let said: Vec<&str> = only.points[0].evidence.iter().map(|one| one.text.as_str()).collect();
    assert!(!only.awarded.is_zero() && said.join(" ").contains("leaves take in light"), "{said:?}");
}

#[test]
fn the_record_names_engine_scheme_and_settings() {
    let grading =
        Grading { instructions: Some("Ignore spelling. Sing a song.".into()), ..Grading::default() };
    let record = record(&Builtin::default(), &grading, &[cells()], vec!["00ff".into()]);
    assert_eq!(record.engine, "builtin");
    assert_eq!(record.scheme_sha256.len(), 64);
    assert_eq!(record.instructions_used, ["Ignore spelling"]);
    let other = Question { marks: Some(Marks::whole(3)), ..cells() };
    assert_ne!(record.scheme_sha256, scheme_sha256(&[other]));
}

/// The same words as another hand would put them on the page.
fn rewritten(answer: &str, hand: usize) -> String {
    match hand % 5 {
        0 => answer.to_owned(),
        1 => answer.replacen(' ', "/", 1),
        2 => answer.to_uppercase(),
        3 => format!("{answer}."),
        _ => answer.replace(' ', "  "),
    }
}

#[test]
fn in_a_class_of_200_the_same_answer_gets_the_same_mark() {
    const ANSWERS: [&str; 8] = [
        "movement of water across a membrane",
        "water moves through a partially permeable membrane",
        "water goes from high to low",
        "the movement of particles",
        "when salt crosses the membrane",
        "diffusion of water",
        "it is a cell",
        "water",
    ];
    let asked = vec![question("1", "Define osmosis.", &["movement of water", "across a membrane"])].into();
    let engine = Builtin::default();
    for &strictness in Strictness::ALL {
        let grading = Grading { strictness, ..Grading::default() };
        let mut given = [None; ANSWERS.len()];
        for student in 0..200 {
            let which = student * 7 % ANSWERS.len();
            let answers = vec![answer("1", "", &rewritten(ANSWERS[which], student / ANSWERS.len()))];
            let script = Script { answers, unassigned: Vec::new() };
            let result = mark_script(&asked, &script, &engine, &grading, Beside::default()).unwrap();
            let first = *given[which].get_or_insert(result.score);
            assert_eq!(result.score, first, "student {student}: {}", ANSWERS[which]);
        }
        assert!(given.iter().flatten().any(|score| !score.awarded.is_zero()));
    }
}

#[test]
fn a_level_is_a_persons_to_judge_however_well_it_fits_the_script() {
    let descriptor = "Says how plants make food.";
    let levels = vec![level("Level 1", 1, 2, descriptor), level("Level 2", 3, 4, descriptor)];
    let essay = Question {
        number: "1".into(),
        text: "Discuss how plants make food.".into(),
        kind: Kind::Extended,
        marks: Some(Marks::whole(4)),
        answer_key: Some(AnswerKey { levels, ..AnswerKey::default() }),
        ..Question::default()
    };
    let others = (2..=12).map(|number| question(&number.to_string(), "Name the gas.", &["oxygen"]));
    let questions: Vec<Question> = std::iter::once(essay).chain(others).collect();
    for gas in ["oxygen", "helium"] {
        let mut answers = vec![answer("1", "", "plants make food with light")];
        answers.extend((2..=12).map(|number| answer(&number.to_string(), "", gas)));
        let result = mark(&questions, answers, &Grading::default());
        assert!(result.questions[0].flags.contains(&Flag::LowConfidence), "{gas}: {:?}", result.questions[0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_same_script_always_gets_the_same_result(
        texts in prop::collection::vec("[a-z]{0,6}( (nucleus|mitochondria|water|the))?( [a-z]{1,4})?", 3),
        level in prop::sample::select(FeedbackLevel::ALL.to_vec()),
        strictness in prop::sample::select(Strictness::ALL.to_vec()),
    ) {
        let grading = Grading { feedback: level, strictness, ..Grading::default() };
        let questions = [question("1", "Define osmosis.", &["movement of water", "across a membrane"]), cells()];
        let answers =
            vec![answer("1", "", &texts[0]), answer("2", "(a)", &texts[1]), answer("2", "(b)", &texts[2])];
        let once = mark(&questions, answers.clone(), &grading);
        prop_assert_eq!(&once, &mark(&questions, answers, &grading));
        for question in &once.questions {
            prop_assert!(!question.awarded.is_zero() || !question.feedback.is_empty());
        }
        let sum: Marks = once.questions.iter().map(|question| question.awarded).sum();
        prop_assert_eq!(once.score.awarded, sum);
    }
}

#[test]
fn what_learning_keeps_of_a_point_says_how_likely_the_answer_makes_it() {
    let found = |verdict: Verdict, awarded: u32, confidence: f32| PointOutcome {
        verdict,
        awarded: Marks::whole(awarded),
        confidence,
        behind: Behind { judge: Some([confidence, 0.0, 0.0, 0.0]), ..Behind::default() },
        ..PointOutcome::default()
    };
    let worth = Marks::whole(2);
    assert_eq!(likely(&found(Verdict::Credited, 2, 0.75), worth), Some(0.75));
    assert_eq!(likely(&found(Verdict::Missing, 0, 0.75), worth), Some(0.25));
    assert_eq!(likely(&found(Verdict::Missing, 0, 0.0), worth), Some(0.5), "nothing is known");
    assert_eq!(likely(&found(Verdict::Credited, 1, 0.75), worth), None, "a piece of it");
    let by_rule = PointOutcome { behind: Behind::default(), ..found(Verdict::Credited, 2, 0.75) };
    assert_eq!(likely(&by_rule, worth), None, "nobody was asked what it means");

    let point = |awarded: u32, likely: Option<f32>| PointResult {
        marks: worth,
        awarded: Marks::whole(awarded),
        likely: Likely(likely),
        ..PointResult::default()
    };
    let made = |points: Vec<PointResult>| points_made(&PartResult { points, ..PartResult::default() });
    assert_eq!(made(vec![point(2, Some(0.75)), point(1, None)]), [0.75, 0.5]);
    assert_eq!(made(vec![point(0, Some(0.25))]), [0.25]);
    assert!(made(vec![point(2, None)]).is_empty(), "its mark says all");
    assert_eq!(point(2, Some(0.75)), point(2, None), "a result that was kept is the same result");
}
