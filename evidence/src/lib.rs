//! Reads the files of foreign tools and people into typed facts.
//!
//! Rule: a reader reports what a file says and what it leaves out; a missing reading is `null`, never zero, and a file
//! cut short says so.
//! The crate deliberately judges nothing: whether a figure is good enough belongs to the stage rules.

mod bill;
pub mod brief;
mod dcgm_diag;
mod dcgm_metrics;
mod decimal;
mod document;
mod estimate;
mod fio;
mod gpu_burn;
mod gpu_inventory;
mod hf_config;
mod iperf3;
mod json;
mod kernel_log;
mod kind;
mod llm_bench;
mod mlperf;
mod moment;
mod nccl_tests;
mod perftest;
mod prices;
mod quote;
mod refused;
mod stream;
mod table;
mod text;
mod usage;
mod workbook;

pub use bill::{Bill, BillProfile, read_bill, stream_bill};
pub use brief::{
    BetweenNodes, Brief, Cards, Contact, Environment, Interconnect, Load, Model, Storage, Term, Use,
};
pub use dcgm_diag::{DcgmDiag, DiagError, DiagStatus, DiagTest};
pub use dcgm_metrics::{DcgmGpu, DcgmMetrics};
pub use document::{Document, Facts, Warning};
pub use estimate::Estimate;
pub use fio::{Fio, FioDirection, FioJob, FioTotals};
pub use gpu_burn::{BurnCard, BurnVerdict, GpuBurn};
pub use gpu_inventory::{Card, CardState, Chip, Curve, GpuInventory, LostCard, NoReading, Source};
pub use hf_config::{Attention, HfConfig, LatentAttention, LayerGroup, LayerKind, Quantization};
pub use iperf3::Iperf3;
pub use kernel_log::{KernelLog, LostDevice, Xid};
pub use kind::{Kind, UnknownKind};
pub use llm_bench::{Latency, LlmBench};
pub use mlperf::{Mlperf, MlperfMetric, MlperfResult};
pub use moment::Moment;
pub use nccl_tests::{Half, NcclTests, RanksFrom, Row};
pub use perftest::{Perftest, PerftestRow};
pub use prices::{PointBasis, PointTax, PointTerm, PricePoint, Prices};
pub use quote::{Basis, Quote, QuoteLine, Unit};
pub use refused::{Refused, Tried};
pub use stream::{read_auto_from, read_from};
pub use usage::Usage;

use text::{Lines, Text};

/// Reads a file that somebody says is of this kind.
pub fn read(kind: Kind, bytes: &[u8]) -> Result<Document, Refused> {
    if bytes.starts_with(workbook::SIGNATURE) && workbook_form(kind).is_some() {
        return read_sheets(kind, &workbook::sheets(bytes)?);
    }
    read_text(kind, &Text::decode(bytes)?)
}

/// Recognises a file by its content, never by its name.
/// The refusal lists every kind that was tried and why it did not fit.
pub fn read_auto(bytes: &[u8]) -> Result<Document, Refused> {
    if bytes.starts_with(workbook::SIGNATURE) {
        let sheets = workbook::sheets(bytes)?;
        let kinds = Kind::ALL.into_iter().filter(|kind| workbook_form(*kind).is_some());
        return first_that_reads(kinds, |kind| read_sheets(kind, &sheets));
    }
    let text = Text::decode(bytes)?;
    first_that_reads(Kind::ALL.into_iter(), |kind| read_text(kind, &text))
}

fn first_that_reads(
    kinds: impl Iterator<Item = Kind>,
    read: impl Fn(Kind) -> Result<Document, Refused>,
) -> Result<Document, Refused> {
    let mut tried = Vec::new();
    for kind in kinds {
        match read(kind) {
            Ok(document) => return Ok(document),
            Err(refused) => tried.push(Tried { kind, refused }),
        }
    }
    Err(Refused::unrecognised(tried))
}

fn read_text(kind: Kind, text: &Text) -> Result<Document, Refused> {
    let mut document = match kind {
        // These read streams too and say themselves what was changed in the text.
        Kind::GpuInventory => return gpu_inventory::read(text),
        Kind::NcclTests => return nccl_tests::read(text),
        Kind::KernelLog => return kernel_log::read(Lines::of(text)),
        Kind::Brief => brief::read(text),
        Kind::DcgmDiag => dcgm_diag::read(text),
        Kind::DcgmMetrics => dcgm_metrics::read(text),
        Kind::Fio => fio::read(text),
        Kind::LlmBench => llm_bench::read(text),
        Kind::GpuBurn => gpu_burn::read(text),
        Kind::Perftest => perftest::read(text),
        Kind::Iperf3 => iperf3::read(text),
        Kind::Mlperf => mlperf::read(text),
        Kind::Quote => quote::read(text),
        Kind::Bill => bill::read(text),
        Kind::Usage => usage::read(text),
        Kind::HfConfig => hf_config::read(text),
        Kind::Prices => prices::read(text),
    }?;
    document.warnings.extend(text.warnings().iter().cloned());
    Ok(document)
}

/// How a sheet becomes the text that its reader knows; `None` for output of tools, which is never a workbook.
fn workbook_form(kind: Kind) -> Option<fn(&workbook::Sheet) -> String> {
    match kind {
        Kind::Bill | Kind::Quote | Kind::Prices => Some(workbook::Sheet::to_csv),
        Kind::Brief => Some(|sheet| sheet.to_lines(brief::is_heading)),
        Kind::GpuInventory
        | Kind::DcgmDiag
        | Kind::DcgmMetrics
        | Kind::NcclTests
        | Kind::Fio
        | Kind::LlmBench
        | Kind::GpuBurn
        | Kind::KernelLog
        | Kind::Perftest
        | Kind::Iperf3
        | Kind::Mlperf
        | Kind::HfConfig
        | Kind::Usage => None,
    }
}

/// The first sheet that is of the kind; the reason of the nearest one when none is.
fn read_sheets(kind: Kind, sheets: &[workbook::Sheet]) -> Result<Document, Refused> {
    let looked_for = "a sheet with the columns or headings of the template";
    let mut nearest = Refused::not_this_kind(kind, looked_for);
    let Some(form) = workbook_form(kind) else { return Err(nearest) };
    for sheet in sheets {
        let read = Text::decode(form(sheet).as_bytes()).and_then(|text| read_text(kind, &text));
        match read {
            Ok(mut document) => {
                document.is_from_sheet(sheet, sheets.len());
                return Ok(document);
            }
            Err(refused) if !refused.is_not_this_kind() => nearest = refused,
            Err(_) => {}
        }
    }
    Err(nearest)
}
