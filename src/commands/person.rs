//! `sixgate person`: the people of a data directory, kept by whoever has the machine.
//!
//! The rule: it goes through the same commands and the same rules as everybody, acting as the
//! program itself. It works only while no server runs on the directory; that is how the first
//! administrator comes to be.

use std::process::ExitCode;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sixgate_engine::{Envelope, Error::Rejected, access, clock::SystemClock, ids};
use sixgate_storage::Error;
use sixgate_workflows::{
    context::Actor,
    function::Function,
    ids::{CommandId, PersonId, TokenId},
    locale::Locale,
    person::{Command, Person},
    texts,
};

use crate::arguments::{
    PersonAddArguments, PersonEraseArguments, PersonListArguments, StoreArguments,
};
use crate::configuration::Configuration;
use crate::output;
use crate::store::{self, Opened};

pub(crate) async fn add(arguments: PersonAddArguments) -> anyhow::Result<ExitCode> {
    let opened = open(&arguments.store).await?;
    let id = PersonId(ids::fresh());
    let PersonAddArguments { name, mail, locale, zone, functions, .. } = arguments;
    let functions = functions.into_iter().collect();
    carry_out(&opened, id, Command::Register { name, mail, locale, zone, functions }).await?;
    output::line(id)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn list(arguments: PersonListArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    let people: Vec<Listed> = access::people(&opened.engine.views()).map(Listed::from).collect();
    match arguments.json {
        true => output::json(&people)?,
        false => people.iter().try_for_each(|person| output::line(person.told()))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Waiting letters to the person are withdrawn by the next server on the directory.
pub(crate) async fn erase(arguments: PersonEraseArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    carry_out(&opened, arguments.person, Command::Erase).await?;
    Ok(ExitCode::SUCCESS)
}

/// Opens a data directory for local administration.
pub(super) async fn open(arguments: &StoreArguments) -> anyhow::Result<Opened> {
    let configuration = Configuration::read(arguments.config.as_deref())?;
    let opened = store::open(&arguments.data.data, &configuration, Arc::new(SystemClock)).await;
    opened.map_err(|error| {
        let busy = |cause: &(dyn std::error::Error + 'static)| {
            matches!(cause.downcast_ref::<Error>(), Some(Error::Busy { .. }))
        };
        match error.chain().any(busy) {
            true => error.context(
                "people and tokens are kept here only while no server runs; \
                 a running server takes the same commands over GraphQL",
            ),
            false => error,
        }
    })
}

/// Carries out a command about a person, as the program itself.
pub(super) async fn carry_out(
    opened: &Opened,
    person: PersonId,
    command: Command,
) -> anyhow::Result<()> {
    let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
    let done = opened.engine.employ(&Actor::system(), envelope, person, command).await;
    let why = match done {
        Ok(_) => return Ok(()),
        // A rule says no, which is told in the words that everybody else gets to see.
        Err(Rejected(rejection)) => anyhow::Error::msg(texts::rejection(&rejection, Locale::En)),
        Err(error) => error.into(),
    };
    Err(why.context(format!("nothing was changed about person {person}")))
}

#[derive(Serialize)]
struct Listed {
    id: PersonId,
    name: String,
    mail: String,
    locale: &'static str,
    zone: &'static str,
    functions: Vec<&'static str>,
    active: bool,
    erased: bool,
    tokens: Vec<ListedToken>,
}

#[derive(Serialize)]
struct ListedToken {
    id: TokenId,
    label: String,
    expires_at: DateTime<Utc>,
}

impl From<&Person> for Listed {
    fn from(person: &Person) -> Self {
        let tokens = person.tokens.iter().map(|(id, token)| ListedToken {
            id: *id,
            label: token.label.to_string(),
            expires_at: token.expires_at,
        });
        Self {
            id: person.id,
            name: person.name.to_string(),
            mail: person.mail.as_str().to_owned(),
            locale: person.locale.tag(),
            zone: person.zone.name(),
            functions: person.functions.iter().copied().map(Function::id).collect(),
            active: person.active,
            erased: person.erased,
            tokens: tokens.collect(),
        }
    }
}

impl Listed {
    fn told(&self) -> String {
        let Self { id, name, mail, locale, zone, .. } = self;
        let functions = self.functions.join(",");
        let inactive = match (self.active, self.erased) {
            (_, true) => "  (erased)",
            (false, false) => "  (inactive)",
            (true, false) => "",
        };
        let mut text = format!("{id}  {name}  {mail}  {locale}  {zone}  {functions}{inactive}");
        for ListedToken { id, label, expires_at } in &self.tokens {
            let until = expires_at.format("%F %R UTC");
            text.push_str(&format!("\n    token {id}  {label}  until {until}"));
        }
        text
    }
}
