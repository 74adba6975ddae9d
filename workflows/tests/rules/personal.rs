//! What is about a person is marked, and can be taken back without touching anything else.

use std::collections::BTreeSet;

use serde_json::Value;
use sixgate_workflows::{
    ids::PersonId,
    person::{self, MailAddress},
    personal::{self, Form, MARKS, Whose},
    procurement::{Course, CourseEvent, Event},
    rejection::Rejection,
    stage::Stage,
    supplier,
};

use crate::{
    events::{kinds, produced},
    fixture::{closed, filled, text},
    golden::there_and_back,
    harness::{Who, given},
    organisation::{
        NEWCOMER, issue_token, person_after, register_person, register_supplier, set_preferences,
        substitute, supplier_after,
    },
};

#[test]
fn every_mark_is_of_a_field_that_its_kind_has() {
    let produced = produced();
    for mark in MARKS {
        let data = &produced[mark.kind];
        for (place, _) in mark.places {
            assert!(data.pointer(place).is_some(), "{} has no {place}", mark.kind);
        }
        if let Whose::OfThePersonAt(place) = mark.whose {
            let id = data.pointer(place).and_then(Value::as_str).unwrap();
            assert!(id.parse::<PersonId>().is_ok(), "{}: {id}", mark.kind);
        }
    }
    let marked: BTreeSet<&str> = MARKS.iter().map(|mark| mark.kind).collect();
    assert_eq!(marked.len(), MARKS.len(), "a kind is marked twice");
    assert!(personal::ERASURES.iter().all(|kind| kinds().contains(*kind)));
}

/// Strings at or below a place, with where they are.
fn strings<'a>(at: String, value: &'a mut Value, found: &mut Vec<(String, &'a mut Value)>) {
    match value {
        Value::String(_) => found.push((at, value)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .for_each(|(name, value)| strings(format!("{at}/{name}"), value, found));
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|value| strings(format!("{at}/-"), value, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn a_pseudonym_can_be_read_wherever_something_is_marked() {
    for (kind, mut data) in produced() {
        let Some(mark) = personal::mark(&kind) else { continue };
        for (place, form) in mark.places {
            let mut leaves = Vec::new();
            strings(String::new(), data.pointer_mut(place).unwrap(), &mut leaves);
            assert!(!leaves.is_empty(), "{kind} {place}");
            for (_, leaf) in leaves {
                *leaf = personal::pseudonym(*form, "0000000a").into();
            }
        }
        let (_, again) = there_and_back(&kind, 1, data.clone()).unwrap();
        assert_eq!(again, data);
    }
}

#[test]
fn every_name_and_address_in_an_event_is_marked() {
    for (kind, mut data) in produced() {
        let places = personal::mark(&kind).map_or(&[][..], |mark| mark.places);
        let mut leaves = Vec::new();
        strings(String::new(), &mut data, &mut leaves);
        for (at, leaf) in leaves {
            let marked = places.iter().any(|(place, _)| at.starts_with(place));
            let says_who = ["@", "Nora", "Rita", "contact"]
                .iter()
                .any(|word| leaf.as_str().unwrap().contains(word) || at.contains(word));
            // A hash, at the domain of the sender.
            let is_message_id = at.ends_with("/message_id");
            assert!(marked || !says_who || is_message_id, "{kind} {at}: {leaf}");
        }
    }
}

#[test]
fn a_pseudonym_is_an_address_that_never_exists_and_known_as_one() {
    let pseudonym = MailAddress::new(&personal::pseudonym(Form::Address, "0000000a")).unwrap();
    assert!(personal::is_pseudonym(&pseudonym));
    assert!(!personal::is_pseudonym(&MailAddress::new("nora@buyer.example").unwrap()));
}

#[test]
fn an_erased_person_has_no_access_left_and_stays_erased() {
    let erase = person::Command::Erase;
    let deputy = substitute(Who::Fiona.id(), "2026-02-10", "2026-02-20");
    let before = vec![register_person(), issue_token(1), deputy];
    let (state, ..) = person_after([before.clone(), vec![erase.clone()]].concat());
    let person = state.unwrap();
    assert!(person.erased && !person.active);
    assert!(person.tokens.is_empty() && person.substitute.is_none());
    let left = [before.clone(), vec![person::Command::Deactivate, erase.clone()]].concat();
    assert!(person_after(left).0.unwrap().erased, "who has left can still be erased");
    for (again, rejection) in [
        (erase.clone(), Rejection::NothingChanges),
        (set_preferences(), Rejection::PersonInactive { person: NEWCOMER }),
        (register_person(), Rejection::AlreadyRegistered),
    ] {
        let commands = [before.clone(), vec![erase.clone(), again]].concat();
        assert_eq!(person_after(commands).2, Some(rejection));
    }
    assert_eq!(person_after(vec![erase]).2, Some(Rejection::NoSuchPerson { person: NEWCOMER }));
}

#[test]
fn the_contact_of_a_supplier_is_erased_once_and_also_after_it_was_withdrawn() {
    let erase = supplier::Command::EraseContact;
    let withdraw = crate::organisation::withdraw_supplier();
    let (state, ..) = supplier_after(vec![register_supplier(), withdraw, erase.clone()]);
    assert!(state.unwrap().contact_erased);
    let (.., rejection) = supplier_after(vec![register_supplier(), erase.clone(), erase]);
    assert_eq!(rejection, Some(Rejection::NothingChanges));
}

#[test]
fn the_contact_of_a_procurement_is_erased_in_every_phase_and_nothing_else_changes() {
    let reason = || text("as agreed");
    let mut held = filled(Stage::Budget);
    held.by(Who::Maya).must(Course::Hold { reason: reason() });
    let mut cancelled = filled(Stage::Budget);
    cancelled.by(Who::Maya).must(Course::Cancel { reason: reason() });
    for mut world in [filled(Stage::Budget), held, cancelled, closed()] {
        let before = world.state.clone();
        world.later(chrono::Duration::days(400));
        world.by(Who::Maya).must(Course::EraseContact);
        assert_eq!(world.state, before);
        let last = &world.log.last().unwrap().0;
        assert_eq!(*last, Event::Course(CourseEvent::ContactErased {}));
    }
    let mut empty = given::<Course>([]);
    assert_eq!(empty.by(Who::Maya).rejected(Course::EraseContact), Rejection::BriefMissing);
}
