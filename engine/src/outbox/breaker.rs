//! Whether it is worth trying the relay at all.
//!
//! ```text
//!          so many failures of the relay in a row, or one that an administrator must mend
//! closed ─────────────────────────────────────────────────► open ──pause──► half open
//!    ▲                                                        ▲                 │
//!    └──────────────── the probe succeeds ────────────────────┼─────────────────┤
//!                                                             └── it fails ─────┘
//! ```
//!
//! The rule: while it is not closed no letter is attempted, so none uses up its attempts on a relay
//! that is away; the probe is a conversation without a letter. It is kept in memory only, because
//! it is about the relay as this engine sees it, and a restart may well be the mending.

use chrono::{DateTime, Duration, Utc};

use crate::mail::Outcome;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Breaker {
    failures: u32,
    open: Option<Open>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    since: DateTime<Utc>,
    probe_at: DateTime<Utc>,
    /// Probes that failed.
    failed_probes: u32,
    misconfigured: bool,
    why: String,
}

/// How the relay looks from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayState {
    Well,
    /// Letters wait until it comes back by itself.
    Away {
        since: DateTime<Utc>,
        probe_at: DateTime<Utc>,
        why: String,
    },
    /// Letters wait until somebody mends the settings, the certificate or the account.
    Misconfigured {
        since: DateTime<Utc>,
        probe_at: DateTime<Utc>,
        why: String,
    },
}

impl RelayState {
    pub fn id(&self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Away { .. } => "away",
            Self::Misconfigured { .. } => "misconfigured",
        }
    }
}

/// In a row; a single letter may meet a restart of the relay.
const FAILURES_MAX: u32 = 5;
/// Minutes until the next probe, after as many that failed; then always the last.
const PAUSE_MINUTES: [i64; 5] = [1, 2, 4, 8, 15];

impl Breaker {
    pub(crate) fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// When the next probe may be made; `None` while none is needed.
    pub(crate) fn probe_at(&self) -> Option<DateTime<Utc>> {
        self.open.as_ref().map(|open| open.probe_at)
    }

    /// What an attempt with a letter came to. Whether it opened over it.
    pub(crate) fn note(&mut self, outcome: &Outcome, now: DateTime<Utc>) -> bool {
        let (why, misconfigured) = match outcome {
            Outcome::Sent { .. } | Outcome::Retry { .. } | Outcome::Refused { .. } => {
                self.failures = 0;
                return false;
            }
            // The server took the whole message; what came after says little.
            Outcome::Unknown { .. } => return false,
            Outcome::Unavailable { why } => (why, false),
            Outcome::Misconfigured { why } => (why, true),
        };
        self.failures += 1;
        if self.open.is_some() || (self.failures < FAILURES_MAX && !misconfigured) {
            return false;
        }
        self.open = Some(Open {
            since: now,
            probe_at: now + pause(0),
            failed_probes: 0,
            misconfigured,
            why: why.clone(),
        });
        true
    }

    /// What a probe came to. Whether letters are attempted again.
    pub(crate) fn note_probe(&mut self, result: &Result<(), Outcome>, now: DateTime<Utc>) -> bool {
        let Some(open) = &mut self.open else { return true };
        let (why, misconfigured) = match result {
            Ok(()) => {
                *self = Self::default();
                return true;
            }
            Err(Outcome::Misconfigured { why }) => (why, true),
            Err(
                Outcome::Unavailable { why }
                | Outcome::Retry { why }
                | Outcome::Refused { why }
                | Outcome::Unknown { why }
                | Outcome::Sent { reply: why },
            ) => (why, false),
        };
        open.failed_probes += 1;
        open.probe_at = now + pause(open.failed_probes);
        open.misconfigured = misconfigured;
        open.why.clone_from(why);
        false
    }

    pub(crate) fn state(&self) -> RelayState {
        match self.open.clone() {
            None => RelayState::Well,
            Some(Open { since, probe_at, why, misconfigured: false, .. }) => {
                RelayState::Away { since, probe_at, why }
            }
            Some(Open { since, probe_at, why, misconfigured: true, .. }) => {
                RelayState::Misconfigured { since, probe_at, why }
            }
        }
    }
}

fn pause(failed_probes: u32) -> Duration {
    let index = usize::try_from(failed_probes).unwrap_or(usize::MAX);
    Duration::minutes(PAUSE_MINUTES[index.min(PAUSE_MINUTES.len() - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::minutes(minute)
    }

    fn away() -> Outcome {
        Outcome::Unavailable { why: "nobody answers".to_owned() }
    }

    #[test]
    fn it_opens_after_five_failures_of_the_relay_in_a_row() {
        let mut breaker = Breaker::default();
        for _ in 0..2 {
            for _ in 0..4 {
                assert!(!breaker.note(&away(), at(0)));
            }
            let well = Outcome::Retry { why: "451 this mailbox is busy".to_owned() };
            breaker.note(&well, at(0));
        }
        for _ in 0..4 {
            breaker.note(&away(), at(0));
        }
        assert!(breaker.is_closed());
        assert!(breaker.note(&away(), at(0)));
        assert!(!breaker.is_closed());
        assert!(!breaker.note(&away(), at(0)), "it is open already");
    }

    #[test]
    fn what_an_administrator_must_mend_opens_it_at_once() {
        let mut breaker = Breaker::default();
        let wrong = Outcome::Misconfigured { why: "535 wrong password".to_owned() };
        assert!(breaker.note(&wrong, at(0)));
        let RelayState::Misconfigured { since, probe_at, why } = breaker.state() else {
            panic!("{breaker:?}")
        };
        assert_eq!((since, probe_at, &*why), (at(0), at(1), "535 wrong password"));
    }

    #[test]
    fn a_probe_closes_it_or_is_made_more_and_more_rarely() {
        let mut breaker = Breaker::default();
        let wrong = Outcome::Misconfigured { why: "535 wrong password".to_owned() };
        breaker.note(&wrong, at(0));
        let mut now = 1;
        for pause in [2, 4, 8, 15, 15] {
            assert_eq!(breaker.probe_at(), Some(at(now)));
            assert!(!breaker.note_probe(&Err(away()), at(now)));
            now += pause;
        }
        assert_eq!(breaker.state().id(), "away", "it is something else by now");
        assert!(breaker.note_probe(&Ok(()), at(now)));
        assert_eq!(breaker.state(), RelayState::Well);
        assert!(!breaker.note(&away(), at(now)), "it counts anew");
    }

    #[test]
    fn an_unknown_outcome_says_nothing_of_the_relay() {
        let mut breaker = Breaker::default();
        for _ in 0..4 {
            breaker.note(&away(), at(0));
        }
        breaker.note(&Outcome::Unknown { why: "silence".to_owned() }, at(0));
        assert!(breaker.note(&away(), at(0)));
    }
}
