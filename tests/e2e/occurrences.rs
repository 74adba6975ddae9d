//! `sixgate occurrences`: when a rule takes place, from the shell.

use serde_json::json;

use crate::process::{Ran, run};

fn occurrences(more: &[&str]) -> Ran {
    run(&[&["occurrences", "--json"], more].concat())
}

#[test]
fn the_ends_of_a_year_s_quarters_are_listed_with_their_instants() {
    let ran = occurrences(&[
        "--rule",
        "quarter-end@09:00",
        "--zone",
        "Asia/Shanghai",
        "--from",
        "2026-01-01",
        "--to",
        "2026-12-31",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.errors);
    let expected = json!([
        { "nominal": "2026-03-31T09:00", "instant": "2026-03-31T01:00:00Z", "shifted_from": null },
        { "nominal": "2026-06-30T09:00", "instant": "2026-06-30T01:00:00Z", "shifted_from": null },
        { "nominal": "2026-09-30T09:00", "instant": "2026-09-30T01:00:00Z", "shifted_from": null },
        { "nominal": "2026-12-31T09:00", "instant": "2026-12-31T01:00:00Z", "shifted_from": null },
    ]);
    assert_eq!(ran.json(), expected);
}

#[test]
fn holidays_shift_and_a_year_without_a_table_is_a_warning() {
    let ran = occurrences(&[
        "--rule",
        "monthly:1@09:00",
        "--zone",
        "Asia/Shanghai",
        "--from",
        "2026-10-01",
        "--to",
        "2027-01-31",
        "--shift",
        "next",
        "--calendar",
        "CN",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.errors);
    let list = ran.json();
    assert_eq!(list[0]["nominal"], "2026-10-08T09:00");
    assert_eq!(list[0]["shifted_from"], "2026-10-01T09:00");
    assert_eq!(list.as_array().unwrap().len(), 4);
    assert!(ran.errors.contains("CN are known for 2027"), "{}", ran.errors);
}

#[test]
fn what_is_no_rule_zone_or_span_is_refused_with_what_is_allowed() {
    let good = ["daily@09:00", "Asia/Shanghai", "2026-01-01", "2026-12-31"];
    for (place, bad, part) in [
        (0, "yearly@09:00", "quarter-end@HH:MM"),
        (0, "daily@25:00", "23:59"),
        (1, "Mars/Base", "Mars/Base"),
        (2, "2026-02-30", "2026-02-30"),
        (3, "2025-12-31", "before it starts"),
        (3, "2200-01-01", "shorter span"),
    ] {
        let mut given = good;
        given[place] = bad;
        let [rule, zone, from, to] = given;
        let ran = occurrences(&["--rule", rule, "--zone", zone, "--from", from, "--to", to]);
        assert_eq!(ran.code, Some(2), "{bad}: {}", ran.output);
        assert!(ran.errors.contains(part), "{bad}: {}", ran.errors);
    }
    let calendar = ["--rule", good[0], "--zone", good[1], "--from", good[2], "--to", good[3]];
    let ran = occurrences(&[&calendar[..], &["--calendar", "XX"]].concat());
    assert!(
        ran.code == Some(2) && ran.errors.contains("shipped are those of CN"),
        "{}",
        ran.errors
    );
}
