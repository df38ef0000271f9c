//! The child's side: limits itself, shuts itself off, then reads.

use super::confine;
use super::document::{OpenDocument, PageReader};
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
    let confinement = confine::shut_off();
    confine::grant_processor_time(&start.limits)?;
    let bytes = protocol::receive_bytes(&mut input, protocol::DOCUMENT_BYTES_MAX)?;
    let mut spoken = Ok(());
    let outcome = OpenDocument::with(bytes, |document| {
        let opened = Opened { inspection: document.inspection(), confinement };
        let mut reader = PageReader::new(weights, start.limits.threads);
        spoken = protocol::send(&mut output, &Reply::Opened(opened));
        while spoken.is_ok() {
            // The parent closes the pipe when it wants no more.
            let Ok(request) = protocol::receive(&mut input, protocol::REQUEST_BYTES_MAX) else { break };
            let reply = answer(document, &mut reader, &request, &start.limits);
            spoken = protocol::send(&mut output, &reply);
        }
        Ok(())
    });
    match outcome {
        Err(failure) => protocol::send(&mut output, &refusal(failure)),
        Ok(()) => spoken,
    }
}

fn answer(document: &OpenDocument<'_>, reader: &mut PageReader, request: &Request, limits: &Limits) -> Reply {
    if confine::grant_processor_time(limits).is_err() {
        return Reply::Unfit("the processor time cannot be limited".to_owned());
    }
    let outcome = match request {
        Request::Read { number, recognition } => {
            reader.read(document, *number, *recognition).map(|page| Reply::Page(Box::new(page)))
        }
        Request::Draw(drawing) => document.draw(drawing).map(Reply::Picture).map_err(Failure::from),
    };
    outcome.unwrap_or_else(refusal)
}

fn refusal(failure: Failure) -> Reply {
    match failure {
        Failure::Document(error) => Reply::Refused(error),
        other => Reply::Unfit(other.to_string()),
    }
}
