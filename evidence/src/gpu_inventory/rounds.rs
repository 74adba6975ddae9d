//! Follows the rounds of a loop and notices which card is missing from which.
//!
//! A card missing from a later round is lost; only where the last round simply stops after some cards the file is cut.
//! A round begins when a card comes again that was already seen in the current one.

use super::cell::pci_address;
use super::seen::Seen;
use super::{Card, CardState, GpuInventory, LostCard, NoReading, Source, card};
use crate::document::Warnings;
use crate::{Moment, Warning};
use std::collections::HashMap;

const CARDS_MAX: usize = 4096;
const LOST_MAX: usize = 10_000;

#[derive(Default)]
pub(super) struct Reading {
    vendor: Option<&'static str>,
    driver: Option<String>,
    cuda: Option<String>,
    attached: Option<u32>,
    cards: Vec<Card>,
    /// Beside each card, the last round that had it, counted from 1.
    seen_in: Vec<u32>,
    /// Beside each card, whether it is reported as missing now.
    is_missing: Vec<bool>,
    position_of: HashMap<String, usize>,
    /// Of identities as written, so that a row need not be normalised to be matched.
    position_as_written: HashMap<String, usize>,
    as_written: String,
    lost: Vec<LostCard>,
    rows_in_block: usize,
    rounds: u32,
    rows_have_no_key: bool,
}

impl Reading {
    /// Cards without any key are told apart by their place under a header.
    pub(super) fn next_block(&mut self) {
        self.rows_in_block = 0;
    }

    pub(super) fn vendor_is(&mut self, vendor: &'static str) {
        self.vendor = Some(vendor);
    }

    pub(super) fn driver_is(&mut self, driver: &str) {
        keep(&mut self.driver, driver);
    }

    pub(super) fn cuda_is(&mut self, cuda: &str) {
        keep(&mut self.cuda, cuda);
    }

    pub(super) fn attached_is(&mut self, attached: Option<u32>) {
        self.attached = attached.or(self.attached);
    }

    pub(super) fn lost_line(&mut self, lost: LostCard) {
        if self.lost.len() < LOST_MAX {
            self.lost.push(lost);
        }
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, line: u64, warnings: &mut Warnings) {
        note_oddities(seen, line, warnings);
        self.rows_in_block += 1;
        let Some(at) = self.position(seen, warnings) else { return };
        if self.rounds == 0 || self.seen_in[at] == self.rounds {
            self.close_round(seen.at);
        }
        self.seen_in[at] = self.rounds;
        self.is_missing[at] = false;
        let before = self.cards[at].state;
        card::add(&mut self.cards[at], seen);
        self.note_gone(at, before, seen);
    }

    /// A slice was listed below the card that was seen last.
    pub(super) fn last_card_is_sliced(&mut self) {
        let last = (0..self.cards.len()).rev().find(|at| self.seen_in[*at] == self.rounds);
        if let Some(at) = last {
            self.cards[at].mig = Some(true);
        }
    }

    fn position(&mut self, seen: &Seen<'_>, warnings: &mut Warnings) -> Option<usize> {
        self.write_identity(seen);
        if let Some(at) = self.position_as_written.get(&self.as_written) {
            return Some(*at);
        }
        let key = self.key_of(seen);
        let known = self.position_of.get(&key).copied();
        if known.is_none() && self.cards.len() == CARDS_MAX {
            let said = format!("more than {CARDS_MAX} cards; the rest is not read");
            warnings.once(Warning::new("too_many_cards", said));
            return None;
        }
        let at = known.unwrap_or_else(|| {
            self.cards.push(Card { key: key.clone(), ..Card::default() });
            self.seen_in.push(0);
            self.is_missing.push(false);
            self.position_of.insert(key, self.cards.len() - 1);
            self.cards.len() - 1
        });
        if self.position_as_written.len() < CARDS_MAX {
            self.position_as_written.insert(self.as_written.clone(), at);
        }
        Some(at)
    }

    fn write_identity(&mut self, seen: &Seen<'_>) {
        use std::fmt::Write;
        self.as_written.clear();
        match (seen.uuid, seen.pci, seen.index) {
            (Some(uuid), _, _) => self.as_written.push_str(uuid),
            (None, pci, Some(index)) => {
                // Writing to a text cannot fail.
                let _ = write!(self.as_written, "{index}@{}", pci.unwrap_or(""));
            }
            (None, Some(pci), None) => self.as_written.push_str(pci),
            (None, None, None) => {
                let _ = write!(self.as_written, "row {}", self.rows_in_block);
            }
        }
    }

