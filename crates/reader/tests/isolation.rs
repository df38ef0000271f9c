//! Hostile documents harm nothing but the child that reads them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod drawing;
mod mutation;

use drawing::{paper, write};
use image::RgbImage;
use libtest_mimic::{Arguments, Failed, Trial};
use mutation::mutated;
use reader::Error;
use reader::bounds::{DOCUMENT_WORDS_MAX, PAGE_WORDS_MAX};
use reader::image::{to_jpeg, to_png};
use reader::isolate::{
    Cutting, Drawing, Failure, Isolation, Limits, ReadOptions, Recognition, Stop, run_if_child,
};
use reader::ocr::Weights;
use reader::page::Rect;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    run_if_child();
    let tests: [(&str, fn()); 11] = [
        (
            "a_picture_is_read_drawn_and_inspected_by_a_child",
            a_picture_is_read_drawn_and_inspected_by_a_child,
        ),
        ("a_file_is_read_by_the_child_itself", a_file_is_read_by_the_child_itself),
        ("a_child_shuts_itself_off", a_child_shuts_itself_off),
        ("a_late_child_is_killed", a_late_child_is_killed),
        ("a_child_without_memory_is_reported", a_child_without_memory_is_reported),
        ("a_child_ends_with_its_session", a_child_ends_with_its_session),
        ("a_nursery_that_dies_is_replaced", a_nursery_that_dies_is_replaced),
        ("a_refused_document_is_the_documents_fault", a_refused_document_is_the_documents_fault),
        ("a_child_ends_when_its_work_is_stopped", a_child_ends_when_its_work_is_stopped),
        ("a_crowded_document_is_refused", a_crowded_document_is_refused),
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
    let place = |x0, y0, x1, y1| Rect { x0, y0, x1, y1 };
    let drawing = Drawing { page: 1, width: 300, corners: None, lossless: true };
    let covered = vec![place(0.0, 0.0, 0.4, 0.4)];
    let cut = session.cut(&Cutting { drawing, part: place(0.2, 0.1, 0.5, 2.0), covered }).unwrap();
    let cut = image::load_from_memory(&cut).unwrap().into_rgb8();
    assert!(cut.width() == 90 && cut.height().abs_diff(382) <= 1, "what lies below the page is left off");
    assert!(cut.get_pixel(59, 100).0 == [0; 3] && cut.get_pixel(61, 100).0 == [255; 3]);
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
    let confinement = isolation(Limits::default()).confinement().unwrap();
    let demanding = isolation(Limits { require_confinement: true, ..Limits::default() });
    if cfg!(target_os = "linux") {
        assert!(confinement.holds(), "{confinement:?}");
        assert_eq!(demanding.inspect(&small_pdf()).unwrap().pages, 1);
    } else {
        assert!(matches!(demanding.inspect(&small_pdf()), Err(Failure::Unavailable(_))));
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

/// The processes that were started from a program of this name, by what they are called.
fn processes_of(program: &Path, name: &str) -> Vec<u32> {
    let begins_so = |process: &u32| {
        let told = |file: &str| std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
        told("cmdline").starts_with(program.as_os_str().as_encoded_bytes())
            && told("comm").trim_ascii_end() == name.as_bytes()
    };
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(begins_so).collect()
}

/// This program under a name of its own, so that its processes can be told from those of other tests.
fn own_program(name: &str) -> (tempfile::TempDir, Isolation, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::os::unix::fs::symlink(std::env::current_exe().unwrap(), &path).unwrap();
    let isolation = Isolation::with_program(path.clone(), Limits::default(), Weights::Embedded);
    (folder, isolation, path)
}

fn eventually(is_so: impl Fn() -> bool) -> bool {
    (0..500).any(|_| {
        is_so() || {
            std::thread::sleep(Duration::from_millis(10));
            false
        }
    })
}

fn a_child_ends_with_its_session() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_folder, reader, program) = own_program("short-lived");
    let first = reader.open(&small_pdf()).unwrap();
    let second = reader.open(&small_pdf()).unwrap();
    let children = || processes_of(&program, "reader").len();
    let nurseries = || processes_of(&program, "reader-nursery").len();
    assert_eq!((nurseries(), children()), (1, 2));
    drop(first);
    assert!(eventually(|| children() == 1));
    drop(second);
    assert!(eventually(|| children() == 0));
    drop(reader);
    assert!(eventually(|| nurseries() == 0));
}

