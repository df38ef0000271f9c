//! Counts and times for Prometheus, on an address of their own.
//!
//! Everything goes through the `metrics` facade, so that any crate can count without knowing about
//! this one; without a metrics address nothing is recorded at all.

mod process;
mod request;

pub use request::Measured;

use service::Service;
use service::jobs::Backlog;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use http::header::CONTENT_TYPE;
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the time buckets, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// How often what was recorded is put into its buckets, so that it does not pile up between visits.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
/// The version of the text format that we write.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What was counted so far.
#[derive(Clone)]
pub struct Metrics(Arc<PrometheusHandle>);

impl std::fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Metrics")
    }
}

impl Metrics {
    /// Records from now on, in the whole process. It can be done once.
    pub fn start() -> Result<Metrics, BuildError> {
        let builder = PrometheusBuilder::new();
        let builder = builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?;
        let handle = builder.install_recorder()?;
        describe();
        gauge!("tickmark_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Ok(Metrics(Arc::new(handle)))
    }

    /// Keeps the records small and tells how much waits, for as long as it is polled.
    pub async fn keep_up(&self, service: &Service) {
        let mut turns = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            turns.tick().await;
            self.0.run_upkeep();
            match service.backlog().await {
                Ok(backlog) => tell(&backlog),
                Err(error) => tracing::warn!(%error, "what waits could not be counted"),
            }
        }
    }

    /// The page that Prometheus visits, and nothing else.
    pub fn router(&self) -> Router {
        Router::new().route("/metrics", get(page)).with_state(self.clone())
    }
}

async fn page(State(metrics): State<Metrics>) -> ([(http::HeaderName, &'static str); 1], String) {
    let mut text = metrics.0.render();
    text.push_str(&process::text());
    ([(CONTENT_TYPE, TEXT_FORMAT)], text)
}

#[expect(clippy::cast_precision_loss, reason = "counts are bounded far below")]
fn tell(backlog: &Backlog) {
    for &(kind, count) in &backlog.jobs {
        gauge!("tickmark_jobs_waiting", "kind" => kind).set(count as f64);
    }
    gauge!("tickmark_deliveries_waiting").set(backlog.deliveries as f64);
    gauge!("tickmark_oldest_job_seconds").set(backlog.oldest_job_seconds as f64);
}

fn describe() {
    describe_gauge!("tickmark_build_info", "Always 1; the label tells the version.");
    describe_counter!("tickmark_connections_total", "Connections accepted.");
    describe_gauge!("tickmark_connections", "Connections open now.");
    describe_counter!("tickmark_tls_handshakes_failed_total", "TLS handshakes that failed or took too long.");
    describe_counter!(request::REQUESTS, "Requests answered, by method, route and class of status.");
    describe_histogram!(request::SECONDS, "Time until a request's answer began, by method and route.");
    describe_gauge!(request::IN_FLIGHT, "Requests being answered now.");
    describe_counter!(request::RATE_LIMITED, "Requests answered with 429.");
    describe_counter!("tickmark_jobs_total", "Jobs run, by kind and outcome: done, failed, interrupted.");
    describe_histogram!("tickmark_job_seconds", "Time that a job took, by kind.");
    describe_gauge!("tickmark_oldest_job_seconds", "How long the oldest job that could be begun waits.");
    describe_gauge!(
        "tickmark_jobs_waiting",
        "Jobs that wait for a worker, by kind; at most 10000 are counted."
    );
    describe_gauge!(
        "tickmark_deliveries_waiting",
        "Webhook deliveries still to be made, retries included; at most 10000 are counted."
    );
    describe_gauge!(
        "tickmark_endpoint_failing_seconds",
        "For how long every delivery to an endpoint has failed; 0 when they arrive again."
    );
    describe_counter!("tickmark_questions_marked_total", "Questions of scripts that were marked.");
    describe_counter!(
        "tickmark_questions_low_confidence_total",
        "Questions among them that were flagged low_confidence."
    );
    describe_counter!("tickmark_deliveries_total", "Attempts to deliver a webhook, by outcome.");
    describe_histogram!("tickmark_delivery_seconds", "Time that a receiver took to answer.");
}
