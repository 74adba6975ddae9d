//! A week of running capacity: feeds, bills, interruptions, reviews held or missed, and the end.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use sixgate_workflows::{
    context::local_date,
    function::Function::{Finance, Operations, Procurement as Buyer},
    gate::{Gate, Moment},
    ids::{IncidentId, SupplierId},
    operation::{Command as Operate, Outcome, Review, sla::Severity},
    procurement::{Command, Course, Procurement},
};

use super::{Move, course, figures, of, signature};
use crate::commands::simulate::random::Random;

pub(super) fn next(
    procurement: &Procurement,
    gate: &Gate,
    moment: Moment,
    random: &mut Random,
) -> Vec<Move> {
    let today = local_date(moment.now, moment.zone);
    let ends_on = procurement.negotiation.contracts.values().map(|c| c.value.ends_on).min();
    if let Some(end) = ending(procurement, gate, ends_on, today) {
        return end;
    }
    let mut moves = Vec::new();
    if procurement.operation.first_review.is_none()
        && let Ok(first) = figures::quarter_before(figures::later(today, 92)).parse()
    {
        let optimisation = figures::text("move the evaluations into the night");
        let plan = Operate::PlanReviews { first, optimisation };
        moves.push(of(Operations, Command::Operation(plan)));
    }
    for supplier in procurement.negotiation.contracts.keys() {
        moves.extend(week(procurement, *supplier, moment.now, random));
    }
    moves.extend(interruption_over(procurement, moment.now));
    moves.extend(review(procurement, today, random));
    moves
}

/// Decided three weeks before the first contract ends, then signed and closed. What nobody closed in
/// time is given up.
fn ending(
    procurement: &Procurement,
    gate: &Gate,
    ends_on: Option<NaiveDate>,
    today: NaiveDate,
) -> Option<Vec<Move>> {
    let ends_on = ends_on?;
    if today > figures::later(ends_on, 10) {
        let reason = figures::text("it ran out");
        return Some(course(Buyer, Course::Cancel { reason }));
    }
    if figures::later(today, 21) < ends_on {
        return None;
    }
    if procurement.operation.outcome.is_none() {
        let reason = figures::text("demand is steady");
        let decided = Operate::DecideOutcome { outcome: Outcome::Renewed, reason };
        return Some(vec![of(Buyer, Command::Operation(decided))]);
    }
    if !gate.awaits_sign_offs() {
        return None;
    }
    Some(signature(gate).unwrap_or_else(|| course(Buyer, Course::Close)))
}

/// What monitoring and the supplier deliver; sometimes nothing, so that feeds grow old.
fn week(
    procurement: &Procurement,
    supplier: SupplierId,
    now: DateTime<Utc>,
    random: &mut Random,
) -> Vec<Move> {
    let operation = &procurement.operation;
    let mut moves = Vec::new();
    let feeds = operation.usage.get(&supplier);
    let newest = feeds.and_then(|feeds| feeds.iter().map(|feed| feed.value.until).max());
    let from = newest.unwrap_or(procurement.entered.at);
    if random.chance(850) && from < now {
        let usage = figures::usage(from, now);
        let recorded = Operate::RecordUsage { supplier, usage, source: None };
        let probed = Operate::RecordAvailability { supplier, until: now, down_minutes: 0 };
        moves.extend([recorded, probed].map(|feed| of(Operations, Command::Operation(feed))));
    }
    let bills = operation.bills.get(&supplier);
    let billed = bills.and_then(|bills| bills.iter().map(|bill| bill.value.until).max());
    let from = billed.unwrap_or(procurement.entered.at);
    if now - from > Duration::days(28) {
        let bill = figures::bill(from, now, random.between(20_000, 180_000));
        let recorded = Operate::RecordBill { supplier, bill, source: None };
        moves.push(of(Finance, Command::Operation(recorded)));
    }
    if random.chance(50) {
        let started_at = now - Duration::minutes(random.between(1, 300));
        let severities = [Severity::P0, Severity::P1, Severity::P2];
        let reported = Operate::ReportIncident {
            incident: IncidentId(random.uuid()),
            supplier,
            severity: random.pick(&severities).copied().unwrap_or(Severity::P0),
            started_at,
            what: figures::text("one node is out of reach"),
        };
        moves.push(of(Operations, Command::Operation(reported)));
    }
    moves
}

fn interruption_over(procurement: &Procurement, now: DateTime<Utc>) -> Vec<Move> {
    let incidents = procurement.operation.incidents.iter();
    let open = incidents.filter(|(_, (_, fact))| fact.value.ended_at.is_none());
    open.filter(|(_, (_, fact))| fact.value.started_at <= now - Duration::hours(1))
        .map(|(incident, (_, fact))| {
            let started_at = fact.value.started_at;
            let resolved = Operate::ResolveIncident {
                incident: *incident,
                responded_at: started_at + Duration::minutes(9),
                ended_at: started_at + Duration::minutes(50),
            };
            of(Operations, Command::Operation(resolved))
        })
        .collect()
}

/// Held within a few weeks after the quarter, if at all.
fn review(procurement: &Procurement, today: NaiveDate, random: &mut Random) -> Vec<Move> {
    let Ok(quarter) = figures::quarter_before(today).parse() else { return Vec::new() };
    let operation = &procurement.operation;
    let planned = operation.first_review.as_ref().is_some_and(|first| first.value <= quarter);
    if !planned || operation.reviews.contains_key(&quarter) || !random.chance(300) {
        return Vec::new();
    }
    let findings = figures::text("a fifth of the hours idles");
    let review = Review { held_on: today, findings, actions: Vec::new() };
    vec![of(Operations, Command::Operation(Operate::RecordReview { quarter, review }))]
}
