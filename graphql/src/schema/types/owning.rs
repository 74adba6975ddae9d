//! Owning against renting: what each option costs, when it breaks even, and what the rules say.

use async_graphql::{Context, Object, SimpleObject};
use rust_decimal::Decimal;
use sixgate_engine::chart;
use sixgate_workflows::{
    budget::{
        assumptions::Assumed,
        own_or_rent::{
            self, Comparison, Costs, Outcome, break_even, compared, profit_view, rules,
            sensitivity::Bar, span::Span,
        },
    },
    texts,
};

use crate::schema::{
    locale,
    scalars::{CashPart, Choice, Currency, Language, OwningInput, OwningRule, SpeaksFor},
    types::{chart::Chart, estimate::Estimate, history::EventLink},
};

/// From the low to the high end of all ranges, and with every range in its middle.
#[derive(SimpleObject)]
pub(crate) struct AmountSpan {
    low: Decimal,
    middle: Decimal,
    high: Decimal,
}

impl From<Span<Decimal>> for AmountSpan {
    fn from(span: Span<Decimal>) -> Self {
        Self { low: span.low, middle: span.middle, high: span.high }
    }
}

/// Amounts are net of VAT, in the currency of the question.
pub(crate) struct OwnOrRent(pub Comparison);

#[derive(SimpleObject)]
struct OwningAmount {
    part: CashPart,
    /// Over the horizon, with every range in its middle.
    amount: Decimal,
}

/// Cumulative cost at the end of a month.
#[derive(SimpleObject)]
struct CostLinePoint {
    month: u32,
    low: Decimal,
    middle: Decimal,
    high: Decimal,
}

#[derive(SimpleObject)]
struct OwningOption {
    choice: Choice,
    /// What it reads and nobody gave; as long as there is any, nothing else is there.
    missing: Vec<OwningInput>,
    total: Option<AmountSpan>,
    /// Value today.
    present: Option<AmountSpan>,
    per_useful_card_hour: Option<AmountSpan>,
    parts: Vec<OwningAmount>,
    line: Vec<CostLinePoint>,
}

/// `month` is there when it breaks even in the course of the horizon.
#[derive(SimpleObject)]
struct BreakEven {
    /// `month`, `by_selling` (by what the machines sell for at the end) or `never`.
    is: &'static str,
    month: Option<Decimal>,
}

/// `hoursADay` is there when it takes some use but not more than there is.
#[derive(SimpleObject)]
struct UseBreakEven {
    /// `always`, `hours_a_day` or `never`.
    is: &'static str,
    hours_a_day: Option<Decimal>,
    percent: Option<Decimal>,
}

#[derive(SimpleObject)]
struct BreakEvenSpan {
    low: BreakEven,
    middle: BreakEven,
    high: BreakEven,
}

#[derive(SimpleObject)]
struct UseBreakEvenSpan {
    low: UseBreakEven,
    middle: UseBreakEven,
    high: UseBreakEven,
}

#[derive(SimpleObject)]
struct AgainstRenting {
    choice: Choice,
    break_even: BreakEvenSpan,
    /// Of the cost of renting over the horizon; negative when dearer.
    saving_percent: Option<AmountSpan>,
}

/// What one input alone does to the advantage of owning over renting, in value today.
#[derive(SimpleObject)]
struct TornadoBar {
    input: OwningInput,
    low: Decimal,
    high: Decimal,
    at_low: Decimal,
    at_high: Decimal,
}

/// Expenses of one year, the purchase spread over the years instead of paid at once.
#[derive(SimpleObject)]
struct ProfitYear {
    year: u32,
    running: Decimal,
    depreciation: Decimal,
    loss_on_sale: Decimal,
    total: Decimal,
}

#[derive(SimpleObject)]
struct ReadValue {
    field: &'static str,
    value: Option<String>,
    threshold: String,
}

struct RuleFinding(rules::Finding);

struct RuleDisagreement(rules::Disagreement);

/// A figure that was taken from the assumptions.
#[derive(SimpleObject)]
struct AssumedFigure {
    input: OwningInput,
    row: String,
    estimate: Estimate,
    source: String,
    as_of: chrono::NaiveDate,
}

impl OwningOption {
    fn unknown(choice: own_or_rent::Choice, missing: &[own_or_rent::input::Input]) -> Self {
        Self {
            choice: choice.into(),
            missing: missing.iter().map(|input| (*input).into()).collect(),
            total: None,
            present: None,
            per_useful_card_hour: None,
            parts: Vec::new(),
            line: Vec::new(),
        }
    }

