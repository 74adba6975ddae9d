//! What is due by money and use: claims that run out, forecasts that exceed, owning that would pay.

use chrono::Duration;
use sixgate_workflows::{
    budget::{
        self,
        tco::{Cost, CostKind},
    },
    calendar::working_days::{Counted, WorkingDays},
    content::{self, Content, Reader, Source},
    deadline::NoticeKind,
    function::Function,
    gate::Moment,
    locale::Locale,
    notice::Subject,
    procurement::Course,
    stage::Stage,
};

use crate::{
    fixture::{
        AURORA, BOREAL, INCIDENT, at_stage, bill, number, plan_reviews, record_bill, record_usage,
        report, resolve, text, usage,
    },
    harness::{Who, World, time},
    notices::subject,
};

/// In operation since Monday, 9 February, nine in the morning in Shanghai; contracts run from the 2nd.
fn running() -> World {
    let mut world = at_stage(Stage::Operation);
    world.by(Who::Otto);
    world
}

/// Aurora was down for two hours on 20 February.
fn breached() -> World {
    let mut world = running();
    let start = time("2026-02-20T03:00:00Z");
    world.at("2026-02-20T06:00:00Z").must(report(INCIDENT, AURORA, start));
    world.must(resolve(INCIDENT, start, start + Duration::hours(2)));
    world
}

/// Every figure that a mail's text asks for is there, in both languages.
#[track_caller]
fn reads_in_full(world: &World, kind: NoticeKind) {
    let moment = Moment { now: world.context.now, zone: world.context.zone };
    for deadline in &world.deadlines_of(kind) {
        for locale in Locale::ALL {
            let source =
                Source { procurement: world.procurement(), deadline, supplier: None, moment };
            let reader = Reader { name: "Li", locale, zone: moment.zone, functions: &deadline.to };
            let Content { subject, lead, body, .. } = content::written(&source, &reader);
            for text in [subject, lead, body] {
                assert!(!text.contains('{'), "{text}");
            }
        }
    }
}

#[test]
fn a_claim_counts_down_fourteen_seven_and_two_days_before_its_last_day() {
    let mut world = breached();
    assert_eq!(world.due(NoticeKind::SlaClaim), ["2026-03-16T01:00:00Z"], "30 March less 14");
    for (now, expected) in [
        ("2026-03-16T01:00:00Z", vec!["2026-03-16T01:00:00Z", "2026-03-23T01:00:00Z"]),
        ("2026-03-23T01:00:00Z", vec!["2026-03-23T01:00:00Z", "2026-03-28T01:00:00Z"]),
        ("2026-03-28T01:00:00Z", vec!["2026-03-28T01:00:00Z"]),
        ("2026-03-30T15:59:59Z", vec!["2026-03-28T01:00:00Z"]),
        ("2026-03-30T16:00:00Z", vec![]),
    ] {
        world.at(now);
        assert_eq!(world.due(NoticeKind::SlaClaim), expected, "at {now}");
    }
    let claim = breached().deadlines_of(NoticeKind::SlaClaim).remove(0);
    assert_eq!(claim.to, [Function::Operations, Function::Procurement, Function::Legal].into());
    assert_eq!((&*claim.details["month"], &*claim.details["date"]), ("2026-02", "2026-03-30"));
    reads_in_full(&breached(), NoticeKind::SlaClaim);
}

#[test]
fn a_month_that_kept_its_promise_has_nothing_to_claim() {
    let mut world = running();
    world.at("2026-03-20T01:00:00Z");
    assert!(world.due(NoticeKind::SlaClaim).is_empty());
}

#[test]
fn an_outage_reported_late_still_has_its_claim() {
    let mut world = running();
    let start = time("2026-02-20T03:00:00Z");
    world.at("2026-03-25T01:00:00Z").must(report(INCIDENT, BOREAL, start));
    world.must(resolve(INCIDENT, start, start + Duration::hours(2)));
    let expected = ["2026-03-23T01:00:00Z", "2026-03-28T01:00:00Z"];
    assert_eq!(world.due(NoticeKind::SlaClaim), expected);
}

#[test]
fn two_breached_months_are_two_claims() {
    let mut world = breached();
    let start = time("2026-03-10T03:00:00Z");
    let second = sixgate_workflows::ids::IncidentId(uuid::Uuid::from_u128(0x502));
    world.at("2026-03-17T01:00:00Z").must(report(second, AURORA, start));
    world.must(resolve(second, start, start + Duration::hours(2)));
    let claims = world.deadlines_of(NoticeKind::SlaClaim);
    let months: Vec<_> = claims.iter().map(|claim| &*claim.details["month"]).collect();
    assert_eq!(months, ["2026-02", "2026-02", "2026-03"]);
}

