//! Measures a workbook before anything reads it.
//!
//! Every part is inflated once, by a reader that stops at a bound, so what the archive claims of its sizes plays no
//! part. The reader of cells reserves memory by numbers in the file; those are bounded here too.

use super::{broken, too_large};
use crate::Refused;
use std::io::{Cursor, Read};
use zip::ZipArchive;

const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;
const PARTS_MAX: usize = 1000;
const INFLATED_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Small parts of equal bytes deflate to almost nothing, so the ratio counts only beyond this size.
const RATIO_FROM_BYTES: u64 = 1024 * 1024;
const RATIO_MAX: u64 = 100;
const ELEMENTS_MAX: usize = 4_000_000;
/// Far more strings and shared formulas than the cells that are read.
const NUMBER_MAX: u64 = 500_000;

pub(super) fn check(bytes: &[u8]) -> Result<(), Refused> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(too_large(&format!("the workbook has more than {FILE_BYTES_MAX} bytes")));
    }
    claimed_parts(bytes)?;
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error.to_string()))?;
    if archive.len() > PARTS_MAX {
        return Err(too_large(&format!("the archive has more than {PARTS_MAX} parts")));
    }
    let mut left = INFLATED_BYTES_MAX;
    let mut elements = 0;
    let mut part = Vec::new();
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(|error| broken(&error.to_string()))?;
        let packed = file.compressed_size();
        let name = file.name().map_err(|error| broken(&error.to_string()))?.to_lowercase();
        let is_markup = [".xml", ".rels"].iter().any(|end| name.ends_with(end));
        part.clear();
        // One byte more than is allowed shows that there is more.
        file.take(left + 1).read_to_end(&mut part).map_err(|error| broken(&error.to_string()))?;
        let inflated = part.len() as u64;
        if inflated > left {
            let said = format!("the workbook inflates to more than {INFLATED_BYTES_MAX} bytes");
            return Err(too_large(&said));
        }
        left -= inflated;
        if inflated > RATIO_FROM_BYTES && inflated / packed.max(1) > RATIO_MAX {
            return Err(too_large(&format!("a part inflates more than {RATIO_MAX} times")));
        }
        if is_markup || part.trim_ascii_start().starts_with(b"<") {
            elements += markup(&part)?;
        }
        if elements > ELEMENTS_MAX {
            return Err(too_large("the workbook has too many elements"));
        }
    }
    Ok(())
}

/// The reader of archives reserves memory for as many parts as an end record claims, of which there may be several.
fn claimed_parts(bytes: &[u8]) -> Result<(), Refused> {
    const END: &[u8] = b"PK\x05\x06";
    const LARGE_END: &[u8] = b"PK\x06\x07";
    const LARGE_END_BYTES: usize = 20;
    let ends = bytes.windows(END.len()).enumerate().filter(|(_, found)| *found == END);
    for (at, _) in ends {
        let is_large = at
            .checked_sub(LARGE_END_BYTES)
            .is_some_and(|before| bytes[before..].starts_with(LARGE_END));
        let claims = [8, 10].map(|offset| {
            let count = bytes.get(at + offset..at + offset + 2);
            count.map_or(0, |count| usize::from(count[0]) + 256 * usize::from(count[1]))
        });
        if is_large || claims.iter().any(|parts| *parts > PARTS_MAX) {
            return Err(too_large(&format!("the archive claims more than {PARTS_MAX} parts")));
        }
    }
    Ok(())
}

/// The number of elements of a part that is safe to read.
fn markup(part: &[u8]) -> Result<usize, Refused> {
    // In another encoding the words looked for below would hide.
    let text = std::str::from_utf8(part).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| broken("a part is not in UTF-8"))?;
    if ["<!DOCTYPE", "<!ENTITY"].iter().any(|word| contains_ignoring_case(text, word)) {
        return Err(broken("a part declares a document type, which no spreadsheet program writes"));
    }
    for (at, _) in text.match_indices('=') {
        attribute(&text[..at], &text[at + 1..])?;
    }
    Ok(text.matches('<').count())
}

fn contains_ignoring_case(text: &str, word: &str) -> bool {
    text.match_indices("<!").any(|(at, _)| {
        text.as_bytes()
            .get(at..at + word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// What is before and behind an equals sign: a few attributes have numbers that the reader of cells trusts.
fn attribute(before: &str, behind: &str) -> Result<(), Refused> {
    let before = before.trim_end();
    let name = before
        .rsplit(|sign: char| !sign.is_ascii_alphanumeric() && sign != ':')
        .next()
        .unwrap_or("");
    if !matches!(name, "uniqueCount" | "si" | "r" | "ref") {
        return Ok(());
    }
    let behind = behind.trim_start();
    let Some(quote) = behind.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
        return Ok(());
    };
    let value = behind[1..].split(quote).next().unwrap_or("");
    if matches!(name, "r" | "ref") {
        let is_place = value.split([':', ' ', ',']).all(is_place);
        return if is_place { Ok(()) } else { Err(broken("a cell's place is none")) };
    }
    let number: Option<u64> = value.trim().trim_start_matches('+').parse().ok();
    // What is no number at all the reader of cells refuses or passes over itself.
    let is_number = value.bytes().any(|byte| byte.is_ascii_digit());
    if is_number && number.is_none_or(|number| number > NUMBER_MAX) {
        return Err(too_large(&format!("a part states more than {NUMBER_MAX} as {name}")));
    }
    Ok(())
}

/// At most three letters and seven digits, as in `$XFD$1048576`.
fn is_place(text: &str) -> bool {
    let count = |is: fn(&char) -> bool| text.chars().filter(is).count();
    count(char::is_ascii_alphabetic) <= 3 && count(char::is_ascii_digit) <= 7
}
