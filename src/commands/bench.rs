//! `sixgate bench append`: how fast the log is, beside the least that durability can cost.
//!
//! The rule: both sides get the same clients, the same bytes and the same grouping, in short rounds
//! that take turns, so that a disk whose speed changes meanwhile changes both. A figure that was
//! not measured is null.
//!
//! It deliberately compares nothing across runs or machines.

mod clients;
mod figures;
mod log_sink;
mod raw_sink;

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use sixgate_storage::{SledLog, sled::Options};

use self::clients::{Round, measured};
use self::figures::Figures;
use self::log_sink::LogClient;
use self::raw_sink::RawSink;
use crate::arguments::BenchAppendArguments;
use crate::output;

/// Rounds of each side; odd, so that the median is one that was measured.
const ROUNDS: u32 = 5;
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
    let raw = RawSink::create(&scratch.path().join("raw"))?;
    let mut log_clients = LogClient::several(log, writers, &event)?;
    let mut raw_clients = raw.clients(writers, &event);

    measured(&mut log_clients, WARM_UP).await?;
    measured(&mut raw_clients, WARM_UP).await?;
    let round = Duration::from_secs(arguments.seconds.into()) / ROUNDS;
    let (mut on_log, mut on_raw) = (Vec::<Round>::new(), Vec::<Round>::new());
    for number in 0..ROUNDS {
        // Whoever comes second may find the disk busy with what the first left behind.
        if number % 2 == 0 {
            on_log.push(measured(&mut log_clients, round).await?);
            on_raw.push(measured(&mut raw_clients, round).await?);
        } else {
            on_raw.push(measured(&mut raw_clients, round).await?);
            on_log.push(measured(&mut log_clients, round).await?);
        }
    }
    drop(log_clients);
    drop(raw_clients);
    raw.finish()?;

    let figures = Figures::of(arguments, ROUNDS, &on_log, &on_raw);
    eprintln!("sixgate: SQLite is not measured by this build; its figures are null");
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
