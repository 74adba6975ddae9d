//! The header of a query: names with units, in whatever order was asked for, and where each reading stands.
//!
//! The old `clocks_throttle_reasons.*` and the new `clocks_event_reasons.*` are the same columns.
//! Columns that are not known are kept only for why they have no value.

use super::card::THROTTLE_BITS;

#[derive(Debug, Clone)]
pub(super) struct Header {
    columns: Vec<Column>,
}

#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Without its unit; as printed otherwise.
    pub(super) name: String,
    pub(super) field: Option<Field>,
    /// Another column is asked first for the same reading.
    pub(super) is_second_choice: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Timestamp,
    Index,
    Uuid,
    Pci,
    Name,
    Driver,
    Count,
    MemoryTotal,
    MemoryUsed,
    Power,
    PowerLimit,
    PowerDefaultLimit,
    Temperature,
    Utilization,
    SmClock,
    ThrottleMask,
    ThrottleBit(u64),
    PcieGen,
    PcieGenMax,
    PcieWidth,
    PcieWidthMax,
    EccUncorrected,
    RemapPending,
    RemapFailure,
    Mig,
    RecoveryAction,
}

/// In order of preference where two names stand for one reading.
const FIELDS: [(&str, Field); 37] = [
    ("timestamp", Field::Timestamp),
    ("index", Field::Index),
    ("uuid", Field::Uuid),
    ("gpu_uuid", Field::Uuid),
    ("pci.bus_id", Field::Pci),
    ("gpu_bus_id", Field::Pci),
    ("name", Field::Name),
    ("gpu_name", Field::Name),
    ("driver_version", Field::Driver),
    ("count", Field::Count),
    ("memory.total", Field::MemoryTotal),
    ("memory.used", Field::MemoryUsed),
    ("power.draw", Field::Power),
    ("power.draw.instant", Field::Power),
    ("power.draw.average", Field::Power),
    ("power.limit", Field::PowerLimit),
    ("enforced.power.limit", Field::PowerLimit),
    ("power.default_limit", Field::PowerDefaultLimit),
    ("temperature.gpu", Field::Temperature),
    ("utilization.gpu", Field::Utilization),
    ("clocks.current.sm", Field::SmClock),
    ("clocks.sm", Field::SmClock),
    ("clocks_event_reasons.active", Field::ThrottleMask),
    ("clocks_throttle_reasons.active", Field::ThrottleMask),
    ("pcie.link.gen.current", Field::PcieGen),
    ("pcie.link.gen.gpucurrent", Field::PcieGen),
    ("pcie.link.gen.max", Field::PcieGenMax),
    ("pcie.link.gen.gpumax", Field::PcieGenMax),
    ("pcie.link.width.current", Field::PcieWidth),
    ("pcie.link.width.max", Field::PcieWidthMax),
    ("ecc.errors.uncorrected.volatile.total", Field::EccUncorrected),
    ("ecc.errors.uncorrected.aggregate.total", Field::EccUncorrected),
    ("remapped_rows.pending", Field::RemapPending),
    ("remapped_rows.failure", Field::RemapFailure),
    ("mig.mode.current", Field::Mig),
    ("gpu_recovery_action", Field::RecoveryAction),
    ("gpu_recovery_action.current", Field::RecoveryAction),
];
const THROTTLE_GROUPS: [&str; 2] = ["clocks_event_reasons.", "clocks_throttle_reasons."];

const STRONG_STARTS: [&str; 22] = [
    "temperature.",
    "utilization.",
    "memory.",
    "power.",
    "clocks.",
    "clocks_",
    "pcie.",
    "pci.",
    "ecc.",
    "remapped_rows.",
    "mig.",
    "fan.",
    "enforced.",
    "retired_pages.",
    "gpu_",
    "gom.",
    "encoder.",
    "fabric.",
    "driver_",
    "vbios_",
    "inforom.",
    "compute_",
];
const STRONG_NAMES: [&str; 2] = ["uuid", "pstate"];
const WEAK_NAMES: [&str; 5] = ["timestamp", "index", "name", "count", "serial"];
const CELLS_MAX: usize = 512;

impl Header {
    pub(super) fn parse(line: &str) -> Option<Self> {
        // Most lines are rows, and a look at their first sign is enough.
        if !line.trim_start().starts_with(|first: char| first.is_ascii_lowercase()) {
            return None;
        }
        let names: Vec<String> =
            line.split(',').take(CELLS_MAX).map(|cell| without_unit(cell).to_owned()).collect();
        let like_names = names.iter().all(|name| {
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
        });
        let strong = |name: &String| {
            STRONG_NAMES.contains(&name.as_str())
                || STRONG_STARTS.iter().any(|start| name.starts_with(start))
        };
        let weak_only = names.len() > 1
            && names.iter().all(|name| WEAK_NAMES.contains(&name.as_str()))
            && names.iter().any(|name| name == "index");
        if !like_names || !(names.iter().any(strong) || weak_only) {
            return None;
        }
        let mut columns: Vec<Column> = names.into_iter().map(Column::named).collect();
        for (place, (known, field)) in FIELDS.iter().enumerate() {
            let has_better = FIELDS[..place].iter().any(|(better, other)| {
                other == field && columns.iter().any(|column| column.name == *better)
            });
            if let Some(column) = columns.iter_mut().find(|column| column.name == *known) {
                column.field = Some(*field);
                column.is_second_choice = has_better;
            }
        }
        Some(Self { columns })
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }
}

impl Column {
    fn named(name: String) -> Self {
        let reason = THROTTLE_GROUPS.iter().find_map(|group| name.strip_prefix(group));
        let bit = THROTTLE_BITS.iter().find(|(_, known)| Some(*known) == reason);
        let field = bit.map(|(bit, _)| Field::ThrottleBit(*bit));
        Self { name, field, is_second_choice: false }
    }
}

fn without_unit(cell: &str) -> &str {
    let cell = cell.trim();
    match cell.split_once('[') {
        Some((name, unit)) if unit.ends_with(']') => name.trim_end(),
        _ => cell,
    }
}
