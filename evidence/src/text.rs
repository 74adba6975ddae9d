//! The one place that turns the bytes of a foreign file into clean lines.
//!
//! Rule: every reader sees UTF-8, `\n` line ends, no colour codes and no launcher prefixes, and the warnings say what
//! was changed.
//! It knows nothing about any kind of file, and it unpacks no archives.

mod encoding;
mod launcher;

use crate::{Refused, Warning};
use std::borrow::Cow;
use std::collections::HashMap;

const SIZE_BYTES_MAX: usize = 64 * 1024 * 1024;
const LINE_BYTES_MAX: usize = 256 * 1024;

pub(crate) struct Text {
    content: String,
    prefixes: Prefixes,
    ends_with_newline: bool,
    warnings: Vec<Warning>,
}

/// What a launcher wrote before each line; two programs in one log differ here.
#[derive(Default)]
struct Prefixes {
    distinct: Vec<String>,
    /// Line number and place in `distinct`, in the order of the lines.
    of_lines: Vec<(u64, usize)>,
}

#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) number: u64,
    pub(crate) text: &'a str,
    pub(crate) prefix: &'a str,
}

impl Text {
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Refused> {
        if bytes.len() > SIZE_BYTES_MAX {
            return Err(Refused::new(
                "too_large",
                format!(
                    "the file has {} bytes, more than the {SIZE_BYTES_MAX} that are read",
                    bytes.len()
                ),
                "cut it to the part that matters",
            ));
        }
        let mut warnings = Vec::new();
        let decoded = encoding::decode(bytes, &mut warnings)?;
        let text = Self::from_decoded(&decoded, warnings);
        if text.content.trim().is_empty() {
            return Err(Refused::new(
                "empty",
                "the file is empty",
                "run the tool again and keep its output",
            ));
        }
        Ok(text)
    }

    fn from_decoded(decoded: &str, mut warnings: Vec<Warning>) -> Self {
        let unified: Cow<'_, str> = if decoded.contains('\r') {
            Cow::Owned(decoded.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Cow::Borrowed(decoded)
        };
        let mut content = String::with_capacity(unified.len());
        let mut prefixes = Prefixes::default();
        let mut known = HashMap::new();
        let mut colours_on = None;
        for (number, raw) in (1u64..).zip(unified.split('\n')) {
            let plain = launcher::without_colours(raw.trim_start_matches('\u{feff}'));
            if matches!(plain, Cow::Owned(_)) && colours_on.is_none() {
                colours_on = Some(number);
            }
            let (prefix, rest) = launcher::split_prefix(&plain);
            if !prefix.is_empty() {
                let at = *known.entry(prefix.trim().to_owned()).or_insert_with_key(|prefix| {
                    prefixes.distinct.push(prefix.clone());
                    prefixes.distinct.len() - 1
                });
                prefixes.of_lines.push((number, at));
            }
            if number > 1 {
                content.push('\n');
            }
            content.push_str(rest);
        }
        if let Some(line) = colours_on {
            warnings.push(Warning::at("colours_stripped", line, "colour codes were taken out"));
        }
        if let Some((line, _)) = prefixes.of_lines.first() {
            let count = prefixes.of_lines.len();
            let said = format!("launcher prefixes were taken off {count} lines");
            warnings.push(Warning::at("prefix_stripped", *line, said));
        }
        Self { ends_with_newline: content.ends_with('\n'), content, prefixes, warnings }
    }

    /// The whole text, for formats that are not made of lines.
    pub(crate) fn content(&self) -> &str {
        &self.content
    }

    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// A file whose last line does not end may have been cut in that line.
    pub(crate) fn ends_with_newline(&self) -> bool {
        self.ends_with_newline
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut prefixes = self.prefixes.of_lines.iter().peekable();
        (1u64..).zip(self.content.split('\n')).map(move |(number, text)| {
            let prefix = prefixes.next_if(|(line, _)| *line == number);
            let prefix = prefix.map_or("", |(_, at)| &self.prefixes.distinct[*at]);
            Line { number, text, prefix }
        })
    }

    /// For readers that work line by line; JSON on one line is bounded by the size of the file alone.
    pub(crate) fn refuse_long_lines(&self) -> Result<(), Refused> {
        match self.lines().find(|line| line.text.len() > LINE_BYTES_MAX) {
            None => Ok(()),
            Some(line) => Err(Refused::new(
                "line_too_long",
                format!("a line has {} bytes, more than {LINE_BYTES_MAX}", line.text.len()),
                "upload the unchanged output of the tool",
            )
            .on_line(line.number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    fn content(bytes: &[u8]) -> String {
        Text::decode(bytes).unwrap().content().to_owned()
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    }

    #[test]
    fn every_line_end_becomes_one() {
        assert_eq!(content(b"a\r\nb\rc\nd"), "a\nb\nc\nd");
    }

    #[test]
    fn utf16_is_read_with_and_without_a_mark() {
        for mark in ["\u{feff}", ""] {
            for little in [true, false] {
                let bytes = utf16(&format!("{mark}index, name\r\n0, 卡\r\n"), little);
                assert_eq!(content(&bytes), "index, name\n0, 卡\n", "{mark:?} {little}");
            }
        }
    }

    #[test]
    fn two_marks_are_stripped() {
        assert_eq!(content("\u{feff}\u{feff}a,b\n\u{feff}1,2\n".as_bytes()), "a,b\n1,2\n");
    }

    #[test]
    fn chinese_windows_text_is_read() {
        let (bytes, _, _) = encoding_rs::GB18030.encode("【用途】微调");
        assert_eq!(content(&bytes), "【用途】微调");
    }

    #[test]
    fn a_character_cut_at_the_end_is_dropped() {
        let bytes = "微调".as_bytes();
        let text = Text::decode(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(text.content(), "微");
        assert_eq!(text.warnings()[0].code, "character_cut");
    }

    #[test]
    fn colours_and_prefixes_are_taken_off() {
        let text =
            Text::decode(b"(head, rank=0, pid=3) [1,0]<stdout>:\x1b[32m# ok\x1b[0m\n").unwrap();
        assert_eq!(text.content(), "# ok\n");
        let codes: Vec<_> = text.warnings().iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["colours_stripped", "prefix_stripped"]);
    }

    #[test]
    fn binary_and_empty_files_are_refused() {
        let code = |bytes: &[u8]| Text::decode(bytes).err().unwrap().code();
        assert_eq!(code(b""), "empty");
        assert_eq!(code(b"\xef\xbb\xbf \r\n"), "empty");
        assert_eq!(code(b"PK\x03\x04\x00\x00\x00\x00"), "not_text");
        assert_eq!(code(&[0, 0, 0, 0, 1, 2, 3, 0, 0]), "not_text");
    }
}
