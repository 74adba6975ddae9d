//! What those who look after the mail see, and the one thing they can do: have a dead letter sent
//! again.

use chrono::{DateTime, Utc};
use sixgate_storage::Revision;
use sixgate_workflows::{
    context::Actor,
    deadline::NoticeKind,
    ids::{CommandId, PersonId, ProcurementId},
    notice::{self, Letter, Step, digest},
};

use super::{
    breaker::RelayState,
    judgement::{due_keys, mail_rules},
};
use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
    execute::{Done, Envelope},
    projection::post::{Dead, Source},
    subject::{OneDigest, OneNotice},
};

/// How the mail stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRoom {
    pub relay: RelayState,
    /// Letters that are not settled.
    pub waiting: usize,
    /// When the one was queued that waits longest.
    pub oldest_waiting: Option<DateTime<Utc>>,
    /// Given up or refused, the newest first.
    pub dead: Vec<DeadLetter>,
    /// Whose address refused so many letters in a row that nothing is sent there.
    pub stopped: Vec<StoppedAddress>,
    /// What is due and has nobody to act on it.
    pub unaddressed: Vec<Unaddressed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    pub to: PersonId,
    pub letter: Letter,
    /// `None` of a digest.
    pub kind: Option<NoticeKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoppedAddress {
    pub person: PersonId,
    pub refusals: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unaddressed {
    pub key: String,
    pub kind: NoticeKind,
    pub procurement: ProcurementId,
    pub due: DateTime<Utc>,
}

impl Engine {
    /// Whether letters are attempted, for whoever watches the program; without any detail.
    pub fn relay(&self) -> RelayState {
        self.breaker().state()
    }

    /// When the letter that waits longest for an attempt was due.
    pub fn oldest_unsent_letter(&self) -> Option<DateTime<Utc>> {
        let views = self.views();
        let open = views.post.lanes.iter().flat_map(|(to, lane)| {
            lane.open.iter().filter_map(|(_, source)| views.letter(source, *to)?.next_attempt())
        });
        open.min()
    }

    pub fn mail_room(&self, viewer: &Viewer) -> Result<MailRoom, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::MailRoom))?;
        Ok(self.whole_mail_room())
    }

    /// For whoever has the machine.
    pub fn whole_mail_room(&self) -> MailRoom {
        let moment = self.moment();
        let views = self.views();
        let refusals_max = mail_rules(&views).refusals_max;
        let lanes = &views.post.lanes;
        let waiting = lanes.iter().flat_map(|(to, lane)| {
            lane.open.iter().filter_map(|(_, source)| views.letter(source, *to))
        });
        let mut dead: Vec<DeadLetter> = views
            .post
            .dead
            .values()
            .filter_map(|dead| {
                let letter = views.letter(&dead.source, dead.to)?.clone();
                let kind = match &dead.source {
                    Source::Notice(key) => {
                        super::judgement::notice(&views, key).map(|n| n.subject.kind)
                    }
                    Source::Digest(_) => None,
                };
                Some(DeadLetter { to: dead.to, letter, kind })
            })
            .collect();
        dead.sort_by_key(|dead| (std::cmp::Reverse(dead.letter.changed_at), dead.letter.position));
        let stopped = lanes.iter().filter(|(_, lane)| lane.refusals >= refusals_max);
        let unaddressed = views.post.unaddressed.iter().filter_map(|key| {
            let subject = &super::judgement::notice(&views, key)?.subject;
            due_keys(&views, subject.procurement, moment).contains(key).then(|| Unaddressed {
                key: key.clone(),
                kind: subject.kind,
                procurement: subject.procurement,
                due: subject.due,
            })
        });
        MailRoom {
            relay: self.relay(),
            waiting: waiting.clone().count(),
            oldest_waiting: waiting.map(|letter| letter.queued_at).min(),
            stopped: stopped
                .map(|(to, lane)| StoppedAddress { person: *to, refusals: lane.refusals })
                .collect(),
            unaddressed: unaddressed.collect(),
            dead,
        }
    }

    /// A dead letter gets another life under the same Message-ID.
    pub async fn requeue(
        &self,
        actor: &Actor,
        envelope: Envelope,
        message_id: &str,
    ) -> Result<Done, Error> {
        access::authorise(actor, Action::TendMail)?;
        let found = self.views().post.dead.get(message_id).cloned();
        let dead = match found {
            Some(dead) => Some(dead),
            None => self.requeued_before(envelope.command, message_id).await?,
        };
        let Some(dead) = dead else {
            return Err(match envelope.expected {
                None | Some(Revision::ZERO) => Error::NotFound,
                Some(expected) => Error::RevisionChanged { expected, actual: Revision::ZERO },
            });
        };
        let step = Step::Requeue;
        match dead.source {
            Source::Notice(key) => {
                let command = notice::Command::About { to: dead.to, step };
                self.execute(OneNotice(key), actor, envelope, command, |_| Ok(())).await
            }
            Source::Digest(key) => {
                let command = digest::Command::About { step };
                self.execute(OneDigest(key), actor, envelope, command, |_| Ok(())).await
            }
        }
    }

    /// Where this very command was carried out before, by when the letter is not dead any more.
    async fn requeued_before(
        &self,
        command: CommandId,
        message_id: &str,
    ) -> Result<Option<Dead>, Error> {
        let Some(commit) = self.commit_of(command).await? else { return Ok(None) };
        let views = self.views();
        let Some((source, letters)) = views.letters_of(commit.stream.as_str()) else {
            return Ok(None);
        };
        let its_own = letters.into_iter().find(|(_, letter)| letter.message_id == message_id);
        Ok(its_own.map(|(to, _)| Dead { to, source }))
    }
}
