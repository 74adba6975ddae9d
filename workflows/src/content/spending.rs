//! What letters about bills, the budget and owning say.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::{Bar, By, Desk, Draft, notation::percent_of, suppliers::plain_bar};
use crate::{
    calendar,
    context::local_date,
    deadline::About,
    ids::SupplierId,
    money::Money,
    operation::usage::{self, Bill, Usage},
};

pub(super) fn weekly(desk: &Desk) -> Draft {
    let About::WeekBefore(monday) = desk.source.deadline.about else {
        return Draft::new(By::AtOnce);
    };
    let start = calendar::days_before(monday, 7);
    let (from, until) = (desk.midnight(start), desk.midnight(monday));
    let hours = Hours::of(feeds(desk, from, until).map(|(_, usage)| usage));
    let mut waste: Option<Money> = None;
    let mut items = Vec::new();
    for supplier in desk.procurement().negotiation.contracts.keys() {
        let own = feeds(desk, from, until).filter(|(of, _)| of == supplier);
        let bill = newest_bill(desk, *supplier);
        for (_, usage) in own {
            let part = bill.and_then(|bill| usage::waste(usage, bill));
            waste = match (waste, part) {
                (Some(sum), Some(part)) => sum.plus(part).ok(),
                (None, part) => part,
                (sum, None) => sum,
            };
        }
        items.push(billed(desk, *supplier, bill));
    }
    let friday = calendar::days_after(monday, 4);
    let draft = Draft::new(desk.in_time(friday)).word("date", desk.day(monday)).figure(
        desk,
        "week",
        desk.window(from, until),
    );
    hours
        .shown(desk, draft)
        .figure(desk, "waste", waste.map(|waste| desk.money(waste)))
        .list(desk, "bills", items)
}

fn billed(desk: &Desk, supplier: SupplierId, bill: Option<&Bill>) -> String {
    let name = desk.procurement().supplier_name(supplier);
    let Some(bill) = bill else { return desk.filled("mail.no_bill", &[("supplier", name)]) };
    let amount = desk.money(Money::new(bill.billed, bill.currency));
    let unit = bill.unit_price().map(|price| desk.money(price));
    let key = if unit.is_some() { "mail.bill_with_price" } else { "mail.bill" };
    desk.filled(
        key,
        &[
            ("supplier", name),
            ("amount", &amount),
            ("window", &desk.window(bill.from, bill.until)),
            ("price", unit.as_deref().unwrap_or_default()),
        ],
    )
}

/// Card-hours of several feeds, kept apart as the feeds keep them.
#[derive(Default)]
pub(super) struct Hours {
    pub(super) used: Decimal,
    busy: Decimal,
    idle: Decimal,
    unknown: Decimal,
    feeds: usize,
}

impl Hours {
    pub(super) fn of<'a>(feeds: impl Iterator<Item = &'a Usage>) -> Self {
        feeds.fold(Self::default(), |sum, usage| Self {
            used: sum.used.saturating_add(usage.used_card_hours),
            busy: sum.busy.saturating_add(usage.busy_card_hours),
            idle: sum.idle.saturating_add(usage.idle_card_hours),
            unknown: sum.unknown.saturating_add(usage.unknown_card_hours),
            feeds: sum.feeds + 1,
        })
    }

    /// Nothing measured is said to be nothing measured, and not zero.
    pub(super) fn shown(&self, desk: &Desk, draft: Draft) -> Draft {
        if self.feeds == 0 {
            return draft.figure(desk, "used_hours", desk.text("mail.no_feed").to_owned());
        }
        let seen = self.busy.saturating_add(self.idle);
        let all = seen.saturating_add(self.unknown);
        let bar = |label: &str, hours: Decimal| {
            let part = percent_of(hours, all)?;
            let shown = format!("{} ({})", desk.number(hours), desk.percent(part));
            Some(plain_bar(desk.text(&format!("mail.figure.{label}")).to_owned(), part, shown))
        };
        let bars = [
            bar("used_hours", self.used),
            bar("busy_hours", self.busy),
            bar("idle_hours", self.idle),
            bar("unknown_hours", self.unknown),
        ];
        let idle = percent_of(self.idle, seen).map(|part| desk.percent(part));
        draft
            .figure(desk, "used_hours", desk.number(self.used))
            .figure(desk, "busy_hours", desk.number(self.busy))
            .figure(desk, "idle_hours", desk.number(self.idle))
            .figure(desk, "unknown_hours", desk.number(self.unknown))
            .figure(desk, "idle_ratio", idle)
            .chart(desk, "hours", bars.into_iter().flatten().collect())
    }
}

