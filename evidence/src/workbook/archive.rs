//! Measures a workbook before anything reads it.
//!
//! Every part is inflated once, by a reader that stops at a bound, so what the archive claims of its sizes plays no
//! part. The reader of cells reserves memory by numbers in the file; those are bounded here too.

use super::{broken, too_large};
use crate::Refused;
use std::io::{Cursor, Read};
use zip::ZipArchive;

const PARTS_MAX: usize = 1000;
const INFLATED_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Small parts of equal bytes deflate to almost nothing, so the ratio counts only beyond this size.
const RATIO_FROM_BYTES: u64 = 1024 * 1024;
const RATIO_MAX: u64 = 100;
const ELEMENTS_MAX: usize = 4_000_000;
/// Far more strings and shared formulas than the cells that are read.
const NUMBER_MAX: u64 = 500_000;

pub(super) fn check(bytes: &[u8]) -> Result<(), Refused> {
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

/// The number of elements of a part that is safe to read.
fn markup(part: &[u8]) -> Result<usize, Refused> {
    // In another encoding the words looked for below would hide.
    let text = std::str::from_utf8(part).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| broken("a part is not in UTF-8"))?;
    if ["<!DOCTYPE", "<!ENTITY"].iter().any(|word| contains_ignoring_case(text, word)) {
        return Err(broken("a part declares a document type, which no spreadsheet program writes"));
    }
    for name in ["uniqueCount", "si"] {
        if text
            .match_indices(name)
            .any(|(at, _)| number_after(&text[at + name.len()..]) > NUMBER_MAX)
        {
            return Err(too_large(&format!("a part states more than {NUMBER_MAX} as {name}")));
        }
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

/// Of an attribute's value right behind its name, 0 when there is none.
fn number_after(text: &str) -> u64 {
    let Some(value) = text.trim_start().strip_prefix('=') else { return 0 };
    let value =
        value.trim_start().trim_start_matches(['"', '\'']).trim_start_matches([' ', '+', '0']);
    let digits = value.bytes().take_while(u8::is_ascii_digit).take(19);
    digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}
