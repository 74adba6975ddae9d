//! Buy, rent, or own the base and rent the peak, over some years.
//!
//! The rule: each option is priced from named inputs as far as all that it reads is given; where
//! one is missing the option is unknown and says which, and nothing is taken as zero. Ranges go in
//! and ranges come out. The purchase and what the machines sell for are cash; depreciation is shown
//! in a view of its own that has the same total.
//!
//! It deliberately decides nothing: it shows the costs, the break-even and the rules of thumb side
//! by side, and says where they disagree. The reserve is the budget's and not part of it.

pub mod break_even;
pub mod cash;
pub mod compared;
pub mod input;
pub mod profit_view;
pub mod rules;
pub mod sensitivity;
pub mod span;

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use self::{
    break_even::{BreakEven, UseBreakEven},
    cash::{Cash, Part},
    input::{Input, Inputs, Unit, Values},
    profit_view::Year,
    rules::{Disagreement, Finding, Thresholds, Verdict},
    sensitivity::{Bar, Swing},
    span::Span,
};
use super::{
    assumptions::{Assumed, Assumptions},
    base_and_burst,
};
use crate::{
    estimate::Estimate,
    invalid::Invalid,
    money::Currency,
    needs::catalogue::{Catalogue, lookup::Lookup},
    percent::{Band, Percent},
    policy::Policy,
    text::Name,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    Own,
    Rent,
    Hybrid,
}

/// Which hours of a rented card are paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Billing {
    /// Only those that it is used.
    Used,
    /// All of them.
    Always,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub currency: Currency,
    #[serde(default = "three_years")]
    pub horizon_months: u32,
    pub billing: Billing,
    /// Input VAT is got back, which takes a special invoice.
    pub vat_recoverable: bool,
    /// Where the machines would stand, for assumptions that differ by region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Name>,
    /// Its power is taken from the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Name>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_team: Option<bool>,
    /// Data that may not leave the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extreme_security: Option<bool>,
    pub inputs: Inputs,
}

