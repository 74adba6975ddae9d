//! A mail relay with bad days, and the mailboxes behind it.
//!
//! The rule: it keeps its own record of what it took and of what it said, and that record is the
//! truth that the log is compared with. What it answers is what `mail` makes of a real server's
//! behaviour: a connection that drops before the dot is to be tried again, one that drops after it
//! is unknown, whether the mail was taken or not.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use sixgate_engine::{
    clock::{Clock, SetClock},
    ids,
    mail::{Carrier, Envelope, Outcome},
};
use sixgate_workflows::evidence::ContentHash;

use super::{fuse::Fuse, random::Random};

/// Of one Message-ID, as the relay remembers it.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) to: String,
    pub(super) bytes: ContentHash,
    /// Later attempts came with other bytes or another recipient.
    pub(super) changed: bool,
    /// When each copy was taken.
    pub(super) taken: Vec<DateTime<Utc>>,
    pub(super) refused: u32,
}

#[derive(Debug, Default)]
pub(super) struct Weather {
    /// Nobody answers until then.
    pub(super) out_until: Option<DateTime<Utc>>,
    /// In a thousand attempts, how many meet some fault.
    pub(super) faults: u64,
    pub(super) greylisting: bool,
}

struct State {
    random: Random,
    weather: Weather,
    mails: BTreeMap<String, Mail>,
    /// When a recipient was first asked for.
    greylist: BTreeMap<String, DateTime<Utc>>,
    /// Message-IDs of what was taken since somebody looked.
    fresh: Vec<String>,
    attempts: u64,
    faults: u64,
}

/// Shared by all programs, since it is not theirs.
pub(super) struct SimulatedRelay {
    clock: Arc<SetClock>,
    state: Mutex<State>,
}

