//! Sends the letters that wait, and records what became of each.
//!
//! Before anything is transmitted it is recorded that it will be; an attempt without an outcome,
//! found after a restart, is an unknown outcome and is sent again under the same Message-ID. Right
//! before sending it is asked once more whether the matter still stands.

use std::collections::BTreeSet;

use sixgate_workflows::{
    context::Actor,
    deadline,
    ids::{CommandId, PersonId},
    notice::{self, Command, Frozen, Status},
    personal,
    rejection::Rejection,
    text::Text,
};

use crate::{
    access,
    engine::Engine,
    error::Error,
    execute::Envelope,
    ids,
    mail::{self, Envelope as MailEnvelope},
    record,
    subject::{OneNotice, Subject},
};

impl Engine {
    /// How many letters were settled in one way or another.
    pub(crate) async fn send_due(&self) -> Result<usize, Error> {
        let mut settled = 0;
        for (key, to) in self.letters_due() {
            if self.still_stands(&key) && self.is_here(to) {
                self.transmit(&key, to).await?;
            } else {
                self.about_letter(&key, Command::Withdraw { to }).await?;
            }
            settled += 1;
        }
        Ok(settled)
    }

    fn letters_due(&self) -> Vec<(String, PersonId)> {
        let now = self.clock.now();
        let views = self.views();
        let notices = views.notices.states().filter_map(Option::as_ref);
        notices
            .flat_map(|notice| {
                let due = notice.letters.iter().filter(|(_, letter)| {
                    let to_nobody = personal::is_pseudonym(&letter.address);
                    letter.next_attempt().is_some_and(|at| at <= now || to_nobody)
                });
                due.map(|(to, _)| (notice.subject.key.clone(), *to))
            })
            .collect()
    }

    /// Whether what the notice is about is still due, by the same rule that made it due.
    fn still_stands(&self, key: &str) -> bool {
        let moment = self.moment();
        let views = self.views();
        let Some(notice) = views.notices.find(&OneNotice(key.to_owned())) else { return false };
        let Some(notice) = notice.state.as_ref() else { return false };
        let due: BTreeSet<String> = views
            .procurements
            .states()
            .filter_map(Option::as_ref)
            .filter(|procurement| procurement.id == notice.subject.procurement)
            .flat_map(|procurement| deadline::deadlines(procurement, moment))
            .map(|deadline| deadline.key)
            .collect();
        due.contains(key)
    }

    /// Who has left is not written to any more.
    fn is_here(&self, person: PersonId) -> bool {
        access::people(&self.views()).any(|known| known.id == person && known.active)
    }

    async fn transmit(&self, key: &str, to: PersonId) -> Result<(), Error> {
        let letter = self.frozen(key, to).await?;
        // Nothing is left to send of a letter to somebody who was erased.
        let Some(letter) = letter.filter(|letter| !personal::is_pseudonym(&letter.address)) else {
            return self.about_letter(key, Command::Withdraw { to }).await.map(drop);
        };
        if !self.about_letter(key, Command::Attempt { to }).await? {
            return Ok(());
        }
        let envelope = MailEnvelope {
            from: self.settings.sender_address.clone(),
            to: letter.address.as_str().to_owned(),
        };
        let outcome = self.transport.send(&envelope, letter.message.as_bytes()).await;
        let outcome = match outcome {
            mail::Outcome::Sent { reply } => notice::Outcome::Sent { reply: said(&reply) },
            mail::Outcome::Retry { why } => notice::Outcome::Retry { why: said(&why) },
            mail::Outcome::Refused { why } => notice::Outcome::Refused { why: said(&why) },
            mail::Outcome::Unknown { why } => notice::Outcome::Unknown { why: said(&why) },
            mail::Outcome::Misconfigured { why } => {
                tracing::error!(why, "mail is not set up right; the letter waits");
                notice::Outcome::Retry { why: said(&why) }
            }
        };
        if !self.about_letter(key, Command::Settle { to, outcome }).await? {
            tracing::warn!(notice.key = key, "another engine took the attempt for interrupted");
        }
        Ok(())
    }

    /// The letter as it was queued, from the log.
    async fn frozen(&self, key: &str, to: PersonId) -> Result<Option<Frozen>, Error> {
        let stream = OneNotice(key.to_owned()).stream();
        let commits = self.log.read_stream(&stream, sixgate_storage::Revision::ZERO, 1).await?;
        let Some(commit) = commits.first() else { return Ok(None) };
        let letters = record::decoded::<notice::Event>(commit, &self.keys)?;
        Ok(letters.into_iter().find_map(|(event, _)| match event {
            notice::Event::Queued { letter } if letter.to == to => Some(*letter),
            notice::Event::Queued { .. }
            | notice::Event::Fired { .. }
            | notice::Event::Attempted { .. }
            | notice::Event::Sent { .. }
            | notice::Event::Deferred { .. }
            | notice::Event::Refused { .. }
            | notice::Event::OutcomeUnknown { .. }
            | notice::Event::GivenUp { .. }
            | notice::Event::Withdrawn { .. } => None,
        }))
    }

    /// Whether it was this call; another engine on the same log may have been faster.
    async fn about_letter(&self, key: &str, command: Command) -> Result<bool, Error> {
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        let notice = OneNotice(key.to_owned());
        match self.execute(notice, &Actor::system(), envelope, command, |_| Ok(())).await {
            Ok(_) => Ok(true),
            Err(Error::Rejected(Rejection::NothingChanges)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// At start: what was being transmitted when the program stopped.
    pub(crate) async fn settle_interrupted_letters(&self) -> Result<(), Error> {
        let interrupted: Vec<(String, PersonId)> = {
            let views = self.views();
            let notices = views.notices.states().filter_map(Option::as_ref);
            notices
                .flat_map(|notice| {
                    let under_way = notice
                        .letters
                        .iter()
                        .filter(|(_, letter)| letter.status == Status::Transmitting);
                    under_way.map(|(to, _)| (notice.subject.key.clone(), *to))
                })
                .collect()
        };
        for (key, to) in interrupted {
            self.about_letter(&key, Command::FindInterrupted { to }).await?;
        }
        Ok(())
    }
}

/// What a mail server said, as far as it can be kept.
fn said(text: &str) -> Text {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(Text::CHARACTERS_MAX)
        .collect();
    Text::new(&line).unwrap_or_else(|_| Text::new("-").expect("a dash is a text"))
}
