//! The traps of model configurations: fields that mislead, layers that cache nothing, families with rules of their own.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use serde_json::{Value, json};
use sixgate_evidence::{Attention, Document, Facts, HfConfig, Kind, LayerKind, read, read_auto};

fn document(config: &Value) -> Document {
    read(Kind::HfConfig, config.to_string().as_bytes()).unwrap()
}

fn facts(config: &Value) -> HfConfig {
    let Facts::HfConfig(facts) = document(config).facts else { panic!("another kind") };
    *facts
}

fn llama(changes: &[(&str, Value)]) -> Value {
    with(
        json!({
            "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
            "vocab_size": 128_256, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
            "max_position_embeddings": 131_072,
        }),
        changes,
    )
}

fn with(mut config: Value, changes: &[(&str, Value)]) -> Value {
    for (name, value) in changes {
        config[*name] = value.clone();
    }
    config
}

fn kinds(facts: &HfConfig) -> Vec<(LayerKind, u64)> {
    facts.layer_groups.iter().map(|group| (group.kind, group.layers)).collect()
}

#[test]
fn a_plain_model_is_counted_to_the_last_weight() {
    let facts = facts(&llama(&[]));
    assert_eq!(
        (facts.parameters, facts.active_parameters),
        (Some(8_030_261_248), Some(8_030_261_248))
    );
    assert_eq!((facts.head_dim, facts.attention), (Some(128), Some(Attention::Gqa)));
    assert_eq!(facts.kv_bytes_per_token, Some(131_072));
    assert_eq!(facts.kv_bytes_per_token_full, Some(131_072));
    assert!(facts.unknown.is_empty());
}

#[test]
fn a_stated_width_of_heads_beats_the_quotient() {
    let stated = facts(&llama(&[
        ("model_type", json!("qwen3")),
        ("hidden_size", json!(1024)),
        ("num_attention_heads", json!(16)),
        ("head_dim", json!(128)),
    ]));
    assert_eq!((stated.head_dim, stated.kv_bytes_per_token), (Some(128), Some(131_072)));
    for nothing in [Value::Null, json!(0)] {
        assert_eq!(facts(&llama(&[("head_dim", nothing)])).head_dim, Some(128));
    }
}

#[test]
fn null_falls_through_to_the_next_name() {
    let facts = facts(&json!({
        "model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "n_head_kv": null, "n_inner": null,
        "n_layer": 32, "vocab_size": 51200, "tie_word_embeddings": false, "torch_dtype": "float16",
    }));
    assert_eq!((facts.kv_heads, facts.attention), (Some(32), Some(Attention::Mha)));
    assert_eq!(facts.parameters, Some(2_779_683_840));
}

#[test]
fn latent_attention_caches_one_vector_whatever_the_other_fields_say() {
    let facts = facts(&json!({
        "model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
        "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "head_dim": 64,
        "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
        "moe_intermediate_size": 2048, "first_k_dense_replace": 3, "topk_method": "noaux_tc",
        "vocab_size": 129_280, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "num_nextn_predict_layers": 1,
        "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]},
    }));
    assert_eq!(facts.attention, Some(Attention::Mla));
    assert_eq!(facts.kv_bytes_per_token, Some(70_272));
    assert_eq!((facts.kv_heads, facts.head_dim), (Some(1), Some(576)));
    assert_eq!(facts.parameters, Some(671_026_419_200));
    assert_eq!(
        (facts.expert_layers, facts.experts, facts.experts_per_token),
        (Some(58), Some(256), Some(8))
    );
    assert_eq!(facts.quantization.as_deref(), Some("fp8"));
    // The weights' method says nothing about the cache.
    assert_eq!(facts.quantization_details.unwrap().kv_cache, None);
    assert!(facts.unknown.iter().any(|what| what.contains("draft layers")));
}

#[test]
fn a_window_that_is_switched_off_is_none() {
    let off = [
        ("model_type", json!("qwen2")),
        ("sliding_window", json!(4096)),
        ("use_sliding_window", json!(false)),
    ];
    assert_eq!(facts(&llama(&off)).attention, Some(Attention::Gqa));
    let unstated = [("model_type", json!("qwen2")), ("sliding_window", json!(4096))];
    assert_eq!(facts(&llama(&unstated)).attention, Some(Attention::Gqa));
    let wide = [("model_type", json!("mistral")), ("sliding_window", json!(131_072))];
    assert_eq!(facts(&llama(&wide)).attention, Some(Attention::Gqa));
}

