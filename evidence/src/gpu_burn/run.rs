//! One run of gpu-burn, line by line.
//!
//! The tool counts errors anew after each summary, so the counts of all stretches are added.
//! What comes after the verdicts belongs to the next run.

use super::progress::{self, Drawn, Progress};
use super::{BurnCard, BurnVerdict, CARDS_MAX, GpuBurn};
use crate::Warning;
use crate::document::Warnings;
use crate::text::Line;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Run {
    pub(super) first_line: u64,
    progress_pct: Option<f64>,
    tested: Option<u32>,
    cards: BTreeMap<u32, BurnCard>,
    /// Of each card, the count of the present stretch.
    in_stretch: BTreeMap<u32, u64>,
    aborted: bool,
}

/// The count in `Tested 8 GPUs:`, wherever it stands in the text.
pub(super) fn tested(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("Tested ")?;
    let (count, _) = rest.split_once(" GPU")?;
    count.parse().ok()
}

impl Run {
    pub(super) fn beginning_on(line: u64) -> Self {
        Self { first_line: line, ..Self::default() }
    }

    pub(super) fn is_over_before(&self, line: &str) -> bool {
        let begins = line.contains("Burning for ") || line.contains("proc'd:");
        self.tested.is_some() && (begins || named_card(line).is_some() || tested(line).is_some())
    }

    pub(super) fn is_finished(&self) -> bool {
        let judged = self.cards.values().filter(|card| card.verdict.is_some()).count();
        // A card that was drawn and has no verdict is missing, whatever the count above them says.
        judged > 0
            && judged == self.cards.len()
            && self
                .tested
                .is_some_and(|tested| u32::try_from(judged).is_ok_and(|judged| judged >= tested))
    }

    pub(super) fn line(&mut self, line: Line<'_>, warnings: &mut Warnings) {
        let text = line.text.trim();
        if let Some((index, name, uuid)) = named_card(text) {
            if let Some(card) = self.card(index) {
                card.name = Some(name.to_owned());
                card.uuid = Some(uuid.to_owned());
            }
        } else if self.tested.is_some() {
            if let Some((index, verdict)) = verdict(text)
                && let Some(card) = self.card(index)
            {
                card.verdict = Some(verdict);
            }
        } else if let Some(tested) = tested(text) {
            self.end_stretch();
            self.tested = Some(tested);
        } else if text.contains("Summary at:") {
            self.end_stretch();
        } else if text.contains("No clients are alive") {
            self.aborted = true;
        }
        for drawing in progress::drawings(text) {
            self.drawn(&drawing, line.number, warnings);
        }
    }

    fn card(&mut self, index: u32) -> Option<&mut BurnCard> {
        let new = BurnCard {
            index,
            name: None,
            uuid: None,
            gflops: None,
            errors: None,
            died: false,
            verdict: None,
        };
        (index < CARDS_MAX).then(|| self.cards.entry(index).or_insert(new))
    }

    fn drawn(&mut self, drawing: &Progress, line: u64, warnings: &mut Warnings) {
        self.progress_pct = drawing.percent.or(self.progress_pct);
        for (index, drawn) in (0u32..).zip(&drawing.cards) {
            let Some(card) = self.card(index) else { return };
            card.died |= drawn.died || drawn.processed.is_some_and(|processed| processed < 0);
            if drawn.processed.is_some_and(|processed| processed > 0) {
                card.gflops = drawn.gflops.or(card.gflops);
            }
            if let Some(count) = count(drawn, line, warnings) {
                self.in_stretch.insert(index, count);
            }
        }
    }

    fn end_stretch(&mut self) {
        for (index, count) in std::mem::take(&mut self.in_stretch) {
            if let Some(card) = self.cards.get_mut(&index) {
                card.errors = Some(card.errors.unwrap_or(0).saturating_add(count));
            }
        }
    }

    pub(super) fn finish(mut self) -> (GpuBurn, Option<String>) {
        self.end_stretch();
        let finished = self.is_finished();
        let incomplete_because = if finished {
            None
        } else if self.aborted {
            Some("the tool gave up because no card was alive any more".to_owned())
        } else if let Some(tested) = self.tested {
            Some(format!("not all of {tested} cards have a verdict"))
        } else {
            Some("the closing lines \"Tested N GPUs:\" are missing".to_owned())
        };
        let facts = GpuBurn {
            finished,
            progress_pct: self.progress_pct,
            cards_tested: self.tested,
            cards: self.cards.into_values().collect(),
        };
        (facts, incomplete_because)
    }
}

/// The tool counts in 32 bits with a sign, so a negative count has passed the middle.
fn count(drawn: &Drawn, line: u64, warnings: &mut Warnings) -> Option<u64> {
    let count = drawn.errors?;
    u64::try_from(count).ok().or_else(|| {
        let said = "a counter of errors ran over; the least it can stand for is given";
        warnings.once(Warning::at("errors_overflowed", line, said));
        u64::try_from(count.checked_add(1 << 32)?).ok()
    })
}

/// `GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-…)`
fn named_card(text: &str) -> Option<(u32, &str, &str)> {
    let (index, rest) = text.trim().strip_prefix("GPU ")?.split_once(": ")?;
    let (name, rest) = rest.split_once(" (UUID: ")?;
    Some((index.parse().ok()?, name, rest.trim_end_matches(')')))
}

/// `GPU 0: FAULTY`
fn verdict(text: &str) -> Option<(u32, BurnVerdict)> {
    let (index, word) = text.trim().strip_prefix("GPU ")?.split_once(": ")?;
    let verdict = match word.trim() {
        "OK" => BurnVerdict::Ok,
        "FAULTY" => BurnVerdict::Faulty,
        _ => return None,
    };
    Some((index.parse().ok()?, verdict))
}
