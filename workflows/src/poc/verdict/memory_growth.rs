//! Whether memory grows while the machine runs.
//!
//! Serving software takes its memory at the start, so growth counts only after a warm-up, and as the
//! median of all slopes between two points (Theil–Sen): one burst does not make a trend.

use rust_decimal::Decimal;

use super::{
    check::{Because, CheckName},
    sheet::{Rests, Sheet},
};
use crate::poc::{promise::Promise, reading::CardsReading};

/// Of the points of the run, the first fifth is warm-up.
const WARM_UP_ONE_IN: usize = 5;

/// Fewer points after the warm-up show no trend.
const POINTS_MIN: usize = 8;

pub(super) fn check(promise: &Promise, reading: Option<&CardsReading>, sheet: &mut Sheet<'_>) {
    let Some(most) = promise.memory_growth_mib_max else { return };
    let promised = format!("≤ {most} MiB");
    let curve = reading.map(|cards| cards.memory_curve_mib.as_slice()).unwrap_or_default();
    let measured = match after_warm_up(curve) {
        // A reader of before knew the first and the last point only.
        None if curve.is_empty() => reading.and_then(|cards| cards.memory_growth_mib),
        None => {
            let points = Some(format!("{} points", curve.len()));
            sheet.open(CheckName::MemoryGrowth, Because::TooFewSamples, points, promised);
            return;
        }
        Some(settled) => Some(growth(settled)),
    };
    sheet.figure(CheckName::MemoryGrowth, measured, promised, Rests::OnWholeRun, |growth| {
        *growth <= most
    });
}

fn after_warm_up(curve: &[Decimal]) -> Option<&[Decimal]> {
    let settled = &curve[curve.len().div_ceil(WARM_UP_ONE_IN)..];
    (settled.len() >= POINTS_MIN).then_some(settled)
}

/// What the trend adds from the first to the last point, in MiB; nothing when it falls.
fn growth(settled: &[Decimal]) -> Decimal {
    let mut slopes = Vec::with_capacity(settled.len() * (settled.len() - 1) / 2);
    for (from, low) in settled.iter().enumerate() {
        for (to, high) in settled.iter().enumerate().skip(from + 1) {
            slopes.push((high - low) / Decimal::from(to - from));
        }
    }
    slopes.sort_unstable();
    let median = slopes.get(slopes.len() / 2).copied().unwrap_or_default();
    (median * Decimal::from(settled.len() - 1)).max(Decimal::ZERO).round_dp(1).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: impl IntoIterator<Item = i64>) -> Vec<Decimal> {
        points.into_iter().map(Decimal::from).collect()
    }

    #[test]
    fn a_burst_is_no_trend_and_a_leak_is() {
        let mut flat = curve([60_000; 16]);
        flat[9] = Decimal::from(64_000);
        assert_eq!(growth(after_warm_up(&flat).unwrap()), Decimal::ZERO);
        let leak = curve((0..20).map(|minute| 60_000 + 50 * minute));
        // Four points of warm-up leave sixteen, so fifteen steps.
        assert_eq!(growth(after_warm_up(&leak).unwrap()), Decimal::from(750));
    }

    #[test]
    fn loading_the_model_is_warm_up() {
        let loaded = [0, 20_000, 40_000, 60_000].into_iter().chain([60_000; 16]);
        assert_eq!(growth(after_warm_up(&curve(loaded)).unwrap()), Decimal::ZERO);
    }

    #[test]
    fn few_points_show_nothing() {
        assert!(after_warm_up(&curve([1; 9])).is_none());
        assert!(after_warm_up(&curve([1; 10])).is_some());
        assert!(after_warm_up(&[]).is_none());
    }
}
