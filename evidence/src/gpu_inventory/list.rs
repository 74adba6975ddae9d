//! The list of `nvidia-smi -L`: index, name and uuid of each card.
//!
//! A card may still be listed when it is lost, so the list says nothing about its state.
//! Slices are listed below their card and are no cards.

use super::rounds::Reading;
use super::seen::Seen;
use crate::document::Warnings;
use crate::text::Line;

#[derive(Default)]
pub(super) struct List {
    last_is_cut: bool,
}

/// `GPU 0: NVIDIA A10 (UUID: GPU-…)`
pub(super) fn card(line: &str) -> Option<(u32, &str, &str)> {
    let (index, rest) = line.trim().strip_prefix("GPU ")?.split_once(": ")?;
    let (name, rest) = rest.split_once(" (UUID: ")?;
    Some((index.parse().ok()?, name.trim(), rest.strip_suffix(')')?))
}

impl List {
    pub(super) fn line(&mut self, line: Line<'_>, reading: &mut Reading, warnings: &mut Warnings) {
        let text = line.text.trim();
        if let Some((index, name, uuid)) = card(text) {
            self.last_is_cut = false;
            let seen =
                Seen { index: Some(index), name: Some(name), uuid: Some(uuid), ..Seen::default() };
            reading.see(&seen, line.number, warnings);
        } else if text.starts_with("MIG ") && text.contains("(UUID: MIG-") {
            reading.last_card_is_sliced();
            self.last_is_cut = !text.ends_with(')');
        } else if text.starts_with("GPU") {
            self.last_is_cut = true;
        }
    }

    /// The list has no end marker; only a line that stops in the middle shows that it was cut.
    pub(super) fn finish(self) -> Option<String> {
        self.last_is_cut.then(|| "the last line of the list is cut".to_owned())
    }
}
