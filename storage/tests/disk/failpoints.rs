//! A process that ends itself at each named place in the life of a commit loses nothing.

use crate::crash::{check, run_to};

/// Where a group is on its way when the process ends.
const APPENDING: [&str; 5] =
    ["before_frame", "after_frame", "after_mark", "after_apply", "after_settle"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_ends_anywhere_in_a_commit_loses_nothing_acknowledged() {
    for point in APPENDING {
        let directory = tempfile::tempdir().unwrap();
        let mut acknowledged = Vec::new();
        for (round, time) in [1, 2, 3, 7].into_iter().enumerate() {
            // Settling is rarer than anything else, since it waits until nothing else is to do.
            let time = if point == "after_settle" { 1 } else { time };
            acknowledged.extend(run_to(directory.path(), &format!("{point}:{time}")));
            check(directory.path(), &acknowledged, round as u64).await;
        }
        check(directory.path(), &acknowledged, 9).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_ends_while_the_log_opens_loses_nothing_acknowledged() {
    let directory = tempfile::tempdir().unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..3 {
        // What the first one leaves is in the journal alone, and the next two end over it.
        acknowledged.extend(run_to(directory.path(), "after_mark:4"));
        for point in ["after_replay:1", "after_begin:1", "after_replay:1"] {
            assert!(run_to(directory.path(), point).is_empty());
        }
        check(directory.path(), &acknowledged, round).await;
    }
    check(directory.path(), &acknowledged, 9).await;
}
