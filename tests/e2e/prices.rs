//! The price index from the shell and over the API.

use serde_json::json;

use crate::{process::run, server::Server, world::hire};

pub(crate) const FILE: &str = "\
card,basis,term,low,high,currency,tax,region,source,date
H20,on_demand,hour,6.1,,CNY,net,,list of May,2026-05-01
H20,on_demand,hour,6.3,,CNY,net,,list of May,2026-05-11
H20,on_demand,hour,6.2,7,CNY,net,,list of June,2026-06-01
H20,on_demand,hour,,,CNY,net,,list of July,2026-07-01
H20,spot,month,2190,,CNY,net,,list of August,2026-08-01
";

#[tokio::test]
async fn prices_of_a_file_are_answered_with_their_course_and_a_chart() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "finance", "finance");
    let file = data.path().join("prices.csv");
    std::fs::write(&file, FILE).unwrap();
    let words =
        ["prices", "import", file.to_str().unwrap(), "--data", data.path().to_str().unwrap()];
    let said = run(&words).succeeded();
    assert!(said.starts_with("4 prices recorded, 0 were known"), "{said}");
    assert!(run(&words).succeeded().starts_with("0 prices recorded, 4 were known"));

    let server = Server::serve(data.path());
    let asked = "{ priceIndex(card: \"NVIDIA H20\", days: 36500) { card currency
        points { low high term source on origin key } trend { month count medianLow }
        summary { count least most taxNotSaid } standing(price: \"6.25\") { canBeTold points belowPercent }
        chart(price: \"6.25\", locale: ZH_CN) { svg text } } }";
    let answer = server.api.ask(&person.token, asked).await;
    let index = &answer["priceIndex"];
    assert_eq!((&index["card"], &index["currency"]), (&json!("H20"), &json!("CNY")));
    let summary = &index["summary"];
    assert_eq!((&summary["count"], &summary["taxNotSaid"]), (&json!(5), &json!(1)));
    assert_eq!((&summary["least"], &summary["most"]), (&json!("3"), &json!("7.5")));
    let june = &index["trend"][1];
    assert_eq!((&june["month"], &june["count"]), (&json!("2026-06-01"), &json!(1)));
    assert_eq!(index["trend"][2]["medianLow"], json!(null), "no price in July");
    let standing = &index["standing"];
    assert_eq!((&standing["canBeTold"], &standing["points"]), (&json!(true), &json!(5)));
    let svg = index["chart"]["svg"].as_str().unwrap();
    assert!(svg.contains("H20：每卡时价格") && svg.contains("待比较价格"), "{svg}");
    assert!(index["chart"]["text"].as_str().unwrap().contains("未知"));

    let nothing = "{ few: priceIndex(card: \"H20\", currency: USD) { summary { count } \
                   standing(price: \"1\") { canBeTold points pointsNeeded } } \
                   ambiguous: priceIndex(card: \"A100\") { card } }";
    let answer = server.api.ask(&person.token, nothing).await;
    assert_eq!(answer["few"]["summary"], json!(null));
    assert_eq!(answer["few"]["standing"]["canBeTold"], json!(false));
    assert_eq!(answer["ambiguous"], json!(null));
}
