//! Known models, so that one of which only the size is known can be judged by its like.
//!
//! The rule: nothing is interpolated. A model of about 70 billion parameters caches what some known
//! model of about that size caches, so the answer is a range with named ends.

use serde::Deserialize;

use crate::needs::sizing::{
    format::{Format, Stored},
    shape::{Attention, FeedForward, Heads, Latent, LayerGroup, ModelShape},
    weights::Parameters,
};

/// A row of the file; what most models have alike is left out of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceModel {
    pub name: String,
    pub hidden: u32,
    pub layers: u32,
    pub heads: u32,
    pub kv_heads: u32,
    pub head_dim: u32,
    /// Width of the feed-forward networks that are no experts.
    pub width: u32,
    pub vocabulary: u32,
    #[serde(default)]
    pub tied: bool,
    /// Biases of queries, keys and values.
    #[serde(default)]
    pub input_bias: bool,
    /// Norms of a head's width for queries and keys.
    #[serde(default)]
    pub head_norms: bool,
    #[serde(default = "two")]
    pub norms: u32,
    #[serde(default)]
    pub latent: Option<LatentRow>,
    #[serde(default)]
    pub experts: Option<ExpertsRow>,
    /// Layers that see a window only, and how far.
    #[serde(default)]
    pub sliding: Option<SlidingRow>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatentRow {
    pub query_rank: Option<u32>,
    pub kv_rank: u32,
    pub rope_dim: u32,
    pub nope_dim: u32,
    pub value_dim: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpertsRow {
    pub count: u32,
    pub width: u32,
    #[serde(default)]
    pub shared_width: u32,
    #[serde(default)]
    pub router_bias: bool,
    /// The first layers, which have no experts.
    #[serde(default)]
    pub dense_layers: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlidingRow {
    pub layers: u32,
    pub window: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) models: Vec<ReferenceModel>,
}

fn two() -> u32 {
    2
}

impl ReferenceModel {
    pub fn shape(&self) -> ModelShape {
        let heads = Heads {
            input_bias: self.input_bias,
            ..Heads::plain(self.heads, self.kv_heads, self.head_dim)
        };
        let full = match self.latent {
            Some(row) => Attention::Latent {
                latent: Latent {
                    heads: self.heads,
                    query_rank: row.query_rank,
                    kv_rank: row.kv_rank,
                    rope_dim: row.rope_dim,
                    nope_dim: row.nope_dim,
                    value_dim: row.value_dim,
                },
            },
            None => Attention::Full { heads },
        };
        let dense = FeedForward::Dense { width: self.width, gated: true, bias: false };
        let (dense_layers, usual) = match self.experts {
            Some(row) => (
                row.dense_layers,
                FeedForward::Experts {
                    count: row.count,
                    width: row.width,
                    gated: true,
                    shared_width: row.shared_width,
                    router_bias: row.router_bias,
                },
            ),
            None => (0, dense),
        };
        let norm_parameters =
            self.norms * self.hidden + if self.head_norms { 2 * self.head_dim } else { 0 };
        let group = |count, attention, feed_forward| LayerGroup {
            count,
            attention,
            feed_forward,
            norm_parameters,
        };
        let sliding = self.sliding.unwrap_or(SlidingRow { layers: 0, window: 1 });
        let windowed = Attention::Sliding { heads, window: sliding.window };
        let groups = [
            group(dense_layers, full, dense),
            group(sliding.layers, windowed, usual),
            group(self.layers - dense_layers - sliding.layers, full, usual),
        ];
        ModelShape {
            hidden: self.hidden,
            vocabulary: self.vocabulary,
            tied_embeddings: self.tied,
            layers: groups.into_iter().filter(|group| group.count > 0).collect(),
            other_parameters: u64::from(self.hidden),
            vision: false,
            stored: Stored::usual(Format::Bf16),
        }
    }

    pub fn parameters(&self) -> u128 {
        Parameters::of(&self.shape()).total()
    }
}

/// The known models from half the least to twice the most parameters, or the nearest one.
pub fn alike(least: u128, most: u128) -> Vec<&'static ReferenceModel> {
    let models = super::models();
    let within = |model: &&ReferenceModel| {
        let parameters = model.parameters();
        least / 2 <= parameters && parameters <= most.saturating_mul(2)
    };
    let found: Vec<_> = models.iter().filter(within).collect();
    if !found.is_empty() {
        return found;
    }
    let distance = |model: &&ReferenceModel| {
        let parameters = model.parameters();
        least.saturating_sub(parameters).max(parameters.saturating_sub(most))
    };
    models.iter().min_by_key(distance).into_iter().collect()
}
