//! Memory of training and fine-tuning on one card: states, activations, logits.
//!
//! The rule: what is kept per trainable parameter is weights, gradients and optimizer states, and
//! the last are what gets forgotten; activations and logits come on top, which estimators that add
//! states alone leave out. Long texts with a large vocabulary are dominated by the logits.
//!
//! Parallelism is that of the data, with states sharded; tensor and pipeline ranks in training are
//! a matter of the framework and are not laid out here.

use serde::{Deserialize, Serialize};

use super::{
    bytes::Bytes,
    format::Stored,
    shape::ModelShape,
    weights::{Parameters, adapters, largest_layer, largest_matrix},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Method {
    /// Every parameter is trained.
    Full,
    /// The base stays as it is stored; low-rank adapters are trained. A quantised base makes it
    /// QLoRA.
    Adapters { rank: u32, feed_forward_too: bool },
}

/// Bytes kept for each trained parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Optimizer {
    /// 16-bit weights and gradients, 32-bit master copy and both moments: 16.
    AdamW,
    /// The same with gradients in 32 bits: 18.
    AdamWFullGradients,
    /// Both moments in 16 bits and no master copy: 8.
    AdamWHalf,
    /// Both moments in 8 bits and no master copy: 6.
    Adam8Bit,
    /// The moments lie in the host's memory: 4.
    Adam8BitPaged,
    /// One moment in 32 bits beside the master copy: 14.
    OneMoment,
}

/// What is shared out among the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharding {
    /// Nothing: every card keeps everything.
    None,
    /// Optimizer states (ZeRO stage 1).
    States,
    /// Gradients, too (stage 2).
    Gradients,
    /// Parameters, too (stage 3).
    Parameters,
    /// Whole layers are gathered and let go one after the other (FSDP).
    Layers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offload {
    None,
    /// Optimizer states lie in the host's memory.
    States,
    /// Parameters, too, where they are sharded.
    Everything,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recompute {
    None,
    /// The attention scores alone.
    Selective,
    /// Each layer anew from its input; about a third more computing.
    Full,
}

/// What the loss keeps for each token and word of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Logits {
    /// In 16 and 32 bits, each with its gradient: 12 bytes.
    Whole,
    /// In 32 bits with their gradient, where the output head is in 32 bits: 8.
    Full,
    /// In 32 bits alone: 4.
    Single,
    /// In 16 bits, widened chunk by chunk: 2.
    Chunked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    pub method: Method,
    pub optimizer: Optimizer,
    /// Whether each gradient is used up and let go as soon as it is there.
    pub gradients_let_go: bool,
    pub sharding: Sharding,
    pub offload: Offload,
    pub recompute: Recompute,
    /// Whether attention never writes its scores out.
    pub fused_attention: bool,
    pub logits: Logits,
}

/// On one card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingMemory {
    /// A base that is not trained.
    pub base: Bytes,
    pub states: Bytes,
    /// What is put together from the shards while it is used.
    pub gathered: Bytes,
    pub activations: Bytes,
    pub logits: Bytes,
    /// Buckets that gradients are exchanged in.
    pub buckets: Bytes,
}

impl Optimizer {
    /// Weights, gradients, and states with the master copy.
    pub fn bytes(self) -> (u64, u64, u64) {
        match self {
            Self::AdamW => (2, 2, 12),
            Self::AdamWFullGradients => (2, 4, 12),
            Self::AdamWHalf => (2, 2, 4),
            Self::Adam8Bit => (2, 2, 2),
            Self::Adam8BitPaged => (2, 2, 0),
            Self::OneMoment => (2, 4, 8),
        }
    }

    pub fn total(self) -> u64 {
        let (weights, gradients, states) = self.bytes();
        weights + gradients + states
    }
}

impl Logits {
    pub fn bytes(self) -> u64 {
        match self {
            Self::Whole => 12,
            Self::Full => 8,
            Self::Single => 4,
            Self::Chunked => 2,
        }
    }
}

impl Training {
    /// Elements of the bucket that DeepSpeed exchanges gradients in.
    const BUCKET_ELEMENTS: u64 = 500_000_000;

    pub fn full() -> Self {
        Self {
            method: Method::Full,
            optimizer: Optimizer::AdamWFullGradients,
            gradients_let_go: false,
            sharding: Sharding::Parameters,
            offload: Offload::None,
            recompute: Recompute::Full,
            fused_attention: true,
            logits: Logits::Whole,
        }
    }

    pub fn adapters(rank: u32) -> Self {
        Self { method: Method::Adapters { rank, feed_forward_too: true }, ..Self::full() }
    }

    /// What one card needs when `cards` share the work and each takes `batch` texts of `tokens`.
    pub fn memory(
        &self,
        shape: &ModelShape,
        total: Option<u128>,
        stored: Stored,
        cards: u32,
        batch: u32,
        tokens: u32,
    ) -> TrainingMemory {
        let parameters = Parameters::of(shape);
        let (base, trained) = match self.method {
            Method::Full => (Bytes::ZERO, total.unwrap_or_else(|| parameters.total())),
            Method::Adapters { rank, feed_forward_too } => {
                let base = parameters.weights(stored, total);
                let base = if self.shards_parameters(cards) {
                    base.divided_among(u64::from(cards))
                } else {
                    base
                };
                (base, adapters(shape, rank, feed_forward_too))
            }
        };
        TrainingMemory {
            base,
            states: self.states(trained, largest_matrix(shape), cards),
            gathered: self.gathered(shape, stored, cards),
            activations: self.activations(shape, batch, tokens),
            logits: Bytes(u64::from(batch))
                .times(u64::from(tokens))
                .times(u64::from(shape.vocabulary))
                .times(self.logits.bytes()),
            buckets: self.buckets(cards),
        }
    }

