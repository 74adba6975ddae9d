//! Every rule of advice and triage fires, and stays silent beside its border.

use sixgate_workflows::{
    estimate::Estimate,
    locale::Locale,
    needs::{
        State,
        advice::{Rule, Severity, advice},
        brief::{Brief, Fabric, Load, Use},
        catalogue::Catalogue,
        focus::{Concern, focus},
        triage::{TalkReason, reasons_to_talk},
    },
    percent::Percent,
    recorded::{Fact, Stamp},
};

use crate::{
    fixture::{brief, name, number, trial},
    harness::{Who, time},
};

fn stamp() -> Stamp {
    Stamp { at: time("2026-01-05T01:00:00Z"), by: Who::Rita.actor().id, position: 1, index: 0 }
}

fn state(change: impl FnOnce(&mut Brief)) -> State {
    let mut brief = brief();
    change(&mut brief);
    State { brief: Some(Fact::new(brief, stamp())), ..State::default() }
}

fn fired(state: &State) -> Vec<Rule> {
    advice(state, Catalogue::shipped()).into_iter().map(|advice| advice.rule).collect()
}

#[track_caller]
fn border(rule: Rule, fires: impl FnOnce(&mut Brief), silent: impl FnOnce(&mut Brief)) {
    assert!(fired(&state(fires)).contains(&rule), "{rule:?} does not fire");
    assert!(!fired(&state(silent)).contains(&rule), "{rule:?} fires beside its border");
}

fn training(brief: &mut Brief) {
    brief.usage = Estimate::known(Use::Training);
}

#[test]
fn tensor_ranks_beyond_a_node_are_advised_against() {
    let ranks =
        |ranks| move |brief: &mut Brief| brief.model.tensor_parallel = Estimate::known(ranks);
    border(Rule::TensorAcrossNodes, ranks(16), ranks(8));
    let small_node = |ranks| {
        move |brief: &mut Brief| {
            brief.cards.per_node = Estimate::known(4);
            brief.model.tensor_parallel = Estimate::known(ranks);
        }
    };
    border(Rule::TensorAcrossNodes, small_node(5), small_node(4));
}

#[test]
fn training_over_nodes_needs_a_fast_fabric() {
    let over = |cards, fabric, gbit| {
        move |brief: &mut Brief| {
            training(brief);
            brief.cards.total = Estimate::known(cards);
            brief.interconnect.between_nodes = Estimate::known(fabric);
            brief.interconnect.bandwidth_gbit_s = Estimate::known(number(gbit));
        }
    };
    let rule = Rule::TrainingWithoutFabric;
    border(rule, over(16, Fabric::None, "400"), over(8, Fabric::None, "400"));
    border(rule, over(16, Fabric::Roce, "199"), over(16, Fabric::Roce, "200"));
}

#[test]
fn a_training_fabric_for_inference_is_paid_for_nothing() {
    let fabric = |fabric| {
        move |brief: &mut Brief| brief.interconnect.between_nodes = Estimate::known(fabric)
    };
    let rule = Rule::InferenceWithTrainingFabric;
    border(rule, fabric(Fabric::Infiniband), fabric(Fabric::None));
    // One copy over two nodes does need it.
    border(rule, fabric(Fabric::Roce), |brief| {
        brief.interconnect.between_nodes = Estimate::known(Fabric::Roce);
        brief.model.tensor_parallel = Estimate::known(8);
        brief.model.pipeline_parallel = Estimate::known(2);
    });
}

#[test]
fn large_training_needs_cards_with_a_link() {
    let on = |card: &'static str, cards| {
        move |brief: &mut Brief| {
            training(brief);
            brief.cards.model = Estimate::known(name(card));
            brief.cards.total = Estimate::known(cards);
        }
    };
    border(Rule::TrainingOnUnlinkedCards, on("L20", 8), on("L20", 7));
    border(Rule::TrainingOnUnlinkedCards, on("RTX 4090", 8), on("H20", 8));
}

#[test]
fn a_reservation_that_stays_idle_is_named() {
    let used = |percent, months| {
        move |brief: &mut Brief| {
            brief.term.utilisation = Estimate::known(Percent::of(percent));
            brief.term.months = Estimate::known(months);
        }
    };
    border(Rule::ReservedButIdle, used(59, 1), used(60, 1));
    border(Rule::ReservedButIdle, used(30, 12), used(30, 0));
}

#[test]
fn stored_data_asks_for_a_plan() {
    let volume = |gib: &'static str| {
        move |brief: &mut Brief| brief.storage.volume_gib = Estimate::known(number(gib))
    };
    border(Rule::DataRetentionPlan, volume("1"), volume("0"));
}

