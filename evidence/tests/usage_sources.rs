//! Slurm's accounting and `OpenCost`: what counts as held, and what these sources cannot know.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use sixgate_evidence::{Document, Facts, Kind, Usage, read, read_auto};

fn usage(text: &str) -> (Usage, Document) {
    let document = read_auto(text.as_bytes()).unwrap();
    let Facts::Usage(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

fn has(document: &Document, code: &str) -> bool {
    document.warnings.iter().any(|warning| warning.code == code)
}

const HEADER: &str = "JobID|JobIDRaw|State|Start|End|Elapsed|ElapsedRaw|AllocTRES\n";
const JOB: &str = "7|7|COMPLETED|2026-03-02T00:00:00|2026-03-02T03:00:00|03:00:00|10800|cpu=32,gres/gpu=4,gres/gpu:a40=4\n";

fn sacct(rows: &str) -> String {
    format!("{HEADER}{rows}")
}

#[test]
fn steps_repeat_their_job_and_each_run_of_a_requeued_job_counts() {
    let steps = JOB.replace("7|7", "7.batch|7.batch") + &JOB.replace("7|7", "7.0|7.0");
    let again = JOB.replace(
        "2026-03-02T00:00:00|2026-03-02T03:00:00",
        "2026-03-02T05:00:00|2026-03-02T08:00:00",
    );
    let (facts, document) = usage(&sacct(&format!("{JOB}{steps}{again}")));
    assert_eq!((facts.source.as_str(), facts.series), ("slurm-sacct", 2));
    assert_eq!(facts.allocated_card_hours, Some(24.0));
    assert_eq!((facts.used_card_hours, facts.idle_card_hours, facts.cards), (None, None, Some(4)));
    assert!(document.complete && has(&document, "no_zone"));
}

#[test]
fn a_record_in_two_exports_counts_once() {
    let (facts, document) = usage(&sacct(&format!("{JOB}{HEADER}{JOB}")));
    assert_eq!((facts.allocated_card_hours, facts.series), (Some(12.0), 1));
    assert!(has(&document, "record_repeated"));
}

#[test]
fn cards_are_the_most_held_at_one_time() {
    let second = JOB.replace("7|7", "8|8").replace("T00:00:00", "T02:00:00");
    let third = JOB
        .replace("7|7", "9|9")
        .replace("T00:00:00", "T03:00:00")
        .replace("T03:00:00|2026-03-02T03:00:00", "T03:00:00|2026-03-02T06:00:00");
    assert_eq!(usage(&sacct(&format!("{JOB}{third}"))).0.cards, Some(4));
    assert_eq!(usage(&sacct(&format!("{JOB}{second}"))).0.cards, Some(8));
}

#[test]
fn a_delimiter_at_the_end_or_of_two_signs_is_read() {
    let parsable = sacct(JOB).replace('\n', "|\n");
    assert_eq!(usage(&parsable).0, usage(&sacct(JOB)).0);
    assert_eq!(usage(&sacct(JOB).replace('|', "|#")).0, usage(&sacct(JOB)).0);
}

#[test]
fn a_comment_over_several_lines_is_one_cell() {
    let text = "JobID|Comment|Start|End|ElapsedRaw|AllocTRES\n\
        7|first\nsecond\nthird|2026-03-02T00:00:00|2026-03-02T01:00:00|3600|gres/gpu=2\n8||2026-03-02T00:00:00|2026-03-02T01:00:00|3600|gres/gpu=1\n";
    let (facts, document) = usage(text);
    assert_eq!((facts.allocated_card_hours, facts.series), (Some(3.0), 2));
    assert!(!has(&document, "row_skipped"));
}

#[test]
fn a_running_job_makes_the_file_incomplete() {
    let running = JOB.replace("COMPLETED", "RUNNING").replace("2026-03-02T03:00:00", "Unknown");
    let (facts, document) = usage(&sacct(&running));
    assert_eq!((facts.allocated_card_hours, document.complete), (Some(12.0), false));
}

#[test]
fn cards_that_are_not_tracked_are_unknown_not_zero() {
    let (facts, document) = usage(&sacct(&JOB.replace("gres/gpu=4,gres/gpu:a40=4", "node=1")));
    assert_eq!((facts.allocated_card_hours, facts.cards), (None, None));
    assert!(has(&document, "no_cards_tracked"));
    let refused = read(
        Kind::Usage,
        b"JobID|State|Start|End\n7|COMPLETED|2026-03-02T00:00:00|2026-03-02T03:00:00\n",
    )
    .unwrap_err();
    assert_eq!(refused.code(), "no_cards_column");
}

#[test]
fn elapsed_text_and_a_zone_are_enough() {
    let text = "JobID|Start|End|Elapsed|AllocTRES\n7|2026-03-02T00:00:00+0800|2026-03-03T01:30:00+0800|1-01:30:00|gres/gpu:h100=2\n";
    let (facts, document) = usage(text);
    assert_eq!(facts.allocated_card_hours, Some(51.0));
    assert!(facts.window_start.unwrap().has_zone() && !has(&document, "no_zone"));
}

#[test]
fn a_cut_last_row_is_said() {
    let text = sacct(&format!("{JOB}{}", JOB.replace("7|7", "8|8")));
    let (facts, document) = usage(&text[..text.len() - 70]);
    assert_eq!((facts.series, document.complete), (1, false));
}

fn allocation(items: &str) -> String {
    format!(r#"{{"code": 200, "data": [{{{items}}}]}}"#)
}

fn item(name: &str, rest: &str) -> String {
    format!(
        r#""{name}": {{"name": "{name}", "window": {{"start": "2026-03-02T00:00:00Z", "end": "2026-03-03T00:00:00Z"}}, "minutes": 600, {rest}}}"#
    )
}

#[test]
fn what_opencost_calls_idle_was_requested_by_nobody() {
    let items = [
        item("a", r#""gpuHours": 40, "gpuUsageAverage": 3"#),
        item("__idle__", r#""gpuHours": 8"#),
    ]
    .join(", ");
    let (facts, document) = usage(&allocation(&items));
    assert_eq!(facts.source, "opencost-allocation");
    assert_eq!((facts.allocated_card_hours, facts.used_card_hours), (Some(40.0), Some(30.0)));
    assert_eq!((facts.idle_card_hours, facts.cards), (None, None));
    assert!(has(&document, "not_requested"));
}

#[test]
fn one_item_without_a_measurement_leaves_the_use_unknown() {
    let items = [
        item("a", r#""gpuHours": 40, "gpuUsageAverage": 3"#),
        item("b", r#""gpuHours": 8, "gpuUsageAverage": null"#),
    ]
    .join(", ");
    let (facts, _) = usage(&allocation(&items));
    assert_eq!((facts.allocated_card_hours, facts.used_card_hours), (Some(48.0), None));
}

#[test]
fn assets_give_the_cards_of_nodes() {
    let (facts, _) = usage(&format!(
        r#"{{"code": 200, "data": {{{}}}}}"#,
        item("n", r#""type": "Node", "GPUHours": 80, "gpuCount": 8"#)
    ));
    assert_eq!(
        (facts.source.as_str(), facts.allocated_card_hours, facts.cards),
        ("opencost-assets", Some(80.0), Some(8))
    );
}

#[test]
fn an_error_of_opencost_is_refused() {
    let text = r#"{"code": 400, "message": "bad window", "data": null, "minutes": 1, "window": "gpuHours", "gpuHours": 0}"#;
    assert_eq!(read(Kind::Usage, text.as_bytes()).unwrap_err().code(), "opencost_error");
}
