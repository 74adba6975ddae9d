//! `sixgate accept`: a rented machine on its first day, judged from the shell.
//!
//! The good machine is the demo's; each bad one differs from it in one thing only.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Ran, run};

const PROMISE: &str = r#"
card = "H100 SXM"
cards = 8
memory_mib_min = 81000
driver_min = "550.54"
power_limit_w_min = 700
pcie_generation_min = 5
memory_growth_mib_max = 1024
collective_gb_s_min = 450
success_min = "99.5"
first_token_p99_ms_max = 1000
"#;

/// The files of one machine in a directory of their own.
struct Machine {
    directory: TempDir,
    files: Vec<PathBuf>,
}

impl Machine {
    fn good() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo/input/poc/starsea");
        let names = ["nvidia-smi.csv", "all_reduce_perf.txt", "vllm-serve.json"];
        let files = names.map(|name| {
            let file = directory.path().join(name);
            std::fs::copy(source.join(name), &file).unwrap();
            file
        });
        std::fs::write(directory.path().join("promise.toml"), PROMISE).unwrap();
        Self { directory, files: files.into() }
    }

    /// Changes the text of one file.
    fn with(self, name: &str, change: impl Fn(&str) -> String) -> Self {
        let file = self.directory.path().join(name);
        let text = std::fs::read_to_string(&file).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "the change changes something");
        std::fs::write(file, changed).unwrap();
        self
    }

    fn and(mut self, name: &str, content: &str) -> Self {
        let file = self.directory.path().join(name);
        std::fs::write(&file, content).unwrap();
        self.files.push(file);
        self
    }

    fn accept(&self, more: &[&str]) -> Ran {
        let promise = self.directory.path().join("promise.toml");
        let mut words = vec!["accept", "--promise", promise.to_str().unwrap()];
        words.extend(more);
        words.extend(self.files.iter().map(|file| file.to_str().unwrap()));
        run(&words)
    }

    #[track_caller]
    fn judged(&self) -> (Option<i32>, Value) {
        let ran = self.accept(&["--json"]);
        let report = serde_json::from_str(&ran.output).unwrap_or_else(|_| panic!("{ran:?}"));
        (ran.code, report)
    }
}

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[track_caller]
fn fails(machine: &Machine, name: &str) -> Value {
    let (code, report) = machine.judged();
    let check = check(&report, name);
    assert_eq!((code, &check["outcome"]), (Some(1), &json!("fail")), "{check}");
    check.clone()
}

#[test]
fn the_machine_that_was_promised_is_accepted() {
    let ran = Machine::good().accept(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.output);
    assert!(ran.output.contains("✓ Card model as promised: NVIDIA H100 80GB HBM3 (H100 SXM)"));
    assert!(!ran.output.contains('✗') && !ran.output.contains('?'), "{}", ran.output);
}

#[test]
fn a_throttled_machine_fails_and_says_by_what() {
    let hot = Machine::good().with("nvidia-smi.csv", |text| {
        text.replacen("0x0000000000000000", "0x0000000000000044", 9)
    });
    let check = fails(&hot, "throttling");
    assert_eq!(check["detail"], "power cap, hardware thermal slowdown");
    assert_eq!(check["file"], "nvidia-smi.csv");
    let capped = Machine::good()
        .with("nvidia-smi.csv", |text| text.replace("0x0000000000000000", "0x0000000000000004"));
    assert_eq!(capped.judged().0, Some(0), "a power cap at full power is normal");
}

#[test]
fn a_card_that_drops_out_in_round_thirteen_fails() {
    let lost = Machine::good().with("nvidia-smi.csv", |text| {
        let row = |number: usize| number > 12 * 8 && (number - 1) % 8 == 3;
        let kept = text.lines().enumerate().filter(|(number, _)| !row(*number));
        kept.map(|(_, line)| format!("{line}\n")).collect()
    });
    let check = fails(&lost, "dropped_out");
    assert_eq!(check["measured"], "1");
    assert!(check["detail"].as_str().unwrap().contains("2026-02-03"), "{check}");
}

#[test]
fn another_card_with_the_right_memory_fails() {
    // It prints exactly as much memory.
    let other = Machine::good()
        .with("nvidia-smi.csv", |text| text.replace("NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe"));
    let check = fails(&other, "identity");
    assert_eq!(check["measured"], "NVIDIA H100 PCIe");
}

