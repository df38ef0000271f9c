use crate::sample;
use crate::{PagePicture, PageWord, html, pdf, style_hash};
use domain::grading::FeedbackLevel;
use domain::marks::Marks;
use domain::report::{Report, Section};
use domain::result::{Evidence, Frame, Marked, PartResult, Place, PointResult, Result, Verdict, assemble};
use hayro_syntax::Pdf;
use proptest::prelude::*;

fn page_count(bytes: Vec<u8>) -> usize {
    Pdf::new(bytes).unwrap().pages().len()
}

/// A report whose every text is this one.
fn report_of(text: &str, questions: usize) -> Report {
    let frame = Frame { x: 0.1, y: 0.1, width: 0.3, height: 0.03 };
    let place = Place { file: 0, page: 1, frame };
    let leaf = PartResult {
        awarded: Marks::whole(1),
        available: Marks::whole(2),
        answer: text.to_owned(),
        feedback: text.to_owned(),
        points: vec![PointResult {
            text: text.to_owned(),
            marks: Marks::whole(1),
            awarded: Marks::whole(1),
            verdict: Verdict::Credited,
            evidence: vec![Evidence { place, text: text.to_owned() }],
            likely: domain::result::Likely::default(),
        }],
        places: vec![place],
        ..PartResult::default()
    };
    let question = |index: usize| Marked {
        number: if index == 0 { text.to_owned() } else { index.to_string() },
        choice: None,
        leaves: vec![leaf.clone(), PartResult { label: text.to_owned(), ..leaf.clone() }],
    };
    let mut report = sample::report(2, FeedbackLevel::Detailed);
    report.title = text.to_owned();
    report.student_name = Some(text.to_owned());
    report.result = assemble((0..questions).map(question).collect(), FeedbackLevel::Detailed, false);
    report
}

fn page_of(text: &str) -> PagePicture {
    let frame = Frame { x: 0.1, y: 0.1, width: 0.3, height: 0.03 };
    PagePicture { words: vec![PageWord { text: text.to_owned(), frame }], ..sample::pages(1).remove(0) }
}

#[test]
fn the_page_looks_as_it_did() {
    let page = html(&sample::report(2, FeedbackLevel::Standard));
    // The style has a file of its own to be looked at.
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    insta::assert_snapshot!(format!("{head}<style></style>{body}"));
}

#[test]
fn a_strict_policy_lets_the_style_through() {
    assert_eq!(style_hash().len(), "sha256-".len() + 44);
    let page = html(&sample::report(1, FeedbackLevel::None));
    assert!(!page.contains("style=") && !page.contains("<script") && !page.contains("http"));
}

#[test]
fn hostile_text_is_only_text() {
    let page = html(&report_of("</style><img src=x onerror=alert(1)>\u{202e}\u{2066}&\"'", 2));
    assert!(!page.contains("<img") && !page.contains('\u{202e}') && !page.contains('\u{2066}'));
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(page.contains("&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;"));
}

#[test]
fn only_the_sections_asked_for_are_shown() {
    let mut report = sample::report(2, FeedbackLevel::Detailed);
    report.sections = vec![Section::Summary];
    let page = html(&report);
    assert!(page.contains("class=\"score\"") && !page.contains("<table") && !page.contains("<blockquote"));
    assert_eq!(page_count(pdf(&report, &[]).unwrap()), 1);
    report.sections = vec![Section::Marking];
    assert!(html(&report).contains("How this script was marked"));
    assert!(pdf(&report, &[]).is_ok());
}

