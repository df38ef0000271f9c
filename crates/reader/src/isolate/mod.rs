//! Reads documents in a child process, so that a hostile file can harm nothing but its own child.
//!
//! Children are forked from a nursery: this very program, started again with [`ARGUMENT`] when the first child
//! is wanted; its `main` must call [`run_if_child`] before anything else. The child limits its own processor
//! time, memory, files and file sizes, shuts itself off from the file system and the network where the kernel
//! can, and only then reads the first byte of the document. The parent keeps the wall clock: a child that is
//! late is killed. One child serves one document and is never given another, and the nursery sees none, so
//! nothing can leak between two customers' files. All calls block; from async code use a blocking thread.

mod birth;
mod child;
mod confine;
mod document;
mod input;
mod nursery;
mod pipe;
mod protocol;
mod session;
mod stop;

pub use confine::Confinement;
pub use input::Input;
pub use session::Session;
pub use stop::{Stop, StopOnDrop};

use crate::glance::Glance;
use crate::ocr::Weights;
use crate::page::{Corners, Document, Rect};
use crate::print::Prints;
use crate::{Error, Format};
use birth::Program;
use document::OpenDocument;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The program's first argument when it is started to be forked into children.
pub const ARGUMENT: &str = "reader-nursery";

/// Serves as nursery and child, and never comes back, when the program was started for that. Call it first in
/// `main`, before there is a second thread.
pub fn run_if_child() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        std::process::exit(nursery::main());
    }
}

/// What a child may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock for opening a document, and again for each page.
    pub wall: Duration,
    /// Processor time for the same.
    pub processor: Duration,
    /// Address space in bytes. The program itself and the weights take about 200 MB of it.
    pub memory_bytes: u64,
    /// Threads that recognition may use. More than one make a page come sooner and dearer: they wait for each other, and
    /// other documents are read beside it anyway.
    pub threads: u32,
    /// A child that cannot confine itself reads nothing.
    pub require_confinement: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            wall: Duration::from_secs(180),
            processor: Duration::from_secs(30),
            memory_bytes: 1 << 30,
            threads: 1,
            require_confinement: false,
        }
    }
}

/// When words are to be recognised in the picture of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recognition {
    /// Never: pages that are pictures come back without words.
    Never,
    /// When a page is a picture or its text is garbage.
    #[default]
    WhenNeeded,
    /// On every page, besides its text: finds what a student wrote on a printed PDF.
    Always,
}

/// How to read a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Documents with more pages are refused.
    pub pages_max: u32,
    /// When to recognise.
    pub recognition: Recognition,
    /// Keep each page as it is drawn, to lay scripts over it.
    pub keep_prints: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { pages_max: 200, recognition: Recognition::WhenNeeded, keep_prints: false }
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspection {
    /// By its content.
    pub format: Format,
    /// At least 1.
    pub pages: u32,
}

/// Which picture of a page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// Counted from 1.
    pub page: u32,
    /// The picture's width in pixels; at most [`DRAWN_WIDTH_MAX`].
    pub width: u32,
    /// [`crate::page::Page::corners`] of the page, to see it as it was read.
    pub corners: Option<Corners>,
    /// PNG without loss, otherwise a smaller JPEG.
    pub lossless: bool,
}

/// Which part of a page is to be cut out of its picture. Places are in fractions of the page's width and height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cutting {
    /// The page's picture; its width is that of the whole page.
    pub drawing: Drawing,
    /// What is cut out; what lies outside of the page is left off.
    pub part: Rect,
    /// What is painted over before: a name that nobody is to see.
    pub covered: Vec<Rect>,
}

/// A document without anything on it, for a child to open.
const EMPTY_PAGE: &[u8] = b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
    2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
    3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj\n\
    trailer <</Root 1 0 R/Size 4>>\n%%EOF\n";

/// Wider pictures than this are not drawn.
pub const DRAWN_WIDTH_MAX: u32 = 4000;

/// Why a document could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The document's fault; the child told.
    #[error(transparent)]
    Document(#[from] Error),
    /// The wall clock or the processor time ran out.
    #[error("reading took too long")]
    TimedOut,
    /// The memory ran out.
    #[error("reading took too much memory")]
    TooMuchMemory,
    /// The child died: of the document, since that is all it was given.
    #[error("the reader broke down over the document: {detail}")]
    Crashed {
        /// The end of what it said, for the log.
        detail: String,
    },
    /// Nobody wants it any more; see [`Stop`].
    #[error("reading was stopped")]
    Stopped,
    /// The child could not be started or spoken to; not the document's fault.
    #[error("the reader cannot be started")]
    Unavailable(#[source] std::io::Error),
}

/// Reads documents, each in a child of its own. Clones share a nursery.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// `None`: in this process, for tests that have no program to start.
    program: Option<Arc<Program>>,
    limits: Limits,
    weights: Weights,
    stop: Stop,
}

impl Isolation {
    /// Children are forked from this program, which is started again for that.
    pub fn new(limits: Limits, weights: Weights) -> Isolation {
        // The link keeps pointing at the running program even when its file is replaced by an update.
        let running = PathBuf::from("/proc/self/exe");
        let path = if running.exists() { Ok(running) } else { std::env::current_exe() };
        let path = path.unwrap_or_else(|_| PathBuf::from("tickmark"));
        Isolation::with_program(path, limits, weights)
    }

    /// Children are another program that calls [`run_if_child`].
    pub fn with_program(path: PathBuf, limits: Limits, weights: Weights) -> Isolation {
        let program = Program::new(path, vec![ARGUMENT.into()]);
        Isolation { program: Some(Arc::new(program)), limits, weights, stop: Stop::default() }
    }

