//! Checks of what is too little, too much, or just small enough.

use super::{Log, append, commit, event, everything, stream};
use crate::{
    COMMIT_BYTES_MAX, COMMIT_EVENTS_MAX, Error, Expected, KIND_BYTES_MAX, NewCommit, Position,
    Revision,
};

/// A commit must hold an event, and may hold a bounded number of them.
pub async fn a_commit_without_events_is_refused(log: Log) {
    for events in [vec![], vec![event(b"x"); COMMIT_EVENTS_MAX + 1]] {
        let new = NewCommit { events, ..commit("a", Expected::Any, "x") };
        let refused = log.append(new).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    }
    assert!(everything(&log).await.is_empty());
    let most = vec![event(b"x"); COMMIT_EVENTS_MAX];
    append(&log, NewCommit { events: most, ..commit("a", Expected::Any, "x") }).await;
    assert_eq!(everything(&log).await[0].events.len(), COMMIT_EVENTS_MAX);
}

/// A kind is a short visible name.
pub async fn unprintable_kinds_are_refused(log: Log) {
    for kind in ["", " ", "a b", "a\n", "ä", &"k".repeat(KIND_BYTES_MAX + 1)] {
        let mut new = commit("a", Expected::Any, "x");
        new.events[0].kind = kind.to_owned();
        let refused = log.append(new).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{kind:?}: {refused:?}");
    }
    let mut new = commit("a", Expected::Any, "x");
    new.events[0].kind = "k".repeat(KIND_BYTES_MAX);
    append(&log, new).await;
}

/// The largest commit is accepted, and one byte more is not.
pub async fn too_large_commits_are_refused(log: Log) {
    let mut new = commit("a", Expected::Any, "");
    let rest = COMMIT_BYTES_MAX - new.size_bytes();
    new.events[0].data = vec![1; rest];
    append(&log, new.clone()).await;
    new.events[0].data.push(1);
    match log.append(new).await {
        Err(Error::TooLarge { size_bytes, size_bytes_max, .. }) => {
            assert_eq!(size_bytes, size_bytes_max + 1);
        }
        other => panic!("too large was due, and came: {other:?}"),
    }
    let head = log.head().await.expect("the head is known");
    assert_eq!(head.position, Position(1));
}

/// Payloads of every size come back byte for byte, also where several fill a page of a read.
pub async fn large_payloads_come_back(log: Log) {
    let sizes = [0, 1, 3839, 3840, 3841, 4095, 4096, 4097, 100_000, 9_000_000, 9_000_000, 5];
    let bytes = |size: usize, seed: usize| -> Vec<u8> {
        (0..size).map(|index| u8::try_from((index * 31 + seed) % 251).unwrap_or_default()).collect()
    };
    for (seed, size) in sizes.into_iter().enumerate() {
        let mut new = commit("a", Expected::Any, "x");
        new.metadata = bytes(size / 2, seed + 1);
        new.events = vec![event(&bytes(size, seed)), event(b"small")];
        append(&log, new).await;
    }
    for commits in [everything(&log).await, stream_of(&log).await] {
        assert_eq!(commits.len(), sizes.len());
        for ((seed, size), commit) in sizes.into_iter().enumerate().zip(commits) {
            assert!(commit.metadata == bytes(size / 2, seed + 1), "metadata of {size}");
            assert!(commit.events[0].data == bytes(size, seed), "data of {size}");
            assert_eq!(commit.events[1].data, b"small");
        }
    }
}

async fn stream_of(log: &Log) -> Vec<crate::Commit> {
    let mut commits: Vec<crate::Commit> = Vec::new();
    loop {
        let after = commits.last().map_or(Revision::ZERO, |commit| commit.revision);
        let page = log.read_stream(&stream("a"), after, usize::MAX).await.expect("it can be read");
        if page.is_empty() {
            return commits;
        }
        commits.extend(page);
    }
}
