//! The rows of a csv as bytes, one at a time out of a stream.
//!
//! Only one row is in memory; a quote that is never closed ends the reading instead of filling the memory.
//! A cell is text only once somebody asks for it.

use crate::Refused;
use csv::ByteRecord;
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Chain, Cursor, Read};
use std::rc::Rc;

const ROW_BYTES_MAX: usize = 2 * 1024 * 1024;
const HEAD_BYTES: usize = 256 * 1024;
const BUFFER_BYTES: usize = 256 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) struct Rows<R: Read> {
    names: Vec<String>,
    records: csv::Reader<Bounded<Chain<Cursor<Vec<u8>>, R>>>,
    record: ByteRecord,
    read_since: Rc<Cell<usize>>,
}

/// One row, borrowed from the stream.
pub(super) struct Row<'a> {
    record: &'a ByteRecord,
    width: usize,
}

/// Fails once more than a row's worth of bytes was read without a row coming out.
struct Bounded<R> {
    inner: R,
    read_since: Rc<Cell<usize>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read_since.get() > ROW_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "a row is too long"));
        }
        let count = self.inner.read(buffer)?;
        self.read_since.set(self.read_since.get() + count);
        Ok(count)
    }
}

impl<R: Read> Rows<R> {
    /// `None` when there is no line at all.
    pub(super) fn open(mut reader: R, delimiter: Option<u8>) -> Result<Option<Self>, Refused> {
        let mut head = Vec::new();
        (&mut reader)
            .take(HEAD_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(|error| unreadable(&error))?;
        while head.starts_with(BYTE_ORDER_MARK) {
            head.drain(..BYTE_ORDER_MARK.len());
        }
        let is_text = match std::str::from_utf8(&head) {
            Ok(_) => true,
            // The last character of the head may go on behind it.
            Err(error) => error.error_len().is_none(),
        };
        if !is_text || head.contains(&0) {
            return Err(Refused::new(
                "not_utf8",
                "the file is not in UTF-8",
                "save it as UTF-8, or have it read as a whole",
            ));
        }
        let delimiter = delimiter.unwrap_or_else(|| delimiter_of(&head));
        let read_since = Rc::new(Cell::new(0));
        let bounded =
            Bounded { inner: Cursor::new(head).chain(reader), read_since: Rc::clone(&read_since) };
        let records = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .buffer_capacity(BUFFER_BYTES)
            .from_reader(bounded);
        let mut rows = Self { names: Vec::new(), records, record: ByteRecord::new(), read_since };
        if !rows.advance()? {
            return Ok(None);
        }
        rows.names =
            rows.record.iter().map(|name| lossy(name.trim_ascii()).trim().to_owned()).collect();
        Ok(Some(rows))
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn next_row(&mut self) -> Result<Option<Row<'_>>, Refused> {
        if !self.advance()? {
            return Ok(None);
        }
        Ok(Some(Row { record: &self.record, width: self.names.len() }))
    }

    fn advance(&mut self) -> Result<bool, Refused> {
        self.read_since.set(0);
        self.records.read_byte_record(&mut self.record).map_err(|error| {
            // Bytes are neither checked nor counted, so only the stream itself can fail.
            let csv::ErrorKind::Io(error) = error.into_kind() else {
                return unreadable(&io::Error::other("a row cannot be read"));
            };
            unreadable(&error)
        })
    }
}

impl Row<'_> {
    pub(super) fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// One empty cell more is a delimiter at the end of the line.
    pub(super) fn has_wrong_length(&self) -> bool {
        let length = self.record.len();
        length != self.width && !(length == self.width + 1 && self.cell(self.width).is_empty())
    }

    /// Without blanks around it and without a mark that an exporter repeats in the first data row; empty when the row
    /// has no such cell.
    pub(super) fn cell(&self, column: usize) -> &[u8] {
        let cell = self.record.get(column).unwrap_or(b"");
        let cell =
            if column == 0 { cell.strip_prefix(BYTE_ORDER_MARK).unwrap_or(cell) } else { cell };
        match cell {
            [first, .., last] if !first.is_ascii_whitespace() && !last.is_ascii_whitespace() => {
                cell
            }
            _ => cell.trim_ascii(),
        }
    }

    pub(super) fn first_filled(&self) -> Option<&[u8]> {
        (0..self.record.len()).map(|column| self.cell(column)).find(|cell| !cell.is_empty())
    }
}

pub(super) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Of the header alone: amounts may have commas of their own.
fn delimiter_of(head: &[u8]) -> u8 {
    let end = head.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(head.len());
    let count = |wanted: u8| head[..end].iter().filter(|byte| **byte == wanted).count();
    let commas = count(b',');
    [b'\t', b';'].into_iter().find(|other| count(*other) > commas).unwrap_or(b',')
}

fn unreadable(error: &io::Error) -> Refused {
    if error.kind() == io::ErrorKind::FileTooLarge {
        let said =
            format!("a row has more than {ROW_BYTES_MAX} bytes; a quote may never be closed");
        return Refused::new("line_too_long", said, "upload the unchanged export of the supplier");
    }
    Refused::new("unreadable", format!("the file cannot be read: {error}"), "try again")
}
