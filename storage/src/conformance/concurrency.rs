//! Checks with several callers at the same time.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::{Log, append, commit, event, everything, stream};
use crate::{Error, Expected, NewCommit, Position, Revision};

/// However many expect the same revision, exactly one is accepted each time.
pub async fn of_appenders_to_one_revision_one_wins(log: Log) {
    let appenders = 8_u64;
    let rounds = 10_u64;
    for round in 0..rounds {
        let mut racing = JoinSet::new();
        for appender in 0..appenders {
            let log = Arc::clone(&log);
            let expected = Expected::Exactly(Revision(round));
            let data = appender.to_string();
            racing.spawn(async move { log.append(commit("one", expected, &data)).await });
        }
        let mut won = 0;
        for outcome in racing.join_all().await {
            match outcome {
                Ok(appended) => {
                    won += 1;
                    assert_eq!(appended.revision, Revision(round + 1));
                }
                Err(Error::Conflict { actual, .. }) => assert_eq!(actual, Revision(round + 1)),
                Err(other) => panic!("only a conflict may refuse: {other:?}"),
            }
        }
        assert_eq!(won, 1);
    }
    assert_eq!(everything(&log).await.len() as u64, rounds);
}

/// Appends to different streams all succeed, and each stream keeps the order of its caller.
pub async fn appenders_to_many_streams_do_not_disturb_each_other(log: Log) {
    let (streams, commits) = (8, 10_u64);
    let mut appending = JoinSet::new();
    for number in 0..streams {
        let log = Arc::clone(&log);
        appending.spawn(async move {
            let name = format!("many-{number}");
            let mut positions = Vec::new();
            for revision in 0..commits {
                let expected = Expected::Exactly(Revision(revision));
                let new = commit(&name, expected, &revision.to_string());
                positions.push(append(&log, new).await.position);
            }
            assert!(positions.is_sorted(), "{positions:?}");
            positions
        });
    }
    let positions: HashSet<Position> = appending.join_all().await.into_iter().flatten().collect();
    let all: HashSet<Position> = (1..=streams * commits).map(Position).collect();
    assert_eq!(positions, all);
    for number in 0..streams {
        let name = stream(&format!("many-{number}"));
        let read = log.read_stream(&name, Revision::ZERO, 100).await.expect("it can be read");
        let data: Vec<_> = read.iter().map(|commit| commit.events[0].data.clone()).collect();
        let due: Vec<_> = (0..commits).map(|revision| revision.to_string().into_bytes()).collect();
        assert_eq!(data, due);
    }
}

/// Readers that run while commits of several events come in see each of them whole.
pub async fn readers_never_see_part_of_a_commit(log: Log) {
    let commits = 30;
    let writer = {
        let log = Arc::clone(&log);
        tokio::spawn(async move {
            for number in 0..commits {
                let mut new = commit("whole", Expected::Any, "0");
                new.events = vec![event(&[number]); 5];
                append(&log, new).await;
            }
        })
    };
    let mut seen = 0;
    while seen < usize::from(commits) {
        let read = everything(&log).await;
        assert!(read.len() >= seen, "what was seen once is seen ever after");
        seen = read.len();
        for (number, commit) in (0..).zip(read) {
            assert_eq!(commit.events.len(), 5);
            assert!(commit.events.iter().all(|event| event.data == [number]));
        }
        tokio::task::yield_now().await;
    }
    writer.await.expect("the writer does not panic");
}

/// Every position that the watch shows can be read at once, and the last one is shown.
pub async fn the_watch_moves_only_to_what_can_be_read(log: Log) {
    let commits = 30;
    let mut watch = log.watch();
    assert_eq!(*watch.borrow_and_update(), Position::ZERO);
    let mut appending = JoinSet::new();
    for number in 0..commits {
        let log = Arc::clone(&log);
        let new: NewCommit = commit(&format!("watched-{}", number % 3), Expected::Any, "x");
        appending.spawn(async move { append(&log, new).await });
    }
    let mut newest = Position::ZERO;
    while newest < Position(commits) {
        watch.changed().await.expect("the log is open");
        let shown = *watch.borrow_and_update();
        assert!(shown > newest, "the watch went from {newest} to {shown}");
        newest = shown;
        let head = log.head().await.expect("the head is known");
        assert!(head.position >= shown);
        let before = Position(shown.0 - 1);
        let read = log.read_all(before, 1).await.expect("it can be read");
        assert_eq!(read.first().map(|commit| commit.position), Some(shown));
    }
    appending.join_all().await;
    assert_eq!(newest, Position(commits));
    let refused = log.append(commit("watched-0", Expected::Absent, "x")).await;
    assert!(refused.is_err());
    assert!(!watch.has_changed().expect("the log is open"), "a refused commit moved the watch");
}
