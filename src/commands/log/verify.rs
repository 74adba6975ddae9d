//! `sixgate log verify`: a log and everything beside it, or a bundle that stands alone.
//!
//! The rule: first the log is shown to be exactly what was acknowledged; only then it is compared
//! with the signed checkpoints and with the files that its events refer to. A file that is missing
//! or damaged is damage; one that nothing refers to is information.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, IsTerminal, Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Serialize;
use sixgate_engine::files_of;
use sixgate_storage::{
    EventLog, Hash, Head, Position, SledLog,
    bundle::{self, Proved},
    checkpoint::{CheckpointBook, Witnesses},
    sled::{self, Progress, Verification},
};

use crate::arguments::LogVerifyArguments;
use crate::{failure, output, store};

/// Hashes that are listed; all are counted.
const LISTED_MAX: usize = 100;
const PAGE_COMMITS: usize = 1_000;

#[derive(Serialize)]
struct Verified {
    ok: bool,
    commits: u64,
    events: u64,
    head_hash: String,
    high_water: Option<u64>,
    first_bad: Option<u64>,
    why: Option<String>,
    files: Option<Files>,
    checkpoints: Option<u64>,
}

/// Blobs, and how the events refer to them.
#[derive(Default, Serialize)]
struct Files {
    stored: u64,
    referred: u64,
    orphans: u64,
    missing: Vec<String>,
    damaged: Vec<String>,
}

