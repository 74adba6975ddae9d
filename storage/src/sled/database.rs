//! Sled's handle, which may fall over even when it is let go.
//!
//! The rule: sled syncs its file when its last handle is dropped, and panics where that fails. What
//! matters was synced before, so the panic is told and goes no further.

use std::ops::Deref;

use ::sled::Db;

use super::store::guarded;

#[derive(Debug)]
pub(crate) struct Database(Option<Db>);

impl Database {
    pub(crate) fn new(database: Db) -> Self {
        Self(Some(database))
    }
}

impl Deref for Database {
    type Target = Db;

    fn deref(&self) -> &Db {
        self.0.as_ref().expect("the handle is there until it is dropped")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let database = self.0.take();
        let closing = guarded(|| {
            drop(database);
            Ok(())
        });
        if let Err(error) = closing {
            tracing::error!(error = %error, "the database did not close cleanly");
        }
    }
}
