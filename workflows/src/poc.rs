//! Stage 4, POC (POC测试): finalists measured on the company's own model and data.
//!
//! It is left when two or three finalists have complete evidence, each verdict is a pass or a fail,
//! at least one passes, and the baseline of every passing one is recorded. Throttling, a card that
//! drops out or memory that grows means: do not sign. After a failed verdict nothing is tested
//! again until the supplier's explanation is on record.

pub mod drift;
pub mod promise;
pub mod reading;
pub mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::{
    promise::Promise,
    reading::{Reading, ReadingKind},
    verdict::{Outcome, Readings, Verdict},
};
use crate::{
    context::Context,
    evidence::EvidenceFile,
    gate::{Criterion, CriterionRule, Reason},
    ids::SupplierId,
    procurement::Procurement,
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    /// Takes a candidate into the POC with what it promises and when its trial quota ends.
    ChooseFinalist {
        supplier: SupplierId,
        promise: Box<Promise>,
        trial_ends_on: NaiveDate,
    },
    RecordEvidence {
        supplier: SupplierId,
        evidence: Box<Evidence>,
    },
    RecordExplanation {
        supplier: SupplierId,
        explanation: Text,
    },
    /// Keeps latency, throughput, memory and bandwidth as what operation is compared with.
    RecordBaseline {
        supplier: SupplierId,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    FinalistChosen { supplier: SupplierId, promise: Box<Promise>, trial_ends_on: NaiveDate },
    EvidenceRecorded { supplier: SupplierId, evidence: Box<Evidence> },
    VerdictReached { supplier: SupplierId, verdict: Box<Verdict> },
    ExplanationRecorded { supplier: SupplierId, explanation: Text },
    BaselineRecorded { supplier: SupplierId, baseline: Baseline },
}

/// An evidence file and what a reader found in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub file: EvidenceFile,
    pub reader_version: u16,
    pub complete: bool,
    pub incomplete_because: Option<Name>,
    pub reading: Reading,
}

/// What the machine did when it was accepted. What was not measured then cannot be compared later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_p99_ms: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_token_p99_ms: Option<Decimal>,
    pub output_tokens_s: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collective_gb_s: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_gbit_s: Option<Decimal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_growth_mib: Option<Decimal>,
    /// Used memory of the card that grew most, evenly spaced over the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_curve_mib: Vec<Decimal>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub finalists: BTreeMap<SupplierId, Finalist>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finalist {
    pub promise: Promise,
    pub trial_ends_on: NaiveDate,
    /// The newest of each kind of measurement; older files stay in the history.
    pub evidence: Vec<Fact<Evidence>>,
    pub verdict: Option<Fact<Verdict>>,
    pub explanation: Option<Fact<Text>>,
    pub baseline: Option<Fact<Baseline>>,
}

impl Finalist {
    pub fn outcome(&self) -> Option<Outcome> {
        self.verdict.as_ref().map(|verdict| verdict.value.overall)
    }

    fn owes_explanation(&self) -> bool {
        self.outcome() == Some(Outcome::Fail) && self.explanation.is_none()
    }

    pub fn has(&self, kind: ReadingKind) -> bool {
        self.evidence.iter().any(|fact| fact.value.reading.kind() == kind)
    }

    /// What has to be there before a verdict can be reached: what the policy asks for, and what was
    /// promised.
    pub fn expects(&self, required: &BTreeSet<ReadingKind>) -> BTreeSet<ReadingKind> {
        required.union(&self.promise.expects()).copied().collect()
    }

    /// The files that a new one leaves standing.
    fn beside<'a>(&'a self, new: &'a Evidence) -> impl Iterator<Item = &'a Fact<Evidence>> {
        self.evidence.iter().filter(|fact| !new.reading.supersedes(&fact.value.reading))
    }
}

