//! What each layer caches, told by the list or the pattern that the family writes.
//!
//! A flag that switches windows off beats the field that states their width.
//! A pattern that is not known makes the layers unknown; they are not taken for full attention.

mod patterns;

use super::fields::Fields;
use super::heads::Heads;
use super::{LayerGroup, LayerKind};
use serde_json::Value;

#[derive(Clone, Copy)]
pub(super) struct Layer {
    pub(super) kind: LayerKind,
    pub(super) kv_heads: Option<u64>,
    pub(super) key_dim: Option<u64>,
    pub(super) value_dim: Option<u64>,
    pub(super) window: Option<u64>,
    /// One vector for keys and values of all heads.
    is_latent: bool,
}

const BYTES: u64 = 2;

/// `None` when the number of layers or their pattern is not known.
pub(super) fn layers(
    fields: &Fields<'_>,
    heads: &Heads,
    unknown: &mut Vec<String>,
) -> Option<Vec<Layer>> {
    let count = usize::try_from(fields.layers()?).ok()?;
    let kinds = match patterns::kinds(fields, count) {
        Ok(kinds) => kinds,
        Err(why) => {
            unknown.push(format!("layer_groups: {why}"));
            return None;
        }
    };
    let shared = fields.number(&["num_kv_shared_layers"]).unwrap_or(0);
    let first_shared = count.saturating_sub(usize::try_from(shared).unwrap_or(0));
    let layer = |(at, kind): (usize, LayerKind)| {
        let kind =
            if at >= first_shared && kind != LayerKind::State { LayerKind::Shared } else { kind };
        Layer::new(fields, heads, kind, at)
    };
    Some(kinds.into_iter().enumerate().map(layer).collect())
}

impl Layer {
    fn new(fields: &Fields<'_>, heads: &Heads, kind: LayerKind, at: usize) -> Self {
        let mut layer = Self {
            kind,
            kv_heads: heads.kv,
            key_dim: heads.key_dim,
            value_dim: heads.value_dim,
            window: None,
            is_latent: false,
        };
        match kind {
            LayerKind::State | LayerKind::None => {
                (layer.kv_heads, layer.key_dim, layer.value_dim) = (None, None, None);
            }
            LayerKind::Full => {
                layer.kv_heads = fields
                    .number(&["num_global_key_value_heads"])
                    .or_else(|| block_kv_heads(fields, heads, at))
                    .or(heads.kv);
                if let Some(width) = fields.number(&["global_head_dim"]) {
                    (layer.key_dim, layer.value_dim) = (Some(width), Some(width));
                }
            }
            LayerKind::Sliding => {
                layer.window = fields.window_field();
                layer.kv_heads = fields.number(&["swa_num_key_value_heads"]).or(heads.kv);
                if let Some(width) = fields.number(&["swa_head_dim"]) {
                    layer.key_dim = Some(width);
                    layer.value_dim = fields.number(&["swa_v_head_dim"]).or(Some(width));
                }
            }
            LayerKind::Chunked => layer.window = fields.number(&["attention_chunk_size"]),
            LayerKind::Cross | LayerKind::Shared => {}
        }
        if let Some(latent) = heads.latent
            && !matches!(kind, LayerKind::State | LayerKind::None)
        {
            layer.kv_heads = Some(1);
            layer.key_dim = Some(latent.kv_rank + latent.rope_dim);
            layer.value_dim = None;
            layer.is_latent = true;
        }
        layer
    }

    /// Of this layer for each token of text, as if no window ended it.
    pub(super) fn kv_bytes(&self) -> Option<u64> {
        match self.kind {
            LayerKind::State | LayerKind::Cross | LayerKind::Shared | LayerKind::None => Some(0),
            LayerKind::Full | LayerKind::Sliding | LayerKind::Chunked => {
                let key = self.key_dim?;
                let value = if self.is_latent { 0 } else { self.value_dim? };
                self.kv_heads?.checked_mul(key + value)?.checked_mul(BYTES)
            }
        }
    }

    pub(super) fn group_of_one(&self) -> LayerGroup {
        LayerGroup {
            kind: self.kind,
            layers: 1,
            kv_heads: self.kv_heads,
            head_dim: self.key_dim,
            window_tokens: self.window,
            kv_bytes_per_token: self.kv_bytes(),
        }
    }
}

/// In models found by architecture search each block states how many heads share a key.
fn block_kv_heads(fields: &Fields<'_>, heads: &Heads, at: usize) -> Option<u64> {
    let attention = fields.list("block_configs")?.get(at)?.get("attention")?;
    let in_group =
        attention.get("n_heads_in_group").and_then(Value::as_u64).filter(|heads| *heads > 0)?;
    heads.queries.map(|queries| queries / in_group)
}
