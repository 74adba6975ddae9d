//! Price points as people keep them in a sheet.
#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use sixgate_evidence::{
    Facts, Kind, PointBasis, PointTax, PointTerm, PricePoint, Refused, read, read_auto,
};

const HEADER: &str = "card,basis,term,low,high,currency,tax,region,source,date\n";

fn points(rows: &str) -> (Vec<PricePoint>, Vec<&'static str>) {
    let document = read(Kind::Prices, format!("{HEADER}{rows}").as_bytes()).unwrap();
    let Facts::Prices(facts) = document.facts else { panic!("another kind") };
    (facts.points, document.warnings.iter().map(|warning| warning.code).collect())
}

fn refused(row: &str) -> Refused {
    read(Kind::Prices, format!("{HEADER}{row}\n").as_bytes()).unwrap_err()
}

#[test]
fn a_row_is_a_price_of_a_day_with_its_tax_and_source() {
    let (found, _) = points(
        "H100 SXM,on_demand,hour,2.69,3.99,USD,,us-east,RunPod,2026-11-09\n昇腾910B,预留,套餐：720,1500,,CNY,6%,,报价单,2026-10-01\n",
    );
    assert_eq!(found[0].basis, PointBasis::OnDemand);
    assert_eq!(
        (found[0].low.to_string(), found[0].high.to_string()),
        ("2.69".into(), "3.99".into())
    );
    assert_eq!((found[0].tax, found[0].line), (PointTax::NotSaid, 2));
    assert_eq!(found[1].term, PointTerm::Package { hours: 720 });
    assert_eq!(found[1].low, found[1].high);
    assert_eq!(found[1].tax, PointTax::Included { percent: 6.into() });
}

#[test]
fn a_missing_price_is_left_out_and_never_zero() {
    for cell in ["", "-", "TBD", "待定", "面议"] {
        let (found, warnings) = points(&format!("H20,spot,hour,{cell},,CNY,net,,x,2026-10-01\n"));
        assert_eq!((found.len(), warnings), (0, vec!["price_missing"]), "{cell:?}");
    }
    assert_eq!(refused("H20,spot,hour,0,,CNY,net,,x,2026-10-01").field(), Some("low"));
}

#[test]
fn what_cannot_be_read_is_refused_with_its_line_and_field() {
    for (row, field) in [
        ("H20,spot,week,1,,CNY,net,,x,2026-10-01", "term"),
        ("H20,spot,package:0,1,,CNY,net,,x,2026-10-01", "term"),
        ("H20,often,hour,1,,CNY,net,,x,2026-10-01", "basis"),
        ("H20,spot,hour,2,1,CNY,net,,x,2026-10-01", "high"),
        ("H20,spot,hour,1,,CNY,much,,x,2026-10-01", "tax"),
        ("H20,spot,hour,1,,CNY,net,,,2026-10-01", "source"),
        ("H20,spot,hour,1,,CNY,net,,x,10/01/2026", "date"),
    ] {
        let refused = refused(row);
        assert_eq!((refused.field(), refused.line()), (Some(field), Some(2)), "{row}");
    }
    assert_eq!(refused("H20,spot,hour,1\nH20,spot,hour,1").field(), Some("row"));
}

#[test]
fn prices_are_recognised_by_their_header() {
    let text = format!("{HEADER}H20,spot,hour,1,,CNY,net,,x,2026-10-01\n");
    assert_eq!(read_auto(text.as_bytes()).unwrap().kind, Kind::Prices);
}
