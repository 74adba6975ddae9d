//! The shape of a model, as read from its published configuration.
//!
//! What a configuration tells of a layer is what it caches; how its parameters lie in it is known as
//! a sum. The rule: the sum holds. What the parts of the shape do not account for – biases, norms,
//! state-space layers – is kept beside them, so that the total is exactly the reader's.

use sixgate_evidence as read;
use sixgate_workflows::{
    invalid::Invalid,
    needs::sizing::{
        format::{Covers, Format, Stored},
        shape::{Attention, FeedForward, Heads, Latent, LayerGroup, ModelShape},
        weights::Parameters,
    },
};

/// Bytes of state that a linear or state-space layer keeps for a request, for each unit of the
/// hidden width. Published models have between 600 and 2 000; the reader tells no better.
const STATE_BYTES_PER_HIDDEN: u64 = 1_024;

/// Refuses a configuration that leaves out what a sizing cannot do without, by its name.
pub fn model_shape(facts: &read::HfConfig) -> Result<ModelShape, Invalid> {
    let hidden = wanted("hidden_size", facts.hidden_size)?;
    let parameters = facts.parameters.ok_or_else(|| unknown("parameters"))?;
    let shaped = |gated| -> Result<ModelShape, Invalid> {
        Ok(ModelShape {
            hidden,
            vocabulary: wanted("vocab", facts.vocab)?,
            tied_embeddings: facts.tied_embeddings.unwrap_or(false),
            layers: layers(facts, hidden, gated)?,
            other_parameters: 0,
            vision: facts.other_parts.iter().any(|part| part.contains("vision")),
            stored: stored(facts),
        })
    };
    let mut shape = shaped(true)?;
    // A third matrix that is not in the sum is not in the model.
    if Parameters::of(&shape).total() > u128::from(parameters) {
        shape = shaped(false)?;
    }
    let beside = u128::from(parameters).saturating_sub(Parameters::of(&shape).total());
    keep_beside(&mut shape, u64::try_from(beside).unwrap_or(u64::MAX));
    shape.check()?;
    Ok(shape)
}

fn unknown(field: &str) -> Invalid {
    Invalid::new("model", format!("the configuration does not tell its {field}"))
}

fn wanted(field: &'static str, value: Option<u64>) -> Result<u32, Invalid> {
    let value = value.ok_or_else(|| unknown(field))?;
    u32::try_from(value)
        .map_err(|_| Invalid::new("model", format!("{field} is {value}, which no model has")))
}

/// The layers of each kind, in so many groups as they have kinds of feed-forward networks.
fn layers(facts: &read::HfConfig, hidden: u32, gated: bool) -> Result<Vec<LayerGroup>, Invalid> {
    let mut with_experts = match facts.experts {
        Some(_) => facts.expert_layers.or(facts.layers).unwrap_or(0),
        None => 0,
    };
    let mut groups = Vec::new();
    for group in &facts.layer_groups {
        let attention = attention(facts, group, hidden)?;
        let experts = group.layers.min(with_experts);
        with_experts -= experts;
        for (count, feed_forward) in [
            (experts, experts_of(facts, gated)?),
            (group.layers - experts, dense_of(facts, gated)?),
        ] {
            let count = wanted("number of layers", Some(count))?;
            if count > 0 {
                groups.push(LayerGroup { count, attention, feed_forward, norm_parameters: 0 });
            }
        }
    }
    match groups.is_empty() {
        true => Err(unknown("layers")),
        false => Ok(groups),
    }
}

fn experts_of(facts: &read::HfConfig, gated: bool) -> Result<FeedForward, Invalid> {
    let Some(count) = facts.experts else { return Ok(FeedForward::Absent) };
    let width =
        wanted("width of an expert", facts.expert_intermediate_size.or(facts.intermediate_size))?;
    let shared = wanted("number of shared experts", Some(facts.shared_experts.unwrap_or(0)))?;
    Ok(FeedForward::Experts {
        count: wanted("number of experts", Some(count))?,
        width,
        gated,
        shared_width: width.saturating_mul(shared),
        router_bias: false,
    })
}

