//! Checks of what an append accepts, refuses and records.

use super::{Log, append, commit, event, everything, stream};
use crate::{Error, Expected, Hash, NewCommit, NewEvent, Position, Revision};

/// `Any` is accepted for an absent and for an existing stream.
pub async fn any_revision_can_be_expected(log: Log) {
    let first = append(&log, commit("a", Expected::Any, "1")).await;
    let second = append(&log, commit("a", Expected::Any, "2")).await;
    assert_eq!((first.position, first.revision), (Position(1), Revision(1)));
    assert_eq!((second.position, second.revision), (Position(2), Revision(2)));
}

/// `Absent` is accepted once.
pub async fn an_absent_stream_can_be_expected(log: Log) {
    append(&log, commit("a", Expected::Absent, "1")).await;
    append(&log, commit("b", Expected::Absent, "1")).await;
    let refused = log.append(commit("a", Expected::Absent, "2")).await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    assert_eq!(everything(&log).await.len(), 2);
}

/// `Exactly` is accepted for the revision of the stream and no other; zero means absent.
pub async fn an_exact_revision_can_be_expected(log: Log) {
    append(&log, commit("a", Expected::Exactly(Revision::ZERO), "1")).await;
    append(&log, commit("a", Expected::Exactly(Revision(1)), "2")).await;
    for wrong in [0, 1, 3, u64::MAX] {
        let refused = log.append(commit("a", Expected::Exactly(Revision(wrong)), "3")).await;
        assert!(matches!(refused, Err(Error::Conflict { .. })), "{wrong}: {refused:?}");
    }
    append(&log, commit("a", Expected::Exactly(Revision(2)), "3")).await;
    let refused = log.append(commit("b", Expected::Exactly(Revision(1)), "1")).await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
}

/// A conflict carries what a caller needs to explain it, and leaves nothing behind.
pub async fn conflicts_say_what_was_expected_and_what_is_there(log: Log) {
    append(&log, commit("a", Expected::Any, "1")).await;
    append(&log, commit("a", Expected::Any, "2")).await;
    let expected = Expected::Exactly(Revision(1));
    match log.append(commit("a", expected, "3")).await {
        Err(error @ Error::Conflict { .. }) => {
            assert_eq!(error.code(), "conflict");
            assert_eq!(
                error.to_string(),
                "stream a is at revision 2, but the append expected revision 1"
            );
        }
        other => panic!("a conflict was due, and came: {other:?}"),
    }
    assert_eq!(log.head().await.expect("the head is known").position, Position(2));
    assert_eq!(append(&log, commit("a", Expected::Any, "3")).await.position, Position(3));
}

/// Positions count all commits, revisions those of a stream, and both without a gap.
pub async fn positions_are_gap_free_and_total(log: Log) {
    let names = ["a", "b", "a", "c", "b", "a", "a", "c", "b", "a"];
    let mut revisions = std::collections::HashMap::new();
    for (position, name) in (1..).zip(names) {
        let revision = revisions.entry(name).or_insert(0);
        *revision += 1;
        let appended = append(&log, commit(name, Expected::Any, "x")).await;
        assert_eq!(appended.position, Position(position));
        assert_eq!(appended.revision, Revision(*revision));
    }
    let commits = everything(&log).await;
    assert_eq!(commits.len(), names.len());
    for ((position, name), commit) in (1..).zip(names).zip(&commits) {
        assert_eq!(commit.position, Position(position));
        assert_eq!(commit.stream, stream(name));
    }
}

/// Everything given comes back, the events in their order.
pub async fn a_commit_is_recorded_as_it_was_given(log: Log) {
    let events: Vec<NewEvent> = (0..50_u16)
        .map(|number| NewEvent {
            kind: format!("checked.kind_{}", number % 7),
            schema: number,
            data: vec![u8::try_from(number).unwrap_or_default(); usize::from(number)],
        })
        .collect();
    let metadata = (0..=255).collect::<Vec<u8>>();
    let given = NewCommit {
        stream: stream("a"),
        expected: Expected::Absent,
        metadata: metadata.clone(),
        events: events.clone(),
    };
    let appended = append(&log, given).await;
    let stored = everything(&log).await.remove(0);
    assert_eq!(stored.position, appended.position);
    assert_eq!(stored.revision, appended.revision);
    assert_eq!(stored.hash, appended.hash);
    assert_eq!(stored.stream, stream("a"));
    assert_eq!(stored.metadata, metadata);
    let came_back: Vec<NewEvent> = stored
        .events
        .into_iter()
        .map(|event| NewEvent { kind: event.kind, schema: event.schema, data: event.data })
        .collect();
    assert_eq!(came_back, events);
}

/// The chain starts at zero, covers the content, and ends at the head.
pub async fn the_hash_chain_links_every_commit_to_the_one_before(log: Log) {
    let mut acknowledged = Vec::new();
    for number in 0..20_u8 {
        let mut new = commit(["a", "b", "c"][usize::from(number % 3)], Expected::Any, "x");
        new.events.push(event(&[number]));
        acknowledged.push(append(&log, new).await.hash);
    }
    let mut previous = Hash::ZERO;
    for commit in everything(&log).await {
        assert_eq!(commit.previous, previous);
        assert_eq!(commit.hash, commit.computed_hash());
        previous = commit.hash;
        assert_eq!(acknowledged.remove(0), previous);
    }
    assert_eq!(log.head().await.expect("the head is known").hash, previous);
}
