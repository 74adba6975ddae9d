//! The header of a query: names with units, in whatever order was asked for.
//!
//! The old `clocks_throttle_reasons.*` and the new `clocks_event_reasons.*` are the same columns.
//! Columns that are not known are skipped.

#[derive(Debug, Clone)]
pub(super) struct Header {
    /// Without units; the names as printed otherwise.
    names: Vec<String>,
}

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
        (like_names && (names.iter().any(strong) || weak_only)).then_some(Self { names })
    }

    pub(super) fn width(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", String::as_str)
    }

    /// The first of several names for the same reading that was asked for.
    pub(super) fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.names.iter().position(|known| known == name))
    }
}

fn without_unit(cell: &str) -> &str {
    let cell = cell.trim();
    match cell.split_once('[') {
        Some((name, unit)) if unit.ends_with(']') => name.trim_end(),
        _ => cell,
    }
}
