//! Splits a GraphQL document into the few tokens the guard counts.
//!
//! The rule: a string, a block string or a comment ends exactly where the parser's grammar ends
//! it, so that no bracket can hide in one or escape from one; what is left open is an error.
//! It deliberately does not check numbers, escapes or what may follow what.

use super::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Open(u8),
    Close(u8),
    Spread,
    Colon,
    At,
    Text,
    /// A character that only has a meaning inside parentheses, such as a digit or `$`.
    Other(char),
}

pub(super) struct Tokens<'a> {
    source: &'a str,
    position: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, position: 0 }
    }

    /// The next token with the byte where it starts, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, usize)>, Refusal> {
        self.skip_ignored();
        let start = self.position;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        self.position += first.len_utf8();
        let token = match first {
            '{' | '(' | '[' => Token::Open(self.source.as_bytes()[start]),
            '}' | ')' | ']' => Token::Close(self.source.as_bytes()[start]),
            ':' => Token::Colon,
            '@' => Token::At,
            '"' => self.text(start)?,
            '.' if self.rest().starts_with("..") => {
                self.position += 2;
                Token::Spread
            }
            'a'..='z' | 'A'..='Z' | '_' => self.name(start),
            _ => Token::Other(first),
        };
        Ok(Some((token, start)))
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }

    fn skip_ignored(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.trim_start_matches([' ', ',', '\t', '\n', '\r', '\u{feff}']);
            self.position += rest.len() - blank.len();
            if !blank.starts_with('#') {
                return;
            }
            self.position += blank.find(['\n', '\r']).unwrap_or(blank.len());
        }
    }

    fn name(&mut self, start: usize) -> Token<'a> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        self.position += end.unwrap_or(rest.len());
        Token::Name(&self.source[start..self.position])
    }

    fn text(&mut self, start: usize) -> Result<Token<'a>, Refusal> {
        let closed = if self.rest().starts_with("\"\"") {
            self.position += 2;
            self.block_end()
        } else {
            self.line_end()
        };
        match closed {
            Some(end) => {
                self.position += end;
                Ok(Token::Text)
            }
            None => Err(malformed(self.source, start, "a string is never closed")),
        }
    }

    /// A block string ends at the first `"""` without a backslash right before it.
    fn block_end(&self) -> Option<usize> {
        let bytes = self.rest().as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if rest.starts_with(b"\"\"\"") {
                return Some(at + 3);
            }
            at += if rest.starts_with(b"\\\"\"\"") { 4 } else { 1 };
        }
        None
    }

    /// A plain string ends at the first quote that is not escaped, on the same line.
    fn line_end(&self) -> Option<usize> {
        let mut escaped = false;
        for (at, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'\n' | b'\r' => return None,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return Some(at + 1),
                _ => {}
            }
        }
        None
    }
}

/// A refusal that says where in the document the trouble is.
pub(super) fn malformed(source: &str, at: usize, what: &str) -> Refusal {
    let before = source.get(..at).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Refusal::new("query_malformed", format!("{what}, at line {line}, column {column}"))
}
