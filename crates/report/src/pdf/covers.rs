//! Cover sheets: one page for each student of a class, with a code that tells whose script follows it. Everything is
//! black on white, so that any printer will do.

use super::canvas::{Area, Canvas, Mark, Shape};
use super::face::{Faces, Weight};
use super::flow::{MARGIN, PAGE_HEIGHT, PAGE_WIDTH};
use super::ink::Ink;
use super::text::{Setter, Style};
use super::{Error, paint};
use krilla::tagging::Tag;
use qrcode::types::Color;
use qrcode::{EcLevel, QrCode};

/// What a set of sheets is called where it needs a name.
const KIND: &str = "Cover sheets";
/// How wide the code is at least: 80 mm.
const CODE_WIDTH: f32 = 227.0;
/// A module of the code is at least this wide, a millimetre, so that a photograph from above a desk still shows it.
const MODULE_MIN: f32 = 2.83;
/// White modules around the code, which the standard asks for.
const QUIET: usize = 4;
/// Where the code begins, below names of any length.
const CODE_TOP: f32 = 330.0;
/// Lines that a title or a name gets at most.
const LINES_MAX: usize = 3;

/// What one sheet says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverSheet {
    /// The student's name, for people.
    pub name: Option<String>,
    /// The client's own reference to the student.
    pub external_id: String,
    /// The student's class.
    pub class: Option<String>,
    /// What the code says.
    pub token: String,
}

/// The sheets of a paper of this title as a PDF, one page each. The same input gives the same bytes.
pub fn covers(title: &str, sheets: &[CoverSheet]) -> Result<Vec<u8>, Error> {
    let setter = Setter::new(Faces::load().ok_or(Error::NoTypeface)?);
    let mut canvas = Canvas::default();
    for sheet in sheets {
        lay_out(&mut canvas, &setter, title, sheet)?;
    }
    paint::paint(&canvas, paint::titled(title, KIND), &[])
}

fn lay_out(canvas: &mut Canvas, setter: &Setter, title: &str, sheet: &CoverSheet) -> Result<(), Error> {
    let page = canvas.add_page(PAGE_WIDTH, PAGE_HEIGHT);
    let room = PAGE_WIDTH - 2.0 * MARGIN;
    let mut y = MARGIN;
    let who = sheet.name.as_deref().unwrap_or(&sheet.external_id);
    let heading = canvas.heading(None, 1, who, page, y);
    let mut block = |canvas: &mut Canvas, node, text: &str, style: &Style, after: f32| {
        let mut marks = Vec::new();
        for line in setter.lines(text, style, room).into_iter().take(LINES_MAX) {
            y += style.leading;
            marks.push(Mark::text(MARGIN, y, room, line, style));
        }
        canvas.put(page, node, marks);
        y += after;
    };
    let paper = canvas.node(None, Tag::P);
    block(canvas, paper, title, &Style::new(15.0, Weight::Regular, Ink::BLACK), 18.0);
    block(canvas, heading, who, &Style::new(30.0, Weight::Bold, Ink::BLACK), 8.0);
    if let Some(class) = &sheet.class {
        let node = canvas.node(None, Tag::P);
        block(canvas, node, class, &Style::new(18.0, Weight::Regular, Ink::BLACK), 6.0);
    }
    if sheet.name.is_some() {
        let node = canvas.node(None, Tag::P);
        block(canvas, node, &sheet.external_id, &Style::new(13.0, Weight::Regular, Ink::BLACK), 0.0);
    }
    let (shape, side) = code(&sheet.token)?;
    let figure = canvas.node(None, Tag::Figure(Some(format!("A code that names {who}."))));
    canvas.put(page, figure, vec![Mark::Fill { shape, ink: Ink::BLACK, opacity: 1.0 }]);
    let foot = "Put this sheet on top of the student's pages. Keep the code clean, flat and whole.";
    let style = Style::new(11.0, Weight::Regular, Ink::BLACK);
    let node = canvas.node(None, Tag::P);
    let line = setter.line(foot, &style);
    let baseline = (CODE_TOP + side + 34.0).min(PAGE_HEIGHT - 30.0);
    let x = ((PAGE_WIDTH - line.width) / 2.0).max(MARGIN);
    canvas.put(page, node, vec![Mark::text(x, baseline, 0.0, line, &style)]);
    Ok(())
}

/// The dark modules of a code in the middle of the page, and how long its side is. A quarter of it may be lost.
fn code(token: &str) -> Result<(Shape, f32), Error> {
    let code = QrCode::with_error_correction_level(token, EcLevel::Q)
        .map_err(|error| Error::NotWritten(format!("a cover's code: {error}")))?;
    let width = code.width();
    let whole = (width + 2 * QUIET) as f32;
    let module = (CODE_WIDTH / whole).max(MODULE_MIN).min((PAGE_WIDTH - MARGIN) / whole);
    let (left, top) = ((PAGE_WIDTH - width as f32 * module) / 2.0, CODE_TOP + QUIET as f32 * module);
    let modules = code.to_colors();
    let mut areas = Vec::new();
    for (row, colors) in modules.chunks(width).enumerate() {
        let mut start = 0;
        // Modules that touch are drawn as one, so that no hair of white stays between them.
        for run in colors.chunk_by(|one, next| one == next) {
            if run[0] == Color::Dark {
                areas.push(Area {
                    x: left + start as f32 * module,
                    y: top + row as f32 * module,
                    width: run.len() as f32 * module,
                    height: module,
                });
            }
            start += run.len();
        }
    }
    Ok((Shape::Areas(areas), whole * module))
}
