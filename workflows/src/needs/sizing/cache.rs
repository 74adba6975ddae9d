//! The KV cache: of a token, of a request, and how many requests a card holds.
//!
//! The rule is the runtime's, not the average's: every request reserves whole blocks up to its full
//! length; a sliding layer reserves its window and the tokens of one step; keys and values are split
//! over tensor ranks only as far as there are heads to split, and then replicated; a latent cache is
//! replicated on every rank. The fullest card decides, so capacities are never added over cards.
//!
//! It deliberately does not follow the weights' format: a model quantised to 8 bits caches in 16
//! bits unless somebody says otherwise.

use super::{
    bytes::Bytes,
    format::Format,
    layout::Split,
    shape::{Attention, LayerGroup, ModelShape},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheRules {
    pub format: Format,
    /// Tokens in a block.
    pub block_tokens: u32,
    /// Tokens that one step may take in.
    pub step_tokens: u32,
    /// Copies of a constant state that the runtime keeps for a request.
    pub state_copies: u32,
}

/// One more token over the whole model, as if every layer kept all of them.
pub fn per_token(shape: &ModelShape, format: Format) -> Bytes {
    format.of(elements_per_token(shape))
}

pub fn elements_per_token(shape: &ModelShape) -> u128 {
    elements(shape, |_| true)
}

/// The same for the layers alone whose cache really grows with the context.
pub fn per_token_growing(shape: &ModelShape, format: Format) -> Bytes {
    format.of(elements(shape, |attention| {
        matches!(attention, Attention::Full { .. } | Attention::Latent { .. })
    }))
}

fn elements(shape: &ModelShape, counts: impl Fn(&Attention) -> bool) -> u128 {
    let of_group = |group: &LayerGroup| u128::from(group.count) * cached(&group.attention);
    shape.layers.iter().filter(|group| counts(&group.attention)).map(of_group).sum()
}

/// Elements that one token of text adds in one layer.
fn cached(attention: &Attention) -> u128 {
    match attention {
        Attention::Full { heads }
        | Attention::Sliding { heads, .. }
        | Attention::Chunked { heads, .. } => heads.cached(),
        Attention::Latent { latent } => u128::from(latent.kv_rank) + u128::from(latent.rope_dim),
        Attention::Cross { .. }
        | Attention::Encoder { .. }
        | Attention::State { .. }
        | Attention::Absent => 0,
    }
}

/// What one request of a length reserves on the fullest card.
pub fn per_request(shape: &ModelShape, rules: CacheRules, context: u32, split: Split) -> Bytes {
    let of_group = |group: &LayerGroup| {
        let layers = u64::from(group.count.div_ceil(split.pipeline));
        of_layer(&group.attention, rules, context, split.tensor).times(layers)
    };
    shape.layers.iter().map(of_group).sum()
}

fn of_layer(attention: &Attention, rules: CacheRules, context: u32, tensor: u32) -> Bytes {
    let block = u64::from(rules.block_tokens.max(1));
    let whole = |tokens: u64| tokens.div_ceil(block) * block;
    let context = u64::from(context);
    let step = u64::from(rules.step_tokens);
    let (tokens, elements) = match attention {
        Attention::Full { heads } => (whole(context), ranked(heads.cached(), heads.kv, tensor)),
        Attention::Sliding { heads, window } => {
            let seen = (u64::from(*window) - 1 + step).min(context);
            (whole(seen) + block, ranked(heads.cached(), heads.kv, tensor))
        }
        Attention::Chunked { heads, window } => {
            let seen = (u64::from(*window) + step).min(context);
            (whole(seen), ranked(heads.cached(), heads.kv, tensor))
        }
        Attention::Latent { .. } => (whole(context), cached(attention)),
        Attention::Cross { heads, source_tokens } => {
            (whole(u64::from(*source_tokens)), ranked(heads.cached(), heads.kv, tensor))
        }
        Attention::State { bytes_per_request, .. } => {
            let state = Bytes(*bytes_per_request).times(u64::from(rules.state_copies));
            return state.divided_among(u64::from(tensor));
        }
        Attention::Encoder { .. } | Attention::Absent => return Bytes::ZERO,
    };
    rules.format.of(u128::from(tokens) * elements)
}

/// Elements on one rank: no rank has less than one head.
fn ranked(elements: u128, kv_heads: u32, tensor: u32) -> u128 {
    let kv_heads = kv_heads.max(1);
    elements / u128::from(kv_heads) * u128::from((kv_heads / tensor.max(1)).max(1))
}

/// How many requests of a size a budget holds at once.
pub fn requests(budget: Bytes, per_request: Bytes) -> u32 {
    match per_request {
        // An encoder caches nothing, so the cache limits nothing.
        Bytes::ZERO => u32::MAX,
        Bytes(size) => u32::try_from(budget.0 / size).unwrap_or(u32::MAX),
    }
}

/// The longest single request that a budget holds, in whole blocks of tokens.
pub fn longest_request(
    shape: &ModelShape,
    rules: CacheRules,
    budget: Bytes,
    split: Split,
    most: u32,
) -> u32 {
    let block = rules.block_tokens.max(1);
    let (mut holds, mut too_long) = (0, most / block + 1);
    while too_long - holds > 1 {
        let middle = holds + (too_long - holds) / 2;
        match per_request(shape, rules, middle * block, split) <= budget {
            true => holds = middle,
            false => too_long = middle,
        }
    }
    holds * block
}
