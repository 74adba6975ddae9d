//! People who come, stay away for a while, and go.

use sixgate_workflows::{
    function::Function::{self, Procurement as Buyer, Requester},
    ids::PersonId,
    person::Command,
    procurement::{Course, Procurement},
};

use super::{Wish, World};
use crate::commands::simulate::organisation;

impl World {
    /// Asked by somebody who acts as this; nobody may be there.
    pub(super) async fn as_a(&mut self, function: Function, wish: Wish) -> anyhow::Result<bool> {
        let about = match &wish {
            Wish::Procure(id, _) => self.find(*id).await?,
            Wish::Supply(..) | Wish::Employ(..) | Wish::Govern(_) => None,
        };
        let who = {
            let today = self.today();
            let views = self.first.engine.views();
            organisation::actor(&views, function, about.as_deref(), today, &mut self.random)
        };
        match who {
            Some(who) => self.ask(Some(who), wish).await,
            None => Ok(false),
        }
    }

    pub(super) async fn hire(&mut self, function: Function) -> anyhow::Result<()> {
        let (person, commands) = self.organisation.hire(function, self.now, &mut self.random);
        for command in commands {
            self.ask(None, Wish::Employ(person, command)).await?;
        }
        Ok(())
    }

    /// Whoever opened it may have left.
    pub(super) async fn a_requester_for(
        &mut self,
        procurement: &Procurement,
    ) -> anyhow::Result<()> {
        let (known, fresh): (Vec<PersonId>, Vec<PersonId>) = {
            let views = self.first.engine.views();
            let requesters =
                organisation::active(&views).filter(|p| p.functions.contains(&Requester));
            requesters.map(|p| p.id).partition(|id| procurement.members.contains(id))
        };
        if known.len() >= 2 {
            return Ok(());
        }
        let Some(person) = self.random.pick(&fresh).copied() else { return Ok(()) };
        let add = Self::course(procurement.id, Course::AddMember { person });
        self.as_a(Buyer, add).await?;
        Ok(())
    }

    /// Somebody goes on leave, most of the time; somebody leaves after somebody else has come.
    pub(super) async fn people(&mut self) -> anyhow::Result<()> {
        self.follow().await?;
        let (people, today) = {
            let views = self.first.engine.views();
            let people: Vec<(PersonId, Option<Function>)> = organisation::active(&views)
                .map(|person| (person.id, person.functions.first().copied()))
                .collect();
            (people, self.today())
        };
        let ids: Vec<PersonId> = people.iter().map(|(id, _)| *id).collect();
        let Some((person, function)) = self.random.pick(&people).copied() else { return Ok(()) };
        let leaves = match self.random.between(0, 9) {
            0 => Command::Deactivate,
            1 => Command::Erase,
            2..=4 => {
                let wishes = organisation::wishes(&mut self.random);
                self.ask(Some(person), Wish::Employ(person, wishes)).await?;
                return Ok(());
            }
            _ => {
                let away = organisation::leave(person, &ids, today, &mut self.random);
                let Some(away) = away else { return Ok(()) };
                self.ask(Some(person), Wish::Employ(person, away)).await?;
                return Ok(());
            }
        };
        if let Some(function) = function {
            self.hire(function).await?;
        }
        self.ask(None, Wish::Employ(person, leaves)).await?;
        Ok(())
    }
}
