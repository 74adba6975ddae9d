//! How the mail stands, for those who look after it.

use async_graphql::{ID, Object, SimpleObject};
use chrono::{DateTime, Utc};
use sixgate_engine::{self as engine, RelayState};

use super::{people::PersonReference, reminder::Letter};
use crate::schema::{
    global_id::GlobalId,
    scalars::{NoticeKind, RelayStatus},
};

pub(crate) struct MailRoom(pub engine::MailRoom);

/// Why no letters are attempted at present.
#[derive(SimpleObject)]
pub(crate) struct RelayTrouble {
    since: DateTime<Utc>,
    /// When it is asked again whether it is back.
    probe_at: DateTime<Utc>,
    why: String,
}

/// Refused or given up; `requeueLetter` sends it again.
#[derive(SimpleObject)]
pub(crate) struct DeadLetter {
    /// `null` of a digest.
    kind: Option<NoticeKind>,
    letter: Letter,
}

/// An address that refused so many letters in a row that nothing is sent there. It is trusted again
/// once one of its dead letters is sent again.
#[derive(SimpleObject)]
pub(crate) struct StoppedAddress {
    person: PersonReference,
    refusals: u32,
}

/// What is due and has nobody who could act on it.
#[derive(SimpleObject)]
pub(crate) struct UnaddressedReminder {
    key: String,
    kind: NoticeKind,
    procurement_id: ID,
    due: DateTime<Utc>,
}

/// Rows of each list that are shown; there is always the number of all.
const ROWS_MAX: usize = 100;

#[Object]
impl MailRoom {
    async fn relay(&self) -> RelayStatus {
        (&self.0.relay).into()
    }

    /// `null` while letters are taken.
    async fn trouble(&self) -> Option<RelayTrouble> {
        match self.0.relay.clone() {
            RelayState::Well => None,
            RelayState::Away { since, probe_at, why }
            | RelayState::Misconfigured { since, probe_at, why } => {
                Some(RelayTrouble { since, probe_at, why })
            }
        }
    }

    /// Letters that are not settled.
    async fn waiting(&self) -> usize {
        self.0.waiting
    }

    /// When the letter was queued that waits longest.
    async fn oldest_waiting(&self) -> Option<DateTime<Utc>> {
        self.0.oldest_waiting
    }

    async fn dead_count(&self) -> usize {
        self.0.dead.len()
    }

    /// The newest hundred.
    #[graphql(complexity = "20 * child_complexity")]
    async fn dead(&self) -> Vec<DeadLetter> {
        let newest = self.0.dead.iter().take(ROWS_MAX);
        newest
            .map(|dead| DeadLetter {
                kind: dead.kind.map(NoticeKind::from),
                letter: Letter { to: dead.to, letter: dead.letter.clone() },
            })
            .collect()
    }

    #[graphql(complexity = "20 * child_complexity")]
    async fn stopped(&self) -> Vec<StoppedAddress> {
        let stopped = self.0.stopped.iter().take(ROWS_MAX);
        stopped
            .map(|stopped| StoppedAddress {
                person: PersonReference(stopped.person),
                refusals: stopped.refusals,
            })
            .collect()
    }

    #[graphql(complexity = "20 * child_complexity")]
    async fn unaddressed(&self) -> Vec<UnaddressedReminder> {
        let unaddressed = self.0.unaddressed.iter().take(ROWS_MAX);
        unaddressed
            .map(|reminder| UnaddressedReminder {
                key: reminder.key.clone(),
                kind: reminder.kind.into(),
                procurement_id: GlobalId::Procurement(reminder.procurement).into(),
                due: reminder.due,
            })
            .collect()
    }
}

impl From<&RelayState> for RelayStatus {
    fn from(state: &RelayState) -> Self {
        match state {
            RelayState::Well => Self::Well,
            RelayState::Away { .. } => Self::Away,
            RelayState::Misconfigured { .. } => Self::Misconfigured,
        }
    }
}
