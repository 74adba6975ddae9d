//! What can be reserved at which price, and the cheapest way to make up a number of cards.
//!
//! The rule: of each tier nothing is taken, or between its least and its most cards, all at its
//! price. That covers offers of several suppliers and a price that falls from a quantity on, which
//! is a second tier with a least quantity. Each tier passes once over all numbers with a window of
//! the cheapest beginnings, so T tiers and Q cards take O(Q·T).

use std::collections::VecDeque;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{demand::Demand, price};
use crate::{invalid::Invalid, text::Name};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    pub name: Name,
    /// Of a card for an hour, paid in every hour.
    pub price: Decimal,
    /// Fewer are not sold; one if absent.
    #[serde(default = "one")]
    pub cards_least: u32,
    /// More are not there; no end if absent.
    #[serde(default)]
    pub cards_most: Option<u32>,
    /// How long the reservation binds.
    #[serde(default)]
    pub term_months: Option<u32>,
}

fn one() -> u32 {
    1
}

/// So many cards of a tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reserved {
    pub tier: Name,
    pub cards: u32,
    pub price: Decimal,
    pub term_months: Option<u32>,
}

impl Tier {
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("tiers", format!("`{}` {why}", self.name)));
        price(self.price, "tiers")?;
        if self.cards_least == 0 || self.cards_least > Demand::CARDS_MAX {
            return refuse("must sell from 1 to 100000 cards on");
        }
        if self.cards_most.is_some_and(|most| most < self.cards_least) {
            return refuse("sells fewer cards at the most than at the least");
        }
        if self.term_months.is_some_and(|months| months == 0 || months > 120) {
            return refuse("must bind for 1 to 120 months");
        }
        Ok(())
    }
}

/// The cheapest price of every number of cards, and how it is made up.
pub(super) struct Supply {
    /// Of all cards for an hour, by number; nothing where the tiers cannot make it up.
    per_hour: Vec<Option<Decimal>>,
    /// Cards of each tier that the cheapest way takes, by tier and number.
    taken: Vec<Vec<usize>>,
}

impl Supply {
    pub(super) fn new(tiers: &[Tier], most: u32) -> Self {
        let numbers = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
        let mut per_hour = vec![None; numbers];
        if let Some(none) = per_hour.first_mut() {
            *none = Some(Decimal::ZERO);
        }
        let mut taken = Vec::with_capacity(tiers.len());
        for tier in tiers {
            let (next, chosen) = with_tier(&per_hour, tier);
            per_hour = next;
            taken.push(chosen);
        }
        Self { per_hour, taken }
    }

    pub(super) fn per_hour(&self, cards: u32) -> Option<Decimal> {
        self.per_hour.get(usize::try_from(cards).ok()?).copied().flatten()
    }

    pub(super) fn reserved(&self, tiers: &[Tier], cards: u32) -> Vec<Reserved> {
        let mut rest = usize::try_from(cards).unwrap_or(usize::MAX);
        let mut reserved = Vec::new();
        for (tier, taken) in tiers.iter().zip(&self.taken).rev() {
            let cards = taken.get(rest).copied().unwrap_or_default();
            rest -= cards;
            if cards > 0 {
                reserved.push(Reserved {
                    tier: tier.name.clone(),
                    cards: u32::try_from(cards).unwrap_or(u32::MAX),
                    price: tier.price,
                    term_months: tier.term_months,
                });
            }
        }
        reserved.reverse();
        reserved
    }
}

/// `next[q] = min(before[q], min over x of before[q − x] + price · x)`.
///
/// With `before[j] − price · j` as the key, the best beginning of a number is the least key in a
/// window that moves with it; a queue of rising keys has it at its front.
fn with_tier(before: &[Option<Decimal>], tier: &Tier) -> (Vec<Option<Decimal>>, Vec<usize>) {
    let least = usize::try_from(tier.cards_least).unwrap_or(usize::MAX);
    let most =
        tier.cards_most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let mut window: VecDeque<(usize, Decimal)> = VecDeque::new();
    let mut next = before.to_vec();
    let mut taken = vec![0; before.len()];
    for (number, (cost, taken)) in next.iter_mut().zip(&mut taken).enumerate() {
        let Some(entering) = number.checked_sub(least) else { continue };
        if let Some(beginning) = before.get(entering).copied().flatten() {
            let key = beginning - tier.price * Decimal::from(entering);
            while window.back().is_some_and(|(_, worse)| *worse > key) {
                window.pop_back();
            }
            window.push_back((entering, key));
        }
        while window.front().is_some_and(|(entered, _)| number - entered > most) {
            window.pop_front();
        }
        if let Some((entered, key)) = window.front() {
            let through = *key + tier.price * Decimal::from(number);
            if cost.is_none_or(|known| through < known) {
                (*cost, *taken) = (Some(through), number - entered);
            }
        }
    }
    (next, taken)
}
