//! The organisation's thresholds, sign-off matrix and timings, as one versioned document.
//!
//! A procurement pins the document it started with by carrying a copy in its own stream, so its
//! gates can be evaluated at any past position without looking elsewhere. Publishing a newer
//! version changes nothing that runs; a procurement is moved by its own `AdoptPolicy`.

pub mod triggers;

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::triggers::Triggers;
use crate::{
    calendar::working_days::WorkingDays,
    context::Context,
    delivery::rules::MailRules,
    function::Function,
    invalid::Invalid,
    money::{Currency, Money},
    needs::catalogue::overrides::Overrides,
    negotiation::terms::Clause,
    percent::{Band, Percent},
    poc::reading::ReadingKind,
    recorded::Stamp,
    rejection::Rejection,
    shortlist::score::ScoreCriterion,
    stage::Stage,
    supplier::Qualification,
    text::Name,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// 1 is the shipped document; every published one counts up.
    pub version: u32,
    /// Who signs at which gate.
    pub sign_offs: BTreeMap<Stage, BTreeSet<Function>>,
    /// The manager signs the budget gate, too, when the term's total exceeds this.
    pub budget_limit: Money,
    /// Planned duration; operation goes on until it ends and has none.
    pub planned_days: BTreeMap<Stage, u32>,
    pub reserve: Band,
    pub candidates_min: usize,
    pub candidates_max: usize,
    pub evaluators_min: usize,
    pub finalists_min: usize,
    pub finalists_max: usize,
    pub score_weights: BTreeMap<ScoreCriterion, Percent>,
    /// Hard requirements: without a valid one a candidate is disqualified.
    pub required_qualifications: BTreeSet<Qualification>,
    pub required_readings: BTreeSet<ReadingKind>,
    pub required_clauses: BTreeSet<Clause>,
    pub availability_min: Percent,
    pub response_minutes_max: u32,
    pub annual_discount: Band,
    pub primary_share: Band,
    pub backup_share: Band,
    pub qualified_suppliers_min: usize,
    pub feed_days_max: u32,
    pub waiver_days_max: u32,
    pub review_notice_days: u32,
    pub sign_off_reminder_working_days: u32,
    pub expiry_notice_days: BTreeSet<u32>,
    pub trial_notice_days: BTreeSet<u32>,
    /// Own rows of the catalogue of cards, prices, recommendations and assumptions.
    #[serde(default, skip_serializing_if = "Overrides::is_empty")]
    pub catalogue: Overrides,
    /// Which days are worked: Monday to Friday, unless a region's holidays count.
    #[serde(default, skip_serializing_if = "WorkingDays::is_default")]
    pub working_days: WorkingDays,
    #[serde(default, skip_serializing_if = "Triggers::is_default")]
    pub triggers: Triggers,
    /// Only those of the newest document count.
    #[serde(default, skip_serializing_if = "MailRules::is_default")]
    pub mail: MailRules,
}

impl Policy {
    /// Ten years: beyond it, no reminder would ever come.
    const DAYS_MAX: u32 = 3_650;
    /// The shortest quarter has 90 days.
    const REVIEW_NOTICE_DAYS_MAX: u32 = 89;

    /// The document that ships: the figures of the source documents.
    pub fn shipped() -> Self {
        use Function::{Finance, Legal, Manager, Operations, Procurement, Requester};
        let sign_offs = [
            (Stage::Needs, vec![Requester, Procurement]),
            (Stage::Budget, vec![Finance]),
            (Stage::Shortlist, vec![Procurement, Requester]),
            (Stage::Poc, vec![Requester, Operations]),
            (Stage::Negotiation, vec![Legal, Finance, Procurement, Manager]),
            (Stage::Operation, vec![Manager]),
        ];
        let planned_days = [
            (Stage::Needs, 14),
            (Stage::Budget, 7),
            (Stage::Shortlist, 14),
            (Stage::Poc, 14),
            (Stage::Negotiation, 14),
        ];
        Self {
            version: 1,
            sign_offs: sign_offs.map(|(stage, who)| (stage, who.into_iter().collect())).into(),
            budget_limit: Money::new(Decimal::from(1_000_000), Currency::Cny),
            planned_days: planned_days.into(),
            reserve: Band { low: Percent::of(15), high: Percent::of(20) },
            candidates_min: 3,
            candidates_max: 5,
            evaluators_min: 2,
            finalists_min: 2,
            finalists_max: 3,
            score_weights: [
                (ScoreCriterion::Hardware, Percent::of(25)),
                (ScoreCriterion::Qualifications, Percent::of(15)),
                (ScoreCriterion::Sla, Percent::of(20)),
                (ScoreCriterion::DataSecurity, Percent::of(20)),
                (ScoreCriterion::PriceTransparency, Percent::of(10)),
                (ScoreCriterion::References, Percent::of(10)),
            ]
            .into(),
            required_qualifications: Qualification::ALL.into(),
            required_readings: [ReadingKind::Cards, ReadingKind::Collective, ReadingKind::Serving]
                .into(),
            required_clauses: Clause::ALL.into(),
            availability_min: Percent::tenths(999),
            response_minutes_max: 15,
            annual_discount: Band { low: Percent::of(15), high: Percent::of(25) },
            primary_share: Band { low: Percent::of(60), high: Percent::of(70) },
            backup_share: Band { low: Percent::of(30), high: Percent::of(40) },
            qualified_suppliers_min: 2,
            feed_days_max: 8,
            waiver_days_max: 90,
            review_notice_days: 14,
            sign_off_reminder_working_days: 3,
            expiry_notice_days: [90, 60, 30, 7].into(),
            trial_notice_days: [3, 1].into(),
            catalogue: Overrides::default(),
            working_days: WorkingDays::default(),
            triggers: Triggers::default(),
            mail: MailRules::default(),
        }
    }

