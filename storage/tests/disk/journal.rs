//! What the journal promises: it repairs sled as far as it reaches, and says where it does not.

use std::fs;
use std::path::{Path, PathBuf};

use crate::crash::run_to;
use crate::faults::{copy, damage_everything, files, report};
use crate::support::{append_some, open, read_everything};
use sixgate_storage::sled::{Options, verify};
use sixgate_storage::{Commit, Error, Hash, SledLog};

/// A log whose last group is in the journal alone: the process ended before sled could get it.
fn with_a_tail(failpoint: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    run_to(directory.path(), failpoint);
    directory
}

/// What is in a log, read from a copy, so that opening it changes nothing here.
async fn content(directory: &Path) -> Vec<Commit> {
    let target = tempfile::tempdir().unwrap();
    copy(directory, target.path());
    read_everything(&open(target.path())).await
}

fn newest_segment(directory: &Path) -> PathBuf {
    let written = |path: &PathBuf| fs::read(path).unwrap().iter().any(|byte| *byte != 0);
    files(&directory.join("journal")).into_iter().rfind(written).unwrap()
}

/// Flips a bit in the last frame, which begins at the last block with the mark of a frame.
fn damage_last_frame(directory: &Path) {
    let path = newest_segment(directory);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.chunks(512).rposition(|block| block.starts_with(b"6gfr")).unwrap();
    bytes[last * 512 + 100] ^= 1;
    fs::write(&path, bytes).unwrap();
}

fn refused(directory: &Path) -> Error {
    let found = verify(directory, |_| {}).unwrap();
    assert!(!found.ok, "{found:?}");
    SledLog::open(directory, Options::default()).unwrap_err()
}

#[tokio::test]
async fn damage_to_a_tail_that_only_the_journal_has_is_refused_or_harmless() {
    let source = with_a_tail("after_mark:3");
    let written = content(source.path()).await;
    let verdicts = damage_everything(source.path(), &written, true, 1).await;
    report("a tail in the journal", &verdicts);
    let refused = |damage: &str| verdicts.contains_key(&format!("journal {damage} corrupt"));
    assert!(refused("FlipOneBit") && refused("Zero") && refused("Truncate"), "{verdicts:?}");
}

#[tokio::test]
async fn the_loss_of_the_last_marked_group_is_noticed() {
    let directory = with_a_tail("after_mark:3");
    let written = content(directory.path()).await;
    damage_last_frame(directory.path());
    let error = refused(directory.path());
    let Error::Corrupt { position: Some(position), .. } = error else { panic!("{error:?}") };
    assert!(written.iter().any(|commit| commit.position == position));
    assert!(error.to_string().contains("the log lost its tail"), "{error}");
}

#[tokio::test]
async fn a_group_that_nobody_was_told_of_may_be_torn() {
    let directory = with_a_tail("after_frame:3");
    let whole = content(directory.path()).await;
    damage_last_frame(directory.path());
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
    let left = read_everything(&open(directory.path())).await;
    assert!(left.len() < whole.len() && whole.starts_with(&left));
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
}

#[tokio::test]
async fn a_rolled_back_database_is_repaired_as_far_as_the_journal_reaches() {
    let (directory, earlier) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append_some(&open(directory.path()), 10, "a").await;
    copy(&directory.path().join("log"), earlier.path());
    append_some(&open(directory.path()), 10, "a").await;
    let written = content(directory.path()).await;
    fs::remove_dir_all(directory.path().join("log")).unwrap();
    copy(earlier.path(), &directory.path().join("log"));
    let without = tempfile::tempdir().unwrap();
    copy(directory.path(), without.path());

    let found = verify(directory.path(), |_| {}).unwrap();
    assert!(found.ok && found.commits == 20, "{found:?}");
    assert_eq!(read_everything(&open(directory.path())).await, written);

    fs::remove_dir_all(without.path().join("journal")).unwrap();
    assert!(refused(without.path()).to_string().contains("holds no journal"));
}

#[tokio::test]
async fn a_journal_that_begins_too_late_is_refused() {
    let (directory, earlier) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append_some(&open(directory.path()), 10, "a").await;
    copy(&directory.path().join("log"), earlier.path());
    for _ in 0..2 {
        append_some(&open(directory.path()), 10, "a").await;
    }
    // The segment of the second ten is gone, that of the third is there.
    let segments = files(&directory.path().join("journal"));
    let holds_frames = |path: &&PathBuf| fs::read(path).unwrap().starts_with(b"6gfr");
    let full: Vec<_> = segments.iter().filter(holds_frames).collect();
    fs::remove_file(full[full.len() - 2]).unwrap();
    fs::remove_dir_all(directory.path().join("log")).unwrap();
    copy(earlier.path(), &directory.path().join("log"));
    let error = refused(directory.path()).to_string();
    assert!(error.contains("ends at position 10 and the journal goes on at 21"), "{error}");
}

#[tokio::test]
async fn the_journal_of_another_log_is_refused() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append_some(&open(one.path()), 10, "a").await;
    append_some(&open(other.path()), 10, "b").await;
    fs::remove_dir_all(one.path().join("journal")).unwrap();
    copy(&other.path().join("journal"), &one.path().join("journal"));
    let error = refused(one.path()).to_string();
    assert!(error.contains("hold different commits"), "{error}");
}

/// Makes the mark one of a program that kept no journal.
fn without_a_journal_ever(directory: &Path) {
    let path = directory.join("high-water");
    let mut bytes = fs::read(&path).unwrap();
    for slot in bytes.chunks_mut(4096) {
        slot[..8].copy_from_slice(b"sixgate1");
        let seal = Hash::of(&slot[..56]);
        slot[56..88].copy_from_slice(seal.as_bytes());
    }
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_log_from_before_the_journal_opens_and_gets_one() {
    let directory = tempfile::tempdir().unwrap();
    append_some(&open(directory.path()), 10, "a").await;
    fs::remove_dir_all(directory.path().join("journal")).unwrap();
    assert!(refused(directory.path()).to_string().contains("holds no journal"));
    without_a_journal_ever(directory.path());
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
    append_some(&open(directory.path()), 10, "a").await;
    assert_eq!(read_everything(&open(directory.path())).await.len(), 20);
    assert!(directory.path().join("journal").is_dir());
}

#[tokio::test]
async fn the_journal_does_not_grow_with_the_log() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..12 {
        append_some(&open(directory.path()), 40, "a").await;
    }
    let segments = files(&directory.path().join("journal")).len();
    assert!(segments <= 5, "{segments} segments are left");
    assert_eq!(read_everything(&open(directory.path())).await.len(), 480);
}

#[tokio::test]
async fn a_group_larger_than_a_segment_finds_room() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    for number in 0..30 {
        let events = (0..200).map(|_| sixgate_storage::NewEvent {
            kind: "test.noted".to_owned(),
            schema: 1,
            data: vec![number; 3_000],
        });
        let commit = sixgate_storage::NewCommit {
            events: events.collect(),
            ..crate::support::commit("large", sixgate_storage::Expected::Any, b"")
        };
        sixgate_storage::EventLog::append(&log, commit).await.unwrap();
    }
    drop(log);
    assert_eq!(read_everything(&open(directory.path())).await.len(), 30);
    assert!(verify(directory.path(), |_| {}).unwrap().ok);
}
