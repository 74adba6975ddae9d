//! The XML of `nvidia-smi -q -x`, once or in a loop, of every version: elements are found by name, not by dtd number.
//!
//! Only direct children of a card count, because slices have memory and errors of their own.
//! A document is whole with its closing tag; nothing in it is expanded or fetched.

use super::card::THROTTLE_BITS;
use super::cell::{Cell, number, small, yes};
use super::rounds::Reading;
use super::seen::Seen;
use crate::document::Warnings;
use crate::{Moment, Warning};
use chrono::NaiveDateTime;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

const DEPTH_MAX: usize = 64;
const VALUES_MAX: usize = 10_000;
const ROOT: &str = "nvidia_smi_log";

#[derive(Default)]
struct Document {
    path: Vec<String>,
    text: String,
    at: Option<Moment>,
    cards: u32,
    /// Of the present card, by the path below it.
    values: HashMap<String, String>,
    is_open: bool,
}

/// Says why the file is not whole, if it is not.
pub(super) fn read(
    content: &str,
    reading: &mut Reading,
    warnings: &mut Warnings,
) -> Option<String> {
    let start = content.find("<nvidia_smi_log").unwrap_or(0);
    let mut reader = Reader::from_str(&content[start..]);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    let mut document = Document::default();
    let mut line = LineNumber { number: 1, at: 0 };
    loop {
        let event = reader.read_event();
        line.advance(content, start, reader.buffer_position());
        match event {
            Ok(Event::Start(element)) => {
                document.open(&element);
                if document.path.len() > DEPTH_MAX {
                    return Some("the elements are nested too deep".to_owned());
                }
            }
            Ok(Event::Text(text)) => {
                document.text.push_str(&text);
            }
            Ok(Event::End(element)) => {
                let name = element.name();
                document.close(name.as_ref(), line.number, reading, warnings);
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                warnings.push(Warning::at("bad_xml", line.number, error.to_string()));
                break;
            }
        }
    }
    document.is_open.then(|| format!("the closing tag of {ROOT} is missing"))
}

/// Counted forward, because counting anew for each element would take the square of the length.
struct LineNumber {
    number: u64,
    at: usize,
}

impl LineNumber {
    fn advance(&mut self, content: &str, start: usize, position: u64) {
        let end = usize::try_from(position).unwrap_or(usize::MAX).saturating_add(start);
        let end = end.clamp(self.at, content.len());
        let passed = &content.as_bytes()[self.at..end];
        self.number += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = end;
    }
}

impl Document {
    fn open(&mut self, element: &BytesStart<'_>) {
        let name = element.name().as_ref().to_owned();
        if name == ROOT {
            self.path.clear();
            self.at = None;
            self.cards = 0;
            self.is_open = true;
        }
        self.path.push(name);
        self.text.clear();
        if self.path.len() == 2 && self.path[1] == "gpu" {
            self.values.clear();
            let id = element.attributes().flatten().find(|known| known.key.as_ref() == "id");
            if let Some(id) = id {
                self.values.insert("id".to_owned(), id.value.into_owned());
            }
        }
    }

    fn close(&mut self, name: &str, line: u64, reading: &mut Reading, warnings: &mut Warnings) {
        // Some writers leave tags open; what is closed now ends everything inside it.
        let Some(depth) = self.path.iter().rposition(|open| open == name) else { return };
        self.path.truncate(depth + 1);
        let text = self.text.trim();
        if depth == 1 {
            match name {
                "timestamp" => self.at = time(text),
                "driver_version" | "kmd_version" => reading.driver_is(text),
                "cuda_version" | "cuda_umd_version" => reading.cuda_is(text),
                "attached_gpus" => reading.attached_is(small(text)),
                "gpu" => {
                    self.card(line, reading, warnings);
                    self.cards += 1;
                }
                _ => {}
            }
        } else if depth > 1 && self.path[1] == "gpu" && self.values.len() < VALUES_MAX {
            let path = self.path[2..].join("/");
            // Of elements that repeat, such as processes, the first is enough.
            let text = text.to_owned();
            self.values.entry(path).or_insert(text);
        } else if depth == 0 && name == ROOT {
            self.is_open = false;
        }
        self.path.truncate(depth);
        self.text.clear();
    }