/// What an attempt meets.
enum Fate {
    Taken,
    Slow,
    NotNow(&'static str),
    /// It answers nobody.
    Away(&'static str),
    Never,
    Misconfigured,
    LostAfterDot {
        taken: bool,
    },
}

/// How long a greylisting server turns a new sender away.
const GREYLISTED_FOR: Duration = Duration::minutes(5);

impl SimulatedRelay {
    pub(super) fn new(clock: Arc<SetClock>, random: Random) -> Arc<Self> {
        let state = State {
            random,
            weather: Weather::default(),
            mails: BTreeMap::new(),
            greylist: BTreeMap::new(),
            fresh: Vec::new(),
            attempts: 0,
            faults: 0,
        };
        Arc::new(Self { clock, state: Mutex::new(state) })
    }

    pub(super) fn set_weather(&self, weather: Weather) {
        let mut state = self.state();
        state.greylist.clear();
        state.weather = weather;
    }

    /// Looks at every mail that was ever tried, by Message-ID.
    pub(super) fn look<T>(&self, at: impl FnOnce(&BTreeMap<String, Mail>) -> T) -> T {
        at(&self.state().mails)
    }

    /// Looks at each copy that was taken since the last look.
    pub(super) fn look_at_new(&self, mut at: impl FnMut(&str, &Mail)) {
        let mut state = self.state();
        for message_id in std::mem::take(&mut state.fresh) {
            if let Some(mail) = state.mails.get(&message_id) {
                at(&message_id, mail);
            }
        }
    }

    /// How often it was asked, and how often it answered with a fault.
    pub(super) fn attempts(&self) -> (u64, u64) {
        let state = self.state();
        (state.attempts, state.faults)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn attempt(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        let now = self.clock.now();
        let mut state = self.state();
        state.attempts += 1;
        let fate = state.fate(&envelope.to, now);
        if !matches!(fate, Fate::Taken) {
            state.faults += 1;
        }
        let message_id = message_id(bytes);
        let mail = state.mail(&message_id, envelope, bytes);
        match fate {
            Fate::Taken | Fate::LostAfterDot { taken: true } | Fate::Slow => {
                mail.taken.push(now);
                state.fresh.push(message_id);
            }
            Fate::Never => mail.refused += 1,
            Fate::NotNow(_)
            | Fate::Away(_)
            | Fate::Misconfigured
            | Fate::LostAfterDot { taken: false } => {}
        }
        if matches!(fate, Fate::Slow) {
            let seconds = state.random.between(5, 240);
            self.clock.set(now + Duration::seconds(seconds));
        }
        match fate {
            Fate::Taken | Fate::Slow => Outcome::Sent { reply: "250 2.0.0 Ok: queued".to_owned() },
            Fate::NotNow(why) => Outcome::Retry { why: why.to_owned() },
            Fate::Away(why) => Outcome::Unavailable { why: why.to_owned() },
            Fate::Never => Outcome::Refused { why: "550 5.1.1 no such mailbox".to_owned() },
            Fate::Misconfigured => Outcome::Misconfigured { why: "535 5.7.8 no".to_owned() },
            Fate::LostAfterDot { .. } => {
                Outcome::Unknown { why: "the connection was lost after the dot".to_owned() }
            }
        }
    }
}

impl SimulatedRelay {
    fn probe(&self) -> Result<(), Outcome> {
        let now = self.clock.now();
        match self.state().weather.out_until.is_some_and(|until| now < until) {
            true => Err(Outcome::Unavailable { why: "connection refused".to_owned() }),
            false => Ok(()),
        }
    }
}

impl State {
    fn fate(&mut self, to: &str, now: DateTime<Utc>) -> Fate {
        if self.weather.out_until.is_some_and(|until| now < until) {
            return Fate::Away("connection refused");
        }
        if self.weather.greylisting {
            let first = *self.greylist.entry(to.to_owned()).or_insert(now);
            if now < first + GREYLISTED_FOR {
                return Fate::NotNow("450 4.2.0 greylisted, try again later");
            }
        }
        if !self.random.chance(self.weather.faults) {
            return Fate::Taken;
        }
        match self.random.between(0, 9) {
            0 | 1 => Fate::NotNow("451 4.3.0 try again later"),
            2 => Fate::Away("421 4.3.2 shutting down"),
            3 | 4 => Fate::NotNow("the connection was lost before the dot"),
            5 => Fate::Never,
            6 => Fate::Misconfigured,
            7 => Fate::Slow,
            8 => Fate::LostAfterDot { taken: true },
            _ => Fate::LostAfterDot { taken: false },
        }
    }

    fn mail(&mut self, message_id: &str, envelope: &Envelope, bytes: &[u8]) -> &mut Mail {
        let hash = ids::content_hash(bytes);
        let mail = self.mails.entry(message_id.to_owned()).or_insert_with(|| Mail {
            to: envelope.to.clone(),
            bytes: hash.clone(),
            changed: false,
            taken: Vec::new(),
            refused: 0,
        });
        mail.changed |= mail.bytes != hash || mail.to != envelope.to;
        mail
    }
}

/// As it stands in the header, folded or not.
fn message_id(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let header = text.split("\r\n\r\n").next().unwrap_or_default();
    let from = header.split("Message-ID:").nth(1).unwrap_or_default();
    let id = from.split('<').nth(1).and_then(|rest| rest.split('>').next());
    id.unwrap_or_default().to_owned()
}

/// The relay as one program reaches it.
pub(super) struct RelayOfOne {
    pub(super) shared: Arc<SimulatedRelay>,
    pub(super) fuse: Arc<Fuse>,
}

#[async_trait]
impl Carrier for RelayOfOne {
    async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Outcome {
        self.fuse.pass().await;
        tokio::task::yield_now().await;
        let outcome = self.shared.attempt(envelope, bytes);
        self.fuse.pass().await;
        outcome
    }

    async fn probe(&self, _from: &str) -> Result<(), Outcome> {
        self.fuse.pass().await;
        self.shared.probe()
    }
}