    fn priced(choice: own_or_rent::Choice, costs: &Costs) -> Self {
        let part = |(part, amount): &(own_or_rent::cash::Part, Decimal)| OwningAmount {
            part: (*part).into(),
            amount: *amount,
        };
        let line = &costs.line;
        let points = (0..).zip(line.low.iter().zip(&line.middle).zip(&line.high));
        let point = |(month, ((low, middle), high)): (u32, ((&Decimal, &Decimal), &Decimal))| {
            CostLinePoint { month, low: *low, middle: *middle, high: *high }
        };
        Self {
            total: Some(costs.total.into()),
            present: costs.present.map(Into::into),
            per_useful_card_hour: costs.per_useful_card_hour.map(Into::into),
            parts: costs.parts.iter().map(part).collect(),
            line: points.map(point).collect(),
            ..Self::unknown(choice, &[])
        }
    }
}

impl From<break_even::BreakEven> for BreakEven {
    fn from(even: break_even::BreakEven) -> Self {
        Self { is: even.id(), month: even.month() }
    }
}

impl From<break_even::UseBreakEven> for UseBreakEven {
    fn from(even: break_even::UseBreakEven) -> Self {
        Self { is: even.id(), hours_a_day: even.hours_a_day(), percent: even.percent() }
    }
}

impl From<&Bar<own_or_rent::input::Input>> for TornadoBar {
    fn from(bar: &Bar<own_or_rent::input::Input>) -> Self {
        Self {
            input: bar.input.into(),
            low: bar.swing.low,
            high: bar.swing.high,
            at_low: bar.at_low,
            at_high: bar.at_high,
        }
    }
}

impl From<&profit_view::Year> for ProfitYear {
    fn from(year: &profit_view::Year) -> Self {
        Self {
            year: year.year,
            running: year.running,
            depreciation: year.depreciation,
            loss_on_sale: year.loss_on_sale,
            total: year.total(),
        }
    }
}

impl From<&(own_or_rent::input::Input, Assumed)> for AssumedFigure {
    fn from((input, row): &(own_or_rent::input::Input, Assumed)) -> Self {
        Self {
            input: (*input).into(),
            row: row.id.to_string(),
            estimate: (&row.value).into(),
            source: row.source.to_string(),
            as_of: row.as_of,
        }
    }
}

#[Object]
impl OwnOrRent {
    /// What each option has cost by each month, with the break-even.
    async fn chart(&self, context: &Context<'_>, language: Option<Language>) -> Chart {
        let chart = chart::owning::cumulative(&self.0, locale(context, language));
        Chart(chart::Chart::Lines(chart))
    }

    /// What each input alone does; `null` while owning or renting cannot be priced.
    async fn tornado_chart(
        &self,
        context: &Context<'_>,
        language: Option<Language>,
    ) -> Option<Chart> {
        let chart = chart::owning::sensitivity(&self.0, locale(context, language))?;
        Some(Chart(chart::Chart::Tornado(chart)))
    }

    async fn currency(&self) -> Currency {
        self.0.question.currency.into()
    }

    async fn horizon_months(&self) -> u32 {
        self.0.question.horizon_months
    }

    async fn options(&self) -> Vec<OwningOption> {
        let option = |(choice, outcome): (&own_or_rent::Choice, &Outcome)| match outcome {
            Outcome::Priced(costs) => OwningOption::priced(*choice, costs),
            Outcome::Unknown(missing) => OwningOption::unknown(*choice, missing),
        };
        self.0.outcomes.iter().map(option).collect()
    }

    /// Of owning and of the hybrid, where both sides are priced.
    async fn against_renting(&self) -> Vec<AgainstRenting> {
        let told = |(choice, against): (&own_or_rent::Choice, &own_or_rent::Against)| {
            let month = against.month.map(BreakEven::from);
            AgainstRenting {
                choice: (*choice).into(),
                break_even: BreakEvenSpan {
                    low: month.low,
                    middle: month.middle,
                    high: month.high,
                },
                saving_percent: against.saving_percent.map(Into::into),
            }
        };
        self.0.against_renting.iter().map(told).collect()
    }

    /// The use from which on owning costs no more than renting over the horizon.
    async fn use_break_even(&self) -> Option<UseBreakEvenSpan> {
        let even = self.0.use_break_even?.map(UseBreakEven::from);
        Some(UseBreakEvenSpan { low: even.low, middle: even.middle, high: even.high })
    }

