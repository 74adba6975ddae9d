//! What experience says about a need: rules that fire, each with the fields that it read.
//!
//! The rule: advice never blocks a gate; it names what to talk about. A rule that lacks a field is
//! silent, but for the one whose subject is missing fields.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;

use super::{
    State,
    brief::{Brief, Fabric, Use},
    catalogue::{Catalogue, assumptions::Assumption, card::Link},
};
use crate::{locale::Locale, texts};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Costs money or time if it stays.
    Warning,
    /// The need as written does not work.
    Serious,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    TensorAcrossNodes,
    TrainingWithoutFabric,
    InferenceWithTrainingFabric,
    TrainingOnUnlinkedCards,
    ReservedButIdle,
    DataRetentionPlan,
    CheckpointTooSlow,
    UndeterminedCardCount,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    pub rule: Rule,
    pub severity: Severity,
    /// Paths in the brief, and `trial` for what was measured.
    pub fields: Vec<&'static str>,
    /// What goes into the text, by name.
    pub details: BTreeMap<&'static str, String>,
}

impl Severity {
    pub fn id(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Serious => "serious",
        }
    }
}

impl Rule {
    pub const ALL: [Self; 8] = [
        Self::TensorAcrossNodes,
        Self::TrainingWithoutFabric,
        Self::InferenceWithTrainingFabric,
        Self::TrainingOnUnlinkedCards,
        Self::ReservedButIdle,
        Self::DataRetentionPlan,
        Self::CheckpointTooSlow,
        Self::UndeterminedCardCount,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::TensorAcrossNodes => "tensor_across_nodes",
            Self::TrainingWithoutFabric => "training_without_fabric",
            Self::InferenceWithTrainingFabric => "inference_with_training_fabric",
            Self::TrainingOnUnlinkedCards => "training_on_unlinked_cards",
            Self::ReservedButIdle => "reserved_but_idle",
            Self::DataRetentionPlan => "data_retention_plan",
            Self::CheckpointTooSlow => "checkpoint_too_slow",
            Self::UndeterminedCardCount => "undetermined_card_count",
        }
    }

    pub fn severity(self) -> Severity {
        match self {
            Self::TensorAcrossNodes | Self::TrainingOnUnlinkedCards | Self::CheckpointTooSlow => {
                Severity::Serious
            }
            Self::TrainingWithoutFabric
            | Self::InferenceWithTrainingFabric
            | Self::ReservedButIdle
            | Self::UndeterminedCardCount => Severity::Warning,
            Self::DataRetentionPlan => Severity::Note,
        }
    }

    /// The fields that it looks at.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::TensorAcrossNodes => &["model.tensor_parallel", "cards.per_node"],
            Self::TrainingWithoutFabric => &[
                "use",
                "cards.total",
                "cards.per_node",
                "interconnect.between_nodes",
                "interconnect.bandwidth_gbit_s",
            ],
            Self::InferenceWithTrainingFabric => &[
                "use",
                "interconnect.between_nodes",
                "model.tensor_parallel",
                "model.pipeline_parallel",
                "cards.per_node",
            ],
            Self::TrainingOnUnlinkedCards => &["use", "cards.model", "cards.total"],
            Self::ReservedButIdle => &["term.utilisation", "term.months"],
            Self::DataRetentionPlan => {
                &["storage.dataset_gib", "storage.volume_gib", "storage.checkpoint_gib"]
            }
            Self::CheckpointTooSlow => &[
                "storage.checkpoint_gib",
                "storage.checkpoint_interval_min",
                "storage.read_gib_s",
                "trial",
            ],
            Self::UndeterminedCardCount => &[
                "model.parameters_b",
                "model.precision",
                "targets.peak_concurrency",
                "targets.context_tokens",
                "cards.model",
            ],
        }
    }

    fn fires(self, needs: &State, brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
        match self {
            Self::TensorAcrossNodes => tensor_across_nodes(brief, catalogue),
            Self::TrainingWithoutFabric => training_without_fabric(brief, catalogue),
            Self::InferenceWithTrainingFabric => inference_with_fabric(brief, catalogue),
            Self::TrainingOnUnlinkedCards => training_on_unlinked(brief, catalogue),
            Self::ReservedButIdle => reserved_but_idle(brief, catalogue),
            Self::DataRetentionPlan => data_retention(brief),
            Self::CheckpointTooSlow => checkpoint_too_slow(needs, brief),
            Self::UndeterminedCardCount => undetermined(brief),
        }
    }
}

impl Advice {
    pub fn text(&self, locale: Locale) -> String {
        let detail = |name: &str| self.details.get(name).map(String::as_str);
        texts::filled(&format!("advice.{}", self.rule.id()), locale, detail)
    }
}

type Details = BTreeMap<&'static str, String>;

/// Everything that fires, the most serious first. Nothing without a brief.
pub fn advice(needs: &State, catalogue: &Catalogue) -> Vec<Advice> {
    let Some(brief) = needs.brief.as_ref().map(|fact| &fact.value) else { return Vec::new() };
    let fired = |rule: Rule| {
        let details = rule.fires(needs, brief, catalogue)?;
        let fields = rule.fields().to_vec();
        Some(Advice { rule, severity: rule.severity(), fields, details })
    };
    let mut found: Vec<Advice> = Rule::ALL.into_iter().filter_map(fired).collect();
    found.sort_by_key(|advice| std::cmp::Reverse(advice.severity));
    found
}

