//! Reads a model's `config.json` as published with its weights: its shape, its parameters, its memory per token.
//!
//! Rule: what the file leaves out is taken from another field only where the family's own code does the same, and what
//! cannot be told is null and named in `unknown`.
//! It sizes nothing and looks at no weights: parts beside the language model are named, not counted.

mod fields;
mod heads;
mod layers;
mod parameters;
mod quantization;

use crate::document::Warnings;
use crate::json;
use crate::text::Text;
use crate::{Document, Facts, Kind, Refused, Warning};
use fields::Fields;
use heads::Heads;
use layers::Layer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HfConfig {
    pub model_type: Option<String>,
    pub architectures: Vec<String>,
    pub layers: Option<u64>,
    pub hidden_size: Option<u64>,
    /// Width of the dense feed-forward part; a mixture of experts may not use it.
    pub intermediate_size: Option<u64>,
    pub heads: Option<u64>,
    /// Heads whose keys and values are cached; 1 for latent attention, which caches one vector for all.
    pub kv_heads: Option<u64>,
    /// Width of a cached key; for latent attention that of the cached vector.
    pub head_dim: Option<u64>,
    pub attention: Option<Attention>,
    /// Layers of one shape together, in the order of their first appearance.
    pub layer_groups: Vec<LayerGroup>,
    pub latent: Option<LatentAttention>,
    pub experts: Option<u64>,
    pub experts_per_token: Option<u64>,
    pub shared_experts: Option<u64>,
    pub expert_intermediate_size: Option<u64>,
    /// Layers that have experts.
    pub expert_layers: Option<u64>,
    pub vocab: Option<u64>,
    pub context_tokens: Option<u64>,
    pub tied_embeddings: Option<bool>,
    /// In which the weights are stored where they are not quantised, as in `bfloat16`.
    pub dtype: Option<String>,
    /// The method in lower case, as in `fp8`, `awq`, `mxfp4`; null for plain weights.
    pub quantization: Option<String>,
    pub quantization_details: Option<Quantization>,
    /// Of the language model, without draft layers for speculative decoding.
    pub parameters: Option<u64>,
    /// Of `parameters`, those that a token passes through; the same for a dense model.
    pub active_parameters: Option<u64>,
    /// Bytes of the whole model at 16 bits, as if every attention layer cached the whole context.
    pub kv_bytes_per_token: Option<u64>,
    /// Only of the layers whose cache really grows with the context.
    pub kv_bytes_per_token_full: Option<u64>,
    /// Keys of parts that hold weights of their own and are not counted, as in `vision_config`.
    pub other_parts: Vec<String>,
    pub unknown: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    Mha,
    Gqa,
    Mqa,
    Mla,
    /// Every layer sees a window only.
    Sliding,
    /// Layers of unlike kinds: full beside windows, or attention beside states.
    Hybrid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Caches the whole context.
    Full,
    /// Caches the last `window_tokens`.
    Sliding,
    /// Caches the present chunk of `window_tokens`.
    Chunked,
    /// Keeps a state of constant size for each request: linear attention, Mamba, convolutions.
    State,
    /// Caches what an encoder made, not the text.
    Cross,
    /// Reads the cache of an earlier layer.
    Shared,
    /// Caches nothing.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerGroup {
    pub kind: LayerKind,
    pub layers: u64,
    pub kv_heads: Option<u64>,
    pub head_dim: Option<u64>,
    pub window_tokens: Option<u64>,
    /// Of one layer at 16 bits; 0 where nothing grows with the text.
    pub kv_bytes_per_token: Option<u64>,
}

/// Widths of multi-head latent attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatentAttention {
    pub kv_rank: u64,
    pub rope_dim: u64,
    pub nope_dim: Option<u64>,
    pub value_dim: Option<u64>,
    /// Null when queries are not compressed.
    pub query_rank: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantization {
    pub bits: Option<u64>,
    pub group_size: Option<u64>,
    /// Modules that keep `dtype`, as the file names them.
    pub unconverted: Vec<String>,
    /// Stated for the cache; the weights' method says nothing about it.
    pub kv_cache: Option<String>,
}

const LOOKED_FOR: &str = "a JSON object with model_type or architectures and the number of layers";
const SIZE_BYTES_MAX: usize = 4 * 1024 * 1024;

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let content = text.content();
    let names_a_model = content.contains("\"model_type\"") || content.contains("\"architectures\"");
    if content.len() > SIZE_BYTES_MAX || !names_a_model {
        return Err(Refused::not_this_kind(Kind::HfConfig, LOOKED_FOR));
    }
    let mut warnings = Warnings::default();
    let mut configs = json::objects(content)
        .into_iter()
        .filter_map(|object| {
            let root: Map<String, Value> = serde_json::from_str(&object.json).ok()?;
            Fields::is_config(&root).then_some((object.cut, root))
        })
        .collect::<Vec<_>>();
    if configs.len() > 1 {
        let said = "the file has several configurations; the first whole one is given";
        warnings.push(Warning::new("several_documents", said));
        configs.sort_by_key(|(cut, _)| *cut);
    }
    let Some((cut, root)) = configs.into_iter().next() else {
        return Err(Refused::not_this_kind(Kind::HfConfig, LOOKED_FOR));
    };
    let facts = facts(&Fields::new(&root), &mut warnings);
    let incomplete_because = cut.then(|| "the JSON object is cut".to_owned());
    Ok(Document::new(
        Kind::HfConfig,
        Facts::HfConfig(Box::new(facts)),
        incomplete_because,
        warnings.into_vec(),
    ))
}