#[test]
fn a_checkpoint_must_be_written_before_the_next() {
    let every = |minutes: &'static str| {
        move |brief: &mut Brief| {
            brief.storage.checkpoint_gib = Estimate::known(number("1200"));
            brief.storage.checkpoint_interval_min = Estimate::known(number(minutes));
            brief.storage.read_gib_s = Estimate::known(number("1"));
        }
    };
    border(Rule::CheckpointTooSlow, every("19"), every("20"));
    // A measured rate counts before the stated one: 100 GiB in 200 s.
    let mut measured = state(every("20"));
    measured.trials.push(Fact::new(trial(), stamp()));
    assert!(fired(&measured).contains(&Rule::CheckpointTooSlow));
}

#[test]
fn what_changes_the_card_count_must_not_stay_open() {
    let rule = Rule::UndeterminedCardCount;
    border(rule, |brief| brief.targets.context_tokens = Estimate::tbd("open"), |_| ());
    border(rule, |brief| brief.cards.model = Estimate::tbd("open"), |_| ());
    border(
        rule,
        |brief| brief.targets.peak_concurrency = Estimate::tbd("open"),
        |brief| {
            training(brief);
            brief.targets.peak_concurrency = Estimate::tbd("open");
        },
    );
}

#[test]
fn the_most_serious_advice_comes_first_and_reads_in_both_languages() {
    let found = advice(
        &state(|brief| {
            brief.model.tensor_parallel = Estimate::known(16);
            brief.model.precision = Estimate::tbd("open");
        }),
        Catalogue::shipped(),
    );
    assert_eq!(found[0].severity, Severity::Serious);
    assert!(found.is_sorted_by(|a, b| a.severity >= b.severity));
    for advice in &found {
        for locale in [Locale::En, Locale::ZhCn] {
            let text = advice.text(locale);
            assert!(!text.contains('{'), "{text}");
        }
        assert!(!advice.fields.is_empty());
    }
    assert!(advice(&State::default(), Catalogue::shipped()).is_empty());
}

#[test]
fn an_organisation_sets_its_own_borders() {
    use sixgate_workflows::needs::catalogue::{assumptions::Assumption, overrides::Overrides};
    let own = Overrides {
        assumptions: [(Assumption::LowUtilisationPercent, 80)].into(),
        ..Overrides::default()
    };
    let used = state(|brief| brief.term.utilisation = Estimate::known(Percent::of(70)));
    assert!(!fired(&used).contains(&Rule::ReservedButIdle));
    let found = advice(&used, &Catalogue::with(&own));
    assert!(found.iter().any(|advice| advice.rule == Rule::ReservedButIdle));
}

fn talk(change: impl FnOnce(&mut Brief)) -> Vec<TalkReason> {
    let mut brief = Brief::blank();
    change(&mut brief);
    reasons_to_talk(&brief)
}

#[test]
fn each_reason_to_talk_holds_alone() {
    assert_eq!(talk(|_| ()), []);
    let over = |fabric| {
        move |brief: &mut Brief| {
            training(brief);
            brief.interconnect.between_nodes = Estimate::known(fabric);
        }
    };
    assert_eq!(talk(over(Fabric::Roce)), [TalkReason::CrossNodeTraining]);
    assert_eq!(talk(over(Fabric::None)), []);
    let region = |brief: &mut Brief| brief.region = Estimate::known(name("Shanghai"));
    assert_eq!(talk(region), [TalkReason::FixedRegion]);
    let bulk = |cards| move |brief: &mut Brief| brief.cards.total = Estimate::known(cards);
    assert_eq!(talk(bulk(64)), [TalkReason::PhasedDelivery]);
    assert_eq!(talk(bulk(63)), []);
    let phased = |brief: &mut Brief| brief.term.phased = Estimate::known(true);
    assert_eq!(talk(phased), [TalkReason::PhasedDelivery]);
}

#[test]
fn a_fine_tune_on_three_cards_is_self_service_and_on_four_is_not() {
    let on = |cards| {
        move |brief: &mut Brief| {
            brief.usage = Estimate::known(Use::FineTuning);
            brief.cards.total = Estimate::known(cards);
            brief.term.load = Estimate::known(Load::Steady);
            brief.term.months = Estimate::known(1);
        }
    };
    assert_eq!(talk(on(3)), []);
    assert_eq!(talk(on(4)), [TalkReason::DedicatedReserve]);
}

#[test]
fn every_use_has_what_decides_and_what_is_overlooked() {
    for usage in Use::ALL {
        let focus = focus(usage);
        assert!(!focus.decides.is_empty() && !focus.overlooked.is_empty(), "{usage:?}");
    }
    assert_eq!(focus(Use::FineTuning).overlooked, [Concern::OptimizerStates]);
}
