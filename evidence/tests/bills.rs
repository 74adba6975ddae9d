//! The bills of each supplier, and the traps of their exports.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use rust_decimal::Decimal;
use sixgate_evidence::{
    Bill, BillProfile, Document, Facts, Kind, Refused, read, read_auto, read_bill, stream_bill,
};

fn bill(text: &str) -> (Bill, Document) {
    opened(read_auto(text.as_bytes()).unwrap())
}

fn opened(document: Document) -> (Bill, Document) {
    let Facts::Bill(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

fn by_profile(profile: &str, text: &str) -> Result<(Bill, Document), Refused> {
    read_bill(text.as_bytes(), &BillProfile::from_toml(profile).unwrap()).map(opened)
}

fn has(document: &Document, code: &str) -> bool {
    document.warnings.iter().any(|warning| warning.code == code)
}

fn shown(amount: Option<Decimal>) -> Option<String> {
    amount.map(|amount| amount.to_string())
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn period(bill: &Bill) -> (String, String) {
    let clock = |moment: Option<sixgate_evidence::Moment>| moment.unwrap().clock().to_string();
    (clock(bill.period_start), clock(bill.period_end))
}

const CUR: &str = "identity/LineItemId,bill/InvoiceId,bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/UsageType,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost,pricing/unit,reservation/EffectiveCost,reservation/UnusedAmortizedUpfrontFeeForBillingPeriod,reservation/UnusedRecurringFee,reservation/ReservationARN,savingsPlan/TotalCommitmentToDate,savingsPlan/UsedCommitment,savingsPlan/SavingsPlanEffectiveCost\n";

fn cur(rows: &[(&str, &str, &str)]) -> String {
    let row = |(kind, cost, rest): &(&str, &str, &str)| {
        format!(
            "id,,2026-03-01T00:00:00.000Z,2026-04-01T00:00:00.000Z,{kind},2026-03-02T00:00:00Z,2026-03-02T01:00:00Z,USE1-BoxUsage:p5.48xlarge,1,USD,{cost},Hrs,{rest}\n"
        )
    };
    CUR.to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn aws_costs_are_amortised_by_the_type_of_the_line() {
    let (facts, _) = bill(&cur(&[
        ("Usage", "55.04", ",,,,,,"),
        ("SavingsPlanCoveredUsage", "55.04", ",,,,,,40"),
        ("SavingsPlanNegation", "-55.04", ",,,,,,"),
        ("SavingsPlanRecurringFee", "50", ",,,,50,40,"),
        ("DiscountedUsage", "0", "30,,,arn:r,,,"),
        ("RIFee", "33", ",1,2,arn:r,,,"),
        ("Fee", "1000", ",,,arn:r,,,"),
        ("Tax", "6", ",,,,,,"),
        ("Credit", "-5", ",,,,,,"),
        ("Refund", "-2", ",,,,,,"),
    ]));
    assert_eq!(
        (facts.format.as_str(), facts.format_version.as_deref()),
        ("aws-cur", Some("legacy"))
    );
    assert_eq!(shown(facts.billed), some("1137.04"));
    assert_eq!(shown(facts.effective), some("137.04"));
    assert_eq!((shown(facts.tax), shown(facts.credits)), (some("6"), some("-5")));
    assert_eq!((facts.corrections, shown(facts.corrections_billed)), (1, some("-2")));
    assert_eq!(
        period(&facts),
        ("2026-03-01 00:00:00".to_owned(), "2026-04-01 00:00:00".to_owned())
    );
    assert!(facts.invoices.is_empty());
}

#[test]
fn hours_of_machines_become_card_hours_by_a_profile_only() {
    let text = cur(&[
        ("Usage", "55.04", ",,,,,,"),
        ("SavingsPlanCoveredUsage", "55.04", ",,,,,,40"),
        ("SavingsPlanNegation", "-55.04", ",,,,,,"),
    ]);
    assert_eq!(bill(&text).0.card_hours, None);
    let profile = "[cards]\ncolumn = \"lineItem/UsageType\"\nrule = [{ contains = \"p5.48xlarge\", cards = 8 }]\n";
    // The negation repeats hours that count once.
    assert_eq!(by_profile(profile, &text).unwrap().0.card_hours, Some(16.0));
}

#[test]
fn the_second_spelling_of_aws_and_its_net_costs_are_read() {
    let text = "line_item_line_item_type,line_item_unblended_cost,line_item_net_unblended_cost,line_item_currency_code,bill_billing_period_start_date,bill_billing_period_end_date\n\
        Usage,10,8,USD,2026-03-01 00:00:00,2026-04-01 00:00:00\nUsage,10,,USD,2026-03-01 00:00:00,2026-04-01 00:00:00\n";
    let (facts, document) = bill(text);
    assert_eq!(facts.format_version.as_deref(), Some("2.0"));
    assert_eq!((shown(facts.billed), shown(facts.effective)), (some("18"), some("18")));
    assert!(has(&document, "no_zone"));
}

#[test]
fn a_column_of_amortisation_that_the_file_leaves_out_is_missing_not_zero() {
    let text = "line_item_line_item_type,line_item_unblended_cost,line_item_currency_code\nDiscountedUsage,0,USD\n";
    let (facts, document) = bill(text);
    assert_eq!((shown(facts.billed), facts.effective), (some("0"), None));
    assert!(has(&document, "amount_missing"));
}

const AZURE: &str = "BillingPeriodStartDate,BillingPeriodEndDate,Date,MeterId,Quantity,Cost,BillingCurrency,UnitOfMeasure,ChargeType,PricingModel,Product\n";

fn azure(rows: &[&str]) -> String {
    let row = |rest: &&str| format!("09/01/2023,09/30/2023,9/2/2023,m-1,{rest}\n");
    AZURE.to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn azure_dates_are_month_first_and_the_last_day_is_in() {
    let text = azure(&[
        "1,5.64902E-05,USD,1 Hour,Usage,OnDemand,A",
        "1,100,USD,1 Hour,Purchase,Reservation,R",
        "1,-3,USD,1 Hour,Refund,OnDemand,A",
    ]);
    let (facts, document) = bill(&format!("\u{feff}{text}"));
    assert_eq!(facts.format, "azure");
    assert_eq!(
        period(&facts),
        ("2023-09-01 00:00:00".to_owned(), "2023-10-01 00:00:00".to_owned())
    );
    assert_eq!((shown(facts.billed), facts.effective), (some("97.0000564902"), None));
    assert_eq!((facts.tax, facts.credits, facts.corrections), (None, None, 1));
    assert!(has(&document, "inclusive_end"));
}

#[test]
fn amortised_costs_of_azure_are_on_no_invoice() {
    let (facts, document) = bill(&azure(&[
        "1,4,USD,1 Hour,Usage,Reservation,A",
        "1,2,USD,1 Hour,UnusedReservation,Reservation,R",
        "1,3,USD,1 Hour,Usage,OnDemand,B",
    ]));
    assert_eq!((facts.billed, shown(facts.effective)), (None, some("9")));
    assert!(has(&document, "amortised"));
    let (facts, document) =
        bill(&azure(&["1,4,USD,1 Hour,Usage,Reservation,A", "1,100,USD,1,Purchase,Reservation,R"]));
    assert_eq!((facts.billed, facts.effective), (None, None));
    assert!(has(&document, "actual_and_amortised"));
}

#[test]
fn hours_counted_in_hundreds_are_multiplied() {
    let profile = "[cards]\ncolumn = \"Product\"\nrule = [{ contains = \"ND96\", cards = 8 }]\n";
    let text = azure(&[
        "2,10,USD,100 Hours,Usage,OnDemand,ND96 v5",
        "5,1,USD,10K,Usage,OnDemand,ND96 calls",
        "9,1,USD,1 Hour,Usage,OnDemand,D2",
    ]);
    assert_eq!(by_profile(profile, &text).unwrap().0.card_hours, Some(1600.0));
}

#[test]
fn oci_has_no_period_but_intervals_and_marks_corrections() {
    let text = "lineItem/referenceNo,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,usage/billedQuantity,cost/myCost,cost/myCostOverage,cost/currencyCode,cost/skuUnitDescription,lineItem/isCorrection,lineItem/backreferenceNo\r\n\
        a,2026-03-13T10:00Z,2026-03-13T11:00:00Z,1,2.323760000E-9,,USD,Hours,false,\r\n\
        b,2026-03-13T07:00Z,2026-03-13T08:00:00Z,1,-0.5,0.25,USD,Hours,true,a\r\n";
    let (facts, document) = bill(text);
    assert_eq!(facts.format, "oci");
    assert_eq!(
        period(&facts),
        ("2026-03-13 07:00:00".to_owned(), "2026-03-13 11:00:00".to_owned())
    );
    assert_eq!((facts.corrections, shown(facts.corrections_billed)), (1, some("-0.5")));
    assert_eq!((facts.tax, facts.effective), (None, None));
    assert!(has(&document, "period_of_charges") && has(&document, "cost_beside"));
}

const ALIBABA: &str = "账期,财务单元,产品Code,消费时间,账单开始时间,账单结束时间,账单类型,用量,用量单位,优惠金额,应付金额,代金券抵扣\n";

#[test]
fn an_alibaba_bill_is_of_its_month_and_its_totals_row_is_not_added() {
    let rows = "2026-12,,ecs,2026-12-03 05:00:00,2026-12-03 04:00:00,2026-12-03 05:00:00,云资源按量费用,1,小时,1.20,\"1,010.80\",5\n\
        2026-12,,ecs,2026-12-04 05:00:00,2026-12-04 04:00:00,2026-12-04 05:00:00,退款-退订,1,小时,,-10,\n";
    for totals in ["合计,,,,,,,,,,1000.80,\n", ",,,,,,,,,,1000.80,\n", "总计：,1000.80\n"] {
        let (facts, document) = bill(&format!("{ALIBABA}{rows}{totals}"));
        assert_eq!((facts.rows, shown(facts.billed)), (2, some("1000.8")), "{totals}");
        assert_eq!(facts.currency.as_deref(), Some("CNY"));
        assert_eq!(
            period(&facts),
            ("2026-12-01 00:00:00".to_owned(), "2027-01-01 00:00:00".to_owned())
        );
        assert_eq!((facts.corrections, facts.card_hours), (1, None));
        assert!(document.complete && has(&document, "totals_row") && has(&document, "no_zone"));
    }
    let (gbk, _, _) = encoding_rs::GB18030.encode(ALIBABA);
    let mut bytes = gbk.into_owned();
    bytes.extend_from_slice(&encoding_rs::GB18030.encode(rows).0);
    assert_eq!(opened(read_auto(&bytes).unwrap()).0.rows, 2);
}

#[test]
fn the_english_form_of_alibaba_is_read() {
    let text = "BillingCycle,UsageStartTime,UsageEndTime,Item,PretaxGrossAmount,PretaxAmount,Currency\n\
        2026-02,2026-02-03 04:00:00,2026-02-03 05:00:00,PayAsYouGoBill,12,10.8,CNY\n2026-02,,,Adjustment,,-0.8,CNY\n";
    let (facts, _) = bill(text);
    assert_eq!((shown(facts.billed), facts.corrections), (some("10"), 1));
}

const FOCUS: &str = "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit\n";

fn focus(rows: &[&str]) -> String {
    FOCUS.to_owned() + &rows.iter().map(|row| format!("{row}\n")).collect::<String>()
}

const FOCUS_ROW: &str = "1,2,USD,2026-04-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,,2026-04-01T00:00:00Z,2026-04-01T01:00:00Z,1,Hours";

#[test]
fn a_cost_that_is_null_is_missing_and_not_zero() {
    let (facts, document) = bill(&focus(&[&FOCUS_ROW.replace("1,2,USD", "NULL,,USD")]));
    assert_eq!((facts.billed, facts.effective), (None, None));
    assert!(has(&document, "amount_missing"));
    let (facts, _) = bill(&focus(&[FOCUS_ROW, &FOCUS_ROW.replace("1,2,USD", "null,2,USD")]));
    assert_eq!((shown(facts.billed), shown(facts.effective)), (some("1"), some("4")));
}

#[test]
fn a_correction_keeps_its_charge_period_and_the_bill_its_own() {
    let late = FOCUS_ROW
        .replace("Usage,,2026-04-01T00:00:00Z", "Usage,Correction,2026-03-01T00:00:00Z")
        .replace("1,2,USD", "-1,-1,USD");
    let (facts, _) = bill(&focus(&[FOCUS_ROW, &late]));
    assert_eq!(
        (facts.corrections, shown(facts.corrections_billed), shown(facts.billed)),
        (1, some("-1"), some("0"))
    );
    assert_eq!(period(&facts).0, "2026-04-01 00:00:00");
}

#[test]
fn a_unit_that_counts_cards_is_a_rule() {
    let (facts, _) = bill(&focus(&[&FOCUS_ROW.replace("1,Hours", "12.5,GPU-Hours"), FOCUS_ROW]));
    assert_eq!(facts.card_hours, Some(12.5));
    // The unused part of a reservation has no quantity.
    let (facts, _) = bill(&focus(&[&FOCUS_ROW.replace("1,Hours", "null,GPU-Hours")]));
    assert_eq!(facts.card_hours, None);
}

#[test]
fn a_period_that_ends_with_its_last_second_is_half_open() {
    let (facts, document) =
        bill(&focus(&[&FOCUS_ROW.replace("2026-05-01T00:00:00Z", "2026-04-30T15:59:59Z")]));
    assert_eq!(period(&facts).1, "2026-04-30 16:00:00");
    assert!(has(&document, "inclusive_end"));
}

#[test]
fn an_impossible_hour_is_named() {
    let (_, document) =
        bill(&focus(&[&FOCUS_ROW.replace("2026-04-01T01:00:00Z", "2026-04-01T30:00:00Z")]));
    assert!(has(&document, "bad_time"));
}

#[test]
fn a_list_of_commitments_is_no_bill() {
    let text = "ContractCommitmentId,ContractCommitmentCost,BillingCurrency\nC-1,250000,USD\n";
    assert_eq!(read(Kind::Bill, text.as_bytes()).unwrap_err().code(), "not_this_kind");
}

#[test]
fn tabs_semicolons_trailing_delimiters_and_two_marks_are_read() {
    let plain = bill(&focus(&[FOCUS_ROW, FOCUS_ROW])).0;
    assert_eq!(bill(&focus(&[FOCUS_ROW, FOCUS_ROW]).replace(',', "\t")).0, plain);
    assert_eq!(bill(&focus(&[FOCUS_ROW, FOCUS_ROW]).replace(',', ";")).0, plain);
    assert_eq!(bill(&focus(&[&format!("{FOCUS_ROW},"), FOCUS_ROW])).0, plain);
    let marked = format!("\u{feff}{FOCUS}\u{feff}{FOCUS_ROW}\n{FOCUS_ROW}\n");
    assert_eq!(opened(stream_bill(marked.as_bytes(), None).unwrap()).0, plain);
}

#[test]
fn a_sum_beyond_twenty_eight_digits_is_incomplete_not_wrong() {
    let huge = FOCUS_ROW.replace("1,2,USD", "79228162514264337593543950335,2,USD");
    let (_, document) = bill(&focus(&[&huge, &huge]));
    assert!(!document.complete);
}

#[test]
fn a_stream_in_another_encoding_is_refused_not_misread() {
    let (bytes, _, _) = encoding_rs::GB18030.encode(ALIBABA);
    assert_eq!(stream_bill(&bytes[..], None).unwrap_err().code(), "not_utf8");
}

#[test]
fn a_quote_that_never_closes_is_refused_and_does_not_fill_the_memory() {
    let mut text = focus(&[FOCUS_ROW, "\"1"]);
    text.push_str(&"x".repeat(3_000_000));
    assert_eq!(stream_bill(text.as_bytes(), None).unwrap_err().code(), "line_too_long");
}

const PROFILE: &str = r#"
format = "starsea"
currency = "cny"
zone = "+08:00"
null = ["无"]
footer = ["本页合计"]
[columns]
billed = "应付"
category = "类型"
period_start = "账期"
charge_start = "开始"
charge_end = "结束"
quantity = "时长"
[dates]
form = "month"
[words]
tax = ["税"]
credit = ["代金券"]
correction = ["退款"]
usage = ["用量"]
[cards]
column = "规格"
rule = [{ contains = "8xA40", cards = 8 }, { contains = "A40", cards = 1 }]
"#;

const STARSEA: &str = "账期,类型,规格,开始,结束,时长,应付\n2026-02,用量,A40,2026-02-01 00:00:00,2026-02-01 10:00:00,10,100\n\
    2026-02,用量,8xA40,2026-02-01 00:00:00,2026-02-01 01:00:00,1,80.5\n2026-02,税,无,,,,10.83\n2026-02,代金券抵扣,,,,,-5\n2026-02,退款,A40,,,-1,-10\n本页合计,,,,,,176.33\n";

#[test]
fn a_declared_profile_reads_any_table() {
    let (facts, document) = by_profile(PROFILE, STARSEA).unwrap();
    assert_eq!((facts.format.as_str(), facts.rows), ("starsea", 5));
    assert_eq!(shown(facts.billed), some("176.33"));
    assert_eq!((shown(facts.tax), shown(facts.credits)), (some("10.83"), some("-5")));
    assert_eq!((facts.corrections, facts.card_hours), (1, Some(18.0)));
    assert_eq!(facts.currency.as_deref(), Some("CNY"));
    assert_eq!(facts.period_start.unwrap().clock().to_string(), "2026-01-31 16:00:00");
    assert!(document.complete && !has(&document, "no_zone"));
}

#[test]
fn the_profiles_word_for_nothing_is_missing_not_unreadable() {
    let (facts, document) = by_profile(PROFILE, &STARSEA.replace(",80.5", ",无")).unwrap();
    assert_eq!(shown(facts.billed), some("95.83"));
    assert!(document.complete && has(&document, "amount_missing"));
}

#[test]
fn a_total_that_stands_as_the_category_is_not_added() {
    let (facts, document) =
        by_profile(PROFILE, &STARSEA.replace("本页合计,", "2026-02,小计")).unwrap();
    assert_eq!((facts.rows, shown(facts.billed)), (5, some("176.33")));
    assert!(has(&document, "totals_row"));
}

#[test]
fn a_profile_of_another_bill_is_refused_with_the_column() {
    let refused = by_profile(PROFILE, "a,b\n1,2\n").unwrap_err();
    assert_eq!(refused.code(), "profile_column");
    assert!(refused.field().is_some());
}

#[test]
fn the_form_in_the_documentation_is_accepted() {
    let source = include_str!("../src/bill/profile.rs");
    let (_, form) = source.split_once("```toml\n").unwrap();
    let (form, _) = form.split_once("/// ```").unwrap();
    let form: Vec<&str> =
        form.lines().map(|line| line.trim_start_matches("///").trim_start()).collect();
    assert!(BillProfile::from_toml(&form.join("\n")).is_ok());
}

#[test]
fn a_profile_that_is_not_of_its_form_says_where() {
    let refused = BillProfile::from_toml("format = \"x\"\n[columns]\nbilled = 3\n").unwrap_err();
    assert_eq!((refused.code(), refused.line()), ("bad_profile", Some(3)));
    for bad in ["zone = \"Beijing\"", "delimiter = \"ab\"", "currency = \"yuan\"", "unheard = 1"] {
        assert_eq!(BillProfile::from_toml(bad).unwrap_err().code(), "bad_profile", "{bad}");
    }
}

#[test]
fn a_cut_bill_is_incomplete() {
    let text = cur(&[("Usage", "55.04", ",,,,,,"), ("Usage", "55.04", ",,,,,,")]);
    let (facts, document) = bill(&text[..text.len() - 30]);
    assert_eq!((facts.rows, document.complete), (1, false));
}
