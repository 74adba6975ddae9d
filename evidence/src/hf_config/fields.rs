//! The fields of a configuration under all the names that families give them.
//!
//! The language model's own object comes first, then the outer one; null counts as absent, as it does for the loaders.
//! Numbers are bounded, so that products of a few of them cannot overflow.

use serde_json::{Map, Value};
use std::cell::RefCell;

pub(super) struct Fields<'a> {
    root: &'a Map<String, Value>,
    text: Option<&'a Map<String, Value>>,
    defaults_used: RefCell<Vec<&'static str>>,
}

/// Far above any model, and its fourth power fits 128 bits.
const NUMBER_MAX: u64 = 1 << 25;
pub(super) const LAYERS_MAX: u64 = 4096;

const TEXT_CONFIGS: [&str; 5] =
    ["text_config", "llm_config", "language_config", "thinker_config", "language_model"];
const LAYERS: [&str; 5] =
    ["num_hidden_layers", "n_layer", "num_layers", "n_layers", "decoder_layers"];

/// What the classes of families assume when a nested configuration leaves a field out.
const CLASS_DEFAULTS: [(&str, &[(&str, u64)]); 3] = [
    (
        "llama",
        &[
            ("hidden_size", 4096),
            ("intermediate_size", 11008),
            ("num_hidden_layers", 32),
            ("num_attention_heads", 32),
            ("vocab_size", 32000),
        ],
    ),
    (
        "mistral",
        &[
            ("hidden_size", 4096),
            ("intermediate_size", 14336),
            ("num_hidden_layers", 32),
            ("num_attention_heads", 32),
            ("num_key_value_heads", 8),
            ("vocab_size", 32000),
        ],
    ),
    (
        "gemma3_text",
        &[
            ("hidden_size", 2304),
            ("intermediate_size", 9216),
            ("num_hidden_layers", 26),
            ("num_attention_heads", 8),
            ("num_key_value_heads", 4),
            ("head_dim", 256),
            ("sliding_window", 4096),
            ("vocab_size", 262_208),
        ],
    ),
];

impl<'a> Fields<'a> {
    pub(super) fn is_config(root: &Map<String, Value>) -> bool {
        let names_a_model = root.contains_key("model_type") || root.contains_key("architectures");
        names_a_model
            && (nested(root).is_some() || LAYERS.iter().any(|name| root.contains_key(*name)))
    }

    pub(super) fn new(root: &'a Map<String, Value>) -> Self {
        Self { root, text: nested(root), defaults_used: RefCell::default() }
    }

