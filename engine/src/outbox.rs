//! Sends the letters that wait, and records what became of each.
//!
//! ```text
//! one lane for each person: tend digests ─► plan ─► bundle, or for each letter in turn:
//!     still wanted? ─► relay well? ─► attempt recorded, with a lease ─► transmit ─► outcome recorded
//! ```
//!
//! The rule: before anything is transmitted it is recorded that it will be; an attempt without an
//! outcome whose lease has run out, or that is of this engine's earlier life, is an unknown outcome
//! and is sent again under the same Message-ID. Right before sending it is asked once more whether
//! the matter still stands. To one person letters go one after the other; to several people, several
//! at once, so that one slow mailbox keeps only its owner waiting.
//!
//! It deliberately judges nothing by itself: when a letter may go is [`delivery`]'s rule, what an
//! outcome comes to is [`notice`]'s, and whether the relay is worth trying is [`breaker`]'s.

pub(crate) mod breaker;
mod digests;
pub(crate) mod room;
mod transmission;
pub(crate) mod unaddressed;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use futures_util::{
    StreamExt,
    future::{BoxFuture, FutureExt},
    stream::FuturesUnordered,
};
use sixgate_storage::Revision;
use sixgate_workflows::{
    context::Actor,
    deadline,
    delivery::{
        self,
        plan::{Move, Plan, Reader, Waiting},
        rules::MailRules,
    },
    ids::{CommandId, PersonId, ProcurementId},
    notice::{self, Because, Frozen, Letter, Status, Step, digest},
    personal,
    rejection::Rejection,
    text::Text,
};

use crate::{
    access,
    engine::Engine,
    error::Error,
    execute::Envelope,
    ids,
    projection::{
        Views,
        post::{Lane, Source},
    },
    record,
    subject::{OneDigest, OneNotice, OneProcurement, ThePolicy},
};

/// Letters that are transmitted at the same time.
const LANES_MAX: usize = 8;

/// What is to be done now for one person.
struct Work {
    to: PersonId,
    waiting: Vec<Source>,
    plan: Plan,
}

/// How many letters a lane moved on, and for whom it was.
type Worked = (PersonId, Result<usize, Error>);

/// Lanes that are being worked on.
pub(crate) struct UnderWay<'a> {
    lanes: FuturesUnordered<BoxFuture<'a, Worked>>,
    busy: BTreeSet<PersonId>,
    idle: BTreeSet<PersonId>,
}

impl Engine {
    /// How many letters were settled in one way or another, until there is nothing to do.
    pub(crate) async fn send_due(&self) -> Result<usize, Error> {
        let mut moved = 0;
        let mut under_way = UnderWay::default();
        let mut failure = None;
        loop {
            if failure.is_none() {
                self.begin(&mut under_way).await;
            }
            match under_way.next().await {
                None => break,
                Some(Ok(letters)) => moved += letters,
                // The others have begun; what they record must not be cut short.
                Some(Err(error)) => failure = Some(error),
            }
        }
        failure.map_or(Ok(moved), Err)
    }

