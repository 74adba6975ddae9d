//! Colours and other orders to a terminal, which are not part of what a tool says.
//!
//! Control sequences, titles and choices of a character set go; everything else stays.
//! Cursor movements are not played back: a re-drawn line is another line.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';

pub(super) fn without(line: &str) -> Cow<'_, str> {
    if memchr::memchr(0x1b, line.as_bytes()).is_none() {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            plain.push(character);
            continue;
        }
        match characters.next() {
            // The sequence ends with its first character from `@` to `~`.
            Some('[') => {
                let _last = characters.find(|end| ('@'..='~').contains(end));
            }
            // A title ends with a bell, or with an escape and a backslash.
            Some(']') => {
                if characters.find(|end| matches!(*end, '\u{7}' | ESCAPE)) == Some(ESCAPE) {
                    let _backslash = characters.next();
                }
            }
            Some('(' | ')' | '#') => {
                let _set = characters.next();
            }
            Some(_) | None => {}
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn orders_to_a_terminal_go() {
        assert_eq!(without("\u{1b}[1;32mok\u{1b}[0m\u{1b}[K"), "ok");
        assert_eq!(without("\u{1b}]0;title\u{7}a\u{1b}]2;t\u{1b}\\b\u{1b}(Bc"), "abc");
        assert_eq!(without("cut \u{1b}["), "cut ");
    }
}
