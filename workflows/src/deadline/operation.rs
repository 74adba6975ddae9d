//! Deadlines of running capacity: reviews, interruptions, the split, reconciliation, contracts.

use chrono::{DateTime, Datelike, Months, NaiveDate, Utc, Weekday};

use super::{About, Deadline, NoticeKind, countdown, newest_and_next, spending};
use crate::{
    calendar::{
        self, Quarter,
        rule::{Pattern, Rule},
        schedule::Schedule,
    },
    checklist::{self, Item},
    context::local_date,
    function::Function::{
        self, Finance, Legal, Manager, Operations, Procurement as Buyer, Requester,
    },
    gate::{Criterion, Moment},
    ids::SupplierId,
    operation::{qualified_suppliers, sla, split},
    percent::Percent,
    policy::Policy,
    procurement::Procurement,
    recorded::Stamp,
    stage::Stage,
};

pub(super) fn deadlines(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    if procurement.stage != Stage::Operation {
        return Vec::new();
    }
    let mut deadlines = reviews(procurement, moment);
    deadlines.extend(incidents(procurement));
    deadlines.extend(breaches(procurement, moment));
    deadlines.extend(monthly(procurement, moment));
    deadlines.extend(too_few_suppliers(procurement, moment));
    deadlines.extend(weekly_reconciliation(procurement, moment));
    deadlines.extend(contract_expiry(procurement, moment));
    deadlines.extend(claims(procurement, moment));
    deadlines.extend(spending::deadlines(procurement, moment));
    deadlines
}

/// Invitation two weeks before the quarter ends, pack after it, chaser when it was not held. A
/// quarter drops out once its review is recorded, or when the next one's invitation has come.
fn reviews(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let Some(first) = &procurement.operation.first_review else { return Vec::new() };
    let notice_days = procurement.policy.review_notice_days;
    let notice = Pattern::QuarterEnd { days_before: notice_days };
    let first_notice = calendar::days_before(first.value.last_day(), notice_days);
    let invitations = schedule(procurement, notice, first_notice, moment);
    let quarters = invitations.from_newest(moment.now).map(|invitation| {
        Quarter::of(calendar::days_after(invitation.nominal.date(), notice_days))
    });
    // The newest whose invitation has come, and the next; or the first as long as none has.
    let shown = if invitation_due(first.value, notice_days, moment) <= moment.now { 2 } else { 1 };
    let held = |quarter: &Quarter| procurement.operation.reviews.contains_key(quarter);
    quarters
        .take(shown)
        .filter(|quarter| !held(quarter))
        .flat_map(|quarter| review_of(procurement, quarter, notice_days, moment))
        .filter(|deadline| {
            // Nobody is invited to a day that has passed.
            let today = local_date(moment.now, moment.zone);
            deadline.meeting_on.is_none_or(|meeting| today <= meeting)
        })
        .collect()
}

/// Members, as far as they act as one of these, and the manager.
pub(super) const REVIEWERS: [Function; 5] = [Requester, Buyer, Finance, Operations, Manager];

/// The day that somebody said, or else the last working day of the quarter.
pub(super) fn meeting_day(
    procurement: &Procurement,
    policy: &Policy,
    quarter: Quarter,
    moment: Moment,
) -> NaiveDate {
    match procurement.operation.meeting(quarter) {
        Some(meeting) => local_date(meeting.starts_at, moment.zone),
        None => policy.working_days.on_or_before(quarter.last_day()),
    }
}

pub(super) fn invitation_due(quarter: Quarter, notice_days: u32, moment: Moment) -> DateTime<Utc> {
    calendar::morning(calendar::days_before(quarter.last_day(), notice_days), moment.zone)
}

fn review_of(
    procurement: &Procurement,
    quarter: Quarter,
    notice_days: u32,
    moment: Moment,
) -> [Deadline; 3] {
    let last_day = quarter.last_day();
    let deadline = |kind, due| {
        Deadline::new(procurement, kind, quarter, due, REVIEWERS)
            .about(About::Quarter(quarter))
            .with("quarter", quarter)
            .with("date", last_day)
            .counting(procurement, moment)
    };
    let working_days = &procurement.policy.working_days;
    let working_day = |count| calendar::morning(working_days.after(last_day, count), moment.zone);
    let mut invitation =
        deadline(NoticeKind::ReviewInvitation, invitation_due(quarter, notice_days, moment));
    invitation.meeting_on = Some(meeting_day(procurement, &procurement.policy, quarter, moment));
    [
        invitation,
        deadline(NoticeKind::ReviewPack, working_day(1)),
        deadline(NoticeKind::ReviewChaser, working_day(11)),
    ]
}

