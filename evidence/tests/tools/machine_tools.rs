//! The forms and traps of the other tools that run on a machine.

use crate::fixtures::*;
use sixgate_evidence::*;

macro_rules! facts {
    ($kind:ident, $text:expr) => {{
        let document = read_auto($text.as_bytes()).unwrap();
        let codes: Vec<&str> = document.warnings.iter().map(|warning| warning.code).collect();
        let Facts::$kind(facts) = document.facts else { panic!("read as {}", document.kind) };
        (*facts, document.incomplete_because, codes)
    }};
}

#[test]
fn errors_of_a_diagnostic_keep_their_numbers_and_count_once() {
    let (facts, because, _) = facts!(DcgmDiag, DIAG_V4);
    assert_eq!(because, None);
    assert_eq!(
        (facts.version.as_deref(), facts.driver.as_deref()),
        (Some("4.5.2"), Some("580.82.09"))
    );
    assert_eq!((facts.executed, facts.passed, facts.failed, facts.skipped), (2, 1, 1, 1));
    let software = &facts.tests[0];
    assert_eq!(software.errors.len(), 1);
    assert_eq!((software.errors[0].id, software.errors[0].severity), (Some(29), Some(5)));
    assert_eq!(facts.entities, Some(1));
}

#[test]
fn old_diagnostics_write_warnings_as_text_and_one_even_its_root_as_a_list() {
    for root in [r#"{"test_categories": "#, ""] {
        let end = if root.is_empty() { "" } else { "}" };
        let text = format!("{{\"DCGM GPU Diagnostic\": {root}{DIAG_V3_CATEGORIES}{end}}}");
        let (facts, _, _) = facts!(DcgmDiag, text);
        assert_eq!((facts.executed, facts.failed), (2, 1), "{root}");
        assert_eq!(facts.tests[1].errors[0].text, "library missing");
    }
}

#[test]
fn a_diagnostic_that_skipped_everything_executed_nothing() {
    let text = DIAG_V4.replace("\"Pass\"", "\"Skip\"").replace("\"Fail\"", "\"Skip\"");
    let (facts, _, codes) = facts!(DcgmDiag, text);
    assert_eq!((facts.executed, facts.passed), (0, 0));
    assert!(codes.contains(&"nothing_executed"));
}

#[test]
fn a_diagnostic_that_could_not_run_says_why() {
    let text =
        r#"{"DCGM Diagnostic": {"version": "4.2.3", "runtime_error": "hostengine is gone"}}"#;
    let (facts, because, _) = facts!(DcgmDiag, text);
    assert!(because.unwrap().contains("hostengine is gone") && facts.tests.is_empty());
}

#[test]
fn iterations_of_a_diagnostic_are_taken_together() {
    let fails = DIAG_V4.replace("\"Pass\"", "\"Fail\"");
    let text = format!("{{\"iterations\": [{DIAG_V4}, {fails}], \"Overall Result\": \"Fail\"}}");
    let (facts, _, _) = facts!(DcgmDiag, text);
    assert_eq!((facts.tests.len(), facts.failed), (3, 2));
}

#[test]
fn the_table_of_a_diagnostic_is_read() {
    let (facts, because, _) = facts!(DcgmDiag, DIAG_TABLE);
    assert_eq!(because, None);
    assert_eq!((facts.version.as_deref(), facts.entities), (Some("3.3.5"), Some(2)));
    assert_eq!((facts.executed, facts.passed, facts.failed, facts.skipped), (3, 2, 1, 1));
    let memory = facts.tests.iter().find(|test| test.name == "GPU Memory").unwrap();
    assert_eq!((memory.status, memory.errors.len()), (Some(DiagStatus::Fail), 1));
    assert!(facts!(DcgmDiag, DIAG_TABLE[..DIAG_TABLE.len() - 90]).1.is_some());
}