    /// Null counts as absent.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        let own = self.text.and_then(|text| text.get(name)).filter(|value| !value.is_null());
        own.or_else(|| self.root.get(name).filter(|value| !value.is_null()))
    }

    /// The first of the names that has a number above zero, which some families write for "not used".
    pub(super) fn number(&self, names: &[&str]) -> Option<u64> {
        names
            .iter()
            .filter_map(|name| self.value(name)?.as_u64())
            .find(|number| (1..=NUMBER_MAX).contains(number))
    }

    /// As [`Self::number`]; the class's default where the file has a nested configuration without the field.
    fn number_or_default(&self, names: &[&'static str]) -> Option<u64> {
        self.number(names).or_else(|| {
            self.text?;
            let family = self.family();
            let (_, defaults) = CLASS_DEFAULTS.iter().find(|(name, _)| *name == family)?;
            let (name, number) = defaults.iter().find(|(name, _)| names.contains(name))?;
            let mut used = self.defaults_used.borrow_mut();
            if !used.contains(name) {
                used.push(name);
            }
            Some(*number)
        })
    }

    pub(super) fn class_defaults_used(&self) -> Vec<&'static str> {
        self.defaults_used.borrow().clone()
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    pub(super) fn word(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    pub(super) fn list(&self, name: &str) -> Option<&'a [Value]> {
        self.value(name)?.as_array().map(Vec::as_slice)
    }

    pub(super) fn object(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.value(name)?.as_object()
    }

    /// Of the file as a whole.
    pub(super) fn model_type(&self) -> Option<&'a str> {
        self.root.get("model_type").and_then(Value::as_str).or_else(|| self.word("model_type"))
    }

    /// Of the language model inside.
    pub(super) fn family(&self) -> &'a str {
        self.word("model_type").unwrap_or("")
    }

    pub(super) fn architectures(&self) -> Vec<String> {
        let names = self.root.get("architectures").and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        names.take(16).map(|name| name.chars().take(120).collect()).collect()
    }

    pub(super) fn layers(&self) -> Option<u64> {
        self.number_or_default(&LAYERS).filter(|layers| *layers <= LAYERS_MAX)
    }

    pub(super) fn hidden_size(&self) -> Option<u64> {
        self.number_or_default(&["hidden_size", "n_embd", "d_model"])
    }

    pub(super) fn heads(&self) -> Option<u64> {
        self.number_or_default(&["num_attention_heads", "n_head", "n_heads"])
    }

    pub(super) fn kv_heads_field(&self) -> Option<u64> {
        self.number_or_default(&["n_head_kv", "num_kv_heads", "num_key_value_heads"])
    }

    pub(super) fn head_dim_field(&self) -> Option<u64> {
        self.number_or_default(&[
            "head_dim",
            "hidden_size_per_head",
            "attention_head_dim",
            "kv_channels",
        ])
    }

    pub(super) fn window_field(&self) -> Option<u64> {
        self.number_or_default(&[
            "sliding_window",
            "sliding_window_size",
            "attention_window_size",
            "window_size",
        ])
    }

    pub(super) fn intermediate_size(&self) -> Option<u64> {
        self.number_or_default(&["intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"])
    }

    pub(super) fn vocab(&self) -> Option<u64> {
        self.number_or_default(&["padded_vocab_size", "vocab_size"])
    }

    /// The smallest limit that the file states; a rope that stretches it is not applied.
    pub(super) fn context_tokens(&self) -> Option<u64> {
        let names = [
            "max_position_embeddings",
            "n_positions",
            "max_seq_len",
            "seq_length",
            "model_max_length",
            "max_sequence_length",
            "seq_len",
        ];
        names.iter().filter_map(|name| self.number(&[name])).min()
    }

    /// Where the file says nothing the family's class decides, as the loaders do.
    pub(super) fn tied_embeddings(&self) -> Option<bool> {
        let stated = self.flag("tie_word_embeddings");
        stated.or_else(|| match self.family() {
            "gemma" | "gemma2" | "gemma3" | "gemma3_text" | "gemma4" | "gemma4_text" | "gpt2"
            | "falcon" | "RefinedWebModel" | "RefinedWeb" | "cohere" | "cohere2"
            | "gpt_bigcode" | "bloom" => Some(true),
            "llama" | "mistral" | "mixtral" | "qwen" | "qwen2" | "qwen2_moe" | "qwen3"
            | "qwen3_moe" | "qwen2_vl" | "deepseek_v2" | "deepseek_v3" | "kimi_k2" | "llama4"
            | "llama4_text" | "gpt_oss" | "phi" | "phi-msft" | "phi3" | "baichuan" | "chatglm"
            | "internlm2" | "gpt_neox" | "nemotron_h" | "mllama_text_model" => Some(false),
            _ => None,
        })
    }

    pub(super) fn dtype(&self) -> Option<String> {
        let stated = self.word("dtype").or_else(|| self.word("torch_dtype"));
        stated.map(|name| name.trim_start_matches("torch.").chars().take(40).collect())
    }

    pub(super) fn experts(&self) -> Option<u64> {
        let names = [
            "num_experts",
            "moe_num_experts",
            "n_routed_experts",
            "num_local_experts",
            "num_moe_experts",
        ];
        let found = self.number(&names).filter(|experts| *experts > 1);
        found.or_else(|| number_in(self.object("ffn_config")?, "moe_num_experts"))
    }

    pub(super) fn experts_per_token(&self) -> Option<u64> {
        let names = [
            "num_experts_per_tok",
            "num_experts_per_token",
            "experts_per_token",
            "top_k_experts",
            "moe_topk",
            "moe_top_k",
        ];
        self.experts()?;
        let found = self.number(&names);
        found.or_else(|| number_in(self.object("ffn_config")?, "moe_top_k"))
    }

    pub(super) fn shared_experts(&self) -> Option<u64> {
        self.experts()?;
        self.number(&["n_shared_experts", "num_shared_experts", "moe_num_shared_experts"])
    }

    pub(super) fn expert_intermediate_size(&self) -> Option<u64> {
        self.experts()?;
        self.number(&["moe_intermediate_size", "expert_intermediate_size", "intermediate_size"])
    }

    pub(super) fn expert_layers(&self) -> Option<u64> {
        self.experts()?;
        let layers = self.layers()?;
        Some((0..layers).filter(|at| self.has_experts(*at)).count() as u64)
    }

    /// Whether the layer, counted from 0, has experts in a model that has any.
    pub(super) fn has_experts(&self, at: u64) -> bool {
        if at < self.number(&["first_k_dense_replace"]).unwrap_or(0) {
            return false;
        }
        if let Some(pattern) = self.word("hybrid_override_pattern") {
            return usize::try_from(at).is_ok_and(|at| pattern.as_bytes().get(at) == Some(&b'E'));
        }
        if let Some(dense) = self.list("mlp_only_layers")
            && dense.iter().any(|layer| layer.as_u64() == Some(at))
        {
            return false;
        }
        if let Some(flags) = self.list("moe_layer_freq") {
            let flag = usize::try_from(at).ok().and_then(|at| flags.get(at)?.as_u64());
            return flag == Some(1);
        }
        if let Some(period) = self.number(&["expert_layer_period"]) {
            let offset = self.value("expert_layer_offset").and_then(Value::as_u64).unwrap_or(0);
            return at % period == offset;
        }
        let every = self
            .number(&["decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq"])
            .unwrap_or(1);
        (at + 1).is_multiple_of(every)
    }

    pub(super) fn other_parts(&self) -> Vec<String> {
        let parts =
            ["vision_config", "audio_config", "visual", "vision_tower_config", "talker_config"];
        let parts =
            parts.into_iter().filter(|name| self.root.get(*name).is_some_and(Value::is_object));
        parts.map(str::to_owned).collect()
    }

    /// Of the file as a whole, for what is written beside the language model.
    pub(super) fn outer(&self, name: &str) -> Option<&'a Value> {
        self.root.get(name).filter(|value| !value.is_null())
    }
}

pub(super) fn number_in(object: &Map<String, Value>, name: &str) -> Option<u64> {
    object.get(name)?.as_u64().filter(|number| (1..=NUMBER_MAX).contains(number))
}

fn nested(root: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let text = TEXT_CONFIGS.iter().find_map(|name| root.get(*name)?.as_object())?;
    // A thinking part of a speech model nests its language model once more.
    Some(text.get("text_config").and_then(Value::as_object).unwrap_or(text))
}
