//! The columns of a perftest table, from their order in the header.
//!
//! Bandwidths become Gbit/s: the `MB` of older versions are mebibytes.
//! A row with another number of cells than the header is no row.

use crate::Warning;
use crate::document::Warnings;
use crate::text::Line;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PerftestRow {
    pub bytes: u64,
    pub iterations: Option<u64>,
    pub average_gbit_s: Option<f64>,
    /// Null in runs by duration, which do not measure it.
    pub peak_gbit_s: Option<f64>,
    pub msg_rate_mpps: Option<f64>,
    pub typical_us: Option<f64>,
    pub avg_us: Option<f64>,
    pub p99_us: Option<f64>,
    pub max_us: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Bytes,
    Iterations,
    Peak,
    Average,
    MessageRate,
    Typical,
    LatencyAverage,
    LatencyMax,
    P99,
    Other,
}

const LABELS: [(&str, Column); 14] = [
    ("#bytes", Column::Bytes),
    ("#iterations", Column::Iterations),
    ("BW peak", Column::Peak),
    ("BW average", Column::Average),
    ("MsgRate", Column::MessageRate),
    ("CPU_Util", Column::Other),
    ("t_min", Column::Other),
    ("t_max", Column::LatencyMax),
    ("t_typical", Column::Typical),
    ("t_avg", Column::LatencyAverage),
    ("t_stdev", Column::Other),
    ("99% percentile", Column::P99),
    ("99.9% percentile", Column::Other),
    ("tps average", Column::Other),
];

pub(super) struct Columns {
    columns: Vec<Column>,
    gbit_s_per_unit: Option<f64>,
}

impl Columns {
    pub(super) fn parse(header: &str) -> Option<Self> {
        if !header.contains("#bytes") {
            return None;
        }
        let mut found: Vec<(usize, Column)> = LABELS
            .iter()
            .filter_map(|(label, column)| Some((header.find(label)?, *column)))
            .collect();
        found.sort_by_key(|(at, _)| *at);
        let columns: Vec<Column> = found.into_iter().map(|(_, column)| column).collect();
        let says = |column: Column| columns.contains(&column);
        if !says(Column::Average) && !says(Column::Typical) && !says(Column::LatencyAverage) {
            return None;
        }
        let unit = header.split_once("BW average[").and_then(|(_, rest)| rest.split(']').next());
        let gbit_s_per_unit = match unit {
            Some("Gb/sec") => Some(1.0),
            // 2^20 bytes of 8 bits, in 10^9 bits.
            Some("MB/sec" | "MiB/sec") => Some(0.008_388_608),
            Some(_) | None => None,
        };
        Some(Self { columns, gbit_s_per_unit })
    }

    pub(super) fn row(&self, line: Line<'_>, warnings: &mut Warnings) -> Option<PerftestRow> {
        let cells: Vec<&str> = line.text.split_whitespace().collect();
        if cells.len() != self.columns.len() || cells.iter().any(|cell| number(cell).is_none()) {
            return None;
        }
        let cell = |wanted: Column| {
            let at = self.columns.iter().position(|column| *column == wanted)?;
            number(cells[at])
        };
        let whole = |column: Column| cell(column).and_then(crate::json::tree::whole);
        let measured = |column: Column| cell(column).filter(|figure| *figure > 0.0);
        let bandwidth = |figure: f64| Some(figure * self.gbit_s_per_unit?);
        let average = cell(Column::Average);
        if average.is_some_and(|average| average < 0.0) {
            let said = "the average ran over and is left out";
            warnings.push(Warning::at("negative_average", line.number, said));
        }
        if average.is_some() && self.gbit_s_per_unit.is_none() {
            let said = "the unit of the bandwidth is not known";
            warnings.once(Warning::at("unit_unknown", line.number, said));
        }
        let row = PerftestRow {
            bytes: whole(Column::Bytes)?,
            iterations: whole(Column::Iterations),
            average_gbit_s: average.filter(|average| *average >= 0.0).and_then(bandwidth),
            peak_gbit_s: measured(Column::Peak).and_then(bandwidth),
            msg_rate_mpps: cell(Column::MessageRate),
            typical_us: measured(Column::Typical),
            avg_us: measured(Column::LatencyAverage),
            p99_us: measured(Column::P99),
            max_us: measured(Column::LatencyMax),
        };
        check_rate(&row, line.number, warnings);
        Some(row)
    }
}

/// Messages × size should be the average; where they are not, the figures are of two runs or were edited.
#[expect(clippy::cast_precision_loss, reason = "sizes of messages are far below 2^53")]
fn check_rate(row: &PerftestRow, line: u64, warnings: &mut Warnings) {
    let (Some(average), Some(rate)) = (row.average_gbit_s, row.msg_rate_mpps) else { return };
    let expected = rate * row.bytes as f64 * 8.0 / 1e3;
    // Small figures are printed with two decimals.
    if rate > 0.0 && (expected - average).abs() > 0.05 * average + 0.02 {
        let said = format!(
            "the message rate stands for {expected:.2} Gbit/s, the average says {average:.2}"
        );
        warnings.push(Warning::at("rate_disagrees", line, said));
    }
}

fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}
