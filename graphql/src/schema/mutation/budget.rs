//! Commands of stage 2.

use async_graphql::{Context, Enum, InputObject, Object, OneofObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::Error;
use sixgate_workflows::{
    budget::{
        Command as Budget,
        tco::{
            Cost, ExchangeRate, Plan,
            line::{Line, Per, Vat},
        },
    },
    invalid::Invalid,
    percent::Percent,
    procurement::Command,
};

use super::{ProcurementPayload, procure};
use crate::schema::{
    calculator::OwnOrRentInput,
    input::{EstimateInput, ProcurementTarget, text},
    scalars::{Choice, CostKind, Currency, TcoPaid},
};

#[derive(Default)]
pub(super) struct BudgetMutation;

#[derive(InputObject)]
pub(super) struct PlanBudgetInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    term_months: u32,
    /// Of the total, for what gets forgotten.
    reserve_percent: Decimal,
    currency: Currency,
    /// What other currencies are converted with.
    #[graphql(default)]
    rates: Vec<ExchangeRateInput>,
    /// What money costs in a year, for the present value.
    discount_rate_percent: Option<Decimal>,
}

/// One unit of a currency in that of the plan, on a day, and who says so.
#[derive(InputObject)]
pub(super) struct ExchangeRateInput {
    from: Currency,
    rate: Decimal,
    on: NaiveDate,
    source: String,
}

/// An amount as it is stated, and what it multiplies with.
#[derive(InputObject)]
pub(super) struct CostLineInput {
    name: String,
    amount: EstimateInput,
    currency: Currency,
    per: CostPerInput,
    /// Left out: the amount is taken as the cost.
    vat: Option<VatInput>,
    #[graphql(default_with = "TcoPaid::InArrears")]
    paid: TcoPaid,
    /// Where the amount comes from.
    basis: String,
}

/// What one amount is for.
#[derive(OneofObject)]
pub(super) enum CostPerInput {
    Period(CostPeriod),
    CardHour(CardHourInput),
    LostCardHour(LostCardHourInput),
}

#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub(super) enum CostPeriod {
    Once,
    Day,
    Month,
    Year,
    Term,
}

#[derive(InputObject)]
pub(super) struct CardHourInput {
    cards: EstimateInput,
    /// 720, 730 or calendar hours, as the supplier counts.
    hours_per_month: EstimateInput,
}

/// Half an interval between checkpoints is lost with each interruption, and the restart.
#[derive(InputObject)]
pub(super) struct LostCardHourInput {
    cards: EstimateInput,
    interruptions_per_month: EstimateInput,
    checkpoint_interval_hours: EstimateInput,
    restart_hours: EstimateInput,
}

#[derive(InputObject)]
pub(super) struct VatInput {
    rate_percent: Decimal,
    /// The amount holds the tax; else it comes on top.
    included: bool,
    recoverable: bool,
}

/// Give an amount with what it is based on, or lines, or say that it is zero and why.
#[derive(InputObject)]
pub(super) struct RecordCostInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    kind: CostKind,
    per_month: Option<EstimateInput>,
    currency: Option<Currency>,
    basis: Option<String>,
    lines: Option<Vec<CostLineInput>>,
    zero_because: Option<String>,
}

impl CostLineInput {
    fn checked(&self) -> Result<Line, Invalid> {
        let per = match &self.per {
            CostPerInput::Period(period) => match period {
                CostPeriod::Once => Per::Once,
                CostPeriod::Day => Per::Day,
                CostPeriod::Month => Per::Month,
                CostPeriod::Year => Per::Year,
                CostPeriod::Term => Per::Term,
            },
            CostPerInput::CardHour(input) => Per::CardHour {
                cards: input.cards.checked()?,
                hours_per_month: input.hours_per_month.checked()?,
            },
            CostPerInput::LostCardHour(input) => Per::LostCardHour {
                cards: input.cards.checked()?,
                interruptions_per_month: input.interruptions_per_month.checked()?,
                checkpoint_interval_hours: input.checkpoint_interval_hours.checked()?,
                restart_hours: input.restart_hours.checked()?,
            },
        };
        let vat = match &self.vat {
            None => Vat::NotStated,
            Some(vat) => {
                let (rate, recoverable) = (Percent::new(vat.rate_percent)?, vat.recoverable);
                match vat.included {
                    true => Vat::Included { rate, recoverable },
                    false => Vat::Added { rate, recoverable },
                }
            }
        };
        Ok(Line {
            name: text(&self.name)?,
            amount: self.amount.checked()?,
            currency: self.currency.into(),
            per,
            vat,
            paid: self.paid.into(),
            basis: text(&self.basis)?,
        })
    }
}

impl PlanBudgetInput {
    fn checked(&self) -> Result<Plan, Invalid> {
        let rate = |rate: &ExchangeRateInput| {
            Ok(ExchangeRate {
                from: rate.from.into(),
                rate: rate.rate,
                on: rate.on,
                source: text(&rate.source)?,
            })
        };
        Ok(Plan {
            term_months: self.term_months,
            reserve: Percent::new(self.reserve_percent)?,
            currency: self.currency.into(),
            rates: self.rates.iter().map(rate).collect::<Result<_, Invalid>>()?,
            discount_rate: self.discount_rate_percent.map(Percent::new).transpose()?,
        })
    }
}

/// Compares owning with renting and says which of them the budget is for.
#[derive(InputObject)]
pub(super) struct CompareOwningInput {
    #[graphql(flatten)]
    target: ProcurementTarget,
    question: OwnOrRentInput,
    /// One that can be priced.
    chosen: Choice,
    reason: String,
}

impl CompareOwningInput {
    fn checked(&self) -> Result<Command, Invalid> {
        Ok(Command::Budget(Budget::CompareOwning {
            question: Box::new(self.question.checked()?),
            chosen: self.chosen.into(),
            reason: text(&self.reason)?,
        }))
    }
}

impl RecordCostInput {
    fn checked(&self) -> Result<Command, Invalid> {
        let cost = match (&self.per_month, self.currency, &self.basis, &self.zero_because) {
            (None, None, None, None) if self.lines.is_some() => Cost::Lines {
                lines: self
                    .lines
                    .iter()
                    .flatten()
                    .map(CostLineInput::checked)
                    .collect::<Result<_, _>>()?,
            },
            (Some(per_month), Some(currency), Some(basis), None) if self.lines.is_none() => {
                Cost::Amount {
                    currency: currency.into(),
                    per_month: per_month.checked()?,
                    basis: text(basis)?,
                }
            }
            (None, None, None, Some(reason)) if self.lines.is_none() => {
                Cost::Zero { reason: text(reason)? }
            }
            _ => {
                let why = "give `perMonth`, `currency` and `basis`, or `lines`, or `zeroBecause`";
                return Err(Invalid::new("cost", why));
            }
        };
        Ok(Command::Budget(Budget::RecordCost { cost_kind: self.kind.into(), cost }))
    }
}

#[Object]
impl BudgetMutation {
    async fn plan_budget(
        &self,
        context: &Context<'_>,
        input: PlanBudgetInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        let planned = input.checked();
        let planned = planned.map(|plan| Command::Budget(Budget::PlanBudget { plan }));
        procure(context, &input.target, planned.map_err(Error::from)).await
    }

    async fn compare_owning(
        &self,
        context: &Context<'_>,
        input: CompareOwningInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }

    async fn record_cost(
        &self,
        context: &Context<'_>,
        input: RecordCostInput,
    ) -> async_graphql::Result<ProcurementPayload> {
        procure(context, &input.target, input.checked().map_err(Error::from)).await
    }
}