impl Baseline {
    /// What the readings hold; `None` when they hold nothing to compare with.
    pub fn of<'a>(readings: impl IntoIterator<Item = &'a Reading>) -> Option<Self> {
        let mut found = Self::default();
        for reading in readings {
            match reading {
                Reading::Serving(run) => {
                    found.first_token_p99_ms = run.first_token_p99_ms;
                    found.per_token_p99_ms = run.per_token_p99_ms;
                    found.output_tokens_s = run.output_tokens_s;
                }
                Reading::Collective(run) => found.collective_gb_s = run.peak_gb_s,
                Reading::Network(run) => {
                    found.network_gbit_s = run.gbit_s.or(found.network_gbit_s);
                }
                Reading::Cards(run) => {
                    found.memory_growth_mib = run.memory_growth_mib;
                    found.memory_curve_mib.clone_from(&run.memory_curve_mib);
                }
                Reading::Storage(_)
                | Reading::Stress(_)
                | Reading::Diagnostics(_)
                | Reading::KernelLog(_)
                | Reading::Telemetry(_)
                | Reading::Reference(_) => {}
            }
        }
        (found != Self::default()).then_some(found)
    }
}

impl State {
    pub fn finalist(&self, supplier: SupplierId) -> Result<&Finalist, Rejection> {
        self.finalists.get(&supplier).ok_or(Rejection::NoSuchFinalist { supplier })
    }
}

pub fn decide(
    procurement: &Procurement,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let poc = &procurement.poc;
    match command {
        Command::ChooseFinalist { supplier, promise, trial_ends_on } => {
            choose(procurement, supplier, promise, trial_ends_on, context)
        }
        Command::RecordEvidence { supplier, evidence } => {
            let finalist = poc.finalist(supplier)?;
            let is_retest = finalist.beside(&evidence).count() < finalist.evidence.len();
            if is_retest && finalist.owes_explanation() {
                return Err(Rejection::ExplanationMissing { supplier });
            }
            let mut readings = Readings::default();
            let standing = finalist.beside(&evidence).map(|fact| &fact.value);
            for evidence in standing.chain([&*evidence]) {
                readings.add_from(&evidence.file.name, &evidence.reading, evidence.complete);
            }
            let required = finalist.expects(&procurement.policy.required_readings);
            let verdict = Box::new(verdict::judge(&finalist.promise, &readings, &required));
            Ok(vec![
                Event::EvidenceRecorded { supplier, evidence },
                Event::VerdictReached { supplier, verdict },
            ])
        }
        Command::RecordExplanation { supplier, explanation } => {
            match poc.finalist(supplier)?.outcome() {
                Some(Outcome::Fail) => {
                    Ok(vec![Event::ExplanationRecorded { supplier, explanation }])
                }
                Some(Outcome::Pass | Outcome::Inconclusive) | None => {
                    Err(Rejection::NothingToExplain { supplier })
                }
            }
        }
        Command::RecordBaseline { supplier } => {
            let finalist = poc.finalist(supplier)?;
            if finalist.outcome() != Some(Outcome::Pass) {
                return Err(Rejection::NotAccepted { supplier });
            }
            let readings = finalist.evidence.iter().map(|fact| &fact.value.reading);
            let baseline = Baseline::of(readings).ok_or(Rejection::NotAccepted { supplier })?;
            Ok(vec![Event::BaselineRecorded { supplier, baseline }])
        }
    }
}

fn choose(
    procurement: &Procurement,
    supplier: SupplierId,
    promise: Box<Promise>,
    trial_ends_on: NaiveDate,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    let candidate = procurement.shortlist.candidate(supplier)?;
    if !candidate.is_qualified_on(context.today()) {
        return Err(Rejection::NotQualified { supplier });
    }
    if trial_ends_on < context.today() {
        return Err(Rejection::AlreadyExpired { expires_on: trial_ends_on });
    }
    let most = procurement.policy.finalists_max;
    let known = procurement.poc.finalists.contains_key(&supplier);
    if !known && procurement.poc.finalists.len() >= most {
        return Err(Rejection::TooManyFinalists { most });
    }
    Ok(vec![Event::FinalistChosen { supplier, promise, trial_ends_on }])
}

