//! Numbers in running text: `70B`, `8-16`, `4～8 张`, `约 500 ms`, `8,192`.
//!
//! A number glued to a letter before it is part of a name (`A100`, `FP8`) and no quantity.
//! Units are compared, never guessed: a number with another unit is another quantity.

use crate::Estimate;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity<'a> {
    pub(super) low: f64,
    pub(super) high: Option<f64>,
    pub(super) is_approximate: bool,
    /// What follows the number, where the unit is.
    rest: &'a str,
    /// A unit of the lower end's own, as in `500 ms - 2 s`.
    low_unit: &'a str,
}

const APPROXIMATE_BEFORE: [&str; 9] =
    ["约", "大概", "近", "左右", "about", "around", "approx", "approx.", "roughly"];
const APPROXIMATE_AFTER: [&str; 5] = ["左右", "上下", "以上", "or more", "or so"];
const RANGE_SIGNS: [&str; 6] = ["-", "~", "至", "到", "to ", ".."];
const UNIT_BYTES_MAX: usize = 24;

pub(super) fn all(text: &str) -> Vec<Quantity<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let in_a_name = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'.');
        let (low, end) = number(text, at);
        let low_end = end;
        let (high, end) =
            second_number(text, end).map_or((None, end), |(high, end)| (Some(high), end));
        if let Some(low) = low.filter(|_| !in_a_name) {
            found.push(Quantity {
                low,
                high,
                is_approximate: is_approximate(&text[..at], &text[end..]),
                rest: text[end..].trim_start(),
                low_unit: if high.is_some() { text[low_end..end].trim_start() } else { "" },
            });
        }
        at = end.max(at + 1);
    }
    found
}

/// The number from here, and where it ends.
fn number(text: &str, from: usize) -> (Option<f64>, usize) {
    let bytes = text.as_bytes();
    let mut end = from;
    while end < bytes.len() {
        let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match bytes[end] {
            b'0'..=b'9' => {}
            b'.' | b',' if next_is_digit => {}
            _ => break,
        }
        end += 1;
    }
    let digits = text[from..end].replace(',', "");
    (digits.parse().ok().filter(|number: &f64| *number < 1e15), end)
}

/// `-16` after `8`, `～8` after `4 张`: a range sign, with at most a unit before it.
fn second_number(text: &str, end: usize) -> Option<(f64, usize)> {
    let after = &text[end..];
    let unit: usize = after
        .char_indices()
        .take_while(|(_, character)| {
            character.is_alphabetic() && !matches!(character, '至' | '到') || *character == '%'
        })
        .map(|(_, character)| character.len_utf8())
        .sum();
    for skipped in [0, unit] {
        if skipped > UNIT_BYTES_MAX {
            continue;
        }
        let rest = after[skipped..].trim_start();
        for sign in RANGE_SIGNS {
            let Some(second) = rest.strip_prefix(sign).map(str::trim_start) else { continue };
            if second.starts_with(|first: char| first.is_ascii_digit()) {
                let from = text.len() - second.len();
                let (high, end) = number(text, from);
                return high.map(|high| (high, end));
            }
        }
    }
    None
}

fn is_approximate(before: &str, after: &str) -> bool {
    let before = before.trim_end().to_lowercase();
    let after: String = after.chars().take(12).collect();
    APPROXIMATE_BEFORE.iter().any(|word| before.ends_with(word))
        || before.ends_with('~')
        || APPROXIMATE_AFTER.iter().any(|word| after.contains(word))
}

impl Quantity<'_> {
    /// The factor of its unit; the units are tried in the order given, so longer ones come first.
    pub(super) fn factor(&self, units: &[(&str, f64)]) -> Option<f64> {
        let rest = self.rest.to_ascii_lowercase();
        units.iter().find(|(unit, _)| starts_with_unit(&rest, unit)).map(|(_, factor)| *factor)
    }

    pub(super) fn times(&self, factor: f64) -> Estimate<f64> {
        self.between(factor, factor)
    }

    /// In the unit that the units are factors of: each end has its own unit, or the lower end that of the upper.
    pub(super) fn in_units(&self, units: &[(&str, f64)]) -> Option<Estimate<f64>> {
        let factor = self.factor(units)?;
        let lower = self.low_unit.to_ascii_lowercase();
        let own = units.iter().find(|(unit, _)| !unit.is_empty() && starts_with_unit(&lower, unit));
        Some(self.between(own.map_or(factor, |(_, own)| *own), factor))
    }

    fn between(&self, low_factor: f64, high_factor: f64) -> Estimate<f64> {
        let low = self.low * low_factor;
        match self.high.map(|high| high * high_factor) {
            None => Estimate::known(self.low * high_factor),
            Some(high) if high < low => Estimate::range(high, low),
            Some(high) => Estimate::range(low, high),
        }
    }
}

/// `b` is not the unit of `5 bytes`, and the empty unit fits only where no letters follow.
fn starts_with_unit(rest: &str, unit: &str) -> bool {
    let ends_in_letter = unit.ends_with(|last: char| last.is_ascii_alphabetic()) || unit.is_empty();
    rest.strip_prefix(unit).is_some_and(|after| {
        let next = after.chars().next();
        !(ends_in_letter && next.is_some_and(|next| next.is_ascii_alphabetic() || next == '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::all;

    fn plain(text: &str) -> Vec<(f64, Option<f64>, bool)> {
        all(text).iter().map(|one| (one.low, one.high, one.is_approximate)).collect()
    }

    #[test]
    fn ranges_of_every_spelling_are_one_quantity() {
        for text in ["8-16", "8 ~ 16 张", "8张~16张", "8至16", "8 to 16 cards", "8ms-16ms"] {
            assert_eq!(plain(text), [(8.0, Some(16.0), false)], "{text}");
        }
    }

    #[test]
    fn approximate_numbers_say_so() {
        assert_eq!(plain("约70B"), [(70.0, None, true)]);
        assert_eq!(plain("8 张左右"), [(8.0, None, true)]);
    }

    #[test]
    fn digits_of_a_name_are_no_quantity() {
        assert_eq!(plain("A100 80GB FP8"), [(80.0, None, false)]);
        assert_eq!(plain("上下文 8,192"), [(8192.0, None, false)]);
    }
}
