//! Exports, restores, compaction, signed checkpoints and bundles of logs on disk.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;
use sixgate_storage::bundle::{self, Proved};
use sixgate_storage::checkpoint::{CheckpointBook, SignedCheckpoint, Witnesses};
use sixgate_storage::directory::{Before, compact, restore};
use sixgate_storage::export::{self, Counts, Export};
use sixgate_storage::sled::verify;
use sixgate_storage::{Commit, Error, EventLog, Expected, Hash, Head, SledLog, StreamId};

use crate::support::{append_some, commit, open, read_everything};

/// A log with small and large commits, bytes that are no JSON, and two files.
async fn filled(directory: &Path) -> SledLog {
    let log = open(directory);
    append_some(&log, 300, "some").await;
    let file = log.blobs().put(&vec![9; 100_000]).unwrap();
    log.blobs().put(b"orphan").unwrap();
    for data in [&b"{\"b\":1,\"a\":[1.50]}"[..], b"\xff\x00", b"{ }", &vec![b'7'; 30_000]] {
        log.append(commit("kept", Expected::Any, data)).await.unwrap();
    }
    let naming = format!("{{\"file\":\"{file}\"}}");
    log.append(commit("kept", Expected::Any, naming.as_bytes())).await.unwrap();
    log
}

async fn exported(log: SledLog, book: &CheckpointBook) -> (Vec<u8>, Counts) {
    let blobs = log.blobs().clone();
    let mut export = Export::begin(Arc::new(log), blobs, book.kept().unwrap()).await.unwrap();
    let mut file = Vec::new();
    while let Some(lines) = export.next().await.unwrap() {
        file.extend(lines);
    }
    (file, export.counts())
}

async fn signed(directory: &Path, log: &SledLog) -> SignedCheckpoint {
    let noon = DateTime::from_timestamp(1_800_000_000, 5).unwrap();
    CheckpointBook::new(directory).sign(log, noon).await.unwrap()
}

fn references(commit: &Commit) -> Vec<Hash> {
    let events = commit.events.iter();
    events
        .filter_map(|event| {
            let text = std::str::from_utf8(&event.data).ok()?;
            text.strip_prefix("{\"file\":\"")?.strip_suffix("\"}")?.parse().ok()
        })
        .collect()
}

#[tokio::test]
async fn an_export_comes_back_as_the_same_log_with_its_files_and_checkpoints() {
    let directory = tempfile::tempdir().unwrap();
    let log = filled(directory.path()).await;
    let checkpoint = signed(directory.path(), &log).await;
    append_some(&log, 3, "later").await;
    let before = read_everything(&log).await;
    let (file, counts) = exported(log, &CheckpointBook::new(directory.path())).await;
    assert_eq!((counts.commits, counts.blobs), (308, 3));
    assert_eq!(export::check(&file[..]).unwrap(), counts);
    let target = directory.path().join("restored");
    assert_eq!(restore(&file[..], &target).await.unwrap(), counts);
    assert_eq!(CheckpointBook::new(&target).kept().unwrap(), [checkpoint]);
    let log = open(&target);
    assert_eq!(read_everything(&log).await, before);
    assert_eq!(log.blobs().count().unwrap(), 3);
    let (again, _) = exported(log, &CheckpointBook::new(&target)).await;
    assert_eq!(again, file);
    let refused = restore(&file[..], &target).await.unwrap_err();
    assert_eq!(refused.code(), "invalid");
}

#[tokio::test]
async fn a_changed_or_shortened_export_is_refused_with_its_line_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(&directory.path().join("log"));
    append_some(&log, 2, "a").await;
    log.blobs().put(b"blob").unwrap();
    let (file, _) = exported(log, &CheckpointBook::new(directory.path())).await;
    let target = directory.path().join("target");
    for byte in 0..file.len() {
        let mut changed = file.clone();
        changed[byte] ^= 1;
        let refused = export::check(&changed[..]).unwrap_err();
        assert!(matches!(refused, Error::BadLine { line: 1.., .. }), "{byte}: {refused:?}");
        let cut = export::check(&file[..byte]).unwrap_err();
        assert_eq!(cut.code(), "bad_line", "{byte}");
    }
    let longer = [&file[..], b"\n"].concat();
    assert_eq!(export::check(&longer[..]).unwrap_err().code(), "bad_line");
    for bad in [&file[..file.len() - 1], &file[..file.len() / 2], &longer[..]] {
        assert_eq!(restore(bad, &target).await.unwrap_err().code(), "bad_line");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "only the log is there");
    }
}

