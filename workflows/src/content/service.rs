//! What letters about interruptions, missed promises and the monthly statement say.

use chrono::{Datelike, Duration, NaiveDate};
use rust_decimal::Decimal;

use super::{
    Bar, By, Desk, Draft,
    notation::{minutes_allowed, percent_of},
};
use crate::{
    calendar,
    deadline::About,
    ids::SupplierId,
    negotiation::terms::{Clause, Terms},
    operation::sla::{self, Availability, Incident, Severity},
    percent::Percent,
};

pub(super) fn incident(desk: &Desk) -> Draft {
    let About::Incident(incident) = desk.source.deadline.about else {
        return Draft::new(By::AtOnce);
    };
    let Some((supplier, fact)) = desk.procurement().operation.incidents.get(&incident) else {
        return Draft::new(By::AtOnce);
    };
    let incident = &fact.value;
    let answer_due = terms(desk, *supplier)
        .filter(|_| incident.severity == Severity::P0)
        .map(|terms| incident.started_at + Duration::minutes(i64::from(terms.response_minutes)));
    let by = match answer_due {
        Some(due) if due > desk.source.moment.now => By::Instant(due),
        Some(_) | None => By::AtOnce,
    };
    let started = desk.instant(incident.started_at);
    let month = calendar_month(desk, incident.started_at);
    let draft = Draft::new(by)
        .word("started", &started)
        .figure(desk, "supplier", desk.procurement().supplier_name(*supplier).to_owned())
        .figure(desk, "what", incident.what.to_string())
        .figure(desk, "started", started)
        .figure(desk, "answer_due", answer_due.map(|due| desk.instant(due)))
        .figure(desk, "answered", incident.responded_at.map(|at| desk.instant(at)))
        .figure(desk, "ended", incident.ended_at.map(|at| desk.instant(at)));
    record(desk, draft, *supplier, month)
}

/// A month that missed its promise: at once, and while the claim runs out.
pub(super) fn missed(desk: &Desk) -> Draft {
    let About::MonthOf(supplier, month) = desk.source.deadline.about else {
        return Draft::new(By::AtOnce);
    };
    let procurement = desk.procurement();
    let last_day = claim_day(desk, month);
    let clause = terms(desk, supplier)
        .and_then(|terms| terms.clauses.get(&Clause::Availability))
        .and_then(|term| term.reference.as_ref());
    let credit = match clause {
        Some(clause) => desk.filled("mail.credit_by", &[("clause", clause.as_str())]),
        None => desk.text("mail.credit").to_owned(),
    };
    let contract = procurement.negotiation.contracts.get(&supplier);
    let draft = Draft::new(desk.in_time(last_day))
        .word("month", desk.month(month))
        .word("date", desk.day(last_day))
        .figure(desk, "supplier", procurement.supplier_name(supplier).to_owned());
    record(desk, draft, supplier, month)
        .figure(desk, "credit", credit)
        .figure(desk, "per_month", contract.map(|c| desk.money(c.value.value_per_month)))
        .figure(desk, "claim_by", desk.day(last_day))
        .figure(desk, "days_left", desk.days_left(last_day))
        .list(desk, "interruptions", interruptions(desk, supplier, month))
}

pub(super) fn statement(desk: &Desk) -> Draft {
    let About::Month(month) = desk.source.deadline.about else { return Draft::new(By::AtOnce) };
    let mut bars = Vec::new();
    let mut items = Vec::new();
    for supplier in desk.procurement().negotiation.contracts.keys() {
        let name = desk.procurement().supplier_name(*supplier);
        let Some(availability) = availability(desk, *supplier, month) else { continue };
        let promised = terms(desk, *supplier).map(|terms| terms.availability);
        bars.extend(promised.and_then(|promised| used_up(desk, name, &availability, promised)));
        items.push(desk.filled(
            "mail.availability",
            &[
                ("supplier", name),
                ("availability", &desk.availability(availability.percent)),
                ("promised", &promised.map_or_else(|| "–".to_owned(), |p| p.to_string())),
                ("minutes", &desk.number(availability.down_minutes)),
            ],
        ));
    }
    let last_day = claim_day(desk, month);
    Draft::new(desk.in_time(last_day))
        .word("month", desk.month(month))
        .figure(desk, "month", desk.month(month))
        .figure(desk, "claim_by", desk.day(last_day))
        .chart(desk, "downtime", bars)
        .list(desk, "availability", items)
}

