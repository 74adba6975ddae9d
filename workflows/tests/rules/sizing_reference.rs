//! Published sizes, measured runs and complaints about other calculators: what a sizing must hit.
//!
//! One row is one figure with its tolerance in thousandths; a wrong one is named with both values.

#![allow(clippy::cast_possible_truncation, reason = "published figures are floats")]

use sixgate_workflows::needs::{
    brief::Use,
    catalogue::{Catalogue, assumptions::Assumption, models},
    sizing::{
        bytes::Bytes,
        cache::{self, CacheRules},
        computed::cache_rules,
        format::{Covers, Format, Stored},
        layout::Split,
        overhead::Overhead,
        point::{Outcome, Point, usable},
        shape::{Attention, Heads, ModelShape},
        training::{Logits, Method, Offload, Optimizer, Recompute, Sharding, Training},
        weights::Parameters,
    },
};

use crate::fixture::shapes::{
    cached_by, deepseek_v2_lite, encoder, full, gemma_3_27b, gemma_4_31b, known, qwen_1,
    qwen_3_6_35b, stored, t5_large,
};

struct Row {
    id: &'static str,
    what: String,
    found: f64,
    right: f64,
    /// In thousandths; zero is exact.
    permille: f64,
}

fn row(id: &'static str, what: &str, found: f64, right: f64, permille: f64) -> Row {
    Row { id, what: what.to_owned(), found, right, permille }
}

