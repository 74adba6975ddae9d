//! One seed: an organisation lives through its years, and every pass is looked at.
//!
//! The rule: one thing happens after another, in simulated time alone. True time goes on; what the
//! clock shows may differ from it. Between two happenings the program sleeps exactly until the time
//! that its last pass named, so a wrong answer there is found like any other fault.

mod happening;
mod people;

use std::{collections::BTreeMap, sync::Arc};

use anyhow::Context;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use sixgate_engine::{
    Error,
    clock::{Clock as _, SetClock},
};
use sixgate_storage::EventLog as _;
use sixgate_workflows::{
    context::local_date,
    gate::Moment,
    ids::{CommandId, PersonId, SupplierId},
    procurement::{Command, Course},
};

use self::happening::Happening;
use super::{
    auditor::Auditor,
    checks::{Check, Findings},
    gates,
    machine::{Machine, Program, Wish},
    oracle::Oracle,
    organisation::{self, Organisation},
    random::Random,
    relay::{SimulatedRelay, Weather},
};

/// How a seed is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenario {
    pub(super) seed: u64,
    pub(super) years: u32,
    /// Opened in a year.
    pub(super) procurements: u32,
}

/// What came of a seed.
pub(super) struct Played {
    pub(super) seed: u64,
    pub(super) findings: Findings,
    pub(super) tally: Tally,
    /// Of the whole history; the same for the same seed.
    pub(super) fingerprint: String,
}

/// How much happened.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Tally {
    pub(super) commits: u64,
    pub(super) procurements: u64,
    pub(super) closed: u64,
    pub(super) passes: u64,
    pub(super) firings: u64,
    pub(super) letters: u64,
    pub(super) attempts_to_send: u64,
    pub(super) faults_of_the_relay: u64,
    pub(super) crashes: u64,
    pub(super) clock_jumps: u64,
    pub(super) commands: u64,
    pub(super) refused: BTreeMap<String, u64>,
}

pub(super) struct World {
    scenario: Scenario,
    machine: Machine,
    first: Program,
    /// Another one on the same log, now and then.
    second: Option<Program>,
    /// What the time really is.
    now: DateTime<Utc>,
    /// What the clock shows more than that.
    skew: Duration,
    end: DateTime<Utc>,
    agenda: BTreeMap<(DateTime<Utc>, u64), Happening>,
    planned: u64,
    /// When the last pass said that there is something to do again.
    wake: Option<DateTime<Utc>>,
    random: Random,
    organisation: Organisation,
    suppliers: Vec<SupplierId>,
    oracle: Oracle,
    auditor: Auditor,
    findings: Findings,
    tally: Tally,
}

/// What the programs are called, each the same after a restart.
const FIRST: &str = "first";
const SECOND: &str = "second";

/// A pass that is never over would hang the simulation, and a server.
const PASSES_MAX: u32 = 50;

pub(super) async fn play(scenario: Scenario, year_over: impl Fn(u32)) -> anyhow::Result<Played> {
    let mut world = World::new(scenario).await?;
    world.found().await?;
    let begin = world.now;
    let mut years = 0;
    while world.step().await? {
        let lived = (world.now - begin).num_days() / 365;
        if lived > i64::from(years) {
            years += 1;
            year_over(years);
        }
    }
    world.close().await
}

impl World {
    async fn new(scenario: Scenario) -> anyhow::Result<Self> {
        let mut random = Random::of(scenario.seed);
        let zone = random.pick(&organisation::ZONES).copied().unwrap_or(Tz::UTC);
        // Somewhere in a year, so that its end, its quarters and its clock changes come early or late.
        let first_day = NaiveDate::from_ymd_opt(2026, 1, 1).context("a first day")?;
        let now = first_day.and_time(chrono::NaiveTime::MIN).and_utc()
            + Duration::minutes(random.between(0, 365 * 1_440));
        let clock = Arc::new(SetClock::at(now));
        let relay = SimulatedRelay::new(Arc::clone(&clock), random.branch());
        let mut machine = Machine::new(zone, clock, relay, random.branch())?;
        let first = machine.start(FIRST).await?;
        Ok(Self {
            scenario,
            machine,
            first,
            second: None,
            now,
            skew: Duration::zero(),
            end: now + Duration::days(365) * i32::try_from(scenario.years)?,
            agenda: BTreeMap::new(),
            planned: 0,
            wake: None,
            random,
            organisation: Organisation::default(),
            suppliers: Vec::new(),
            oracle: Oracle::new(zone),
            auditor: Auditor::new(),
            findings: Findings::default(),
            tally: Tally::default(),
        })
    }

    fn shown(&self) -> DateTime<Utc> {
        self.now + self.skew
    }

    fn moment(&self) -> Moment {
        Moment { now: self.shown(), zone: self.machine.zone }
    }

    fn today(&self) -> NaiveDate {
        local_date(self.shown(), self.machine.zone)
    }

    fn plan(&mut self, after: Duration, happening: Happening) {
        self.planned += 1;
        self.agenda.insert((self.now + after, self.planned), happening);
    }

