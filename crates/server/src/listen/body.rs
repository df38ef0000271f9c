//! Bodies on their way: a request's, which must keep coming, and a response's, which must keep going.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::Limits;
use super::activity::Activity;
use axum::body::{Body, Bytes};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep_until};

/// Larger pieces are handed on in parts, so that a peer that takes them slowly is seen to take them.
const PIECE_BYTES_MAX: usize = 64 * 1024;

/// What of an unwanted body is read and thrown away. A peer that is still sending when its stream is closed
/// may never see the answer that it was given early, however slow its line is, so it has the time that a wanted
/// body would have.
const UNWANTED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A request's body that fails when the peer lets it wait or trickle.
pub(super) struct Paced {
    /// Taken away when the body failed or is not wanted any more.
    inner: Option<Incoming>,
    /// Whether somebody asked for it, or it is only read to be thrown away.
    is_wanted: bool,
    limits: Limits,
    begun: Instant,
    received: u64,
    /// Only there while we wait for the peer.
    patience: Option<Pin<Box<Sleep>>>,
}

/// Why a body ended early.
#[derive(Debug, thiserror::Error)]
#[error("the request's body came too slowly")]
pub(super) struct TooSlow;

impl Paced {
    pub(super) fn body(inner: Incoming, limits: Limits) -> Body {
        if inner.is_end_stream() {
            return Body::empty();
        }
        Body::new(Paced::new(inner, limits, true))
    }

    fn new(inner: Incoming, limits: Limits, is_wanted: bool) -> Paced {
        Paced { inner: Some(inner), is_wanted, limits, begun: Instant::now(), received: 0, patience: None }
    }

    /// Until when the next piece must be here: soon enough by itself, and by the whole body's rate.
    fn deadline(&self) -> Instant {
        let rate = u64::from(self.limits.body_bytes_per_second_min).max(1);
        let earned = Duration::from_secs(self.received / rate);
        (Instant::now() + self.limits.body_idle).min(self.begun + self.limits.body_idle + earned)
    }
}

impl hyper::body::Body for Paced {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let Some(inner) = &mut self.inner else { return Poll::Ready(None) };
        if let Poll::Ready(frame) = Pin::new(inner).poll_frame(context) {
            self.patience = None;
            let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
            self.received += data.map_or(0, Bytes::len) as u64;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self.deadline();
        let patience = self.patience.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(patience.as_mut().poll(context));
        self.inner = None;
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(hyper::body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), hyper::body::Body::size_hint)
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        if !self.is_wanted {
            return;
        }
        let unwanted = self.inner.take().filter(|inner| !inner.is_end_stream());
        if let (Some(unwanted), Ok(runtime)) = (unwanted, Handle::try_current()) {
            runtime.spawn(throw_away(Paced::new(unwanted, self.limits, false)));
        }
    }
}

async fn throw_away(mut unwanted: Paced) {
    let mut left = UNWANTED_BYTES_MAX;
    while let Some(Ok(frame)) = unwanted.frame().await {
        let length = frame.data_ref().map_or(0, Bytes::len);
        let Some(rest) = left.checked_sub(length) else { return };
        left = rest;
    }
}

/// A response's body that tells its connection how it gets on.
pub(super) struct Tracked {
    inner: Body,
    /// What is left of a piece that was too large.
    rest: Bytes,
    activity: Arc<Activity>,
}

impl Tracked {
    pub(super) fn new(inner: Body, activity: Arc<Activity>) -> Tracked {
        activity.response_begins();
        Tracked { inner, rest: Bytes::new(), activity }
    }
}

impl hyper::body::Body for Tracked {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.activity.response_moves();
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end_or_error => return Poll::Ready(end_or_error),
            }
        }
        let length = self.rest.len().min(PIECE_BYTES_MAX);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let inner = self.inner.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.activity.response_ends();
    }
}