    fn shards_parameters(&self, cards: u32) -> bool {
        cards > 1 && matches!(self.sharding, Sharding::Parameters | Sharding::Layers)
    }

    /// Weights, gradients and optimizer states of so many trained parameters.
    ///
    /// The forms are those of DeepSpeed's own estimator as its code has them; its documentation
    /// still prints an older one for stage 2.
    pub fn states(&self, trained: u128, largest_matrix: u128, cards: u32) -> Bytes {
        let (weights, gradients, states) = self.optimizer.bytes();
        let all = Bytes::from_wide(trained);
        let shared = |bytes: u64| all.times(bytes).divided_among(u64::from(cards.max(1)));
        let gradients = match self.gradients_let_go {
            true => Bytes::from_wide(largest_matrix.min(trained)).times(gradients),
            false => all.times(gradients),
        };
        let sharding = if cards > 1 { self.sharding } else { Sharding::None };
        match (sharding, self.offload) {
            (Sharding::None, Offload::None) => {
                all.times(weights).plus(gradients).plus(all.times(states))
            }
            (Sharding::None | Sharding::States, Offload::States | Offload::Everything) => {
                all.times(weights).plus(gradients)
            }
            (Sharding::States, Offload::None) => {
                all.times(weights).plus(gradients).plus(shared(states))
            }
            (Sharding::Gradients, Offload::None) => {
                all.times(weights).plus(shared(self.optimizer.total()))
            }
            (Sharding::Gradients, Offload::States | Offload::Everything) => all.times(weights),
            (Sharding::Parameters | Sharding::Layers, Offload::None) => {
                shared(self.optimizer.total())
            }
            (Sharding::Parameters | Sharding::Layers, Offload::States) => shared(weights),
            (Sharding::Parameters | Sharding::Layers, Offload::Everything) => Bytes::ZERO,
        }
    }

    /// Stage 3 gathers a matrix and its gradient in 16 bits; FSDP a layer as it is stored.
    fn gathered(&self, shape: &ModelShape, stored: Stored, cards: u32) -> Bytes {
        match self.sharding {
            Sharding::Parameters if cards > 1 => Bytes::from_wide(largest_matrix(shape)).times(4),
            Sharding::Layers if cards > 1 => stored.format.of(largest_layer(shape)),
            Sharding::None
            | Sharding::States
            | Sharding::Gradients
            | Sharding::Parameters
            | Sharding::Layers => Bytes::ZERO,
        }
    }

    fn buckets(&self, cards: u32) -> Bytes {
        match self.sharding {
            Sharding::States | Sharding::Gradients | Sharding::Parameters if cards > 1 => {
                Bytes(Self::BUCKET_ELEMENTS).times(2)
            }
            Sharding::None
            | Sharding::States
            | Sharding::Gradients
            | Sharding::Parameters
            | Sharding::Layers => Bytes::ZERO,
        }
    }

    /// In 16 bits, after Korthikanti and others 2022: a layer keeps `34·s·b·h`, its scores
    /// `5·a·s²·b` more; a recomputed one its input `2·s·b·h`, and the one at work everything.
    pub fn activations(&self, shape: &ModelShape, batch: u32, tokens: u32) -> Bytes {
        let layers = u64::from(shape.layer_count());
        let all_tokens = Bytes(u64::from(batch)).times(u64::from(tokens));
        let kept = all_tokens.times(u64::from(shape.hidden)).times(34);
        let scores = match self.fused_attention {
            true => Bytes::ZERO,
            false => all_tokens.times(u64::from(tokens)).times(5 * query_heads(shape)),
        };
        match self.recompute {
            Recompute::None => kept.plus(scores).times(layers),
            Recompute::Selective => kept.times(layers),
            Recompute::Full => {
                let inputs = all_tokens.times(u64::from(shape.hidden)).times(2).times(layers);
                inputs.plus(kept).plus(scores)
            }
        }
    }

    /// What offloading asks of each node's memory, with the half more that DeepSpeed reserves.
    pub fn host_bytes(&self, parameters: u128, cards: u32, nodes: u32) -> Bytes {
        let all = Bytes::from_wide(parameters);
        let nodes = u64::from(nodes.max(1));
        let needed = match (self.offload, self.sharding) {
            (Offload::None, _) => return Bytes::ZERO,
            (Offload::States | Offload::Everything, Sharding::Parameters | Sharding::Layers) => {
                all.times(18).divided_among(nodes)
            }
            (
                Offload::States | Offload::Everything,
                Sharding::None | Sharding::States | Sharding::Gradients,
            ) => all.times((4 * u64::from(cards)).max(16)),
        };
        needed.permille(1_500)
    }
}

impl TrainingMemory {
    pub fn total(&self) -> Bytes {
        [self.base, self.states, self.gathered, self.activations, self.logits, self.buckets]
            .into_iter()
            .sum()
    }
}

fn query_heads(shape: &ModelShape) -> u64 {
    let asked = shape.layers.iter().filter_map(|group| group.attention.queries());
    asked.map(|(heads, ..)| u64::from(heads)).max().unwrap_or(0)
}