fn a_child_ends_when_its_work_is_stopped() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_folder, reader, program) = own_program("unwanted");
    let stop = Stop::default();
    let stopped = reader.until(stop.clone());
    // Far more than can be read before it is stopped.
    let document = crowded(200, 900);
    let options = ReadOptions { recognition: Recognition::Always, ..ReadOptions::default() };
    let reading = std::thread::spawn(move || stopped.read(&document, &options));
    let children = || processes_of(&program, "reader").len();
    assert!(eventually(|| children() == 1));
    stop.stop();
    let outcome = reading.join().unwrap();
    assert!(matches!(outcome, Err(Failure::Stopped)), "{outcome:?}");
    assert!(eventually(|| children() == 0));
    let later = reader.until(stop).inspect(&small_pdf());
    assert!(matches!(later, Err(Failure::Stopped)), "{later:?}");
    assert_eq!(reader.inspect(&small_pdf()).unwrap().pages, 1, "others go on");
}

fn a_nursery_that_dies_is_replaced() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_folder, reader, program) = own_program("mortal");
    let mut session = reader.open(&small_pdf()).unwrap();
    let [nursery] = processes_of(&program, "reader-nursery")[..] else { panic!("there is one nursery") };
    let killed = std::process::Command::new("kill").args(["-9", &nursery.to_string()]).status().unwrap();
    assert!(killed.success());
    // Its child dies with it, which is not the document's fault.
    assert!(eventually(|| processes_of(&program, "reader").is_empty()));
    let outcome = session.read_page(1, Recognition::Never);
    assert!(matches!(outcome, Err(Failure::Unavailable(_))), "{outcome:?}");
    assert_eq!(reader.inspect(&small_pdf()).unwrap().pages, 1);
    // Nor is it when somebody else ends a child.
    let mut session = reader.open(&small_pdf()).unwrap();
    let [child] = processes_of(&program, "reader")[..] else { panic!("there is one child") };
    let told = std::process::Command::new("kill").arg(child.to_string()).status().unwrap();
    assert!(told.success());
    let outcome = session.read_page(1, Recognition::Never);
    assert!(matches!(outcome, Err(Failure::Unavailable(_))), "{outcome:?}");
}

fn a_refused_document_is_the_documents_fault() {
    let reader = isolation(Limits::default());
    let outcome = reader.inspect(b"not a document");
    assert!(matches!(outcome, Err(Failure::Document(Error::UnsupportedType))), "{outcome:?}");
    let outcome = reader.inspect(b"%PDF-1.7 and nothing else");
    assert!(matches!(outcome, Err(Failure::Document(Error::Unreadable))), "{outcome:?}");
}

/// A document whose pages share one stream of so many words.
fn crowded(pages: usize, words: usize) -> Vec<u8> {
    let line = "(".to_owned() + &"w ".repeat(100) + ") Tj T*\n";
    let content = format!("BT /F1 1 Tf 0.8 TL 20 820 Td\n{}ET", line.repeat(words / 100));
    let page = |number: usize| {
        format!(
            "{number} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R\
             /Resources<</Font<</F1 3 0 R>>>>>> endobj\n"
        )
    };
    let kids: String = (5..5 + pages).map(|number| format!("{number} 0 R ")).collect();
    format!(
        "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
         2 0 obj <</Type/Pages/Kids[{kids}]/Count {pages}>> endobj\n\
         3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n\
         4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n{}\
         trailer <</Root 1 0 R/Size {}>>\n%%EOF\n",
        content.len(),
        (5..5 + pages).map(page).collect::<String>(),
        5 + pages
    )
    .into_bytes()
}

fn a_crowded_document_is_refused() {
    let options = ReadOptions { recognition: Recognition::Never, ..ReadOptions::default() };
    let here = Isolation::in_process(Limits::default(), Weights::default());
    for reader in [isolation(Limits::default()), here] {
        let read = reader.read(&crowded(2, PAGE_WORDS_MAX), &options).unwrap();
        assert_eq!(read.pages[1].words.len(), PAGE_WORDS_MAX, "a full page is read");
        let pages = DOCUMENT_WORDS_MAX / PAGE_WORDS_MAX + 1;
        for document in
            [crowded(1, PAGE_WORDS_MAX + 100), crowded(20, 100_000), crowded(pages, PAGE_WORDS_MAX)]
        {
            let outcome = reader.read(&document, &options);
            assert!(matches!(outcome, Err(Failure::Document(Error::TooMuchContent))), "{outcome:?}");
        }
    }
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
