//! Reads a kernel log for what the NVIDIA driver says: Xid errors and cards that are gone.
//!
//! One fault gives many lines, so they are counted by card and number; the stream may be of any length.
//! What an Xid means, and whether it fell into the rental, is left to who judges.

mod time;

use crate::document::Warnings;
use crate::gpu_inventory::pci_device;
use crate::text::{Line, Lines};
use crate::{Document, Facts, Kind, Moment, Refused, Warning};
use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelLog {
    pub xids: Vec<Xid>,
    /// Cards that the driver could not reach, each once.
    pub lost: Vec<LostDevice>,
    /// The log begins with the start of the kernel.
    pub has_boot: bool,
    /// The first and last time that stands in the log; outside of them it says nothing.
    pub from: Option<Moment>,
    pub to: Option<Moment>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Xid {
    /// Domain, bus and device in lower case, as in `0000:a1:00`.
    pub pci: Option<String>,
    pub xid: u32,
    /// Lines seen; the kernel drops some when there are many.
    pub count: u64,
    pub first_at: Option<Moment>,
    pub last_at: Option<Moment>,
    /// Seconds since the start of the kernel, where the log has those instead of times.
    pub first_uptime_s: Option<f64>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LostDevice {
    /// Null where an old driver names none.
    pub pci: Option<String>,
    pub at: Option<Moment>,
    pub text: String,
}

const DISTINCT_MAX: usize = 1024;
const TEXT_CHARACTERS_MAX: usize = 300;
/// Of so many first lines nearly all must look like a kernel log when none is by the driver.
const SAMPLE_LINES: u64 = 200;

// Searched for in every line of a log that may be long, so the searchers are made once.
static DRIVER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("NVRM:"));
static SUPPRESSED: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("callbacks suppressed"));

#[derive(Default)]
struct Reading {
    facts: KernelLog,
    by_driver: u64,
    like_kernel: u64,
    lines: u64,
    /// Of a message over three lines, which names the card in the first.
    named_before: Option<String>,
    times_without_zone: bool,
    times_without_year: bool,
    first_seen: bool,
    last: String,
    last_stamp: String,
}

pub(crate) fn read(mut lines: Lines<'_>) -> Result<Document, Refused> {
    let mut reading = Reading::default();
    let mut warnings = Warnings::default();
    while let Some(line) = lines.next()? {
        reading.line(line, &mut warnings);
        if reading.lines == SAMPLE_LINES && !reading.is_kernel_log() {
            // A driver may speak late in a long log, but what does not look like one is not searched to its end.
            return Err(not_this_kind());
        }
    }
    if !reading.is_kernel_log() {
        return Err(not_this_kind());
    }
    let facts = reading.finish(&mut warnings);
    let incomplete_because =
        (!lines.ends_with_newline()).then(|| "the last line does not end".to_owned());
    let mut warnings = warnings.into_vec();
    warnings.extend(lines.warnings());
    Ok(Document::new(
        Kind::KernelLog,
        Facts::KernelLog(Box::new(facts)),
        incomplete_because,
        warnings,
    ))
}

fn not_this_kind() -> Refused {
    Refused::not_this_kind(Kind::KernelLog, "a line of the kernel or of its NVIDIA driver (NVRM)")
}

impl Reading {
    fn is_kernel_log(&self) -> bool {
        self.by_driver > 0 || (self.like_kernel > 2 && self.like_kernel * 10 >= self.lines * 8)
    }

    fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        if line.text.trim().is_empty() {
            return;
        }
        self.lines += 1;
        self.last.clear();
        self.last.push_str(&line.text[..time::head_bytes(line.text)]);
        self.last_stamp.clear();
        self.last_stamp.push_str(line.stamp);
        if !self.first_seen {
            let at = time::of(line);
            self.first_seen = at.moment.is_some();
            self.facts.from = at.moment;
        }
        if self.lines <= SAMPLE_LINES {
            self.like_kernel += u64::from(time::looks_like_kernel(line));
            self.facts.has_boot |= line.text.contains("Linux version ");
        }
        if SUPPRESSED.find(line.text.as_bytes()).is_some() {
            let said = "the kernel dropped messages, so the counts are too low";
            warnings.once(Warning::at("lines_suppressed", line.number, said));
        }
        let Some(at) = DRIVER.find(line.text.as_bytes()) else { return };
        self.by_driver += 1;
        let said = line.text[at + "NVRM:".len()..].trim();
        if let Some(xid) = XidLine::parse(said) {
            self.xid(&xid, line);
        }
        self.note_lost(said, line);
    }

    fn xid(&mut self, found: &XidLine<'_>, line: Line<'_>) {
        let at = self.time(line);
        let xids = &mut self.facts.xids;
        let known = xids.iter_mut().find(|known| known.xid == found.xid && known.pci == found.pci);
        if let Some(known) = known {
            known.count += 1;
            known.last_at = at.moment.or(known.last_at);
        } else if xids.len() < DISTINCT_MAX {
            xids.push(Xid {
                pci: found.pci.clone(),
                xid: found.xid,
                count: 1,
                first_at: at.moment,
                last_at: at.moment,
                first_uptime_s: at.uptime_s,
                text: shortened(found.text),
            });
        }
    }

    fn note_lost(&mut self, said: &str, line: Line<'_>) {
        let mut words = said.split([' ', '(', ')', ',']);
        let named = words.find_map(|word| pci_device(word.trim_start_matches("PCI:")));
        let is_lost = said.contains("fallen off the bus") || said.contains("RmInitAdapter failed");
        if is_lost {
            let pci = named.or_else(|| self.named_before.take());
            let at = self.time(line).moment;
            let lost = &mut self.facts.lost;
            if lost.len() < DISTINCT_MAX && !lost.iter().any(|known| known.pci == pci) {
                lost.push(LostDevice { pci, at, text: shortened(said) });
            }
            self.named_before = None;
        } else if named.is_some() {
            self.named_before = named.filter(|_| said.starts_with("The NVIDIA GPU"));
        }
    }

    fn time(&mut self, line: Line<'_>) -> time::When {
        let at = time::of(line);
        self.times_without_zone |= at.moment.is_some_and(|moment| !moment.has_zone());
        self.times_without_year |= at.has_no_year;
        at
    }

    fn finish(mut self, warnings: &mut Warnings) -> KernelLog {
        let last = Line { number: 0, text: &self.last, prefix: "", stamp: &self.last_stamp };
        self.facts.to = time::of(last).moment;
        if self.times_without_zone {
            let said = "times are the machine's clock, without a zone";
            warnings.push(Warning::new("no_zone", said));
        }
        if self.times_without_year {
            let said = "times have no year and are left out";
            warnings.push(Warning::new("no_year", said));
        }
        self.facts
    }
}

struct XidLine<'a> {
    pci: Option<String>,
    xid: u32,
    text: &'a str,
}

impl<'a> XidLine<'a> {
    /// `Xid (PCI:0000:05:00): 79, pid=…` and the older `Xid (0000:03:00): 14, Channel …`.
    fn parse(said: &'a str) -> Option<Self> {
        let (address, rest) = said.strip_prefix("Xid (")?.split_once(')')?;
        let rest = rest.trim_start_matches([':', ' ']);
        let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
        Some(Self {
            pci: pci_device(address.trim_start_matches("PCI:")),
            xid: rest[..end].parse().ok()?,
            text: said,
        })
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(TEXT_CHARACTERS_MAX).collect()
}