    /// The uuid, else index and address together, because some virtual machines repeat the address.
    fn key_of(&mut self, seen: &Seen<'_>) -> String {
        if let Some(uuid) = seen.uuid {
            return uuid.to_owned();
        }
        let pci = seen.pci.map(|text| pci_address(text).unwrap_or_else(|| text.to_owned()));
        match (seen.index, pci) {
            (Some(index), Some(pci)) => format!("{index}@{pci}"),
            (None, Some(pci)) => pci,
            (Some(index), None) => index.to_string(),
            (None, None) => {
                self.rows_have_no_key = true;
                format!("row {}", self.rows_in_block)
            }
        }
    }

    /// Before the next round begins at `next_at`, reports the cards that came in the last round and not in this one.
    fn close_round(&mut self, next_at: Option<Moment>) {
        if self.rounds > 1 {
            let last = self.rounds - 1;
            let gone = (0..self.cards.len()).filter(|at| self.seen_in[*at] == last).collect();
            self.report_missing(gone, next_at);
        }
        self.rounds = self.rounds.saturating_add(1);
    }

    fn report_missing(&mut self, gone: Vec<usize>, until: Option<Moment>) {
        let round = self.rounds;
        for at in gone {
            if !std::mem::replace(&mut self.is_missing[at], true) && self.lost.len() < LOST_MAX {
                let card = &mut self.cards[at];
                card.state = card.state.max(CardState::Lost);
                self.lost.push(LostCard {
                    pci: card.pci.clone(),
                    index: card.index,
                    at: card.last_at.or(until),
                    text: format!("missing from round {round}, last seen at the given time"),
                });
            }
        }
    }

    fn note_gone(&mut self, at: usize, before: CardState, seen: &Seen<'_>) {
        let card = &self.cards[at];
        let newly_gone = card.state > before && card.state >= CardState::ResetRequired;
        if let Some(text) = seen.gone
            && newly_gone
            && self.lost.len() < LOST_MAX
        {
            self.lost.push(LostCard {
                pci: card.pci.clone(),
                index: card.index,
                at: seen.at,
                text: text.trim_matches(['[', ']']).to_owned(),
            });
        }
    }

    /// `because` is what the form itself says against the file's being whole.
    pub(super) fn finish(
        mut self,
        source: Option<Source>,
        because: Option<String>,
        warnings: &mut Warnings,
    ) -> (GpuInventory, Option<String>) {
        let of_rounds = self.why_incomplete(warnings);
        let incomplete_because = because.or(of_rounds);
        let described = u32::try_from(self.cards.len()).unwrap_or(u32::MAX);
        if let Some(attached) = self.attached.filter(|attached| *attached != described) {
            let said = format!("the tool counts {attached} cards and describes {described}");
            warnings.push(Warning::new("count_differs", said));
        }
        let chips: usize = self.cards.iter().map(|card| card.chips.len()).sum();
        let facts = GpuInventory {
            source,
            vendor: self.vendor.unwrap_or("nvidia").to_owned(),
            driver: self.driver,
            cuda: self.cuda,
            cards_attached: self.attached,
            cards_described: described,
            chips: u32::try_from(chips).ok().filter(|chips| *chips > 0),
            rounds: self.rounds,
            cards: self.cards,
            lost: self.lost,
        };
        (facts, incomplete_because)
    }

    fn why_incomplete(&mut self, warnings: &mut Warnings) -> Option<String> {
        let is_seen = |at: &usize| self.seen_in[*at] == self.rounds;
        let all = self.cards.len();
        let seen = (0..all).filter(is_seen).count();
        // When a card further down the list did come, the missing one was skipped, not cut off.
        let last_seen = (0..all).rfind(is_seen).unwrap_or(0);
        let (skipped, cut): (Vec<usize>, Vec<usize>) = (0..all)
            .filter(|at| !is_seen(at) && !self.is_missing[*at])
            .partition(|at| *at < last_seen);
        if !skipped.is_empty() {
            self.report_missing(skipped, None);
        }
        if self.rows_have_no_key {
            warnings.push(Warning::new(
                "no_card_key",
                "neither uuid, address nor index is given; rows are told apart by their place",
            ));
        }
        if self.cards.is_empty() {
            return Some("the file describes no card".to_owned());
        }
        (!cut.is_empty()).then(|| format!("the last round has {seen} of {all} cards"))
    }
}

fn note_oddities(seen: &Seen<'_>, line: u64, warnings: &mut Warnings) {
    if seen.at.is_some_and(|at| !at.has_zone()) && !warnings.has("no_zone") {
        let said = "times are the machine's clock, without a zone";
        warnings.push(Warning::at("no_zone", line, said));
    }
    if seen.has_bad_time {
        warnings.push(Warning::at("bad_time", line, "the timestamp cannot be read"));
    }
    for (name, reason) in &seen.no_reading {
        if *reason == NoReading::Unreadable {
            let said = format!("{name} could not be read by the tool");
            warnings.push(Warning::at("reading_failed", line, said));
        }
    }
}

fn keep(known: &mut Option<String>, said: &str) {
    if known.as_deref() != Some(said) {
        *known = Some(said.to_owned());
    }
}
