//! What can be read.

use async_graphql::{Context, ID, Interface, Object, SimpleObject, connection::Connection};
use chrono::{DateTime, Utc};
use sixgate_engine::read::AsOf;
use sixgate_storage::Position;
use sixgate_workflows::{budget::price_index::view::Asked, needs::catalogue::lookup::Lookup};

use super::{
    calculator::{self, BaseAndBurstInput, OwnOrRentInput},
    engine,
    global_id::GlobalId,
    problem::{absent, allowed, bad_input},
    scalars::{Currency, Phase, PointBasis, RelayStatus, Stage},
    types::{
        history::{self, HistoryEvent},
        inbox::Task,
        mail_room::MailRoom,
        owning::OwnOrRent,
        page::{self, Counted},
        people::Person,
        policy::Policy,
        prices::PriceIndex,
        procurement::Procurement,
        reserving::BaseAndBurst,
        supplier::Supplier,
    },
    viewer,
};

pub(crate) struct Query;

/// A past state: give one of the two.
#[derive(Clone, Copy, Debug, async_graphql::OneofObject)]
pub enum AsOfInput {
    /// After the commit at this position of the log.
    Position(u64),
    /// At this instant.
    Time(DateTime<Utc>),
}

impl From<AsOfInput> for AsOf {
    fn from(input: AsOfInput) -> Self {
        match input {
            AsOfInput::Position(position) => Self::Position(Position(position)),
            AsOfInput::Time(time) => Self::Time(time),
        }
    }
}

/// Everything with a global id.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "ID"))]
pub(super) enum Node {
    Procurement(Procurement),
    Supplier(Supplier),
    Person(Person),
}

/// Whether the service follows its own log.
#[derive(SimpleObject)]
pub(super) struct Health {
    /// Position that the read models have reached.
    position: u64,
    /// When the oldest unsent letter was due, if any waits.
    oldest_unsent_letter: Option<DateTime<Utc>>,
    /// Whether the mail relay takes letters.
    mail_relay: RelayStatus,
}

#[Object]
impl Query {
    /// The person who is asking.
    async fn me(&self, context: &Context<'_>) -> async_graphql::Result<Option<Person>> {
        Ok(engine(context)?.myself(viewer(context)?).map(Person))
    }

    /// Anything by its global id; `null` when it is absent or may not be seen.
    async fn node(&self, context: &Context<'_>, id: ID) -> async_graphql::Result<Option<Node>> {
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let Ok(id) = GlobalId::parse(&id) else { return Ok(None) };
        Ok(match id {
            GlobalId::Procurement(id) => absent(engine.procurement(viewer, id, None).await)?
                .map(|seen| Node::Procurement(Procurement(seen))),
            GlobalId::Supplier(id) => absent(engine.supplier(viewer, id))?
                .map(|supplier| Node::Supplier(Supplier(supplier))),
            GlobalId::Person(id) => absent(engine.colleagues(viewer))?
                .and_then(|people| people.into_iter().find(|person| person.id == id))
                .map(|person| Node::Person(Person(person))),
        })
    }

