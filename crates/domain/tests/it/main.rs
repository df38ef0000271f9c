//! The documents' snippets, run against the real thing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod snippets;
mod verify;
