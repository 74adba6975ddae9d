//! What the driver wrote into the kernel's log.
//!
//! An Xid is a number with a meaning, and most of them say nothing against the card. The classes
//! join NVIDIA's catalogue of Xid errors with the lists of its health validation and of Azure's
//! node health checks; a number in none of them stays open.

use super::{
    check::{Because, CheckName, Outcome},
    sheet::{Rests, Sheet},
};
use crate::{poc::reading::KernelLogReading, text::Name};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Told for information, or a fault that the card has mended itself.
    Harmless,
    /// Usually the program's doing.
    Workload,
    Unknown,
    /// Memory, links, power, or a card that must be reset or fell off the bus.
    Hardware,
}

fn class(xid: u32) -> Class {
    match xid {
        38 | 44 | 63 | 68 | 69 | 80 | 92 | 93 | 94 | 121 | 137 | 154 | 160 => Class::Harmless,
        13 | 31 | 32 | 43 | 45 => Class::Workload,
        46
        | 48
        | 54
        | 62
        | 64
        | 74
        | 79
        | 95
        | 109
        | 110
        | 119
        | 120
        | 140
        | 143..=151
        | 155
        | 156
        | 158 => Class::Hardware,
        _ => Class::Unknown,
    }
}

pub(super) fn check(reading: Option<&KernelLogReading>, sheet: &mut Sheet<'_>) {
    if let Some(lost) = reading.map(|log| &log.lost).filter(|lost| !lost.is_empty()) {
        let words = lost.iter().map(Name::as_str).collect::<Vec<_>>().join("; ");
        let measured = Some(lost.len().to_string());
        sheet.decided(CheckName::DroppedOut, Outcome::Fail, measured, 0).detail(words);
    }
    let xids: Option<Vec<u32>> =
        reading.map(|log| log.errors.iter().map(|error| error.xid).collect());
    driver_errors(xids.as_deref(), sheet);
}

pub(super) fn driver_errors(xids: Option<&[u32]>, sheet: &mut Sheet<'_>) {
    let name = CheckName::DriverErrors;
    let promised = "no hardware error";
    let Some(xids) = xids else {
        sheet.open(name, Because::NoReading, None, promised);
        return;
    };
    let mut distinct = xids.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let named: Vec<_> = distinct.iter().map(|xid| format!("Xid {xid}")).collect();
    let measured = Some(if named.is_empty() { "0".to_owned() } else { named.join(", ") });
    match distinct.iter().map(|xid| class(*xid)).max().unwrap_or(Class::Harmless) {
        Class::Hardware => {
            sheet.decided(name, Outcome::Fail, measured, promised);
        }
        Class::Unknown => {
            sheet.open(name, Because::NotClassified, measured, promised);
        }
        Class::Workload => {
            sheet.open(name, Because::WorkloadSuspected, measured, promised);
        }
        Class::Harmless => {
            sheet.figure(name, measured, promised, Rests::OnWholeRun, |_| true);
        }
    }
}