fn facts(fields: &Fields<'_>, warnings: &mut Warnings) -> HfConfig {
    let mut unknown = Vec::new();
    let heads = Heads::find(fields);
    let layers = layers::layers(fields, &heads, &mut unknown);
    let latent = heads.latent;
    let quantization = quantization::find(fields);
    let mut config = HfConfig {
        model_type: fields.model_type().map(str::to_owned),
        architectures: fields.architectures(),
        layers: fields.layers(),
        hidden_size: fields.hidden_size(),
        intermediate_size: fields.intermediate_size(),
        heads: heads.queries,
        kv_heads: latent.map_or(heads.kv, |_| Some(1)),
        head_dim: latent.map_or(heads.key_dim, |latent| Some(latent.kv_rank + latent.rope_dim)),
        attention: layers.as_deref().and_then(|layers| attention(layers, &heads)),
        layer_groups: layers.as_deref().map(grouped).unwrap_or_default(),
        latent,
        experts: fields.experts(),
        experts_per_token: fields.experts_per_token(),
        shared_experts: fields.shared_experts(),
        expert_intermediate_size: fields.expert_intermediate_size(),
        expert_layers: fields.expert_layers(),
        vocab: fields.vocab(),
        context_tokens: fields.context_tokens(),
        tied_embeddings: fields.tied_embeddings(),
        dtype: fields.dtype(),
        quantization: quantization.as_ref().map(|(method, _)| method.clone()),
        quantization_details: quantization.map(|(_, details)| details),
        parameters: None,
        active_parameters: None,
        kv_bytes_per_token: layers.as_deref().and_then(|layers| kv_bytes(layers, false)),
        kv_bytes_per_token_full: layers.as_deref().and_then(|layers| kv_bytes(layers, true)),
        other_parts: fields.other_parts(),
        unknown: Vec::new(),
    };
    match parameters::count(fields, &heads, layers.as_deref()) {
        Ok(count) => {
            config.parameters = Some(count.all);
            config.active_parameters = Some(count.active);
        }
        Err(why) => unknown.push(format!("parameters: {why}")),
    }
    unknown.extend(gaps(fields, &config));
    let defaults = fields.class_defaults_used();
    if !defaults.is_empty() {
        let said = format!("taken from the defaults of the model's class: {}", defaults.join(", "));
        warnings.push(Warning::new("class_default", said));
    }
    config.unknown = unknown;
    config
}

/// What the configuration leaves open, and what it names without saying how large it is.
fn gaps(fields: &Fields<'_>, config: &HfConfig) -> Vec<String> {
    let mut unknown = Vec::new();
    for (name, value) in [
        ("layers", config.layers),
        ("hidden_size", config.hidden_size),
        ("heads", config.heads),
        ("kv_heads", config.kv_heads),
        ("head_dim", config.head_dim),
        ("vocab", config.vocab),
        ("kv_bytes_per_token", config.kv_bytes_per_token),
    ] {
        if value.is_none() {
            unknown.push(name.to_owned());
        }
    }
    if config.tied_embeddings.is_none() {
        unknown.push("tied_embeddings".to_owned());
    }
    if config.dtype.is_none() {
        unknown.push("dtype".to_owned());
    }
    if fields.number(&["index_head_dim"]).is_some() {
        unknown.push("the cache of the sparse attention's indexer, which comes on top".to_owned());
    }
    if fields.number(&["num_nextn_predict_layers", "mtp_num_hidden_layers"]).is_some() {
        unknown.push("the weights of the draft layers for speculative decoding".to_owned());
    }
    unknown.extend(config.other_parts.iter().map(|part| format!("the weights of {part}")));
    unknown
}

fn attention(layers: &[Layer], heads: &Heads) -> Option<Attention> {
    let any = |kind: LayerKind| layers.iter().any(|layer| layer.kind == kind);
    let windows = any(LayerKind::Sliding) || any(LayerKind::Chunked);
    let full = any(LayerKind::Full);
    if !windows && !full {
        return None;
    }
    if any(LayerKind::State) || (windows && full) {
        return Some(Attention::Hybrid);
    }
    if windows {
        return Some(Attention::Sliding);
    }
    if heads.latent.is_some() {
        return Some(Attention::Mla);
    }
    let kv = heads.kv.or_else(|| layers.iter().find_map(|layer| layer.kv_heads))?;
    Some(match kv {
        kv if Some(kv) == heads.queries => Attention::Mha,
        1 => Attention::Mqa,
        _ => Attention::Gqa,
    })
}

fn grouped(layers: &[Layer]) -> Vec<LayerGroup> {
    let mut groups: Vec<LayerGroup> = Vec::new();
    for layer in layers {
        let one = layer.group_of_one();
        let known =
            groups.iter_mut().find(|group| LayerGroup { layers: 1, ..(*group).clone() } == one);
        match known {
            Some(group) => group.layers += 1,
            None => groups.push(one),
        }
    }
    groups
}

fn kv_bytes(layers: &[Layer], only_growing: bool) -> Option<u64> {
    layers
        .iter()
        .filter(|layer| !only_growing || layer.kind == LayerKind::Full)
        .try_fold(0u64, |sum, layer| sum.checked_add(layer.kv_bytes()?))
}
