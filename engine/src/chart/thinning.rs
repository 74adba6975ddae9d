//! Fewer points for the page without hiding a peak.
//!
//! The rule: of each section the first, the least, the greatest and the last point stay, and a point
//! that nobody knows, so whatever stood out still does. No mean is drawn, since nobody measured it.

use rust_decimal::Decimal;

use super::Value;

/// More points than that are more than a page shows.
pub(super) const POINTS_MAX: usize = 600;
const SECTIONS: usize = POINTS_MAX / 5;

/// In the order they came; all of them while they are few.
pub(super) fn thinned(points: &[(Decimal, Value)]) -> Vec<(Decimal, Value)> {
    if points.len() <= POINTS_MAX {
        return points.to_vec();
    }
    let each = points.len().div_ceil(SECTIONS);
    points.chunks(each).flat_map(extremes).collect()
}

fn extremes(section: &[(Decimal, Value)]) -> Vec<(Decimal, Value)> {
    let known = || section.iter().enumerate().filter(|(_, (_, value))| *value != Value::Unknown);
    let kept = [
        Some(0),
        known().min_by_key(|(_, (_, value))| value.low()).map(|(index, _)| index),
        known().max_by_key(|(_, (_, value))| value.high()).map(|(index, _)| index),
        section.iter().position(|(_, value)| *value == Value::Unknown),
        section.len().checked_sub(1),
    ];
    let mut kept: Vec<usize> = kept.into_iter().flatten().collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().filter_map(|index| section.get(index).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_peak_a_single_dip_and_a_single_gap_among_many_points_stay() {
        let mut points: Vec<_> =
            (0..8_760).map(|hour| (Decimal::from(hour), Value::Known(Decimal::TEN))).collect();
        points[1_234].1 = Value::Known(Decimal::ONE_HUNDRED);
        points[4_321].1 = Value::Known(Decimal::ZERO);
        points[7_000].1 = Value::Unknown;
        let kept = thinned(&points);
        assert!(kept.len() <= POINTS_MAX);
        for index in [0, 1_234, 4_321, 7_000, 8_759] {
            assert!(kept.contains(&points[index]), "{index}");
        }
        assert!(kept.is_sorted_by_key(|(x, _)| *x));
    }
}
