//! Which cards there are and how they behaved, from the inventory of a tool.
//!
//! The rule: of several cards the worst one speaks, since the machine is as good as that. A card
//! that could not be read is neither a good nor a lost one.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use sixgate_evidence::{Card, CardState, GpuInventory, LostCard};
use sixgate_workflows::{invalid::Invalid, poc::reading::CardsReading, text::Name};

use super::{super::decimal, count, shortened};

/// Lost cards are named up to here; more of them say nothing new.
const LOSSES_MAX: usize = 8;

/// From here on a card works rather than idles, in percent.
const LOAD_PERCENT_MIN: f64 = 50.0;

pub(super) fn reading(facts: &GpuInventory) -> Result<CardsReading, Invalid> {
    let cards = &facts.cards;
    let gone = |card: &&Card| {
        matches!(card.state, CardState::Lost | CardState::ResetRequired)
            || card.recovery_action.is_some()
            || card.health.as_deref().is_some_and(is_ill)
    };
    let broken = cards.iter().filter(gone).count();
    let unreadable = cards.iter().filter(|card| card.state == CardState::Unreadable).count();
    let capped = cards
        .iter()
        .filter(|card| card.power_limit_w.is_some())
        .min_by(|a, b| a.power_limit_w.partial_cmp(&b.power_limit_w).expect("both are figures"));
    let slowest = cards.iter().filter(|card| card.pcie_gen.is_some()).min_by_key(|c| c.pcie_gen);
    let grown = cards.iter().max_by(|a, b| growth(a).total_cmp(&growth(b)));
    let utilisations = cards.iter().map(|card| card.utilization_pct);
    let growths = cards.iter().filter(|card| first_and_last(card).is_some()).map(growth);
    Ok(CardsReading {
        // A name that the tool cut off identifies nothing.
        names: names(
            cards
                .iter()
                .filter(|card| !card.name_truncated)
                .filter_map(|card| card.name.as_deref()),
        )?,
        cards: count(cards.len())?,
        memory_mib: least(cards.iter().filter_map(|card| card.memory_total_mib))?,
        driver: facts.driver.as_deref().map(Name::new).transpose()?,
        lost: count(facts.lost.len().max(broken))?,
        throttle_mask: throttle_mask(cards),
        memory_growth_mib: most(growths)?,
        unreadable: count(unreadable)?,
        losses: facts.lost.iter().take(LOSSES_MAX).map(loss).collect::<Result<_, _>>()?,
        power_limit_w: figure("power_limit_w", capped.and_then(|card| card.power_limit_w))?,
        power_default_limit_w: figure(
            "power_default_limit_w",
            capped.and_then(|card| card.power_default_limit_w),
        )?,
        pcie_generation: slowest.and_then(|card| card.pcie_gen),
        pcie_generation_max: slowest.and_then(|card| card.pcie_gen_max),
        pcie_width: cards.iter().filter_map(|card| card.pcie_width).min(),
        under_load: utilisations
            .collect::<Option<Vec<f64>>>()
            .filter(|all| !all.is_empty())
            .map(|all| all.iter().all(|percent| *percent >= LOAD_PERCENT_MIN)),
        ecc_uncorrected: cards.iter().filter_map(|card| card.ecc_uncorrected).max(),
        remap_pending: any(cards.iter().map(|card| card.remap_pending)),
        remap_failure: any(cards.iter().map(|card| card.remap_failure)),
        memory_curve_mib: grown
            .map(|card| card.memory_used_curve_mib.points().iter())
            .into_iter()
            .flatten()
            .map(|mib| decimal("memory_used_curve_mib", *mib))
            .collect::<Result<_, _>>()?,
    })
}

/// In the words of tools that say so; a health that is not known is no reading.
fn is_ill(health: &str) -> bool {
    !matches!(health.to_ascii_lowercase().as_str(), "ok" | "unknown" | "")
}

/// One card without a reading leaves the whole unknown, unless another has already slowed down.
fn throttle_mask(cards: &[Card]) -> Option<u64> {
    let masks = cards.iter().map(|card| card.throttle_mask_seen);
    masks.clone().collect::<Option<Vec<u64>>>().map_or_else(
        || masks.flatten().reduce(|a, b| a | b).filter(|mask| *mask & !0x5 != 0),
        |masks| masks.into_iter().reduce(|a, b| a | b),
    )
}

fn first_and_last(card: &Card) -> Option<(f64, f64)> {
    card.memory_used_first_mib.zip(card.memory_used_last_mib)
}

fn growth(card: &Card) -> f64 {
    first_and_last(card).map_or(0.0, |(first, last)| (last - first).max(0.0))
}

/// `true` when one card says so, `None` when none says anything.
fn any(said: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    said.flatten().reduce(|a, b| a || b)
}

fn loss(lost: &LostCard) -> Result<Name, Invalid> {
    let which = lost.pci.clone().or_else(|| lost.index.map(|index| format!("GPU {index}")));
    let when = lost.at.map(|at| at.clock().format("%Y-%m-%d %H:%M:%S").to_string());
    let parts = [which, when, Some(lost.text.clone())];
    shortened(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Sorted, so that the same file gives the same reading.
pub(super) fn names<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<Name>, Invalid> {
    texts.collect::<BTreeSet<_>>().into_iter().map(Name::new).collect()
}

fn least(values: impl Iterator<Item = f64>) -> Result<Option<Decimal>, Invalid> {
    figure("memory_total_mib", values.min_by(f64::total_cmp))
}

fn most(values: impl Iterator<Item = f64>) -> Result<Option<Decimal>, Invalid> {
    figure("memory growth", values.max_by(f64::total_cmp))
}

fn figure(what: &'static str, value: Option<f64>) -> Result<Option<Decimal>, Invalid> {
    value.map(|value| decimal(what, value)).transpose()
}