#[test]
fn units_of_metrics_are_those_of_the_help_text() {
    let (facts, because, _) = facts!(DcgmMetrics, METRICS);
    assert_eq!((because, facts.gpus.len()), (None, 2));
    let metrics = &facts.gpus[0].metrics;
    assert_eq!(metrics["DCGM_FI_DEV_SM_CLOCK"], Some(1410.0));
    assert_eq!(metrics["DCGM_FI_DEV_GPU_UTIL"], Some(0.87));
    assert_eq!(metrics["DCGM_FI_DEV_FB_USED"], Some(2.0));
    assert_eq!(metrics["DCGM_FI_DEV_POWER_VIOLATION"], Some(12.0));
    assert_eq!(metrics["DCGM_FI_DEV_MEMORY_TEMP"], None);
    assert_eq!((facts.gpus[0].xid_last, facts.gpus[1].xid_last), (Some(79), None));
    assert_eq!(facts.gpus[0].model.as_deref(), Some("NVIDIA \"A100\""));
}

#[test]
fn two_scrapes_are_not_mixed() {
    let part = METRICS.lines().filter(|line| !line.contains("gpu=\"1\"")).collect::<Vec<_>>();
    let (facts, _, codes) = facts!(DcgmMetrics, format!("{METRICS}{}\n", part.join("\n")));
    assert!(codes.contains(&"several_documents"));
    assert_eq!(facts.gpus.len(), 2);
}

#[test]
fn jobs_of_fio_add_up_and_the_worst_percentile_counts() {
    let (facts, because, _) = facts!(Fio, fio(2));
    assert_eq!((because, facts.jobs.len()), (None, 2));
    let read = facts.totals.read.unwrap();
    assert_eq!((read.bandwidth_bytes_s, read.iops), (Some(2_097_152.0), Some(512.0)));
    assert_eq!(read.clat_p99_ns, Some(2000.0));
    assert_eq!((&facts.jobs[0].write, facts.jobs[0].direct), (&None, Some(true)));
    assert_eq!(facts.jobs[0].options["bs"], "4k");
}

#[test]
fn what_fio_prints_before_its_json_is_kept_apart() {
    let noise = "fio: pid=7, err=5/file:io_u.c:1896, func=io_u error, error=Input/output error\n\
        note: both iodepth >= 1 and synchronous I/O engine are selected\n";
    let (facts, _, _) = facts!(Fio, format!("{noise}{}", fio(1)));
    assert_eq!((facts.errors.len(), facts.jobs.len()), (1, 1));
    let (facts, because, _) = facts!(Fio, noise);
    assert!(because.is_some() && facts.jobs.is_empty());
}

#[test]
fn of_several_statuses_of_fio_the_last_is_given() {
    let last = fio(1).replace("1048576", "2097152");
    let (facts, _, codes) = facts!(Fio, format!("{}\n{last}", fio(1)));
    assert!(codes.contains(&"several_documents"));
    assert_eq!(facts.totals.read.unwrap().bandwidth_bytes_s, Some(2_097_152.0));
}

#[test]
fn latencies_of_fio_2_are_microseconds() {
    let old = fio(1).replace("fio-3.35", "fio-2.21").replace("clat_ns", "clat");
    let (facts, _, _) = facts!(Fio, old);
    assert_eq!(facts.totals.read.unwrap().clat_p99_ns, Some(1_000_000.0));
}

#[test]
fn errors_of_a_burn_are_added_over_its_summaries() {
    let (facts, because, _) = facts!(GpuBurn, BURN);
    assert_eq!((because, facts.finished, facts.progress_pct), (None, true, Some(100.0)));
    let [good, bad] = &facts.cards[..] else { panic!("two cards") };
    assert_eq!(
        (good.gflops, good.errors, good.verdict),
        (Some(14000.0), Some(0), Some(BurnVerdict::Ok))
    );
    assert_eq!((bad.errors, bad.verdict), (Some(12), Some(BurnVerdict::Faulty)));
    assert_eq!(good.name.as_deref(), Some("NVIDIA A40"));
}