#[test]
fn windows_cap_what_grows_with_the_context() {
    let every = facts(&llama(&[("model_type", json!("mistral")), ("sliding_window", json!(4096))]));
    assert_eq!(
        (every.attention, every.kv_bytes_per_token_full),
        (Some(Attention::Sliding), Some(0))
    );
    assert_eq!(every.kv_bytes_per_token, Some(131_072));
    let listed = ["sliding_attention", "full_attention"].repeat(16);
    let half = facts(&llama(&[("sliding_window", json!(128)), ("layer_types", json!(listed))]));
    assert_eq!(half.attention, Some(Attention::Hybrid));
    assert_eq!(kinds(&half), [(LayerKind::Sliding, 16), (LayerKind::Full, 16)]);
    assert_eq!(half.layer_groups[0].window_tokens, Some(128));
    assert_eq!(half.kv_bytes_per_token_full, Some(65_536));
}

#[test]
fn each_family_alternates_in_its_own_way() {
    let config = |family: &str| {
        llama(&[
            ("model_type", json!(family)),
            ("sliding_window", json!(1024)),
            ("num_hidden_layers", json!(24)),
        ])
    };
    assert_eq!(kinds(&facts(&config("gemma2"))), [(LayerKind::Sliding, 12), (LayerKind::Full, 12)]);
    assert_eq!(
        kinds(&facts(&config("gemma3_text"))),
        [(LayerKind::Sliding, 20), (LayerKind::Full, 4)]
    );
    let pattern = with(config("exaone4"), &[("sliding_window_pattern", json!("LLLG"))]);
    assert_eq!(kinds(&facts(&pattern)), [(LayerKind::Sliding, 18), (LayerKind::Full, 6)]);
    let chunked = with(
        config("llama4_text"),
        &[("attention_chunk_size", json!(8192)), ("sliding_window", Value::Null)],
    );
    assert_eq!(kinds(&facts(&chunked)), [(LayerKind::Chunked, 18), (LayerKind::Full, 6)]);
    // Another family carries the field without using it.
    let unused = llama(&[("attention_chunk_size", json!(128))]);
    assert_eq!(kinds(&facts(&unused)), [(LayerKind::Full, 32)]);
}

#[test]
fn layers_of_states_cache_nothing() {
    let interval = facts(&llama(&[
        ("model_type", json!("qwen3_next")),
        ("full_attention_interval", json!(4)),
    ]));
    assert_eq!(kinds(&interval), [(LayerKind::State, 24), (LayerKind::Full, 8)]);
    assert_eq!(
        (interval.attention, interval.kv_bytes_per_token),
        (Some(Attention::Hybrid), Some(32_768))
    );
    let letters = facts(&llama(&[
        ("model_type", json!("nemotron_h")),
        ("num_hidden_layers", json!(6)),
        ("hybrid_override_pattern", json!("M-M*ME")),
    ]));
    assert_eq!(
        kinds(&letters),
        [(LayerKind::State, 3), (LayerKind::None, 2), (LayerKind::Full, 1)]
    );
    assert_eq!(letters.kv_bytes_per_token, Some(4096));
    let period = facts(&llama(&[
        ("model_type", json!("jamba")),
        ("attn_layer_period", json!(8)),
        ("attn_layer_offset", json!(4)),
    ]));
    assert_eq!(kinds(&period), [(LayerKind::State, 28), (LayerKind::Full, 4)]);
    let pure = facts(&llama(&[("model_type", json!("mamba2"))]));
    assert_eq!((pure.attention, pure.kv_bytes_per_token), (None, Some(0)));
}

#[test]
fn a_pattern_nobody_knows_is_unknown_not_full() {
    let odd = facts(&llama(&[("layer_types", json!(["quantum_attention"]))]));
    assert_eq!((odd.kv_bytes_per_token, odd.attention), (None, None));
    assert!(odd.unknown.iter().any(|what| what.contains("quantum_attention")));
    let short = facts(&llama(&[("hybrid_override_pattern", json!("M*"))]));
    assert_eq!(short.kv_bytes_per_token, None);
    let two = facts(&llama(&[("is_encoder_decoder", json!(true))]));
    assert_eq!((two.kv_bytes_per_token, two.layer_groups.len()), (None, 0));
    let compressed = facts(&llama(&[("compress_ratios", json!([0, 4, 128]))]));
    assert_eq!(compressed.kv_bytes_per_token, None);
}

