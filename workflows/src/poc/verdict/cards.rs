//! Is it the machine that was promised, and does it keep going under load?
//!
//! Sources: the bits of the throttle mask are NVML's clock event reasons; what counts as a memory
//! error follows the node health checks that Azure publishes.

use rust_decimal::Decimal;

use super::{
    check::{Because, CheckName, Outcome},
    identity::{self, Likeness},
    memory_growth,
    sheet::{Rests, Sheet},
};
use crate::{
    poc::{
        promise::{DriverVersion, Promise},
        reading::{CardsReading, TelemetryReading},
    },
    text::Name,
};

/// Thermal and hardware slowdowns: 0x8 hardware, 0x20 software thermal, 0x40 hardware thermal, 0x80
/// power brake. 0x4, the power cap, is normal at full power.
const SLOWDOWN_MASK: u64 = 0x8 | 0x20 | 0x40 | 0x80;

pub(super) fn check(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    identity_of(promise, reading.map(|cards| (&cards.names[..], cards.memory_mib)), sheet);
    count(promise, reading.map(|cards| cards.cards), sheet);
    memory(promise, reading, sheet);
    driver(promise, reading, sheet);
    power_limit(promise, reading, sheet);
    link(promise, reading, sheet);
    dropped_out(reading, sheet);
    throttling(reading.and_then(|cards| cards.throttle_mask), sheet);
    memory_growth::check(promise, reading, sheet);
    memory_errors(reading, sheet);
}

/// Counters of one moment: they tell which cards there are and what slows them down just now.
pub(super) fn check_telemetry(
    promise: &Promise,
    reading: Option<&TelemetryReading>,
    sheet: &mut Sheet<'_>,
) {
    identity_of(promise, reading.map(|seen| (&seen.names[..], None)), sheet);
    count(promise, reading.map(|seen| seen.cards), sheet);
    throttling(reading.and_then(|seen| seen.throttle_mask), sheet);
    super::kernel_log::driver_errors(reading.map(|seen| seen.xids.as_slice()), sheet);
}

fn identity_of(promise: &Promise, seen: Option<(&[Name], Option<Decimal>)>, sheet: &mut Sheet<'_>) {
    let Some((names, memory)) = seen.filter(|(names, _)| !names.is_empty()) else {
        sheet.open(CheckName::Identity, Because::NoReading, None, &promise.card);
        return;
    };
    let likeness = names
        .iter()
        .map(|name| identity::likeness(promise.card.as_str(), name.as_str(), memory))
        .max()
        .unwrap_or(Likeness::Unclear);
    let measured = Some(names.iter().map(Name::as_str).collect::<Vec<_>>().join(", "));
    match likeness {
        Likeness::Same => {
            sheet.decided(CheckName::Identity, Outcome::Pass, measured, &promise.card);
        }
        Likeness::Unclear => {
            sheet.open(CheckName::Identity, Because::CardUnclear, measured, &promise.card);
        }
        Likeness::Other => {
            sheet.decided(CheckName::Identity, Outcome::Fail, measured, &promise.card);
        }
    }
}

fn count(promise: &Promise, seen: Option<u32>, sheet: &mut Sheet<'_>) {
    sheet.figure(CheckName::CardCount, seen, promise.cards, Rests::OnOneLine, |cards| {
        *cards == promise.cards
    });
}

fn memory(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let least = promise.memory_mib_min.or_else(|| identity::memory_mib_min(promise.card.as_str()));
    let Some(least) = least else { return };
    sheet.figure(
        CheckName::Memory,
        reading.and_then(|cards| cards.memory_mib),
        format!("≥ {least} MiB"),
        Rests::OnOneLine,
        |mib| *mib >= least,
    );
}

fn driver(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let Some(least) = &promise.driver_min else { return };
    let printed = reading.and_then(|cards| cards.driver.as_ref());
    let version = printed.and_then(|text| DriverVersion::new(text.as_str()).ok());
    let promised = format!("≥ {least}");
    sheet
        .figure(CheckName::Driver, version, promised, Rests::OnOneLine, |version| version >= least);
}

fn power_limit(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let limit = reading.and_then(|cards| cards.power_limit_w);
    let default = reading.and_then(|cards| cards.power_default_limit_w);
    let Some(least) = promise.power_limit_w_min.or(default) else { return };
    if promise.power_limit_w_min.is_none() && limit.is_none() {
        return;
    }
    let promised = format!("≥ {least} W");
    sheet.figure(CheckName::PowerLimit, limit, promised, Rests::OnOneLine, |watts| *watts >= least);
}

