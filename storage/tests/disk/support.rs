//! What the tests of the log on disk share.

use std::path::Path;

use futures_util::future::join_all;
use sixgate_storage::sled::Options;
use sixgate_storage::{Commit, EventLog, Expected, NewCommit, NewEvent, SledLog, StreamId};

/// The log in a directory, which must open.
pub(crate) fn open(directory: &Path) -> SledLog {
    SledLog::open(directory, Options::default()).unwrap()
}

/// A commit of one event.
pub(crate) fn commit(stream: &str, expected: Expected, data: &[u8]) -> NewCommit {
    NewCommit {
        stream: StreamId::new(stream).unwrap(),
        expected,
        metadata: b"metadata".to_vec(),
        events: vec![NewEvent { kind: "test.noted".to_owned(), schema: 1, data: data.to_vec() }],
    }
}

/// Appends commits in one go, so that they share syncs.
pub(crate) async fn append_some(log: &SledLog, commits: usize, stream: &str) {
    let data = |number: usize| format!("{stream} {number} {}", "x".repeat(number * 7 % 300));
    let appending = (0..commits)
        .map(|number| log.append(commit(stream, Expected::Any, data(number).as_bytes())));
    assert!(join_all(appending).await.iter().all(Result::is_ok));
}

/// Every commit of a log.
pub(crate) async fn read_everything(log: &SledLog) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    loop {
        let after = commits.last().map(|commit| commit.position).unwrap_or_default();
        let page = log.read_all(after, 1000).await.unwrap();
        if page.is_empty() {
            return commits;
        }
        commits.extend(page);
    }
}
