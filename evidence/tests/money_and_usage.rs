//! The forms and traps of quotes, bills, usage and the brief.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use sixgate_evidence::{
    Basis, BetweenNodes, Bill, Brief, Document, Estimate, Facts, Kind, Load, Quote, Unit, Usage,
    Use, read, read_auto,
};

fn document(kind: Kind, text: &str) -> Document {
    read(kind, text.as_bytes()).unwrap()
}

fn has(document: &Document, code: &str) -> bool {
    document.warnings.iter().any(|warning| warning.code == code)
}

const QUOTE: &str = "row,key,value,unit,quantity,note\nquote,supplier,测试云,,,\nquote,currency,CNY,,,\n\
    line,A40,\"1,280.50\",card-month,4,reserved: 三个月起\nlist,A40,1600,card-month,,\n\
    answer,exclusive,独占,,,\nanswer,bandwidth,待定,,,\n";

fn quote(text: &str) -> (Quote, Document) {
    let document = document(Kind::Quote, text);
    let Facts::Quote(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

#[test]
fn a_quote_keeps_exact_prices_and_names_what_is_missing() {
    let (facts, _) = quote(QUOTE);
    let line = &facts.lines[0];
    assert_eq!((line.unit_price.to_string().as_str(), line.unit), ("1280.50", Unit::CardMonth));
    assert_eq!((line.basis, line.note.as_deref()), (Some(Basis::Reserved), Some("三个月起")));
    assert_eq!(line.list_price.unwrap().to_string(), "1600");
    assert_eq!(facts.missing.len(), 6);
    assert!(facts.missing.contains(&"bandwidth".to_owned()));
}

#[test]
fn a_quote_saved_by_chinese_excel_is_read() {
    let (bytes, _, _) = encoding_rs::GB18030.encode(QUOTE);
    assert_eq!(read_auto(&bytes).unwrap().facts, document(Kind::Quote, QUOTE).facts);
}

#[test]
fn a_price_that_is_no_number_is_refused_with_its_place() {
    let refused = read(Kind::Quote, QUOTE.replace("1600", "面议").as_bytes()).unwrap_err();
    assert_eq!(
        (refused.code(), refused.line(), refused.field()),
        ("bad_value", Some(5), Some("value"))
    );
}

const BILL: &str = "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,InvoiceId,PricingCurrency,ProviderName,x_GpuCount\n\
    951.6568199999999,951.6568199999999,CNY,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,NULL,2026-04-01T00:00:00Z,2026-04-02T00:00:00Z,24,Hours,A-1,CNY,测试云,4\n\
    35.2E-7,0,CNY,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,Tax,,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,,,A-1,CNY,测试云,\n\
    -10,-10,CNY,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,Credit,Correction,2026-03-01T00:00:00Z,2026-04-01T00:00:00Z,null,,A-2,CNY,测试云,\n";

fn bill(text: &str) -> (Bill, Document) {
    let document = document(Kind::Bill, text);
    let Facts::Bill(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

#[test]
fn a_bill_is_summed_exactly() {
    let (facts, document) = bill(&BILL.replace('\n', "\r\n"));
    assert!(document.complete);
    assert_eq!(facts.format_version.as_deref(), Some("1.2"));
    assert_eq!(facts.billed.unwrap().to_string(), "941.6568235199999");
    assert_eq!(facts.tax.unwrap().to_string(), "0.00000352");
    assert_eq!(
        (facts.corrections, facts.corrections_billed.unwrap().to_string()),
        (1, "-10".to_owned())
    );
    assert_eq!((facts.card_hours, facts.invoices.len()), (Some(96.0), 2));
}

#[test]
fn unlike_currencies_are_never_added() {
    let (facts, document) =
        bill(&BILL.replace("0,0,CNY", "0,0,USD").replacen("35.2E-7,0,CNY", "35.2E-7,0,USD", 1));
    assert_eq!((facts.billed, facts.currency), (None, None));
    assert_eq!(facts.currencies, ["CNY", "USD"]);
    assert!(has(&document, "several_currencies"));
}

#[test]
fn no_card_column_means_no_card_hours() {
    assert_eq!(bill(&BILL.replace("x_GpuCount", "x_Other")).0.card_hours, None);
}

#[test]
fn a_cut_row_and_an_unreadable_amount_leave_a_bill_incomplete() {
    let (facts, document) = bill(&BILL[..BILL.len() - 40]);
    assert!(!document.complete && facts.rows == 2);
    let (_, document) = bill(&BILL.replace("35.2E-7", "many"));
    assert!(!document.complete && has(&document, "bad_number"));
}

#[test]
fn an_american_date_is_not_guessed() {
    let (facts, document) = bill(&BILL.replace("2026-04-01T00:00:00Z", "4/1/26"));
    assert_eq!(facts.period_start, None);
    assert!(has(&document, "bad_time"));
}

fn series(uuid: &str, points: &str) -> String {
    format!(
        r#"{{"metric": {{"__name__": "DCGM_FI_DEV_GPU_UTIL", "UUID": "{uuid}"}}, "values": [{points}]}}"#
    )
}

fn usage(series: &[String]) -> (Usage, Document) {
    let joined = series.join(", ");
    let text = format!(
        r#"{{"status": "success", "data": {{"resultType": "matrix", "result": [{joined}]}}}}"#
    );
    let document = document(Kind::Usage, &text);
    let Facts::Usage(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

#[test]
fn gaps_and_blanks_are_unknown_not_idle() {
    let points =
        r#"[0, "50"], [3600, "0"], [7200, "NaN"], [14400, "9223372036854775794"], [18000, "100"]"#;
    let (facts, document) = usage(&[series("GPU-a", points)]);
    assert_eq!((facts.used_card_hours, facts.busy_card_hours), (Some(1.5), Some(2.0)));
    assert_eq!((facts.idle_card_hours, facts.unknown_card_hours), (Some(1.0), Some(3.0)));
    assert_eq!(facts.allocated_card_hours, None);
    assert!(has(&document, "impossible_value"));
}

#[test]
fn a_share_of_the_engine_is_read_where_there_is_no_utilisation() {
    let share = |name: &str| {
        series("GPU-a", r#"[0, "0.5"], [3600, "0"]"#).replace("DCGM_FI_DEV_GPU_UTIL", name)
    };
    let (facts, _) = usage(&[share("DCGM_FI_PROF_GR_ENGINE_ACTIVE")]);
    assert_eq!((facts.used_card_hours, facts.idle_card_hours), (Some(0.5), Some(1.0)));
    let both =
        [series("GPU-a", r#"[0, "20"], [3600, "0"]"#), share("DCGM_FI_PROF_GR_ENGINE_ACTIVE")];
    let (facts, document) = usage(&both);
    assert_eq!(facts.used_card_hours, Some(0.2));
    assert!(has(&document, "other_metric"));
}

#[test]
fn a_card_in_two_series_counts_once() {
    let first = series("GPU-a", r#"[0, "10"], [60, "10"]"#);
    let second = series("GPU-a", r#"[60, "30"], [120, "30"]"#);
    let (facts, _) = usage(&[first, second]);
    assert_eq!((facts.cards, facts.series), (Some(1), 2));
    assert!((facts.busy_card_hours.unwrap() - 0.05).abs() < 1e-12);
}

#[test]
fn an_error_of_prometheus_is_refused() {
    let text = r#"{"status": "error", "errorType": "timeout", "error": "query timed out"}"#;
    assert_eq!(read(Kind::Usage, text.as_bytes()).unwrap_err().code(), "prometheus_error");
}

fn brief(text: &str) -> (Brief, Document) {
    let document = document(Kind::Brief, text);
    let Facts::Brief(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

#[test]
fn a_brief_gives_ranges_approximations_and_open_points() {
    let (facts, document) = brief(include_str!("fixtures/brief.txt"));
    assert_eq!(facts.r#use, Estimate::known(Use::OnlineInference));
    assert_eq!(facts.model.parameters_b, Estimate::known(70.0));
    assert!(has(&document, "approximate"));
    assert_eq!(facts.model.tensor_parallel, Estimate::known(8));
    assert_eq!(facts.cards.total, Estimate::range(8, 16));
    assert_eq!(
        facts.cards.substitutes,
        Estimate::known(vec!["A800".to_owned(), "H200".to_owned()])
    );
    assert_eq!(facts.interconnect.between_nodes, Estimate::known(BetweenNodes::Infiniband));
    assert_eq!(facts.interconnect.bandwidth_gbit_s, Estimate::known(400.0));
    assert_eq!(facts.storage.dataset_gib, Estimate::tbd("待定"));
    assert_eq!(
        (facts.term.months, facts.term.load),
        (Estimate::known(12.0), Estimate::known(Load::Steady))
    );
    assert_eq!(facts.term.utilisation_pct, Estimate::range(60.0, 70.0));
    assert_eq!(facts.missing, ["region", "contact"]);
}

#[test]
fn order_blank_lines_and_width_do_not_matter() {
    let text = include_str!("fixtures/brief.txt");
    let half = text
        .replace('【', "[")
        .replace('】', "]")
        .replace('，', ", ")
        .replace('；', "; ")
        .replace('（', "(")
        .replace('）', ")");
    let turned: Vec<&str> = half.lines().rev().collect();
    assert_eq!(brief(&turned.join("\n\n\n")).0, brief(text).0);
}

#[test]
fn english_headings_are_read() {
    let text = "[Use] training\n[Model] 7B-13B, BF16, TP 2\n[Cards] card model: A100 80GB, total 16 cards, 8 per node\n\
        [Interconnect] NVLink, RoCE between nodes\n[Term] start 2026-05-01, 3 months, bursty\n[Region] TBD\n";
    let (facts, _) = brief(text);
    assert_eq!(facts.r#use, Estimate::known(Use::Training));
    assert_eq!(facts.model.parameters_b, Estimate::range(7.0, 13.0));
    assert_eq!(facts.cards.model, Estimate::known("A100 80GB".to_owned()));
    assert_eq!(
        (facts.cards.total, facts.cards.per_node),
        (Estimate::known(16), Estimate::known(8))
    );
    assert_eq!(facts.interconnect.between_nodes, Estimate::known(BetweenNodes::Roce));
    assert_eq!(facts.region, Estimate::tbd("TBD"));
}

#[test]
fn any_use_stays_open() {
    for text in ["【用途】都行", "【用途】微调或在线推理"] {
        let (facts, document) = brief(text);
        assert!(facts.r#use.is_tbd() && has(&document, "use_not_one"), "{text}");
    }
}

#[test]
fn each_end_of_a_range_has_its_own_unit() {
    let (facts, _) = brief("【模型与并行】时延 500ms~2s，并发 800-1k，上下文 8K-32K\n");
    assert_eq!(facts.model.latency_ms, Estimate::range(500.0, 2000.0));
    assert_eq!(facts.model.context_tokens, Estimate::range(8192, 32_768));
}

#[test]
fn a_month_is_a_range_of_days_and_no_duration() {
    for text in ["【周期与负载】2026年4月起，三个月", "【周期与负载】2026-04，预留3个月"]
    {
        let (facts, _) = brief(text);
        let day = |day| chrono::NaiveDate::from_ymd_opt(2026, 4, day).unwrap();
        assert_eq!(facts.term.start, Estimate::range(day(1), day(30)), "{text}");
        assert_eq!(facts.term.months, Estimate::known(3.0), "{text}");
    }
    assert!(brief("【周期与负载】4月起租\n").0.term.months.is_tbd());
}

#[test]
fn numerals_in_characters_and_a_bare_share_are_read() {
    let (facts, _) = brief("【周期与负载】一年半，平稳，60%～70%\n【卡型与数量】H100，共十六张\n");
    assert_eq!(facts.term.months, Estimate::known(18.0));
    assert_eq!(facts.term.utilisation_pct, Estimate::range(60.0, 70.0));
    assert_eq!(facts.cards.total, Estimate::known(16));
}

#[test]
fn what_is_not_acceptable_is_no_substitute() {
    let (facts, _) =
        brief("【卡型与数量】期望 H100 80GB，可接受 H800 或 A800，不接受 4090；总卡数待定\n");
    assert_eq!(facts.cards.model, Estimate::known("H100 80GB".to_owned()));
    assert_eq!(
        facts.cards.substitutes,
        Estimate::known(vec!["H800".to_owned(), "A800".to_owned()])
    );
    assert!(facts.cards.total.is_tbd());
}

#[test]
fn a_contact_is_parted_by_strokes_too() {
    let (facts, _) = brief("【联系人】王五 / 算法三组 / 工作日上午\n");
    assert_eq!(facts.contact.name, Estimate::known("王五".to_owned()));
    assert_eq!(facts.contact.team, Estimate::known("算法三组".to_owned()));
}