#[test]
fn a_forecast_that_exceeds_the_budget_is_told_once_with_what_it_comes_to() {
    let mut world = running();
    // 849 600 for 365 days from 2 February; 28 days would allow 65 175.
    let mut february = bill("60000");
    february.until = time("2026-03-01T16:00:00Z");
    world.at("2026-03-02T01:00:00Z").must(record_bill(AURORA, february.clone()));
    assert!(world.due(NoticeKind::BudgetForecast).is_empty());
    february.billed = number("6000");
    world.at("2026-03-03T01:00:00Z").must(record_bill(BOREAL, february.clone()));
    let [told] = &world.deadlines_of(NoticeKind::BudgetForecast)[..] else { panic!("not one") };
    assert_eq!(told.due, time("2026-03-03T01:00:00Z"));
    assert_eq!(told.to, [Function::Finance, Function::Requester].into());
    // 66 000 × 365 / 28
    assert_eq!(told.details["forecast"], "CNY 860357.14");
    assert_eq!(told.details["date"], "2026-03-02");
    reads_in_full(&world, NoticeKind::BudgetForecast);
    let key = told.key.clone();
    world.at("2026-03-04T01:00:00Z").must(record_bill(BOREAL, february));
    assert_eq!(world.deadlines_of(NoticeKind::BudgetForecast)[0].key, key, "it is the same news");
}

#[test]
fn a_forecast_that_recovers_and_exceeds_again_is_news_again() {
    let mut world = running();
    let mut dear = bill("70000");
    dear.until = time("2026-03-01T16:00:00Z");
    world.at("2026-03-02T01:00:00Z").must(record_bill(AURORA, dear));
    let first = world.deadlines_of(NoticeKind::BudgetForecast).remove(0);
    let mut cheap = bill("1000");
    cheap.until = time("2026-04-01T16:00:00Z");
    world.at("2026-04-02T01:00:00Z").must(record_bill(AURORA, cheap.clone()));
    assert!(world.due(NoticeKind::BudgetForecast).is_empty());
    cheap.billed = number("90000");
    world.at("2026-04-03T01:00:00Z").must(record_bill(BOREAL, cheap));
    let second = world.deadlines_of(NoticeKind::BudgetForecast).remove(0);
    assert_ne!(first.key, second.key);
}

#[test]
fn a_week_s_bill_says_nothing_of_the_year_and_a_spent_budget_needs_no_forecast() {
    let mut world = running();
    world.must(record_bill(AURORA, bill("100000")));
    assert!(world.due(NoticeKind::BudgetForecast).is_empty(), "one week");
    let mut all = bill("849600");
    all.until = time("2026-03-01T16:00:00Z");
    world.at("2026-03-02T01:00:00Z").must(record_bill(AURORA, all));
    assert!(world.due(NoticeKind::BudgetForecast).is_empty());
    assert_eq!(world.due(NoticeKind::BudgetBurn).len(), 2);
}

/// Eight cards that were busy for so many hours of the week before.
fn used(world: &mut World, now: &str, busy: &str) {
    let now = time(now);
    let mut usage = usage(now, busy);
    usage.idle_card_hours = number("0");
    world.context.now = now;
    world.must(record_usage(AURORA, usage));
}

#[test]
fn owning_is_told_when_use_months_and_team_all_hold_and_early_by_the_lead_time() {
    let mut world = running();
    // 8 cards × 7 days × 20 hours = 1 120.
    used(&mut world, "2026-02-23T01:00:00Z", "1120");
    assert!(world.due(NoticeKind::RentToOwn).is_empty(), "20 hours are not above 20");
    used(&mut world, "2026-03-02T01:00:00Z", "1200");
    assert_eq!(world.due(NoticeKind::RentToOwn), ["2027-02-02T01:00:00Z"], "18 months less 6");
    let told = world.deadlines_of(NoticeKind::RentToOwn).remove(0);
    assert_eq!(told.to, [Function::Manager, Function::Finance].into());
    assert_eq!(told.details["hours"], "20.7");
    reads_in_full(&world, NoticeKind::RentToOwn);
    used(&mut world, "2026-03-09T01:00:00Z", "300");
    assert!(world.due(NoticeKind::RentToOwn).is_empty(), "it no longer holds");
    used(&mut world, "2027-03-08T01:00:00Z", "1300");
    assert_eq!(world.due(NoticeKind::RentToOwn), ["2027-03-08T01:00:00Z"], "long enough by then");
    assert_ne!(world.deadlines_of(NoticeKind::RentToOwn)[0].key, told.key);
}

#[test]
fn hours_that_nobody_measured_are_no_reason_to_buy() {
    let mut world = running();
    let mut seen = usage(time("2026-02-23T01:00:00Z"), "600");
    (seen.idle_card_hours, seen.unknown_card_hours) = (number("0"), number("744"));
    world.at("2026-02-23T01:00:00Z").must(record_usage(AURORA, seen));
    assert!(world.due(NoticeKind::RentToOwn).is_empty());
}

