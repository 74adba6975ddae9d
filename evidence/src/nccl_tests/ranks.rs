//! How many ranks took part, from the ratio of bus bandwidth to algorithm bandwidth.
//!
//! The ratio follows from the collective: all-reduce 2(n−1)/n, gather and scatter (n−1)/n, broadcast and reduce 1.
//! A ratio that fits no whole number gives no answer.

use super::Row;

const RANKS_MAX: u32 = 4096;

/// Judged by the largest size, where rounding of the printed figures matters least.
pub(super) fn from_ratio(
    rows: &[Row],
    collective: Option<&str>,
    redop: Option<&str>,
) -> Option<u32> {
    let largest = rows.iter().max_by_key(|row| row.size_bytes)?;
    let halves = [Some(&largest.out_of_place), largest.in_place.as_ref()];
    let (algbw, busbw) = halves
        .into_iter()
        .flatten()
        .filter_map(|half| Some((half.algbw_gb_s?, half.busbw_gb_s?)))
        .filter(|(algbw, _)| *algbw > 0.0)
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    let ratio = busbw / algbw;
    let all_reduce = match collective {
        Some(name) if name.starts_with("all_reduce") => true,
        Some(name) if is_gather(name) => false,
        Some(_) => return None,
        // The other collectives that reduce stay below one.
        None if redop.is_some_and(|redop| redop != "none") && ratio > 1.005 => true,
        None if ratio < 0.995 => false,
        None => return None,
    };
    let part = if all_reduce { ratio / 2.0 } else { ratio };
    if !(0.0..1.0).contains(&part) || part < 0.2 {
        return None;
    }
    // Both figures are printed with two decimals.
    let tolerance = 0.012 / algbw + 0.0005;
    let fits = |ranks: &u32| {
        let parts = f64::from(ranks - 1) / f64::from(*ranks);
        (parts - part).abs() <= tolerance
    };
    let mut candidates = (2..=RANKS_MAX).filter(fits);
    let first = candidates.next()?;
    let nearest = std::iter::once(first)
        .chain(candidates.take_while(|ranks| *ranks < 2 * first))
        .min_by(|one, other| distance(*one, part).total_cmp(&distance(*other, part)))?;
    Some(nearest)
}

fn distance(ranks: u32, part: f64) -> f64 {
    (f64::from(ranks - 1) / f64::from(ranks) - part).abs()
}

fn is_gather(name: &str) -> bool {
    ["all_gather", "reduce_scatter", "alltoall"].iter().any(|known| name.starts_with(known))
}
