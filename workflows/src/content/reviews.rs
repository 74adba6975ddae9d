//! What letters about the quarterly review say: actual against forecast, cost against budget, the SLA
//! record, the split and the idle hours.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Utc};
use rust_decimal::Decimal;

use super::{
    Bar, By, Desk, Draft, Source,
    notation::{day_before, percent_of},
    service,
    spending::{Hours, feeds},
    suppliers::plain_bar,
};
use crate::{
    calendar::{self, Quarter},
    deadline::About,
    money::Money,
    operation::Meeting,
    text::Name,
};

/// When the review is held: for an hour from when somebody said, or else from two in the afternoon where
/// the organisation is.
pub fn meeting(source: &Source) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let day = source.deadline.meeting_on?;
    let start = match scheduled(source) {
        Some(meeting) => meeting.starts_at,
        None => {
            let time = NaiveTime::from_hms_opt(14, 0, 0)?;
            calendar::instant(day.and_time(time), source.moment.zone)
        }
    };
    Some((start, start.checked_add_signed(Duration::hours(1))?))
}

/// Where the review is held, if somebody said so.
pub fn place<'a>(source: &Source<'a>) -> Option<&'a str> {
    scheduled(source)?.place.as_ref().map(Name::as_str)
}

fn scheduled<'a>(source: &Source<'a>) -> Option<&'a Meeting> {
    source.procurement.operation.meeting(quarter(source)?)
}

pub(super) fn invitation(desk: &Desk) -> Draft {
    let (draft, shown) = at_meeting(desk);
    let place = place(&desk.source).map(str::to_owned);
    figures(desk, draft.figure(desk, "meeting", shown).figure(desk, "place", place))
}

pub(super) fn cancelled(desk: &Desk) -> Draft {
    let why = desk.source.deadline.details.get("why").map_or("closed", String::as_str);
    let why = desk.text(&format!("mail.called_off.{why}")).to_owned();
    at_meeting(desk).0.word("why", why)
}

fn at_meeting(desk: &Desk) -> (Draft, String) {
    let starts = meeting(&desk.source).map(|(start, _)| start);
    let shown = starts.map(|start| desk.instant(start)).unwrap_or_default();
    (Draft::new(starts.map_or(By::AtOnce, By::At)).word("meeting", &shown), shown)
}

pub(super) fn pack(desk: &Desk) -> Draft {
    let Some(quarter) = quarter(&desk.source) else { return Draft::new(By::AtOnce) };
    let working_days = &desk.procurement().policy.working_days;
    let last_day = working_days.after(quarter.last_day(), 10);
    figures(desk, Draft::new(desk.in_time(last_day)).word("date", desk.day(quarter.last_day())))
}

pub(super) fn chaser(desk: &Desk) -> Draft {
    let Some(quarter) = quarter(&desk.source) else { return Draft::new(By::AtOnce) };
    let working_days = &desk.procurement().policy.working_days;
    let last_day = working_days.after(desk.due_day(), 5);
    figures(desk, Draft::new(desk.in_time(last_day)).word("date", desk.day(quarter.last_day())))
}

fn quarter(source: &Source) -> Option<Quarter> {
    match source.deadline.about {
        About::Quarter(quarter) => Some(quarter),
        About::Procurement
        | About::Supplier(_)
        | About::Incident(_)
        | About::Month(_)
        | About::MonthOf(..)
        | About::WeekBefore(_) => None,
    }
}

