//! Usage, bills, waste, interruptions, reviews and the outcome.

use chrono::{DateTime, Duration, Utc};
use chrono_tz::Tz;
use rust_decimal::Decimal;
use sixgate_workflows::{
    ids::IncidentId,
    money::{Currency, Money},
    operation::{
        self, Event, Outcome,
        sla::{Incident, Severity, availability, missed_at},
        split::shares,
        usage::{Bill, Usage, waste},
    },
    percent::Percent,
    procurement::Command,
    rejection::Rejection,
    stage::Stage,
};
use uuid::Uuid;

use crate::{
    fixture::{
        AURORA, BOREAL, CUMULUS, INCIDENT, at_stage, bill, day, decide_outcome, filled, filled_but,
        number, plan_reviews, probe, quarter, record_bill, record_review, record_usage, report,
        resolve, text, usage,
    },
    harness::{Who, World, time},
};

fn running() -> World {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto);
    world
}

#[test]
fn figures_come_from_suppliers_under_contract_alone() {
    let mut world = running();
    let now = world.context.now;
    let rejection = Rejection::NoContract { supplier: CUMULUS };
    world.when(record_usage(CUMULUS, usage(now, "1"))).then_rejects(rejection.clone());
    world.when(record_bill(CUMULUS, bill("1"))).then_rejects(rejection.clone());
    world.when(probe(CUMULUS, now)).then_rejects(rejection.clone());
    world.when(report(INCIDENT, CUMULUS, now)).then_rejects(rejection);
}

#[test]
fn no_hour_is_counted_twice() {
    let mut world = running();
    let now = world.context.now;
    world.must(record_usage(AURORA, usage(now, "650")));
    for shift in [-6, 0, 6] {
        let window = Usage {
            from: now - Duration::days(7 + shift),
            until: now - Duration::days(shift.max(0)),
            ..usage(now, "650")
        };
        let (from, until) = (window.from, window.until);
        world
            .when(record_usage(AURORA, window))
            .then_rejects(Rejection::UsageOverlaps { from, until });
    }
    world.must(record_usage(AURORA, usage(now - Duration::days(7), "650")));
    world.must(record_usage(BOREAL, usage(now, "350")));
}

#[test]
fn usage_that_makes_no_sense_is_refused() {
    type Change = fn(&mut Usage);
    let mut world = running();
    let now = world.context.now;
    let cases: [Change; 7] = [
        |usage| usage.busy_card_hours = number("-1"),
        |usage| usage.used_card_hours = usage.busy_card_hours + Decimal::ONE,
        |usage| usage.until = usage.from,
        |usage| usage.used_card_hours = number("-1"),
        |usage| usage.idle_card_hours = number("-1"),
        |usage| usage.unknown_card_hours = number("-1"),
        |usage| usage.until += Duration::seconds(1),
    ];
    for change in cases {
        let mut odd = usage(now, "650");
        change(&mut odd);
        world.when(record_usage(AURORA, odd)).then_rejects_as("invalid_value");
    }
    let mut odd = bill("1");
    odd.until = odd.from;
    world.when(record_bill(AURORA, odd)).then_rejects_as("invalid_value");
}

#[test]
fn what_was_seen_was_not_seen_in_the_future() {
    let mut world = running();
    let tomorrow = world.context.now + Duration::days(1);
    world.when(probe(AURORA, tomorrow)).then_rejects_as("invalid_value");
    world.when(report(INCIDENT, AURORA, tomorrow)).then_rejects_as("invalid_value");
}

#[test]
fn an_older_probe_report_does_not_replace_a_newer_one() {
    let mut world = running();
    let now = world.context.now;
    world.must(probe(AURORA, now)).must(probe(AURORA, now - Duration::days(3)));
    assert_eq!(world.procurement().operation.availability[&AURORA].value, now);
}

fn month_of(used: &str, idle: &str, unknown: &str) -> Usage {
    Usage {
        busy_card_hours: number(used),
        used_card_hours: number(used),
        idle_card_hours: number(idle),
        unknown_card_hours: number(unknown),
        ..usage(time("2026-03-01T00:00:00Z"), "0")
    }
}

fn billed(net: &str, tax: &str, hours: &str) -> Bill {
    Bill {
        billed: number(net) + number(tax),
        tax: number(tax),
        card_hours: Some(number(hours)),
        ..bill("0")
    }
}

