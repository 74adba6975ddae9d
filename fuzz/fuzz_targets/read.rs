//! Any bytes, read as every kind that the first byte can name, and recognised.
//!
//! What must hold of every answer is asserted here; that nothing panics and nothing takes long, the fuzzer watches.
//! Facts are not compared with anything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sixgate_evidence::{Document, Kind, Refused, read, read_auto};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, file)) = bytes.split_first() else { return };
    let answer = match Kind::ALL.get(usize::from(*first) % (Kind::ALL.len() + 1)) {
        Some(kind) => read(*kind, file),
        None => read_auto(file),
    };
    check(&answer);
});

fn check(answer: &Result<Document, Refused>) {
    match answer {
        Ok(document) => {
            assert_eq!(document.complete, document.incomplete_because.is_none());
            assert!(document.warnings.len() < 200);
            assert!(serde_json::to_string(document).is_ok());
        }
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}