/// Usage feeds that overlap a half-open window.
pub(super) fn feeds<'a>(
    desk: &Desk<'a>,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> impl Iterator<Item = (SupplierId, &'a Usage)> {
    let feeds = desk.procurement().operation.usage.iter();
    feeds
        .flat_map(|(supplier, facts)| facts.iter().map(|fact| (*supplier, &fact.value)))
        .filter(move |(_, usage)| usage.from < until && from < usage.until)
}

fn newest_bill<'a>(desk: &Desk<'a>, supplier: SupplierId) -> Option<&'a Bill> {
    let bills = desk.procurement().operation.bills.get(&supplier)?;
    bills.iter().map(|fact| &fact.value).max_by_key(|bill| bill.until)
}

pub(super) fn burn(desk: &Desk) -> Draft {
    let Some(burn) = Burn::of(desk) else { return Draft::new(By::AtOnce) };
    burn.shown(desk, Draft::new(burn.runs_out_by(desk)))
}

pub(super) fn forecast(desk: &Desk) -> Draft {
    let Some(burn) = Burn::of(desk) else { return Draft::new(By::AtOnce) };
    let draft = Draft::new(burn.runs_out_by(desk))
        .word("date", desk.day(burn.billed_until))
        .word("budget", desk.money(burn.budget));
    let forecast = burn.forecast();
    let draft = match forecast {
        Some(whole) => draft.word("forecast", desk.money(whole)),
        None => draft,
    };
    let over = forecast
        .map(|whole| desk.money(Money::new(whole.amount - burn.budget.amount, whole.currency)));
    burn.shown(desk, draft.figure(desk, "over_budget", over))
}

/// Bills against the budget of the whole term.
pub(super) struct Burn {
    pub(super) budget: Money,
    pub(super) spent: Money,
    first_day: NaiveDate,
    /// Not itself billed.
    last_day: NaiveDate,
    billed_until: NaiveDate,
    billed_days_min: u32,
}

impl Burn {
    pub(super) fn of(desk: &Desk) -> Option<Self> {
        let procurement = desk.procurement();
        let budget = procurement.budget.totals()?.for_term.high;
        let plan = &procurement.budget.plan.as_ref()?.value;
        let contracts = procurement.negotiation.contracts.values();
        let first_day = contracts.map(|contract| contract.value.starts_on).min()?;
        let bills: Vec<&Bill> = procurement
            .operation
            .bills
            .values()
            .flatten()
            .map(|fact| &fact.value)
            .filter(|bill| bill.currency == budget.currency)
            .collect();
        let spent = bills.iter().fold(Decimal::ZERO, |sum, bill| sum.saturating_add(bill.billed));
        let until = bills.iter().map(|bill| bill.until).max()?;
        Some(Self {
            budget,
            spent: Money::new(spent, budget.currency),
            first_day,
            last_day: calendar::months_after(first_day, plan.term_months),
            billed_until: local_date(until - Duration::nanoseconds(1), desk.source.moment.zone),
            billed_days_min: procurement.policy.triggers.forecast_days_min.max(1),
        })
    }

    fn billed_days(&self) -> Option<Decimal> {
        let days = (self.billed_until - self.first_day).num_days() + 1;
        (days >= i64::from(self.billed_days_min)).then(|| Decimal::from(days))
    }

