//! `sixgate log`: whether the log is what was acknowledged, how much is in it, and keeping it.
//!
//! The rule: looking at a log creates none, runs no rule and writes no event. It works only while
//! no server has the log open, and says so otherwise; a backup can be taken from a server.

mod proof;
mod transfer;
mod verify;

use std::process::ExitCode;

use serde::Serialize;
use sixgate_storage::EventLog;

use crate::arguments::{LogArguments, LogCommand};
use crate::{output, store};

pub(crate) async fn run(command: LogCommand) -> anyhow::Result<ExitCode> {
    match command {
        LogCommand::Verify(arguments) => verify::verify(&arguments).await,
        LogCommand::Stats(arguments) => stats(&arguments).await,
        LogCommand::Export(arguments) => transfer::export(&arguments).await,
        LogCommand::Import(arguments) | LogCommand::Restore(arguments) => {
            transfer::restore(&arguments).await
        }
        LogCommand::Backup(arguments) => transfer::backup(&arguments).await,
        LogCommand::Compact(arguments) => transfer::compact(&arguments).await,
        LogCommand::Checkpoint(arguments) => proof::checkpoint(&arguments).await,
        LogCommand::Bundle(arguments) => proof::bundle(&arguments).await,
    }
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

async fn stats(arguments: &LogArguments) -> anyhow::Result<ExitCode> {
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
