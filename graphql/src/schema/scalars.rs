//! The words of the rules as GraphQL enums, name by name.

use async_graphql::Enum;
use sixgate_workflows as rules;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $remote:literal { $($variant:ident),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
        // Some of the rules' words share a beginning, and clients see the same words.
        #[allow(clippy::enum_variant_names)]
        #[graphql(remote = $remote)]
        pub enum $name {
            $($variant,)+
        }
    )+};
}

words! {
    Stage = "rules::stage::Stage" { Needs, Budget, Shortlist, Poc, Negotiation, Operation }

    Function = "rules::function::Function" {
        Requester, Procurement, Finance, Legal, Operations, Manager, Auditor, Admin,
    }

    Language = "rules::locale::Locale" { En, ZhCn }

    ChecklistStatus = "rules::checklist::Status" { Met, Unmet, Waived, NotYetDue }

    Currency = "rules::money::Currency" { Cny, Eur, Hkd, Jpy, Sgd, Usd }

    CostKind = "rules::budget::tco::CostKind" {
        Rental, NetworkEgress, Storage, OperationsLabour, Migration, FailureLoss,
    }

    Qualification = "rules::supplier::Qualification" { IcpFiling, TelecomLicence, Mlps }

    Metering = "rules::supplier::Metering" { PerSecond, PerMinute, PerHour }

    Question = "rules::shortlist::quote::Question" {
        Exclusive, Bandwidth, BandwidthOverage, Storage, StorageLimits, Overtime, Disconnection,
    }

    PriceUnit = "rules::shortlist::quote::PriceUnit" { CardHour, CardDay, CardMonth, CardYear }

    PriceBasis = "rules::shortlist::quote::PriceBasis" { Reserved, OnDemand }

    /// On which terms an index has a price.
    PointBasis = "rules::budget::price_index::point::Basis" { OnDemand, Reserved, Spot }

    ScoreCriterion = "rules::shortlist::score::ScoreCriterion" {
        Hardware, Qualifications, Sla, DataSecurity, PriceTransparency, References,
    }

    ReadingKind = "rules::poc::reading::ReadingKind" {
        Cards, Collective, Serving, Network, Storage, Stress, Diagnostics, KernelLog, Telemetry,
        Reference,
    }

    StorageOperation = "rules::poc::reading::StorageOperation" {
        Read, Write, RandomRead, RandomWrite,
    }

    Because = "rules::poc::verdict::Because" {
        NoEvidence, CutShort, NoReading, ConditionsDiffer, NothingExecuted, TooFewSamples,
        CardUnclear, WorkloadSuspected, ConfigurationOnly, NotClassified,
    }

    BaselineFigure = "rules::poc::drift::BaselineFigure" {
        FirstToken, PerToken, OutputRate, CollectiveBandwidth, MemoryGrowth, NetworkBandwidth,
    }

    CheckName = "rules::poc::verdict::CheckName" {
        Identity, CardCount, Memory, Driver, PowerLimit, Link, DroppedOut, Throttling,
        MemoryGrowth, MemoryErrors, DriverErrors, DiagnosticsExecuted, DiagnosticsPassed,
        StressFinished, StressErrors, StressRate, StressSpread, CollectiveRanks,
        CollectiveBandwidth, CollectiveCorrect, NetworkReached, NetworkBandwidth,
        NetworkLatency, StorageErrors, StorageBandwidth, StorageOperations, StorageLatency,
        SuccessRate, FirstToken, PerToken, OutputRate, ReferenceValid, ReferenceFigure,
    }

    Verdict = "rules::poc::verdict::Outcome" { Pass, Fail, Inconclusive }

    Clause = "rules::negotiation::terms::Clause" {
        Availability, Response, DataOwnership, DataDestruction, Exit, DisputeResolution,
        Prepayment, Termination, Refund, Renewal, CorporateTransfer, Instalments,
        SpecialVatInvoice,
    }

    Agreement = "rules::negotiation::terms::Agreement" { Agreed, Open, Refused }

    ContractForm = "rules::negotiation::terms::ContractForm" { Signed, OnlineAgreement }

    AwardRole = "rules::negotiation::award::Role" { Primary, Backup }

    Severity = "rules::operation::sla::Severity" { P0, P1, P2 }

    /// How a procurement's capacity ends.
    OperationOutcome = "rules::operation::Outcome" { Renewed, Switched, Retired }

    NoticeKind = "rules::deadline::NoticeKind" {
        SignOffWanted, SignOffVoided, StageOverdue, QuoteValidity, QualificationExpiry, TrialEnd,
        ContractExpiry, ReviewInvitation, ReviewPack, ReviewChaser, SlaIncident, SlaBreach,
        SlaStatement, SupplierSplit, TooFewSuppliers, WeeklyReconciliation, BudgetBurn,
        SlaClaim, BudgetForecast, RentToOwn,
    }

    TalkReason = "rules::needs::triage::TalkReason" {
        CrossNodeTraining, FixedRegion, DedicatedReserve, PhasedDelivery,
    }
}

/// Where a procurement is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum Phase {
    Active,
    OnHold,
    Cancelled,
    Closed,
}

/// Where a letter is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum LetterStatus {
    Queued,
    Transmitting,
    Sent,
    Deferred,
    Refused,
    Unknown,
    GivenUp,
    Withdrawn,
}

impl From<&rules::procurement::Phase> for Phase {
    fn from(phase: &rules::procurement::Phase) -> Self {
        match phase {
            rules::procurement::Phase::Active => Self::Active,
            rules::procurement::Phase::OnHold { .. } => Self::OnHold,
            rules::procurement::Phase::Cancelled { .. } => Self::Cancelled,
            rules::procurement::Phase::Closed { .. } => Self::Closed,
        }
    }
}

impl Phase {
    pub fn id(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::OnHold => "on_hold",
            Self::Cancelled => "cancelled",
            Self::Closed => "closed",
        }
    }
}

impl From<&rules::notice::Status> for LetterStatus {
    fn from(status: &rules::notice::Status) -> Self {
        use rules::notice::Status;
        match status {
            Status::Queued => Self::Queued,
            Status::Transmitting => Self::Transmitting,
            Status::Sent { .. } => Self::Sent,
            Status::Deferred { .. } => Self::Deferred,
            Status::Refused { .. } => Self::Refused,
            Status::Unknown { .. } => Self::Unknown,
            Status::GivenUp { .. } => Self::GivenUp,
            Status::Withdrawn => Self::Withdrawn,
        }
    }
}
