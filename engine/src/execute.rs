//! A command, from the access check to the acknowledged commit.
//!
//! Sending a command again under its id answers what it answered the first time; using the id for
//! something else is an error. A conflict with another writer is retried on fresh state a bounded
//! number of times.

use sixgate_storage::{Commit, Expected, NewCommit, Position, Revision};
use sixgate_workflows::{
    budget::price_index,
    context::Actor,
    evidence::{ContentHash, EvidenceFile},
    ids::{CommandId, PersonId, ProcurementId, SupplierId},
    person, policy, procurement, supplier,
};

use crate::{
    access::{self, Action, Viewer},
    engine::Engine,
    error::Error,
    ids,
    record::{self, Metadata},
    subject::{OnePerson, OneProcurement, OneSupplier, Subject, ThePolicy, ThePrices},
};

/// Where an accepted command was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub position: Position,
    pub revision: Revision,
    /// It had been carried out before, under the same id.
    pub repeated: bool,
}

/// What comes with every command, whatever it is about.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    pub command: CommandId,
    /// What the sender looked at; `None` when it does not matter.
    pub expected: Option<Revision>,
}

/// Conflicts in a row before it is given up.
const ATTEMPTS_MAX: u32 = 5;

impl Engine {
    pub async fn procure(
        &self,
        viewer: &Viewer,
        envelope: Envelope,
        id: ProcurementId,
        command: procurement::Command,
    ) -> Result<Done, Error> {
        let wanted = command.clone();
        let allowed = |state: &Option<procurement::Procurement>| {
            access::authorise(&viewer.actor, Action::Procure(state.as_ref(), &wanted))
        };
        self.execute(OneProcurement(id), &viewer.actor, envelope, command, allowed).await
    }

    pub async fn supply(
        &self,
        viewer: &Viewer,
        envelope: Envelope,
        id: SupplierId,
        command: supplier::Command,
    ) -> Result<Done, Error> {
        let wanted = command.clone();
        let allowed = |_: &_| access::authorise(&viewer.actor, Action::Supply(&wanted));
        self.execute(OneSupplier(id), &viewer.actor, envelope, command, allowed).await
    }

    pub async fn employ(
        &self,
        actor: &Actor,
        envelope: Envelope,
        id: PersonId,
        command: person::Command,
    ) -> Result<Done, Error> {
        let wanted = command.clone();
        let allowed = |_: &_| access::authorise(actor, Action::Employ(id, &wanted));
        self.execute(OnePerson(id), actor, envelope, command, allowed).await
    }

    pub async fn govern(
        &self,
        viewer: &Viewer,
        envelope: Envelope,
        command: policy::Command,
    ) -> Result<Done, Error> {
        let wanted = command.clone();
        let allowed = |_: &_| access::authorise(&viewer.actor, Action::Govern(&wanted));
        self.execute(ThePolicy, &viewer.actor, envelope, command, allowed).await
    }

    pub async fn price(
        &self,
        actor: &Actor,
        envelope: Envelope,
        command: price_index::Command,
    ) -> Result<Done, Error> {
        let wanted = command.clone();
        let allowed = |_: &_| access::authorise(actor, Action::Price(&wanted));
        self.execute(ThePrices, actor, envelope, command, allowed).await
    }

    pub(crate) async fn execute<S: Subject>(
        &self,
        subject: S,
        actor: &Actor,
        envelope: Envelope,
        command: S::Command,
        allowed: impl Fn(&S::State) -> Result<(), Error>,
    ) -> Result<Done, Error> {
        let stream = subject.stream();
        let input = input_hash(&stream, actor, &command);
        let _command = self.commands_under_way.lock(envelope.command).await;
        let _stream = self.streams_under_way.lock(stream.as_str().to_owned()).await;
        for attempt in 1..=ATTEMPTS_MAX {
            self.catch_up().await?;
            let reached = self.views().position;
            let entity = self.entity(&subject);
            allowed(entity.state())?;
            if let Some(done) = self.carried_out_before(envelope.command, &input).await? {
                return Ok(done);
            }
            if let Some(expected) = envelope.expected.filter(|e| *e != entity.revision) {
                return Err(Error::RevisionChanged { expected, actual: entity.revision });
            }
            let context = self.context(actor.clone());
            let events = subject.decide(entity.state(), command.clone(), &context)?;
            self.files_are_there(actor, events.iter().filter_map(S::file)).await?;
            let metadata = Metadata {
                command: envelope.command,
                input: input.clone(),
                by: actor.id,
                at: context.now,
            };
            let commit = NewCommit {
                stream: stream.clone(),
                expected: match entity.revision {
                    Revision::ZERO => Expected::Absent,
                    revision => Expected::Exactly(revision),
                },
                metadata: metadata.encoded(),
                events: record::encoded(&self.keys, &stream, reached, &events).await?,
            };
            match self.log.append(commit).await {
                Ok(appended) => {
                    self.follow_to(appended.position).await?;
                    return Ok(Done {
                        position: appended.position,
                        revision: appended.revision,
                        repeated: false,
                    });
                }
                Err(sixgate_storage::Error::Conflict { .. }) => {
                    tracing::info!(stream = stream.as_str(), attempt, "conflict; tried again");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Conflict { attempts: ATTEMPTS_MAX })
    }

    fn entity<S: Subject>(&self, subject: &S) -> crate::projection::Entity<S> {
        S::entities(&self.views()).find(subject).cloned().unwrap_or_default()
    }

    async fn carried_out_before(
        &self,
        command: CommandId,
        input: &ContentHash,
    ) -> Result<Option<Done>, Error> {
        let Some(commit) = self.commit_of(command).await? else { return Ok(None) };
        let (position, revision) = (commit.position, commit.revision);
        match Metadata::of(&commit)?.input == *input {
            true => Ok(Some(Done { position, revision, repeated: true })),
            false => Err(Error::CommandIdReused),
        }
    }

    /// What a command led to, if it was carried out before.
    pub(crate) async fn commit_of(&self, command: CommandId) -> Result<Option<Commit>, Error> {
        let Some(position) = self.views().commands.get(&command).copied() else {
            return Ok(None);
        };
        let before = Position(position.0 - 1);
        let commit = self.log.read_all(before, 1).await?.into_iter().next();
        let missing = || Error::Gap { after: before.0, found: self.views().position.0 };
        commit.ok_or_else(missing).map(Some)
    }

    /// An event may only refer to a file that is there; the blob is durable before the event is.
    async fn files_are_there(
        &self,
        actor: &Actor,
        files: impl Iterator<Item = &EvidenceFile>,
    ) -> Result<(), Error> {
        for file in files {
            self.can_be_referred_to(actor, &file.hash).await?;
        }
        Ok(())
    }
}

fn input_hash<C: serde::Serialize>(
    stream: &sixgate_storage::StreamId,
    actor: &Actor,
    command: &C,
) -> ContentHash {
    let input = serde_json::to_vec(&(stream.as_str(), actor.id, command))
        .expect("a command can be written as JSON");
    ids::content_hash(&input)
}
