//! The price index of one card.

use std::collections::HashMap;

use async_graphql::{Context, Object, SimpleObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::{
    chart,
    prices::{Listed, Origin},
};
use sixgate_workflows::budget::price_index::view::{
    self, Aligned, Asked, Standing, comparable, course, standing, summary,
};

use super::chart::Chart;
use crate::schema::{
    self,
    scalars::{Currency, Language, PointBasis},
};

pub(crate) struct PriceIndex {
    pub name: String,
    pub asked: Asked,
    pub listed: Vec<Listed>,
    pub today: NaiveDate,
}

/// Per card-hour, net of tax where the tax is known.
#[derive(SimpleObject)]
pub(crate) struct PricePoint {
    /// By which it can be withdrawn.
    key: String,
    low: Decimal,
    high: Decimal,
    basis: PointBasis,
    /// What was paid for: `hour`, `month`, `year`, `package:720`.
    term: String,
    region: Option<String>,
    source: String,
    on: NaiveDate,
    /// `reference`, `collected` or `quote`.
    origin: &'static str,
}

#[derive(SimpleObject)]
pub(crate) struct PriceSummary {
    count: usize,
    least: Decimal,
    median_low: Decimal,
    median_high: Decimal,
    most: Decimal,
    newest: NaiveDate,
    age_days: u32,
    /// How many of the points do not say whether tax is in them.
    tax_not_said: usize,
}

#[derive(SimpleObject)]
pub(crate) struct PriceStanding {
    /// Whether there are enough points in the window; otherwise nothing else is told.
    can_be_told: bool,
    points: usize,
    points_needed: usize,
    /// Percent of the points that are surely below the price.
    below_percent: Option<Decimal>,
    /// The same with the ranges that the price lies in.
    at_most_below_percent: Option<Decimal>,
    /// How old the newest point is; `null` when there is none.
    newest: Option<NaiveDate>,
}

#[derive(SimpleObject)]
pub(crate) struct PriceMonth {
    /// The first day of the month.
    month: NaiveDate,
    count: usize,
    /// `null` in a month without a point.
    median_low: Option<Decimal>,
    median_high: Option<Decimal>,
}

impl PriceIndex {
    fn comparable(&self) -> Vec<Aligned> {
        comparable(self.listed.iter().map(|listed| &listed.point), &self.asked)
    }

    /// By the keys of the points.
    fn origins(&self) -> HashMap<String, &'static str> {
        let named = |listed: &Listed| match listed.origin {
            Origin::Reference => "reference",
            Origin::Collected(_) => "collected",
            Origin::Quote(..) => "quote",
        };
        self.listed.iter().map(|listed| (listed.point.key(), named(listed))).collect()
    }
}

#[Object]
impl PriceIndex {
    /// As the catalogue has it.
    async fn card(&self) -> &str {
        &self.name
    }

    /// The comparable points, the newest first.
    #[graphql(complexity = "20 * child_complexity")]
    async fn points(
        &self,
        #[graphql(desc = "At most 500.", default = 100)] first: u32,
    ) -> Vec<PricePoint> {
        let (points, origins) = (self.comparable(), self.origins());
        let newest = points.iter().rev().take(usize::try_from(first.min(500)).unwrap_or(500));
        newest
            .map(|aligned| PricePoint {
                key: aligned.point.key(),
                low: aligned.low,
                high: aligned.high,
                basis: aligned.point.basis.into(),
                term: aligned.point.term.written(),
                region: aligned.point.region.as_ref().map(ToString::to_string),
                source: aligned.point.source.to_string(),
                on: aligned.point.on,
                origin: origins.get(&aligned.point.key()).copied().unwrap_or("reference"),
            })
            .collect()
    }

    /// Of the window; `null` when no point is in it.
    async fn summary(&self) -> Option<PriceSummary> {
        let found = summary(&self.comparable(), self.asked.days, self.today)?;
        Some(PriceSummary {
            count: found.count,
            least: found.least,
            median_low: found.median.low,
            median_high: found.median.high,
            most: found.most,
            newest: found.newest,
            age_days: found.age_days,
            tax_not_said: found.tax_not_said,
        })
    }

    /// By month from the first point to the last.
    #[graphql(complexity = "20 * child_complexity")]
    async fn trend(&self) -> Vec<PriceMonth> {
        let months = course(&self.comparable()).into_iter();
        months
            .map(|month| PriceMonth {
                month: month.first,
                count: month.count,
                median_low: month.median.map(|span| span.low),
                median_high: month.median.map(|span| span.high),
            })
            .collect()
    }

    /// Where a price per card-hour, net of tax, stands among the points of the window.
    async fn standing(&self, price: Decimal) -> PriceStanding {
        match standing(&self.comparable(), price, self.asked.days, self.today) {
            Standing::Among { below, at_most_below, summary } => PriceStanding {
                can_be_told: true,
                points: summary.count,
                points_needed: view::POINTS_MIN,
                below_percent: Some(below.value()),
                at_most_below_percent: Some(at_most_below.value()),
                newest: Some(summary.newest),
            },
            Standing::CannotTell { points, needed, newest } => PriceStanding {
                can_be_told: false,
                points,
                points_needed: needed,
                below_percent: None,
                at_most_below_percent: None,
                newest,
            },
        }
    }

    /// The points by day, with a price held against them if one is given.
    async fn chart(
        &self,
        context: &Context<'_>,
        price: Option<Decimal>,
        locale: Option<Language>,
    ) -> Chart {
        let locale = schema::locale(context, locale);
        let (points, currency) = (self.comparable(), self.asked.currency);
        let lines = chart::prices::of_card(&self.name, &points, currency, price, locale);
        Chart(chart::Chart::Lines(lines))
    }

    async fn currency(&self) -> Currency {
        self.asked.currency.into()
    }
}
