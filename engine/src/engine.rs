//! The runtime put together: one log, one set of read models, one clock.
//!
//! What has been appended is visible in the read models before the caller of a command hears of it.
//! When the log cannot be followed any further, the engine says so and takes no more commands.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono_tz::Tz;
use sixgate_storage::{BlobStore, Commit, EventLog, Position};
use sixgate_workflows::{
    context::{Actor, Context},
    gate::Moment,
    ids::CommandId,
    personal,
};
use tokio::{
    sync::{Mutex as AsyncMutex, watch},
    task::JoinHandle,
};

use crate::{
    access::{self, Viewer},
    checkpoint::{self, CheckpointUnsaved},
    clock::Clock,
    error::Error,
    files::Uploads,
    keys::{DataSubject, Keys},
    locks::Locks,
    mail::Transport,
    outbox::breaker::Breaker,
    projection::Views,
    record,
    subject::{Subject, ThePolicy},
};

#[derive(Clone, Debug)]
pub struct Settings {
    /// The organisation's zone: what "today" and nine o'clock mean.
    pub zone: Tz,
    pub sender_name: String,
    pub sender_address: String,
    /// Where people reach this house's pages, such as `https://sixgate.example`; without it letters
    /// have no links.
    pub public_url: Option<String>,
    /// Where checkpoints are kept; without it every start builds the views from the log.
    pub checkpoints: Option<PathBuf>,
    /// Of this engine among several on one log; the same after a restart, so that it knows its own
    /// interrupted attempts.
    pub instance: String,
}

pub struct Parts {
    pub log: Arc<dyn EventLog>,
    pub blobs: Arc<BlobStore>,
    pub clock: Arc<dyn Clock>,
    pub transport: Transport,
    /// Of the personal data in this log.
    pub keys: Arc<Keys>,
    pub settings: Settings,
}

pub struct Engine {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) blobs: Arc<BlobStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) transport: Transport,
    pub(crate) keys: Arc<Keys>,
    pub(crate) settings: Settings,
    /// What `Keys::erasures` was when the views were begun.
    erasures: AtomicU64,
    views: RwLock<Views>,
    /// Held while commits are read and applied, so that they are applied in order.
    following: AsyncMutex<()>,
    moved: watch::Sender<Position>,
    pub(crate) uploads: Uploads,
    pub(crate) commands_under_way: Locks<CommandId>,
    pub(crate) streams_under_way: Locks<String>,
    pub(crate) breaker: Mutex<Breaker>,
}

/// Commits taken from the log at a time while following it.
const PAGE_COMMITS: usize = 1_000;

impl Engine {
    /// Loads the newest checkpoint that belongs to the log and follows the log to its head.
    pub async fn open(parts: Parts) -> Result<Arc<Self>, Error> {
        let erasures = parts.keys.erasures();
        let views = match &parts.settings.checkpoints {
            Some(directory) => {
                checkpoint::load(directory, parts.settings.zone, &parts.keys, &*parts.log).await?
            }
            None => Views::default(),
        };
        let engine = Arc::new(Self {
            log: parts.log,
            blobs: parts.blobs,
            clock: parts.clock,
            transport: parts.transport,
            keys: parts.keys,
            settings: parts.settings,
            erasures: AtomicU64::new(erasures),
            moved: watch::Sender::new(views.position),
            views: RwLock::new(views),
            following: AsyncMutex::new(()),
            uploads: Uploads::default(),
            commands_under_way: Locks::default(),
            streams_under_way: Locks::default(),
            breaker: Mutex::default(),
        });
        engine.catch_up().await?;
        engine.settle_interrupted_letters().await?;
        Ok(engine)
    }

    /// Applies everything that the log has acknowledged, whoever appended it. Nothing is decided
    /// before this, so a log that cannot be followed takes no more commands.
    pub(crate) async fn catch_up(&self) -> Result<(), Error> {
        let head = self.log.head().await?.position;
        self.follow_to(head).await
    }

    /// Applies everything up to a position that the log has acknowledged.
    pub async fn follow_to(&self, position: Position) -> Result<(), Error> {
        if self.views().position >= position {
            return Ok(());
        }
        let _following = self.following.lock().await;
        let after = self.views().position;
        if after >= position {
            return Ok(());
        }
        let mut page = self.page(after);
        loop {
            let after = self.views().position;
            let commits = page.await.map_err(broken_off)??;
            let Some(last) = commits.last().map(|commit| commit.position) else {
                return Err(Error::Gap { after: after.0, found: position.0 });
            };
            // The next page is read while this one is applied.
            let next = (last < position).then(|| self.page(last));
            self.carry_out_erasures(&commits).await?;
            let erasures = self.keys.erasures();
            let reached = if erasures == self.erasures.load(Ordering::Acquire) {
                let mut views = self.views.write().unwrap_or_else(PoisonError::into_inner);
                for commit in &commits {
                    views.apply(commit, self.settings.zone, &self.keys)?;
                }
                views.position
            } else {
                // What was read with a key that is gone can be in any view, so all are built anew.
                let until = commits.last().map_or(after, |commit| commit.position);
                let fresh = self.built(until).await?;
                *self.views.write().unwrap_or_else(PoisonError::into_inner) = fresh;
                self.erasures.store(erasures, Ordering::Release);
                until
            };
            self.moved.send_replace(reached);
            match next {
                Some(next) => page = next,
                None => return Ok(()),
            }
        }
    }

