//! `sixgate bench append`: how fast the log is, beside the least that durability can cost, and
//! beside SQLite.
//!
//! The rule: all get the same clients, the same bytes and the same grouping, in short rounds that
//! take turns, so that a disk whose speed changes meanwhile changes all.

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use sixgate_storage::{SledLog, sled::Options};

use super::clients::measured;
use super::figures::{Figures, Rounds};
use super::grouped::Grouped;
use super::log_sink::LogClient;
use super::raw::Raw;
use super::sqlite::Sqlite;
use crate::arguments::BenchAppendArguments;
use crate::output;

/// Rounds of each; odd, so that the median is one that was measured.
const ROUNDS: u32 = 9;
/// The first appends create and grow files, which is not what is measured.
const WARM_UP: Duration = Duration::from_millis(300);

pub(crate) async fn append(arguments: &BenchAppendArguments) -> anyhow::Result<ExitCode> {
    let data = &arguments.data.data;
    fs::create_dir_all(data)
        .with_context(|| format!("could not create the directory {}", data.display()))?;
    let scratch = tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(data)
        .with_context(|| format!("could not make a scratch directory in {}", data.display()))?;
    let (writers, event) = (arguments.writers, event(arguments.event_bytes));

    let log = SledLog::open(scratch.path().join("log"), Options::default())?;
    let raw = Grouped::start(Raw::create(&scratch.path().join("raw"))?)?;
    let sqlite = Grouped::start(Sqlite::create(&scratch.path().join("sqlite"))?)?;
    let mut log_clients = LogClient::several(log, writers, &event)?;
    let mut raw_clients = raw.clients(writers, &event);
    let mut sqlite_clients = sqlite.clients(writers, &event);

    measured(&mut log_clients, WARM_UP).await?;
    measured(&mut raw_clients, WARM_UP).await?;
    measured(&mut sqlite_clients, WARM_UP).await?;
    let round = Duration::from_secs(arguments.seconds.into()) / ROUNDS;
    let mut rounds = Rounds::default();
    for number in 0..ROUNDS {
        // Whoever comes second may find the disk busy with what the first left behind.
        for turn in 0..3 {
            match (number + turn) % 3 {
                0 => rounds.log.push(measured(&mut log_clients, round).await?),
                1 => rounds.raw.push(measured(&mut raw_clients, round).await?),
                _ => rounds.sqlite.push(measured(&mut sqlite_clients, round).await?),
            }
        }
    }
    drop((log_clients, raw_clients, sqlite_clients));
    raw.finish()?;
    sqlite.finish()?;

    let figures = Figures::of(arguments, &rounds);
    match arguments.json {
        true => output::json(&figures)?,
        false => output::line(figures.told())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Bytes that no file system or disk could shrink by much, the same in every run.
fn event(bytes: u32) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let next = |_| {
        // The 32-bit xorshift of Marsaglia (2003).
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..bytes).map(next).collect()
}
