//! Families with a gated feed-forward part, dense or as a mixture of experts.
//!
//! All experts are counted, since all have to be in memory; those a token does not visit are kept apart.

use super::super::LayerKind;
use super::super::fields::Fields;
use super::super::heads::Heads;
use super::super::layers::Layer;
use super::{Shape, Sum, missing, wanted};

pub(super) fn gated(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    let attention = attention(fields, heads, shape)?;
    let norms_each = match fields.family() {
        "gemma2" | "gemma3_text" => 4,
        _ => 2,
    };
    let mut sum = feed_forward(fields, shape)?;
    sum.all += shape.layers * (attention + norms_each * shape.hidden) + outside(shape);
    Ok(sum)
}

/// Embeddings and the last norm.
fn outside(shape: &Shape) -> u128 {
    shape.vocab * shape.hidden * shape.embeddings + shape.hidden
}

/// Grouped queries, with the biases and norms of the family.
fn attention(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<u128, String> {
    let width = wanted(heads.key_dim, "head_dim")?;
    let kv = wanted(heads.kv, "num_key_value_heads")?;
    let (queries, keys) = (shape.heads * width, kv * width);
    let family = fields.family();
    let stated_bias =
        fields.flag("attention_bias") == Some(true) || fields.flag("bias") == Some(true);
    let biases = match family {
        "qwen2" | "qwen2_moe" | "qwen2_vl" | "qwen2_5_vl" | "qwen2_vl_text" | "qwen2_5_vl_text" => {
            queries + 2 * keys
        }
        _ if stated_bias => queries + 2 * keys + shape.hidden,
        _ => 0,
    };
    let norms = match family {
        "qwen3" | "qwen3_moe" | "qwen3_vl_text" | "qwen3_vl_moe_text" | "gemma3_text" => 2 * width,
        _ => 0,
    };
    Ok(2 * shape.hidden * (queries + keys) + biases + norms)
}

/// Of all layers together.
fn feed_forward(fields: &Fields<'_>, shape: &Shape) -> Result<Sum, String> {
    let hidden = shape.hidden;
    let bias = fields.flag("mlp_bias") == Some(true);
    let gated = |inner: u128| 3 * hidden * inner + if bias { 2 * inner + hidden } else { 0 };
    let is_llama4 = fields.family() == "llama4_text";
    let dense_width = if is_llama4 {
        fields.number(&["intermediate_size_mlp"])
    } else {
        fields.intermediate_size()
    };
    let Some(experts) = fields.experts().map(u128::from) else {
        return Ok(Sum::dense(shape.layers * gated(wanted(dense_width, "intermediate_size")?)));
    };
    let used = wanted(fields.experts_per_token(), "num_experts_per_tok")?;
    let width = wanted(fields.expert_intermediate_size(), "moe_intermediate_size")?;
    let with_experts = wanted(fields.expert_layers(), "the number of layers with experts")?;
    let without = shape.layers - with_experts;
    let dense = if without == 0 { 0 } else { gated(wanted(dense_width, "intermediate_size")?) };
    let mut beside = fields.shared_experts().map_or(0, u128::from) * 3 * hidden * width;
    if let Some(shared) = fields.number(&["shared_expert_intermediate_size"]) {
        // A shared expert of its own width, and the gate that weighs it.
        beside += 3 * hidden * u128::from(shared) + hidden;
    }
    if is_llama4 {
        beside += 3 * hidden * width;
    }
    let router =
        hidden * experts + if fields.word("topk_method") == Some("noaux_tc") { experts } else { 0 };
    let expert = 3 * hidden * width;
    Ok(Sum {
        all: with_experts * (experts * expert + beside + router) + without * dense,
        idle: with_experts * experts.saturating_sub(used) * expert,
    })
}

/// Queries and keys through narrow matrices, each with a norm of its own.
pub(super) fn latent(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    if fields.flag("attention_bias") == Some(true) {
        return Err("attention_bias is set, for which there is no rule".to_owned());
    }
    let latent = heads.latent.ok_or_else(|| missing("kv_lora_rank"))?;
    let nope = wanted(latent.nope_dim, "qk_nope_head_dim")?;
    let value = wanted(latent.value_dim, "v_head_dim")?;
    let (rank, rope) = (u128::from(latent.kv_rank), u128::from(latent.rope_dim));
    let (hidden, heads) = (shape.hidden, shape.heads);
    let queries = match latent.query_rank.map(u128::from) {
        Some(narrow) => hidden * narrow + narrow + narrow * heads * (nope + rope),
        None => hidden * heads * (nope + rope),
    };
    let keys = hidden * (rank + rope) + rank + rank * heads * (nope + value);
    let layer = queries + keys + heads * value * hidden + 2 * hidden;
    let mut sum = feed_forward(fields, shape)?;
    sum.all += shape.layers * layer + outside(shape);
    Ok(sum)
}

/// Biases everywhere, also in experts and router, and a sink for each head.
pub(super) fn gpt_oss(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    let hidden = shape.hidden;
    let experts = wanted(fields.experts(), "num_local_experts")?;
    let used = wanted(fields.experts_per_token(), "num_experts_per_tok")?;
    let inner = wanted(fields.intermediate_size(), "intermediate_size")?;
    let expert = 3 * hidden * inner + 2 * inner + hidden;
    let layer = attention(fields, heads, shape)?
        + shape.heads
        + hidden * experts
        + experts
        + experts * expert
        + 2 * hidden;
    Ok(Sum {
        all: shape.layers * layer + outside(shape),
        idle: shape.layers * experts.saturating_sub(used) * expert,
    })
}

/// Layers of linear attention between layers of gated full attention.
pub(super) fn with_states(
    fields: &Fields<'_>,
    heads: &Heads,
    shape: &Shape,
    layers: &[Layer],
) -> Result<Sum, String> {
    let number = |name: &str| wanted(fields.number(&[name]), name);
    let hidden = shape.hidden;
    let (key_heads, value_heads) =
        (number("linear_num_key_heads")?, number("linear_num_value_heads")?);
    let (key_dim, value_dim) = (number("linear_key_head_dim")?, number("linear_value_head_dim")?);
    let (keys, values) = (key_heads * key_dim, value_heads * value_dim);
    let mixed = 2 * keys + values;
    // Projections of queries, keys, values and gate; two scalars a head; a convolution; decay, bias and norm.
    let state = hidden * (mixed + values)
        + hidden * 2 * value_heads
        + mixed * number("linear_conv_kernel_dim")?
        + 2 * value_heads
        + value_dim
        + values * hidden;
    let width = wanted(heads.key_dim, "head_dim")?;
    let kv = wanted(heads.kv, "num_key_value_heads")?;
    // The queries come with a gate of the same width.
    let full =
        hidden * (2 * shape.heads + 2 * kv) * width + shape.heads * width * hidden + 2 * width;
    let states = layers.iter().filter(|layer| layer.kind == LayerKind::State).count() as u128;
    let fulls = layers.iter().filter(|layer| layer.kind == LayerKind::Full).count() as u128;
    if layers.is_empty() || states + fulls != shape.layers {
        return Err("the kinds of its layers are not known".to_owned());
    }
    let mut sum = feed_forward(fields, shape)?;
    sum.all += states * state + fulls * full + shape.layers * 2 * hidden + outside(shape);
    Ok(sum)
}