    /// Percent that a base with a rented peak is said to save, from low to high.
    async fn claimed_saving(&self) -> [Decimal; 2] {
        let band = self.0.claimed_saving;
        [band.low.value(), band.high.value()]
    }

    /// With every range in its middle.
    async fn cheapest(&self) -> Option<Choice> {
        self.0.cheapest.map(Into::into)
    }

    /// Whether it is the cheapest whatever the ranges turn out to be.
    async fn certain(&self) -> bool {
        self.0.is_certain
    }

    /// The widest first. An input without a range of its own goes 10 % to both sides.
    async fn tornado(&self) -> Vec<TornadoBar> {
        self.0.tornado.iter().map(Into::into).collect()
    }

    /// Owning by the year, with the same total as its cash.
    async fn profit_view(&self) -> Option<Vec<ProfitYear>> {
        Some(self.0.profit_view.as_ref()?.iter().map(Into::into).collect())
    }

    async fn rules(&self) -> Vec<RuleFinding> {
        self.0.findings.iter().cloned().map(RuleFinding).collect()
    }

    /// What the computed break-even speaks for.
    async fn computed(&self) -> SpeaksFor {
        self.0.computed.into()
    }

    /// Rules of thumb that say the opposite.
    async fn disagreements(&self) -> Vec<RuleDisagreement> {
        self.0.disagreements.iter().copied().map(RuleDisagreement).collect()
    }

    async fn assumed(&self) -> Vec<AssumedFigure> {
        self.0.assumed.iter().map(Into::into).collect()
    }
}

#[Object]
impl RuleFinding {
    async fn rule(&self) -> OwningRule {
        self.0.rule.into()
    }

    async fn verdict(&self) -> SpeaksFor {
        self.0.verdict.into()
    }

    async fn text(&self, context: &Context<'_>, language: Option<Language>) -> String {
        let key = format!("own_rule.{}", self.0.rule.id());
        texts::text(&key, locale(context, language)).to_owned()
    }

    /// What it read, and what that was held against.
    async fn read(&self) -> Vec<ReadValue> {
        let read = |read: &rules::Read| ReadValue {
            field: read.field,
            value: read.value.clone(),
            threshold: read.threshold.clone(),
        };
        self.0.read.iter().map(read).collect()
    }
}

#[Object]
impl RuleDisagreement {
    async fn rule(&self) -> OwningRule {
        self.0.rule.into()
    }

    async fn says(&self) -> SpeaksFor {
        self.0.says.into()
    }

    async fn text(&self, context: &Context<'_>, language: Option<Language>) -> String {
        let figure = |name: &str| match name {
            "own_rule" => Some(self.0.rule.id()),
            "speaks" => Some(self.0.says.id()),
            "computed" => Some(self.0.computed.id()),
            _ => None,
        };
        texts::filled("own_disagreement", locale(context, language), figure)
    }
}

#[derive(SimpleObject)]
struct ComparedTotal {
    choice: Choice,
    low: Decimal,
    high: Decimal,
}

/// The figures as they were when it was recorded.
pub(crate) struct Compared {
    pub compared: compared::Compared,
    pub event: EventLink,
}

#[Object]
impl Compared {
    async fn currency(&self) -> Currency {
        self.compared.question.currency.into()
    }

    async fn horizon_months(&self) -> u32 {
        self.compared.question.horizon_months
    }

    async fn chosen(&self) -> Choice {
        self.compared.chosen.into()
    }

    async fn reason(&self) -> String {
        self.compared.reason.to_string()
    }

    /// Over the horizon, of the options that could be priced.
    async fn totals(&self) -> Vec<ComparedTotal> {
        let totals = self.compared.totals.iter();
        totals
            .map(|(choice, ends)| ComparedTotal {
                choice: (*choice).into(),
                low: ends.low,
                high: ends.high,
            })
            .collect()
    }

    /// Of owning against renting; `null` when never or unknown.
    async fn break_even_month(&self) -> Option<Decimal> {
        self.compared.break_even_month
    }

    async fn computed(&self) -> SpeaksFor {
        self.compared.computed.into()
    }

    async fn disagreements(&self) -> Vec<OwningRule> {
        self.compared.disagreements.iter().map(|rule| (*rule).into()).collect()
    }

    async fn event(&self) -> &EventLink {
        &self.event
    }
}
