use super::*;
use proptest::prelude::*;

fn point(marks: u32, awarded: u32) -> PointResult {
    let (marks, awarded) = (Marks::halves(marks), Marks::halves(awarded));
    let verdict = if awarded.is_zero() { Verdict::Missing } else { Verdict::Credited };
    PointResult { text: "a point".into(), marks, awarded, verdict, ..PointResult::default() }
}

fn leaf(label: &str, awarded: u32, available: u32) -> PartResult {
    let (awarded, available) = (Marks::whole(awarded), Marks::whole(available));
    let answer = format!("answer {label}");
    PartResult { label: label.into(), awarded, available, answer, confidence: 0.9, ..PartResult::default() }
}

fn blank(label: &str, available: u32) -> PartResult {
    let flags = vec![Flag::NotAttempted];
    PartResult { flags, answer: String::new(), ..leaf(label, 0, available) }
}

fn marked(number: &str, leaves: Vec<PartResult>) -> Marked {
    Marked { number: number.into(), choice: None, leaves }
}

fn chosen(number: &str, leaves: Vec<PartResult>) -> Marked {
    let choice = Some(Choice { group: "B".into(), count: 2 });
    Marked { choice, ..marked(number, leaves) }
}

fn standard(questions: Vec<Marked>) -> Result {
    assemble(questions, FeedbackLevel::Standard, false)
}

#[test]
fn parts_add_up_and_a_question_without_parts_keeps_its_points() {
    let whole = PartResult { points: vec![point(2, 2), point(2, 0)], ..leaf("", 1, 2) };
    let result =
        standard(vec![marked("1", vec![whole]), marked("2", vec![leaf("(a)", 1, 2), leaf("(b)", 2, 2)])]);
    assert_eq!(result.score, Score::of(Marks::whole(4), Marks::whole(6)));
    assert_eq!(result.questions[0].points.len(), 2);
    assert!(result.questions[0].parts.is_empty());
    assert_eq!(result.questions[1].answer, "(a) answer (a)\n(b) answer (b)");
    assert_eq!(result.explanation, "4 of 6 marks (66.7%). All 2 questions were answered.");
}

#[test]
fn a_question_whose_mark_cannot_be_split_has_no_parts() {
    let result = standard(vec![marked("1", vec![leaf("(a)", 0, 0), leaf("(b)", 0, 0), leaf("", 3, 5)])]);
    assert!(result.questions[0].parts.is_empty());
    assert_eq!(result.questions[0].awarded, Marks::whole(3));
}

#[test]
fn marks_of_the_whole_question_beside_its_parts_are_a_part() {
    let result = standard(vec![marked("1", vec![leaf("(a)", 1, 2), leaf("", 2, 4)])]);
    let labels: Vec<&str> = result.questions[0].parts.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, ["(a)", "overall"]);
    assert_eq!(result.questions[0].available, Marks::whole(6));
}

#[test]
fn the_best_questions_of_a_choice_group_count() {
    let questions = vec![
        marked("1", vec![leaf("", 1, 5)]),
        chosen("2", vec![leaf("", 3, 10)]),
        chosen("3", vec![leaf("(a)", 4, 5), leaf("(b)", 3, 5)]),
        chosen("4", vec![leaf("", 5, 10)]),
    ];
    let result = standard(questions);
    let counted: Vec<bool> = result.questions.iter().map(|question| question.counted).collect();
    assert_eq!(counted, [true, false, true, true]);
    assert_eq!(result.score, Score::of(Marks::whole(13), Marks::whole(25)));
    assert_eq!(
        result.questions[1].feedback,
        "Not counted: of this group of questions the best 2 count. It would have earned 3 of 10 marks."
    );
    assert!(result.explanation.contains("Of the 3 questions of group B, the best 2 count."));
}

#[test]
fn a_question_that_was_not_needed_costs_nothing() {
    let questions = vec![
        chosen("2", vec![blank("", 10)]),
        chosen("3", vec![leaf("", 0, 10)]),
        chosen("4", vec![leaf("", 5, 10)]),
    ];
    let result = standard(questions);
    assert!(!result.questions[0].counted);
    assert_eq!(result.score, Score::of(Marks::whole(5), Marks::whole(20)));
    assert!(result.questions[0].feedback.ends_with("No answer was found, and none was needed."));
}

#[test]
fn fewer_answers_than_asked_for_still_count_in_full() {
    let questions = vec![
        chosen("2", vec![blank("", 10)]),
        chosen("3", vec![blank("", 10)]),
        chosen("4", vec![leaf("", 5, 10)]),
    ];
    let result = standard(questions);
    assert_eq!(result.score, Score::of(Marks::whole(5), Marks::whole(20)));
}

