//! What is no file of a kind, and that nothing makes a reader panic.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use proptest::prelude::*;
use sixgate_evidence::{Kind, read, read_auto};
use std::path::{Path, PathBuf};

fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_in(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn samples() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for folder in ["../src/demo/input", "tests/fixtures"] {
        files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    files.sort();
    // The head of a file has its form; whole files would only make the property slow.
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .map(|mut bytes| {
            bytes.truncate(4000);
            bytes
        })
        .collect()
}

fn read_every_way(bytes: &[u8]) {
    for kind in Kind::ALL {
        if let Ok(document) = read(kind, bytes) {
            assert_eq!(document.kind, kind);
            assert_eq!(document.complete, document.incomplete_because.is_none());
            assert!(serde_json::to_string(&document).is_ok());
        }
    }
    if let Err(refused) = read_auto(bytes) {
        assert!(!refused.to_string().is_empty());
    }
}

#[test]
fn prose_and_foreign_tables_are_refused_with_what_was_tried() {
    for text in [
        "Dear supplier, please quote.\n",
        "a,b,c\n1,2,3\n",
        "{\"a\": 1}",
        "[package]\nname = \"x\"\n",
    ] {
        let refused = read_auto(text.as_bytes()).unwrap_err();
        assert_eq!(
            (refused.code(), refused.tried().len()),
            ("unrecognised", Kind::ALL.len()),
            "{text}"
        );
        assert!(refused.to_string().contains("tried: gpu-inventory"));
    }
}

#[test]
fn an_empty_file_is_refused() {
    for bytes in [&b""[..], b"\n\n", b"\xff\xfe"] {
        assert_eq!(read_auto(bytes).unwrap_err().code(), "empty");
    }
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let brief = "【用途】微调\n【地域】华东\n".as_bytes();
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Brief) {
        assert_eq!(read(kind, brief).unwrap_err().code(), "not_this_kind", "{kind}");
    }
}

#[test]
fn kind_names_read_back() {
    for kind in Kind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    assert!("auto".parse::<Kind>().is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read_every_way(&bytes);
    }

    #[test]
    fn arbitrary_briefs_never_panic(text in "(【(用途|模型与并行|卡型与数量|互联|存储|环境|周期与负载|联系人)】[0-9A-Za-z约～，。（）/ 张年月日%x.\\-]{0,40}\n){1,6}") {
        read_every_way(text.as_bytes());
    }

    #[test]
    fn damaged_files_never_panic(
        which in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        twice in any::<bool>(),
    ) {
        let samples = samples();
        let mut bytes = which.get(&samples).clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1).max(bytes.len() / 2));
        if twice {
            bytes.extend_from_within(..);
        }
        read_every_way(&bytes);
    }
}
