//! `sixgate bench replay`: what a start takes on a long log.
//!
//! The rule: each start is a process of its own, so that its memory is its own: first one that
//! builds the read models from the first commit on and saves a checkpoint, then one that uses it.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use sixgate_engine::clock::SystemClock;
use sixgate_storage::{EventLog, SledLog, sled::Options};

use super::history;
use crate::arguments::BenchReplayArguments;
use crate::configuration::Configuration;
use crate::{output, store};

#[derive(Debug, Serialize)]
struct Figures {
    events: u64,
    commits: u64,
    /// The log and a checkpoint of the read models.
    open_s: f64,
    /// The log alone, with its newest commits verified.
    log_open_s: f64,
    /// The read models from the first commit on.
    rebuild_s: f64,
    events_per_s: f64,
    /// The most memory of the start with a checkpoint.
    rss_mib: Option<u64>,
    rebuild_rss_mib: Option<u64>,
    /// On disk, of the whole directory.
    bytes_per_event: f64,
    /// On disk, against the bytes of the events themselves.
    bytes_on_disk_ratio: f64,
    checkpoint_bytes: u64,
}

/// What one start took.
#[derive(Debug, Serialize, Deserialize)]
struct Start {
    log_open_s: f64,
    follow_s: f64,
    rss_mib: Option<u64>,
}

pub(crate) async fn replay(arguments: &BenchReplayArguments) -> anyhow::Result<ExitCode> {
    if let Some(directory) = &arguments.start_on {
        output::json(&start(directory).await?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let data = &arguments.data.data;
    fs::create_dir_all(data)
        .with_context(|| format!("could not create the directory {}", data.display()))?;
    let scratch = tempfile::Builder::new().prefix("bench-").tempdir_in(data)?;
    let directory = scratch.path();
    let events = history::write(directory, arguments.events).await?;
    let checkpoints = directory.join("checkpoints");
    fs::remove_dir_all(&checkpoints).context("could not remove the checkpoint of the sample")?;
    let rebuilt = in_another_process(directory)?;
    let opened = in_another_process(directory)?;
    let log = SledLog::open(directory, Options::default())?;
    let statistics = log.statistics().await?;
    drop(log);
    let checkpoint_bytes = size_bytes(&checkpoints)?;
    let bytes_on_disk = statistics.bytes_on_disk - checkpoint_bytes;
    let figures = Figures {
        events,
        commits: statistics.commits,
        open_s: rounded(opened.log_open_s + opened.follow_s),
        log_open_s: rounded(opened.log_open_s),
        rebuild_s: rounded(rebuilt.follow_s),
        events_per_s: rounded(ratio(events, 1) / rebuilt.follow_s),
        rss_mib: opened.rss_mib,
        rebuild_rss_mib: rebuilt.rss_mib,
        bytes_per_event: rounded(ratio(bytes_on_disk, events)),
        bytes_on_disk_ratio: rounded(ratio(bytes_on_disk, statistics.bytes_of_events)),
        checkpoint_bytes,
    };
    match arguments.json {
        true => output::json(&figures)?,
        false => output::line(figures.told())?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Figures {
    fn told(&self) -> String {
        let mib = |mib: Option<u64>| mib.map_or("-".to_owned(), |mib| mib.to_string());
        format!(
            "{} events in {} commits, {} bytes an event on disk ({} of the events' own)\n\
             open       {} s, {} of it the log, {} MiB\n\
             rebuild    {} s, {} events/s, {} MiB",
            self.events,
            self.commits,
            self.bytes_per_event,
            self.bytes_on_disk_ratio,
            self.open_s,
            self.log_open_s,
            mib(self.rss_mib),
            self.rebuild_s,
            self.events_per_s,
            mib(self.rebuild_rss_mib),
        )
    }
}

/// One start, as a server makes it, and a checkpoint for the next.
async fn start(directory: &Path) -> anyhow::Result<Start> {
    let began = Instant::now();
    drop(store::open_log(directory).await?);
    let log_open_s = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let opened = store::open(directory, &Configuration::default(), Arc::new(SystemClock)).await?;
    let follow_s = began.elapsed().as_secs_f64() - log_open_s;
    let rss_mib = peak_rss_mib();
    if !directory.join("checkpoints").exists() {
        opened.engine.save_checkpoint()?;
    }
    Ok(Start { log_open_s, follow_s: follow_s.max(0.0), rss_mib })
}

fn in_another_process(directory: &Path) -> anyhow::Result<Start> {
    let program = std::env::current_exe().context("this program cannot be found")?;
    let ended = Command::new(program)
        .args(["bench", "replay", "--start-on"])
        .arg(directory)
        .stderr(Stdio::inherit())
        .output()
        .context("could not start on the log")?;
    ensure!(ended.status.success(), "a start on the log ended with {}", ended.status);
    serde_json::from_slice(&ended.stdout).context("a start on the log said nothing")
}

/// The most memory that this process has had, where the system says so.
fn peak_rss_mib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

fn size_bytes(directory: &Path) -> anyhow::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(directory)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}

#[expect(clippy::cast_precision_loss, reason = "counts of bytes are far below 2^52")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
