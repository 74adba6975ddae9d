//! What a program needs to run, and what of it survives the program's end.
//!
//! The rule: log, keys, files, checkpoints, clock and relay are outside of the program and stay;
//! everything else dies with it. A command whose answer was lost is sent again under the same id, as
//! a user's browser does.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use chrono_tz::Tz;
use sixgate_engine::{
    Done, Engine, Envelope, Error, Parts, Settings,
    clock::{Clock, SetClock},
    keys::Keys,
    mail::Transport,
};
use sixgate_storage::{BlobStore, EventLog, MemoryLog};
use sixgate_workflows::{
    context::Actor,
    ids::{CommandId, PersonId, ProcurementId, SupplierId},
    person, policy, procurement, supplier,
};
use tempfile::TempDir;

use super::{
    figures,
    fuse::Fuse,
    log::LogOfOne,
    organisation::Organisation,
    random::Random,
    relay::{RelayOfOne, SimulatedRelay},
};

/// One running program.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) engine: Arc<Engine>,
    pub(super) fuse: Arc<Fuse>,
}

pub(super) struct Machine {
    pub(super) zone: Tz,
    pub(super) log: Arc<MemoryLog>,
    pub(super) clock: Arc<SetClock>,
    pub(super) relay: Arc<SimulatedRelay>,
    pub(super) random: Random,
    pub(super) restarts: u64,
    directory: TempDir,
    blobs: Arc<BlobStore>,
    keys: Arc<Keys>,
}

/// Something that is asked of a program.
#[derive(Clone)]
pub(super) enum Wish {
    Procure(ProcurementId, procurement::Command),
    Supply(SupplierId, supplier::Command),
    Employ(PersonId, person::Command),
    Govern(policy::Command),
}

impl Machine {
    pub(super) fn new(
        zone: Tz,
        clock: Arc<SetClock>,
        relay: Arc<SimulatedRelay>,
        random: Random,
    ) -> anyhow::Result<Self> {
        let directory = tempfile::tempdir().context("no directory for the simulation's keys")?;
        let blobs = Arc::new(BlobStore::open(directory.path().join("blobs"))?);
        blobs.put(figures::EVIDENCE)?;
        let keys = Arc::new(Keys::open(&directory.path().join("keys"))?);
        let log = Arc::new(MemoryLog::new());
        Ok(Self { zone, log, clock, relay, random, restarts: 0, directory, blobs, keys })
    }

    /// Starts a program. It may end while it starts; then it is started again.
    pub(super) async fn start(&mut self, instance: &str) -> anyhow::Result<Program> {
        loop {
            let fuse = Arc::new(Fuse::default());
            if self.random.chance(100) {
                fuse.light(self.random.between(1, 3).unsigned_abs());
            }
            let opening = Engine::open(self.parts(&fuse, instance));
            let Some(engine) = fuse.guard(opening).await else {
                self.restarts += 1;
                continue;
            };
            fuse.put_out();
            return Ok(Program { engine: engine?, fuse });
        }
    }

    /// After the end of the only program, which takes what it had in memory with it.
    pub(super) fn forget(&mut self) -> anyhow::Result<()> {
        self.keys = Arc::new(Keys::open(&self.directory.path().join("keys"))?);
        Ok(())
    }

    fn parts(&mut self, fuse: &Arc<Fuse>, instance: &str) -> Parts {
        let log: Arc<dyn EventLog> =
            Arc::new(LogOfOne { shared: Arc::clone(&self.log), fuse: Arc::clone(fuse) });
        let relay = RelayOfOne { shared: Arc::clone(&self.relay), fuse: Arc::clone(fuse) };
        // Without one, everything is built from the first commit on.
        let checkpoints = (!self.random.chance(20)).then(|| self.checkpoints());
        Parts {
            log,
            blobs: Arc::clone(&self.blobs),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            transport: Transport::Own(Box::new(relay)),
            keys: Arc::clone(&self.keys),
            settings: Settings {
                zone: self.zone,
                sender_name: "Sixgate".to_owned(),
                sender_address: "gates@buyer.example".to_owned(),
                public_url: None,
                checkpoints,
                instance: instance.to_owned(),
            },
        }
    }

    fn checkpoints(&self) -> PathBuf {
        self.directory.path().join("checkpoints")
    }
}

impl Program {
    /// What becomes of a wish; `None` when the program ended at it.
    pub(super) async fn ask(
        &self,
        who: Option<PersonId>,
        command: CommandId,
        wish: Wish,
    ) -> Option<Result<Done, Error>> {
        self.fuse.guard(self.carry_out(who, command, wish)).await
    }

    async fn carry_out(
        &self,
        who: Option<PersonId>,
        command: CommandId,
        wish: Wish,
    ) -> Result<Done, Error> {
        let envelope = Envelope { command, expected: None };
        let engine = &self.engine;
        // The administrator's command line needs no token, and does nothing else.
        if let (None, Wish::Employ(person, wish)) = (who, &wish) {
            return engine.employ(&Actor::system(), envelope, *person, wish.clone()).await;
        }
        let token = who.map(Organisation::token);
        let viewer = token.and_then(|token| engine.viewer(&token)).ok_or(Error::Forbidden)?;
        match wish {
            Wish::Procure(id, wish) => {
                if super::story::refers_to_a_file(&wish) {
                    engine.upload(&viewer, figures::EVIDENCE.to_vec()).await?;
                }
                engine.procure(&viewer, envelope, id, wish).await
            }
            Wish::Supply(id, wish) => engine.supply(&viewer, envelope, id, wish).await,
            Wish::Employ(id, wish) => engine.employ(&viewer.actor, envelope, id, wish).await,
            Wish::Govern(wish) => engine.govern(&viewer, envelope, wish).await,
        }
    }
}
