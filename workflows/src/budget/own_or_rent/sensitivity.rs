//! Tornado: which input moves a result most.
//!
//! The rule: one input at a time goes to its low and its high end while all others stand at their
//! base, and the bars are sorted by how far the result goes.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;

/// The low end, the base and the high end of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Swing {
    pub low: Decimal,
    pub base: Decimal,
    pub high: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar<K> {
    pub input: K,
    pub swing: Swing,
    pub at_low: Decimal,
    pub at_high: Decimal,
}

impl<K> Bar<K> {
    pub fn range(&self) -> Decimal {
        (self.at_high - self.at_low).abs()
    }
}

/// The widest bar first; an input that changes nothing is left out.
pub fn tornado<K: Copy + Ord>(
    swings: &BTreeMap<K, Swing>,
    result: impl Fn(&BTreeMap<K, Decimal>) -> Option<Decimal>,
) -> Vec<Bar<K>> {
    let base: BTreeMap<K, Decimal> = swings.iter().map(|(key, swing)| (*key, swing.base)).collect();
    let with = |key: K, value: Decimal| {
        let mut moved = base.clone();
        moved.insert(key, value);
        result(&moved)
    };
    let mut bars: Vec<Bar<K>> = swings
        .iter()
        .filter_map(|(key, swing)| {
            let (at_low, at_high) = (with(*key, swing.low)?, with(*key, swing.high)?);
            Some(Bar { input: *key, swing: *swing, at_low, at_high })
        })
        .filter(|bar| !bar.range().is_zero())
        .collect();
    bars.sort_by_key(|bar| std::cmp::Reverse(bar.range()));
    bars
}
