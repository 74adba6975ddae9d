//! Made-up figures that let a procurement pass its gates, with the dates moved to where they belong.
//!
//! The rule: nothing here is drawn by chance; what goes wrong is the story's business.

use chrono::{DateTime, Datelike, Days, Duration, NaiveDate, Utc};
use rust_decimal::Decimal;
use sixgate_engine::ids;
use sixgate_workflows::{
    budget::{
        self,
        tco::{Cost, CostKind, Plan},
    },
    estimate::Estimate,
    evidence::EvidenceFile,
    ids::SupplierId,
    money::{Currency, Money},
    needs::{
        self,
        brief::{Brief, Fabric, Load, Precision, Use},
        sizing::SizingInput,
    },
    negotiation::{
        self, Contract, LegalReview, ScalingPlan,
        award::{Award, Role},
        terms::{Agreement, Clause, ClauseTerm, ContractForm, Terms},
    },
    operation::usage::{Bill, Usage},
    percent::Percent,
    poc::{
        self, Evidence,
        reading::{CardsReading, CollectiveReading, Reading, ServingReading},
        verdict::Promise,
    },
    shortlist::{
        self,
        quote::{PriceBasis, PriceUnit, Question, Quote, QuoteLine},
        score::ScoreCriterion,
    },
    supplier::{Certificate, Qualification},
    text::{Name, Text},
};

/// The one file that everything refers to.
pub(super) const EVIDENCE: &[u8] = b"a made-up page of evidence";

pub(super) fn name(words: &str) -> Name {
    Name::new(words).expect("the simulation's own names are names")
}

pub(super) fn text(words: &str) -> Text {
    Text::new(words).expect("the simulation's own texts are texts")
}

fn file(title: &str) -> EvidenceFile {
    EvidenceFile { hash: ids::content_hash(EVIDENCE), name: name(title) }
}

/// A 70-billion-parameter model served online from eight cards.
pub(super) fn brief() -> needs::Command {
    let known = |number: u32| Estimate::known(Decimal::from(number));
    let mut brief = Brief::blank();
    brief.usage = Estimate::known(Use::OnlineInference);
    brief.model.parameters_b = known(70);
    brief.model.precision = Estimate::known(Precision::Fp8);
    brief.targets.peak_concurrency = Estimate::known(48);
    brief.targets.context_tokens = Estimate::known(8_192);
    brief.targets.latency_ms = known(900);
    brief.cards.model = Estimate::known(name("H100"));
    brief.cards.total = Estimate::known(8);
    brief.interconnect.nvlink = Estimate::known(true);
    brief.interconnect.between_nodes = Estimate::known(Fabric::None);
    brief.storage.volume_gib = known(2_048);
    brief.environment.template = Estimate::known(name("vLLM"));
    brief.term.months = Estimate::known(12);
    brief.term.load = Estimate::known(Load::Steady);
    brief.region = Estimate::known(name("anywhere"));
    brief.contact.name = Estimate::known(name("whoever answers"));
    needs::Command::RecordBrief { brief: Box::new(brief), source: None }
}

pub(super) fn sizing(overhead_gib: u32) -> needs::Command {
    let input = SizingInput {
        card: name("H100"),
        cards: 8,
        vram_per_card_gib: Decimal::from(80),
        usable: Percent::of(90),
        kv_kib_per_token: Estimate::known(Decimal::from(320)),
        optimizer_gib: Estimate::known(Decimal::ZERO),
        overhead_gib: Estimate::known(Decimal::from(overhead_gib)),
    };
    needs::Command::RecordSizing { input }
}

pub(super) fn plan() -> budget::Command {
    let plan = Plan::new(12, Percent::of(18), Currency::Cny);
    budget::Command::PlanBudget { plan }
}

/// Something for each kind of cost; with a rental that is high, the manager signs, too.
pub(super) fn costs(rental: u32) -> impl Iterator<Item = budget::Command> {
    CostKind::ALL.into_iter().map(move |cost_kind| {
        let amount = if cost_kind == CostKind::Rental { rental } else { 1_500 };
        let per_month = Estimate::known(Decimal::from(amount));
        let basis = text("quotes of the last quarter");
        let cost = Cost::Amount { currency: Currency::Cny, per_month, basis };
        budget::Command::RecordCost { cost_kind, cost }
    })
}

pub(super) fn quote(supplier: SupplierId, valid_until: NaiveDate) -> shortlist::Command {
    let quote = Quote {
        currency: Currency::Cny,
        valid_until,
        tax_included: true,
        tax: Percent::of(6),
        lines: vec![QuoteLine {
            card: name("H100"),
            unit_price: Decimal::from(46_428),
            unit: PriceUnit::CardMonth,
            cards: 8,
            basis: PriceBasis::Reserved,
            list_price: Some(Decimal::from(58_035)),
        }],
        answers: Question::ALL.map(|question| (question, name("answered in writing"))).into(),
    };
    shortlist::Command::RecordQuote { supplier, quote: Box::new(quote), source: None }
}

pub(super) fn score(supplier: SupplierId, mark: u32) -> shortlist::Command {
    let scores = ScoreCriterion::ALL.map(|criterion| (criterion, Percent::of(mark))).into();
    shortlist::Command::ScoreCandidate { supplier, scores }
}

