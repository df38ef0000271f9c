//! The nursery: a process that has read nothing, and from which the children are forked.
//!
//! To start a program of this size anew costs more than to read a page: the kernel maps it, the loader patches
//! thousands of addresses. The nursery does that once. It has one thread, touches no document, and so has nothing
//! that a child could learn from another's. It ends when the process that started it does, and its children with it.

use super::child;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, recvmsg, send};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};

/// What a child is given: standard input, output and error, and the line on which its end is told.
pub(super) const DESCRIPTORS: usize = 4;
/// The lowest number of a file that is none of the standard ones.
const AFTER_STANDARD: i32 = 3;

/// A child that runs.
struct Nursling {
    process: Pid,
    /// The parent closes it when the child is to end; the status goes back over it.
    line: OwnedFd,
    /// Ends with the child, which holds the other side.
    life: OwnedFd,
}

/// What the fork has made of this process.
enum Forked {
    Nursery(Nursling),
    /// With the side of its life that it must keep open.
    Child(OwnedFd),
}

/// Serves the process at the other side of standard input. The result is the exit status, of the nursery itself
/// or of the child that this process has become.
pub(super) fn main() -> i32 {
    match serve() {
        Ok(None) => 0,
        // The nursery takes a child for dead whose life is closed, so it stays open until the process ends.
        Ok(Some(_life)) => std::process::exit(child::main()),
        Err(_) => 1,
    }
}

/// `Some`: this process is a child now.
fn serve() -> io::Result<Option<OwnedFd>> {
    name("reader-nursery");
    // Its number is free for the children's own input then.
    let parent = fcntl_dupfd_cloexec(io::stdin().as_fd(), AFTER_STANDARD)?;
    let mut nurslings: Vec<Nursling> = Vec::new();
    loop {
        let ended = wait(&parent, &nurslings)?;
        for index in ended.iter().rev() {
            nurslings.swap_remove(*index).bury();
        }
        match next_order(&parent)? {
            Order::None => {}
            // Those who wait for the children are gone.
            Order::End => {
                nurslings.into_iter().for_each(Nursling::bury);
                return Ok(None);
            }
            Order::Child(descriptors) => match fork(descriptors) {
                Ok(Forked::Nursery(nursling)) => nurslings.push(nursling),
                Ok(Forked::Child(life)) => return Ok(Some(life)),
                // The parent sees its line close without a word.
                Err(_) => {}
            },
        }
    }
}

/// Waits for an order, or until children have ended or shall end; gives their places, in order.
fn wait(parent: &OwnedFd, nurslings: &[Nursling]) -> io::Result<Vec<usize>> {
    let mut watched = vec![PollFd::new(parent, PollFlags::IN)];
    for nursling in nurslings {
        watched.push(PollFd::new(&nursling.line, PollFlags::IN));
        watched.push(PollFd::new(&nursling.life, PollFlags::IN));
    }
    match poll(&mut watched, None) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let pairs = watched[1..].chunks_exact(2).enumerate();
    let ended = pairs.filter(|(_, pair)| pair.iter().any(|end| !end.revents().is_empty()));
    Ok(ended.map(|(index, _)| index).collect())
}

enum Order {
    None,
    Child([OwnedFd; DESCRIPTORS]),
    End,
}

fn next_order(parent: &OwnedFd) -> io::Result<Order> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut carried = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let received = match recvmsg(parent, &mut [IoSliceMut::new(&mut byte)], &mut carried, flags) {
        Ok(received) => received,
        Err(Errno::AGAIN | Errno::INTR) => return Ok(Order::None),
        Err(error) => return Err(error.into()),
    };
    if received.bytes == 0 {
        return Ok(Order::End);
    }
    let descriptors = carried.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => descriptors.collect(),
        _ => Vec::new(),
    });
    // Fewer come where this process may open no more files.
    Ok(<[OwnedFd; DESCRIPTORS]>::try_from(descriptors.collect::<Vec<_>>()).map_or(Order::None, Order::Child))
}

fn fork(descriptors: [OwnedFd; DESCRIPTORS]) -> io::Result<Forked> {
    let [input, output, error, line] = descriptors;
    let (life, held_life) = pipe_with(PipeFlags::CLOEXEC)?;
    #[expect(
        unsafe_code,
        reason = "there is no safe fork; this process has one thread, so the copy finds no lock that another holds"
    )]
    // SAFETY: the process has only this thread.
    let forked = unsafe { libc::fork() };
    if forked < 0 {
        return Err(io::Error::last_os_error());
    }
    if let Some(process) = Pid::from_raw(forked) {
        return Ok(Forked::Nursery(Nursling { process, line, life }));
    }
    if become_child(&input, &output, &error).is_err() {
        std::process::exit(1);
    }
    Ok(Forked::Child(held_life))
}

fn become_child(input: &OwnedFd, output: &OwnedFd, error: &OwnedFd) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    dup2_stdin(input)?;
    dup2_stdout(output)?;
    dup2_stderr(error)?;
    name("reader");
    Ok(())
}

impl Nursling {
    /// Ends the child if it still runs, and tells its parent how it ended.
    fn bury(self) {
        let ended = match waitpid(Some(self.process), WaitOptions::NOHANG) {
            Ok(None) => {
                // It is ours and not waited for, so the number is still its own.
                let _ = kill_process(self.process, Signal::KILL);
                waitpid(Some(self.process), WaitOptions::empty())
            }
            ended => ended,
        };
        if let Ok(Some((_, status))) = ended {
            // Nobody may be listening any more.
            let _ = send(&self.line, &status.as_raw().to_le_bytes(), SendFlags::NOSIGNAL);
        }
    }
}

/// What the process is called in lists of processes.
fn name(name: &str) {
    #[cfg(target_os = "linux")]
    if let Ok(name) = std::ffi::CString::new(name) {
        // It is for people only.
        let _ = rustix::thread::set_name(&name);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = name;
}
