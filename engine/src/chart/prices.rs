//! The points of a price index by day, with the middle of each month, and a price held against
//! them.

use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::price_index::{
        point::Basis,
        view::{Aligned, course},
    },
    locale::Locale,
    money::Currency,
};

use super::{
    LineChart, Unit, Value,
    axis::day,
    lines::{Across, Line},
    stack::Limit,
    words::{filled, word},
};

/// `price` is per card-hour, net, in the same currency.
pub fn of_card(
    card: &str,
    points: &[Aligned],
    currency: Currency,
    price: Option<Decimal>,
    locale: Locale,
) -> LineChart {
    let months = course(points).into_iter().map(|month| {
        let middle = month.first + chrono::Days::new(14);
        let value = month.median.map_or(Value::Unknown, |m| Value::between(m.low, m.high));
        (day(middle), value)
    });
    let medians =
        Line { name: word("prices.medians", locale), points: months.collect(), joined: true };
    let of_basis = |basis: Basis| Line {
        name: word(&format!("prices.{}", basis.id()), locale),
        points: points
            .iter()
            .filter(|aligned| aligned.point.basis == basis)
            .map(|aligned| (day(aligned.point.on), Value::between(aligned.low, aligned.high)))
            .collect(),
        joined: false,
    };
    let lines = [medians].into_iter().chain(Basis::ALL.map(of_basis));
    LineChart {
        locale,
        title: filled("prices.title", locale, &[("name", card)]),
        across: Across::Days,
        unit: Unit::MoneyPerCardHour(currency),
        lines: lines.filter(|line| !line.points.is_empty()).collect(),
        crossings: Vec::new(),
        against: price
            .map(|price| Limit { name: word("prices.asked", locale), value: Value::Known(price) }),
    }
}
