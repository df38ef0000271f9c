//! What an outcome tells besides its marks: evidence, feedback, flags; and what no answer can bring about.

mod support;

use domain::marks::Marks;
use domain::question::{Kind, Part};
use domain::result::Verdict;
use marker::meaning::{Expected, Grade, Judge, Judgement};
use marker::{Answer, Builtin, FeedbackLevel, Flag, LeafAnswer, Marker, ModelIdentity, Settings, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{leaf, mark_with, marks, part, point, question};

#[test]
fn drawings_are_never_guessed() {
    let part =
        part("(a)", Kind::Drawing, "Sketch the graph.", vec![point("straight line through the origin")]);
    let drawn = leaf(&part, "straight line through the origin");
    assert_eq!(drawn.awarded, Marks::ZERO);
    assert_eq!(drawn.flags, [Flag::LowConfidence, Flag::NotJudged]);
    assert!(drawn.points.iter().all(|point| point.verdict == Verdict::NotJudged));
    assert!(drawn.feedback.contains("person"), "{}", drawn.feedback);
}

#[test]
fn a_drawing_without_words_may_still_be_there() {
    let part =
        part("(a)", Kind::Drawing, "Sketch the graph.", vec![point("straight line through the origin")]);
    let outcome = mark_with(&question(vec![part]), &[], &Settings::default());
    assert_eq!(outcome.flags, [Flag::LowConfidence, Flag::NotJudged]);
    assert!(outcome.leaves[0].feedback.contains("not marked automatically"), "{:?}", outcome.leaves[0]);
}

#[test]
fn verdicts_tell_what_is_missing_from_what_is_wrong_or_not_needed() {
    let verdicts = |part: &Part, answer: &str| -> Vec<Verdict> {
        leaf(part, answer).points.iter().map(|point| point.verdict).collect()
    };
    let words = part("(a)", Kind::ShortAnswer, "State two needs.", vec![point("water"), point("light")]);
    assert_eq!(verdicts(&words, "water"), [Verdict::Credited, Verdict::Missing]);
    let one = Part { marks: Some(Marks::whole(1)), ..words };
    assert_eq!(verdicts(&one, "water"), [Verdict::Credited, Verdict::Superseded]);
    let number = part("(b)", Kind::Numeric, "Calculate the energy.", vec![point("18 J")]);
    assert_eq!(verdicts(&number, "20 J"), [Verdict::Contradicted]);
}

#[test]
fn a_blank_is_not_attempted() {
    let part = part("(a)", Kind::Numeric, "Calculate the energy.", vec![point("18 J")]);
    let outcome = mark_with(&question(vec![part]), &[], &Settings::default());
    assert_eq!(outcome.flags, [Flag::NotAttempted]);
    assert!(outcome.leaves[0].feedback.starts_with("No answer was found"));
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
    let question = question(vec![part]);
    let task = Task {
        question: &question,
        keys: &exam::key::typed(&question),
        answers: vec![LeafAnswer { label: Some("(a)".into()), answer }],
        settings: &settings,
    };
    let outcome = Builtin::default().mark(&task).unwrap();
    assert_eq!(outcome.flags, [Flag::LowConfidence, Flag::Illegible, Flag::NotJudged]);
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

    fn grade(&self, _: &Expected<'_>, _: &str) -> Grade {
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
        engine
            .mark(&Task { question: &whole, keys: &exam::key::typed(&whole), answers, settings: &settings })
            .unwrap();
        assert_eq!(judge.0.load(Ordering::Relaxed), asked, "{text:?}");
    }
}