#[test]
fn a_zero_says_why_at_every_level() {
    let illegible = PartResult { flags: vec![Flag::Illegible], ..leaf("", 0, 2) };
    for level in FeedbackLevel::ALL.iter().copied() {
        let questions = vec![
            marked("1", vec![blank("", 2)]),
            marked("2", vec![illegible.clone()]),
            marked("3", vec![leaf("", 0, 2)]),
            marked("4", vec![blank("(a)", 2), leaf("(b)", 0, 2)]),
            marked("5", vec![blank("(a)", 2), blank("(b)", 2)]),
        ];
        let result = assemble(questions, level, false);
        let said: Vec<&str> = result.questions.iter().map(|question| question.feedback.as_str()).collect();
        assert!(said[0].starts_with("No answer was found"), "{level:?}");
        assert!(said[1].starts_with("No readable answer"), "{level:?}");
        assert!(said[2].starts_with("No marks this time. Nothing"), "{level:?}");
        assert!(said[3].starts_with("No marks this time. Nothing"), "{level:?}");
        assert!(said[4].starts_with("No answer was found for any part"), "{level:?}");
        assert!(result.questions[3].parts.iter().all(|part| !part.feedback.is_empty()));
    }
}

#[test]
fn a_script_without_readable_answers_says_so() {
    let nothing = vec![marked("1", vec![blank("", 2)]), marked("2", vec![blank("(a)", 3)])];
    let result = standard(nothing.clone());
    assert!(result.no_readable_answers);
    assert_eq!(
        result.explanation,
        "No readable answers were found in this script, so it earned 0 of 5 marks. \
         Nothing was found in it that answers a question."
    );
    assert!(assemble(nothing, FeedbackLevel::None, true).explanation.ends_with("matched to a question."));
    let scrawl = PartResult { flags: vec![Flag::Illegible, Flag::LowConfidence], ..leaf("", 0, 2) };
    let result = standard(vec![marked("1", vec![scrawl])]);
    assert!(result.no_readable_answers);
    assert!(result.explanation.ends_with("could not be read well enough to be marked."));
    assert!(!standard(vec![marked("1", vec![leaf("", 0, 2)])]).no_readable_answers);
}

#[test]
fn doubtful_answers_are_named() {
    let doubtful = PartResult { flags: vec![Flag::LowConfidence], ..leaf("(b)", 1, 2) };
    let questions = vec![
        marked("1", vec![PartResult { label: String::new(), ..doubtful.clone() }]),
        marked("2", vec![leaf("(a)", 1, 1), doubtful]),
    ];
    assert!(standard(questions).explanation.ends_with("A person should look at questions 1 and 2(b)."));
}

#[test]
fn what_nobody_judged_is_said_to_be_so_and_is_doubtful() {
    let undrawn = PartResult { flags: vec![Flag::NotJudged, Flag::LowConfidence], ..blank("", 3) };
    let questions = vec![marked("1", vec![leaf("", 1, 1)]), marked("2", vec![undrawn.clone()])];
    let result = standard(questions);
    assert!(result.is_doubtful());
    assert_eq!(result.questions[1].feedback, "Nobody has judged this answer yet: a person must mark it.");
    assert_eq!(
        result.explanation,
        "1 of 4 marks (25%). 1 of 2 questions was answered. \
         A person must mark question 2: nobody has judged it yet."
    );
    assert!(standard(vec![marked("2", vec![undrawn])]).no_readable_answers);
    assert!(!standard(vec![marked("1", vec![leaf("", 0, 1)])]).is_doubtful());
}

#[test]
fn a_question_that_does_not_count_makes_no_script_doubtful() {
    let doubtful = PartResult { flags: vec![Flag::LowConfidence], ..leaf("", 1, 10) };
    let questions = vec![
        chosen("1", vec![leaf("", 5, 10)]),
        chosen("2", vec![leaf("", 6, 10)]),
        chosen("3", vec![doubtful]),
    ];
    assert!(!standard(questions).is_doubtful());
}

#[test]
fn a_point_beyond_the_most_that_could_be_earned_was_not_needed() {
    let whole = PartResult { points: vec![point(2, 2), point(2, 2), point(2, 0)], ..leaf("", 1, 1) };
    let result = standard(vec![marked("1", vec![whole])]);
    let verdicts: Vec<Verdict> = result.questions[0].points.iter().map(|point| point.verdict).collect();
    assert_eq!(verdicts, [Verdict::Credited, Verdict::Superseded, Verdict::Missing]);
}

#[test]
fn points_stored_before_there_were_verdicts_get_one_from_their_marks() {
    let read = |awarded: u32| {
        let json = serde_json::json!({"text": "light", "marks": 1, "awarded": awarded, "evidence": []});
        serde_json::from_value::<PointResult>(json).unwrap().verdict
    };
    assert_eq!((read(1), read(0)), (Verdict::Credited, Verdict::Missing));
}