    /// Begins what can be begun beside what is under way.
    pub(crate) async fn begin<'a>(&'a self, under_way: &mut UnderWay<'a>) {
        self.probe_if_due().await;
        for work in self.work(under_way) {
            under_way.busy.insert(work.to);
            let lane = async move { (work.to, self.carry_out(work).await) };
            under_way.lanes.push(lane.boxed());
        }
    }

    /// Of everybody for whom there is something to do and nothing is being done.
    fn work(&self, under_way: &UnderWay<'_>) -> Vec<Work> {
        let (now, closed) = (self.clock.now(), self.breaker().is_closed());
        let views = self.views();
        let rules = mail_rules(&views);
        let lanes = views
            .post
            .lanes
            .iter()
            .filter(|(to, lane)| !lane.open.is_empty() && !under_way.leaves_alone(**to));
        lanes
            .filter_map(|(to, lane)| {
                let (waiting, plan) = plan(&views, *to, lane, &rules, now);
                let tends = lane.open.iter().any(|(_, source)| {
                    views.letter(source, *to).is_some_and(|letter| is_to_be_tended(letter, now))
                });
                let goes = closed && !plan.moves.is_empty();
                (tends || goes).then_some(Work { to: *to, waiting, plan })
            })
            .take(LANES_MAX - under_way.lanes.len())
            .collect()
    }

    /// When there will be something to do for somebody, as far as it is a matter of time.
    pub(crate) fn post_due(&self) -> Option<DateTime<Utc>> {
        let now = self.clock.now();
        let probe_at = self.breaker().probe_at();
        let views = self.views();
        let rules = mail_rules(&views);
        let times = views.post.lanes.iter().filter(|(_, lane)| !lane.open.is_empty()).flat_map(
            |(to, lane)| {
                let (_, plan) = plan(&views, *to, lane, &rules, now);
                let goes_now = (!plan.moves.is_empty()).then_some(now);
                let letters = lane.open.iter().filter_map(|(_, source)| views.letter(source, *to));
                let leases: Vec<_> = letters.filter_map(Letter::lease_ends).collect();
                // With the relay away nothing goes before it is known to be back.
                let next = goes_now.into_iter().chain(plan.next);
                next.map(|at| probe_at.map_or(at, |probe| at.max(probe)))
                    .chain(leases)
                    .collect::<Vec<_>>()
            },
        );
        times.min()
    }

    async fn carry_out(&self, work: Work) -> Result<usize, Error> {
        let Work { to, waiting, plan } = work;
        let mut moved = self.tend(to).await?;
        if moved > 0 {
            return Ok(moved);
        }
        for one in plan.moves {
            match one {
                Move::Send(index) => {
                    let Some(source) = waiting.get(index) else { continue };
                    let delivered = self.deliver(source, to).await?;
                    moved += usize::from(delivered);
                    // Later letters wait for one that failed, and for the relay.
                    let is_settled = self
                        .views()
                        .letter(source, to)
                        .is_some_and(|letter| letter.status.is_settled());
                    if !is_settled {
                        return Ok(moved);
                    }
                }
                Move::Bundle(indices) => {
                    let sources = indices.iter().filter_map(|index| waiting.get(*index));
                    moved += self.bundle(to, sources.cloned().collect()).await?;
                }
            }
        }
        Ok(moved)
    }

    /// What becomes of a letter that could go now, before the relay is asked.
    fn fate(&self, source: &Source, to: PersonId) -> Option<Step> {
        let moment = self.moment();
        let views = self.views();
        let letter = views.letter(source, to)?;
        let withdrawn = |because| Some(Step::Withdraw { because });
        if personal::is_pseudonym(&letter.address) {
            return withdrawn(Because::ReaderErased);
        }
        if !access::people(&views).any(|person| person.id == to && person.active) {
            return withdrawn(Because::ReaderLeft);
        }
        let rules = mail_rules(&views);
        let mut wanted = None;
        for notice in keys(&views, source).iter().filter_map(|key| notice(&views, key)) {
            let subject = &notice.subject;
            let muted = access::people(&views)
                .any(|person| person.id == to && person.delivery.muted.contains(&subject.kind));
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

    /// Whether it was this call; another engine on the same log may have been faster.
    pub(crate) async fn about(
        &self,
        source: &Source,
        to: PersonId,
        step: Step,
    ) -> Result<bool, Error> {
        let envelope = Envelope { command: CommandId(ids::fresh()), expected: None };
        let system = Actor::system();
        let done = match source {
            Source::Notice(key) => {
                let command = notice::Command::About { to, step };
                self.execute(OneNotice(key.clone()), &system, envelope, command, |_| Ok(())).await
            }
            Source::Digest(key) => {
                let command = digest::Command::About { step };
                self.execute(OneDigest(key.clone()), &system, envelope, command, |_| Ok(())).await
            }
        };
        match done {
            Ok(_) => Ok(true),
            Err(Error::Rejected(Rejection::NothingChanges)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The letter as it was queued, from the log.
    async fn frozen(&self, source: &Source, to: PersonId) -> Result<Option<Frozen>, Error> {
        let commits = self.log.read_stream(&source.stream(), Revision::ZERO, 1).await?;
        let Some(commit) = commits.first() else { return Ok(None) };
        let letters = record::decoded::<notice::Event>(commit, &self.keys)?;
        Ok(letters.into_iter().find_map(|(event, _)| match event {
            notice::Event::Queued { letter } if letter.to == to => Some(*letter),
            notice::Event::Queued { .. }
            | notice::Event::Fired { .. }
            | notice::Event::Gathered { .. }
            | notice::Event::Attempted { .. }
            | notice::Event::Sent { .. }
            | notice::Event::Deferred { .. }
            | notice::Event::Refused { .. }
            | notice::Event::OutcomeUnknown { .. }
            | notice::Event::GivenUp { .. }
            | notice::Event::Withdrawn { .. }
            | notice::Event::Requeued { .. }
            | notice::Event::Bundled { .. }
            | notice::Event::Released { .. }
            | notice::Event::DeliveredInDigest { .. } => None,
        }))
    }
}

impl UnderWay<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The next lane that is done. One in which nothing moved is not asked again before `wake`.
    pub(crate) async fn next(&mut self) -> Option<Result<usize, Error>> {
        let (to, worked) = self.lanes.next().await?;
        self.busy.remove(&to);
        if !matches!(worked, Ok(1..)) {
            self.idle.insert(to);
        }
        Some(worked)
    }

    /// Something has happened, or time has passed.
    pub(crate) fn wake(&mut self) {
        self.idle.clear();
    }

    fn leaves_alone(&self, person: PersonId) -> bool {
        self.busy.contains(&person) || self.idle.contains(&person)
    }
}

impl Default for UnderWay<'_> {
    fn default() -> Self {
        Self { lanes: FuturesUnordered::new(), busy: BTreeSet::new(), idle: BTreeSet::new() }
    }
}

pub(crate) fn mail_rules(views: &Views) -> MailRules {
    use crate::subject::Subject;
    ThePolicy::entities(views)
        .find(&ThePolicy)
        .map(|policy| policy.state.newest().mail.clone())
        .unwrap_or_default()
}

fn notice<'a>(views: &'a Views, key: &str) -> Option<&'a notice::Notice> {
    views.notices.find(&OneNotice(key.to_owned()))?.state.as_ref().as_ref()
}