#[test]
fn the_scheme_is_told_only_at_the_detailed_level() {
    for level in FeedbackLevel::ALL.iter().copied() {
        let told = html(&sample::report(2, level)).contains("the boat pushes the person forward");
        assert_eq!(told, level == FeedbackLevel::Detailed, "{level:?}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let once = || pdf(&sample::report(3, FeedbackLevel::Standard), &sample::pages(3)).unwrap();
    assert_eq!(once(), once());
}

#[test]
fn the_file_is_tagged_and_named() {
    let bytes = pdf(&sample::report(2, FeedbackLevel::Standard), &sample::pages(2)).unwrap();
    let holds = |wanted: &str| bytes.windows(wanted.len()).any(|window| window == wanted.as_bytes());
    for wanted in
        ["/StructTreeRoot", "/MarkInfo", "/Lang", "/DisplayDocTitle true", "pdfuaid:part", "/Outlines"]
    {
        assert!(holds(wanted), "{wanted}");
    }
    assert_eq!(page_count(bytes), 5);
}

#[test]
fn a_picture_that_is_none_leaves_its_place_to_the_words() {
    let report = sample::report(2, FeedbackLevel::Standard);
    let [mut first, mut second] = <[PagePicture; 2]>::try_from(sample::pages(2)).unwrap();
    first.picture = b"no picture at all".to_vec();
    // The head of a PNG without its body shows its damage late.
    second.picture =
        [b"\x89PNG\r\n\x1a\n".as_slice(), b"\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\0\0\0\0\xaa\xbb\xcc\xdd"]
            .concat();
    assert_eq!(page_count(pdf(&report, &[first, second]).unwrap()), 5);
}

#[test]
fn odd_pages_do_no_harm() {
    let report = sample::report(1, FeedbackLevel::Standard);
    for (width_pt, height_pt) in
        [(0.0, 0.0), (f32::NAN, 842.0), (1e30, 1.0), (842.0, 595.0), (-5.0, f32::INFINITY)]
    {
        let page = PagePicture { width_pt, height_pt, ..page_of("word") };
        assert!(pdf(&report, &[page]).is_ok(), "{width_pt} {height_pt}");
    }
    for odd in [f64::NAN, f64::INFINITY, -7.0, 1e9] {
        let frame = Frame { x: odd, y: odd, width: odd, height: odd };
        let words = vec![PageWord { text: "far".into(), frame }, PageWord { text: String::new(), frame }];
        let mut report = report_of("an answer", 2);
        for part in report.result.questions.iter_mut().flat_map(|question| &mut question.parts) {
            part.places[0].frame = frame;
            part.points[0].evidence[0].place.frame = frame;
        }
        assert!(pdf(&report, &[PagePicture { words, ..page_of("") }]).is_ok(), "{odd}");
    }
}

#[test]
fn a_hundred_answers_on_one_page_find_their_place() {
    for questions in [10, 25, 60] {
        assert!(pdf(&report_of("The right option was chosen.", questions), &[page_of("word")]).is_ok());
    }
}

#[test]
fn any_script_of_the_world_is_shown_or_boxed() {
    for text in [
        "الخلية هي وحدة الحياة 42 cells",
        "植物通过光合作用制造养分",
        "мембрана клетки",
        "עברית",
        "e = mc² ≤ 3 × 10⁸ → ✓",
        "👩‍🔬🧪",
        "क्षत्रिय",
    ] {
        assert!(pdf(&report_of(text, 2), &[page_of(text)]).is_ok(), "{text}");
        assert!(html(&report_of(text, 2)).contains(text), "{text}");
    }
}

#[test]
fn long_names_long_feedback_and_many_questions_flow_over_pages() {
    let name = "Maximiliana Theodora Wilhelmina ".repeat(8);
    assert!(pdf(&report_of(&name, 3), &[page_of("word")]).is_ok());
    let long = "The answer names the process but not where in the cell it happens. ".repeat(60);
    let pages = page_count(pdf(&report_of(&long, 3), &[page_of("word")]).unwrap());
    assert!(pages > 8, "{pages}");
    assert!(pdf(&report_of(&"W".repeat(4000), 1), &[]).is_ok());
    let many = report_of("an answer", 30);
    assert!(page_count(pdf(&many, &[page_of("word")]).unwrap()) > 6);
}

#[test]
fn twenty_pages_are_twenty_sheets() {
    let report = sample::report(20, FeedbackLevel::Detailed);
    let pages = page_count(pdf(&report, &sample::pages(20)).unwrap());
    assert!(pages > 22, "{pages}");
}

#[test]
fn nothing_to_say_is_still_a_report() {
    let mut report = sample::report(1, FeedbackLevel::None);
    report.result = Result::default();
    assert!(html(&report).contains("of 0 marks"));
    assert!(page_count(pdf(&report, &[]).unwrap()) >= 1);
    report.sections.clear();
    assert!(pdf(&report, &[]).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_text_stops_a_report(text in "\\PC{0,40}", wild in prop::collection::vec(any::<char>(), 0..20)) {
        let text: String = text.chars().chain(wild).collect();
        let written = pdf(&report_of(&text, 1), &[page_of(&text)]);
        prop_assert!(written.is_ok(), "{text:?}: {written:?}");
        let turns = html(&report_of(&text, 1)).chars().any(|one| one != '\n' && domain::text::is_forbidden(one));
        prop_assert!(!turns);
    }
}
