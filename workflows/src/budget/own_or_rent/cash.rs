//! What each option pays, when, at one point within the ranges.
//!
//! The rule: cash only. What was bought is paid when it is ordered and sold at the end; depreciation
//! is no payment and is not here. Monthly payments are made at the end of each month. Until owned
//! machines work, the need is rented, with everything that renting costs.
//!
//! The reserve of a budget is deliberately left out: it is set aside for what nobody knows, not
//! paid, and would favour whichever option has the smaller list of known costs.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{
    Billing, Choice, Question,
    input::{Input, Values},
};
use crate::budget::root::root;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Purchase,
    Spares,
    /// On what is bought or rented, where it cannot be recovered.
    Vat,
    Electricity,
    Rack,
    Labour,
    Maintenance,
    Losses,
    /// Everything that renting costs until the owned machines work.
    RentMeanwhile,
    Rental,
    Egress,
    Storage,
    Migration,
    /// The peak above the owned base.
    Burst,
    /// What the machines sell for; negative.
    Residual,
}

impl Part {
    pub const ALL: [Self; 15] = [
        Self::Purchase,
        Self::Spares,
        Self::Vat,
        Self::Electricity,
        Self::Rack,
        Self::Labour,
        Self::Maintenance,
        Self::Losses,
        Self::RentMeanwhile,
        Self::Rental,
        Self::Egress,
        Self::Storage,
        Self::Migration,
        Self::Burst,
        Self::Residual,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Spares => "spares",
            Self::Vat => "vat",
            Self::Electricity => "electricity",
            Self::Rack => "rack",
            Self::Labour => "labour",
            Self::Maintenance => "maintenance",
            Self::Losses => "losses",
            Self::RentMeanwhile => "rent_meanwhile",
            Self::Rental => "rental",
            Self::Egress => "egress",
            Self::Storage => "storage",
            Self::Migration => "migration",
            Self::Burst => "burst",
            Self::Residual => "residual",
        }
    }
}

/// When something is paid, in months from the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    AtOnce,
    Monthly { from: Decimal, until: Decimal },
    AtTheEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Payment {
    part: Part,
    amount: Decimal,
    when: When,
}

/// All payments of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cash {
    payments: Vec<Payment>,
    horizon: Decimal,
    /// From when on the owned machines work.
    pub(super) delivered: Decimal,
}

impl Cash {
    /// Nothing when a value that the option reads is not there.
    pub fn of(choice: Choice, question: &Question, values: &Values) -> Option<Self> {
        let horizon = Decimal::from(question.horizon_months);
        let payments = match choice {
            Choice::Rent => renting(question, values, Decimal::ZERO, horizon)?,
            Choice::Own => owning(question, values, Input::Nodes)?,
            Choice::Hybrid => {
                let mut payments = owning(question, values, Input::BaseNodes)?;
                payments.extend(bursting(question, values, horizon)?);
                payments
            }
        };
        let delivered = match choice {
            Choice::Rent => Decimal::ZERO,
            Choice::Own | Choice::Hybrid => value(values, Input::LeadMonths)?,
        };
        Some(Self { payments, horizon, delivered })
    }

    /// Paid up to the end of a month; what is sold at the end of the horizon is left out.
    pub fn paid_until(&self, month: Decimal) -> Decimal {
        let paid = |payment: &Payment| match payment.when {
            When::AtOnce => payment.amount,
            When::Monthly { from, until } => {
                payment.amount * (month.min(until) - from).max(Decimal::ZERO)
            }
            When::AtTheEnd => Decimal::ZERO,
        };
        self.payments.iter().map(paid).sum()
    }

    /// VAT on what is bought, which belongs to its value.
    pub(super) fn vat_at_once(&self) -> Decimal {
        let at_once =
            |payment: &&Payment| payment.part == Part::Vat && payment.when == When::AtOnce;
        self.payments.iter().filter(at_once).map(|payment| payment.amount).sum()
    }

    pub fn total(&self) -> Decimal {
        self.parts().into_iter().map(|(_, amount)| amount).sum()
    }

    /// Each part over the horizon, in the order of [`Part`].
    pub fn parts(&self) -> Vec<(Part, Decimal)> {
        let of = |part: Part| {
            let own = self.payments.iter().filter(move |payment| payment.part == part);
            own.map(|payment| match payment.when {
                When::AtOnce | When::AtTheEnd => payment.amount,
                When::Monthly { from, until } => payment.amount * (until - from),
            })
        };
        let there = |part: &Part| self.payments.iter().any(|payment| payment.part == *part);
        Part::ALL.into_iter().filter(there).map(|part| (part, of(part).sum())).collect()
    }

    /// Cumulative, from month 0 to the horizon; the last one has what the machines sell for.
    pub fn line(&self) -> Vec<Decimal> {
        let mut month = Decimal::ZERO;
        let mut line = Vec::new();
        while month < self.horizon {
            line.push(self.paid_until(month));
            month += Decimal::ONE;
        }
        line.push(self.total());
        line
    }

    /// Value today of everything paid, at a yearly rate.
    pub fn present(&self, yearly_percent: Decimal) -> Decimal {
        let line = self.line();
        let flows = line.iter().scan(Decimal::ZERO, |before, cumulative| {
            let flow = *cumulative - *before;
            *before = *cumulative;
            Some(flow)
        });
        present_value(flows, monthly_rate(yearly_percent))
    }
}

/// `(1 + r)^(1/12) − 1`.
fn monthly_rate(yearly_percent: Decimal) -> Decimal {
    root(Decimal::ONE + yearly_percent / Decimal::ONE_HUNDRED, 12) - Decimal::ONE
}

