//! Roots of decimals: a month's share of a yearly rate, and a standard deviation.
//!
//! The rule: a Newton step from above comes down to the root and stops where decimals end, so the
//! result has 20 digits and more. It deliberately takes no float on the way.

use rust_decimal::Decimal;

/// Far more than any value within the bounds of our inputs needs.
const STEPS_MAX: u32 = 300;

/// The `degree`-th root of a value that is not negative; of a negative one it is zero.
pub(super) fn root(value: Decimal, degree: u32) -> Decimal {
    if value <= Decimal::ZERO || degree == 0 {
        return Decimal::ZERO;
    }
    let count = Decimal::from(degree);
    // Bernoulli: 1 + (v − 1) / n is never below the root, for values above and below one.
    let mut guess = Decimal::ONE + (value - Decimal::ONE) / count;
    if guess <= Decimal::ZERO {
        guess = Decimal::ONE;
    }
    for _ in 0..STEPS_MAX {
        let Some(next) = step(value, guess, degree) else { break };
        if next >= guess {
            break;
        }
        guess = next;
    }
    guess
}

/// `((n − 1)·x + v / xⁿ⁻¹) / n`; nothing when it leaves the range of decimals.
fn step(value: Decimal, guess: Decimal, degree: u32) -> Option<Decimal> {
    let mut quotient = value;
    for _ in 1..degree {
        quotient = quotient.checked_div(guess)?;
    }
    let before = guess.checked_mul(Decimal::from(degree - 1))?;
    before.checked_add(quotient)?.checked_div(Decimal::from(degree))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_taken_to_its_power_is_the_value_again() {
        for (value, degree) in [("2", 2), ("1.1", 12), ("0.25", 2), ("1", 12), ("90000", 2)] {
            let value: Decimal = value.parse().unwrap();
            let found = root(value, degree);
            let again = (0..degree).fold(Decimal::ONE, |power, _| power * found);
            assert!((again - value).abs() < Decimal::new(1, 18), "{value}: {found}");
        }
        assert_eq!(root(Decimal::ZERO, 2), Decimal::ZERO);
    }
}
