//! Stage 1: the brief, the triage, the sizing.

use async_graphql::{Context, Json, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::{
    chart::{self, memory},
    read::Seen,
};
use sixgate_workflows::needs::{
    advice::advice, catalogue::Catalogue, difference::changes, sizing, triage, trial::amendments,
};

use super::{
    EvidenceFile,
    brief_template::BriefTemplate,
    sizing::{Advice, Amendment, BriefChange, FieldSaid, ModelSizing},
};
use crate::schema::{
    self,
    scalars::{Language, TalkReason},
    types::{chart::Chart, history::EventLink},
};

pub(crate) struct Needs(pub Seen);

pub(crate) struct Sizing {
    sizing: sizing::Sizing,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Span {
    low: Decimal,
    high: Decimal,
}

#[Object]
impl Needs {
    /// The nine groups; every value is known, a range, or to be determined.
    async fn brief(&self) -> Option<Json<&sixgate_workflows::needs::brief::Brief>> {
        self.0.state().needs.brief.as_ref().map(|brief| Json(&brief.value))
    }

    async fn brief_event(&self) -> Option<EventLink> {
        self.0.state().needs.brief.as_ref().map(|brief| EventLink(brief.stamp))
    }

    async fn brief_source(&self) -> Option<EvidenceFile> {
        self.0.state().needs.source.as_ref().map(Into::into)
    }

    /// Why to talk to suppliers; empty means self-service. `null` without a brief.
    async fn talk_reasons(&self) -> Option<Vec<TalkReason>> {
        let brief = &self.0.state().needs.brief.as_ref()?.value;
        Some(triage::reasons_by(brief, &self.catalogue()).into_iter().map(Into::into).collect())
    }

    /// The brief in the template that its reader knows; `null` before there is one.
    async fn template(
        &self,
        context: &Context<'_>,
        locale: Option<Language>,
    ) -> Option<BriefTemplate> {
        let brief = self.0.state().needs.brief.as_ref()?.value.clone();
        Some(BriefTemplate { brief, locale: schema::locale(context, locale) })
    }

    /// A sizing whose parts somebody stated; `null` when the newer one was computed.
    async fn sizing(&self) -> Option<Sizing> {
        let fact = self.0.state().needs.sizing.as_ref()?;
        Some(Sizing { sizing: fact.value.clone(), event: EventLink(fact.stamp) })
    }

    /// A sizing that was worked out from the brief, a model and a card; `null` when the newer one
    /// was stated.
    async fn model_sizing(&self) -> Option<ModelSizing> {
        self.0.state().needs.model_sizing.clone().map(ModelSizing)
    }

    /// What experience says about the need, the most serious first.
    #[graphql(complexity = "8 * child_complexity")]
    async fn advice(&self) -> Vec<Advice> {
        advice(&self.0.state().needs, &self.catalogue()).into_iter().map(Advice).collect()
    }

    /// Measurements of trial runs, each beside its estimate.
    #[graphql(complexity = "20 * child_complexity")]
    async fn amendments(&self) -> Vec<Amendment> {
        amendments(&self.0.state().needs).into_iter().map(Amendment).collect()
    }

    /// What the present brief changed of the one before it.
    #[graphql(complexity = "40 * child_complexity")]
    async fn brief_changes(&self) -> Vec<BriefChange> {
        let needs = &self.0.state().needs;
        match (needs.earlier.last(), &needs.brief) {
            (Some(before), Some(now)) => {
                changes(&before.value, &now.value).into_iter().map(Into::into).collect()
            }
            (Some(_) | None, _) => Vec::new(),
        }
    }

    /// Who last said each field of the present brief.
    #[graphql(complexity = "40 * child_complexity")]
    async fn said(&self) -> Vec<FieldSaid> {
        let said = self.0.state().needs.said.iter();
        said.map(|(field, stamp)| FieldSaid { field: field.clone(), event: EventLink(*stamp) })
            .collect()
    }
}

impl Needs {
    /// As the procurement's pinned policy has it.
    fn catalogue(&self) -> Catalogue {
        Catalogue::with(&self.0.state().policy.catalogue)
    }
}

impl From<sizing::Span> for Span {
    fn from(span: sizing::Span) -> Self {
        Self { low: span.low, high: span.high }
    }
}

#[Object]
impl Sizing {
    async fn card(&self) -> &str {
        self.sizing.input.card.as_str()
    }

    async fn cards(&self) -> u32 {
        self.sizing.input.cards
    }

    async fn weights_gib(&self) -> Span {
        self.sizing.weights_gib.into()
    }

    /// At peak concurrency, never at the average.
    async fn kv_cache_gib(&self) -> Span {
        self.sizing.kv_cache_gib.into()
    }

    async fn required_gib(&self) -> Span {
        self.sizing.required_gib.into()
    }

    async fn usable_gib(&self) -> Decimal {
        self.sizing.usable_gib
    }

    /// Also at the upper end of every range.
    async fn fits(&self) -> bool {
        self.sizing.fit() == sizing::Fit::Fits
    }

    /// The parts over all cards beside what is usable of them.
    async fn chart(&self, context: &Context<'_>, locale: Option<Language>) -> Chart {
        let chart = memory::of_stated(&self.sizing, schema::locale(context, locale));
        Chart(chart::Chart::Stack(chart))
    }

    async fn event(&self) -> &EventLink {
        &self.event
    }
}
