//! Counts the weights of the language model from its shape, family by family.
//!
//! Only families whose layers are known to the last bias are counted; for any other the answer is why not.
//! Draft layers, towers for pictures or sound and the scales of a quantisation are not in it.

mod lettered;
mod mixture;
mod plain;

use super::fields::Fields;
use super::heads::Heads;
use super::layers::Layer;

pub(super) struct Count {
    pub(super) all: u64,
    pub(super) active: u64,
}

/// The shape that every family has.
struct Shape {
    layers: u128,
    hidden: u128,
    vocab: u128,
    heads: u128,
    /// 1 when input and output embeddings are one matrix, else 2.
    embeddings: u128,
}

/// Sums over a whole model; `idle` are the weights of experts that a token does not visit.
struct Sum {
    all: u128,
    idle: u128,
}

pub(super) fn count(
    fields: &Fields<'_>,
    heads: &Heads,
    layers: Option<&[Layer]>,
) -> Result<Count, String> {
    let shape = Shape::find(fields, heads)?;
    let sum = match fields.family() {
        "llama" | "mistral" | "qwen2" | "qwen2_vl" | "qwen2_5_vl" | "qwen2_vl_text"
        | "qwen2_5_vl_text" | "qwen3" | "qwen3_vl_text" | "gemma" | "gemma2" | "gemma3_text"
        | "phi3" | "baichuan" | "internlm2" | "mixtral" | "qwen2_moe" | "qwen3_moe"
        | "qwen3_vl_moe_text" | "llama4_text" => mixture::gated(fields, heads, &shape)?,
        "deepseek_v2" | "deepseek_v3" | "kimi_k2" => mixture::latent(fields, heads, &shape)?,
        "gpt_oss" => mixture::gpt_oss(fields, heads, &shape)?,
        "qwen3_next" | "qwen3_5_text" | "qwen3_5_moe_text" => {
            mixture::with_states(fields, heads, &shape, layers.unwrap_or_default())?
        }
        "nemotron_h" => lettered::nemotron(fields, heads, &shape)?,
        "gpt2" => plain::gpt2(fields, &shape)?,
        "phi" | "phi-msft" => plain::phi(fields, &shape),
        "qwen" => plain::first_qwen(fields, &shape)?,
        "chatglm" => plain::chatglm(fields, heads, &shape)?,
        "falcon" | "RefinedWeb" | "RefinedWebModel" => plain::falcon(fields, heads, &shape)?,
        "" => return Err("the file does not name the family".to_owned()),
        other => {
            let other: String = other.chars().take(40).collect();
            return Err(format!("the layers of the family {other:?} are not known"));
        }
    };
    let too_large = || "the count is too large".to_owned();
    Ok(Count {
        all: u64::try_from(sum.all).map_err(|_| too_large())?,
        active: u64::try_from(sum.all.saturating_sub(sum.idle)).map_err(|_| too_large())?,
    })
}

impl Shape {
    fn find(fields: &Fields<'_>, heads: &Heads) -> Result<Self, String> {
        let tied = fields.tied_embeddings().ok_or_else(|| missing("tie_word_embeddings"))?;
        Ok(Self {
            layers: wanted(fields.layers(), "the number of layers")?,
            hidden: wanted(fields.hidden_size(), "hidden_size")?,
            vocab: wanted(fields.vocab(), "vocab_size")?,
            heads: wanted(heads.queries, "num_attention_heads")?,
            embeddings: if tied { 1 } else { 2 },
        })
    }
}

impl Sum {
    fn dense(all: u128) -> Self {
        Self { all, idle: 0 }
    }
}

fn wanted(number: Option<u64>, name: &str) -> Result<u128, String> {
    number.map(u128::from).ok_or_else(|| missing(name))
}

fn missing(name: &str) -> String {
    format!("{name} is missing")
}