/// Of the notices that a letter tells of.
fn keys(views: &Views, source: &Source) -> BTreeSet<String> {
    match source {
        Source::Notice(key) => [key.clone()].into(),
        Source::Digest(key) => {
            let digest = views.digests.find(&OneDigest(key.clone()));
            let digest = digest.and_then(|digest| digest.state.as_ref().as_ref());
            digest.map_or_else(BTreeSet::new, |digest| digest.gathered.notices.clone())
        }
    }
}

/// What is due of one procurement, by the same rule that made it due.
fn due_keys(
    views: &Views,
    procurement: ProcurementId,
    moment: sixgate_workflows::gate::Moment,
) -> BTreeSet<String> {
    let found = views.procurements.find(&OneProcurement(procurement));
    let Some(procurement) = found.and_then(|found| found.state.as_ref().as_ref()) else {
        return BTreeSet::new();
    };
    deadline::deadlines(procurement, moment).into_iter().map(|deadline| deadline.key).collect()
}

/// What waits for a person, and what the rules make of it.
fn plan(
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
    let person = access::people(views).find(|person| person.id == to && !person.erased);
    let plan = match person {
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
    let kinds = keys(views, source);
    let urgency = kinds
        .iter()
        .filter_map(|key| notice(views, key))
        .map(|notice| rules.urgency(notice.subject.kind))
        .max();
    let is_digest = matches!(source, Source::Digest(_));
    Waiting {
        urgency: urgency.unwrap_or(delivery::rules::Urgency::Normal),
        queued_at: letter.queued_at,
        next_attempt: letter.next_attempt(),
        can_be_bundled: letter.can_be_bundled && letter.is_fresh() && !is_digest,
        is_released: is_digest || !letter.is_fresh(),
    }
}

/// It is part of a digest whose fate may be known, or its sender was not heard of again.
fn is_to_be_tended(letter: &Letter, now: DateTime<Utc>) -> bool {
    matches!(letter.status, Status::Bundled { .. })
        || letter.lease_ends().is_some_and(|until| until <= now)
}

/// A sentence of ours, or what a mail server said, as far as it can be kept.
fn text(words: &str) -> Text {
    let line: String = words
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(Text::CHARACTERS_MAX)
        .collect();
    Text::new(&line).unwrap_or_else(|_| Text::new("-").expect("a dash is a text"))
}
