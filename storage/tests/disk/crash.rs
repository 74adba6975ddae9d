//! A process that is killed at any moment loses nothing that it acknowledged.
//!
//! The test starts itself again as the process to be killed. The child says on its output what was
//! acknowledged to it; the parent kills it, opens the log, and looks for all of that.

use std::env;
use std::hint;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::support::{commit, open, read_everything};
use sixgate_storage::sled::{Options, verify};
use sixgate_storage::{EventLog, Expected, Hash, Position, Revision, SledLog};

const NAME: &str = "crash::a_killed_process_loses_nothing_acknowledged";
const DIRECTORY: &str = "SIXGATE_CRASH_DIRECTORY";
const KILLS: u64 = 40;
const APPENDERS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_loses_nothing_acknowledged() {
    if let Some(directory) = env::var_os(DIRECTORY) {
        append_until_killed(Path::new(&directory)).await;
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let seed = u64::from(std::process::id());
    println!("SEED={seed}");
    let mut random = seed | 1;
    let mut acknowledged = Vec::new();
    for kill in 0..KILLS {
        let lines = next(&mut random) % 60;
        let pause = Duration::from_micros(next(&mut random) % 4000);
        acknowledged.extend(run_and_kill(directory.path(), lines, pause));
        check(directory.path(), &acknowledged, kill).await;
    }
    println!("{} commits were acknowledged, {KILLS} kills", acknowledged.len());
    assert!(acknowledged.len() as u64 > KILLS);
}

#[test]
fn a_second_process_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start(directory.path(), "");
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.any(|line| parse(&line.unwrap()).is_some()), "the child has the log open");
    let error = SledLog::open(directory.path(), Options::default()).unwrap_err();
    assert_eq!(error.code(), "busy");
    assert_eq!(verify(directory.path(), |_| {}).unwrap_err().code(), "busy");
    kill(&mut child);
    drop(open(directory.path()));
}

/// The child: appends as fast as it can from several callers and says what was acknowledged.
async fn append_until_killed(directory: &Path) {
    let log = Arc::new(open(directory));
    let mut appenders = JoinSet::new();
    for appender in 0..APPENDERS {
        let log = Arc::clone(&log);
        appenders.spawn(async move {
            let stream = format!("appender-{appender}");
            let name = stream.parse().unwrap();
            let before = log.read_stream(&name, Revision::ZERO, usize::MAX);
            let mut revision = Revision(before.await.unwrap().len() as u64);
            loop {
                let size = usize::try_from(revision.0 * 131 % 600).unwrap();
                // Every now and then a payload that becomes a blob.
                let size = if revision.0 % 50 == 49 { 6000 } else { size };
                let data = [&revision.0.to_be_bytes()[..], &vec![b'x'; size]].concat();
                let new = commit(&stream, Expected::Exactly(revision), &data);
                let appended = log.append(new).await.unwrap();
                revision = appended.revision;
                let (position, hash) = (appended.position, appended.hash);
                // One write per line, so that a kill leaves whole lines only.
                let line = format!("ack {position} {hash}\n");
                io::stdout().write_all(line.as_bytes()).unwrap();
            }
        });
    }
    appenders.join_all().await;
}

/// The parent: waits for some acknowledgements, a little longer, kills, and reads all the rest.
fn run_and_kill(directory: &Path, lines: u64, pause: Duration) -> Vec<(Position, Hash)> {
    let mut child = start(directory, "");
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    while (acknowledged.len() as u64) < lines {
        let line = output.next().expect("the child appends until it is killed").unwrap();
        acknowledged.extend(parse(&line));
    }
    spin(pause);
    kill(&mut child);
    acknowledged.extend(output.filter_map(|line| parse(&line.unwrap())));
    acknowledged
}

/// Lets a process append until it ends itself at a failpoint such as `after_frame:3`, and answers
/// what was acknowledged to it.
pub(crate) fn run_to(directory: &Path, failpoint: &str) -> Vec<(Position, Hash)> {
    let mut child = start(directory, failpoint);
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    let acknowledged = output.filter_map(|line| parse(&line.unwrap())).collect();
    assert!(!child.wait().unwrap().success(), "nobody came by {failpoint}");
    acknowledged
}

/// This test again, as the process to be killed.
fn start(directory: &Path, failpoint: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(DIRECTORY, directory)
        .env("SIXGATE_FAILPOINT", failpoint)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn kill(child: &mut Child) {
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(!status.success(), "the child ended by itself: {status}");
}

/// Passes time without giving the processor away, so that the moment of the kill is arbitrary.
fn spin(pause: Duration) {
    let start = Instant::now();
    while start.elapsed() < pause {
        hint::spin_loop();
    }
}

pub(crate) fn parse(line: &str) -> Option<(Position, Hash)> {
    // What the test runner prints may stand before the first acknowledgement on its line.
    let (_, acknowledged) = line.split_once("ack ")?;
    let (position, hash) = acknowledged.split_once(' ')?;
    Some((Position(position.parse().unwrap()), hash.parse().unwrap()))
}

pub(crate) async fn check(directory: &Path, acknowledged: &[(Position, Hash)], kill: u64) {
    let log = open(directory);
    let commits = read_everything(&log).await;
    for (position, commit) in (1..).zip(&commits) {
        assert_eq!(commit.position, Position(position));
    }
    for (position, hash) in acknowledged {
        let index = usize::try_from(position.0 - 1).unwrap();
        let found = commits.get(index).map(|commit| commit.hash);
        assert_eq!(found, Some(*hash), "kill {kill} lost position {position}");
    }
    for appender in 0..APPENDERS {
        let stream = format!("appender-{appender}");
        let mine = commits.iter().filter(|commit| commit.stream.as_str() == stream);
        for (revision, commit) in (0_u64..).zip(mine) {
            assert_eq!(commit.revision, Revision(revision + 1));
            assert!(commit.events[0].data.starts_with(&revision.to_be_bytes()));
        }
    }
    let mut positions: Vec<_> = acknowledged.iter().map(|(position, _)| *position).collect();
    positions.sort_unstable();
    positions.dedup();
    assert_eq!(positions.len(), acknowledged.len(), "a position was acknowledged twice");
    drop(log);
    if kill % 10 == 9 {
        let found = verify(directory, |_| {}).unwrap();
        assert!(found.ok, "{found:?}");
    }
}

/// A small generator of numbers that are random enough to choose moments.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
