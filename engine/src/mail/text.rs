//! Text from people and servers, made fit for a header, a body or a log line.
//!
//! The rule: a header field with a control character is refused, because a line break there is an
//! attempt to write another header; a body is cleaned instead, because a stray character must not
//! keep a reminder from its reader. It deliberately does no MIME encoding: lettre does.

use super::Unsendable;
use lettre::Address;

const NAME_CHARACTERS_MAX: usize = 120;
const SUBJECT_CHARACTERS_MAX: usize = 200;
const ADDRESS_CHARACTERS_MAX: usize = 254;
const PRINTABLE_CHARACTERS_MAX: usize = 500;

/// A display name, or `None` when there is none to show.
pub(super) fn name(field: &'static str, text: &str) -> Result<Option<String>, Unsendable> {
    let text = one_line(field, text)?;
    if text.chars().count() > NAME_CHARACTERS_MAX {
        return Err(Unsendable::TooLong { field, limit_characters: NAME_CHARACTERS_MAX });
    }
    Ok(if text.is_empty() { None } else { Some(text) })
}

/// A subject that fits. A long one is shortened rather than refused: the body says the rest, and a
/// letter that arrives with a short title is better than one that does not.
pub(super) fn subject(text: &str) -> Result<String, Unsendable> {
    let text = one_line("subject", text)?;
    if text.is_empty() {
        return Err(Unsendable::Empty { field: "subject" });
    }
    Ok(shortened(&text, SUBJECT_CHARACTERS_MAX))
}

/// An address that is safe inside angle brackets, in a header as in a command.
pub(super) fn address(field: &'static str, text: &str) -> Result<Address, Unsendable> {
    if text.chars().any(is_forbidden) {
        return Err(Unsendable::ControlCharacter { field });
    }
    if text.chars().count() > ADDRESS_CHARACTERS_MAX {
        return Err(Unsendable::TooLong { field, limit_characters: ADDRESS_CHARACTERS_MAX });
    }
    // Quoted local parts and address literals are legal, rare, and the usual way to smuggle.
    if text.chars().any(|c| c.is_whitespace() || "<>()[]\",;:\\".contains(c)) {
        return Err(Unsendable::NotAnAddress { field });
    }
    text.parse().map_err(|_| Unsendable::NotAnAddress { field })
}

/// The address of a page that is safe inside angle brackets and fits on a header's line.
pub(super) fn page(field: &'static str, text: &str) -> Result<String, Unsendable> {
    if text.chars().any(is_forbidden) {
        return Err(Unsendable::ControlCharacter { field });
    }
    if text.chars().count() > PRINTABLE_CHARACTERS_MAX {
        return Err(Unsendable::TooLong { field, limit_characters: PRINTABLE_CHARACTERS_MAX });
    }
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    match is_web && text.is_ascii() && !text.contains(['<', '>', ' ', '"', ',']) {
        true => Ok(text.to_owned()),
        false => Err(Unsendable::NotAPage { field }),
    }
}

/// A body with line feeds only and without control characters other than the tab.
pub(super) fn body(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| if c == '\r' { '\n' } else { c })
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect()
}

/// Foreign text on one line of bounded length, for an outcome or a log.
pub(super) fn printable(text: &str) -> String {
    let line: String = text.chars().map(|c| if is_forbidden(c) { ' ' } else { c }).collect();
    shortened(line.trim(), PRINTABLE_CHARACTERS_MAX)
}

fn one_line(field: &'static str, text: &str) -> Result<String, Unsendable> {
    if text.chars().any(is_forbidden) {
        return Err(Unsendable::ControlCharacter { field });
    }
    // A run of spaces could be folded into a line that is blank, which ends the header section.
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Plain text that looks like an encoded word would be decoded by the reader's program.
    Ok(line.replace("=?", "= ?"))
}

/// Control characters, the two Unicode line separators, and the marks that reverse the reading
/// direction and so make a name look like another. The tab is a space.
fn is_forbidden(character: char) -> bool {
    let reorders =
        matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    (character.is_control() && character != '\t') || reorders
}

fn shortened(text: &str, characters_max: usize) -> String {
    if text.chars().count() <= characters_max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(characters_max - 1).collect();
    short.push('…');
    short
}