#[test]
fn a_burn_without_its_verdicts_is_cut() {
    for end in ["Tested 2", "\tGPU 1: FAULTY"] {
        let (facts, because, _) = facts!(GpuBurn, BURN[..BURN.find(end).unwrap()]);
        assert!(because.is_some() && !facts.finished, "{end}");
    }
}

#[test]
fn a_burn_that_says_it_tested_fewer_cards_than_it_drew_is_cut() {
    let text = &BURN[..BURN.find("\tGPU 1: FAULTY").unwrap()];
    for count in ["Tested 0 GPUs", "Tested 1 GPUs"] {
        let (facts, because, _) = facts!(GpuBurn, text.replace("Tested 2 GPUs", count));
        assert!(because.is_some() && !facts.finished, "{count}");
    }
}

#[test]
fn a_burn_that_did_no_work_has_no_speed() {
    let text = BURN.replace("512 (14000", "0 (0").replace("1024 (14000", "0 (0");
    assert_eq!(facts!(GpuBurn, text).0.cards[0].gflops, None);
}

#[test]
fn a_counter_that_ran_over_is_not_zero_and_a_dead_card_is_named() {
    let text = BURN.replace("0 - 5 (WARNING!)", "-1 (DIED!)- -524288000  (WARNING!)");
    let (facts, _, codes) = facts!(GpuBurn, text);
    assert!(codes.contains(&"errors_overflowed"));
    assert!(facts.cards[0].died && facts.cards[1].errors > Some(3_000_000_000));
}

#[test]
fn one_fault_is_counted_however_its_address_is_spelled() {
    let (facts, because, codes) = facts!(KernelLog, KERNEL);
    assert_eq!(because, None);
    assert_eq!(facts.xids.len(), 2);
    let off = &facts.xids[0];
    assert_eq!((off.pci.as_deref(), off.xid, off.count), (Some("0000:a1:00"), 79, 3));
    assert_eq!(off.first_at.unwrap().clock().to_string(), "2026-04-05 21:29:39");
    assert!(codes.contains(&"no_zone"));
    let lost: Vec<_> = facts.lost.iter().map(|lost| lost.pci.as_deref()).collect();
    assert_eq!(lost, [Some("0000:a1:00"), Some("0000:b3:00"), Some("0000:81:00")]);
}

#[test]
fn a_kernel_log_without_a_word_of_the_driver_is_one() {
    let text: String =
        (0..5).map(|at| format!("[    {at}.000000] usb 1-{at}: new device\n")).collect();
    let (facts, _, _) = facts!(KernelLog, text);
    assert!(facts.xids.is_empty() && facts.lost.is_empty());
}

#[test]
fn zones_of_a_kernel_log_are_kept() {
    let text =
        "2026-01-21T04:41:44.285060+08:00 node-a kernel: NVRM: Xid (PCI:0000:05:00): 48, DBE\n";
    let (facts, _, codes) = facts!(KernelLog, text);
    assert!(facts.xids[0].first_at.unwrap().has_zone() && !codes.contains(&"no_zone"));
}

#[test]
fn a_peak_of_zero_was_not_measured() {
    let (facts, because, _) = facts!(Perftest, PERFTEST);
    assert_eq!((because, facts.test.as_deref()), (None, Some("RDMA_Write BW Test")));
    assert_eq!((facts.queue_pairs, facts.mtu_bytes), (Some(2), Some(4096)));
    let row = &facts.rows[0];
    assert_eq!((row.bytes, row.average_gbit_s, row.peak_gbit_s), (65536, Some(97.66), None));
    assert!(facts!(Perftest, PERFTEST.trim_end().trim_end_matches('-')).1.is_some());
}

