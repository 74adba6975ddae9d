//! From which figures on somebody is told: claims that run out, forecasts that exceed, owning that pays.
//!
//! The defaults are those of the source documents where they have one; a document that does not name
//! these figures means the defaults, so older ones read on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::invalid::Invalid;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Triggers {
    /// After the end of a month, how long its SLA credits can be claimed. Public terms say from 30
    /// days to two months, so the shortest is taken.
    pub claim_days: u32,
    pub claim_notice_days: BTreeSet<u32>,
    /// A shorter stretch of bills says nothing of the whole term.
    pub forecast_days_min: u32,
    /// Owning begins to win above this use, all three conditions together (S4).
    pub own_hours_a_day: u32,
    pub own_months: u32,
    /// Hardware takes three to six months to come, so it is told that much earlier.
    pub own_lead_months: u32,
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            claim_days: 30,
            claim_notice_days: [14, 7, 2].into(),
            forecast_days_min: 28,
            own_hours_a_day: 20,
            own_months: 18,
            own_lead_months: 6,
        }
    }
}

impl Triggers {
    /// Beyond a year nobody grants a claim, and nobody buys for longer than ten.
    const DAYS_MAX: u32 = 366;
    const MONTHS_MAX: u32 = 120;

    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub fn check(&self) -> Result<(), Invalid> {
        let refuse = |why: &str| Err(Invalid::new("triggers", why));
        let notices = self.claim_notice_days.iter().copied();
        let mut days = notices.chain([self.claim_days, self.forecast_days_min]);
        if days.any(|days| days > Self::DAYS_MAX) {
            return refuse("a number of days must be at most 366");
        }
        if self.own_hours_a_day > 24 {
            return refuse("a day has 24 hours");
        }
        if self.own_months > Self::MONTHS_MAX || self.own_lead_months > self.own_months {
            return refuse(
                "owning is judged within 120 months, and told no earlier than at the start",
            );
        }
        Ok(())
    }
}
