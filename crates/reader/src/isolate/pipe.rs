//! The pipes to a child, which are waited for no longer than until a deadline.

use super::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::io::ioctl_fionbio;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// This process's end of a pipe.
#[derive(Debug)]
pub(super) struct PipeEnd {
    descriptor: OwnedFd,
    deadline: Instant,
    stop: Stop,
}

/// How long it waits at most before it looks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl PipeEnd {
    pub(super) fn new(descriptor: OwnedFd) -> io::Result<PipeEnd> {
        ioctl_fionbio(&descriptor, true)?;
        Ok(PipeEnd { descriptor, deadline: Instant::now(), stop: Stop::default() })
    }

    /// After this it gives [`io::ErrorKind::TimedOut`] instead of waiting.
    pub(super) fn wait_until(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    /// Gives [`io::ErrorKind::ConnectionAborted`] once it is stopped.
    pub(super) fn heed(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    /// Tries until it is done, the deadline has passed or it is stopped.
    fn patiently<T>(
        &self,
        wanted: PollFlags,
        mut attempt: impl FnMut(&OwnedFd) -> rustix::io::Result<T>,
    ) -> io::Result<T> {
        loop {
            if self.stop.is_stopped() {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            match attempt(&self.descriptor) {
                Err(Errno::AGAIN) => {}
                Err(Errno::INTR) => continue,
                outcome => return Ok(outcome?),
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            let mut watched = [PollFd::new(&self.descriptor, wanted)];
            match poll(&mut watched, Some(&timespec(left.min(LOOK_EVERY)))) {
                Ok(0) if left.is_zero() => return Err(io::ErrorKind::TimedOut.into()),
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Read for PipeEnd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.patiently(PollFlags::IN, |descriptor| rustix::io::read(descriptor, &mut *buffer))
    }
}

impl Write for PipeEnd {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(PollFlags::OUT, |descriptor| rustix::io::write(descriptor, bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
