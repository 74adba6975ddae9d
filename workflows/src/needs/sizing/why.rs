//! Each figure of a sizing with the formula it comes from and the inputs that went in.
//!
//! The formula is a text of the catalogue with the inputs filled in, so people can check it by
//! hand in their own language. What is worth knowing beside the figures is a note.

use super::{
    cache,
    layout::{LinkNeed, Split},
    point::{Outcome, Point},
    weights::Parameters,
};
use crate::{
    gate::Reason,
    locale::Locale,
    needs::{brief::Use, catalogue::assumptions::Assumption, catalogue::card::Link},
    texts,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Parameters,
    Weights,
    KvPerToken,
    Kv,
    UsablePerCard,
    OverheadPerCard,
    TrainingPerCard,
    RequiredPerCard,
    Cards,
    MaxConcurrency,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub figure: Figure,
    pub value: String,
    pub inputs: Vec<(&'static str, String)>,
}

impl Figure {
    pub const ALL: [Self; 10] = [
        Self::Parameters,
        Self::Weights,
        Self::KvPerToken,
        Self::Kv,
        Self::UsablePerCard,
        Self::OverheadPerCard,
        Self::TrainingPerCard,
        Self::RequiredPerCard,
        Self::Cards,
        Self::MaxConcurrency,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Weights => "weights",
            Self::KvPerToken => "kv_per_token",
            Self::Kv => "kv",
            Self::UsablePerCard => "usable_per_card",
            Self::OverheadPerCard => "overhead_per_card",
            Self::TrainingPerCard => "training_per_card",
            Self::RequiredPerCard => "required_per_card",
            Self::Cards => "cards",
            Self::MaxConcurrency => "max_concurrency",
        }
    }
}

impl Why {
    /// The formula with its inputs, as people read it.
    pub fn text(&self, locale: Locale) -> String {
        let input = |name: &str| {
            let found = self.inputs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.as_str())
        };
        texts::filled(&format!("formula.{}", self.figure.id()), locale, input)
    }

    pub fn title(&self, locale: Locale) -> String {
        texts::text(&format!("figure.{}", self.figure.id()), locale).to_owned()
    }
}

/// Every figure of one sizing, in the order in which they build on each other.
pub fn explained(point: &Point<'_>, outcome: &Outcome) -> Vec<Why> {
    let mut found = vec![parameters(point, outcome), weights(point, outcome)];
    found.push(usable(point, outcome));
    match point.usage {
        Use::OnlineInference | Use::BatchInference => found.extend(cached(point, outcome)),
        Use::FineTuning | Use::Training => found.push(trained(outcome)),
    }
    found.extend(on_card(point, outcome));
    found
}

macro_rules! why {
    ($figure:ident, $value:expr; $($name:ident = $input:expr),+ $(,)?) => {
        Why {
            figure: Figure::$figure,
            value: $value.to_string(),
            inputs: vec![$((stringify!($name), $input.to_string())),+],
        }
    };
}

fn parameters(point: &Point<'_>, outcome: &Outcome) -> Why {
    let parts = Parameters::of(point.shape);
    let known = parts.total();
    let total = point.parameters.unwrap_or(known);
    why!(Parameters, outcome.parameters;
        embeddings = parts.embeddings,
        attention = parts.attention,
        dense = parts.dense,
        experts = parts.experts,
        other = parts.other,
        difference = i128::try_from(total).unwrap_or(i128::MAX) - i128::try_from(known).unwrap_or(0),
    )
}

fn weights(point: &Point<'_>, outcome: &Outcome) -> Why {
    let parts = Parameters::of(point.shape);
    let total = point.parameters.unwrap_or_else(|| parts.total());
    let kept = parts.kept(point.stored.covers).min(total);
    why!(Weights, outcome.weights.0;
        covered = total - kept,
        format = point.stored.format.id(),
        millibits = point.stored.format.millibits(),
        kept = kept,
        rest = point.stored.rest.id(),
        rest_millibits = point.stored.rest.millibits(),
    )
}

fn usable(point: &Point<'_>, outcome: &Outcome) -> Why {
    why!(UsablePerCard, outcome.usable_per_card.0;
        card_name = point.card.name,
        memory = point.card.memory_mib(),
        visible = point.assumed.value(Assumption::VisiblePermille),
        utilisation = point.utilisation_permille,
    )
}

