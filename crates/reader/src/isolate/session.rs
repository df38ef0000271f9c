//! The parent's side: one child, one document, and no more patience than the limits allow.

use super::birth::{Newborn, Program};
use super::child::STATUS_OUT_OF_MEMORY;
use super::pipe::PipeEnd;
use super::protocol::{self, Opened, Reply, Request, Start};
use super::{Confinement, Cutting, Drawing, Failure, Input, Inspection, Isolation, ReadOptions, Recognition};
use crate::bounds::Amount;
use crate::glance::Glance;
use crate::ocr::Weights;
use crate::page::Page;
use crate::print::Prints;
use std::io::{self, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Of what a child says on its error output, so much is kept.
const COMPLAINT_BYTES_MAX: u64 = 4096;
/// How long a child may take to be gone after its pipes have closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// A child that holds one open document. Dropping it ends the child.
#[derive(Debug)]
pub struct Session {
    channel: Channel,
    opened: Opened,
    /// What all pages that were read hold together.
    amount: Amount,
}

impl Session {
    pub(super) fn open(
        program: &Program,
        isolation: &Isolation,
        input: Input<'_>,
    ) -> Result<Session, Failure> {
        let mut channel = Channel::to_new_child(program, isolation)?;
        let weights = match &isolation.weights {
            Weights::Files { detection, recognition } => Some((detection.clone(), recognition.clone())),
            Weights::Embedded | Weights::Loaded { .. } => None,
        };
        let document = match input {
            Input::Bytes(_) => None,
            Input::File(path) => Some(path.to_owned()),
        };
        let start = Start { limits: isolation.limits, weights, document };
        let reply = channel.exchange(protocol::PAGE_REPLY_BYTES_MAX, |requests| {
            protocol::send(requests, &start)?;
            match input {
                Input::Bytes(bytes) => protocol::send_bytes(requests, bytes),
                Input::File(_) => Ok(()),
            }
        })?;
        match reply {
            Reply::Opened(opened) => Ok(Session { channel, opened, amount: Amount::default() }),
            _ => Err(out_of_turn()),
        }
    }

    /// What the document is.
    pub fn inspection(&self) -> Inspection {
        self.opened.inspection
    }

    /// How far the child could shut itself off.
    pub fn confinement(&self) -> Confinement {
        self.opened.confinement
    }

    /// Reads one page, counted from 1.
    pub fn read_page(&mut self, number: u32, recognition: Recognition) -> Result<Page, Failure> {
        self.read(number, &ReadOptions { recognition, ..ReadOptions::default() })
    }

    /// The pages that follow may be photos of these.
    pub fn lay_over(&mut self, prints: &Prints) -> Result<(), Failure> {
        let request = Request::LayOver(prints.clone());
        let reply = self
            .channel
            .exchange(protocol::PAGE_REPLY_BYTES_MAX, |requests| protocol::send(requests, &request));
        match reply? {
            Reply::Noted => Ok(()),
            _ => Err(out_of_turn()),
        }
    }

    pub(super) fn read(&mut self, number: u32, options: &ReadOptions) -> Result<Page, Failure> {
        let ReadOptions { recognition, keep_prints: keep_print, .. } = *options;
        let request = Request::Read { number, recognition, keep_print };
        let reply = self
            .channel
            .exchange(protocol::PAGE_REPLY_BYTES_MAX, |requests| protocol::send(requests, &request));
        match reply? {
            // A child counts too, but a document may have taken it over.
            Reply::Page(page) => {
                self.amount = self.amount.and(Amount::of_page(&page).within_page()?).within_document()?;
                Ok(*page)
            }
            _ => Err(out_of_turn()),
        }
    }

    /// Draws a page as PNG or JPEG.
    pub fn draw(&mut self, drawing: &Drawing) -> Result<Vec<u8>, Failure> {
        self.picture(&Request::Draw(*drawing))
    }

    /// Draws a part of a page as PNG or JPEG.
    pub fn cut(&mut self, cutting: &Cutting) -> Result<Vec<u8>, Failure> {
        self.picture(&Request::Cut(cutting.clone()))
    }

    /// Looks at a page, counted from 1: its codes, and whether it is blank.
    pub fn glance(&mut self, number: u32) -> Result<Glance, Failure> {
        let request = Request::Glance { number };
        let reply = self
            .channel
            .exchange(protocol::PAGE_REPLY_BYTES_MAX, |requests| protocol::send(requests, &request));
        match reply? {
            Reply::Glance(glance) if glance.is_within_bounds() => Ok(glance),
            _ => Err(out_of_turn()),
        }
    }

    /// Some of its pages, counted from 1, as a PDF of their own.
    pub fn extract(&mut self, numbers: &[u32]) -> Result<Vec<u8>, Failure> {
        let request = Request::Extract { numbers: numbers.to_vec() };
        let reply = self
            .channel
            .exchange(protocol::EXTRACT_REPLY_BYTES_MAX, |requests| protocol::send(requests, &request));
        match reply? {
            Reply::Document(bytes) => Ok(bytes),
            _ => Err(out_of_turn()),
        }
    }

    fn picture(&mut self, request: &Request) -> Result<Vec<u8>, Failure> {
        let reply = self
            .channel
            .exchange(protocol::PICTURE_REPLY_BYTES_MAX, |requests| protocol::send(requests, request));
        match reply? {
            Reply::Picture(bytes) => Ok(bytes),
            _ => Err(out_of_turn()),
        }
    }
}

/// The pipes to a child, which ends with them.
#[derive(Debug)]
struct Channel {
    requests: PipeEnd,
    replies: BufReader<PipeEnd>,
    complaints: PipeEnd,
    line: PipeEnd,
    wall: Duration,
}

impl Channel {
    fn to_new_child(program: &Program, isolation: &Isolation) -> Result<Channel, Failure> {
        if isolation.stop.is_stopped() {
            return Err(Failure::Stopped);
        }
        let Newborn { mut requests, mut replies, complaints, line } =
            program.child().map_err(Failure::Unavailable)?;
        requests.heed(&isolation.stop);
        replies.heed(&isolation.stop);
        let (replies, wall) = (BufReader::new(replies), isolation.limits.wall);
        Ok(Channel { requests, replies, complaints, line, wall })
    }

    /// Says something to the child and waits for its answer, for as long as the wall clock allows.
    fn exchange(
        &mut self,
        bytes_max: u64,
        say: impl FnOnce(&mut PipeEnd) -> io::Result<()>,
    ) -> Result<Reply, Failure> {
        let deadline = Instant::now() + self.wall;
        self.requests.wait_until(deadline);
        self.replies.get_mut().wait_until(deadline);
        // A child may answer without reading everything (a document that it refuses), so a broken pipe
        // alone says nothing; the answer, or its absence, does.
        let said = say(&mut self.requests);
        if let Err(error) = &said
            && let Some(failure) = given_up(error)
        {
            return Err(failure);
        }
        let reply = protocol::receive(&mut self.replies, bytes_max);
        match (reply, said) {
            (Ok(Reply::Refused(error)), _) => Err(Failure::Document(error)),
            (Ok(Reply::Unfit(detail)), _) => Err(Failure::Unavailable(io::Error::other(detail))),
            (Ok(reply), Ok(())) => Ok(reply),
            (Err(error), _) => Err(given_up(&error).unwrap_or_else(|| self.cause_of_death())),
            (Ok(_), Err(_)) => Err(self.cause_of_death()),
        }
    }

    /// The child's pipes are broken: finds out what it died of.
    fn cause_of_death(&mut self) -> Failure {
        self.line.wait_until(Instant::now() + FAREWELL);
        let mut status = [0; 4];
        match self.line.read_exact(&mut status) {
            Ok(()) => failure(ExitStatus::from_raw(i32::from_le_bytes(status)), &self.complaint()),
            Err(error) if is_late(&error) => out_of_turn(),
            // The nursery is gone and has taken the child along, or could not make it.
            Err(error) => Failure::Unavailable(error),
        }
    }

    /// The beginning of what the child said on its error output.
    fn complaint(&mut self) -> String {
        let mut kept = Vec::new();
        // What cannot be read any more is lost with the child.
        drop((&mut self.complaints).take(COMPLAINT_BYTES_MAX).read_to_end(&mut kept));
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}

/// What this side ended by itself.
fn given_up(error: &io::Error) -> Option<Failure> {
    match error.kind() {
        io::ErrorKind::TimedOut => Some(Failure::TimedOut),
        io::ErrorKind::ConnectionAborted => Some(Failure::Stopped),
        _ => None,
    }
}

fn is_late(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::TimedOut
}

fn out_of_turn() -> Failure {
    Failure::Crashed { detail: "the reader answered out of turn".to_owned() }
}

fn failure(status: ExitStatus, said: &str) -> Failure {
    let signal = status.signal();
    if signal == Some(libc::SIGXCPU) {
        return Failure::TimedOut;
    }
    if matches!(signal, Some(libc::SIGTERM | libc::SIGINT | libc::SIGHUP | libc::SIGQUIT)) {
        return Failure::Unavailable(io::Error::other("the reader was told to end by somebody else"));
    }
    let gave_up = status.code() == Some(STATUS_OUT_OF_MEMORY);
    if gave_up || said.contains("memory allocation of") || said.contains("out of memory") {
        return Failure::TooMuchMemory;
    }
    Failure::Crashed { detail: format!("{status}: {said}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::bounds::PAGE_WORDS_MAX;
    use crate::page::Word;
    use crate::{Format, isolate::Confinement};
    use rustix::pipe::pipe;

    /// A session with a child that answers with these pages, whatever it is asked.
    fn with_answers(pages: Vec<Page>) -> Session {
        let (_, complaints) = pipe().unwrap();
        let (line, _) = pipe().unwrap();
        let (asked, requests) = pipe().unwrap();
        let (replies, answers) = pipe().unwrap();
        std::thread::spawn(move || {
            let (_asked, mut answers) = (asked, std::fs::File::from(answers));
            for page in pages {
                // The parent may have heard enough.
                if protocol::send(&mut answers, &Reply::Page(Box::new(page))).is_err() {
                    return;
                }
            }
        });
        let [requests, replies, complaints, line] =
            [requests, replies, complaints, line].map(|end| PipeEnd::new(end).unwrap());
        let inspection = Inspection { format: Format::Pdf, pages: 1 };
        Session {
            channel: Channel {
                requests,
                replies: BufReader::new(replies),
                complaints,
                line,
                wall: Duration::from_secs(60),
            },
            opened: Opened { inspection, confinement: Confinement::default() },
            amount: Amount::default(),
        }
    }

    fn page_of(words: usize) -> Page {
        Page { words: vec![Word::default(); words], ..Page::default() }
    }

    #[test]
    fn a_child_that_was_taken_over_cannot_fill_its_parent() {
        let mut session = with_answers(vec![page_of(PAGE_WORDS_MAX); 21]);
        for number in 1..=20 {
            assert_eq!(session.read_page(number, Recognition::Never).unwrap().words.len(), PAGE_WORDS_MAX);
        }
        let outcome = session.read_page(21, Recognition::Never);
        assert!(matches!(outcome, Err(Failure::Document(Error::TooMuchContent))), "{outcome:?}");
        let outcome = with_answers(vec![page_of(PAGE_WORDS_MAX + 1)]).read_page(1, Recognition::Never);
        assert!(matches!(outcome, Err(Failure::Document(Error::TooMuchContent))), "{outcome:?}");
        let outcome = with_answers(vec![page_of(1_000_000)]).read_page(1, Recognition::Never);
        assert!(outcome.is_err(), "what is too long to be a page is not even taken apart");
    }
}
