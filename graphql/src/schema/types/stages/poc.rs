//! Stage 4: finalists, their evidence and what it says.

use async_graphql::{Context, Json, Object, SimpleObject};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_engine::read::Seen;
use sixgate_workflows::{ids::SupplierId, poc as rules, texts};

use super::{EvidenceFile, SupplierReference, supplier};
use crate::schema::{
    locale,
    scalars::{Because, CheckName, Language, ReadingKind, Verdict},
    types::history::EventLink,
};

pub(crate) struct Poc(pub Seen);

pub(crate) struct Finalist {
    supplier: SupplierReference,
    finalist: rules::Finalist,
}

#[derive(SimpleObject)]
pub(crate) struct Evidence {
    kind: ReadingKind,
    file: EvidenceFile,
    reader_version: u16,
    complete: bool,
    incomplete_because: Option<String>,
    /// What the reader found.
    reading: Json<rules::reading::Reading>,
    event: EventLink,
}

pub(crate) struct AcceptanceVerdict {
    verdict: rules::verdict::Verdict,
    event: EventLink,
}

pub(crate) struct Check(rules::verdict::Check);

#[derive(SimpleObject)]
pub(crate) struct Baseline {
    first_token_p99_ms: Option<Decimal>,
    per_token_p99_ms: Option<Decimal>,
    output_tokens_s: Option<Decimal>,
    collective_gb_s: Option<Decimal>,
    network_gbit_s: Option<Decimal>,
    memory_growth_mib: Option<Decimal>,
    /// Used memory in MiB of the card that grew most, evenly spaced over the run.
    memory_curve_mib: Vec<Decimal>,
    event: EventLink,
}

#[derive(SimpleObject)]
pub(crate) struct Explanation {
    text: String,
    event: EventLink,
}

#[Object]
impl Poc {
    #[graphql(complexity = "3 * child_complexity")]
    async fn finalists(&self) -> Vec<Finalist> {
        let state = self.0.state();
        let finalists = state.poc.finalists.iter();
        finalists
            .map(|(id, finalist): (&SupplierId, _)| Finalist {
                supplier: supplier(state, *id),
                finalist: finalist.clone(),
            })
            .collect()
    }
}

#[Object]
impl Finalist {
    async fn supplier(&self) -> &SupplierReference {
        &self.supplier
    }

    /// What the machines are tested against.
    async fn promise(&self) -> Json<&rules::verdict::Promise> {
        Json(&self.finalist.promise)
    }

    async fn trial_ends_on(&self) -> NaiveDate {
        self.finalist.trial_ends_on
    }

    async fn evidence(&self) -> Vec<Evidence> {
        let evidence = self.finalist.evidence.iter();
        evidence
            .map(|fact| Evidence {
                kind: fact.value.reading.kind().into(),
                file: (&fact.value.file).into(),
                reader_version: fact.value.reader_version,
                complete: fact.value.complete,
                incomplete_because: fact.value.incomplete_because.as_ref().map(|n| n.to_string()),
                reading: Json(fact.value.reading.clone()),
                event: EventLink(fact.stamp),
            })
            .collect()
    }

    async fn verdict(&self) -> Option<AcceptanceVerdict> {
        let fact = self.finalist.verdict.as_ref()?;
        Some(AcceptanceVerdict { verdict: fact.value.clone(), event: EventLink(fact.stamp) })
    }

    /// Of the supplier, after a failed verdict.
    async fn explanation(&self) -> Option<Explanation> {
        let fact = self.finalist.explanation.as_ref()?;
        Some(Explanation { text: fact.value.to_string(), event: EventLink(fact.stamp) })
    }

    /// What operation is compared with.
    async fn baseline(&self) -> Option<Baseline> {
        let fact = self.finalist.baseline.as_ref()?;
        let baseline = fact.value.clone();
        Some(Baseline {
            first_token_p99_ms: baseline.first_token_p99_ms,
            per_token_p99_ms: baseline.per_token_p99_ms,
            output_tokens_s: baseline.output_tokens_s,
            collective_gb_s: baseline.collective_gb_s,
            network_gbit_s: baseline.network_gbit_s,
            memory_growth_mib: baseline.memory_growth_mib,
            memory_curve_mib: baseline.memory_curve_mib,
            event: EventLink(fact.stamp),
        })
    }
}

#[Object]
impl AcceptanceVerdict {
    async fn overall(&self) -> Verdict {
        self.verdict.overall.into()
    }

    async fn rule_version(&self) -> u16 {
        self.verdict.rule_version
    }

    #[graphql(complexity = "33 * child_complexity")]
    async fn checks(&self) -> Vec<Check> {
        self.verdict.checks.iter().cloned().map(Check).collect()
    }

    async fn event(&self) -> &EventLink {
        &self.event
    }
}

#[Object]
impl Check {
    async fn name(&self) -> CheckName {
        self.0.name.into()
    }

    async fn label(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("check.{}", self.0.name.id());
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    async fn outcome(&self) -> Verdict {
        self.0.outcome.into()
    }

    /// `null` is no reading, which is not zero.
    async fn measured(&self) -> Option<&str> {
        self.0.measured.as_deref()
    }

    async fn promised(&self) -> &str {
        &self.0.promised
    }

    /// Which one, where a check is made several times, such as one volume under two conditions.
    async fn of(&self) -> Option<&str> {
        self.0.of.as_deref()
    }

    /// Why an inconclusive check cannot be decided.
    async fn because(&self) -> Option<Because> {
        self.0.because.map(Into::into)
    }

    async fn because_label(
        &self,
        context: &Context<'_>,
        locale: Option<Language>,
    ) -> Option<String> {
        let key = format!("because.{}", self.0.because?.id());
        Some(texts::text(&key, self::locale(context, locale)).to_owned())
    }

    /// The rule that was applied, and the source of its threshold.
    async fn rule(&self, context: &Context<'_>, locale: Option<Language>) -> String {
        let key = format!("rule.{}", self.0.name.id());
        texts::text(&key, self::locale(context, locale)).to_owned()
    }

    /// The words of the tool that decided.
    async fn detail(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// The evidence file that decided, by its name.
    async fn file(&self) -> Option<&str> {
        self.0.file.as_ref().map(|name| name.as_str())
    }
}
