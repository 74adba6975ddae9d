//! What can happen next, to the organisation and to its machine.

use chrono::Duration;
use sixgate_workflows::{
    function::Function::{Admin, Manager, Procurement as Buyer, Requester},
    gate::Moment,
    ids::{ProcurementId, SupplierId},
    policy::{self, Policy},
    procurement::{Course, Procurement},
    stage::Stage,
    supplier,
};

use super::{Wish, World};
use crate::commands::simulate::{figures, organisation, relay::Weather, story};

#[derive(Clone, Copy, Debug)]
pub(super) enum Happening {
    /// Somebody needs compute.
    Opens,
    /// Somebody does the next thing for it.
    Goes(ProcurementId),
    /// People join, leave, fall ill, are erased.
    People,
    /// Certificates are renewed; suppliers give up and others come.
    Suppliers,
    PolicyEdited,
    WeatherOfTheRelay,
    ProgramEnds,
    ClockJumps,
    ClockIsSetRight,
    SecondStarts,
    SecondEnds,
    Checkpoint,
    Comparison,
}

const SUPPLIERS: usize = 6;

impl World {
    /// People, suppliers, and everything that goes on by itself from then on.
    pub(super) async fn found(&mut self) -> anyhow::Result<()> {
        for function in organisation::FIRST {
            self.hire(function).await?;
        }
        for _ in 0..SUPPLIERS {
            self.supplier_comes().await?;
        }
        let days = Duration::days;
        self.plan(days(1), Happening::Opens);
        self.plan(days(9), Happening::People);
        self.plan(days(40), Happening::Suppliers);
        self.plan(days(90), Happening::PolicyEdited);
        self.plan(days(2), Happening::WeatherOfTheRelay);
        self.plan(days(4), Happening::ProgramEnds);
        self.plan(days(30), Happening::ClockJumps);
        self.plan(days(20), Happening::SecondStarts);
        self.plan(days(15), Happening::Checkpoint);
        self.plan(days(200), Happening::Comparison);
        Ok(())
    }

    pub(super) async fn happen(&mut self, happening: Happening) -> anyhow::Result<()> {
        match happening {
            Happening::Opens => self.opens().await,
            Happening::Goes(procurement) => self.goes(procurement).await,
            Happening::People => {
                self.again(happening, 4, 20);
                self.people().await
            }
            Happening::Suppliers => {
                self.again(happening, 20, 90);
                self.suppliers().await
            }
            Happening::PolicyEdited => {
                self.again(happening, 60, 250);
                self.policy_edited().await
            }
            Happening::WeatherOfTheRelay => {
                self.weather();
                Ok(())
            }
            Happening::ProgramEnds => {
                self.again(happening, 2, 20);
                let places = self.random.between(1, 40).unsigned_abs();
                match &self.second {
                    Some(second) if self.random.chance(500) => second.fuse.light(places),
                    _ => self.first.fuse.light(places),
                }
                Ok(())
            }
            Happening::ClockJumps => {
                self.clock_jumps();
                Ok(())
            }
            Happening::ClockIsSetRight => {
                self.skew = Duration::zero();
                self.show();
                Ok(())
            }
            Happening::SecondStarts => {
                self.again(happening, 20, 90);
                if self.second.is_none() {
                    self.second = Some(self.machine.start(super::SECOND).await?);
                    let hours = self.random.between(1, 150);
                    self.plan(Duration::hours(hours), Happening::SecondEnds);
                }
                Ok(())
            }
            Happening::SecondEnds => {
                self.second = None;
                Ok(())
            }
            Happening::Checkpoint => {
                self.again(happening, 10, 40);
                self.first.engine.save_checkpoint()?;
                Ok(())
            }
            Happening::Comparison => {
                self.again(happening, 200, 400);
                self.compare().await
            }
        }
    }

    /// After so many days, at any time of the day.
    fn again(&mut self, happening: Happening, first: i64, last: i64) {
        let minutes = self.random.between(first * 1_440, last * 1_440);
        self.plan(Duration::minutes(minutes), happening);
    }

    fn show(&self) {
        self.machine.clock.set(self.shown());
    }

    async fn opens(&mut self) -> anyhow::Result<()> {
        let apart = 365 * 1_440 / i64::from(self.scenario.procurements.max(1));
        let minutes = self.random.between(1, 2 * apart);
        self.plan(Duration::minutes(minutes), Happening::Opens);
        let id = ProcurementId(self.random.uuid());
        let title = figures::name(&format!("Cluster {}", self.planned));
        if self.as_a(Requester, Self::course(id, Course::Open { title })).await? {
            self.plan(Duration::hours(3), Happening::Goes(id));
        }
        Ok(())
    }

