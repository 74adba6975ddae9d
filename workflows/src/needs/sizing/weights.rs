//! Parameters of a model, and the bytes of its weights.
//!
//! Counted per part, because a quantised checkpoint keeps some parts in 16 bits: a 70-billion model
//! in 8 bits is 67.7 GiB and not 65.7.

use super::{
    bytes::Bytes,
    format::{Covers, Stored},
    shape::{Attention, FeedForward, Heads, Latent, LayerGroup, ModelShape},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Embedding and output head, once when they are tied.
    pub embeddings: u128,
    pub attention: u128,
    /// Feed-forward networks that are no experts.
    pub dense: u128,
    pub experts: u128,
    /// Norms, routers, and what lies outside the layers.
    pub other: u128,
}

impl Parameters {
    /// 10¹⁴, a hundred times what is the largest today.
    pub const MAX: u128 = 100_000_000_000_000;

    pub fn of(shape: &ModelShape) -> Self {
        let hidden = u128::from(shape.hidden);
        let copies = if shape.tied_embeddings { 1 } else { 2 };
        let mut sum = Self {
            embeddings: u128::from(shape.vocabulary) * hidden * copies,
            other: u128::from(shape.other_parameters),
            ..Self::default()
        };
        for group in &shape.layers {
            let count = u128::from(group.count);
            let feed_forward = feed_forward(&group.feed_forward, hidden);
            sum.attention += count * attention(&group.attention, hidden);
            sum.dense += count * feed_forward.dense;
            sum.experts += count * feed_forward.experts;
            sum.other += count * (feed_forward.other + u128::from(group.norm_parameters));
        }
        sum
    }

    pub fn total(&self) -> u128 {
        self.embeddings + self.attention + self.dense + self.experts + self.other
    }

    fn covered(&self, covers: Covers) -> u128 {
        match covers {
            Covers::Everything => self.total(),
            Covers::Layers => self.attention + self.dense + self.experts,
            Covers::FeedForward => self.dense + self.experts,
            Covers::Experts => self.experts,
        }
    }

    /// What a quantised checkpoint leaves as it was.
    pub fn kept(&self, covers: Covers) -> u128 {
        self.total() - self.covered(covers)
    }

    /// The whole model's weights. When another total is known than the shape has, the difference
    /// counts as covered: it is the layers that make a model larger.
    pub fn weights(&self, stored: Stored, total: Option<u128>) -> Bytes {
        let total = total.unwrap_or_else(|| self.total());
        let kept = self.kept(stored.covers).min(total);
        stored.format.of(total - kept).plus(stored.rest.of(kept))
    }
}

fn attention(attention: &Attention, hidden: u128) -> u128 {
    match attention {
        Attention::Full { heads }
        | Attention::Sliding { heads, .. }
        | Attention::Chunked { heads, .. }
        | Attention::Cross { heads, .. }
        | Attention::Encoder { heads } => of_heads(heads, hidden),
        Attention::Latent { latent } => of_latent(latent, hidden),
        Attention::State { parameters, .. } => u128::from(*parameters),
        Attention::Absent => 0,
    }
}

fn of_heads(heads: &Heads, hidden: u128) -> u128 {
    let queries = u128::from(heads.query) * u128::from(heads.key_dim);
    let outputs = u128::from(heads.query) * u128::from(heads.value_dim);
    let input_bias = if heads.input_bias { queries + heads.cached() } else { 0 };
    let output_bias = if heads.output_bias { hidden } else { 0 };
    hidden * (queries + heads.cached() + outputs) + input_bias + output_bias
}

fn of_latent(latent: &Latent, hidden: u128) -> u128 {
    let heads = u128::from(latent.heads);
    let (rope, nope) = (u128::from(latent.rope_dim), u128::from(latent.nope_dim));
    let (rank, value) = (u128::from(latent.kv_rank), u128::from(latent.value_dim));
    let queries = heads * (nope + rope);
    let query = match latent.query_rank {
        // The compressed queries are normed.
        Some(query_rank) => {
            let query_rank = u128::from(query_rank);
            hidden * query_rank + query_rank + query_rank * queries
        }
        None => hidden * queries,
    };
    query + hidden * (rank + rope) + rank + rank * heads * (nope + value) + heads * value * hidden
}

fn feed_forward(feed_forward: &FeedForward, hidden: u128) -> Parameters {
    let matrices = |gated: bool| if gated { 3 } else { 2 };
    match *feed_forward {
        FeedForward::Dense { width, gated, bias } => {
            let width = u128::from(width);
            let biases = if bias { hidden + (matrices(gated) - 1) * width } else { 0 };
            Parameters { dense: matrices(gated) * hidden * width + biases, ..Parameters::default() }
        }
        FeedForward::Experts { count, width, gated, shared_width, router_bias } => Parameters {
            dense: matrices(gated) * hidden * u128::from(shared_width),
            experts: u128::from(count) * matrices(gated) * hidden * u128::from(width),
            other: (hidden + u128::from(router_bias)) * u128::from(count),
            ..Parameters::default()
        },
        FeedForward::Absent => Parameters::default(),
    }
}

/// The largest single matrix: what is gathered whole when the parameters are sharded.
pub fn largest_matrix(shape: &ModelShape) -> u128 {
    let hidden = u128::from(shape.hidden);
    let of_group = |group: &LayerGroup| {
        let queries = group
            .attention
            .queries()
            .map_or(0, |(heads, asks, answers)| u128::from(heads) * u128::from(asks.max(answers)));
        let width = match group.feed_forward {
            FeedForward::Dense { width, .. } | FeedForward::Experts { width, .. } => {
                u128::from(width)
            }
            FeedForward::Absent => 0,
        };
        hidden * queries.max(width)
    };
    let embedding = u128::from(shape.vocabulary) * hidden;
    shape.layers.iter().map(of_group).chain([embedding]).max().unwrap_or(embedding)
}

/// The parameters of the largest layer, all its experts included.
pub fn largest_layer(shape: &ModelShape) -> u128 {
    let hidden = u128::from(shape.hidden);
    let of_group = |group: &LayerGroup| {
        attention(&group.attention, hidden) + feed_forward(&group.feed_forward, hidden).total()
    };
    shape.layers.iter().map(of_group).max().unwrap_or(0)
}

/// What adapters of a rank add: `rank · (inputs + outputs)` for each matrix that gets one.
///
/// Experts get none; there are too many of them for adapters to pay.
pub fn adapters(shape: &ModelShape, rank: u32, feed_forward_too: bool) -> u128 {
    let hidden = u128::from(shape.hidden);
    let sides = |group: &LayerGroup| {
        // One for the joined queries, keys and values, one for the output.
        let attention = group.attention.queries().map_or(0, |(heads, asks, answers)| {
            let heads = u128::from(heads);
            let cached = group.attention.heads().map_or(0, Heads::cached);
            let (asked, answered) = (heads * u128::from(asks), heads * u128::from(answers));
            (hidden + asked + cached) + (answered + hidden)
        });
        let feed_forward = match group.feed_forward {
            FeedForward::Dense { width, gated, .. } if feed_forward_too => {
                (if gated { 3 } else { 2 }) * (hidden + u128::from(width))
            }
            FeedForward::Dense { .. } | FeedForward::Experts { .. } | FeedForward::Absent => 0,
        };
        u128::from(group.count) * (attention + feed_forward)
    };
    shape.layers.iter().map(sides).sum::<u128>() * u128::from(rank)
}
