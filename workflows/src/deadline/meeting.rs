//! The meeting of a quarterly review after people were invited to it: moved, or called off.
//!
//! The rule: one quarter is one meeting, whatever happens to it, and each change of it is told once.
//! Its number among the changes grows and never repeats, so that a calendar knows which letter is the
//! newest. Nobody is told of a change to a meeting that they were not invited to yet, or that is over.

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
    let moved = moved(procurement, moment);
    moved.into_iter().chain(called_off_by_plan(procurement, moment)).collect()
}

/// How often the meetings had been changed when a letter about one of them was due.
pub fn sequence(procurement: &Procurement, deadline: &Deadline) -> u32 {
    let adoptions = procurement
        .adoption
        .iter()
        .flat_map(|adoption| adoption.earlier.iter().chain([&adoption.latest]))
        .filter(|stamp| stamp.at <= deadline.due)
        .count();
    let adoptions = u32::try_from(adoptions).unwrap_or(u32::MAX);
    adoptions.saturating_add(u32::from(deadline.kind == NoticeKind::ReviewCancelled))
}

/// A newer policy counts other days as worked.
fn moved(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let adoption = procurement.adoption.as_ref()?;
    let at = adoption.latest.at;
    let quarter = invited(procurement, &adoption.before, at, moment)?;
    let planned = procurement.operation.first_review.as_ref()?;
    let day = meeting_day(&procurement.policy, quarter);
    let before = meeting_day(&adoption.before, quarter);
    let told = planned.value <= quarter && day != before && local_date(at, moment.zone) <= day;
    told.then(|| change(procurement, NoticeKind::ReviewMoved, quarter, day, at)).filter(|_| {
        // Once the day has passed there is nothing to come to.
        local_date(moment.now, moment.zone) <= day
    })
}

/// The reviews were planned anew and begin later.
fn called_off_by_plan(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let planned = procurement.operation.first_review.as_ref()?;
    let before = procurement.operation.first_review_before?;
    let at = planned.stamp.at;
    let quarter = invited(procurement, &procurement.policy, at, moment)
        .filter(|quarter| before <= *quarter && *quarter < planned.value)?;
    called_off(procurement, quarter, at, moment).map(|off| off.with("why", "replanned"))
}

/// The procurement was cancelled or closed.
pub(super) fn called_off_by_end(procurement: &Procurement, moment: Moment) -> Option<Deadline> {
    let (at, why) = match &procurement.phase {
        Phase::Active | Phase::OnHold { .. } => return None,
        Phase::Cancelled { at, .. } => (at.at, "cancelled"),
        Phase::Closed { at } => (at.at, "closed"),
    };
    let planned = procurement.operation.first_review.as_ref()?;
    let quarter = invited(procurement, &procurement.policy, at, moment)
        .filter(|quarter| planned.value <= *quarter)?;
    called_off(procurement, quarter, at, moment).map(|off| off.with("why", why))
}

fn called_off(
    procurement: &Procurement,
    quarter: Quarter,
    at: DateTime<Utc>,
    moment: Moment,
) -> Option<Deadline> {
    let day = meeting_day(&procurement.policy, quarter);
    (local_date(moment.now, moment.zone) <= day)
        .then(|| change(procurement, NoticeKind::ReviewCancelled, quarter, day, at))
}

/// The quarter whose meeting lay ahead at a time and had been invited to.
fn invited(
    procurement: &Procurement,
    policy: &Policy,
    at: DateTime<Utc>,
    moment: Moment,
) -> Option<Quarter> {
    let today = local_date(at, moment.zone);
    let quarter = Quarter::of(today);
    let was_invited = invitation_due(quarter, policy.review_notice_days, moment) < at;
    let held = procurement.operation.reviews.contains_key(&quarter);
    (was_invited && !held && today <= meeting_day(policy, quarter)).then_some(quarter)
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