    /// The whole term at the rate of the bills.
    fn forecast(&self) -> Option<Money> {
        let term = Decimal::from((self.last_day - self.first_day).num_days());
        let share = term.checked_div(self.billed_days()?)?;
        self.spent.times(share).ok().map(Money::rounded)
    }

    /// The last day that the budget pays for at the rate of the bills.
    fn runs_out_on(&self) -> Option<NaiveDate> {
        let days = self.budget.amount.checked_mul(self.billed_days()?)?;
        let days = days.checked_div(self.spent.amount)?.floor().to_u32()?;
        Some(calendar::days_before(calendar::days_after(self.first_day, days), 1))
    }

    fn runs_out_by(&self, desk: &Desk) -> By {
        match self.runs_out_on() {
            Some(day) if self.spent.amount < self.budget.amount && day < self.last_day => {
                desk.in_time(day)
            }
            Some(_) | None => By::AtOnce,
        }
    }

    fn shown(&self, desk: &Desk, draft: Draft) -> Draft {
        let spent = percent_of(self.spent.amount, self.budget.amount);
        let term = Decimal::from((self.last_day - self.first_day).num_days());
        let passed = (self.billed_until - self.first_day).num_days() + 1;
        let passed = percent_of(Decimal::from(passed), term);
        let bar = |label: &str, part: Option<Decimal>| {
            let part = part?;
            let label = desk.text(&format!("mail.figure.{label}")).to_owned();
            Some(plain_bar(label, part, desk.percent(part)))
        };
        let bars: Vec<Bar> =
            [bar("spent", spent), bar("term_billed", passed)].into_iter().flatten().collect();
        let left = Money::new(self.budget.amount - self.spent.amount, self.budget.currency);
        let runs_out = self.runs_out_on().filter(|day| *day < self.last_day);
        draft
            .word("budget", desk.money(self.budget))
            .word("spent", desk.money(self.spent))
            .figure(desk, "budget", desk.money(self.budget))
            .figure(desk, "spent", desk.money(self.spent))
            .figure(desk, "spent_percent", spent.map(|part| desk.percent(part)))
            .figure(desk, "left", desk.money(left))
            .figure(desk, "billed_until", desk.day(self.billed_until))
            .figure(desk, "forecast", self.forecast().map(|whole| desk.money(whole)))
            .figure(desk, "runs_out_on", runs_out.map(|day| desk.day(day)))
            .chart(desk, "burn", bars)
    }
}

pub(super) fn own(desk: &Desk) -> Draft {
    let procurement = desk.procurement();
    let triggers = &procurement.policy.triggers;
    let contracts = || procurement.negotiation.contracts.values().map(|fact| &fact.value);
    // Hardware ordered later than this comes after the last rented machine has gone.
    let ends_on = contracts().map(|contract| contract.ends_on).max();
    let order_by = ends_on
        .and_then(|day| day.checked_sub_months(chrono::Months::new(triggers.own_lead_months)));
    let since = contracts().map(|contract| contract.starts_on).min();
    let rent = contracts()
        .map(|contract| contract.value_per_month)
        .map(Some)
        .reduce(|sum, next| sum.zip(next).and_then(|(sum, next)| sum.plus(next).ok()))
        .flatten();
    let burn = Burn::of(desk);
    // As the deadline worked it out, over the days that it looks at.
    let hours = desk.source.deadline.details.get("hours").cloned();
    Draft::new(order_by.map_or(By::AtOnce, |day| desk.in_time(day)))
        .figure(desk, "hours_a_day", hours)
        .figure(desk, "own_hours", triggers.own_hours_a_day.to_string())
        .figure(desk, "rented_since", since.map(|day| desk.day(day)))
        .figure(desk, "own_months", triggers.own_months.to_string())
        .figure(desk, "lead_months", triggers.own_lead_months.to_string())
        .figure(desk, "rent_per_month", rent.map(|rent| desk.money(rent)))
        .figure(desk, "spent", burn.map(|burn| desk.money(burn.spent)))
        .figure(desk, "contracts_end", ends_on.map(|day| desk.day(day)))
}