    /// Reads on behind a position, in a task that holds the log until it is done.
    fn page(&self, after: Position) -> JoinHandle<Result<Vec<Commit>, sixgate_storage::Error>> {
        let log = Arc::clone(&self.log);
        tokio::spawn(async move { log.read_all(after, PAGE_COMMITS).await })
    }

    /// The read models as they are now. Held only for as long as something is read from them.
    pub fn views(&self) -> RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The position that the read models have reached, now and whenever it moves.
    pub fn moved(&self) -> watch::Receiver<Position> {
        self.moved.subscribe()
    }

    pub fn moment(&self) -> Moment {
        Moment { now: self.clock.now(), zone: self.settings.zone }
    }

    /// The clock that everything here is told the time by.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub fn zone(&self) -> Tz {
        self.settings.zone
    }

    pub fn log(&self) -> &dyn EventLog {
        &*self.log
    }

    /// Who holds this token now, if anybody.
    pub fn viewer(&self, token: &str) -> Option<Viewer> {
        access::viewer_of(&self.views(), token, self.clock.now(), self.settings.zone)
    }

    /// The same viewer as of now; `None` once the token or the person has been withdrawn.
    pub fn refreshed(&self, viewer: &Viewer) -> Option<Viewer> {
        access::refreshed(&self.views(), viewer, self.clock.now(), self.settings.zone)
    }

    /// Stores a checkpoint, so that the next start need not replay.
    pub fn save_checkpoint(&self) -> Result<(), CheckpointUnsaved> {
        match &self.settings.checkpoints {
            Some(directory) => {
                // The key comes first: an erasure from here on destroys it, and with it what is
                // written below.
                let key = checkpoint::key(&self.keys, self.views().position)?;
                if self.keys.erasures() != self.erasures.load(Ordering::Acquire) {
                    return Ok(());
                }
                // A copy, so that commands need not wait for the disk.
                let views = self.views().clone();
                Ok(checkpoint::save(directory, self.settings.zone, &key, &views)?)
            }
            None => Ok(()),
        }
    }

    /// The views built from the first commit on, for comparing with those kept up to date.
    pub async fn rebuilt(&self) -> Result<Views, Error> {
        let head = self.log.head().await?.position;
        self.built(head).await
    }

    async fn built(&self, until: Position) -> Result<Views, Error> {
        let mut views = Views::default();
        while views.position < until {
            let commits = self.log.read_all(views.position, PAGE_COMMITS).await?;
            if commits.is_empty() {
                return Err(Error::Gap { after: views.position.0, found: until.0 });
            }
            for commit in commits.iter().take_while(|commit| commit.position <= until) {
                views.apply(commit, self.settings.zone, &self.keys)?;
            }
        }
        Ok(views)
    }

    /// An erasure in the log is carried out by whoever follows past it: right after the command, or
    /// at the next start if the program stopped in between.
    async fn carry_out_erasures(&self, commits: &[Commit]) -> Result<(), Error> {
        let erasing = |commit: &&Commit| commit.events.iter().any(|e| personal::erases(&e.kind));
        for commit in commits.iter().filter(erasing) {
            let keys = Arc::clone(&self.keys);
            let subject = DataSubject::of_stream(commit.stream.as_str());
            let position = commit.position;
            if record::on_the_disk(move || keys.erase(&subject, position)).await? {
                tracing::info!(commit.position = position.0, "personal data was erased");
            }
        }
        Ok(())
    }

    pub(crate) fn context(&self, actor: Actor) -> Context {
        let views = self.views();
        let people = access::people(&views).filter(|person| person.active).map(|p| p.id).collect();
        let suppliers = views
            .suppliers
            .states()
            .filter_map(Option::as_ref)
            .map(|supplier| (supplier.id, supplier.clone()))
            .collect();
        let policy = ThePolicy::entities(&views)
            .find(&ThePolicy)
            .map(|entity| entity.state().newest().clone())
            .unwrap_or_else(sixgate_workflows::policy::Policy::shipped);
        Context {
            now: self.clock.now(),
            zone: self.settings.zone,
            actor,
            policy,
            suppliers,
            people,
        }
    }
}

fn broken_off(error: tokio::task::JoinError) -> Error {
    Error::Setup(format!("reading the log broke off: {error}"))
}
