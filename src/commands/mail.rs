//! `sixgate mail`: letters that could not be delivered, seen and queued again by whoever has the
//! machine.
//!
//! The rule: it sends nothing itself. What it queues is sent by the next server on the directory,
//! under the same Message-ID, if what it is about still holds by then.

mod preview;

use std::process::ExitCode;

use anyhow::Context;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sixgate_engine::{DeadLetter, Envelope, StoppedAddress, ids};
use sixgate_workflows::{
    context::Actor,
    ids::{CommandId, PersonId},
};

pub(crate) use self::preview::{kinds, preview_one};
use super::person::open;
use crate::arguments::{MailDeadArguments, MailRequeueArguments};
use crate::output;
use crate::store;

pub(crate) async fn dead(arguments: MailDeadArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    let room = opened.engine.whole_mail_room();
    let listed = Listed {
        dead: room.dead.iter().map(Row::from).collect(),
        stopped: room.stopped.iter().map(Stopped::from).collect(),
    };
    match arguments.json {
        true => output::json(&listed)?,
        false => listed.lines().iter().try_for_each(output::line)?,
    }
    let any = !listed.dead.is_empty() || !listed.stopped.is_empty();
    Ok(if any { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

pub(crate) async fn requeue(arguments: MailRequeueArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    let letters = match arguments.all {
        true => {
            let dead = opened.engine.whole_mail_room().dead;
            dead.into_iter().map(|dead| dead.letter.message_id).collect()
        }
        false => arguments.letters,
    };
    for id in &letters {
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        let done = opened.engine.requeue(&Actor::system(), envelope, id).await;
        done.with_context(|| format!("`{id}` is not queued again: no dead letter has this id"))?;
        output::line(id)?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Listed {
    dead: Vec<Row>,
    stopped: Vec<Stopped>,
}

#[derive(Serialize)]
struct Row {
    message_id: String,
    to: PersonId,
    address: String,
    title: String,
    /// Absent of a digest.
    kind: Option<&'static str>,
    status: &'static str,
    why: Option<String>,
    attempts: u32,
    changed_at: DateTime<Utc>,
}

#[derive(Serialize)]
struct Stopped {
    person: PersonId,
    refusals: u32,
}

impl From<&DeadLetter> for Row {
    fn from(dead: &DeadLetter) -> Self {
        let letter = &dead.letter;
        Self {
            message_id: letter.message_id.clone(),
            to: dead.to,
            address: letter.address.as_str().to_owned(),
            title: letter.title.clone(),
            kind: dead.kind.map(|kind| kind.id()),
            status: letter.status.id(),
            why: letter.status.why().map(str::to_owned),
            attempts: letter.attempts,
            changed_at: letter.changed_at,
        }
    }
}

impl From<&StoppedAddress> for Stopped {
    fn from(stopped: &StoppedAddress) -> Self {
        Self { person: stopped.person, refusals: stopped.refusals }
    }
}

impl Listed {
    fn lines(&self) -> Vec<String> {
        let dead = self.dead.iter().map(|row| {
            let Row { message_id, address, title, status, changed_at, .. } = row;
            let at = changed_at.format("%F %R UTC");
            let why = row.why.as_deref().unwrap_or_default();
            format!("{message_id}  {address}  {title}\n    {status} at {at}: {why}")
        });
        let stopped = self.stopped.iter().map(|Stopped { person, refusals }| {
            format!("{person}  takes no letters: {refusals} refused in a row")
        });
        dead.chain(stopped).collect()
    }
}