    /// What must hold between the fields of a document.
    fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("policy", why));
        let weights: Decimal = self.score_weights.values().map(|weight| weight.value()).sum();
        if weights != Decimal::ONE_HUNDRED {
            return refuse("the score weights must add up to exactly 100");
        }
        if self.candidates_min == 0 || self.candidates_min > self.candidates_max {
            return refuse("the least number of candidates must be 1 up to the greatest number");
        }
        if self.finalists_min == 0 || self.finalists_min > self.finalists_max {
            return refuse("the least number of finalists must be 1 up to the greatest number");
        }
        if [self.reserve, self.primary_share, self.backup_share, self.annual_discount]
            .iter()
            .any(|band| band.low > band.high)
        {
            return refuse("a band's lower end must not be above its upper end");
        }
        let days = [self.feed_days_max, self.waiver_days_max, self.sign_off_reminder_working_days];
        let notices = self.expiry_notice_days.iter().chain(&self.trial_notice_days);
        let mut days = self.planned_days.values().chain(notices).chain(&days);
        if days.any(|days| *days > Self::DAYS_MAX) {
            return refuse("a number of days must be at most 3650");
        }
        if self.review_notice_days > Self::REVIEW_NOTICE_DAYS_MAX {
            return refuse("a review is announced at most 89 days ahead, within its quarter");
        }
        for stage in Stage::ALL {
            if self.sign_offs.get(&stage).is_none_or(BTreeSet::is_empty) {
                return refuse("every stage needs at least one function that signs");
            }
        }
        if self
            .sign_offs
            .values()
            .flatten()
            .any(|f| matches!(f, Function::Auditor | Function::Admin))
        {
            return refuse("auditor and admin have no say in a procurement and cannot sign");
        }
        self.working_days.check()?;
        self.triggers.check()?;
        self.mail.check()?;
        self.catalogue.check()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    /// The version in the document must be the newest plus one, so two editors cannot overwrite
    /// each other unseen.
    Publish { policy: Box<Policy>, reason: Name },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    Published { policy: Box<Policy>, reason: Name },
}

/// Every version so far; the shipped one is always there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policies(Vec<Policy>);

impl Default for Policies {
    fn default() -> Self {
        Self(vec![Policy::shipped()])
    }
}

impl Policies {
    pub fn newest(&self) -> &Policy {
        self.0.last().expect("the shipped policy is always there")
    }

    pub fn all(&self) -> &[Policy] {
        &self.0
    }
}

pub fn decide(
    state: &Policies,
    command: Command,
    _context: &Context,
) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Publish { policy, reason } => {
            let expected = state.newest().version + 1;
            if policy.version != expected {
                return Err(Rejection::PolicyVersionTaken { version: policy.version, expected });
            }
            policy.check()?;
            Ok(vec![Event::Published { policy, reason }])
        }
    }
}

pub fn evolve(state: &mut Policies, event: &Event, _stamp: Stamp) {
    match event {
        Event::Published { policy, .. } => state.0.push((**policy).clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_policy_passes_its_own_check() {
        Policy::shipped().check().unwrap();
    }

    #[test]
    fn the_shipped_policy_survives_json() {
        let json = serde_json::to_string(&Policy::shipped()).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&json).unwrap(), Policy::shipped());
        assert!(json.len() < 4_096, "the copy in a procurement's stream is {} bytes", json.len());
    }
}