    /// The next thing, and a pass after it. Says whether there is a next one.
    async fn step(&mut self) -> anyhow::Result<bool> {
        let planned = self.agenda.first_key_value().map(|((at, _), _)| *at);
        let wake = self.wake.map(|shown| shown - self.skew);
        let Some(next) = planned.into_iter().chain(wake).min().filter(|next| *next < self.end)
        else {
            return Ok(false);
        };
        self.now = self.now.max(next);
        self.machine.clock.set(self.shown());
        if wake != Some(next) {
            self.nothing_was_overslept().await?;
        }
        if planned == Some(next)
            && let Some((_, happening)) = self.agenda.pop_first()
        {
            self.happen(happening).await?;
        }
        self.pass().await?;
        Ok(true)
    }

    /// The program would still sleep if nothing else happened now.
    async fn nothing_was_overslept(&mut self) -> anyhow::Result<()> {
        self.follow().await?;
        let due = self.oracle.due(&self.first.engine.views(), self.shown());
        let (now, wake) = (self.shown(), self.wake);
        self.findings.hold(Check::WokenInTime, now, due.is_empty(), || {
            format!("the program sleeps until {wake:?} through {:?}", due.keys().next())
        });
        Ok(())
    }

    /// Everything that is due now is fired and sent, through all crashes.
    async fn pass(&mut self) -> anyhow::Result<()> {
        for _ in 0..PASSES_MAX {
            self.follow().await?;
            let due = self.oracle.due(&self.first.engine.views(), self.shown());
            let here: Vec<PersonId> =
                organisation::active(&self.first.engine.views()).map(|p| p.id).collect();
            let outcome = self.settle().await;
            self.tally.passes += 1;
            match outcome {
                Some(Ok(next)) => {
                    // A slow relay takes its time.
                    self.now = self.machine.clock.now() - self.skew;
                    self.follow().await?;
                    let after = self.oracle.due(&self.first.engine.views(), self.shown());
                    let firings =
                        self.auditor.follow(&*self.machine.log, &mut self.findings).await?;
                    self.tally.firings += u64::try_from(firings.len())?;
                    self.oracle.judge(due, &after, &firings, &mut self.findings);
                    self.readers_are_here(&here);
                    // What one says of the future holds until the other one is done.
                    let later =
                        self.second.is_some() || next.is_none_or(|next| self.shown() < next);
                    self.findings.hold(Check::EngineHolds, self.now, later, || {
                        format!("the next pass was to be at {next:?}, which has come")
                    });
                    self.wake = next.map(|next| next.max(self.shown() + Duration::seconds(1)));
                    return Ok(());
                }
                Some(Err(error)) => {
                    self.oracle.broke_off(due);
                    let told = crate::failure::explanation(&anyhow::Error::new(error));
                    self.findings.hold(Check::EngineHolds, self.now, false, || told);
                    return Ok(());
                }
                None => {
                    self.oracle.broke_off(due);
                    self.recover().await?;
                }
            }
        }
        self.findings.hold(Check::EngineHolds, self.now, false, || {
            format!("a pass was not over after {PASSES_MAX} restarts")
        });
        Ok(())
    }

    /// `None` when a program ended at it.
    async fn settle(&self) -> Option<Result<Option<DateTime<Utc>>, Error>> {
        let one = |program: Program| async move {
            program.fuse.guard(program.engine.settle()).await.map(|pass| pass.map(|p| p.next))
        };
        let Some(second) = &self.second else { return one(self.first.clone()).await };
        match tokio::join!(one(self.first.clone()), one(second.clone())) {
            (Some(first), Some(second)) => Some(match (first, second) {
                (Ok(first), Ok(second)) => Ok(first.into_iter().chain(second).min()),
                (Err(error), _) | (_, Err(error)) => Err(error),
            }),
            (None, _) | (_, None) => None,
        }
    }

    /// Starts again what has ended; sometimes nobody notices for a while.
    async fn recover(&mut self) -> anyhow::Result<()> {
        self.tally.crashes += 1;
        let minutes = match self.random.between(0, 9) {
            0 => self.random.between(60, 4_320),
            1..=3 => self.random.between(1, 60),
            _ => 0,
        };
        self.now = (self.machine.clock.now() - self.skew) + Duration::minutes(minutes);
        self.machine.clock.set(self.shown());
        // Both end, or one alone; with the last, what was only in memory is gone.
        if self.second.is_none() || self.random.chance(300) {
            self.second = None;
            self.machine.forget()?;
        }
        self.first = self.machine.start(FIRST).await?;
        if self.second.is_some() {
            self.second = Some(self.machine.start(SECOND).await?);
        }
        Ok(())
    }

    /// The read models reach what others have appended, as a running program's do by themselves.
    async fn follow(&self) -> anyhow::Result<()> {
        let head = self.machine.log.head().await?.position;
        self.first.engine.follow_to(head).await?;
        Ok(())
    }

