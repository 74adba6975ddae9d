//! From ranges of inputs to the range of a result.
//!
//! The rule: a result is smallest where each input stands at the end that makes it small. The ends
//! are found by trying both of each input while the others stand, again and again until nothing
//! changes. That is exact because no cost changes its direction with another input, except with the
//! lead time, whose direction is settled once the others stand.

use rust_decimal::Decimal;
use serde::Serialize;

use super::input::{Inputs, Values};

/// Lowest, in the middle of all ranges, and highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span<T> {
    pub low: T,
    pub middle: T,
    pub high: T,
}

impl<T> Span<T> {
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> Span<U> {
        Span { low: convert(self.low), middle: convert(self.middle), high: convert(self.high) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lowest,
    Highest,
}

/// Every input that is given, in the middle of its range.
pub fn middle(inputs: &Inputs) -> Values {
    let middle = |low, high| (low + high) / Decimal::TWO;
    inputs
        .iter()
        .filter_map(|(input, estimate)| {
            let (low, high) = (*estimate.low()?, *estimate.high()?);
            Some((*input, middle(low, high)))
        })
        .collect()
}

/// Where a result is lowest, in the middle, and highest; nothing when it cannot be worked out.
pub fn corners<T: Ord>(
    inputs: &Inputs,
    result: impl Fn(&Values) -> Option<T>,
) -> Option<Span<Values>> {
    let middle = middle(inputs);
    result(&middle)?;
    Some(Span {
        low: corner(inputs, &middle, End::Lowest, &result)?,
        high: corner(inputs, &middle, End::Highest, &result)?,
        middle,
    })
}

/// The same for a result that is ordered by something finer than itself.
pub fn ranked<T, R: Ord>(
    inputs: &Inputs,
    result: impl Fn(&Values) -> Option<T>,
    rank: impl Fn(&Values) -> Option<R>,
) -> Option<Span<T>> {
    let corners = corners(inputs, rank)?;
    Some(Span {
        low: result(&corners.low)?,
        middle: result(&corners.middle)?,
        high: result(&corners.high)?,
    })
}

pub fn span<T: Ord>(inputs: &Inputs, result: impl Fn(&Values) -> Option<T>) -> Option<Span<T>> {
    ranked(inputs, &result, &result)
}

fn corner<T: Ord>(
    inputs: &Inputs,
    start: &Values,
    end: End,
    result: &impl Fn(&Values) -> Option<T>,
) -> Option<Values> {
    /// One pass settles all but the lead time, the second that, and a third finds nothing to do.
    const PASSES_MAX: usize = 4;
    let mut at = start.clone();
    let mut best = result(&at)?;
    for _ in 0..PASSES_MAX {
        let mut moved = false;
        for (input, estimate) in inputs {
            let (Some(low), Some(high)) = (estimate.low(), estimate.high()) else { continue };
            if low == high {
                continue;
            }
            for value in [*low, *high] {
                let Some(before) = at.insert(*input, value) else { continue };
                match result(&at).filter(|tried| better(tried, &best, end)) {
                    Some(tried) => (best, moved) = (tried, true),
                    None => {
                        at.insert(*input, before);
                    }
                }
            }
        }
        if !moved {
            break;
        }
    }
    Some(at)
}

fn better<T: Ord>(tried: &T, best: &T, end: End) -> bool {
    match end {
        End::Lowest => tried < best,
        End::Highest => tried > best,
    }
}
