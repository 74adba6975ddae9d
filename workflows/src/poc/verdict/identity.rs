//! Is the card that a tool printed the card that was promised?
//!
//! Names are compared by whole words: an A10 is no A100 and an L20 no L20X.

use rust_decimal::Decimal;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    Same,
    Unclear,
    Other,
}

pub(super) fn likeness(promised: &str, printed: &str, _memory_mib: Option<Decimal>) -> Likeness {
    if has_words_of(printed, promised) { Likeness::Same } else { Likeness::Other }
}

pub(super) fn memory_mib_min(_promised: &str) -> Option<Decimal> {
    None
}

fn has_words_of(printed: &str, promised: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect()
    };
    let (printed, promised) = (words(printed), words(promised));
    !promised.is_empty() && promised.iter().all(|word| printed.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_recognised_by_whole_words() {
        assert!(has_words_of("NVIDIA H100 80GB HBM3", "H100"));
        assert!(has_words_of("NVIDIA A100-SXM4-40GB", "A100"));
        assert!(!has_words_of("NVIDIA A100-SXM4-40GB", "A10"));
        assert!(!has_words_of("NVIDIA H100", ""));
    }
}
