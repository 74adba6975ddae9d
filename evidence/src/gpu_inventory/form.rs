//! Which form of output a file is, by its content.
//!
//! A log of another tool that lists the same cards is not one.
//! Rows without a header are refused: their columns cannot be told apart.

use super::{Source, cell, header, list, lost, table};
use crate::text::Text;
use crate::{Kind, Refused, gpu_burn};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Csv,
    Xml,
    Table,
    List,
    NpuSmi,
    /// Nothing but sentences about cards that cannot be reached.
    Errors,
}

impl Form {
    pub(crate) fn of(text: &Text) -> Result<Self, Refused> {
        let content = text.content();
        let any_line = |is: fn(&str) -> bool| text.lines().any(|line| is(line.text));
        if content.contains("<nvidia_smi_log") {
            return Ok(Self::Xml);
        }
        if content.contains("| npu-smi ") {
            return Ok(Self::NpuSmi);
        }
        if any_line(|line| header::Header::parse(line).is_some()) {
            return Ok(Self::Csv);
        }
        if content.contains("| NVIDIA-SMI ") || any_line(table::is_first_row) {
            return Ok(Self::Table);
        }
        if any_line(|line| list::card(line).is_some()) && !gpu_burn::is_gpu_burn(content) {
            return Ok(Self::List);
        }
        if any_line(lost::is_about_a_device) {
            return Ok(Self::Errors);
        }
        if let Some(line) = text.lines().find(|line| looks_like_a_row(line.text)) {
            return Err(Refused::new(
                "no_header",
                "these are rows without a header, so the columns cannot be told apart",
                "run the command again without noheader",
            )
            .on_line(line.number));
        }
        let looked_for = "output of nvidia-smi or npu-smi";
        Err(Refused::not_this_kind(Kind::GpuInventory, looked_for))
    }

    pub(super) fn source(self) -> Option<Source> {
        match self {
            Self::Csv => Some(Source::Csv),
            Self::Xml => Some(Source::Xml),
            Self::Table => Some(Source::Table),
            Self::List => Some(Source::List),
            Self::NpuSmi => Some(Source::NpuSmi),
            Self::Errors => None,
        }
    }
}

fn looks_like_a_row(text: &str) -> bool {
    let cells: Vec<&str> = text.split(", ").map(str::trim).collect();
    cells.len() > 2
        && cells.iter().any(|cell| {
            cell.starts_with("GPU-")
                || cell::pci_address(cell).is_some()
                || matches!(*cell, "[Not Supported]" | "[N/A]")
                || cell.strip_suffix(" MiB").is_some_and(|amount| amount.parse::<u32>().is_ok())
        })
}
