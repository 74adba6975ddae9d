//! The rows of `nvidia-smi --query-gpu=… --format=csv`, once or in a loop, under the header that was printed last.
//!
//! A row with another number of cells than its header is skipped, never shifted into place.
//! Rows are matched to cards elsewhere.

use super::cell::{number, small, whole, yes};
use super::header::{Field, Header};
use super::rounds::Reading;
use super::seen::Seen;
use crate::document::Warnings;
use crate::text::Line;
use crate::{Moment, Warning};

#[derive(Default)]
pub(super) struct Rows {
    header: Option<Header>,
    /// Where the cells of the present row begin and end.
    cells: Vec<(usize, usize)>,
    cut_row: Option<u64>,
}

impl Rows {
    pub(super) fn line(&mut self, line: Line<'_>, reading: &mut Reading, warnings: &mut Warnings) {
        if let Some(next) = Header::parse(line.text) {
            reading.next_block();
            self.header = Some(next);
            return;
        }
        let Some(header) = &self.header else { return };
        let text = line.text;
        if text.trim().is_empty() || (header.width() > 1 && !text.contains(',')) {
            return;
        }
        self.cells.clear();
        let mut start = 0;
        for comma in memchr::memchr_iter(b',', text.as_bytes()) {
            self.cells.push((start, comma));
            start = comma + 1;
        }
        self.cells.push((start, text.len()));
        if self.cells.len() != header.width() {
            self.cut_row = Some(line.number);
            let said =
                format!("a row has {} cells, the header {}", self.cells.len(), header.width());
            warnings.push(Warning::at("row_skipped", line.number, said));
            return;
        }
        self.cut_row = None;
        let mut seen = Seen::default();
        let mut bits = None;
        // Every column has a say in whether the card is there; the known ones are read as well.
        for (column, (start, end)) in header.columns().iter().zip(&self.cells) {
            let cell = &text[*start..*end];
            if column.field.is_none() && starts_like_a_number(cell) {
                continue;
            }
            if let Some(value) = seen.value(&column.name, cell)
                && let Some(field) = column.field
            {
                take(&mut seen, field, value, column.is_second_choice, &mut bits, reading);
            }
        }
        seen.throttle_mask = seen.throttle_mask.or(bits);
        reading.see(&seen, line.number, warnings);
    }

    pub(super) fn finish(self) -> Option<String> {
        self.cut_row.map(|line| format!("the last row, line {line}, is cut"))
    }
}

fn starts_like_a_number(cell: &str) -> bool {
    let bytes = cell.as_bytes();
    let first = if bytes.first() == Some(&b' ') { bytes.get(1) } else { bytes.first() };
    first.is_some_and(u8::is_ascii_digit)
}

fn take<'a>(
    seen: &mut Seen<'a>,
    field: Field,
    value: &'a str,
    is_second_choice: bool,
    bits: &mut Option<u64>,
    reading: &mut Reading,
) {
    // A second choice fills a gap and never replaces the first, whichever column comes first.
    fn set<T>(known: &mut Option<T>, value: Option<T>, is_second_choice: bool) {
        if known.is_none() || (!is_second_choice && value.is_some()) {
            *known = value;
        }
    }
    let second = is_second_choice;
    match field {
        Field::Timestamp => {
            seen.at = Moment::parse(value);
            seen.has_bad_time = seen.at.is_none();
        }
        Field::Index => seen.index = small(value),
        Field::Uuid => set(&mut seen.uuid, Some(value).filter(|text| text.len() > 4), second),
        Field::Pci => set(&mut seen.pci, Some(value), second),
        Field::Name => set(&mut seen.name, Some(value), second),
        Field::Driver => reading.driver_is(value),
        Field::Count => reading.attached_is(small(value)),
        Field::MemoryTotal => seen.memory_total_mib = number(value),
        Field::MemoryUsed => seen.memory_used_mib = number(value),
        Field::Power => set(&mut seen.power_w, number(value), second),
        Field::PowerLimit => set(&mut seen.power_limit_w, number(value), second),
        Field::PowerDefaultLimit => seen.power_default_limit_w = number(value),
        Field::Temperature => seen.temperature_c = number(value),
        Field::Utilization => seen.utilization_pct = number(value),
        Field::SmClock => set(&mut seen.sm_clock_mhz, number(value), second),
        Field::ThrottleMask => set(&mut seen.throttle_mask, whole(value), second),
        Field::ThrottleBit(bit) => {
            if let Some(active) = yes(value) {
                *bits = Some(bits.unwrap_or(0) | if active { bit } else { 0 });
            }
        }
        Field::PcieGen => set(&mut seen.pcie_gen, small(value), second),
        Field::PcieGenMax => set(&mut seen.pcie_gen_max, small(value), second),
        Field::PcieWidth => seen.pcie_width = small(value),
        Field::PcieWidthMax => seen.pcie_width_max = small(value),
        Field::EccUncorrected => set(&mut seen.ecc_uncorrected, whole(value), second),
        Field::RemapPending => seen.remap_pending = yes(value),
        Field::RemapFailure => seen.remap_failure = yes(value),
        Field::Mig => seen.mig = yes(value),
        Field::RecoveryAction => {
            seen.recovery_action = Some(value).filter(|action| *action != "None");
        }
    }
}
