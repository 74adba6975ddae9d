//! A line of the key file: a key, or that keys were destroyed.

use std::collections::BTreeSet;

use chacha20poly1305::{
    XChaCha20Poly1305,
    aead::{Generate, Key as Secret},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sixgate_storage::Position;

use super::{DataSubject, KeyId};
use crate::ids;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Key { key: KeyId, of: DataSubject, after: Position, secret: SecretBytes },
    Erased { erased: DataSubject, at: Position, keys: BTreeSet<KeyId> },
}

/// 32 bytes, written as hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct SecretBytes(pub(super) [u8; 32]);

impl TryFrom<String> for SecretBytes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let wrong = "a secret is 64 hexadecimal digits";
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong);
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| wrong)?;
        }
        Ok(Self(bytes))
    }
}

impl From<SecretBytes> for String {
    fn from(secret: SecretBytes) -> Self {
        secret.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Entry {
    pub(super) fn fresh(of: &DataSubject, after: Position) -> Self {
        let secret = Secret::<XChaCha20Poly1305>::generate();
        Self::Key {
            key: KeyId(ids::fresh().simple().to_string()),
            of: of.clone(),
            after,
            secret: SecretBytes(secret.into()),
        }
    }

    /// The entry behind its checksum, so that damage is not taken for a key.
    pub(super) fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("ids, numbers and digits are JSON");
        format!("{} {json}\n", checksum(&json))
    }

    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (sum, json) = line.split_once(' ').ok_or("it has no checksum")?;
        if checksum(json) != sum {
            return Err("its checksum does not fit".to_owned());
        }
        serde_json::from_str(json).map_err(|error| error.to_string())
    }
}

fn checksum(json: &str) -> String {
    Sha256::digest(json.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
