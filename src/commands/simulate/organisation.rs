//! The people who come and go, and how one of them is found to do something.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use sixgate_engine::{ids, projection::Views};
use sixgate_workflows::{
    delivery::{Delivery, Frequency, QuietHours},
    function::Function::{self, Requester},
    ids::{PersonId, TokenId},
    locale::Locale,
    person::{Command, MailAddress, Person},
    procurement::Procurement,
};

use super::{
    figures::{self, name},
    random::Random,
};

/// Three zones with clocks of their own: without summer time, and with changes on different days.
pub(super) const ZONES: [Tz; 3] = [Tz::Asia__Shanghai, Tz::Europe__Berlin, Tz::America__New_York];

/// Whom the organisation begins with.
pub(super) const FIRST: [Function; 14] = [
    Function::Requester,
    Function::Requester,
    Function::Requester,
    Function::Procurement,
    Function::Procurement,
    Function::Finance,
    Function::Finance,
    Function::Legal,
    Function::Operations,
    Function::Operations,
    Function::Manager,
    Function::Manager,
    Function::Auditor,
    Function::Admin,
];

#[derive(Default)]
pub(super) struct Organisation {
    /// By address, which is nobody else's again.
    addresses: BTreeMap<String, PersonId>,
}

impl Organisation {
    pub(super) fn token(person: PersonId) -> String {
        format!("token of {person}")
    }

    /// Somebody new, with a token for longer than any simulation.
    pub(super) fn hire(
        &mut self,
        function: Function,
        now: DateTime<Utc>,
        random: &mut Random,
    ) -> (PersonId, [Command; 2]) {
        let person = PersonId(random.uuid());
        let address = format!("colleague{}@buyer.example", self.addresses.len());
        let register = Command::Register {
            name: name(&format!("Colleague {}", self.addresses.len())),
            mail: MailAddress::new(&address).expect("the simulation's own addresses are addresses"),
            locale: if random.chance(500) { Locale::ZhCn } else { Locale::En },
            zone: random.pick(&ZONES).copied().unwrap_or(Tz::UTC),
            functions: BTreeSet::from([function]),
        };
        self.addresses.insert(address, person);
        let token = Command::IssueToken {
            token: TokenId(random.uuid()),
            hash: ids::content_hash(Self::token(person).as_bytes()),
            label: name("laptop"),
            expires_at: now + Duration::days(365 * 60),
        };
        (person, [register, token])
    }

    pub(super) fn whose(&self, address: &str) -> Option<PersonId> {
        self.addresses.get(address).copied()
    }
}

pub(super) fn active(views: &Views) -> impl Iterator<Item = &Person> {
    views.people.states().flatten().filter(|person| person.active)
}

/// By the wall clock where the person is, from the first minute to before the last.
pub(super) fn is_quiet(person: &Person, at: DateTime<Utc>) -> bool {
    let time = at.with_timezone(&person.zone).time();
    person.delivery.quiet.is_some_and(|quiet| match quiet.from() < quiet.until() {
        true => quiet.from() <= time && time < quiet.until(),
        false => quiet.from() <= time || time < quiet.until(),
    })
}

/// Nights, a daily digest, or everything at once.
pub(super) fn wishes(random: &mut Random) -> Command {
    let hour = |hour| NaiveTime::from_hms_opt(hour, 30, 0).unwrap_or_default();
    let quiet = match random.between(0, 3) {
        0 => None,
        1 => QuietHours::new(hour(12), hour(14)).ok(),
        _ => QuietHours::new(hour(19), hour(7)).ok(),
    };
    let frequency = match random.between(0, 3) {
        0 => Frequency::Daily { at: hour(10) },
        _ => Frequency::Immediate,
    };
    Command::SetDelivery { delivery: Delivery { frequency, quiet, ..Delivery::default() } }
}

/// Who is there today and acts as this, or stands in for somebody who does.
pub(super) fn actor(
    views: &Views,
    function: Function,
    procurement: Option<&Procurement>,
    today: NaiveDate,
    random: &mut Random,
) -> Option<PersonId> {
    let member = |person: &&Person| {
        function != Requester || procurement.is_none_or(|p| p.members.contains(&person.id))
    };
    let holders: Vec<&Person> =
        active(views).filter(|p| p.functions.contains(&function)).filter(member).collect();
    let chosen = random.pick(&holders)?;
    let stands_in = chosen.substitute_on(today);
    let present = stands_in.filter(|id| active(views).any(|person| person.id == *id));
    Some(present.unwrap_or(chosen.id))
}

/// Away for a while, from today or soon.
pub(super) fn leave(
    person: PersonId,
    others: &[PersonId],
    today: NaiveDate,
    random: &mut Random,
) -> Option<Command> {
    let from = figures::later(today, random.between(0, 5).unsigned_abs());
    let until = figures::later(from, random.between(1, 30).unsigned_abs());
    let others: Vec<PersonId> = others.iter().copied().filter(|other| *other != person).collect();
    let person = *random.pick(&others)?;
    let substitute = sixgate_workflows::person::Substitute { person, from, until };
    Some(Command::NameSubstitute { substitute })
}
