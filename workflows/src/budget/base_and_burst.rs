//! Base and burst: how many cards to reserve, and how many hours to rent on demand.
//!
//! The rule: a reserved card is paid in every hour, used or not, and what exceeds the reserved ones
//! is paid by the hour on demand. Every number of reserved cards is priced exactly and the cheapest
//! wins, the smaller one of equals, since it binds less. With H hours, Q cards at the peak and T
//! tiers it takes O(H log H + Q·T): the hours are sorted once, what exceeds a number of cards is a
//! running sum, and each tier passes once over the numbers.
//!
//! It deliberately forecasts nothing: it prices the demand that it is given, and says where that
//! demand is too unsteady to be bound for long.

pub mod demand;
pub mod steadiness;
pub mod tier;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::{
    demand::Demand,
    steadiness::{Steadiness, Variation},
    tier::{Reserved, Tier},
};
use crate::{
    invalid::Invalid,
    money::Currency,
    needs::catalogue::{Catalogue, assumptions::Assumption},
    percent::{Band, Percent},
    policy::Policy,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub demand: Demand,
    pub currency: Currency,
    /// What can be reserved, each at its own price.
    pub tiers: Vec<Tier>,
    /// Of a card for an hour on demand.
    pub on_demand_price: Decimal,
}

/// What an organisation's policy says about such plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Variation that the hour of the week does not explain, in percent of the mean, above which
    /// no long contract is advised.
    pub variation_percent: Decimal,
    /// What a base with a burst is said to save, to be compared with what it saves here.
    pub claimed_saving: Band,
}

impl Thresholds {
    pub fn of(policy: &Policy) -> Result<Self, Invalid> {
        let assumptions = Catalogue::with(&policy.catalogue).assumptions;
        let assumed = |name| Decimal::from(assumptions.value(name));
        let low = Percent::new(assumed(Assumption::HybridSavingLowPercent))?;
        let high = Percent::new(assumed(Assumption::HybridSavingHighPercent))?;
        Ok(Self {
            variation_percent: assumed(Assumption::VolatileDemandPercent),
            claimed_saving: Band { low, high },
        })
    }
}

/// One number of reserved cards with what it costs over the period of the demand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub cards: u32,
    /// How many of each tier, in the order of the question; tiers that are not used are left out.
    pub reserved: Vec<Reserved>,
    pub reserved_cost: Decimal,
    pub on_demand_cost: Decimal,
    pub total: Decimal,
    pub on_demand_card_hours: u64,
    /// Reserved, paid and not used.
    pub idle_card_hours: u64,
}

/// In `hours` hours at least `cards` cards are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DurationPoint {
    pub hours: u32,
    pub cards: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CostPoint {
    pub cards: u32,
    pub total: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub currency: Currency,
    pub hours: u32,
    pub card_hours: u64,
    pub best: Plan,
    /// Absent when the tiers cannot make up that number.
    pub one_less: Option<Plan>,
    pub one_more: Option<Plan>,
    pub all_on_demand: Plan,
    /// The peak reserved; absent when the tiers do not reach it.
    pub all_reserved: Option<Plan>,
    /// Percent of the cost of all on demand; absent when that costs nothing.
    pub saving_on_demand: Option<Decimal>,
    /// Percent of the cost of the whole peak reserved.
    pub saving_reserved: Option<Decimal>,
    pub claimed_saving: Band,
    /// Load-duration curve from the peak down to the base, one point for each height.
    pub duration: Vec<DurationPoint>,
    /// Total cost for every number of cards that the tiers can make up, upwards.
    pub costs: Vec<CostPoint>,
    pub variation: Variation,
    pub steadiness: Steadiness,
}

impl Question {
    pub const TIERS_MAX: usize = 20;
    /// Of a card for an hour, in any currency.
    pub const PRICE_MAX: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

    fn check(&self) -> Result<(), Invalid> {
        if self.tiers.len() > Self::TIERS_MAX {
            let why = format!("has {}, at most {} are priced", self.tiers.len(), Self::TIERS_MAX);
            return Err(Invalid::new("tiers", why));
        }
        for tier in &self.tiers {
            tier.check()?;
        }
        price(self.on_demand_price, "on_demand_price")
    }
}

/// A price that is not known is left out by whoever asks; nothing is rented for nothing.
fn price(price: Decimal, what: &'static str) -> Result<(), Invalid> {
    match price > Decimal::ZERO && price <= Question::PRICE_MAX {
        true => Ok(()),
        false => Err(Invalid::new(
            what,
            format!(
                "{price} is not above 0 and at most {}; leave out what is unknown",
                Question::PRICE_MAX
            ),
        )),
    }
}

