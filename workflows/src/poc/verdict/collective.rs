//! Do all cards talk to each other as fast as promised, and correctly?

use super::{
    check::CheckName,
    sheet::{Rests, Sheet},
};
use crate::poc::{promise::Promise, reading::CollectiveReading};

pub(super) fn check(promise: &Promise, reading: Option<&CollectiveReading>, sheet: &mut Sheet<'_>) {
    let ranks = reading.and_then(|run| run.ranks);
    sheet.figure(CheckName::CollectiveRanks, ranks, promise.cards, Rests::OnWholeRun, |ranks| {
        *ranks == promise.cards
    });
    if let Some(least) = promise.collective_gb_s_min {
        sheet.figure(
            CheckName::CollectiveBandwidth,
            reading.and_then(|run| run.peak_gb_s),
            format!("≥ {least} GB/s"),
            Rests::OnWholeRun,
            |peak| *peak >= least,
        );
    }
    let wrong = reading.and_then(|run| run.out_of_bounds);
    sheet.figure(CheckName::CollectiveCorrect, wrong, 0, Rests::OnWholeRun, |wrong| *wrong == 0);
}