#[test]
fn megabytes_of_perftest_are_mebibytes_and_two_tables_stay_apart() {
    let second = PERFTEST.replace("Gb/sec", "MB/sec").replace("97.66", "1000.00");
    let (facts, _, codes) = facts!(Perftest, format!("{PERFTEST}{second}"));
    assert!(codes.contains(&"several_runs") && codes.contains(&"rate_disagrees"));
    let average = facts.rows[0].average_gbit_s.unwrap();
    assert!(facts.rows.len() == 1 && (average - 8.388_608).abs() < 1e-9);
}

#[test]
fn figures_of_perftest_without_a_unit_are_refused() {
    let text = r#"{"results": {"MsgSize": 65536, "BW_average": 97.66}}"#;
    assert_eq!(read(Kind::Perftest, text.as_bytes()).unwrap_err().code(), "no_unit");
}

#[test]
fn the_zero_of_the_side_that_cannot_know_is_no_reading() {
    let (facts, because, _) = facts!(Iperf3, iperf3(0));
    assert_eq!((because, facts.received_gbit_s), (None, None));
    assert_eq!(
        (facts.sent_gbit_s, facts.retransmits, facts.seconds),
        (Some(94.0), Some(3), Some(30.0))
    );
    assert_eq!(facts!(Iperf3, iperf3(93_000_000_000)).0.received_gbit_s, Some(93.0));
}

#[test]
fn a_connection_that_failed_has_an_error_and_no_figures() {
    let text = r#"{"start": {"connected": [], "version": "iperf 3.9"}, "intervals": [], "end": {}, "error": "no route"}"#;
    let (facts, because, _) = facts!(Iperf3, text);
    assert!(because.is_some());
    assert_eq!((facts.error.as_deref(), facts.sent_gbit_s), (Some("no route"), None));
}

#[test]
fn text_after_the_json_and_a_second_copy_do_no_harm() {
    let once = iperf3(93_000_000_000);
    let text = format!("{once}{once}\niperf3: error - control socket has closed\n");
    let (facts, because, codes) = facts!(Iperf3, text);
    assert!(because.is_none() && codes.contains(&"several_documents"));
    assert_eq!(facts.error.as_deref(), Some("control socket has closed"));
}

#[test]
fn the_stream_of_events_of_iperf3_is_put_together() {
    let document: serde_json::Value = serde_json::from_str(&iperf3(93_000_000_000)).unwrap();
    let event = |name: &str| format!("{{\"event\":\"{name}\",\"data\":{}}}\n", document[name]);
    let (facts, because, _) = facts!(Iperf3, event("start") + &event("end"));
    assert_eq!((because, facts.received_gbit_s), (None, Some(93.0)));
    assert!(facts!(Iperf3, event("start")).1.is_some());
}

#[test]
fn a_valid_result_keeps_its_error_beside_it() {
    let (facts, because, _) = facts!(Mlperf, MLPERF);
    assert_eq!(because, None);
    assert_eq!(
        (facts.result, facts.errors, facts.warnings),
        (Some(MlperfResult::Valid), Some(1), Some(0))
    );
    let metric = facts.metric.unwrap();
    assert_eq!(
        (metric.value, metric.tokens_s, metric.unit.as_str()),
        (Some(114.7), Some(34520.4), "samples/s")
    );
    assert!(!facts.constraints["min_queries"]);
    assert!(facts.constraints["early_stopping"]);
    assert!(facts!(Mlperf, MLPERF[..MLPERF.find("1 ERROR").unwrap()]).1.is_some());
}

#[test]
fn a_run_for_accuracy_has_no_result() {
    let text = "\nNo warnings encountered during test.\n\nNo errors encountered during test.\n";
    let (facts, because, _) = facts!(Mlperf, text);
    assert!(because.is_some() && facts.result.is_none());
    assert_eq!(facts.errors, Some(0));
}

#[test]
fn a_result_that_is_no_number_is_null() {
    let (facts, _, _) = facts!(Mlperf, MLPERF.replace("114.7", "-nan"));
    assert_eq!(facts.metric.unwrap().value, None);
}