pub fn answer(question: &Question, thresholds: Thresholds) -> Result<Answer, Invalid> {
    question.check()?;
    let priced = Priced::new(question);
    let costs = priced.costs();
    let best = costs
        .iter()
        .min_by_key(|point| (point.total, point.cards))
        .ok_or_else(|| Invalid::new("tiers", "not even reserving nothing could be priced"))?;
    let best = priced.plan(best.cards).ok_or_else(|| Invalid::new("tiers", "no plan was found"))?;
    let all_on_demand = priced.plan(0).ok_or_else(|| Invalid::new("tiers", "no plan was found"))?;
    let all_reserved = priced.plan(question.demand.peak());
    let variation = Variation::of(&question.demand);
    Ok(Answer {
        currency: question.currency,
        hours: question.demand.hours(),
        card_hours: question.demand.card_hours(),
        one_less: best.cards.checked_sub(1).and_then(|cards| priced.plan(cards)),
        one_more: priced.plan(best.cards + 1),
        saving_on_demand: saving(&best, &all_on_demand),
        saving_reserved: all_reserved.as_ref().and_then(|plan| saving(&best, plan)),
        all_on_demand,
        all_reserved,
        best,
        claimed_saving: thresholds.claimed_saving,
        duration: duration(&question.demand),
        costs,
        variation,
        steadiness: variation.judged(thresholds.variation_percent),
    })
}

/// Percent that a plan costs less than another.
fn saving(plan: &Plan, other: &Plan) -> Option<Decimal> {
    let less = Decimal::ONE_HUNDRED * (other.total - plan.total);
    less.checked_div(other.total)
}

fn duration(demand: &Demand) -> Vec<DurationPoint> {
    let sorted = demand.descending();
    let mut points: Vec<DurationPoint> = Vec::new();
    for (hours, cards) in (1..).zip(sorted) {
        match points.last_mut() {
            Some(last) if last.cards == cards => last.hours = hours,
            Some(_) | None => points.push(DurationPoint { hours, cards }),
        }
    }
    points
}

/// Everything that is the same for every number of cards.
struct Priced<'a> {
    question: &'a Question,
    /// Card-hours above each number of cards, from none up to the largest number.
    above: Vec<u64>,
    supply: tier::Supply,
}

impl<'a> Priced<'a> {
    fn new(question: &'a Question) -> Self {
        let least = question.tiers.iter().map(|tier| tier.cards_least).max().unwrap_or_default();
        // One above the peak, so that one card more than the optimum can be told.
        let most = (question.demand.peak() + 1).max(least);
        let above = above(&question.demand, most);
        Self { question, above, supply: tier::Supply::new(&question.tiers, most) }
    }

    fn costs(&self) -> Vec<CostPoint> {
        let numbers = 0..u32::try_from(self.above.len()).unwrap_or(u32::MAX);
        numbers
            .filter_map(|cards| {
                let total = self.reserved_cost(cards)? + self.on_demand_cost(cards)?;
                Some(CostPoint { cards, total })
            })
            .collect()
    }

    fn reserved_cost(&self, cards: u32) -> Option<Decimal> {
        let per_hour = self.supply.per_hour(cards)?;
        Some(per_hour * Decimal::from(self.question.demand.hours()))
    }

    fn on_demand_cost(&self, cards: u32) -> Option<Decimal> {
        let above = *self.above.get(usize::try_from(cards).ok()?)?;
        Some(Decimal::from(above) * self.question.on_demand_price)
    }

    fn plan(&self, cards: u32) -> Option<Plan> {
        let (reserved_cost, on_demand_cost) =
            (self.reserved_cost(cards)?, self.on_demand_cost(cards)?);
        let on_demand_card_hours = *self.above.get(usize::try_from(cards).ok()?)?;
        let demand = &self.question.demand;
        let used = demand.card_hours() - on_demand_card_hours;
        Some(Plan {
            cards,
            reserved: self.supply.reserved(&self.question.tiers, cards),
            reserved_cost,
            on_demand_cost,
            total: reserved_cost + on_demand_cost,
            on_demand_card_hours,
            idle_card_hours: u64::from(cards) * u64::from(demand.hours()) - used,
        })
    }
}

/// `Σ max(0, demand − cards)` for every number of cards up to `most`.
fn above(demand: &Demand, most: u32) -> Vec<u64> {
    let mut descending = demand.descending().into_iter().peekable();
    let (mut hours, mut sum) = (0_u64, 0_u64);
    let mut above: Vec<u64> = (0..=most)
        .rev()
        .map(|cards| {
            // Hours that want more than `cards` gain one card-hour each by the step down.
            while descending.next_if(|wanted| *wanted > cards).is_some() {
                hours += 1;
            }
            sum += hours;
            sum
        })
        .collect();
    above.reverse();
    above
}