fn three_years() -> u32 {
    36
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Priced(Box<Costs>),
    /// What it reads and nobody gave.
    Unknown(Vec<Input>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Costs {
    pub total: Span<Decimal>,
    /// Value today; absent while the discount rate is not known.
    pub present: Option<Span<Decimal>>,
    /// Absent while the use is not known, or nothing is used.
    pub per_useful_card_hour: Option<Span<Decimal>>,
    /// Over the horizon, in the middle of all ranges; their sum is the middle total.
    pub parts: Vec<(Part, Decimal)>,
    /// Cumulative cost at the end of each month, from 0 to the horizon.
    pub line: Span<Vec<Decimal>>,
}

/// Against renting everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Against {
    pub month: Span<BreakEven>,
    /// Percent of the cost of renting that it saves over the horizon; negative when dearer.
    pub saving_percent: Option<Span<Decimal>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The question with the assumptions that filled it.
    pub question: Question,
    pub assumed: Vec<(Input, Assumed)>,
    pub outcomes: BTreeMap<Choice, Outcome>,
    /// Of owning and of the hybrid, where both sides are priced.
    pub against_renting: BTreeMap<Choice, Against>,
    pub use_break_even: Option<Span<UseBreakEven>>,
    /// What a base with a rented peak is said to save, to be held against what it saves here.
    pub claimed_saving: Band,
    /// The least in the middle of all ranges.
    pub cheapest: Option<Choice>,
    /// Whether it is the least whatever the ranges turn out to be.
    pub is_certain: bool,
    /// What each input does to the advantage of owning over renting, in value today.
    pub tornado: Vec<Bar<Input>>,
    pub profit_view: Option<Vec<Year>>,
    pub findings: Vec<Finding>,
    pub computed: Verdict,
    pub disagreements: Vec<Disagreement>,
}

impl Choice {
    pub const ALL: [Self; 3] = [Self::Own, Self::Rent, Self::Hybrid];

    pub fn id(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Rent => "rent",
            Self::Hybrid => "hybrid",
        }
    }

    /// What must be given to price it, in the order of [`Input`].
    pub fn reads(self, question: &Question) -> Vec<Input> {
        use Input::*;
        let mut reads = match self {
            Self::Rent => Vec::new(),
            Self::Own => vec![Nodes],
            Self::Hybrid => vec![BaseNodes, BurstCardHoursMonth, BurstPrice, BurstOtherMonth],
        };
        let owns = match self {
            Self::Rent => false,
            Self::Own | Self::Hybrid => true,
        };
        if owns {
            reads.extend([
                CardsPerNode,
                HoursAMonth,
                LeadMonths,
                NodePrice,
                SparePercent,
                MaintenancePercent,
                ResidualPercent,
                CardWatts,
                LoadPercent,
                HostWatts,
                Pue,
                Tariff,
                RackMonth,
                OwnLabourMonth,
                OwnLossMonth,
            ]);
        }
        let there_at_once = question
            .inputs
            .get(&LeadMonths)
            .and_then(|lead| lead.high())
            .is_some_and(|lead| lead.is_zero());
        if !owns || !there_at_once {
            reads.extend([
                Nodes,
                CardsPerNode,
                HoursAMonth,
                RentPrice,
                RentEgressMonth,
                RentStorageMonth,
                RentLabourMonth,
                RentMigration,
                RentLossMonth,
            ]);
            match question.billing {
                Billing::Used => reads.push(HoursADay),
                Billing::Always => {}
            }
        }
        if !question.vat_recoverable {
            if owns {
                reads.push(PurchaseVatPercent);
            }
            reads.push(RentVatPercent);
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}

impl Question {
    pub const HORIZON_MONTHS_MAX: u32 = 120;
    /// How far an input goes in the tornado when it has no range of its own and is not counted, in
    /// percent.
    pub const SWING: Percent = Percent::of(10);

    /// Takes the power of its card from the catalogue, unless the power was given.
    fn take_power(&mut self, catalogue: &Catalogue) -> Result<(), Invalid> {
        let Some(name) = &self.card else { return Ok(()) };
        let card = match catalogue.lookup(name.as_str()) {
            Lookup::Found(card) => card,
            Lookup::Ambiguous(cards) => {
                let names: Vec<_> = cards.iter().map(|card| card.name.as_str()).collect();
                return Err(Invalid::new(
                    "card",
                    format!("`{name}` may be {}", names.join(" or ")),
                ));
            }
            Lookup::Unknown => {
                let why =
                    format!("`{name}` is not in the catalogue; leave it out, give card_watts");
                return Err(Invalid::new("card", why));
            }
        };
        if let Some(watts) = card.watts {
            let watts = Estimate::known(Decimal::from(watts));
            self.inputs.entry(Input::CardWatts).or_insert(watts);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Invalid> {
        let refuse = |what, why: &str| Err(Invalid::new(what, why));
        if self.horizon_months == 0 || self.horizon_months > Self::HORIZON_MONTHS_MAX {
            return refuse("horizon_months", "must be 1 to 120");
        }
        input::check(&self.inputs)?;
        let high = |input| self.inputs.get(&input).and_then(|estimate| estimate.high());
        if high(Input::LeadMonths).is_some_and(|lead| *lead >= self.horizon_months.into()) {
            return refuse("lead_months", "must be shorter than the horizon, or nothing is owned");
        }
        let low = |input| self.inputs.get(&input).and_then(|estimate| estimate.low());
        if low(Input::BaseNodes).zip(high(Input::Nodes)).is_some_and(|(base, all)| base > all) {
            return refuse("base_nodes", "must not be more than all nodes");
        }
        self.check_burst()
    }

    /// What the base does and what is rented must be able to make up the use.
    fn check_burst(&self) -> Result<(), Invalid> {
        let low = |input| self.inputs.get(&input).and_then(|given| given.low().copied());
        let high = |input| self.inputs.get(&input).and_then(|given| given.high().copied());
        let used = |end: &dyn Fn(Input) -> Option<Decimal>| {
            let values = [Input::Nodes, Input::CardsPerNode, Input::HoursADay, Input::HoursAMonth];
            let values = values.into_iter().map(|input| Some((input, end(input)?)));
            cash::useful_card_hours_month(&values.collect::<Option<Values>>()?)
        };
        let base = [Input::BaseNodes, Input::CardsPerNode, Input::HoursAMonth]
            .into_iter()
            .try_fold(Decimal::ONE, |product, input| Some(product * high(input)?));
        let refuse = |why: &str| Err(Invalid::new(Input::BurstCardHoursMonth.id(), why));
        let burst = (low(Input::BurstCardHoursMonth), high(Input::BurstCardHoursMonth));
        if burst.0.zip(used(&high)).is_some_and(|(burst, used)| burst > used) {
            return refuse("is more than all useful card-hours of a month");
        }
        if let (Some(burst), Some(used), Some(base)) = (burst.1, used(&low), base)
            && used - burst > base
        {
            return refuse("leaves more to the base than it can do around the clock");
        }
        Ok(())
    }

    fn outcome(&self, choice: Choice) -> Outcome {
        let given = |input: &Input| self.inputs.get(input).is_some_and(|known| known.is_given());
        let missing: Vec<Input> =
            choice.reads(self).into_iter().filter(|input| !given(input)).collect();
        match self.costs(choice) {
            Some(costs) if missing.is_empty() => Outcome::Priced(Box::new(costs)),
            Some(_) | None => Outcome::Unknown(missing),
        }
    }

    fn costs(&self, choice: Choice) -> Option<Costs> {
        let cash = |values: &Values| Cash::of(choice, self, values);
        let corners = span::corners(&self.inputs, |values| Some(cash(values)?.total()))?;
        let at = corners.map(|values| cash(&values));
        let (low, middle, high) = (at.low?, at.middle?, at.high?);
        let months = Decimal::from(self.horizon_months);
        let per_useful = |values: &Values| {
            let hours = cash::useful_card_hours_month(values)? * months;
            cash(values)?.total().checked_div(hours)
        };
        let present =
            |values: &Values| Some(cash(values)?.present(*values.get(&Input::DiscountPercent)?));
        Some(Costs {
            total: Span { low: low.total(), middle: middle.total(), high: high.total() },
            present: span::span(&self.inputs, present),
            per_useful_card_hour: span::span(&self.inputs, per_useful),
            parts: middle.parts(),
            line: Span { low: low.line(), middle: middle.line(), high: high.line() },
        })
    }

    fn against_renting(&self, choice: Choice) -> Option<Against> {
        let both = |values: &Values| {
            Some((Cash::of(choice, self, values)?, Cash::of(Choice::Rent, self, values)?))
        };
        let month = |values: &Values| {
            let (option, rent) = both(values)?;
            Some(BreakEven::of(&option, &rent, self.horizon_months))
        };
        let rank = |values: &Values| {
            let (option, rent) = both(values)?;
            Some(BreakEven::rank(&option, &rent, self.horizon_months))
        };
        let saving = |values: &Values| {
            let (option, rent) = both(values)?;
            let saved = rent.total() - option.total();
            (saved * Decimal::ONE_HUNDRED).checked_div(rent.total())
        };
        Some(Against {
            month: span::ranked(&self.inputs, month, rank)?,
            saving_percent: span::span(&self.inputs, saving),
        })
    }

    /// How much dearer owning is than renting over the horizon.
    fn dearer(&self, values: &Values) -> Option<Decimal> {
        let own = Cash::of(Choice::Own, self, values)?;
        Some(own.total() - Cash::of(Choice::Rent, self, values)?.total())
    }

    fn use_break_even(&self) -> Option<Span<UseBreakEven>> {
        let dearer = |values: &Values| {
            let at = |hours: i64| {
                let mut values = values.clone();
                values.insert(Input::HoursADay, hours.into());
                self.dearer(&values)
            };
            Some((at(0)?, at(24)?))
        };
        let even =
            |values: &Values| dearer(values).map(|(idle, full)| UseBreakEven::between(idle, full));
        let rank =
            |values: &Values| dearer(values).map(|(idle, full)| UseBreakEven::rank(idle, full));
        span::ranked(&self.inputs, even, rank)
    }

    fn tornado(&self) -> Vec<Bar<Input>> {
        let tenth = Self::SWING.ratio();
        let swing = |(input, base): (&Input, &Decimal)| {
            let estimate = self.inputs.get(input)?;
            let (low, high) = (*estimate.low()?, *estimate.high()?);
            let swing = if low < high {
                Swing { low, base: *base, high }
            } else if input.unit() == Unit::Count {
                // Nobody has a tenth of a machine more.
                return None;
            } else {
                let (least, most) = input.unit().bounds();
                let by = *base * tenth;
                Swing { low: (*base - by).max(least), base: *base, high: (*base + by).min(most) }
            };
            Some((*input, swing))
        };
        let middle = span::middle(&self.inputs);
        let swings = middle.iter().filter_map(swing).collect();
        sensitivity::tornado(&swings, |moved: &Values| {
            let mut values = middle.clone();
            values.extend(moved);
            let rate = values.get(&Input::DiscountPercent).copied()?;
            let own = Cash::of(Choice::Own, self, &values)?.present(rate);
            Some(Cash::of(Choice::Rent, self, &values)?.present(rate) - own)
        })
    }

    fn profit_view(&self) -> Option<Vec<Year>> {
        let middle = span::middle(&self.inputs);
        let cash = Cash::of(Choice::Own, self, &middle)?;
        profit_view::years(&cash, &middle, self.horizon_months)
    }
}

/// Fills what is not given from the policy's catalogue and assumptions, and compares.
pub fn compare(question: Question, policy: &Policy) -> Result<Comparison, Invalid> {
    let mut question = question;
    question.take_power(&Catalogue::with(&policy.catalogue))?;
    let assumed = Assumptions::with(&policy.catalogue).fill(&mut question);
    question.check()?;
    let outcomes: BTreeMap<Choice, Outcome> =
        Choice::ALL.into_iter().map(|choice| (choice, question.outcome(choice))).collect();
    let against_renting: BTreeMap<Choice, Against> = [Choice::Own, Choice::Hybrid]
        .into_iter()
        .filter_map(|choice| Some((choice, question.against_renting(choice)?)))
        .collect();
    let (cheapest, is_certain) = cheapest(&outcomes);
    let findings = rules::findings(&question, &Thresholds::of(policy));
    let month = against_renting.get(&Choice::Own).map(|against| &against.month);
    let computed = rules::computed(&question, month);
    Ok(Comparison {
        assumed,
        use_break_even: question.use_break_even(),
        cheapest,
        is_certain,
        tornado: question.tornado(),
        profit_view: question.profit_view(),
        disagreements: rules::disagreements(&findings, computed),
        findings,
        computed,
        claimed_saving: base_and_burst::Thresholds::of(policy)?.claimed_saving,
        outcomes,
        against_renting,
        question,
    })
}

/// Among the options that are priced, when there are at least two of them.
fn cheapest(outcomes: &BTreeMap<Choice, Outcome>) -> (Option<Choice>, bool) {
    let totals: Vec<(Choice, Span<Decimal>)> = outcomes
        .iter()
        .filter_map(|(choice, outcome)| match outcome {
            Outcome::Priced(costs) => Some((*choice, costs.total)),
            Outcome::Unknown(_) => None,
        })
        .collect();
    let least = totals.iter().min_by_key(|(_, total)| total.middle);
    match least {
        Some((choice, least)) if totals.len() > 1 => {
            let mut others = totals.iter().filter(|(other, _)| other != choice);
            (Some(*choice), others.all(|(_, total)| least.high < total.low))
        }
        Some(_) | None => (None, false),
    }
}
