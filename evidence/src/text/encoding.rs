//! From bytes to characters: byte order marks, UTF-16 without a mark, UTF-8, and GB18030 of Chinese Windows.
//!
//! A byte that cannot be read is replaced and warned about; a file that is no text is refused.
//! The language of the text plays no part.

use crate::{Refused, Warning};
use encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE};

const SAMPLE_BYTES: usize = 8192;
const ARCHIVES: [(&[u8], &str); 4] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
];

pub(super) fn decode(bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<String, Refused> {
    for (mark, name) in ARCHIVES {
        if bytes.starts_with(mark) {
            return Err(not_text(&format!("the file is {name}")));
        }
    }
    if bytes.starts_with(b"\xff\xfe") {
        return Ok(decoded_as(UTF_16LE, &bytes[2..], warnings));
    }
    if bytes.starts_with(b"\xfe\xff") {
        return Ok(decoded_as(UTF_16BE, &bytes[2..], warnings));
    }
    let has_zero_bytes = bytes.contains(&0);
    if has_zero_bytes {
        let encoding = utf16_by_zero_bytes(bytes)
            .ok_or_else(|| not_text("the file has zero bytes and is no text"))?;
        return Ok(decoded_as(encoding, bytes, warnings));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
            warnings.push(Warning::new("character_cut", "the last character is cut"));
            Ok(String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned())
        }
        Err(_) => Ok(not_utf8(bytes, warnings)),
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

/// A log in UTF-8 with a few broken bytes stays UTF-8; otherwise the file comes from a Chinese Windows.
fn not_utf8(bytes: &[u8], warnings: &mut Vec<Warning>) -> String {
    let (mut whole, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if whole <= 4 * broken {
        let (text, _, had_errors) = GB18030.decode(bytes);
        if !had_errors {
            return text.into_owned();
        }
    }
    let said = format!("{broken} places are no valid UTF-8 and were replaced");
    warnings.push(Warning::new("bytes_replaced", said));
    String::from_utf8_lossy(bytes).into_owned()
}

fn decoded_as(encoding: &'static Encoding, bytes: &[u8], warnings: &mut Vec<Warning>) -> String {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    if had_errors {
        let said = format!("some bytes are no valid {} and were replaced", encoding.name());
        warnings.push(Warning::new("bytes_replaced", said));
    }
    text.into_owned()
}

fn not_text(what: &str) -> Refused {
    Refused::new("not_text", what, "upload the plain text that the tool printed")
}