fn schedule<'a>(
    procurement: &'a Procurement,
    pattern: Pattern,
    anchor: NaiveDate,
    moment: Moment,
) -> Schedule<'a> {
    let working_days = &procurement.policy.working_days;
    Schedule::new(Rule::mornings(pattern), anchor, moment.zone, working_days)
}

fn incidents(procurement: &Procurement) -> Vec<Deadline> {
    let open = procurement.operation.incidents.iter();
    open.map(|(incident, (supplier, fact))| {
        let to = [Operations, Buyer, Legal];
        Deadline::new(procurement, NoticeKind::SlaIncident, incident, fact.stamp.at, to)
            .about(About::Incident(*incident))
            .with("supplier", procurement.supplier_name(*supplier))
            .with("severity", severity(fact.value.severity))
            .with("started", fact.value.started_at.format("%Y-%m-%d %H:%M UTC"))
            .with("what", &fact.value.what)
    })
    .collect()
}

fn severity(severity: sla::Severity) -> &'static str {
    match severity {
        sla::Severity::P0 => "P0",
        sla::Severity::P1 => "P1",
        sla::Severity::P2 => "P2",
    }
}

/// As soon as the month can no longer reach what the contract promises. The month before is looked
/// at, too, since an interruption may be reported after its end.
fn breaches(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let this_month = first_of_month(local_date(moment.now, moment.zone));
    let months = [this_month.checked_sub_months(Months::new(1)), Some(this_month)];
    months.into_iter().flatten().flat_map(|month| breaches_in(procurement, month, moment)).collect()
}

fn breaches_in(procurement: &Procurement, month: NaiveDate, moment: Moment) -> Vec<Deadline> {
    missed_promises(procurement, month, moment)
        .map(|(supplier, promised, missed_at)| {
            let anchor = format!("{supplier}:{}", month.format("%Y-%m"));
            let to = [Operations, Buyer, Legal];
            Deadline::new(procurement, NoticeKind::SlaBreach, anchor, missed_at, to)
                .about(About::MonthOf(supplier, month))
                .with("supplier", procurement.supplier_name(supplier))
                .with("month", month.format("%Y-%m"))
                .with("promised", promised)
        })
        .collect()
}

/// Suppliers that cannot reach in a month what their terms promise, and since when.
fn missed_promises(
    procurement: &Procurement,
    month: NaiveDate,
    moment: Moment,
) -> impl Iterator<Item = (SupplierId, Percent, DateTime<Utc>)> {
    procurement.negotiation.contracts.keys().filter_map(move |supplier| {
        let promised = procurement.negotiation.offers.get(supplier)?.terms.value.availability;
        let incidents = procurement
            .operation
            .incidents
            .values()
            .filter(|(of, _)| of == supplier)
            .map(|(_, fact)| &fact.value);
        let missed_at = sla::missed_at(incidents, month, moment.zone, moment.now, promised)?;
        Some((*supplier, promised, missed_at))
    })
}

/// Credits are forfeited by waiting: a breached month counts down to the last day for its claim.
fn claims(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let triggers = &procurement.policy.triggers;
    let this_month = first_of_month(local_date(moment.now, moment.zone));
    let months = (0..).map_while(|back| {
        let month = this_month.checked_sub_months(Months::new(back))?;
        let month_end = calendar::days_before(calendar::months_after(month, 1), 1);
        let last_day = calendar::days_after(month_end, triggers.claim_days);
        (last_day >= local_date(moment.now, moment.zone)).then_some((month, last_day))
    });
    let mut deadlines = Vec::new();
    for (month, last_day) in months {
        let month_name = month.format("%Y-%m").to_string();
        for (supplier, promised, _) in missed_promises(procurement, month, moment) {
            let notices = countdown(&triggers.claim_notice_days, last_day, moment);
            let series = notices.map(|(days, due)| {
                let anchor = format!("{supplier}:{month_name}:{days}");
                let to = [Operations, Buyer, Legal];
                Deadline::new(procurement, NoticeKind::SlaClaim, anchor, due, to)
                    .about(About::MonthOf(supplier, month))
                    .with("supplier", procurement.supplier_name(supplier))
                    .with("month", &month_name)
                    .with("promised", promised)
                    .with("date", last_day)
            });
            deadlines.extend(newest_and_next(series, moment.now));
        }
    }
    deadlines
}

