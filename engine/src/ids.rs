//! The one place where ids and secrets are made.

use sha2::{Digest, Sha256};
use sixgate_workflows::evidence::ContentHash;
use uuid::Uuid;

/// Sortable by the time of making, so that lists read in the order things were begun.
#[expect(clippy::disallowed_methods, reason = "ids are made here and nowhere else")]
pub fn fresh() -> Uuid {
    Uuid::now_v7()
}

/// An access token: shown once to its owner, known to the log only by its hash.
#[expect(clippy::disallowed_methods, reason = "ids are made here and nowhere else")]
pub fn fresh_token() -> String {
    // Two random UUIDs carry 244 random bits from the operating system.
    format!("sg_{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

/// SHA-256 in the form that events carry.
pub fn content_hash(bytes: &[u8]) -> ContentHash {
    let hexadecimal: String =
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    ContentHash::new(&hexadecimal).expect("64 hexadecimal digits are a content hash")
}
