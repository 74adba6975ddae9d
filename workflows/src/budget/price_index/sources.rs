//! Points that nobody has to type in: the catalogue's reference prices, and quotes received.
//!
//! The rule: a price of a whole machine has no price per card unless somebody says how many cards
//! it has, and a quote with an open question is worth nothing in a comparison; neither makes a point.

use chrono::NaiveDate;

use super::point::{Basis, PricePoint, Tax, Term};
use crate::{
    needs::catalogue::{
        Catalogue,
        lookup::Lookup,
        price::{ReferencePrice, ReferenceTerm, ReferenceUnit},
    },
    shortlist::quote::{PriceBasis, PriceUnit, Quote},
    text::Name,
};

/// Reference prices are published gross, at a rate that their sources do not say.
pub fn of_reference(price: &ReferencePrice) -> Option<PricePoint> {
    let term = match price.unit {
        ReferenceUnit::CardHour => Term::Hour,
        ReferenceUnit::CardMonth => Term::Month,
        ReferenceUnit::MachineMonth => return None,
    };
    let basis = match price.term {
        ReferenceTerm::OnDemand => Basis::OnDemand,
        ReferenceTerm::Month | ReferenceTerm::Year => Basis::Reserved,
    };
    Some(PricePoint {
        card: Name::new(&price.card).ok()?,
        basis,
        term,
        low: price.low,
        high: price.high,
        currency: price.currency,
        tax: Tax::NotSaid,
        region: None,
        source: Name::new(&price.source).ok()?,
        on: price.as_of,
    })
}

pub fn of_catalogue(catalogue: &Catalogue) -> impl Iterator<Item = PricePoint> {
    catalogue.prices.iter().filter_map(of_reference)
}

/// The lines of a quote that was received on a day; none while a question about it is open.
pub fn of_quote(
    quote: &Quote,
    supplier: &Name,
    received: NaiveDate,
    catalogue: &Catalogue,
) -> Vec<PricePoint> {
    if !quote.unanswered().is_empty() {
        return Vec::new();
    }
    let lines = quote.lines.iter().filter_map(|line| {
        // A name that fits several cards says nothing of any one of them.
        let Lookup::Found(card) = catalogue.lookup(line.card.as_str()) else { return None };
        Some(PricePoint {
            card: Name::new(&card.id).ok()?,
            basis: match line.basis {
                PriceBasis::Reserved => Basis::Reserved,
                PriceBasis::OnDemand => Basis::OnDemand,
            },
            term: match line.unit {
                PriceUnit::CardHour => Term::Hour,
                PriceUnit::CardDay => Term::Package { hours: 24 },
                PriceUnit::CardMonth => Term::Month,
                PriceUnit::CardYear => Term::Year,
            },
            low: line.unit_price,
            high: line.unit_price,
            currency: quote.currency,
            tax: match quote.tax_included {
                true => Tax::Included { rate: quote.tax },
                false => Tax::Net,
            },
            region: None,
            source: supplier.clone(),
            on: received,
        })
    });
    lines.collect()
}
