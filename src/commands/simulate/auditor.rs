//! Reads along in the log, as somebody who trusts nobody.
//!
//! The rule: it takes the stored commits alone, in their order, and knows events by their kind and
//! the fields it needs. It keeps its own account of every letter, which at the end is held against
//! what the relay saw.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use sixgate_engine::ids;
use sixgate_storage::{Commit, EventLog, Hash, Position};
use sixgate_workflows::{
    deadline::NoticeKind,
    evidence::ContentHash,
    ids::{PersonId, ProcurementId},
    notice::Subject,
};

use super::{
    checks::{Check, Findings},
    relay::SimulatedRelay,
};

/// A notice as it was first recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Firing {
    pub(super) key: String,
    pub(super) kind: NoticeKind,
    pub(super) procurement: ProcurementId,
    pub(super) due: DateTime<Utc>,
    pub(super) at: DateTime<Utc>,
    pub(super) to: BTreeSet<PersonId>,
    /// Nobody was concerned, and the administrators hear of that.
    pub(super) unaddressed: bool,
}

#[derive(Debug)]
struct Letter {
    message_id: String,
    queued_at: DateTime<Utc>,
    attempts: u32,
    unknown: u32,
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Sent,
    Refused,
    GivenUp,
    Withdrawn,
    /// The digest that names it is a letter of its own.
    InDigest,
}

pub(super) struct Auditor {
    position: Position,
    hash: Hash,
    revisions: BTreeMap<String, u64>,
    commands: BTreeSet<String>,
    letters: BTreeMap<(String, PersonId), Letter>,
    /// Message-IDs of what passes quiet hours, or may.
    urgent: BTreeSet<String>,
    fingerprint: ContentHash,
}

/// What is not opaque to it in the metadata of a commit.
#[derive(Deserialize)]
struct Metadata {
    command: String,
    at: DateTime<Utc>,
}

const PAGE_COMMITS: usize = 1_000;

impl Auditor {
    pub(super) fn new() -> Self {
        Self {
            position: Position::ZERO,
            hash: Hash::ZERO,
            revisions: BTreeMap::new(),
            commands: BTreeSet::new(),
            letters: BTreeMap::new(),
            urgent: BTreeSet::new(),
            fingerprint: ids::content_hash(b""),
        }
    }

    /// Two runs of one seed have the same: everything but the ids and nonces that a program draws
    /// for itself.
    pub(super) fn fingerprint(&self) -> &ContentHash {
        &self.fingerprint
    }

    pub(super) fn is_urgent(&self, message_id: &str) -> bool {
        self.urgent.contains(message_id)
    }

    pub(super) fn commits(&self) -> u64 {
        self.position.0
    }

    pub(super) fn letters(&self) -> usize {
        self.letters.len()
    }

    /// Everything that has been appended since, and the notices in it.
    pub(super) async fn follow(
        &mut self,
        log: &dyn EventLog,
        findings: &mut Findings,
    ) -> anyhow::Result<Vec<Firing>> {
        let mut firings = Vec::new();
        loop {
            let commits = log.read_all(self.position, PAGE_COMMITS).await?;
            if commits.is_empty() {
                return Ok(firings);
            }
            for commit in &commits {
                self.verify(commit, findings);
                firings.extend(self.take_in(commit, findings)?);
            }
        }
    }

    fn verify(&mut self, commit: &Commit, findings: &mut Findings) {
        let revision = self.revisions.entry(commit.stream.as_str().to_owned()).or_default();
        *revision += 1;
        let follows = commit.position == self.position.next()
            && commit.previous == self.hash
            && commit.hash == commit.computed_hash()
            && commit.revision.0 == *revision;
        findings.hold(Check::LogVerified, commit.position, follows, || {
            format!("position {} of {} does not follow", commit.position, commit.stream.as_str())
        });
        self.position = commit.position;
        self.hash = commit.hash;
    }

