//! The catalogue: names that mean one card, several, or none; own rows; recommendations.

use sixgate_workflows::{
    estimate::Estimate,
    needs::{
        brief::{Brief, Use},
        catalogue::{
            Catalogue,
            card::{Card, Link},
            lookup::Lookup,
            overrides::Overrides,
        },
    },
    policy::{self, Policy},
};

use crate::{
    fixture::{brief, name, number},
    organisation::publish,
};

/// The ids that a name means.
fn ids(name: &str) -> Vec<String> {
    named(&Catalogue::shipped().lookup(name))
}

fn named(found: &Lookup<'_>) -> Vec<String> {
    match found {
        Lookup::Found(card) => vec![card.id.clone()],
        Lookup::Ambiguous(cards) => cards.iter().map(|card| card.id.clone()).collect(),
        Lookup::Unknown => Vec::new(),
    }
}

#[test]
fn a_name_means_the_card_that_it_names_and_not_its_namesake() {
    for (name, id) in [
        ("NVIDIA L20", "l20"),
        ("NVIDIA L20X", "l20x"),
        ("NVIDIA L4", "l4"),
        ("NVIDIA L40", "l40"),
        ("NVIDIA L40S", "l40s"),
        ("NVIDIA A10", "a10"),
        ("NVIDIA A10G", "a10g"),
        ("NVIDIA A100-SXM4-80GB", "a100_80_sxm"),
        ("A100-SXM-80GB", "a100_80_sxm"),
        ("NVIDIA A100-SXM4-40GB", "a100_40_sxm"),
        ("NVIDIA A100 80GB PCIe", "a100_80_pcie"),
        ("NVIDIA A100-PCIE-40GB", "a100_40_pcie"),
        ("NVIDIA A800-SXM4-80GB", "a800"),
        ("NVIDIA H100 80GB HBM3", "h100_sxm"),
        ("NVIDIA H100 PCIe", "h100_pcie"),
        ("NVIDIA H100 NVL", "h100_nvl"),
        ("H100 NVL 94GB", "h100_nvl"),
        ("H100-SXM5-80GB", "h100_sxm"),
        ("NVIDIA H20", "h20"),
        ("H20 96G", "h20"),
        ("NVIDIA H200", "h200"),
        ("NVIDIA H800", "h800"),
        ("NVIDIA GeForce RTX 4090", "rtx_4090"),
        ("RTX4090 24G", "rtx_4090"),
        ("8×RTX 4090", "rtx_4090"),
        ("8x4090", "rtx_4090"),
        ("NVIDIA GeForce RTX 4090 D", "rtx_4090_d"),
        ("RTX4090D", "rtx_4090_d"),
        ("RTX 5090 D", "rtx_5090_d"),
        ("RTX 6000 Ada", "rtx_6000_ada"),
        ("AMD Instinct MI300X", "mi300x"),
        ("昇腾910B3", "ascend_910b3"),
        ("Ascend 910B4-1", "ascend_910b4_1"),
        ("910B4", "ascend_910b4"),
        ("NVIDIA B200", "b200"),
        ("NVIDIA GB200", "gb200"),
    ] {
        assert_eq!(ids(name), [id], "{name}");
    }
}

#[test]
fn a_variant_that_is_not_known_is_no_card_of_ours() {
    for name in [
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA A100-SXM4-80GB MIG 1g.10gb",
        "GRID A100-10C",
        "NVIDIA H200 NVL",
        "H20 141GB",
        "RTX 4090 48G",
        "A1000",
        "L200",
        "RTX 6000",
        "",
        "  ",
        "×",
        "1x",
    ] {
        assert_eq!(ids(name), [""; 0], "{name}");
    }
}

#[test]
fn a_name_of_several_cards_says_which() {
    assert_eq!(ids("H100"), ["h100_sxm", "h100_pcie"]);
    assert_eq!(ids("910B").len(), 4);
    assert_eq!(ids("A100").len(), 4);
    assert_eq!(ids("A100 80G"), ["a100_80_sxm", "a100_80_pcie"]);
    let catalogue = Catalogue::shipped();
    let cautious = |name| catalogue.lookup(name).cautious().map(|card| card.id.as_str());
    assert_eq!(cautious("H100"), Some("h100_sxm"));
    assert_eq!(cautious("910B"), Some("ascend_910b4"), "the one with 32 GB");
    assert_eq!(cautious("Voodoo 2"), None);
}

#[test]
fn printed_memory_chooses_among_what_the_name_allows_and_never_beyond() {
    let catalogue = Catalogue::shipped();
    let ids = |name, mib| named(&catalogue.identify(name, mib));
    assert_eq!(ids("910B", 32_768), ["ascend_910b4"]);
    assert_eq!(ids("910B", 65_536).len(), 3);
    assert_eq!(ids("A100", 40_960), ["a100_40_sxm", "a100_40_pcie"]);
    assert_eq!(ids("NVIDIA A100-SXM4-80GB", 81_251), ["a100_80_sxm"]);
    // ECC takes up to 7 %, not more; a card with more than its own memory is another one.
    assert_eq!(ids("NVIDIA L20", 42_900), ["l20"]);
    assert_eq!(ids("NVIDIA L20", 42_800), [""; 0]);
    assert_eq!(ids("NVIDIA GeForce RTX 4090", 49_140), [""; 0]);
    assert_eq!(ids("NVIDIA H20", 97_871), ["h20"], "a GH200 prints the same");
}

