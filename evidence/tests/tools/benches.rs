//! The forms and traps of nccl-tests and `vllm bench serve`.

use sixgate_evidence::{Document, Facts, Kind, LlmBench, NcclTests, RanksFrom, read, read_auto};

const TABLE: &str = "\
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
   536870912     134217728     float     sum      -1   3355.4  160.00  274.28      0   3355.4  160.00  274.28      0
  1073741824     268435456     float     sum      -1   6316.1  170.00  291.43      0   6279.2  171.00  293.14    N/A
";
const FOOTER: &str = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 283.283 \n";

fn devices(count: u32) -> String {
    let line = |rank| {
        format!(
            "#  Rank {rank:2} Group  0 Pid {} on  node-a device {rank:2} [0000:04:00] NVIDIA H100\n",
            100 + rank
        )
    };
    (0..count).map(line).collect()
}

fn header() -> String {
    "# nThread 1 nGpus 8 minBytes 536870912 maxBytes 1073741824 step: 2(factor)\n".to_owned()
}

fn nccl(text: &str) -> (NcclTests, Document) {
    let document = read(Kind::NcclTests, text.as_bytes()).unwrap();
    let Facts::NcclTests(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

fn has(document: &Document, code: &str) -> bool {
    document.warnings.iter().any(|warning| warning.code == code)
}

#[test]
fn seven_of_eight_ranks_show_in_the_ratio() {
    let (facts, _) = nccl(&(TABLE.to_owned() + FOOTER));
    assert_eq!((facts.ranks, facts.ranks_from), (Some(7), Some(RanksFrom::Ratio)));
    let (facts, document) = nccl(&(header() + &devices(8) + TABLE + FOOTER));
    assert_eq!((facts.ranks, facts.ranks_from), (Some(8), Some(RanksFrom::Devices)));
    assert!(has(&document, "ranks_disagree"));
}

#[test]
fn the_end_marker_alone_makes_a_run_complete() {
    let (facts, document) = nccl(&(header() + &devices(7) + TABLE + FOOTER));
    assert!(document.complete);
    assert_eq!((facts.avg_busbw_gb_s, facts.peak_busbw_gb_s), (Some(283.283), Some(293.14)));
    assert_eq!(
        (facts.peak_size_bytes, facts.rows[1].in_place.as_ref().unwrap().wrong),
        (Some(1_073_741_824), None)
    );
    let (facts, document) = nccl(&(header() + &devices(7) + TABLE));
    assert!(!document.complete && document.incomplete_because.is_some());
    assert_eq!((facts.rows.len(), facts.avg_busbw_gb_s), (2, None));
}

#[test]
fn old_tables_without_root_are_read() {
    let old = "#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error\n\
        1048576 262144 float sum 50.00 20.97 36.70 5e-07 50.00 20.97 36.70 5e-07\n";
    let (facts, _) = nccl(&(old.to_owned() + FOOTER));
    assert_eq!(facts.rows[0].out_of_place.busbw_gb_s, Some(36.70));
    assert_eq!(facts.rows[0].out_of_place.wrong, None);
}

#[test]
fn two_runs_are_not_mixed() {
    let cut = header() + &devices(8) + TABLE;
    let (facts, document) = nccl(&(cut + &header() + &devices(7) + TABLE + FOOTER));
    assert!(document.complete && has(&document, "several_runs"));
    assert_eq!((facts.ranks, facts.rows.len()), (Some(7), 2));
}

#[test]
fn one_rank_has_no_bandwidth() {
    let row = "1048576 262144 float sum -1 5.00 209.72 0.00 0 5.00 209.72 0.00 0\n";
    let (facts, document) = nccl(&(header() + &devices(1) + row + "# Avg bus bandwidth    : 0\n"));
    assert_eq!((facts.peak_busbw_gb_s, facts.avg_busbw_gb_s), (None, None));
    assert!(has(&document, "single_rank"));
}

#[test]
fn launcher_prefixes_do_not_hide_the_table() {
    let text: String = (header() + &devices(7) + TABLE + FOOTER)
        .lines()
        .map(|line| format!("[1,0]<stdout>:{line}\r\n"))
        .collect();
    let (facts, document) = nccl(&text);
    assert!(document.complete && has(&document, "prefix_stripped"));
    assert_eq!(facts.rows.len(), 2);
}

const VLLM: &str = r#"{"backend": "vllm", "model_id": "example/Chat-9B", "num_prompts": 50, "request_rate": "inf", "duration": 20.0, "completed": 49, "failed": 1, "total_input_tokens": 500, "total_output_tokens": 900, "request_throughput": 2.45, "output_throughput": 45.0, "total_token_throughput": 70.0, "mean_ttft_ms": 80.5, "p99_ttft_ms": 190.25, "mean_itl_ms": NaN, "itls": [[0.1, 0.2]]}"#;

fn vllm(text: &str) -> (LlmBench, Document) {
    let document = read_auto(text.as_bytes()).unwrap();
    let Facts::LlmBench(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

#[test]
fn a_result_inside_a_log_is_found() {
    let (facts, document) = vllm(&format!("INFO start {{'x'}}\n100%|###| 50/50\r\n{VLLM}\ndone\n"));
    assert!(document.complete);
    assert_eq!((facts.issued, facts.completed, facts.failed), (Some(50), Some(49), Some(1)));
    assert_eq!(
        (facts.request_rate, facts.ttft_ms.p99, facts.ttft_ms.p90),
        (None, Some(190.25), None)
    );
    assert_eq!(facts.itl_ms.mean, None);
}

#[test]
fn a_run_without_a_success_has_no_latencies() {
    let (facts, document) = vllm(&VLLM.replace("\"completed\": 49", "\"completed\": 0"));
    assert_eq!((facts.completed, facts.ttft_ms.mean, facts.ttft_ms.p99), (Some(0), None, None));
    assert!(has(&document, "no_success"));
}

#[test]
fn a_cut_result_is_read_as_incomplete() {
    let (facts, document) = vllm(&VLLM[..VLLM.len() - 60]);
    assert!(!document.complete);
    assert_eq!(facts.completed, Some(49));
}

#[test]
fn of_two_appended_results_the_last_is_given() {
    let second = VLLM.replace("\"completed\": 49", "\"completed\": 48");
    let (facts, document) = vllm(&format!("{VLLM}\n{second}\n"));
    assert_eq!(facts.completed, Some(48));
    assert!(has(&document, "several_documents"));
}

#[test]
fn results_of_sglang_have_no_failures_and_unlimited_is_no_rate() {
    let (facts, document) = vllm(crate::fixtures::SGLANG);
    assert!(document.complete);
    assert_eq!((facts.tool.as_str(), facts.completed), ("sglang", Some(320)));
    assert_eq!((facts.issued, facts.failed, facts.request_rate), (None, None, None));
    assert_eq!(facts.e2e_ms.mean, Some(3901.5));
}

#[test]
fn the_command_says_how_many_requests_were_issued() {
    let (facts, document) = vllm(crate::fixtures::SERVING_TEXT);
    assert!(document.complete);
    assert_eq!((facts.issued, facts.completed), (Some(3000), Some(1648)));
    assert_eq!((facts.model.as_deref(), facts.tool.as_str()), (Some("example/Chat-9B"), "sglang"));
    assert_eq!((facts.total_tokens_s, facts.ttft_ms.p99), (Some(4081.34), Some(90294.80)));
    let bar = "100%|████| 100/100 [00:02<00:00, 34.85it/s]\n";
    let text = crate::fixtures::SERVING_TEXT.lines().skip(1).collect::<Vec<_>>().join("\n");
    assert_eq!(vllm(&format!("{bar}{text}\n")).0.issued, Some(100));
}

#[test]
fn units_of_aiperf_are_read_and_never_assumed() {
    let (facts, document) = vllm(crate::fixtures::AIPERF);
    assert!(document.complete);
    assert_eq!((facts.ttft_ms.mean, facts.ttft_ms.p99), (Some(44.0), Some(48.0)));
    assert_eq!((facts.issued, facts.failed, facts.duration_s), (Some(82), Some(2), Some(320.0)));
    assert_eq!((facts.model.as_deref(), facts.max_concurrency), (Some("example/Chat-9B"), Some(4)));
    let (facts, document) = vllm(&crate::fixtures::AIPERF.replace("\"ns\"", "\"ticks\""));
    assert_eq!(facts.ttft_ms.mean, None);
    assert!(has(&document, "unit_unknown"));
    let cancelled =
        crate::fixtures::AIPERF.replace("\"was_cancelled\": false", "\"was_cancelled\": true");
    assert!(!vllm(&cancelled).1.complete);
}

#[test]
fn the_json_of_nccl_tests_is_read() {
    let (facts, document) = nccl(crate::fixtures::NCCL_JSON);
    assert!(document.complete);
    assert_eq!((facts.collective.as_deref(), facts.ranks), (Some("all_reduce"), Some(2)));
    assert_eq!(facts.hosts, ["node-a"]);
    assert_eq!(facts.rows[0].in_place.as_ref().unwrap().busbw_gb_s, None);
    assert_eq!((facts.peak_busbw_gb_s, facts.out_of_bounds), (Some(10.66), Some(0)));
    let open = &crate::fixtures::NCCL_JSON
        [..crate::fixtures::NCCL_JSON.find("\"out_of_bounds\"").unwrap()];
    assert!(!nccl(open).1.complete);
}

#[test]
fn tags_in_the_middle_and_times_before_a_row_are_taken_off() {
    let row = TABLE.lines().nth(2).unwrap();
    for changed in [row.replace("float", "[0] float"), format!("2026-05-01 09:15:10 {row}")] {
        let (facts, _) = nccl(&TABLE.replace(row, &changed));
        assert_eq!(facts.rows.len(), 2, "{changed}");
    }
}

#[test]
fn processes_that_print_into_one_another_are_noticed() {
    let (_, document) = nccl(&(header() + &devices(1) + &devices(1) + TABLE + FOOTER));
    assert!(has(&document, "ranks_repeated"));
}
