//! Opening a log: creating a new one, and refusing one that is not what was acknowledged.
//!
//! The rule: what sled lacks is taken from the journal. Then a log opens only if it still reaches its
//! high-water mark, holds the marked hash there, has no gap, and its newest commits verify.
//! Otherwise it is refused with what to do. A log that reaches beyond the mark is good: the crash
//! came between the two, and the mark is moved.
//!
//! It deliberately repairs nothing by guessing. Sled itself may rewrite its own files while it opens them, so
//! a damaged directory should be copied before anyone tries again.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

use super::database::Database;
use super::failpoint::{Point, reach};
use super::high_water::HighWater;
use super::journal::{
    self, Journal,
    disk::{Directory, Disk},
};
use super::layout::Layout;
use super::record::Totals;
use super::store::{Store, database_error, guarded};
use super::tail::Tail;
use super::verify::{self, Span};
use super::{Options, VerifyAtOpen};
use crate::{BlobStore, Error, Head, Position, files};

/// So many commits go into one batch when the journal is replayed.
const REPLAYED_AT_ONCE: usize = 256;

/// A log that may be used.
pub(crate) struct Opened {
    pub(crate) store: Store,
    pub(crate) journal: Journal,
    pub(crate) high_water: HighWater,
    pub(crate) head: Head,
    pub(crate) totals: Totals,
}

/// Opens the log in a directory, or creates one where the directory holds nothing.
pub(crate) fn open(directory: &Path, options: &Options) -> Result<Opened, Error> {
    let layout = Layout::existing_or_new(directory)?;
    let (store, mut high_water) = match layout.is_complete()? {
        true => open_existing(layout, options)?,
        false => create(layout, options)?,
    };
    expect_journal(&store, &high_water)?;
    guarded(|| recover(&store))?;
    let (head, totals) = guarded(|| check(&store, &high_water, options))?;
    store.blobs.remove_unfinished()?;
    guarded(|| {
        for commits in store.tail.all().chunks(REPLAYED_AT_ONCE) {
            store.apply(commits)?;
        }
        // What sled found may only be in the cache of the operating system after a crash of the
        // process, so it is synced before the mark says that it is there.
        store.sync()
    })?;
    store.tail.forget(head.position);
    reach(Point::AfterReplay);
    let settled = high_water.settle(head);
    settled.map_err(|source| Error::io("write the high-water mark", source))?;
    let journal = journal_files(&store.layout)?;
    let journal = Journal::begin(Box::new(journal), head.position)?;
    reach(Point::AfterBegin);
    Ok(Opened { store, journal, high_water, head, totals })
}

/// The directory of the journal, which a log of before it does not have.
fn journal_files(layout: &Layout) -> Result<Directory, Error> {
    files::create_directory(&layout.journal())?;
    Ok(Directory(layout.journal()))
}

/// A journal that was there holds what sled may not have, so its absence is a loss.
pub(crate) fn expect_journal(store: &Store, mark: &HighWater) -> Result<(), Error> {
    let expected = mark.has_journal() && mark.head() != Head::default();
    let segments = Directory(store.layout.journal()).list();
    let segments = segments.map_err(|source| Error::io("list the journal", source))?;
    match expected && segments.is_empty() {
        true => Err(Error::corrupt(
            None,
            format!("{} holds no journal", store.layout.journal().display()),
        )),
        false => Ok(()),
    }
}

/// Puts before sled what only the journal has. Where both have a commit, they must agree.
pub(crate) fn recover(store: &Store) -> Result<(), Error> {
    let (mut last, _) = store.last_held()?.unwrap_or_default();
    journal::replay(&Directory(store.layout.journal()), |frame| {
        let mut new = Vec::new();
        for commit in frame.commits {
            if commit.position <= last.position {
                let (held, _) = store.before(commit.position)?;
                if held != commit.hash {
                    let why = "the journal and the log hold different commits";
                    return Err(Error::corrupt(commit.position, why));
                }
            } else if commit.position != last.position.next() || commit.previous != last.hash {
                let why = format!(
                    "the log ends at position {} and the journal goes on at {}",
                    last.position, commit.position
                );
                return Err(Error::corrupt(last.position.next(), why));
            } else {
                last = commit.head();
                new.push(Arc::new(commit));
            }
        }
        store.tail.push(&new);
        Ok(())
    })
}

/// Opens the parts of a completely created log without judging them.
pub(crate) fn open_existing(
    layout: Layout,
    options: &Options,
) -> Result<(Store, HighWater), Error> {
    let high_water = HighWater::open(&layout.high_water())?.ok_or_else(|| {
        let path = layout.high_water();
        Error::corrupt(None, format!("{} is missing", path.display()))
    })?;
    for part in [layout.log_file(), layout.blobs()] {
        if !part.exists() {
            return Err(Error::corrupt(None, format!("{} is missing", part.display())));
        }
    }
    Ok((open_store(layout, options)?, high_water))
}

