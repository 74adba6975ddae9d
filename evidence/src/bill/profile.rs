//! A supplier's own bill, described once in TOML: its columns, words, dates and cards.
//!
//! Rule: a column that the profile names and the file lacks is an error, not a null: the profile is of another bill.

use super::amount::Amount;
use super::cards::{Cards, Rule};
use super::layout::{Currency, Header, Layout, Period, Words};
use super::times::{Form, Reader, zone};
use crate::Refused;
use rust_decimal::Decimal;
use serde::Deserialize;

/// A checked description of a supplier's bill.
///
/// ```toml
/// format = "starsea"              # what `format` says of a bill read by it
/// currency = "CNY"                # or columns.currency
/// zone = "+08:00"                 # of times without one
/// delimiter = ","
/// null = ["无"]
/// footer = ["本页合计"]
///
/// [columns]                       # without this table the profile amends a known format
/// billed = "应付金额"             # the only one that is needed
/// effective = "摊销金额"
/// category = "类型"
/// class = "标记"                  # where words.correction is looked for; else in the category
/// invoice = "账单号"
/// currency = "币种"
/// period_start = "账期"
/// period_end = "账期结束"
/// charge_start = "开始"
/// charge_end = "结束"
/// quantity = "用量"
/// unit = "单位"
/// cards = "卡数"
///
/// [dates]
/// form = "month"                  # or "iso", "month-day-year", "day-month-year"
/// end = "inclusive"               # a date as the end is the last day; or "exclusive"
///
/// [words]
/// tax = ["税"]
/// credit = ["代金券"]
/// correction = ["退款"]
/// usage = ["用量"]
///
/// [cards]
/// column = "规格"
/// rule = [{ contains = "8xH100", cards = 8 }]
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillProfile {
    file: File,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Option<String>,
    currency: Option<String>,
    zone: Option<String>,
    delimiter: Option<String>,
    #[serde(default)]
    null: Vec<String>,
    #[serde(default)]
    footer: Vec<String>,
    columns: Option<Columns>,
    #[serde(default)]
    dates: Dates,
    words: Option<ProfileWords>,
    cards: Option<ProfileCards>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    billed: String,
    effective: Option<String>,
    category: Option<String>,
    class: Option<String>,
    invoice: Option<String>,
    currency: Option<String>,
    period_start: Option<String>,
    period_end: Option<String>,
    charge_start: Option<String>,
    charge_end: Option<String>,
    quantity: Option<String>,
    unit: Option<String>,
    cards: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dates {
    #[serde(default)]
    form: DateForm,
    #[serde(default)]
    end: PeriodEnd,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DateForm {
    #[default]
    Iso,
    Month,
    MonthDayYear,
    DayMonthYear,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PeriodEnd {
    #[default]
    Exclusive,
    Inclusive,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileWords {
    #[serde(default)]
    tax: Vec<String>,
    #[serde(default)]
    credit: Vec<String>,
    #[serde(default)]
    correction: Vec<String>,
    #[serde(default)]
    usage: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileCards {
    column: String,
    rule: Vec<CardRule>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardRule {
    contains: String,
    cards: u32,
}

const SIZE_BYTES_MAX: usize = 64 * 1024;
const ADVICE: &str = "see the form of a bill profile";

impl BillProfile {
    /// # Errors
    /// `bad_profile` naming what is wrong and on which line.
    pub fn from_toml(text: &str) -> Result<Self, Refused> {
        let bad = |what: String| Refused::new("bad_profile", what, ADVICE);
        if text.len() > SIZE_BYTES_MAX {
            return Err(bad(format!("the profile has more than {SIZE_BYTES_MAX} bytes")));
        }
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| {
                let before = text.get(..span.start).unwrap_or(text);
                1 + before.bytes().filter(|byte| *byte == b'\n').count() as u64
            });
            let refused = bad(format!("the profile is not of its form: {}", error.message()));
            match line {
                Some(line) => refused.on_line(line),
                None => refused,
            }
        })?;
        if file.delimiter.as_ref().is_some_and(|delimiter| delimiter.len() != 1) {
            return Err(
                bad("the delimiter is not one ASCII character".to_owned()).in_field("delimiter")
            );
        }
        if file.zone.as_ref().is_some_and(|given| zone(given).is_none()) {
            return Err(bad("the zone is no offset like +08:00".to_owned()).in_field("zone"));
        }
        if file.currency.as_ref().is_some_and(|code| code.len() != 3) {
            return Err(
                bad("the currency is no code of three letters".to_owned()).in_field("currency")
            );
        }
        Ok(Self { file })
    }

    pub(super) fn delimiter(&self) -> Option<u8> {
        self.file.delimiter.as_ref().and_then(|delimiter| delimiter.bytes().next())
    }

    pub(super) fn has_columns(&self) -> bool {
        self.file.columns.is_some()
    }

    pub(super) fn layout(&self, header: &Header) -> Result<Layout, Refused> {
        let Some(columns) = &self.file.columns else {
            return Err(Refused::new("bad_profile", "the profile names no columns", ADVICE));
        };
        let optional =
            |name: &Option<String>| name.as_deref().map(|name| column(header, name)).transpose();
        let category = optional(&columns.category)?;
        let words = self.file.words.clone();
        let (period_start, charge_start) =
            (optional(&columns.period_start)?, optional(&columns.charge_start)?);
        let mut layout = Layout {
            effective: optional(&columns.effective)?.map(Amount::Column),
            category,
            invoice: optional(&columns.invoice)?,
            currency: match optional(&columns.currency)? {
                Some(column) => Currency::Column(column),
                None => Currency::Unstated,
            },
            period: Period {
                start: period_start,
                end: optional(&columns.period_end)?,
                form: self.form(),
                last_day_is_in: self.file.dates.end == PeriodEnd::Inclusive,
            },
            charge_start,
            charge_end: optional(&columns.charge_end)?,
            // Usage has a day or a time, also where the period is a month.
            times: Reader {
                form: match self.form() {
                    Form::Month => Form::Iso,
                    form @ (Form::Iso | Form::MonthDayYear | Form::DayMonthYear) => form,
                },
                zone: None,
            },
            words: Words {
                correction_column: optional(&columns.class)?.or(category),
                tax: words.as_ref().map(|words| words.tax.clone()).unwrap_or_default(),
                credit: words.as_ref().map(|words| words.credit.clone()).unwrap_or_default(),
                correction: words
                    .as_ref()
                    .map(|words| words.correction.clone())
                    .unwrap_or_default(),
                usage: words.map(|words| words.usage).unwrap_or_default(),
            },
            cards: Cards {
                column: optional(&columns.cards)?,
                quantity: optional(&columns.quantity)?,
                unit: optional(&columns.unit)?,
                rule: None,
            },
            always_filled: [category, period_start, charge_start].into_iter().flatten().collect(),
            ..Layout::new("profile", Amount::Column(column(header, &columns.billed)?))
        };
        self.amend(&mut layout, header)?;
        Ok(layout)
    }

    /// What a profile adds to a format that is known.
    pub(super) fn amend(&self, layout: &mut Layout, header: &Header) -> Result<(), Refused> {
        if let Some(format) = self.file.format.as_ref().filter(|_| self.has_columns()) {
            layout.format.clone_from(format);
        }
        if let (Currency::Unstated, Some(currency)) = (&layout.currency, &self.file.currency) {
            layout.currency = Currency::Always(currency.to_ascii_uppercase());
        }
        if let Some(offset) = self.file.zone.as_deref().and_then(zone) {
            layout.times.zone = Some(offset);
        }
        layout.nulls.extend(self.file.null.iter().cloned());
        layout.footers.extend(self.file.footer.iter().map(|word| word.to_lowercase()));
        if let Some(cards) = &self.file.cards {
            let rules =
                cards.rule.iter().map(|rule| (rule.contains.clone(), Decimal::from(rule.cards)));
            layout.cards.rule =
                Some(Rule { column: column(header, &cards.column)?, cards: rules.collect() });
        }
        Ok(())
    }

    fn form(&self) -> Form {
        match self.file.dates.form {
            DateForm::Iso => Form::Iso,
            DateForm::Month => Form::Month,
            DateForm::MonthDayYear => Form::MonthDayYear,
            DateForm::DayMonthYear => Form::DayMonthYear,
        }
    }
}

fn column(header: &Header, name: &str) -> Result<usize, Refused> {
    header.column(&name.to_lowercase()).ok_or_else(|| {
        let shown: String = name.chars().take(60).collect();
        Refused::new(
            "profile_column",
            format!("the file has no column {shown:?}, which the profile names"),
            "check that the bill and the profile are of the same supplier",
        )
        .in_field(shown)
    })
}
