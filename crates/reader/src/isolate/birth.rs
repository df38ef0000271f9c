//! The parent's side of the nursery: starts it when the first child is wanted, and asks it for children.

use super::nursery::DESCRIPTORS;
use super::pipe::PipeEnd;
use rustix::io::ioctl_fionbio;
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, sendmsg,
    socketpair,
};
use rustix::pipe::{PipeFlags, pipe_with};
use std::ffi::OsString;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A program that calls [`super::run_if_child`], and the nursery that was started from it.
#[derive(Debug)]
pub(super) struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    nursery: Mutex<Option<Nursery>>,
}

/// A nursery that runs. It ends with its socket.
#[derive(Debug)]
struct Nursery {
    socket: Option<OwnedFd>,
    process: Child,
}

/// A child, by its pipes. It is ended when the line closes.
#[derive(Debug)]
pub(super) struct Newborn {
    pub(super) requests: PipeEnd,
    pub(super) replies: PipeEnd,
    pub(super) complaints: PipeEnd,
    /// Tells how the child ended.
    pub(super) line: PipeEnd,
}

impl Program {
    pub(super) fn new(path: PathBuf, arguments: Vec<OsString>) -> Program {
        Program { path, arguments, nursery: Mutex::new(None) }
    }

    /// A new child. A nursery that has died is replaced.
    pub(super) fn child(&self) -> io::Result<Newborn> {
        let mut nursery = self.nursery.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = &*nursery
            && let Ok(newborn) = running.child()
        {
            return Ok(newborn);
        }
        nursery.insert(Nursery::start(self)?).child()
    }
}

impl Nursery {
    fn start(program: &Program) -> io::Result<Nursery> {
        let (ours, theirs) = pair()?;
        let process = Command::new(&program.path)
            .args(&program.arguments)
            .env_clear()
            // Each arena of the allocator reserves 64 MiB of address space, which is limited.
            .env("MALLOC_ARENA_MAX", "2")
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What interrupts this program at a terminal is not for the children: they end with their work.
            .process_group(0)
            .spawn()?;
        Ok(Nursery { socket: Some(ours), process })
    }

    fn child(&self) -> io::Result<Newborn> {
        let (their_requests, requests) = pipe_with(PipeFlags::CLOEXEC)?;
        let (replies, their_replies) = pipe_with(PipeFlags::CLOEXEC)?;
        let (complaints, their_complaints) = pipe_with(PipeFlags::CLOEXEC)?;
        // Nobody listens to complaints before the child has died, so it must not wait for a listener.
        ioctl_fionbio(&their_complaints, true)?;
        let (line, their_line) = pair()?;
        self.order([&their_requests, &their_replies, &their_complaints, &their_line])?;
        Ok(Newborn {
            requests: PipeEnd::new(requests)?,
            replies: PipeEnd::new(replies)?,
            complaints: PipeEnd::new(complaints)?,
            line: PipeEnd::new(line)?,
        })
    }

    fn order(&self, descriptors: [&OwnedFd; DESCRIPTORS]) -> io::Result<()> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let descriptors = descriptors.map(|descriptor| descriptor.as_fd());
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut carried = SendAncillaryBuffer::new(&mut space);
        carried.push(SendAncillaryMessage::ScmRights(&descriptors));
        sendmsg(socket, &[IoSlice::new(&[1])], &mut carried, SendFlags::NOSIGNAL)?;
        Ok(())
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        self.socket = None;
        // It goes when its socket has closed; only one that was never started cannot be waited for.
        drop(self.process.wait());
    }
}

fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}
