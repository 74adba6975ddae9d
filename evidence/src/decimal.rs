//! Exact decimals as bills and quotes write them.
//!
//! No binary floating point touches money; E notation and thousands separators are understood.
//! Currency signs and percent signs are not: they belong to the caller's field.

use rust_decimal::Decimal;

/// As [`parse`] for a cell of a large table: the plain form that most cells have is read digit by digit.
pub(crate) fn parse_bytes(cell: &[u8]) -> Option<Decimal> {
    plain(cell).or_else(|| parse(std::str::from_utf8(cell).ok()?))
}

/// At most eighteen digits with one point, and a minus in front.
fn plain(cell: &[u8]) -> Option<Decimal> {
    let (is_negative, digits) = match cell {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let mut number = 0i64;
    let mut seen = 0u32;
    let mut point = None;
    for byte in digits {
        match byte {
            b'0'..=b'9' if seen < 18 => {
                number = number * 10 + i64::from(byte - b'0');
                seen += 1;
            }
            b'.' if point.is_none() && seen > 0 => point = Some(seen),
            _ => return None,
        }
    }
    let scale = point.map_or(0, |point| seen - point);
    (point != Some(seen)).then(|| Decimal::new(if is_negative { -number } else { number }, scale))
}

/// `None` when the text is no number or does not fit 28 digits.
pub(crate) fn parse(text: &str) -> Option<Decimal> {
    let text = text.trim();
    if text.is_empty() || text.len() > 64 {
        return None;
    }
    if let Some(at) = text.find(['e', 'E']) {
        let exponent: i32 = text[at + 1..].parse().ok()?;
        if exponent.abs() > 28 {
            return None;
        }
        return Decimal::from_scientific(text).ok().or_else(|| rounded(&text[..at], exponent));
    }
    if text.contains(',') {
        return Decimal::from_str_exact(&without_thousands(text)?).ok();
    }
    let starts_like_a_number =
        text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'));
    if !starts_like_a_number || text.contains('_') {
        return None;
    }
    // Places beyond the twenty-eighth are rounded: no invoice has them, but exports of fractions of a cent do.
    Decimal::from_str_exact(text).ok().or_else(|| text.parse().ok())
}

/// A tiny number whose last digits lie beyond the twenty-eighth place.
fn rounded(mantissa: &str, exponent: i32) -> Option<Decimal> {
    let places = u32::try_from(-exponent).ok()?;
    let mut number: Decimal = mantissa.parse().ok()?;
    let shift = Decimal::from_i128_with_scale(1, places);
    number = number.checked_mul(shift)?;
    Some(number)
}

/// `1,234,567.50` is a number, `1,5` and `1,23,4` are not.
fn without_thousands(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let well_formed = (1..=3).contains(&first.len())
        && groups.all(|group| group.len() == 3)
        && !fraction.contains(',')
        && digits.chars().all(|digit| digit.is_ascii_digit() || digit == ',');
    well_formed.then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_bytes};

    fn shown(text: &str) -> Option<String> {
        parse(text).map(|decimal| decimal.normalize().to_string())
    }

    #[test]
    fn exact_decimals_and_e_notation_are_read() {
        assert_eq!(shown("951.6568199999999").as_deref(), Some("951.6568199999999"));
        assert_eq!(shown("35.2E-7").as_deref(), Some("0.00000352"));
        assert_eq!(shown("-1,234.50").as_deref(), Some("-1234.5"));
    }

    #[test]
    fn the_fast_path_reads_what_the_other_does() {
        for text in
            ["0", "-12.50", "0.00000080000", "999999999999999999", "1234567890.123456789", "-0.5"]
        {
            assert_eq!(parse_bytes(text.as_bytes()), parse(text), "{text}");
        }
        for text in
            ["", "-", ".", "1.", ".5", "1.2.3", "+1", "1e2", "12 3", "1234567890.1234567891"]
        {
            assert_eq!(parse_bytes(text.as_bytes()), parse(text), "{text}");
        }
    }

    #[test]
    fn places_beyond_the_last_are_rounded() {
        assert_eq!(
            shown("0.00000000000000000000000000016").as_deref(),
            Some("0.0000000000000000000000000002")
        );
        assert_eq!(shown("1.5e-28").as_deref(), Some("0.0000000000000000000000000002"));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "1,5", "12,34", "abc", "1e999", "1e", "NaN", "$3", "--1", "1_0"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
