//! The rules of thumb for buying or renting, each with what it read.
//!
//! The rule: a rule speaks for renting, for owning, or is silent; where what it reads is missing or
//! its range lies across the threshold, it cannot tell. They are screens and no computation: where
//! one of them and the computed break-even say different things, that is a finding of its own.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Question, break_even::BreakEven, input::Input, span::Span};
use crate::{
    estimate::Estimate,
    needs::catalogue::{Catalogue, assumptions::Assumption},
    policy::Policy,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    ShortNeed,
    VolatileDemand,
    LowUse,
    NoOperationsTeam,
    SecretAndSteady,
    LongFullUse,
    LeadTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Renting,
    Owning,
    Silent,
    CannotTell,
}

/// One value that a rule read, and what it was held against; both as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    pub field: &'static str,
    /// Absent when nobody gave it.
    pub value: Option<String>,
    pub threshold: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub rule: Rule,
    pub verdict: Verdict,
    pub read: Vec<Read>,
}

/// A rule of thumb says one thing and the computed break-even the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    pub rule: Rule,
    pub says: Verdict,
    pub computed: Verdict,
}

/// From when on the rules speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    pub short_months: Decimal,
    pub variation_percent: Decimal,
    pub low_use_percent: Decimal,
    pub steady_months: Decimal,
    pub own_hours_a_day: Decimal,
    pub own_months: Decimal,
}

impl Thresholds {
    pub fn of(policy: &Policy) -> Self {
        let catalogue = Catalogue::with(&policy.catalogue);
        let assumed = |name| Decimal::from(catalogue.assumptions.value(name));
        Self {
            short_months: assumed(Assumption::ShortNeedMonths),
            variation_percent: assumed(Assumption::VolatileDemandPercent),
            low_use_percent: assumed(Assumption::RentBelowUsePercent),
            steady_months: assumed(Assumption::SteadyNeedMonths),
            own_hours_a_day: policy.triggers.own_hours_a_day.into(),
            own_months: policy.triggers.own_months.into(),
        }
    }
}

impl Rule {
    pub const ALL: [Self; 7] = [
        Self::ShortNeed,
        Self::VolatileDemand,
        Self::LowUse,
        Self::NoOperationsTeam,
        Self::SecretAndSteady,
        Self::LongFullUse,
        Self::LeadTime,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::ShortNeed => "short_need",
            Self::VolatileDemand => "volatile_demand",
            Self::LowUse => "low_use",
            Self::NoOperationsTeam => "no_operations_team",
            Self::SecretAndSteady => "secret_and_steady",
            Self::LongFullUse => "long_full_use",
            Self::LeadTime => "lead_time",
        }
    }

    fn speaks_for(self) -> Verdict {
        match self {
            Self::ShortNeed
            | Self::VolatileDemand
            | Self::LowUse
            | Self::NoOperationsTeam
            | Self::LeadTime => Verdict::Renting,
            Self::SecretAndSteady | Self::LongFullUse => Verdict::Owning,
        }
    }

    fn conditions(self, question: &Question, thresholds: &Thresholds) -> Vec<Condition> {
        use Input::{DemandVariationPercent, HoursADay, LeadMonths, NeedMonths};
        let variation = thresholds.variation_percent;
        let team = |wanted| fact("operations_team", question.operations_team, wanted);
        match self {
            Self::ShortNeed => vec![below(question, NeedMonths, thresholds.short_months)],
            Self::VolatileDemand => vec![above(question, DemandVariationPercent, variation)],
            Self::LowUse => {
                let day = Decimal::from(24) / Decimal::ONE_HUNDRED;
                let hours = (thresholds.low_use_percent * day).normalize();
                vec![below(question, HoursADay, hours)]
            }
            Self::NoOperationsTeam => vec![team(false)],
            Self::SecretAndSteady => vec![
                above(question, NeedMonths, thresholds.steady_months),
                at_most(question, DemandVariationPercent, variation),
                fact("extreme_security", question.extreme_security, true),
            ],
            Self::LongFullUse => vec![
                above(question, HoursADay, thresholds.own_hours_a_day),
                above(question, NeedMonths, thresholds.own_months),
                team(true),
            ],
            // Hardware that comes when the need has ended serves nobody.
            Self::LeadTime => vec![reaches(question, LeadMonths, NeedMonths)],
        }
    }
}

impl Verdict {
    pub const ALL: [Self; 4] = [Self::Renting, Self::Owning, Self::Silent, Self::CannotTell];

    pub fn id(self) -> &'static str {
        match self {
            Self::Renting => "renting",
            Self::Owning => "owning",
            Self::Silent => "silent",
            Self::CannotTell => "cannot_tell",
        }
    }
}

