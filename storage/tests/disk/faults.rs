//! Damage to every block of a small log: it must be harmless or refused, never silently lost.
//!
//! The rule under test: after any damage the log opens with everything that was acknowledged, or
//! does not open, or refuses to read. What was read is compared with what was written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{append_some, commit, open, read_everything};
use sixgate_storage::sled::{Options, verify};
use sixgate_storage::{Commit, Error, EventLog, Position, SledLog};

const BLOCK_BYTES: usize = 512;

#[derive(Debug, Clone, Copy)]
enum Damage {
    FlipOneBit,
    Zero,
    Truncate,
    /// The block before, written a second time in this place.
    Repeat,
}

/// A directory with a log that was opened and closed several times, and what is in it.
async fn prepared(directory: &Path) -> Vec<Commit> {
    for round in 0..3 {
        let log = open(directory);
        append_some(&log, 15, &format!("round-{round}")).await;
        log.append(commit("large", sixgate_storage::Expected::Any, &[round; 5000])).await.unwrap();
    }
    let log = open(directory);
    read_everything(&log).await
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn is_snapshot(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with("snap.")
}

/// The blocks of a file that hold anything; sled fills the rest of a segment with zeros.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let blocks = bytes.chunks(BLOCK_BYTES).enumerate();
    blocks.filter(|(_, block)| block.iter().any(|byte| *byte != 0)).map(|(n, _)| n).collect()
}

fn damaged(bytes: &[u8], block: usize, damage: Damage) -> Vec<u8> {
    let start = block * BLOCK_BYTES;
    let end = bytes.len().min(start + BLOCK_BYTES);
    let mut bytes = bytes.to_vec();
    match damage {
        Damage::FlipOneBit => bytes[start + block * 37 % (end - start)] ^= 1 << (block % 8),
        Damage::Zero => bytes[start..end].fill(0),
        Damage::Truncate => bytes.truncate(start),
        Damage::Repeat => {
            let before = start.saturating_sub(BLOCK_BYTES);
            bytes.copy_within(before..before + (end - start), start);
        }
    }
    bytes
}

/// `None` for a log with everything in it, or the code with which it was refused.
async fn verdict(directory: &Path, written: &[Commit]) -> Option<&'static str> {
    match SledLog::open(directory, Options::default()) {
        Ok(log) => match log.read_all(Position::ZERO, usize::MAX).await {
            Ok(read) => {
                assert!(read == written, "{} of {} commits are left", read.len(), written.len());
                None
            }
            Err(error @ Error::Corrupt { .. }) => Some(error.code()),
            Err(other) => panic!("damage was reported as something else: {other:?}"),
        },
        Err(error) => {
            assert!(["corrupt", "format"].contains(&error.code()), "{error:?}");
            Some(error.code())
        }
    }
}

