//! Stage 1, needs (需求评估): from an unsure wish to a brief that can be sized.
//!
//! It is left when use, model, precision, peak concurrency, context and latency are known, the
//! sizing fits, and no group of the brief is blank.

pub mod advice;
pub mod brief;
pub mod catalogue;
pub mod difference;
pub mod focus;
pub mod sizing;
pub mod triage;
pub mod trial;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::{
    brief::Brief,
    catalogue::Catalogue,
    sizing::{
        Fit, Sizing, SizingInput,
        computed::{self, ModelSizing, ModelSizingInput},
    },
    trial::Trial,
};
use crate::{
    context::Context,
    evidence::EvidenceFile,
    gate::{Criterion, CriterionRule, Reason},
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    /// Replaces the brief as a whole; earlier ones stay in the history.
    RecordBrief { brief: Box<Brief>, source: Option<EvidenceFile> },
    /// A sizing whose parts somebody states.
    RecordSizing { input: SizingInput },
    /// A sizing that is worked out from the brief, a model and a card of the catalogue.
    SizeModel { input: Box<ModelSizingInput> },
    /// What a small run on rented cards measured.
    RecordTrial { trial: Box<Trial> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    BriefRecorded { brief: Box<Brief>, source: Option<EvidenceFile> },
    SizingRecorded { sizing: Box<Sizing> },
    ModelSized { sizing: Box<ModelSizing> },
    TrialRecorded { trial: Box<Trial> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub brief: Option<Fact<Brief>>,
    pub source: Option<EvidenceFile>,
    /// Void once a newer brief is recorded, since it was worked out from the older one.
    pub sizing: Option<Fact<Sizing>>,
    /// Void like `sizing`; the newer of the two holds and the other is void.
    #[serde(default)]
    pub model_sizing: Option<Fact<ModelSizing>>,
    /// Every version before the present one, the oldest first.
    #[serde(default)]
    pub earlier: Vec<Fact<Brief>>,
    /// Who last said each field of the present brief, by the field's path.
    #[serde(default)]
    pub said: BTreeMap<String, Stamp>,
    /// Measurements outlive the brief that they were made for.
    #[serde(default)]
    pub trials: Vec<Fact<Trial>>,
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
        Command::SizeModel { input } => {
            let brief = procurement.needs.brief.as_ref().ok_or(Rejection::BriefMissing)?;
            let catalogue = Catalogue::with(&procurement.policy.catalogue);
            let sizing = computed::compute(&brief.value, *input, &catalogue)?;
            Ok(vec![Event::ModelSized { sizing: Box::new(sizing) }])
        }
        Command::RecordTrial { trial } => {
            if procurement.needs.brief.is_none() {
                return Err(Rejection::BriefMissing);
            }
            trial.check()?;
            Ok(vec![Event::TrialRecorded { trial }])
        }
    }
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::BriefRecorded { brief, source } => {
            let before = state.brief.take();
            let earlier = before.as_ref().map(|fact| (&fact.value, &state.said));
            state.said = difference::said(earlier, brief, stamp);
            state.earlier.extend(before);
            state.brief = Some(Fact::new((**brief).clone(), stamp));
            state.source.clone_from(source);
            state.sizing = None;
            state.model_sizing = None;
        }
        Event::SizingRecorded { sizing } => {
            state.sizing = Some(Fact::new((**sizing).clone(), stamp));
            state.model_sizing = None;
        }
        Event::ModelSized { sizing } => {
            state.model_sizing = Some(Fact::new((**sizing).clone(), stamp));
            state.sizing = None;
        }
        Event::TrialRecorded { trial } => {
            state.trials.push(Fact::new((**trial).clone(), stamp));
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::UseKnown, |procurement, _| known(procurement, |brief| brief.usage.is_given())),
    (Criterion::ModelKnown, |procurement, _| {
        known(procurement, |brief| brief.model.parameters_b.is_given())
    }),
    (Criterion::PrecisionKnown, |procurement, _| {
        known(procurement, |brief| brief.model.precision.is_given())
    }),
    (Criterion::ConcurrencyKnown, |procurement, _| {
        known(procurement, |brief| brief.targets.peak_concurrency.is_given())
    }),
    (Criterion::ContextKnown, |procurement, _| {
        known(procurement, |brief| brief.targets.context_tokens.is_given())
    }),
    (Criterion::LatencyKnown, |procurement, _| {
        known(procurement, |brief| {
            brief.targets.latency_ms.is_given()
                || brief.usage.low().is_some_and(|usage| !usage.has_latency())
        })
    }),
    (Criterion::SizingFits, |procurement, _| sizing_fits(&procurement.needs)),
    (Criterion::BriefComplete, |procurement, _| brief_complete(procurement)),
];

fn brief(procurement: &Procurement) -> Result<&Brief, Reason> {
    match &procurement.needs.brief {
        Some(fact) => Ok(&fact.value),
        None => Err(Reason::new("brief_missing")),
    }
}

fn known(procurement: &Procurement, given: fn(&Brief) -> bool) -> Result<(), Reason> {
    match given(brief(procurement)?) {
        true => Ok(()),
        false => Err(Reason::new("still_to_be_determined")),
    }
}

fn sizing_fits(needs: &State) -> Result<(), Reason> {
    if let Some(sizing) = &needs.model_sizing {
        return model_fits(&sizing.value);
    }
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

fn model_fits(sizing: &ModelSizing) -> Result<(), Reason> {
    let (low, high) = (sizing.low.fewest_cards(), sizing.high.fewest_cards());
    let reason = |key| {
        let cards = |cards: Option<u32>| cards.map_or("∞".to_owned(), |cards| cards.to_string());
        let wanted = sizing.wanted.map_or_else(String::new, |(least, most)| match least == most {
            true => least.to_string(),
            false => format!("{least}–{most}"),
        });
        Err(Reason::new(key)
            .with("at_best", cards(low))
            .with("required", cards(high))
            .with("wanted", wanted))
    };
    match sizing.fit() {
        Fit::Fits => Ok(()),
        Fit::DoesNotFit if low.is_none() => Err(Reason::new("sizing_holds_no_request")
            .with("required", sizing.low.on_card.total().as_gib())
            .with("usable", sizing.low.usable_per_card.as_gib())),
        Fit::FitsAtBest => reason("sizing_cards_suffice_only_at_best"),
        Fit::DoesNotFit => reason("sizing_needs_more_cards"),
    }
}

fn brief_complete(procurement: &Procurement) -> Result<(), Reason> {
    let blank = brief(procurement)?.blank_groups();
    match blank.is_empty() {
        true => Ok(()),
        false => Err(Reason::new("brief_groups_blank").with("groups", blank.join(", "))),
    }
}