/// What must hold, whether it does, and what was read for it.
struct Condition {
    holds: Option<bool>,
    read: Read,
}

/// A rule speaks when every condition holds, is silent when one does not, and else cannot tell.
pub fn findings(question: &Question, thresholds: &Thresholds) -> Vec<Finding> {
    let judged = |rule: Rule| {
        let conditions = rule.conditions(question, thresholds);
        let holds = |wanted| conditions.iter().any(|condition| condition.holds == wanted);
        let verdict = if holds(Some(false)) {
            Verdict::Silent
        } else if holds(None) {
            Verdict::CannotTell
        } else {
            rule.speaks_for()
        };
        let read = conditions.into_iter().map(|condition| condition.read).collect();
        Finding { rule, verdict, read }
    };
    Rule::ALL.into_iter().map(judged).collect()
}

/// What the computed break-even says for a need: owning when it comes before the need ends, whatever
/// the ranges, renting when it does not, whatever the ranges.
pub fn computed(question: &Question, month: Option<&Span<BreakEven>>) -> Verdict {
    let Some(month) = month else { return Verdict::CannotTell };
    let horizon = Decimal::from(question.horizon_months);
    let need = question.inputs.get(&Input::NeedMonths);
    let shortest = need.and_then(|need| need.low().copied()).unwrap_or(horizon);
    let longest = need.and_then(|need| need.high().copied()).unwrap_or(horizon);
    let in_time = |even: BreakEven, need: Decimal| match even {
        BreakEven::Month(month) => month <= need,
        BreakEven::BySelling => need >= horizon,
        BreakEven::Never => false,
    };
    if in_time(month.high, shortest) {
        Verdict::Owning
    } else if !in_time(month.low, longest) {
        Verdict::Renting
    } else {
        Verdict::CannotTell
    }
}

pub fn disagreements(findings: &[Finding], computed: Verdict) -> Vec<Disagreement> {
    let against = |finding: &&Finding| match (finding.verdict, computed) {
        (Verdict::Renting, Verdict::Owning) | (Verdict::Owning, Verdict::Renting) => true,
        (Verdict::Renting | Verdict::Owning | Verdict::Silent | Verdict::CannotTell, _) => false,
    };
    let told =
        |finding: &Finding| Disagreement { rule: finding.rule, says: finding.verdict, computed };
    findings.iter().filter(against).map(told).collect()
}

fn below(question: &Question, input: Input, threshold: Decimal) -> Condition {
    let holds = question.inputs.get(&input).and_then(|given| ends(given, |end| end < threshold));
    Condition { holds, read: read(question, input, format!("< {threshold}")) }
}

fn above(question: &Question, input: Input, threshold: Decimal) -> Condition {
    let holds = question.inputs.get(&input).and_then(|given| ends(given, |end| end > threshold));
    Condition { holds, read: read(question, input, format!("> {threshold}")) }
}

fn at_most(question: &Question, input: Input, threshold: Decimal) -> Condition {
    let holds = question.inputs.get(&input).and_then(|given| ends(given, |end| end <= threshold));
    Condition { holds, read: read(question, input, format!("≤ {threshold}")) }
}

/// Whether one estimate reaches another, wherever in their ranges both turn out to be.
fn reaches(question: &Question, input: Input, other: Input) -> Condition {
    let reached = || {
        let (one, other) = (question.inputs.get(&input)?, question.inputs.get(&other)?);
        let (surely, perhaps) = (one.low()? >= other.high()?, one.high()? >= other.low()?);
        (surely == perhaps).then_some(surely)
    };
    let threshold = question.inputs.get(&other).and_then(Estimate::written);
    let threshold = format!("≥ {}", threshold.unwrap_or_else(|| "?".to_owned()));
    Condition { holds: reached(), read: read(question, input, threshold) }
}

fn fact(field: &'static str, value: Option<bool>, speaks: bool) -> Condition {
    let written = value.map(|value| value.to_string());
    let read = Read { field, value: written, threshold: speaks.to_string() };
    Condition { holds: value.map(|value| value == speaks), read }
}

fn read(question: &Question, input: Input, threshold: String) -> Read {
    let value = question.inputs.get(&input).and_then(Estimate::written);
    Read { field: input.id(), value, threshold }
}

/// What is the same at both ends holds between them; otherwise it cannot be told.
fn ends(estimate: &Estimate<Decimal>, holds: impl Fn(Decimal) -> bool) -> Option<bool> {
    let (low, high) = (holds(*estimate.low()?), holds(*estimate.high()?));
    (low == high).then_some(low)
}
