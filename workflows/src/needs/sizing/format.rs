//! What one parameter, or one element of a cache, takes in a number format.
//!
//! The rule: a block format counts with its scales, so 4-bit weights are never half a byte. The
//! measured formats of gguf files are averages over whole models.

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use crate::needs::brief::Precision;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Int8,
    /// Groups of 128 with a 16-bit scale and a 4-bit zero point, as AWQ and GPTQ write it.
    Int4,
    /// Blocks of 64 with doubly quantised scales, as QLoRA keeps its base.
    Nf4,
    /// Blocks of 32 with an 8-bit scale.
    Mxfp8,
    Mxfp4,
    /// Blocks of 16 with an 8-bit scale.
    Nvfp4,
    Q8_0,
    Q4_0,
    Q4KM,
}

/// Which parameters are kept in a format; the others stay in `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    Everything,
    /// The matrices of all layers, but no embeddings, output head, norms or routers.
    Layers,
    FeedForward,
    Experts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    pub format: Format,
    pub covers: Covers,
    pub rest: Format,
}

impl Format {
    pub const ALL: [Self; 13] = [
        Self::Fp32,
        Self::Bf16,
        Self::Fp16,
        Self::Fp8,
        Self::Int8,
        Self::Int4,
        Self::Nf4,
        Self::Mxfp8,
        Self::Mxfp4,
        Self::Nvfp4,
        Self::Q8_0,
        Self::Q4_0,
        Self::Q4KM,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Bf16 => "bf16",
            Self::Fp16 => "fp16",
            Self::Fp8 => "fp8",
            Self::Int8 => "int8",
            Self::Int4 => "int4",
            Self::Nf4 => "nf4",
            Self::Mxfp8 => "mxfp8",
            Self::Mxfp4 => "mxfp4",
            Self::Nvfp4 => "nvfp4",
            Self::Q8_0 => "q8_0",
            Self::Q4_0 => "q4_0",
            Self::Q4KM => "q4_k_m",
        }
    }

    /// By its id or by what configuration files and people write for it.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase().replace('-', "_");
        let known = Self::ALL.into_iter().find(|format| format.id() == name);
        known.or_else(|| {
            Some(match name.as_str() {
                "float32" | "f32" => Self::Fp32,
                "bfloat16" => Self::Bf16,
                "float16" | "half" | "f16" => Self::Fp16,
                "float8" | "fp8_e4m3" | "fp8_e5m2" | "float8_e4m3fn" => Self::Fp8,
                "w8a8" | "q8" => Self::Int8,
                "awq" | "gptq" | "w4a16" => Self::Int4,
                "fp4" => Self::Nvfp4,
                _ => return None,
            })
        })
    }

    /// Thousandths of a bit for one element, scales included.
    pub fn millibits(self) -> u64 {
        match self {
            Self::Fp32 => 32_000,
            Self::Bf16 | Self::Fp16 => 16_000,
            Self::Fp8 | Self::Int8 => 8_000,
            Self::Int4 => 4_156,
            Self::Nf4 => 4_127,
            Self::Mxfp8 => 8_250,
            Self::Mxfp4 => 4_250,
            Self::Nvfp4 => 4_500,
            Self::Q8_0 => 8_500,
            Self::Q4_0 => 4_550,
            Self::Q4KM => 4_850,
        }
    }

    /// So many elements, rounded up to a whole byte.
    pub fn of(self, elements: u128) -> Bytes {
        let millibits = elements.saturating_mul(u128::from(self.millibits()));
        Bytes::from_wide(millibits.div_ceil(8_000))
    }

    fn is_quantised(self) -> bool {
        self.millibits() < 16_000
    }

    /// Files of this kind quantise the embeddings, too.
    fn is_gguf(self) -> bool {
        matches!(self, Self::Q8_0 | Self::Q4_0 | Self::Q4KM)
    }
}

impl From<Precision> for Format {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::Fp32 => Self::Fp32,
            Precision::Bf16 => Self::Bf16,
            Precision::Fp16 => Self::Fp16,
            Precision::Fp8 => Self::Fp8,
            Precision::Int8 => Self::Int8,
            Precision::Int4 => Self::Int4,
        }
    }
}

impl Stored {
    /// How checkpoints in this format are usually written: a quantised one keeps embeddings, output
    /// head, norms and routers in 16 bits.
    pub fn usual(format: Format) -> Self {
        let covers = match format.is_quantised() && !format.is_gguf() {
            true => Covers::Layers,
            false => Covers::Everything,
        };
        Self { format, covers, rest: Format::Bf16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_own_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.id()), Some(format));
        }
        assert_eq!(Format::from_name("BFloat16"), Some(Format::Bf16));
        assert_eq!(Format::from_name("q4_K_M"), Some(Format::Q4KM));
        assert_eq!(Format::from_name("fp7"), None);
    }

    #[test]
    fn the_scales_of_a_block_count() {
        assert_eq!(Format::Mxfp4.of(1_000_000), Bytes(531_250));
        assert_eq!(Format::Mxfp8.of(1_000_000), Bytes(1_031_250));
        assert_eq!(Format::Bf16.of(3), Bytes(6));
    }
}
