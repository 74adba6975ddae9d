//! The spellings in which families say which layer does what.
//!
//! Each rule looks for its own field, the most explicit first; a model with none of them has full attention throughout.

use super::super::LayerKind;
use super::super::fields::{Fields, number_in};
use serde_json::Value;

pub(super) type Kinds = Result<Vec<LayerKind>, String>;

/// One kind for each of `count` layers.
pub(super) fn kinds(fields: &Fields<'_>, count: usize) -> Kinds {
    if is_encoder(fields) {
        return Ok(vec![LayerKind::None; count]);
    }
    if fields.flag("is_encoder_decoder") == Some(true) {
        return Err("an encoder and a decoder cache differently".to_owned());
    }
    if fields.value("compress_ratios").is_some() {
        return Err("each layer compresses its cache by a ratio of its own".to_owned());
    }
    listed(fields, count)
        .or_else(|| in_letters(fields, count))
        .or_else(|| by_blocks(fields, count).map(Ok))
        .or_else(|| by_positions(fields, count).map(Ok))
        .or_else(|| by_interval(fields, count).map(Ok))
        .or_else(|| without_attention(fields, count).map(Ok))
        .or_else(|| chunked(fields, count).map(Ok))
        .or_else(|| windows(fields, count).map(Ok))
        .unwrap_or_else(|| Ok(vec![LayerKind::Full; count]))
}

fn each(count: usize, kind: impl Fn(usize) -> LayerKind) -> Vec<LayerKind> {
    (0..count).map(kind).collect()
}

fn full_where(count: usize, other: LayerKind, is_full: impl Fn(usize) -> bool) -> Vec<LayerKind> {
    each(count, |at| if is_full(at) { LayerKind::Full } else { other })
}

/// Embedding and ranking models keep nothing between tokens.
fn is_encoder(fields: &Fields<'_>) -> bool {
    matches!(
        fields.family(),
        "bert"
            | "roberta"
            | "xlm-roberta"
            | "distilbert"
            | "albert"
            | "electra"
            | "deberta"
            | "deberta-v2"
            | "modernbert"
            | "mpnet"
            | "nomic_bert"
            | "new"
            | "ernie"
    ) && fields.flag("is_decoder") != Some(true)
}

/// `layer_types` and its relatives: one word for each layer, or a short list that repeats.
fn listed(fields: &Fields<'_>, count: usize) -> Option<Kinds> {
    let names =
        ["layer_types", "layers_block_type", "_block_types", "block_types", "attention_layers"];
    let words =
        names.iter().find_map(|name| fields.list(name)).filter(|words| !words.is_empty())?;
    let has_window = fields.window_field().is_some();
    let kind = |word: &Value| {
        let word = word.as_str().unwrap_or("");
        match word {
            // The recurrent family has windows only.
            "attention" if has_window && fields.family() == "recurrent_gemma" => {
                Ok(LayerKind::Sliding)
            }
            "full_attention" | "attention" | "global_attention" | "global" | "full" | "hybrid" => {
                Ok(LayerKind::Full)
            }
            "sliding_attention" | "local_attention" | "local" | "sliding" => Ok(LayerKind::Sliding),
            "chunked_attention" => Ok(LayerKind::Chunked),
            "linear_attention" | "mamba" | "mamba2" | "recurrent" | "conv" | "linear" | "ssm" => {
                Ok(LayerKind::State)
            }
            "moe" | "mlp" => Ok(LayerKind::None),
            other => {
                let other: String = other.chars().take(40).collect();
                Err(format!("the kind of layer {other:?} is not known"))
            }
        }
    };
    Some((0..count).map(|at| kind(&words[at % words.len()])).collect())
}

fn in_letters(fields: &Fields<'_>, count: usize) -> Option<Kinds> {
    if let Some(pattern) = fields.word("hybrid_override_pattern") {
        let kinds: Option<Vec<LayerKind>> = pattern
            .chars()
            .map(|letter| match letter {
                'M' => Some(LayerKind::State),
                '*' => Some(LayerKind::Full),
                '-' | 'E' => Some(LayerKind::None),
                _ => None,
            })
            .collect();
        return Some(match kinds {
            Some(kinds) if kinds.len() == count => Ok(kinds),
            _ => {
                Err("hybrid_override_pattern does not have one known letter for each layer"
                    .to_owned())
            }
        });
    }
    // `LLLG`: three local layers, then a global one.
    let pattern = fields.word("sliding_window_pattern").filter(|pattern| !pattern.is_empty())?;
    let letters = pattern.as_bytes();
    Some(Ok(full_where(count, LayerKind::Sliding, |at| letters[at % letters.len()] == b'G')))
}

