//! Families of one plain shape each: no gate, or fused matrices, with biases of their own.

use super::super::fields::Fields;
use super::super::heads::Heads;
use super::{Shape, Sum, wanted};

/// Learned positions, biases everywhere, a feed-forward part four times as wide.
pub(super) fn gpt2(fields: &Fields<'_>, shape: &Shape) -> Result<Sum, String> {
    let hidden = shape.hidden;
    let positions = wanted(fields.number(&["n_positions", "n_ctx"]), "n_positions")?;
    let inner = fields.intermediate_size().map_or(4 * hidden, u128::from);
    let attention = 4 * hidden * hidden + 4 * hidden;
    let feed_forward = 2 * hidden * inner + inner + hidden;
    let layer = attention + feed_forward + 4 * hidden;
    let embeddings = shape.vocab * hidden * shape.embeddings + positions * hidden;
    Ok(Sum::dense(embeddings + shape.layers * layer + 2 * hidden))
}

/// Attention and feed-forward side by side behind one norm; the output matrix has a bias.
pub(super) fn phi(fields: &Fields<'_>, shape: &Shape) -> Sum {
    let hidden = shape.hidden;
    let inner = fields.intermediate_size().map_or(4 * hidden, u128::from);
    let layer = 4 * hidden * hidden + 4 * hidden + 2 * hidden * inner + inner + hidden + 2 * hidden;
    let embeddings = shape.vocab * hidden * shape.embeddings + shape.vocab;
    Sum::dense(embeddings + shape.layers * layer + 2 * hidden)
}

/// Biases on queries, keys and values; its stated width is that of gate and up together.
pub(super) fn first_qwen(fields: &Fields<'_>, shape: &Shape) -> Result<Sum, String> {
    let hidden = shape.hidden;
    let inner = wanted(fields.intermediate_size(), "intermediate_size")? / 2;
    let layer = 4 * hidden * hidden + 3 * hidden + 3 * hidden * inner + 2 * hidden;
    Ok(Sum::dense(shape.vocab * hidden * shape.embeddings + shape.layers * layer + hidden))
}

/// One fused matrix for queries, keys and values, one for gate and up.
pub(super) fn chatglm(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    let hidden = shape.hidden;
    let inner = wanted(fields.intermediate_size(), "ffn_hidden_size")?;
    let width = wanted(heads.key_dim, "kv_channels")?;
    let kv = wanted(heads.kv, "multi_query_group_num")?;
    let fused = shape.heads * width + 2 * kv * width;
    let bias = if fields.flag("add_qkv_bias") == Some(true) { fused } else { 0 };
    let layer =
        hidden * fused + bias + shape.heads * width * hidden + 3 * hidden * inner + 2 * hidden;
    if fields.flag("add_bias_linear") == Some(true) {
        return Err("add_bias_linear is set, for which there is no rule".to_owned());
    }
    Ok(Sum::dense(shape.vocab * hidden * shape.embeddings + shape.layers * layer + hidden))
}

/// No biases unless stated; the newer form has two norms side by side.
pub(super) fn falcon(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    if fields.flag("bias") == Some(true) || fields.flag("alibi") == Some(true) {
        return Err("biases or alibi are set, for which there is no rule".to_owned());
    }
    let hidden = shape.hidden;
    let width = wanted(heads.key_dim, "head_dim")?;
    let kv = wanted(heads.kv, "n_head_kv")?;
    let is_new =
        fields.flag("new_decoder_architecture") == Some(true) || fields.family() == "RefinedWeb";
    let is_parallel = fields.flag("parallel_attn") != Some(false);
    let norms = if is_new || !is_parallel { 4 * hidden } else { 2 * hidden };
    let inner = fields.intermediate_size().map_or(4 * hidden, u128::from);
    let layer =
        hidden * (shape.heads + 2 * kv) * width + hidden * hidden + 2 * hidden * inner + norms;
    Ok(Sum::dense(shape.vocab * hidden * shape.embeddings + shape.layers * layer + 2 * hidden))
}
