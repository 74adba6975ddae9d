//! The unit of a series, as its help text says: exporters since 4.9 changed eleven of them under new names.
//!
//! Each is brought to one unit of its kind; a unit that is not known stays as it is.
//! Without help the old default units are assumed, and a warning says so.

use crate::Warning;
use crate::document::Warnings;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    AsItIs,
    NotSaid,
    Hertz,
    Joule,
    Percent,
    Bytes,
    BytesPerSecond,
    Nanoseconds,
    Microseconds,
    Seconds,
}

impl Unit {
    /// `GPU utilization (in %).`
    pub(super) fn of_help(help: &str) -> Self {
        let Some((_, rest)) = help.rsplit_once("(in ") else { return Self::NotSaid };
        let Some((unit, _)) = rest.split_once(')') else { return Self::NotSaid };
        match unit.trim() {
            "Hz" => Self::Hertz,
            "J" => Self::Joule,
            "%" => Self::Percent,
            "B" | "bytes" => Self::Bytes,
            "B/s" | "bytes/s" => Self::BytesPerSecond,
            "ns" => Self::Nanoseconds,
            "us" | "µs" => Self::Microseconds,
            "s" => Self::Seconds,
            _ => Self::AsItIs,
        }
    }

    pub(super) fn of(name: &str, help: Option<Self>, line: u64, warnings: &mut Warnings) -> Self {
        // DCGM counts these in nanoseconds, whatever the help text of the exporter says.
        if name.ends_with("_VIOLATION") {
            if !matches!(help, None | Some(Self::NotSaid | Self::Nanoseconds)) {
                let said = format!("{name} is counted in ns, its help text says otherwise");
                warnings.once(Warning::at("unit_disagrees", line, said));
            }
            return Self::Nanoseconds;
        }
        match help {
            Some(unit) if unit != Self::NotSaid => unit,
            Some(_) | None => {
                let is_percent = name.ends_with("_UTIL") && name.starts_with("DCGM_FI_DEV_");
                if is_percent {
                    let said = format!("{name} has no unit; percent is assumed");
                    warnings.push(Warning::at("unit_assumed", line, said));
                }
                if is_percent { Self::Percent } else { Self::AsItIs }
            }
        }
    }

    pub(super) fn normal(self, value: f64) -> f64 {
        match self {
            Self::AsItIs | Self::NotSaid => value,
            Self::Hertz | Self::Nanoseconds | Self::BytesPerSecond => value / 1e6,
            Self::Joule | Self::Seconds => value * 1e3,
            Self::Percent => value / 100.0,
            Self::Bytes => value / 1_048_576.0,
            Self::Microseconds => value / 1e3,
        }
    }
}