/// `Σ flow / (1 + r)^t`, the first flow at once.
pub fn present_value(flows: impl Iterator<Item = Decimal>, rate: Decimal) -> Decimal {
    let mut factor = Decimal::ONE;
    let mut sum = Decimal::ZERO;
    for flow in flows {
        sum += flow * factor;
        factor = factor.checked_div(Decimal::ONE + rate).unwrap_or_default();
    }
    sum
}

fn value(values: &Values, input: Input) -> Option<Decimal> {
    values.get(&input).copied()
}

fn share(values: &Values, input: Input) -> Option<Decimal> {
    Some(value(values, input)? / Decimal::ONE_HUNDRED)
}

/// The VAT that stays with the buyer, as a share of the net price.
fn vat(question: &Question, values: &Values, input: Input) -> Option<Decimal> {
    if question.vat_recoverable { Some(Decimal::ZERO) } else { share(values, input) }
}

/// Hours in a month that all cards of the need do useful work.
pub fn useful_card_hours_month(values: &Values) -> Option<Decimal> {
    let cards = value(values, Input::Nodes)? * value(values, Input::CardsPerNode)?;
    let days = value(values, Input::HoursADay)? / Decimal::from(24);
    Some(cards * value(values, Input::HoursAMonth)? * days)
}

fn paid_card_hours_month(question: &Question, values: &Values) -> Option<Decimal> {
    match question.billing {
        Billing::Used => useful_card_hours_month(values),
        Billing::Always => {
            let cards = value(values, Input::Nodes)? * value(values, Input::CardsPerNode)?;
            Some(cards * value(values, Input::HoursAMonth)?)
        }
    }
}

fn renting(
    question: &Question,
    values: &Values,
    from: Decimal,
    until: Decimal,
) -> Option<Vec<Payment>> {
    let rental = value(values, Input::RentPrice)? * paid_card_hours_month(question, values)?;
    let monthly = |part, amount| Payment { part, amount, when: When::Monthly { from, until } };
    let migration = value(values, Input::RentMigration)?;
    let mut payments = vec![
        monthly(Part::Rental, rental),
        monthly(Part::Egress, value(values, Input::RentEgressMonth)?),
        monthly(Part::Storage, value(values, Input::RentStorageMonth)?),
        monthly(Part::Labour, value(values, Input::RentLabourMonth)?),
        monthly(Part::Losses, value(values, Input::RentLossMonth)?),
        Payment { part: Part::Migration, amount: migration, when: When::AtOnce },
    ];
    if !question.vat_recoverable {
        let vat = rental * vat(question, values, Input::RentVatPercent)?;
        payments.push(monthly(Part::Vat, vat));
    }
    Some(payments)
}

fn owning(question: &Question, values: &Values, nodes: Input) -> Option<Vec<Payment>> {
    let horizon = Decimal::from(question.horizon_months);
    let lead = value(values, Input::LeadMonths)?.min(horizon);
    let nodes = value(values, nodes)?;
    let purchase = nodes * value(values, Input::NodePrice)?;
    let spares = purchase * share(values, Input::SparePercent)?;
    let bought = purchase + spares;
    let at_once = |part, amount| Payment { part, amount, when: When::AtOnce };
    let running = |part, amount| {
        let when = When::Monthly { from: lead, until: horizon };
        Payment { part, amount, when }
    };
    let maintenance = bought * share(values, Input::MaintenancePercent)? / Decimal::from(12);
    let residual = purchase * share(values, Input::ResidualPercent)?;
    let mut payments = vec![
        at_once(Part::Purchase, purchase),
        at_once(Part::Spares, spares),
        running(Part::Electricity, nodes * electricity(values)?),
        running(Part::Rack, nodes * value(values, Input::RackMonth)?),
        running(Part::Labour, value(values, Input::OwnLabourMonth)?),
        running(Part::Maintenance, maintenance),
        running(Part::Losses, nodes * value(values, Input::OwnLossMonth)?),
        Payment { part: Part::Residual, amount: -residual, when: When::AtTheEnd },
    ];
    if !question.vat_recoverable {
        let vat = bought * vat(question, values, Input::PurchaseVatPercent)?;
        payments.push(at_once(Part::Vat, vat));
    }
    if lead > Decimal::ZERO {
        let meanwhile = renting(question, values, Decimal::ZERO, lead)?;
        let part = Part::RentMeanwhile;
        payments.extend(meanwhile.into_iter().map(|payment| Payment { part, ..payment }));
    }
    Some(payments)
}

/// Of one machine in a month: `(Σ cards × watts × load + host) / 1000 × PUE × tariff × hours`.
fn electricity(values: &Values) -> Option<Decimal> {
    let cards = value(values, Input::CardsPerNode)? * value(values, Input::CardWatts)?;
    let watts = cards * share(values, Input::LoadPercent)? + value(values, Input::HostWatts)?;
    let kilowatts = watts / Decimal::ONE_THOUSAND * value(values, Input::Pue)?;
    Some(kilowatts * value(values, Input::HoursAMonth)? * value(values, Input::Tariff)?)
}

fn bursting(question: &Question, values: &Values, horizon: Decimal) -> Option<Vec<Payment>> {
    let from = value(values, Input::LeadMonths)?.min(horizon);
    let hours = value(values, Input::BurstCardHoursMonth)?;
    let burst = hours * value(values, Input::BurstPrice)?;
    let monthly =
        |part, amount| Payment { part, amount, when: When::Monthly { from, until: horizon } };
    let other = value(values, Input::BurstOtherMonth)?;
    let mut payments = vec![monthly(Part::Burst, burst + other)];
    if !question.vat_recoverable {
        let vat = burst * vat(question, values, Input::RentVatPercent)?;
        payments.push(monthly(Part::Vat, vat));
    }
    Some(payments)
}
