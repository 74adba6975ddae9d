//! What one row, table entry or element says about one card, whatever form it was written in.
//!
//! Texts are borrowed, so that a log of millions of rows costs no memory per row.
//! Nothing here remembers an earlier row.

use super::cell::Cell;
use super::{CardState, Chip, NoReading};
use crate::Moment;

#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    pub(super) uuid: Option<&'a str>,
    /// As written.
    pub(super) pci: Option<&'a str>,
    pub(super) index: Option<u32>,
    pub(super) name: Option<&'a str>,
    pub(super) memory_total_mib: Option<f64>,
    pub(super) memory_used_mib: Option<f64>,
    pub(super) power_w: Option<f64>,
    pub(super) power_limit_w: Option<f64>,
    pub(super) power_default_limit_w: Option<f64>,
    pub(super) temperature_c: Option<f64>,
    pub(super) utilization_pct: Option<f64>,
    pub(super) sm_clock_mhz: Option<f64>,
    pub(super) throttle_mask: Option<u64>,
    pub(super) pcie_gen: Option<u32>,
    pub(super) pcie_gen_max: Option<u32>,
    pub(super) pcie_width: Option<u32>,
    pub(super) pcie_width_max: Option<u32>,
    pub(super) ecc_uncorrected: Option<u64>,
    pub(super) remap_pending: Option<bool>,
    pub(super) remap_failure: Option<bool>,
    pub(super) mig: Option<bool>,
    pub(super) health: Option<&'a str>,
    pub(super) recovery_action: Option<&'a str>,
    pub(super) at: Option<Moment>,
    /// There was a time and it could not be read.
    pub(super) has_bad_time: bool,
    pub(super) state: CardState,
    /// The words that say that the card is gone.
    pub(super) gone: Option<&'a str>,
    pub(super) no_reading: Vec<(&'a str, NoReading)>,
    pub(super) chips: Vec<Chip>,
}

/// A card that fails to give one of these is unreadable; a failing limit alone is not.
const CORE: [&str; 4] = ["temperature.gpu", "utilization.gpu", "power.draw", "memory.used"];

impl<'a> Seen<'a> {
    /// The value of a cell; where there is none, the reason is noted under the field's name.
    pub(super) fn value(&mut self, field: &'a str, text: &'a str) -> Option<&'a str> {
        let reason = match Cell::parse(text) {
            Cell::Value(value) => return Some(value),
            Cell::None(reason) => reason,
        };
        self.no_reading.push((field, reason));
        let state = match reason {
            NoReading::Gone if Cell::asks_for_reset(text.trim()) => CardState::ResetRequired,
            NoReading::Gone => CardState::Lost,
            NoReading::Unreadable if CORE.contains(&field) => CardState::Unreadable,
            NoReading::Unreadable | NoReading::NotApplicable | NoReading::NoPermission => {
                return None;
            }
        };
        if reason == NoReading::Gone {
            self.gone.get_or_insert(text.trim());
        }
        self.state = self.state.max(state);
        None
    }
}
