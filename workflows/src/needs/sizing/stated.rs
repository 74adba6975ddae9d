//! A sizing whose parts somebody states: KV cache per token, optimizer states, overhead, VRAM.
//!
//! The rule is that of every sizing: the sum must stay below the VRAM, with the KV cache taken at
//! peak concurrency and never at the average. Ranges are carried through, so the answer may be that
//! it fits only at the lower end; that counts as not fitting. It knows no model and no card; where
//! they are known, `computed` works the parts out.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{estimate::Estimate, needs::brief::Brief, percent::Percent, text::Name};

/// What somebody measured or worked out for the model, beside what the brief says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizingInput {
    pub card: Name,
    pub cards: u32,
    pub vram_per_card_gib: Decimal,
    /// The part of a card's VRAM that a process may really use.
    pub usable: Percent,
    /// Key-value cache of one token over the whole model, in KiB.
    pub kv_kib_per_token: Estimate<Decimal>,
    /// Gradients and optimizer states; zero for inference.
    pub optimizer_gib: Estimate<Decimal>,
    /// Framework, activations and fragmentation, over all cards.
    pub overhead_gib: Estimate<Decimal>,
}

/// Memory in GiB, each figure a range of which the two ends may be equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizing {
    pub input: SizingInput,
    pub weights_gib: Span,
    pub kv_cache_gib: Span,
    pub required_gib: Span,
    pub usable_gib: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub low: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Fits,
    /// Only the lower end of what is required stays below what is usable.
    FitsAtBest,
    DoesNotFit,
}

impl Span {
    /// `None` when it is to be determined, or below zero: nothing takes less than no memory.
    fn of(estimate: &Estimate<Decimal>) -> Option<Self> {
        let span = Self { low: *estimate.low()?, high: *estimate.high()? };
        (span.low >= Decimal::ZERO).then_some(span)
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
        })
    }

    fn times(self, low: Decimal, high: Decimal) -> Option<Self> {
        Some(Self { low: self.low.checked_mul(low)?, high: self.high.checked_mul(high)? })
    }

    fn over(self, divisor: Decimal) -> Option<Self> {
        Some(Self { low: self.low.checked_div(divisor)?, high: self.high.checked_div(divisor)? })
    }

    fn rounded(self) -> Self {
        Self { low: self.low.round_dp(2), high: self.high.round_dp(2) }
    }
}

impl Sizing {
    pub fn fit(&self) -> Fit {
        if self.required_gib.high < self.usable_gib {
            Fit::Fits
        } else if self.required_gib.low < self.usable_gib {
            Fit::FitsAtBest
        } else {
            Fit::DoesNotFit
        }
    }
}

/// The field of the brief or the input that must be known first, when one is still open or the
/// figures are beyond all reason.
pub fn size(brief: &Brief, input: SizingInput) -> Result<Sizing, &'static str> {
    let parameters = Span::of(&brief.model.parameters_b).ok_or("parameters_b")?;
    let bytes_low = brief.model.precision.low().ok_or("precision")?.bytes();
    let bytes_high = brief.model.precision.high().ok_or("precision")?.bytes();
    let concurrency = brief.targets.peak_concurrency.clone();
    let context = brief.targets.context_tokens.clone();
    let kv = Span::of(&input.kv_kib_per_token).ok_or("kv_kib_per_token")?;
    let optimizer = Span::of(&input.optimizer_gib).ok_or("optimizer_gib")?;
    let overhead = Span::of(&input.overhead_gib).ok_or("overhead_gib")?;
    let tokens = Span {
        low: tokens(concurrency.low(), context.low())?,
        high: tokens(concurrency.high(), context.high())?,
    };
    let billion_bytes_in_gib = Decimal::from(1_073_741_824) / Decimal::from(1_000_000_000);
    let kib_in_gib = Decimal::from(1_048_576);
    let out_of_bounds = "vram_per_card_gib";
    let (least, most) = (bytes_low.min(bytes_high), bytes_low.max(bytes_high));
    let weights = parameters
        .times(least, most)
        .and_then(|weights| weights.over(billion_bytes_in_gib))
        .ok_or(out_of_bounds)?;
    let kv_cache = kv
        .times(tokens.low, tokens.high)
        .and_then(|cache| cache.over(kib_in_gib))
        .ok_or(out_of_bounds)?;
    let required = weights
        .plus(kv_cache)
        .and_then(|sum| sum.plus(optimizer))
        .and_then(|sum| sum.plus(overhead))
        .ok_or(out_of_bounds)?;
    let usable = input
        .vram_per_card_gib
        .checked_mul(Decimal::from(input.cards))
        .and_then(|vram| vram.checked_mul(input.usable.ratio()))
        .ok_or(out_of_bounds)?;
    Ok(Sizing {
        input,
        weights_gib: weights.rounded(),
        kv_cache_gib: kv_cache.rounded(),
        required_gib: required.rounded(),
        usable_gib: usable.round_dp(2),
    })
}

fn tokens(concurrency: Option<&u32>, context: Option<&u32>) -> Result<Decimal, &'static str> {
    let concurrency = Decimal::from(*concurrency.ok_or("peak_concurrency")?);
    let context = Decimal::from(*context.ok_or("context_tokens")?);
    concurrency.checked_mul(context).ok_or("context_tokens")
}
