//! How a model is spread over cards: tensor ranks, pipeline stages, replicas.
//!
//! The rule: one card if it fits; else tensor ranks inside a node, as many as divide the heads, and
//! pipeline stages for the rest; across nodes tensor ranks stay inside and stages cross. Cards
//! without a link to each other are joined by pipeline stages, which exchange the least.

use serde::{Deserialize, Serialize};

use super::shape::{Attention, ModelShape};

/// One copy of a model on `tensor · pipeline` cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    pub tensor: u32,
    pub pipeline: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    pub tensor: u32,
    pub pipeline: u32,
    /// Copies of the model, each with its share of the requests or of the batch.
    pub data: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Inside one node.
    Up,
    /// Over several nodes.
    Out,
}

/// What the cards must be joined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkNeed {
    /// Single cards, or copies that do not talk to each other.
    None,
    /// Card to card inside a node.
    WithinNode,
    /// Also between nodes: InfiniBand or RoCE.
    BetweenNodes,
}

impl Scale {
    pub fn id(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Out => "out",
        }
    }
}

impl LinkNeed {
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::WithinNode => "within_node",
            Self::BetweenNodes => "between_nodes",
        }
    }
}

impl Split {
    pub const SINGLE: Self = Self { tensor: 1, pipeline: 1 };

    pub fn cards(self) -> u32 {
        self.tensor.saturating_mul(self.pipeline)
    }
}

impl Layout {
    pub fn of(split: Split, data: u32) -> Self {
        Self { tensor: split.tensor, pipeline: split.pipeline, data }
    }

    pub fn split(self) -> Split {
        Split { tensor: self.tensor, pipeline: self.pipeline }
    }

    pub fn cards(self) -> u32 {
        self.split().cards().saturating_mul(self.data)
    }
}

/// Whether the heads can be shared out among so many tensor ranks. Key-value heads may be fewer
/// than ranks and are then replicated.
pub fn divides(shape: &ModelShape, tensor: u32) -> bool {
    let whole = |a: u32, b: u32| b != 0 && a.is_multiple_of(b);
    shape.layers.iter().all(|group| match &group.attention {
        Attention::Full { heads }
        | Attention::Sliding { heads, .. }
        | Attention::Chunked { heads, .. }
        | Attention::Cross { heads, .. }
        | Attention::Encoder { heads } => {
            whole(heads.query, tensor) && (whole(heads.kv, tensor) || whole(tensor, heads.kv))
        }
        Attention::Latent { latent } => whole(latent.heads, tensor),
        Attention::State { .. } | Attention::Absent => true,
    })
}

/// The splits worth trying inside a node, the fewest cards first.
pub fn within_node(shape: &ModelShape, linked: bool, per_node: u32) -> Vec<Split> {
    powers_of_two(per_node)
        .map(|cards| {
            let tensor = match linked {
                true => widest_tensor(shape, cards),
                false => 1,
            };
            Split { tensor, pipeline: cards / tensor }
        })
        .filter(|split| split.pipeline <= shape.layer_count())
        .collect()
}

/// The same over 2, 4, 8 … nodes.
pub fn over_nodes(shape: &ModelShape, linked: bool, per_node: u32, nodes_max: u32) -> Vec<Split> {
    let Some(inside) = within_node(shape, linked, per_node).pop() else { return Vec::new() };
    powers_of_two(nodes_max)
        .skip(1)
        .map(|nodes| Split { pipeline: inside.pipeline.saturating_mul(nodes), ..inside })
        .filter(|split| split.pipeline <= shape.layer_count())
        .collect()
}

fn widest_tensor(shape: &ModelShape, cards: u32) -> u32 {
    let fitting = powers_of_two(cards).filter(|tensor| divides(shape, *tensor));
    fitting.last().unwrap_or(1)
}

pub fn powers_of_two(most: u32) -> impl Iterator<Item = u32> {
    (0..31).map(|power| 1 << power).take_while(move |value| *value <= most.max(1))
}
