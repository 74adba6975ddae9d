//! Two more procurements, so that a portfolio has something to show: one that got stuck in its
//! first stage, and one that looks for candidates.

use serde_json::{Value, json};

use super::{organisation::Organisation, stage::Theatre};

/// Opens both; the first is the one that will get stuck.
pub(super) async fn open(theatre: &Theatre, people: &Organisation) -> anyhow::Result<[String; 2]> {
    let fine_tuning = theatre.open_procurement(&people.requester, "视觉模型微调").await?;
    let brief = json!({ "procurementId": fine_tuning, "brief": unsure_brief() });
    theatre.command(&people.requester, "recordBrief", brief).await?;
    let assistant = theatre.open_procurement(&people.second_requester, "客服助手推理").await?;
    let brief = json!({ "procurementId": assistant, "brief": sure_brief() });
    theatre.command(&people.second_requester, "recordBrief", brief).await?;
    Ok([fine_tuning, assistant])
}

/// Takes the second one on, far enough to be screening candidates.
pub(super) async fn finish(
    theatre: &Theatre,
    people: &Organisation,
    id: &str,
) -> anyhow::Result<()> {
    let with = |mut input: Value| {
        input["procurementId"] = json!(id);
        input
    };
    theatre.at("2026-04-08 14:00").await?;
    let sizing = json!({
        "card": "RTX 4090", "cards": 2, "vramPerCardGib": "24", "usablePercent": "90",
        "kvKibPerToken": { "known": "128" }, "optimizerGib": { "known": "0" },
        "overheadGib": { "low": "2", "high": "4" },
    });
    theatre.command(&people.operations, "recordSizing", with(sizing)).await?;
    theatre.sign(&people.second_requester, id, "REQUESTER").await?;
    theatre.sign(&people.buyer, id, "PROCUREMENT").await?;
    theatre.advance(&people.buyer, id).await?;
    let plan = json!({ "termMonths": 6, "reservePercent": "15", "currency": "CNY" });
    theatre.command(&people.finance, "planBudget", with(plan)).await?;
    let rental = json!({
        "kind": "RENTAL", "perMonth": { "low": "2400", "high": "3600" },
        "currency": "CNY", "basis": "2 张 RTX 4090 包月参考价",
    });
    theatre.command(&people.buyer, "recordCost", with(rental)).await?;
    for kind in ["NETWORK_EGRESS", "STORAGE", "OPERATIONS_LABOUR", "MIGRATION", "FAILURE_LOSS"] {
        let zero = json!({ "kind": kind, "zeroBecause": "已包含在现有平台费用中" });
        theatre.command(&people.finance, "recordCost", with(zero)).await?;
    }
    theatre.sign(&people.finance, id, "FINANCE").await?;
    theatre.advance(&people.buyer, id).await?;
    for supplier in [&people.starsea, &people.beichen] {
        let candidate = with(json!({ "supplierId": supplier }));
        theatre.command(&people.buyer, "addCandidate", candidate).await?;
    }
    // Time enough that the stuck one is resumed and its signature requests would be due again.
    theatre.at("2026-04-08 17:00").await
}

fn tbd() -> Value {
    json!({ "tbd": "待定" })
}

fn known(value: impl serde::Serialize) -> Value {
    json!({ "known": value })
}

/// Everything open, as briefs often begin.
fn blank_brief() -> Value {
    json!({
        "use": tbd(),
        "model": {
            "parameters_b": tbd(), "precision": tbd(), "vram_per_card_gib": tbd(),
            "tensor_parallel": tbd(), "data_parallel": tbd(), "pipeline_parallel": tbd(),
        },
        "targets": { "peak_concurrency": tbd(), "context_tokens": tbd(), "latency_ms": tbd() },
        "cards": { "model": tbd(), "substitutes": [], "total": tbd(), "per_node": tbd() },
        "interconnect": { "nvlink": tbd(), "between_nodes": tbd(), "bandwidth_gbit_s": tbd() },
        "storage": {
            "dataset_gib": tbd(), "read_gib_s": tbd(), "checkpoint_gib": tbd(),
            "checkpoint_interval_min": tbd(), "volume_gib": tbd(), "shared": tbd(),
        },
        "environment": { "template": tbd(), "image": tbd(), "cuda": tbd(), "driver": tbd() },
        "term": {
            "start": tbd(), "months": tbd(), "load": tbd(), "utilisation": tbd(), "phased": tbd(),
        },
        "region": tbd(),
        "contact": { "name": tbd(), "team": tbd(), "reachable": tbd() },
    })
}

fn unsure_brief() -> Value {
    let mut brief = blank_brief();
    brief["use"] = known("fine_tuning");
    brief["model"]["parameters_b"] = json!({ "low": "3", "high": "7" });
    brief["cards"]["model"] = known("RTX 4090");
    brief["cards"]["total"] = json!({ "low": 2, "high": 4 });
    brief["contact"]["name"] = known("林晓");
    brief
}

fn sure_brief() -> Value {
    let mut brief = blank_brief();
    brief["use"] = known("online_inference");
    brief["model"]["parameters_b"] = known("8");
    brief["model"]["precision"] = known("fp16");
    brief["targets"] = json!({
        "peak_concurrency": known(16), "context_tokens": known(4_096),
        "latency_ms": { "low": "300", "high": "800" },
    });
    brief["cards"]["model"] = known("RTX 4090");
    brief["cards"]["total"] = known(2);
    brief["interconnect"]["between_nodes"] = known("none");
    brief["storage"]["volume_gib"] = known("200");
    brief["environment"]["template"] = known("vLLM");
    brief["term"]["months"] = known(6);
    brief["region"] = known("华东");
    brief["contact"]["name"] = known("周航");
    brief
}
