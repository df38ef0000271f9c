//! Log lines on their way to stderr, written by a thread of their own.
//!
//! A request must not wait for whoever reads our log, and a write for every line would cost more than the
//! line. So lines are collected for a few milliseconds and written together; when the reader cannot keep
//! up, further lines are dropped and counted rather than kept without bound.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// How long lines are collected before they are written.
const COLLECT: Duration = Duration::from_millis(5);
/// What may wait to be written.
const WAITING_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Takes lines from all threads. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    text: Vec<u8>,
    dropped: u64,
    is_over: bool,
}

/// Writes what is left when it goes.
#[derive(Debug)]
pub struct Flush {
    lines: Lines,
    writer: Option<JoinHandle<()>>,
}

impl Lines {
    /// Starts the thread that writes.
    pub(super) fn start(mut to: impl Write + Send + 'static) -> io::Result<(Lines, Flush)> {
        let lines = Lines::default();
        let shared = Arc::clone(&lines.0);
        let writer = thread::Builder::new().name("log".to_owned()).spawn(move || {
            while let Some(text) = shared.next() {
                // Nothing can be said about a log that cannot be written.
                let _ = to.write_all(&text).and_then(|()| to.flush());
            }
        })?;
        Ok((lines.clone(), Flush { lines, writer: Some(writer) }))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What came together; `None` when nothing will come any more.
    fn next(&self) -> Option<Vec<u8>> {
        let is_quiet = |waiting: &mut Waiting| waiting.text.is_empty() && !waiting.is_over;
        let waiting = self.changed.wait_while(self.lock(), is_quiet).unwrap_or_else(PoisonError::into_inner);
        // More comes while we do not look; the end is the one thing worth looking for.
        let collected = self.changed.wait_timeout_while(waiting, COLLECT, |waiting| !waiting.is_over);
        let (mut waiting, _) = collected.unwrap_or_else(PoisonError::into_inner);
        let mut text = std::mem::take(&mut waiting.text);
        let dropped = std::mem::take(&mut waiting.dropped);
        if dropped > 0 {
            text.extend_from_slice(format!("{dropped} log lines were dropped\n").as_bytes());
        }
        (!text.is_empty()).then_some(text)
    }
}

impl Write for &Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.lock();
        if waiting.text.len() + line.len() > WAITING_BYTES_MAX {
            waiting.dropped += 1;
            return Ok(line.len());
        }
        let was_quiet = waiting.text.is_empty();
        waiting.text.extend_from_slice(line);
        drop(waiting);
        if was_quiet {
            self.0.changed.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'l> MakeWriter<'l> for Lines {
    type Writer = &'l Lines;

    fn make_writer(&'l self) -> &'l Lines {
        self
    }
}

impl Drop for Flush {
    fn drop(&mut self) {
        self.lines.0.lock().is_over = true;
        self.lines.0.changed.notify_one();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Writes only when it is let, as a slow reader would have it.
    struct Slow {
        written: Sender<Vec<u8>>,
        turns: Receiver<()>,
    }

    impl Write for Slow {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            let _ = self.turns.recv();
            let _ = self.written.send(text.to_vec());
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_written_in_order_before_the_end() {
        let (written, lines_written) = channel();
        let (turn, turns) = channel();
        let (lines, flush) = Lines::start(Slow { written, turns }).unwrap();
        drop(turn);
        for number in 0..1000 {
            (&mut &lines).write_all(format!("{number}\n").as_bytes()).unwrap();
        }
        drop(flush);
        let text: Vec<u8> = lines_written.iter().flatten().collect();
        let expected: String = (0..1000).map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn a_reader_that_stands_still_holds_nobody_up() {
        let (written, lines_written) = channel();
        let (turn, turns) = channel();
        let (lines, flush) = Lines::start(Slow { written, turns }).unwrap();
        let line = [b"x".repeat(1023), b"\n".to_vec()].concat();
        for _ in 0..3 * WAITING_BYTES_MAX / line.len() {
            (&mut &lines).write_all(&line).unwrap();
        }
        drop(turn);
        drop(flush);
        let text: Vec<u8> = lines_written.iter().flatten().collect();
        assert!(text.len() <= 2 * WAITING_BYTES_MAX + 100, "{} bytes were kept", text.len());
        // Where the writer came late, lines that there was room for again stand behind what it says.
        assert!(String::from_utf8(text).unwrap().contains(" log lines were dropped\n"));
    }
}
