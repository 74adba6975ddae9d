//! One card, built up row by row.
//!
//! The last row gives the plain readings; the worst state, the highest memory and every throttle bit are kept from all.
//! A cell without a number leaves the reading null and its reason beside it.

use super::cell::{Cell, pci_address};
use super::header::Header;
use super::{Card, CardState, NoReading};
use crate::Moment;

const THROTTLE_BITS: [(u64, &str); 11] = [
    (0x1, "gpu_idle"),
    (0x2, "applications_clocks_setting"),
    (0x4, "sw_power_cap"),
    (0x8, "hw_slowdown"),
    (0x10, "sync_boost"),
    (0x20, "sw_thermal_slowdown"),
    (0x40, "hw_thermal_slowdown"),
    (0x80, "hw_power_brake_slowdown"),
    (0x100, "display_clocks_setting"),
    (0x200, "board_limit"),
    (0x400, "reliability"),
];
const THROTTLE_GROUPS: [&str; 2] = ["clocks_event_reasons", "clocks_throttle_reasons"];

/// The cells of one row under their header.
pub(super) struct RowCells<'a> {
    pub(super) header: &'a Header,
    pub(super) cells: Vec<&'a str>,
}

impl<'a> RowCells<'a> {
    fn raw(&self, names: &[&str]) -> Option<&'a str> {
        self.cells.get(self.header.column(names)?).copied()
    }

    pub(super) fn value(&self, names: &[&str]) -> Option<&'a str> {
        match Cell::parse(self.raw(names)?) {
            Cell::Value(text) => Some(text),
            Cell::None(_) => None,
        }
    }

    fn number(&self, names: &[&str]) -> Option<f64> {
        self.value(names).and_then(Cell::number)
    }

    fn whole(&self, names: &[&str]) -> Option<u64> {
        self.value(names).and_then(Cell::whole)
    }

    pub(super) fn small(&self, names: &[&str]) -> Option<u32> {
        self.whole(names).and_then(|number| u32::try_from(number).ok())
    }

    fn yes(&self, names: &[&str]) -> Option<bool> {
        self.value(names).and_then(Cell::yes)
    }

    pub(super) fn time(&self) -> Option<Moment> {
        self.value(&["timestamp"]).and_then(Moment::parse)
    }

    pub(super) fn index(&self) -> Option<u32> {
        self.small(&["index"])
    }

    pub(super) fn pci(&self) -> Option<String> {
        self.value(&["pci.bus_id", "gpu_bus_id"])
            .map(|text| pci_address(text).unwrap_or_else(|| text.to_owned()))
    }

    pub(super) fn uuid(&self) -> Option<&'a str> {
        self.value(&["uuid", "gpu_uuid"]).filter(|text| text.len() > 4)
    }

    pub(super) fn reasons(&self) -> impl Iterator<Item = (&str, NoReading)> {
        self.cells.iter().enumerate().filter_map(|(column, text)| match Cell::parse(text) {
            Cell::Value(_) => None,
            Cell::None(reason) => Some((self.header.name(column), reason)),
        })
    }

    /// The bits of the mask column, or of the single columns where only those were asked for.
    fn throttle_mask(&self) -> Option<u64> {
        for group in THROTTLE_GROUPS {
            if let Some(mask) = self.whole(&[&format!("{group}.active")]) {
                return Some(mask);
            }
        }
        let mut mask = None;
        for group in THROTTLE_GROUPS {
            for (bit, name) in THROTTLE_BITS {
                if let Some(active) = self.yes(&[&format!("{group}.{name}")]) {
                    mask = Some(mask.unwrap_or(0) | if active { bit } else { 0 });
                }
            }
        }
        mask
    }

    /// A card that fails to give one of its core readings is unreadable; a failing limit alone is not.
    fn state(&self) -> CardState {
        if self.cells.iter().any(|text| Cell::asks_for_reset(text)) {
            return CardState::ResetRequired;
        }
        if self.reasons().any(|(_, reason)| reason == NoReading::Gone) {
            return CardState::Lost;
        }
        let core = ["temperature.gpu", "utilization.gpu", "power.draw", "memory.used"];
        let failed = |(name, reason): (&str, NoReading)| {
            reason == NoReading::Unreadable && core.contains(&name)
        };
        if self.reasons().any(failed) { CardState::Unreadable } else { CardState::Ok }
    }
}

