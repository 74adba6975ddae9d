//! The scrapes of a file, of which the fullest is kept; a series that comes again begins the next.
//!
//! Two scrapes are never mixed: a card that vanished from the second would seem to be there.
//! What is missing from a scrape is not judged.

use super::series::Series;
use super::unit::Unit;
use super::{DcgmGpu, GPUS_MAX, METRICS_MAX};
use crate::Warning;
use crate::document::Warnings;
use crate::json::tree::whole;
use std::collections::HashMap;

const XID: &str = "DCGM_FI_DEV_XID_ERRORS";

#[derive(Default)]
pub(super) struct Scrapes {
    current: Scrape,
    fullest: Scrape,
    ended: u64,
}

#[derive(Default)]
struct Scrape {
    first_line: u64,
    gpus: Vec<DcgmGpu>,
    place_of: HashMap<String, usize>,
    values: usize,
}

impl Scrapes {
    pub(super) fn take(
        &mut self,
        series: &Series<'_>,
        units: &HashMap<String, Unit>,
        line: u64,
        warnings: &mut Warnings,
    ) {
        if series.label("GPU_I_ID").is_some_and(|id| !id.is_empty()) {
            let said = "series of slices of a card were passed over";
            warnings.once(Warning::at("slices_skipped", line, said));
            return;
        }
        let key = series.card_key();
        if self.current.has(&key, series.name) {
            self.end_current();
        }
        let Some(gpu) = self.current.card(key, series, line) else { return };
        if gpu.metrics.len() == METRICS_MAX {
            return;
        }
        let unit = Unit::of(series.name, units.get(series.name).copied(), line, warnings);
        let value = series.value.map(|value| unit.normal(value));
        if series.name == XID {
            let xid = value.and_then(whole).filter(|xid| *xid > 0);
            gpu.xid_last = xid.and_then(|xid| u32::try_from(xid).ok());
        }
        gpu.metrics.insert(series.name.to_owned(), value);
        self.current.values += 1;
    }

    fn end_current(&mut self) {
        let ended = std::mem::take(&mut self.current);
        if ended.values >= self.fullest.values {
            self.fullest = ended;
        }
        self.ended += 1;
    }

    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Vec<DcgmGpu> {
        self.end_current();
        if self.ended > 1 {
            let said = format!("the file has {} scrapes; the fullest is given", self.ended);
            warnings.push(Warning::at("several_documents", self.fullest.first_line, said));
        }
        self.fullest.gpus
    }
}

impl Scrape {
    fn has(&self, key: &str, name: &str) -> bool {
        self.place_of.get(key).is_some_and(|at| self.gpus[*at].metrics.contains_key(name))
    }

    fn card(&mut self, key: String, series: &Series<'_>, line: u64) -> Option<&mut DcgmGpu> {
        if self.gpus.is_empty() {
            self.first_line = line;
        }
        let at = match self.place_of.get(&key) {
            Some(at) => *at,
            None if self.gpus.len() == GPUS_MAX => return None,
            None => {
                self.gpus.push(series.card());
                self.place_of.insert(key, self.gpus.len() - 1);
                self.gpus.len() - 1
            }
        };
        self.gpus.get_mut(at)
    }
}
