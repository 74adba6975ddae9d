//! Turns a deadline into letters, one for each person it concerns, in that person's language.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveTime, Utc};
use sixgate_workflows::{
    calendar,
    context::local_date,
    deadline::Deadline,
    function::Function,
    notice::Frozen,
    person::{MailAddress, Person},
    texts,
};

use crate::{
    access,
    engine::Engine,
    error::Error,
    mail::{self, Invitation, Letter, Recipient, Sender, Unsendable},
};

/// A letter to everybody concerned; a substitute gets the absent colleague's instead.
pub(crate) fn compose(engine: &Engine, deadline: &Deadline) -> Result<Vec<Frozen>, Error> {
    let people: Vec<Person> =
        access::people(&engine.views()).filter(|person| person.active).cloned().collect();
    recipients(engine, deadline, &people)
        .into_iter()
        .filter_map(|(person, functions)| {
            one_letter(engine, deadline, person, &functions).transpose()
        })
        .collect()
}

/// Who is written to, and as what.
fn recipients<'a>(
    engine: &Engine,
    deadline: &Deadline,
    people: &'a [Person],
) -> Vec<(&'a Person, BTreeSet<Function>)> {
    let today = local_date(engine.moment().now, engine.zone());
    let mut chosen: BTreeMap<_, (&Person, BTreeSet<Function>)> = BTreeMap::new();
    for person in people {
        let concerned: BTreeSet<Function> =
            person.functions.intersection(&deadline.to).copied().collect();
        if concerned.is_empty() || !may_know(engine, deadline, person) {
            continue;
        }
        let present = person
            .substitute_on(today)
            .and_then(|substitute| people.iter().find(|p| p.id == substitute))
            .unwrap_or(person);
        chosen.entry(present.id).or_insert((present, BTreeSet::new())).1.extend(concerned);
    }
    chosen.into_values().collect()
}

/// Requesters hear only of procurements that they are members of.
fn may_know(engine: &Engine, deadline: &Deadline, person: &Person) -> bool {
    let only_requester = person.functions.iter().all(|f| *f == Function::Requester);
    if !only_requester {
        return true;
    }
    let views = engine.views();
    views
        .procurements
        .states()
        .filter_map(Option::as_ref)
        .find(|procurement| procurement.id == deadline.procurement)
        .is_some_and(|procurement| procurement.members.contains(&person.id))
}

fn one_letter(
    engine: &Engine,
    deadline: &Deadline,
    person: &Person,
    functions: &BTreeSet<Function>,
) -> Result<Option<Frozen>, Error> {
    let locale = person.locale;
    let mut details: BTreeMap<&str, String> =
        deadline.details.iter().map(|(name, value)| (*name, value.clone())).collect();
    details.insert("name", person.name.to_string());
    let as_what = functions.iter().map(|f| f.id()).collect::<Vec<_>>().join(", ");
    details.entry("function").or_insert(as_what);
    let filled =
        |key: &str| texts::filled(key, locale, |name| details.get(name).map(String::as_str));
    let kind = deadline.kind.id();
    let subject = filled(&format!("mail.{kind}.subject"));
    let body = filled(&format!("mail.{kind}.body"));
    let text = [filled("mail.greeting"), body.clone(), filled("mail.footer")].join("\n\n");
    let domain = engine.settings.sender_address.rsplit('@').next().unwrap_or("localhost");
    let message_id = mail::message_id(&format!("{}|{}", deadline.key, person.id), domain);
    let calendar = invitation(engine, deadline, person, &subject, &text);
    // What is more than words goes by itself, never within a digest.
    let body = calendar.is_none().then_some(body);
    let letter = Letter {
        message_id: message_id.clone(),
        from: Sender {
            name: engine.settings.sender_name.clone(),
            address: engine.settings.sender_address.clone(),
        },
        to: Recipient { name: person.name.to_string(), address: person.mail.as_str().to_owned() },
        date: engine.moment().now,
        subject: subject.clone(),
        text,
        html: None,
        calendar,
    };
    let Some(message) = frozen(letter, &deadline.key)? else { return Ok(None) };
    let message = String::from_utf8(message)
        .map_err(|_| Error::Setup("a letter is not ASCII on the wire".to_owned()))?;
    let address = MailAddress::new(person.mail.as_str())?;
    Ok(Some(Frozen { to: person.id, address, message_id, title: subject, message, body }))
}

/// Nobody's name or address keeps the letters of the others back: a name that no header takes is
/// left out, and so is, with an error in the log, a reader whom no letter can be addressed to.
fn frozen(letter: Letter, key: &str) -> Result<Option<Vec<u8>>, Error> {
    let address = letter.to.address.clone();
    let written = mail::freeze(&letter).or_else(|_| {
        let to = Recipient { name: String::new(), ..letter.to };
        mail::freeze(&Letter { to, ..letter })
    });
    match written {
        Ok(message) => Ok(Some(message)),
        Err(error @ Unsendable::NotAnAddress { field: "recipient address" }) => {
            tracing::error!(notice.key = key, address, %error, "a letter has no address to go to");
            Ok(None)
        }
        Err(error) => Err(Error::Setup(format!("a letter cannot be written: {error}"))),
    }
}

/// An hour in the afternoon of the meeting's day, to be moved by whoever invites.
fn invitation(
    engine: &Engine,
    deadline: &Deadline,
    person: &Person,
    subject: &str,
    text: &str,
) -> Option<String> {
    let day = deadline.meeting_on?;
    let at = |hour| {
        let time = NaiveTime::from_hms_opt(hour, 0, 0)?;
        Some(calendar::instant(day.and_time(time), engine.zone()).with_timezone(&Utc))
    };
    Some(mail::invitation(&Invitation {
        uid: mail::message_id(&deadline.key, "sixgate"),
        sequence: 0,
        stamp: engine.moment().now,
        start: at(14)?,
        end: at(15)?,
        organizer: Sender {
            name: engine.settings.sender_name.clone(),
            address: engine.settings.sender_address.clone(),
        },
        attendee: Recipient {
            name: person.name.to_string(),
            address: person.mail.as_str().to_owned(),
        },
        summary: subject.to_owned(),
        description: text.to_owned(),
    }))
}