/// The quarter up to the moment of writing.
fn figures(desk: &Desk, draft: Draft) -> Draft {
    let Some(quarter) = quarter(&desk.source) else { return draft };
    let procurement = desk.procurement();
    let last_day = quarter.last_day();
    let first = first_day(last_day);
    let (from, until) = (desk.midnight(first), desk.midnight(calendar::days_after(last_day, 1)));
    let budget = procurement.budget.totals().map(|totals| totals.per_month.high);
    let reserve = procurement.budget.totals().map(|totals| totals.reserve_per_month.high);
    let budget = budget.zip(reserve).and_then(|(monthly, reserve)| {
        monthly.plus(reserve).and_then(|month| month.times(Decimal::from(3))).ok()
    });
    let cost = budget.and_then(|budget| billed(desk, from, until, budget));
    let hours = Hours::of(feeds(desk, from, until).map(|(_, usage)| usage));
    let forecast = contracted_hours(desk, first, last_day);
    let per_useful = cost.and_then(|cost| {
        let price = cost.amount.checked_div(hours.used)?;
        Some(desk.money(Money::new(price, cost.currency)))
    });
    let bars = [
        bar(desk, "cost_of_budget", cost.zip(budget).map(|(c, b)| (c.amount, b.amount))),
        bar(desk, "used_of_contracted", forecast.map(|forecast| (hours.used, forecast))),
    ];
    let draft = draft
        .figure(desk, "quarter", format!("{quarter} ({})", desk.span(first, last_day)))
        .figure(desk, "quarter_cost", cost.map(|cost| desk.money(cost)))
        .figure(desk, "quarter_budget", budget.map(|budget| desk.money(budget)))
        .figure(desk, "contracted_hours", forecast.map(|hours| desk.number(hours)));
    hours
        .shown(desk, draft)
        .figure(desk, "per_useful_hour", per_useful)
        .chart(desk, "quarter", bars.into_iter().flatten().collect())
        .list(desk, "sla_record", sla_record(desk, first))
}

fn bar(desk: &Desk, label: &str, of: Option<(Decimal, Decimal)>) -> Option<Bar> {
    let (part, whole) = of?;
    let part = percent_of(part, whole)?;
    Some(plain_bar(desk.text(&format!("mail.figure.{label}")).to_owned(), part, desk.percent(part)))
}

fn first_day(last_day: NaiveDate) -> NaiveDate {
    let month = last_day.with_day(1).unwrap_or(last_day);
    month.checked_sub_months(chrono::Months::new(2)).unwrap_or(month)
}

/// Bills whose period begins in the quarter, in the budget's currency; `None` without any.
fn billed(desk: &Desk, from: DateTime<Utc>, until: DateTime<Utc>, budget: Money) -> Option<Money> {
    let bills = desk.procurement().operation.bills.values().flatten().map(|fact| &fact.value);
    bills
        .filter(|bill| from <= bill.from && bill.from < until && bill.currency == budget.currency)
        .map(|bill| bill.billed)
        .reduce(|sum, billed| sum.saturating_add(billed))
        .map(|sum| Money::new(sum, budget.currency))
}

/// What the contracts make available, up to today: the forecast that use is held against.
fn contracted_hours(desk: &Desk, first: NaiveDate, last: NaiveDate) -> Option<Decimal> {
    let last = last.min(day_before(desk.today()));
    let contracts = desk.procurement().negotiation.contracts.values().map(|fact| &fact.value);
    contracts
        .map(|contract| {
            let (from, until) = (first.max(contract.starts_on), last.min(contract.ends_on));
            let days = ((until - from).num_days() + 1).max(0);
            Decimal::from(days * 24) * Decimal::from(contract.cards)
        })
        .reduce(|sum, hours| sum.saturating_add(hours))
}

/// Each supplier's months, the worst first to be seen.
fn sla_record(desk: &Desk, first: NaiveDate) -> Vec<String> {
    let months = [0, 1, 2].map(|month| calendar::months_after(first, month));
    let mut items = Vec::new();
    for supplier in desk.procurement().negotiation.contracts.keys() {
        let record: Vec<String> = months
            .iter()
            .filter(|month| **month <= desk.today())
            .filter_map(|month| {
                let of_month = service::availability(desk, *supplier, *month)?;
                let percent = desk.availability(of_month.percent);
                Some(format!("{} {percent}", desk.month(*month)))
            })
            .collect();
        items.push(format!(
            "{}: {}",
            desk.procurement().supplier_name(*supplier),
            record.join("; ")
        ));
    }
    items
}
