//! What launchers and terminals add to a line: `[1,0]<stdout>:`, `(head, rank=0, pid=3808) `, colour codes.
//!
//! A prefix is kept apart, not thrown away: lines of two programs differ by it.
//! A time stamp before a line is content and stays.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';
const PREFIX_BYTES_MAX: usize = 160;

/// Control sequences (`ESC [ … letter`) and two-character escapes are dropped.
pub(super) fn without_colours(line: &str) -> Cow<'_, str> {
    if !line.contains(ESCAPE) {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            plain.push(character);
        } else if characters.next() == Some('[') {
            // The sequence ends with its first character from `@` to `~`.
            let _last = characters.find(|end| ('@'..='~').contains(end));
        }
    }
    Cow::Owned(plain)
}

/// Splits a line into its launcher prefixes, of which there may be several, and the rest.
pub(super) fn split_prefix(line: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(length) = mpi_tag(&line[at..]).or_else(|| ray_tag(&line[at..])) {
        at += length;
    }
    line.split_at(at)
}

/// `[1,0]<stdout>:`, and `[1,0]:` where a web page ate the angle brackets.
fn mpi_tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let (numbers, rest) = inner.split_once(']')?;
    let (job, rank) = numbers.split_once(',')?;
    let all_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(job) || !all_digits(rank) {
        return None;
    }
    let rest = ["<stdout>:", "<stderr>:", "<stddiag>:", ":"]
        .iter()
        .find_map(|tag| rest.strip_prefix(tag))?;
    Some(text.len() - rest.len())
}

/// `(head, rank=0, pid=3808) ` and `(worker1, rank=1, pid=7, ip=192.0.2.7) `.
fn ray_tag(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(')?;
    let (names, rest) = inner.split_once(") ")?;
    let is_tag = names.len() < PREFIX_BYTES_MAX && names.contains("pid=") && !names.contains('(');
    is_tag.then(|| text.len() - rest.len())
}
