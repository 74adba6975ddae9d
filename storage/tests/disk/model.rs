//! The log on disk does what the log in memory does, whatever is asked of them.

use crate::support::open;
use proptest::prelude::*;
use sixgate_storage::{
    EventLog, Expected, MemoryLog, NewCommit, NewEvent, Position, Revision, SledLog, StreamId,
};

#[derive(Debug, Clone)]
enum Operation {
    Append(NewCommit),
    /// Several appends that wait at the same time, and so may share a group.
    AppendTogether(Vec<NewCommit>),
    ReadStream(StreamId, Revision, usize),
    ReadAll(Position, usize),
    Reopen,
}

fn stream() -> impl Strategy<Value = StreamId> {
    (0..4_u8).prop_map(|number| StreamId::new(format!("stream-{number}")).unwrap())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => prop::collection::vec(any::<u8>(), 0..40),
        1 => (3830..3850_usize, any::<u8>()).prop_map(|(size, byte)| vec![byte; size]),
    ]
}

fn event() -> impl Strategy<Value = NewEvent> {
    (0..3_u8, any::<u16>(), bytes()).prop_map(|(kind, schema, data)| NewEvent {
        kind: format!("kind.{kind}"),
        schema,
        data,
    })
}

fn new_commit() -> impl Strategy<Value = NewCommit> {
    let expected = prop_oneof![
        2 => Just(Expected::Any),
        1 => Just(Expected::Absent),
        3 => (0..4_u64).prop_map(|revision| Expected::Exactly(Revision(revision))),
    ];
    let events = prop::collection::vec(event(), 0..4);
    (stream(), expected, bytes(), events).prop_map(|(stream, expected, metadata, events)| {
        NewCommit { stream, expected, metadata, events }
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        6 => new_commit().prop_map(Operation::Append),
        2 => prop::collection::vec(new_commit(), 2..6).prop_map(Operation::AppendTogether),
        2 => (stream(), 0..5_u64, 0..5_usize)
            .prop_map(|(stream, after, most)| Operation::ReadStream(stream, Revision(after), most)),
        2 => (0..20_u64, 0..8_usize)
            .prop_map(|(after, most)| Operation::ReadAll(Position(after), most)),
        1 => Just(Operation::Reopen),
    ]
}

/// Answers of both logs in a form that can be compared: an error is its text.
fn answer<T>(result: Result<T, sixgate_storage::Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

async fn append_together(memory: &MemoryLog, sled: &SledLog, commits: Vec<NewCommit>) {
    let waiting = commits.iter().cloned().map(|commit| sled.append(commit));
    let outcomes = futures_util::future::join_all(waiting).await;
    // Commits that wait together may be stored in any order, so the order that was chosen is
    // taken from the positions. Those that were refused change nothing and need no place.
    let accepted = outcomes.into_iter().zip(commits);
    let mut accepted: Vec<_> =
        accepted.filter_map(|(outcome, commit)| Some((outcome.ok()?, commit))).collect();
    accepted.sort_by_key(|(appended, _)| appended.position);
    for (appended, commit) in accepted {
        assert_eq!(memory.append(commit).await.unwrap(), appended);
    }
}

async fn run(operations: Vec<Operation>) {
    let directory = tempfile::tempdir().unwrap();
    let memory = MemoryLog::new();
    let mut sled = Some(open(directory.path()));
    for operation in operations {
        let log = sled.as_ref().unwrap();
        match operation {
            Operation::Append(commit) => {
                let due = answer(memory.append(commit.clone()).await);
                assert_eq!(answer(log.append(commit).await), due);
            }
            Operation::AppendTogether(commits) => append_together(&memory, log, commits).await,
            Operation::ReadStream(stream, after, most) => assert_eq!(
                answer(log.read_stream(&stream, after, most).await),
                answer(memory.read_stream(&stream, after, most).await)
            ),
            Operation::ReadAll(after, most) => assert_eq!(
                answer(log.read_all(after, most).await),
                answer(memory.read_all(after, most).await)
            ),
            Operation::Reopen => {
                drop(sled.take());
                sled = Some(open(directory.path()));
            }
        }
        let log = sled.as_ref().unwrap();
        assert_eq!(log.head().await.unwrap(), memory.head().await.unwrap());
        assert_eq!(*log.watch().borrow(), *memory.watch().borrow());
    }
    let log = sled.as_ref().unwrap();
    let all = memory.read_all(Position::ZERO, usize::MAX).await.unwrap();
    assert_eq!(log.read_all(Position::ZERO, usize::MAX).await.unwrap(), all);
    let (ours, due) = (log.statistics().await.unwrap(), memory.statistics().await.unwrap());
    assert_eq!((ours.commits, ours.events), (due.commits, due.events));
    assert_eq!((ours.streams, ours.bytes_of_events), (due.streams, due.bytes_of_events));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_log_on_disk_agrees_with_the_one_in_memory(
        operations in prop::collection::vec(operation(), 1..40),
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(run(operations));
    }
}
