//! What one operation costs.

use std::time::Duration;

use super::load::{self, Load, Outcome};
use super::process::Process;
use crate::table::{Row, Target};

/// Rounds of each contestant; the cheapest counts, because the machine only ever adds.
pub(crate) const ROUNDS: usize = 3;

/// The cost of an operation, as one round showed it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Processor time of the server and, with PostgreSQL, of its database connections.
    pub(crate) cpu_us: f64,
    pub(crate) per_second: f64,
    p50: Duration,
    p99: Duration,
}

impl Cost {
    #[expect(clippy::cast_precision_loss, reason = "a count of operations within seconds")]
    pub(crate) fn of(mut outcome: Outcome, cpu: Duration) -> Cost {
        let operations = outcome.latencies.len();
        outcome.latencies.sort_unstable();
        let part = |percent: usize| outcome.latencies.get(operations * percent / 100).copied();
        Cost {
            cpu_us: cpu.as_secs_f64() * 1e6 / operations as f64,
            per_second: operations as f64 / outcome.wall.as_secs_f64(),
            p50: part(50).unwrap_or_default(),
            p99: part(99).unwrap_or_default(),
        }
    }

    /// One round of load on a server.
    pub(crate) async fn measure(process: &Process, load: &Load) -> anyhow::Result<Cost> {
        let before = process.cpu().await?;
        let outcome = load::run(process.address(), load).await?;
        let cpu = process.cpu().await?.saturating_sub(before);
        Ok(Cost::of(outcome, cpu))
    }

    /// What the same costs on two servers, in turns.
    pub(crate) async fn on_two(contestants: [(&Process, Load); 2]) -> anyhow::Result<[Cost; 2]> {
        let round = async |contestant: usize| {
            let (server, load) = &contestants[contestant];
            Cost::measure(server, load).await
        };
        Cost::in_turns(round).await
    }

    /// The rounds of several contestants, in turns: `round(contestant)` runs one.
    pub(crate) async fn in_turns<const N: usize>(
        mut round: impl AsyncFnMut(usize) -> anyhow::Result<Cost>,
    ) -> anyhow::Result<[Cost; N]> {
        let mut cheapest: [Option<Cost>; N] = [None; N];
        // The first turn warms caches and connections, and is not counted.
        for turn in 0..=ROUNDS {
            for (contestant, best) in cheapest.iter_mut().enumerate() {
                let cost = round(contestant).await?;
                if turn > 0 {
                    *best = Some(best.map_or(cost, |best| best.better(cost)));
                }
            }
        }
        Ok(cheapest.map(|cost| cost.expect("every contestant had its rounds")))
    }

    fn better(self, other: Cost) -> Cost {
        let per_second = self.per_second.max(other.per_second);
        let cheaper = if self.cpu_us <= other.cpu_us { self } else { other };
        Cost { per_second, ..cheaper }
    }

    /// The row that holds this against a baseline, by processor time.
    pub(crate) fn against(self, baseline: Cost, what: impl Into<String>, target: Option<Target>) -> Row {
        Row {
            what: what.into(),
            measured: format!("{:.1} µs", self.cpu_us),
            baseline: format!("{:.1} µs", baseline.cpu_us),
            value: self.cpu_us / baseline.cpu_us,
            target,
            note: self.latency(),
        }
    }

    pub(crate) fn latency(self) -> String {
        let ms = |latency: Duration| latency.as_secs_f64() * 1e3;
        format!("{:.2} / {:.2} ms, {:.0}/s", ms(self.p50), ms(self.p99), self.per_second)
    }
}
