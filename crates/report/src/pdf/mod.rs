//! The annotated script: a cover with the marks, the student's own pages with ticks, crosses and notes, and
//! everything that is said about each question.
//!
//! The file is a tagged PDF after PDF/UA-1: it has a title, a language, a tree that gives every piece its
//! meaning and its place in the reading order, words behind the pictures of the pages, and descriptions of
//! the pictures. The same input gives the same bytes.

mod canvas;
mod cover;
mod covers;
mod details;
mod evidence;
mod face;
mod flow;
mod ink;
mod margin;
mod notes;
mod paint;
mod script;
mod signs;
mod statistics;
mod text;

pub use covers::{CoverSheet, covers};

use canvas::{Canvas, Mark, Role};
use domain::report::{Report, Section};
use domain::result::Frame;
use face::{Faces, Weight};
use flow::Flow;
use ink::Ink;
use krilla::tagging::ArtifactType;
use text::{Setter, Style};

/// A page of the script, drawn elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePicture {
    /// Which of the submission's files, counted from 0.
    pub file: u32,
    /// Which page of that file, counted from 1.
    pub page: u32,
    /// A JPEG, which is taken over as it is, or a PNG, which must be packed anew and costs more.
    pub picture: Vec<u8>,
    /// The page's width in points.
    pub width_pt: f32,
    /// The page's height in points.
    pub height_pt: f32,
    /// What stands on it, in reading order.
    pub words: Vec<PageWord>,
}

/// A word on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWord {
    /// As it was read.
    pub text: String,
    /// Where it stands.
    pub frame: Frame,
}

/// Why there is no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The typefaces in the program are damaged.
    #[error("the typefaces that the program holds cannot be read")]
    NoTypeface,
    /// The document could not be written.
    #[error("the PDF could not be written: {0}")]
    NotWritten(String),
}

/// The annotated script as a PDF. Pages come in the order given; a picture that cannot be read leaves its
/// place to the words that were read on it.
pub fn pdf(report: &Report, pages: &[PagePicture]) -> Result<Vec<u8>, Error> {
    let setter = Setter::new(Faces::load().ok_or(Error::NoTypeface)?);
    let pictures: Vec<_> = pages.iter().map(paint::picture).collect();
    let compose = |pictures: &[Option<krilla::image::Image>]| {
        let canvas = lay_out(report, pages, &setter, pictures);
        paint::paint(&canvas, paint::metadata(report), pictures)
    };
    // A picture can show that it is damaged only when it is unpacked: then the words stand in for all.
    compose(&pictures).or_else(|_| compose(&vec![None; pages.len()]))
}

fn lay_out(
    report: &Report,
    pages: &[PagePicture],
    setter: &Setter,
    pictures: &[Option<krilla::image::Image>],
) -> Canvas {
    let mut canvas = Canvas::default();
    let mut flow = Flow::new(&mut canvas, setter);
    cover::lay_out(&mut flow, report);
    if let Some(statistics) = report.statistics.as_ref().filter(|_| report.has(Section::Statistics)) {
        statistics::lay_out(&mut flow, statistics);
    }
    script::lay_out(&mut canvas, setter, report, pages, pictures);
    let mut flow = Flow::new(&mut canvas, setter);
    details::lay_out(&mut flow, report);
    number_pages(&mut canvas, setter, report);
    canvas
}

/// The paper's title and "page n of m" at the foot of every page.
fn number_pages(canvas: &mut Canvas, setter: &Setter, report: &Report) {
    let style = Style::new(8.0, Weight::Regular, Ink::SOFT);
    let count = canvas.pages.len();
    for index in 0..count {
        let (width, height) = (canvas.pages[index].width, canvas.pages[index].height);
        let number = setter.line(&format!("{} of {count}", index + 1), &style);
        let margin = if width > height { script::MARGIN } else { flow::MARGIN };
        let title = setter.clipped(&report.title, &style, width - 2.0 * margin - 80.0);
        let baseline = height - 26.0;
        let foot = vec![
            Mark::text(margin, baseline, title.width, title, &style),
            Mark::text_to(width - margin, baseline, number, &style),
        ];
        canvas.add(index, Role::Artifact(ArtifactType::Footer), foot);
    }
}