#[test]
fn seven_of_eight_ranks_fail() {
    let seven = Machine::good().with("all_reduce_perf.txt", |text| {
        let kept = text.lines().filter(|line| !line.contains("Rank  7"));
        kept.map(|line| format!("{line}\n")).collect()
    });
    assert_eq!(fails(&seven, "collective_ranks")["measured"], "7");
}

#[test]
fn a_benchmark_in_which_all_failed_is_no_fast_one() {
    let failed = Machine::good().with("vllm-serve.json", |text| {
        text.replace("\"completed\": 1000", "\"completed\": 0")
            .replace("\"failed\": 0", "\"failed\": 1000")
            .replace("\"p99_ttft_ms\": 840.2", "\"p99_ttft_ms\": 0.0")
    });
    fails(&failed, "success_rate");
    let (_, report) = failed.judged();
    let latency = check(&report, "first_token");
    assert_eq!((&latency["outcome"], &latency["measured"]), (&json!("inconclusive"), &json!(null)));
}

#[test]
fn a_diagnosis_that_skipped_everything_is_inconclusive() {
    let skipped = json!({ "DCGM Diagnostic": {
        "metadata": { "version": "4.2.3" },
        "entity_groups": [{ "entity_group": "GPU", "entity_group_id": 1, "entities": [
            { "device_id": "2330", "entity_id": 0, "serial_num": "1650" },
        ] }],
        "test_categories": [{ "category": "Hardware", "tests": [{
            "name": "memory",
            "results": [{
                "entity_group": "GPU", "entity_group_id": 1, "entity_id": 0, "status": "Skip",
            }],
            "test_summary": { "status": "Skip" },
        }] }],
    } });
    let machine = Machine::good().and("dcgmi-diag.json", &skipped.to_string());
    let (code, report) = machine.judged();
    let check = check(&report, "diagnostics_executed");
    assert_eq!((code, &check["because"]), (Some(2), &json!("nothing_executed")), "{check}");
}

#[test]
fn a_log_that_was_cut_short_is_inconclusive() {
    let cut = Machine::good().with("all_reduce_perf.txt", |text| {
        text.split_once("# Out of bounds").unwrap().0.to_owned()
    });
    let (code, report) = cut.judged();
    assert_eq!(code, Some(2));
    assert_eq!(check(&report, "collective_bandwidth")["because"], "cut_short");
    let told = cut.accept(&["--locale", "zh-CN"]);
    assert!(told.output.contains("文件不完整，测试未结束"), "{}", told.output);
}

#[test]
fn a_file_that_was_promised_and_is_missing_is_seen() {
    let mut machine = Machine::good();
    machine.files.pop();
    let (code, report) = machine.judged();
    assert_eq!(code, Some(2));
    assert_eq!(check(&report, "success_rate")["because"], "no_evidence");
}

#[test]
fn a_later_run_is_compared_with_the_baseline() {
    let before = Machine::good();
    let report = before.accept(&["--json"]).output;
    let slower = Machine::good().with("vllm-serve.json", |text| {
        text.replace("\"p99_ttft_ms\": 840.2", "\"p99_ttft_ms\": 960.0")
    });
    let kept = slower.directory.path().join("accepted.json");
    std::fs::write(&kept, report).unwrap();
    let baseline = ["--baseline", kept.to_str().unwrap()];
    assert_eq!(slower.accept(&[]).code, Some(0), "the promise is still kept");
    let ran = slower.accept(&baseline);
    assert_eq!(ran.code, Some(1), "{}", ran.output);
    assert!(
        ran.output.contains("✗ p99 time to first token: 840.2 → 960 (+14.3 %)"),
        "{}",
        ran.output
    );
    let wide = slower.accept(&[&baseline[..], &["--tolerance", "20"]].concat());
    assert_eq!(wide.code, Some(0), "{}", wide.output);
}

#[test]
fn what_is_no_evidence_or_no_promise_is_refused_with_its_name() {
    let machine = Machine::good().and("notes.txt", "the machine was fine\n");
    let ran = machine.accept(&[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("notes.txt"), "{}", ran.errors);
    let machine = Machine::good();
    std::fs::write(machine.directory.path().join("promise.toml"), "cards = 8\n").unwrap();
    let ran = machine.accept(&[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("missing field `card`"), "{}", ran.errors);
}
