//! `sixgate simulate`: a few seeds under every fault, and that a seed is one history.
//!
//! A seed that fails is in the message of the failure; `sixgate simulate --seed N --years 1
//! --procurements 4` plays it again.

use serde_json::{Value, json};

use crate::process::run;

/// Small enough to be played by every run of the tests; by hand, years of hundreds are played.
fn simulated(seed: &str, runs: &str) -> Value {
    let small = ["--years", "1", "--procurements", "4", "--json"];
    let ran = run(&[&["simulate", "--seed", seed, "--runs", runs], &small[..]].concat());
    let report = ran.json();
    let told = format!("{:#}\n{}", report["violations"], ran.errors);
    assert_eq!(ran.code, Some(0), "{told}");
    report
}

#[test]
fn a_year_under_faults_breaks_nothing() {
    let report = simulated("20", "2");
    assert_eq!(report["violations"], json!([]));
    let looked = |check: &str| report["checks"][check].as_u64().unwrap_or_default();
    for check in ["occurrence_fired", "letter_settled", "sent_is_taken", "gate_respected"] {
        assert!(looked(check) > 50, "{check} was looked at {} times", looked(check));
    }
    for fault in ["crashes", "clock_jumps", "faults_of_the_relay"] {
        assert!(report["happened"][fault].as_u64().unwrap_or_default() > 3, "{report:#}");
    }
}

#[test]
fn the_same_seed_is_the_same_history_whatever_runs_beside_it() {
    let [alone, beside] = [simulated("3", "1"), simulated("3", "2")];
    assert_eq!(alone["fingerprints"]["3"], beside["fingerprints"]["3"]);
    assert_ne!(beside["fingerprints"]["3"], beside["fingerprints"]["4"]);
}
