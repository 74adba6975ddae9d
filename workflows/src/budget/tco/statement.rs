//! The total cost of ownership with everything it is made of: lines, kinds, reserve, drivers, the
//! cash of each month, and what an hour of useful work costs.
//!
//! The rule: while anything is unknown there is no total, and what is unknown is named. The sum of
//! the kinds and the reserve is the total, and so is the sum of the cash of all months.

use std::convert::Infallible;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{
    Cost, CostKind, MoneySpan, Plan, Unknown,
    line::{Factor, Line, Paid},
};
use crate::{
    budget::root::root, estimate::Estimate, invalid::Invalid, money::Money, needs::brief::Brief,
    text::Text,
};

/// How much the cards will do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub cards: Estimate<Decimal>,
    /// Of all hours, those that do useful work, in percent.
    pub utilisation_percent: Estimate<Decimal>,
    pub hours_per_month: Decimal,
}

/// What cloud providers count to a month: a twelfth of 8 760 hours.
const HOURS_PER_MONTH: Decimal = Decimal::from_parts(730, 0, 0, false, 0);

impl Usage {
    /// As the brief expects it.
    pub fn of(brief: &Brief) -> Self {
        let cards = brief.cards.total.try_map(|cards| Ok::<_, Infallible>(Decimal::from(*cards)));
        let utilisation =
            brief.term.utilisation.try_map(|share| Ok::<_, Infallible>(share.value()));
        let (Ok(cards), Ok(utilisation_percent)) = (cards, utilisation);
        Self { cards, utilisation_percent, hours_per_month: HOURS_PER_MONTH }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    pub kinds: Vec<KindStatement>,
    /// What keeps the total from being worked out; empty when there is one.
    pub unknown: Vec<Unknown>,
    pub figures: Option<Figures>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindStatement {
    pub kind: CostKind,
    pub lines: Vec<LineStatement>,
    /// Why it costs nothing, when somebody said so.
    pub zero_because: Option<Text>,
    /// `None` while a line is unknown or there is none.
    pub for_term: Option<MoneySpan>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineStatement {
    pub line: Line,
    /// Their product is the cost over the term.
    pub factors: Vec<Factor>,
    pub for_term: Option<MoneySpan>,
}

/// Everything that rests on all lines being known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    pub subtotal: MoneySpan,
    pub reserve: MoneySpan,
    pub total: MoneySpan,
    /// The total, spread evenly.
    pub per_month: MoneySpan,
    /// `None` while cards or utilisation are not known, or nothing useful is done.
    pub per_useful_card_hour: Option<MoneySpan>,
    /// The largest first.
    pub drivers: Vec<Driver>,
    /// From the start on, which is month 0.
    pub cash: Vec<MonthOfCash>,
    /// Of all payments, where the plan says what money costs.
    pub present_value: Option<MoneySpan>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Driver {
    pub kind: CostKind,
    /// Of the subtotal, at the middle of all ranges.
    pub share_percent: Decimal,
    /// What the total would be narrower by if this kind were known exactly.
    pub width: Money,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MonthOfCash {
    pub month: u32,
    pub paid: MoneySpan,
    pub until_then: MoneySpan,
}

/// What a kind was said to cost.
pub type Costs<'a> = &'a dyn Fn(CostKind) -> Option<&'a Cost>;

/// Nothing here is refused but a result that is too large to be a decimal.
pub fn statement(
    costs: Costs<'_>,
    plan: &Plan,
    usage: Option<&Usage>,
) -> Result<Statement, Invalid> {
    let (kinds, unknown) = kinds(costs, plan)?;
    let figures = match unknown.is_empty() {
        true => Some(figures(&kinds, plan, usage)?),
        false => None,
    };
    Ok(Statement { kinds, unknown, figures })
}

/// Each kind with its lines, and what is unknown in them.
pub(super) fn kinds(
    costs: Costs<'_>,
    plan: &Plan,
) -> Result<(Vec<KindStatement>, Vec<Unknown>), Invalid> {
    let mut unknown = Vec::new();
    let mut kinds = Vec::with_capacity(CostKind::ALL.len());
    for kind in CostKind::ALL {
        kinds.push(kind_statement(kind, costs(kind), plan, &mut unknown)?);
    }
    Ok((kinds, unknown))
}

pub(super) fn subtotal(kinds: &[KindStatement], plan: &Plan) -> Result<MoneySpan, Invalid> {
    let known = kinds.iter().filter_map(|kind| kind.for_term);
    known.into_iter().try_fold(MoneySpan::zero(plan.currency), MoneySpan::plus)
}

fn kind_statement(
    kind: CostKind,
    cost: Option<&Cost>,
    plan: &Plan,
    unknown: &mut Vec<Unknown>,
) -> Result<KindStatement, Invalid> {
    let known_before = unknown.len();
    let (given, zero_because) = match cost {
        Some(Cost::Zero { reason }) => (Vec::new(), Some(reason.clone())),
        Some(cost) => (cost.lines(), None),
        None => (Vec::new(), None),
    };
    if given.is_empty() && zero_because.is_none() {
        unknown.push(Unknown::Kind { kind });
    }
    let mut lines = Vec::with_capacity(given.len());
    let mut sum = MoneySpan::zero(plan.currency);
    for line in given {
        let (factors, for_term) = match line.factors(plan) {
            Ok(factors) => {
                let for_term = product(&factors, plan)?;
                sum = sum.plus(for_term)?;
                (factors, Some(for_term))
            }
            Err(missing) => {
                unknown.push(missing);
                (Vec::new(), None)
            }
        };
        lines.push(LineStatement { line, factors, for_term });
    }
    let for_term = (unknown.len() == known_before).then_some(sum);
    Ok(KindStatement { kind, lines, zero_because, for_term })
}

fn product(factors: &[Factor], plan: &Plan) -> Result<MoneySpan, Invalid> {
    let one = Money::new(Decimal::ONE, plan.currency);
    factors.iter().try_fold(MoneySpan { low: one, high: one }, |span, factor| {
        Ok(MoneySpan { low: span.low.times(factor.low)?, high: span.high.times(factor.high)? })
    })
}

fn figures(
    kinds: &[KindStatement],
    plan: &Plan,
    usage: Option<&Usage>,
) -> Result<Figures, Invalid> {
    let known = kinds.iter().filter_map(|kind| kind.for_term.map(|span| (kind.kind, span)));
    let subtotal = subtotal(kinds, plan)?;
    let reserve = subtotal.times(plan.reserve.ratio())?;
    let total = subtotal.plus(reserve)?;
    let cash = cash(kinds, plan)?;
    Ok(Figures {
        subtotal,
        reserve,
        total,
        per_month: total.divided(Decimal::from(plan.term_months)),
        per_useful_card_hour: usage.and_then(|usage| per_useful_hour(total, plan, usage)),
        drivers: drivers(known.collect(), subtotal),
        present_value: match plan.discount_rate {
            Some(rate) => Some(present_value(&cash, rate.ratio(), plan)?),
            None => None,
        },
        cash,
    })
}

/// The cheapest hour comes with the least cost and the most use.
fn per_useful_hour(total: MoneySpan, plan: &Plan, usage: &Usage) -> Option<MoneySpan> {
    let months = Decimal::from(plan.term_months);
    let hours = |cards: &Decimal, percent: &Decimal| {
        let all = cards.checked_mul(usage.hours_per_month)?.checked_mul(months)?;
        all.checked_mul(percent / Decimal::ONE_HUNDRED)
    };
    let fewest = hours(usage.cards.low()?, usage.utilisation_percent.low()?)?;
    let most = hours(usage.cards.high()?, usage.utilisation_percent.high()?)?;
    let useful = fewest > Decimal::ZERO;
    useful.then(|| MoneySpan { low: total.divided(most).low, high: total.divided(fewest).high })
}

fn drivers(known: Vec<(CostKind, MoneySpan)>, subtotal: MoneySpan) -> Vec<Driver> {
    let whole = subtotal.middle();
    let mut drivers: Vec<Driver> = known
        .into_iter()
        .map(|(kind, span)| Driver {
            kind,
            share_percent: match whole.amount.is_zero() {
                true => Decimal::ZERO,
                false => span.middle().amount / whole.amount * Decimal::ONE_HUNDRED,
            },
            width: Money::new(span.high.amount - span.low.amount, span.low.currency),
        })
        .collect();
    drivers.sort_by(|a, b| b.share_percent.cmp(&a.share_percent).then(a.kind.cmp(&b.kind)));
    drivers
}

/// The reserve goes with what it is a reserve for.
fn cash(kinds: &[KindStatement], plan: &Plan) -> Result<Vec<MonthOfCash>, Invalid> {
    let term = plan.term_months;
    let with_reserve = Decimal::ONE + plan.reserve.ratio();
    let lines = kinds.iter().flat_map(|kind| &kind.lines);
    let mut months = Vec::new();
    let mut until_then = MoneySpan::zero(plan.currency);
    for month in 0..=term {
        let mut paid = MoneySpan::zero(plan.currency);
        for line in lines.clone() {
            let Some(for_term) = line.for_term else { continue };
            let due = match (line.line.recurs(), line.line.paid) {
                (true, Paid::InAdvance) => month < term,
                (true, Paid::InArrears | Paid::AtStart) => month > 0,
                (false, _) => month == 0,
            };
            if due {
                let share = match line.line.recurs() {
                    true => for_term.divided(Decimal::from(term)),
                    false => for_term,
                };
                paid = paid.plus(share.times(with_reserve)?)?;
            }
        }
        until_then = until_then.plus(paid)?;
        months.push(MonthOfCash { month, paid, until_then });
    }
    Ok(months)
}

/// Each payment divided by (1 + r) to the power of its month over twelve.
fn present_value(
    cash: &[MonthOfCash],
    yearly_rate: Decimal,
    plan: &Plan,
) -> Result<MoneySpan, Invalid> {
    let monthly = root(Decimal::ONE + yearly_rate, 12);
    let mut discount = Decimal::ONE;
    let mut sum = MoneySpan::zero(plan.currency);
    for month in cash {
        sum = sum.plus(month.paid.divided(discount))?;
        discount *= monthly;
    }
    Ok(sum)
}
