//! The whole sizing for exact figures: which layout holds the work, and what lies on its fullest
//! card.
//!
//! The rule: the smallest layout inside one node that holds all requests at once; if none does, the
//! fewest cards, be it by copies or by stages over nodes. More cards than `CARDS_MAX` count as not fitting.

use serde::{Deserialize, Serialize};

use super::{
    bytes::Bytes,
    cache::{self, CacheRules},
    format::Stored,
    layout::{self, Layout, LinkNeed, Scale, Split},
    overhead::{Overhead, communication},
    shape::ModelShape,
    training::{Training, TrainingMemory},
    weights::Parameters,
};
use crate::needs::{
    brief::Use,
    catalogue::{
        assumptions::{Assumption, Assumptions},
        card::Card,
    },
};

pub const CARDS_MAX: u32 = 65_536;
const NODES_MAX: u32 = 64;

#[derive(Clone, Debug)]
pub struct Point<'a> {
    pub usage: Use,
    pub shape: &'a ModelShape,
    /// When another total is known than the shape has.
    pub parameters: Option<u128>,
    pub stored: Stored,
    pub cache: CacheRules,
    /// Requests at the same time; in training texts that one card takes at once.
    pub concurrency: u32,
    /// Tokens of a request or of a text.
    pub context: u32,
    pub card: &'a Card,
    pub per_node: u32,
    /// How much of what a process sees it may fill, in thousandths.
    pub utilisation_permille: u32,
    pub training: Training,
    pub assumed: &'a Assumptions,
}

/// What lies on the fullest card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnCard {
    pub weights: Bytes,
    pub kv: Bytes,
    pub overhead: Overhead,
    pub training: TrainingMemory,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub parameters: u64,
    /// Of one whole copy, as it is stored.
    pub weights: Bytes,
    /// Of the whole model, as if every layer kept all tokens.
    pub kv_per_token: Bytes,
    /// Of all requests together, over the whole model.
    pub kv: Bytes,
    pub on_card: OnCard,
    pub usable_per_card: Bytes,
    /// Absent when no layout holds it; `on_card` is then that of the largest one tried.
    pub layout: Option<Layout>,
    /// The layout of the fewest cards, when copies of a smaller one need fewer than `layout`.
    pub fewer: Option<Layout>,
    pub per_node: u32,
    pub scale: Scale,
    pub link: LinkNeed,
    /// Requests that the layout holds at once; in training the texts of one step.
    pub max_concurrency: u32,
}

impl OnCard {
    pub fn total(&self) -> Bytes {
        [self.weights, self.kv, self.overhead.total(), self.training.total()].into_iter().sum()
    }
}

impl Outcome {
    pub fn fits(&self) -> bool {
        self.layout.is_some()
    }

    pub fn cards(&self) -> Option<u32> {
        self.layout.map(Layout::cards)
    }

    /// The least number of cards that holds it in any layout.
    pub fn fewest_cards(&self) -> Option<u32> {
        self.fewer.or(self.layout).map(Layout::cards)
    }

    pub fn cards_per_node(&self) -> Option<u32> {
        self.cards().map(|cards| cards.min(self.per_node))
    }

    /// What stays free of the fullest card's usable memory, in thousandths; below zero when it does
    /// not fit.
    pub fn headroom_permille(&self) -> i64 {
        let usable = i128::from(self.usable_per_card.0);
        let total = i128::from(self.on_card.total().0);
        match usable {
            0 => -1_000,
            _ => i64::try_from((usable - total) * 1_000 / usable).unwrap_or(i64::MIN),
        }
    }
}

/// What a process may really use: less than the tools print, and less again by what is left free.
pub fn usable(card: &Card, utilisation_permille: u32, assumed: &Assumptions) -> Bytes {
    Bytes::mib(card.memory_mib())
        .permille(u64::from(assumed.value(Assumption::VisiblePermille)))
        .permille(u64::from(utilisation_permille))
}