/// Creates a log, or goes on where a crash interrupted its creation.
fn create(layout: Layout, options: &Options) -> Result<(Store, HighWater), Error> {
    let begun = |what: &str, layout: &Layout| {
        let directory = layout.directory().display();
        Error::corrupt(None, format!("{directory} holds {what} but no format file"))
    };
    let path = layout.high_water();
    match HighWater::open(&path)? {
        Some(mark) if mark.head() != Head::default() => {
            return Err(begun("a high-water mark", &layout));
        }
        Some(_) => {}
        None if layout.log_file().exists() => return Err(begun("a log", &layout)),
        None => HighWater::create(&path)?,
    }
    let store = open_begun(layout, options)?;
    if guarded(|| store.last())?.is_some() {
        return Err(begun("commits", &store.layout));
    }
    guarded(|| store.sync())?;
    let conf = store.layout.log().join("conf");
    File::open(&conf)
        .and_then(|file| file.sync_all())
        .map_err(|source| Error::io(format!("sync {}", conf.display()), source))?;
    files::sync_directory(&store.layout.log())?;
    files::sync_directory(store.layout.directory())?;
    store.layout.complete()?;
    let mark = HighWater::open(&path)?;
    let mark = mark.ok_or_else(|| begun("no high-water mark", &store.layout))?;
    Ok((store, mark))
}

/// Opens a database that may have been interrupted while it made its files. Nothing was ever
/// acknowledged in it, so what cannot be read is made anew.
fn open_begun(layout: Layout, options: &Options) -> Result<Store, Error> {
    let directory = layout.directory().to_path_buf();
    match open_store(layout, options) {
        Err(Error::Corrupt { .. }) => {
            let layout = Layout::existing_or_new(&directory)?;
            let log = layout.log();
            fs::remove_dir_all(&log)
                .map_err(|source| Error::io(format!("remove {}", log.display()), source))?;
            open_store(layout, options)
        }
        opened => opened,
    }
}

fn open_store(layout: Layout, options: &Options) -> Result<Store, Error> {
    layout.wait_until_closed()?;
    remove_unfinished_snapshots(&layout)?;
    let database = guarded(|| {
        ::sled::Config::new()
            .path(layout.log())
            .cache_capacity(options.cache_bytes)
            .flush_every_ms(None)
            .use_compression(false)
            .open()
            .map(Database::new)
            .map_err(|error| open_error(&layout, error))
    })?;
    let path = layout.log_file();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|source| Error::io(format!("open {}", path.display()), source))?;
    Ok(Store {
        database,
        tail: Tail::default(),
        file,
        blobs: BlobStore::open(layout.blobs())?,
        layout,
    })
}

/// Removes the snapshots that sled was writing when a crash came. A finished one has another name;
/// sled itself would take the unfinished one for the newest and refuse to open.
fn remove_unfinished_snapshots(layout: &Layout) -> Result<(), Error> {
    for entry in files::list(&layout.log())? {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            let removed = fs::remove_file(entry.path());
            removed.map_err(|source| {
                Error::io(format!("remove {}", entry.path().display()), source)
            })?;
        }
    }
    Ok(())
}

/// Sled reports its lock, and much damage, as an error of the operating system without a number.
fn open_error(layout: &Layout, error: ::sled::Error) -> Error {
    match error {
        ::sled::Error::Io(source) if source.to_string().contains("could not acquire lock") => {
            Error::Busy { directory: layout.directory().to_path_buf() }
        }
        ::sled::Error::Io(source) if source.raw_os_error().is_none() => {
            Error::corrupt(None, format!("the database does not open: {source}"))
        }
        ::sled::Error::Io(_)
        | ::sled::Error::Corruption { .. }
        | ::sled::Error::CollectionNotFound(_)
        | ::sled::Error::Unsupported(_)
        | ::sled::Error::ReportableBug(_) => database_error("open the log", error),
    }
}

fn check(store: &Store, mark: &HighWater, options: &Options) -> Result<(Head, Totals), Error> {
    let (head, totals) = store.last()?.unwrap_or_default();
    verify::reaches_mark(store, head, mark.head())?;
    let after = match options.verify_at_open {
        VerifyAtOpen::Whole => 0,
        VerifyAtOpen::Newest(commits) => head.position.0.saturating_sub(commits),
    };
    let mut span = Span::new(store, Position(after), head)?;
    while span.step()?.is_some() {}
    span.finish(true)?;
    Ok((head, totals))
}