pub(super) fn finalist(supplier: SupplierId, trial_ends_on: NaiveDate) -> poc::Command {
    let promise = Promise {
        memory_mib_min: Some(Decimal::from(81_000)),
        collective_gb_s_min: Some(Decimal::from(400)),
        first_token_p99_ms_max: Some(Decimal::from(800)),
        ..Promise::of(name("H100"), 8)
    };
    poc::Command::ChooseFinalist { supplier, promise: Box::new(promise), trial_ends_on }
}

/// The output of the three tools that the shipped policy asks for.
pub(super) fn readings(supplier: SupplierId, card_is_lost: bool) -> [poc::Command; 3] {
    let serving = ServingReading {
        issued: Some(1_000),
        completed: 1_000,
        first_token_p99_ms: Some(Decimal::from(612)),
        per_token_p99_ms: Some(Decimal::from(32)),
        output_tokens_s: Some(Decimal::from(2_310)),
        load: None,
    };
    let peak = Some(Decimal::from(478));
    let collective = CollectiveReading { ranks: Some(8), peak_gb_s: peak, out_of_bounds: Some(0) };
    let cards = CardsReading {
        names: vec![name("NVIDIA H100 80GB HBM3")],
        cards: 8,
        memory_mib: Some(Decimal::from(81_559)),
        driver: Some(name("550.90.07")),
        lost: u32::from(card_is_lost),
        throttle_mask: Some(0x4),
        memory_growth_mib: Some(Decimal::from(96)),
        ..CardsReading::default()
    };
    [Reading::Serving(serving), Reading::Collective(collective), Reading::Cards(cards)].map(
        |reading| {
            let evidence = Evidence {
                file: file(&format!("{}.txt", reading.kind().id())),
                reader_version: 1,
                complete: true,
                incomplete_because: None,
                reading,
            };
            poc::Command::RecordEvidence { supplier, evidence: Box::new(evidence) }
        },
    )
}

pub(super) fn terms(supplier: SupplierId) -> negotiation::Command {
    let agreed = || ClauseTerm { agreement: Agreement::Agreed, reference: Some(name("7.2")) };
    let terms = Terms {
        form: ContractForm::Signed,
        term_months: 12,
        currency: Currency::Cny,
        list_price_per_month: Decimal::from(58_035),
        price_per_month: Decimal::from(46_428),
        availability: Percent::tenths(999),
        response_minutes: 15,
        clauses: Clause::ALL.map(|clause| (clause, agreed())).into(),
    };
    negotiation::Command::RecordTerms { supplier, terms: Box::new(terms) }
}

pub(super) fn approval(supplier: SupplierId) -> negotiation::Command {
    negotiation::Command::ReviewTerms { supplier, review: LegalReview::Approved }
}

/// The first gets the larger share.
pub(super) fn award(accepted: &[SupplierId]) -> negotiation::Command {
    let share = |supplier, role, share| Award { supplier, role, share: Percent::of(share) };
    let awards = match accepted {
        [] => Vec::new(),
        [only] => vec![share(*only, Role::Primary, 100)],
        [first, second, ..] => {
            vec![share(*first, Role::Primary, 65), share(*second, Role::Backup, 35)]
        }
    };
    let reason = text("price, and one to fall back on");
    negotiation::Command::DecideAward { awards, reason }
}

pub(super) fn contract(
    supplier: SupplierId,
    starts_on: NaiveDate,
    ends_on: NaiveDate,
) -> negotiation::Command {
    let contract = Contract {
        signed_on: starts_on,
        starts_on,
        ends_on,
        cards: 8,
        value_per_month: Money::new(Decimal::from(32_500), Currency::Cny),
        document: file("contract.pdf"),
    };
    negotiation::Command::RecordContract { supplier, contract: Box::new(contract) }
}

pub(super) fn scaling() -> negotiation::Command {
    let trigger = text("a queue of more than thirty seconds");
    let plan = ScalingPlan { base_cards: 8, burst_cards: 16, trigger, lead_days: 3 };
    negotiation::Command::PlanScaling { plan: Box::new(plan) }
}

pub(super) fn usage(from: DateTime<Utc>, until: DateTime<Utc>) -> Usage {
    let hours = |part: i64| Decimal::from((until - from).num_hours() * part);
    Usage {
        from,
        until,
        cards: 8,
        busy_card_hours: hours(5),
        used_card_hours: hours(5),
        idle_card_hours: hours(2),
        unknown_card_hours: hours(1),
    }
}

pub(super) fn bill(from: DateTime<Utc>, until: DateTime<Utc>, billed: i64) -> Bill {
    Bill {
        from,
        until,
        currency: Currency::Cny,
        billed: Decimal::from(billed),
        tax: Decimal::ZERO,
        card_hours: Some(Decimal::from((until - from).num_hours() * 8)),
    }
}

pub(super) fn certificates(today: NaiveDate, days: i64) -> [Certificate; 3] {
    let expires_on = today.checked_add_signed(Duration::days(days)).unwrap_or(today);
    Qualification::ALL.map(|qualification| Certificate {
        qualification,
        number: name("No. 4711"),
        expires_on,
        document: None,
    })
}

/// So many days later.
pub(super) fn later(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(Days::new(days)).unwrap_or(day)
}

/// The calendar quarter before the one that a day lies in, as it is written.
pub(super) fn quarter_before(day: NaiveDate) -> String {
    match day.month0() / 3 {
        0 => format!("{}-Q4", day.year() - 1),
        number => format!("{}-Q{number}", day.year()),
    }
}
