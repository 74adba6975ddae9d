//! Deadlines of the way through the stages: signatures, planned durations, and dates that lapse.

use std::collections::BTreeSet;

use super::{About, Deadline, NoticeKind, countdown, newest_and_next};
use crate::{
    calendar::{
        self,
        rule::{Pattern, Rule, Unit},
        schedule::Schedule,
    },
    context::local_date,
    function::Function,
    gate::{self, Moment},
    procurement::Procurement,
    stage::Stage,
};

pub(super) fn deadlines(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let mut deadlines = sign_offs_wanted(procurement, moment);
    deadlines.extend(sign_off_voided(procurement));
    deadlines.extend(stage_overdue(procurement, moment));
    deadlines.extend(expiries(procurement, moment));
    deadlines
}

/// At once when only signatures are missing, then every few working days.
fn sign_offs_wanted(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let Some(ready) = procurement.ready_since else { return Vec::new() };
    let gate = gate::gate(procurement, procurement.stage, moment);
    if !gate.awaits_sign_offs() {
        return Vec::new();
    }
    let count = procurement.policy.sign_off_reminder_working_days.max(1);
    let rule = Rule::mornings(Pattern::Every { count, unit: Unit::Workdays });
    let first_day = local_date(ready.at, moment.zone);
    let reminders = Schedule::new(rule, first_day, moment.zone, &procurement.policy.working_days);
    let wanted = gate.sign_offs.iter().filter(|wanted| !wanted.signed);
    wanted
        .flat_map(|wanted| {
            let function = wanted.function;
            let series = reminders.from_newest(moment.now).map(move |reminder| {
                let index = reminder.index;
                // The first is not the morning of its day, but at once.
                let due = if index == 0 { ready.at } else { reminder.instant };
                let anchor = format!(
                    "{}:{function}:v{}:{}:{index}",
                    procurement.stage, gate.version, ready.position
                );
                Deadline::new(procurement, NoticeKind::SignOffWanted, anchor, due, [function])
                    .with("stage", procurement.stage)
                    .with("function", function)
                    .with("version", gate.version)
                    .counting(procurement, moment)
            });
            newest_and_next(series, moment.now)
        })
        .collect()
}

fn sign_off_voided(procurement: &Procurement) -> Option<Deadline> {
    let voided = procurement.voided.as_ref()?;
    let anchor = voided.stamp.position;
    let to = voided.functions.iter().copied();
    Some(
        Deadline::new(procurement, NoticeKind::SignOffVoided, anchor, voided.stamp.at, to)
            .with("stage", voided.stage)
            .with("change", &voided.because),
    )
}

/// The planned duration has passed, then weekly, to whoever can remove a blocker.
fn stage_overdue(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let Some(planned) = procurement.policy.planned_days.get(&procurement.stage).copied() else {
        return Vec::new();
    };
    let entered = local_date(procurement.entered.at, moment.zone);
    let blockers = gate::gate(procurement, procurement.stage, moment).blockers();
    let mut to: BTreeSet<Function> =
        blockers.iter().flat_map(|blocker| blocker.can_be_met_by.iter().copied()).collect();
    if to.is_empty() {
        // The gate is open and nobody has advanced.
        to.insert(Function::Procurement);
    }
    let weekly = Rule::mornings(Pattern::Every { count: 1, unit: Unit::Weeks });
    let anchor = calendar::days_after(entered, planned);
    let schedule = Schedule::new(weekly, anchor, moment.zone, &procurement.policy.working_days);
    let series = schedule.from_newest(moment.now).map(|reminder| {
        let (week, due) = (reminder.index, reminder.instant);
        let anchor = format!("{}:{week}", procurement.entered.position);
        Deadline::new(procurement, NoticeKind::StageOverdue, anchor, due, to.clone())
            .with("stage", procurement.stage)
            .with("days", planned + 7 * week)
            .with("planned", planned)
            .with("blockers", blockers.len())
    });
    newest_and_next(series, moment.now).collect()
}

fn expiries(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let policy = &procurement.policy;
    let mut deadlines = Vec::new();
    for (supplier, candidate) in procurement.shortlist.running() {
        let mut add = |kind, last_day| {
            let series =
                countdown(&policy.expiry_notice_days, last_day, moment).map(|(days, due)| {
                    let anchor = format!("{supplier}:{last_day}:{days}");
                    Deadline::new(procurement, kind, anchor, due, [Function::Procurement])
                        .about(About::Supplier(*supplier))
                        .with("supplier", &candidate.name)
                        .with("date", last_day)
                });
            deadlines.extend(newest_and_next(series, moment.now));
        };
        if let Some(day) = candidate.review.as_ref().and_then(|r| r.value.expires_on()) {
            add(NoticeKind::QualificationExpiry, day);
        }
        if let Some(quote) = &candidate.quote
            && procurement.stage < Stage::Operation
        {
            add(NoticeKind::QuoteValidity, quote.value.valid_until);
        }
    }
    if procurement.stage == Stage::Poc {
        for (supplier, finalist) in &procurement.poc.finalists {
            let last_day = finalist.trial_ends_on;
            let series =
                countdown(&policy.trial_notice_days, last_day, moment).map(|(days, due)| {
                    let anchor = format!("{supplier}:{last_day}:{days}");
                    let to = [Function::Procurement];
                    Deadline::new(procurement, NoticeKind::TrialEnd, anchor, due, to)
                        .about(About::Supplier(*supplier))
                        .with("supplier", procurement.supplier_name(*supplier))
                        .with("date", last_day)
                });
            deadlines.extend(newest_and_next(series, moment.now));
        }
    }
    deadlines
}
