//! Every check of the acceptance: when it passes, when it fails, and when nobody knows.

use sixgate_workflows::poc::{
    reading::{CardsReading, CollectiveReading, Reading, ReadingKind, ServingReading},
    verdict::{CheckName, Outcome, Readings, Verdict, judge, missing_kinds},
};

use crate::fixture::{cards, collective, name, number, promise, serving};

/// What the shipped policy asks for.
const SHIPPED: [ReadingKind; 3] =
    [ReadingKind::Cards, ReadingKind::Collective, ReadingKind::Serving];

/// What the shipped promise leads to, in the order of a report.
const CHECKS: [CheckName; 11] = [
    CheckName::Identity,
    CheckName::CardCount,
    CheckName::Memory,
    CheckName::DroppedOut,
    CheckName::Throttling,
    CheckName::MemoryGrowth,
    CheckName::CollectiveRanks,
    CheckName::CollectiveBandwidth,
    CheckName::CollectiveCorrect,
    CheckName::SuccessRate,
    CheckName::FirstToken,
];

#[derive(Clone)]
struct Measured {
    cards: Option<CardsReading>,
    collective: Option<CollectiveReading>,
    serving: Option<ServingReading>,
    complete: bool,
}

fn good() -> Measured {
    Measured {
        cards: Some(cards()),
        collective: Some(collective()),
        serving: Some(serving()),
        complete: true,
    }
}

