//! A gate: what it asks for, what keeps it closed, and what a signature would be bound to.

use async_graphql::{Context, Object};
use chrono::NaiveDate;
use sixgate_engine::read::Seen;
use sixgate_workflows::{gate, procurement::SignOff, texts};

use super::{history::EventLink, people::PersonReference};
use crate::schema::{
    locale,
    problem::Blocker,
    scalars::{Function, Language, Stage},
};

pub(crate) struct Gate(pub Seen);

pub(crate) struct CriterionState(gate::Finding);

pub(crate) struct SignOffState {
    function: Function,
    sign_off: Option<SignOff>,
}

#[Object]
impl Gate {
    async fn stage(&self) -> Stage {
        self.0.state().stage.into()
    }

    async fn open(&self) -> bool {
        self.0.gate().is_open()
    }

    /// A signature names the version it saw.
    async fn version(&self) -> u32 {
        self.0.gate().version
    }

    #[graphql(complexity = "10 * child_complexity")]
    async fn criteria(&self) -> Vec<CriterionState> {
        self.0.gate().findings.into_iter().map(CriterionState).collect()
    }

    #[graphql(complexity = "6 * child_complexity")]
    async fn sign_offs(&self) -> Vec<SignOffState> {
        let state = self.0.state();
        let ledger = state.ledger(state.stage);
        self.0
            .gate()
            .sign_offs
            .into_iter()
            .map(|wanted| SignOffState {
                function: wanted.function.into(),
                sign_off: ledger.sign_offs.get(&wanted.function).cloned(),
            })
            .collect()
    }

    /// Everything that keeps it closed, and who can change that.
    #[graphql(complexity = "10 * child_complexity")]
    async fn blockers(&self, context: &Context<'_>, locale: Option<Language>) -> Vec<Blocker> {
        let locale = self::locale(context, locale);
        self.0.gate().blockers().iter().map(|b| Blocker::new(b, locale)).collect()
    }
}

#[Object]
impl CriterionState {
    async fn id(&self) -> &str {
        self.0.criterion.id()
    }

    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        texts::criterion(self.0.criterion.id(), self::locale(context, locale))
    }

    async fn met(&self) -> bool {
        self.0.outcome.is_ok()
    }

    /// Why it is unmet, also while it is waived.
    async fn reason(&self, context: &Context<'_>, locale: Option<Language>) -> Option<String> {
        let locale = self::locale(context, locale);
        self.0.outcome.as_ref().err().map(|reason| texts::reason(reason, locale))
    }

    async fn can_be_met_by(&self) -> Vec<Function> {
        self.0.criterion.can_be_met_by().iter().map(|function| (*function).into()).collect()
    }

    async fn waiver(&self) -> Option<Waiver> {
        self.0.waiver.clone().map(Waiver)
    }
}

pub(crate) struct Waiver(pub sixgate_workflows::procurement::Waiver);

#[Object]
impl Waiver {
    async fn reason(&self) -> &str {
        self.0.reason.as_str()
    }

    /// The last day on which it holds.
    async fn expires_on(&self) -> NaiveDate {
        self.0.expires_on
    }

    async fn event(&self) -> EventLink {
        EventLink(self.0.stamp)
    }
}

#[Object]
impl SignOffState {
    async fn function(&self) -> Function {
        self.function
    }

    async fn signed(&self) -> bool {
        self.sign_off.is_some()
    }

    async fn version(&self) -> Option<u32> {
        self.sign_off.as_ref().map(|sign_off| sign_off.version)
    }

    /// The absent colleague, when a substitute signed.
    async fn on_behalf_of(&self) -> Option<PersonReference> {
        self.sign_off.as_ref()?.on_behalf_of.map(PersonReference)
    }

    async fn event(&self) -> Option<EventLink> {
        self.sign_off.as_ref().map(|sign_off| EventLink(sign_off.stamp))
    }
}
