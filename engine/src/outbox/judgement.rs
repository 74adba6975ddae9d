//! What the rules make of the letters that wait, asked of the read models and nothing else.
//!
//! The rule: it is asked anew each time, right before anything is done, so that a change of the
//! matter, of the policy or of a reader's wishes holds for what already waits. Nothing is recorded
//! here.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sixgate_workflows::{
    deadline,
    delivery::{
        self,
        plan::{Move, Plan, Reader, Waiting},
        rules::{MailRules, Urgency},
    },
    gate::Moment,
    ids::{PersonId, ProcurementId},
    notice::{self, Because, Letter, Status, Step, digest::Digest},
    person::Person,
    personal,
};

use super::text;
use crate::{
    engine::Engine,
    projection::{
        Views,
        post::{Lane, Source},
    },
    subject::{OneDigest, OneNotice, OnePerson, OneProcurement, Subject, ThePolicy},
};

impl Engine {
    /// What becomes of a letter that could go now, before the relay is asked.
    pub(super) fn fate(&self, source: &Source, to: PersonId) -> Option<Step> {
        let moment = self.moment();
        let views = self.views();
        let letter = views.letter(source, to)?;
        let withdrawn = |because| Some(Step::Withdraw { because });
        if personal::is_pseudonym(&letter.address) {
            return withdrawn(Because::ReaderErased);
        }
        let rules = mail_rules(&views);
        let reader = person(&views, to);
        if !reader.is_some_and(|reader| reader.active) {
            return withdrawn(Because::ReaderLeft);
        }
        let mut wanted = None;
        for notice in keys(&views, source).iter().filter_map(|key| notice(&views, key)) {
            let subject = &notice.subject;
            let muted = reader.is_some_and(|reader| reader.delivery.muted.contains(&subject.kind));
            let useful = rules.useful_until(subject.kind, subject.due);
            let because = if muted && matches!(source, Source::Notice(_)) && !subject.unaddressed {
                Some(Because::Muted)
            } else if useful.is_some_and(|until| until < moment.now) {
                Some(Because::NoLongerUseful)
            } else if !due_keys(&views, subject.procurement, moment).contains(&subject.key) {
                Some(Because::NoLongerHolds)
            } else {
                None
            };
            // Of a digest, one notice that is wanted is enough.
            wanted = Some(match (wanted, because) {
                (Some(None), _) | (_, None) => None,
                (Some(Some(earlier)), Some(_)) => Some(earlier),
                (None, because) => because,
            });
        }
        match wanted {
            None => return withdrawn(Because::NoLongerHolds),
            Some(Some(because)) => return withdrawn(because),
            Some(None) => {}
        }
        if letter.is_too_old(moment.now) {
            return Some(Step::GiveUp { why: text("it has waited for more than five days") });
        }
        let refusals = views.post.lanes.get(&to).map_or(0, |lane| lane.refusals);
        (refusals >= rules.refusals_max).then(|| {
            let why = format!("the address refused {refusals} letters in a row");
            Step::GiveUp { why: text(&why) }
        })
    }
}

pub(super) fn mail_rules(views: &Views) -> MailRules {
    ThePolicy::entities(views)
        .find(&ThePolicy)
        .map(|policy| policy.state().newest().mail.clone())
        .unwrap_or_default()
}

pub(super) fn notice<'a>(views: &'a Views, key: &str) -> Option<&'a notice::Notice> {
    views.notices.find(&OneNotice(key.to_owned()))?.state().as_ref().as_ref()
}

fn person(views: &Views, id: PersonId) -> Option<&Person> {
    views.people.find(&OnePerson(id))?.state().as_ref().as_ref()
}

pub(super) fn digest<'a>(views: &'a Views, key: &str) -> Option<&'a Digest> {
    views.digests.find(&OneDigest(key.to_owned()))?.state().as_ref().as_ref()
}

/// Of the notices that a letter tells of.
fn keys(views: &Views, source: &Source) -> BTreeSet<String> {
    match source {
        Source::Notice(key) => [key.clone()].into(),
        Source::Digest(key) => {
            digest(views, key).map_or_else(BTreeSet::new, |digest| digest.gathered.notices.clone())
        }
    }
}

/// What is due of one procurement, by the same rule that made it due.
pub(super) fn due_keys(
    views: &Views,
    procurement: ProcurementId,
    moment: Moment,
) -> BTreeSet<String> {
    let found = views.procurements.find(&OneProcurement(procurement));
    let Some(procurement) = found.and_then(|found| found.state().as_ref().as_ref()) else {
        return BTreeSet::new();
    };
    deadline::deadlines(procurement, moment).into_iter().map(|deadline| deadline.key).collect()
}

/// What waits for a person, and what the rules make of it.
pub(super) fn plan(
    views: &Views,
    to: PersonId,
    lane: &Lane,
    rules: &MailRules,
    now: DateTime<Utc>,
) -> (Vec<Source>, Plan) {
    let is_in_no_digest = |letter: &Letter| !matches!(letter.status, Status::Bundled { .. });
    let open = lane.open.iter().filter_map(|(_, source)| {
        let letter = views.letter(source, to).filter(|letter| is_in_no_digest(letter))?;
        Some((source.clone(), waiting(views, source, letter, rules)))
    });
    let (sources, letters): (Vec<_>, Vec<_>) = open.unzip();
    let plan = match person(views, to).filter(|person| !person.erased) {
        Some(person) => {
            let reader = Reader {
                zone: person.zone,
                delivery: &person.delivery,
                sent_lately: &lane.sent_lately,
            };
            delivery::plan::plan(&letters, reader, rules, now)
        }
        // Nothing is left to wait for; each will be withdrawn.
        None => {
            let idle = letters.iter().enumerate().filter(|(_, l)| l.next_attempt.is_some());
            Plan { moves: idle.map(|(index, _)| Move::Send(index)).collect(), next: None }
        }
    };
    (sources, plan)
}

fn waiting(views: &Views, source: &Source, letter: &Letter, rules: &MailRules) -> Waiting {
    let urgency = match source {
        Source::Notice(key) => notice(views, key).map(|n| rules.urgency(n.subject.kind)),
        // As it was when it was gathered.
        Source::Digest(key) => digest(views, key)
            .map(|d| if d.gathered.urgent { Urgency::Urgent } else { Urgency::Normal }),
    };
    let is_digest = matches!(source, Source::Digest(_));
    Waiting {
        urgency: urgency.unwrap_or(Urgency::Normal),
        queued_at: letter.queued_at,
        next_attempt: letter.next_attempt(),
        can_be_bundled: letter.can_be_bundled && letter.is_fresh() && !is_digest,
        is_released: is_digest || !letter.is_fresh(),
    }
}

/// It is part of a digest whose fate may be known, or its sender was not heard of again.
pub(super) fn is_to_be_tended(letter: &Letter, now: DateTime<Utc>) -> bool {
    matches!(letter.status, Status::Bundled { .. })
        || letter.lease_ends().is_some_and(|until| until <= now)
}
