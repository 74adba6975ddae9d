//! The checks that a promise may ask for beyond the shipped ones: each passes, fails and stays open
//! on its own figure, and says why it stays open.

use std::collections::BTreeMap;

use sixgate_workflows::{
    percent::Percent,
    poc::{
        promise::{
            DriverVersion, NetworkPromise, Promise, ReferencePromise, ServingLoad, StoragePromise,
            StressPromise,
        },
        reading::{
            CardsReading, DiagnosticFinding, DiagnosticsReading, KernelError, KernelLogReading,
            NetworkReading, Reading, ReadingKind, ReferenceReading, RequestRate, ServingReading,
            StorageJob, StorageOperation, StorageReading, StressCard, StressReading,
            TelemetryReading,
        },
        verdict::{Because, Check, CheckName, Outcome, Readings, judge},
    },
};

use crate::fixture::{self, collective, name, number};

fn promise() -> Promise {
    Promise {
        driver_min: Some(DriverVersion::new("550.90").unwrap()),
        power_limit_w_min: Some(number("700")),
        pcie_generation_min: Some(5),
        pcie_width_min: Some(16),
        network: Some(NetworkPromise {
            gbit_s_min: Some(number("380")),
            latency_us_max: Some(number("5")),
            seconds_min: Some(number("10")),
        }),
        storage: vec![StoragePromise {
            operation: StorageOperation::RandomRead,
            block_bytes: 4_096,
            queue_depth: 32,
            jobs: 4,
            mib_s_min: Some(number("1000")),
            operations_s_min: Some(number("250000")),
            latency_p99_ms_max: Some(number("2")),
            seconds_min: Some(number("60")),
        }],
        per_token_p99_ms_max: Some(number("40")),
        output_tokens_s_min: Some(number("2000")),
        serving_load: Some(ServingLoad { requests_s: Some(number("8")), requests_min: Some(500) }),
        stress: Some(StressPromise {
            gflops_min: Some(number("40000")),
            slowest_of_median_min: Some(Percent::of(90)),
        }),
        reference: Some(ReferencePromise { scenario: name("Offline"), figure: number("12") }),
        ..fixture::promise()
    }
}

fn cards() -> CardsReading {
    CardsReading {
        power_limit_w: Some(number("700")),
        power_default_limit_w: Some(number("700")),
        pcie_generation: Some(5),
        pcie_generation_max: Some(5),
        pcie_width: Some(16),
        under_load: Some(true),
        ecc_uncorrected: Some(0),
        remap_pending: Some(false),
        remap_failure: Some(false),
        memory_curve_mib: vec![number("70000"); 20],
        ..fixture::cards()
    }
}

fn serving() -> ServingReading {
    ServingReading { load: Some(RequestRate::PerSecond(number("8"))), ..fixture::serving() }
}

fn network() -> NetworkReading {
    NetworkReading {
        test: name("ib_write_bw"),
        gbit_s: Some(number("388.2")),
        latency_us: Some(number("3.1")),
        seconds: Some(number("30")),
        error: None,
    }
}

fn storage() -> StorageJob {
    StorageJob {
        name: name("randread"),
        operation: Some(StorageOperation::RandomRead),
        block_bytes: Some(4_096),
        queue_depth: Some(32),
        jobs: Some(4),
        direct: Some(true),
        seconds: Some(number("60")),
        error: 0,
        mib_s: Some(number("1100.5")),
        operations_s: Some(number("281728")),
        latency_p99_ms: Some(number("1.2")),
    }
}

fn stress() -> StressReading {
    let card = StressCard {
        gflops: Some(number("43000")),
        errors: Some(0),
        died: false,
        faulty: Some(false),
    };
    StressReading { finished: true, progress_percent: Some(number("100")), cards: vec![card; 8] }
}

fn diagnostics() -> DiagnosticsReading {
    DiagnosticsReading { executed: 12, failed: 0, skipped: 1, findings: Vec::new() }
}

