//! One dated price of one card, and what it is per card-hour, net of tax.
//!
//! The rule: it is kept as it was published, and aligned only when it is compared. A month is 730
//! hours and a year 8 760, as everywhere in estimates; a package has the hours it says. Where nobody
//! said whether tax is included, the price counts as it stands and the comparison says so.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{
    invalid::Invalid, money::Currency, percent::Percent, shortlist::quote::PriceUnit, text::Name,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    OnDemand,
    Reserved,
    Spot,
}

/// What one price pays for, of one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    Hour,
    Month,
    Year,
    Package { hours: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tax {
    Net,
    Included { rate: Percent },
    NotSaid,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PricePoint {
    /// The catalogue's id, once it is recorded.
    pub card: Name,
    pub basis: Basis,
    pub term: Term,
    pub low: Decimal,
    pub high: Decimal,
    pub currency: Currency,
    pub tax: Tax,
    pub region: Option<Name>,
    pub source: Name,
    pub on: NaiveDate,
}

impl Basis {
    pub const ALL: [Self; 3] = [Self::OnDemand, Self::Reserved, Self::Spot];

    pub fn id(self) -> &'static str {
        match self {
            Self::OnDemand => "on_demand",
            Self::Reserved => "reserved",
            Self::Spot => "spot",
        }
    }
}

impl Term {
    pub fn hours(self) -> Decimal {
        match self {
            Self::Hour => PriceUnit::CardHour.hours(),
            Self::Month => PriceUnit::CardMonth.hours(),
            Self::Year => PriceUnit::CardYear.hours(),
            Self::Package { hours } => hours.into(),
        }
    }

    /// As in a file of prices.
    pub fn written(self) -> String {
        match self {
            Self::Hour => "hour".to_owned(),
            Self::Month => "month".to_owned(),
            Self::Year => "year".to_owned(),
            Self::Package { hours } => format!("package:{hours}"),
        }
    }
}

impl PricePoint {
    /// Two points with the same key are the same observation; the later recording counts.
    pub fn key(&self) -> String {
        let region = self.region.as_ref().map_or("", Name::as_str);
        let (basis, term) = (self.basis.id(), self.term.written());
        let currency = self.currency.code();
        format!("{}|{basis}|{term}|{currency}|{region}|{}|{}", self.card, self.source, self.on)
    }

    pub fn check(&self, today: NaiveDate) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("price", why));
        if self.low <= Decimal::ZERO {
            return refuse("must be above zero; leave out what is not known");
        }
        if self.high < self.low {
            return refuse("its lower end is above its upper end");
        }
        if self.term.hours().is_zero() {
            return refuse("a package has at least one hour");
        }
        if self.on > today {
            return refuse("is of a day that has not come yet");
        }
        // A key is a name, by which a point can be withdrawn.
        match Name::new(&self.key()) {
            Ok(_) => Ok(()),
            Err(_) => refuse("its source and region together are too long"),
        }
    }

    /// From low to high, net of tax where the tax is known; `None` beyond what can be calculated.
    pub fn per_card_hour(&self) -> Option<(Decimal, Decimal)> {
        let aligned = |price: Decimal| {
            let per_hour = price.checked_div(self.term.hours())?;
            let net = match self.tax {
                Tax::Net | Tax::NotSaid => per_hour,
                Tax::Included { rate } => {
                    per_hour.checked_div(Decimal::ONE.checked_add(rate.ratio())?)?
                }
            };
            Some(net.round_dp(4))
        };
        Some((aligned(self.low)?, aligned(self.high)?))
    }
}
