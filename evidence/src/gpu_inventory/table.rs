//! The table that `nvidia-smi` draws for people, one or several.
//!
//! The vendor promises no format, so only what has kept its place is read: identity, memory, power, temperature, load.
//! Names are cut with dots and stay so. Processes are not read.

use super::cell::{number, pci_address, yes};
use super::rounds::Reading;
use super::seen::Seen;
use super::xml::time;
use crate::document::Warnings;
use crate::text::Line;

#[derive(Default)]
pub(super) struct Table {
    /// The card whose second line is awaited, and the number of its first.
    first_row: Option<(String, u64)>,
    /// First and second line of a card whose third may follow.
    two_rows: Option<(String, String, u64)>,
    date: Option<String>,
    /// The beginning of a line that a narrow terminal broke.
    broken: Option<String>,
    /// The list of processes, which ends the table, was begun or closed with its border.
    processes: Processes,
}

#[derive(Default, PartialEq, Eq)]
enum Processes {
    #[default]
    NotBegun,
    Begun,
    Closed,
}

/// `|   0  NVIDIA A40          On   | 00000000:19:00.0 Off |                    0 |`
pub(super) fn is_first_row(line: &str) -> bool {
    let Some([identity, address, _]) = cells(line) else { return false };
    let begins_with_index = identity
        .split_whitespace()
        .next()
        .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    begins_with_index && address.split_whitespace().next().and_then(pci_address).is_some()
}

fn cells(line: &str) -> Option<[&str; 3]> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = inner.split('|');
    let found = [cells.next()?.trim(), cells.next()?.trim(), cells.next()?.trim()];
    cells.next().is_none().then_some(found)
}

/// A line of a card has four strokes, one of a process two.
fn is_broken(text: &str) -> bool {
    let strokes = text.matches('|').count();
    text.starts_with('|') && text.len() > 2 && (!text.ends_with(['|', '+']) || strokes == 3)
}

impl Table {
    pub(super) fn line(&mut self, line: Line<'_>, reading: &mut Reading, warnings: &mut Warnings) {
        let text = line.text.trim();
        if let Some(begun) = self.broken.take() {
            let joined = format!("{begun}{}", line.text.trim_end());
            self.whole_line(&joined, line.number, reading, warnings);
        } else if is_broken(text) {
            self.broken = Some(line.text.trim_end_matches(['\n', '\r']).to_owned());
        } else {
            self.whole_line(text, line.number, reading, warnings);
        }
    }

    fn whole_line(
        &mut self,
        text: &str,
        number: u64,
        reading: &mut Reading,
        warnings: &mut Warnings,
    ) {
        if text.starts_with("+--") || text.starts_with("|--") || text.starts_with("|==") {
            self.end_card(reading, warnings);
            let is_last = text.starts_with("+--") && text.ends_with('+');
            if is_last && self.processes == Processes::Begun {
                self.processes = Processes::Closed;
            }
        } else if text.contains("NVIDIA-SMI") {
            for (label, is_driver) in [
                ("Driver Version:", true),
                ("KMD Version:", true),
                ("CUDA Version:", false),
                ("CUDA UMD Version:", false),
            ] {
                let version =
                    text.split_once(label).and_then(|(_, rest)| rest.split_whitespace().next());
                match version {
                    Some(version) if is_driver => reading.driver_is(version),
                    Some(version) if version != "N/A" && version != "|" => reading.cuda_is(version),
                    Some(_) | None => {}
                }
            }
        } else if is_first_row(text) {
            self.end_card(reading, warnings);
            self.first_row = Some((text.to_owned(), number));
            self.processes = Processes::NotBegun;
        } else if let Some((first, at)) = self.first_row.take() {
            if cells(text).is_some() {
                self.two_rows = Some((first, text.to_owned(), at));
            }
        } else if let Some((first, second, at)) = self.two_rows.take() {
            self.see([&first, &second, text], at, reading, warnings);
        } else if text.starts_with("| Processes:") {
            self.processes = Processes::Begun;
        } else if time(text).is_some() {
            self.date = Some(text.to_owned());
        }
    }

    /// Old tables have two lines for a card, and the border follows.
    fn end_card(&mut self, reading: &mut Reading, warnings: &mut Warnings) {
        if let Some((first, second, at)) = self.two_rows.take() {
            self.see([&first, &second, ""], at, reading, warnings);
        }
    }

    fn see(&mut self, rows: [&str; 3], at: u64, reading: &mut Reading, warnings: &mut Warnings) {
        let (Some(first), Some(second)) = (cells(rows[0]), cells(rows[1])) else { return };
        let mut seen = Seen { at: self.date.as_deref().and_then(time), ..Seen::default() };
        let identity = first[0];
        let (index, rest) = identity.split_once(' ').unwrap_or((identity, ""));
        seen.index = index.parse().ok();
        // The last word is the persistence mode, or the driver model on Windows.
        let name = rest.trim().rsplit_once(' ').map_or(rest.trim(), |(name, _)| name.trim());
        seen.name = seen.value("name", name);
        seen.pci = first[1].split_whitespace().next();
        let errors = if first[2] == "Off" { "N/A" } else { first[2] };
        seen.ecc_uncorrected = seen.value("ecc", errors).and_then(|count| count.parse().ok());
        power_and_heat(&mut seen, second[0]);
        if let Some((used, total)) = second[1].split_once('/') {
            seen.memory_used_mib = seen.value("memory.used", used).and_then(number);
            seen.memory_total_mib = seen.value("memory.total", total).and_then(number);
        }
        let load = second[2].split_whitespace().next().unwrap_or("");
        seen.utilization_pct = seen.value("utilization.gpu", load).and_then(number);
        seen.mig = cells(rows[2]).and_then(|cells| yes(cells[2]));
        reading.see(&seen, at, warnings);
    }

    pub(super) fn finish(
        mut self,
        reading: &mut Reading,
        warnings: &mut Warnings,
    ) -> Option<String> {
        let is_open = self.first_row.is_some() || self.two_rows.is_some() || self.broken.is_some();
        self.end_card(reading, warnings);
        if is_open {
            return Some("the table is cut within a card".to_owned());
        }
        // A border stands between two cards as well, so it is no sign of the end.
        (self.processes != Processes::Closed)
            .then(|| "the list of processes, with which the table ends, is missing".to_owned())
    }
}

/// `N/A   59C    P0            629W /  700W`, `ERR!  ERR! ERR!    ERR! / ERR!`
fn power_and_heat<'a>(seen: &mut Seen<'a>, cell: &'a str) {
    let (left, limit) = cell.rsplit_once('/').unwrap_or((cell, ""));
    // A fan without a reading is written N/A, with a stroke of its own.
    let (left, limit) = if limit.trim() == "A" { (cell, "") } else { (left, limit) };
    let words: Vec<&str> = left.split_whitespace().collect();
    if let [_, heat, ..] = words[..] {
        seen.temperature_c = seen.value("temperature.gpu", heat).and_then(number);
    }
    if let Some(power) = words.get(3) {
        seen.power_w = seen.value("power.draw", power).and_then(number);
    }
    seen.power_limit_w = seen.value("power.limit", limit).and_then(number);
}
