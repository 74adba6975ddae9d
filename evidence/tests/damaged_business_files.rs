//! Nothing makes the readers of bills, usage and configurations panic, and sums stay sums.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use sixgate_evidence::{BillProfile, Facts, Kind, read, read_auto, read_bill, stream_bill};

const FILES: [(Kind, &[u8]); 7] = [
    (Kind::HfConfig, include_bytes!("fixtures/business/config.json")),
    (Kind::Bill, include_bytes!("fixtures/business/aws.csv")),
    (Kind::Bill, include_bytes!("fixtures/business/azure.csv")),
    (Kind::Bill, include_bytes!("fixtures/business/oci.csv")),
    (Kind::Bill, include_bytes!("fixtures/business/alibaba.csv")),
    (Kind::Usage, include_bytes!("fixtures/business/sacct.txt")),
    (Kind::Usage, include_bytes!("fixtures/business/opencost.json")),
];

const PROFILE: &str = "[columns]\nbilled = \"Cost\"\ncategory = \"ChargeType\"\nperiod_start = \"Date\"\nquantity = \"Quantity\"\n\
    [dates]\nform = \"day-month-year\"\nend = \"inclusive\"\n[words]\nusage = [\"Usage\"]\n[cards]\ncolumn = \"MeterId\"\nrule = [{ contains = \"m\", cards = 8 }]\n";

fn read_every_way(bytes: &[u8]) {
    for kind in [Kind::HfConfig, Kind::Bill, Kind::Usage] {
        if let Ok(document) = read(kind, bytes) {
            assert_eq!(document.complete, document.incomplete_because.is_none());
            assert!(serde_json::to_string(&document).is_ok());
        }
    }
    let profile = BillProfile::from_toml(PROFILE).unwrap();
    let _ = read_bill(bytes, &profile);
    // A stream is not decoded first, so it meets bytes that are no text.
    let _ = stream_bill(bytes, Some(&profile));
    let _ = stream_bill(bytes, None);
}

#[test]
fn every_file_is_recognised_as_what_it_is() {
    for (kind, bytes) in FILES {
        assert_eq!(
            read_auto(bytes).unwrap().kind,
            kind,
            "{}",
            String::from_utf8_lossy(&bytes[..60])
        );
    }
}

#[test]
fn every_prefix_of_every_file_is_read_or_refused() {
    for (_, bytes) in FILES {
        for length in 0..bytes.len() {
            read_every_way(&bytes[..length]);
        }
    }
}

const NUMBERS: [&str; 14] = [
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "num_experts",
    "num_experts_per_tok",
    "first_k_dense_replace",
    "decoder_sparse_step",
    "sliding_window",
    "num_kv_shared_layers",
    "full_attention_interval",
];

const FAMILIES: [&str; 10] = [
    "llama",
    "gemma3_text",
    "qwen3_moe",
    "deepseek_v3",
    "gpt_oss",
    "qwen3_next",
    "gpt2",
    "chatglm",
    "falcon",
    "llama4_text",
];

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..64u64).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (1u64 << 20..1 << 26).prop_map(Value::from),
        Just(Value::Null),
        Just(json!([1, "a", null])),
        Just(json!({"n_heads_in_group": 0})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_with_anything_in_it_never_panics(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        length in 0..60usize,
        instead in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut bytes = which.get(&FILES).1.to_vec();
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, instead);
        read_every_way(&bytes);
    }

    #[test]
    fn any_numbers_in_a_configuration_are_read(
        family in prop::sample::select(&FAMILIES[..]),
        values in proptest::collection::vec(number(), NUMBERS.len()),
        nested in any::<bool>(),
        latent in any::<bool>(),
    ) {
        let mut config: Map<String, Value> =
            NUMBERS.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value)).collect();
        config.insert("model_type".to_owned(), family.into());
        if latent {
            config.insert("kv_lora_rank".to_owned(), 512.into());
            config.insert("qk_rope_head_dim".to_owned(), 64.into());
        }
        let config = if nested { json!({"model_type": "outer", "text_config": config}) } else { Value::Object(config) };
        let document = read(Kind::HfConfig, config.to_string().as_bytes());
        if let Ok(document) = document {
            prop_assert!(serde_json::to_string(&document).is_ok());
        }
    }

    #[test]
    fn arbitrary_accounting_never_panics(rows in "([0-9.]{1,4}\\|[A-Z]{0,3}\\|[0-9T:\\-]{0,20}\\|(Unknown|[0-9\\-:]{0,9})\\|(gres/gpu(:a)?=[0-9]{1,22},?){0,3}\\|?\n?){0,8}") {
        read_every_way(format!("JobID|State|Start|Elapsed|AllocTRES\n{rows}").as_bytes());
    }

    #[test]
    fn a_bill_is_the_sum_of_its_rows_in_any_order(amounts in proptest::collection::vec((any::<i32>(), 0..18u32), 1..40)) {
        let amounts: Vec<Decimal> = amounts.into_iter().map(|(number, scale)| Decimal::new(number.into(), scale)).collect();
        let bill = |amounts: &[Decimal]| {
            let rows: String = amounts.iter().map(|amount| format!("2026-02,{amount},CNY\n")).collect();
            let document = stream_bill(format!("BillingCycle,PretaxAmount,Currency\n{rows}").as_bytes(), None).unwrap();
            let Facts::Bill(facts) = document.facts else { panic!("another kind") };
            facts
        };
        let turned: Vec<Decimal> = amounts.iter().rev().copied().collect();
        let facts = bill(&amounts);
        prop_assert_eq!(facts.billed, Some(amounts.iter().sum::<Decimal>().normalize()));
        prop_assert_eq!(facts.by_currency.values().sum::<Decimal>(), facts.billed.unwrap());
        prop_assert_eq!(bill(&turned).billed, facts.billed);
    }
}