    /// The portfolio: every procurement the viewer may see, newest first.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn board(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "At most 100.", default = 20)] first: i32,
        after: Option<String>,
        stage: Option<Stage>,
        phase: Option<Phase>,
    ) -> async_graphql::Result<Connection<String, Procurement, Counted>> {
        let seen = engine(context)?.procurements(viewer(context)?);
        let wanted = seen
            .into_iter()
            .filter(|seen| stage.is_none_or(|stage| Stage::from(seen.state().stage) == stage))
            .filter(|seen| phase.is_none_or(|phase| Phase::from(&seen.state().phase) == phase))
            .map(|seen| (seen.state().id.to_string(), Procurement(seen)))
            .collect();
        page::page(wanted, first, after.as_deref())
    }

    /// One procurement, now or as it stood.
    async fn procurement(
        &self,
        context: &Context<'_>,
        id: ID,
        as_of: Option<AsOfInput>,
    ) -> async_graphql::Result<Option<Procurement>> {
        let Ok(id) = GlobalId::procurement(&id) else { return Ok(None) };
        let as_of = as_of.map(AsOf::from);
        let seen = engine(context)?.procurement(viewer(context)?, id, as_of).await;
        Ok(absent(seen)?.map(Procurement))
    }

    /// What a card costs elsewhere; `null` when the catalogue has no such card, or the name fits
    /// several.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn price_index(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "By any name that a tool or a quote has for it.")] card: String,
        #[graphql(default_with = "Currency::Cny")] currency: Currency,
        #[graphql(desc = "Every basis when absent.")] basis: Option<PointBasis>,
        #[graphql(desc = "Every region when absent.")] region: Option<String>,
        #[graphql(desc = "The window of the summary and of a standing.", default = 90)] days: u32,
    ) -> async_graphql::Result<Option<PriceIndex>> {
        let Some(prices) = absent(engine(context)?.prices(viewer(context)?))? else {
            return Ok(None);
        };
        let found = match prices.catalogue.card(&card) {
            Some(card) => Some(card),
            None => match prices.catalogue.lookup(&card) {
                Lookup::Found(card) => Some(card),
                Lookup::Ambiguous(_) | Lookup::Unknown => None,
            },
        };
        let Some(found) = found else { return Ok(None) };
        let asked = Asked {
            card: found.id.clone(),
            currency: currency.into(),
            basis: basis.map(Into::into),
            region,
            days,
        };
        let name = found.name.clone();
        Ok(Some(PriceIndex { name, asked, listed: prices.points, today: prices.today }))
    }

    /// What waits for the viewer, the longest waiting first.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn inbox(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "At most 100.", default = 50)] first: i32,
        after: Option<String>,
    ) -> async_graphql::Result<Connection<String, Task, Counted>> {
        let tasks = engine(context)?.inbox(viewer(context)?);
        let keyed = tasks
            .into_iter()
            .map(|task| (format!("{}:{}", task.procurement, task.blocker.criterion), Task(task)))
            .collect();
        page::page(keyed, first, after.as_deref())
    }

    /// The registry shared by all procurements.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn suppliers(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "At most 100.", default = 50)] first: i32,
        after: Option<String>,
    ) -> async_graphql::Result<Connection<String, Supplier, Counted>> {
        let suppliers = allowed(engine(context)?.suppliers(viewer(context)?))?;
        let keyed = suppliers.into_iter().map(|s| (s.id.to_string(), Supplier(s))).collect();
        page::page(keyed, first, after.as_deref())
    }

    /// Colleagues, to name as members and substitutes.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn people(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "At most 100.", default = 50)] first: i32,
        after: Option<String>,
    ) -> async_graphql::Result<Connection<String, Person, Counted>> {
        let people = allowed(engine(context)?.colleagues(viewer(context)?))?;
        let keyed = people.into_iter().map(|p| (p.id.to_string(), Person(p))).collect();
        page::page(keyed, first, after.as_deref())
    }

    /// Every published policy, the shipped one first.
    #[graphql(complexity = "20 + 10 * child_complexity")]
    async fn policies(&self, context: &Context<'_>) -> async_graphql::Result<Vec<Policy>> {
        let policies = allowed(engine(context)?.policies(viewer(context)?))?;
        Ok(policies.into_iter().map(Policy).collect())
    }

    /// The log itself, oldest first, for auditors and managers.
    #[graphql(complexity = "page::cost(first, child_complexity)")]
    async fn audit_trail(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Commits, at most 100.", default = 50)] first: i32,
        #[graphql(desc = "A cursor of an earlier page.")] after: Option<String>,
    ) -> async_graphql::Result<Connection<String, HistoryEvent>> {
        let (first, after) = (page::clamped(first)?, history::after(after.as_deref())?);
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let happened = engine.audit_trail(viewer, Position(after), first + 1).await;
        Ok(history::page(allowed(happened)?, after, first, |happened| happened.stamp.position))
    }

    /// What owning, renting, and owning the base with a rented peak cost, by the newest policy.
    #[graphql(complexity = "50 + 10 * child_complexity")]
    async fn own_or_rent(
        &self,
        context: &Context<'_>,
        input: OwnOrRentInput,
    ) -> async_graphql::Result<OwnOrRent> {
        calculator::own_or_rent(context, &input)
    }

    /// How many cards to reserve for a demand, by the newest policy.
    #[graphql(complexity = "50 + 10 * child_complexity")]
    async fn base_and_burst(
        &self,
        context: &Context<'_>,
        input: BaseAndBurstInput,
    ) -> async_graphql::Result<BaseAndBurst> {
        calculator::base_and_burst(context, &input)
    }

    /// For administrators, procurement and auditors: whether mail is taken, what is dead, and whom
    /// nothing reaches.
    #[graphql(complexity = "50 + child_complexity")]
    async fn mail_room(&self, context: &Context<'_>) -> async_graphql::Result<MailRoom> {
        let room = allowed(engine(context)?.mail_room(viewer(context)?))?;
        Ok(MailRoom(room))
    }

    async fn health(&self, context: &Context<'_>) -> async_graphql::Result<Health> {
        let engine = engine(context)?;
        Ok(Health {
            position: engine.views().position.0,
            oldest_unsent_letter: engine.oldest_unsent_letter(),
            mail_relay: (&engine.relay()).into(),
        })
    }

    /// A text of the catalogue, for clients that show labels of their own.
    async fn text(
        &self,
        context: &Context<'_>,
        key: String,
        locale: Option<super::scalars::Language>,
    ) -> async_graphql::Result<String> {
        let found = sixgate_workflows::texts::text(&key, super::locale(context, locale));
        match found == key {
            true => Err(bad_input(&sixgate_workflows::invalid::Invalid::new(
                "key",
                format!("`{key}` is not in the catalogue"),
            ))),
            false => Ok(found.to_owned()),
        }
    }
}
