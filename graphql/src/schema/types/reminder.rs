//! What will be sent, what was, and what became of it.

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};
use sixgate_engine::read;
use sixgate_workflows::{ids::PersonId, notice, texts};

use super::people::PersonReference;
use crate::schema::{
    locale,
    scalars::{Function, Language, LetterStatus, NoticeKind},
};

pub(crate) struct Reminder(pub read::Reminder);

pub(crate) struct Letter {
    pub(crate) to: PersonId,
    pub(crate) letter: notice::Letter,
}

#[Object]
impl Reminder {
    /// Unique to this one firing.
    async fn key(&self) -> &str {
        &self.0.deadline.key
    }

    async fn kind(&self) -> NoticeKind {
        self.0.deadline.kind.into()
    }

    /// Its subject line; `null` once it is past.
    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> Option<String> {
        let deadline = &self.0.deadline;
        let key = format!("mail.{}.subject", deadline.kind.id());
        let figure = |name: &str| deadline.details.get(name).map(String::as_str);
        (!deadline.details.is_empty())
            .then(|| texts::filled(&key, self::locale(context, locale), figure))
    }

    async fn due(&self) -> DateTime<Utc> {
        self.0.deadline.due
    }

    async fn to(&self) -> Vec<Function> {
        self.0.deadline.to.iter().map(|function| (*function).into()).collect()
    }

    /// When it fired; `null` while it is only planned.
    async fn fired_at(&self) -> Option<DateTime<Utc>> {
        self.0.fired.as_ref().map(|notice| notice.fired_at)
    }

    /// Nobody held a function to be told; administrators were told so instead.
    async fn unaddressed(&self) -> bool {
        self.0.fired.as_ref().is_some_and(|notice| notice.subject.unaddressed)
    }

    /// Empty after firing means that there was nobody to tell, not even an administrator.
    #[graphql(complexity = "10 * child_complexity")]
    async fn letters(&self) -> Vec<Letter> {
        let notice = self.0.fired.as_ref();
        notice.map_or_else(Vec::new, |notice| {
            notice
                .letters
                .iter()
                .map(|(to, letter)| Letter { to: *to, letter: letter.clone() })
                .collect()
        })
    }
}

#[Object]
impl Letter {
    async fn to(&self) -> PersonReference {
        PersonReference(self.to)
    }

    async fn title(&self) -> &str {
        &self.letter.title
    }

    async fn message_id(&self) -> &str {
        &self.letter.message_id
    }

    async fn status(&self) -> LetterStatus {
        (&self.letter.status).into()
    }

    async fn attempts(&self) -> u32 {
        self.letter.attempts
    }

    async fn changed_at(&self) -> DateTime<Utc> {
        self.letter.changed_at
    }

    /// Why it has not been sent.
    async fn why(&self) -> Option<&str> {
        self.letter.status.why()
    }

    /// The key of the digest that it waits for or was delivered in.
    async fn digest(&self) -> Option<&str> {
        self.letter.status.digest()
    }
}
