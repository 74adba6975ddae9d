//! Card-hours of a row: a column of cards, a unit that counts cards, or a rule of the profile.
//!
//! Bills have no standard unit for cards, so without one of these nothing is derived: hours of machines are not hours
//! of cards.

use super::amount::is_null;
use super::rows::{Row, lossy};
use crate::decimal;
use rust_decimal::Decimal;

#[derive(Default)]
pub(super) struct Cards {
    /// Cards of the row's machine.
    pub(super) column: Option<usize>,
    /// Consumed quantity, and its unit; without a unit the quantity is in hours.
    pub(super) quantity: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) rule: Option<Rule>,
}

/// The first text that the column contains gives the cards of one machine.
pub(super) struct Rule {
    pub(super) column: usize,
    pub(super) cards: Vec<(String, Decimal)>,
}

pub(super) enum CardHours {
    Known(Decimal),
    /// The row is none of cards.
    None,
    Unreadable,
}

impl Cards {
    /// Whether anything in this file can tell cards, before a row was seen.
    pub(super) fn can_tell(&self) -> bool {
        self.quantity.is_some() && (self.column.is_some() || self.rule.is_some())
    }

    pub(super) fn read(&self, row: &Row<'_>) -> CardHours {
        let Some(quantity) =
            self.quantity.map(|column| row.cell(column)).filter(|cell| !is_null(cell))
        else {
            return CardHours::None;
        };
        let unit = self.unit.map_or(Unit::Hours(Decimal::ONE), |column| Unit::of(row.cell(column)));
        let (factor, cards) = match unit {
            Unit::Other => return CardHours::None,
            Unit::CardHours => (Decimal::ONE, Some(Decimal::ONE)),
            Unit::Hours(factor) => match self.cards(row) {
                CardHours::Known(cards) => (factor, Some(cards)),
                CardHours::None => return CardHours::None,
                CardHours::Unreadable => (factor, None),
            },
        };
        let hours = decimal::parse_bytes(quantity)
            .zip(cards)
            .and_then(|(quantity, cards)| quantity.checked_mul(factor)?.checked_mul(cards));
        hours.map_or(CardHours::Unreadable, CardHours::Known)
    }

    /// The cards of one machine.
    fn cards(&self, row: &Row<'_>) -> CardHours {
        if let Some(column) = self.column {
            let cell = row.cell(column);
            if !is_null(cell) {
                return decimal::parse_bytes(cell).map_or(CardHours::Unreadable, CardHours::Known);
            }
        }
        let Some(rule) = &self.rule else { return CardHours::None };
        let name = lossy(row.cell(rule.column));
        let cards = rule.cards.iter().find(|(part, _)| name.contains(part.as_str()));
        cards.map_or(CardHours::None, |(_, cards)| CardHours::Known(*cards))
    }
}

enum Unit {
    /// Hours in one unit: some bills count in hundreds.
    Hours(Decimal),
    CardHours,
    Other,
}

impl Unit {
    fn of(cell: &[u8]) -> Self {
        let text = lossy(cell).to_lowercase();
        let digits =
            text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, word) = text.split_at(digits);
        let factor = if number.is_empty() { Some(Decimal::ONE) } else { decimal::parse(number) };
        match (word.trim().replace('-', " ").as_str(), factor) {
            ("hour" | "hours" | "hr" | "hrs" | "h" | "小时" | "时", Some(factor)) => {
                Self::Hours(factor)
            }
            (
                "gpu hour" | "gpu hours" | "card hour" | "card hours" | "卡时" | "卡小时",
                Some(_),
            ) if number.is_empty() || number == "1" => Self::CardHours,
            _ => Self::Other,
        }
    }

    #[cfg(test)]
    fn hours(text: &str) -> Option<String> {
        match Self::of(text.as_bytes()) {
            Self::Hours(factor) => Some(factor.to_string()),
            Self::CardHours => Some("cards".to_owned()),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn only_units_of_hours_count_and_hundreds_are_multiplied() {
        assert_eq!(Unit::hours("Hours").as_deref(), Some("1"));
        assert_eq!(Unit::hours("100 Hours").as_deref(), Some("100"));
        assert_eq!(Unit::hours("GPU-Hours").as_deref(), Some("cards"));
        for other in ["GB-Hours", "OCPU Hours", "10K", "", "Server Hours", "元/小时"] {
            assert_eq!(Unit::hours(other), None, "{other}");
        }
    }
}