fn cached(point: &Point<'_>, outcome: &Outcome) -> [Why; 2] {
    let request = cache::per_request(point.shape, point.cache, point.context, Split::SINGLE);
    [
        why!(KvPerToken, outcome.kv_per_token.0;
            elements = cache::elements_per_token(point.shape),
            format = point.cache.format.id(),
            millibits = point.cache.format.millibits(),
        ),
        why!(Kv, outcome.kv.0;
            concurrency = point.concurrency,
            request = request.0,
            context = point.context,
            block = point.cache.block_tokens,
        ),
    ]
}

fn trained(outcome: &Outcome) -> Why {
    let parts = &outcome.on_card.training;
    why!(TrainingPerCard, parts.total().0;
        base = parts.base.0,
        states = parts.states.0,
        gathered = parts.gathered.0,
        activations = parts.activations.0,
        logits = parts.logits.0,
        buckets = parts.buckets.0,
    )
}

fn on_card(point: &Point<'_>, outcome: &Outcome) -> Vec<Why> {
    let parts = &outcome.on_card;
    let mut found = vec![
        why!(OverheadPerCard, parts.overhead.total().0;
            activations = parts.overhead.activations.0,
            runtime = parts.overhead.runtime.0,
            communication = parts.overhead.communication.0,
            loading = parts.overhead.loading.0,
        ),
        why!(RequiredPerCard, parts.total().0;
            weights = parts.weights.0,
            kv = parts.kv.0,
            overhead = parts.overhead.total().0,
            training = parts.training.total().0,
        ),
    ];
    if let Some(layout) = outcome.layout {
        found.push(why!(Cards, layout.cards();
            tensor = layout.tensor,
            pipeline = layout.pipeline,
            data = layout.data,
        ));
        if matches!(point.usage, Use::OnlineInference | Use::BatchInference) {
            let split = layout.split();
            let request = cache::per_request(point.shape, point.cache, point.context, split);
            let empty = parts.weights.plus(parts.overhead.total());
            found.push(why!(MaxConcurrency, outcome.max_concurrency;
                usable = outcome.usable_per_card.0,
                empty = empty.0,
                request = request.0,
                data = layout.data,
            ));
        }
    }
    found
}

/// What is worth knowing beside the figures, worst first.
pub fn notes(point: &Point<'_>, outcome: &Outcome) -> Vec<Reason> {
    let mut found = Vec::new();
    let gib = |bytes: super::bytes::Bytes| bytes.as_gib();
    let Some(layout) = outcome.layout else {
        found.push(
            Reason::new("sizing_note_no_layout")
                .with("required", gib(outcome.on_card.total()))
                .with("usable", gib(outcome.usable_per_card))
                .with("card_name", &point.card.name),
        );
        return found;
    };
    if outcome.link == LinkNeed::BetweenNodes {
        let fast = point.assumed.value(Assumption::FastFabricGbitS);
        found.push(Reason::new("sizing_note_between_nodes").with("fabric", fast));
    }
    if layout.pipeline > 1 && !point.card.link.joins() {
        found.push(
            Reason::new("sizing_note_stages_for_want_of_link").with("card_name", &point.card.name),
        );
    }
    if matches!(point.card.link, Link::Bridge { .. }) && layout.tensor > 2 {
        found.push(
            Reason::new("sizing_note_bridge_joins_pairs").with("card_name", &point.card.name),
        );
    }
    if let Some(kv_heads) = replicated(point, layout.tensor) {
        let note = match kv_heads {
            0 => Reason::new("sizing_note_latent_replicated"),
            _ => Reason::new("sizing_note_cache_replicated").with("kv_heads", kv_heads),
        };
        found.push(note.with("tensor", layout.tensor));
    }
    if layout.data > 1 && matches!(point.usage, Use::OnlineInference | Use::BatchInference) {
        found.push(
            Reason::new("sizing_note_copies")
                .with("data", layout.data)
                .with("holds", outcome.max_concurrency / layout.data.max(1)),
        );
    }
    if let Some(fewer) = outcome.fewer {
        found.push(
            Reason::new("sizing_note_fewer_cards")
                .with("cards", fewer.cards())
                .with("data", fewer.data),
        );
    }
    found
}

/// The heads among which a cache cannot be shared out over so many ranks: 0 for a latent cache.
fn replicated(point: &Point<'_>, tensor: u32) -> Option<u32> {
    use super::shape::Attention;
    let heads = point.shape.layers.iter().filter_map(|group| match &group.attention {
        Attention::Latent { .. } => Some(0),
        Attention::Full { heads } => Some(heads.kv),
        Attention::Sliding { .. }
        | Attention::Chunked { .. }
        | Attention::Cross { .. }
        | Attention::Encoder { .. }
        | Attention::State { .. }
        | Attention::Absent => None,
    });
    heads.min().filter(|kv| tensor > (*kv).max(1))
}
