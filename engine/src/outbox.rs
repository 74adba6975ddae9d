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
mod judgement;
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
    delivery::plan::{Move, Plan},
    ids::{CommandId, PersonId},
    notice::{self, Frozen, Letter, Step, digest},
    rejection::Rejection,
    text::Text,
};

use self::judgement::{is_to_be_tended, mail_rules, plan};
use crate::{
    engine::Engine,
    error::Error,
    execute::Envelope,
    ids,
    projection::post::Source,
    record::{self, Metadata},
    subject::{OneDigest, OneNotice},
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
        let mut failure: Option<Error> = None;
        loop {
            if failure.as_ref().is_none_or(|error| !error.is_of_the_log()) {
                self.begin(&mut under_way).await;
            }
            match under_way.next().await {
                None => break,
                Some(Ok(letters)) => moved += letters,
                // One person's letters must not keep those of others; and what has begun is waited
                // for, since what it records must not be cut short.
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
        let (now, well) = (self.clock.now(), self.breaker().is_closed());
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
                let goes = well && !plan.moves.is_empty();
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
        let metadata = Metadata::of(commit)?;
        let letters = record::decoded::<notice::Event>(commit, &metadata, &self.keys)?;
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

/// A sentence of ours, or what a mail server said, as far as it can be kept.
fn text(words: &str) -> Text {
    let line: String = words
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(Text::CHARACTERS_MAX)
        .collect();
    Text::new(&line).unwrap_or_else(|_| Text::new("-").expect("a dash is a text"))
}