/// What a month came to so far, and what was promised.
fn record(desk: &Desk, draft: Draft, supplier: SupplierId, month: NaiveDate) -> Draft {
    let Some(availability) = availability(desk, supplier, month) else { return draft };
    let promised = terms(desk, supplier).map(|terms| terms.availability);
    let name = desk.procurement().supplier_name(supplier);
    let bar = promised.and_then(|promised| used_up(desk, name, &availability, promised));
    let allowed = promised.map(|promised| minutes_allowed(availability.total_minutes, promised));
    draft
        .figure(desk, "month", desk.month(month))
        .figure(desk, "down_minutes", desk.number(availability.down_minutes))
        .figure(desk, "allowed_minutes", allowed.map(|minutes| desk.number(minutes)))
        .figure(desk, "availability", desk.availability(availability.percent))
        .figure(desk, "promised", promised.map(|promised| promised.to_string()))
        .chart(desk, "downtime", bar.into_iter().collect())
}

/// Downtime as a part of what the promise leaves.
fn used_up(desk: &Desk, name: &str, availability: &Availability, promised: Percent) -> Option<Bar> {
    let allowed = minutes_allowed(availability.total_minutes, promised);
    let part = percent_of(availability.down_minutes, allowed)?;
    let shown = desk.filled(
        "mail.minutes_of",
        &[("minutes", &desk.number(availability.down_minutes)), ("allowed", &desk.number(allowed))],
    );
    Some(Bar { label: name.to_owned(), part, shown, missed: None })
}

fn interruptions(desk: &Desk, supplier: SupplierId, month: NaiveDate) -> Vec<String> {
    let (from, until) = (desk.midnight(month), desk.midnight(calendar::months_after(month, 1)));
    let now = desk.source.moment.now;
    of(desk, supplier)
        .filter(|incident| incident.severity == Severity::P0)
        .filter(|incident| incident.started_at < until && from < incident.ended_at.unwrap_or(now))
        .map(|incident| {
            let minutes = (incident.ended_at.unwrap_or(now) - incident.started_at).num_minutes();
            let key = match incident.ended_at {
                Some(_) => "mail.interruption",
                None => "mail.interruption_open",
            };
            desk.filled(
                key,
                &[
                    ("started", &desk.instant(incident.started_at)),
                    ("minutes", &desk.number(Decimal::from(minutes))),
                    ("what", incident.what.as_str()),
                ],
            )
        })
        .collect()
}

pub(super) fn availability(
    desk: &Desk,
    supplier: SupplierId,
    month: NaiveDate,
) -> Option<Availability> {
    let moment = desk.source.moment;
    sla::availability(of(desk, supplier), month, moment.zone, moment.now)
}

fn of<'a>(desk: &Desk<'a>, supplier: SupplierId) -> impl Iterator<Item = &'a Incident> {
    let incidents = desk.procurement().operation.incidents.values();
    incidents.filter(move |(of, _)| *of == supplier).map(|(_, fact)| &fact.value)
}

fn terms<'a>(desk: &Desk<'a>, supplier: SupplierId) -> Option<&'a Terms> {
    desk.procurement().negotiation.offers.get(&supplier).map(|offer| &offer.terms.value)
}

fn claim_day(desk: &Desk, month: NaiveDate) -> NaiveDate {
    let month_end = calendar::days_before(calendar::months_after(month, 1), 1);
    calendar::days_after(month_end, desk.procurement().policy.triggers.claim_days)
}

fn calendar_month(desk: &Desk, instant: chrono::DateTime<chrono::Utc>) -> NaiveDate {
    let day = crate::context::local_date(instant, desk.source.moment.zone);
    day.with_day(1).unwrap_or(day)
}
