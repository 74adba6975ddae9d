//! The one access check, used by every door: closed by default.
//!
//! What may not be seen looks exactly like what does not exist. Which function may ask for what is
//! a table of the rules (`workflows::permission`); here it meets the person at hand.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sixgate_workflows::{
    budget::price_index,
    context::{Actor, ActorId, StandIn},
    function::Function,
    ids::{PersonId, TokenId},
    locale::Locale,
    permission,
    person::{self, Person},
    policy,
    procurement::{self, Course, Procurement},
    supplier,
};

use crate::{error::Error, ids, projection::Views};

/// Somebody who came through a door with a valid token, as they are at that moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    pub person: PersonId,
    pub token: TokenId,
    pub locale: Locale,
    pub actor: Actor,
}

/// What somebody wants to do.
#[derive(Clone, Copy, Debug)]
pub enum Action<'a> {
    Read(Resource<'a>),
    Procure(Option<&'a Procurement>, &'a procurement::Command),
    Supply(&'a supplier::Command),
    Employ(PersonId, &'a person::Command),
    Govern(&'a policy::Command),
    /// Have a dead letter sent again.
    TendMail,
    Price(&'a price_index::Command),
    /// Upload a file that a later command refers to.
    Upload,
}

#[derive(Clone, Copy, Debug)]
pub enum Resource<'a> {
    Procurement(&'a Procurement),
    Suppliers,
    Policy,
    /// Without quotes, which are seen with their procurement.
    Prices,
    /// Names and functions of colleagues, which everybody needs to work together.
    Colleagues,
    /// Substitutes, tokens and addresses.
    PersonRecord(PersonId),
    /// Letters of everybody that are dead, addresses that take nothing, and the relay.
    MailRoom,
    /// The log across all procurements.
    AuditTrail,
    /// Every stored byte: what a backup holds.
    WholeLog,
}

/// Functions that see every procurement; a requester sees those they are a member of.
const SEES_ALL: [Function; 7] = [
    Function::Procurement,
    Function::Finance,
    Function::Legal,
    Function::Operations,
    Function::Manager,
    Function::Auditor,
    Function::Admin,
];

pub fn authorise(actor: &Actor, action: Action<'_>) -> Result<(), Error> {
    match action {
        Action::Read(resource) => may_read(actor, resource),
        Action::Procure(procurement, command) => may_procure(actor, procurement, command),
        Action::Supply(command) => acts_as_any(actor, permission::for_supplier(command)),
        Action::Employ(person, command) => {
            if actor.is_system()
                || (actor.id == ActorId::Person(person) && permission::is_own_business(command))
            {
                return Ok(());
            }
            acts_as_any(actor, permission::for_person(command))
        }
        Action::Govern(command) => acts_as_any(actor, permission::for_policy(command)),
        Action::TendMail if actor.is_system() => Ok(()),
        Action::TendMail => acts_as_any(actor, &[Function::Admin]),
        Action::Price(_) if actor.is_system() => Ok(()),
        Action::Price(command) => acts_as_any(actor, permission::for_prices(command)),
        Action::Upload => acts_as_any(
            actor,
            &[
                Function::Requester,
                Function::Procurement,
                Function::Finance,
                Function::Legal,
                Function::Operations,
                Function::Manager,
            ],
        ),
    }
}

fn acts_as_any(actor: &Actor, functions: &[Function]) -> Result<(), Error> {
    match functions.iter().any(|function| actor.acts_as(*function)) {
        true => Ok(()),
        false => Err(Error::Forbidden),
    }
}

fn may_read(actor: &Actor, resource: Resource<'_>) -> Result<(), Error> {
    let readable = match resource {
        Resource::Procurement(procurement) => {
            actor.is_system()
                || SEES_ALL.iter().any(|function| actor.acts_as(*function))
                || (actor.acts_as(Function::Requester)
                    && actor.id.person().is_some_and(|me| is_member(procurement, me, actor)))
        }
        Resource::Suppliers | Resource::Policy | Resource::Prices | Resource::Colleagues => {
            Function::ALL.iter().any(|function| actor.acts_as(*function))
        }
        Resource::PersonRecord(person) => {
            actor.id == ActorId::Person(person)
                || actor.acts_as(Function::Admin)
                || actor.acts_as(Function::Auditor)
        }
        Resource::MailRoom => {
            actor.acts_as(Function::Admin)
                || actor.acts_as(Function::Procurement)
                || actor.acts_as(Function::Auditor)
        }
        Resource::WholeLog => actor.acts_as(Function::Admin),
        Resource::AuditTrail => {
            actor.acts_as(Function::Auditor)
                || actor.acts_as(Function::Manager)
                || actor.acts_as(Function::Admin)
        }
    };
    match readable {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// A substitute sees what the absent member sees.
fn is_member(procurement: &Procurement, me: PersonId, actor: &Actor) -> bool {
    procurement.members.contains(&me)
        || actor.stands_in.iter().any(|s| procurement.members.contains(&s.for_person))
}

fn may_procure(
    actor: &Actor,
    procurement: Option<&Procurement>,
    command: &procurement::Command,
) -> Result<(), Error> {
    if actor.is_system() {
        return match permission::is_for_system(command) {
            true => Ok(()),
            false => Err(Error::Forbidden),
        };
    }
    let opens = matches!(command, procurement::Command::Course(Course::Open { .. }));
    match procurement {
        Some(procurement) => may_read(actor, Resource::Procurement(procurement))?,
        None if opens => {}
        None => return Err(Error::NotFound),
    }
    acts_as_any(actor, permission::for_procurement(command))
}

/// Who holds a token, if it is known, not expired and its owner active.
pub fn viewer_of(
    views: &Views,
    token: &str,
    now: DateTime<Utc>,
    zone: chrono_tz::Tz,
) -> Option<Viewer> {
    let hash = ids::content_hash(token.as_bytes());
    people(views).find_map(|person| {
        let (id, known) = person.tokens.iter().find(|(_, known)| known.hash == hash)?;
        (person.active && known.expires_at > now).then(|| Viewer {
            person: person.id,
            token: *id,
            locale: person.locale,
            actor: actor_of(views, person, now, zone),
        })
    })
}

/// The same viewer as of now, or nobody when the token or the person has been withdrawn since.
pub fn refreshed(
    views: &Views,
    viewer: &Viewer,
    now: DateTime<Utc>,
    zone: chrono_tz::Tz,
) -> Option<Viewer> {
    let person = people(views).find(|person| person.id == viewer.person)?;
    let token = person.tokens.get(&viewer.token)?;
    (person.active && token.expires_at > now).then(|| Viewer {
        person: person.id,
        token: viewer.token,
        locale: person.locale,
        actor: actor_of(views, person, now, zone),
    })
}

pub fn people(views: &Views) -> impl Iterator<Item = &Person> {
    views.people.states().filter_map(Option::as_ref)
}

/// A substitute takes over an absent colleague's own functions, never those that the colleague
/// stands in for: no chains.
fn actor_of(views: &Views, person: &Person, now: DateTime<Utc>, zone: chrono_tz::Tz) -> Actor {
    let today = sixgate_workflows::context::local_date(now, zone);
    let stands_in = people(views)
        .filter(|absent| absent.active && absent.substitute_on(today) == Some(person.id))
        .flat_map(|absent| {
            absent
                .functions
                .iter()
                .map(|function| StandIn { function: *function, for_person: absent.id })
        })
        .filter(|stand_in| !matches!(stand_in.function, Function::Admin | Function::Auditor))
        .collect();
    let functions: BTreeSet<Function> = person.functions.clone();
    Actor { id: ActorId::Person(person.id), functions, stands_in }
}
