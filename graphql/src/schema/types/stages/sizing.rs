//! What follows from a need: the computed sizing, advice, measurements, who said what.

use async_graphql::{Context, Json, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::chart::{self, memory};
use sixgate_workflows::{
    needs::{
        advice,
        difference::Change,
        sizing::{Fit, computed, point::Outcome},
        trial,
    },
    recorded::Fact,
    texts,
};

use crate::schema::{
    self, locale,
    scalars::Language,
    types::{chart::Chart, history::EventLink},
};

pub(crate) struct ModelSizing(pub Fact<computed::ModelSizing>);

pub(crate) struct SizingOutcome(Outcome);

pub(crate) struct Advice(pub advice::Advice);

pub(crate) struct Amendment(pub trial::Amendment);

/// One field of the brief that differs from the version before.
#[derive(SimpleObject)]
pub(crate) struct BriefChange {
    /// Its path, as `model.parameters_b`.
    field: String,
    before: Json<serde_json::Value>,
    after: Json<serde_json::Value>,
}

/// Who last said a field of the brief.
#[derive(SimpleObject)]
pub(crate) struct FieldSaid {
    pub field: String,
    pub event: EventLink,
}

impl From<Change> for BriefChange {
    fn from(change: Change) -> Self {
        Self { field: change.field, before: Json(change.before), after: Json(change.after) }
    }
}

#[Object]
impl ModelSizing {
    async fn card(&self) -> &str {
        self.0.value.input.card.as_str()
    }

    /// With every field of the brief at its low end.
    async fn low(&self) -> SizingOutcome {
        SizingOutcome(self.0.value.low.clone())
    }

    async fn high(&self) -> SizingOutcome {
        SizingOutcome(self.0.value.high.clone())
    }

    /// The field that widens the range most; `null` when none is a range.
    async fn widest(&self) -> Option<&str> {
        self.0.value.widest.map(computed::Field::id)
    }

    /// On the cards that the brief wants, also at the upper end of every range.
    async fn fits(&self) -> bool {
        self.0.value.fit() == Fit::Fits
    }

    /// What lies on the fullest card beside what is usable of it, at both ends.
    async fn chart(&self, context: &Context<'_>, locale: Option<Language>) -> Chart {
        let chart = memory::of_model(&self.0.value, schema::locale(context, locale));
        Chart(chart::Chart::Stack(chart))
    }

    async fn event(&self) -> EventLink {
        EventLink(self.0.stamp)
    }
}

/// Memory in GiB (2³⁰ bytes).
#[Object]
impl SizingOutcome {
    async fn parameters(&self) -> Decimal {
        self.0.parameters.into()
    }

    /// Of one whole copy.
    async fn weights_gib(&self) -> Decimal {
        self.0.weights.as_gib()
    }

    /// Over the whole model, as if every layer kept all tokens.
    async fn kv_bytes_per_token(&self) -> Decimal {
        self.0.kv_per_token.0.into()
    }

    /// At peak concurrency, never at the average.
    async fn kv_cache_gib(&self) -> Decimal {
        self.0.kv.as_gib()
    }

    /// On the fullest card.
    async fn required_per_card_gib(&self) -> Decimal {
        self.0.on_card.total().as_gib()
    }

    async fn overhead_per_card_gib(&self) -> Decimal {
        self.0.on_card.overhead.total().as_gib()
    }

    /// Weights, gradients, optimizer states, activations and logits of training.
    async fn training_per_card_gib(&self) -> Decimal {
        self.0.on_card.training.total().as_gib()
    }

    /// What a process may really use of a card.
    async fn usable_per_card_gib(&self) -> Decimal {
        self.0.usable_per_card.as_gib()
    }

    /// `null` when no layout holds it.
    async fn cards(&self) -> Option<u32> {
        self.0.cards()
    }

    /// The least number of cards in any layout.
    async fn fewest_cards(&self) -> Option<u32> {
        self.0.fewest_cards()
    }

    async fn cards_per_node(&self) -> Option<u32> {
        self.0.cards_per_node()
    }

    async fn tensor_parallel(&self) -> Option<u32> {
        self.0.layout.map(|layout| layout.tensor)
    }

    async fn pipeline_parallel(&self) -> Option<u32> {
        self.0.layout.map(|layout| layout.pipeline)
    }

    /// Copies of the model.
    async fn data_parallel(&self) -> Option<u32> {
        self.0.layout.map(|layout| layout.data)
    }

    /// `up` inside one node, `out` over several.
    async fn scale(&self) -> &str {
        self.0.scale.id()
    }

    /// What the cards must be joined by: `none`, `within_node`, `between_nodes`.
    async fn link(&self) -> &str {
        self.0.link.id()
    }

    async fn headroom_percent(&self) -> Decimal {
        Decimal::new(self.0.headroom_permille(), 1)
    }

    async fn max_concurrency(&self) -> u32 {
        self.0.max_concurrency
    }
}

#[Object]
impl Advice {
    async fn rule(&self) -> &str {
        self.0.rule.id()
    }

    /// `note`, `warning` or `serious`.
    async fn severity(&self) -> &str {
        self.0.severity.id()
    }

    /// What it looked at, as paths in the brief.
    async fn fields(&self) -> &[&'static str] {
        &self.0.fields
    }

    async fn reason(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        self.0.text(self::locale(context, locale))
    }

    async fn severity_label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("severity.{}", self.0.severity.id());
        texts::text(&key, self::locale(context, locale)).to_owned()
    }
}

/// A measurement of a trial run beside what the need says.
#[Object]
impl Amendment {
    async fn field(&self) -> &str {
        self.0.field
    }

    /// `null` when the need says nothing of it.
    async fn estimate(&self) -> Option<&str> {
        self.0.estimate.as_deref()
    }

    async fn measured(&self) -> Decimal {
        self.0.measured
    }

    async fn event(&self) -> EventLink {
        EventLink(self.0.stamp)
    }
}
