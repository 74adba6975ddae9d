//! A base and a burst as a chart: for how long how many cards are wanted, and how many to reserve.

use rust_decimal::Decimal;
use sixgate_workflows::{budget::base_and_burst::Answer, locale::Locale};

use super::{StepChart, Unit, words::word};

/// From the hour of the most to that of the least.
pub fn load_duration(answer: &Answer, locale: Locale) -> StepChart {
    let mut until = 0;
    let mut steps = Vec::with_capacity(answer.duration.len() + 1);
    for point in &answer.duration {
        let hours = point.hours.saturating_sub(until);
        until = point.hours;
        steps.push((Decimal::from(hours), Some(Decimal::from(point.cards))));
    }
    // In the other hours nothing is wanted.
    steps.push((Decimal::from(answer.hours.saturating_sub(until)), Some(Decimal::ZERO)));
    StepChart {
        locale,
        title: word("reserve.title", locale),
        across: Unit::Hours,
        unit: Unit::Cards,
        steps,
        reserved: Some(Decimal::from(answer.best.cards)),
    }
}
