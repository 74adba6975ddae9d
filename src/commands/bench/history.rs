//! A long log of realistic events: the sample company's procurements over and over, each time as
//! other procurements.
//!
//! The rule: every commit is one that the rules made; only the ids of procurements and commands
//! differ from copy to copy. Notices are left out, because their letters are files of their own and
//! would measure the file system. Sealed names are bound to their stream, so a copy has plain ones
//! in their place.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, ensure};
use serde_json::Value;
use sixgate_storage::{
    Commit, EventLog, Expected, NewCommit, NewEvent, Position, SledLog, StreamId, sled::Options,
};
use tokio::task::JoinSet;

use crate::demo;

/// What the streams of procurements begin with.
const PREFIX: &str = "procurement-";

/// Copies that are appended at the same time, so that they share syncs.
const WRITERS: u32 = 64;

/// Fills a directory with at least so many events, and answers how many there are.
pub(super) async fn write(directory: &Path, events: u64) -> anyhow::Result<u64> {
    demo::played_in(directory).await?;
    let log = Arc::new(SledLog::open(directory, Options::default())?);
    let sample = Arc::new(Sample::of(&*log).await?);
    let before = log.statistics().await?.events;
    let copies = events.saturating_sub(before).div_ceil(sample.events());
    let copies = u32::try_from(copies).context("that are too many events")?;
    let next = Arc::new(AtomicU32::new(1));
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let (log, sample, next) = (Arc::clone(&log), Arc::clone(&sample), Arc::clone(&next));
        writers.spawn(async move {
            loop {
                let copy = next.fetch_add(1, Ordering::Relaxed);
                if copy > copies {
                    return anyhow::Ok(());
                }
                for commit in sample.copy(copy)? {
                    log.append(commit).await?;
                }
                if copy.is_multiple_of(256) {
                    eprint!("\rsixgate: {copy} of {copies} copies are written ");
                }
            }
        });
    }
    while let Some(ended) = writers.join_next().await {
        ended.context("a writer broke off")??;
    }
    eprintln!();
    Ok(log.statistics().await?.events)
}

/// What the sample company's procurements went through.
struct Sample {
    commits: Vec<Commit>,
    ids: Vec<String>,
}

impl Sample {
    async fn of(log: &dyn EventLog) -> anyhow::Result<Self> {
        let all = log.read_all(Position::ZERO, usize::MAX).await?;
        let is_procurement = |commit: &Commit| commit.stream.as_str().starts_with(PREFIX);
        let mut commits: Vec<Commit> = all.into_iter().filter(is_procurement).collect();
        for event in commits.iter_mut().flat_map(|commit| &mut commit.events) {
            let mut data = serde_json::from_slice(&event.data)?;
            name_openly(&mut data);
            event.data = serde_json::to_vec(&data)?;
        }
        ensure!(!commits.is_empty(), "the sample company has no procurements");
        let mut ids: Vec<String> = commits
            .iter()
            .map(|commit| commit.stream.as_str()[PREFIX.len()..].to_owned())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(Self { commits, ids })
    }

    fn events(&self) -> u64 {
        self.commits.iter().map(|commit| commit.events.len() as u64).sum()
    }

    fn copy(&self, copy: u32) -> anyhow::Result<Vec<NewCommit>> {
        self.commits.iter().map(|commit| self.one(commit, copy)).collect()
    }

    fn one(&self, commit: &Commit, copy: u32) -> anyhow::Result<NewCommit> {
        let mut metadata: Value = serde_json::from_slice(&commit.metadata)?;
        let command = metadata["command"].as_str().map(|id| renamed(id, copy));
        metadata["command"] = command.context("a commit names no command")?.into();
        let event = |event: &sixgate_storage::RecordedEvent| NewEvent {
            kind: event.kind.clone(),
            schema: event.schema,
            data: self.with_other_ids(&event.data, copy),
        };
        Ok(NewCommit {
            stream: StreamId::new(format!(
                "{PREFIX}{}",
                renamed(&commit.stream.as_str()[PREFIX.len()..], copy)
            ))?,
            expected: Expected::Any,
            metadata: serde_json::to_vec(&metadata)?,
            events: commit.events.iter().map(event).collect(),
        })
    }

    fn with_other_ids(&self, data: &[u8], copy: u32) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(data) else { return data.to_vec() };
        let mut text = text.to_owned();
        for id in &self.ids {
            if text.contains(id.as_str()) {
                text = text.replace(id.as_str(), &renamed(id, copy));
            }
        }
        text.into_bytes()
    }
}

/// Puts a made-up name in the place of everything that is sealed.
fn name_openly(data: &mut Value) {
    match data {
        Value::Object(fields) if fields.contains_key("sealed") => *data = "Chen Xi".into(),
        Value::Object(fields) => fields.values_mut().for_each(name_openly),
        Value::Array(items) => items.iter_mut().for_each(name_openly),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The same id in its last digits and another in its first.
fn renamed(id: &str, copy: u32) -> String {
    format!("{copy:08x}{}", id.get(8..).unwrap_or_default())
}