#[test]
fn the_nested_language_model_counts_and_its_tower_is_named() {
    let nested = facts(&json!({
        "model_type": "some_vl", "architectures": ["SomeVLForConditionalGeneration"],
        "tie_word_embeddings": false,
        "text_config": llama(&[("model_type", json!("qwen3_vl_text")), ("head_dim", json!(128)), ("dtype", json!("bfloat16"))]),
        "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27},
    }));
    assert_eq!((nested.layers, nested.hidden_size), (Some(32), Some(4096)));
    assert_eq!(nested.model_type.as_deref(), Some("some_vl"));
    assert_eq!(nested.other_parts, ["vision_config"]);
    assert!(nested.unknown.contains(&"the weights of vision_config".to_owned()));
    assert!(nested.parameters.is_some());
}

#[test]
fn what_a_class_assumes_is_said() {
    let config = json!({
        "model_type": "llava", "tie_word_embeddings": false, "torch_dtype": "float16",
        "text_config": {"model_type": "llama", "vocab_size": 32064},
        "vision_config": {"hidden_size": 1024},
    });
    let document = document(&config);
    assert!(document.warnings.iter().any(|warning| warning.code == "class_default"));
    assert_eq!(facts(&config).kv_bytes_per_token, Some(524_288));
}

#[test]
fn one_set_of_keys_for_all_heads_has_many_spellings() {
    let falcon = |changes: &[(&str, Value)]| {
        let config = json!({
            "model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "num_hidden_layers": 32,
            "vocab_size": 65024, "multi_query": true, "parallel_attn": true, "bias": false, "alibi": false,
            "torch_dtype": "bfloat16",
        });
        facts(&with(config, changes))
    };
    let seven = falcon(&[]);
    assert_eq!((seven.attention, seven.kv_bytes_per_token), (Some(Attention::Mqa), Some(8192)));
    assert_eq!((seven.tied_embeddings, seven.parameters), (Some(true), Some(6_921_720_704)));
    let forty = falcon(&[
        ("hidden_size", json!(8192)),
        ("num_attention_heads", json!(128)),
        ("num_hidden_layers", json!(60)),
        ("num_kv_heads", json!(8)),
        ("new_decoder_architecture", json!(true)),
    ]);
    assert_eq!((forty.kv_heads, forty.kv_bytes_per_token), (Some(8), Some(122_880)));
    let glm = facts(&json!({
        "model_type": "chatglm", "hidden_size": 4096, "ffn_hidden_size": 13696, "kv_channels": 128,
        "multi_query_attention": true, "multi_query_group_num": 2, "num_attention_heads": 32, "num_layers": 28,
        "padded_vocab_size": 65024, "add_qkv_bias": true, "add_bias_linear": false,
        "tie_word_embeddings": false, "torch_dtype": "float16", "seq_length": 8192,
    }));
    assert_eq!((glm.kv_bytes_per_token, glm.parameters), (Some(28_672), Some(6_243_584_000)));
    assert_eq!(glm.context_tokens, Some(8192));
}

#[test]
fn experts_are_all_counted_and_the_idle_ones_kept_apart() {
    let facts = facts(&llama(&[
        ("model_type", json!("mixtral")),
        ("vocab_size", json!(32000)),
        ("num_local_experts", json!(8)),
        ("num_experts_per_tok", json!(2)),
        ("sliding_window", Value::Null),
    ]));
    assert_eq!(facts.parameters, Some(46_702_792_704));
    assert_eq!(facts.active_parameters, Some(12_879_925_248));
}

#[test]
fn the_first_qwen_states_twice_its_width() {
    let facts = facts(&json!({
        "model_type": "qwen", "hidden_size": 4096, "intermediate_size": 22016, "kv_channels": 128,
        "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 151_936, "seq_length": 8192,
        "torch_dtype": "bfloat16",
    }));
    assert_eq!((facts.attention, facts.parameters), (Some(Attention::Mha), Some(7_721_324_544)));
}

#[test]
fn layers_of_one_letter_each_are_counted_by_their_letter() {
    let layers = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-";
    let config = json!({
        "model_type": "nemotron_h", "hidden_size": 4096, "intermediate_size": 21504, "attention_head_dim": 128,
        "num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": layers.len(),
        "hybrid_override_pattern": layers, "mamba_num_heads": 128, "mamba_head_dim": 64, "n_groups": 8,
        "ssm_state_size": 128, "conv_kernel": 4, "use_conv_bias": true, "vocab_size": 131_072,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    });
    let facts = facts(&config);
    assert_eq!(facts.parameters, Some(8_100_852_736));
    assert_eq!(facts.kv_bytes_per_token, Some(4 * 4096));
}