#[test]
fn the_stored_document_reads_back_and_has_the_contracts_members() {
    let place = Place { file: 0, page: 2, frame: Frame { x: 0.1, y: 0.2, width: 0.3, height: 0.05 } };
    let evidence = vec![Evidence { place, text: "light energy".into() }];
    let points = vec![PointResult { evidence, ..point(2, 2) }];
    let result =
        standard(vec![marked("1", vec![PartResult { points, places: vec![place], ..leaf("(a)", 1, 2) }])]);
    let json = serde_json::to_value(&result).unwrap();
    assert_eq!(json["score"], serde_json::json!({"awarded": 1, "available": 2, "percentage": 50}));
    assert_eq!(
        json["questions"][0]["parts"][0]["points"][0]["evidence"][0],
        serde_json::json!({"file": 0, "page": 2, "box": {"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.05}, "text": "light energy"})
    );
    let text = serde_json::to_string(&result).unwrap();
    assert_eq!(serde_json::from_str::<Result>(&text).unwrap(), result);
}

#[test]
fn percentages_come_from_whole_numbers() {
    let shown =
        |awarded, available| Percentage::of(Marks::halves(awarded), Marks::halves(available)).to_string();
    assert_eq!(shown(1, 3), "33.3%");
    assert_eq!(shown(2, 3), "66.7%");
    assert_eq!(shown(1, 16), "6.3%");
    assert_eq!(shown(0, 0), "0%");
    assert_eq!(shown(7, 7), "100%");
    assert_eq!(serde_json::to_string(&Percentage::tenths(625)).unwrap(), "62.5");
}

#[test]
fn frames_stay_on_the_page() {
    let region = Region { page: 1, x: -0.2, y: 0.9, width: 0.5, height: f32::NAN };
    assert_eq!(Frame::of(&region), Frame { x: 0.0, y: 0.9, width: 0.3, height: 0.0 });
}

fn any_flags() -> impl Strategy<Value = Vec<Flag>> {
    let all = vec![
        Flag::LowConfidence,
        Flag::Illegible,
        Flag::AnswerContinuesElsewhere,
        Flag::MoreAnswersThanAsked,
        Flag::NotAttempted,
        Flag::NotJudged,
    ];
    prop::collection::vec(prop::sample::select(all), 0..3)
}

fn any_leaf() -> impl Strategy<Value = PartResult> {
    let points = prop::collection::vec((0_u32..8, 0_u32..9), 0..5);
    (
        prop::sample::select(vec!["", "(a)", "(b)", "1.2"]),
        0_u32..12,
        0_u32..12,
        points,
        any_flags(),
        any::<f64>(),
    )
        .prop_map(|(label, awarded, available, points, flags, confidence)| PartResult {
            awarded: Marks::halves(awarded),
            available: Marks::halves(available),
            points: points.into_iter().map(|(marks, awarded)| point(marks, awarded)).collect(),
            flags,
            confidence,
            ..leaf(label, 0, 0)
        })
}

fn any_question() -> impl Strategy<Value = Marked> {
    let choice = prop::option::of((prop::sample::select(vec!["A", "B"]), 0_u32..3));
    (prop::collection::vec(any_leaf(), 0..4), choice).prop_map(|(leaves, choice)| Marked {
        choice: choice.map(|(group, count)| Choice { group: group.into(), count }),
        ..marked("7", leaves)
    })
}

proptest! {
    #[test]
    fn sums_agree_whatever_the_marker_says(
        questions in prop::collection::vec(any_question(), 0..8),
        level in prop::sample::select(FeedbackLevel::ALL.to_vec()),
        has_unassigned: bool,
    ) {
        let result = assemble(questions, level, has_unassigned);
        let sum = |of: fn(&QuestionResult) -> Marks| -> Marks { result.questions.iter().map(of).sum() };
        prop_assert_eq!(result.score, Score::of(sum(|one| one.awarded), sum(|one| one.available)));
        for question in &result.questions {
            prop_assert!(question.awarded <= question.available);
            prop_assert!(!question.awarded.is_zero() || !question.feedback.is_empty());
            prop_assert!((0.0..=1.0).contains(&question.confidence));
            if !question.parts.is_empty() {
                let awarded: Marks = question.parts.iter().map(|part| part.awarded).sum();
                let available: Marks = question.parts.iter().map(|part| part.available).sum();
                prop_assert_eq!((question.awarded, question.available), (awarded, available));
                prop_assert!(question.points.is_empty());
            }
            let leaves = question.parts.iter().map(|part| (&part.points, part.awarded));
            let own = [(&question.points, question.awarded)];
            for (points, awarded) in leaves.chain(own).filter(|(points, _)| !points.is_empty()) {
                prop_assert_eq!(points.iter().map(|point| point.awarded).sum::<Marks>(), awarded);
                prop_assert!(points.iter().all(|point| point.awarded <= point.marks));
                let earns = |point: &PointResult| !point.awarded.is_zero();
                prop_assert!(points.iter().all(|point| earns(point) == (point.verdict == Verdict::Credited)));
            }
            for part in &question.parts {
                prop_assert!(part.awarded <= part.available);
                prop_assert!(!part.awarded.is_zero() || !part.feedback.is_empty());
            }
        }
        let text = serde_json::to_string(&result).unwrap();
        prop_assert_eq!(serde_json::from_str::<Result>(&text).unwrap(), result);
    }
}
