//! Exact sums, alone and by key.
//!
//! A sum nothing was added to is unknown, not zero. Rows of a bill mostly repeat the key of the row before, so that one
//! is looked at first.

use rust_decimal::Decimal;
use std::collections::{BTreeMap, HashMap};

#[derive(Default)]
pub(super) struct Sum {
    sum: Decimal,
    any: bool,
    overflowed: bool,
}

impl Sum {
    pub(super) fn add(&mut self, amount: Decimal) {
        self.any = true;
        match self.sum.checked_add(amount) {
            Some(sum) => self.sum = sum,
            None => self.overflowed = true,
        }
    }

    pub(super) fn known(&self) -> Option<Decimal> {
        self.any.then(|| self.sum.normalize())
    }

    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }
}

#[derive(Default)]
pub(super) struct Tally {
    sums: Vec<(Box<[u8]>, Sum)>,
    places: HashMap<Box<[u8]>, usize>,
    last: usize,
    is_full: bool,
}

const KEYS_MAX: usize = 100_000;

impl Tally {
    pub(super) fn add(&mut self, key: &[u8], amount: Decimal) {
        let is_last = self.sums.get(self.last).is_some_and(|(known, _)| **known == *key);
        if !is_last {
            match self.places.get(key) {
                Some(place) => self.last = *place,
                None if self.sums.len() >= KEYS_MAX => {
                    self.is_full = true;
                    return;
                }
                None => {
                    self.last = self.sums.len();
                    self.places.insert(key.into(), self.last);
                    self.sums.push((key.into(), Sum::default()));
                }
            }
        }
        if let Some((_, sum)) = self.sums.get_mut(self.last) {
            sum.add(amount);
        }
    }

    pub(super) fn overflowed(&self) -> bool {
        self.is_full || self.sums.iter().any(|(_, sum)| sum.overflowed())
    }

    pub(super) fn into_table(self) -> BTreeMap<String, Decimal> {
        let named = |(key, sum): (Box<[u8]>, Sum)| {
            (String::from_utf8_lossy(&key).into_owned(), sum.known().unwrap_or_default())
        };
        self.sums.into_iter().map(named).collect()
    }
}
