//! What is known of cards, prices, models and runtimes, as data with its sources.
//!
//! The rule: the shipped files are facts of a date, and an organisation's policy replaces or adds
//! rows by their id; a procurement reads the ones that its pinned policy has. What is not known is
//! absent: no bandwidth, price or power is ever zero.

pub mod assumptions;
pub mod card;
pub mod lookup;
pub mod model;
pub mod overrides;
pub mod price;
pub mod recommendation;

use std::sync::LazyLock;

use serde::de::DeserializeOwned;

use self::{
    assumptions::{Assumed, Assumption, Assumptions},
    card::Card,
    model::ReferenceModel,
    overrides::Overrides,
    price::ReferencePrice,
    recommendation::Recommendation,
};

/// The shipped rows with an organisation's own in their place.
#[derive(Clone, Debug)]
pub struct Catalogue {
    pub cards: Vec<Card>,
    pub prices: Vec<ReferencePrice>,
    pub recommendations: Vec<Recommendation>,
    pub assumptions: Assumptions,
}

static SHIPPED: LazyLock<Catalogue> = LazyLock::new(|| Catalogue {
    cards: rows::<card::File>(include_str!("catalogue/cards.toml")).cards,
    prices: rows::<price::File>(include_str!("catalogue/prices.toml")).prices,
    recommendations: rows::<recommendation::File>(include_str!("catalogue/recommendations.toml"))
        .recommendations,
    assumptions: Assumptions::new(rows(include_str!("catalogue/assumptions.toml"))),
});

static MODELS: LazyLock<Vec<ReferenceModel>> =
    LazyLock::new(|| rows::<model::File>(include_str!("catalogue/models.toml")).models);

fn rows<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the shipped catalogue is read by a test")
}

/// Known models, by which one of unknown shape is judged.
pub fn models() -> &'static [ReferenceModel] {
    &MODELS
}

impl Catalogue {
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    pub fn with(overrides: &Overrides) -> Self {
        let mut catalogue = Self::shipped().clone();
        replace(&mut catalogue.cards, &overrides.cards, |card| &card.id);
        replace(&mut catalogue.prices, &overrides.prices, |price| &price.id);
        replace(&mut catalogue.recommendations, &overrides.recommendations, |row| &row.id);
        for (name, value) in &overrides.assumptions {
            catalogue.assumptions.set(*name, *value);
        }
        catalogue
    }

    pub fn card(&self, id: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }

    pub fn assumed(&self, name: Assumption) -> &Assumed {
        self.assumptions.get(name)
    }

    /// The reference prices of a card, if any is known.
    pub fn prices_of<'a>(&'a self, card: &'a str) -> impl Iterator<Item = &'a ReferencePrice> {
        self.prices.iter().filter(move |price| price.card == card)
    }
}

fn replace<T: Clone>(rows: &mut Vec<T>, own: &[T], id: impl Fn(&T) -> &String) {
    for row in own {
        match rows.iter_mut().find(|known| id(known) == id(row)) {
            Some(known) => known.clone_from(row),
            None => rows.push(row.clone()),
        }
    }
}
