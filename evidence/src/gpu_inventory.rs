//! Reads which cards a machine has and how they are: `nvidia-smi` as csv, XML, table and list, and `npu-smi info`.
//!
//! Rows belong to a card by its key, never by time: eight rows of one round differ by milliseconds.
//! All forms but XML may be streams of any length. Whether a throttle bit or a lost card matters is not decided here.

mod card;
mod cell;
mod csv;
mod curve;
mod form;
mod header;
mod list;
mod lost;
mod npu;
mod rounds;
mod seen;
mod table;
mod xml;

pub(crate) use cell::pci_device;
pub(crate) use form::Form;

pub use self::curve::Curve;
use crate::document::Warnings;
use crate::text::{Line, Lines, Text};
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use rounds::Reading;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GpuInventory {
    pub source: Option<Source>,
    pub vendor: String,
    pub driver: Option<String>,
    pub cuda: Option<String>,
    /// What the tool claims; null when it does not say.
    pub cards_attached: Option<u32>,
    pub cards_described: u32,
    /// Of all cards; null where the tool does not count chips.
    pub chips: Option<u32>,
    /// Times the loop came round to the first card.
    pub rounds: u32,
    pub cards: Vec<Card>,
    pub lost: Vec<LostCard>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Csv,
    Xml,
    Table,
    List,
    NpuSmi,
}

/// One card. Plain readings are of its last row, `_first`, `_max`, `_last` and `_seen` look at all rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub key: String,
    pub index: Option<u32>,
    pub uuid: Option<String>,
    pub pci: Option<String>,
    pub name: Option<String>,
    pub name_truncated: bool,
    /// The worst state seen in any row.
    pub state: CardState,
    pub memory_total_mib: Option<f64>,
    pub memory_used_mib: Option<f64>,
    pub power_w: Option<f64>,
    pub power_limit_w: Option<f64>,
    pub power_default_limit_w: Option<f64>,
    pub temperature_c: Option<f64>,
    pub temperature_max_c: Option<f64>,
    pub utilization_pct: Option<f64>,
    pub sm_clock_mhz: Option<f64>,
    pub throttle_mask: Option<u64>,
    pub throttle_reasons: Vec<String>,
    pub pcie_gen: Option<u32>,
    pub pcie_gen_max: Option<u32>,
    pub pcie_width: Option<u32>,
    pub pcie_width_max: Option<u32>,
    pub ecc_uncorrected: Option<u64>,
    pub remap_pending: Option<bool>,
    pub remap_failure: Option<bool>,
    pub mig: Option<bool>,
    /// As the tool words it; of several chips the worst.
    pub health: Option<String>,
    /// What the driver asks for, as in `GPU Reset`; null when it asks for nothing or does not say.
    pub recovery_action: Option<String>,
    pub samples: u32,
    pub memory_used_first_mib: Option<f64>,
    pub memory_used_max_mib: Option<f64>,
    pub memory_used_last_mib: Option<f64>,
    pub memory_used_curve_mib: Curve,
    pub throttle_mask_seen: Option<u64>,
    pub first_at: Option<Moment>,
    pub last_at: Option<Moment>,
    /// Why a queried field has no reading in the last row, by its name.
    pub no_reading: BTreeMap<String, NoReading>,
    /// Where a card has several chips, or the tool lists chips at all.
    pub chips: Vec<Chip>,
}

/// One chip of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    pub index: u32,
    pub pci: Option<String>,
    pub health: Option<String>,
    pub power_w: Option<f64>,
    pub temperature_c: Option<f64>,
    pub utilization_pct: Option<f64>,
    pub memory_used_mib: Option<f64>,
    pub memory_total_mib: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardState {
    #[default]
    Ok,
    Unreadable,
    ResetRequired,
    Lost,
}

/// Why a cell is no number. None of these is zero, and only `Gone` speaks against the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoReading {
    NotApplicable,
    Unreadable,
    NoPermission,
    Gone,
}

/// A card the tool could not reach, or that was missing from a later round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LostCard {
    pub pci: Option<String>,
    pub index: Option<u32>,
    pub at: Option<Moment>,
    pub text: String,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    let form = Form::of(text)?;
    text.refuse_long_lines()?;
    if form != Form::Xml {
        return read_lines(form, Lines::of(text));
    }
    let mut warnings = Warnings::default();
    let mut reading = Reading::default();
    let mut pending = None;
    for line in text.lines() {
        general_line(&mut pending, line, &mut reading, &mut warnings);
    }
    let because = xml::read(text.content(), &mut reading, &mut warnings);
    Ok(finish(form, reading, because, warnings, text.warnings().to_vec()))
}

/// Reads a stream whose form its beginning has shown.
pub(crate) fn read_lines(form: Form, mut lines: Lines<'_>) -> Result<Document, Refused> {
    let mut warnings = Warnings::default();
    let mut reading = Reading::default();
    let mut pending = None;
    let mut parser = match form {
        Form::Csv | Form::Errors | Form::Xml => Parser::Csv(csv::Rows::default()),
        Form::Table => Parser::Table(table::Table::default()),
        Form::List => Parser::List(list::List::default()),
        Form::NpuSmi => Parser::Npu(Box::default()),
    };
    while let Some(line) = lines.next()? {
        if general_line(&mut pending, line, &mut reading, &mut warnings) {
            continue;
        }
        match &mut parser {
            Parser::Csv(rows) => rows.line(line, &mut reading, &mut warnings),
            Parser::Table(table) => table.line(line, &mut reading, &mut warnings),
            Parser::List(list) => list.line(line, &mut reading, &mut warnings),
            Parser::Npu(npu) => npu.line(line, &mut reading, &mut warnings),
        }
    }
    let because = match parser {
        Parser::Csv(rows) => rows.finish(),
        Parser::Table(table) => table.finish(&mut reading, &mut warnings),
        Parser::List(list) => list.finish(),
        Parser::Npu(npu) => npu.finish(&mut reading, &mut warnings),
    };
    Ok(finish(form, reading, because, warnings, lines.warnings()))
}

enum Parser {
    Csv(csv::Rows),
    Table(table::Table),
    List(list::List),
    Npu(Box<npu::Npu>),
}

/// The tool's own sentences stand in any form; true when the line is one.
fn general_line(
    pending: &mut Option<String>,
    line: Line<'_>,
    reading: &mut Reading,
    warnings: &mut Warnings,
) -> bool {
    if let Some(begun) = pending.take() {
        // The sentence was wrapped before the address.
        reading.lost_line(lost::parse(&begun, line.text));
    }
    if lost::is_about_a_device(line.text) {
        if lost::names_a_card(line.text) {
            reading.lost_line(lost::parse(line.text, ""));
        } else {
            *pending = Some(line.text.to_owned());
        }
        return true;
    }
    if let Some(failure) = lost::whole_tool_failure(line.text) {
        warnings.push(Warning::at("tool_failed", line.number, failure));
        return true;
    }
    false
}

fn finish(
    form: Form,
    reading: Reading,
    because: Option<String>,
    mut warnings: Warnings,
    more: Vec<Warning>,
) -> Document {
    let (facts, incomplete_because) = reading.finish(form.source(), because, &mut warnings);
    let mut warnings = warnings.into_vec();
    warnings.extend(more);
    Document::new(
        Kind::GpuInventory,
        Facts::GpuInventory(Box::new(facts)),
        incomplete_because,
        warnings,
    )
}
