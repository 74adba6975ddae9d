//! Is the card that a tool printed the card that was promised?
//!
//! Both names are looked up in the catalogue of cards, where whole words and the longest match
//! decide: an A10 is no A100 and an L20 no L20X. A promise that fits several cards is kept by any of
//! them; a printed name that fits several is unclear unless all of them were promised. Names that
//! the catalogue does not know are compared word by word.

use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::needs::catalogue::{Catalogue, card::Card, lookup::Lookup};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    Same,
    Unclear,
    Other,
}

pub(super) fn likeness(promised: &str, printed: &str, memory_mib: Option<Decimal>) -> Likeness {
    let catalogue = Catalogue::shipped();
    let promised_cards = cards(catalogue.lookup(promised));
    let seen = match memory_mib.and_then(|mib| mib.to_u32()) {
        // Memory that no card of this name has says nothing about the name.
        Some(mib) => match catalogue.identify(printed, mib) {
            Lookup::Unknown => catalogue.lookup(printed),
            found @ (Lookup::Found(_) | Lookup::Ambiguous(_)) => found,
        },
        None => catalogue.lookup(printed),
    };
    let printed_cards = cards(seen);
    if promised_cards.is_empty() || printed_cards.is_empty() {
        return if same_words(promised, printed) { Likeness::Same } else { Likeness::Other };
    }
    let kept = |card: &&&Card| promised_cards.iter().any(|promised| promised.id == card.id);
    match printed_cards.iter().filter(kept).count() {
        0 => Likeness::Other,
        all if all == printed_cards.len() => Likeness::Same,
        _ => Likeness::Unclear,
    }
}

/// What a card of the promised kind has at least, as the tool counts it: 93 % of the catalogue's.
pub(super) fn memory_mib_min(promised: &str) -> Option<Decimal> {
    let cards = cards(Catalogue::shipped().lookup(promised));
    let least = cards.iter().map(|card| card.memory_mib()).min()?;
    Some((Decimal::from(least) * Decimal::new(93, 2)).floor())
}

fn cards(found: Lookup<'_>) -> Vec<&Card> {
    match found {
        Lookup::Found(card) => vec![card],
        Lookup::Ambiguous(cards) => cards,
        Lookup::Unknown => Vec::new(),
    }
}

/// All words of the promise, next to each other.
fn same_words(promised: &str, printed: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_uppercase).collect()
    };
    let (promised, printed) = (words(promised), words(printed));
    !promised.is_empty() && printed.windows(promised.len()).any(|window| window == promised)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(promised: &str, printed: &str) -> Likeness {
        likeness(promised, printed, None)
    }

    #[test]
    fn a_card_is_recognised_by_whole_words_and_the_longest_match() {
        assert_eq!(like("H100", "NVIDIA H100 80GB HBM3"), Likeness::Same);
        assert_eq!(like("A100", "NVIDIA A100-SXM4-40GB"), Likeness::Same);
        assert_eq!(like("A10", "NVIDIA A100-SXM4-40GB"), Likeness::Other);
        assert_eq!(like("L20", "NVIDIA L20X"), Likeness::Other);
        assert_eq!(like("L40", "NVIDIA L40S"), Likeness::Other);
        assert_eq!(like("RTX 4090", "NVIDIA GeForce RTX 4090 D"), Likeness::Other);
        assert_eq!(like("H100 SXM", "NVIDIA H100 PCIe"), Likeness::Other);
    }

    #[test]
    fn a_card_with_the_right_memory_and_another_name_is_another() {
        let mib = Some(Decimal::from(46_068));
        assert_eq!(likeness("L40S", "NVIDIA L20", mib), Likeness::Other);
        assert_eq!(likeness("L40S", "NVIDIA L40S", mib), Likeness::Same);
    }

    #[test]
    fn a_card_that_nobody_knows_is_compared_word_by_word() {
        assert_eq!(like("Quux 900", "ACME Quux 900 48GB"), Likeness::Same);
        assert_eq!(like("Quux 900", "ACME Quux 9000"), Likeness::Other);
        assert_eq!(like("", "NVIDIA H100"), Likeness::Other);
    }

    #[test]
    fn memory_follows_from_the_catalogue() {
        let least = memory_mib_min("H200").unwrap();
        assert!(least > Decimal::from(133_000) && least < Decimal::from(143_771), "{least}");
        assert_eq!(memory_mib_min("Quux 900"), None);
    }
}
