//! Chance that can be repeated: every draw of a run follows from its one seed.
//!
//! The rule: no other source of chance decides anything in a simulation, and each part of the world
//! draws from a branch of its own, so that a change in one does not shift the draws of the others.
//! It is no source of secrets.

use uuid::Uuid;

/// Steele, Lea and Flood's `SplitMix64`: small, and good enough to stir a story.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// An independent sequence.
    pub(super) fn branch(&mut self) -> Self {
        Self(self.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From the first number up to and with the last.
    pub(super) fn between(&mut self, first: i64, last: i64) -> i64 {
        let span = first.abs_diff(last).saturating_add(1);
        first.saturating_add_unsigned(self.next() % span)
    }

    /// So many times in a thousand.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.next() % 1_000 < per_mille
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let last = i64::try_from(from.len()).ok()?.checked_sub(1).filter(|last| *last >= 0)?;
        usize::try_from(self.between(0, last)).ok().and_then(|index| from.get(index))
    }

    pub(super) fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.next(), self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_and_another_draws_otherwise() {
        let draws = |seed| {
            let mut random = Random::of(seed);
            (0..8).map(|_| random.between(0, 1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
    }

    #[test]
    fn a_draw_stays_within_its_bounds_and_nothing_is_picked_of_nothing() {
        let mut random = Random::of(1);
        assert!((0..1_000).all(|_| (3..=5).contains(&random.between(3, 5))));
        assert_eq!(random.pick::<u8>(&[]), None);
        assert_eq!(random.pick(&[9]), Some(&9));
    }
}
