//! Stage 1, needs (需求评估): from an unsure wish to a brief that can be sized.
//!
//! It is left when use, model, precision, peak concurrency, context and latency are known, the
//! sizing fits, and no group of the brief is blank.

pub mod brief;
pub mod catalogue;
pub mod sizing;
pub mod triage;

use serde::{Deserialize, Serialize};

use self::{
    brief::Brief,
    sizing::{Fit, Sizing, SizingInput},
};
use crate::{
    context::Context,
    evidence::EvidenceFile,
    gate::{Criterion, Finding, Reason},
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    /// Replaces the brief as a whole; earlier ones stay in the history.
    RecordBrief {
        brief: Box<Brief>,
        source: Option<EvidenceFile>,
    },
    RecordSizing {
        input: SizingInput,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    BriefRecorded { brief: Box<Brief>, source: Option<EvidenceFile> },
    SizingRecorded { sizing: Box<Sizing> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub brief: Option<Fact<Brief>>,
    pub source: Option<EvidenceFile>,
    /// Void once a newer brief is recorded, since it was worked out from the older one.
    pub sizing: Option<Fact<Sizing>>,
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    _context: &Context,
) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::RecordBrief { brief, source } => Ok(vec![Event::BriefRecorded { brief, source }]),
        Command::RecordSizing { input } => {
            let brief = procurement.needs.brief.as_ref().ok_or(Rejection::BriefMissing)?;
            let sizing = sizing::size(&brief.value, input)
                .map_err(|field| Rejection::SizingNeeds { field: field.to_owned() })?;
            Ok(vec![Event::SizingRecorded { sizing: Box::new(sizing) }])
        }
    }
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::BriefRecorded { brief, source } => {
            state.brief = Some(Fact::new((**brief).clone(), stamp));
            state.source.clone_from(source);
            state.sizing = None;
        }
        Event::SizingRecorded { sizing } => {
            state.sizing = Some(Fact::new((**sizing).clone(), stamp));
        }
    }
}

pub fn criteria(procurement: &Procurement) -> Vec<Finding> {
    let needs = &procurement.needs;
    let brief = needs.brief.as_ref().map(|fact| &fact.value);
    let known = |criterion, given: fn(&Brief) -> bool| {
        let outcome = match brief {
            None => Err(Reason::new("brief_missing")),
            Some(brief) if given(brief) => Ok(()),
            Some(_) => Err(Reason::new("still_to_be_determined")),
        };
        Finding::new(criterion, outcome)
    };
    vec![
        known(Criterion::UseKnown, |brief| brief.usage.is_given()),
        known(Criterion::ModelKnown, |brief| brief.model.parameters_b.is_given()),
        known(Criterion::PrecisionKnown, |brief| brief.model.precision.is_given()),
        known(Criterion::ConcurrencyKnown, |brief| brief.targets.peak_concurrency.is_given()),
        known(Criterion::ContextKnown, |brief| brief.targets.context_tokens.is_given()),
        known(Criterion::LatencyKnown, |brief| {
            brief.targets.latency_ms.is_given()
                || brief.usage.low().is_some_and(|usage| !usage.has_latency())
        }),
        Finding::new(Criterion::SizingFits, sizing_fits(needs)),
        Finding::new(Criterion::BriefComplete, brief_complete(brief)),
    ]
}

fn sizing_fits(needs: &State) -> Result<(), Reason> {
    let sizing = &needs.sizing.as_ref().ok_or(Reason::new("sizing_missing"))?.value;
    let figures = |key| {
        Reason::new(key)
            .with("required", sizing.required_gib.high)
            .with("at_best", sizing.required_gib.low)
            .with("usable", sizing.usable_gib)
    };
    match sizing.fit() {
        Fit::Fits => Ok(()),
        Fit::FitsAtBest => Err(figures("sizing_fits_only_at_best")),
        Fit::DoesNotFit => Err(figures("sizing_does_not_fit")),
    }
}

fn brief_complete(brief: Option<&Brief>) -> Result<(), Reason> {
    let blank = brief.ok_or(Reason::new("brief_missing"))?.blank_groups();
    match blank.is_empty() {
        true => Ok(()),
        false => Err(Reason::new("brief_groups_blank").with("groups", blank.join(", "))),
    }
}
