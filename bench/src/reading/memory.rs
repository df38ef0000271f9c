//! Files of 100 MiB, made here, and the memory that the child needs at most to read and draw them.

use anyhow::Context as _;
use reader::Pixels;
use reader::isolate::{Drawing, Failure, Isolation, Limits, Recognition, Session};
use reader::ocr::Weights;

use crate::cpu;
use crate::table::{Row, Target};

/// What the service takes at most.
const FILE_BYTES: usize = 100 << 20;
/// Pages of the file with many pictures.
const PAGES: usize = 40;
const TARGET_MB: f64 = 400.0;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let many = pdf(PAGES, side(FILE_BYTES / PAGES, 3));
    rows.push(row("PDF of 40 pages with a picture each", &many)?);
    drop(many);
    rows.push(row("PDF of one page with one picture", &pdf(1, side(FILE_BYTES, 3)))?);
    // As many pixels as the sharpest phones have would take two files of this size, so the JPEG is padded.
    let side = side(FILE_BYTES, 3);
    let picture = reader::image::from_pixels(grain(side, side)).context("a picture of its own size")?;
    rows.push(row("PNG", &reader::image::to_png(&picture)?)?);
    let mut jpeg = reader::image::to_jpeg(&picture)?;
    jpeg.resize(FILE_BYTES.max(jpeg.len()), 0);
    rows.push(row("JPEG", &jpeg)?);
    Ok(rows)
}

/// The side of a square picture that takes so many bytes.
fn side(bytes: usize, bytes_a_pixel: usize) -> u32 {
    ((bytes / bytes_a_pixel) as f64).sqrt() as u32
}

/// Reads a file in one child and draws it in another, as the service does, and asks the kernel what each took
/// at most.
fn row(what: &str, file: &[u8]) -> anyhow::Result<Row> {
    let reader = Isolation::new(Limits::default(), Weights::Embedded);
    let read = in_child(&reader, file, |session| {
        for number in 1..=session.inspection().pages {
            session.read_page(number, Recognition::WhenNeeded)?;
        }
        Ok(())
    })?;
    let drawing = Drawing { page: 1, width: 1200, corners: None, lossless: false };
    let drawn = in_child(&reader, file, |session| session.draw(&drawing).map(drop))?;
    let peak = read.max(drawn);
    Ok(Row {
        what: format!("reading and drawing a {what} of {} MiB", file.len() >> 20),
        measured: format!("{read:.0} and {drawn:.0} MB"),
        baseline: String::new(),
        value: peak,
        target: Some(Target::AtMost(TARGET_MB)),
        note: "peak of each child".to_owned(),
    })
}

/// The most memory that a child took for its task.
fn in_child(
    reader: &Isolation,
    file: &[u8],
    task: impl FnOnce(&mut Session) -> Result<(), Failure>,
) -> anyhow::Result<f64> {
    let mut session = reader.open(file)?;
    task(&mut session)?;
    // The nursery, and what was forked from it.
    let child = cpu::descendants(std::process::id())?.pop().context("the child is still there")?;
    cpu::most_memory_mb(child)
}

/// Grey paper with a grain.
fn grain(width: u32, height: u32) -> Pixels {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        0xC0 | (state >> 56) as u8 & 0x3F
    };
    let rgb = (0..u64::from(width) * u64::from(height) * 3).map(|_| next()).collect();
    Pixels { width, height, rgb }
}

/// A PDF whose pages have a line of text above a picture that is not compressed.
fn pdf(pages: usize, side: u32) -> Vec<u8> {
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let picture = grain(side, side).rgb;
    let mut objects: Vec<Vec<u8>> = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{}]/Count {pages}>>", kids.join(" ")).into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    let first_picture = 4 + 2 * pages;
    for page in 0..pages {
        let text = format!("BT /F 14 Tf 60 780 Td ({} State the law of Hooke. [2]) Tj ET", page + 1);
        let content = format!("{text} q 480 0 0 480 60 200 cm /I Do Q");
        objects.push(
            format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R\
                 /Resources<</Font<</F 3 0 R>>/XObject<</I {} 0 R>>>>>>",
                5 + 2 * page,
                first_picture + page
            )
            .into_bytes(),
        );
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()).into_bytes());
    }
    for _ in 0..pages {
        let head = format!(
            "<</Type/XObject/Subtype/Image/Width {side}/Height {side}/BitsPerComponent 8/ColorSpace/DeviceRGB\
             /Length {}>>stream\n",
            picture.len()
        );
        objects.push([head.as_bytes(), &picture, b"\nendstream"].concat());
    }
    joined(objects)
}

/// The objects one after the other, with the table that tells where each stands.
fn joined(objects: Vec<Vec<u8>>) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    let count = objects.len() + 1;
    for (index, object) in objects.into_iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        file.extend_from_slice(&object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    file.extend_from_slice(table.as_bytes());
    file.extend_from_slice(
        format!("trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").as_bytes(),
    );
    file
}