/// State-space models put their feed-forward networks into layers of their own, and searched
/// architectures give each layer another width; then the sum alone is known.
fn dense_of(facts: &read::HfConfig, gated: bool) -> Result<FeedForward, Invalid> {
    let lies_elsewhere = facts
        .layer_groups
        .iter()
        .any(|group| matches!(group.kind, read::LayerKind::State | read::LayerKind::None));
    match facts.intermediate_size {
        Some(width) if !lies_elsewhere => Ok(FeedForward::Dense {
            width: wanted("intermediate_size", Some(width))?,
            gated,
            bias: false,
        }),
        Some(_) | None => Ok(FeedForward::Absent),
    }
}

fn attention(
    facts: &read::HfConfig,
    group: &read::LayerGroup,
    hidden: u32,
) -> Result<Attention, Invalid> {
    Ok(match group.kind {
        read::LayerKind::Full => match facts.latent {
            Some(latent) => Attention::Latent { latent: latent_of(facts, &latent)? },
            None => Attention::Full { heads: heads(facts, group)? },
        },
        read::LayerKind::Sliding => {
            Attention::Sliding { heads: heads(facts, group)?, window: window(group)? }
        }
        read::LayerKind::Chunked => {
            Attention::Chunked { heads: heads(facts, group)?, window: window(group)? }
        }
        read::LayerKind::State => Attention::State {
            parameters: 0,
            bytes_per_request: u64::from(hidden) * STATE_BYTES_PER_HIDDEN,
        },
        // What they look at is cached elsewhere, or by the encoder and small beside the text.
        read::LayerKind::Cross | read::LayerKind::Shared | read::LayerKind::None => {
            Attention::Absent
        }
    })
}

fn window(group: &read::LayerGroup) -> Result<u32, Invalid> {
    wanted("window", group.window_tokens)
}

/// A value may be narrower than its key; the bytes of a token tell both together.
fn heads(facts: &read::HfConfig, group: &read::LayerGroup) -> Result<Heads, Invalid> {
    let kv = wanted("key-value heads", group.kv_heads.or(facts.kv_heads))?;
    let key_dim = wanted("head_dim", group.head_dim.or(facts.head_dim))?;
    let query = wanted("heads", facts.heads)?.max(kv);
    let both = group
        .kv_bytes_per_token
        .and_then(|bytes| u32::try_from(bytes / 2).ok())
        .and_then(|elements| elements.checked_div(kv));
    let value_dim = both.and_then(|both| both.checked_sub(key_dim)).filter(|dim| *dim > 0);
    Ok(Heads { value_dim: value_dim.unwrap_or(key_dim), ..Heads::plain(query, kv, key_dim) })
}

fn latent_of(facts: &read::HfConfig, latent: &read::LatentAttention) -> Result<Latent, Invalid> {
    Ok(Latent {
        heads: wanted("heads", facts.heads)?,
        query_rank: latent.query_rank.map(|rank| wanted("q_lora_rank", Some(rank))).transpose()?,
        kv_rank: wanted("kv_lora_rank", Some(latent.kv_rank))?,
        rope_dim: wanted("qk_rope_head_dim", Some(latent.rope_dim))?,
        nope_dim: wanted("qk_nope_head_dim", latent.nope_dim)?,
        value_dim: wanted("v_head_dim", latent.value_dim)?,
    })
}

/// Where there are state-space layers it is mostly theirs, else norms and biases.
fn keep_beside(shape: &mut ModelShape, beside: u64) {
    let of_state = |group: &&mut LayerGroup| matches!(group.attention, Attention::State { .. });
    let Some(group) = shape.layers.iter_mut().find(of_state) else {
        shape.other_parameters = beside;
        return;
    };
    if let Attention::State { parameters, .. } = &mut group.attention {
        *parameters = beside / u64::from(group.count.max(1));
        shape.other_parameters = beside % u64::from(group.count.max(1));
    }
}

