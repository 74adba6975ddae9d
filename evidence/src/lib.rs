//! Reads the files of foreign tools and people into typed facts.
//!
//! Rule: a reader reports what a file says and what it leaves out; a missing reading is `null`, never zero, and a file
//! cut short says so.
//! The crate deliberately judges nothing: whether a figure is good enough belongs to the stage rules.

mod bill;
pub mod brief;
mod decimal;
mod document;
mod estimate;
mod gpu_inventory;
mod hf_config;
mod json;
mod kind;
mod llm_bench;
mod moment;
mod nccl_tests;
mod quote;
mod refused;
mod table;
mod text;
mod usage;

pub use bill::{Bill, BillProfile, read_bill, stream_bill};
pub use brief::{
    BetweenNodes, Brief, Cards, Contact, Environment, Interconnect, Load, Model, Storage, Term, Use,
};
pub use document::{Document, Facts, Warning};
pub use estimate::Estimate;
pub use gpu_inventory::{Card, CardState, GpuInventory, LostCard, NoReading, Source};
pub use hf_config::{Attention, HfConfig, LatentAttention, LayerGroup, LayerKind, Quantization};
pub use kind::{Kind, UnknownKind};
pub use llm_bench::{Latency, LlmBench};
pub use moment::Moment;
pub use nccl_tests::{Half, NcclTests, RanksFrom, Row};
pub use quote::{Basis, Quote, QuoteLine, Unit};
pub use refused::{Refused, Tried};
pub use usage::Usage;

use text::Text;

/// Reads a file that somebody says is of this kind.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Document, Refused> {
    read_text(kind, &Text::decode(bytes)?)
}

/// Recognises a file by its content, never by its name.
/// The refusal lists every kind that was tried and why it did not fit.
pub fn read_auto(bytes: &[u8]) -> Result<Document, Refused> {
    let text = Text::decode(bytes)?;
    let mut tried = Vec::new();
    for kind in Kind::ALL {
        match read_text(kind, &text) {
            Ok(document) => return Ok(document),
            Err(refused) => tried.push(Tried { kind, refused }),
        }
    }
    Err(Refused::unrecognised(tried))
}

fn read_text(kind: Kind, text: &Text) -> Result<Document, Refused> {
    let mut document = match kind {
        Kind::Brief => brief::read(text),
        Kind::GpuInventory => gpu_inventory::read(text),
        Kind::NcclTests => nccl_tests::read(text),
        Kind::LlmBench => llm_bench::read(text),
        Kind::Quote => quote::read(text),
        Kind::Bill => bill::read(text),
        Kind::Usage => usage::read(text),
        Kind::HfConfig => hf_config::read(text),
    }?;
    document.warnings.extend(text.warnings().iter().cloned());
    Ok(document)
}