    /// Sends a wish until it is answered, always under the same id.
    async fn ask(&mut self, who: Option<PersonId>, wish: Wish) -> anyhow::Result<bool> {
        let command = CommandId(self.random.uuid());
        self.tally.commands += 1;
        let before = match &wish {
            Wish::Procure(id, Command::Course(course)) => {
                self.follow().await?;
                let views = self.first.engine.views();
                let found = views.procurements.states().flatten().find(|p| p.id == *id);
                found.map(|procurement| (procurement.clone(), course.clone()))
            }
            Wish::Procure(..) | Wish::Supply(..) | Wish::Employ(..) | Wish::Govern(_) => None,
        };
        let moment = self.moment();
        for _ in 0..PASSES_MAX {
            let asked = match (&self.second, self.random.chance(300)) {
                (Some(second), true) => second.clone(),
                _ => self.first.clone(),
            };
            match asked.ask(who, command, wish.clone()).await {
                None => self.recover().await?,
                Some(Ok(_)) => {
                    if let (Some((before, course)), Some(who)) = (&before, who) {
                        gates::accepted(before, course, who, moment, &mut self.findings);
                    }
                    return Ok(true);
                }
                Some(Err(error)) => {
                    self.refused(&error);
                    return Ok(false);
                }
            }
        }
        anyhow::bail!("a command was not answered after {PASSES_MAX} restarts")
    }

    /// The rules may say no; anything else is a fault.
    fn refused(&mut self, error: &Error) {
        let told = match error {
            Error::Rejected(_) | Error::Forbidden | Error::NotFound => true,
            Error::CommandIdReused
            | Error::RevisionChanged { .. }
            | Error::Conflict { .. }
            | Error::Import(_)
            | Error::ImportValue(_)
            | Error::Unknown(_)
            | Error::Storage(_)
            | Error::Unreadable(_)
            | Error::Gap { .. }
            | Error::Keys(_)
            | Error::Setup(_) => false,
        };
        self.findings.hold(Check::EngineHolds, self.now, told, || error.to_string());
        let code = error.code();
        *self.tally.refused.entry(code).or_default() += 1;
    }

    /// Whatever the relay took in this pass went to people who were there when it began.
    fn readers_are_here(&mut self, here: &[PersonId]) {
        let Self { machine, first, auditor, findings, organisation, .. } = self;
        let views = first.engine.views();
        machine.relay.look_at_new(|message_id, mail| {
            let reader = organisation.whose(&mail.to);
            let present = reader.is_some_and(|reader| here.contains(&reader));
            let at = mail.taken.last().copied().unwrap_or_default();
            let person = organisation::active(&views).find(|person| Some(person.id) == reader);
            if let Some(person) = person
                && !auditor.is_urgent(message_id)
            {
                let quiet = organisation::is_quiet(person, at);
                findings.hold(Check::QuietHours, at, !quiet, || {
                    format!("{message_id} went to {} in their quiet hours", mail.to)
                });
            }
            findings.hold(Check::ReaderIsHere, at, present, || {
                format!("{message_id} went to {}, who is not here any more", mail.to)
            });
        });
    }

    /// Read models kept up to date against those built from the first commit on.
    async fn compare(&mut self) -> anyhow::Result<()> {
        self.follow().await?;
        let rebuilt = self.first.engine.rebuilt().await?;
        let same = *self.first.engine.views() == rebuilt;
        self.findings.hold(Check::ProjectionsRebuilt, self.now, same, || {
            format!("the read models at {} are not what the log says", rebuilt.position)
        });
        Ok(())
    }

    /// Two weeks without any fault, in which every letter is settled.
    async fn close(mut self) -> anyhow::Result<Played> {
        self.agenda.clear();
        self.second = None;
        self.first.fuse.put_out();
        self.skew = Duration::zero();
        self.machine.clock.set(self.now);
        self.machine.relay.set_weather(Weather::default());
        let queued_before = self.now.max(self.end);
        self.end = queued_before + Duration::days(14);
        self.wake = Some(self.now);
        while self.step().await? {}
        self.compare().await?;
        self.auditor.close(&self.machine.relay, queued_before, &mut self.findings);
        let views = self.first.engine.views().clone();
        let ended = |p: &&sixgate_workflows::procurement::Procurement| p.ended_at().is_some();
        let opened = views.procurements.states().flatten().count();
        let closed = views.procurements.states().flatten().filter(ended).count();
        let (attempts, faults) = self.machine.relay.attempts();
        self.tally.procurements = u64::try_from(opened)?;
        self.tally.closed = u64::try_from(closed)?;
        self.tally.commits = self.auditor.commits();
        self.tally.letters = u64::try_from(self.auditor.letters())?;
        self.tally.attempts_to_send = attempts;
        self.tally.faults_of_the_relay = faults;
        self.tally.crashes += self.machine.restarts;
        Ok(Played {
            seed: self.scenario.seed,
            findings: self.findings,
            tally: self.tally,
            fingerprint: self.auditor.fingerprint().to_string(),
        })
    }

    fn course(id: sixgate_workflows::ids::ProcurementId, course: Course) -> Wish {
        Wish::Procure(id, Command::Course(course))
    }
}