#[tokio::test]
async fn a_directory_whose_import_did_not_end_does_not_open() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("made");
    append_some(&open(&target), 5, "a").await;
    // As it is while an import runs.
    fs::rename(target.join("format"), target.join("format.hidden")).unwrap();
    let refused = SledLog::open(&target, Default::default()).unwrap_err();
    assert_eq!(refused.code(), "corrupt");
    fs::rename(&target, directory.path().join("data.unfinished")).unwrap();
    let again = restore(&b""[..], &directory.path().join("data")).await.unwrap_err();
    assert!(again.to_string().contains("data.unfinished"), "{again}");
}

#[tokio::test]
async fn compaction_keeps_every_commit_file_and_neighbour() {
    for keep in [true, false] {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("data");
        let log = filled(&directory).await;
        signed(&directory, &log).await;
        let before = read_everything(&log).await;
        assert_eq!(compact(&directory, keep).await.unwrap_err().code(), "busy");
        drop(log);
        fs::create_dir(directory.join("mail")).unwrap();
        fs::write(directory.join("mail/1.eml"), "letter").unwrap();
        let (head, old) = compact(&directory, keep).await.unwrap();
        assert_eq!(head.position.0, 305);
        assert_eq!(fs::read_to_string(directory.join("mail/1.eml")).unwrap(), "letter");
        assert_eq!(CheckpointBook::new(&directory).kept().unwrap().len(), 1);
        assert!(directory.join("signing-key").exists());
        assert!(verify(&directory, |_| {}).unwrap().ok);
        let log = open(&directory);
        assert_eq!(read_everything(&log).await, before);
        assert_eq!(log.blobs().count().unwrap(), 3);
        match old {
            Before::Kept(old) => assert!(verify(&old, |_| {}).unwrap().ok),
            Before::Removed => assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1),
        }
    }
}

#[tokio::test]
async fn a_history_that_was_written_anew_contradicts_a_kept_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    append_some(&log, 10, "a").await;
    let checkpoint = signed(directory.path(), &log).await;
    append_some(&log, 3, "a").await;
    let pass = |commits: &[Commit]| {
        let mut witnesses = Witnesses::new(vec![checkpoint.clone()])?;
        for commit in commits {
            witnesses.pass(Head { position: commit.position, hash: commit.hash })?;
        }
        witnesses.finish()
    };
    let commits = read_everything(&log).await;
    pass(&commits).unwrap();
    assert!(pass(&commits[..9]).unwrap_err().contains("does not reach"));
    let mut rewritten = commits.clone();
    rewritten[4].hash = Hash::of(b"another history, with the same head");
    assert!(pass(&rewritten).unwrap_err().contains("another history"));
    let mut forged = checkpoint.clone();
    forged.at += chrono::Duration::days(1);
    assert!(Witnesses::new(vec![forged]).unwrap_err().contains("signature"));
}

#[tokio::test]
async fn every_byte_of_a_bundle_is_proved() {
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    let file = log.blobs().put(b"evidence").unwrap();
    append_some(&log, 3, "other").await;
    log.append(commit("kept", Expected::Any, b"{\"a\":1}")).await.unwrap();
    append_some(&log, 2, "other").await;
    let naming = format!("{{\"file\":\"{file}\"}}");
    log.append(commit("kept", Expected::Any, naming.as_bytes())).await.unwrap();
    append_some(&log, 2, "other").await;
    let checkpoint = signed(directory.path(), &log).await;
    let stream = StreamId::new("kept").unwrap();
    let mut written = Vec::new();
    let counts = bundle::write(&log, log.blobs(), &stream, &checkpoint, &references, |lines| {
        written.extend_from_slice(lines);
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!((counts.commits, counts.blobs), (2, 1));
    let check = |file: &[u8], key| bundle::verify(file, key, &references);
    let proved: Proved = check(&written, Some(checkpoint.key)).unwrap();
    assert_eq!((proved.commits, proved.events, proved.blobs), (2, 2, 1));
    assert_eq!((proved.last_position.0, &proved.stream), (7, &stream));
    assert_eq!(check(&written, Some(Hash::ZERO)).unwrap_err().code(), "bad_line");
    for byte in 0..written.len() {
        let mut changed = written.clone();
        changed[byte] ^= 1;
        assert_eq!(check(&changed, None).unwrap_err().code(), "bad_line", "{byte}");
    }
    for cut in 0..written.len() {
        assert_eq!(check(&written[..cut], None).unwrap_err().code(), "bad_line", "{cut}");
    }
}

#[tokio::test]
async fn the_signing_key_is_made_once_and_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let log = open(directory.path());
    let first = signed(directory.path(), &log).await;
    append_some(&log, 1, "a").await;
    let second = signed(directory.path(), &log).await;
    assert_eq!(first.key, second.key);
    let mode = fs::metadata(directory.path().join("signing-key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(CheckpointBook::new(directory.path()).kept().unwrap(), [first, second]);
}
