//! Deadlines of money and use: the budget's burn and forecast, and when owning would pay.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use rust_decimal::Decimal;

use super::{Deadline, NoticeKind};
use crate::{
    budget::tco::{CostKind, line::Line},
    calendar,
    context::local_date,
    function::Function::{Finance, Manager, Requester},
    gate::Moment,
    money::Money,
    operation::usage::{Bill, Usage},
    procurement::Procurement,
    recorded::Fact,
};

pub(super) fn deadlines(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let mut deadlines = Vec::new();
    if let Some(totals) = procurement.budget.totals() {
        let budget = totals.for_term.high;
        let bills = in_order_of_record(procurement.operation.bills.values(), |bill| {
            bill.currency == budget.currency
        });
        deadlines.extend(burn(procurement, budget, &bills));
        deadlines.extend(forecast(procurement, budget, &bills, moment));
    }
    deadlines.extend(own(procurement, moment));
    deadlines
}

fn in_order_of_record<'a, T: 'a>(
    facts: impl Iterator<Item = &'a Vec<Fact<T>>>,
    wanted: impl Fn(&T) -> bool,
) -> Vec<&'a Fact<T>> {
    let mut facts: Vec<_> = facts.flatten().filter(|fact| wanted(&fact.value)).collect();
    facts.sort_by_key(|fact| (fact.stamp.position, fact.stamp.index));
    facts
}

/// When the bills first reach 80 and 100 % of the budget.
fn burn(procurement: &Procurement, budget: Money, bills: &[&Fact<Bill>]) -> Vec<Deadline> {
    let mut deadlines = Vec::new();
    let mut spent = Decimal::ZERO;
    for bill in bills {
        let before = spent;
        spent = spent.saturating_add(bill.value.billed);
        for percent in [80_u32, 100] {
            let mark = budget.amount / Decimal::ONE_HUNDRED * Decimal::from(percent);
            if before < mark && mark <= spent && mark > Decimal::ZERO {
                let to = [Finance, Requester];
                deadlines.push(
                    Deadline::new(procurement, NoticeKind::BudgetBurn, percent, bill.stamp.at, to)
                        .with("percent", percent)
                        .with("budget", budget),
                );
            }
        }
    }
    deadlines
}

/// When the bills, carried on at the same rate to the end of the term, came to exceed the budget and
/// have done so since. Once the budget itself is spent there is nothing left to forecast.
fn forecast(
    procurement: &Procurement,
    budget: Money,
    bills: &[&Fact<Bill>],
    moment: Moment,
) -> Option<Deadline> {
    let plan = procurement.budget.plan.as_ref()?;
    let first_day = first_day(procurement)?;
    let last_day = calendar::months_after(first_day, plan.value.term_months);
    let midnight = |day: NaiveDate| calendar::instant(day.and_time(NaiveTime::MIN), moment.zone);
    let (start, end) = (midnight(first_day), midnight(last_day));
    let mut exceeded: Option<(&Fact<Bill>, Decimal, DateTime<Utc>)> = None;
    let (mut spent, mut until) = (Decimal::ZERO, start);
    for bill in bills {
        spent = spent.saturating_add(bill.value.billed);
        until = until.max(bill.value.until).min(end);
        let whole = carried_on(spent, until - start, end - start, procurement);
        exceeded = match whole.filter(|whole| *whole > budget.amount) {
            Some(whole) => Some((exceeded.map_or(*bill, |(first, ..)| first), whole, until)),
            None => None,
        };
    }
    let (first, whole, until) = exceeded.filter(|_| spent < budget.amount)?;
    let to = [Finance, Requester];
    let anchor = first.stamp.position;
    Some(
        Deadline::new(procurement, NoticeKind::BudgetForecast, anchor, first.stamp.at, to)
            .with("forecast", Money::new(whole, budget.currency).rounded())
            .with("budget", budget)
            .with("date", local_date(until, moment.zone)),
    )
}

/// `None` as long as too little is billed to say anything of the whole.
fn carried_on(
    spent: Decimal,
    billed_for: Duration,
    term: Duration,
    procurement: &Procurement,
) -> Option<Decimal> {
    let least = procurement.policy.triggers.forecast_days_min.max(1);
    if billed_for < Duration::days(i64::from(least)) {
        return None;
    }
    let share = Decimal::from(term.num_seconds()).checked_div(billed_for.num_seconds().into())?;
    spent.checked_mul(share)
}

/// When all three conditions of owning hold on what was really used: long enough daily use, long
/// enough in months less the time that hardware takes to come, and a team that operates.
///
/// A team is there when the budget has an amount for its labour. Hours that nobody measured count as
/// not used: machines are not bought on a guess.
fn own(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let triggers = &procurement.policy.triggers;
    let labour = procurement.budget.costs.get(&CostKind::OperationsLabour)?;
    let paid = |line: &Line| line.amount.low().is_some_and(|low| *low > Decimal::ZERO);
    let team = labour.value.lines().iter().any(paid);
    let mut feeds: Vec<&Fact<Usage>> = Vec::new();
    let mut since: Option<&Fact<Usage>> = None;
    let mut hours = None;
    for feed in in_order_of_record(procurement.operation.usage.values(), |_| true) {
        feeds.push(feed);
        hours =
            hours_a_day(&feeds).filter(|hours| *hours > Decimal::from(triggers.own_hours_a_day));
        since = hours.and(since.or(Some(feed)));
    }
    let (since, hours) = (since?, hours?);
    if !team {
        return None;
    }
    let months = triggers.own_months.saturating_sub(triggers.own_lead_months);
    let long_enough =
        calendar::morning(calendar::months_after(first_day(procurement)?, months), moment.zone);
    let due = long_enough.max(since.stamp.at).max(labour.stamp.at);
    Some(
        Deadline::new(
            procurement,
            NoticeKind::RentToOwn,
            since.stamp.position,
            due,
            [Manager, Finance],
        )
        .with("hours", hours.round_dp(1).normalize())
        .with("least", triggers.own_hours_a_day)
        .with("months", triggers.own_months)
        .with("lead", triggers.own_lead_months),
    )
}

/// Of a card, over the ninety days that end with the newest measurement.
fn hours_a_day(feeds: &[&Fact<Usage>]) -> Option<Decimal> {
    let until = feeds.iter().map(|feed| feed.value.until).max()?;
    let from = until - Duration::days(90);
    let mut busy = Decimal::ZERO;
    let mut card_seconds = Decimal::ZERO;
    for usage in feeds.iter().map(|feed| &feed.value).filter(|usage| from <= usage.from) {
        busy = busy.checked_add(usage.busy_card_hours)?;
        let seconds = Decimal::from((usage.until - usage.from).num_seconds());
        card_seconds = card_seconds.checked_add(seconds.checked_mul(usage.cards.into())?)?;
    }
    busy.checked_mul(Decimal::from(24 * 3_600))?.checked_div(card_seconds)
}

fn first_day(procurement: &Procurement) -> Option<NaiveDate> {
    let contracts = &procurement.negotiation.contracts;
    contracts.values().map(|contract| contract.value.starts_on).min()
}
