//! The log on disk keeps the contract of every log.

use std::sync::{Arc, Mutex};

use super::*;
use crate::conformance;

#[tokio::test(flavor = "multi_thread")]
async fn the_log_on_disk_keeps_the_contract() {
    let directories = Mutex::new(Vec::new());
    conformance::all(async || {
        let directory = tempfile::tempdir().unwrap();
        let log = SledLog::open(directory.path(), Options::default()).unwrap();
        directories.lock().unwrap().push(directory);
        Arc::new(log) as _
    })
    .await;
}

/// What is done to one value behind the back of the log, with sled's own checksums kept right.
#[derive(Debug, Clone, Copy)]
enum Change {
    Remove,
    FlipFirst,
    FlipLast,
    Lengthen,
    Empty,
}

fn change(database: &::sled::Db, key: &[u8], value: &[u8], change: Change) {
    let mut value = value.to_vec();
    match change {
        Change::Remove => {
            database.remove(key).unwrap();
            return;
        }
        Change::FlipFirst => value[0] ^= 0x40,
        Change::FlipLast => *value.last_mut().unwrap() ^= 1,
        Change::Lengthen => value.push(0),
        Change::Empty => value.clear(),
    }
    database.insert(key, value).unwrap();
}

async fn small_log(directory: &Path) {
    let log = SledLog::open(directory, Options::default()).unwrap();
    for number in 0..6_u8 {
        let event = |data: Vec<u8>| crate::NewEvent { kind: "a.b".to_owned(), schema: 1, data };
        let commit = NewCommit {
            stream: StreamId::new(format!("s-{}", number % 2)).unwrap(),
            expected: crate::Expected::Any,
            metadata: vec![number; 3],
            events: vec![event(vec![number]), event(vec![number; 4000])],
        };
        log.append(commit).await.unwrap();
    }
}

#[tokio::test]
async fn any_changed_value_is_found_by_opening_and_by_verifying() {
    let directory = tempfile::tempdir().unwrap();
    small_log(directory.path()).await;
    let raw = || {
        layout::Layout::existing(directory.path()).unwrap().wait_until_closed().unwrap();
        ::sled::Config::new().path(directory.path().join("log")).open().unwrap()
    };
    let entries: Vec<_> = raw().iter().map(Result::unwrap).collect();
    assert_eq!(entries.len(), 6 + 12 + 6);
    let changes =
        [Change::Remove, Change::FlipFirst, Change::FlipLast, Change::Lengthen, Change::Empty];
    for (key, value) in &entries {
        for kind in changes {
            change(&raw(), key, value, kind);
            let error = SledLog::open(directory.path(), Options::default()).unwrap_err();
            assert_eq!(error.code(), "corrupt", "{key:?} {kind:?}");
            let found = verify(directory.path(), |_| {}).unwrap();
            assert!(!found.ok, "{key:?} {kind:?}");
            raw().insert(key, value).unwrap();
        }
    }
    for stray in [&b"x"[..], &keys::event(Position(7), 0), &keys::event(Position(3), 2)] {
        raw().insert(stray, b"stray").unwrap();
        assert!(SledLog::open(directory.path(), Options::default()).is_err(), "{stray:?}");
        raw().remove(stray).unwrap();
    }
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
}

#[tokio::test]
async fn damage_that_comes_while_the_log_is_open_is_an_error_of_the_read() {
    let directory = tempfile::tempdir().unwrap();
    small_log(directory.path()).await;
    let log = SledLog::open(directory.path(), Options::default()).unwrap();
    let store = log.shared.store.read().unwrap().clone().unwrap();
    store.database.remove(keys::event(Position(4), 1)).unwrap();
    drop(store);
    let read = log.read_all(Position::ZERO, 3).await.unwrap();
    assert_eq!(read.len(), 3);
    let error = log.read_all(Position::ZERO, 10).await.unwrap_err();
    assert!(matches!(error, Error::Corrupt { position: Some(Position(4)), .. }), "{error:?}");
    let found = log.verify(|_| {}).unwrap();
    assert_eq!((found.ok, found.commits, found.first_bad), (false, 3, Some(Position(4))));
}
