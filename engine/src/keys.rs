//! The keys that personal data is sealed under, one or more for each data subject.
//!
//! ```text
//! provide(subject) ──► a key, durable before anything is sealed under it
//! seal, open       ──► XChaCha20-Poly1305, a random nonce each, bound to the place
//! erase(subject)   ──► the keys made so far are destroyed, and that they were is kept
//! ```
//!
//! The rule: a key that was destroyed reads as "erased"; a key that nobody has heard of, or a seal
//! that does not fit, is an error. A lost key file is therefore noticed, and not taken for wishes of
//! people to be forgotten.
//!
//! It knows nothing of events; `seal` does.

mod entry;
mod file;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    sync::{Mutex, PoisonError, RwLock},
};

use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead, Generate, Key as Secret, KeyInit, Payload},
};
use serde::{Deserialize, Serialize};
use sixgate_storage::Position;

pub use self::file::KeysError;
use self::{
    entry::{Entry, SecretBytes},
    file::KeyFile,
};
use crate::subject::{OnePerson, Subject};

/// Whom or what sealed data is about, named as the stream of that person, supplier or procurement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DataSubject(String);

impl DataSubject {
    pub fn of_stream(stream: &str) -> Self {
        Self(stream.to_owned())
    }

    pub fn person(id: &str) -> Self {
        Self(format!("{}{id}", OnePerson::PREFIX))
    }

    /// Nobody, but everybody: the read models as they are laid aside between two runs.
    pub fn checkpoint() -> Self {
        Self("checkpoint".to_owned())
    }

    /// Erased people do not come back; a supplier or a procurement may get another contact.
    fn may_return(&self) -> bool {
        !self.0.starts_with(OnePerson::PREFIX)
    }

    /// Tells one from another without saying who it is.
    pub(crate) fn tag(&self) -> &str {
        // Ids are ASCII, and sorted by time in their front.
        self.0.get(self.0.len().saturating_sub(8)..).unwrap_or(&self.0)
    }
}

/// Names one key; it tells nothing about whose it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(String);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone)]
pub struct Key {
    id: KeyId,
    secret: Secret<XChaCha20Poly1305>,
}

const NONCE_BYTES: usize = 24;

/// The bytes are damaged, or were sealed for another place or under another key.
#[derive(Debug, thiserror::Error)]
#[error("the seal does not fit")]
pub struct Broken;

impl Key {
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// A fresh nonce, then the sealed bytes. They open at the same place only.
    pub fn seal(&self, place: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce = XNonce::generate();
        let mut bytes = nonce.to_vec();
        let sealed = XChaCha20Poly1305::new(&self.secret)
            .encrypt(&nonce, Payload { msg: plain, aad: place })
            .expect("the cipher takes up to 256 GiB at once, and an event or a checkpoint is less");
        bytes.extend(sealed);
        bytes
    }

    pub fn open(&self, place: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Broken> {
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES).ok_or(Broken)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| Broken)?;
        XChaCha20Poly1305::new(&self.secret)
            .decrypt(&nonce, Payload { msg: sealed, aad: place })
            .map_err(|_| Broken)
    }
}

/// What is known about a key.
pub enum Found {
    Key(Key),
    Destroyed,
    Unknown,
}

/// A key with what decides how long it lives.
struct Held {
    of: DataSubject,
    key: Key,
    /// Whatever is sealed under it comes later in the log, so an erasure up to here spares it.
    after: Position,
}

/// The newest erasure of a data subject, and every key that its erasures destroyed.
struct Erasure {
    at: Position,
    keys: BTreeSet<KeyId>,
}

#[derive(Default)]
struct Ring {
    held: BTreeMap<KeyId, Held>,
    /// The newest key of each data subject.
    current: BTreeMap<DataSubject, KeyId>,
    erased: BTreeMap<DataSubject, Erasure>,
    destroyed: BTreeSet<KeyId>,
    /// How often something was erased since the file was opened.
    erasures: u64,
}

/// All keys of one log, in memory and in their file.
pub struct Keys {
    ring: RwLock<Ring>,
    /// Held while the file changes, so that its lines are written one after the other.
    file: Mutex<KeyFile>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

impl Keys {
    /// Reads the file, which is created with its first key when it is absent.
    pub fn open(path: &Path) -> Result<Self, KeysError> {
        let (file, entries) = KeyFile::open(path)?;
        let mut ring = Ring::default();
        for entry in entries {
            ring.take_up(entry);
        }
        Ok(Self { ring: RwLock::new(ring), file: Mutex::new(file) })
    }

    pub fn find(&self, id: &KeyId) -> Found {
        let ring = self.read();
        match ring.held.get(id) {
            Some(held) => Found::Key(held.key.clone()),
            None if ring.destroyed.contains(id) => Found::Destroyed,
            None => Found::Unknown,
        }
    }

