//! Inputs that more than one test needs; all names are made up.

use serde_json::{Value, json};

/// A brief that leaves nothing open which the first gate asks for.
pub(crate) fn brief(contact: &str) -> Value {
    let tbd = || json!({ "tbd": "later" });
    json!({
        "use": { "known": "online_inference" },
        "model": {
            "parameters_b": { "known": "8" }, "precision": { "known": "fp16" },
            "vram_per_card_gib": tbd(), "tensor_parallel": tbd(), "data_parallel": tbd(),
            "pipeline_parallel": tbd(),
        },
        "targets": {
            "peak_concurrency": { "known": 16 }, "context_tokens": { "known": 4096 },
            "latency_ms": { "low": "300", "high": "800" },
        },
        "cards": {
            "model": { "known": "RTX 4090" }, "substitutes": [], "total": { "known": 2 },
            "per_node": tbd(),
        },
        "interconnect": {
            "nvlink": tbd(), "between_nodes": { "known": "none" }, "bandwidth_gbit_s": tbd(),
        },
        "storage": {
            "dataset_gib": tbd(), "read_gib_s": tbd(), "checkpoint_gib": tbd(),
            "checkpoint_interval_min": tbd(), "volume_gib": { "known": "200" }, "shared": tbd(),
        },
        "environment": {
            "template": { "known": "vLLM" }, "image": tbd(), "cuda": tbd(), "driver": tbd(),
        },
        "term": {
            "start": tbd(), "months": { "known": 6 }, "load": tbd(), "utilisation": tbd(),
            "phased": tbd(),
        },
        "region": { "known": "华东" },
        "contact": { "name": { "known": contact }, "team": tbd(), "reachable": tbd() },
    })
}

/// A sizing that fits the brief.
pub(crate) fn sizing(procurement: &str) -> Value {
    json!({
        "procurementId": procurement,
        "card": "RTX 4090", "cards": 2, "vramPerCardGib": "24", "usablePercent": "90",
        "kvKibPerToken": { "known": "128" }, "optimizerGib": { "known": "0" },
        "overheadGib": { "low": "2", "high": "4" },
    })
}

/// A comparison in which renting can be priced and owning cannot: nobody gave the rack.
pub(crate) fn owning() -> Value {
    let given = [
        ("NODES", "2"),
        ("CARDS_PER_NODE", "4"),
        ("HOURS_A_DAY", "12"),
        ("HOURS_A_MONTH", "720"),
        ("RENT_PRICE", "10"),
        ("RENT_EGRESS_MONTH", "200"),
        ("RENT_STORAGE_MONTH", "300"),
        ("RENT_LABOUR_MONTH", "500"),
        ("RENT_MIGRATION", "5000"),
        ("RENT_LOSS_MONTH", "400"),
    ];
    let figure = |(input, known)| json!({ "input": input, "estimate": { "known": known } });
    json!({
        "currency": "CNY", "horizonMonths": 12, "billing": "USED", "vatRecoverable": true,
        "operationsTeam": false, "inputs": given.map(figure),
    })
}

/// What a budget is for, after that comparison.
pub(crate) fn chosen(choice: &str) -> Value {
    json!({ "question": owning(), "chosen": choice, "reason": "no team to run machines" })
}

/// One of the files that the demo reads.
pub(crate) fn file(path: &str) -> Vec<u8> {
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/src/demo/input");
    std::fs::read(format!("{input}/{path}")).unwrap()
}
