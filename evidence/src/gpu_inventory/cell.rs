//! One cell of nvidia-smi: a value, or one of four ways of having none.
//!
//! The five are never mixed up, and none of the four becomes zero.
//! Units are stripped, not converted: the columns that are read have one unit each.

use super::NoReading;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell<'a> {
    Value(&'a str),
    None(NoReading),
}

const NO_VALUES: [(&str, NoReading); 11] = [
    ("", NoReading::NotApplicable),
    ("n/a", NoReading::NotApplicable),
    ("na", NoReading::NotApplicable),
    ("-", NoReading::NotApplicable),
    ("not supported", NoReading::NotApplicable),
    ("requested functionality has been deprecated", NoReading::NotApplicable),
    ("unknown error", NoReading::Unreadable),
    ("err!", NoReading::Unreadable),
    ("unknown", NoReading::Unreadable),
    ("insufficient permissions", NoReading::NoPermission),
    ("gpu is lost", NoReading::Gone),
];

impl<'a> Cell<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let text = text.trim();
        // Most cells are numbers, and none of the other words begins with a digit.
        if text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            return Self::Value(text);
        }
        let bare = without_brackets(text);
        if Self::asks_for_reset(bare) {
            return Self::None(NoReading::Gone);
        }
        match NO_VALUES.iter().find(|(word, _)| bare.eq_ignore_ascii_case(word)) {
            Some((_, reason)) => Self::None(*reason),
            None => Self::Value(text),
        }
    }

    pub(super) fn asks_for_reset(text: &str) -> bool {
        without_brackets(text).eq_ignore_ascii_case("gpu requires reset")
    }
}

fn without_brackets(text: &str) -> &str {
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text)
}

/// The number before a unit: `81559 MiB`, `100 %`, `700.00 W`, `59C`, `16x`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+');
    let end = text.bytes().take_while(|byte| is_part(byte)).count();
    let text = &text[..end];
    // Whole numbers are most of a long log, and need no parser for floats.
    if (1..=9).contains(&end)
        && let Ok(whole) = text.parse::<u32>()
    {
        return Some(f64::from(whole));
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Also in hexadecimal, as masks are.
pub(super) fn whole(text: &str) -> Option<u64> {
    let first = text.trim_ascii_start();
    let end = first.bytes().position(|byte| byte == b' ').unwrap_or(first.len());
    let first = &first[..end];
    match first.strip_prefix("0x").or_else(|| first.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => first.strip_suffix('x').unwrap_or(first).parse().ok(),
    }
}

pub(super) fn small(text: &str) -> Option<u32> {
    whole(text).and_then(|number| u32::try_from(number).ok())
}

pub(super) fn yes(text: &str) -> Option<bool> {
    const YES: [&str; 3] = ["yes", "enabled", "active"];
    const NO: [&str; 3] = ["no", "disabled", "not active"];
    let is = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(YES) {
        return Some(true);
    }
    if is(NO) {
        return Some(false);
    }
    text.parse::<u64>().ok().map(|count| count > 0)
}

/// `00000000:0B:00.0` and `0000:0b:00.0` are the same address; the second is what is kept.
pub(super) fn pci_address(text: &str) -> Option<String> {
    let (domain, bus, device, function) = pci_parts(text)?;
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}.{function}"))
}

/// Domain, bus and device of an address with or without its function: `0000:0b:00`.
pub(crate) fn pci_device(text: &str) -> Option<String> {
    let (domain, bus, device, _) = pci_parts(text.trim_end_matches([':', '.']))?;
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}"))
}

fn pci_parts(text: &str) -> Option<(u32, u8, u8, u8)> {
    let text = text.trim();
    let (domain, rest) = text.split_once(':')?;
    let (bus, rest) = rest.split_once(':')?;
    let (device, function) = rest.split_once('.').unwrap_or((rest, "0"));
    let domain_long_enough = (4..=8).contains(&domain.len());
    if !domain_long_enough || bus.len() != 2 || device.len() != 2 || function.len() != 1 {
        return None;
    }
    Some((
        u32::from_str_radix(domain, 16).ok()?,
        u8::from_str_radix(bus, 16).ok()?,
        u8::from_str_radix(device, 16).ok()?,
        u8::from_str_radix(function, 16).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::{Cell, NoReading, number, pci_address, pci_device, whole};

    #[test]
    fn the_five_values_are_kept_apart() {
        assert_eq!(Cell::parse(" 81559 MiB"), Cell::Value("81559 MiB"));
        for (text, reason) in [
            ("[N/A]", NoReading::NotApplicable),
            ("N/A", NoReading::NotApplicable),
            ("[Not Supported]", NoReading::NotApplicable),
            ("[Requested functionality has been deprecated]", NoReading::NotApplicable),
            ("[Unknown Error]", NoReading::Unreadable),
            ("ERR!", NoReading::Unreadable),
            ("[Insufficient Permissions]", NoReading::NoPermission),
            ("[GPU is lost]", NoReading::Gone),
            ("[GPU requires reset]", NoReading::Gone),
        ] {
            assert_eq!(Cell::parse(text), Cell::None(reason), "{text}");
        }
    }

    #[test]
    fn units_are_stripped() {
        assert_eq!(
            (number("700.00 W"), number("59C"), number("ERR!")),
            (Some(700.0), Some(59.0), None)
        );
        assert_eq!((whole("0x0000000000000024"), whole("16x")), (Some(0x24), Some(16)));
    }

    #[test]
    fn addresses_of_any_spelling_agree() {
        assert_eq!(pci_address("00000000:0B:00.0"), pci_address("0000:0b:00.0"));
        assert_eq!(pci_device("0000:0B:00.0:").as_deref(), Some("0000:0b:00"));
        assert_eq!(pci_address("2026-01-01 00:00:00"), None);
        assert_eq!(pci_address("12:34:56.789"), None);
    }
}
