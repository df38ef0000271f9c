//! Writes small PDF files for tests: text in Helvetica, lines, and nothing else.

use std::fmt::Write;

/// A document that grows page by page.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pages: Vec<String>,
}

/// A4 in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;

impl Sheet {
    /// A document with one empty page.
    pub(crate) fn new() -> Sheet {
        Sheet { pages: vec![String::new()] }
    }

    /// Begins another page.
    pub(crate) fn page(&mut self) -> &mut Sheet {
        self.pages.push(String::new());
        self
    }

    /// Sets text with its baseline `y` points below the top of the page.
    pub(crate) fn text(&mut self, x: f32, y: f32, text: &str) -> &mut Sheet {
        self.sized(x, y, 11.0, false, text)
    }

    /// The same in bold.
    pub(crate) fn bold(&mut self, x: f32, y: f32, text: &str) -> &mut Sheet {
        self.sized(x, y, 11.0, true, text)
    }

    /// Several lines, 16 points apart, each at its own indent.
    pub(crate) fn lines(&mut self, y: f32, lines: &[(f32, &str)]) -> &mut Sheet {
        for (index, (x, text)) in lines.iter().enumerate() {
            self.text(*x, y + 16.0 * index as f32, text);
        }
        self
    }

    /// Draws a thin line.
    pub(crate) fn rule(&mut self, x0: f32, y0: f32, x1: f32, y1: f32) -> &mut Sheet {
        self.draw(&format!("0.5 w {x0} {} m {x1} {} l S", HEIGHT - y0, HEIGHT - y1))
    }

    /// Adds drawing operators as they are.
    pub(crate) fn draw(&mut self, operators: &str) -> &mut Sheet {
        let page = self.pages.last_mut().expect("a sheet has a page from the start");
        page.push_str(operators);
        page.push('\n');
        self
    }

    /// Draws a grid with lines at these places.
    pub(crate) fn grid(&mut self, xs: &[f32], ys: &[f32]) -> &mut Sheet {
        let (left, right) = (xs[0], xs[xs.len() - 1]);
        let (top, bottom) = (ys[0], ys[ys.len() - 1]);
        for x in xs {
            self.rule(*x, top, *x, bottom);
        }
        for y in ys {
            self.rule(left, *y, right, *y);
        }
        self
    }

    /// Sets text in the face and size that are asked for.
    pub(crate) fn sized(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) -> &mut Sheet {
        let font = if bold { "F2" } else { "F1" };
        // A tick stands in a font of its own, where it is the digit three.
        let encoded: String = text.chars().map(encode).collect();
        let encoded = encoded.replace('✓', &format!(") Tj /F3 {size} Tf (3) Tj /{font} {size} Tf ("));
        self.draw(&format!("BT /{font} {size} Tf {x} {} Td ({encoded}) Tj ET", HEIGHT - y))
    }

    /// The file.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
        let kids: Vec<String> = (0..self.pages.len()).map(|index| format!("{} 0 R", 6 + 2 * index)).collect();
        objects.push(format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len()));
        for font in ["Helvetica", "Helvetica-Bold"] {
            objects.push(format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>"
            ));
        }
        objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>".to_owned());
        for (index, content) in self.pages.iter().enumerate() {
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {} 0 R \
                 /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >> >>",
                7 + 2 * index
            ));
            objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
        }
        let mut file = String::from("%PDF-1.4\n");
        let mut offsets = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            offsets.push(file.len());
            let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", index + 1);
        }
        let start = file.len();
        let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
        for offset in offsets {
            let _ = writeln!(file, "{offset:010} 00000 n ");
        }
        let _ = write!(
            file,
            "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1
        );
        file.into_bytes()
    }
}

/// A character of a PDF string in WinAnsi, as an octal escape where it is not plain ASCII.
fn encode(character: char) -> String {
    match character {
        '(' | ')' | '\\' => format!("\\{character}"),
        '•' => "\\225".to_owned(),
        '–' => "\\226".to_owned(),
        '’' => "\\222".to_owned(),
        '✓' => "✓".to_owned(),
        character if character.is_ascii() => character.to_string(),
        // From here on WinAnsi and Unicode agree.
        '\u{a0}'..='\u{ff}' => format!("\\{:03o}", u32::from(character)),
        _ => "?".to_owned(),
    }
}
