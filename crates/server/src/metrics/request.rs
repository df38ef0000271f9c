//! Counting and timing of requests, by the template of their route.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::{Method, StatusCode};
use metrics::{SharedString, counter, gauge, histogram};
use tokio::time::Instant;
use tower::{Layer, Service};

pub(super) const REQUESTS: &str = "tickmark_http_requests_total";
pub(super) const SECONDS: &str = "tickmark_http_request_seconds";
pub(super) const IN_FLIGHT: &str = "tickmark_http_requests_in_flight";
pub(super) const RATE_LIMITED: &str = "tickmark_rate_limited_total";

/// A layer for a whole router, and the services that it makes.
#[derive(Clone, Copy, Debug)]
pub struct Measured<S = ()>(S);

impl Measured {
    /// The layer.
    pub fn layer() -> Measured {
        Measured(())
    }
}

impl<S> Layer<S> for Measured {
    type Service = Measured<S>;

    fn layer(&self, inner: S) -> Measured<S> {
        Measured(inner)
    }
}

impl<S> Service<Request> for Measured<S>
where
    S: Service<Request, Response = Response>,
    S::Future: Unpin,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Measuring<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Measuring<S::Future> {
        let measure = Measure::begin(&request);
        Measuring { inner: self.0.call(request), measure: Some(measure) }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub struct Measuring<F> {
    inner: F,
    measure: Option<Measure>,
}

impl<F, E> Future for Measuring<F>
where
    F: Future<Output = Result<Response, E>> + Unpin,
{
    type Output = Result<Response, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.inner).poll(context));
        if let (Some(measure), Ok(response)) = (self.measure.take(), &answer) {
            measure.end(response.status());
        }
        Poll::Ready(answer)
    }
}

#[derive(Debug)]
struct Measure {
    begun: Instant,
    method: &'static str,
    route: SharedString,
}

impl Measure {
    fn begin(request: &Request) -> Measure {
        gauge!(IN_FLIGHT).increment(1.0);
        let route = request.extensions().get::<MatchedPath>();
        // Paths that lead nowhere are as many as callers can think of, so they share one label.
        let route =
            route.map_or(SharedString::const_str("unmatched"), |route| route.as_str().to_owned().into());
        Measure { begun: Instant::now(), method: known(request.method()), route }
    }

    fn end(self, status: StatusCode) {
        let labels = [("method", self.method.into()), ("route", self.route.clone())];
        histogram!(SECONDS, &labels).record(self.begun.elapsed());
        let [method, route] = labels;
        counter!(REQUESTS, &[method, route, ("status", class(status).into())]).increment(1);
        if status == StatusCode::TOO_MANY_REQUESTS {
            counter!(RATE_LIMITED).increment(1);
        }
    }
}

impl Drop for Measure {
    fn drop(&mut self) {
        gauge!(IN_FLIGHT).decrement(1.0);
    }
}

/// Callers may invent methods too.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}
