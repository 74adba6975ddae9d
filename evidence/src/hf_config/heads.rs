//! How many heads there are and how wide their keys and values.
//!
//! The width is hidden size over heads only where the file states none: several families state another.
//! Layers that differ from the rest are not known here.

use super::LatentAttention;
use super::fields::{Fields, number_in};

pub(super) struct Heads {
    pub(super) queries: Option<u64>,
    pub(super) kv: Option<u64>,
    pub(super) key_dim: Option<u64>,
    pub(super) value_dim: Option<u64>,
    pub(super) latent: Option<LatentAttention>,
}

impl Heads {
    pub(super) fn find(fields: &Fields<'_>) -> Self {
        let queries = fields.heads();
        let latent = latent(fields);
        let key_dim = fields.head_dim_field().or_else(|| {
            let (hidden, heads) = (fields.hidden_size()?, queries?);
            (hidden % heads == 0).then_some(hidden / heads)
        });
        let kv = kv_heads(fields, queries);
        let value_dim = fields.number(&["v_head_dim"]).filter(|_| latent.is_none()).or(key_dim);
        Self { queries, kv, key_dim, value_dim, latent }
    }
}

fn latent(fields: &Fields<'_>) -> Option<LatentAttention> {
    Some(LatentAttention {
        kv_rank: fields.number(&["kv_lora_rank"])?,
        rope_dim: fields.number(&["qk_rope_head_dim"])?,
        nope_dim: fields.number(&["qk_nope_head_dim"]),
        value_dim: fields.number(&["v_head_dim"]),
        query_rank: fields.number(&["q_lora_rank"]),
    })
}

/// Without a field of its own every head has keys and values, except where a flag says that one set serves all.
fn kv_heads(fields: &Fields<'_>, queries: Option<u64>) -> Option<u64> {
    let multi_query = fields.flag("multi_query");
    match fields.family() {
        "falcon" | "RefinedWeb" | "RefinedWebModel"
            if multi_query == Some(true)
                && fields.flag("new_decoder_architecture") != Some(true) =>
        {
            return fields
                .number(&["n_head_kv"])
                .filter(|_| fields.family() == "RefinedWeb")
                .or(Some(1));
        }
        "gpt_bigcode" => return if multi_query == Some(false) { queries } else { Some(1) },
        "chatglm" if fields.flag("multi_query_attention") == Some(false) => return queries,
        // Each layer has its own number, in `block_configs`.
        "nemotron-nas" => return None,
        _ => {}
    }
    fields
        .kv_heads_field()
        .or_else(|| fields.number(&["multi_query_group_num", "num_attention_groups"]))
        .or_else(|| number_in(fields.object("attn_config")?, "kv_n_heads"))
        .or(queries)
}
