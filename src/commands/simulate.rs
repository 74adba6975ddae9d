//! `sixgate simulate`: years of a whole organisation in seconds, under faults of every kind.
//!
//! ```text
//! seed ──► happenings ──► commands ──► engine ──► log in memory ──► auditor ─┐
//!              │            clock ──► passes ──► simulated relay ────────────┤
//!              └──► crashes, outages, jumps           oracle ────────────────┴──► checks
//! ```
//!
//! The rule: everything goes through the doors that the server uses, all chance comes from the seed,
//! and whoever checks works out anew what should have happened. It deliberately touches no disk but
//! for the key file and checkpoints, and no network; how the log survives is tested on the real one.

mod auditor;
mod checks;
mod figures;
mod fuse;
mod gates;
mod log;
mod machine;
mod oracle;
mod organisation;
mod random;
mod relay;
mod report;
mod run;
mod story;

use std::{
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;

use self::{
    report::Report,
    run::{Played, Scenario},
};
use crate::{arguments::SimulateArguments, failure::NEGATIVE, output};

pub(crate) fn execute(arguments: &SimulateArguments) -> anyhow::Result<ExitCode> {
    let begun = Instant::now();
    let SimulateArguments { seed, years, runs, procurements, .. } = *arguments;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let report = Mutex::new(Report::new(seed, years, runs));
    let progress = Progress { last: Mutex::new(begun), begun };
    let work = || -> anyhow::Result<()> {
        loop {
            let run = next.fetch_add(1, Ordering::Relaxed);
            if run >= runs {
                return Ok(());
            }
            let scenario = Scenario { seed: seed.wrapping_add(run), years, procurements };
            let played = play(scenario, &progress)
                .with_context(|| format!("seed {} could not be played", scenario.seed))?;
            let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
            report.add(played);
            progress.tell(|| format!("{} of {runs} seeds", report.played()));
        }
    };
    std::thread::scope(|scope| {
        let threads = (0..threads.min(usize::try_from(runs).unwrap_or(threads)))
            .map(|_| scope.spawn(work))
            .collect::<Vec<_>>();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    let report = report.finished(begun.elapsed());
    match arguments.json {
        true => output::json(&report)?,
        false => output::line(report.as_text())?,
    }
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::from(NEGATIVE) })
}

/// On one thread, so that tasks take turns in the same order each time.
fn play(scenario: Scenario, progress: &Progress) -> anyhow::Result<Played> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let year_over = |year| {
        progress.tell(|| format!("seed {}: year {year} of {}", scenario.seed, scenario.years));
    };
    runtime.block_on(run::play(scenario, year_over))
}

/// Says on standard error that it goes on, from time to time.
struct Progress {
    last: Mutex<Instant>,
    begun: Instant,
}

const TELL_EVERY: Duration = Duration::from_secs(5);

impl Progress {
    fn tell(&self, what: impl FnOnce() -> String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= TELL_EVERY {
            *last = Instant::now();
            eprintln!("{}, after {} s", what(), self.begun.elapsed().as_secs());
        }
    }
}
