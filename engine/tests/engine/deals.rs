//! Made-up figures for negotiation and operation.

use chrono::{DateTime, Duration, Utc};
use sixgate_workflows::{
    calendar::Quarter,
    ids::{IncidentId, SupplierId},
    money::{Currency, Money},
    negotiation::{
        self, Contract, LegalReview, ScalingPlan,
        award::{Award, Role},
        terms::{Agreement, Clause, ClauseTerm, ContractForm, Terms},
    },
    operation::{
        self, Action, Meeting, Outcome, Review,
        sla::Severity,
        usage::{Bill, Usage},
    },
    percent::Percent,
    procurement::Command,
};
use uuid::Uuid;

use crate::{
    people::Who,
    world::{AURORA, Ask, BOREAL, day, file, name, number, text, time},
};

pub(crate) const INCIDENT: IncidentId = IncidentId(Uuid::from_u128(0x501));

pub(crate) fn terms() -> Terms {
    let agreed = || ClauseTerm { agreement: Agreement::Agreed, reference: Some(name("§ 7.2")) };
    Terms {
        form: ContractForm::Signed,
        term_months: 12,
        currency: Currency::Cny,
        list_price_per_month: number("58035"),
        price_per_month: number("46428"),
        availability: Percent::tenths(999),
        response_minutes: 15,
        clauses: Clause::ALL.map(|clause| (clause, agreed())).into(),
    }
}

pub(crate) fn record_terms(supplier: SupplierId, terms: Terms) -> negotiation::Command {
    negotiation::Command::RecordTerms { supplier, terms: Box::new(terms) }
}

pub(crate) fn approve(supplier: SupplierId) -> negotiation::Command {
    negotiation::Command::ReviewTerms { supplier, review: LegalReview::Approved }
}

pub(crate) fn award(supplier: SupplierId, role: Role, share: u32) -> Award {
    Award { supplier, role, share: Percent::of(share) }
}

pub(crate) fn both_awarded() -> Vec<Award> {
    vec![award(AURORA, Role::Primary, 65), award(BOREAL, Role::Backup, 35)]
}

pub(crate) fn decide_award(awards: Vec<Award>) -> negotiation::Command {
    negotiation::Command::DecideAward { awards, reason: text("price, and one to fall back on") }
}

pub(crate) fn contract() -> Contract {
    Contract {
        signed_on: day("2026-01-30"),
        starts_on: day("2026-02-02"),
        ends_on: day("2027-02-01"),
        cards: 8,
        value_per_month: Money::new(number("32500"), Currency::Cny),
        document: file("contract.pdf"),
    }
}

pub(crate) fn sign_contract(supplier: SupplierId, contract: Contract) -> negotiation::Command {
    negotiation::Command::RecordContract { supplier, contract: Box::new(contract) }
}

pub(crate) fn plan_scaling() -> negotiation::Command {
    let plan = ScalingPlan {
        base_cards: 8,
        burst_cards: 16,
        trigger: text("queue longer than 30 seconds for ten minutes"),
        lead_days: 3,
    };
    negotiation::Command::PlanScaling { plan: Box::new(plan) }
}

pub(crate) fn negotiation() -> Vec<(Who, Command)> {
    let mut commands = Vec::new();
    for supplier in [AURORA, BOREAL] {
        commands.extend([
            (Who::Paul, record_terms(supplier, terms()).ask()),
            (Who::Lena, approve(supplier).ask()),
        ]);
    }
    commands.extend([
        (Who::Paul, decide_award(both_awarded()).ask()),
        (Who::Paul, sign_contract(AURORA, contract()).ask()),
        (Who::Paul, sign_contract(BOREAL, contract()).ask()),
        (Who::Otto, plan_scaling().ask()),
    ]);
    commands
}

/// The week that ends at the instant.
pub(crate) fn usage(until: DateTime<Utc>, used: &str) -> Usage {
    Usage {
        from: until - Duration::days(7),
        until,
        cards: 8,
        busy_card_hours: number(used),
        used_card_hours: number(used),
        idle_card_hours: number("120"),
        unknown_card_hours: number("4"),
    }
}

pub(crate) fn record_usage(supplier: SupplierId, usage: Usage) -> operation::Command {
    operation::Command::RecordUsage { supplier, usage, source: Some(file("usage.csv")) }
}

pub(crate) fn bill(billed: &str) -> Bill {
    Bill {
        from: "2026-02-01T16:00:00Z".parse().unwrap(),
        until: "2026-02-08T16:00:00Z".parse().unwrap(),
        currency: Currency::Cny,
        billed: number(billed),
        tax: number("0"),
        card_hours: Some(number("1344")),
    }
}

pub(crate) fn record_bill(supplier: SupplierId, bill: Bill) -> operation::Command {
    operation::Command::RecordBill { supplier, bill, source: None }
}

pub(crate) fn probe(supplier: SupplierId, until: DateTime<Utc>) -> operation::Command {
    operation::Command::RecordAvailability { supplier, until, down_minutes: 2 }
}

pub(crate) fn report(
    incident: IncidentId,
    supplier: SupplierId,
    started_at: DateTime<Utc>,
) -> operation::Command {
    let what = text("one node out of reach");
    operation::Command::ReportIncident {
        incident,
        supplier,
        severity: Severity::P0,
        started_at,
        what,
    }
}

pub(crate) fn resolve(
    incident: IncidentId,
    responded_at: DateTime<Utc>,
    ended_at: DateTime<Utc>,
) -> operation::Command {
    operation::Command::ResolveIncident { incident, responded_at, ended_at }
}

pub(crate) fn quarter(text: &str) -> Quarter {
    text.parse().unwrap()
}

pub(crate) fn plan_reviews(first: &str) -> operation::Command {
    let optimisation = text("move the evaluation jobs into the night");
    operation::Command::PlanReviews { first: quarter(first), optimisation }
}

pub(crate) fn schedule_review(of: &str, starts_at: &str, place: &str) -> operation::Command {
    let meeting = Meeting { starts_at: time(starts_at), place: Some(name(place)) };
    operation::Command::ScheduleReview { quarter: quarter(of), meeting }
}

pub(crate) fn record_review(of: &str) -> operation::Command {
    let action = Action {
        what: text("give back two cards"),
        owner: Who::Otto.id(),
        due_on: day("2026-04-30"),
    };
    let review = Review {
        held_on: day("2026-03-31"),
        findings: text("a fifth of the hours idles"),
        actions: vec![action],
    };
    operation::Command::RecordReview { quarter: quarter(of), review }
}

pub(crate) fn decide_outcome() -> operation::Command {
    operation::Command::DecideOutcome {
        outcome: Outcome::Renewed,
        reason: text("demand is steady"),
    }
}

pub(crate) fn operation(now: DateTime<Utc>) -> Vec<(Who, Command)> {
    let started = now - Duration::hours(2);
    vec![
        (Who::Otto, record_usage(AURORA, usage(now, "650")).ask()),
        (Who::Otto, record_usage(BOREAL, usage(now, "350")).ask()),
        (Who::Otto, probe(AURORA, now).ask()),
        (Who::Otto, probe(BOREAL, now).ask()),
        (Who::Fiona, record_bill(AURORA, bill("2688")).ask()),
        (Who::Otto, report(INCIDENT, AURORA, started).ask()),
        (
            Who::Otto,
            resolve(INCIDENT, started + Duration::minutes(9), started + Duration::minutes(25))
                .ask(),
        ),
        (Who::Otto, plan_reviews("2026-Q1").ask()),
        (Who::Otto, record_review("2026-Q1").ask()),
        (Who::Paul, decide_outcome().ask()),
    ]
}
