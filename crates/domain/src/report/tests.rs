use super::*;
use crate::marks::Marks;
use crate::result::{Marked, PartResult, Score, Verdict, assemble};
use proptest::prelude::*;

fn result() -> Result {
    let points = vec![PointResult {
        text: "the nucleus".into(),
        marks: Marks::whole(1),
        awarded: Marks::whole(1),
        verdict: Verdict::Credited,
        ..PointResult::default()
    }];
    let leaf = |label: &str| PartResult {
        label: label.into(),
        awarded: Marks::whole(1),
        available: Marks::whole(2),
        points: points.clone(),
        feedback: "1 of 2 marks.".into(),
        ..PartResult::default()
    };
    let question =
        |number: &str, label: &str| Marked { number: number.into(), choice: None, leaves: vec![leaf(label)] };
    assemble(vec![question("1", ""), question("2", "(a)")], FeedbackLevel::Standard, false)
}

fn report(sections: &[Section], feedback: FeedbackLevel, released: &[Marksheet]) -> Report {
    let marking = Marking { engine: "builtin".into(), feedback, ..Marking::default() };
    let source = Source { title: "Biology".into(), student_name: None, result: result(), marking };
    let released = released.iter().cloned().collect();
    Report::new(source, sections, &released, Timestamp::UNIX_EPOCH)
}

fn sheet(awarded: u32, available: u32) -> Marksheet {
    let (awarded, available) = (Marks::whole(awarded), Marks::whole(available));
    let question = QuestionMarks { number: "1".into(), awarded, available };
    Marksheet { score: Score::of(awarded, available), questions: vec![question] }
}

#[test]
fn sections_are_parsed_in_the_reports_order() {
    assert_eq!(Section::parse(None), Ok(Section::ALL.to_vec()));
    assert_eq!(
        Section::parse(Some("feedback,summary,feedback")),
        Ok(vec![Section::Summary, Section::Feedback])
    );
    assert_eq!(Section::parse(Some("summary,grades")), Err(UnknownSection("grades".into())));
    assert_eq!(Section::parse(Some("")), Err(UnknownSection(String::new())));
}

#[test]
fn a_report_has_a_member_for_each_section_it_holds() {
    let some = report(&[Section::Summary, Section::Marking], FeedbackLevel::Standard, &[]);
    let json = serde_json::to_value(some.document()).unwrap();
    let members: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(members, ["marking", "sections", "summary"]);
    assert_eq!(json["sections"], serde_json::json!(["summary", "marking"]));
    assert_eq!(json["marking"]["strictness"], "standard");
}

#[test]
fn statistics_of_few_scripts_tell_of_this_one_alone() {
    assert!(!report(&Section::ALL, FeedbackLevel::Standard, &[]).has(Section::Statistics));
    for scripts in [1, SCRIPTS_MIN as usize - 1] {
        let few = report(&Section::ALL, FeedbackLevel::Standard, &vec![Marksheet::of(&result()); scripts]);
        let json = serde_json::to_value(few.document()).unwrap()["statistics"].clone();
        assert_eq!((&json["scripts"], &json["own"]), (&scripts.into(), &50.into()), "{json}");
        for unsaid in ["mean", "lower_quartile", "median", "upper_quartile"] {
            assert_eq!(json.get(unsaid), Some(&serde_json::Value::Null), "{json}");
        }
        assert_eq!(json["questions"][0]["mean"], serde_json::Value::Null);
    }
    let enough = vec![Marksheet::of(&result()); SCRIPTS_MIN as usize];
    let full = report(&Section::ALL, FeedbackLevel::Standard, &enough);
    assert!(full.has(Section::Statistics));
    assert_eq!(serde_json::to_value(full.document()).unwrap()["statistics"]["mean"], 50);
}

#[test]
fn the_schemes_words_are_told_only_at_the_detailed_level() {
    for level in FeedbackLevel::ALL.iter().copied() {
        let json = serde_json::to_value(report(&Section::ALL, level, &[]).document()).unwrap();
        let told = !json["evidence"][1]["parts"][0]["points"][0]["text"].is_null();
        assert_eq!(told, level == FeedbackLevel::Detailed, "{level:?}");
        assert_eq!(json["evidence"][0]["points"][0]["awarded"], 1);
    }
}

#[test]
fn figures_are_those_of_the_textbook() {
    let released: Vec<Marksheet> = [2, 4, 4, 5, 7, 9].map(|awarded| sheet(awarded, 10)).to_vec();
    let statistics = Statistics::of(&sheet(7, 10), &released.into_iter().collect()).unwrap();
    assert_eq!(statistics.scripts, 6);
    assert_eq!(statistics.own.to_string(), "70%");
    let spread = statistics.spread.unwrap();
    assert_eq!(spread.mean.to_string(), "51.7%");
    assert_eq!(spread.median.to_string(), "45%");
    assert_eq!(spread.lower_quartile.to_string(), "40%");
    assert_eq!(spread.upper_quartile.to_string(), "65%");
    assert_eq!(statistics.questions[0].mean.unwrap().to_string(), "51.7%");
}

#[test]
fn a_question_that_counts_in_few_scripts_has_no_mean() {
    let mut released = vec![sheet(5, 10); 6];
    released.iter_mut().skip(4).for_each(|sheet| sheet.questions[0].available = Marks::ZERO);
    let mut own = sheet(5, 10);
    own.questions[0].available = Marks::ZERO;
    let statistics = Statistics::of(&own, &released.into_iter().collect()).unwrap();
    assert_eq!((statistics.questions[0].own, statistics.questions[0].mean), (None, None));
}

proptest! {
    #[test]
    fn quartiles_are_in_order_and_within_the_scripts(
        marks in prop::collection::vec(0_u32..=60, 5..40),
    ) {
        let released: Vec<Marksheet> = marks.iter().map(|awarded| sheet(*awarded, 60)).collect();
        let statistics = Statistics::of(&released[0], &released.iter().cloned().collect()).unwrap();
        let percentages = released.iter().map(|sheet| sheet.score.percentage);
        let (least, most) = (percentages.clone().min().unwrap(), percentages.max().unwrap());
        let spread = statistics.spread.unwrap();
        let ordered = [least, spread.lower_quartile, spread.median, spread.upper_quartile, most];
        prop_assert!(ordered.is_sorted());
        prop_assert!((least..=most).contains(&spread.mean));
    }
}