    fn card(&self, line: u64, reading: &mut Reading, warnings: &mut Warnings) {
        let values = Values { values: &self.values };
        let mut seen = Seen { at: self.at, ..Seen::default() };
        seen.pci = values.plain(&["id", "pci/pci_bus_id"]);
        seen.uuid = values.plain(&["uuid"]);
        seen.name = values.read(&mut seen, "name", &["product_name"]);
        seen.memory_total_mib =
            values.read(&mut seen, "memory.total", &["fb_memory_usage/total"]).and_then(number);
        seen.memory_used_mib =
            values.read(&mut seen, "memory.used", &["fb_memory_usage/used"]).and_then(number);
        seen.power_w = values.read(&mut seen, "power.draw", &POWER).and_then(number);
        seen.power_limit_w = values.read(&mut seen, "power.limit", &POWER_LIMIT).and_then(number);
        seen.power_default_limit_w =
            values.read(&mut seen, "power.default_limit", &POWER_DEFAULT).and_then(number);
        seen.temperature_c =
            values.read(&mut seen, "temperature.gpu", &["temperature/gpu_temp"]).and_then(number);
        seen.utilization_pct =
            values.read(&mut seen, "utilization.gpu", &["utilization/gpu_util"]).and_then(number);
        seen.sm_clock_mhz =
            values.read(&mut seen, "clocks.sm", &["clocks/sm_clock"]).and_then(number);
        seen.pcie_gen = values.read(&mut seen, "pcie.link.gen.current", &PCIE_GEN).and_then(small);
        seen.pcie_gen_max =
            values.read(&mut seen, "pcie.link.gen.max", &PCIE_GEN_MAX).and_then(small);
        seen.pcie_width =
            values.read(&mut seen, "pcie.link.width.current", &PCIE_WIDTH).and_then(small);
        seen.pcie_width_max =
            values.read(&mut seen, "pcie.link.width.max", &PCIE_WIDTH_MAX).and_then(small);
        seen.mig =
            values.read(&mut seen, "mig.mode.current", &["mig_mode/current_mig"]).and_then(yes);
        let pending = ["remapped_rows/remapped_row_pending"];
        seen.remap_pending =
            values.read(&mut seen, "remapped_rows.pending", &pending).and_then(yes);
        let failure = ["remapped_rows/remapped_row_failure"];
        seen.remap_failure =
            values.read(&mut seen, "remapped_rows.failure", &failure).and_then(yes);
        seen.recovery_action = values
            .plain(&["gpu_recovery_action", "recovery_action"])
            .filter(|action| *action != "None" && *action != "N/A");
        seen.throttle_mask = values.throttle_mask();
        seen.ecc_uncorrected = values.uncorrected();
        reading.see(&seen, line, warnings);
    }
}

const POWER: [&str; 5] = [
    "gpu_power_readings/power_draw",
    "gpu_power_readings/instant_power_draw",
    "gpu_power_readings/average_power_draw",
    "power_readings/power_draw",
    "power_readings/instant_power_draw",
];
const POWER_LIMIT: [&str; 4] = [
    "gpu_power_readings/current_power_limit",
    "gpu_power_readings/power_limit",
    "power_readings/power_limit",
    "power_readings/enforced_power_limit",
];
const POWER_DEFAULT: [&str; 2] =
    ["gpu_power_readings/default_power_limit", "power_readings/default_power_limit"];
const PCIE_GEN: [&str; 2] = [
    "pci/pci_gpu_link_info/pcie_gen/current_link_gen",
    "pci/pci_gpu_link_info/pcie_gen/device_current_link_gen",
];
const PCIE_GEN_MAX: [&str; 2] = [
    "pci/pci_gpu_link_info/pcie_gen/max_link_gen",
    "pci/pci_gpu_link_info/pcie_gen/max_device_link_gen",
];
const PCIE_WIDTH: [&str; 1] = ["pci/pci_gpu_link_info/link_widths/current_link_width"];
const PCIE_WIDTH_MAX: [&str; 1] = ["pci/pci_gpu_link_info/link_widths/max_link_width"];
/// Versions split these counts differently, and never in two ways at once.
const UNCORRECTED: [&str; 6] = [
    "ecc_errors/volatile/double_bit/total",
    "ecc_errors/volatile/sram_uncorrectable",
    "ecc_errors/volatile/sram_uncorrectable_parity",
    "ecc_errors/volatile/sram_uncorrectable_secded",
    "ecc_errors/volatile/dram_uncorrectable",
    "ecc_errors/volatile/uncorrectable/total",
];

struct Values<'a> {
    values: &'a HashMap<String, String>,
}

impl<'a> Values<'a> {
    fn raw(&self, path: &str) -> Option<&'a str> {
        self.values.get(path).map(String::as_str)
    }

    /// The first of several places that has a value; a reason for having none is not asked for.
    fn plain(&self, paths: &[&str]) -> Option<&'a str> {
        paths.iter().find_map(|path| match Cell::parse(self.raw(path)?) {
            Cell::Value(value) => Some(value),
            Cell::None(_) => None,
        })
    }

    /// As `plain`; where no place has a value, the reason of the first goes under the field's name.
    fn read(&self, seen: &mut Seen<'a>, field: &'static str, paths: &[&str]) -> Option<&'a str> {
        self.plain(paths).or_else(|| {
            let raw = paths.iter().find_map(|path| self.raw(path))?;
            seen.value(field, raw)
        })
    }

    /// Old drivers say `throttle`, new ones `event`.
    fn throttle_mask(&self) -> Option<u64> {
        let mut mask = None;
        for (bit, name) in THROTTLE_BITS {
            for word in ["event", "throttle"] {
                let path = format!("clocks_{word}_reasons/clocks_{word}_reason_{name}");
                if let Some(active) = self.raw(&path).and_then(yes) {
                    mask = Some(mask.unwrap_or(0) | if active { bit } else { 0 });
                }
            }
        }
        mask
    }

    fn uncorrected(&self) -> Option<u64> {
        let counts = UNCORRECTED.iter().filter_map(|path| self.raw(path)?.parse::<u64>().ok());
        counts.reduce(u64::saturating_add)
    }
}

/// `Fri Jan 27 11:32:31 2023`
pub(super) fn time(text: &str) -> Option<Moment> {
    let (_, date) = text.trim().split_once(' ')?;
    NaiveDateTime::parse_from_str(date.trim_start(), "%b %e %H:%M:%S %Y").ok().map(Moment::Local)
}
