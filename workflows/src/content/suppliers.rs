//! What letters about quotes, qualifications, trials, contracts and the split say.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::{Bar, By, Desk, Draft};
use crate::{
    calendar,
    deadline::About,
    ids::SupplierId,
    money::Money,
    operation::split,
    poc::Finalist,
    shortlist::quote::{PriceBasis, PriceUnit, QuoteLine},
};

pub(super) fn quote_validity(desk: &Desk) -> Draft {
    let candidate =
        about(desk).and_then(|supplier| desk.procurement().shortlist.candidates.get(&supplier));
    let quote = candidate.and_then(|candidate| candidate.quote.as_ref()).map(|fact| &fact.value);
    let lines = quote.map_or_else(Vec::new, |quote| {
        quote.lines.iter().map(|line| price(desk, line, quote.currency)).collect()
    });
    until(desk, quote.map(|quote| quote.valid_until)).list(desk, "prices", lines)
}

fn price(desk: &Desk, line: &QuoteLine, currency: crate::money::Currency) -> String {
    let unit = match line.unit {
        PriceUnit::CardHour => "mail.price.card_hour",
        PriceUnit::CardDay => "mail.price.card_day",
        PriceUnit::CardMonth => "mail.price.card_month",
        PriceUnit::CardYear => "mail.price.card_year",
    };
    let basis = match line.basis {
        PriceBasis::Reserved => "mail.price.reserved",
        PriceBasis::OnDemand => "mail.price.on_demand",
    };
    let amount = desk.money(Money::new(line.unit_price, currency));
    let (unit, basis) = (desk.text(unit), desk.text(basis));
    format!("{} × {}: {amount} / {unit} ({basis})", line.cards, line.card)
}

pub(super) fn qualification_expiry(desk: &Desk) -> Draft {
    let candidate =
        about(desk).and_then(|supplier| desk.procurement().shortlist.candidates.get(&supplier));
    let review = candidate.and_then(|candidate| candidate.review.as_ref()).map(|fact| &fact.value);
    let last_day = review.and_then(|review| review.expires_on());
    let ending = review
        .into_iter()
        .flat_map(|review| &review.valid_until)
        .filter(|(_, day)| Some(**day) == last_day);
    let mut ids = Vec::new();
    let mut numbers = Vec::new();
    for (qualification, _) in ending {
        ids.push(qualification.id());
        let known = desk.source.supplier.and_then(|s| s.certificates.get(qualification));
        numbers.extend(known.map(|fact| fact.value.number.to_string()));
    }
    let what = desk.filled("mail.qualifications", &[("qualification", &ids.join(", "))]);
    until(desk, last_day).word("what", &what).figure(desk, "qualification", what).figure(
        desk,
        "number",
        (!numbers.is_empty()).then(|| numbers.join("; ")),
    )
}

pub(super) fn trial_end(desk: &Desk) -> Draft {
    let procurement = desk.procurement();
    let finalist = about(desk).and_then(|supplier| procurement.poc.finalists.get(&supplier));
    let wanted = |finalist: &Finalist| {
        let expected = finalist.expects(&procurement.policy.required_readings);
        let missing = expected.iter().filter(|kind| !finalist.has(**kind));
        missing.map(|kind| desk.text(&format!("reading.{}", kind.id())).to_owned()).collect()
    };
    let files = finalist.map(|finalist| finalist.evidence.len().to_string());
    until(desk, finalist.map(|finalist| finalist.trial_ends_on))
        .figure(desk, "card", finalist.map(|f| format!("{} × {}", f.promise.cards, f.promise.card)))
        .figure(desk, "measured", files)
        .list(desk, "not_measured", finalist.map(wanted).unwrap_or_default())
}

pub(super) fn contract_expiry(desk: &Desk) -> Draft {
    let contract = about(desk)
        .and_then(|supplier| desk.procurement().negotiation.contracts.get(&supplier))
        .map(|fact| &fact.value);
    let price = contract.map(|contract| desk.money(contract.value_per_month));
    until(desk, contract.map(|contract| contract.ends_on))
        .figure(desk, "contract", contract.map(|contract| contract.document.name.to_string()))
        .figure(desk, "term", contract.map(|c| desk.span(c.starts_on, c.ends_on)))
        .figure(desk, "cards", contract.map(|contract| contract.cards.to_string()))
        .figure(desk, "per_month", price)
}

/// Something that holds until a day.
fn until(desk: &Desk, last_day: Option<NaiveDate>) -> Draft {
    let Some(last_day) = last_day else { return Draft::new(By::AtOnce) };
    let supplier =
        about(desk).map(|supplier| desk.procurement().supplier_name(supplier).to_owned());
    Draft::new(desk.in_time(last_day))
        .word("date", desk.day(last_day))
        .figure(desk, "supplier", supplier)
        .figure(desk, "last_day", desk.day(last_day))
        .figure(desk, "days_left", desk.days_left(last_day))
}

pub(super) fn split(desk: &Desk) -> Draft {
    let About::Month(first) = desk.source.deadline.about else { return Draft::new(By::AtOnce) };
    let next = calendar::months_after(first, 1);
    let shares = split::shares(desk.procurement(), desk.midnight(first), desk.midnight(next));
    let bars = shares
        .iter()
        .map(|share| Bar {
            label: desk.procurement().supplier_name(share.supplier).to_owned(),
            part: share.share.value(),
            shown: desk.filled(
                "mail.share",
                &[("share", &desk.percent(share.share.value())), ("band", &share.band.to_string())],
            ),
            missed: (!share.is_in_band()).then_some(share.band),
        })
        .collect();
    let this_month_ends = calendar::days_before(calendar::months_after(next, 1), 1);
    Draft::new(desk.in_time(this_month_ends))
        .word("month", desk.month(first))
        .figure(desk, "month", desk.month(first))
        .chart(desk, "shares", bars)
}

pub(super) fn too_few(desk: &Desk) -> Draft {
    let procurement = desk.procurement();
    let today = desk.today();
    let items = procurement
        .negotiation
        .contracts
        .iter()
        .map(|(supplier, contract)| {
            let candidate = procurement.shortlist.candidates.get(supplier);
            let review = candidate.and_then(|candidate| candidate.review.as_ref());
            let qualified = candidate.is_some_and(|candidate| candidate.is_qualified_on(today));
            let ended = contract.value.ends_on < today;
            let (key, day) = match review.and_then(|review| review.value.expires_on()) {
                _ if ended => ("mail.contract_ended", contract.value.ends_on),
                Some(day) if qualified => ("mail.qualified_until", day),
                Some(day) if day < today => ("mail.qualified_no_longer", day),
                Some(_) | None => ("mail.not_qualified", today),
            };
            let name = procurement.supplier_name(*supplier);
            desk.filled(key, &[("supplier", name), ("day", &desk.day(day))])
        })
        .collect();
    Draft::new(By::AtOnce).list(desk, "under_contract", items)
}

fn about(desk: &Desk) -> Option<SupplierId> {
    match desk.source.deadline.about {
        About::Supplier(supplier) | About::MonthOf(supplier, _) => Some(supplier),
        About::Procurement
        | About::Incident(_)
        | About::Month(_)
        | About::Quarter(_)
        | About::WeekBefore(_) => None,
    }
}

/// For a bar that has no limit of its own.
pub(super) fn plain_bar(label: String, part: Decimal, shown: String) -> Bar {
    Bar { label, part, shown, missed: None }
}