pub fn evolve(state: &mut State, event: &Event, stamp: Stamp) {
    match event {
        Event::FinalistChosen { supplier, promise, trial_ends_on } => {
            let finalist = Finalist {
                promise: (**promise).clone(),
                trial_ends_on: *trial_ends_on,
                evidence: Vec::new(),
                verdict: None,
                explanation: None,
                baseline: None,
            };
            // A changed promise starts the finalist's test anew.
            state.finalists.insert(*supplier, finalist);
        }
        Event::EvidenceRecorded { supplier, evidence } => {
            if let Some(finalist) = state.finalists.get_mut(supplier) {
                let before = finalist.evidence.len();
                finalist.evidence.retain(|fact| !evidence.reading.supersedes(&fact.value.reading));
                let is_retest = finalist.evidence.len() < before;
                finalist.evidence.push(Fact::new((**evidence).clone(), stamp));
                if is_retest {
                    // It explained what was tested before; another failure asks for another one.
                    finalist.explanation = None;
                }
                finalist.baseline = None;
            }
        }
        Event::VerdictReached { supplier, verdict } => {
            if let Some(finalist) = state.finalists.get_mut(supplier) {
                finalist.verdict = Some(Fact::new((**verdict).clone(), stamp));
            }
        }
        Event::ExplanationRecorded { supplier, explanation } => {
            if let Some(finalist) = state.finalists.get_mut(supplier) {
                finalist.explanation = Some(Fact::new(explanation.clone(), stamp));
            }
        }
        Event::BaselineRecorded { supplier, baseline } => {
            if let Some(finalist) = state.finalists.get_mut(supplier) {
                finalist.baseline = Some(Fact::new(baseline.clone(), stamp));
            }
        }
    }
}

pub const CRITERIA: &[CriterionRule] = &[
    (Criterion::FinalistCount, |procurement, _| finalist_count(procurement)),
    (Criterion::EvidenceComplete, |procurement, _| {
        each_finalist(procurement, "evidence_open", |finalist| {
            let expected = finalist.expects(&procurement.policy.required_readings);
            verdict::missing_kinds(&expected, |kind| finalist.has(kind)).is_empty()
        })
    }),
    (Criterion::VerdictsReached, |procurement, _| {
        each_finalist(procurement, "verdicts_open", |finalist| {
            matches!(finalist.outcome(), Some(Outcome::Pass | Outcome::Fail))
        })?;
        any_accepted(procurement)
    }),
    (Criterion::BaselineRecorded, |procurement, _| {
        each_finalist(procurement, "baselines_open", |finalist| {
            finalist.outcome() != Some(Outcome::Pass) || finalist.baseline.is_some()
        })?;
        any_accepted(procurement)
    }),
];

fn finalist_count(procurement: &Procurement) -> Result<(), Reason> {
    let policy = &procurement.policy;
    let count = procurement.poc.finalists.len();
    match (policy.finalists_min..=policy.finalists_max).contains(&count) {
        true => Ok(()),
        false => Err(Reason::new("finalist_count")
            .with("count", count)
            .with("least", policy.finalists_min)
            .with("most", policy.finalists_max)),
    }
}

fn any_accepted(procurement: &Procurement) -> Result<(), Reason> {
    let accepted = |finalist: &Finalist| finalist.outcome() == Some(Outcome::Pass);
    match procurement.poc.finalists.values().any(accepted) {
        true => Ok(()),
        false => Err(Reason::new("no_finalist_accepted")),
    }
}

fn each_finalist(
    procurement: &Procurement,
    open: &'static str,
    done: impl Fn(&Finalist) -> bool,
) -> Result<(), Reason> {
    let finalists = &procurement.poc.finalists;
    if finalists.is_empty() {
        return Err(Reason::new("no_finalists"));
    }
    let missing: Vec<&str> = finalists
        .iter()
        .filter(|(_, finalist)| !done(finalist))
        .map(|(supplier, _)| procurement.supplier_name(*supplier))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Reason::new(open).with("suppliers", missing.join(", "))),
    }
}
