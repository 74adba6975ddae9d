//! The one place that turns the bytes of a foreign file into clean lines.
//!
//! Rule: every reader sees UTF-8, `\n` line ends, no colour codes and no launcher prefixes, and the warnings say what
//! was changed.
//! It knows nothing about any kind of file, and it unpacks no archives.

mod colours;
mod encoding;
mod launcher;
mod lines;

pub(crate) use lines::Lines;

use crate::{Refused, Warning};
use std::borrow::Cow;
use std::collections::HashMap;

pub(crate) const SIZE_BYTES_MAX: usize = 64 * 1024 * 1024;
pub(crate) const LINE_BYTES_MAX: usize = 256 * 1024;

/// A file that is held as a whole, for formats that are not made of lines.
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
    /// In the order of the lines.
    of_lines: Vec<Prefix>,
}

struct Prefix {
    line: u64,
    /// Place in `distinct`.
    process: usize,
    stamp: String,
}

#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) number: u64,
    pub(crate) text: &'a str,
    /// What tells the lines of two processes apart; empty without a launcher.
    pub(crate) prefix: &'a str,
    /// The time that a collector of logs put before the line, as it stands.
    pub(crate) stamp: &'a str,
}

impl Text {
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Refused> {
        if bytes.len() > SIZE_BYTES_MAX {
            return Err(Refused::new(
                "too_large",
                format!("the file has more than the {SIZE_BYTES_MAX} bytes that are read"),
                "cut it to the part that matters",
            ));
        }
        let mut lines = Lines::of_stream(bytes, SIZE_BYTES_MAX * 2);
        let mut content = String::with_capacity(bytes.len());
        let mut prefixes = Prefixes::default();
        let mut known = HashMap::new();
        while let Some(line) = lines.next()? {
            content.push_str(line.text);
            content.push('\n');
            if line.prefix.is_empty() && line.stamp.is_empty() {
                continue;
            }
            let process = *known.entry(line.prefix.to_owned()).or_insert_with_key(|process| {
                prefixes.distinct.push(process.clone());
                prefixes.distinct.len() - 1
            });
            let stamp = line.stamp.to_owned();
            prefixes.of_lines.push(Prefix { line: line.number, process, stamp });
        }
        let ends_with_newline = lines.ends_with_newline();
        if !ends_with_newline {
            content.pop();
        }
        if content.trim().is_empty() {
            return Err(Refused::new(
                "empty",
                "the file is empty",
                "run the tool again and keep its output",
            ));
        }
        Ok(Self { content, prefixes, ends_with_newline, warnings: lines.warnings() })
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
        (1u64..).zip(self.content.split_terminator('\n')).map(move |(number, text)| {
            let known = prefixes.next_if(|prefix| prefix.line == number);
            let prefix = known.map_or("", |prefix| &self.prefixes.distinct[prefix.process]);
            let stamp = known.map_or("", |prefix| &prefix.stamp);
            Line { number, text, prefix, stamp }
        })
    }

    /// For readers that work line by line; JSON on one line is bounded by the size of the file alone.
    pub(crate) fn refuse_long_lines(&self) -> Result<(), Refused> {
        match self.lines().find(|line| line.text.len() > LINE_BYTES_MAX) {
            None => Ok(()),
            Some(line) => Err(line_too_long(line.number, LINE_BYTES_MAX)),
        }
    }
}

/// For tools that mix the output of several processes within a line.
pub(crate) fn without_middle_tags(line: &str) -> Cow<'_, str> {
    launcher::without_middle_tags(line)
}

fn line_too_long(number: u64, bytes_max: usize) -> Refused {
    Refused::new(
        "line_too_long",
        format!("a line has more than {bytes_max} bytes"),
        "upload the unchanged output of the tool",
    )
    .on_line(number)
}

#[cfg(test)]
mod tests {
    use super::{Lines, Text};
    use std::io::Read;

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

    /// Hands out a few bytes at a time, as a pipe may.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let few = into.len().min(7);
            self.0.read(&mut into[..few])
        }
    }

    #[test]
    fn a_stream_gives_the_same_lines_as_a_held_text() {
        let windows: String = (0..9000).map(|at| format!("{at}, 卡 {at}\r\n")).collect();
        for bytes in [
            windows.clone().into_bytes(),
            utf16(&format!("\u{feff}{windows}"), true),
            encoding_rs::GB18030.encode(&windows).0.into_owned(),
            b"a\rb\r\r\nc".to_vec(),
        ] {
            let text = Text::decode(&bytes).unwrap();
            let held: Vec<String> = text.lines().map(|line| line.text.to_owned()).collect();
            let mut lines = Lines::of_stream(Drops(&bytes), 1000);
            let mut streamed = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                streamed.push(line.text.to_owned());
            }
            assert_eq!(streamed, held);
            assert_eq!(lines.ends_with_newline(), text.ends_with_newline());
            let mut read = String::new();
            Lines::of_stream(Drops(&bytes), 1000).read_to_string(&mut read).unwrap();
            assert_eq!(read, text.content());
        }
    }

    #[test]
    fn a_stream_without_line_ends_is_refused_before_it_fills_the_memory() {
        let mut lines = Lines::of_stream(std::io::repeat(b'x').take(1 << 30), 1000);
        assert_eq!(lines.next().err().unwrap().code(), "line_too_long");
    }

    #[test]
    fn a_time_before_a_line_is_kept_apart_from_the_process() {
        let text = Text::decode(b"2026-03-02T09:15:10Z [1,3]<stdout>:# ok\n").unwrap();
        let line = text.lines().next().unwrap();
        assert_eq!(
            (line.text, line.prefix, line.stamp),
            ("# ok", "[1,3]<stdout>:", "2026-03-02T09:15:10Z")
        );
    }
}
