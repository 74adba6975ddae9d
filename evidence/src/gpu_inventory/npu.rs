//! The table of `npu-smi info`: two rows for each chip of an Ascend card.
//!
//! A card is the board with its number in the first column; two chips with one number are one card.
//! Memories of its chips add up, the worst health counts; processes are not read.

use super::cell::{number, pci_address};
use super::rounds::Reading;
use super::seen::Seen;
use super::{CardState, Chip};
use crate::document::Warnings;
use crate::text::Line;

#[derive(Default)]
pub(super) struct Npu {
    card: Option<NpuCard>,
    /// The first row of a chip, whose second is awaited.
    first_row: Option<FirstRow>,
    part: Part,
}

/// How far the output has come; the same border stands everywhere, so it ends only the list of processes.
#[derive(Default, PartialEq, Eq)]
enum Part {
    #[default]
    Cards,
    Processes,
    ProcessRows,
    Closed,
}

struct NpuCard {
    index: u32,
    name: String,
    line: u64,
    chips: Vec<Chip>,
}

struct FirstRow {
    index: u32,
    name: String,
    health: String,
    power_w: Option<f64>,
    temperature_c: Option<f64>,
}

/// From the best to the worst; UNKNOWN is a chip that does not exist or did not start.
const HEALTH: [&str; 5] = ["ok", "warning", "alarm", "critical", "unknown"];
const CHIPS_MAX: usize = 64;

impl Npu {
    pub(super) fn line(&mut self, line: Line<'_>, reading: &mut Reading, warnings: &mut Warnings) {
        let text = line.text.trim();
        if text.starts_with('+') {
            if self.part == Part::ProcessRows && text.len() > 2 && text.ends_with('+') {
                self.part = Part::Closed;
            }
            return;
        }
        let Some(inner) = text.strip_prefix('|').and_then(|inner| inner.strip_suffix('|')) else {
            return;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if let Some((_, version)) = text.split_once("Version:") {
            self.end_card(reading, warnings);
            self.part = Part::Cards;
            reading.vendor_is("huawei");
            if let Some(version) = version.split_whitespace().next() {
                reading.driver_is(version);
            }
        } else if text.contains("Process id") {
            self.part = Part::Processes;
        } else if self.part != Part::Cards {
            self.part = Part::ProcessRows;
        } else if let [identity, middle, figures] = cells[..] {
            self.row(identity, middle, figures, line.number, reading, warnings);
        }
    }

    fn row(
        &mut self,
        identity: &str,
        middle: &str,
        figures: &str,
        line: u64,
        reading: &mut Reading,
        warnings: &mut Warnings,
    ) {
        let mut words = identity.split_whitespace();
        let Some(number_of) = words.next().and_then(|word| word.parse::<u32>().ok()) else {
            return;
        };
        let is_health = HEALTH.iter().any(|word| middle.eq_ignore_ascii_case(word));
        if is_health {
            let mut figures = figures.split_whitespace();
            self.first_row = Some(FirstRow {
                index: number_of,
                name: words.collect::<Vec<_>>().join(" "),
                health: middle.to_owned(),
                power_w: figures.next().and_then(number),
                temperature_c: figures.next().and_then(number),
            });
        } else if let Some(first) = self.first_row.take() {
            if self.card.as_ref().is_some_and(|card| card.is_over_before(&first, number_of)) {
                self.end_card(reading, warnings);
            }
            let card = self.card.get_or_insert_with(|| NpuCard {
                index: first.index,
                name: first.name.clone(),
                line,
                chips: Vec::new(),
            });
            if card.chips.len() < CHIPS_MAX {
                card.chips.push(chip(first, number_of, middle, figures));
            }
        }
    }

    fn end_card(&mut self, reading: &mut Reading, warnings: &mut Warnings) {
        let Some(card) = self.card.take() else { return };
        let chips = &card.chips;
        let sum = |of: fn(&Chip) -> Option<f64>| {
            chips.iter().map(of).try_fold(0.0, |sum, part| Some(sum + part?))
        };
        let rank = |health: &str| HEALTH.iter().position(|word| health.eq_ignore_ascii_case(word));
        let health = chips
            .iter()
            .filter_map(|chip| chip.health.as_deref())
            .max_by_key(|health| rank(health));
        let is_unknown = health.is_some_and(|health| health.eq_ignore_ascii_case("unknown"));
        #[expect(clippy::cast_precision_loss, reason = "a card has a few chips")]
        let count = chips.len() as f64;
        let seen = Seen {
            index: Some(card.index),
            name: Some(&card.name).filter(|name| !name.is_empty()).map(String::as_str),
            pci: chips.iter().find_map(|chip| chip.pci.as_deref()),
            health,
            // The second chip of a card has no power reading of its own.
            power_w: chips.iter().filter_map(|chip| chip.power_w).reduce(|sum, part| sum + part),
            temperature_c: chips.iter().filter_map(|chip| chip.temperature_c).reduce(f64::max),
            utilization_pct: sum(|chip| chip.utilization_pct).map(|sum| sum / count),
            memory_used_mib: sum(|chip| chip.memory_used_mib),
            memory_total_mib: sum(|chip| chip.memory_total_mib),
            state: if is_unknown { CardState::Unreadable } else { CardState::Ok },
            chips: card.chips.clone(),
            ..Seen::default()
        };
        reading.see(&seen, card.line, warnings);
    }

    pub(super) fn finish(
        mut self,
        reading: &mut Reading,
        warnings: &mut Warnings,
    ) -> Option<String> {
        let is_open = self.first_row.is_some();
        self.end_card(reading, warnings);
        if is_open {
            return Some("the table is cut within a chip".to_owned());
        }
        (self.part != Part::Closed)
            .then(|| "the list of processes, with which the output ends, is missing".to_owned())
    }
}

impl NpuCard {
    /// Another number, or the same chip again.
    fn is_over_before(&self, first: &FirstRow, chip: u32) -> bool {
        self.index != first.index || self.chips.iter().any(|known| known.index == chip)
    }
}

/// `0  0    0 / 0    3419 / 65536`, `0  59891/ 65536`: the load, then pairs, of which the last is the HBM where there is any.
fn chip(first: FirstRow, index: u32, address: &str, figures: &str) -> Chip {
    let spaced = figures.replace('/', " / ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let pairs = words.iter().enumerate().filter(|(_, word)| **word == "/").filter_map(|(at, _)| {
        Some((number(words.get(at.checked_sub(1)?)?)?, number(words.get(at + 1)?)?))
    });
    let memory = pairs.rev().find(|(_, total)| *total > 0.0);
    Chip {
        index,
        pci: pci_address(address),
        health: Some(first.health),
        power_w: first.power_w,
        temperature_c: first.temperature_c,
        utilization_pct: words.first().copied().and_then(number),
        memory_used_mib: memory.map(|(used, _)| used),
        memory_total_mib: memory.map(|(_, total)| total),
    }
}
