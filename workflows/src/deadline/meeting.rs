//! The meeting of a quarterly review after people were invited to it: moved, or called off.
//!
//! The rule: one quarter is one meeting, whatever happens to it, and each change of it is told once.
//! Its number among the changes grows and never repeats, so that a calendar knows which letter is the
//! newest. Nobody is told of a change to a meeting that they were not invited to yet, or that is over.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};

use super::{
    About, Deadline, NoticeKind,
    operation::{REVIEWERS, invitation_due, meeting_day},
};
use crate::{
    calendar::Quarter,
    context::local_date,
    gate::Moment,
    policy::Policy,
    procurement::{Phase, Procurement},
    stage::Stage,
};

pub(super) fn deadlines(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    if procurement.stage != Stage::Operation {
        return Vec::new();
    }
    let mut deadlines = rescheduled(procurement, moment);
    deadlines.extend(moved_by_policy(procurement, moment));
    deadlines.extend(called_off_by_plan(procurement, moment));
    deadlines
}

/// How often the meeting had been changed when a letter about it was due.
pub fn sequence(procurement: &Procurement, deadline: &Deadline) -> u32 {
    let adoptions = procurement
        .adoption
        .iter()
        .flat_map(|adoption| adoption.earlier.iter().chain([&adoption.latest]));
    let About::Quarter(quarter) = deadline.about else { return 0 };
    let meetings = procurement.operation.meetings.get(&quarter).into_iter().flatten();
    let changes = adoptions.chain(meetings.map(|fact| &fact.stamp));
    let changes = changes.filter(|stamp| stamp.at <= deadline.due).count();
    let changes = u32::try_from(changes).unwrap_or(u32::MAX);
    changes.saturating_add(u32::from(deadline.kind == NoticeKind::ReviewCancelled))
}

/// Somebody said another time or place after the invitation had gone out.
fn rescheduled(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let operation = &procurement.operation;
    let Some(planned) = &operation.first_review else { return Vec::new() };
    let newest =
        operation.meetings.iter().filter_map(|(quarter, all)| Some((*quarter, all.last()?)));
    newest
        .filter(|(quarter, _)| planned.value <= *quarter)
        .filter(|(quarter, fact)| {
            was_invited(procurement, &procurement.policy, *quarter, fact.stamp.at, moment)
                && moment.now < fact.value.starts_at
        })
        .map(|(quarter, fact)| {
            let day = local_date(fact.value.starts_at, moment.zone);
            change(procurement, NoticeKind::ReviewMoved, quarter, day, fact.stamp.at)
        })
        .collect()
}

/// A newer policy counts other days as worked.
fn moved_by_policy(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let adoption = procurement.adoption.as_ref()?;
    let planned = procurement.operation.first_review.as_ref()?;
    let at = adoption.latest.at;
    let quarter = Quarter::of(local_date(at, moment.zone));
    let day = meeting_day(procurement, &procurement.policy, quarter, moment);
    let before = meeting_day(procurement, &adoption.before, quarter, moment);
    let told = was_invited(procurement, &adoption.before, quarter, at, moment)
        && planned.value <= quarter
        && day != before
        && local_date(at, moment.zone) <= day
        // Once the day has passed there is nothing to come to.
        && local_date(moment.now, moment.zone) <= day;
    told.then(|| change(procurement, NoticeKind::ReviewMoved, quarter, day, at))
}

/// The reviews were planned anew and begin later.
fn called_off_by_plan(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let operation = &procurement.operation;
    let plans = operation.first_review.as_ref().zip(operation.first_review_before);
    let Some((planned, before)) = plans else { return Vec::new() };
    let mut off = called_off(procurement, planned.stamp.at, "replanned", moment);
    off.retain(|off| match off.about {
        About::Quarter(quarter) => before <= quarter && quarter < planned.value,
        About::Procurement
        | About::Supplier(_)
        | About::Incident(_)
        | About::Month(_)
        | About::MonthOf(..)
        | About::WeekBefore(_) => false,
    });
    off
}

/// The procurement was cancelled or closed.
pub(super) fn called_off_by_end(procurement: &Procurement, moment: Moment) -> Vec<Deadline> {
    let (at, why) = match &procurement.phase {
        Phase::Active | Phase::OnHold { .. } => return Vec::new(),
        Phase::Cancelled { at, .. } => (at.at, "cancelled"),
        Phase::Closed { at } => (at.at, "closed"),
    };
    let Some(planned) = &procurement.operation.first_review else { return Vec::new() };
    let mut off = called_off(procurement, at, why, moment);
    off.retain(|off| matches!(off.about, About::Quarter(quarter) if planned.value <= quarter));
    off
}

/// Of all meetings that lay ahead at a time and had been invited to.
fn called_off(
    procurement: &Procurement,
    at: DateTime<Utc>,
    why: &'static str,
    moment: Moment,
) -> Vec<Deadline> {
    let scheduled = procurement.operation.meetings.keys().copied();
    let quarters: BTreeSet<Quarter> =
        scheduled.chain([Quarter::of(local_date(at, moment.zone))]).collect();
    quarters
        .into_iter()
        .filter(|quarter| was_invited(procurement, &procurement.policy, *quarter, at, moment))
        .map(|quarter| (quarter, meeting_day(procurement, &procurement.policy, quarter, moment)))
        .filter(|(_, day)| local_date(moment.now.max(at), moment.zone) <= *day)
        .map(|(quarter, day)| {
            change(procurement, NoticeKind::ReviewCancelled, quarter, day, at).with("why", why)
        })
        .collect()
}

/// Whether people had been invited to a meeting by a time, and it was not held.
fn was_invited(
    procurement: &Procurement,
    policy: &Policy,
    quarter: Quarter,
    at: DateTime<Utc>,
    moment: Moment,
) -> bool {
    invitation_due(quarter, policy.review_notice_days, moment) < at
        && !procurement.operation.reviews.contains_key(&quarter)
}

fn change(
    procurement: &Procurement,
    kind: NoticeKind,
    quarter: Quarter,
    day: NaiveDate,
    at: DateTime<Utc>,
) -> Deadline {
    let anchor = format!("{quarter}:{}", at.format("%Y-%m-%dT%H:%M:%S%.fZ"));
    let mut change = Deadline::new(procurement, kind, anchor, at, REVIEWERS)
        .about(About::Quarter(quarter))
        .with("quarter", quarter)
        .with("date", quarter.last_day());
    change.meeting_on = Some(day);
    change
}
