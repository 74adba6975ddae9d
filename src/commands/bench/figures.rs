//! The figures of a measurement, for programs and for people.
//!
//! The rule: rates are over all rounds, ratios are the median of the rounds, and percentiles are of
//! single appends, taken from what was measured and never interpolated.

use std::time::Duration;

use serde::Serialize;

use super::clients::{Round, per_second};
use crate::arguments::BenchAppendArguments;

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    writers: u16,
    seconds: u16,
    event_bytes: u32,
    rounds: usize,
    commits_per_s: f64,
    events_per_s: f64,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    raw_commits_per_s: f64,
    raw_p50_ms: Option<f64>,
    raw_p99_ms: Option<f64>,
    sqlite_commits_per_s: f64,
    sqlite_p50_ms: Option<f64>,
    sqlite_p99_ms: Option<f64>,
    ratio_to_raw: Option<f64>,
    ratio_to_sqlite: Option<f64>,
    p50_ratio_to_raw: Option<f64>,
}

/// What was measured, round by round; the same number of each.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    pub(super) log: Vec<Round>,
    pub(super) raw: Vec<Round>,
    pub(super) sqlite: Vec<Round>,
}

impl Figures {
    pub(super) fn of(arguments: &BenchAppendArguments, rounds: &Rounds) -> Self {
        let (log_rate, log_waited) = together(&rounds.log);
        let (raw_rate, raw_waited) = together(&rounds.raw);
        let (sqlite_rate, sqlite_waited) = together(&rounds.sqlite);
        let ratio = |others: &[Round]| {
            let pairs = rounds.log.iter().zip(others);
            let ratios = pairs.map(|(log, other)| log.commits_per_s() / other.commits_per_s());
            median(ratios.collect()).map(rounded)
        };
        let (p50_ms, raw_p50_ms) = (percentile_ms(&log_waited, 50), percentile_ms(&raw_waited, 50));
        Self {
            writers: arguments.writers,
            seconds: arguments.seconds,
            event_bytes: arguments.event_bytes,
            rounds: rounds.log.len(),
            commits_per_s: rounded(log_rate),
            // Each commit of the measurement holds one event.
            events_per_s: rounded(log_rate),
            p50_ms,
            p99_ms: percentile_ms(&log_waited, 99),
            raw_commits_per_s: rounded(raw_rate),
            raw_p50_ms,
            raw_p99_ms: percentile_ms(&raw_waited, 99),
            sqlite_commits_per_s: rounded(sqlite_rate),
            sqlite_p50_ms: percentile_ms(&sqlite_waited, 50),
            sqlite_p99_ms: percentile_ms(&sqlite_waited, 99),
            ratio_to_raw: ratio(&rounds.raw),
            ratio_to_sqlite: ratio(&rounds.sqlite),
            p50_ratio_to_raw: p50_ms.zip(raw_p50_ms).map(|(log, raw)| rounded(log / raw)),
        }
    }

    pub(super) fn told(&self) -> String {
        let figure = |figure: Option<f64>| figure.map_or("-".to_owned(), |f| format!("{f:.3}"));
        let row = |name: &str, rate: f64, p50: Option<f64>, p99: Option<f64>| {
            let (p50, p99) = (figure(p50), figure(p99));
            format!("{name:<10} {rate:>10.1} commits/s   p50 {p50} ms   p99 {p99} ms\n")
        };
        format!(
            "{} writers, {} bytes, {} rounds, {} s on each\n{}{}{}\
             of the bare file {}, of SQLite {}",
            self.writers,
            self.event_bytes,
            self.rounds,
            self.seconds,
            row("log", self.commits_per_s, self.p50_ms, self.p99_ms),
            row("bare file", self.raw_commits_per_s, self.raw_p50_ms, self.raw_p99_ms),
            row("SQLite", self.sqlite_commits_per_s, self.sqlite_p50_ms, self.sqlite_p99_ms),
            figure(self.ratio_to_raw),
            figure(self.ratio_to_sqlite),
        )
    }
}

/// The rate over all rounds, and how long each append took, the shortest first.
fn together(rounds: &[Round]) -> (f64, Vec<Duration>) {
    let elapsed = rounds.iter().map(|round| round.elapsed).sum();
    let mut waited: Vec<Duration> =
        rounds.iter().flat_map(|round| round.waited.iter().copied()).collect();
    waited.sort_unstable();
    (per_second(waited.len(), elapsed), waited)
}

/// The smallest measured value that at least this share of all values does not exceed.
fn percentile_ms(sorted: &[Duration], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).map(|waited| rounded(waited.as_secs_f64() * 1_000.0))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// More digits than these would only be noise.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_was_measured() {
        let waited: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile_ms(&waited, 50), Some(50.0));
        assert_eq!(percentile_ms(&waited, 99), Some(99.0));
        assert_eq!(percentile_ms(&waited[..1], 99), Some(1.0));
        assert_eq!(percentile_ms(&[], 50), None);
    }

    #[test]
    fn one_odd_round_does_not_move_the_median() {
        assert_eq!(median(vec![0.5, 90.0, 0.4, 0.6, 0.5]), Some(0.5));
        assert_eq!(median(Vec::new()), None);
    }
}
