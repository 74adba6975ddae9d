//! What most people would take: SQLite with a write-ahead log, synced at every transaction, one
//! transaction for each group, one row for each event.

use std::path::Path;

use anyhow::Context;
use rusqlite::Connection;

use super::grouped::Sink;

pub(super) struct Sqlite(Connection);

impl Sqlite {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let database = Connection::open(path)
            .with_context(|| format!("could not create {}", path.display()))?;
        database
            .execute_batch(
                "PRAGMA journal_mode = WAL;
                 PRAGMA synchronous = FULL;
                 CREATE TABLE event (position INTEGER PRIMARY KEY, data BLOB NOT NULL);",
            )
            .context("could not set up SQLite")?;
        Ok(Self(database))
    }
}

impl Sink for Sqlite {
    fn keep(&mut self, events: &[Vec<u8>]) -> anyhow::Result<()> {
        let transaction = self.0.transaction()?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO event (data) VALUES (?1)")?;
            for event in events {
                insert.execute([event])?;
            }
        }
        transaction.commit().context("could not commit to SQLite")
    }
}
