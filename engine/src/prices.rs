//! The price index as a viewer may see it: collected points, the newest policy's reference prices,
//! and quotes that were received.
//!
//! The rule: a quote is seen here by whoever may see its procurement, and by nobody else; to others
//! the index looks as if it had not been received. Quotes are not copied: what is asked for is
//! worked out from the procurements as they stand, so a corrected quote corrects the index.

use chrono::NaiveDate;
use sixgate_workflows::{
    budget::price_index::{
        PriceIndex,
        point::PricePoint,
        sources::{of_catalogue, of_quote},
    },
    context::local_date,
    ids::ProcurementId,
    needs::catalogue::Catalogue,
    recorded::Stamp,
};

use crate::{
    access::{self, Action, Resource, Viewer},
    engine::Engine,
    error::Error,
};

/// Where a point comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A reference price of the catalogue.
    Reference,
    /// Recorded by the organisation.
    Collected(Stamp),
    Quote(ProcurementId, Stamp),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub point: PricePoint,
    pub origin: Origin,
}

/// All points, and what is needed to ask about them.
#[derive(Clone, Debug)]
pub struct Prices {
    pub points: Vec<Listed>,
    pub catalogue: Catalogue,
    pub today: NaiveDate,
}

impl Engine {
    pub fn prices(&self, viewer: &Viewer) -> Result<Prices, Error> {
        access::authorise(&viewer.actor, Action::Read(Resource::Prices))?;
        let moment = self.moment();
        let newest = self.policies(viewer)?.pop();
        let catalogue = newest.map_or_else(
            || Catalogue::shipped().clone(),
            |policy| Catalogue::with(&policy.catalogue),
        );
        let reference =
            of_catalogue(&catalogue).map(|point| Listed { point, origin: Origin::Reference });
        let mut points: Vec<_> = reference.collect();
        points.extend(
            self.collected()
                .points
                .into_values()
                .map(|fact| Listed { point: fact.value, origin: Origin::Collected(fact.stamp) }),
        );
        for seen in self.procurements(viewer) {
            let procurement = seen.state();
            for candidate in procurement.shortlist.candidates.values() {
                let Some(quote) = &candidate.quote else { continue };
                let received = local_date(quote.stamp.at, moment.zone);
                let lines = of_quote(&quote.value, &candidate.name, received, &catalogue);
                points.extend(lines.into_iter().map(|point| Listed {
                    point,
                    origin: Origin::Quote(procurement.id, quote.stamp),
                }));
            }
        }
        Ok(Prices { points, catalogue, today: local_date(moment.now, moment.zone) })
    }

    fn collected(&self) -> PriceIndex {
        self.views().prices.states().next().cloned().unwrap_or_default()
    }
}
