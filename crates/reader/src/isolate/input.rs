//! Where a document's bytes come from.

use super::protocol::DOCUMENT_BYTES_MAX;
use memmap2::Mmap;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A document to be read: its bytes, or the file that they lie in.
///
/// A file costs no memory of this process: its child looks at it by itself. It must not be changed meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// The bytes.
    Bytes(&'a [u8]),
    /// The file.
    File(&'a Path),
}

impl Input<'_> {
    /// The bytes, in this process's memory.
    pub(super) fn to_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Input::Bytes(bytes) => Ok(bytes.to_vec()),
            Input::File(path) => fs::read(path),
        }
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Input<'a> {
        Input::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Input<'a> {
    fn from(bytes: &'a [u8; N]) -> Input<'a> {
        Input::Bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Input<'a> {
        Input::Bytes(bytes)
    }
}

impl<'a> From<&'a Path> for Input<'a> {
    fn from(path: &'a Path) -> Input<'a> {
        Input::File(path)
    }
}

/// A file's bytes, brought in by the kernel where they are looked at: to count the pages of a large document
/// takes a small part of it.
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if file.metadata()?.len() > DOCUMENT_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the document is larger than allowed"));
    }
    #[expect(
        unsafe_code,
        reason = "the bytes are ours to read as long as nobody changes the file, which callers promise; a child \
                  whose file is cut short dies, as it may over any document"
    )]
    // SAFETY: only this child reads the map, and the file is not written while the child lives.
    unsafe {
        Mmap::map(&file)
    }
}
