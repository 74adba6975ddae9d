//! Price points of a file, as the rules keep them.

use sixgate_evidence::{PointBasis, PointTax, PointTerm};
use sixgate_workflows::{
    budget::price_index::point::{Basis, PricePoint, Tax, Term},
    invalid::Invalid,
    money::Currency,
    percent::Percent,
    text::Name,
};

/// All of them, or the first that is not accepted with its line.
pub fn price_points(facts: &sixgate_evidence::Prices) -> Result<Vec<PricePoint>, Invalid> {
    facts
        .points
        .iter()
        .map(|found| {
            point(found).map_err(|invalid| {
                Invalid::new(invalid.what, format!("line {}: {}", found.line, invalid.why))
            })
        })
        .collect()
}

fn point(found: &sixgate_evidence::PricePoint) -> Result<PricePoint, Invalid> {
    Ok(PricePoint {
        card: Name::new(&found.card)?,
        basis: match found.basis {
            PointBasis::OnDemand => Basis::OnDemand,
            PointBasis::Reserved => Basis::Reserved,
            PointBasis::Spot => Basis::Spot,
        },
        term: match found.term {
            PointTerm::Hour => Term::Hour,
            PointTerm::Month => Term::Month,
            PointTerm::Year => Term::Year,
            PointTerm::Package { hours } => Term::Package { hours },
        },
        low: found.low,
        high: found.high,
        currency: Currency::from_code(&found.currency)?,
        tax: match found.tax {
            PointTax::Net => Tax::Net,
            PointTax::Included { percent } => Tax::Included { rate: Percent::new(percent)? },
            PointTax::NotSaid => Tax::NotSaid,
        },
        region: found.region.as_deref().map(Name::new).transpose()?,
        source: Name::new(&found.source)?,
        on: found.date,
    })
}
