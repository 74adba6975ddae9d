//! Reads a file that need not fit into memory: logs of lines are read as a stream of any length, the rest within a bound.
//!
//! The beginning of the file decides; a short file is that beginning and is read as a whole.
//! Nothing is read twice, so a pipe will do.

use crate::gpu_inventory::Form;
use crate::text::{LINE_BYTES_MAX, Lines, SIZE_BYTES_MAX, Text};
use crate::{
    Document, Kind, Refused, bill, gpu_inventory, kernel_log, nccl_tests, read, read_auto,
    read_text, workbook,
};
use std::io::Read;

const HEAD_BYTES: usize = 1024 * 1024;

/// Reads a stream that somebody says is of this kind. Logs of `gpu-inventory`, `nccl-tests` and `kernel-log` and a
/// `bill` in UTF-8 may have any length; of other kinds 64 MiB are read at most.
pub fn read_from(kind: Kind, mut input: impl Read) -> Result<Document, Refused> {
    let head = taken(&mut input, HEAD_BYTES)?;
    if head.len() < HEAD_BYTES || head.starts_with(workbook::SIGNATURE) {
        return read(kind, &rest_of(head, input)?);
    }
    match Streamed::of(kind, &Text::decode(&head)?, is_utf8(&head)) {
        Some(streamed) => streamed.read(head.as_slice().chain(input)),
        None => read_text(kind, &Text::decode(&rest_of(head, input)?)?),
    }
}

/// Recognises a stream by the content of its beginning, never by its name; otherwise as [`read_auto`].
pub fn read_auto_from(mut input: impl Read) -> Result<Document, Refused> {
    let head = taken(&mut input, HEAD_BYTES)?;
    if head.len() < HEAD_BYTES || head.starts_with(workbook::SIGNATURE) {
        return read_auto(&rest_of(head, input)?);
    }
    let text = Text::decode(&head)?;
    for kind in [Kind::GpuInventory, Kind::NcclTests, Kind::KernelLog, Kind::Bill] {
        if let Some(streamed) = Streamed::of(kind, &text, is_utf8(&head))
            && read_text(kind, &text).is_ok()
        {
            return streamed.read(head.as_slice().chain(input));
        }
    }
    read_auto(&rest_of(head, input)?)
}

/// The kinds that are made of lines and hold no more than what they found.
enum Streamed {
    Inventory(Form),
    Collectives,
    KernelLog,
    Bill,
}

impl Streamed {
    fn of(kind: Kind, head: &Text, is_utf8: bool) -> Option<Self> {
        match kind {
            Kind::GpuInventory => {
                Form::of(head).ok().filter(|form| *form != Form::Xml).map(Self::Inventory)
            }
            Kind::NcclTests => (!nccl_tests::is_json(head)).then_some(Self::Collectives),
            Kind::KernelLog => Some(Self::KernelLog),
            Kind::Bill => is_utf8.then_some(Self::Bill),
            Kind::Brief
            | Kind::DcgmDiag
            | Kind::DcgmMetrics
            | Kind::Fio
            | Kind::HfConfig
            | Kind::LlmBench
            | Kind::GpuBurn
            | Kind::Perftest
            | Kind::Iperf3
            | Kind::Mlperf
            | Kind::Quote
            | Kind::Prices
            | Kind::Usage => None,
        }
    }

    fn read(self, input: impl Read) -> Result<Document, Refused> {
        let lines = |input| Lines::of_stream(input, LINE_BYTES_MAX);
        match self {
            Self::Inventory(form) => gpu_inventory::read_lines(form, lines(input)),
            Self::Collectives => nccl_tests::read_lines(lines(input)),
            Self::KernelLog => kernel_log::read(lines(input)),
            Self::Bill => bill::stream_bill(input, None),
        }
    }
}

/// The beginning of a file may end in the middle of a character.
fn is_utf8(head: &[u8]) -> bool {
    std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn taken(input: &mut impl Read, bytes_max: usize) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    let room = u64::try_from(bytes_max).unwrap_or(u64::MAX);
    input.take(room).read_to_end(&mut bytes).map_err(|error| {
        Refused::new("read_failed", format!("the file could not be read: {error}"), "try again")
    })?;
    Ok(bytes)
}

/// One byte more than may be read, so that a larger file is refused and not cut.
fn rest_of(mut head: Vec<u8>, mut input: impl Read) -> Result<Vec<u8>, Refused> {
    let room = (SIZE_BYTES_MAX + 1).saturating_sub(head.len());
    head.append(&mut taken(&mut input, room)?);
    Ok(head)
}
