//! A model as its layers: what a sizing has to know of it and nothing else.
//!
//! Layers of the same form are one group, so a shape stays small enough to be kept in an event. It
//! is read from a model's configuration elsewhere; here it is only checked for being possible.

use serde::{Deserialize, Serialize};

use super::{format::Stored, weights::Parameters};
use crate::invalid::Invalid;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelShape {
    pub hidden: u32,
    pub vocabulary: u32,
    /// Whether the output head is the embedding again.
    pub tied_embeddings: bool,
    pub layers: Vec<LayerGroup>,
    /// Outside the layers and the embeddings: the last norm, positions, a vision tower.
    pub other_parameters: u64,
    /// Whether it takes images, which the runtime reserves memory for.
    pub vision: bool,
    /// How the checkpoint is written.
    pub stored: Stored,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerGroup {
    pub count: u32,
    pub attention: Attention,
    pub feed_forward: FeedForward,
    /// Parameters of all norms of one layer.
    pub norm_parameters: u32,
}

/// How a layer looks back, and so what it caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Attention {
    Full {
        heads: Heads,
    },
    /// Sees `window` tokens back.
    Sliding {
        heads: Heads,
        window: u32,
    },
    /// Sees the chunk of `window` tokens that it is in.
    Chunked {
        heads: Heads,
        window: u32,
    },
    /// Multi-head latent attention: one compressed vector a token, whatever the number of heads.
    Latent {
        latent: Latent,
    },
    /// Looks at an encoder's output of a fixed length, not at the text.
    Cross {
        heads: Heads,
        source_tokens: u32,
    },
    /// Looks in both directions at once and caches nothing.
    Encoder {
        heads: Heads,
    },
    /// Linear attention or a state-space layer: a state of constant size for each request.
    State {
        parameters: u64,
        bytes_per_request: u64,
    },
    /// A layer that is a feed-forward network alone.
    Absent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heads {
    pub query: u32,
    pub kv: u32,
    pub key_dim: u32,
    pub value_dim: u32,
    /// Whether queries, keys and values have a bias.
    pub input_bias: bool,
    pub output_bias: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latent {
    pub heads: u32,
    /// Absent when queries are not compressed.
    pub query_rank: Option<u32>,
    pub kv_rank: u32,
    pub rope_dim: u32,
    pub nope_dim: u32,
    pub value_dim: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FeedForward {
    Dense {
        width: u32,
        gated: bool,
        bias: bool,
    },
    /// All experts are in memory; how many a token uses only decides the speed.
    Experts {
        count: u32,
        width: u32,
        gated: bool,
        /// Width of the experts that every token passes, all together.
        shared_width: u32,
        /// Whether the router corrects its choice by a bias for each expert.
        router_bias: bool,
    },
    Absent,
}

impl Heads {
    /// As most models have them: keys and values of one width and no biases.
    pub fn plain(query: u32, kv: u32, dim: u32) -> Self {
        Self { query, kv, key_dim: dim, value_dim: dim, input_bias: false, output_bias: false }
    }

    /// Elements that one token adds to the cache.
    pub fn cached(&self) -> u128 {
        u128::from(self.kv) * (u128::from(self.key_dim) + u128::from(self.value_dim))
    }
}

impl Attention {
    /// How many heads ask, and the width that each asks and answers with.
    pub fn queries(&self) -> Option<(u32, u32, u32)> {
        match self {
            Self::Latent { latent } => {
                let asks = latent.nope_dim.saturating_add(latent.rope_dim);
                Some((latent.heads, asks, latent.value_dim))
            }
            Self::Full { heads }
            | Self::Sliding { heads, .. }
            | Self::Chunked { heads, .. }
            | Self::Cross { heads, .. }
            | Self::Encoder { heads } => Some((heads.query, heads.key_dim, heads.value_dim)),
            Self::State { .. } | Self::Absent => None,
        }
    }

    pub fn heads(&self) -> Option<&Heads> {
        match self {
            Self::Full { heads }
            | Self::Sliding { heads, .. }
            | Self::Chunked { heads, .. }
            | Self::Cross { heads, .. }
            | Self::Encoder { heads } => Some(heads),
            Self::Latent { .. } | Self::State { .. } | Self::Absent => None,
        }
    }
}

impl ModelShape {
    const LAYERS_MAX: u32 = 4_096;
    const GROUPS_MAX: usize = 256;
    const WIDTH_MAX: u32 = 1 << 20;
    const VOCABULARY_MAX: u32 = 1 << 24;
    const EXPERTS_MAX: u32 = 1 << 16;

    pub fn layer_count(&self) -> u32 {
        self.layers.iter().fold(0, |sum, group| sum.saturating_add(group.count))
    }

    /// Whether it only encodes, as models for embeddings and ranking do.
    pub fn is_encoder(&self) -> bool {
        let encodes = |group: &LayerGroup| matches!(group.attention, Attention::Encoder { .. });
        self.layers.iter().any(encodes)
    }

    /// Refuses what no model can be, before it is multiplied.
    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: String| Err(Invalid::new("model", why));
        let within = |what: &str, value: u32, most: u32| match (1..=most).contains(&value) {
            true => Ok(()),
            false => refuse(format!("{what} is {value}, it must be 1 to {most}")),
        };
        within("hidden", self.hidden, Self::WIDTH_MAX)?;
        within("vocabulary", self.vocabulary, Self::VOCABULARY_MAX)?;
        within("the number of layers", self.layer_count(), Self::LAYERS_MAX)?;
        if self.layers.len() > Self::GROUPS_MAX {
            return refuse(format!("more than {} groups of layers", Self::GROUPS_MAX));
        }
        for group in &self.layers {
            within("a group's count", group.count, Self::LAYERS_MAX)?;
            if let Some(heads) = group.attention.heads() {
                within("query heads", heads.query, Self::WIDTH_MAX)?;
                within("key-value heads", heads.kv, heads.query)?;
                within("key_dim", heads.key_dim, Self::WIDTH_MAX)?;
                within("value_dim", heads.value_dim, Self::WIDTH_MAX)?;
            }
            match group.attention {
                Attention::Sliding { window, .. } | Attention::Chunked { window, .. } => {
                    within("window", window, u32::MAX)?;
                }
                Attention::Latent { latent } => {
                    within("heads", latent.heads, Self::WIDTH_MAX)?;
                    within("kv_rank", latent.kv_rank, Self::WIDTH_MAX)?;
                    for dim in [latent.rope_dim, latent.nope_dim, latent.value_dim] {
                        within("a dimension of a head", dim, Self::WIDTH_MAX)?;
                    }
                }
                Attention::Full { .. }
                | Attention::Cross { .. }
                | Attention::Encoder { .. }
                | Attention::State { .. }
                | Attention::Absent => {}
            }
            match group.feed_forward {
                FeedForward::Dense { width, .. } => within("width", width, Self::WIDTH_MAX)?,
                FeedForward::Experts { count, width, shared_width, .. } => {
                    within("experts", count, Self::EXPERTS_MAX)?;
                    within("width", width, Self::WIDTH_MAX)?;
                    if shared_width > Self::WIDTH_MAX {
                        return refuse(format!("shared_width is {shared_width}"));
                    }
                }
                FeedForward::Absent => {}
            }
        }
        let parameters = Parameters::of(self).total();
        match parameters <= Parameters::MAX {
            true => Ok(()),
            false => refuse(format!("{parameters} parameters are beyond all reason")),
        }
    }
}
