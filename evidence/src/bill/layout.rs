//! Which column plays which part: told by the header alone, or by a profile.
//!
//! One shape serves every format, so that the sums know no supplier.
//! Columns that say nothing about money, time or cards are not looked at.

mod alibaba;
mod aws;
mod azure;
mod focus;
mod oci;

use super::amount::{Amount, is_null};
use super::cards::Cards;
use super::profile::BillProfile;
use super::rows::{Row, lossy};
use super::times::{Form, Reader};
use crate::document::Warnings;
use crate::{Refused, Warning};
use std::collections::HashMap;

pub(super) struct Layout {
    pub(super) format: String,
    pub(super) version: Option<String>,
    pub(super) billed: Amount,
    pub(super) effective: Option<Amount>,
    pub(super) category: Option<usize>,
    pub(super) invoice: Option<usize>,
    pub(super) currency: Currency,
    pub(super) period: Period,
    pub(super) charge_start: Option<usize>,
    pub(super) charge_end: Option<usize>,
    pub(super) times: Reader,
    pub(super) words: Words,
    pub(super) cards: Cards,
    /// A cost that is not in `billed`, with its name.
    pub(super) beside: Option<(usize, &'static str)>,
    /// Tells amortised from invoiced cost, where one format is used for both.
    pub(super) amortised: Option<Amortised>,
    /// Every data row has one of these; empty when that is not known.
    pub(super) always_filled: Vec<usize>,
    /// First words of a row of totals.
    pub(super) footers: Vec<String>,
    /// Cells that mean "nothing", beyond the usual ones.
    pub(super) nulls: Vec<String>,
}

pub(super) enum Currency {
    Column(usize),
    /// The format or the profile has only this one.
    Always(String),
    Unstated,
}

pub(super) struct Period {
    pub(super) start: Option<usize>,
    pub(super) end: Option<usize>,
    pub(super) form: Form,
    /// A date as the end names the last day.
    pub(super) last_day_is_in: bool,
}

/// Which words of which column make a row one of tax, credit, correction or use; a list without words means that the
/// format has no such rows.
pub(super) struct Words {
    pub(super) tax: Vec<String>,
    pub(super) credit: Vec<String>,
    pub(super) correction_column: Option<usize>,
    pub(super) correction: Vec<String>,
    /// Empty when every row may be one of use.
    pub(super) usage: Vec<String>,
}

pub(super) struct Amortised {
    pub(super) pricing_model: Option<usize>,
}

/// The header with its names in lower case.
pub(super) struct Header {
    columns: HashMap<String, usize>,
}

impl Header {
    fn new(names: &[String], rename: impl Fn(&str) -> String) -> Self {
        let mut columns = HashMap::new();
        for (at, name) in names.iter().enumerate() {
            columns.entry(rename(name)).or_insert(at);
        }
        Self { columns }
    }

    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.get(name).copied()
    }

    fn first_of(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.column(name))
    }
}

const FOOTERS: [&str; 10] = [
    "合计",
    "总计",
    "小计",
    "汇总",
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sum",
    "invoice total",
];

impl Layout {
    pub(super) fn find(
        names: &[String],
        profile: Option<&BillProfile>,
        warnings: &mut Warnings,
    ) -> Result<Option<Self>, Refused> {
        let header = Header::new(names, str::to_lowercase);
        if let Some(profile) = profile.filter(|profile| profile.has_columns()) {
            return profile.layout(&header).map(Some);
        }
        let found = focus::layout(&header, warnings)
            .or_else(|| aws::layout(names, warnings))
            .or_else(|| azure::layout(&header))
            .or_else(|| oci::layout(&header))
            .or_else(|| alibaba::layout(&header));
        let Some(mut layout) = found else { return Ok(None) };
        if let Some(profile) = profile {
            profile.amend(&mut layout, &header)?;
        }
        Ok(Some(layout))
    }

    /// Parts that most formats do not have.
    pub(super) fn new(format: &str, billed: Amount) -> Self {
        Self {
            format: format.to_owned(),
            version: None,
            billed,
            effective: None,
            category: None,
            invoice: None,
            currency: Currency::Unstated,
            period: Period { start: None, end: None, form: Form::Iso, last_day_is_in: false },
            charge_start: None,
            charge_end: None,
            times: Reader { form: Form::Iso, zone: None },
            words: Words::none(),
            cards: Cards::default(),
            beside: None,
            amortised: None,
            always_filled: Vec::new(),
            footers: FOOTERS.map(str::to_owned).to_vec(),
            nulls: Vec::new(),
        }
    }

    /// A word of totals as the category or in front of a row that lacks what every data row has, or an amount without
    /// any of that.
    pub(super) fn is_a_totals_row(&self, row: &Row<'_>) -> bool {
        let Some(first) = row.first_filled() else { return false };
        if self.category.is_some_and(|column| self.is_footer(row.cell(column))) {
            return true;
        }
        let lacks = |column: &usize| self.is_null(row.cell(*column));
        let lacks_or_is_first = |column: &usize| lacks(column) || row.cell(*column) == first;
        let wanted = &self.always_filled;
        let lacks_all = !wanted.is_empty() && wanted.iter().all(lacks);
        lacks_all || (wanted.iter().all(lacks_or_is_first) && self.is_footer(first))
    }

    fn is_footer(&self, cell: &[u8]) -> bool {
        const LENGTH_MAX: usize = 60;
        if cell.is_empty() || cell.len() > LENGTH_MAX {
            return false;
        }
        let cell = lossy(cell);
        let word = cell.trim_end_matches([':', '：']);
        self.footers.iter().any(|footer| footer.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_null(&self, cell: &[u8]) -> bool {
        is_null(cell) || self.nulls.iter().any(|null| null.as_bytes() == cell)
    }
}

impl Words {
    fn none() -> Self {
        Self {
            tax: Vec::new(),
            credit: Vec::new(),
            correction_column: None,
            correction: Vec::new(),
            usage: Vec::new(),
        }
    }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn warn_missing(missing: &[&str], warnings: &mut Warnings) {
    if !missing.is_empty() {
        let said = format!("columns are missing: {}", missing.join(", "));
        warnings.push(Warning::new("columns_missing", said));
    }
}
