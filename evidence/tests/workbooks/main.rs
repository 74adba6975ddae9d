//! Excel workbooks: the templates in them, and archives that are made to hurt.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

mod pack;

use pack::{book, packed, parts, sheet_of};
use proptest::prelude::*;
use sixgate_evidence::{
    Brief, Document, Estimate, Facts, Kind, Quote, Refused, Use, read, read_auto,
};

const QUOTE: [&str; 7] = [
    "row,key,value,unit,quantity,note",
    "quote,supplier,测试云,,,",
    "quote,currency,CNY,,,",
    "quote,valid_until,46112,,,",
    "line,A40,12.8,card-hour,4,reserved: 三个月起",
    "answer,exclusive,独占,,,",
    "answer,bandwidth,待定,,,",
];

fn rows(lines: &[&str]) -> Vec<Vec<String>> {
    lines.iter().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn quote(bytes: &[u8]) -> (Quote, Document) {
    let document = read_auto(bytes).unwrap();
    let Facts::Quote(facts) = document.facts.clone() else { panic!("another kind") };
    (*facts, document)
}

fn refused(bytes: &[u8]) -> Refused {
    read(Kind::Quote, bytes).unwrap_err()
}

fn has(document: &Document, code: &str) -> bool {
    document.warnings.iter().any(|warning| warning.code == code)
}

#[test]
fn a_quote_in_a_workbook_is_the_quote_in_a_csv() {
    let (facts, document) = quote(&book(&[("报价", &sheet_of(&rows(&QUOTE)))]));
    assert_eq!(facts.supplier.as_deref(), Some("测试云"));
    assert_eq!(facts.lines[0].unit_price.to_string(), "12.8");
    assert_eq!(facts.lines[0].quantity, Some(4));
    // A date is a number that is formatted as one.
    assert_eq!(facts.valid_until.unwrap().to_string(), "2026-03-31");
    assert_eq!(facts.missing.len(), 6);
    assert!(document.complete);
}

#[test]
fn the_sheet_with_the_template_is_found_and_named() {
    let notes = sheet_of(&rows(&["Dear customer", "see next sheet"]));
    let (facts, document) = quote(&book(&[("封面", &notes), ("报价", &sheet_of(&rows(&QUOTE)))]));
    assert_eq!(facts.lines.len(), 1);
    let chosen = document.warnings.iter().find(|warning| warning.code == "several_sheets").unwrap();
    assert!(chosen.text.contains("报价"));
}

#[test]
fn a_wrong_cell_is_named_by_its_row_in_the_sheet() {
    let mut lines = QUOTE.to_vec();
    lines.insert(1, "");
    lines[5] = "line,A40,面议,card-hour,4,reserved";
    let refused = refused(&book(&[("报价", &sheet_of(&rows(&lines)))]));
    assert_eq!((refused.code(), refused.line()), ("bad_value", Some(6)));
}

#[test]
fn strings_kept_apart_from_their_cells_are_read() {
    let sheet = sheet_of(&rows(&QUOTE)).replace(
        "<c r=\"C2\" t=\"inlineStr\"><is><t>测试云</t></is></c>",
        "<c r=\"C2\" t=\"s\"><v>1</v></c>",
    );
    let mut parts = parts(&[("报价", &sheet)]);
    let strings = "<sst uniqueCount=\"2\"><si><t>别的</t></si><si><r><t>星海</t></r><r><t>云</t></r></si></sst>";
    parts.push(("xl/sharedStrings.xml".to_owned(), strings.to_owned()));
    assert_eq!(quote(&packed(&parts)).0.supplier.as_deref(), Some("星海云"));
}

#[test]
fn a_share_that_is_shown_in_percent_is_read_as_shown() {
    let mut lines = QUOTE.to_vec();
    lines.push("quote,tax_percent,6%,,,");
    let (facts, _) = quote(&book(&[("报价", &sheet_of(&rows(&lines)))]));
    assert_eq!(facts.tax_percent.unwrap().to_string(), "6");
}

#[test]
fn a_formula_counts_by_its_stored_value_only() {
    let price = |cell: &str| sheet_of(&rows(&QUOTE)).replace("<c r=\"C5\"><v>12.8</v></c>", cell);
    let (facts, _) = quote(&book(&[("报价", &price("<c r=\"C5\"><f>A1*2</f><v>12.9</v></c>"))]));
    assert_eq!(facts.lines[0].unit_price.to_string(), "12.9");
    assert_eq!(
        refused(&book(&[("报价", &price("<c r=\"C5\"><f>A1*2</f></c>"))])).code(),
        "bad_value"
    );
    let supplier = sheet_of(&rows(&QUOTE)).replace(
        "<c r=\"C2\" t=\"inlineStr\"><is><t>测试云</t></is></c>",
        "<c r=\"C2\"><f>B1</f></c>",
    );
    let (facts, document) = quote(&book(&[("报价", &supplier)]));
    assert_eq!((facts.supplier, document.complete), (None, false));
    assert!(has(&document, "formula_without_value"));
}

#[test]
fn a_brief_in_a_workbook_has_its_groups_in_rows() {
    let lines = rows(&[
        "组,字段,内容",
        "用途,,在线推理",
        "模型与并行,参数规模,约 70B",
        ",精度,FP8",
        "【卡型与数量】,总卡数,8-16",
        "存储,,待定",
        "Region,,华东",
    ]);
    let document = read_auto(&book(&[("需求", &sheet_of(&lines))])).unwrap();
    let Facts::Brief(facts) = document.facts else { panic!("another kind") };
    let facts: Brief = *facts;
    assert_eq!(facts.r#use, Estimate::known(Use::OnlineInference));
    assert_eq!(facts.model.parameters_b, Estimate::known(70.0));
    assert_eq!(facts.model.precision, Estimate::known("fp8".to_owned()));
    assert_eq!(facts.cards.total, Estimate::range(8, 16));
    assert!(facts.storage.dataset_gib.is_tbd());
    assert_eq!(facts.region, Estimate::known("华东".to_owned()));
}

#[test]
fn a_bill_in_a_workbook_is_read() {
    let lines = rows(&[
        "账期,财务单元,产品Code,账单类型,应付金额",
        "2026-02,,ecs,云资源按量费用,10.8",
        "2026-02,,ecs,新购,5400",
        "合计,,,,5410.8",
    ]);
    let Facts::Bill(facts) = read_auto(&book(&[("账单", &sheet_of(&lines))])).unwrap().facts
    else {
        panic!("another kind")
    };
    assert_eq!((facts.rows, facts.billed.unwrap().to_string()), (2, "5410.8".to_owned()));
}

#[test]
fn a_bomb_of_zeros_is_refused() {
    let zeros = " ".repeat(40 * 1024 * 1024);
    let sheet = sheet_of(&rows(&QUOTE)).replace("<sheetData>", &format!("<sheetData>{zeros}"));
    assert_eq!(refused(&book(&[("报价", &sheet)])).code(), "too_large");
    // Beside the sheet it weighs as much.
    let mut parts = parts(&[("报价", &sheet_of(&rows(&QUOTE)))]);
    parts.push(("xl/media/picture.bin".to_owned(), "0".repeat(2 * 1024 * 1024)));
    assert_eq!(refused(&packed(&parts)).code(), "too_large");
}

#[test]
fn a_cell_far_off_makes_no_grid() {
    let far = sheet_of(&rows(&QUOTE)).replace(
        "</sheetData>",
        "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row></sheetData>",
    );
    assert_eq!(refused(&book(&[("报价", &far)])).code(), "too_large");
    let wide: String = (1..6000)
        .map(|row| format!("<row r=\"{row}\"><c r=\"SQ{row}\"><v>{row}</v></c></row>"))
        .collect();
    let wide = format!("<worksheet><sheetData>{wide}</sheetData></worksheet>");
    assert_eq!(refused(&book(&[("报价", &wide)])).code(), "too_large");
}

#[test]
fn numbers_that_reserve_memory_are_bounded() {
    for claim in [
        "uniqueCount=\"4000000000\"",
        "uniqueCount = '+0999999999'",
        "uniqueCount=\"18446744073709551615\"",
    ] {
        let mut parts = parts(&[("报价", &sheet_of(&rows(&QUOTE)))]);
        parts.push((
            "xl/sharedStrings.xml".to_owned(),
            format!("<sst {claim}><si><t>a</t></si></sst>"),
        ));
        assert_eq!(refused(&packed(&parts)).code(), "too_large", "{claim}");
    }
    let shared = sheet_of(&rows(&QUOTE)).replace(
        "<c r=\"C5\"><v>12.8</v></c>",
        "<c r=\"C5\"><f t=\"shared\" si=\"4000000000\">A1</f><v>1</v></c>",
    );
    assert_eq!(refused(&book(&[("报价", &shared)])).code(), "too_large");
}

#[test]
fn a_place_beyond_any_sheet_is_refused() {
    for place in ["AAAAAAAA1", "A99999999999", "A1:ZZZZZZZZ9"] {
        for attribute in ["r", "ref"] {
            let cell = format!("<c {attribute}\n=\n'{place}'><v>1</v></c>");
            let sheet = sheet_of(&rows(&QUOTE)).replace("<c r=\"C5\"><v>12.8</v></c>", &cell);
            assert_eq!(refused(&book(&[("报价", &sheet)])).code(), "bad_workbook", "{place}");
        }
    }
}

#[test]
fn a_declared_document_type_is_refused() {
    for declared in ["<!DOCTYPE x [<!ENTITY a \"b\">]>", "<!doctype x>"] {
        let sheet =
            sheet_of(&rows(&QUOTE)).replacen("<worksheet", &format!("{declared}<worksheet"), 1);
        assert_eq!(refused(&book(&[("报价", &sheet)])).code(), "bad_workbook", "{declared}");
    }
}

#[test]
fn too_many_parts_and_sheets_are_refused() {
    let mut many = parts(&[("报价", &sheet_of(&rows(&QUOTE)))]);
    many.extend((0..1100).map(|at| (format!("xl/other/{at}.bin"), String::new())));
    assert_eq!(refused(&packed(&many)).code(), "too_large");
    let sheet = sheet_of(&rows(&["a,b"]));
    let sheets: Vec<(String, &str)> =
        (0..60).map(|at| (format!("s{at}"), sheet.as_str())).collect();
    let sheets: Vec<(&str, &str)> =
        sheets.iter().map(|(name, sheet)| (name.as_str(), *sheet)).collect();
    assert_eq!(refused(&book(&sheets)).code(), "too_large");
}

#[test]
fn an_archive_that_claims_many_parts_is_refused_before_it_is_opened() {
    let whole = book(&[("报价", &sheet_of(&rows(&QUOTE)))]);
    let end = whole.windows(4).rposition(|found| found == b"PK\x05\x06").unwrap();
    let mut claiming = whole.clone();
    claiming[end + 10..end + 12].copy_from_slice(&[0xff, 0xfe]);
    assert_eq!(refused(&claiming).code(), "too_large");
    let mut large = whole[..end].to_vec();
    large.extend_from_slice(b"PK\x06\x07");
    large.extend_from_slice(&[0; 16]);
    large.extend_from_slice(&whole[end..]);
    assert_eq!(refused(&large).code(), "too_large");
}

#[test]
fn a_cut_workbook_and_output_of_tools_are_refused() {
    let whole = book(&[("报价", &sheet_of(&rows(&QUOTE)))]);
    assert_eq!(refused(&whole[..whole.len() / 2]).code(), "bad_workbook");
    assert_eq!(read(Kind::NcclTests, &whole).unwrap_err().code(), "not_text");
    let other = book(&[("x", &sheet_of(&rows(&["a,b", "1,2"])))]);
    assert_eq!(read_auto(&other).unwrap_err().code(), "unrecognised");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_archives_never_panic(
        cut in any::<prop::sample::Index>(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    ) {
        let mut bytes = book(&[("报价", &sheet_of(&rows(&QUOTE)))]);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1).max(bytes.len() / 2));
        read_every_way(&bytes);
    }

    #[test]
    fn damaged_parts_never_panic(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        length in 0..40usize,
        instead in "[<>/&\"=a-zA-Z0-9:! ]{0,12}",
    ) {
        let mut parts = parts(&[("报价", &sheet_of(&rows(&QUOTE)))]);
        parts.push(("xl/sharedStrings.xml".to_owned(), "<sst uniqueCount=\"1\"><si><t>a</t></si></sst>".to_owned()));
        let which = which.index(parts.len());
        let mut characters: Vec<char> = parts[which].1.chars().collect();
        let at = at.index(characters.len());
        let end = (at + length).min(characters.len());
        characters.splice(at..end, instead.chars());
        parts[which].1 = characters.into_iter().collect();
        read_every_way(&packed(&parts));
    }
}

fn read_every_way(bytes: &[u8]) {
    for kind in [Kind::Quote, Kind::Brief, Kind::Bill] {
        if let Ok(document) = read(kind, bytes) {
            assert_eq!(document.complete, document.incomplete_because.is_none());
        }
    }
    if let Err(refused) = read_auto(bytes) {
        assert!(!refused.to_string().is_empty());
    }
}
