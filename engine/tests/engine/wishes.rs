//! Made-up figures for needs, budget, shortlist and POC.

use sixgate_workflows::{
    budget::{
        self, own_or_rent,
        tco::{Cost, CostKind, Plan},
    },
    estimate::Estimate,
    ids::SupplierId,
    money::Currency,
    needs::{
        self,
        brief::{Brief, Fabric, Load, Precision, Use},
        sizing::SizingInput,
    },
    percent::Percent,
    poc::{
        self, Evidence,
        reading::{CardsReading, CollectiveReading, Reading, ServingReading},
        verdict::Promise,
    },
    procurement::Command,
    shortlist::{
        self,
        quote::{PriceBasis, PriceUnit, Question, Quote, QuoteLine},
        score::{ScoreCriterion, Scores},
    },
};

use crate::{
    people::Who,
    world::{AURORA, Ask, BOREAL, CUMULUS, day, file, name, number, text},
};

/// A 70-billion-parameter model served online from eight cards.
pub(crate) fn brief() -> Brief {
    let mut brief = Brief::blank();
    brief.usage = Estimate::known(Use::OnlineInference);
    brief.model.parameters_b = Estimate::known(number("70"));
    brief.model.precision = Estimate::known(Precision::Fp8);
    brief.targets.peak_concurrency = Estimate::range(32, 64).unwrap();
    brief.targets.context_tokens = Estimate::known(8_192);
    brief.targets.latency_ms = Estimate::range(number("500"), number("2000")).unwrap();
    brief.cards.model = Estimate::known(name("H100"));
    brief.cards.total = Estimate::known(8);
    brief.interconnect.nvlink = Estimate::known(true);
    brief.interconnect.between_nodes = Estimate::known(Fabric::None);
    brief.storage.volume_gib = Estimate::known(number("2048"));
    brief.environment.template = Estimate::known(name("vLLM"));
    brief.term.months = Estimate::known(12);
    brief.term.load = Estimate::known(Load::Steady);
    brief.region = Estimate::known(name("Shanghai"));
    brief.contact.name = Estimate::known(name("Rita Example"));
    brief
}

pub(crate) fn sizing_input() -> SizingInput {
    SizingInput {
        card: name("H100"),
        cards: 8,
        vram_per_card_gib: number("80"),
        usable: Percent::of(90),
        kv_kib_per_token: Estimate::known(number("320")),
        optimizer_gib: Estimate::known(number("0")),
        overhead_gib: Estimate::range(number("16"), number("24")).unwrap(),
    }
}

pub(crate) fn record_brief(brief: Brief) -> needs::Command {
    needs::Command::RecordBrief { brief: Box::new(brief), source: Some(file("brief.txt")) }
}

pub(crate) fn record_sizing() -> needs::Command {
    needs::Command::RecordSizing { input: sizing_input() }
}

pub(crate) fn size_model() -> needs::Command {
    let input = serde_json::from_value(serde_json::json!({ "card": "H100" })).unwrap();
    needs::Command::SizeModel { input: Box::new(input) }
}

pub(crate) fn record_trial() -> needs::Command {
    let measured = serde_json::json!({ "card": "H100", "cards": 2, "latency_ms": "830" });
    needs::Command::RecordTrial { trial: Box::new(serde_json::from_value(measured).unwrap()) }
}

pub(crate) fn needs() -> Vec<(Who, Command)> {
    vec![(Who::Rita, record_brief(brief()).ask()), (Who::Otto, record_sizing().ask())]
}

pub(crate) fn plan() -> Plan {
    Plan::new(12, Percent::of(18), Currency::Cny)
}

pub(crate) fn plan_budget(plan: Plan) -> budget::Command {
    budget::Command::PlanBudget { plan }
}

pub(crate) fn amount(per_month: Estimate<rust_decimal::Decimal>) -> Cost {
    Cost::Amount { currency: Currency::Cny, per_month, basis: text("quotes of the last quarter") }
}

/// Renting for a year, of which everything is given.
pub(crate) fn compare_owning() -> budget::Command {
    use own_or_rent::input::Input::*;
    let given = [
        (Nodes, "1"),
        (CardsPerNode, "8"),
        (HoursAMonth, "730"),
        (RentPrice, "10"),
        (RentEgressMonth, "0"),
        (RentStorageMonth, "0"),
        (RentLabourMonth, "0"),
        (RentMigration, "0"),
        (RentLossMonth, "0"),
    ];
    let known = |(input, value)| (input, Estimate::known(number(value)));
    let question = own_or_rent::Question {
        currency: Currency::Cny,
        horizon_months: 12,
        billing: own_or_rent::Billing::Always,
        vat_recoverable: true,
        region: None,
        card: None,
        operations_team: None,
        extreme_security: None,
        inputs: given.map(known).into(),
    };
    let reason = text("owning could not be priced");
    let chosen = own_or_rent::Choice::Rent;
    budget::Command::CompareOwning { question: Box::new(question), chosen, reason }
}

pub(crate) fn cost(cost_kind: CostKind, per_month: &str) -> budget::Command {
    let cost = amount(Estimate::known(number(per_month)));
    budget::Command::RecordCost { cost_kind, cost }
}