    /// The key that is sealed under now.
    pub(crate) fn current(&self, of: &DataSubject) -> Option<Key> {
        self.read().current(of).cloned()
    }

    /// When the subject was last erased.
    pub(crate) fn erased_at(&self, of: &DataSubject) -> Option<Position> {
        self.read().erased.get(of).map(|erasure| erasure.at)
    }

    /// Moves whenever something is erased: what was read before is then to be read anew.
    pub(crate) fn erasures(&self) -> u64 {
        self.read().erasures
    }

    /// Whether each of these has a key or will never have one again.
    pub(crate) fn are_provided<'a>(&self, mut of: impl Iterator<Item = &'a DataSubject>) -> bool {
        let ring = self.read();
        of.all(|of| ring.current(of).is_some() || ring.is_gone(of))
    }

    /// A key for each that has none, durable when this returns. `after` is a position that the log
    /// has reached already.
    pub(crate) fn provide(
        &self,
        subjects: &BTreeSet<DataSubject>,
        after: Position,
    ) -> Result<(), KeysError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh: Vec<Entry> = {
            let ring = self.read();
            let wanting = subjects
                .iter()
                .filter(|of| ring.current(of).is_none() && !ring.is_gone(of))
                .map(|of| {
                    let erased = ring.erased.get(of).map_or(Position::ZERO, |erasure| erasure.at);
                    Entry::fresh(of, after.max(erased))
                });
            wanting.collect()
        };
        if fresh.is_empty() {
            return Ok(());
        }
        file.append(&fresh)?;
        let mut ring = self.write();
        fresh.into_iter().for_each(|entry| ring.take_up(entry));
        Ok(())
    }

    /// Destroys the keys of a subject that were made before a position, and those of checkpoints
    /// with them. Says whether there was anything to destroy or to note.
    pub(crate) fn erase(&self, of: &DataSubject, at: Position) -> Result<bool, KeysError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = {
            let ring = self.read();
            let Some(entry) = ring.erasure(of, at) else { return Ok(false) };
            let mut next = ring.entries();
            next.push(entry);
            next
        };
        let mut next = Ring::default();
        for entry in entries {
            next.take_up(entry);
        }
        file.replace(&next.entries())?;
        let mut ring = self.write();
        next.erasures = ring.erasures + 1;
        *ring = next;
        Ok(true)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Ring> {
        self.ring.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Ring> {
        self.ring.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ring {
    fn take_up(&mut self, entry: Entry) {
        match entry {
            Entry::Key { key, of, after, secret } => {
                self.current.insert(of.clone(), key.clone());
                let secret = Secret::<XChaCha20Poly1305>::from(secret.0);
                let held = Held { of, key: Key { id: key.clone(), secret }, after };
                self.held.insert(key, held);
            }
            Entry::Erased { erased, at, keys } => {
                self.held.retain(|id, _| !keys.contains(id));
                self.current.retain(|_, id| !keys.contains(id));
                self.destroyed.extend(keys.iter().cloned());
                self.erased.insert(erased, Erasure { at, keys });
            }
        }
    }

    /// What a file holds that is written anew.
    fn entries(&self) -> Vec<Entry> {
        let erased = self.erased.iter().map(|(of, erasure)| Entry::Erased {
            erased: of.clone(),
            at: erasure.at,
            keys: erasure.keys.clone(),
        });
        // Key ids sort by the time of making, so the newest of a subject stays the last.
        let held = self.held.iter().map(|(id, held)| Entry::Key {
            key: id.clone(),
            of: held.of.clone(),
            after: held.after,
            secret: SecretBytes(held.key.secret.into()),
        });
        erased.chain(held).collect()
    }

    fn current(&self, of: &DataSubject) -> Option<&Key> {
        self.held.get(self.current.get(of)?).map(|held| &held.key)
    }

    fn is_gone(&self, of: &DataSubject) -> bool {
        self.erased.contains_key(of) && !of.may_return()
    }

    /// What erasing a subject changes, if anything.
    fn erasure(&self, of: &DataSubject, at: Position) -> Option<Entry> {
        let before = self.erased.get(of);
        let theirs = |held: &Held| held.of == *of && held.after < at;
        if before.is_some_and(|erasure| erasure.at >= at) && !self.held.values().any(theirs) {
            return None;
        }
        let laid_aside = DataSubject::checkpoint();
        let destroyed = self.held.iter().filter(|(_, held)| theirs(held) || held.of == laid_aside);
        let mut keys: BTreeSet<KeyId> = destroyed.map(|(id, _)| id.clone()).collect();
        keys.extend(before.iter().flat_map(|erasure| erasure.keys.iter().cloned()));
        let at = before.map_or(at, |erasure| erasure.at.max(at));
        Some(Entry::Erased { erased: of.clone(), at, keys })
    }
}
