//! Several letters to one person become one.
//!
//! The rule is that of [`digest`]: letters are marked first, and whatever the program was doing when
//! it stopped, this looks at the marks and goes on from there. A digest that does not exist is
//! composed of what is marked for it; what an existing one does not name is released.

use std::collections::BTreeMap;

use sixgate_workflows::{
    context::Actor,
    delivery::rules::Urgency,
    ids::{CommandId, PersonId},
    notice::{
        Frozen, Letter, Status, Step,
        digest::{self, Digest, Gathered},
    },
    person::Person,
    rejection::Rejection,
    texts,
};

use super::judgement::{self, mail_rules, notice};
use crate::{
    access, engine::Engine, error::Error, execute::Envelope, ids, mail, projection::post::Source,
    subject::OneDigest,
};

/// As many as are read in one letter; further ones go into the next.
const NOTICES_MAX: usize = 100;
/// Of what each says, so that the letter stays of a size that every server takes.
const BODY_CHARACTERS_MAX: usize = 4_000;

/// What is to be done about a letter that is in a digest or under way too long.
enum Tending {
    Step(Source, Step),
    /// The digest of this name does not exist yet; with the keys of those marked for it.
    Compose(String, Vec<String>),
}

impl Engine {
    /// Marks what goes together; those that are not wanted any more are withdrawn instead.
    pub(super) async fn bundle(&self, to: PersonId, sources: Vec<Source>) -> Result<usize, Error> {
        let mut moved = 0;
        let mut wanted = Vec::new();
        for source in sources.into_iter().take(NOTICES_MAX) {
            match self.fate(&source, to) {
                Some(step) => moved += usize::from(self.about(&source, to, step).await?),
                None => wanted.push(source),
            }
        }
        // One alone needs no digest, and goes by itself in the next pass.
        if wanted.len() < 2 {
            return Ok(moved);
        }
        // No other digest of this person can have this name: the log has moved on since.
        let key = format!("digest:{to}:{}", self.views().position.0);
        for source in wanted {
            let step = Step::Bundle { digest: key.clone() };
            moved += usize::from(self.about(&source, to, step).await?);
        }
        Ok(moved)
    }

    /// Brings digests forward, and takes over attempts that nobody came back from.
    pub(super) async fn tend(&self, to: PersonId) -> Result<usize, Error> {
        let mut moved = 0;
        for tending in self.tendings(to) {
            let done = match tending {
                Tending::Step(source, step) => self.about(&source, to, step).await?,
                Tending::Compose(key, notices) => self.compose_digest(to, key, notices).await?,
            };
            moved += usize::from(done);
        }
        Ok(moved)
    }

