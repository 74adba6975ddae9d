//! The gate at the end of each stage: every unmet criterion, why, and who can meet it.
//!
//! Each stage evaluates its own criteria; here they are joined with waivers and sign-offs. A
//! criterion that cannot be evaluated counts as unmet and says why.

use std::{collections::BTreeMap, fmt, str::FromStr};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    budget,
    context::local_date,
    function::Function,
    invalid::Invalid,
    needs, negotiation, operation, poc,
    procurement::{Procurement, Waiver},
    shortlist,
    stage::Stage,
};

/// When a state is looked at: some criteria expire without anything happening.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub now: DateTime<Utc>,
    pub zone: Tz,
}

macro_rules! criteria {
    ($($variant:ident $stage:ident $id:literal by $($function:ident)+;)+) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Criterion {
            $(#[serde(rename = $id)] $variant,)+
        }

        impl Criterion {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            pub fn stage(self) -> Stage {
                match self { $(Self::$variant => Stage::$stage,)+ }
            }

            /// Whose entries can meet it.
            pub fn can_be_met_by(self) -> &'static [Function] {
                match self { $(Self::$variant => &[$(Function::$function),+],)+ }
            }
        }
    };
}

criteria! {
    UseKnown Needs "needs.use_known" by Requester;
    ModelKnown Needs "needs.model_known" by Requester;
    PrecisionKnown Needs "needs.precision_known" by Requester;
    ConcurrencyKnown Needs "needs.concurrency_known" by Requester;
    ContextKnown Needs "needs.context_known" by Requester;
    LatencyKnown Needs "needs.latency_known" by Requester;
    SizingFits Needs "needs.sizing_fits" by Requester Operations;
    BriefComplete Needs "needs.brief_complete" by Requester Procurement;
    TcoComplete Budget "budget.tco_complete" by Finance Procurement;
    ReserveSet Budget "budget.reserve_set" by Finance;
    CandidateCount Shortlist "shortlist.candidate_count" by Procurement;
    QualificationsChecked Shortlist "shortlist.qualifications_checked" by Procurement;
    CandidatesScored Shortlist "shortlist.candidates_scored" by Procurement Requester Operations;
    QuotesComparable Shortlist "shortlist.quotes_comparable" by Procurement;
    FinalistCount Poc "poc.finalist_count" by Procurement Requester;
    EvidenceComplete Poc "poc.evidence_complete" by Requester Operations;
    VerdictsReached Poc "poc.verdicts_reached" by Requester Operations;
    BaselineRecorded Poc "poc.baseline_recorded" by Requester Operations;
    AwardDecided Negotiation "negotiation.award_decided" by Procurement;
    TermsComplete Negotiation "negotiation.terms_complete" by Procurement;
    LegalReviewed Negotiation "negotiation.legal_reviewed" by Legal;
    ContractsSigned Negotiation "negotiation.contracts_signed" by Procurement Legal;
    ScalingPlanned Negotiation "negotiation.scaling_planned" by Operations Requester;
    MonitoringLive Operation "operation.monitoring_live" by Operations;
    TwoSuppliers Operation "operation.two_suppliers" by Procurement;
    ReviewsPlanned Operation "operation.reviews_planned" by Operations Procurement;
    OutcomeDecided Operation "operation.outcome_decided" by Manager Procurement;
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Criterion {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::ALL
            .iter()
            .copied()
            .find(|criterion| criterion.id() == text)
            .ok_or_else(|| Invalid::new("criterion", format!("`{text}` is not a criterion")))
    }
}

/// Why something is unmet: a key of the text catalogue and the figures that belong into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    pub key: &'static str,
    pub details: BTreeMap<&'static str, String>,
}

impl Reason {
    pub fn new(key: &'static str) -> Self {
        Self { key, details: BTreeMap::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.details.insert(name, value.to_string());
        self
    }
}

/// One of a stage's criteria, and when it is met. Each stage lists its own, so that one can be
/// asked without the others.
pub type CriterionRule = (Criterion, fn(&Procurement, Moment) -> Result<(), Reason>);

/// What a stage says about one of its criteria.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub criterion: Criterion,
    pub outcome: Result<(), Reason>,
    pub waiver: Option<Waiver>,
}

