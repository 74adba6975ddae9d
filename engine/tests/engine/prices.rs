//! The price index through its doors: who keeps it, what feeds it, and who sees which of it.

use sixgate_engine::{
    Done, Error,
    prices::{Listed, Origin},
};
use sixgate_workflows::{
    budget::price_index::Command, evidence::EvidenceFile, rejection::Rejection, stage::Stage,
};

use crate::{
    people::Who,
    wishes,
    world::{AURORA, World, envelope, name, number, text},
};

const FILE: &str = "\
card,basis,term,low,high,currency,tax,region,source,date
NVIDIA H20,on_demand,hour,7.5,8,CNY,6,cn-east,a price list,2025-12-20
H20,reserved,month,,,CNY,net,,a price list,2025-12-20
";

async fn uploaded(world: &World, who: Who, content: &str) -> EvidenceFile {
    let bytes = content.as_bytes().to_vec();
    let hash = world.engine.upload(&world.viewer(who), bytes).await.unwrap();
    EvidenceFile { hash, name: name("prices.csv") }
}

async fn import(world: &World, who: Who, content: &str) -> Result<Done, Error> {
    let file = uploaded(world, who, content).await;
    let viewer = world.viewer(who);
    let points = world.engine.prices_from(&viewer, &file).await?;
    let command = Command::Record { points, file: Some(file) };
    world.engine.price(&viewer.actor, envelope(), command).await
}

fn listed(world: &World, who: Who, card: &str) -> Vec<Listed> {
    let mut points = world.engine.prices(&world.viewer(who)).unwrap().points;
    points.retain(|listed| listed.point.card.as_str() == card);
    points
}

#[tokio::test]
async fn a_file_of_prices_is_in_the_index_under_the_catalogue_s_cards() {
    let world = World::new().await;
    import(&world, Who::Paul, FILE).await.unwrap();
    let found = listed(&world, Who::Rita, "h20");
    let collected = |listed: &&Listed| matches!(listed.origin, Origin::Collected(_));
    let collected: Vec<_> = found.iter().filter(collected).collect();
    assert_eq!(collected.len(), 1, "the row without a price is no price of zero");
    let per_hour = collected[0].point.per_card_hour().unwrap();
    assert_eq!(per_hour, (number("7.0755"), number("7.5472")), "net of the tax in it");
    assert_eq!(found.len(), 2, "with the reference price");
    let again = import(&world, Who::Fiona, FILE).await;
    assert!(matches!(again, Err(Error::Rejected(Rejection::NothingChanges))), "{again:?}");
}

#[tokio::test]
async fn a_file_that_is_cut_off_or_names_an_unknown_card_changes_nothing() {
    let world = World::new().await;
    let head = world.log.head().await.unwrap();
    let cut = FILE.trim_end().rsplit_once(',').unwrap().0;
    assert!(matches!(import(&world, Who::Paul, cut).await, Err(Error::ImportValue(_))));
    let unknown = FILE.replace("NVIDIA H20", "NVIDIA Z9");
    let refused = import(&world, Who::Paul, &unknown).await;
    assert!(matches!(refused, Err(Error::Rejected(Rejection::InvalidValue { .. }))));
    assert_eq!(world.log.head().await.unwrap(), head);
}

#[tokio::test]
async fn the_index_is_kept_by_procurement_and_finance_and_read_by_whoever_has_a_function() {
    let world = World::new().await;
    import(&world, Who::Paul, FILE).await.unwrap();
    let key = listed(&world, Who::Paul, "h20").pop().unwrap().point.key();
    for who in Who::ALL {
        let withdraw = Command::Withdraw { key: name(&key), reason: text("a typing error") };
        let viewer = world.viewer(who);
        let readable = world.engine.prices(&viewer).is_ok();
        assert_eq!(readable, who != Who::Nils, "{who:?}");
        if !matches!(who, Who::Paul | Who::Fiona) {
            let answer = world.engine.price(&viewer.actor, envelope(), withdraw).await;
            assert!(matches!(answer, Err(Error::Forbidden)), "{who:?}");
        }
    }
    let withdraw = Command::Withdraw { key: name(&key), reason: text("a typing error") };
    let fiona = world.viewer(Who::Fiona);
    world.engine.price(&fiona.actor, envelope(), withdraw).await.unwrap();
    assert_eq!(listed(&world, Who::Paul, "h20").len(), 1);
}

#[tokio::test]
async fn a_quote_is_in_the_index_of_those_who_may_see_its_procurement_and_of_nobody_else() {
    let world = World::filled(Stage::Shortlist).await;
    let mut quote = wishes::quote();
    quote.lines[0].card = name("H100 SXM");
    world.must(Who::Paul, wishes::record_quote(AURORA, quote)).await;
    let quoted = |who| {
        let found = listed(&world, who, "h100_sxm");
        found.into_iter().find(|listed| matches!(listed.origin, Origin::Quote(..)))
    };
    let point = quoted(Who::Paul).unwrap().point;
    assert_eq!(point.per_card_hour(), Some((number("60"), number("60"))));
    assert!(quoted(Who::Rita).is_some(), "a member");
    assert_eq!(quoted(Who::Ruben), None, "no member");
}

#[tokio::test]
async fn the_index_is_the_same_after_a_restart() {
    let mut world = World::new().await;
    import(&world, Who::Paul, FILE).await.unwrap();
    let before = listed(&world, Who::Paul, "h20");
    world.restart().await;
    assert_eq!(listed(&world, Who::Paul, "h20"), before);
}