/// A method tells how many bits; which parts it leaves alone is what its checkpoints usually do.
fn stored(facts: &read::HfConfig) -> Stored {
    let rest = facts.dtype.as_deref().and_then(Format::from_name).unwrap_or(Format::Bf16);
    let Some(method) = facts.quantization.as_deref() else {
        return Stored { format: rest, covers: Covers::Everything, rest };
    };
    let bits = facts.quantization_details.as_ref().and_then(|details| details.bits);
    let format = match (Format::from_name(method), bits) {
        (Some(format), _) => format,
        (None, Some(4)) => Format::Int4,
        (None, Some(8)) => Format::Int8,
        (None, Some(_) | None) => rest,
    };
    let covers = match (format == Format::Mxfp4, format == rest) {
        (true, _) => Covers::Experts,
        (false, true) => Covers::Everything,
        (false, false) => Covers::Layers,
    };
    Stored { format, covers, rest }
}

#[cfg(test)]
mod tests {
    use sixgate_evidence::{Facts, Kind};
    use sixgate_workflows::needs::sizing::cache;

    use super::*;

    fn facts(config: &str) -> read::HfConfig {
        let document = read::read(Kind::HfConfig, config.as_bytes()).unwrap();
        let Facts::HfConfig(facts) = document.facts else { panic!("{:?}", document.facts) };
        *facts
    }

    #[track_caller]
    fn agrees(config: &str) -> ModelShape {
        let facts = facts(config);
        let shape = model_shape(&facts).unwrap();
        assert_eq!(Some(Parameters::of(&shape).total()), facts.parameters.map(u128::from));
        let per_token = cache::per_token(&shape, Format::Bf16).0;
        assert_eq!(Some(per_token), facts.kv_bytes_per_token);
        shape
    }

    #[test]
    fn a_plain_model_keeps_its_sums() {
        let shape = agrees(
            r#"{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
                "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
                "vocab_size": 128256, "torch_dtype": "bfloat16", "tie_word_embeddings": false}"#,
        );
        assert_eq!(Parameters::of(&shape).total(), 8_030_261_248);
    }

    #[test]
    fn a_mixture_with_latent_attention_keeps_its_sums() {
        let shape = agrees(
            r#"{"model_type": "deepseek_v3", "hidden_size": 1024, "num_hidden_layers": 6,
                "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 4096,
                "moe_intermediate_size": 512, "n_routed_experts": 32, "n_shared_experts": 1,
                "num_experts_per_tok": 4, "first_k_dense_replace": 2, "q_lora_rank": 256,
                "kv_lora_rank": 128, "qk_rope_head_dim": 32, "qk_nope_head_dim": 64,
                "v_head_dim": 64, "vocab_size": 32000, "tie_word_embeddings": false,
                "quantization_config": {"quant_method": "fp8"}}"#,
        );
        assert_eq!(shape.stored.format, Format::Fp8);
        assert_eq!(shape.stored.covers, Covers::Layers);
    }

    #[test]
    fn windows_are_kept() {
        let shape = agrees(
            r#"{"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 2,
                "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
                "intermediate_size": 2880, "num_local_experts": 32, "num_experts_per_tok": 4,
                "sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"],
                "vocab_size": 201088, "tie_word_embeddings": false,
                "quantization_config": {"quant_method": "mxfp4"}}"#,
        );
        let windows =
            |group: &LayerGroup| matches!(group.attention, Attention::Sliding { window: 128, .. });
        assert!(shape.layers.iter().any(windows));
        assert_eq!(shape.stored.covers, Covers::Experts);
    }

    #[test]
    fn what_a_sizing_cannot_do_without_is_named() {
        let mut facts = facts(r#"{"model_type": "llama", "num_hidden_layers": 2}"#);
        facts.hidden_size = None;
        assert!(model_shape(&facts).unwrap_err().to_string().contains("hidden_size"));
    }
}