impl Finding {
    pub fn blocks(&self) -> bool {
        self.outcome.is_err() && self.waiver.is_none()
    }
}

/// What a gate asks for besides its criteria.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOffFinding {
    pub function: Function,
    pub signed: bool,
}

/// One thing that keeps the gate closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blocker {
    /// The criterion's id, or `<stage>.sign_off.<function>`.
    pub criterion: String,
    /// Set when it is a missing signature.
    pub sign_off: Option<Function>,
    pub reason: Reason,
    pub can_be_met_by: Vec<Function>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub stage: Stage,
    /// What a signature would be bound to right now.
    pub version: u32,
    pub findings: Vec<Finding>,
    pub sign_offs: Vec<SignOffFinding>,
}

impl Gate {
    pub fn blockers(&self) -> Vec<Blocker> {
        let criteria = self.findings.iter().filter(|finding| finding.waiver.is_none());
        let criteria = criteria.filter_map(|finding| {
            finding.outcome.as_ref().err().map(|reason| Blocker {
                criterion: finding.criterion.id().to_owned(),
                sign_off: None,
                reason: reason.clone(),
                can_be_met_by: finding.criterion.can_be_met_by().to_vec(),
            })
        });
        let sign_offs =
            self.sign_offs.iter().filter(|sign_off| !sign_off.signed).map(|sign_off| Blocker {
                criterion: format!("{}.sign_off.{}", self.stage, sign_off.function),
                sign_off: Some(sign_off.function),
                reason: Reason::new("sign_off_missing").with("function", sign_off.function),
                can_be_met_by: vec![sign_off.function],
            });
        criteria.chain(sign_offs).collect()
    }

    pub fn is_open(&self) -> bool {
        self.blockers().is_empty()
    }

    /// Only signatures are missing, so this is the time to ask for them.
    pub fn awaits_sign_offs(&self) -> bool {
        !self.findings.iter().any(Finding::blocks)
    }
}

fn rules(stage: Stage) -> &'static [CriterionRule] {
    match stage {
        Stage::Needs => needs::CRITERIA,
        Stage::Budget => budget::CRITERIA,
        Stage::Shortlist => shortlist::CRITERIA,
        Stage::Poc => poc::CRITERIA,
        Stage::Negotiation => negotiation::CRITERIA,
        Stage::Operation => operation::CRITERIA,
    }
}

/// Whether all of these criteria of one stage are met, and if not, why.
pub fn met(
    procurement: &Procurement,
    stage: Stage,
    wanted: &[Criterion],
    moment: Moment,
) -> Result<(), Reason> {
    let rules = rules(stage).iter().filter(|(criterion, _)| wanted.contains(criterion));
    rules.into_iter().try_for_each(|(_, rule)| rule(procurement, moment))
}

/// The criteria of one stage, with the waivers that hold at the moment.
pub fn findings(procurement: &Procurement, stage: Stage, moment: Moment) -> Vec<Finding> {
    let today = local_date(moment.now, moment.zone);
    let holding = |waiver: &&Waiver| today <= waiver.expires_on;
    let finding = |(criterion, rule): &CriterionRule| Finding {
        criterion: *criterion,
        outcome: rule(procurement, moment),
        waiver: procurement.waivers.get(criterion).filter(holding).cloned(),
    };
    rules(stage).iter().map(finding).collect()
}

pub fn gate(procurement: &Procurement, stage: Stage, moment: Moment) -> Gate {
    let ledger = procurement.ledger(stage);
    let mut functions = procurement.policy.sign_offs.get(&stage).cloned().unwrap_or_default();
    if stage == Stage::Budget && budget::exceeds_limit(procurement) {
        functions.insert(Function::Manager);
    }
    let sign_offs = functions
        .into_iter()
        .map(|function| SignOffFinding {
            function,
            signed: ledger.sign_offs.contains_key(&function),
        })
        .collect();
    Gate {
        stage,
        version: ledger.version,
        findings: findings(procurement, stage, moment),
        sign_offs,
    }
}