/// 58 000 to 60 000 a month, with 18 % reserve at most 849 600 over twelve months.
pub(crate) fn budget() -> Vec<(Who, Command)> {
    let rental = amount(Estimate::range(number("48000"), number("50000")).unwrap());
    let zero = Cost::Zero { reason: text("nothing runs elsewhere yet") };
    vec![
        (Who::Paul, plan_budget(plan()).ask()),
        (
            Who::Fiona,
            budget::Command::RecordCost { cost_kind: CostKind::Rental, cost: rental }.ask(),
        ),
        (Who::Fiona, cost(CostKind::NetworkEgress, "2000").ask()),
        (Who::Fiona, cost(CostKind::Storage, "1500").ask()),
        (Who::Fiona, cost(CostKind::OperationsLabour, "5000").ask()),
        (
            Who::Fiona,
            budget::Command::RecordCost { cost_kind: CostKind::Migration, cost: zero }.ask(),
        ),
        (Who::Fiona, cost(CostKind::FailureLoss, "1500").ask()),
    ]
}

pub(crate) fn quote() -> Quote {
    Quote {
        currency: Currency::Cny,
        valid_until: day("2026-12-31"),
        tax_included: true,
        tax: Percent::of(6),
        lines: vec![QuoteLine {
            card: name("H100"),
            unit_price: number("46428"),
            unit: PriceUnit::CardMonth,
            cards: 8,
            basis: PriceBasis::Reserved,
            list_price: Some(number("58035")),
        }],
        answers: Question::ALL.map(|question| (question, name("answered in writing"))).into(),
    }
}

pub(crate) fn record_quote(supplier: SupplierId, quote: Quote) -> shortlist::Command {
    let source = Some(file("quote.xlsx"));
    shortlist::Command::RecordQuote { supplier, quote: Box::new(quote), source }
}

pub(crate) fn scores(mark: u32) -> Scores {
    ScoreCriterion::ALL.map(|criterion| (criterion, Percent::of(mark))).into()
}

pub(crate) fn add(supplier: SupplierId) -> shortlist::Command {
    shortlist::Command::AddCandidate { supplier }
}

pub(crate) fn review(supplier: SupplierId) -> shortlist::Command {
    shortlist::Command::ReviewQualifications { supplier }
}

pub(crate) fn score(supplier: SupplierId, mark: u32) -> shortlist::Command {
    shortlist::Command::ScoreCandidate { supplier, scores: scores(mark) }
}

pub(crate) fn shortlist() -> Vec<(Who, Command)> {
    let mut commands = Vec::new();
    for (supplier, mark) in [(AURORA, 88), (BOREAL, 80), (CUMULUS, 71)] {
        commands.extend([
            (Who::Paul, add(supplier).ask()),
            (Who::Paul, review(supplier).ask()),
            (Who::Paul, record_quote(supplier, quote()).ask()),
            (Who::Paul, score(supplier, mark).ask()),
            (Who::Rita, score(supplier, mark - 5).ask()),
        ]);
    }
    commands
}
pub(crate) fn promise() -> Promise {
    Promise {
        memory_mib_min: Some(number("81000")),
        collective_gb_s_min: Some(number("400")),
        first_token_p99_ms_max: Some(number("800")),
        success_min: Some(Percent::tenths(995)),
        memory_growth_mib_max: Some(number("512")),
        ..Promise::of(name("H100"), 8)
    }
}

/// The power cap alone, which is normal at full power.
pub(crate) fn cards() -> CardsReading {
    CardsReading {
        names: vec![name("NVIDIA H100 80GB HBM3")],
        cards: 8,
        memory_mib: Some(number("81559")),
        driver: Some(name("550.90.07")),
        lost: 0,
        throttle_mask: Some(0x4),
        memory_growth_mib: Some(number("96")),
        ..CardsReading::default()
    }
}

pub(crate) fn collective() -> CollectiveReading {
    CollectiveReading { ranks: Some(8), peak_gb_s: Some(number("478.3")), out_of_bounds: Some(0) }
}

pub(crate) fn serving() -> ServingReading {
    ServingReading {
        issued: Some(1_000),
        completed: 1_000,
        first_token_p99_ms: Some(number("612.4")),
        per_token_p99_ms: Some(number("31.9")),
        output_tokens_s: Some(number("2310.5")),
        load: None,
    }
}

pub(crate) fn evidence(reading: Reading) -> Evidence {
    let title = format!("{}.txt", reading.kind().id());
    Evidence {
        file: file(&title),
        reader_version: 1,
        complete: true,
        incomplete_because: None,
        reading,
    }
}

pub(crate) fn record(supplier: SupplierId, evidence: Evidence) -> poc::Command {
    poc::Command::RecordEvidence { supplier, evidence: Box::new(evidence) }
}

pub(crate) fn measure(supplier: SupplierId, reading: Reading) -> poc::Command {
    record(supplier, evidence(reading))
}

pub(crate) fn choose(supplier: SupplierId) -> poc::Command {
    let trial_ends_on = day("2026-02-28");
    poc::Command::ChooseFinalist { supplier, promise: Box::new(promise()), trial_ends_on }
}

pub(crate) fn baseline(supplier: SupplierId) -> poc::Command {
    poc::Command::RecordBaseline { supplier }
}

pub(crate) fn poc() -> Vec<(Who, Command)> {
    let mut commands = Vec::new();
    for supplier in [AURORA, BOREAL] {
        commands.extend([
            (Who::Rita, choose(supplier).ask()),
            (Who::Otto, measure(supplier, Reading::Serving(serving())).ask()),
            (Who::Otto, measure(supplier, Reading::Collective(collective())).ask()),
            (Who::Otto, measure(supplier, Reading::Cards(cards())).ask()),
            (Who::Otto, baseline(supplier).ask()),
        ]);
    }
    commands
}