    /// No child at all: documents are read in this process, without limits. For tests only.
    pub fn in_process(limits: Limits, weights: Weights) -> Isolation {
        Isolation { program: None, limits, weights, stop: Stop::default() }
    }

    /// The same, but what it reads ends with `stop`.
    #[must_use]
    pub fn until(&self, stop: Stop) -> Isolation {
        Isolation { stop, ..self.clone() }
    }

    /// How far children can shut themselves off on this machine: one is started, and tries.
    pub fn confinement(&self) -> Result<Confinement, Failure> {
        match &self.program {
            Some(program) => {
                let limits = Limits { require_confinement: false, ..self.limits };
                let asking = Isolation { limits, ..self.clone() };
                Ok(Session::open(program, &asking, Input::Bytes(EMPTY_PAGE))?.confinement())
            }
            None => Ok(Confinement::default()),
        }
    }

    /// The document's type and number of pages.
    pub fn inspect<'a>(&self, input: impl Into<Input<'a>>) -> Result<Inspection, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => Ok(Session::open(program, self, input)?.inspection()),
            None => OpenDocument::with(in_memory(input)?, |document| Ok(document.inspection())),
        }
    }

    /// All pages of the document.
    pub fn read<'a>(&self, input: impl Into<Input<'a>>, options: &ReadOptions) -> Result<Document, Failure> {
        self.read_over(input, options, &Prints::default())
    }

    /// The same of a script: a picture of one of the question paper's pages is laid over it, and comes back without
    /// its print.
    pub fn read_over<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &ReadOptions,
        prints: &Prints,
    ) -> Result<Document, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => {
                let mut session = Session::open(program, self, input)?;
                let count = within(session.inspection().pages, options)?;
                if *prints != Prints::default() {
                    session.lay_over(prints)?;
                }
                let pages = (1..=count).map(|number| session.read(number, options));
                Ok(Document { pages: pages.collect::<Result<_, _>>()? })
            }
            None => OpenDocument::with(in_memory(input)?, |document| {
                let count = within(document.inspection().pages, options)?;
                let mut reader = document::PageReader::new(self.weights.clone(), self.limits.threads);
                reader.lay_over(prints.clone());
                let pages = (1..=count).map(|number| match self.stop.is_stopped() {
                    true => Err(Failure::Stopped),
                    false => reader.read(document, number, options.recognition, options.keep_prints),
                });
                Ok(Document { pages: pages.collect::<Result<_, _>>()? })
            }),
        }
    }

    /// A picture of a page as the bytes of a PNG or JPEG.
    pub fn draw<'a>(&self, input: impl Into<Input<'a>>, drawing: &Drawing) -> Result<Vec<u8>, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => Session::open(program, self, input)?.draw(drawing),
            None => OpenDocument::with(in_memory(input)?, |document| Ok(document.draw(drawing)?)),
        }
    }

    /// Several pictures of a document, drawn by one child.
    pub fn draw_all<'a>(
        &self,
        input: impl Into<Input<'a>>,
        drawings: &[Drawing],
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => {
                let mut session = Session::open(program, self, input)?;
                drawings.iter().map(|drawing| session.draw(drawing)).collect()
            }
            None => OpenDocument::with(in_memory(input)?, |document| {
                drawings.iter().map(|drawing| Ok(document.draw(drawing)?)).collect()
            }),
        }
    }

    /// A part of a page as the bytes of a PNG or JPEG.
    pub fn cut<'a>(&self, input: impl Into<Input<'a>>, cutting: &Cutting) -> Result<Vec<u8>, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => Session::open(program, self, input)?.cut(cutting),
            None => OpenDocument::with(in_memory(input)?, |document| Ok(document.cut(cutting)?)),
        }
    }

    /// What every page shows at first sight: its codes, and whether it is blank.
    pub fn glance<'a>(&self, input: impl Into<Input<'a>>) -> Result<Vec<Glance>, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => {
                let mut session = Session::open(program, self, input)?;
                (1..=session.inspection().pages).map(|number| session.glance(number)).collect()
            }
            None => OpenDocument::with(in_memory(input)?, |document| {
                let numbers = 1..=document.inspection().pages;
                numbers.map(|number| Ok(document.glance(number)?)).collect()
            }),
        }
    }

    /// Some pages of a PDF, counted from 1, as a PDF of their own.
    pub fn extract<'a>(&self, input: impl Into<Input<'a>>, numbers: &[u32]) -> Result<Vec<u8>, Failure> {
        let input = input.into();
        match &self.program {
            Some(program) => Session::open(program, self, input)?.extract(numbers),
            None => OpenDocument::with(in_memory(input)?, |document| Ok(document.extract(numbers)?)),
        }
    }

    /// A child that holds the document, for several pages or pictures of it.
    pub fn open<'a>(&self, input: impl Into<Input<'a>>) -> Result<Session, Failure> {
        match &self.program {
            Some(program) => Session::open(program, self, input.into()),
            None => Err(Failure::Unavailable(std::io::ErrorKind::Unsupported.into())),
        }
    }
}

fn in_memory(input: Input<'_>) -> Result<Vec<u8>, Failure> {
    input.to_bytes().map_err(Failure::Unavailable)
}

fn within(pages: u32, options: &ReadOptions) -> Result<u32, Failure> {
    if pages > options.pages_max {
        return Err(Error::TooManyPages { pages, limit: options.pages_max }.into());
    }
    Ok(pages)
}