fn verdict(measured: &Measured) -> Verdict {
    let all: Vec<Reading> = [
        measured.cards.clone().map(Reading::Cards),
        measured.collective.clone().map(Reading::Collective),
        measured.serving.clone().map(Reading::Serving),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut readings = Readings::default();
    for reading in &all {
        readings.add(reading, measured.complete);
    }
    judge(&promise(), &readings, &SHIPPED.into())
}

#[test]
fn what_the_policy_does_not_ask_for_is_not_missed_but_judged_when_it_is_there() {
    let required = [ReadingKind::Cards].into();
    let mut readings = Readings::default();
    let (cards, slow) =
        (Reading::Cards(cards()), Reading::Serving(ServingReading { completed: 1, ..serving() }));
    readings.add(&cards, true);
    assert_eq!(judge(&promise(), &readings, &required).overall, Outcome::Pass);
    readings.add(&slow, true);
    assert_eq!(judge(&promise(), &readings, &required).overall, Outcome::Fail);
}

fn of(measured: &Measured, name: CheckName) -> Outcome {
    verdict(measured).checks.into_iter().find(|check| check.name == name).unwrap().outcome
}

fn with_cards(change: impl FnOnce(&mut CardsReading)) -> Measured {
    let mut cards = cards();
    change(&mut cards);
    Measured { cards: Some(cards), ..good() }
}

fn with_collective(change: impl FnOnce(&mut CollectiveReading)) -> Measured {
    let mut collective = collective();
    change(&mut collective);
    Measured { collective: Some(collective), ..good() }
}

fn with_serving(change: impl FnOnce(&mut ServingReading)) -> Measured {
    let mut serving = serving();
    change(&mut serving);
    Measured { serving: Some(serving), ..good() }
}

#[test]
fn what_keeps_every_promise_passes_every_check() {
    let verdict = verdict(&good());
    assert_eq!(verdict.overall, Outcome::Pass);
    let names: Vec<_> = verdict.checks.iter().map(|check| check.name).collect();
    assert_eq!(names, CHECKS);
    assert!(verdict.checks.iter().all(|check| check.measured.is_some()));
}

#[test]
fn each_check_fails_on_its_own_figure_and_fails_the_whole() {
    use CheckName as Name;
    let cases = [
        (Name::Identity, with_cards(|cards| cards.names.push(name("NVIDIA A100-SXM4-80GB")))),
        (Name::CardCount, with_cards(|cards| cards.cards = 7)),
        (Name::Memory, with_cards(|cards| cards.memory_mib = Some(number("80999")))),
        (Name::DroppedOut, with_cards(|cards| cards.lost = 1)),
        (Name::Throttling, with_cards(|cards| cards.throttle_mask = Some(0x40))),
        (Name::MemoryGrowth, with_cards(|cards| cards.memory_growth_mib = Some(number("512.1")))),
        (Name::CollectiveRanks, with_collective(|run| run.ranks = Some(7))),
        (Name::CollectiveBandwidth, with_collective(|run| run.peak_gb_s = Some(number("399.9")))),
        (Name::CollectiveCorrect, with_collective(|run| run.out_of_bounds = Some(1))),
        (Name::SuccessRate, with_serving(|run| run.completed = 994)),
        (Name::FirstToken, with_serving(|run| run.first_token_p99_ms = Some(number("800.1")))),
    ];
    assert_eq!(cases.len(), CHECKS.len());
    for (name, measured) in cases {
        let verdict = verdict(&measured);
        assert_eq!(verdict.overall, Outcome::Fail, "{name:?}");
        for check in verdict.checks {
            let expected = if check.name == name { Outcome::Fail } else { Outcome::Pass };
            assert_eq!(check.outcome, expected, "{:?} when {name:?} is bad", check.name);
        }
    }
}

#[test]
fn each_check_without_a_figure_is_inconclusive_and_keeps_the_whole_from_passing() {
    use CheckName as Name;
    let cases = [
        (Name::Identity, with_cards(|cards| cards.names.clear())),
        (Name::Memory, with_cards(|cards| cards.memory_mib = None)),
        (Name::Throttling, with_cards(|cards| cards.throttle_mask = None)),
        (Name::MemoryGrowth, with_cards(|cards| cards.memory_growth_mib = None)),
        (Name::CollectiveRanks, with_collective(|run| run.ranks = None)),
        (Name::CollectiveBandwidth, with_collective(|run| run.peak_gb_s = None)),
        (Name::CollectiveCorrect, with_collective(|run| run.out_of_bounds = None)),
        (Name::SuccessRate, with_serving(|run| run.issued = None)),
        (Name::FirstToken, with_serving(|run| run.first_token_p99_ms = None)),
    ];
    for (name, measured) in cases {
        assert_eq!(of(&measured, name), Outcome::Inconclusive, "{name:?}");
        assert_eq!(verdict(&measured).overall, Outcome::Inconclusive, "{name:?}");
    }
}

#[test]
fn a_missing_file_leaves_all_its_checks_open() {
    let cases = [
        (Measured { cards: None, ..good() }, 6),
        (Measured { collective: None, ..good() }, 3),
        (Measured { serving: None, ..good() }, 2),
    ];
    for (measured, open) in cases {
        let verdict = verdict(&measured);
        assert_eq!(verdict.overall, Outcome::Inconclusive);
        let inconclusive =
            verdict.checks.iter().filter(|check| check.outcome == Outcome::Inconclusive);
        assert_eq!(inconclusive.count(), open);
    }
}

#[test]
fn in_a_file_cut_short_a_good_figure_proves_nothing_and_a_bad_one_still_does() {
    let short = Measured { complete: false, ..good() };
    assert_eq!(verdict(&short).overall, Outcome::Inconclusive);
    for name in [CheckName::Throttling, CheckName::DroppedOut, CheckName::SuccessRate] {
        assert_eq!(of(&short, name), Outcome::Inconclusive);
    }
    for name in [CheckName::Identity, CheckName::CardCount, CheckName::Memory] {
        assert_eq!(of(&short, name), Outcome::Pass, "it is in the first lines");
    }
    let bad = Measured { complete: false, ..with_cards(|cards| cards.throttle_mask = Some(0x8)) };
    assert_eq!(verdict(&bad).overall, Outcome::Fail);
}

#[test]
fn a_power_cap_is_normal_and_each_kind_of_slowdown_is_not() {
    for (mask, expected) in [
        (0x0, Outcome::Pass),
        (0x1, Outcome::Pass),
        (0x4, Outcome::Pass),
        (0x8, Outcome::Fail),
        (0x20, Outcome::Fail),
        (0x40, Outcome::Fail),
        (0x44, Outcome::Fail),
        (0x80, Outcome::Fail),
    ] {
        let measured = with_cards(|cards| cards.throttle_mask = Some(mask));
        assert_eq!(of(&measured, CheckName::Throttling), expected, "{mask:#x}");
    }
}

#[test]
fn a_figure_exactly_as_promised_passes() {
    let exact = Measured {
        cards: with_cards(|cards| {
            cards.memory_mib = Some(number("81000"));
            cards.memory_growth_mib = Some(number("512"));
        })
        .cards,
        collective: with_collective(|run| run.peak_gb_s = Some(number("400"))).collective,
        serving: with_serving(|run| {
            run.completed = 995;
            run.first_token_p99_ms = Some(number("800"));
        })
        .serving,
        complete: true,
    };
    assert_eq!(verdict(&exact).overall, Outcome::Pass);
}

#[test]
fn a_benchmark_that_completed_nothing_fails() {
    let nothing = with_serving(|run| {
        run.completed = 0;
        run.first_token_p99_ms = None;
    });
    assert_eq!(of(&nothing, CheckName::SuccessRate), Outcome::Fail);
    assert_eq!(of(&nothing, CheckName::FirstToken), Outcome::Inconclusive);
    assert_eq!(verdict(&nothing).overall, Outcome::Fail);
}

#[test]
fn a_benchmark_that_contradicts_itself_is_inconclusive() {
    for issued in [Some(0), Some(999), None] {
        let measured = with_serving(|run| run.issued = issued);
        assert_eq!(of(&measured, CheckName::SuccessRate), Outcome::Inconclusive, "{issued:?}");
    }
}

#[test]
fn seven_of_eight_ranks_fail() {
    let verdict = verdict(&with_collective(|run| run.ranks = Some(7)));
    let check = &verdict.checks[6];
    assert_eq!((check.name, check.outcome), (CheckName::CollectiveRanks, Outcome::Fail));
    assert_eq!((check.measured.as_deref(), &*check.promised), (Some("7"), "8"));
}

#[test]
fn the_kinds_that_are_still_owed_are_told() {
    let owed = missing_kinds(&SHIPPED, |kind| kind == ReadingKind::Cards);
    assert_eq!(owed, [ReadingKind::Collective, ReadingKind::Serving]);
}
