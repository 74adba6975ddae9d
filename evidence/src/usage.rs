//! Reads what says how long cards were held and used: Slurm's accounting, a Prometheus answer, an answer of `OpenCost`.
//!
//! Rule: the whole file counts and nothing is clipped; what a source cannot know is null – accounting does not know
//! how busy a card was, telemetry not who held it.
//! No source is preferred and none is weighed against another here.

mod opencost;
mod prometheus;
mod slurm;

use crate::text::Text;
use crate::{Document, Kind, Moment, Refused};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// `slurm-sacct`, `prometheus-dcgm`, `opencost-allocation` or `opencost-assets`.
    pub source: String,
    pub window_start: Option<Moment>,
    pub window_end: Option<Moment>,
    pub step_s: Option<f64>,
    pub allocated_card_hours: Option<f64>,
    /// Time weighted by utilisation.
    pub used_card_hours: Option<f64>,
    /// Time above zero.
    pub busy_card_hours: Option<f64>,
    /// Time at zero.
    pub idle_card_hours: Option<f64>,
    /// Gaps and readings that are none, inside the window of the whole file.
    pub unknown_card_hours: Option<f64>,
    /// Cards seen, or the most that were held at one time; null when neither can be told.
    pub cards: Option<u32>,
    /// Series, jobs or items that were counted.
    pub series: u32,
}

pub(crate) fn read(text: &Text) -> Result<Document, Refused> {
    if slurm::is_accounting(text) {
        return slurm::read(text);
    }
    if prometheus::is_answer(text) {
        return prometheus::read(text);
    }
    if opencost::is_answer(text) {
        return opencost::read(text);
    }
    let looked_for =
        "Slurm accounting, a query_range answer of Prometheus or an answer of OpenCost";
    Err(Refused::not_this_kind(Kind::Usage, looked_for))
}

impl Usage {
    /// Nothing known yet.
    fn of(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            window_start: None,
            window_end: None,
            step_s: None,
            allocated_card_hours: None,
            used_card_hours: None,
            busy_card_hours: None,
            idle_card_hours: None,
            unknown_card_hours: None,
            cards: None,
            series: 0,
        }
    }
}
