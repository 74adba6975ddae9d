//! `sixgate size`: how many cards a model needs, from the shell.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Ran, run};

/// Thirty-two layers with grouped heads, in the product's own form.
fn model() -> (TempDir, PathBuf) {
    let heads = json!({
        "query": 32, "kv": 8, "key_dim": 128, "value_dim": 128,
        "input_bias": false, "output_bias": false,
    });
    let layers = json!({
        "count": 32,
        "attention": { "kind": "full", "heads": heads },
        "feed_forward": { "kind": "dense", "width": 14_336, "gated": true, "bias": false },
        "norm_parameters": 8_192,
    });
    let shape = json!({
        "hidden": 4_096, "vocabulary": 128_256, "tied_embeddings": false, "layers": [layers],
        "other_parameters": 4_096, "vision": false,
        "stored": { "format": "bf16", "covers": "everything", "rest": "bf16" },
    });
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("model.json");
    std::fs::write(&file, shape.to_string()).unwrap();
    (directory, file)
}

fn size(more: &[&str]) -> Ran {
    let (_directory, file) = model();
    let file = file.to_str().unwrap();
    run(&[&["size", "--model", file, "--concurrency", "16", "--context", "8192"], more].concat())
}

#[test]
fn a_size_tells_each_part_and_why() {
    let ran = size(&["--card", "NVIDIA H100 80GB HBM3", "--json"]);
    let answer = ran.json();
    assert_eq!(ran.code, Some(0));
    assert_eq!(answer["parameters"], 8_030_261_248_u64);
    assert_eq!(answer["weights_bytes"], 16_060_522_496_u64);
    assert_eq!(answer["kv_bytes_per_token"], 131_072);
    assert_eq!(answer["kv_bytes"], 16_u64 * 8_192 * 131_072);
    assert_eq!((&answer["cards"], &answer["cards_per_node"]), (&json!(1), &json!(1)));
    assert_eq!(answer["layout"], json!({ "tensor": 1, "pipeline": 1, "data": 1 }));
    assert_eq!((&answer["scale"], &answer["fits"]), (&json!("up"), &json!(true)));
    assert_eq!(answer["reasons"], json!([]));
    let usable = answer["usable_bytes_per_card"].as_u64().unwrap();
    assert!(usable < 81_559 * 1_048_576 * 9 / 10, "less than the tool prints");
    let why = answer["why"].as_array().unwrap();
    assert!(why.iter().all(|line| !line["formula"].as_str().unwrap().contains('{')));
}

#[test]
fn formats_and_the_part_that_may_be_filled_count() {
    let with =
        |more: &[&str]| -> Value { size(&[&["--card", "L20", "--json"], more].concat()).json() };
    let (plain, quantised) = (with(&[]), with(&["--weights", "fp8", "--kv", "fp8"]));
    assert_eq!(quantised["kv_bytes_per_token"], 65_536);
    assert!(quantised["weights_bytes"].as_u64() < plain["weights_bytes"].as_u64());
    let less = with(&["--utilisation", "0.5"]);
    assert!(less["usable_bytes_per_card"].as_u64() < plain["usable_bytes_per_card"].as_u64());
    let tuned = with(&["--use", "fine-tuning"]);
    assert_eq!(tuned["kv_bytes"], 0);
}

#[test]
fn a_chart_is_one_svg_in_the_language_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("memory.svg");
    let chart = ["--card", "L20", "--chart", file.to_str().unwrap(), "--locale", "zh-CN"];
    size(&chart).succeeded();
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("最满一张卡的显存：L20") && svg.contains("峰值KV缓存"), "{svg}");
    let alone = size(&["--card", "L20", "--locale", "zh-CN"]);
    assert!(alone.code == Some(2) && alone.errors.contains("--chart"), "{alone:?}");
}

#[test]
fn a_size_is_readable_without_json_and_says_which_card_it_took() {
    let text = size(&["--card", "H100"]).succeeded();
    assert!(text.contains("1 × H100 SXM") && text.contains("fits several cards"), "{text}");
}

#[test]
fn what_cannot_be_sized_is_refused_with_the_reason() {
    assert!(size(&["--card", "Voodoo 2"]).refused(2).contains("Voodoo 2"));
    let file = "no/such/model.json";
    let words = ["size", "--card", "L20", "--concurrency", "1", "--context", "1", "--model", file];
    assert!(run(&words).refused(2).contains(file));
}