#[test]
fn waste_is_card_hours_times_unit_price_times_idle_ratio() {
    let yuan = |amount| Some(Money::new(number(amount), Currency::Cny));
    let usage = month_of("14000", "2800", "0");
    assert_eq!(waste(&usage, &billed("33600", "0", "16800")), yuan("5600.00"));
    assert_eq!(waste(&usage, &billed("33600", "2016", "16800")), yuan("5600.00"), "net of tax");
    assert_eq!(waste(&month_of("16800", "0", "0"), &billed("33600", "0", "16800")), yuan("0"));
}

#[test]
fn waste_is_rounded_once_at_the_end() {
    // 10 000 ÷ 16 800 × 2 800; a price rounded to four places first would give 1 666.56.
    let found = waste(&month_of("14000", "2800", "0"), &billed("10000", "0", "16800"));
    assert_eq!(found.unwrap().amount, number("1666.67"));
}

#[test]
fn hours_without_telemetry_are_neither_used_nor_idle() {
    let seen = month_of("600", "400", "9000");
    assert_eq!(seen.idle_ratio(), Some(number("0.4")));
    assert_eq!(month_of("0", "0", "100").idle_ratio(), None);
    assert_eq!(waste(&month_of("0", "0", "100"), &billed("100", "0", "100")), None);
}

#[test]
fn a_bill_without_card_hours_has_no_unit_price() {
    assert_eq!(billed("100", "0", "8").unit_price().unwrap().amount, number("12.5"));
    for card_hours in [None, Some(Decimal::ZERO)] {
        let bill = Bill { card_hours, ..bill("100") };
        assert_eq!(bill.unit_price(), None);
        assert_eq!(waste(&month_of("1", "1", "0"), &bill), None);
    }
}

fn incident(started_at: &str, ended_at: Option<&str>) -> Incident {
    Incident {
        severity: Severity::P0,
        started_at: time(started_at),
        what: text("out of reach"),
        responded_at: None,
        ended_at: ended_at.map(time),
    }
}

fn in_april(incidents: &[Incident], now: &str) -> (Decimal, Decimal) {
    let found = availability(incidents, day("2026-04-10"), Tz::Asia__Shanghai, time(now)).unwrap();
    assert_eq!(found.total_minutes, number("43200"));
    (found.down_minutes, found.percent)
}

#[test]
fn interruptions_that_overlap_count_once() {
    let now = "2026-05-02T00:00:00Z";
    let overlapping = [
        incident("2026-04-10T00:00:00Z", Some("2026-04-10T01:00:00Z")),
        incident("2026-04-10T00:30:00Z", Some("2026-04-10T01:12:00Z")),
        incident("2026-04-10T00:40:00Z", Some("2026-04-10T00:50:00Z")),
    ];
    assert_eq!(in_april(&overlapping, now), (number("72"), number("99.833333")));
    assert_eq!(in_april(&[], now), (number("0"), number("100")));
}

#[test]
fn an_interruption_counts_within_its_month_and_up_to_now() {
    // April in Shanghai begins on 31 March at 16:00 UTC.
    let across = [incident("2026-03-31T15:00:00Z", Some("2026-03-31T16:30:00Z"))];
    assert_eq!(in_april(&across, "2026-05-02T00:00:00Z").0, number("30"));
    let going_on = [incident("2026-04-10T00:00:00Z", None)];
    assert_eq!(in_april(&going_on, "2026-04-10T00:43:00Z").0, number("43"));
    assert_eq!(in_april(&going_on, "2026-04-09T00:00:00Z").0, number("0"));
}

fn missed(incidents: &[Incident], now: &str) -> Option<DateTime<Utc>> {
    let (zone, promised) = (Tz::Asia__Shanghai, Percent::tenths(999));
    missed_at(incidents, day("2026-04-10"), zone, time(now), promised)
}

#[test]
fn a_month_is_missed_in_the_second_after_the_last_that_was_allowed() {
    // 99.9 % of 30 days allow 2 592 seconds, which is 43 minutes and 12 seconds.
    let going_on = [incident("2026-04-10T00:00:00Z", None)];
    assert_eq!(missed(&going_on, "2026-04-10T00:43:12Z"), None);
    let at = Some(time("2026-04-10T00:43:13Z"));
    assert_eq!(missed(&going_on, "2026-04-10T00:43:13Z"), at);
    assert_eq!(missed(&going_on, "2026-04-20T00:00:00Z"), at);
}

#[test]
fn the_allowance_is_used_up_over_the_month() {
    let twice = [
        incident("2026-04-20T00:00:00Z", Some("2026-04-20T00:40:00Z")),
        incident("2026-04-10T00:00:00Z", Some("2026-04-10T00:40:00Z")),
    ];
    assert_eq!(missed(&twice, "2026-05-02T00:00:00Z"), Some(time("2026-04-20T00:03:13Z")));
    assert_eq!(missed(&twice[..1], "2026-05-02T00:00:00Z"), None);
}