    async fn goes(&mut self, id: ProcurementId) -> anyhow::Result<()> {
        let Some(procurement) = self.find(id).await? else { return Ok(()) };
        if procurement.ended_at().is_some() {
            return Ok(());
        }
        let (first, last) = match procurement.stage {
            Stage::Operation => (5, 9),
            Stage::Needs | Stage::Budget | Stage::Shortlist | Stage::Poc | Stage::Negotiation => {
                (0, 3)
            }
        };
        let minutes = self.random.between(first * 1_440 + 60, last * 1_440 + 600);
        self.plan(Duration::minutes(minutes), Happening::Goes(id));
        if story::needs_member(&procurement) {
            self.a_requester_for(&procurement).await?;
        }
        let moment: Moment = self.moment();
        let moves = story::next(&procurement, &self.suppliers, moment, &mut self.random);
        for story::Move { function, command } in moves {
            self.as_a(function, Wish::Procure(id, command)).await?;
        }
        Ok(())
    }

    pub(super) async fn find(&self, id: ProcurementId) -> anyhow::Result<Option<Box<Procurement>>> {
        self.follow().await?;
        let views = self.first.engine.views();
        let mut found = views.procurements.states().flatten();
        Ok(found.find(|procurement| procurement.id == id).cloned().map(Box::new))
    }

    async fn supplier_comes(&mut self) -> anyhow::Result<()> {
        let id = SupplierId(self.random.uuid());
        let name = figures::name(&format!("Supplier {}", self.planned));
        self.planned += 1;
        let register = supplier::Command::Register { name, contact: figures::name("sales") };
        if self.as_a(Buyer, Wish::Supply(id, register)).await? {
            self.suppliers.push(id);
            self.certify(id).await?;
        }
        Ok(())
    }

    async fn certify(&mut self, id: SupplierId) -> anyhow::Result<()> {
        let days = self.random.between(120, 900);
        for certificate in figures::certificates(self.today(), days) {
            let record = supplier::Command::RecordCertificate { certificate };
            self.as_a(Buyer, Wish::Supply(id, record)).await?;
        }
        Ok(())
    }

    async fn suppliers(&mut self) -> anyhow::Result<()> {
        if self.random.chance(200) {
            let gone = self.suppliers.remove(0);
            let reason = figures::text("it went out of business");
            self.as_a(Buyer, Wish::Supply(gone, supplier::Command::Withdraw { reason })).await?;
            self.supplier_comes().await?;
        }
        for supplier in self.suppliers.clone() {
            self.certify(supplier).await?;
        }
        Ok(())
    }

    /// Other timings for whoever adopts them; now and then the holidays of a region.
    async fn policy_edited(&mut self) -> anyhow::Result<()> {
        self.follow().await?;
        let newest = self.first.engine.views().policy.states().next().map(|p| p.newest().clone());
        let mut policy = newest.unwrap_or_else(Policy::shipped);
        policy.version += 1;
        for days in policy.planned_days.values_mut() {
            *days = u32::try_from(self.random.between(3, 20)).unwrap_or(*days);
        }
        let mut any = |first, last| u32::try_from(self.random.between(first, last)).unwrap_or(7);
        policy.review_notice_days = any(7, 30);
        policy.sign_off_reminder_working_days = any(1, 5);
        policy.expiry_notice_days = [any(60, 90), any(20, 50), any(1, 10)].into();
        policy.trial_notice_days = [any(3, 5), any(1, 2)].into();
        policy.working_days.region = match any(0, 1) {
            0 => None,
            _ => "CN".parse().ok(),
        };
        let policy = Box::new(policy);
        let reason = figures::name("it was time");
        let publish = policy::Command::Publish { policy, reason };
        self.as_a(Admin, Wish::Govern(publish)).await?;
        let running: Vec<ProcurementId> = {
            let views = self.first.engine.views();
            let active = views.procurements.states().flatten().filter(|p| p.is_active());
            active.map(|procurement| procurement.id).collect()
        };
        for id in running {
            if self.random.chance(500) {
                self.as_a(Manager, Self::course(id, Course::AdoptPolicy)).await?;
            }
        }
        Ok(())
    }

    /// Hours without an answer, a bad day, or a quiet time.
    fn weather(&mut self) {
        let (weather, hours) = match self.random.between(0, 9) {
            0 | 1 => {
                let hours = self.random.between(1, 40);
                let out_until = Some(self.shown() + Duration::hours(hours));
                (Weather { out_until, ..Weather::default() }, hours + 1)
            }
            2 => {
                let weather = Weather { greylisting: true, faults: 20, ..Weather::default() };
                (weather, self.random.between(4, 60))
            }
            3 => (Weather { faults: 500, ..Weather::default() }, self.random.between(2, 48)),
            _ => (Weather { faults: 30, ..Weather::default() }, self.random.between(24, 300)),
        };
        self.machine.relay.set_weather(weather);
        self.plan(Duration::hours(hours), Happening::WeatherOfTheRelay);
    }

    fn clock_jumps(&mut self) {
        self.again(Happening::ClockJumps, 20, 120);
        if !self.skew.is_zero() {
            return;
        }
        self.tally.clock_jumps += 1;
        let minutes = match self.random.between(0, 3) {
            0 => self.random.between(1, 90),
            1 => self.random.between(60, 40 * 1_440),
            2 => -self.random.between(1, 90),
            _ => -self.random.between(60, 20 * 1_440),
        };
        self.skew = Duration::minutes(minutes);
        self.show();
        let until = self.random.between(10, 6 * 1_440);
        self.plan(Duration::minutes(until), Happening::ClockIsSetRight);
    }
}