fn finding(id: u32, severity: u32, category: u32) -> DiagnosticFinding {
    DiagnosticFinding {
        test: name("memory"),
        id: Some(id),
        severity: Some(severity),
        category: Some(category),
        text: name("as the tool says it"),
    }
}

fn log(xids: &[u32]) -> KernelLogReading {
    let error = |xid: &u32| KernelError { xid: *xid, card: name("0000:05:00"), count: 1 };
    KernelLogReading { errors: xids.iter().map(error).collect(), lost: Vec::new() }
}

fn reference() -> ReferenceReading {
    ReferenceReading {
        scenario: Some(name("Offline")),
        performance: Some(true),
        valid: Some(true),
        errors: Some(0),
        figure: Some(number("12.5")),
        is_latency: false,
    }
}

fn good() -> Vec<Reading> {
    vec![
        Reading::Cards(cards()),
        Reading::Collective(collective()),
        Reading::Serving(serving()),
        Reading::Network(network()),
        Reading::Storage(StorageReading { jobs: vec![storage()] }),
        Reading::Stress(stress()),
        Reading::Diagnostics(diagnostics()),
        Reading::KernelLog(log(&[63])),
        Reading::Reference(reference()),
    ]
}

fn judged(readings: &[Reading]) -> Vec<Check> {
    let mut all = Readings::default();
    readings.iter().for_each(|reading| all.add(reading, true));
    judge(&promise(), &all, &promise().expects()).checks
}

/// The good readings with one exchanged for another of its kind.
fn with(reading: Reading) -> Vec<Check> {
    let mut readings = good();
    readings.retain(|good| good.kind() != reading.kind());
    readings.push(reading);
    judged(&readings)
}

#[track_caller]
fn check(checks: &[Check], name: CheckName) -> &Check {
    checks.iter().find(|check| check.name == name).expect("the check was made")
}

#[track_caller]
fn open(checks: &[Check], name: CheckName) -> Because {
    let check = check(checks, name);
    assert_eq!(check.outcome, Outcome::Inconclusive, "{check:?}");
    check.because.expect("an open check says why")
}

fn with_cards(change: impl FnOnce(&mut CardsReading)) -> Vec<Check> {
    let mut reading = cards();
    change(&mut reading);
    with(Reading::Cards(reading))
}

fn with_job(change: impl FnOnce(&mut StorageJob)) -> Vec<Check> {
    let mut job = storage();
    change(&mut job);
    with(Reading::Storage(StorageReading { jobs: vec![job] }))
}

fn with_network(change: impl FnOnce(&mut NetworkReading)) -> Vec<Check> {
    let mut reading = network();
    change(&mut reading);
    with(Reading::Network(reading))
}

fn with_serving(change: impl FnOnce(&mut ServingReading)) -> Vec<Check> {
    let mut reading = serving();
    change(&mut reading);
    with(Reading::Serving(reading))
}

fn with_stress(change: impl FnOnce(&mut StressReading)) -> Vec<Check> {
    let mut reading = stress();
    change(&mut reading);
    with(Reading::Stress(reading))
}

fn with_reference(change: impl FnOnce(&mut ReferenceReading)) -> Vec<Check> {
    let mut reading = reference();
    change(&mut reading);
    with(Reading::Reference(reading))
}

#[test]
fn what_keeps_every_promise_passes_every_check_there_is() {
    let checks = judged(&good());
    let unreached = Check::clone(check(
        &with_network(|run| run.error = Some(name("refused"))),
        CheckName::NetworkReached,
    ));
    assert_eq!(unreached.outcome, Outcome::Fail);
    for name in CheckName::ALL {
        // Nodes that reach each other are seen by their figures.
        if name != CheckName::NetworkReached {
            assert_eq!(check(&checks, name).outcome, Outcome::Pass, "{name:?}");
        }
    }
}