#[test]
fn without_a_team_nobody_is_told_to_own() {
    let mut world = at_stage(Stage::Budget);
    world.fill();
    let cost = Cost::Zero { reason: text("the supplier operates") };
    let none = budget::Command::RecordCost { cost_kind: CostKind::OperationsLabour, cost };
    world.by(Who::Fiona).must(none).sign_all().by(Who::Paul).must(Course::Advance);
    world.pass_to(Stage::Operation).by(Who::Otto);
    used(&mut world, "2027-03-08T01:00:00Z", "1300");
    assert!(world.due(NoticeKind::RentToOwn).is_empty());
}

#[test]
fn the_holidays_of_the_policy_s_region_move_what_counts_working_days() {
    let mut world = running();
    world.must(plan_reviews("2026-Q3"));
    let due =
        |world: &World| (world.due(NoticeKind::ReviewPack), world.due(NoticeKind::ReviewChaser));
    let expected =
        (vec!["2026-10-01T01:00:00Z".to_owned()], vec!["2026-10-15T01:00:00Z".to_owned()]);
    assert_eq!(due(&world), expected, "Monday to Friday");
    let china = WorkingDays::of("CN".parse().unwrap(), Vec::new()).unwrap();
    world.set_policy(|policy| (policy.version, policy.working_days) = (2, china));
    world.by(Who::Maya).must(Course::AdoptPolicy);
    let pack = world.deadlines_of(NoticeKind::ReviewPack).remove(0);
    let Some(Counted::Table { year, version, source, .. }) = pack.counted else { panic!() };
    assert_eq!((year, version), (2026, 1));
    assert!(source.as_str().contains("State Council"));
    // 8, 9, 10 (a Saturday that is worked), 12 to 16, 19, 20, 21 October.
    let expected =
        (vec!["2026-10-08T01:00:00Z".to_owned()], vec!["2026-10-21T01:00:00Z".to_owned()]);
    assert_eq!(due(&world), expected);
}

#[test]
fn a_firing_names_the_holidays_that_it_was_counted_by_and_an_older_one_reads_on() {
    let by = WorkingDays::of("CN".parse().unwrap(), Vec::new()).unwrap();
    for (year, word) in [(2026, "State Council"), (2027, "weekdays")] {
        let counted = by.counted(year);
        let subject = Subject { counted: counted.clone(), ..subject() };
        let written = serde_json::to_string(&subject).unwrap();
        assert!(written.contains(word), "{written}");
        assert_eq!(serde_json::from_str::<Subject>(&written).unwrap().counted, counted);
    }
    let without = serde_json::to_string(&subject()).unwrap();
    assert!(!without.contains("counted"), "as it was written before there were holidays");
    assert_eq!(serde_json::from_str::<Subject>(&without).unwrap(), subject());
}

#[test]
fn a_newer_policy_fires_nothing_of_the_time_before_it_was_adopted() {
    let mut world = running();
    // Forty days before the contracts end: told at 90 and 60, next at 30.
    world.at("2026-12-23T05:00:00Z");
    let before = world.deadlines_of(NoticeKind::ContractExpiry);
    world.set_policy(|policy| {
        policy.version = 2;
        policy.expiry_notice_days.insert(45);
        policy.expiry_notice_days.insert(35);
    });
    world.by(Who::Maya).must(Course::AdoptPolicy);
    let after = world.deadlines_of(NoticeKind::ContractExpiry);
    let now = world.context.now;
    let come = |all: &[sixgate_workflows::deadline::Deadline]| -> Vec<String> {
        all.iter().filter(|d| d.due <= now).map(|d| d.key.clone()).collect()
    };
    assert_eq!(come(&after), come(&before), "45 days before has passed");
    let next = after.iter().find(|deadline| deadline.due > now).unwrap();
    assert_eq!(next.due, time("2026-12-28T01:00:00Z"), "35 days before has not");
}

#[test]
fn a_reminder_that_a_newer_policy_puts_off_fires_again_under_its_own_key() {
    let mut world = at_stage(Stage::Needs);
    world.at("2026-01-20T01:00:00Z");
    let fired = world.deadlines_of(NoticeKind::StageOverdue).remove(0);
    assert_eq!(fired.due, time("2026-01-19T01:00:00Z"));
    world.set_policy(|policy| {
        policy.version = 2;
        policy.planned_days.insert(Stage::Needs, 21);
    });
    world.by(Who::Maya).must(Course::AdoptPolicy);
    let overdue = world.deadlines_of(NoticeKind::StageOverdue);
    assert_eq!(overdue[0].key, fired.key, "what fired stays what it was");
    let put_off = overdue.last().unwrap();
    assert_eq!(put_off.due, time("2026-01-26T01:00:00Z"));
    assert_ne!(put_off.key, fired.key, "the same week of another rule");
}
