//! Turns a deadline into letters, one for each person it concerns, in that person's language.
//!
//! ```text
//! Deadline + Procurement --content--> Content --plain, html, meeting--> Letter --freeze--> bytes
//! ```
//!
//! The rule: a letter is written once, when it is queued; whatever changes afterwards, every attempt
//! sends what was written then. A link leads to a page and never changes anything by being opened.

mod html;
mod meeting;
mod page;
mod plain;
mod preview;

use std::collections::{BTreeMap, BTreeSet};

use sixgate_workflows::{
    content::{self, Reader, Source},
    context::local_date,
    deadline::{About, Deadline, NoticeKind},
    function::Function,
    ids::PersonId,
    notice::Frozen,
    person::{MailAddress, Person},
};

use self::page::Page;
pub use self::preview::preview;
use crate::{
    access,
    engine::{Engine, Settings},
    error::Error,
    mail::{self, Letter, Recipient, Sender, Unsendable},
    subject::{OneProcurement, OneSupplier},
};

/// A letter to everybody concerned; a substitute gets the absent colleague's instead.
pub(crate) fn compose(engine: &Engine, deadline: &Deadline) -> Result<Vec<Frozen>, Error> {
    let people: Vec<Person> =
        access::people(&engine.views()).filter(|person| person.active).cloned().collect();
    let of_the_meeting = [NoticeKind::ReviewMoved, NoticeKind::ReviewCancelled];
    let chosen = match of_the_meeting.contains(&deadline.kind) {
        true => invited(engine, deadline, &people),
        false => recipients(engine, deadline, &people),
    };
    chosen
        .into_iter()
        .filter_map(|(person, functions)| {
            one_letter(engine, deadline, person, &functions).transpose()
        })
        .collect()
}

/// A change of a meeting is for those who have it in their calendars, and for nobody else.
fn invited<'a>(
    engine: &Engine,
    deadline: &Deadline,
    people: &'a [Person],
) -> Vec<(&'a Person, BTreeSet<Function>)> {
    let About::Quarter(quarter) = deadline.about else { return Vec::new() };
    let invitation = NoticeKind::ReviewInvitation.id();
    let key = format!("{}:{invitation}:{quarter}", deadline.procurement);
    let views = engine.views();
    let invitations = views.notices.states().filter_map(Option::as_ref).filter(|notice| {
        notice.subject.kind == NoticeKind::ReviewInvitation && notice.subject.key.starts_with(&key)
    });
    let invited: BTreeSet<PersonId> =
        invitations.flat_map(|notice| notice.letters.keys().copied()).collect();
    people
        .iter()
        .filter(|person| invited.contains(&person.id))
        .map(|person| {
            let as_reviewer: BTreeSet<Function> =
                person.functions.intersection(&deadline.to).copied().collect();
            // Invited in somebody's place, or as what they are no longer.
            let functions = if as_reviewer.is_empty() { &person.functions } else { &as_reviewer };
            (person, functions.clone())
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
    let settings = &engine.settings;
    let domain = settings.sender_address.rsplit('@').next().unwrap_or("localhost");
    let message_id = mail::message_id(&format!("{}|{}", deadline.key, person.id), domain);
    let (letter, words) = {
        let views = engine.views();
        let found = views.procurements.find(&OneProcurement(deadline.procurement));
        let Some(procurement) = found.and_then(|entry| Option::as_ref(entry.state())) else {
            return Ok(None);
        };
        let supplier = match deadline.about {
            About::Supplier(supplier) => views.suppliers.find(&OneSupplier(supplier)),
            About::Procurement
            | About::Incident(_)
            | About::Month(_)
            | About::MonthOf(..)
            | About::Quarter(_)
            | About::WeekBefore(_) => None,
        };
        let supplier = supplier.and_then(|entry| Option::as_ref(entry.state()));
        let source = Source { procurement, deadline, supplier, moment: engine.moment() };
        let reader = Reader {
            name: person.name.as_str(),
            locale: person.locale,
            zone: person.zone,
            functions,
        };
        letter(settings, &source, &reader, person.mail.as_str(), message_id.clone())
    };
    // What is more than words goes by itself, never within a digest.
    let body = letter.calendar.is_none().then_some(words);
    let title = letter.subject.clone();
    let Some(message) = frozen(letter, &deadline.key)? else { return Ok(None) };
    let message = String::from_utf8(message)
        .map_err(|_| Error::Setup("a letter is not ASCII on the wire".to_owned()))?;
    let address = MailAddress::new(person.mail.as_str())?;
    Ok(Some(Frozen { to: person.id, address, message_id, title, message, body }))
}

/// A letter, and its words alone.
fn letter(
    settings: &Settings,
    source: &Source,
    reader: &Reader,
    address: &str,
    message_id: String,
) -> (Letter, String) {
    let content = content::written(source, reader);
    let at = |path: &str| settings.public_url.as_ref().map(|url| format!("{url}{path}"));
    let kind = source.deadline.kind;
    let page = Page {
        locale: reader.locale,
        functions: reader.functions,
        link: at(&format!("/procurements/{}", source.procurement.id)),
        preferences: at("/preferences").filter(|_| kind.is_optional()),
        is_optional: kind.is_optional(),
        content: &content,
    };
    let text = plain::plain(&page);
    let from =
        Sender { name: settings.sender_name.clone(), address: settings.sender_address.clone() };
    let to = Recipient { name: reader.name.to_owned(), address: address.to_owned() };
    let words = plain::words(&page);
    let calendar = meeting::invitation(source, &page, &from, &to, &text);
    let letter = Letter {
        message_id,
        from,
        to,
        date: source.moment.now,
        html: Some(html::html(&page)),
        calendar: calendar.as_ref().map(mail::invitation),
        preferences: page.preferences.clone(),
        subject: content.subject,
        text,
    };
    (letter, words)
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
