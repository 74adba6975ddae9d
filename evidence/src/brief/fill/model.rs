//! The model, its parallel layout and the service targets.
//!
//! Two precisions are no answer: the figure that sizes the memory must be one.
//! A missing degree of parallelism stays open; it is not taken for one.

use super::Group;
use super::leaves::Sought;
use crate::brief::Model;
use crate::brief::clauses;
use crate::document::Warnings;
use crate::{Estimate, Warning};

const PRECISIONS: [&str; 10] =
    ["fp32", "tf32", "bf16", "fp16", "fp8", "fp4", "int8", "int4", "awq", "gptq"];
const PARAMETERS: Sought<'static> = Sought {
    words: &["参数", "模型规模", "规模", "parameter", "params", "size"],
    units: &[("亿", 0.1), ("billion", 1.0), ("b", 1.0), ("t", 1000.0)],
};
/// A clause that is only `70B` or `Llama 70B` names the size by its unit.
const BARE_PARAMETERS: Sought<'static> =
    Sought { words: &[""], units: &[("billion", 1.0), ("b", 1.0)] };
const VRAM: Sought<'static> = Sought {
    words: &["显存", "vram", "memory per card", "memory"],
    units: &[("gib", 1.0), ("gb", 1.0), ("g", 1.0)],
};
const DEGREE: &[(&str, f64)] = &[("路", 1.0), ("", 1.0), (")", 1.0), ("-way", 1.0)];
const TENSOR: Sought<'static> =
    Sought { words: &["张量并行", "tensor parallel", "tensor", "tp"], units: DEGREE };
const DATA: Sought<'static> =
    Sought { words: &["数据并行", "data parallel", "dp"], units: DEGREE };
const PIPELINE: Sought<'static> = Sought {
    words: &["流水线并行", "流水并行", "pipeline parallel", "pipeline", "pp"],
    units: DEGREE,
};
const CONCURRENCY: Sought<'static> = Sought {
    words: &["峰值并发", "最大并发", "并发", "peak concurrency", "concurrency", "concurrent"],
    units: &[
        ("万", 10_000.0),
        ("k", 1000.0),
        ("路", 1.0),
        ("", 1.0),
        ("requests", 1.0),
        ("req", 1.0),
    ],
};
const CONTEXT: Sought<'static> = Sought {
    words: &["上下文", "context"],
    units: &[("k", 1024.0), ("tokens", 1.0), ("token", 1.0), ("", 1.0)],
};
const LATENCY: Sought<'static> = Sought {
    words: &["延迟", "时延", "latency"],
    units: &[("毫秒", 1.0), ("ms", 1.0), ("秒", 1000.0), ("s", 1000.0), ("", 1.0)],
};

pub(super) fn model(model: &Group<'_>, targets: &Group<'_>, warnings: &mut Warnings) -> Model {
    let mut parameters_b = model.number(&PARAMETERS, warnings);
    if parameters_b.is_tbd() {
        let bare = model.number(&BARE_PARAMETERS, warnings);
        parameters_b = if bare.is_tbd() { parameters_b } else { bare };
    }
    Model {
        parameters_b,
        precision: precision(model, warnings),
        vram_per_card_gib: model.number(&VRAM, warnings),
        tensor_parallel: model.count(&TENSOR, warnings),
        data_parallel: model.count(&DATA, warnings),
        pipeline_parallel: model.count(&PIPELINE, warnings),
        peak_concurrency: targets.count(&CONCURRENCY, warnings),
        context_tokens: targets.count(&CONTEXT, warnings),
        latency_ms: targets.number(&LATENCY, warnings),
    }
}

fn precision(model: &Group<'_>, warnings: &mut Warnings) -> Estimate<String> {
    let lower = model.clauses.join("\n").to_lowercase();
    let mut named = PRECISIONS.iter().filter(|word| lower.contains(*word));
    match (named.next(), named.next()) {
        (Some(one), None) => Estimate::known((*one).to_owned()),
        (Some(one), Some(other)) => {
            let said = format!("both {one} and {other} are named");
            warnings.push(Warning::new("precision_not_one", &*said));
            Estimate::tbd(said)
        }
        (None, _) => {
            let clause = model
                .clauses
                .iter()
                .find(|clause| clauses::named(clause, &["精度", "precision"]).is_some());
            Estimate::tbd(clause.map_or(model.note.as_str(), |clause| clause))
        }
    }
}
