//! Every reader against files of every kind, whole, cut and damaged.
//!
//! `SIXGATE_MUTATIONS` sets how many damaged files are tried; without it there are few, so that the test is quick.

use crate::fixtures::{all, whole_until_its_end};
use proptest::prelude::*;
use sixgate_evidence::{Document, Kind, read, read_auto, read_auto_from, read_from};
use std::fmt::Write;

fn checked(document: &Document) {
    assert_eq!(document.complete, document.incomplete_because.is_none());
    assert!(document.warnings.len() < 200, "warnings are bounded");
    serde_json::to_string(document).unwrap();
}

/// Every kind, and recognised.
fn read_every_way(bytes: &[u8]) {
    for kind in Kind::ALL {
        let held = read(kind, bytes);
        if let Ok(document) = &held {
            assert_eq!(document.kind, kind);
            checked(document);
        }
    }
    match read_auto(bytes) {
        Ok(document) => checked(&document),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

#[test]
fn every_file_is_recognised_as_its_kind_and_whole() {
    for (kind, text) in all() {
        let document =
            read_auto(text.as_bytes()).unwrap_or_else(|refused| panic!("{kind}: {refused}"));
        assert_eq!(document.kind, kind, "{text}");
        assert!(document.complete, "{kind}: {:?}\n{text}", document.incomplete_because);
    }
}

#[test]
fn every_kind_refuses_the_files_of_the_others() {
    for (own, text) in all() {
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != own) {
            assert!(read(kind, text.as_bytes()).is_err(), "{own} was read as {kind}:\n{text}");
        }
    }
}

#[test]
fn a_file_cut_anywhere_before_its_end_marker_is_never_whole() {
    for (kind, text, marker) in whole_until_its_end() {
        let end = text.rfind(marker).unwrap();
        for cut in (0..=end).filter(|cut| text.is_char_boundary(*cut)) {
            if let Ok(document) = read(kind, &text.as_bytes()[..cut]) {
                assert!(!document.complete, "{kind} cut at {cut}:\n{}", &text[..cut]);
            }
        }
    }
}

#[test]
fn windows_colours_and_launchers_change_no_fact() {
    for (kind, text) in all() {
        let facts = |bytes: &[u8]| {
            let document = read(kind, bytes).unwrap_or_else(|refused| panic!("{kind}: {refused}"));
            document.facts
        };
        let plain = facts(text.as_bytes());
        let lines = |before: &str, after: &str| {
            let mut changed = String::new();
            for line in text.lines() {
                writeln!(changed, "{before}{line}{after}").unwrap();
            }
            changed
        };
        let utf16: Vec<u8> = format!("\u{feff}{}", lines("", "\r"))
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(facts(&utf16), plain, "{kind} as UTF-16");
        for changed in [
            lines("\u{1b}[32m", "\u{1b}[0m"),
            lines("[1,0]<stdout>:", ""),
            lines("(head, rank=0, pid=3808) ", ""),
            lines("0: ", ""),
            lines("[0] ", ""),
            lines("bench-1  | ", ""),
        ] {
            // A short list is too little to tell a habit from content.
            if text.lines().count() > 3 {
                assert_eq!(facts(changed.as_bytes()), plain, "{kind}:\n{changed}");
            }
        }
    }
}

#[test]
fn a_stream_and_a_held_file_give_the_same_document() {
    let streamed = [
        (Kind::GpuInventory, crate::fixtures::INVENTORY),
        (Kind::NcclTests, crate::fixtures::NCCL),
        (Kind::KernelLog, crate::fixtures::KERNEL),
    ];
    for (kind, text) in streamed {
        let long = text.repeat(2 + 1_100_000 / text.len());
        for text in [text, &long] {
            let held = read(kind, text.as_bytes());
            assert_eq!(read_from(kind, text.as_bytes()), held, "{kind}");
            if let Ok(document) = read_auto_from(text.as_bytes()) {
                assert_eq!(Ok(document), held, "{kind}");
            }
        }
    }
}

const NUMBERS: [&str; 8] =
    ["-1", "0", "1e308", "1e999", "99999999999999999999999", "NaN", "-nan", "18446744073709551615"];
const SPLICES: [&str; 10] =
    ["{", "[[[[[[[[", "}", "\"", "<gpu>", "\u{1b}[", "\r", ",,,,,,", "\u{0}", "[GPU is lost]"];

#[derive(Debug, Clone)]
enum Damage {
    Byte(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    DropLine(prop::sample::Index),
    RepeatLine(prop::sample::Index, usize),
    SwapLines(prop::sample::Index, prop::sample::Index),
    Number(prop::sample::Index, &'static str),
    Splice(prop::sample::Index, &'static str),
    Nest(prop::sample::Index, usize),
    With(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        at().prop_map(Damage::Cut),
        at().prop_map(Damage::DropLine),
        (at(), 1..400usize).prop_map(|(at, times)| Damage::RepeatLine(at, times)),
        (at(), at()).prop_map(|(one, other)| Damage::SwapLines(one, other)),
        (at(), prop::sample::select(&NUMBERS[..]))
            .prop_map(|(at, number)| Damage::Number(at, number)),
        (at(), prop::sample::select(&SPLICES[..])).prop_map(|(at, text)| Damage::Splice(at, text)),
        (at(), 1..5000usize).prop_map(|(at, depth)| Damage::Nest(at, depth)),
        at().prop_map(Damage::With),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let files = all();
    let mut bytes = text.as_bytes().to_vec();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let size = bytes.len();
        let mut lines: Vec<Vec<u8>> =
            bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let last = lines.len();
        match damage {
            Damage::Byte(at, byte) => bytes[at.index(size)] = *byte,
            Damage::Cut(at) => bytes.truncate(at.index(size)),
            Damage::DropLine(at) => {
                lines.remove(at.index(last));
                bytes = lines.concat();
            }
            Damage::RepeatLine(at, times) => {
                let at = at.index(last);
                // Several such damages must not multiply into gigabytes.
                lines[at] = lines[at].repeat((*times).min(1 + 100_000 / size));
                bytes = lines.concat();
            }
            Damage::SwapLines(one, other) => {
                lines.swap(one.index(last), other.index(last));
                bytes = lines.concat();
            }
            Damage::Number(at, number) => replace_number(&mut bytes, at.index(size), number),
            Damage::Splice(at, text) => {
                let at = at.index(size);
                bytes.splice(at..at, text.bytes());
            }
            Damage::Nest(at, depth) => {
                let at = at.index(size);
                bytes.splice(at..at, "{\"a\":[".repeat(*depth).into_bytes());
            }
            Damage::With(which) => bytes.extend(which.get(&files).1.as_bytes()),
        }
    }
    bytes
}

/// The first number at or behind the place.
fn replace_number(bytes: &mut Vec<u8>, at: usize, number: &str) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let Some(start) = bytes[at..].iter().position(is_part).map(|found| at + found) else { return };
    let length = bytes[start..].iter().take_while(|byte| is_part(byte)).count();
    bytes.splice(start..start + length, number.bytes());
}

fn cases() -> u32 {
    std::env::var("SIXGATE_MUTATIONS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(192)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic(
        which in any::<prop::sample::Index>(),
        damages in proptest::collection::vec(damage(), 1..6),
    ) {
        let (_, text) = which.get(&all()).clone();
        read_every_way(&damaged(&text, &damages));
    }

    #[test]
    fn a_damaged_file_that_is_then_cut_before_its_end_is_never_whole(
        which in any::<prop::sample::Index>(),
        damages in proptest::collection::vec(damage_of_values(), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let files = whole_until_its_end();
        let (kind, text, marker) = which.get(&files);
        let body = &text[..text.rfind(marker).unwrap()];
        let mut bytes = damaged(body, &damages);
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Ok(document) = read(*kind, &bytes) {
            prop_assert!(!document.complete, "{kind}:\n{}", String::from_utf8_lossy(&bytes));
        }
    }
}

/// Damage that cannot make an end marker of something else.
fn damage_of_values() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    (at(), prop::sample::select(&NUMBERS[..])).prop_map(|(at, number)| Damage::Number(at, number))
}
