//! What parent and child say to each other: frames of a length and that many bytes.

use super::{Confinement, Cutting, Drawing, Inspection, Limits, Recognition};
use crate::Error;
use crate::glance::Glance;
use crate::page::Page;
use crate::print::Prints;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Pages above this are refused by the parent. On the way a word takes half of the memory that it takes there, so
/// this holds every page within its bounds and little more.
pub(super) const PAGE_REPLY_BYTES_MAX: u64 = crate::bounds::PAGE_BYTES_MAX as u64 + 4096;
/// The same for pictures of pages.
pub(super) const PICTURE_REPLY_BYTES_MAX: u64 = 96 << 20;
/// The same for some of a document's pages: what a file may have, and a little for what holds them together.
pub(super) const EXTRACT_REPLY_BYTES_MAX: u64 = 101 << 20;
/// Requests are small but for the drawn pages of a question paper; a document in memory follows its request as a frame
/// of its own.
pub(super) const REQUEST_BYTES_MAX: u64 = 32 << 20;
/// Documents above this are refused by the child.
pub(super) const DOCUMENT_BYTES_MAX: u64 = 512 << 20;

/// The first frame: what the child may use. The second frame is the document, unless it lies in a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Start {
    pub(super) limits: Limits,
    /// Detection and recognition weights other than the embedded ones.
    pub(super) weights: Option<(PathBuf, PathBuf)>,
    /// The file that holds the document.
    pub(super) document: Option<PathBuf>,
}

/// The child's first answer.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Opened {
    pub(super) inspection: Inspection,
    pub(super) confinement: Confinement,
}

/// What is asked of an open document.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    Read { number: u32, recognition: Recognition, keep_print: bool },
    LayOver(Prints),
    Draw(Drawing),
    Cut(Cutting),
    Glance { number: u32 },
    Extract { numbers: Vec<u32> },
}

/// What the child answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    Opened(Opened),
    Page(Box<Page>),
    Picture(Vec<u8>),
    Glance(Glance),
    Document(Vec<u8>),
    /// The drawn pages were taken.
    Noted,
    /// The document cannot be read.
    Refused(Error),
    /// The child itself is not in order: its weights cannot be loaded.
    Unfit(String),
}

/// Sends a message as one frame.
pub(super) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    send_bytes(to, &bytes)
}

/// Sends bytes as one frame.
pub(super) fn send_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// The next message.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read, bytes_max: u64) -> io::Result<T> {
    let bytes = receive_bytes(from, bytes_max)?;
    postcard::from_bytes(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The next frame. The length is what the other side claims, so memory follows what really arrives.
pub(super) fn receive_bytes(from: &mut impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > bytes_max {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is longer than allowed"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let read = from.take(length).read_to_end(&mut bytes)?;
    if (read as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_whole_and_false_lengths_are_refused() {
        let mut wire = Vec::new();
        send(&mut wire, &Reply::Refused(Error::TooManyPages { pages: 300, limit: 200 })).unwrap();
        let reply: Reply = receive(&mut wire.as_slice(), 1000).unwrap();
        assert!(matches!(reply, Reply::Refused(Error::TooManyPages { pages: 300, .. })));
        assert!(receive_bytes(&mut wire.as_slice(), 2).is_err());
        assert!(receive_bytes(&mut [9, 0, 0, 0, 0, 0, 0, 0, 1, 2].as_slice(), 100).is_err());
        assert!(receive::<Reply>(&mut [1, 0, 0, 0, 0, 0, 0, 0, 99].as_slice(), 100).is_err());
    }
}
