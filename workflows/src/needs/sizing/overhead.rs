//! What the runtime takes on each card besides weights and cache.
//!
//! Defaults are measurements of others, kept as assumptions with their sources; an organisation
//! that measured its own runtime replaces them by policy.

use serde::{Deserialize, Serialize};

use super::{
    bytes::Bytes,
    layout::Split,
    shape::{Attention, LayerGroup, ModelShape},
};
use crate::needs::catalogue::assumptions::{Assumption, Assumptions};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// Activations of one step at the runtime's profile run.
    pub activations: Bytes,
    /// Context, kernels and libraries outside the framework's allocator.
    pub runtime: Bytes,
    /// Buffers of the collective operations; none on a single card.
    pub communication: Bytes,
    /// Replicated and padded parts of the weights.
    pub loading: Bytes,
}

impl Overhead {
    pub fn total(&self) -> Bytes {
        [self.activations, self.runtime, self.communication, self.loading].into_iter().sum()
    }

    pub fn of_inference(
        shape: &ModelShape,
        assumed: &Assumptions,
        weights_on_card: Bytes,
        context: u32,
        split: Split,
    ) -> Self {
        let step = match shape.vision {
            true => Assumption::VisionActivationMib,
            false => Assumption::ActivationMib,
        };
        let activations = match shape.is_encoder() {
            true => encoder_scores(shape, context),
            false => Bytes::mib(assumed.value(step)),
        };
        Self {
            activations,
            runtime: Bytes::mib(assumed.value(Assumption::RuntimeMib)),
            communication: communication(assumed, split.cards()),
            loading: weights_on_card.permille(
                u64::from(assumed.value(Assumption::LoadedPermille)).saturating_sub(1_000),
            ),
        }
    }
}

pub fn communication(assumed: &Assumptions, cards: u32) -> Bytes {
    match cards {
        0 | 1 => Bytes::ZERO,
        2 => Bytes::mib(assumed.value(Assumption::CommunicationPairMib)),
        _ => Bytes::mib(assumed.value(Assumption::CommunicationGroupMib)),
    }
}

/// An encoder takes its whole text in one step and, without fused attention, holds one layer's
/// score of every token with every other in 32 bits.
fn encoder_scores(shape: &ModelShape, context: u32) -> Bytes {
    let heads = |group: &LayerGroup| match &group.attention {
        Attention::Encoder { heads } => u128::from(heads.query),
        Attention::Full { .. }
        | Attention::Sliding { .. }
        | Attention::Chunked { .. }
        | Attention::Latent { .. }
        | Attention::Cross { .. }
        | Attention::State { .. }
        | Attention::Absent => 0,
    };
    let heads = shape.layers.iter().map(heads).max().unwrap_or(0);
    let context = u128::from(context);
    Bytes::from_wide(heads * context * context * 4)
}
