//! What every backend must do, as checks that run against any of them.
//!
//! The rule: each check takes an empty log and panics where the contract of [`EventLog`] is
//! broken. A backend is done when [`all`] returns. Survival of crashes is not checked here,
//! because every backend has its own ways to crash.

mod appends;
mod concurrency;
mod limits;
mod reads;

use std::sync::Arc;

pub use self::appends::{
    a_commit_is_recorded_as_it_was_given, an_absent_stream_can_be_expected,
    an_exact_revision_can_be_expected, any_revision_can_be_expected,
    conflicts_say_what_was_expected_and_what_is_there, positions_are_gap_free_and_total,
    the_hash_chain_links_every_commit_to_the_one_before,
};
pub use self::concurrency::{
    appenders_to_many_streams_do_not_disturb_each_other, of_appenders_to_one_revision_one_wins,
    readers_never_see_part_of_a_commit, the_watch_moves_only_to_what_can_be_read,
};
pub use self::limits::{
    a_commit_without_events_is_refused, large_payloads_come_back, too_large_commits_are_refused,
    unprintable_kinds_are_refused,
};
pub use self::reads::{
    an_absent_stream_is_empty, an_empty_log_has_no_head, reads_page_through_a_stream,
    reads_page_through_everything, statistics_count_what_is_there,
};
use crate::{Appended, Commit, EventLog, Expected, NewCommit, NewEvent, Position, StreamId};

/// An empty log of the backend that is checked.
pub type Log = Arc<dyn EventLog>;

/// Runs every check, each against a log of its own. Needs a runtime with several threads.
pub async fn all(empty_log: impl AsyncFn() -> Log) {
    any_revision_can_be_expected(empty_log().await).await;
    an_absent_stream_can_be_expected(empty_log().await).await;
    an_exact_revision_can_be_expected(empty_log().await).await;
    conflicts_say_what_was_expected_and_what_is_there(empty_log().await).await;
    positions_are_gap_free_and_total(empty_log().await).await;
    a_commit_is_recorded_as_it_was_given(empty_log().await).await;
    the_hash_chain_links_every_commit_to_the_one_before(empty_log().await).await;
    of_appenders_to_one_revision_one_wins(empty_log().await).await;
    appenders_to_many_streams_do_not_disturb_each_other(empty_log().await).await;
    readers_never_see_part_of_a_commit(empty_log().await).await;
    the_watch_moves_only_to_what_can_be_read(empty_log().await).await;
    an_empty_log_has_no_head(empty_log().await).await;
    an_absent_stream_is_empty(empty_log().await).await;
    reads_page_through_a_stream(empty_log().await).await;
    reads_page_through_everything(empty_log().await).await;
    statistics_count_what_is_there(empty_log().await).await;
    a_commit_without_events_is_refused(empty_log().await).await;
    unprintable_kinds_are_refused(empty_log().await).await;
    too_large_commits_are_refused(empty_log().await).await;
    large_payloads_come_back(empty_log().await).await;
}

/// The stream of this name.
fn stream(name: &str) -> StreamId {
    StreamId::new(name).expect("the checks use good names")
}

/// A commit of one small event.
fn commit(name: &str, expected: Expected, data: &str) -> NewCommit {
    NewCommit {
        stream: stream(name),
        expected,
        metadata: format!("about {data}").into_bytes(),
        events: vec![event(data.as_bytes())],
    }
}

fn event(data: &[u8]) -> NewEvent {
    NewEvent { kind: "checked.noted".to_owned(), schema: 1, data: data.to_vec() }
}

/// Appends what must be accepted.
async fn append(log: &Log, commit: NewCommit) -> Appended {
    log.append(commit).await.expect("the commit is good and expected")
}

/// Every commit of the log, read page by page.
async fn everything(log: &Log) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    loop {
        let after = commits.last().map_or(Position::ZERO, |commit| commit.position);
        let page = log.read_all(after, 100).await.expect("the log can be read");
        if page.is_empty() {
            return commits;
        }
        commits.extend(page);
    }
}
