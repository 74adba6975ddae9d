//! Follows the rounds of a loop and notices which card is missing from which.
//!
//! A card missing from a later round is lost; only where the last round simply stops after some cards the file is cut.
//! A round begins when a card comes again that was already seen in the current one.

use super::card::{self, RowCells};
use super::header::Header;
use super::{Card, CardState, GpuInventory, LostCard, NoReading, Source};
use crate::document::Warnings;
use crate::text::Line;
use crate::{Moment, Warning};
use std::collections::{BTreeSet, HashMap};

const CARDS_MAX: usize = 4096;
const LOST_MAX: usize = 10_000;

#[derive(Default)]
pub(super) struct Reading {
    cards: Vec<Card>,
    position_of: HashMap<String, usize>,
    lost: Vec<LostCard>,
    driver: Option<String>,
    cards_attached: Option<u32>,
    headers: u32,
    rows_in_block: usize,
    rounds: u32,
    round: BTreeSet<usize>,
    previous: BTreeSet<usize>,
    /// Cards missing now, so that each is reported once.
    missing: BTreeSet<usize>,
    rows_have_no_key: bool,
    cut_row: Option<u64>,
}

impl Reading {
    pub(super) fn header_seen(&mut self) {
        self.headers = self.headers.saturating_add(1);
        self.rows_in_block = 0;
    }

    pub(super) fn lost_line(&mut self, lost: LostCard) {
        if self.lost.len() < LOST_MAX {
            self.lost.push(lost);
        }
    }

    pub(super) fn row(&mut self, header: &Header, line: Line<'_>, warnings: &mut Warnings) {
        let cells: Vec<&str> = line.text.split(',').map(str::trim).collect();
        if cells.len() != header.width() {
            self.cut_row = Some(line.number);
            let said = format!("a row has {} cells, the header {}", cells.len(), header.width());
            warnings.push(Warning::at("row_skipped", line.number, said));
            return;
        }
        self.cut_row = None;
        let row = RowCells { header, cells };
        self.note_oddities(&row, line.number, warnings);
        let key = self.key_of(&row);
        self.rows_in_block += 1;
        let Some(at) = self.position(key, warnings) else { return };
        if self.rounds == 0 || self.round.contains(&at) {
            self.close_round(row.time());
        }
        self.round.insert(at);
        self.missing.remove(&at);
        let before = self.cards[at].state;
        card::add(&mut self.cards[at], &row);
        self.note_gone(at, before, &row);
        self.driver = row.value(&["driver_version"]).map(str::to_owned).or(self.driver.take());
        self.cards_attached = row.small(&["count"]).or(self.cards_attached);
    }

    fn note_oddities(&mut self, row: &RowCells<'_>, line: u64, warnings: &mut Warnings) {
        match row.time() {
            Some(at) if !at.has_zone() => {
                warnings.once(Warning::at(
                    "no_zone",
                    line,
                    "times are the machine's clock, without a zone",
                ));
            }
            None if row.value(&["timestamp"]).is_some() => {
                warnings.push(Warning::at("bad_time", line, "the timestamp cannot be read"));
            }
            Some(_) | None => {}
        }
        for (name, reason) in row.reasons() {
            if reason == NoReading::Unreadable {
                let said = format!("{name} could not be read by the tool");
                warnings.push(Warning::at("reading_failed", line, said));
            }
        }
    }

    /// The uuid, else index and address together, because some virtual machines repeat the address.
    fn key_of(&mut self, row: &RowCells<'_>) -> String {
        if let Some(uuid) = row.uuid() {
            return uuid.to_owned();
        }
        match (row.index(), row.pci()) {
            (Some(index), Some(pci)) => format!("{index}@{pci}"),
            (None, Some(pci)) => pci,
            (Some(index), None) => index.to_string(),
            (None, None) => {
                self.rows_have_no_key = true;
                format!("row {}", self.rows_in_block)
            }
        }
    }

    fn position(&mut self, key: String, warnings: &mut Warnings) -> Option<usize> {
        if let Some(at) = self.position_of.get(&key) {
            return Some(*at);
        }
        if self.cards.len() == CARDS_MAX {
            let said = format!("more than {CARDS_MAX} cards; the rest is not read");
            warnings.once(Warning::new("too_many_cards", said));
            return None;
        }
        self.cards.push(card::new(key.clone()));
        self.position_of.insert(key, self.cards.len() - 1);
        Some(self.cards.len() - 1)
    }

    /// Before the next round begins at `next_at`, reports the cards that came in the last round and not in this one.
    fn close_round(&mut self, next_at: Option<Moment>) {
        let gone: Vec<usize> = self.previous.difference(&self.round).copied().collect();
        if self.rounds > 0 {
            self.report_missing(&gone, next_at);
        }
        self.previous = std::mem::take(&mut self.round);
        self.rounds = self.rounds.saturating_add(1);
    }

    fn report_missing(&mut self, gone: &[usize], until: Option<Moment>) {
        let round = self.rounds;
        for at in gone {
            if self.missing.insert(*at) && self.lost.len() < LOST_MAX {
                let card = &mut self.cards[*at];
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

    fn note_gone(&mut self, at: usize, before: CardState, row: &RowCells<'_>) {
        let card = &self.cards[at];
        let newly_gone = card.state > before && card.state >= CardState::ResetRequired;
        if newly_gone
            && self.lost.len() < LOST_MAX
            && row.reasons().any(|(_, reason)| reason == NoReading::Gone)
        {
            let text =
                row.cells.iter().find(|cell| cell.starts_with("[GPU ")).copied().unwrap_or("gone");
            self.lost.push(LostCard {
                pci: card.pci.clone(),
                index: card.index,
                at: row.time(),
                text: text.trim_matches(['[', ']']).to_owned(),
            });
        }
    }

    pub(super) fn finish(mut self, warnings: &mut Warnings) -> (GpuInventory, Option<String>) {
        let incomplete_because = self.why_incomplete(warnings);
        let facts = GpuInventory {
            source: (self.headers > 0).then_some(Source::Csv),
            vendor: "nvidia".to_owned(),
            driver: self.driver,
            cuda: None,
            cards_attached: self.cards_attached,
            cards_described: u32::try_from(self.cards.len()).unwrap_or(u32::MAX),
            rounds: self.rounds,
            cards: self.cards,
            lost: self.lost,
        };
        (facts, incomplete_because)
    }

    fn why_incomplete(&mut self, warnings: &mut Warnings) -> Option<String> {
        let seen = self.round.len();
        let absent: Vec<usize> = (0..self.cards.len())
            .filter(|at| !self.round.contains(at) && !self.missing.contains(at))
            .collect();
        // When a card further down the list did come, the missing one was skipped, not cut off.
        let last_seen = self.round.last().copied().unwrap_or(0);
        let (skipped, cut): (Vec<usize>, Vec<usize>) =
            absent.into_iter().partition(|at| *at < last_seen);
        if !skipped.is_empty() {
            self.report_missing(&skipped, None);
        }
        if self.rows_have_no_key {
            warnings.push(Warning::new(
                "no_card_key",
                "the query names neither uuid, address nor index; rows are told apart by their place",
            ));
        }
        if self.cards.is_empty() {
            return Some("the file describes no card".to_owned());
        }
        if let Some(line) = self.cut_row {
            return Some(format!("the last row, line {line}, is cut"));
        }
        let all = self.cards.len();
        (!cut.is_empty()).then(|| format!("the last round has {seen} of {all} cards"))
    }
}
