//! Small real PDFs, written by hand: lines of text on A4 pages.

use std::fmt::Write as _;

/// A line of text: where it begins, in points from the top left corner, and what it says.
pub type Line<'l> = (f32, f32, &'l str);

/// A PDF whose pages hold these lines in 11 point Helvetica.
pub fn of_lines(pages: &[Vec<Line<'_>>]) -> Vec<u8> {
    of_contents(&pages.iter().map(|lines| content(lines)).collect::<Vec<_>>())
}

/// A PDF whose pages hold these drawings.
fn of_contents(pages: &[String]) -> Vec<u8> {
    let mut objects = vec![String::new(), String::new()];
    objects
        .push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned());
    let mut kids = String::new();
    for content in pages {
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
        let stream = objects.len();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {stream} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>"
        ));
        let _ = write!(kids, "{} 0 R ", objects.len());
    }
    objects[0] = "<< /Type /Catalog /Pages 2 0 R >>".to_owned();
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    of_objects(&objects)
}

/// A page of a stack that is scanned for a class.
#[derive(Clone, Copy, Debug)]
pub enum Sheet<'s> {
    /// A large QR code.
    Code(&'s str),
    /// Lines one under the other, as [`of_text`] sets them.
    Text(&'s str),
    /// Nothing.
    Blank,
}

/// A PDF of these sheets.
pub fn of_sheets(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let drawn = |sheet: &Sheet<'_>| match sheet {
        Sheet::Code(code) => modules(code),
        Sheet::Text(text) => content(&placed(text)),
        Sheet::Blank => String::new(),
    };
    of_contents(&sheets.iter().map(drawn).collect::<Vec<_>>())
}

/// A code in the middle of a page, three millimetres a module.
fn modules(code: &str) -> String {
    const SIDE: usize = 8;
    let code = qrcode::QrCode::new(code).expect("the text fits into a code");
    let width = code.width();
    let mut content = String::new();
    for (place, color) in code.to_colors().into_iter().enumerate() {
        if color == qrcode::Color::Dark {
            let (x, y) = (100 + SIDE * (place % width), 700 - SIDE * (place / width));
            let _ = writeln!(content, "{x} {y} {SIDE} {SIDE} re f");
        }
    }
    content
}

/// A PDF of one page with one line under the other, from the top. A number at the beginning stands in the
/// left margin, and what follows a vertical bar in the right one.
pub fn of_text(text: &str) -> Vec<u8> {
    of_lines(&[placed(text)])
}

/// Lines one under the other.
fn placed(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for (line, row) in text.lines().zip(1_u8..) {
        let y = 40.0 + 20.0 * f32::from(row);
        let (left, right) = line.split_once('|').unwrap_or((line, ""));
        let label = left.split_whitespace().next().filter(|word| word.parse::<u8>().is_ok()).unwrap_or("");
        lines.push((60.0, y, label));
        lines.push((90.0, y, left[label.len()..].trim()));
        if !right.is_empty() {
            lines.push((510.0, y, right));
        }
    }
    lines
}

/// A PDF of pages that share one stream of so many words, no two alike, in type too small to be read: little to
/// send and much to unfold.
pub fn crowded(pages: usize, words: usize) -> Vec<u8> {
    let mut content = String::from("BT /F1 1 Tf 0.8 TL 20 820 Td\n");
    let names: Vec<String> = (0..words).map(|number| format!("w{number:x}")).collect();
    for line in names.chunks(100) {
        let _ = writeln!(content, "({}) Tj T*", line.join(" "));
    }
    content.push_str("ET\n");
    let kids: String = (5..5 + pages).map(|number| format!("{number} 0 R ")).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{content}endstream", content.len()),
    ];
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
                /Resources << /Font << /F1 3 0 R >> >> >>";
    objects.resize(4 + pages, page.to_owned());
    of_objects(&objects)
}

fn content(lines: &[Line<'_>]) -> String {
    let mut content = String::from("BT /F1 11 Tf\n");
    for (x, y, text) in lines {
        let text = text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(content, "1 0 0 1 {x} {} Tm ({text}) Tj", 842.0 - y);
    }
    content.push_str("ET\n");
    content
}

/// A PDF of these objects, the first of which is the catalogue.
pub fn of_objects(objects: &[String]) -> Vec<u8> {
    let mut file = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let xref = file.len();
    let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(file, "{offset:010} 00000 n ");
    }
    let size = objects.len() + 1;
    let _ = write!(file, "trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n");
    file.into_bytes()
}
