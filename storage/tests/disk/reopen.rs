//! The log on disk: conformance with the contract, reopening, sharing, and what lies in its files.

use std::fs;
use std::sync::Arc;

use crate::support::{append_some, commit, open, read_everything};
use futures_util::future::join_all;
use sixgate_storage::sled::{Options, VerifyAtOpen, verify};
use sixgate_storage::{
    EventLog, Expected, Head, NewCommit, NewEvent, Position, Revision, SledLog, StreamId,
};

#[tokio::test]
async fn a_reopened_log_is_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let mut before = Vec::new();
    for round in 1..=5 {
        let log = open(directory.path());
        assert_eq!(read_everything(&log).await, before);
        append_some(&log, 20, &format!("round-{round}")).await;
        before = read_everything(&log).await;
        assert_eq!(before.len(), round * 20);
        let statistics = log.statistics().await.unwrap();
        assert_eq!(statistics.commits, before.len() as u64);
        assert_eq!(statistics.streams, round as u64);
        drop(log);
    }
    let log = open(directory.path());
    let refused = log.append(commit("round-1", Expected::Absent, b"x")).await.unwrap_err();
    assert_eq!(refused.code(), "conflict");
    let last = before.last().unwrap();
    let head = log.head().await.unwrap();
    assert_eq!(head, Head { position: last.position, hash: last.hash });
    let next = log.append(commit("round-1", Expected::Exactly(Revision(20)), b"x")).await.unwrap();
    assert_eq!(next.position, Position(101));
}

#[tokio::test]
async fn a_log_that_is_open_is_refused_to_a_second_opener() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    let error = SledLog::open(directory.path(), Options::default()).unwrap_err();
    assert_eq!(error.code(), "busy");
    assert!(error.to_string().contains("stop that process first"), "{error}");
    assert_eq!(verify(directory.path(), |_| {}).unwrap_err().code(), "busy");
    drop(log);
    SledLog::open(directory.path(), Options::default()).unwrap();
}

#[tokio::test]
async fn a_late_read_does_not_keep_a_dropped_log_open() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..10 {
        let log = open(directory.path());
        append_some(&log, 3, "a").await;
        let stream = StreamId::new("a").unwrap();
        let mut read = Box::pin(log.read_stream(&stream, Revision::ZERO, usize::MAX));
        // Polled once, so that the blocking read is under way when its future is dropped.
        let _ = std::future::poll_fn(|context| {
            std::task::Poll::Ready(read.as_mut().poll(context).is_ready())
        })
        .await;
        drop(read);
        drop(log);
    }
}

#[tokio::test]
async fn large_payloads_never_reach_the_files_that_sled_does_not_sync() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    let mut appending = Vec::new();
    for number in 0..300_usize {
        let data = vec![7; [10, 3840, 3841, 30_000][number % 4]];
        let event = NewEvent { kind: "a.b".to_owned(), schema: 1, data: data.clone() };
        let stream = StreamId::new(format!("s-{}", number % 3)).unwrap();
        let metadata = data;
        let events = vec![event; 4];
        appending.push(log.append(NewCommit { stream, expected: Expected::Any, metadata, events }));
    }
    assert!(join_all(appending).await.iter().all(Result::is_ok));
    // Two distinct payloads are larger than a value, and each is stored once.
    assert_eq!(log.blobs().count().unwrap(), 2);
    drop(log);
    assert_eq!(fs::read_dir(directory.path().join("log/blobs")).unwrap().count(), 0);
    let found = verify(directory.path(), |_| {}).unwrap();
    assert!(found.ok, "{found:?}");
    assert_eq!((found.commits, found.events), (300, 1200));
}

#[tokio::test]
async fn verification_counts_and_reports_progress() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    append_some(&log, 50, "a").await;
    let head = log.head().await.unwrap();
    let live = log.verify(|_| {}).unwrap();
    drop(log);
    let mut steps = 0;
    let found = verify(directory.path(), |progress| {
        steps += 1;
        assert_eq!((progress.commits, progress.commits_in_all), (steps, 50));
    })
    .unwrap();
    assert_eq!(steps, 50);
    assert!(found.ok && found.first_bad.is_none() && found.why.is_none(), "{found:?}");
    assert_eq!((found.commits, found.events), (50, 50));
    assert_eq!((found.head_hash, found.high_water), (head.hash, Some(head.position)));
    assert_eq!(live, found);
}

#[test]
fn verifying_a_directory_without_a_log_creates_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let absent = directory.path().join("absent");
    assert_eq!(verify(&absent, |_| {}).unwrap_err().code(), "log_absent");
    assert!(!absent.exists());
    assert_eq!(verify(directory.path(), |_| {}).unwrap_err().code(), "log_absent");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn only_the_newest_commits_need_to_be_verified_at_open() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { verify_at_open: VerifyAtOpen::Newest(5), ..Options::default() };
    for _ in 0..3 {
        let log = Arc::new(SledLog::open(directory.path(), options).unwrap());
        append_some(&log, 10, "a").await;
    }
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
}
