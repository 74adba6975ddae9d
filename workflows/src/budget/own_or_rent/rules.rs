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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub field: &'static str,
    /// Absent when nobody gave it.
    pub value: Option<String>,
    pub threshold: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    pub verdict: Verdict,
    pub read: Vec<Read>,
}

/// A rule of thumb says one thing and the computed break-even the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

pub fn findings(question: &Question, thresholds: &Thresholds) -> Vec<Finding> {
    let judge = Judge { question };
    let Thresholds {
        short_months,
        variation_percent,
        low_use_percent,
        steady_months,
        own_hours_a_day,
        own_months,
    } = *thresholds;
    let hours = Decimal::from(24);
    let low_use_hours = low_use_percent * hours / Decimal::ONE_HUNDRED;
    let lead = question.inputs.get(&Input::LeadMonths);
    let lead_comes_late = match (lead, question.inputs.get(&Input::NeedMonths)) {
        (Some(lead), Some(need)) => judge.reaches(lead, need),
        (Some(_) | None, _) => None,
    };
    vec![
        judge.finding(
            Rule::ShortNeed,
            Verdict::Renting,
            vec![(
                judge.below(Input::NeedMonths, short_months),
                read_input(question, Input::NeedMonths, format!("< {short_months}")),
            )],
        ),
        judge.finding(
            Rule::VolatileDemand,
            Verdict::Renting,
            vec![(
                judge.above(Input::DemandVariationPercent, variation_percent),
                read_input(
                    question,
                    Input::DemandVariationPercent,
                    format!("> {variation_percent}"),
                ),
            )],
        ),
        judge.finding(
            Rule::LowUse,
            Verdict::Renting,
            vec![(
                judge.below(Input::HoursADay, low_use_hours),
                read_input(question, Input::HoursADay, format!("< {}", low_use_hours.normalize())),
            )],
        ),
        judge.finding(
            Rule::NoOperationsTeam,
            Verdict::Renting,
            vec![(
                question.operations_team.map(|team| !team),
                read_fact("operations_team", question.operations_team, false),
            )],
        ),
        judge.finding(
            Rule::SecretAndSteady,
            Verdict::Owning,
            vec![
                (
                    judge.above(Input::NeedMonths, steady_months),
                    read_input(question, Input::NeedMonths, format!("> {steady_months}")),
                ),
                (
                    judge
                        .above(Input::DemandVariationPercent, variation_percent)
                        .map(|above| !above),
                    read_input(
                        question,
                        Input::DemandVariationPercent,
                        format!("≤ {variation_percent}"),
                    ),
                ),
                (
                    question.extreme_security,
                    read_fact("extreme_security", question.extreme_security, true),
                ),
            ],
        ),
        judge.finding(
            Rule::LongFullUse,
            Verdict::Owning,
            vec![
                (
                    judge.above(Input::HoursADay, own_hours_a_day),
                    read_input(question, Input::HoursADay, format!("> {own_hours_a_day}")),
                ),
                (
                    judge.above(Input::NeedMonths, own_months),
                    read_input(question, Input::NeedMonths, format!("> {own_months}")),
                ),
                (
                    question.operations_team,
                    read_fact("operations_team", question.operations_team, true),
                ),
            ],
        ),
        judge.finding(
            Rule::LeadTime,
            Verdict::Renting,
            vec![(
                lead_comes_late,
                read_input(
                    question,
                    Input::LeadMonths,
                    format!(
                        "≥ {}",
                        written(question, Input::NeedMonths).unwrap_or_else(|| "?".to_owned())
                    ),
                ),
            )],
        ),
    ]
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

struct Judge<'a> {
    question: &'a Question,
}

impl Judge<'_> {
    /// Speaks when every condition holds, is silent when one does not, and else cannot tell.
    fn finding(
        &self,
        rule: Rule,
        speaks_for: Verdict,
        conditions: Vec<(Option<bool>, Read)>,
    ) -> Finding {
        let holds: Vec<Option<bool>> = conditions.iter().map(|(holds, _)| *holds).collect();
        let verdict = if holds.contains(&Some(false)) {
            Verdict::Silent
        } else if holds.contains(&None) {
            Verdict::CannotTell
        } else {
            speaks_for
        };
        Finding { rule, verdict, read: conditions.into_iter().map(|(_, read)| read).collect() }
    }

    fn below(&self, input: Input, threshold: Decimal) -> Option<bool> {
        let estimate = self.question.inputs.get(&input)?;
        let (low, high) = (*estimate.low()?, *estimate.high()?);
        same(low < threshold, high < threshold)
    }

    fn above(&self, input: Input, threshold: Decimal) -> Option<bool> {
        let estimate = self.question.inputs.get(&input)?;
        let (low, high) = (*estimate.low()?, *estimate.high()?);
        same(low > threshold, high > threshold)
    }

    fn reaches(&self, lead: &Estimate<Decimal>, need: &Estimate<Decimal>) -> Option<bool> {
        same(lead.low()? >= need.high()?, lead.high()? >= need.low()?)
    }
}

/// What holds at both ends holds between them.
fn same(at_low: bool, at_high: bool) -> Option<bool> {
    (at_low == at_high).then_some(at_low)
}

fn written(question: &Question, input: Input) -> Option<String> {
    question.inputs.get(&input)?.written()
}

fn read_input(question: &Question, input: Input, threshold: String) -> Read {
    Read { field: input.id(), value: written(question, input), threshold }
}

fn read_fact(field: &'static str, value: Option<bool>, speaks: bool) -> Read {
    Read { field, value: value.map(|value| value.to_string()), threshold: speaks.to_string() }
}