#[test]
fn each_check_fails_on_its_own_figure_alone() {
    use CheckName as Name;
    let cases: Vec<(Name, Vec<Check>)> = vec![
        (Name::Driver, with_cards(|cards| cards.driver = Some(name("535.183.01")))),
        (Name::PowerLimit, with_cards(|cards| cards.power_limit_w = Some(number("500")))),
        (Name::Link, with_cards(|cards| cards.pcie_generation = Some(4))),
        (Name::MemoryErrors, with_cards(|cards| cards.remap_pending = Some(true))),
        (Name::DriverErrors, with(Reading::KernelLog(log(&[13, 79])))),
        (Name::DiagnosticsPassed, {
            let findings = vec![finding(1, 2, 10)];
            with(Reading::Diagnostics(DiagnosticsReading { failed: 1, findings, ..diagnostics() }))
        }),
        (Name::StressFinished, with_stress(|run| run.cards[3].died = true)),
        (Name::StressErrors, with_stress(|run| run.cards[3].errors = Some(2))),
        (Name::StressRate, {
            let slow = |run: &mut StressReading| {
                run.cards.iter_mut().for_each(|card| card.gflops = Some(number("39999")));
            };
            with_stress(slow)
        }),
        (Name::NetworkBandwidth, with_network(|run| run.gbit_s = Some(number("379.9")))),
        (Name::NetworkLatency, with_network(|run| run.latency_us = Some(number("5.1")))),
        (Name::StorageErrors, with_job(|job| job.error = 5)),
        (Name::StorageBandwidth, with_job(|job| job.mib_s = Some(number("999")))),
        (Name::StorageOperations, with_job(|job| job.operations_s = Some(number("1")))),
        (Name::StorageLatency, with_job(|job| job.latency_p99_ms = Some(number("2.01")))),
        (Name::PerToken, with_serving(|run| run.per_token_p99_ms = Some(number("41")))),
        (Name::OutputRate, with_serving(|run| run.output_tokens_s = Some(number("1999")))),
        (Name::ReferenceValid, with_reference(|run| run.errors = Some(1))),
        (Name::ReferenceFigure, with_reference(|run| run.figure = Some(number("11.9")))),
    ];
    for (name, checks) in cases {
        for check in checks {
            let expected = if check.name == name { Outcome::Fail } else { Outcome::Pass };
            assert_eq!(check.outcome, expected, "{check:?} when {name:?} is bad");
        }
    }
}

#[test]
fn one_slow_card_among_fast_ones_is_seen_against_the_median() {
    let checks = with_stress(|run| {
        run.cards.iter_mut().for_each(|card| card.gflops = Some(number("50000")));
        run.cards[5].gflops = Some(number("44000"));
    });
    assert_eq!(check(&checks, CheckName::StressRate).outcome, Outcome::Pass);
    let spread = check(&checks, CheckName::StressSpread);
    assert_eq!((spread.outcome, spread.measured.as_deref()), (Outcome::Fail, Some("88 %")));
}