pub(super) fn reasons_of(mask: u64) -> Vec<String> {
    let known =
        THROTTLE_BITS.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| (*name).to_owned());
    let rest = mask & !THROTTLE_BITS.iter().fold(0, |all, (bit, _)| all | bit);
    known.chain((rest != 0).then(|| format!("unknown_0x{rest:x}"))).collect()
}

pub(super) fn new(key: String) -> Card {
    Card {
        key,
        index: None,
        uuid: None,
        pci: None,
        name: None,
        name_truncated: false,
        state: CardState::Ok,
        memory_total_mib: None,
        memory_used_mib: None,
        power_w: None,
        power_limit_w: None,
        power_default_limit_w: None,
        temperature_c: None,
        temperature_max_c: None,
        utilization_pct: None,
        sm_clock_mhz: None,
        throttle_mask: None,
        throttle_reasons: Vec::new(),
        pcie_gen: None,
        pcie_gen_max: None,
        pcie_width: None,
        ecc_uncorrected: None,
        remap_pending: None,
        remap_failure: None,
        mig: None,
        health: None,
        samples: 0,
        memory_used_first_mib: None,
        memory_used_max_mib: None,
        memory_used_last_mib: None,
        throttle_mask_seen: None,
        first_at: None,
        last_at: None,
        no_reading: std::collections::BTreeMap::new(),
    }
}

pub(super) fn add(card: &mut Card, row: &RowCells<'_>) {
    identify(card, row);
    card.samples = card.samples.saturating_add(1);
    card.state = card.state.max(row.state());
    card.memory_used_mib = row.number(&["memory.used"]);
    card.power_w = row.number(&["power.draw", "power.draw.instant", "power.draw.average"]);
    card.power_limit_w = row.number(&["power.limit", "enforced.power.limit"]);
    card.power_default_limit_w = row.number(&["power.default_limit"]);
    card.temperature_c = row.number(&["temperature.gpu"]);
    card.temperature_max_c = higher(card.temperature_max_c, card.temperature_c);
    card.utilization_pct = row.number(&["utilization.gpu"]);
    card.sm_clock_mhz = row.number(&["clocks.current.sm", "clocks.sm"]);
    card.throttle_mask = row.throttle_mask();
    card.throttle_reasons = card.throttle_mask.map(reasons_of).unwrap_or_default();
    if let Some(mask) = card.throttle_mask {
        card.throttle_mask_seen = Some(card.throttle_mask_seen.unwrap_or(0) | mask);
    }
    card.pcie_gen = row.small(&["pcie.link.gen.current", "pcie.link.gen.gpucurrent"]);
    card.pcie_gen_max = row.small(&["pcie.link.gen.max"]);
    card.pcie_width = row.small(&["pcie.link.width.current"]);
    card.ecc_uncorrected = row.whole(&[
        "ecc.errors.uncorrected.volatile.total",
        "ecc.errors.uncorrected.aggregate.total",
    ]);
    card.remap_pending = row.yes(&["remapped_rows.pending"]);
    card.remap_failure = row.yes(&["remapped_rows.failure"]);
    card.mig = row.yes(&["mig.mode.current"]);
    card.memory_used_first_mib = card.memory_used_first_mib.or(card.memory_used_mib);
    card.memory_used_max_mib = higher(card.memory_used_max_mib, card.memory_used_mib);
    card.memory_used_last_mib = card.memory_used_mib.or(card.memory_used_last_mib);
    let at = row.time();
    card.first_at = card.first_at.or(at);
    card.last_at = at.or(card.last_at);
    card.no_reading = row.reasons().map(|(name, reason)| (name.to_owned(), reason)).collect();
}

/// What a card is does not go away when a later row cannot say it any more.
fn identify(card: &mut Card, row: &RowCells<'_>) {
    let kept = |old: &mut Option<String>, new: Option<String>| {
        if new.is_some() {
            *old = new;
        }
    };
    kept(&mut card.uuid, row.uuid().map(str::to_owned));
    kept(&mut card.pci, row.pci());
    kept(&mut card.name, row.value(&["name", "gpu_name"]).map(str::to_owned));
    card.index = row.index().or(card.index);
    card.memory_total_mib = row.number(&["memory.total"]).or(card.memory_total_mib);
    card.name_truncated = card.name.as_deref().is_some_and(|name| name.ends_with("..."));
}

fn higher(known: Option<f64>, new: Option<f64>) -> Option<f64> {
    match (known, new) {
        (Some(known), Some(new)) => Some(known.max(new)),
        (known, new) => known.or(new),
    }
}
