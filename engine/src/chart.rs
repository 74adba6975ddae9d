//! Pictures of results, as SVG text that stands for itself.
//!
//! ```text
//! stack    parts of a whole beside a limit       steps     demand by duration, with a line
//! lines    values over numbers or days           tornado   what moves a result most
//! memory, costs, prices, owning, reserve   the data of a chart from a result of the rules
//! axis, canvas, legend, palette, thinning, words, unit   what they are drawn with
//! ```
//!
//! The rule: a chart is plain data, and drawing it is a pure function of that data: the same bytes
//! on every machine, with no script, no reference to anything outside, and every text escaped. Hue is
//! never alone in telling two things apart, so it reads in print. What is unknown is drawn as unknown
//! and never as zero. An axis of amounts holds zero, so no difference looks greater than it is; only a
//! tornado, which is all differences, has none.
//!
//! It deliberately measures no font: widths are estimated on the safe side, and what does not fit
//! is cut with an ellipsis. Values are decimals up to the pixel; only places on the page are floats.

pub mod axis;
mod canvas;
pub mod costs;
mod legend;
pub mod lines;
pub mod memory;
pub mod owning;
mod palette;
pub mod prices;
pub mod reserve;
pub mod stack;
pub mod steps;
mod thinning;
pub mod tornado;
pub mod unit;
mod words;

use rust_decimal::Decimal;

pub use self::{
    lines::LineChart, stack::StackChart, steps::StepChart, tornado::TornadoChart, unit::Unit,
};

/// What is known of one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Known(Decimal),
    Range {
        low: Decimal,
        high: Decimal,
    },
    /// Nobody has said; it is drawn as such.
    Unknown,
}

/// One chart of any kind, for whoever shows it without caring which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chart {
    Stack(StackChart),
    Steps(StepChart),
    Lines(LineChart),
    Tornado(TornadoChart),
}

impl Chart {
    /// One `<svg>` element.
    pub fn svg(&self) -> String {
        match self {
            Self::Stack(chart) => stack::svg(chart),
            Self::Steps(chart) => steps::svg(chart),
            Self::Lines(chart) => lines::svg(chart),
            Self::Tornado(chart) => tornado::svg(chart),
        }
    }

    /// The same in one paragraph of words, for mails and for people who do not see the picture.
    pub fn told(&self) -> String {
        match self {
            Self::Stack(chart) => stack::told(chart),
            Self::Steps(chart) => steps::told(chart),
            Self::Lines(chart) => lines::told(chart),
            Self::Tornado(chart) => tornado::told(chart),
        }
    }
}

impl Value {
    /// From the lower to the upper of two figures, which may be the same.
    pub fn between(one: Decimal, other: Decimal) -> Self {
        match one == other {
            true => Self::Known(one),
            false => Self::Range { low: one.min(other), high: one.max(other) },
        }
    }

    pub fn low(self) -> Option<Decimal> {
        match self {
            Self::Known(known) => Some(known),
            Self::Range { low, .. } => Some(low),
            Self::Unknown => None,
        }
    }

    pub fn high(self) -> Option<Decimal> {
        match self {
            Self::Known(known) => Some(known),
            Self::Range { high, .. } => Some(high),
            Self::Unknown => None,
        }
    }
}
