//! A family whose layers each do one thing, spelled as a letter: states, attention, feed-forward or experts.
//!
//! Its feed-forward parts have no gate.

use super::super::fields::Fields;
use super::super::heads::Heads;
use super::{Shape, Sum, missing, wanted};

pub(super) fn nemotron(fields: &Fields<'_>, heads: &Heads, shape: &Shape) -> Result<Sum, String> {
    if ["attention_bias", "mlp_bias", "use_bias", "mamba_proj_bias"]
        .iter()
        .any(|name| fields.flag(name) == Some(true))
    {
        return Err("biases are set, for which there is no rule".to_owned());
    }
    let letters = fields
        .word("hybrid_override_pattern")
        .filter(|letters| letters.len() as u128 == shape.layers)
        .ok_or_else(|| missing("a hybrid_override_pattern of one letter for each layer"))?;
    let count = |wanted: char| letters.chars().filter(|letter| *letter == wanted).count() as u128;
    let hidden = shape.hidden;
    let mut all = shape.vocab * hidden * shape.embeddings + hidden + shape.layers * hidden;
    let mut idle = 0;
    if count('M') > 0 {
        all += count('M') * state(fields, hidden)?;
    }
    if count('*') > 0 {
        let width = wanted(heads.key_dim, "head_dim")?;
        let kv = wanted(heads.kv, "num_key_value_heads")?;
        all += count('*') * 2 * hidden * (shape.heads + kv) * width;
    }
    if count('-') > 0 {
        all += count('-') * 2 * hidden * wanted(fields.intermediate_size(), "intermediate_size")?;
    }
    if count('E') > 0 {
        let experts = wanted(fields.experts(), "n_routed_experts")?;
        let used = wanted(fields.experts_per_token(), "num_experts_per_tok")?;
        let expert =
            2 * hidden * wanted(fields.expert_intermediate_size(), "moe_intermediate_size")?;
        let name = "moe_shared_expert_intermediate_size";
        let shared = 2 * hidden * wanted(fields.number(&[name]), name)?;
        // The router has a correction for each expert.
        all += count('E') * (experts * expert + shared + hidden * experts + experts);
        idle = count('E') * experts.saturating_sub(used) * expert;
    }
    Ok(Sum { all, idle })
}

/// A layer of the second Mamba form: projections, a convolution over states and inputs, three scalars a head, a norm.
fn state(fields: &Fields<'_>, hidden: u128) -> Result<u128, String> {
    let number = |name: &str| wanted(fields.number(&[name]), name);
    let heads = number("mamba_num_heads")?;
    let inner = heads * number("mamba_head_dim")?;
    let mixed = inner + 2 * number("n_groups")? * number("ssm_state_size")?;
    let taps = number("conv_kernel")? + u128::from(fields.flag("use_conv_bias") != Some(false));
    Ok(hidden * (mixed + inner + heads) + mixed * taps + 3 * heads + inner + inner * hidden)
}
