//! PDF files from end to end: words, lines, tables, pictures, drawing and damage.

mod sheet;

use proptest::prelude::*;
use reader::page::{Document, Page, Source};
use reader::{Error, Format, Options, Pixels, Recognise};
use sheet::Sheet;
use std::cell::Cell;

fn read(sheet: &Sheet) -> Document {
    reader::pages(&sheet.finish(), &Options::default()).expect("the sheet is a PDF")
}

fn texts(page: &Page) -> Vec<String> {
    let lines = reader::lines::lines(page);
    let text = |words: &[reader::page::Word]| {
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    lines.into_iter().map(|line| text(&page.words[line.words])).collect()
}

#[test]
fn words_have_their_place_and_face() {
    let mut sheet = Sheet::new();
    sheet.bold(50.0, 100.0, "Heading").text(50.0, 120.0, "Plain text [3]").rule(50.0, 122.0, 76.0, 122.0);
    let page = &read(&sheet).pages[0];
    assert_eq!(texts(page), ["Heading", "Plain text [3]"]);
    let plain = &page.words[1];
    assert!((plain.place.x0 - 50.0).abs() < 1.0 && (plain.baseline - 120.0).abs() < 0.5, "{plain:?}");
    assert!((plain.size - 11.0).abs() < 0.1);
    assert!(plain.underlined && !page.words[2].underlined);
    assert_eq!(page.source, Source::TextLayer);
}

#[test]
fn a_line_set_in_pieces_and_out_of_order_reads_from_left_to_right() {
    let mut sheet = Sheet::new();
    sheet
        .text(500.0, 100.0, "[4]")
        .text(50.0, 100.0, "(b)")
        .text(80.0, 100.5, "Explain why.")
        .text(50.0, 80.0, "1");
    assert_eq!(texts(&read(&sheet).pages[0]), ["1", "(b) Explain why. [4]"]);
}

#[test]
fn text_drawn_twice_is_read_once() {
    let mut sheet = Sheet::new();
    sheet.text(50.0, 100.0, "shadow").text(50.4, 100.0, "shadow");
    // Filled and stroked text arrives as two runs.
    sheet.draw("BT 2 Tr /F1 11 Tf 50 600 Td (outline) Tj ET");
    assert_eq!(texts(&read(&sheet).pages[0]), ["shadow", "outline"]);
}

#[test]
fn dotted_answer_lines_are_rulings() {
    let mut sheet = Sheet::new();
    sheet.lines(
        100.0,
        &[(50.0, "Answer ..................................... kg"), (50.0, ". . . . . . . . . . . .")],
    );
    let page = &read(&sheet).pages[0];
    assert_eq!(texts(page), ["Answer kg"]);
    assert_eq!(page.rulings.len(), 2);
}

#[test]
fn a_page_set_sideways_is_turned_upright() {
    let mut sheet = Sheet::new();
    for line in 0..6 {
        let x = 100 + 20 * line;
        sheet.draw(&format!("BT /F1 11 Tf 0 1 -1 0 {x} 100 Tm (Sideways text of line {line}) Tj ET"));
    }
    let page = &read(&sheet).pages[0];
    assert!(page.width > page.height);
    assert_eq!(texts(page)[0], "Sideways text of line 0");
    assert!(page.words.iter().all(|word| !word.turned));
}

#[test]
fn a_ruled_table_has_cells() {
    let mut sheet = Sheet::new();
    sheet.grid(&[50.0, 150.0, 300.0], &[100.0, 120.0, 140.0]);
    sheet
        .text(55.0, 114.0, "Gas")
        .text(155.0, 114.0, "Use")
        .text(55.0, 134.0, "argon")
        .text(155.0, 134.0, "lamps");
    let page = &read(&sheet).pages[0];
    let tables = reader::tables::tables(page);
    assert_eq!(tables.len(), 1);
    let cells: Vec<&str> =
        tables[0].cells.iter().map(|cell| page.words[cell.words[0]].text.as_str()).collect();
    assert_eq!(cells, ["Gas", "Use", "argon", "lamps"]);
}

/// Answers every picture with an empty page and counts them.
#[derive(Default)]
struct Counting(Cell<u32>);

impl Recognise for Counting {
    fn drawn_page(&self, pixels: &Pixels, size: (f32, f32)) -> Result<Page, Error> {
        assert_eq!(pixels.rgb.len(), (pixels.width * pixels.height * 3) as usize);
        self.0.set(self.0.get() + 1);
        Ok(Page { width: size.0, height: size.1, source: Source::Recognised, ..Page::default() })
    }

    fn picture_file(&self, _: &[u8], format: Format) -> Result<Page, Error> {
        assert_eq!(format, Format::Png);
        self.0.set(self.0.get() + 1);
        Ok(Page::default())
    }
}

#[test]
fn scans_and_pictures_go_to_the_recogniser_and_text_does_not() {
    let mut sheet = Sheet::new();
    sheet.text(50.0, 100.0, "A page with words of its own");
    sheet.page().draw("q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u{40} EI Q");
    let counting = Counting::default();
    let options = Options { recogniser: Some(&counting), ..Options::default() };
    let document = reader::pages(&sheet.finish(), &options).unwrap();
    assert_eq!(counting.0.get(), 1);
    assert_eq!(document.pages[1].source, Source::Recognised);
    assert_eq!(document.pages[1].number, 2);
    reader::pages(b"\x89PNG\r\n\x1a\n", &options).unwrap();
    assert_eq!(counting.0.get(), 2);
}

#[test]
fn a_page_is_drawn_in_black_on_white() {
    let mut sheet = Sheet::new();
    sheet.text(50.0, 100.0, "ink");
    let pixels = reader::pdf::render(&sheet.finish(), 0, 72.0).unwrap();
    assert_eq!((pixels.width, pixels.height), (595, 842));
    assert_eq!(&pixels.rgb[..3], [255, 255, 255]);
    assert!(pixels.rgb.iter().any(|channel| *channel < 100));
    assert_eq!(reader::pdf::render(&sheet.finish(), 9, 72.0), Ok(Pixels::default()));
}

#[test]
fn too_many_pages_are_refused_before_they_are_read() {
    let mut sheet = Sheet::new();
    sheet.page().page();
    let options = Options { max_pages: 2, ..Options::default() };
    assert_eq!(reader::pages(&sheet.finish(), &options), Err(Error::TooManyPages { pages: 3, limit: 2 }));
    assert_eq!(reader::page_count(&sheet.finish()), Ok(3));
}

#[test]
fn a_lost_cross_reference_table_is_found_again() {
    let mut sheet = Sheet::new();
    sheet.text(50.0, 100.0, "still readable");
    let file = sheet.finish();
    let table = file.windows(5).rposition(|window| window == b"xref\n").unwrap();
    let document = reader::pages(&file[..table], &Options::default()).unwrap();
    assert_eq!(texts(&document.pages[0]), ["still readable"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_read_or_refused(cut in 0..2000usize, changes in prop::collection::vec((0..2000usize, any::<u8>()), 0..12)) {
        let mut sheet = Sheet::new();
        sheet.text(50.0, 100.0, "1   Name a gas.").grid(&[50.0, 90.0, 200.0], &[120.0, 160.0]);
        let mut file = sheet.finish();
        for (at, byte) in changes {
            let at = at % file.len();
            file[at] = byte;
        }
        file.truncate(file.len().saturating_sub(cut % 700));
        if let Ok(document) = reader::pages(&file, &Options::default()) {
            prop_assert!(!document.pages.is_empty());
        }
    }
}

#[test]
fn a_file_that_is_locked_with_an_empty_password_is_read() {
    let files: [&[u8]; 3] = [
        include_bytes!("locked/empty-rc4.pdf"),
        include_bytes!("locked/empty-aes128.pdf"),
        include_bytes!("locked/empty-aes256.pdf"),
    ];
    for file in files {
        let document = reader::pages(file, &Options::default()).expect("the password is empty");
        assert_eq!(texts(&document.pages[0]), ["1 Name a noble gas. [1]"]);
    }
}

#[test]
fn a_file_that_needs_a_password_is_refused_as_such() {
    let file = include_bytes!("locked/password.pdf");
    assert_eq!(reader::pages(file, &Options::default()), Err(Error::PasswordProtected));
    assert_eq!(reader::page_count(file), Err(Error::PasswordProtected));
}
