//! The figures that a comparison of owning and renting reads.
//!
//! The rule: each has a name, a unit and bounds, and is known, a range, or to be determined; one
//! that nobody gave is missing by its name and never zero. Amounts of money are net of VAT, in the
//! one currency of the comparison.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{estimate::Estimate, invalid::Invalid};

macro_rules! inputs {
    ($($(#[$doc:meta])* $variant:ident $id:literal $unit:ident;)+) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum Input {
            $($(#[$doc])* #[serde(rename = $id)] $variant,)+
        }

        impl Input {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            pub fn unit(self) -> Unit {
                match self { $(Self::$variant => Unit::$unit,)+ }
            }
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Money,
    /// Of something that may exceed it, such as a yearly rate.
    Rate,
    /// A share, at most 100.
    Share,
    /// At least a little: things that are counted or divided by.
    Count,
    HoursADay,
    Hours,
    Months,
    Years,
    Watts,
    /// Power usage effectiveness, at least one.
    Effectiveness,
}

inputs! {
    /// Machines that the need takes at its peak.
    Nodes "nodes" Count;
    CardsPerNode "cards_per_node" Count;
    /// That a card does useful work, on average over all days.
    HoursADay "hours_a_day" HoursADay;
    HoursAMonth "hours_a_month" Count;
    /// How long the need lasts.
    NeedMonths "need_months" Months;
    /// Variation that the hour of the week does not explain, in percent of the mean.
    DemandVariationPercent "demand_variation_percent" Rate;
    DiscountPercent "discount_percent" Rate;

    /// With its share of network and storage.
    NodePrice "node_price" Money;
    /// More of the purchase, for spare machines and parts.
    SparePercent "spare_percent" Rate;
    PurchaseVatPercent "purchase_vat_percent" Share;
    /// Of the purchase, a year.
    MaintenancePercent "maintenance_percent" Share;
    /// Of the purchase, what it sells for at the end of the horizon.
    ResidualPercent "residual_percent" Share;
    DepreciationYears "depreciation_years" Years;
    /// From the order until it works; cards are rented meanwhile.
    LeadMonths "lead_months" Months;
    CardWatts "card_watts" Watts;
    /// Mean share of the card's power over all hours.
    LoadPercent "load_percent" Share;
    /// Of a machine without its cards.
    HostWatts "host_watts" Watts;
    Pue "pue" Effectiveness;
    /// Of a kWh.
    Tariff "tariff" Money;
    /// Of a machine in a month.
    RackMonth "rack_month" Money;
    /// Of all machines together in a month.
    OwnLabourMonth "own_labour_month" Money;
    /// What failures of one machine cost the business in a month.
    OwnLossMonth "own_loss_month" Money;

    /// Of a card for an hour.
    RentPrice "rent_price" Money;
    RentVatPercent "rent_vat_percent" Share;
    RentEgressMonth "rent_egress_month" Money;
    RentStorageMonth "rent_storage_month" Money;
    RentLabourMonth "rent_labour_month" Money;
    /// Once.
    RentMigration "rent_migration" Money;
    /// What failures of the rented machines cost the business in a month.
    RentLossMonth "rent_loss_month" Money;

    /// Machines owned where the peak is rented.
    BaseNodes "base_nodes" Count;
    /// Above the base.
    BurstCardHoursMonth "burst_card_hours_month" Hours;
    /// Of a card for an hour on demand.
    BurstPrice "burst_price" Money;
    /// What the rented part costs besides: egress, storage, labour, losses.
    BurstOtherMonth "burst_other_month" Money;
}

impl Unit {
    /// Lowest and highest value that makes sense.
    ///
    /// The highest also keep every product within the range of decimals.
    pub fn bounds(self) -> (Decimal, Decimal) {
        let whole = |low: i64, high: i64| (Decimal::from(low), Decimal::from(high));
        match self {
            Self::Money => whole(0, 1_000_000_000),
            Self::Rate => whole(0, 1_000),
            Self::Share => whole(0, 100),
            Self::Count => (Decimal::new(1, 3), Decimal::from(100_000)),
            Self::HoursADay => whole(0, 24),
            Self::Hours => whole(0, 100_000_000),
            Self::Months => whole(0, 240),
            Self::Years => whole(1, 20),
            Self::Watts => whole(0, 100_000),
            Self::Effectiveness => whole(1, 10),
        }
    }
}

/// What was given, by name.
pub type Inputs = BTreeMap<Input, Estimate<Decimal>>;

/// One value for each input: a point within the ranges.
pub type Values = BTreeMap<Input, Decimal>;

pub fn check(inputs: &Inputs) -> Result<(), Invalid> {
    for (input, estimate) in inputs {
        let (low, high) = input.unit().bounds();
        for value in [estimate.low(), estimate.high()].into_iter().flatten() {
            if *value < low || *value > high {
                let why = format!("{value} is not between {low} and {high}");
                return Err(Invalid::new(input.id(), why));
            }
        }
    }
    Ok(())
}