    fn take_in(
        &mut self,
        commit: &Commit,
        findings: &mut Findings,
    ) -> anyhow::Result<Option<Firing>> {
        let metadata: Metadata = serde_json::from_slice(&commit.metadata)?;
        let stream = commit.stream.as_str();
        let fresh = self.commands.insert(metadata.command);
        findings.hold(Check::CommandOnce, metadata.at, fresh, || {
            format!("the command at {} was carried out before", commit.position)
        });
        let mut firing: Option<Firing> = None;
        let mut urgent = false;
        let mut told = format!("{}{stream}{}", self.fingerprint, metadata.at);
        for event in &commit.events {
            let mut data: Value = serde_json::from_slice(&event.data)?;
            without_seals(&mut data);
            told.push_str(&event.kind);
            told.push_str(&data.to_string());
            let Some(kind) = event.kind.strip_prefix("notice.") else { continue };
            if kind == "gathered" {
                urgent = data["digest"]["urgent"].as_bool().unwrap_or_default();
            } else if kind == "fired" {
                let subject: Subject = serde_json::from_value(data["subject"].clone())?;
                urgent = matches!(subject.kind, NoticeKind::SlaIncident | NoticeKind::SlaBreach);
                firing = Some(Firing {
                    key: subject.key,
                    kind: subject.kind,
                    procurement: subject.procurement,
                    due: subject.due,
                    at: metadata.at,
                    to: BTreeSet::new(),
                    unaddressed: subject.unaddressed,
                });
            } else if kind == "queued" {
                let to: PersonId = serde_json::from_value(data["letter"]["to"].clone())?;
                let letter = Letter {
                    message_id: data["letter"]["message_id"].as_str().unwrap_or("").to_owned(),
                    queued_at: metadata.at,
                    attempts: 0,
                    unknown: 0,
                    end: None,
                };
                if urgent {
                    self.urgent.insert(letter.message_id.clone());
                }
                self.letters.insert((stream.to_owned(), to), letter);
                if let Some(firing) = &mut firing {
                    firing.to.insert(to);
                }
            } else if let Ok(to) = serde_json::from_value(data["to"].clone())
                && let Some(letter) = self.letters.get_mut(&(stream.to_owned(), to))
            {
                letter.happened(kind);
            }
        }
        self.fingerprint = ids::content_hash(told.as_bytes());
        Ok(firing)
    }

    /// At the end, when every letter queued before a time has had its time.
    pub(super) fn close(
        &self,
        relay: &SimulatedRelay,
        queued_before: DateTime<Utc>,
        findings: &mut Findings,
    ) {
        relay.look(|mails| {
            let mut known = BTreeSet::new();
            for ((stream, to), letter) in &self.letters {
                let at = letter.queued_at;
                let name = || format!("{stream} to {to} with {letter:?}");
                known.insert(&letter.message_id);
                let mail = mails.get(&letter.message_id);
                let copies = mail.map_or(0, |mail| mail.taken.len());
                let may_wait = letter.end.is_some() || at >= queued_before;
                findings.hold(Check::LetterSettled, at, may_wait, || {
                    format!("a letter still waits: {}", name())
                });
                let taken = letter.end != Some(End::Sent) || copies > 0;
                findings.hold(Check::SentIsTaken, at, taken, || {
                    format!("recorded as sent and never taken: {}", name())
                });
                let explained = copies <= 1 + usize::try_from(letter.unknown).unwrap_or(0);
                findings.hold(Check::CopiesExplained, at, explained, || {
                    format!("{copies} copies were taken: {}", name())
                });
                let refused =
                    letter.end != Some(End::Refused) || mail.is_some_and(|mail| mail.refused > 0);
                findings.hold(Check::RefusedIsRefused, at, refused, || {
                    format!("recorded as refused and never was: {}", name())
                });
                let same = mail.is_none_or(|mail| !mail.changed);
                findings.hold(Check::SameBytes, at, same, || {
                    format!("an attempt sent something else: {}", name())
                });
            }
            for (message_id, mail) in mails {
                findings.hold(Check::MailIsOurs, "the end", known.contains(message_id), || {
                    format!("the relay saw {message_id} to {}, which nobody queued", mail.to)
                });
            }
        });
    }
}

impl Letter {
    fn happened(&mut self, kind: &str) {
        match kind {
            "attempted" => self.attempts += 1,
            "outcome_unknown" => self.unknown += 1,
            "sent" => self.end = Some(End::Sent),
            "refused" => self.end = Some(End::Refused),
            "given_up" => self.end = Some(End::GivenUp),
            "withdrawn" => self.end = Some(End::Withdrawn),
            "delivered_in_digest" => self.end = Some(End::InDigest),
            "requeued" => self.end = None,
            _ => {}
        }
    }
}

/// A seal differs each time it is made, also of the same words.
fn without_seals(data: &mut Value) {
    match data {
        Value::Object(fields) if fields.contains_key("sealed") && fields.contains_key("key") => {
            *data = Value::Null;
        }
        Value::Object(fields) => fields.values_mut().for_each(without_seals),
        Value::Array(items) => items.iter_mut().for_each(without_seals),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