fn details<const N: usize>(pairs: [(&'static str, String); N]) -> Option<Details> {
    Some(pairs.into())
}

/// What the brief says, or what a node usually has.
fn per_node(brief: &Brief, catalogue: &Catalogue) -> u32 {
    let usual = catalogue.assumptions.value(Assumption::CardsPerNode);
    brief.cards.per_node.low().copied().unwrap_or(usual)
}

fn is_inference(usage: Use) -> bool {
    matches!(usage, Use::OnlineInference | Use::BatchInference)
}

fn tensor_across_nodes(brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
    let (tensor, node) = (*brief.model.tensor_parallel.high()?, per_node(brief, catalogue));
    (tensor > node).then_some(())?;
    details([("tensor", tensor.to_string()), ("node", node.to_string())])
}

fn training_without_fabric(brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
    let usage = *brief.usage.low()?;
    let (total, node) = (*brief.cards.total.high()?, per_node(brief, catalogue));
    (!is_inference(usage) && total > node).then_some(())?;
    let wanted = catalogue.assumptions.value(Assumption::FastFabricGbitS);
    let slow = brief
        .interconnect
        .bandwidth_gbit_s
        .low()
        .is_some_and(|bandwidth| *bandwidth < Decimal::from(wanted));
    let none = brief.interconnect.between_nodes.low() == Some(&Fabric::None);
    (slow || none).then_some(())?;
    let nodes = total.div_ceil(node.max(1));
    details([("nodes", nodes.to_string()), ("wanted_gbit_s", wanted.to_string())])
}

fn inference_with_fabric(brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
    let usage = *brief.usage.low()?;
    let fabric = *brief.interconnect.between_nodes.high()?;
    (is_inference(usage) && fabric != Fabric::None).then_some(())?;
    // One copy over several nodes does need it.
    let ranks = brief.model.tensor_parallel.high().copied().unwrap_or(1);
    let stages = brief.model.pipeline_parallel.high().copied().unwrap_or(1);
    (ranks.saturating_mul(stages) <= per_node(brief, catalogue)).then_some(())?;
    details([("fabric_wanted", fabric.id().to_owned())])
}

fn training_on_unlinked(brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
    let (usage, total) = (*brief.usage.low()?, *brief.cards.total.high()?);
    let large = catalogue.assumptions.value(Assumption::LargeScaleCards);
    (usage == Use::Training && total >= large).then_some(())?;
    let card = catalogue.lookup(brief.cards.model.low()?.as_str()).cautious()?;
    (card.link == Link::None).then_some(())?;
    details([("card_name", card.name.clone()), ("total", total.to_string())])
}

fn reserved_but_idle(brief: &Brief, catalogue: &Catalogue) -> Option<Details> {
    let least = catalogue.assumptions.value(Assumption::LowUtilisationPercent);
    let utilisation = brief.term.utilisation.low()?.value();
    let months = *brief.term.months.high()?;
    (months >= 1 && utilisation < Decimal::from(least)).then_some(())?;
    details([
        ("utilisation", utilisation.normalize().to_string()),
        ("least", least.to_string()),
        ("months", months.to_string()),
    ])
}

fn data_retention(brief: &Brief) -> Option<Details> {
    let storage = &brief.storage;
    let kept = [&storage.dataset_gib, &storage.volume_gib, &storage.checkpoint_gib];
    let largest = kept.into_iter().filter_map(|estimate| estimate.high()).max()?;
    (*largest > Decimal::ZERO).then_some(())?;
    details([("gib", largest.normalize().to_string())])
}

/// Measured writing counts before the brief's throughput, the newest trial before older ones.
fn checkpoint_too_slow(needs: &State, brief: &Brief) -> Option<Details> {
    let storage = &brief.storage;
    let measured = needs.trials.iter().rev().find_map(|trial| trial.value.write_gib_s());
    let rate = measured.or_else(|| storage.read_gib_s.low().copied())?;
    let size = *storage.checkpoint_gib.high()?;
    let interval = storage.checkpoint_interval_min.low()?.checked_mul(Decimal::from(60))?;
    let writing = size.checked_div(rate)?;
    (writing > interval).then_some(())?;
    details([
        ("gib", size.normalize().to_string()),
        ("writing_s", writing.round().to_string()),
        ("interval_s", interval.normalize().to_string()),
    ])
}

fn undetermined(brief: &Brief) -> Option<Details> {
    let (model, targets) = (&brief.model, &brief.targets);
    let inference = brief.usage.low().copied().is_none_or(is_inference);
    let open: Vec<&str> = [
        ("model.parameters_b", model.parameters_b.is_given()),
        ("model.precision", model.precision.is_given()),
        ("targets.peak_concurrency", targets.peak_concurrency.is_given() || !inference),
        ("targets.context_tokens", targets.context_tokens.is_given()),
        ("cards.model", brief.cards.model.is_given()),
    ]
    .into_iter()
    .filter(|(_, given)| !given)
    .map(|(field, _)| field)
    .collect();
    (!open.is_empty()).then_some(())?;
    details([("field", open.join(", "))])
}
