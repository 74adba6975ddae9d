//! What a reader hands back: the facts, whether the file is whole, and what was odd about it.
//!
//! An incomplete document always says why.
//! It carries no judgement and no trace of the raw bytes.

use crate::workbook::{FORMULA_WITHOUT_VALUE, Sheet};
use crate::{
    Bill, Brief, DcgmDiag, DcgmMetrics, Fio, GpuBurn, GpuInventory, HfConfig, Iperf3, KernelLog,
    Kind, LlmBench, Mlperf, NcclTests, Perftest, Prices, Quote, Usage,
};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    pub kind: Kind,
    pub complete: bool,
    pub incomplete_because: Option<String>,
    pub warnings: Vec<Warning>,
    pub facts: Facts,
}

/// Something odd that did not stop the reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    pub code: &'static str,
    pub text: String,
    pub line: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Facts {
    Brief(Box<Brief>),
    GpuInventory(Box<GpuInventory>),
    NcclTests(Box<NcclTests>),
    LlmBench(Box<LlmBench>),
    DcgmDiag(Box<DcgmDiag>),
    DcgmMetrics(Box<DcgmMetrics>),
    Fio(Box<Fio>),
    GpuBurn(Box<GpuBurn>),
    KernelLog(Box<KernelLog>),
    Perftest(Box<Perftest>),
    Iperf3(Box<Iperf3>),
    Mlperf(Box<Mlperf>),
    Quote(Box<Quote>),
    Bill(Box<Bill>),
    Usage(Box<Usage>),
    HfConfig(Box<HfConfig>),
    Prices(Box<Prices>),
}

impl Document {
    /// `incomplete_because` decides `complete`, so that the two can never disagree.
    pub(crate) fn new(
        kind: Kind,
        facts: Facts,
        incomplete_because: Option<String>,
        warnings: Vec<Warning>,
    ) -> Self {
        Self { kind, complete: incomplete_because.is_none(), incomplete_because, warnings, facts }
    }

    /// What a formula without a stored value would have said is missing, so the document is not complete.
    pub(crate) fn is_from_sheet(&mut self, sheet: &Sheet, sheets: usize) {
        let has_gap = sheet.warnings.iter().any(|warning| warning.code == FORMULA_WITHOUT_VALUE);
        if has_gap && self.incomplete_because.is_none() {
            self.incomplete_because = Some("formulas have no stored value".to_owned());
            self.complete = false;
        }
        self.warnings.extend(sheet.warnings.iter().cloned());
        if sheets > 1 {
            let said = format!("of {sheets} sheets, {:?} is read", sheet.name);
            self.warnings.push(Warning::new("several_sheets", said));
        }
    }
}

impl Warning {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), line: None }
    }

    pub(crate) fn at(code: &'static str, line: u64, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), line: Some(line) }
    }
}

/// Collects warnings, one per code and at most a handful with their own line, so that a damaged file of a million rows
/// does not answer with a million warnings.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
    more: std::collections::BTreeMap<&'static str, u64>,
}

const SAME_CODE_MAX: usize = 5;

impl Warnings {
    pub(crate) fn push(&mut self, warning: Warning) {
        let same = self.list.iter().filter(|known| known.code == warning.code).count();
        if same < SAME_CODE_MAX {
            self.list.push(warning);
        } else {
            *self.more.entry(warning.code).or_default() += 1;
        }
    }

    pub(crate) fn once(&mut self, warning: Warning) {
        if !self.list.iter().any(|known| known.code == warning.code) {
            self.list.push(warning);
        }
    }

    pub(crate) fn has(&self, code: &str) -> bool {
        self.list.iter().any(|known| known.code == code)
    }

    pub(crate) fn into_vec(mut self) -> Vec<Warning> {
        for (code, count) in self.more {
            self.list.push(Warning::new(code, format!("and {count} more of the same")));
        }
        self.list
    }
}
