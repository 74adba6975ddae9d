//! `sixgate log`: whether the log is what was acknowledged, and how much is in it.
//!
//! The rule: looking at a log creates none, runs no rule and writes no event. It works only while
//! no server has the log open, and says so otherwise.

use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;
use sixgate_storage::{
    EventLog,
    sled::{self, Progress, Verification},
};

use crate::arguments::LogArguments;
use crate::{failure, output, store};

#[derive(Serialize)]
struct Verified {
    ok: bool,
    commits: u64,
    events: u64,
    head_hash: String,
    high_water: Option<u64>,
    first_bad: Option<u64>,
    why: Option<String>,
}

#[derive(Serialize)]
struct Stats {
    commits: u64,
    events: u64,
    streams: u64,
    bytes_on_disk: u64,
    bytes_of_events: u64,
    blobs: u64,
}

pub(crate) fn verify(arguments: &LogArguments) -> anyhow::Result<ExitCode> {
    let mut shown = Shown::new();
    let found = sled::verify(&arguments.data.data, |progress| shown.update(progress));
    shown.clear();
    let found = Verified::from(found?);
    match arguments.json {
        true => output::json(&found)?,
        false => output::line(found.told(&arguments.data.data))?,
    }
    Ok(match found.ok {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(failure::NEGATIVE),
    })
}

pub(crate) async fn stats(arguments: &LogArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.data.data;
    store::expect_log(data)?;
    let log = store::open_log(data).await?;
    let counted = log.statistics().await?;
    let stats = Stats {
        commits: counted.commits,
        events: counted.events,
        streams: counted.streams,
        bytes_on_disk: counted.bytes_on_disk,
        bytes_of_events: counted.bytes_of_events,
        blobs: log.blobs().count()?,
    };
    match arguments.json {
        true => output::json(&stats)?,
        false => output::line(stats.told())?,
    }
    Ok(ExitCode::SUCCESS)
}

impl From<Verification> for Verified {
    fn from(found: Verification) -> Self {
        Self {
            ok: found.ok,
            commits: found.commits,
            events: found.events,
            head_hash: found.head_hash.to_string(),
            high_water: found.high_water.map(|position| position.0),
            first_bad: found.first_bad.map(|position| position.0),
            why: found.why,
        }
    }
}

impl Verified {
    fn told(&self, data: &Path) -> String {
        let Self { commits, events, head_hash, .. } = self;
        let verdict = match (&self.why, self.first_bad) {
            (None, _) => "is exactly what was acknowledged".to_owned(),
            (Some(why), Some(position)) => format!("is DAMAGED at position {position}: {why}"),
            (Some(why), None) => format!("is DAMAGED: {why}"),
        };
        let mark = self.high_water.map_or("unreadable".to_owned(), |mark| mark.to_string());
        format!(
            "the log in {} {verdict}\ngood commits  {commits}\nevents        {events}\n\
             head hash     {head_hash}\nhigh water    {mark}",
            data.display()
        )
    }
}

impl Stats {
    fn told(&self) -> String {
        let Self { commits, events, streams, bytes_on_disk, bytes_of_events, blobs } = self;
        format!(
            "commits          {commits}\nevents           {events}\nstreams          {streams}\n\
             bytes on disk    {bytes_on_disk}\nbytes of events  {bytes_of_events}\n\
             blobs            {blobs}"
        )
    }
}

/// Progress for a person who watches; a program that reads standard error is not disturbed.
struct Shown {
    terminal: bool,
    last: Option<Instant>,
}

impl Shown {
    const EVERY: Duration = Duration::from_millis(200);

    fn new() -> Self {
        Self { terminal: stderr().is_terminal(), last: None }
    }

    fn update(&mut self, progress: Progress) {
        if !self.terminal || self.last.is_some_and(|last| last.elapsed() < Self::EVERY) {
            return;
        }
        self.last = Some(Instant::now());
        // What cannot be shown is not worth failing for.
        let _ = write!(
            stderr(),
            "\rverified {} of {} commits",
            progress.commits,
            progress.commits_in_all
        );
    }

    fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
