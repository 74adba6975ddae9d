//! Lines in which nvidia-smi says that it cannot reach a card, or that it cannot work at all.
//!
//! The sentence has at least five spellings and may be wrapped in the middle; the address is what counts.
//! Kernel messages (Xid) belong to another reader.

use super::LostCard;
use super::cell::pci_address;

const DEVICE_SENTENCE: &str = "unable to determine the device handle";
const WHOLE_TOOL: [&str; 3] =
    ["failed to initialize nvml", "no devices were found", "nvidia-smi has failed"];
const TEXT_CHARACTERS_MAX: usize = 200;

pub(super) fn is_about_a_device(line: &str) -> bool {
    may_be_a_sentence(line) && line.to_ascii_lowercase().contains(DEVICE_SENTENCE)
}

/// Otherwise the sentence was wrapped before the address.
pub(super) fn names_a_card(line: &str) -> bool {
    card_in(line).0.is_some()
}

/// Rows and tables begin otherwise; they are most of a long log.
fn may_be_a_sentence(line: &str) -> bool {
    let first = line.trim_start().bytes().next();
    first.is_some_and(|first| !first.is_ascii_digit() && !matches!(first, b'|' | b'+' | b'<'))
}

/// Reads the card from the sentence, or from the next line when the sentence was wrapped before the address.
pub(super) fn parse(line: &str, next: &str) -> LostCard {
    let (pci, index) = card_in(line);
    let wrapped = pci.is_none() && !next.contains(',');
    let (pci, index) = if wrapped { card_in(&format!("{line} {next}")) } else { (pci, index) };
    let text = line.trim().chars().take(TEXT_CHARACTERS_MAX).collect();
    LostCard { pci, index, at: None, text }
}

pub(super) fn whole_tool_failure(line: &str) -> Option<String> {
    if !may_be_a_sentence(line) {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    WHOLE_TOOL
        .iter()
        .any(|sentence| lower.contains(sentence))
        .then(|| line.trim().chars().take(TEXT_CHARACTERS_MAX).collect())
}

/// `GPU 0000:02:00.0:`, `GPU0000:A1:00.0:` and `GPU1: 0000:34:00.0:`.
fn card_in(text: &str) -> (Option<String>, Option<u32>) {
    let mut pci = None;
    let mut index = None;
    for word in text.split_whitespace() {
        let word = word.trim_end_matches([':', ',']);
        let bare = word.strip_prefix("GPU").unwrap_or(word);
        if let Some(address) = pci_address(bare) {
            pci = Some(address);
        } else if bare.len() < word.len() {
            index = bare.parse().ok().or(index);
        }
    }
    (pci, index)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn every_spelling_gives_the_address() {
        let start = "Unable to determine the device handle for";
        for (rest, next, pci, index) in [
            ("GPU 0000:42:00.0: GPU is lost. Reboot the system", "", "0000:42:00.0", None),
            ("GPU0000:C1:00.0: Unknown Error", "", "0000:c1:00.0", None),
            ("GPU3: 0000:54:00.0: Unknown Error", "", "0000:54:00.0", Some(3)),
            ("GPU", "0000:55:00.0: GPU is lost.  Reboot", "0000:55:00.0", None),
        ] {
            let lost = parse(&format!("{start} {rest}"), next);
            assert_eq!((lost.pci.as_deref(), lost.index), (Some(pci), index), "{rest}");
        }
    }
}