#[test]
fn an_incident_is_reported_once_and_resolved_in_order() {
    let mut world = running();
    let now = world.context.now;
    let start = now - Duration::hours(2);
    world.must(report(INCIDENT, AURORA, start));
    world
        .when(report(INCIDENT, AURORA, start))
        .then_rejects(Rejection::IncidentKnown { incident: INCIDENT });
    let (before, later) = (start - Duration::seconds(1), start + Duration::minutes(10));
    for (responded_at, ended_at) in
        [(before, later), (later, start), (start, now + Duration::seconds(1))]
    {
        world.when(resolve(INCIDENT, responded_at, ended_at)).then_rejects_as("invalid_value");
    }
    world.when(resolve(INCIDENT, start, later)).then([Event::IncidentResolved {
        incident: INCIDENT,
        responded_at: start,
        ended_at: later,
    }]);
    let unheard = IncidentId(Uuid::from_u128(0x502));
    world
        .when(resolve(unheard, start, later))
        .then_rejects(Rejection::NoSuchIncident { incident: unheard });
}

#[test]
fn a_review_is_held_for_a_planned_quarter() {
    let mut world = running();
    let rejection = Rejection::ReviewNotPlanned { quarter: quarter("2026-Q1") };
    world.when(record_review("2026-Q1")).then_rejects(rejection.clone());
    world.must(plan_reviews("2026-Q2"));
    world.when(record_review("2026-Q1")).then_rejects(rejection);
    world.when(record_review("2026-Q2")).then_kinds(["operation.review_recorded"]);
    world.when(record_review("2027-Q4")).then_kinds(["operation.review_recorded"]);
}

#[test]
fn the_outcome_is_decided_with_a_reason() {
    let mut world = running();
    world.by(Who::Paul).when(decide_outcome()).then([Event::OutcomeDecided {
        outcome: Outcome::Renewed,
        reason: text("demand is steady"),
    }]);
}

#[test]
fn each_criterion_of_operation_says_what_is_missing() {
    let without = |skip: fn(&operation::Command) -> bool| {
        filled_but(
            Stage::Operation,
            move |command| matches!(command, Command::Operation(command) if skip(command)),
        )
    };
    let world = without(
        |command| matches!(command, operation::Command::RecordUsage { supplier, .. } if *supplier == BOREAL),
    );
    let reason = world.why("operation.monitoring_live");
    assert_eq!((&*reason.details["suppliers"], &*reason.details["days"]), ("Boreal Cloud", "8"));
    let world = without(|command| matches!(command, operation::Command::RecordAvailability { .. }));
    assert!(world.why("operation.monitoring_live").details["suppliers"].contains("Aurora"));
    let world = without(|command| matches!(command, operation::Command::DecideOutcome { .. }));
    assert_eq!(world.why("operation.outcome_decided").key, "outcome_open");
    let mut world = filled(Stage::Operation);
    world.at("2027-02-01T16:00:00Z");
    let reason = world.why("operation.two_suppliers");
    assert_eq!((&*reason.details["kept"], &*reason.details["least"]), ("0", "2"));
}

#[test]
fn shares_are_those_of_the_used_hours_in_the_window() {
    let world = filled(Stage::Operation);
    let (from, until) = (time("2026-02-01T00:00:00Z"), time("2026-03-01T00:00:00Z"));
    let found = shares(world.procurement(), from, until);
    let figures: Vec<_> = found.iter().map(|s| (s.supplier, s.share, s.is_in_band())).collect();
    assert_eq!(figures, [(AURORA, Percent::of(65), true), (BOREAL, Percent::of(35), true)]);
    assert!(shares(world.procurement(), until, until + Duration::days(30)).is_empty());
}

#[test]
fn hours_beyond_all_reason_are_no_panic() {
    let mut world = running();
    let now = world.context.now;
    let most = Decimal::MAX.to_string();
    world.must(record_usage(AURORA, usage(now, &most)));
    world.must(record_usage(AURORA, usage(now - Duration::days(7), &most)));
    world.must(record_bill(AURORA, bill(&most))).must(record_bill(AURORA, bill(&most)));
    assert!(!shares(world.procurement(), now - Duration::days(20), now).is_empty());
    assert!(!world.deadlines().is_empty());
}

#[test]
fn what_is_degraded_but_reachable_is_no_downtime() {
    let slow = Incident {
        severity: Severity::P1,
        ..incident("2026-04-10T00:00:00Z", Some("2026-04-10T09:00:00Z"))
    };
    assert_eq!(in_april(&[slow], "2026-05-02T00:00:00Z").0, number("0"));
}
