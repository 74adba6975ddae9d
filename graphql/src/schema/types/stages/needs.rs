//! Stage 1: the brief, the triage, the sizing.

use async_graphql::{Json, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::needs::{sizing, triage};

use super::EvidenceFile;
use crate::schema::{scalars::TalkReason, types::history::EventLink};

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
        Some(triage::reasons_to_talk(brief).into_iter().map(Into::into).collect())
    }

    async fn sizing(&self) -> Option<Sizing> {
        let fact = self.0.state().needs.sizing.as_ref()?;
        Some(Sizing { sizing: fact.value.clone(), event: EventLink(fact.stamp) })
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

    async fn event(&self) -> &EventLink {
        &self.event
    }
}
