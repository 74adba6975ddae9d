//! From bytes to characters, chunk by chunk: byte order marks, UTF-16 without a mark, UTF-8, GB18030 of Chinese Windows.
//!
//! A byte that cannot be read is replaced and warned about; a file that is no text is refused.
//! The language of the text plays no part, and no more than one chunk is held.

use crate::{Refused, Warning};
use encoding_rs::{DecoderResult, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::io::Read;

const CHUNK_BYTES: usize = 128 * 1024;
const SAMPLE_BYTES: usize = 8192;
const ARCHIVES: [(&[u8], &str); 4] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
];

pub(super) struct Decoder<'a> {
    input: Box<dyn Read + 'a>,
    /// Read, not decoded yet: at most a chunk and a cut character.
    bytes: Vec<u8>,
    form: Form,
    /// Characters beyond ASCII that were valid UTF-8.
    beyond_ascii: usize,
    warnings: Vec<Warning>,
}

enum Form {
    NotKnownYet,
    Utf8,
    Other(encoding_rs::Decoder, &'static Encoding),
    Ended,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(input: Box<dyn Read + 'a>) -> Self {
        Self {
            input,
            bytes: Vec::new(),
            form: Form::NotKnownYet,
            beyond_ascii: 0,
            warnings: Vec::new(),
        }
    }

    /// Appends the next piece of text; false when there is none left.
    pub(super) fn more(&mut self, text: &mut String) -> Result<bool, Refused> {
        if matches!(self.form, Form::Ended) {
            return Ok(false);
        }
        let known = self.bytes.len();
        let room = u64::try_from(CHUNK_BYTES).unwrap_or(u64::MAX);
        let read = self.input.by_ref().take(room).read_to_end(&mut self.bytes);
        let read = read.map_err(|error| {
            Refused::new(
                "read_failed",
                format!("the file could not be read to its end: {error}"),
                "try again",
            )
        })?;
        let is_last = read < CHUNK_BYTES;
        if matches!(self.form, Form::NotKnownYet) {
            self.recognise()?;
        }
        if matches!(self.form, Form::Utf8) {
            if memchr::memchr(0, &self.bytes[known.min(self.bytes.len())..]).is_some() {
                return Err(not_text("the file has zero bytes and is no text"));
            }
            self.utf8(text, is_last);
        }
        if let Form::Other(decoder, encoding) = &mut self.form {
            let had_errors = decoded_by(decoder, &self.bytes, text, is_last);
            self.bytes.clear();
            if had_errors {
                let said = format!("some bytes are no valid {} and were replaced", encoding.name());
                note(&mut self.warnings, Warning::new("bytes_replaced", said));
            }
        }
        if is_last {
            self.form = Form::Ended;
        }
        Ok(true)
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn recognise(&mut self) -> Result<(), Refused> {
        for (mark, name) in ARCHIVES {
            if self.bytes.starts_with(mark) {
                return Err(not_text(&format!("the file is {name}")));
            }
        }
        let (encoding, mark_bytes) = if self.bytes.starts_with(b"\xff\xfe") {
            (Some(UTF_16LE), 2)
        } else if self.bytes.starts_with(b"\xfe\xff") {
            (Some(UTF_16BE), 2)
        } else if self.bytes.contains(&0) {
            let encoding = utf16_by_zero_bytes(&self.bytes)
                .ok_or_else(|| not_text("the file has zero bytes and is no text"))?;
            (Some(encoding), 0)
        } else {
            (None, 0)
        };
        self.bytes.drain(..mark_bytes);
        self.form = match encoding {
            Some(encoding) => Form::Other(encoding.new_decoder_without_bom_handling(), encoding),
            None => Form::Utf8,
        };
        Ok(())
    }

    /// Takes what is whole; at the first fault it decides which encoding the rest has.
    fn utf8(&mut self, text: &mut String, is_last: bool) {
        let fault = match std::str::from_utf8(&self.bytes) {
            Ok(whole) => {
                self.beyond_ascii += beyond_ascii(whole);
                text.push_str(whole);
                self.bytes.clear();
                return;
            }
            Err(fault) => fault,
        };
        let valid = fault.valid_up_to();
        let only_cut = fault.error_len().is_none();
        if only_cut && !(is_last && valid == 0 && self.beyond_ascii == 0) {
            let whole = String::from_utf8_lossy(&self.bytes[..valid]);
            self.beyond_ascii += beyond_ascii(&whole);
            text.push_str(&whole);
            self.bytes.drain(..valid);
            if is_last {
                let said = "the last character is cut";
                note(&mut self.warnings, Warning::new("character_cut", said));
                self.bytes.clear();
            }
            return;
        }
        let encoding = self.not_utf8(is_last);
        self.form = Form::Other(encoding.new_decoder_without_bom_handling(), encoding);
    }

    /// A log in UTF-8 with a few broken bytes stays UTF-8; otherwise the file comes from a Chinese Windows.
    fn not_utf8(&self, is_last: bool) -> &'static Encoding {
        let (mut whole, mut broken) = (self.beyond_ascii, 0);
        for chunk in self.bytes.utf8_chunks() {
            whole += beyond_ascii(chunk.valid());
            broken += usize::from(!chunk.invalid().is_empty());
        }
        let mut trial = GB18030.new_decoder_without_bom_handling();
        let mut text = String::new();
        let is_chinese =
            whole <= 4 * broken && !decoded_by(&mut trial, &self.bytes, &mut text, is_last);
        if is_chinese { GB18030 } else { UTF_8 }
    }
}

fn beyond_ascii(text: &str) -> usize {
    if text.is_ascii() {
        return 0;
    }
    text.chars().filter(|character| !character.is_ascii()).count()
}

/// Whether something had to be replaced.
fn decoded_by(
    decoder: &mut encoding_rs::Decoder,
    bytes: &[u8],
    text: &mut String,
    is_last: bool,
) -> bool {
    let mut rest = bytes;
    let mut had_errors = false;
    loop {
        // The bound is exact for any input; where it overflows, the chunk would not be in memory.
        let room = decoder.max_utf8_buffer_length_without_replacement(rest.len());
        text.reserve(room.unwrap_or(3 * CHUNK_BYTES));
        let (result, read) = decoder.decode_to_string_without_replacement(rest, text, is_last);
        rest = &rest[read..];
        match result {
            DecoderResult::InputEmpty => return had_errors,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(_, _) => {
                had_errors = true;
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }
}

/// Latin text in UTF-16 has a zero in every second byte; in Chinese text only line ends and digits have one, but all
/// of them on the same side.
fn utf16_by_zero_bytes(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    let zeros_at =
        |side: usize| sample.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros_at(0), zeros_at(1)) {
        (0, odd) if odd > 0 => Some(UTF_16LE),
        (even, 0) if even > 0 => Some(UTF_16BE),
        (even, odd) if odd > 20 * even => Some(UTF_16LE),
        (even, odd) if even > 20 * odd => Some(UTF_16BE),
        _ => None,
    }
}

fn note(warnings: &mut Vec<Warning>, warning: Warning) {
    if !warnings.iter().any(|known| known.code == warning.code) {
        warnings.push(warning);
    }
}

fn not_text(what: &str) -> Refused {
    Refused::new("not_text", what, "upload the plain text that the tool printed")
}