/// A link that is slower than promised while the cards are idle may be asleep, unless it cannot do
/// better.
fn link(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let (generation_min, width_min) = (promise.pcie_generation_min, promise.pcie_width_min);
    if generation_min.is_none() && width_min.is_none() {
        return;
    }
    let named = |generation: Option<u32>, width: Option<u32>| {
        let generation = generation.map(|generation| format!("gen {generation}"));
        let width = width.map(|width| format!("x{width}"));
        generation.into_iter().chain(width).collect::<Vec<_>>().join(" ")
    };
    let promised = format!("≥ {}", named(generation_min, width_min));
    let enough = |seen: Option<u32>, least: Option<u32>| match (seen, least) {
        (_, None) => Some(true),
        (None, Some(_)) => None,
        (Some(seen), Some(least)) => Some(seen >= least),
    };
    let generation = reading.and_then(|cards| cards.pcie_generation);
    let width = reading.and_then(|cards| cards.pcie_width);
    let measured = Some(named(generation, width)).filter(|text| !text.is_empty());
    let most = reading.and_then(|cards| cards.pcie_generation_max);
    let cannot = enough(most, generation_min) == Some(false);
    let at_rest = !reading.and_then(|cards| cards.under_load).unwrap_or(false);
    match (enough(generation, generation_min), enough(width, width_min)) {
        (_, Some(false)) => {
            sheet.decided(CheckName::Link, Outcome::Fail, measured, promised);
        }
        (Some(false), _) if cannot || !at_rest => {
            sheet.decided(CheckName::Link, Outcome::Fail, measured, promised);
        }
        (Some(false), _) => {
            sheet.open(CheckName::Link, Because::ConditionsDiffer, measured, promised);
        }
        (Some(true), Some(true)) => {
            sheet.decided(CheckName::Link, Outcome::Pass, measured, promised);
        }
        (None, _) | (_, None) => {
            sheet.open(CheckName::Link, Because::NoReading, measured, promised);
        }
    }
}

fn dropped_out(reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let unreadable = reading.is_some_and(|cards| cards.unreadable > 0 && cards.lost == 0);
    if unreadable {
        // A card that could not be read once is no lost card; the kernel's log can tell.
        sheet.open(CheckName::DroppedOut, Because::NoReading, Some("0".to_owned()), 0);
        return;
    }
    let words = reading.map(|cards| join(&cards.losses)).unwrap_or_default();
    let lost = reading.map(|cards| cards.lost);
    sheet
        .figure(CheckName::DroppedOut, lost, 0, Rests::OnWholeRun, |lost| *lost == 0)
        .detail(words);
}

fn throttling(mask: Option<u64>, sheet: &mut Sheet<'_>) {
    let mask = mask.map(Mask);
    sheet
        .figure(CheckName::Throttling, mask, "no slowdown", Rests::OnWholeRun, |mask| {
            mask.0 & SLOWDOWN_MASK == 0
        })
        .detail(mask.map(|mask| mask.words()).unwrap_or_default());
}

/// Rows of memory that were put aside in time are no fault; those that still wait, or could not be,
/// are. Without any counter there is nothing to check.
fn memory_errors(reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let Some(cards) = reading else { return };
    let (pending, failure) = (cards.remap_pending, cards.remap_failure);
    if cards.ecc_uncorrected.is_none() && pending.is_none() && failure.is_none() {
        return;
    }
    let mut found = Vec::new();
    if let Some(errors) = cards.ecc_uncorrected.filter(|errors| *errors > 0) {
        found.push(format!("{errors} uncorrected"));
    }
    found.extend(pending.filter(|yes| *yes).map(|_| "remap pending".to_owned()));
    found.extend(failure.filter(|yes| *yes).map(|_| "remap failed".to_owned()));
    let measured = if found.is_empty() { "0".to_owned() } else { found.join(", ") };
    sheet.figure(CheckName::MemoryErrors, Some(measured), 0, Rests::OnWholeRun, |_| {
        found.is_empty()
    });
}

fn join(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join("; ")
}

/// A bit mask as the driver's tools print it.
#[derive(Clone, Copy)]
struct Mask(u64);

impl Mask {
    fn words(self) -> String {
        let names = [
            (0x4, "power cap"),
            (0x8, "hardware slowdown"),
            (0x20, "software thermal slowdown"),
            (0x40, "hardware thermal slowdown"),
            (0x80, "hardware power brake"),
        ];
        let set = names.into_iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| name);
        set.collect::<Vec<_>>().join(", ")
    }
}

impl std::fmt::Display for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
