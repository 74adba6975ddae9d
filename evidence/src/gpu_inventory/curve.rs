//! A curve of fixed size over a log of any length.
//!
//! Every so manieth point is kept; when there is no more room, every second one goes and twice as
//! many are passed over from then on. So the points stay evenly spaced and the memory bounded.

use serde::{Deserialize, Serialize};

const POINTS_MAX: usize = 64;

/// Points evenly spaced over all rows; none for a single look, which is no curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<f64>", into = "Vec<f64>")]
pub struct Curve {
    points: Vec<f64>,
    seen: u64,
    stride: u64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), seen: 0, stride: 1 }
    }
}

impl Curve {
    pub(super) fn push(&mut self, point: f64) {
        if self.seen.is_multiple_of(self.stride) {
            if self.points.len() == POINTS_MAX {
                let mut number = 0_usize;
                self.points.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.stride *= 2;
            }
            if self.seen.is_multiple_of(self.stride) {
                self.points.push(point);
            }
        }
        self.seen += 1;
    }

    pub fn points(&self) -> &[f64] {
        if self.points.len() > 1 { &self.points } else { &[] }
    }
}

impl From<Vec<f64>> for Curve {
    fn from(points: Vec<f64>) -> Self {
        let mut curve = Self::default();
        points.into_iter().for_each(|point| curve.push(point));
        curve
    }
}

impl From<Curve> for Vec<f64> {
    fn from(curve: Curve) -> Self {
        curve.points().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stay_evenly_spaced_whatever_the_length() {
        for length in [2_u32, 63, 64, 65, 1_000, 100_000] {
            let mut curve = Curve::default();
            (0..length).for_each(|number| curve.push(f64::from(number)));
            let points = curve.points();
            assert!(points.len() <= POINTS_MAX && points.len() >= 2, "{length}: {points:?}");
            let step = points[1] - points[0];
            assert!(points.windows(2).all(|pair| pair[1] - pair[0] == step), "{length}");
            assert!(f64::from(length) - points[points.len() - 1] <= step, "{length}: {points:?}");
        }
    }
}