impl Point<'_> {
    pub fn outcome(&self) -> Outcome {
        match self.usage {
            Use::OnlineInference | Use::BatchInference => self.inference(),
            Use::FineTuning | Use::Training => self.trained(),
        }
    }

    /// What it needs whatever the layout, to compare sizings with each other.
    pub fn need(&self) -> Bytes {
        match self.usage {
            Use::OnlineInference | Use::BatchInference => {
                let cache = self.request(Split::SINGLE).times(u64::from(self.concurrency));
                self.empty(Split::SINGLE).total().plus(cache)
            }
            Use::FineTuning | Use::Training => self.trained_on(1).total(),
        }
    }

    fn usable(&self) -> Bytes {
        usable(self.card, self.utilisation_permille, self.assumed)
    }

    fn weights(&self) -> Bytes {
        Parameters::of(self.shape).weights(self.stored, self.parameters)
    }

    /// One request, on the fullest card of a split.
    fn request(&self, split: Split) -> Bytes {
        cache::per_request(self.shape, self.cache, self.context, split)
    }

    /// Weights and overhead on the fullest card, without any request.
    fn empty(&self, split: Split) -> OnCard {
        let layers = u64::from(self.shape.layer_count().max(1));
        let stage = layers.div_ceil(u64::from(split.pipeline.max(1)));
        let weights =
            self.weights().divided_among(layers).times(stage).divided_among(split.tensor.into());
        let overhead =
            Overhead::of_inference(self.shape, self.assumed, weights, self.context, split);
        OnCard { weights, overhead, ..OnCard::default() }
    }

    /// Requests that one copy holds.
    fn holds(&self, split: Split) -> u32 {
        let empty = self.empty(split).total();
        match self.usable().0.checked_sub(empty.0) {
            Some(budget) => cache::requests(Bytes(budget), self.request(split)),
            None => 0,
        }
    }

    fn inference(&self) -> Outcome {
        let linked = self.card.link.joins();
        let inside = layout::within_node(self.shape, linked, self.per_node);
        let outside = layout::over_nodes(self.shape, linked, self.per_node, NODES_MAX);
        let copies = |split: &Split| {
            let holds = self.holds(*split);
            (holds > 0).then(|| Layout::of(*split, self.concurrency.div_ceil(holds).max(1)))
        };
        // Of as many cards, those inside a node come first.
        let fewest = inside
            .iter()
            .chain(&outside)
            .filter_map(copies)
            .min_by_key(|layout| layout.cards())
            .filter(|layout| layout.cards() <= CARDS_MAX);
        let all_at_once = inside.iter().find(|split| self.holds(**split) >= self.concurrency);
        let chosen = all_at_once.map(|split| Layout::of(*split, 1)).or(fewest);
        let fewer =
            fewest.filter(|fewest| chosen.is_some_and(|layout| fewest.cards() < layout.cards()));
        let largest = outside.last().or(inside.last()).copied().unwrap_or(Split::SINGLE);
        let split = chosen.map_or(largest, Layout::split);
        let data = chosen.map_or(1, |layout| layout.data);
        let mut on_card = self.empty(split);
        on_card.kv = self.request(split).times(u64::from(self.concurrency.div_ceil(data)));
        let between = split.cards() > self.per_node;
        let link = match (between, split.cards()) {
            (true, _) => LinkNeed::BetweenNodes,
            (false, 1) => LinkNeed::None,
            (false, _) => LinkNeed::WithinNode,
        };
        let max_concurrency =
            chosen.map_or(0, |layout| self.holds(split).saturating_mul(layout.data));
        Outcome { fewer, ..self.summed_up(on_card, chosen, link, max_concurrency) }
    }

    fn trained(&self) -> Outcome {
        let most = self.per_node.saturating_mul(NODES_MAX).min(CARDS_MAX);
        let usable = self.usable();
        let fitting = layout::powers_of_two(most)
            .map(|cards| (cards, self.trained_on(cards)))
            .find(|(_, on_card)| on_card.total() <= usable);
        let (chosen, on_card) = match fitting {
            Some((cards, on_card)) => (Some(Layout::of(Split::SINGLE, cards)), on_card),
            None => (None, self.trained_on(most)),
        };
        let link = match chosen.map_or(most, Layout::cards) {
            1 => LinkNeed::None,
            cards if cards <= self.per_node => LinkNeed::WithinNode,
            _ => LinkNeed::BetweenNodes,
        };
        let step = chosen.map_or(0, |layout| self.concurrency.saturating_mul(layout.data));
        self.summed_up(on_card, chosen, link, step)
    }

    fn trained_on(&self, cards: u32) -> OnCard {
        let training = self.training.memory(
            self.shape,
            self.parameters,
            self.stored,
            cards,
            self.concurrency,
            self.context,
        );
        let overhead = Overhead {
            runtime: Bytes::mib(self.assumed.value(Assumption::RuntimeMib)),
            communication: communication(self.assumed, cards),
            ..Overhead::default()
        };
        OnCard { training, overhead, ..OnCard::default() }
    }

    fn summed_up(
        &self,
        on_card: OnCard,
        layout: Option<Layout>,
        link: LinkNeed,
        max_concurrency: u32,
    ) -> Outcome {
        let parameters = self.parameters.unwrap_or_else(|| Parameters::of(self.shape).total());
        let cards = layout.map_or(u32::MAX, Layout::cards);
        let inference = matches!(self.usage, Use::OnlineInference | Use::BatchInference);
        let requests = if inference { u64::from(self.concurrency) } else { 0 };
        Outcome {
            parameters: u64::try_from(parameters).unwrap_or(u64::MAX),
            weights: self.weights(),
            kv_per_token: cache::per_token(self.shape, self.cache.format),
            kv: self.request(Split::SINGLE).times(requests),
            on_card,
            usable_per_card: self.usable(),
            layout,
            fewer: None,
            per_node: self.per_node,
            scale: if cards <= self.per_node { Scale::Up } else { Scale::Out },
            link,
            max_concurrency,
        }
    }
}
