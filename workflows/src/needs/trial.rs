//! A trial run: what a small rented run on the same image measured.
//!
//! VRAM, throughput and utilisation are what estimates miss most. The rule: a measurement amends
//! the brief by standing beside its estimate, and takes nothing away; whoever reads the need sees
//! both. It does not open or close the gate: what a runtime has reserved is not what it needs, so
//! VRAM that was in use proves no fit.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{State, sizing::computed::ModelSizing};
use crate::{
    evidence::EvidenceFile,
    invalid::Invalid,
    percent::Percent,
    recorded::{Fact, Stamp},
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    pub card: Name,
    pub cards: u32,
    /// The image it ran on, which should be that of the brief.
    pub image: Option<Name>,
    pub concurrency: Option<u32>,
    pub context_tokens: Option<u32>,
    /// Most of one card's memory that was in use.
    pub vram_per_card_gib: Option<Decimal>,
    /// Tokens or samples a second over all cards, as `throughput_of` says.
    pub throughput_per_s: Option<Decimal>,
    pub throughput_of: Option<Name>,
    pub latency_ms: Option<Decimal>,
    pub utilisation: Option<Percent>,
    pub checkpoint_gib: Option<Decimal>,
    pub checkpoint_write_s: Option<Decimal>,
    pub note: Option<Text>,
    pub source: Option<EvidenceFile>,
}

/// One field with both of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// As in the brief; `required_per_card_gib` is the sizing's.
    pub field: &'static str,
    /// What the brief or the sizing says, written as people write it; absent when it says nothing.
    pub estimate: Option<String>,
    pub measured: Decimal,
    pub stamp: Stamp,
}

impl Trial {
    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("trial", why));
        let figures = [
            self.vram_per_card_gib,
            self.throughput_per_s,
            self.latency_ms,
            self.checkpoint_gib,
            self.checkpoint_write_s,
        ];
        if self.cards == 0 {
            return refuse("it ran on at least one card");
        }
        if figures.iter().flatten().any(|figure| *figure <= Decimal::ZERO) {
            return refuse("a measured figure is above zero; leave out what was not measured");
        }
        if figures.iter().all(Option::is_none) && self.utilisation.is_none() {
            return refuse("it measured nothing");
        }
        Ok(())
    }

    /// In GiB a second, when both were measured.
    pub fn write_gib_s(&self) -> Option<Decimal> {
        self.checkpoint_gib?.checked_div(self.checkpoint_write_s?)
    }
}

/// Every measurement of every trial beside what the need says, the newest last.
pub fn amendments(needs: &State) -> Vec<Amendment> {
    needs.trials.iter().flat_map(|trial| of_trial(needs, trial)).collect()
}

fn of_trial(needs: &State, trial: &Fact<Trial>) -> Vec<Amendment> {
    let brief = needs.brief.as_ref().map(|fact| &fact.value);
    let sizing = needs.model_sizing.as_ref().map(|fact| &fact.value);
    let measured = &trial.value;
    let latency = brief.and_then(|brief| brief.targets.latency_ms.written());
    let utilisation = brief.and_then(|brief| brief.term.utilisation.written());
    let checkpoint = brief.and_then(|brief| brief.storage.checkpoint_gib.written());
    let read = brief.and_then(|brief| brief.storage.read_gib_s.written());
    let pairs = [
        ("required_per_card_gib", sizing.map(required), measured.vram_per_card_gib),
        ("throughput_per_s", None, measured.throughput_per_s),
        ("targets.latency_ms", latency, measured.latency_ms),
        ("term.utilisation", utilisation, measured.utilisation.map(Percent::value)),
        ("storage.checkpoint_gib", checkpoint, measured.checkpoint_gib),
        ("storage.read_gib_s", read, measured.write_gib_s().map(|rate| rate.round_dp(2))),
    ];
    pairs
        .into_iter()
        .filter_map(|(field, estimate, measured)| {
            Some(Amendment { field, estimate, measured: measured?, stamp: trial.stamp })
        })
        .collect()
}

fn required(sizing: &ModelSizing) -> String {
    let (low, high) = (sizing.low.on_card.total(), sizing.high.on_card.total());
    match low == high {
        true => low.as_gib().to_string(),
        false => format!("{}–{}", low.as_gib(), high.as_gib()),
    }
}
