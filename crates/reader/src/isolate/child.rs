//! The child's side: limits itself, shuts itself off, then reads.

use super::confine::{self, Confinement};
use super::document::{OpenDocument, PageReader};
use super::input;
use super::protocol::{self, Opened, Reply, Request, Start};
use super::{Failure, Limits};
use crate::ocr::Weights;
use std::io::{self, BufWriter, Read, Write};

/// The exit status of a child that could not hold its document.
pub(super) const STATUS_OUT_OF_MEMORY: i32 = 12;

/// Serves one document over standard input and output. The result is the process's exit status.
pub(super) fn main() -> i32 {
    let (input, output) = (io::stdin().lock(), BufWriter::new(io::stdout().lock()));
    match serve(input, output) {
        Ok(()) => 0,
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => STATUS_OUT_OF_MEMORY,
        // The parent went away or spoke nonsense; there is nobody left to tell.
        Err(_) => 1,
    }
}

fn serve(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let start: Start = protocol::receive(&mut input, protocol::REQUEST_BYTES_MAX)?;
    confine::limit(&start.limits)?;
    // Other weights are read while the file system can still be seen.
    let weights = match start.weights.map(|(detection, recognition)| Weights::read(&detection, &recognition))
    {
        None => Weights::Embedded,
        Some(Ok(weights)) => weights,
        Some(Err(error)) => return protocol::send(&mut output, &Reply::Unfit(error.to_string())),
    };
    let mapped = match start.document.as_deref().map(input::map).transpose() {
        Ok(mapped) => mapped,
        Err(error) => return protocol::send(&mut output, &Reply::Unfit(error.to_string())),
    };
    let confinement = confine::shut_off();
    if start.limits.require_confinement && !confinement.holds() {
        let reply = "the reader cannot be confined here, and the setting require_confinement asks for it";
        return protocol::send(&mut output, &Reply::Unfit(reply.to_owned()));
    }
    confine::grant_processor_time(&start.limits)?;
    let reader = PageReader::new(weights, start.limits.threads);
    let talk = Talk { input, output, limits: start.limits, confinement };
    match mapped {
        Some(bytes) => talk.about(bytes, reader),
        None => talk.about_received(reader),
    }
}

/// The conversation with the parent.
struct Talk<I, O> {
    input: I,
    output: O,
    limits: Limits,
    confinement: Confinement,
}

impl<I: Read, O: Write> Talk<I, O> {
    /// About the document that the parent sends next.
    fn about_received(mut self, reader: PageReader) -> io::Result<()> {
        let bytes = protocol::receive_bytes(&mut self.input, protocol::DOCUMENT_BYTES_MAX)?;
        self.about(bytes, reader)
    }

    /// Opens the document and answers until the parent wants no more.
    fn about(
        mut self,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        mut reader: PageReader,
    ) -> io::Result<()> {
        let mut spoken = Ok(());
        let outcome = OpenDocument::with(bytes, |document| {
            let opened = Opened { inspection: document.inspection(), confinement: self.confinement };
            spoken = protocol::send(&mut self.output, &Reply::Opened(opened));
            while spoken.is_ok() {
                // The parent closes the pipe when it wants no more.
                let asked = protocol::receive(&mut self.input, protocol::REQUEST_BYTES_MAX);
                let Ok(request) = asked else { break };
                let reply = answer(document, &mut reader, &request, &self.limits);
                spoken = protocol::send(&mut self.output, &reply);
            }
            Ok(())
        });
        match outcome {
            Err(failure) => protocol::send(&mut self.output, &refusal(failure)),
            Ok(()) => spoken,
        }
    }
}

fn answer(document: &OpenDocument<'_>, reader: &mut PageReader, request: &Request, limits: &Limits) -> Reply {
    if confine::grant_processor_time(limits).is_err() {
        return Reply::Unfit("the processor time cannot be limited".to_owned());
    }
    let outcome = match request {
        Request::Read { number, recognition, keep_print } => {
            let read = reader.read(document, *number, *recognition, *keep_print);
            read.map(|page| Reply::Page(Box::new(page)))
        }
        Request::LayOver(prints) => {
            reader.lay_over(prints.clone());
            Ok(Reply::Noted)
        }
        Request::Draw(drawing) => document.draw(drawing).map(Reply::Picture).map_err(Failure::from),
        Request::Glance { number } => document.glance(*number).map(Reply::Glance).map_err(Failure::from),
        Request::Extract { numbers } => document.extract(numbers).map(Reply::Document).map_err(Failure::from),
        Request::Cut(cutting) => document.cut(cutting).map(Reply::Picture).map_err(Failure::from),
    };
    outcome.unwrap_or_else(refusal)
}

fn refusal(failure: Failure) -> Reply {
    match failure {
        Failure::Document(error) => Reply::Refused(error),
        other => Reply::Unfit(other.to_string()),
    }
}