#[test]
fn every_row_has_its_source_and_nothing_is_zero() {
    let catalogue = Catalogue::shipped();
    for card in &catalogue.cards {
        assert!(!card.source.is_empty() && card.memory_mib() > 0, "{}", card.id);
        assert_ne!(card.bandwidth_gb_s, Some(0), "{}", card.id);
        for tool_name in &card.tool_names {
            assert_eq!(ids(tool_name).concat(), card.id, "{tool_name}");
        }
        for alias in &card.aliases {
            assert!(ids(alias).contains(&card.id), "{alias} does not find {}", card.id);
        }
        if let (Some(bf16), Some(fp8)) = (card.bf16_tflops, card.fp8_tflops) {
            let ratio = fp8 / bf16;
            assert!(ratio > number("1.9") && ratio < number("2.1"), "{}: sparse?", card.id);
        }
    }
    for price in &catalogue.prices {
        assert!(price.low > number("0") && price.low <= price.high, "{}", price.id);
        assert!(catalogue.card(&price.card).is_some(), "{}", price.id);
    }
    for row in &catalogue.recommendations {
        assert!(row.cards.iter().all(|card| catalogue.card(card).is_some()), "{}", row.id);
    }
    let mut seen: Vec<&String> = catalogue.cards.iter().map(|card| &card.id).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), catalogue.cards.len());
    assert_eq!(catalogue.prices_of("l20x").count(), 0, "unknown, and not zero");
}

#[test]
fn figures_that_circulate_wrongly_are_right_here() {
    let catalogue = Catalogue::shipped();
    let card = |id| catalogue.card(id).unwrap();
    assert_eq!(card("mi300x").bf16_tflops, Some(number("1307")), "2615 is sparse");
    assert_eq!(card("h100_nvl").bf16_tflops, Some(number("835")), "1671 is sparse");
    assert_eq!(card("rtx_5090").memory_mib(), 32_607, "28 GB was a rumour");
    assert_eq!(card("h20").memory_mib(), 97_871, "80 GB was a rumour");
    assert_eq!(card("h800").link, Link::Node { gb_s: 400 }, "not the H100's");
    assert_eq!(card("l20").link, Link::None);
}

#[test]
fn an_organisation_replaces_rows_by_their_id_and_adds_its_own() {
    let shipped = Catalogue::shipped();
    let l20 = Card { link: Link::Node { gb_s: 64 }, ..shipped.card("l20").unwrap().clone() };
    let own = Card {
        id: "house_card".to_owned(),
        name: "House Card".to_owned(),
        tool_names: Vec::new(),
        aliases: vec!["House Card 2".to_owned()],
        ..l20.clone()
    };
    let overrides = Overrides { cards: vec![l20, own], ..Overrides::default() };
    overrides.check().unwrap();
    let catalogue = Catalogue::with(&overrides);
    assert_eq!(catalogue.cards.len(), shipped.cards.len() + 1);
    assert_eq!(catalogue.card("l20").unwrap().link, Link::Node { gb_s: 64 });
    assert_eq!(named(&catalogue.lookup("house card 2")), ["house_card"]);
    let nameless = Card { memory_mib: Vec::new(), ..shipped.card("l20").unwrap().clone() };
    assert!(Overrides { cards: vec![nameless], ..Overrides::default() }.check().is_err());
    let mut free = shipped.prices[0].clone();
    (free.low, free.high) = (number("0"), number("0"));
    assert!(Overrides { prices: vec![free], ..Overrides::default() }.check().is_err());
}

#[test]
fn own_rows_are_published_with_the_policy_and_checked_with_it() {
    let dearer = |policy: &mut Policy| {
        let mut price = Catalogue::shipped().prices[0].clone();
        price.high = number("2000");
        policy.catalogue.prices.push(price);
    };
    let published = |command| {
        policy::decide(&policy::Policies::default(), command, &crate::harness::nothing().context)
    };
    let events = published(publish(dearer)).unwrap();
    let json = serde_json::to_value(&events[0]).unwrap();
    assert_eq!(serde_json::from_value::<policy::Event>(json.clone()).unwrap(), events[0]);
    assert_eq!(json["data"]["policy"]["catalogue"]["prices"][0]["high"], "2000");
    let upside_down = |policy: &mut Policy| {
        dearer(policy);
        policy.catalogue.prices[0].low = number("2001");
    };
    assert_eq!(published(publish(upside_down)).unwrap_err().code(), "invalid_value");
}

fn recommended(change: impl FnOnce(&mut Brief), vision: bool) -> Vec<String> {
    let mut brief = brief();
    change(&mut brief);
    let rows = Catalogue::shipped().recommended(&brief, vision);
    rows.into_iter().map(|row| row.id.clone()).collect()
}

#[test]
fn each_recommendation_holds_for_its_need_and_not_beside_it() {
    let of = |usage, parameters: &'static str| {
        move |brief: &mut Brief| {
            brief.usage = Estimate::known(usage);
            brief.model.parameters_b = Estimate::known(number(parameters));
        }
    };
    assert_eq!(recommended(of(Use::Training, "70"), false), ["llm_training"]);
    assert_eq!(recommended(of(Use::Training, "69.9"), false), [""; 0]);
    assert_eq!(recommended(of(Use::OnlineInference, "70"), false), ["llm_inference"]);
    assert_eq!(recommended(of(Use::FineTuning, "14"), false), ["small_fine_tune"]);
    assert_eq!(recommended(of(Use::FineTuning, "14.1"), false), [""; 0]);
    assert_eq!(recommended(of(Use::Training, "1"), true), ["vision"]);
    let ascend = |brief: &mut Brief| brief.cards.model = Estimate::known(name("昇腾 910B"));
    assert_eq!(recommended(ascend, false), ["domestic"]);
    let open = |brief: &mut Brief| {
        brief.usage = Estimate::known(Use::Training);
        brief.model.parameters_b = Estimate::range(number("60"), number("80")).unwrap();
    };
    assert_eq!(recommended(open, false), [""; 0], "not known to be 70 or more");
}
