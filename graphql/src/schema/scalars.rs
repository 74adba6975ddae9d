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

    /// What a cost over the term is the product of.
    TcoFactorName = "rules::budget::tco::line::FactorName" {
        Amount, Cards, HoursPerMonth, InterruptionsPerMonth, HoursLostEach, Days, Months, Years, Vat, ExchangeRate,
    }

    /// When the lines of a cost are paid.
    TcoPaid = "rules::budget::tco::line::Paid" { InArrears, InAdvance, AtStart }

    /// Owning, renting, or owning the base and renting the peak.
    Choice = "rules::budget::own_or_rent::Choice" { Own, Rent, Hybrid }

    /// Which hours of a rented card are paid.
    RentBilling = "rules::budget::own_or_rent::Billing" { Used, Always }

    /// A figure that a comparison of owning and renting reads. Money is net of VAT.
    OwningInput = "rules::budget::own_or_rent::input::Input" {
        Nodes, CardsPerNode, HoursADay, HoursAMonth, NeedMonths, DemandVariationPercent, DiscountPercent, NodePrice, SparePercent, PurchaseVatPercent, MaintenancePercent, ResidualPercent, DepreciationYears, LeadMonths, CardWatts, LoadPercent, HostWatts, Pue, Tariff, RackMonth, OwnLabourMonth, OwnLossMonth, RentPrice, RentVatPercent, RentEgressMonth, RentStorageMonth, RentLabourMonth, RentMigration, RentLossMonth, BaseNodes, BurstCardHoursMonth, BurstPrice, BurstOtherMonth,
    }

    CashPart = "rules::budget::own_or_rent::cash::Part" {
        Purchase, Spares, Vat, Electricity, Rack, Labour, Maintenance, Losses, RentMeanwhile, Rental, Egress, Storage, Migration, Burst, Residual,
    }

    OwningRule = "rules::budget::own_or_rent::rules::Rule" {
        ShortNeed, VolatileDemand, LowUse, NoOperationsTeam, SecretAndSteady, LongFullUse,
        LeadTime,
    }

    /// What a rule of thumb, or the computation, speaks for.
    SpeaksFor = "rules::budget::own_or_rent::rules::Verdict" {
        Renting, Owning, Silent, CannotTell,
    }

    Steadiness = "rules::budget::base_and_burst::steadiness::Steadiness" {
        Steady, Volatile, CannotTell,
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
        SlaClaim, BudgetForecast, RentToOwn, ReviewMoved, ReviewCancelled,
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

/// How often somebody is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum MailFrequency {
    Immediate,
    /// All of a day in one letter.
    Daily,
}

/// Whether the mail relay takes letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum RelayStatus {
    Well,
    /// Letters wait until it is back.
    Away,
    /// Letters wait until somebody mends the settings, the certificate or the account.
    Misconfigured,
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
    /// It waits in a digest that has not been delivered yet.
    Bundled,
    /// Within a digest.
    Delivered,
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
            Status::Transmitting { .. } => Self::Transmitting,
            Status::Sent { .. } => Self::Sent,
            Status::Deferred { .. } => Self::Deferred,
            Status::Refused { .. } => Self::Refused,
            Status::Unknown { .. } => Self::Unknown,
            Status::GivenUp { .. } => Self::GivenUp,
            Status::Withdrawn { .. } => Self::Withdrawn,
            Status::Bundled { .. } => Self::Bundled,
            Status::Delivered { .. } => Self::Delivered,
        }
    }
}
