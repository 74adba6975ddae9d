//! The clean lines of a file, one at a time: of a stream in constant memory, or of a text that is held already.
//!
//! Rule: this is the only place that knows line ends, colours and prefixes; a held text is made from a stream.
//! A line is lent until the next one is asked for.

use super::encoding::Decoder;
use super::launcher::{self, Habit};
use super::{Line, Text, colours};
use crate::{Refused, Warning};
use std::io::{self, Read};

const READ_BYTES: usize = 64 * 1024;

pub(crate) struct Lines<'a> {
    source: Source<'a>,
    /// Clean text that was asked for as bytes and not taken yet.
    unread: String,
    unread_at: usize,
}

enum Source<'a> {
    Stream(Box<Stream<'a>>),
    Held { lines: Box<dyn Iterator<Item = Line<'a>> + 'a>, text: &'a Text },
}

struct Stream<'a> {
    decoder: Decoder<'a>,
    /// Decoded and, from `at` on, not lent yet.
    buffer: String,
    at: usize,
    is_at_end: bool,
    line_bytes_max: usize,
    habit: Option<Habit>,
    number: u64,
    /// The present line where it could not be lent as it stands.
    plain: String,
    noticed: Noticed,
}

/// What was changed, to be said once at the end.
#[derive(Default)]
struct Noticed {
    colours_on: Option<u64>,
    prefixed: u64,
    first_prefixed: u64,
    ends_with_newline: bool,
}

/// Where the present line lies: in the buffer, or in `plain`.
enum Place {
    Buffer(usize, usize),
    Plain,
}

impl<'a> Lines<'a> {
    /// Lines longer than `line_bytes_max` are refused, so that a stream without line ends is bounded too.
    pub(crate) fn of_stream(input: impl Read + 'a, line_bytes_max: usize) -> Self {
        let stream = Stream {
            decoder: Decoder::new(Box::new(input)),
            buffer: String::new(),
            at: 0,
            is_at_end: false,
            line_bytes_max,
            habit: None,
            number: 0,
            plain: String::new(),
            noticed: Noticed::default(),
        };
        Self::from(Source::Stream(Box::new(stream)))
    }

    pub(crate) fn of(text: &'a Text) -> Self {
        Self::from(Source::Held { lines: Box::new(text.lines()), text })
    }

    fn from(source: Source<'a>) -> Self {
        Self { source, unread: String::new(), unread_at: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, Refused> {
        match &mut self.source {
            Source::Stream(stream) => stream.next(),
            Source::Held { lines, .. } => Ok(lines.next()),
        }
    }

    /// What was changed up to here.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        match &self.source {
            Source::Stream(stream) => stream.warnings(),
            Source::Held { text, .. } => text.warnings().to_vec(),
        }
    }

    /// Whether the last line was ended; known when there is no next one.
    pub(crate) fn ends_with_newline(&self) -> bool {
        match &self.source {
            Source::Stream(stream) => stream.noticed.ends_with_newline,
            Source::Held { text, .. } => text.ends_with_newline(),
        }
    }
}

/// The clean text as bytes, for parsers that want them; a refusal becomes the error's source.
impl Read for Lines<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.unread_at == self.unread.len() {
            let mut unread = std::mem::take(&mut self.unread);
            unread.clear();
            while unread.len() < READ_BYTES {
                let Some(line) = self.next().map_err(io::Error::other)? else {
                    if !self.ends_with_newline() {
                        unread.pop();
                    }
                    break;
                };
                unread.push_str(line.text);
                unread.push('\n');
            }
            self.unread = unread;
            self.unread_at = 0;
        }
        let mut rest = &self.unread.as_bytes()[self.unread_at..];
        let taken = rest.read(into)?;
        self.unread_at += taken;
        Ok(taken)
    }
}

impl Stream<'_> {
    fn next(&mut self) -> Result<Option<Line<'_>>, Refused> {
        let Some((start, end)) = self.find_line()? else { return Ok(None) };
        self.number += 1;
        let raw = &self.buffer[start..end];
        let marked =
            if raw.starts_with('\u{feff}') { raw.trim_start_matches('\u{feff}') } else { raw };
        let plain = colours::without(marked);
        let place = match plain {
            std::borrow::Cow::Borrowed(text) => Place::Buffer(end - text.len(), end),
            std::borrow::Cow::Owned(text) => {
                self.noticed.colours_on.get_or_insert(self.number);
                self.plain = text;
                Place::Plain
            }
        };
        let text = match place {
            Place::Buffer(start, end) => &self.buffer[start..end],
            Place::Plain => self.plain.as_str(),
        };
        let parts = launcher::take_apart(text, self.habit);
        if !parts.prefix.is_empty() {
            self.noticed.prefixed += 1;
            if self.noticed.prefixed == 1 {
                self.noticed.first_prefixed = self.number;
            }
        }
        // Two stamps are not two processes.
        let process = match parts.prefix.trim().strip_prefix(parts.stamp) {
            Some(process) => process.trim_start(),
            None => parts.prefix.split(parts.stamp).next().unwrap_or("").trim(),
        };
        Ok(Some(Line {
            number: self.number,
            text: parts.rest,
            prefix: process,
            stamp: parts.stamp,
        }))
    }

    /// The next line in the buffer, without its end.
    fn find_line(&mut self) -> Result<Option<(usize, usize)>, Refused> {
        let mut searched = self.at;
        loop {
            let bytes = self.buffer.as_bytes();
            if let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[searched..]) {
                let end = searched + found;
                let is_return = bytes[end] == b'\r';
                // The other half of a Windows line end may come with the next chunk.
                if is_return && end + 1 == bytes.len() && !self.is_at_end {
                    searched = end - self.refill()?;
                    continue;
                }
                let end_bytes = if is_return && bytes.get(end + 1) == Some(&b'\n') { 2 } else { 1 };
                let start = self.at;
                self.at = end + end_bytes;
                self.noticed.ends_with_newline = true;
                return Ok(Some((start, end)));
            }
            if self.is_at_end {
                let (start, end) = (self.at, self.buffer.len());
                self.at = end;
                self.noticed.ends_with_newline &= start == end;
                return Ok((start < end).then_some((start, end)));
            }
            let length = bytes.len() - self.at;
            if length > self.line_bytes_max {
                return Err(super::line_too_long(self.number + 1, self.line_bytes_max));
            }
            searched = bytes.len() - self.refill()?;
        }
    }

    /// Drops what was lent and decodes more; says by how much the rest moved to the front.
    fn refill(&mut self) -> Result<usize, Refused> {
        let moved = self.at;
        self.buffer.drain(..moved);
        self.at = 0;
        let is_first = self.number == 0 && self.buffer.is_empty();
        self.is_at_end = !self.decoder.more(&mut self.buffer)?;
        if is_first {
            self.habit = Habit::of(&self.buffer);
        }
        Ok(moved)
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.decoder.warnings().to_vec();
        let noticed = &self.noticed;
        if let Some(line) = noticed.colours_on {
            warnings.push(Warning::at("colours_stripped", line, "colour codes were taken out"));
        }
        if noticed.prefixed > 0 {
            let said = format!("launcher prefixes were taken off {} lines", noticed.prefixed);
            warnings.push(Warning::at("prefix_stripped", noticed.first_prefixed, said));
        }
        warnings
    }
}
