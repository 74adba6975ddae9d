//! People: names for everybody, records for those who may see them.

use async_graphql::{Context, ID, Object, SimpleObject};
use chrono::{DateTime, NaiveDate, Utc};
use sixgate_workflows::{delivery::Frequency, ids::PersonId, person};

use crate::schema::{
    engine,
    global_id::GlobalId,
    scalars::{Function, Language, MailFrequency, NoticeKind},
    viewer,
};

pub(crate) struct Person(pub person::Person);

/// Somebody who did something; the name is looked up when asked for.
pub(crate) struct PersonReference(pub PersonId);

#[derive(SimpleObject)]
pub(crate) struct Substitute {
    person_id: ID,
    from: NaiveDate,
    /// The last day.
    until: NaiveDate,
}

/// How mail reaches somebody. Urgent letters keep to none of it. Times of day are those of their
/// zone.
#[derive(SimpleObject)]
pub(crate) struct Delivery {
    frequency: MailFrequency,
    /// Of the daily digest, such as `09:00`.
    daily_at: Option<String>,
    /// From when on nothing is sent, such as `20:00`.
    quiet_from: Option<String>,
    quiet_until: Option<String>,
    /// Kinds that are not sent.
    muted: Vec<NoticeKind>,
}

/// Never the secret, nor its hash.
#[derive(SimpleObject)]
pub(crate) struct Token {
    id: ID,
    label: String,
    expires_at: DateTime<Utc>,
}

#[Object]
impl PersonReference {
    pub(crate) async fn id(&self) -> ID {
        GlobalId::Person(self.0).into()
    }

    async fn name(&self, context: &Context<'_>) -> async_graphql::Result<Option<String>> {
        let views = engine(context)?.views();
        let name = sixgate_engine::access::people(&views)
            .find(|person| person.id == self.0)
            .map(|person| person.name.to_string());
        Ok(name)
    }
}

#[Object]
impl Person {
    pub(crate) async fn id(&self) -> ID {
        GlobalId::Person(self.0.id).into()
    }

    async fn name(&self) -> &str {
        self.0.name.as_str()
    }

    async fn functions(&self) -> Vec<Function> {
        self.0.functions.iter().map(|function| (*function).into()).collect()
    }

    async fn active(&self) -> bool {
        self.0.active
    }

    /// Whether name and address have been taken back; what is shown is a pseudonym.
    async fn erased(&self) -> bool {
        self.0.erased
    }

    async fn locale(&self) -> Language {
        self.0.locale.into()
    }

    /// `null` unless it is the viewer's own record, or the viewer keeps or audits records.
    async fn mail(&self, context: &Context<'_>) -> async_graphql::Result<Option<String>> {
        let visible = engine(context)?.may_see_record(viewer(context)?, self.0.id);
        Ok(visible.then(|| self.0.mail.as_str().to_owned()))
    }

    /// IANA name.
    async fn zone(&self) -> String {
        self.0.zone.to_string()
    }

    /// `null` unless it is the viewer's own record, or the viewer keeps or audits records.
    async fn delivery(&self, context: &Context<'_>) -> async_graphql::Result<Option<Delivery>> {
        if !engine(context)?.may_see_record(viewer(context)?, self.0.id) {
            return Ok(None);
        }
        let wishes = &self.0.delivery;
        let time = |at: chrono::NaiveTime| at.format("%H:%M").to_string();
        let (frequency, daily_at) = match wishes.frequency {
            Frequency::Immediate => (MailFrequency::Immediate, None),
            Frequency::Daily { at } => (MailFrequency::Daily, Some(time(at))),
        };
        Ok(Some(Delivery {
            frequency,
            daily_at,
            quiet_from: wishes.quiet.map(|quiet| time(quiet.from())),
            quiet_until: wishes.quiet.map(|quiet| time(quiet.until())),
            muted: wishes.muted.iter().map(|kind| (*kind).into()).collect(),
        }))
    }

    async fn substitute(&self) -> Option<Substitute> {
        self.0.substitute.as_ref().map(|substitute| Substitute {
            person_id: GlobalId::Person(substitute.person).into(),
            from: substitute.from,
            until: substitute.until,
        })
    }

    /// Empty unless it is the viewer's own record, or the viewer keeps or audits records.
    #[graphql(complexity = "5 * child_complexity")]
    async fn tokens(&self, context: &Context<'_>) -> async_graphql::Result<Vec<Token>> {
        if !engine(context)?.may_see_record(viewer(context)?, self.0.id) {
            return Ok(Vec::new());
        }
        let tokens = self.0.tokens.iter().map(|(id, token)| Token {
            id: id.to_string().into(),
            label: token.label.to_string(),
            expires_at: token.expires_at,
        });
        Ok(tokens.collect())
    }
}
