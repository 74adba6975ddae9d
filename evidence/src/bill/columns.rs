//! The columns of a FOCUS file, and its version, which is told by the columns alone.
//!
//! Exports write an empty cell, `NULL` and `null` for the same thing.
//! Columns that say nothing about money, time or cards are not read.

use crate::Warning;
use crate::document::Warnings;
use crate::table::{Row, Table};

pub(super) struct Columns {
    pub(super) version: &'static str,
    pub(super) billed: Option<usize>,
    pub(super) effective: Option<usize>,
    pub(super) category: Option<usize>,
    pub(super) class: Option<usize>,
    pub(super) currency: Option<usize>,
    pub(super) invoice: Option<usize>,
    pub(super) period_start: Option<usize>,
    pub(super) period_end: Option<usize>,
    pub(super) charge_start: Option<usize>,
    pub(super) charge_end: Option<usize>,
    pub(super) consumed: Option<usize>,
    pub(super) consumed_unit: Option<usize>,
    pub(super) card_count: Option<usize>,
    missing: Vec<&'static str>,
}

const MANDATORY: [&str; 6] = [
    "BillingCurrency",
    "BillingPeriodStart",
    "BillingPeriodEnd",
    "ChargeClass",
    "ChargePeriodStart",
    "ChargePeriodEnd",
];

impl Columns {
    pub(super) fn find(table: &Table<'_>) -> Option<Self> {
        let column = |name: &str| table.column(name);
        let billed = Some(column("BilledCost")?);
        let effective = Some(column("EffectiveCost")?);
        let category = Some(column("ChargeCategory")?);
        Some(Self {
            version: version(table),
            billed,
            effective,
            category,
            class: column("ChargeClass"),
            currency: column("BillingCurrency"),
            invoice: column("InvoiceId"),
            period_start: column("BillingPeriodStart"),
            period_end: column("BillingPeriodEnd"),
            charge_start: column("ChargePeriodStart"),
            charge_end: column("ChargePeriodEnd"),
            consumed: column("ConsumedQuantity"),
            consumed_unit: column("ConsumedUnit"),
            card_count: column("x_GpuCount").or_else(|| column("x_CardCount")),
            missing: MANDATORY.into_iter().filter(|name| column(name).is_none()).collect(),
        })
    }

    pub(super) fn warn(&self, warnings: &mut Warnings) {
        if !self.missing.is_empty() {
            let said = format!("columns are missing: {}", self.missing.join(", "));
            warnings.push(Warning::new("columns_missing", said));
        }
        if self.version == "1.4" {
            let said = "the columns are those of FOCUS 1.4, which is newer than this reader";
            warnings.push(Warning::new("version_newer", said));
        }
    }

    /// `None` for an empty cell and for the word null.
    pub(super) fn text<'r>(&self, row: &'r Row, column: Option<usize>) -> Option<&'r str> {
        let cell = row.cell(column);
        (!cell.is_empty() && !cell.eq_ignore_ascii_case("null")).then_some(cell)
    }
}

fn version(table: &Table<'_>) -> &'static str {
    let has = |name: &str| table.column(name).is_some();
    if has("ServiceProviderName") {
        if has("ProviderName") { "1.3" } else { "1.4" }
    } else if has("PricingCurrency") || has("InvoiceId") || has("BillingAccountType") {
        "1.2"
    } else if has("CommitmentDiscountQuantity") || has("CapacityReservationId") || has("SkuMeter") {
        "1.1"
    } else if has("UsageQuantity") {
        "1.0-preview"
    } else {
        "1.0"
    }
}
