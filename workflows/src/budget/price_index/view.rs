//! The points of one card that can be compared, their course by month, and where a price stands.
//!
//! The rule: only points of the same card and currency are compared, of one basis and region where
//! they are asked for. A point that is a range counts with both its ends, so a middle and a standing
//! are ranges, too. Fewer than five points in the window say nothing: then it cannot be told.

use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate};
use rust_decimal::Decimal;

use super::point::{Basis, PricePoint, Tax};
use crate::{money::Currency, percent::Percent};

/// Fewer are an anecdote.
pub const POINTS_MIN: usize = 5;
/// Months of a course at most, the newest ones.
const MONTHS_MAX: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The catalogue's id.
    pub card: String,
    pub currency: Currency,
    /// Every basis when absent.
    pub basis: Option<Basis>,
    /// Every region when absent.
    pub region: Option<String>,
    /// The window of the summary and of a standing, back from today.
    pub days: u32,
}

/// A point with what it is per card-hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aligned {
    pub point: PricePoint,
    pub low: Decimal,
    pub high: Decimal,
}

/// A price per card-hour from its lower to its upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub low: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// In the window.
    pub count: usize,
    pub least: Decimal,
    pub median: Span,
    pub most: Decimal,
    pub newest: NaiveDate,
    pub age_days: u32,
    /// How many of the points do not say whether tax is in them.
    pub tax_not_said: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Which part of the points is below the price: surely, and at most.
    Among {
        below: Percent,
        at_most_below: Percent,
        summary: Summary,
    },
    CannotTell {
        points: usize,
        needed: usize,
        newest: Option<NaiveDate>,
    },
}

/// One month of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Month {
    pub first: NaiveDate,
    /// `None` in a month without a point.
    pub median: Option<Span>,
    pub count: usize,
}

/// The comparable points, the oldest first.
pub fn comparable<'a>(
    points: impl IntoIterator<Item = &'a PricePoint>,
    asked: &Asked,
) -> Vec<Aligned> {
    let fits = |point: &&PricePoint| {
        point.card.as_str() == asked.card
            && point.currency == asked.currency
            && asked.basis.is_none_or(|basis| basis == point.basis)
            && asked.region.as_deref().is_none_or(|wanted| {
                point.region.as_ref().is_some_and(|region| region.as_str() == wanted)
            })
    };
    let mut found: Vec<_> = points
        .into_iter()
        .filter(fits)
        .filter_map(|point| {
            let (low, high) = point.per_card_hour()?;
            Some(Aligned { point: point.clone(), low, high })
        })
        .collect();
    found.sort_by(|one, other| {
        let order = |aligned: &Aligned| (aligned.point.on, aligned.low, aligned.high);
        order(one).cmp(&order(other)).then_with(|| one.point.source.cmp(&other.point.source))
    });
    found
}

/// Of the last days up to today; `None` when none of them has a point.
pub fn summary(points: &[Aligned], days: u32, today: NaiveDate) -> Option<Summary> {
    let window = within(points, days, today);
    let newest = window.last()?.point.on;
    Some(Summary {
        count: window.len(),
        least: window.iter().map(|point| point.low).min()?,
        median: median(window)?,
        most: window.iter().map(|point| point.high).max()?,
        newest,
        age_days: u32::try_from((today - newest).num_days()).unwrap_or(0),
        tax_not_said: window.iter().filter(|point| point.point.tax == Tax::NotSaid).count(),
    })
}

/// Where a price per card-hour, net, stands among the points of the window.
pub fn standing(points: &[Aligned], price: Decimal, days: u32, today: NaiveDate) -> Standing {
    let window = within(points, days, today);
    let share = |count: usize| {
        let part = Decimal::from(count).checked_mul(Decimal::ONE_HUNDRED)?;
        Percent::new(part.checked_div(window.len().into())?.round_dp(1)).ok()
    };
    let below = share(window.iter().filter(|point| point.high < price).count());
    let at_most_below = share(window.iter().filter(|point| point.low < price).count());
    match (below, at_most_below, summary(points, days, today)) {
        (Some(below), Some(at_most_below), Some(summary)) if window.len() >= POINTS_MIN => {
            Standing::Among { below, at_most_below, summary }
        }
        (_, _, _) => Standing::CannotTell {
            points: window.len(),
            needed: POINTS_MIN,
            newest: points.last().map(|point| point.point.on),
        },
    }
}

/// The middle of each month from the first to the last with a point; months between without one
/// are there and unknown.
pub fn course(points: &[Aligned]) -> Vec<Month> {
    let mut months: BTreeMap<NaiveDate, Vec<Aligned>> = BTreeMap::new();
    for point in points {
        let first = point.point.on.with_day(1).unwrap_or(point.point.on);
        months.entry(first).or_default().push(point.clone());
    }
    let (Some(newest), Some(oldest)) =
        (months.keys().next_back().copied(), months.keys().next().copied())
    else {
        return Vec::new();
    };
    let back = |first: &NaiveDate| first.checked_sub_months(chrono::Months::new(1));
    let mut course: Vec<_> = std::iter::successors(Some(newest), back)
        .take_while(|first| *first >= oldest)
        .take(MONTHS_MAX)
        .map(|first| {
            let of_month = months.get(&first).map_or(&[][..], Vec::as_slice);
            Month { first, median: median(of_month), count: of_month.len() }
        })
        .collect();
    course.reverse();
    course
}

fn within(points: &[Aligned], days: u32, today: NaiveDate) -> &[Aligned] {
    let since = today.checked_sub_days(Days::new(days.into())).unwrap_or(NaiveDate::MIN);
    let from = points.partition_point(|point| point.point.on < since);
    let to = points.partition_point(|point| point.point.on <= today);
    &points[from..to.max(from)]
}

/// Of the low ends, and of the high ends.
fn median(points: &[Aligned]) -> Option<Span> {
    let low = middle(points.iter().map(|point| point.low).collect())?;
    let high = middle(points.iter().map(|point| point.high).collect())?;
    Some(Span { low, high })
}

fn middle(mut values: Vec<Decimal>) -> Option<Decimal> {
    values.sort();
    let upper = *values.get(values.len() / 2)?;
    match values.len() % 2 {
        0 => {
            let lower = *values.get(values.len() / 2 - 1)?;
            lower.checked_add(upper)?.checked_div(Decimal::TWO)
        }
        _ => Some(upper),
    }
}
