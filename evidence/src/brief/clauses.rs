//! The clauses of a group, and the few words that mean the same everywhere: not, to be determined.
//!
//! Full-width and half-width punctuation are the same; a comma inside brackets or a number separates nothing.
//! Words are matched, sentences are not understood.

const OPEN_WORDS: [&str; 9] = [
    "待定",
    "待确认",
    "待评估",
    "未定",
    "不确定",
    "暂无",
    "to be determined",
    "to be confirmed",
    "unknown",
];
const NOT_WORDS: [&str; 8] = ["不需要", "无需", "不要", "不用", "不必", "没有", "不支持", "不涉及"];
const ENGLISH_NOT_WORDS: [&str; 4] = ["no", "not", "without", "none"];

/// Everything of a text is kept, only the width of the signs changes.
pub(super) fn half_width(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '【' | '［' | '〔' => '[',
            '】' | '］' | '〕' => ']',
            '。' => ';',
            '～' | '〜' | '∼' => '~',
            '－' | '–' | '—' => '-',
            '\u{3000}' | '\u{a0}' => ' ',
            '\u{ff01}'..='\u{ff5e}' => {
                char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
            }
            other => other,
        })
        .collect()
}

/// Cuts at commas, semicolons and line ends outside of brackets.
pub(super) fn split(group: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut depth = 0u32;
    let mut start = 0;
    for (at, byte) in group.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'\n' => depth = 0,
            _ => {}
        }
        let is_end = byte == b'\n' || (depth == 0 && (byte == b';' || byte == b','));
        if is_end && !is_inside_number(group.as_bytes(), at) {
            clauses.push(group[start..at].trim());
            start = at + 1;
        }
    }
    clauses.push(group[start..].trim());
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// `8,192` is one number; `8,16` is two.
fn is_inside_number(bytes: &[u8], at: usize) -> bool {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    bytes[at] == b','
        && at > 0
        && digit(at - 1)
        && (1..=3).all(|next| digit(at + next))
        && !digit(at + 4)
}

pub(super) fn is_open(text: &str) -> bool {
    let lower = text.to_lowercase();
    OPEN_WORDS.iter().any(|word| lower.contains(word))
        || has_word(&lower, "tbd")
        || lower.trim() == "?"
}

pub(super) fn is_negative(text: &str) -> bool {
    let lower = text.to_lowercase();
    NOT_WORDS.iter().any(|word| lower.contains(word))
        || ENGLISH_NOT_WORDS.iter().any(|word| has_word(&lower, word))
        || lower.trim_end().ends_with([':', ' ', '无']) && lower.contains('无')
}

/// A word of Latin letters, not a part of a longer one.
pub(super) fn has_word(lower: &str, word: &str) -> bool {
    lower.split(|end: char| !end.is_ascii_alphanumeric()).any(|found| found == word)
}

/// The clause that names one of the words, with what follows the word.
pub(super) struct Named<'a> {
    pub(super) clause: &'a str,
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

/// Words of one or two Latin letters must stand alone or before a sign or digit, so that `tp` is not found in `https`.
pub(super) fn named<'a>(clause: &'a str, words: &[&str]) -> Option<Named<'a>> {
    let lower = clause.to_ascii_lowercase();
    words.iter().find_map(|word| {
        let at = position(&lower, word)?;
        let end = at + word.len();
        Some(Named { clause, before: &clause[..at], after: &clause[end..] })
    })
}

fn position(lower: &str, word: &str) -> Option<usize> {
    let is_short = word.len() <= 2 && word.is_ascii();
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    lower.match_indices(word).map(|(at, _)| at).find(|at| {
        let bytes = lower.as_bytes();
        let touches = (*at > 0 && letter(bytes.get(at - 1))) || letter(bytes.get(at + word.len()));
        !is_short || !touches
    })
}