fn by_blocks(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    let blocks = fields.list("block_configs").filter(|blocks| blocks.len() >= count)?;
    let is_left_out = |at: usize| {
        let attention = blocks[at].get("attention");
        let flag = |name: &str| {
            attention.and_then(|attention| attention.get(name)?.as_bool()) == Some(true)
        };
        flag("no_op") || flag("replace_with_linear")
    };
    Some(each(count, |at| if is_left_out(at) { LayerKind::None } else { LayerKind::Full }))
}

/// Lists of the places where attention sits between layers of states, and of zeros and ones.
fn by_positions(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    let holds =
        |places: &[Value], at: usize| places.iter().any(|place| place.as_u64() == Some(at as u64));
    for name in ["attn_layer_indices", "full_attn_idxs", "hybrid_layer_ids"] {
        if let Some(places) = fields.list(name) {
            return Some(full_where(count, LayerKind::State, |at| holds(places, at)));
        }
    }
    if let Some(places) = fields
        .object("linear_attn_config")
        .and_then(|linear| linear.get("full_attn_layers")?.as_array())
    {
        return Some(full_where(count, LayerKind::State, |at| holds(places, at + 1)));
    }
    if let Some(places) = fields.list("cross_attention_layers") {
        return Some(each(count, |at| {
            if holds(places, at) { LayerKind::Cross } else { LayerKind::Full }
        }));
    }
    let one_at = |list: &[Value], at: usize| list.get(at).and_then(Value::as_u64) == Some(1);
    if let Some(kinds) = fields.list("attn_type_list").filter(|kinds| kinds.len() >= count) {
        return Some(full_where(count, LayerKind::State, |at| one_at(kinds, at)));
    }
    let windows = fields.list("hybrid_layer_pattern").filter(|kinds| kinds.len() >= count)?;
    Some(full_where(count, LayerKind::Sliding, |at| !one_at(windows, at)))
}

fn by_interval(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    let every = |interval: u64, at: usize| (at as u64 + 1).is_multiple_of(interval);
    if let Some(interval) = fields.number(&["full_attention_interval"]) {
        return Some(full_where(count, LayerKind::State, |at| every(interval, at)));
    }
    let period = fields.number(&["attn_layer_period"])?;
    let offset = fields.value("attn_layer_offset").and_then(Value::as_u64).unwrap_or(0);
    Some(full_where(count, LayerKind::State, |at| at as u64 % period == offset))
}

fn without_attention(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    let family = fields.family();
    let is_state = matches!(family, "mamba" | "mamba2" | "falcon_mamba" | "xlstm")
        || family.starts_with("rwkv");
    is_state.then(|| vec![LayerKind::State; count])
}

/// Only one family means it: others carry the field without using it.
fn chunked(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    if !matches!(fields.family(), "llama4" | "llama4_text") {
        return None;
    }
    fields.number(&["attention_chunk_size"])?;
    if let Some(rotary) = fields.list("no_rope_layers").filter(|list| list.len() >= count) {
        return Some(full_where(count, LayerKind::Chunked, |at| rotary[at].as_u64() == Some(0)));
    }
    let interval = fields.number(&["no_rope_layer_interval"]).unwrap_or(4);
    Some(full_where(count, LayerKind::Chunked, |at| (at as u64 + 1).is_multiple_of(interval)))
}

fn windows(fields: &Fields<'_>, count: usize) -> Option<Vec<LayerKind>> {
    let window = fields.window_field()?;
    let switched_on = fields.flag("use_sliding_window");
    let family = fields.family();
    let is_qwen = family.starts_with("qwen");
    let off = switched_on == Some(false) || (is_qwen && switched_on.is_none());
    // A window as wide as the context ends nothing.
    if off || fields.context_tokens().is_some_and(|context| window >= context) {
        return None;
    }
    let pattern = |default: u64| {
        fields.number(&["sliding_window_pattern", "_sliding_window_pattern"]).unwrap_or(default)
    };
    let every = |interval: u64| {
        full_where(count, LayerKind::Sliding, |at| (at as u64 + 1).is_multiple_of(interval))
    };
    Some(match family {
        "gemma2" | "gpt_oss" => every(2),
        "gemma3" | "gemma3_text" | "gemma3n" | "gemma3n_text" => every(pattern(6)),
        "cohere2" => every(pattern(4)),
        _ if is_qwen => {
            let first = fields.value("max_window_layers").and_then(Value::as_u64).unwrap_or(0);
            full_where(count, LayerKind::Sliding, |at| (at as u64) < first)
        }
        _ if number_of_pattern(fields).is_some() => every(pattern(1)),
        _ => vec![LayerKind::Sliding; count],
    })
}

fn number_of_pattern(fields: &Fields<'_>) -> Option<u64> {
    let own = fields.number(&["sliding_window_pattern", "_sliding_window_pattern"]);
    own.or_else(|| number_in(fields.object("attn_config")?, "sliding_window_pattern"))
}