#[test]
fn which_layers_have_experts_has_many_spellings() {
    let layers = |changes: &[(&str, Value)]| {
        let experts = [
            ("num_experts", json!(8)),
            ("num_experts_per_tok", json!(2)),
            ("num_hidden_layers", json!(8)),
        ];
        facts(&with(llama(&experts), changes)).expert_layers
    };
    assert_eq!(layers(&[]), Some(8));
    assert_eq!(layers(&[("first_k_dense_replace", json!(3))]), Some(5));
    assert_eq!(layers(&[("decoder_sparse_step", json!(2))]), Some(4));
    assert_eq!(layers(&[("mlp_only_layers", json!([0, 7]))]), Some(6));
    assert_eq!(layers(&[("moe_layer_freq", json!([0, 1, 1, 1, 1, 1, 1, 1]))]), Some(7));
    assert_eq!(
        layers(&[("expert_layer_period", json!(4)), ("expert_layer_offset", json!(1))]),
        Some(2)
    );
}

#[test]
fn layers_of_unlike_heads_are_added_one_by_one() {
    let facts = facts(&llama(&[
        ("model_type", json!("nemotron-nas")),
        ("num_hidden_layers", json!(3)),
        ("num_key_value_heads", Value::Null),
        (
            "block_configs",
            json!([
                {"attention": {"n_heads_in_group": 4, "no_op": false}},
                {"attention": {"n_heads_in_group": null, "no_op": true}},
                {"attention": {"n_heads_in_group": 16, "no_op": false}},
            ]),
        ),
    ]));
    assert_eq!(facts.kv_bytes_per_token, Some((8 + 2) * 2 * 128 * 2));
    assert_eq!(facts.kv_heads, None);
}

#[test]
fn two_shapes_of_keys_in_one_model_are_both_counted() {
    let listed: Vec<&str> =
        (0..6).map(|at| if at == 5 { "full_attention" } else { "sliding_attention" }).collect();
    let facts = facts(&llama(&[
        ("model_type", json!("gemma4_text")),
        ("num_hidden_layers", json!(6)),
        ("layer_types", json!(listed)),
        ("head_dim", json!(256)),
        ("global_head_dim", json!(512)),
        ("num_global_key_value_heads", json!(2)),
        ("sliding_window", json!(1024)),
        ("num_kv_shared_layers", json!(0)),
    ]));
    assert_eq!(facts.kv_bytes_per_token_full, Some(4096));
    assert_eq!(facts.kv_bytes_per_token, Some(5 * 8192 + 4096));
}

#[test]
fn a_family_without_a_rule_has_no_count() {
    let facts =
        facts(&llama(&[("model_type", json!("brand_new")), ("tie_word_embeddings", Value::Null)]));
    assert_eq!((facts.parameters, facts.tied_embeddings), (None, None));
    assert!(facts.unknown.iter().any(|what| what.starts_with("parameters:")));
    assert_eq!(facts.kv_bytes_per_token, Some(131_072));
}

#[test]
fn an_embedding_model_caches_nothing() {
    let facts = facts(&llama(&[("model_type", json!("xlm-roberta"))]));
    assert_eq!((facts.kv_bytes_per_token, facts.attention), (Some(0), None));
}

#[test]
fn numbers_beyond_any_model_are_not_believed() {
    for number in [json!(1e30), json!(-4), json!(u64::MAX), json!("32"), json!(4.5)] {
        let facts =
            facts(&llama(&[("num_attention_heads", number.clone()), ("head_dim", number.clone())]));
        assert_eq!(facts.heads, None, "{number}");
    }
    assert_eq!(facts(&llama(&[("num_hidden_layers", json!(100_000))])).layers, None);
}

#[test]
fn bare_infinity_and_a_cut_end_are_read() {
    let text =
        llama(&[("time_step_limit", json!([0.0]))]).to_string().replace("[0.0]", "[0.0, Infinity]");
    assert_eq!(read_auto(text.as_bytes()).unwrap().kind, Kind::HfConfig);
    let cut = read(Kind::HfConfig, &text.as_bytes()[..text.len() - 20]).unwrap();
    assert!(!cut.complete);
}

#[test]
fn other_json_is_no_configuration() {
    for text in
        [r#"{"model_type": "llama"}"#, r#"{"num_hidden_layers": 3}"#, r#"[{"architectures": 1}]"#]
    {
        assert_eq!(
            read(Kind::HfConfig, text.as_bytes()).unwrap_err().code(),
            "not_this_kind",
            "{text}"
        );
    }
}