#[test]
fn a_check_that_stays_open_says_why() {
    use Because as Why;
    use CheckName as Name;
    let cases: Vec<(Name, Because, Vec<Check>)> = vec![
        (Name::Driver, Why::NoReading, with_cards(|cards| cards.driver = None)),
        (Name::PowerLimit, Why::NoReading, with_cards(|cards| cards.power_limit_w = None)),
        (Name::Link, Why::NoReading, with_cards(|cards| cards.pcie_width = None)),
        (Name::Link, Why::ConditionsDiffer, {
            with_cards(|cards| {
                cards.pcie_generation = Some(1);
                cards.under_load = Some(false);
            })
        }),
        (Name::MemoryGrowth, Why::TooFewSamples, {
            with_cards(|cards| cards.memory_curve_mib.truncate(5))
        }),
        (Name::DroppedOut, Why::NoReading, with_cards(|cards| cards.unreadable = 1)),
        (Name::DriverErrors, Why::WorkloadSuspected, with(Reading::KernelLog(log(&[31, 43])))),
        (Name::DriverErrors, Why::NotClassified, with(Reading::KernelLog(log(&[999])))),
        (Name::DiagnosticsExecuted, Why::NothingExecuted, {
            let skipped = DiagnosticsReading { executed: 0, skipped: 9, ..diagnostics() };
            with(Reading::Diagnostics(skipped))
        }),
        (Name::DiagnosticsPassed, Why::ConfigurationOnly, {
            let findings = vec![finding(29, 2, 10), finding(3, 5, 1)];
            with(Reading::Diagnostics(DiagnosticsReading { failed: 1, findings, ..diagnostics() }))
        }),
        (Name::StressFinished, Why::CutShort, with_stress(|run| run.finished = false)),
        (Name::StressFinished, Why::NothingExecuted, {
            with_stress(|run| run.cards[0].gflops = Some(number("0")))
        }),
        (Name::StressErrors, Why::NoReading, with_stress(|run| run.cards[0].errors = None)),
        (Name::NetworkBandwidth, Why::ConditionsDiffer, {
            with_network(|run| run.seconds = Some(number("3")))
        }),
        (Name::NetworkLatency, Why::NoReading, with_network(|run| run.latency_us = None)),
        (Name::StorageBandwidth, Why::ConditionsDiffer, with_job(|job| job.direct = Some(false))),
        (Name::StorageBandwidth, Why::ConditionsDiffer, with_job(|job| job.direct = None)),
        (Name::StorageBandwidth, Why::ConditionsDiffer, {
            with_job(|job| job.queue_depth = Some(64))
        }),
        (Name::StorageLatency, Why::ConditionsDiffer, {
            with_job(|job| job.seconds = Some(number("5")))
        }),
        (Name::StorageLatency, Why::NoReading, with_job(|job| job.latency_p99_ms = None)),
        (Name::PerToken, Why::NoReading, with_serving(|run| run.per_token_p99_ms = None)),
        (Name::PerToken, Why::TooFewSamples, {
            with_serving(|run| (run.issued, run.completed) = (Some(499), 499))
        }),
        (Name::OutputRate, Why::ConditionsDiffer, with_serving(|run| run.load = None)),
        (Name::ReferenceValid, Why::ConditionsDiffer, {
            with_reference(|run| run.performance = Some(false))
        }),
        (Name::ReferenceValid, Why::ConditionsDiffer, {
            with_reference(|run| run.scenario = Some(name("Server")))
        }),
        (Name::ReferenceFigure, Why::NoReading, with_reference(|run| run.figure = None)),
    ];
    for (name, why, checks) in &cases {
        assert_eq!(open(checks, *name), *why, "{name:?}");
    }
}

#[test]
fn a_figure_is_judged_at_the_promised_load_only() {
    let at = |load: RequestRate, first_token: &str| {
        let checks = with_serving(|run| {
            run.load = Some(load);
            run.first_token_p99_ms = Some(number(first_token));
        });
        check(&checks, CheckName::FirstToken).outcome
    };
    let (light, right, heavy) = (
        RequestRate::PerSecond(number("4")),
        RequestRate::PerSecond(number("8")),
        RequestRate::PerSecond(number("16")),
    );
    for (load, good, bad) in [
        (light, Outcome::Inconclusive, Outcome::Fail),
        (right, Outcome::Pass, Outcome::Fail),
        (heavy, Outcome::Pass, Outcome::Inconclusive),
        (RequestRate::Unlimited, Outcome::Pass, Outcome::Inconclusive),
    ] {
        assert_eq!((at(load, "700"), at(load, "900")), (good, bad), "{load:?}");
    }
}

