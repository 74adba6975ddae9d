//! Everything that can have happened to a procurement.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::{
    budget,
    checklist::Item,
    evidence::EvidenceFile,
    function::Function,
    gate::Criterion,
    ids::{PersonId, ProcurementId},
    needs, negotiation, operation, poc,
    policy::Policy,
    shortlist,
    stage::Stage,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Course(CourseEvent),
    Needs(needs::Event),
    Budget(budget::Event),
    Shortlist(shortlist::Event),
    Poc(poc::Event),
    Negotiation(negotiation::Event),
    Operation(operation::Event),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum CourseEvent {
    Opened {
        id: ProcurementId,
        title: Name,
        policy: Box<Policy>,
    },
    MemberAdded {
        person: PersonId,
    },
    MemberRemoved {
        person: PersonId,
    },
    SignedOff {
        stage: Stage,
        function: Function,
        version: u32,
        on_behalf_of: Option<PersonId>,
    },
    /// A material change made these signatures void; `because` is the kind of the changing event.
    SignOffsVoided {
        stage: Stage,
        functions: BTreeSet<Function>,
        because: String,
    },
    Waived {
        criterion: Criterion,
        reason: Text,
        expires_on: NaiveDate,
    },
    StagePassed {
        stage: Stage,
    },
    StageEntered {
        stage: Stage,
    },
    SentBack {
        from: Stage,
        to: Stage,
        reason: Text,
    },
    Held {
        reason: Text,
    },
    Resumed {},
    Cancelled {
        reason: Text,
    },
    Closed {},
    /// With the criteria whose answer the change of policy turns.
    PolicyAdopted {
        policy: Box<Policy>,
        now_met: BTreeSet<Criterion>,
        now_unmet: BTreeSet<Criterion>,
    },
    ItemLapsed {
        item: Item,
    },
    /// The contact in earlier briefs is not readable any more (`personal`).
    ContactErased {},
}

impl Event {
    /// The evidence file that it refers to, if any.
    pub fn file(&self) -> Option<&EvidenceFile> {
        match self {
            Self::Needs(needs::Event::BriefRecorded { source, .. })
            | Self::Shortlist(shortlist::Event::QuoteRecorded { source, .. })
            | Self::Operation(
                operation::Event::UsageRecorded { source, .. }
                | operation::Event::BillRecorded { source, .. },
            ) => source.as_ref(),
            Self::Needs(needs::Event::TrialRecorded { trial }) => trial.source.as_ref(),
            Self::Poc(poc::Event::EvidenceRecorded { evidence, .. }) => Some(&evidence.file),
            Self::Negotiation(negotiation::Event::ContractRecorded { contract, .. }) => {
                Some(&contract.document)
            }
            Self::Course(_)
            | Self::Needs(needs::Event::SizingRecorded { .. } | needs::Event::ModelSized { .. })
            | Self::Budget(_)
            | Self::Shortlist(
                shortlist::Event::CandidateAdded { .. }
                | shortlist::Event::CandidateDropped { .. }
                | shortlist::Event::QualificationsReviewed { .. }
                | shortlist::Event::CandidateScored { .. },
            )
            | Self::Poc(
                poc::Event::FinalistChosen { .. }
                | poc::Event::VerdictReached { .. }
                | poc::Event::ExplanationRecorded { .. }
                | poc::Event::BaselineRecorded { .. },
            )
            | Self::Negotiation(
                negotiation::Event::TermsRecorded { .. }
                | negotiation::Event::TermsReviewed { .. }
                | negotiation::Event::AwardDecided { .. }
                | negotiation::Event::ScalingPlanned { .. },
            )
            | Self::Operation(
                operation::Event::AvailabilityRecorded { .. }
                | operation::Event::IncidentReported { .. }
                | operation::Event::IncidentResolved { .. }
                | operation::Event::ReviewsPlanned { .. }
                | operation::Event::ReviewScheduled { .. }
                | operation::Event::ReviewRecorded { .. }
                | operation::Event::OutcomeDecided { .. },
            ) => None,
        }
    }

    /// The stage whose signed content this changes, if it does.
    pub fn changes(&self) -> Option<Stage> {
        match self {
            Self::Course(_) => None,
            Self::Needs(
                needs::Event::BriefRecorded { .. }
                | needs::Event::SizingRecorded { .. }
                | needs::Event::ModelSized { .. }
                | needs::Event::TrialRecorded { .. },
            ) => Some(Stage::Needs),
            Self::Budget(
                budget::Event::BudgetPlanned { .. }
                | budget::Event::CostRecorded { .. }
                | budget::Event::OwningCompared { .. },
            ) => Some(Stage::Budget),
            Self::Shortlist(
                shortlist::Event::CandidateAdded { .. }
                | shortlist::Event::CandidateDropped { .. }
                | shortlist::Event::QualificationsReviewed { .. }
                | shortlist::Event::QuoteRecorded { .. }
                | shortlist::Event::CandidateScored { .. },
            ) => Some(Stage::Shortlist),
            // The verdict follows from the evidence in the same commit and is no second change.
            Self::Poc(poc::Event::VerdictReached { .. }) => None,
            Self::Poc(
                poc::Event::FinalistChosen { .. }
                | poc::Event::EvidenceRecorded { .. }
                | poc::Event::ExplanationRecorded { .. }
                | poc::Event::BaselineRecorded { .. },
            ) => Some(Stage::Poc),
            Self::Negotiation(
                negotiation::Event::TermsRecorded { .. }
                | negotiation::Event::TermsReviewed { .. }
                | negotiation::Event::AwardDecided { .. }
                | negotiation::Event::ContractRecorded { .. }
                | negotiation::Event::ScalingPlanned { .. },
            ) => Some(Stage::Negotiation),
            // What runs in from day to day is not what the manager signs; the outcome is.
            Self::Operation(
                operation::Event::UsageRecorded { .. }
                | operation::Event::BillRecorded { .. }
                | operation::Event::AvailabilityRecorded { .. }
                | operation::Event::IncidentReported { .. }
                | operation::Event::IncidentResolved { .. }
                | operation::Event::ReviewsPlanned { .. }
                | operation::Event::ReviewScheduled { .. }
                | operation::Event::ReviewRecorded { .. },
            ) => None,
            Self::Operation(operation::Event::OutcomeDecided { .. }) => Some(Stage::Operation),
        }
    }
}
