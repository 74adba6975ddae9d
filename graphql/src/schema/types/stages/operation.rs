//! Stage 6: usage, bills, interruptions, reviews and outcome.

use async_graphql::{ID, Object, SimpleObject};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::{
    context::local_date,
    operation::{sla, usage},
};

use super::{SupplierReference, supplier};
use crate::schema::{
    scalars::{OperationOutcome, Severity},
    types::{history::EventLink, money::Money, people::PersonReference},
};

pub(crate) struct Operation(pub Seen);

#[derive(SimpleObject)]
pub(crate) struct Usage {
    supplier: SupplierReference,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    cards: u32,
    /// In which a card did something, however little.
    busy_card_hours: Decimal,
    /// The busy ones, weighted by how much was done.
    used_card_hours: Decimal,
    idle_card_hours: Decimal,
    /// Hours without telemetry: neither used nor idle.
    unknown_card_hours: Decimal,
    /// Of the hours that were seen.
    idle_percent: Option<Decimal>,
    /// Card-hours × unit price × idle ratio, by the newest bill that covers the window; `null`
    /// when no bill tells a unit price.
    waste: Option<Money>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Bill {
    supplier: SupplierReference,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    billed: Money,
    tax: Money,
    card_hours: Option<Decimal>,
    /// Net of tax.
    per_card_hour: Option<Money>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Incident {
    id: ID,
    supplier: SupplierReference,
    severity: Severity,
    what: String,
    started_at: DateTime<Utc>,
    responded_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    event: EventLink,
}

/// Of a calendar month.
#[derive(SimpleObject)]
pub(crate) struct Availability {
    supplier: SupplierReference,
    total_minutes: Decimal,
    down_minutes: Decimal,
    availability_percent: Decimal,
    promised_percent: Option<Decimal>,
}

#[derive(SimpleObject)]
pub(crate) struct Review {
    /// As in `2026-Q1`.
    quarter: String,
    held_on: NaiveDate,
    findings: String,
    actions: Vec<ReviewAction>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct ReviewAction {
    what: String,
    owner: PersonReference,
    due_on: NaiveDate,
}

#[Object]
impl Operation {
    #[graphql(complexity = "20 * child_complexity")]
    async fn usage(&self) -> Vec<Usage> {
        let state = self.0.state();
        let operation = &state.operation;
        let feeds =
            operation.usage.iter().flat_map(|(id, feeds)| feeds.iter().map(move |f| (id, f)));
        feeds
            .map(|(id, fact)| {
                let usage = &fact.value;
                let bill = operation.bills.get(id).and_then(|bills| {
                    bills.iter().rev().find(|bill| {
                        bill.value.from <= usage.from && usage.until <= bill.value.until
                    })
                });
                Usage {
                    supplier: supplier(state, *id),
                    from: usage.from,
                    until: usage.until,
                    cards: usage.cards,
                    busy_card_hours: usage.busy_card_hours,
                    used_card_hours: usage.used_card_hours,
                    idle_card_hours: usage.idle_card_hours,
                    unknown_card_hours: usage.unknown_card_hours,
                    idle_percent: usage
                        .idle_ratio()
                        .map(|ratio| (ratio * Decimal::ONE_HUNDRED).round_dp(2)),
                    waste: bill.and_then(|bill| usage::waste(usage, &bill.value)).map(Into::into),
                    event: EventLink(fact.stamp),
                }
            })
            .collect()
    }

    #[graphql(complexity = "20 * child_complexity")]
    async fn bills(&self) -> Vec<Bill> {
        let state = self.0.state();
        let bills = state.operation.bills.iter();
        bills
            .flat_map(|(id, bills)| bills.iter().map(move |fact| (id, fact)))
            .map(|(id, fact)| {
                let bill = &fact.value;
                let money = |amount| sixgate_workflows::money::Money::new(amount, bill.currency);
                Bill {
                    supplier: supplier(state, *id),
                    from: bill.from,
                    until: bill.until,
                    billed: money(bill.billed).into(),
                    tax: money(bill.tax).into(),
                    card_hours: bill.card_hours,
                    per_card_hour: bill.unit_price().map(Into::into),
                    event: EventLink(fact.stamp),
                }
            })
            .collect()
    }

    #[graphql(complexity = "20 * child_complexity")]
    async fn incidents(&self) -> Vec<Incident> {
        let state = self.0.state();
        let incidents = state.operation.incidents.iter();
        incidents
            .map(|(id, (of, fact))| Incident {
                id: id.to_string().into(),
                supplier: supplier(state, *of),
                severity: fact.value.severity.into(),
                what: fact.value.what.to_string(),
                started_at: fact.value.started_at,
                responded_at: fact.value.responded_at,
                ended_at: fact.value.ended_at,
                event: EventLink(fact.stamp),
            })
            .collect()
    }

    /// Of each supplier under contract, in the calendar month that holds the day; without a day,
    /// the present month.
    #[graphql(complexity = "5 * child_complexity")]
    async fn availability(&self, month_of: Option<NaiveDate>) -> Vec<Availability> {
        let state = self.0.state();
        let moment = self.0.moment;
        let day = month_of.unwrap_or_else(|| local_date(moment.now, moment.zone));
        let contracts = state.negotiation.contracts.keys();
        contracts
            .filter_map(|id| {
                let incidents = state.operation.incidents.values();
                let own = incidents.filter(|(of, _)| of == id).map(|(_, fact)| &fact.value);
                let month = sla::availability(own, day, moment.zone, moment.now)?;
                let offer = state.negotiation.offers.get(id);
                Some(Availability {
                    supplier: supplier(state, *id),
                    total_minutes: month.total_minutes,
                    down_minutes: month.down_minutes,
                    availability_percent: month.percent,
                    promised_percent: offer.map(|offer| offer.terms.value.availability.value()),
                })
            })
            .collect()
    }

    /// The first quarter of the review calendar.
    async fn first_review(&self) -> Option<String> {
        self.0.state().operation.first_review.as_ref().map(|quarter| quarter.value.to_string())
    }

    #[graphql(complexity = "8 * child_complexity")]
    async fn reviews(&self) -> Vec<Review> {
        let reviews = self.0.state().operation.reviews.iter();
        reviews
            .map(|(quarter, fact)| Review {
                quarter: quarter.to_string(),
                held_on: fact.value.held_on,
                findings: fact.value.findings.to_string(),
                actions: fact
                    .value
                    .actions
                    .iter()
                    .map(|action| ReviewAction {
                        what: action.what.to_string(),
                        owner: PersonReference(action.owner),
                        due_on: action.due_on,
                    })
                    .collect(),
                event: EventLink(fact.stamp),
            })
            .collect()
    }

    async fn outcome(&self) -> Option<OperationOutcome> {
        self.0.state().operation.outcome.as_ref().map(|outcome| outcome.value.into())
    }
}
