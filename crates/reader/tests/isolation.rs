//! Hostile documents harm nothing but the child that reads them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod drawing;
mod mutation;

use drawing::{paper, write};
use image::RgbImage;
use libtest_mimic::{Arguments, Failed, Trial};
use mutation::mutated;
use reader::Error;
use reader::image::{to_jpeg, to_png};
use reader::isolate::{Drawing, Failure, Isolation, Limits, ReadOptions, Recognition, run_if_child};
use reader::ocr::Weights;
use std::time::Duration;

fn main() {
    run_if_child();
    let tests: [(&str, fn()); 7] = [
        (
            "a_picture_is_read_drawn_and_inspected_by_a_child",
            a_picture_is_read_drawn_and_inspected_by_a_child,
        ),
        ("a_file_is_read_by_the_child_itself", a_file_is_read_by_the_child_itself),
        ("a_child_shuts_itself_off", a_child_shuts_itself_off),
        ("a_late_child_is_killed", a_late_child_is_killed),
        ("a_child_without_memory_is_reported", a_child_without_memory_is_reported),
        ("a_refused_document_is_the_documents_fault", a_refused_document_is_the_documents_fault),
        ("mutated_documents_are_read_or_refused", mutated_documents_are_read_or_refused),
    ];
    let trials = tests.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit();
}

fn isolation(limits: Limits) -> Isolation {
    Isolation::new(limits, Weights::Embedded)
}

fn small_page() -> RgbImage {
    let mut page = paper(320, 120);
    write(&mut page, "Water boils", 20.0, 70.0, 40.0);
    page
}

/// A page with one line of text, complete but for what every viewer can rebuild.
fn small_pdf() -> Vec<u8> {
    let content = "BT /F1 18 Tf 72 700 Td (1 State the law of Hooke. [2]) Tj ET 72 690 300 1 re f";
    format!(
        "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
         2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
         3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R\
         /Resources<</Font<</F1 5 0 R>>>>>> endobj\n\
         4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n\
         5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n\
         trailer <</Root 1 0 R/Size 6>>\n%%EOF\n",
        content.len()
    )
    .into_bytes()
}

fn a_picture_is_read_drawn_and_inspected_by_a_child() {
    let reader = isolation(Limits::default());
    let png = to_png(&small_page()).unwrap();
    let document = reader.read(&png, &ReadOptions::default()).unwrap();
    let words: Vec<&str> = document.pages[0].words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words, ["Water", "boils"]);
    let mut session = reader.open(&small_pdf()).unwrap();
    assert_eq!(session.inspection().pages, 1);
    let page = session.read_page(1, Recognition::Never).unwrap();
    assert!(page.words.iter().any(|word| word.text == "Hooke."));
    let drawn = session.draw(&Drawing { page: 1, width: 300, corners: None, lossless: true }).unwrap();
    let drawn = image::load_from_memory(&drawn).unwrap();
    assert!(drawn.width() == 300 && drawn.height().abs_diff(424) <= 1);
}

fn a_file_is_read_by_the_child_itself() {
    let reader = isolation(Limits::default());
    let path = std::env::temp_dir().join(format!("reader-isolation-{}.pdf", std::process::id()));
    std::fs::write(&path, small_pdf()).unwrap();
    let document = reader.read(&*path, &ReadOptions::default());
    let in_process = Isolation::in_process(Limits::default(), Weights::default());
    let same = in_process.read(&*path, &ReadOptions::default());
    std::fs::remove_file(&path).unwrap();
    let document = document.unwrap();
    assert!(document.pages[0].words.iter().any(|word| word.text == "Hooke."));
    assert_eq!(document, same.unwrap());
    let outcome = reader.inspect(&*path);
    assert!(matches!(outcome, Err(Failure::Unavailable(_))), "a missing file is nobody's fault: {outcome:?}");
}

fn a_child_shuts_itself_off() {
    let session = isolation(Limits::default()).open(&small_pdf()).unwrap();
    if cfg!(target_os = "linux") {
        assert!(session.confinement().system_calls, "{:?}", session.confinement());
    }
}

fn a_late_child_is_killed() {
    let reader = isolation(Limits { wall: Duration::from_millis(1), ..Limits::default() });
    let outcome = reader.read(&to_png(&small_page()).unwrap(), &ReadOptions::default());
    assert!(matches!(outcome, Err(Failure::TimedOut)), "{outcome:?}");
}

fn a_child_without_memory_is_reported() {
    let reader = isolation(Limits { memory_bytes: 1 << 20, ..Limits::default() });
    let outcome = reader.read(&to_png(&paper(3000, 3000)).unwrap(), &ReadOptions::default());
    assert!(matches!(outcome, Err(Failure::TooMuchMemory)), "{outcome:?}");
}

fn a_refused_document_is_the_documents_fault() {
    let reader = isolation(Limits::default());
    let outcome = reader.inspect(b"not a document");
    assert!(matches!(outcome, Err(Failure::Document(Error::UnsupportedType))), "{outcome:?}");
    let outcome = reader.inspect(b"%PDF-1.7 and nothing else");
    assert!(matches!(outcome, Err(Failure::Document(Error::Unreadable))), "{outcome:?}");
}

/// A few hundred damaged files; `cargo run -p reader --example mutations` does thousands.
fn mutated_documents_are_read_or_refused() {
    let limits =
        Limits { wall: Duration::from_secs(60), processor: Duration::from_secs(5), ..Limits::default() };
    let reader = isolation(limits);
    let seeds = [small_pdf(), to_png(&small_page()).unwrap(), to_jpeg(&small_page()).unwrap()];
    for round in 0..210u64 {
        let document = mutated(&seeds[(round % 3) as usize], round);
        let Ok(mut session) = reader.open(&document) else { continue };
        let read = session.read_page(1, Recognition::Never);
        assert!(!matches!(read, Err(Failure::Unavailable(_))), "round {round}: {read:?}");
        let drawn = session.draw(&Drawing { page: 1, width: 200, corners: None, lossless: false });
        assert!(!matches!(drawn, Err(Failure::Unavailable(_))), "round {round}: {drawn:?}");
    }
}
