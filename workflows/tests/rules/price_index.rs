//! The price index: what is recorded, what can be compared, and where a price stands.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use sixgate_workflows::{
    budget::price_index::{
        self, Command, Event, PriceIndex,
        point::{Basis, PricePoint, Tax, Term},
        sources::{of_catalogue, of_quote},
        view::{Aligned, Asked, Standing, comparable, course, standing, summary},
    },
    context::ActorId,
    money::Currency,
    needs::catalogue::Catalogue,
    percent::Percent,
    recorded::Stamp,
    rejection::Rejection,
    shortlist::quote::{PriceBasis, PriceUnit, Question, Quote, QuoteLine},
    text::{Name, Text},
};

use crate::harness::nothing;

fn number(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn point(card: &str, price: &str, on: &str) -> PricePoint {
    PricePoint {
        card: name(card),
        basis: Basis::OnDemand,
        term: Term::Hour,
        low: number(price),
        high: number(price),
        currency: Currency::Cny,
        tax: Tax::Net,
        region: None,
        source: name("a list"),
        on: date(on),
    }
}

fn record(index: &PriceIndex, points: Vec<PricePoint>) -> Result<Vec<Event>, Rejection> {
    let command = Command::Record { points, file: None };
    price_index::decide(index, command, &nothing().context)
}

fn stamp() -> Stamp {
    Stamp { at: chrono::DateTime::UNIX_EPOCH, by: ActorId::System, position: 1, index: 0 }
}

fn recorded(points: Vec<PricePoint>) -> PriceIndex {
    let mut index = PriceIndex::default();
    for event in record(&index, points).unwrap() {
        price_index::evolve(&mut index, &event, stamp());
    }
    index
}

fn why(rejection: Rejection) -> String {
    let Rejection::InvalidValue { why, .. } = rejection else { panic!("{rejection:?}") };
    why
}

fn h20(days: u32) -> Asked {
    Asked { card: "h20".to_owned(), currency: Currency::Cny, basis: None, region: None, days }
}

fn aligned(points: &[PricePoint]) -> Vec<Aligned> {
    comparable(points, &h20(90))
}

fn past() -> String {
    (nothing().context.today() - chrono::Days::new(10)).to_string()
}

#[test]
fn a_card_is_recorded_under_the_catalogue_s_id_whatever_it_was_called() {
    let index = recorded(vec![point("NVIDIA H20", "7.5", &past())]);
    assert_eq!(index.points.values().next().unwrap().value.card.as_str(), "h20");
}

#[test]
fn a_name_that_fits_several_cards_or_none_is_refused_with_its_place() {
    let points = vec![point("H20", "7.5", &past()), point("A100", "5", &past())];
    let said = why(record(&PriceIndex::default(), points).unwrap_err());
    assert!(said.starts_with("price 2: `A100` fits several cards"), "{said}");
    let said = why(record(&PriceIndex::default(), vec![point("Z9", "5", &past())]).unwrap_err());
    assert!(said.contains("has no card `Z9`"), "{said}");
}

#[test]
fn a_price_of_zero_upside_down_or_of_tomorrow_is_refused() {
    let tomorrow = nothing().context.today().succ_opt().unwrap();
    let upside_down = PricePoint { high: number("1"), ..point("h20", "2", &past()) };
    let empty = PricePoint { term: Term::Package { hours: 0 }, ..point("h20", "2", &past()) };
    for bad in [
        point("h20", "0", &past()),
        point("h20", "-1", &past()),
        upside_down,
        empty,
        point("h20", "2", &tomorrow.to_string()),
    ] {
        assert!(record(&PriceIndex::default(), vec![bad.clone()]).is_err(), "{bad:?}");
    }
    assert!(record(&PriceIndex::default(), Vec::new()).is_err());
}

#[test]
fn a_point_recorded_again_replaces_the_former_and_the_same_again_changes_nothing() {
    let mut index = recorded(vec![point("h20", "7.5", &past())]);
    assert_eq!(record(&index, vec![point("H20", "7.5", &past())]), Err(Rejection::NothingChanges));
    for event in record(&index, vec![point("h20", "7.9", &past())]).unwrap() {
        price_index::evolve(&mut index, &event, stamp());
    }
    assert_eq!(index.points.len(), 1);
    assert_eq!(index.points.values().next().unwrap().value.low, number("7.9"));
}

pub(crate) fn commands() -> [Command; 2] {
    let point = point("h20", "7.5", &past());
    let key = name(&point.key());
    [
        Command::Record { points: vec![point], file: None },
        Command::Withdraw { key, reason: Text::new("a typing error").unwrap() },
    ]
}

/// Of every kind one.
pub(crate) fn events() -> Vec<Event> {
    let mut index = PriceIndex::default();
    let mut events = Vec::new();
    for command in commands() {
        for event in price_index::decide(&index, command, &nothing().context).unwrap() {
            price_index::evolve(&mut index, &event, stamp());
            events.push(event);
        }
    }
    events
}

#[test]
fn a_wrong_point_is_withdrawn_by_its_key() {
    let mut index = recorded(vec![point("h20", "7.5", &past())]);
    let key = name(index.points.keys().next().unwrap());
    let withdraw = |key| Command::Withdraw { key, reason: Text::new("a typing error").unwrap() };
    let context = nothing().context;
    let events = price_index::decide(&index, withdraw(key.clone()), &context).unwrap();
    price_index::evolve(&mut index, &events[0], stamp());
    assert!(index.points.is_empty());
    assert!(price_index::decide(&index, withdraw(key), &context).is_err());
}

#[test]
fn terms_are_aligned_to_one_card_hour_net_of_the_tax_that_is_known() {
    let with = |term, tax| PricePoint { term, tax, ..point("h20", "8760", "2026-01-01") };
    let each = |term, tax| with(term, tax).per_card_hour().unwrap().0;
    assert_eq!(each(Term::Hour, Tax::Net), number("8760"));
    assert_eq!(each(Term::Month, Tax::Net), number("12"));
    assert_eq!(each(Term::Year, Tax::Net), number("1"));
    assert_eq!(each(Term::Package { hours: 100 }, Tax::NotSaid), number("87.6"));
    let included = Tax::Included { rate: Percent::of(20) };
    assert_eq!(each(Term::Month, included), number("10"));
}

#[test]
fn the_reference_prices_are_points_and_a_whole_machine_is_none() {
    let catalogue = Catalogue::shipped();
    let points: Vec<_> = of_catalogue(catalogue).collect();
    assert_eq!(points.len(), catalogue.prices.len() - 1, "all but the machine of eight");
    assert!(points.iter().all(|point| point.tax == Tax::NotSaid && point.low > Decimal::ZERO));
    let month = points.iter().find(|p| p.card.as_str() == "rtx_4090" && p.term == Term::Month);
    assert_eq!(month.unwrap().per_card_hour(), Some((number("1.6438"), number("2.4658"))));
}

fn quote(card: &str) -> Quote {
    Quote {
        currency: Currency::Cny,
        valid_until: date("2030-01-01"),
        tax_included: true,
        tax: Percent::of(6),
        lines: vec![QuoteLine {
            card: name(card),
            unit_price: number("5803.5"),
            unit: PriceUnit::CardMonth,
            cards: 8,
            basis: PriceBasis::Reserved,
            list_price: None,
        }],
        answers: Question::ALL.map(|question| (question, name("yes"))).into(),
    }
}

#[test]
fn a_quote_feeds_the_index_net_of_tax_and_only_when_it_is_comparable() {
    let catalogue = Catalogue::shipped();
    let day = date("2026-02-03");
    let points = of_quote(&quote("H20 96GB"), &name("星河"), day, catalogue);
    assert_eq!(points.len(), 1);
    assert_eq!((points[0].card.as_str(), points[0].on), ("h20", day));
    assert_eq!(points[0].per_card_hour(), Some((number("7.5"), number("7.5"))));
    let mut open = quote("H20");
    open.answers.remove(&Question::Storage);
    assert!(of_quote(&open, &name("星河"), day, catalogue).is_empty());
    assert!(of_quote(&quote("A100"), &name("星河"), day, catalogue).is_empty());
}

#[test]
fn only_the_same_card_currency_basis_and_region_are_compared() {
    let base = point("h20", "7.5", "2026-01-10");
    let points = [
        base.clone(),
        PricePoint { card: name("h200"), ..base.clone() },
        PricePoint { currency: Currency::Usd, ..base.clone() },
        PricePoint { basis: Basis::Spot, ..base.clone() },
        PricePoint { region: Some(name("cn-north")), ..base.clone() },
    ];
    assert_eq!(comparable(&points, &h20(90)).len(), 3);
    let spot = Asked { basis: Some(Basis::Spot), ..h20(90) };
    assert_eq!(comparable(&points, &spot).len(), 1);
    let north = Asked { region: Some("cn-north".to_owned()), ..h20(90) };
    assert_eq!(comparable(&points, &north).len(), 1);
}

#[test]
fn a_summary_holds_the_ends_the_middle_and_the_age_of_the_window() {
    let mut points: Vec<_> = ["9", "7", "8"]
        .iter()
        .enumerate()
        .map(|(day, price)| point("h20", price, &format!("2026-03-0{}", day + 1)))
        .collect();
    points.push(PricePoint { high: number("12"), ..point("h20", "10", "2026-03-05") });
    points.push(point("h20", "1", "2025-01-01"));
    let found = summary(&aligned(&points), 30, date("2026-03-15")).unwrap();
    assert_eq!((found.count, found.least, found.most), (4, number("7"), number("12")));
    assert_eq!((found.median.low, found.median.high), (number("8.5"), number("8.5")));
    assert_eq!((found.newest, found.age_days), (date("2026-03-05"), 10));
    assert_eq!(summary(&aligned(&points), 5, date("2026-03-15")), None, "no point is no price");
}

#[test]
fn a_price_stands_between_the_points_that_are_surely_and_possibly_below_it() {
    let mut points: Vec<_> = (1..=4)
        .map(|day| point("h20", &format!("{}", 6 + day), &format!("2026-03-0{day}")))
        .collect();
    let today = date("2026-03-15");
    let told = standing(&aligned(&points), number("9"), 30, today);
    assert_eq!(
        told,
        Standing::CannotTell { points: 4, needed: 5, newest: Some(date("2026-03-04")) }
    );
    points.push(PricePoint { high: number("12"), ..point("h20", "8", "2026-03-05") });
    let Standing::Among { below, at_most_below, .. } =
        standing(&aligned(&points), number("9"), 30, today)
    else {
        panic!("five points are enough")
    };
    assert_eq!((below, at_most_below), (Percent::of(40), Percent::of(60)));
    let nothing = standing(&[], number("9"), 30, today);
    assert_eq!(nothing, Standing::CannotTell { points: 0, needed: 5, newest: None });
}

#[test]
fn a_month_without_a_point_is_unknown_in_the_course() {
    let points = [
        point("h20", "9", "2026-01-20"),
        point("h20", "7", "2026-01-02"),
        point("h20", "6", "2026-03-30"),
    ];
    let months = course(&aligned(&points));
    let found: Vec<_> =
        months.iter().map(|month| (month.count, month.median.map(|span| span.low))).collect();
    assert_eq!(found, [(2, Some(number("8"))), (0, None), (1, Some(number("6")))]);
    assert_eq!(course(&[]), []);
}
