//! One cell of nvidia-smi: a number, or one of four ways of having none.
//!
//! The five are never mixed up, and none of the four becomes zero.
//! Units are stripped, not converted: the columns that are read have one unit each.

use super::NoReading;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell<'a> {
    Value(&'a str),
    None(NoReading),
}

impl<'a> Cell<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let bare =
            text.trim_matches(|bracket| bracket == '[' || bracket == ']').to_ascii_lowercase();
        let reason = match bare.as_str() {
            ""
            | "n/a"
            | "-"
            | "not supported"
            | "none"
            | "requested functionality has been deprecated" => NoReading::NotApplicable,
            "unknown error" | "err!" | "unknown" => NoReading::Unreadable,
            "insufficient permissions" => NoReading::NoPermission,
            "gpu is lost" | "gpu requires reset" => NoReading::Gone,
            _ => return Self::Value(text),
        };
        Self::None(reason)
    }

    pub(super) fn asks_for_reset(text: &str) -> bool {
        text.to_ascii_lowercase().contains("requires reset")
    }

    /// The number before a unit: `81559 MiB`, `100 %`, `700.00 W`.
    pub(super) fn number(text: &str) -> Option<f64> {
        let first = text.split_whitespace().next()?;
        first.parse().ok().filter(|number: &f64| number.is_finite())
    }

    pub(super) fn whole(text: &str) -> Option<u64> {
        let first = text.split_whitespace().next()?;
        match first.strip_prefix("0x").or_else(|| first.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => first.parse().ok(),
        }
    }

    pub(super) fn yes(text: &str) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "yes" | "enabled" | "active" | "1" => Some(true),
            "no" | "disabled" | "not active" | "0" => Some(false),
            other => other.parse::<u64>().ok().map(|count| count > 0),
        }
    }
}

/// `00000000:0B:00.0` and `0000:0b:00.0` are the same address; the second is what is kept.
pub(super) fn pci_address(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let (domain, rest) = text.split_once(':')?;
    let (bus, rest) = rest.split_once(':')?;
    let (device, function) = rest.split_once('.').unwrap_or((rest, "0"));
    let domain_long_enough = (4..=8).contains(&domain.len());
    if !domain_long_enough || bus.len() != 2 || device.len() != 2 || function.len() != 1 {
        return None;
    }
    let domain = u32::from_str_radix(domain, 16).ok()?;
    let bus = u8::from_str_radix(bus, 16).ok()?;
    let device = u8::from_str_radix(device, 16).ok()?;
    let function = u8::from_str_radix(function, 16).ok()?;
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}.{function}"))
}

#[cfg(test)]
mod tests {
    use super::{Cell, NoReading, pci_address};

    #[test]
    fn the_five_values_are_kept_apart() {
        assert_eq!(Cell::parse(" 81559 MiB"), Cell::Value("81559 MiB"));
        assert_eq!(Cell::parse("[N/A]"), Cell::None(NoReading::NotApplicable));
        assert_eq!(Cell::parse("[Unknown Error]"), Cell::None(NoReading::Unreadable));
        assert_eq!(Cell::parse("[Insufficient Permissions]"), Cell::None(NoReading::NoPermission));
        assert_eq!(Cell::parse("[GPU is lost]"), Cell::None(NoReading::Gone));
    }

    #[test]
    fn addresses_of_any_spelling_agree() {
        assert_eq!(pci_address("00000000:0B:00.0"), pci_address("0000:0b:00.0"));
        assert_eq!(pci_address("2026-01-01 00:00:00"), None);
        assert_eq!(pci_address("12:34:56.789"), None);
    }
}
