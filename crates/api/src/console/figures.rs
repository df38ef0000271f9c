//! Figures of the last hour, taken every few seconds, and their small plots.
//!
//! They are kept in memory: each process that has a console takes its own, from the database that all share, and begins
//! anew when it is started.

use super::html::{Html, html};
use domain::event::EventType;
use jiff::Timestamp;
use serde::Serialize;
use service::Service;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// An hour of samples.
const SAMPLES_MAX: usize = 360;
/// The size of a plot, in its own units.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 48.0;

/// What was seen at one moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Timestamp,
    values: [i64; SERIES.len()],
}

/// What is followed: a name for programs, and one for people.
const SERIES: [(&str, &str); 5] = [
    ("marked", "Scripts marked a minute"),
    ("read", "Papers read a minute"),
    ("waiting", "Jobs waiting"),
    ("oldest", "Longest wait, seconds"),
    ("deliveries", "Deliveries to make"),
];

/// The samples, oldest first.
#[derive(Debug, Default)]
pub(super) struct Figures(Mutex<VecDeque<Sample>>);

/// One figure as it is shown.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    #[serde(skip)]
    label: &'static str,
    now: i64,
    least: i64,
    most: i64,
    points: String,
}

impl Figures {
    /// Takes the figures of this moment.
    pub(super) async fn sample(&self, service: &Service) -> Result<(), service::Error> {
        let at = service.now();
        let before = self.samples().back().map(|sample| sample.at);
        let backlog = service.backlog().await?;
        let since = before.unwrap_or(at);
        let recent = service.recent(since).await?;
        let seconds = at.duration_since(since).as_secs().max(1);
        let a_minute = |count: i64| (count * 60 + seconds / 2) / seconds;
        let values = [
            a_minute(recent.count(EventType::SubmissionGraded)),
            a_minute(recent.count(EventType::PaperAwaitingReview)),
            backlog.jobs.iter().map(|(_, count)| count).sum(),
            backlog.oldest_job_seconds,
            backlog.deliveries,
        ];
        let mut samples = self.samples();
        if samples.len() >= SAMPLES_MAX {
            samples.pop_front();
        }
        samples.push_back(Sample { at, values });
        Ok(())
    }

    fn samples(&self) -> std::sync::MutexGuard<'_, VecDeque<Sample>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when there are samples, and each figure.
    pub(super) fn shown(&self) -> (Option<Timestamp>, Vec<Figure>) {
        let samples = self.samples();
        let of = |index: usize| {
            let (name, label) = SERIES[index];
            let values: Vec<i64> = samples.iter().map(|sample| sample.values[index]).collect();
            let (least, most) = (values.iter().copied().min(), values.iter().copied().max());
            Figure {
                name,
                label,
                now: values.last().copied().unwrap_or_default(),
                least: least.unwrap_or_default(),
                most: most.unwrap_or_default(),
                points: points(&values),
            }
        };
        (samples.front().map(|sample| sample.at), (0..SERIES.len()).map(of).collect())
    }
}

/// A line from left to right over all samples, from zero at the bottom to the most at the top.
#[expect(clippy::cast_precision_loss, reason = "a plot is as exact as its few pixels")]
fn points(values: &[i64]) -> String {
    let most = values.iter().copied().max().unwrap_or_default().max(1) as f64;
    let step = WIDTH / (values.len().max(2) - 1) as f64;
    let point = |(index, value): (usize, &i64)| {
        let (x, y) = (index as f64 * step, HEIGHT - 2.0 - (*value as f64 / most) * (HEIGHT - 4.0));
        format!("{x:.1},{y:.1}")
    };
    values.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
}

impl Figure {
    /// The plot with the numbers beside it.
    pub(super) fn html(&self) -> Html {
        html!(
            "<div class=\"figure\" data-figure=\"{}\"><h3>{}</h3><p class=\"figure-now\" data-of=\"now\">{}</p>\
             <svg class=\"plot\" viewBox=\"0 0 240 48\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <polyline points=\"{}\"/></svg>\
             <p class=\"muted small\">least <span data-of=\"least\">{}</span>, most <span data-of=\"most\">{}</span></p></div>",
            self.name,
            self.label,
            self.now,
            self.points.as_str(),
            self.least,
            self.most
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_begins_left_ends_right_and_keeps_its_height() {
        assert_eq!(points(&[]), "");
        assert_eq!(points(&[7]), "0.0,2.0");
        assert_eq!(points(&[0, 5, 10]), "0.0,46.0 120.0,24.0 240.0,2.0");
        assert_eq!(points(&[0, 0]), "0.0,46.0 240.0,46.0");
    }
}
