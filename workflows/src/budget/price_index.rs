//! The price index: what a card-hour cost others, by day, term and source. A stream of its own.
//!
//! ```text
//! point     one dated price and what it is per card-hour, net
//! sources   points of the catalogue's reference prices and of quotes
//! view      the points of one card, their course, and where a price stands
//! ```
//!
//! The rule: a point says of which day, from whom and on which terms it is; recording it again
//! replaces it, so a corrected file may be imported as a whole. A price that nobody has seen is
//! unknown: no answer is made of too few points or of old ones, and none is ever zero. Cards are
//! named as the catalogue has them, and a name that fits several is refused.
//!
//! It deliberately converts no currency and forecasts nothing.

pub mod point;
pub mod sources;
pub mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::point::PricePoint;
use crate::{
    context::Context,
    evidence::EvidenceFile,
    invalid::Invalid,
    needs::catalogue::{Catalogue, lookup::Lookup},
    recorded::{Fact, Stamp},
    rejection::Rejection,
    text::{Name, Text},
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Command {
    /// All of them or none.
    Record { points: Vec<PricePoint>, file: Option<EvidenceFile> },
    /// By the key of the point.
    Withdraw { key: Name, reason: Text },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    /// Each with the catalogue's id of its card.
    Recorded {
        points: Vec<PricePoint>,
        file: Option<EvidenceFile>,
    },
    Withdrawn {
        key: Name,
        reason: Text,
    },
}

/// The points that the organisation collected, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceIndex {
    pub points: BTreeMap<String, Fact<PricePoint>>,
}

/// In one command: an event stays of a size that one reads.
pub const AT_ONCE_MAX: usize = 1_000;
pub const POINTS_MAX: usize = 20_000;

pub fn decide(
    state: &PriceIndex,
    command: Command,
    context: &Context,
) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Record { points, file } => {
            let points = checked(points, context)?;
            let fresh = |point: &&PricePoint| !state.points.contains_key(&point.key());
            let kept = state.points.len() + points.iter().filter(fresh).count();
            if kept > POINTS_MAX {
                return Err(refuse(format!("would hold {kept} prices, at most {POINTS_MAX}")));
            }
            let known = |point: &PricePoint| {
                state.points.get(&point.key()).is_some_and(|fact| fact.value == *point)
            };
            match points.iter().all(known) {
                true => Err(Rejection::NothingChanges),
                false => Ok(vec![Event::Recorded { points, file }]),
            }
        }
        Command::Withdraw { key, reason } => match state.points.contains_key(key.as_str()) {
            true => Ok(vec![Event::Withdrawn { key, reason }]),
            false => Err(refuse(format!("has no price with the key `{key}`"))),
        },
    }
}

fn refuse(why: String) -> Rejection {
    Invalid::new("prices", why).into()
}

fn checked(points: Vec<PricePoint>, context: &Context) -> Result<Vec<PricePoint>, Rejection> {
    if points.is_empty() || points.len() > AT_ONCE_MAX {
        return Err(refuse(format!("1 to {AT_ONCE_MAX} prices are recorded at once")));
    }
    let catalogue = Catalogue::with(&context.policy.catalogue);
    let today = context.today();
    let one = |(index, mut point): (usize, PricePoint)| {
        let said = |why: String| refuse(format!("price {}: {why}", index + 1));
        point.check(today).map_err(|invalid| said(invalid.why))?;
        point.card = card(&catalogue, &point.card).map_err(said)?;
        Ok(point)
    };
    points.into_iter().enumerate().map(one).collect()
}

/// The catalogue's id of a card that somebody named.
fn card(catalogue: &Catalogue, name: &Name) -> Result<Name, String> {
    if catalogue.card(name.as_str()).is_some() {
        return Ok(name.clone());
    }
    match catalogue.lookup(name.as_str()) {
        Lookup::Found(card) => Name::new(&card.id).map_err(|invalid| invalid.why),
        Lookup::Ambiguous(cards) => {
            let cards: Vec<_> = cards.iter().map(|card| card.name.as_str()).collect();
            Err(format!("`{name}` fits several cards: {}; say which", cards.join(", ")))
        }
        Lookup::Unknown => Err(format!("the catalogue has no card `{name}`")),
    }
}

pub fn evolve(state: &mut PriceIndex, event: &Event, stamp: Stamp) {
    match event {
        Event::Recorded { points, .. } => {
            for point in points {
                state.points.insert(point.key(), Fact::new(point.clone(), stamp));
            }
        }
        Event::Withdrawn { key, .. } => {
            state.points.remove(key.as_str());
        }
    }
}