#[test]
fn a_kind_that_was_promised_and_not_handed_in_is_missed() {
    let kinds = promise().expects();
    let cards_only = judged(&[Reading::Cards(cards())]);
    let open: BTreeMap<_, _> = cards_only
        .iter()
        .filter(|check| check.outcome == Outcome::Inconclusive)
        .map(|check| (check.name, check.because))
        .collect();
    assert!(open.values().all(|why| *why == Some(Because::NoEvidence)), "{open:?}");
    for name in [
        CheckName::CollectiveBandwidth,
        CheckName::NetworkBandwidth,
        CheckName::StorageBandwidth,
        CheckName::StressFinished,
        CheckName::FirstToken,
        CheckName::ReferenceValid,
    ] {
        assert!(open.contains_key(&name), "{name:?}");
    }
    assert!(!kinds.contains(&ReadingKind::Diagnostics), "nobody promised a diagnosis");
}

#[test]
fn of_several_files_a_bad_one_decides_and_an_interrupted_one_leaves_it_open() {
    let all = |readings: &[(Reading, bool)]| {
        let mut given = Readings::default();
        readings.iter().for_each(|(reading, complete)| given.add(reading, *complete));
        let checks = judge(&promise(), &given, &[ReadingKind::Cards].into()).checks;
        check(&checks, CheckName::DroppedOut).clone()
    };
    let whole = (Reading::Cards(cards()), true);
    let short = (Reading::Cards(cards()), false);
    let losses = vec![name("GPU 3 lost at 12:00")];
    let bad = (Reading::Cards(CardsReading { lost: 1, losses, ..cards() }), true);
    assert_eq!(all(&[whole.clone(), whole.clone()]).outcome, Outcome::Pass);
    assert_eq!(all(&[whole.clone(), short.clone()]).because, Some(Because::CutShort));
    let decided = all(&[short, bad, whole]);
    assert_eq!(decided.outcome, Outcome::Fail);
    assert_eq!(decided.detail.as_deref(), Some("GPU 3 lost at 12:00"));
}

#[test]
fn a_card_that_fell_off_the_bus_is_a_lost_card_without_any_number() {
    let lost = KernelLogReading { lost: vec![name("0000:18:00")], ..log(&[]) };
    let checks = with(Reading::KernelLog(lost));
    assert_eq!(check(&checks, CheckName::DroppedOut).outcome, Outcome::Fail);
    assert_eq!(check(&checks, CheckName::DriverErrors).outcome, Outcome::Pass);
}

#[test]
fn the_counters_of_one_moment_are_evidence_too() {
    let seen = TelemetryReading {
        names: vec![name("NVIDIA H100 80GB HBM3")],
        cards: 7,
        throttle_mask: Some(0x8),
        xids: vec![48],
    };
    let checks = judged(&[Reading::Telemetry(seen)]);
    for name in [CheckName::CardCount, CheckName::Throttling, CheckName::DriverErrors] {
        assert_eq!(check(&checks, name).outcome, Outcome::Fail, "{name:?}");
    }
}

#[test]
fn a_cap_below_the_cards_own_default_fails_without_any_promise() {
    let promise = Promise::of(name("H100"), 8);
    let capped = CardsReading {
        power_limit_w: Some(number("200")),
        power_default_limit_w: Some(number("350")),
        ..cards()
    };
    let reading = Reading::Cards(capped);
    let mut given = Readings::default();
    given.add(&reading, true);
    let verdict = judge(&promise, &given, &promise.expects());
    assert_eq!(check(&verdict.checks, CheckName::PowerLimit).outcome, Outcome::Fail);
}

#[test]
fn nothing_at_all_is_no_pass() {
    let promise = Promise::of(name("H100"), 8);
    assert_eq!(judge(&promise, &Readings::default(), &[].into()).overall, Outcome::Inconclusive);
    let expected = judge(&promise, &Readings::default(), &promise.expects());
    assert_eq!(expected.overall, Outcome::Inconclusive);
}
