//! One card, built up from what is seen of it.
//!
//! The last row gives the plain readings; the worst state, the highest memory and every throttle bit are kept from all.
//! A cell without a number leaves the reading null and its reason beside it.

use super::Card;
use super::cell::pci_address;
use super::seen::Seen;

pub(super) const THROTTLE_BITS: [(u64, &str); 11] = [
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

fn reasons_of(mask: u64) -> Vec<String> {
    let known =
        THROTTLE_BITS.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| (*name).to_owned());
    let rest = mask & !THROTTLE_BITS.iter().fold(0, |all, (bit, _)| all | bit);
    known.chain((rest != 0).then(|| format!("unknown_0x{rest:x}"))).collect()
}

pub(super) fn add(card: &mut Card, seen: &Seen<'_>) {
    identify(card, seen);
    card.samples = card.samples.saturating_add(1);
    card.state = card.state.max(seen.state);
    card.memory_used_mib = seen.memory_used_mib;
    card.power_w = seen.power_w;
    card.power_limit_w = seen.power_limit_w;
    card.power_default_limit_w = seen.power_default_limit_w;
    card.temperature_c = seen.temperature_c;
    card.temperature_max_c = higher(card.temperature_max_c, seen.temperature_c);
    card.utilization_pct = seen.utilization_pct;
    card.sm_clock_mhz = seen.sm_clock_mhz;
    if card.throttle_mask != seen.throttle_mask {
        card.throttle_mask = seen.throttle_mask;
        card.throttle_reasons = seen.throttle_mask.map(reasons_of).unwrap_or_default();
    }
    if let Some(mask) = seen.throttle_mask {
        card.throttle_mask_seen = Some(card.throttle_mask_seen.unwrap_or(0) | mask);
    }
    card.pcie_gen = seen.pcie_gen;
    card.pcie_gen_max = seen.pcie_gen_max;
    card.pcie_width = seen.pcie_width;
    card.pcie_width_max = seen.pcie_width_max;
    card.ecc_uncorrected = seen.ecc_uncorrected;
    card.remap_pending = seen.remap_pending;
    card.remap_failure = seen.remap_failure;
    card.mig = seen.mig;
    card.memory_used_first_mib = card.memory_used_first_mib.or(seen.memory_used_mib);
    card.memory_used_max_mib = higher(card.memory_used_max_mib, seen.memory_used_mib);
    card.memory_used_last_mib = seen.memory_used_mib.or(card.memory_used_last_mib);
    if let Some(used) = seen.memory_used_mib {
        card.memory_used_curve_mib.push(used);
    }
    card.first_at = card.first_at.or(seen.at);
    card.last_at = seen.at.or(card.last_at);
    keep(&mut card.health, seen.health);
    keep(&mut card.recovery_action, seen.recovery_action);
    let same = card.no_reading.len() == seen.no_reading.len()
        && seen.no_reading.iter().all(|(name, reason)| card.no_reading.get(*name) == Some(reason));
    if !same {
        card.no_reading =
            seen.no_reading.iter().map(|(name, reason)| ((*name).to_owned(), *reason)).collect();
    }
    if !seen.chips.is_empty() {
        card.chips.clone_from(&seen.chips);
    }
}

/// What a card is does not go away when a later row cannot say it any more.
fn identify(card: &mut Card, seen: &Seen<'_>) {
    keep(&mut card.uuid, seen.uuid);
    if card.pci.is_none() {
        card.pci = seen.pci.map(|text| pci_address(text).unwrap_or_else(|| text.to_owned()));
    }
    if let Some(name) = seen.name
        && card.name.as_deref() != Some(name)
    {
        card.name = Some(name.to_owned());
        card.name_truncated = name.ends_with("...");
    }
    card.index = seen.index.or(card.index);
    card.memory_total_mib = seen.memory_total_mib.or(card.memory_total_mib);
}

fn keep(known: &mut Option<String>, seen: Option<&str>) {
    if let Some(text) = seen
        && known.as_deref() != Some(text)
    {
        *known = Some(text.to_owned());
    }
}

fn higher(known: Option<f64>, new: Option<f64>) -> Option<f64> {
    match (known, new) {
        (Some(known), Some(new)) => Some(known.max(new)),
        (known, new) => known.or(new),
    }
}
