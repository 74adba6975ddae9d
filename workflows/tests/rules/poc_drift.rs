//! A later run against the baseline.

use sixgate_workflows::{
    percent::Percent,
    poc::{
        Baseline,
        drift::{BaselineFigure, TOLERANCE, drift},
        reading::Reading,
        verdict::Outcome,
    },
};

use crate::fixture::{cards, collective, number, serving};

fn accepted() -> Baseline {
    let readings =
        [Reading::Cards(cards()), Reading::Collective(collective()), Reading::Serving(serving())];
    Baseline::of(&readings).unwrap()
}

fn of(now: &Baseline, figure: BaselineFigure) -> Outcome {
    let all = drift(&accepted(), now, TOLERANCE);
    all.into_iter().find(|drift| drift.figure == figure).unwrap().outcome
}

#[test]
fn the_same_machine_has_not_changed() {
    let drift = drift(&accepted(), &accepted(), Percent::ZERO);
    assert_eq!(drift.len(), 5, "{drift:?}");
    assert!(drift.iter().all(|drift| drift.outcome == Outcome::Pass));
}

#[test]
fn a_figure_fails_only_in_the_direction_that_hurts_and_beyond_the_tolerance() {
    let with = |change: fn(&mut Baseline)| {
        let mut now = accepted();
        change(&mut now);
        now
    };
    let slower = with(|now| now.first_token_p99_ms = Some(number("673.65")));
    let edge = with(|now| now.first_token_p99_ms = Some(number("673.64")));
    let faster = with(|now| now.first_token_p99_ms = Some(number("300")));
    assert_eq!(of(&slower, BaselineFigure::FirstToken), Outcome::Pass, "10.0 % after rounding");
    assert_eq!(of(&edge, BaselineFigure::FirstToken), Outcome::Pass);
    assert_eq!(of(&faster, BaselineFigure::FirstToken), Outcome::Pass);
    let worse = with(|now| now.first_token_p99_ms = Some(number("675")));
    assert_eq!(of(&worse, BaselineFigure::FirstToken), Outcome::Fail);
    let narrow = with(|now| now.collective_gb_s = Some(number("400")));
    assert_eq!(of(&narrow, BaselineFigure::CollectiveBandwidth), Outcome::Fail);
    let wide = with(|now| now.collective_gb_s = Some(number("900")));
    assert_eq!(of(&wide, BaselineFigure::CollectiveBandwidth), Outcome::Pass);
}

#[test]
fn a_figure_that_one_run_lacks_is_inconclusive() {
    let now = Baseline { output_tokens_s: None, ..accepted() };
    assert_eq!(of(&now, BaselineFigure::OutputRate), Outcome::Inconclusive);
}

#[test]
fn growth_where_there_was_none_is_worse() {
    let before = Baseline { memory_growth_mib: Some(number("0")), ..accepted() };
    let found = drift(&before, &accepted(), TOLERANCE);
    let growth = found.iter().find(|drift| drift.figure == BaselineFigure::MemoryGrowth).unwrap();
    assert_eq!((growth.outcome, growth.change_percent), (Outcome::Fail, None));
}

#[test]
fn nothing_measured_is_no_baseline() {
    assert_eq!(Baseline::of(&[]), None);
}