/// For the month that ended last: the statement, and the split when it left its bands.
fn monthly(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let starts = procurement.negotiation.contracts.values().map(|fact| fact.value.starts_on).min();
    let Some(first_month) = starts.map(first_of_month) else { return Vec::new() };
    let this_month = first_of_month(local_date(moment.now, moment.zone));
    let months = [-1_i32, 0].into_iter().filter_map(|offset| {
        let first = match offset {
            0 => this_month,
            _ => this_month.checked_sub_months(Months::new(1))?,
        };
        (first >= first_month).then_some(first)
    });
    let mut deadlines = Vec::new();
    for first in months {
        let next = calendar::months_after(first, 1);
        let day = procurement.policy.working_days.on_or_after(next);
        let due = calendar::morning(day, moment.zone);
        let month = first.format("%Y-%m").to_string();
        deadlines.push(
            Deadline::new(
                procurement,
                NoticeKind::SlaStatement,
                &month,
                due,
                [Operations, Buyer, Legal],
            )
            .about(About::Month(first))
            .with("month", &month)
            .counting(procurement, moment),
        );
        let from = calendar::instant(first.and_time(chrono::NaiveTime::MIN), moment.zone);
        let until = calendar::instant(next.and_time(chrono::NaiveTime::MIN), moment.zone);
        let shares = split::shares(procurement, from, until);
        if shares.iter().any(|share| !share.is_in_band()) {
            let listed = shares
                .iter()
                .map(|s| {
                    format!("{} {} ({})", procurement.supplier_name(s.supplier), s.share, s.band)
                })
                .collect::<Vec<_>>()
                .join("; ");
            let to = [Buyer, Manager];
            deadlines.push(
                Deadline::new(procurement, NoticeKind::SupplierSplit, &month, due, to)
                    .about(About::Month(first))
                    .with("month", &month)
                    .with("shares", listed)
                    .counting(procurement, moment),
            );
        }
    }
    deadlines
}

fn first_of_month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// Since its last gate was passed: a hold starts the stage's clock again, but not this.
fn in_operation_since(procurement: &Procurement) -> Stamp {
    procurement.passed.get(&Stage::Negotiation).copied().unwrap_or(procurement.entered)
}

/// At once, whether an event or the calendar brought it about.
fn too_few_suppliers(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let least = procurement.policy.qualified_suppliers_min;
    let standing = procurement.standings.get(&Item::TwoSuppliers)?;
    let lapse = checklist::lapses_at(procurement, Item::TwoSuppliers, moment);
    // A lapse stays what it was due at once somebody notes it, so that it is told once.
    let due = match standing.met {
        true => lapse?,
        false => lapse.filter(|at| *at <= standing.since.at).unwrap_or(standing.since.at),
    }
    .max(in_operation_since(procurement).at);
    let day = local_date(due.max(moment.now), moment.zone);
    let waiver = procurement.waivers.get(&Criterion::TwoSuppliers);
    if waiver.is_some_and(|waiver| day <= waiver.expires_on) {
        return None;
    }
    let kept = qualified_suppliers(procurement, day);
    let anchor = due.format("%Y-%m-%dT%H:%M:%SZ");
    Some(
        Deadline::new(procurement, NoticeKind::TooFewSuppliers, anchor, due, [Buyer, Manager])
            .with("kept", kept)
            .with("least", least),
    )
}

fn weekly_reconciliation(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let first = calendar::days_after(local_date(procurement.entered.at, moment.zone), 1);
    let schedule = schedule(procurement, Pattern::Weekly(Weekday::Mon), first, moment);
    let series = schedule.from_newest(moment.now).map(|occurrence| {
        let (monday, due) = (occurrence.nominal.date(), occurrence.instant);
        Deadline::new(
            procurement,
            NoticeKind::WeeklyReconciliation,
            monday,
            due,
            [Operations, Finance],
        )
        .about(About::WeekBefore(monday))
        .with("date", monday)
    });
    newest_and_next(series, moment.now).collect()
}

fn contract_expiry(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let mut deadlines = Vec::new();
    for (supplier, contract) in &procurement.negotiation.contracts {
        let last_day = contract.value.ends_on;
        let series = countdown(&procurement.policy.expiry_notice_days, last_day, moment).map(
            |(days, due)| {
                let anchor = format!("{supplier}:{last_day}:{days}");
                Deadline::new(procurement, NoticeKind::ContractExpiry, anchor, due, [Buyer])
                    .about(About::Supplier(*supplier))
                    .with("supplier", procurement.supplier_name(*supplier))
                    .with("date", last_day)
            },
        );
        deadlines.extend(newest_and_next(series, moment.now));
    }
    deadlines
}
