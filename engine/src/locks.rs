//! One at a time per key, within this process.
//!
//! It spares conflicts between our own writers; between processes the expected revision decides.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

#[derive(Debug)]
pub(crate) struct Locks<K> {
    known: Mutex<HashMap<K, Weak<AsyncMutex<()>>>>,
}

impl<K> Default for Locks<K> {
    fn default() -> Self {
        Self { known: Mutex::new(HashMap::new()) }
    }
}

/// Above this many keys the unused ones are swept out.
const KEYS_BEFORE_SWEEP: usize = 1_024;

impl<K: Eq + Hash> Locks<K> {
    pub(crate) async fn lock(&self, key: K) -> OwnedMutexGuard<()> {
        let lock = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() > KEYS_BEFORE_SWEEP {
                known.retain(|_, lock| lock.strong_count() > 0);
            }
            let kept = known.entry(key).or_default();
            kept.upgrade().unwrap_or_else(|| {
                let fresh = Arc::new(AsyncMutex::new(()));
                *kept = Arc::downgrade(&fresh);
                fresh
            })
        };
        lock.lock_owned().await
    }
}
