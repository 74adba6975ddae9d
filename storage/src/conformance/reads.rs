//! Checks of reading and counting.

use super::{Log, append, commit, event, everything, stream};
use crate::{Expected, Head, Position, Revision};

/// Nothing is there before the first commit.
pub async fn an_empty_log_has_no_head(log: Log) {
    assert_eq!(log.head().await.expect("the head is known"), Head::default());
    assert_eq!(*log.watch().borrow(), Position::ZERO);
    assert!(everything(&log).await.is_empty());
    let statistics = log.statistics().await.expect("it can be counted");
    assert_eq!((statistics.commits, statistics.events, statistics.streams), (0, 0, 0));
}

/// A stream that was never written is empty, even when its name begins like another's.
pub async fn an_absent_stream_is_empty(log: Log) {
    append(&log, commit("case-1", Expected::Any, "x")).await;
    append(&log, commit("case-10", Expected::Any, "x")).await;
    for absent in ["case", "case-", "case-100", "case-2", "a", "z"] {
        let read = log.read_stream(&stream(absent), Revision::ZERO, 10).await;
        assert!(read.expect("it can be read").is_empty(), "{absent}");
    }
    let read = log.read_stream(&stream("case-1"), Revision::ZERO, 10).await;
    assert_eq!(read.expect("it can be read").len(), 1);
}

/// Pages of a stream follow each other without overlap or gap.
pub async fn reads_page_through_a_stream(log: Log) {
    for _ in 0..7 {
        append(&log, commit("a", Expected::Any, "x")).await;
        append(&log, commit("b", Expected::Any, "x")).await;
    }
    let read = async |after, most| {
        let page = log.read_stream(&stream("a"), Revision(after), most).await;
        let page = page.expect("it can be read");
        assert!(page.iter().all(|commit| commit.stream == stream("a")));
        page.iter().map(|commit| commit.revision.0).collect::<Vec<_>>()
    };
    assert_eq!(read(0, 3).await, [1, 2, 3]);
    assert_eq!(read(3, 3).await, [4, 5, 6]);
    assert_eq!(read(6, 3).await, [7]);
    assert_eq!(read(0, usize::MAX).await, [1, 2, 3, 4, 5, 6, 7]);
    for nothing in [read(7, 3).await, read(8, 3).await, read(u64::MAX, 3).await, read(0, 0).await] {
        assert!(nothing.is_empty());
    }
}

/// Pages of the whole log follow each other without overlap or gap.
pub async fn reads_page_through_everything(log: Log) {
    for number in 0..7 {
        append(&log, commit(["a", "b"][number % 2], Expected::Any, "x")).await;
    }
    let read = async |after, most| {
        let page = log.read_all(Position(after), most).await.expect("it can be read");
        page.iter().map(|commit| commit.position.0).collect::<Vec<_>>()
    };
    assert_eq!(read(0, 3).await, [1, 2, 3]);
    assert_eq!(read(3, 3).await, [4, 5, 6]);
    assert_eq!(read(6, 3).await, [7]);
    assert_eq!(read(0, usize::MAX).await, [1, 2, 3, 4, 5, 6, 7]);
    for nothing in [read(7, 3).await, read(8, 3).await, read(u64::MAX, 3).await, read(0, 0).await] {
        assert!(nothing.is_empty());
    }
}

/// Statistics count accepted commits only.
pub async fn statistics_count_what_is_there(log: Log) {
    let mut new = commit("a", Expected::Any, "12345");
    new.events.push(event(b"678"));
    append(&log, new).await;
    append(&log, commit("a", Expected::Any, "9")).await;
    append(&log, commit("b", Expected::Any, "")).await;
    assert!(log.append(commit("b", Expected::Absent, "refused")).await.is_err());
    let statistics = log.statistics().await.expect("it can be counted");
    assert_eq!(statistics.commits, 3);
    assert_eq!(statistics.events, 4);
    assert_eq!(statistics.streams, 2);
    assert_eq!(statistics.bytes_of_events, 9);
}