#[derive(Serialize)]
struct BundleVerified {
    ok: bool,
    why: Option<String>,
    key_given: bool,
    proved: Option<Proved>,
    not_proved: [&'static str; 2],
}

pub(crate) async fn verify(arguments: &LogVerifyArguments) -> anyhow::Result<ExitCode> {
    if let Some(file) = &arguments.bundle {
        return verify_bundle(file, arguments.key, arguments.log.json);
    }
    let data = &arguments.log.data.data;
    let mut shown = Shown::new();
    let found = sled::verify(data, |progress| shown.update("verified", progress));
    shown.clear();
    let mut found = Verified::from(found?);
    if found.ok {
        let surroundings = surroundings(data, &mut found, &mut shown).await;
        shown.clear();
        surroundings?;
    }
    match arguments.log.json {
        true => output::json(&found)?,
        false => output::line(found.told(data))?,
    }
    Ok(verdict(found.ok))
}

fn verdict(ok: bool) -> ExitCode {
    match ok {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(failure::NEGATIVE),
    }
}

/// Compares a log that is whole with its signed checkpoints and its files.
async fn surroundings(data: &Path, found: &mut Verified, shown: &mut Shown) -> anyhow::Result<()> {
    let log = store::open_log(data).await?;
    let kept = match CheckpointBook::new(data).kept() {
        Ok(kept) => kept,
        Err(damage @ sixgate_storage::Error::Corrupt { .. }) => {
            found.refuse(damage.to_string());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    found.checkpoints = Some(kept.len() as u64);
    let (referred, known) = match read(&log, Witnesses::new(kept), shown).await? {
        Ok(files) => files,
        Err(why) => {
            found.refuse(why);
            return Ok(());
        }
    };
    let files = files(&log, &referred, &known)?;
    if let Some(hash) = files.missing.first() {
        found.refuse(format!("{} files are missing, {hash} first", files.missing.len()));
    } else if let Some(hash) = files.damaged.first() {
        found.refuse(format!("{} files are damaged, {hash} first", files.damaged.len()));
    }
    found.files = Some(files);
    Ok(())
}

/// The files that events refer to, and payloads that may be kept as files by the log itself.
type Referred = (BTreeSet<Hash>, BTreeSet<Hash>);

async fn read(
    log: &SledLog,
    witnesses: Result<Witnesses, String>,
    shown: &mut Shown,
) -> anyhow::Result<Result<Referred, String>> {
    let mut witnesses = match witnesses {
        Ok(witnesses) => witnesses,
        Err(why) => return Ok(Err(why)),
    };
    let (mut referred, mut payloads) = Referred::default();
    let commits_in_all = log.head().await?.position.0;
    let mut after = Position::ZERO;
    loop {
        let page = log.read_all(after, PAGE_COMMITS).await?;
        let Some(last) = page.last() else { break };
        after = last.position;
        for commit in &page {
            let head = Head { position: commit.position, hash: commit.hash };
            if let Err(why) = witnesses.pass(head) {
                return Ok(Err(why));
            }
            referred.extend(files_of(commit));
            let data = commit.events.iter().map(|event| &event.data);
            // Smaller ones are always kept in the log itself.
            let large = data.chain([&commit.metadata]).filter(|bytes| bytes.len() > 1_024);
            payloads.extend(large.map(|bytes| Hash::of(bytes)));
        }
        shown.update("compared", Progress { commits: after.0, commits_in_all });
    }
    Ok(witnesses.finish().map(|()| (referred, payloads)))
}

/// Hashes every stored file again, on all cores.
fn files(
    log: &SledLog,
    referred: &BTreeSet<Hash>,
    known: &BTreeSet<Hash>,
) -> anyhow::Result<Files> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut files = Files { referred: referred.len() as u64, ..Files::default() };
    for first in 0..=u8::MAX {
        let shelf = log.blobs().shelf(first)?;
        files.stored += shelf.len() as u64;
        let unknown = |hash: &&Hash| !referred.contains(hash) && !known.contains(hash);
        files.orphans += shelf.iter().filter(unknown).count() as u64;
        let share = shelf.len().div_ceil(cores).max(1);
        let damaged = std::thread::scope(|scope| {
            let hashing: Vec<_> = shelf
                .chunks(share)
                .map(|share| {
                    scope.spawn(|| {
                        share
                            .iter()
                            .filter(|hash| log.blobs().get(hash).is_err())
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            let ended = hashing.into_iter().map(|hashing| hashing.join());
            ended.collect::<Result<Vec<_>, _>>()
        });
        let damaged = damaged.map_err(|_| anyhow::anyhow!("hashing the files broke off"))?;
        files.damaged.extend(damaged.into_iter().flatten().map(Hash::to_string));
    }
    for hash in referred {
        if !log.blobs().contains(hash)? {
            files.missing.push(hash.to_string());
        }
    }
    Ok(files)
}

fn verify_bundle(file: &Path, key: Option<Hash>, json: bool) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let input = File::open(file).with_context(|| format!("could not read {name}"))?;
    let (proved, why) = match bundle::verify(BufReader::new(input), key, &files_of) {
        Ok(proved) => (Some(proved), None),
        Err(refused @ sixgate_storage::Error::BadLine { .. }) => (None, Some(refused.to_string())),
        Err(error) => return Err(error).with_context(|| format!("could not read {name}")),
    };
    let not_proved = [
        "that nothing was recorded in this procurement after the last commit here",
        "that the clock of the machine that signed was right",
    ];
    let found =
        BundleVerified { ok: why.is_none(), why, key_given: key.is_some(), proved, not_proved };
    match json {
        true => output::json(&found)?,
        false => output::line(found.told(file))?,
    }
    Ok(verdict(found.ok))
}

impl BundleVerified {
    fn told(&self, file: &Path) -> String {
        let name = file.display();
        let Some(proved) = &self.proved else {
            return format!("{name} is REFUSED: {}", self.why.as_deref().unwrap_or_default());
        };
        let Proved { stream, commits, events, blobs, checkpoint, .. } = proved;
        let key = match self.key_given {
            true => "the key that was given".to_owned(),
            false => format!("the key {}; compare it with the one you were given", checkpoint.key),
        };
        format!(
            "{name} is proved\n{commits} commits with {events} events are, byte by byte, the first \
             ones of {stream}\n{blobs} files are those that the events refer to\nall of it was in \
             the log up to position {} on {}\nsigned with {key}\nnot proved: {}\nnot proved: {}",
            checkpoint.position, checkpoint.at, self.not_proved[0], self.not_proved[1]
        )
    }
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
            files: None,
            checkpoints: None,
        }
    }
}

impl Verified {
    fn refuse(&mut self, why: String) {
        self.ok = false;
        self.why = Some(why);
    }

    fn told(&self, data: &Path) -> String {
        let Self { commits, events, head_hash, .. } = self;
        let verdict = match (&self.why, self.first_bad) {
            (None, _) => "is exactly what was acknowledged".to_owned(),
            (Some(why), Some(position)) => format!("is DAMAGED at position {position}: {why}"),
            (Some(why), None) => format!("is DAMAGED: {why}"),
        };
        let mark = self.high_water.map_or("unreadable".to_owned(), |mark| mark.to_string());
        let files = self.files.as_ref().map_or(String::new(), |files| {
            let Files { stored, referred, orphans, missing, damaged } = files;
            let listed = missing.iter().chain(damaged).take(LISTED_MAX);
            let listed: String = listed.map(|hash| format!("\n              {hash}")).collect();
            format!(
                "\nfiles         {stored}, {referred} referred to, {orphans} that nothing refers \
                 to, {} missing, {} damaged{listed}",
                missing.len(),
                damaged.len()
            )
        });
        let checkpoints =
            self.checkpoints.map_or(String::new(), |kept| format!("\nsigned checkpoints  {kept}"));
        format!(
            "the log in {} {verdict}\ngood commits  {commits}\nevents        {events}\n\
             head hash     {head_hash}\nhigh water    {mark}{files}{checkpoints}",
            data.display()
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

    fn update(&mut self, what: &str, progress: Progress) {
        if !self.terminal || self.last.is_some_and(|last| last.elapsed() < Self::EVERY) {
            return;
        }
        self.last = Some(Instant::now());
        // What cannot be shown is not worth failing for.
        let _ = write!(
            stderr(),
            "\r{what} {} of {} commits",
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
