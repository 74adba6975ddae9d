//! People: names for everybody, records for those who may see them.

use async_graphql::{Context, ID, Object, SimpleObject};
use chrono::{DateTime, NaiveDate, Utc};
use sixgate_workflows::{ids::PersonId, person};

use crate::schema::{
    engine,
    global_id::GlobalId,
    scalars::{Function, Language},
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
