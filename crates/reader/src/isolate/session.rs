//! The parent's side: one child, one document, and a watch that kills the child when it is late.

use super::child::STATUS_OUT_OF_MEMORY;
use super::protocol::{self, Opened, Reply, Request, Start};
use super::{Confinement, Drawing, Failure, Input, Inspection, Isolation, Program, Recognition};
use crate::ocr::Weights;
use crate::page::Page;
use std::io::{self, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
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
}

impl Session {
    pub(super) fn open(
        program: &Program,
        isolation: &Isolation,
        input: Input<'_>,
    ) -> Result<Session, Failure> {
        let mut channel = Channel::to_new_child(program, isolation.limits.wall)?;
        let weights = match &isolation.weights {
            Weights::Files { detection, recognition } => Some((detection.clone(), recognition.clone())),
            Weights::Embedded | Weights::Loaded { .. } => None,
        };
        let document = match input {
            Input::Bytes(_) => None,
            Input::File(path) => Some(path.to_owned()),
        };
        let start = Start { limits: isolation.limits, weights, document };
        let reply = channel.exchange(|requests| {
            protocol::send(requests, &start)?;
            match input {
                Input::Bytes(bytes) => protocol::send_bytes(requests, bytes),
                Input::File(_) => Ok(()),
            }
        })?;
        match reply {
            Reply::Opened(opened) => Ok(Session { channel, opened }),
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
        let request = Request::Read { number, recognition };
        match self.channel.exchange(|requests| protocol::send(requests, &request))? {
            Reply::Page(page) => Ok(*page),
            _ => Err(out_of_turn()),
        }
    }

    /// Draws a page as PNG or JPEG.
    pub fn draw(&mut self, drawing: &Drawing) -> Result<Vec<u8>, Failure> {
        let request = Request::Draw(*drawing);
        match self.channel.exchange(|requests| protocol::send(requests, &request))? {
            Reply::Picture(bytes) => Ok(bytes),
            _ => Err(out_of_turn()),
        }
    }
}

/// The pipes to a child.
#[derive(Debug)]
struct Channel {
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
    complaint: Option<JoinHandle<String>>,
    watch: Arc<Watch>,
    watcher: Option<JoinHandle<()>>,
    wall: Duration,
}

impl Channel {
    fn to_new_child(program: &Program, wall: Duration) -> Result<Channel, Failure> {
        let mut child = Command::new(&program.path)
            .args(&program.arguments)
            .env_clear()
            // Each arena of the allocator reserves 64 MiB of address space, which is limited.
            .env("MALLOC_ARENA_MAX", "2")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Failure::Unavailable)?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let Some(((requests, replies), complaints)) = pipes else {
            return Err(Failure::Unavailable(io::ErrorKind::BrokenPipe.into()));
        };
        let watch = Arc::new(Watch::new(child));
        let watched = Arc::clone(&watch);
        Ok(Channel {
            requests: Some(requests),
            replies: BufReader::new(replies),
            complaint: Some(std::thread::spawn(move || complaint(complaints))),
            watch,
            watcher: Some(std::thread::spawn(move || watched.run())),
            wall,
        })
    }

    /// Says something to the child and waits for its answer, for as long as the wall clock allows.
    fn exchange(&mut self, say: impl FnOnce(&mut ChildStdin) -> io::Result<()>) -> Result<Reply, Failure> {
        self.watch.set(Some(Instant::now() + self.wall));
        let requests = self.requests.as_mut().ok_or_else(out_of_turn)?;
        // A child may answer without reading everything (a document that it refuses), so a broken pipe
        // alone says nothing; the answer, or its absence, does.
        let said = say(requests);
        let reply = protocol::receive(&mut self.replies, protocol::REPLY_BYTES_MAX);
        self.watch.set(None);
        match (reply, said) {
            (Ok(Reply::Refused(error)), _) => Err(Failure::Document(error)),
            (Ok(Reply::Unfit(detail)), _) => Err(Failure::Unavailable(io::Error::other(detail))),
            (Ok(reply), Ok(())) => Ok(reply),
            (Ok(_), Err(_)) | (Err(_), _) => Err(self.cause_of_death()),
        }
    }

    /// The child's pipes are broken: finds out what it died of.
    fn cause_of_death(&mut self) -> Failure {
        self.requests = None;
        let (status, was_late) = self.watch.end();
        let said = self.complaint.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        failure(status, was_late, &said)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.requests = None;
        self.watch.end();
        for thread in [self.watcher.take()].into_iter().flatten() {
            // The watcher only waits; it cannot have panicked with anything to tell.
            drop(thread.join());
        }
    }
}

fn out_of_turn() -> Failure {
    Failure::Crashed { detail: "the reader answered out of turn".to_owned() }
}

fn failure(status: Option<ExitStatus>, was_late: bool, said: &str) -> Failure {
    if was_late || status.is_some_and(|status| signal(status) == Some(SIGNAL_PROCESSOR_TIME)) {
        return Failure::TimedOut;
    }
    let gave_up = status.and_then(|status| status.code()) == Some(STATUS_OUT_OF_MEMORY);
    if gave_up || said.contains("memory allocation of") || said.contains("out of memory") {
        return Failure::TooMuchMemory;
    }
    let ended = status.map_or_else(|| "still running".to_owned(), |status| status.to_string());
    Failure::Crashed { detail: format!("{ended}: {}", said.trim()) }
}

/// SIGXCPU, sent when the processor time is used up: 24 on every Linux and BSD that Rust runs on but MIPS.
const SIGNAL_PROCESSOR_TIME: i32 = 24;

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// Reads the error output to its end, so that the child never waits for us, and keeps its beginning.
fn complaint(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    // What cannot be read any more is lost with the child; the beginning is what tells.
    drop((&mut from).take(COMPLAINT_BYTES_MAX).read_to_end(&mut kept));
    drop(io::copy(&mut from, &mut io::sink()));
    String::from_utf8_lossy(&kept).into_owned()
}

/// Kills the child when its time is up.
#[derive(Debug)]
struct Watch {
    state: Mutex<WatchState>,
    changed: Condvar,
}

#[derive(Debug)]
struct WatchState {
    child: Child,
    deadline: Option<Instant>,
    was_late: bool,
    is_over: bool,
}

impl Watch {
    fn new(child: Child) -> Watch {
        let state = WatchState { child, deadline: None, was_late: false, is_over: false };
        Watch { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, deadline: Option<Instant>) {
        self.state().deadline = deadline;
        self.changed.notify_all();
    }

    fn run(&self) {
        let mut state = self.state();
        while !state.is_over {
            state = match state.deadline {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        state.was_late = true;
                        // Only a child that is already gone cannot be killed.
                        drop(state.child.kill());
                        return;
                    }
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Ends the child if it still runs, and tells how it ended and whether it was late.
    fn end(&self) -> (Option<ExitStatus>, bool) {
        let give_up = Instant::now() + FAREWELL;
        let mut state = self.state();
        state.is_over = true;
        self.changed.notify_all();
        loop {
            match state.child.try_wait() {
                Ok(None) if Instant::now() < give_up && !state.was_late && state.deadline.is_some() => {
                    drop(state);
                    std::thread::sleep(Duration::from_millis(2));
                    state = self.state();
                }
                Ok(None) => {
                    drop(state.child.kill());
                    return (state.child.wait().ok(), state.was_late);
                }
                Ok(status) => return (status, state.was_late),
                Err(_) => return (None, state.was_late),
            }
        }
    }
}
