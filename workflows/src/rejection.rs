//! Why a command was not carried out: an expected answer with a stable code and the data that
//! explains it.
//!
//! The text that people read comes from the catalogue under `rejection.<code>`, filled with the
//! fields below; nothing here is worded for them.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::{
    calendar::Quarter,
    function::Function,
    gate::{Blocker, Criterion},
    ids::{IncidentId, PersonId, ProcurementId, SupplierId},
    invalid::Invalid,
    money::Currency,
    percent::{Band, Percent},
    shortlist::score::ScoreCriterion,
    stage::Stage,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[error("{}", self.code())]
pub enum Rejection {
    AlreadyACandidate { supplier: SupplierId },
    AlreadyExpired { expires_on: NaiveDate },
    AlreadyRegistered,
    AlreadySigned { function: Function },
    AwardedTwice { supplier: SupplierId },
    BriefMissing,
    BudgetPlanMissing,
    CriterionMet { criterion: Criterion },
    CriterionOfOtherStage { criterion: Criterion, stage: Stage },
    CurrencyDiffers { given: Currency, expected: Currency },
    ExplanationMissing { supplier: SupplierId },
    FourEyes { function: Function },
    FunctionMissing { function: Function },
    GateClosed { stage: Stage, blockers: Vec<Blocker> },
    HasEnded,
    IncidentKnown { incident: IncidentId },
    InvalidValue { what: &'static str, why: String },
    IsOnHold,
    LastStage,
    NoContract { supplier: SupplierId },
    NoSuchCandidate { supplier: SupplierId },
    NoSuchFinalist { supplier: SupplierId },
    NoSuchIncident { incident: IncidentId },
    NoSuchPerson { person: PersonId },
    NoSuchProcurement { procurement: ProcurementId },
    NoSuchSupplier { supplier: SupplierId },
    NotAPerson,
    NotAccepted { supplier: SupplierId },
    NotAwarded { supplier: SupplierId },
    NotEarlier { stage: Stage, current: Stage },
    NotInOperation { current: Stage },
    NotOnHold,
    NotOnePrimary { primaries: usize },
    NotQualified { supplier: SupplierId },
    NotSignedHere { function: Function, stage: Stage },
    NothingChanges,
    NothingToExplain { supplier: SupplierId },
    OnlineAgreement { supplier: SupplierId },
    PolicyAlreadyNewest { version: u32 },
    PolicyVersionTaken { version: u32, expected: u32 },
    ReviewNotPlanned { quarter: Quarter },
    ScoreMissing { criterion: ScoreCriterion },
    ShareOutsideBand { supplier: SupplierId, share: Percent, band: Band },
    SharesDoNotAddUp { total: Decimal },
    SignedForOther { function: Function },
    SizingNeeds { field: String },
    SupplierWithdrawn { supplier: SupplierId },
    TermsMissing { supplier: SupplierId },
    TooManyCandidates { most: usize },
    TooManyFinalists { most: usize },
    UsageOverlaps { from: DateTime<Utc>, until: DateTime<Utc> },
    VersionChanged { signed: u32, current: u32 },
    WaiverTooLong { days_max: u32 },
    WrongStage { needed: Stage, current: Stage },
    PersonInactive { person: PersonId },
}

impl Rejection {
    /// Stable for ever: programs react to it.
    pub fn code(&self) -> String {
        match self.fields().remove("code") {
            Some(serde_json::Value::String(code)) => code,
            _ => unreachable!("serde writes the variant's name under `code`"),
        }
    }

    /// The data that explains it, by name.
    pub fn details(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut fields = self.fields();
        fields.remove("code");
        fields
    }

    fn fields(&self) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => unreachable!("a rejection is written as an object"),
        }
    }

    pub fn blockers(&self) -> &[Blocker] {
        if let Self::GateClosed { blockers, .. } = self { blockers } else { &[] }
    }
}

impl From<Invalid> for Rejection {
    fn from(invalid: Invalid) -> Self {
        Self::InvalidValue { what: invalid.what, why: invalid.why }
    }
}
