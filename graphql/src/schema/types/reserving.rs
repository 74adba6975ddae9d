//! The base that is reserved and the burst that is rented on demand.

use async_graphql::{Context, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::chart;
use sixgate_workflows::{
    budget::base_and_burst::{Answer, DurationPoint, Plan, Thresholds, tier::Reserved},
    texts,
};

use crate::schema::{
    locale,
    scalars::{Currency, Language, Steadiness},
    types::chart::Chart,
};

pub(crate) struct BaseAndBurst {
    pub answer: Answer,
    pub thresholds: Thresholds,
}

#[derive(SimpleObject)]
struct ReservedTier {
    tier: String,
    cards: u32,
    price: Decimal,
    term_months: Option<u32>,
}

/// One number of reserved cards with what it costs over the period of the demand.
#[derive(SimpleObject)]
struct ReservePlan {
    cards: u32,
    tiers: Vec<ReservedTier>,
    reserved_cost: Decimal,
    on_demand_cost: Decimal,
    total: Decimal,
    on_demand_card_hours: u64,
    /// Reserved, paid and not used.
    idle_card_hours: u64,
}

/// In so many hours at least so many cards are wanted.
#[derive(SimpleObject)]
struct LoadDurationPoint {
    hours: u32,
    cards: u32,
}

impl From<&Reserved> for ReservedTier {
    fn from(part: &Reserved) -> Self {
        Self {
            tier: part.tier.to_string(),
            cards: part.cards,
            price: part.price,
            term_months: part.term_months,
        }
    }
}

impl From<&Plan> for ReservePlan {
    fn from(plan: &Plan) -> Self {
        Self {
            cards: plan.cards,
            tiers: plan.reserved.iter().map(Into::into).collect(),
            reserved_cost: plan.reserved_cost,
            on_demand_cost: plan.on_demand_cost,
            total: plan.total,
            on_demand_card_hours: plan.on_demand_card_hours,
            idle_card_hours: plan.idle_card_hours,
        }
    }
}

#[Object]
impl BaseAndBurst {
    /// For how long how many cards are wanted, with the best number to reserve.
    async fn chart(&self, context: &Context<'_>, language: Option<Language>) -> Chart {
        let chart = chart::reserve::load_duration(&self.answer, locale(context, language));
        Chart(chart::Chart::Steps(chart))
    }

    async fn currency(&self) -> Currency {
        self.answer.currency.into()
    }

    async fn hours(&self) -> u32 {
        self.answer.hours
    }

    async fn card_hours(&self) -> u64 {
        self.answer.card_hours
    }

    /// The cheapest, and of equals the one that binds least.
    async fn best(&self) -> ReservePlan {
        (&self.answer.best).into()
    }

    /// `null` when the tiers cannot make up that number.
    async fn one_less(&self) -> Option<ReservePlan> {
        self.answer.one_less.as_ref().map(Into::into)
    }

    /// `null` when the tiers cannot make up that number.
    async fn one_more(&self) -> Option<ReservePlan> {
        self.answer.one_more.as_ref().map(Into::into)
    }

    async fn all_on_demand(&self) -> ReservePlan {
        (&self.answer.all_on_demand).into()
    }

    /// The peak reserved; `null` when the tiers do not reach it.
    async fn all_reserved(&self) -> Option<ReservePlan> {
        self.answer.all_reserved.as_ref().map(Into::into)
    }

    /// Percent of the cost of all on demand.
    async fn saving_on_demand(&self) -> Option<Decimal> {
        self.answer.saving_on_demand
    }

    /// Percent of the cost of the whole peak reserved.
    async fn saving_reserved(&self) -> Option<Decimal> {
        self.answer.saving_reserved
    }

    /// Percent that such plans are said to save, from low to high.
    async fn claimed_saving(&self) -> [Decimal; 2] {
        let band = self.answer.claimed_saving;
        [band.low.value(), band.high.value()]
    }

    /// From the peak down to the base.
    async fn duration(&self) -> Vec<LoadDurationPoint> {
        let point =
            |point: &DurationPoint| LoadDurationPoint { hours: point.hours, cards: point.cards };
        self.answer.duration.iter().map(point).collect()
    }

    /// Standard deviation in percent of the mean.
    async fn variation_percent(&self) -> Option<Decimal> {
        self.answer.variation.whole_percent
    }

    /// The part of it that the hour of the week does not explain.
    async fn unexplained_variation_percent(&self) -> Option<Decimal> {
        self.answer.variation.unexplained_percent
    }

    async fn steadiness(&self) -> Steadiness {
        self.answer.steadiness.into()
    }

    /// What that means for the term of a contract.
    async fn advice(&self, context: &Context<'_>, language: Option<Language>) -> String {
        let variation =
            self.answer.variation.unexplained_percent.map(|percent| percent.to_string());
        let threshold = self.thresholds.variation_percent.to_string();
        let key = format!("steadiness.{}", self.answer.steadiness.id());
        texts::filled(&key, locale(context, language), |name| match name {
            "variation" => variation.as_deref(),
            "threshold" => Some(&threshold),
            _ => None,
        })
    }
}