    fn tendings(&self, to: PersonId) -> Vec<Tending> {
        let now = self.clock.now();
        let views = self.views();
        let Some(lane) = views.post.lanes.get(&to) else { return Vec::new() };
        let mut tendings = Vec::new();
        let mut absent: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, source) in &lane.open {
            let Some(letter) = views.letter(source, to) else { continue };
            if letter.lease_ends().is_some_and(|until| until <= now) {
                let attempt = letter.attempts;
                let step = Step::FindInterrupted { attempt, earlier_life_of: None };
                tendings.push(Tending::Step(source.clone(), step));
            }
            let Status::Bundled { digest: key } = &letter.status else { continue };
            match judgement::digest(&views, key) {
                Some(digest) => tendings
                    .extend(step(digest, source).map(|step| Tending::Step(source.clone(), step))),
                None => absent.entry(key.clone()).or_default().push(source.key().to_owned()),
            }
        }
        tendings.extend(absent.into_iter().map(|(key, keys)| Tending::Compose(key, keys)));
        tendings
    }

    async fn compose_digest(
        &self,
        to: PersonId,
        key: String,
        notices: Vec<String>,
    ) -> Result<bool, Error> {
        let mut told = Vec::new();
        for notice in &notices {
            let letter = self.frozen(&Source::Notice(notice.clone()), to).await?;
            told.extend(letter.map(|letter| (letter.title, letter.body.unwrap_or_default())));
        }
        let (person, urgent) = {
            let views = self.views();
            let rules = mail_rules(&views);
            let urgent = notices
                .iter()
                .filter_map(|key| notice(&views, key))
                .any(|notice| rules.urgency(notice.subject.kind) == Urgency::Urgent);
            (access::people(&views).find(|person| person.id == to).cloned(), urgent)
        };
        // Nobody is there to read it; what is in it is withdrawn one by one.
        let letter =
            person.filter(|person| !person.erased).map(|p| self.digest_letter(&key, &p, &told));
        let Some(letter) = letter.transpose()? else {
            for notice in notices {
                self.about(&Source::Notice(notice), to, Step::Release).await?;
            }
            return Ok(true);
        };
        let digest =
            Gathered { key: key.clone(), to, notices: notices.into_iter().collect(), urgent };
        let command = digest::Command::Gather { digest, letter };
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        match self.execute(OneDigest(key), &Actor::system(), envelope, command, |_| Ok(())).await {
            Ok(_) => Ok(true),
            Err(Error::Rejected(Rejection::AlreadyRegistered)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn digest_letter(
        &self,
        key: &str,
        person: &Person,
        told: &[(String, String)],
    ) -> Result<Frozen, Error> {
        let count = told.len().to_string();
        let name = person.name.to_string();
        let functions: Vec<&str> = person.functions.iter().map(|f| f.id()).collect();
        let functions = functions.join(", ");
        let filled = |text: &str| {
            texts::filled(text, person.locale, |figure| match figure {
                "count" => Some(count.as_str()),
                "name" => Some(name.as_str()),
                "function" => Some(functions.as_str()),
                _ => None,
            })
        };
        let title = filled("mail.digest.subject");
        let mut text = vec![filled("mail.greeting"), filled("mail.digest.body")];
        text.extend(told.iter().zip(1..).map(|((title, body), number)| {
            let body: String = body.chars().take(BODY_CHARACTERS_MAX).collect();
            format!("{number}. {title}\n\n{body}")
        }));
        text.push(filled("mail.footer"));
        self.plain_letter(key, person, title, text.join("\n\n"), None)
    }

    /// A letter of words alone.
    pub(super) fn plain_letter(
        &self,
        key: &str,
        person: &Person,
        title: String,
        text: String,
        body: Option<String>,
    ) -> Result<Frozen, Error> {
        let address = &self.settings.sender_address;
        let domain = address.rsplit('@').next().unwrap_or("localhost");
        let message_id = mail::message_id(&format!("{key}|{}", person.id), domain);
        let written = |name: String| {
            mail::freeze(&mail::Letter {
                message_id: message_id.clone(),
                from: mail::Sender {
                    name: self.settings.sender_name.clone(),
                    address: address.clone(),
                },
                to: mail::Recipient { name, address: person.mail.as_str().to_owned() },
                date: self.clock.now(),
                subject: title.clone(),
                text: text.clone(),
                html: None,
                calendar: None,
                preferences: None,
            })
        };
        // A name that no header takes is left out.
        let message = written(person.name.to_string()).or_else(|_| written(String::new()));
        let message =
            message.map_err(|e| Error::Setup(format!("a letter cannot be written: {e}")))?;
        let message = String::from_utf8(message)
            .map_err(|_| Error::Setup("a letter is not text on the wire".to_owned()))?;
        let address = person.mail.clone();
        Ok(Frozen { to: person.id, address, message_id, title, message, body })
    }
}

/// What follows for a letter that was marked for a digest from how that stands.
fn step(digest: &Digest, source: &Source) -> Option<Step> {
    if !digest.gathered.notices.contains(source.key()) {
        return Some(Step::Release);
    }
    let status = digest.letter.as_ref().map(|Letter { status, .. }| status)?;
    match status {
        Status::Sent { .. } => Some(Step::NoteDelivery),
        Status::Withdrawn { because } => Some(Step::Withdraw { because: *because }),
        Status::Queued
        | Status::Transmitting { .. }
        | Status::Deferred { .. }
        | Status::Refused { .. }
        | Status::Unknown { .. }
        | Status::GivenUp { .. }
        | Status::Bundled { .. }
        | Status::Delivered { .. } => None,
    }
}
