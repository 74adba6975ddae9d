//! From which month, and from which use on, an option has cost no more than renting.
//!
//! The rule: the cumulative costs are straight lines from the delivery on, so their crossing is
//! computed and not searched for. Never within the horizon is an answer of its own, and so is an
//! option that wins only by what its machines sell for at the end.

use rust_decimal::Decimal;
use serde::Serialize;

use super::cash::Cash;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", content = "month", rename_all = "snake_case")]
pub enum BreakEven {
    /// Months from the order; 0 when it never costs more.
    Month(Decimal),
    /// At the end of the horizon, by what the machines sell for.
    BySelling,
    Never,
}

/// The use from which on it costs no more over the whole horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "is", content = "hours", rename_all = "snake_case")]
pub enum UseBreakEven {
    /// Whatever the use.
    Always,
    /// Hours a day, of 24.
    HoursADay(Decimal),
    /// Not even around the clock.
    Never,
}

impl BreakEven {
    pub fn id(self) -> &'static str {
        match self {
            Self::Month(_) => "month",
            Self::BySelling => "by_selling",
            Self::Never => "never",
        }
    }

    pub fn month(self) -> Option<Decimal> {
        match self {
            Self::Month(month) => Some(month),
            Self::BySelling | Self::Never => None,
        }
    }

    /// Orders what [`Self::of`] answers, the earliest first, and by how much it is at once or never.
    ///
    /// Without the amounts all that never breaks even would be alike, and the range of a result
    /// could not be looked for one input at a time.
    pub fn rank(option: &Cash, rent: &Cash, horizon_months: u32) -> (u8, Decimal) {
        let dearer = |month| option.paid_until(month) - rent.paid_until(month);
        match Self::of(option, rent, horizon_months) {
            Self::Month(month) if month.is_zero() => (0, dearer(option.delivered)),
            Self::Month(month) => (1, month),
            Self::BySelling => (2, dearer(Decimal::from(horizon_months))),
            Self::Never => (3, option.total() - rent.total()),
        }
    }

    /// The month from which on `option` has cost no more than renting, and stays so.
    pub fn of(option: &Cash, rent: &Cash, horizon_months: u32) -> Self {
        let horizon = Decimal::from(horizon_months);
        let dearer = |month| option.paid_until(month) - rent.paid_until(month);
        let (at_delivery, at_the_end) = (dearer(option.delivered), dearer(horizon));
        if at_the_end > Decimal::ZERO {
            return if option.total() <= rent.total() { Self::BySelling } else { Self::Never };
        }
        if at_delivery <= Decimal::ZERO {
            return Self::Month(Decimal::ZERO);
        }
        // It falls in a straight line from above zero to zero or below.
        let rest = horizon - option.delivered;
        match (at_delivery * rest).checked_div(at_delivery - at_the_end) {
            Some(after) => Self::Month(option.delivered + after),
            None => Self::Never,
        }
    }
}

impl UseBreakEven {
    pub fn id(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::HoursADay(_) => "hours_a_day",
            Self::Never => "never",
        }
    }

    pub fn hours_a_day(self) -> Option<Decimal> {
        match self {
            Self::HoursADay(hours) => Some(hours),
            Self::Always | Self::Never => None,
        }
    }

    pub fn percent(self) -> Option<Decimal> {
        Some(self.hours_a_day()? * Decimal::ONE_HUNDRED / Decimal::from(24))
    }

    /// Orders what [`Self::between`] answers, and by how much it is always or never.
    ///
    /// Without the amounts all that never breaks even would be alike, and the range of a result
    /// could not be looked for one input at a time.
    pub fn rank(idle: Decimal, full: Decimal) -> (u8, Decimal) {
        match Self::between(idle, full) {
            Self::Always => (0, idle),
            Self::HoursADay(hours) => (1, hours),
            Self::Never => (2, full),
        }
    }

    /// From how much dearer it is than renting at no use and around the clock.
    ///
    /// Both costs are straight lines over the use, and more use never makes renting cheaper.
    pub fn between(idle: Decimal, full: Decimal) -> Self {
        if idle <= Decimal::ZERO {
            return Self::Always;
        }
        if full > Decimal::ZERO {
            return Self::Never;
        }
        match (Decimal::from(24) * idle).checked_div(idle - full) {
            Some(hours) => Self::HoursADay(hours),
            None => Self::Never,
        }
    }
}
