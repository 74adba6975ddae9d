//! Amounts of memory, in whole bytes.
//!
//! The rule: bytes inside, GiB (2³⁰) at the edge. Tools that print "GB" mostly mean GiB, sellers
//! mean 10⁹, and mixing the two is the commonest fault of memory calculators. Sums and products
//! stop at the greatest number instead of wrapping: memory beyond all reason fits nowhere, which is
//! the right answer.

use std::iter::Sum;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Bytes(pub u64);

impl Bytes {
    pub const ZERO: Self = Self(0);
    const GIB: u64 = 1 << 30;
    const MIB: u64 = 1 << 20;

    pub const fn mib(mib: u32) -> Self {
        Self(mib as u64 * Self::MIB)
    }

    /// The greatest number when it is more than that.
    pub fn from_wide(bytes: u128) -> Self {
        Self(u64::try_from(bytes).unwrap_or(u64::MAX))
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left, or nothing.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    #[must_use]
    pub fn times(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// Each of so many equal parts, rounded up to a whole byte.
    #[must_use]
    pub fn divided_among(self, parts: u64) -> Self {
        Self(self.0.div_ceil(parts.max(1)))
    }

    /// So many thousandths of it, rounded down.
    #[must_use]
    pub fn permille(self, permille: u64) -> Self {
        Self::from_wide(u128::from(self.0) * u128::from(permille) / 1_000)
    }

    /// In GiB, to two places.
    pub fn as_gib(self) -> Decimal {
        (Decimal::from(self.0) / Decimal::from(Self::GIB)).round_dp(2)
    }

    /// In whole MiB, rounded down as the tools do.
    pub fn as_mib(self) -> u64 {
        self.0 / Self::MIB
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, Self::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighty_three_billion_bytes_are_seventy_seven_gib() {
        assert_eq!(Bytes(83_000_000_000).as_gib(), Decimal::new(7_730, 2));
        assert_eq!(Bytes(16_000_000_000).as_gib(), Decimal::new(1_490, 2));
        assert_eq!(Bytes::mib(81_559).as_mib(), 81_559);
    }

    #[test]
    fn what_is_beyond_all_reason_stays_beyond_it() {
        assert_eq!(Bytes(u64::MAX).plus(Bytes(1)), Bytes(u64::MAX));
        assert_eq!(Bytes(u64::MAX).times(2), Bytes(u64::MAX));
        assert_eq!(Bytes::from_wide(u128::MAX), Bytes(u64::MAX));
        assert_eq!(Bytes(1).less(Bytes(2)), Bytes::ZERO);
    }
}