#[track_caller]
fn check(rows: impl IntoIterator<Item = Row>) {
    let wrong: Vec<String> = rows
        .into_iter()
        .filter(|row| (row.found - row.right).abs() > row.right.abs() * row.permille / 1_000.0)
        .map(|row| {
            let off = (row.found / row.right - 1.0) * 100.0;
            format!("{} {}: {} instead of {}, {off:+.2} %", row.id, row.what, row.found, row.right)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn plain(bytes: Bytes) -> f64 {
    bytes.0 as f64
}

fn gib(bytes: Bytes) -> f64 {
    plain(bytes) / f64::from(1 << 30)
}

fn mib(bytes: Bytes) -> f64 {
    plain(bytes) / f64::from(1 << 20)
}

/// Decimal gigabytes, as torch's users print them.
fn gb(bytes: Bytes) -> f64 {
    plain(bytes) / 1e9
}

fn of_gib(gib: f64) -> Bytes {
    Bytes((gib * f64::from(1 << 30)) as u64)
}

fn parameters(shape: &ModelShape) -> f64 {
    Parameters::of(shape).total() as f64
}

fn weights(shape: &ModelShape) -> Bytes {
    Parameters::of(shape).weights(shape.stored, None)
}

fn rules(format: Format) -> CacheRules {
    cache_rules(Catalogue::shipped(), format)
}

fn per_token(shape: &ModelShape) -> f64 {
    plain(cache::per_token(shape, Format::Bf16))
}

fn one_request(shape: &ModelShape, format: Format, tokens: u32) -> Bytes {
    cache::per_request(shape, rules(format), tokens, Split::SINGLE)
}

/// Whole blocks of sixteen tokens in a budget, when every layer keeps all tokens.
fn blocks(budget: Bytes, bytes_per_token: f64) -> f64 {
    (plain(budget) / (16.0 * bytes_per_token)).floor()
}

#[test]
fn published_parameters_files_and_caches() {
    // Parameters exactly, the file in GiB within 0.1 %, cache bytes of a token exactly.
    const PUBLISHED: [(&str, f64, Option<f64>, f64); 19] = [
        ("Llama 3.1 8B", 8_030_261_248.0, Some(14.958), 131_072.0),
        ("Llama 3.1 70B", 70_553_706_496.0, Some(131.417), 327_680.0),
        ("Llama 3.1 405B", 405_853_388_800.0, Some(755.96), 516_096.0),
        ("Llama 2 7B", 6_738_415_616.0, Some(12.55), 524_288.0),
        ("Llama 2 13B", 13_015_864_320.0, Some(24.24), 819_200.0),
        ("Llama 2 70B", 68_976_648_192.0, Some(128.48), 327_680.0),
        ("Mistral 7B", 7_241_732_096.0, Some(13.489), 131_072.0),
        ("Qwen2.5 7B", 7_615_616_512.0, Some(14.185), 57_344.0),
        ("Qwen3 8B", 8_190_735_360.0, Some(15.256), 147_456.0),
        ("Qwen3 32B", 32_762_123_264.0, Some(61.024), 262_144.0),
        ("Qwen3 30B-A3B", 30_532_122_624.0, Some(56.871), 98_304.0),
        ("Qwen3 235B-A22B", 235_093_634_560.0, Some(437.9), 192_512.0),
        ("Mixtral 8x7B", 46_702_792_704.0, Some(86.99), 131_072.0),
        ("Mixtral 8x22B", 140_620_634_112.0, Some(261.93), 229_376.0),
        ("DeepSeek V3", 671_026_419_200.0, None, 70_272.0),
        ("Kimi K2", 1_026_408_232_448.0, None, 70_272.0),
        ("Gemma 2 9B", 9_241_705_984.0, Some(17.21), 344_064.0),
        ("Gemma 2 27B", 27_227_128_320.0, Some(50.71), 376_832.0),
        ("Phi 4 mini", 3_836_021_760.0, Some(7.145), 131_072.0),
    ];
    check(PUBLISHED.iter().flat_map(|(name, count, file, token)| {
        let shape = known(name);
        let file =
            file.map(|file| row("3.1", &format!("{name} file"), gib(weights(&shape)), file, 1.0));
        [
            row("3.1", &format!("{name} parameters"), parameters(&shape), *count, 0.0),
            row("3.1", &format!("{name} cache"), per_token(&shape), *token, 0.0),
        ]
        .into_iter()
        .chain(file)
    }));
}

#[test]
fn every_known_model_is_a_possible_one() {
    for model in models() {
        model.shape().check().unwrap();
    }
}

#[test]
fn measured_serving_of_known_models() {
    let llama_8b = known("Llama 3.1 8B");
    let llama_70b = stored(known("Llama 3.1 70B"), Format::Int8, Covers::Layers);
    let llama_405b = stored(known("Llama 3.1 405B"), Format::Fp8, Covers::FeedForward);
    let qwen_235b = known("Qwen3 235B-A22B");
    let qwen_30b = known("Qwen3 30B-A3B");
    let tensor_4 = Split { tensor: 4, pipeline: 1 };
    let on_rank = plain(cache::per_request(&qwen_235b, rules(Format::Bf16), 16, tensor_4)) / 16.0;
    let longest = cache::longest_request(
        &qwen_30b,
        rules(Format::Bf16),
        of_gib(3.18),
        Split::SINGLE,
        262_144,
    );
    check([
        row("R01", "weights", gib(weights(&llama_8b)), 14.9888, 5.0),
        // The budget is printed to 0.01 GiB, a quarter of a percent of it.
        row("R01", "tokens", plain(of_gib(3.81)) / per_token(&llama_8b), 31_232.0, 1.0),
        row("R01", "concurrency", blocks(of_gib(3.81), 131_072.0) * 16.0 / 20_000.0, 1.56, 2.0),
        row("R02", "blocks", blocks(of_gib(2.89), 131_072.0), 1_478.0, 2.0),
        row("R02", "concurrency", blocks(of_gib(2.89), 131_072.0) * 16.0 / 29_000.0, 0.82, 6.0),
        row("R03", "weights", gib(weights(&llama_70b)), 67.7229, 2.0),
        row("R03", "concurrency", 1_381.0 * 16.0 / 2_048.0, 10.79, 2.0),
        row("R04", "bytes on a rank", on_rank, 48_128.0, 0.0),
        row("R04", "tokens", plain(of_gib(2.0 * 8.23)) / on_rank, 367_404.0, 2.0),
        row("R05", "tokens", plain(of_gib(8.11)) / on_rank, 178_880.0, 20.0),
        row("R06", "one request", gib(one_request(&qwen_30b, Format::Bf16, 262_144)), 24.0, 1.0),
        row("R06", "longest request", f64::from(longest), 34_736.0, 1.0),
        row("R07", "weights on a card", gib(weights(&llama_405b).divided_among(8)), 57.752, 30.0),
        row(
            "R27",
            "tokens",
            127_626.0 * f64::from(rules(Format::Bf16).block_tokens),
            2_042_016.0,
            0.0,
        ),
        row("R27", "concurrency", 2_042_016.0 / 2_048.0, 997.08, 0.01),
    ]);
    assert!(cache::requests(of_gib(2.89), one_request(&llama_8b, Format::Bf16, 29_000)) == 0);
}

#[test]
fn a_vision_model_that_did_not_start() {
    let mut shape = known("Qwen2.5 72B");
    shape.vision = true;
    shape.other_parameters += 675_000_000;
    let catalogue = Catalogue::shipped();
    let card = catalogue.card("a100_40_sxm").unwrap();
    let budget = usable(card, 950, &catalogue.assumptions);
    let on_rank = weights(&shape).divided_among(4);
    let split = Split { tensor: 4, pipeline: 1 };
    let overhead = Overhead::of_inference(&shape, &catalogue.assumptions, on_rank, 8_192, split);
    let left = budget.less(on_rank).less(overhead.activations).less(overhead.runtime);
    check([
        row("R10", "budget", gib(budget), 37.41, 10.0),
        row("R10", "weights", gib(on_rank), 34.43, 10.0),
        row("R10", "activations", gib(overhead.activations), 2.51, 10.0),
    ]);
    assert!(gib(left) < 0.5, "R10: {} GiB are left", gib(left));
    assert!(on_rank.plus(overhead.total()) > budget, "R10: it does not fit");
}

#[test]
fn measured_serving_of_sliding_and_hybrid_models() {
    let gemma = gemma_4_31b();
    let fifty = Bytes(50_000_000_000);
    let longest =
        cache::longest_request(&gemma, rules(Format::Bf16), fifty, Split::SINGLE, 1_000_000);
    let qwen = qwen_3_6_35b();
    let at_131_072 = one_request(&qwen, Format::Fp8, 131_072);
    let concurrency = |gib: f64| plain(of_gib(gib)) / plain(at_131_072);
    check([
        row("R11", "uniform bytes", per_token(&gemma), 901_120.0, 0.0),
        row("R11", "uniform tokens", plain(fifty) / per_token(&gemma), 55_000.0, 20.0),
        row("R11", "hybrid tokens", f64::from(longest), 525_000.0, 20.0),
        row("R12", "bytes", plain(cache::per_token(&qwen, Format::Fp8)), 10_240.0, 0.0),
        row("R12", "concurrency", concurrency(5.98), 4.33, 120.0),
        row("R12", "concurrency", concurrency(6.01), 4.35, 120.0),
        // By the concurrency, never by dividing the budget by a rate.
        row("R12", "tokens", concurrency(5.98) * 131_072.0, 567_978.0, 120.0),
        row("R12", "tokens", concurrency(6.01) * 131_072.0, 569_878.0, 120.0),
    ]);
}

#[test]
fn measured_slopes_and_totals_of_plain_transformers() {
    const SLOPES: [(&str, f64); 7] = [
        ("Qwen3 0.6B", 114_731.0),
        ("Qwen3 1.7B", 114_731.0),
        ("Qwen3 4B", 147_499.0),
        ("Qwen3 8B", 147_456.0),
        ("Qwen3 14B", 163_883.0),
        ("Qwen3 32B", 262_187.0),
        ("Qwen3 30B-A3B", 98_347.0),
    ];
    check(SLOPES.map(|(name, slope)| row("R14", name, per_token(&known(name)), slope, 1.0)));
    // What torch allocated: weights and the cache of 2049 tokens.
    let total =
        |shape: &ModelShape| mib(weights(shape).plus(Bytes((2_049.0 * per_token(shape)) as u64)));
    let fp8 = stored(known("Qwen3 8B"), Format::Fp8, Covers::Layers);
    let awq = stored(known("Qwen3 32B"), Format::Int4, Covers::Layers);
    check([
        row("R15", "8B", total(&known("Qwen3 8B")), 15_947.0, 20.0),
        row("R15", "14B", total(&known("Qwen3 14B")), 28_402.0, 20.0),
        row("R15", "32B", total(&known("Qwen3 32B")), 62_751.0, 20.0),
        row("R15", "30B-A3B", total(&known("Qwen3 30B-A3B")), 58_462.0, 20.0),
        row("R15", "8B FP8", total(&fp8), 9_323.0, 20.0),
        row("R15", "32B AWQ", total(&awq), 19_109.0, 20.0),
    ]);
    let token = |layers, kv, dim| per_token(&cached_by(&[(layers, full(kv, dim))]));
    check([
        row("R16", "falcon 7b", token(32, 1, 64), 8_192.0, 0.0),
        row("R16", "falcon 40b", token(60, 8, 64), 122_880.0, 0.0),
        row("R16", "Ministral 3 8B", token(34, 8, 128), 139_264.0, 0.0),
        row("R16", "DeepSeek V3", per_token(&known("DeepSeek V3")), 70_272.0, 0.0),
        row("R16", "chatglm 6b", token(28, 2, 128), 28_672.0, 0.0),
        row("R16", "Llama 3.1 8B", per_token(&known("Llama 3.1 8B")), 131_072.0, 0.0),
        row("R16", "Mistral 7B", per_token(&known("Mistral 7B")), 131_072.0, 0.0),
        row("R16", "Phi 4 mini", per_token(&known("Phi 4 mini")), 131_072.0, 0.0),
    ]);
}

#[test]
fn states_as_deepspeed_estimates_them() {
    let with = |sharding, offload| Training { sharding, offload, ..Training::full() };
    let states = |sharding, offload, parameters, largest: u128, cards| {
        let gathered = if sharding == Sharding::Parameters { largest * 4 } else { 0 };
        with(sharding, offload).states(parameters, largest, cards).plus(Bytes::from_wide(gathered))
    };
    let (large, layer) = (2_851_000_000, 32_000_000);
    let (t5, embedding) = (737_668_000, 32_128 * 1_024);
    let three = Sharding::Parameters;
    check([
        row("R19", "stage 3", gib(states(three, Offload::None, large, layer, 8)), 6.09, 5.0),
        row(
            "R19",
            "stage 3, offloaded",
            gib(states(three, Offload::States, large, layer, 8)),
            0.78,
            5.0,
        ),
        row(
            "R19",
            "stage 2",
            gib(states(Sharding::Gradients, Offload::None, large, layer, 8)),
            11.28,
            5.0,
        ),
        row("R20", "t5-large", mib(states(three, Offload::None, t5, embedding, 4)), 3_291.0, 5.0),
        row(
            "R20",
            "all offloaded",
            mib(states(three, Offload::Everything, t5, embedding, 4)),
            125.0,
            5.0,
        ),
        row("R20", "offloaded", mib(states(three, Offload::States, t5, embedding, 4)), 477.0, 5.0),
    ]);
    // The documentation's older form of stage 2 is what it must not give.
    let stage_2 = gib(states(Sharding::Gradients, Offload::None, large, layer, 8));
    assert!((stage_2 - 15.93).abs() > 1.0);
    let gathered = Training::full().memory(&t5_large(), None, t5_large().stored, 4, 1, 1).gathered;
    assert_eq!(gathered, Bytes(4 * 32_128 * 1_024));
}

#[test]
fn an_encoder_in_32_bits() {
    let bert = stored(encoder(12, 768, 28_996, 512), Format::Fp32, Covers::Everything);
    check([row("R21", "bert-base", mib(weights(&bert)), 413.68, 2.0)]);
}

/// Measured by torch, in decimal gigabytes, with batches of one text.
#[test]
fn measured_fine_tuning_with_adapters() {
    let seven = qwen_1(4_096, 32, 11_008, 151_936);
    let fourteen = qwen_1(5_120, 40, 13_696, 152_064);
    let seventy = qwen_1(8_192, 80, 24_576, 152_064);
    let lora = Training { sharding: Sharding::None, ..Training::adapters(64) };
    // What is not quantised is widened to 32 bits before it is trained, the output head with it.
    let four_bits = Stored { format: Format::Int4, covers: Covers::Layers, rest: Format::Fp32 };
    let qlora = Training { logits: Logits::Full, ..lora };
    let sharded = Training { sharding: Sharding::Parameters, ..lora };
    let tuned = |shape: &ModelShape, training: Training, base: Stored, cards, tokens| {
        gb(training.memory(shape, None, base, cards, 1, tokens).total()) * f64::from(cards)
    };
    let whole = Stored::usual(Format::Bf16);
    check([
        row("R23", "7B LoRA 256", tuned(&seven, lora, whole, 1, 256), 20.1, 150.0),
        row("R23", "7B LoRA 8192", tuned(&seven, lora, whole, 1, 8_192), 36.6, 150.0),
        row("R23", "7B QLoRA 256", tuned(&seven, qlora, four_bits, 1, 256), 11.5, 150.0),
        row("R23", "7B QLoRA 8192", tuned(&seven, qlora, four_bits, 1, 8_192), 23.5, 150.0),
        row("R23", "14B LoRA 256", tuned(&fourteen, lora, whole, 1, 256), 34.6, 150.0),
        row("R23", "14B LoRA 8192", tuned(&fourteen, lora, whole, 1, 8_192), 55.2, 150.0),
        row("R23", "14B QLoRA 256", tuned(&fourteen, qlora, four_bits, 1, 256), 18.7, 150.0),
        row("R23", "14B QLoRA 8192", tuned(&fourteen, qlora, four_bits, 1, 8_192), 27.9, 150.0),
        row("R23", "72B QLoRA 256", tuned(&seventy, qlora, four_bits, 1, 256), 61.4, 150.0),
        row("R23", "72B QLoRA 8192", tuned(&seventy, qlora, four_bits, 1, 8_192), 75.6, 150.0),
        row("R23", "72B LoRA 256", tuned(&seventy, sharded, whole, 4, 256), 215.4, 150.0),
        row("R23", "72B LoRA 8192", tuned(&seventy, sharded, whole, 4, 8_192), 289.2, 150.0),
    ]);
}

#[test]
fn measured_generation_of_quantised_models() {
    let runtime = Bytes::mib(Catalogue::shipped().assumptions.value(Assumption::RuntimeMib));
    let used = |shape: ModelShape, format| {
        let shape = ModelShape { stored: Stored::usual(format), ..shape };
        gb(weights(&shape).plus(one_request(&shape, Format::Bf16, 2_048)).plus(runtime))
    };
    let seven = || qwen_1(4_096, 32, 11_008, 151_936);
    let fourteen = || qwen_1(5_120, 40, 13_696, 152_064);
    let seventy = || qwen_1(8_192, 80, 24_576, 152_064);
    check([
        row("R24", "7B bf16", used(seven(), Format::Bf16), 16.99, 100.0),
        row("R24", "7B int8", used(seven(), Format::Int8), 11.20, 100.0),
        row("R24", "7B int4", used(seven(), Format::Int4), 8.21, 100.0),
        row("R24", "14B bf16", used(fourteen(), Format::Bf16), 30.15, 100.0),
        row("R24", "14B int8", used(fourteen(), Format::Int8), 18.81, 100.0),
        row("R24", "14B int4", used(fourteen(), Format::Int4), 13.01, 100.0),
        row("R24", "72B bf16", used(seventy(), Format::Bf16), 144.69, 100.0),
        row("R24", "72B int8", used(seventy(), Format::Int8), 81.27, 100.0),
        row("R24", "72B int4", used(seventy(), Format::Int4), 48.86, 100.0),
    ]);
}

/// Batches of two texts of 2048 tokens, by torchtune's recipes.
#[test]
fn measured_recipes_of_torchtune() {
    let base = Training {
        optimizer: Optimizer::Adam8Bit,
        gradients_let_go: true,
        sharding: Sharding::None,
        logits: Logits::Chunked,
        ..Training::full()
    };
    let lean = Training { optimizer: Optimizer::Adam8BitPaged, ..base };
    let method = Method::Adapters { rank: 8, feed_forward_too: false };
    let lora = Training { method, optimizer: Optimizer::AdamWFullGradients, ..base };
    let sharded = Training { sharding: Sharding::Layers, ..lora };
    let nf4 = Stored { format: Format::Nf4, covers: Covers::Layers, rest: Format::Bf16 };
    let whole = Stored::usual(Format::Bf16);
    let used = |name: &str, training: Training, stored, cards| {
        gib(training.memory(&known(name), None, stored, cards, 2, 2_048).total())
    };
    check([
        row("R25", "8B full, lean", used("Llama 3.1 8B", lean, whole, 1), 18.9, 150.0),
        row("R25", "8B full", used("Llama 3.1 8B", base, whole, 1), 37.4, 150.0),
        row("R25", "8B LoRA", used("Llama 3.1 8B", lora, whole, 1), 16.2, 150.0),
        row("R25", "8B QLoRA", used("Llama 3.1 8B", lora, nf4, 1), 7.4, 150.0),
        row("R25", "70B LoRA", used("Llama 3.1 70B", sharded, whole, 8), 27.6, 150.0),
        row("R25", "405B QLoRA", used("Llama 3.1 405B", sharded, nf4, 8), 44.8, 150.0),
    ]);
}

/// The table that circulates, as a band of 30 %.
#[test]
fn the_rule_of_thumb_for_fine_tuning() {
    let short = |shape: &ModelShape, training: Training, stored| {
        let runtime = Catalogue::shipped().assumptions.value(Assumption::RuntimeMib);
        let memory = training.memory(shape, None, stored, 1, 1, 512);
        gb(memory.total().plus(Bytes::mib(runtime)))
    };
    let (seven, thirteen) = (known("Llama 2 7B"), known("Llama 2 13B"));
    let (whole, int8, nf4) =
        (Stored::usual(Format::Bf16), Stored::usual(Format::Int8), Stored::usual(Format::Nf4));
    let lora = Training::adapters(8);
    let rows = [
        row("thumb", "7B full", short(&seven, Training::full(), whole), 160.0, 300.0),
        row("thumb", "13B full", short(&thirteen, Training::full(), whole), 320.0, 300.0),
        row("thumb", "7B LoRA", short(&seven, lora, whole), 16.0, 300.0),
        row("thumb", "13B LoRA", short(&thirteen, lora, whole), 32.0, 300.0),
        row("thumb", "7B QLoRA 8", short(&seven, lora, int8), 10.0, 300.0),
        row("thumb", "13B QLoRA 8", short(&thirteen, lora, int8), 16.0, 300.0),
        row("thumb", "7B QLoRA 4", short(&seven, lora, nf4), 6.0, 300.0),
        row("thumb", "13B QLoRA 4", short(&thirteen, lora, nf4), 12.0, 300.0),
    ];
    check(rows);
}

fn served(shape: &ModelShape, card: &str, concurrency: u32, context: u32) -> Outcome {
    let catalogue = Catalogue::shipped();
    Point {
        usage: Use::OnlineInference,
        shape,
        parameters: None,
        stored: shape.stored,
        cache: rules(Format::Bf16),
        concurrency,
        context,
        card: catalogue.card(card).unwrap(),
        per_node: 8,
        utilisation_permille: 900,
        training: Training::full(),
        assumed: &catalogue.assumptions,
    }
    .outcome()
}

#[test]
fn what_people_complained_about_in_caches() {
    let seven = known("Qwen2.5 7B");
    let quantised = stored(known("Qwen2.5 7B"), Format::Q4KM, Covers::Everything);
    let long = weights(&quantised).plus(one_request(&quantised, Format::Q8_0, 262_144));
    let gemma = stored(gemma_3_27b(), Format::Q4_0, Covers::Everything);
    let sliding = weights(&gemma).plus(one_request(&gemma, Format::Bf16, 85_000));
    check([
        row("C01", "7B, 262k, 8-bit cache", gib(long), 11.5, 100.0),
        row("C02", "grouped heads", per_token(&known("Llama 3.1 8B")), 131_072.0, 0.0),
        row("C03", "latent cache", per_token(&deepseek_v2_lite()), 27.0 * 576.0 * 2.0, 0.0),
        row("C16", "bits are no bytes", per_token(&seven), 57_344.0, 0.0),
        row("C21", "latent, not its heads", per_token(&known("DeepSeek V3")), 70_272.0, 0.0),
    ]);
    assert!((20.0..35.0).contains(&gb(sliding)), "C04: {} GB", gb(sliding));
    let gemma = gemma_4_31b();
    let (windowed, uniform) =
        (one_request(&gemma, Format::Int8, 262_144), 262_144.0 * 901_120.0 / 2.0);
    assert!(gib(windowed) < 16.0 && uniform / plain(windowed) > 7.0, "C06: {} GiB", gib(windowed));
    // C05: by the layers, not by the parameters.
    let (small, large) = (known("Llama 2 7B"), known("Mixtral 8x22B"));
    assert!(parameters(&small) < parameters(&large) && per_token(&small) > per_token(&large));
    // C07, C20, C24: a hybrid's concurrency is not in proportion to the context.
    let hybrid = qwen_3_6_35b();
    let twice = 2.0 * plain(one_request(&hybrid, Format::Fp8, 16_384));
    assert!(plain(one_request(&hybrid, Format::Fp8, 32_768)) < 0.8 * twice);
    // C18: the fullest rank decides; four key-value heads on eight ranks are replicated.
    let on = |tensor| {
        cache::per_request(&seven, rules(Format::Bf16), 16_384, Split { tensor, pipeline: 1 })
    };
    assert_eq!(on(8), on(4), "C18");
    // C19: a stage keeps its own layers' cache only.
    let staged =
        cache::per_request(&seven, rules(Format::Bf16), 16_384, Split { tensor: 1, pipeline: 2 });
    assert_eq!(staged.times(2), on(1), "C19");
}

#[test]
fn what_people_complained_about_in_totals() {
    let ranker = encoder(24, 1_024, 250_002, 8_194);
    let embedder = encoder(12, 768, 30_528, 0);
    let seen = |shape: &ModelShape, context| {
        let outcome = served(shape, "rtx_4090", 1, context);
        assert_eq!(outcome.kv, Bytes::ZERO);
        outcome.on_card.total()
    };
    check([
        row("C09", "long texts of an encoder", mib(seen(&embedder, 8_192)), 4_158.0, 150.0),
        row("C10", "bge-m3", gb(seen(&ranker, 512)), 1.7, 100.0),
    ]);
    assert!(gib(seen(&ranker, 512)) < 2.0, "C08");
    // C12: states alone are not what a card needs.
    let offloaded =
        Training { offload: Offload::States, recompute: Recompute::None, ..Training::full() };
    let memory =
        offloaded.memory(&known("Mistral 7B"), None, Stored::usual(Format::Bf16), 8, 1, 2_048);
    assert!(gib(memory.states) < 2.0 && gib(memory.total()) > 10.0, "C12: {memory:?}");
    let adamw =
        Training { optimizer: Optimizer::AdamW, sharding: Sharding::None, ..Training::full() };
    let states = adamw.states(6_738_415_616, 0, 1);
    check([
        row("C13", "7B training states", gb(states), 107.0, 10.0),
        row("C14", "83 billion bytes", gib(Bytes(83_000_000_000)), 77.3, 1.0),
        row("C15", "16 billion bytes", gib(Bytes(16_000_000_000)), 14.9, 1.0),
    ]);
    // C17: what is needed is not what a runtime reserves beforehand.
    let small = stored(known("Qwen3 4B"), Format::Int4, Covers::Layers);
    let outcome = served(&small, "rtx_4090", 1, 4_096);
    assert!(gib(outcome.on_card.total()) < 8.0, "C17");
    // C23: 24 GB are not enough for one request of 40 960 tokens.
    let outcome = served(&known("Qwen3 8B"), "rtx_4090", 1, 40_960);
    assert_eq!(outcome.layout.map(|layout| layout.cards()), Some(2), "C23");
}

#[test]
fn a_heads_own_width_counts_and_not_a_share_of_hidden() {
    let heads = Heads { value_dim: 128, ..Heads::plain(64, 4, 192) };
    let uneven = cached_by(&[(48, Attention::Full { heads })]);
    check([
        row("C03", "uneven values", per_token(&uneven), 48.0 * 4.0 * 320.0 * 2.0, 0.0),
        row("C03", "Qwen3 0.6B", per_token(&known("Qwen3 0.6B")), 28.0 * 8.0 * 256.0 * 2.0, 0.0),
    ]);
}