/// Damages every block of every file in turn, or every so manieth case of that.
pub(crate) async fn damage_everything(
    source: &Path,
    written: &[Commit],
    with_snapshots: bool,
    every: usize,
) -> BTreeMap<String, usize> {
    let mut verdicts = BTreeMap::new();
    let mut case = 0;
    for path in files(source) {
        if is_snapshot(&path) && !with_snapshots {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        for block in blocks(&bytes) {
            for damage in [Damage::FlipOneBit, Damage::Zero, Damage::Truncate, Damage::Repeat] {
                case += 1;
                if case % every != 0 {
                    continue;
                }
                let target = tempfile::tempdir().unwrap();
                copy(source, target.path());
                if !with_snapshots {
                    let all = files(target.path()).into_iter();
                    all.filter(|path| is_snapshot(path)).for_each(|p| fs::remove_file(p).unwrap());
                }
                let relative = path.strip_prefix(source).unwrap();
                let bytes = damaged(&bytes, block, damage);
                fs::write(target.path().join(relative), bytes).unwrap();
                let name = verdict(target.path(), written).await.unwrap_or("intact");
                let top = relative.iter().next().unwrap().to_string_lossy();
                *verdicts.entry(format!("{top} {damage:?} {name}")).or_default() += 1;
            }
        }
    }
    verdicts
}

pub(crate) fn report(what: &str, verdicts: &BTreeMap<String, usize>) {
    println!("{what}: {} cases", verdicts.values().sum::<usize>());
    verdicts.iter().for_each(|(verdict, count)| println!("  {count:5} {verdict}"));
}

#[tokio::test]
async fn damage_to_any_block_is_harmless_or_refused() {
    let source = tempfile::tempdir().unwrap();
    let written = prepared(source.path()).await;
    for with_snapshots in [true, false] {
        let verdicts = damage_everything(source.path(), &written, with_snapshots, 1).await;
        report(&format!("small log, with snapshots: {with_snapshots}"), &verdicts);
        assert!(verdicts.keys().any(|verdict| verdict.ends_with("corrupt")));
    }
}

#[tokio::test]
async fn damage_to_a_log_of_several_segments_is_harmless_or_refused() {
    let source = tempfile::tempdir().unwrap();
    for round in 0..4 {
        append_some(&open(source.path()), 500, &format!("round-{round}")).await;
    }
    let written = read_everything(&open(source.path())).await;
    assert_eq!(written.len(), 2000);
    for with_snapshots in [true, false] {
        let verdicts = damage_everything(source.path(), &written, with_snapshots, 401).await;
        report(&format!("larger log, with snapshots: {with_snapshots}"), &verdicts);
    }
}

#[tokio::test]
async fn a_snapshot_that_a_crash_left_unfinished_is_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let written = prepared(directory.path()).await;
    let unfinished = directory.path().join("log/snap.7FFFFFFFFFFFFFFF.generating");
    fs::write(&unfinished, "half").unwrap();
    assert_eq!(verdict(directory.path(), &written).await, None);
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn a_missing_part_is_refused() {
    let source = tempfile::tempdir().unwrap();
    let written = prepared(source.path()).await;
    for part in ["format", "high-water", "log", "log/db", "blobs"] {
        let target = tempfile::tempdir().unwrap();
        copy(source.path(), target.path());
        let path = target.path().join(part);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        assert_eq!(verdict(target.path(), &written).await, Some("corrupt"), "{part}");
        // Refusing must not have created anything that makes the next attempt succeed.
        assert_eq!(verdict(target.path(), &written).await, Some("corrupt"), "{part} again");
        let found = verify(target.path(), |_| {}).unwrap();
        assert!(!found.ok && found.why.is_some(), "{part}: {found:?}");
    }
}

#[tokio::test]
async fn a_log_older_than_its_mark_lost_its_tail() {
    let (early, late) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append_some(&open(early.path()), 10, "a").await;
    copy(early.path(), late.path());
    append_some(&open(late.path()), 1, "a").await;
    fs::copy(late.path().join("high-water"), early.path().join("high-water")).unwrap();
    let found = verify(early.path(), |_| {}).unwrap();
    assert!(!found.ok);
    assert_eq!((found.commits, found.high_water), (10, Some(Position(11))));
    assert_eq!(found.first_bad, Some(Position(11)));
    let error = SledLog::open(early.path(), Options::default()).unwrap_err();
    assert!(error.to_string().contains("the log lost its tail"), "{error}");
    assert!(error.to_string().contains("restore the newest backup"), "{error}");
}

#[tokio::test]
async fn an_older_mark_is_brought_forward() {
    let directory = tempfile::tempdir().unwrap();
    append_some(&open(directory.path()), 10, "a").await;
    let mark = fs::read(directory.path().join("high-water")).unwrap();
    append_some(&open(directory.path()), 10, "a").await;
    fs::write(directory.path().join("high-water"), mark).unwrap();
    assert_eq!(read_everything(&open(directory.path())).await.len(), 20);
    assert_eq!(verify(directory.path(), |_| {}).unwrap().high_water, Some(Position(20)));
}

#[tokio::test]
async fn the_mark_of_another_log_is_refused() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append_some(&open(one.path()), 10, "a").await;
    append_some(&open(other.path()), 5, "b").await;
    fs::copy(other.path().join("high-water"), one.path().join("high-water")).unwrap();
    let error = SledLog::open(one.path(), Options::default()).unwrap_err();
    assert!(matches!(error, Error::Corrupt { position: Some(Position(5)), .. }), "{error:?}");
    assert_eq!(verify(one.path(), |_| {}).unwrap().first_bad, Some(Position(5)));
}

#[tokio::test]
async fn creation_can_be_interrupted_anywhere() {
    let whole = tempfile::tempdir().unwrap();
    drop(open(whole.path()));
    for left in [&[][..], &["blobs"], &["high-water"], &["high-water", "log", "blobs"]] {
        let target = tempfile::tempdir().unwrap();
        for name in left {
            let (from, to) = (whole.path().join(name), target.path().join(name));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                fs::copy(from, to).unwrap();
            }
        }
        append_some(&open(target.path()), 3, "a").await;
        assert_eq!(read_everything(&open(target.path())).await.len(), 3);
    }
}

#[tokio::test]
async fn a_database_that_was_interrupted_while_it_made_its_files_is_made_anew() {
    let whole = tempfile::tempdir().unwrap();
    drop(open(whole.path()));
    let bytes = fs::read(whole.path().join("log/db")).unwrap();
    for block in 0..bytes.len().div_ceil(BLOCK_BYTES).min(64) {
        for damage in [Damage::Zero, Damage::Truncate] {
            let target = tempfile::tempdir().unwrap();
            copy(whole.path(), target.path());
            fs::remove_file(target.path().join("format")).unwrap();
            fs::write(target.path().join("log/db"), damaged(&bytes, block, damage)).unwrap();
            append_some(&open(target.path()), 3, "a").await;
            assert_eq!(read_everything(&open(target.path())).await.len(), 3);
        }
    }
}

#[tokio::test]
async fn another_format_is_refused_untouched() {
    let directory = tempfile::tempdir().unwrap();
    append_some(&open(directory.path()), 3, "a").await;
    fs::write(directory.path().join("format"), "sixgate log 2\n").unwrap();
    let error = SledLog::open(directory.path(), Options::default()).unwrap_err();
    assert_eq!(error.code(), "format");
    assert!(error.to_string().contains("use the version of the program that wrote it"));
    fs::write(directory.path().join("format"), "sixgate log 1\n").unwrap();
    assert_eq!(read_everything(&open(directory.path())).await.len(), 3);
}
