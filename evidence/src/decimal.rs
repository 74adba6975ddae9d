//! Exact decimals as bills and quotes write them.
//!
//! No binary floating point touches money; E notation and thousands separators are understood.
//! Currency signs and percent signs are not: they belong to the caller's field.

use rust_decimal::Decimal;

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
        return Decimal::from_scientific(text).ok();
    }
    if text.contains(',') {
        return Decimal::from_str_exact(&without_thousands(text)?).ok();
    }
    let starts_like_a_number =
        text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'));
    if !starts_like_a_number || text.contains('_') {
        return None;
    }
    Decimal::from_str_exact(text).ok()
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
    use super::parse;

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
    fn what_is_no_number_is_none() {
        for text in ["", "1,5", "12,34", "abc", "1e999", "1e", "NaN", "$3", "--1", "1_0"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
