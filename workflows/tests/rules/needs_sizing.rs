//! Sizing a brief: ranges in and out, what widens them, layouts, the gate, trial runs, versions.

use serde_json::json;
use sixgate_workflows::{
    estimate::Estimate,
    locale::Locale,
    needs::{
        self,
        brief::{Brief, Precision, Use},
        catalogue::{Catalogue, assumptions::Assumption},
        difference::changes,
        sizing::{
            bytes::Bytes,
            computed::{Field, ModelSizing, ModelSizingInput, Question, compute},
            layout::{Layout, LinkNeed, Scale},
            why::{Figure, explained, notes},
        },
        trial::amendments,
    },
    rejection::Rejection,
    stage::Stage,
    stored::StoredEvent,
};

use crate::{
    fixture::{
        at_stage, brief, model_input, name, number, record_brief, record_sizing, record_trial,
        shapes::known, size_model, trial,
    },
    harness::Who,
};

fn sized_with(change: impl FnOnce(&mut Brief, &mut ModelSizingInput)) -> ModelSizing {
    let (mut brief, mut input) = (brief(), model_input());
    change(&mut brief, &mut input);
    compute(&brief, input, Catalogue::shipped()).unwrap()
}

/// One exact need of a known model.
fn exact(model: &str, card: &str, concurrency: u32, context: u32) -> ModelSizing {
    sized_with(|brief, input| {
        input.shape = Some(known(model));
        input.card = name(card);
        brief.model.precision = Estimate::known(Precision::Bf16);
        brief.targets.peak_concurrency = Estimate::known(concurrency);
        brief.targets.context_tokens = Estimate::known(context);
    })
}

fn layout(tensor: u32, pipeline: u32, data: u32) -> Option<Layout> {
    Some(Layout { tensor, pipeline, data })
}

#[test]
fn known_figures_give_one_answer_and_nothing_widens_it() {
    let sizing = exact("Llama 3.1 70B", "H100", 16, 8_192);
    assert_eq!(sizing.low, sizing.high);
    assert_eq!(sizing.widest, None);
    assert_eq!(sizing.high.parameters, 70_553_706_496);
    assert_eq!(sizing.high.kv, Bytes(16 * 8_192 * 327_680));
    assert_eq!(sizing.high.layout, layout(4, 1, 1));
    assert_eq!((sizing.high.scale, sizing.high.link), (Scale::Up, LinkNeed::WithinNode));
}

#[test]
fn a_range_of_requests_gives_a_range_of_cards_and_is_named() {
    let sizing = sized_with(|brief, input| {
        input.shape = Some(known("Llama 3.1 70B"));
        brief.targets.peak_concurrency = Estimate::range(4, 200).unwrap();
        brief.targets.context_tokens = Estimate::range(8_000, 8_192).unwrap();
    });
    assert!(sizing.low.on_card.total() < sizing.high.on_card.total().times(8));
    assert!(sizing.low.cards() < sizing.high.cards());
    assert_eq!(sizing.widest, Some(Field::PeakConcurrency));
}

#[test]
fn a_model_of_unknown_shape_is_judged_by_its_like() {
    let sizing = sized_with(|brief, _| {
        brief.model.parameters_b = Estimate::known(number("7"));
        brief.targets.peak_concurrency = Estimate::known(64);
    });
    assert_eq!(sizing.low.kv_per_token, Bytes(57_344), "Qwen2.5 7B");
    assert_eq!(sizing.high.kv_per_token, Bytes(819_200), "Llama 2 13B");
    assert_eq!(sizing.widest, Some(Field::ModelShape));
    assert_eq!(sizing.low.parameters, 7_000_000_000);
}

#[test]
fn a_range_holds_every_point_within_it() {
    let at = |requests| exact("Qwen3 32B", "L20", requests, 4_096).high;
    let range = sized_with(|brief, input| {
        input.shape = Some(known("Qwen3 32B"));
        input.card = name("L20");
        brief.model.precision = Estimate::known(Precision::Bf16);
        brief.targets.peak_concurrency = Estimate::range(2, 40).unwrap();
        brief.targets.context_tokens = Estimate::known(4_096);
    });
    let mut before = Bytes::ZERO;
    for requests in 2..=40 {
        let point = at(requests);
        assert!(range.low.kv <= point.kv && point.kv <= range.high.kv);
        assert!(range.low.fewest_cards() <= point.fewest_cards());
        assert!(before < point.kv, "it grows with every request");
        before = point.kv;
    }
}

#[test]
fn a_range_of_precisions_may_be_written_either_way_round() {
    let sized = |low, high| {
        sized_with(|brief, input| {
            input.shape = Some(known("Llama 3.1 70B"));
            brief.model.precision = Estimate::range(low, high).unwrap();
            brief.targets.peak_concurrency = Estimate::known(1);
        })
    };
    let sizing = sized(Precision::Bf16, Precision::Int4);
    assert!(sizing.low.weights < sizing.high.weights);
    assert_eq!(sizing.widest, Some(Field::Precision));
}

#[test]
fn cards_without_a_link_are_joined_by_stages() {
    let sizing = exact("Qwen3 32B", "L20", 4, 8_192);
    assert_eq!(sizing.high.layout, layout(1, 2, 1));
    assert_eq!(exact("Qwen3 32B", "A100 80GB", 2, 8_192).high.layout, layout(1, 1, 1));
    assert_eq!(exact("Qwen3 32B", "A100 40GB", 4, 8_192).high.layout, layout(4, 1, 1));
}

#[test]
fn heads_that_do_not_divide_become_stages() {
    // 24 heads and 8 key-value heads: 8 ranks divide both. 28 heads do not divide by 8.
    let sizing = exact("Qwen2.5 7B", "RTX 4090", 1, 4_096);
    assert_eq!(sizing.high.layout, layout(1, 1, 1));
    let mut shape = known("Qwen2.5 7B");
    shape.other_parameters += 200_000_000_000;
    let sizing = sized_with(|brief, input| {
        input.shape = Some(shape);
        brief.model.precision = Estimate::known(Precision::Bf16);
    });
    assert_eq!(sizing.high.layout, layout(4, 2, 1));
}

#[test]
fn what_a_node_cannot_hold_goes_over_nodes_and_asks_for_a_fabric() {
    let sizing = exact("Llama 3.1 405B", "H100", 8, 8_192);
    assert_eq!(sizing.high.layout, layout(8, 2, 1));
    assert_eq!((sizing.high.scale, sizing.high.link), (Scale::Out, LinkNeed::BetweenNodes));
    assert_eq!(sizing.high.cards_per_node(), Some(8));
}

#[test]
fn two_nodes_for_all_are_taken_before_a_node_for_each_request() {
    let sizing = sized_with(|brief, input| {
        input.shape = Some(known("DeepSeek V3"));
        input.card = name("H20");
        brief.targets.peak_concurrency = Estimate::known(32);
        brief.targets.context_tokens = Estimate::known(16_384);
    });
    assert_eq!(sizing.high.layout, layout(8, 2, 1));
}

#[test]
fn fewer_requests_or_shorter_ones_never_need_more_cards() {
    let cards =
        |requests, context| exact("Qwen3 32B", "L20", requests, context).high.fewest_cards();
    for requests in [1, 3, 9, 27, 81, 243] {
        for context in [512, 2_048, 8_192, 32_768] {
            assert!(cards(requests, context) <= cards(requests + 1, context));
            assert!(cards(requests, context) <= cards(requests, context + 16));
        }
    }
}

#[test]
fn more_requests_than_a_node_holds_become_copies_that_need_no_fabric() {
    let sizing = exact("Llama 3.1 70B", "H100", 400, 8_192);
    let layout = sizing.high.layout.unwrap();
    assert!(layout.data > 1 && layout.cards() > 8, "{layout:?}");
    assert_eq!((sizing.high.scale, sizing.high.link), (Scale::Out, LinkNeed::WithinNode));
    assert!(sizing.high.max_concurrency >= 400);
}

#[test]
fn smaller_copies_that_need_fewer_cards_are_named() {
    let sizing = exact("Llama 3.1 8B", "RTX 4090", 64, 8_192);
    assert_eq!(sizing.high.cards(), Some(8));
    assert!(sizing.high.fewest_cards() < Some(8));
}

#[test]
fn full_training_shards_its_states_and_adapters_need_one_card() {
    let trained = |usage| {
        sized_with(|brief, input| {
            brief.usage = Estimate::known(usage);
            input.shape = Some(known("Llama 3.1 8B"));
            brief.model.precision = Estimate::known(Precision::Bf16);
            brief.targets.peak_concurrency = Estimate::known(1);
            brief.targets.context_tokens = Estimate::known(4_096);
        })
    };
    let (full, adapters) = (trained(Use::Training).high, trained(Use::FineTuning).high);
    assert_eq!((full.cards(), adapters.cards()), (Some(4), Some(1)));
    assert_eq!(full.kv, Bytes::ZERO, "training caches nothing");
    assert_eq!(full.link, LinkNeed::WithinNode);
    let huge = sized_with(|brief, input| {
        brief.usage = Estimate::known(Use::Training);
        input.shape = Some(known("Llama 3.1 405B"));
        brief.targets.peak_concurrency = Estimate::tbd("one text");
    });
    assert_eq!(huge.high.link, LinkNeed::BetweenNodes);
    assert_eq!(huge.high.scale, Scale::Out);
}

#[test]
fn what_must_be_known_first_is_named() {
    let refused = |change: fn(&mut Brief)| {
        let mut brief = brief();
        change(&mut brief);
        compute(&brief, model_input(), Catalogue::shipped()).unwrap_err()
    };
    let needs = |field: &str| Rejection::SizingNeeds { field: field.to_owned() };
    assert_eq!(refused(|b| b.usage = Estimate::tbd("?")), needs("use"));
    assert_eq!(refused(|b| b.model.parameters_b = Estimate::tbd("?")), needs("parameters_b"));
    let negative = |b: &mut Brief| b.model.parameters_b = Estimate::known(number("-7"));
    assert_eq!(refused(negative), needs("parameters_b"));
    let endless = |b: &mut Brief| b.model.parameters_b = Estimate::known(number("1e20"));
    assert_eq!(refused(endless), needs("parameters_b"));
    assert_eq!(refused(|b| b.model.precision = Estimate::tbd("?")), needs("precision"));
    let peak = |b: &mut Brief| b.targets.peak_concurrency = Estimate::known(0);
    assert_eq!(refused(peak), needs("peak_concurrency"));
    let input = ModelSizingInput { card: name("Voodoo 2"), ..model_input() };
    let unknown = compute(&brief(), input, Catalogue::shipped()).unwrap_err();
    assert_eq!(unknown.code(), "invalid_value");
}

#[test]
fn figures_beyond_all_reason_end_in_an_answer() {
    let sizing = sized_with(|brief, _| {
        brief.model.parameters_b = Estimate::known(number("99999"));
        brief.targets.peak_concurrency = Estimate::known(u32::MAX);
        brief.targets.context_tokens = Estimate::known(u32::MAX);
    });
    assert_eq!(sizing.high.layout, None);
    assert!(sizing.high.headroom_permille() < 0);
    let mut shape = known("Llama 3.1 8B");
    shape.layers[0].count = 5_000;
    let input = ModelSizingInput { shape: Some(shape), ..model_input() };
    assert!(compute(&brief(), input, Catalogue::shipped()).is_err());
}

#[test]
fn every_figure_says_why_in_both_languages() {
    let (brief, mut input) = (brief(), model_input());
    input.shape = Some(known("DeepSeek V3"));
    let question = Question::new(&brief, &input, Catalogue::shipped()).unwrap();
    let (point, outcome) = (question.high(), question.high().outcome());
    let explained = explained(&point, &outcome);
    for figure in [Figure::Weights, Figure::Kv, Figure::UsablePerCard, Figure::Cards] {
        assert!(explained.iter().any(|why| why.figure == figure), "{figure:?}");
    }
    for why in &explained {
        for locale in [Locale::En, Locale::ZhCn] {
            let text = format!("{} = {}", why.title(locale), why.text(locale));
            assert!(!text.contains('{'), "{text}");
        }
    }
    let found = notes(&point, &outcome);
    assert!(found.iter().any(|note| note.key == "sizing_note_latent_replicated"), "{found:?}");
    for note in found {
        let text = sixgate_workflows::texts::reason(&note, Locale::ZhCn);
        assert!(!text.contains('{'), "{text}");
    }
}

#[test]
fn the_gate_compares_what_is_needed_with_what_is_wanted() {
    let mut world = at_stage(Stage::Needs);
    let mut brief = brief();
    world.by(Who::Rita).must(record_brief(brief.clone())).must(size_model());
    assert!(!world.blockers().contains(&"needs.sizing_fits".to_owned()));
    brief.cards.total = Estimate::known(1);
    world.must(record_brief(brief.clone()));
    assert_eq!(world.why("needs.sizing_fits").key, "sizing_missing");
    world.must(size_model());
    assert_eq!(world.why("needs.sizing_fits").key, "sizing_needs_more_cards");
    brief.cards.total = Estimate::known(2);
    world.must(record_brief(brief.clone())).must(size_model());
    assert_eq!(world.why("needs.sizing_fits").key, "sizing_cards_suffice_only_at_best");
    brief.targets.context_tokens = Estimate::known(u32::MAX);
    world.must(record_brief(brief)).must(size_model());
    assert_eq!(world.why("needs.sizing_fits").key, "sizing_holds_no_request");
}

#[test]
fn the_newer_of_two_kinds_of_sizing_holds() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief())).must(size_model()).must(record_sizing());
    assert!(world.procurement().needs.model_sizing.is_none());
    world.must(size_model());
    assert!(world.procurement().needs.sizing.is_none());
}

#[test]
fn an_own_assumption_of_the_pinned_policy_counts() {
    let mut world = crate::harness::nothing();
    world.set_policy(|policy| {
        policy.catalogue.assumptions = [(Assumption::RuntimeMib, 40_000)].into();
    });
    let title = name("Serving cluster");
    world.must(sixgate_workflows::procurement::Course::Open { title });
    world.must(record_brief(brief())).must(size_model());
    let sizing = world.procurement().needs.model_sizing.as_ref().unwrap();
    assert_eq!(sizing.value.high.on_card.overhead.runtime, Bytes::mib(40_000));
}

#[test]
fn a_sized_model_of_many_layers_is_a_small_event() {
    let mut world = at_stage(Stage::Needs);
    let input = ModelSizingInput { shape: Some(known("DeepSeek V3")), ..model_input() };
    world.by(Who::Rita).must(record_brief(brief()));
    let sized = needs::Command::SizeModel { input: Box::new(input) };
    let events = world.run(sized).unwrap();
    let bytes = events[0].data().to_string().len();
    assert!(bytes < 4_096, "{bytes} bytes");
}

#[test]
fn a_measurement_stands_beside_its_estimate() {
    let mut world = at_stage(Stage::Needs);
    world.when(record_trial()).then_rejects(Rejection::BriefMissing);
    world.by(Who::Rita).must(record_brief(brief())).must(size_model());
    world.must(record_trial());
    let found = amendments(&world.procurement().needs);
    let of = |field: &str| found.iter().find(|amendment| amendment.field == field).unwrap();
    assert_eq!(of("targets.latency_ms").estimate.as_deref(), Some("500–2000"));
    assert_eq!(of("targets.latency_ms").measured, number("830"));
    assert!(of("required_per_card_gib").estimate.is_some());
    assert_eq!(of("storage.read_gib_s").measured, number("0.5"));
    assert_eq!(of("throughput_per_s").estimate, None);
    // A newer brief keeps what was measured.
    world.must(record_brief(brief()));
    assert_eq!(world.procurement().needs.trials.len(), 1);
}

#[test]
fn a_trial_that_measured_nothing_or_less_is_refused() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief()));
    let mut wrong = trial();
    wrong.vram_per_card_gib = Some(number("0"));
    let command = |trial| needs::Command::RecordTrial { trial: Box::new(trial) };
    world.when(command(wrong)).then_rejects_as("invalid_value");
    let nothing = serde_json::from_value(json!({ "card": "H100", "cards": 1 })).unwrap();
    world.when(command(nothing)).then_rejects_as("invalid_value");
}

#[test]
fn a_newer_brief_says_what_changed_and_who_said_the_rest() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief()));
    let mut newer = brief();
    newer.targets.peak_concurrency = Estimate::known(64);
    newer.region = Estimate::tbd("open again");
    world.by(Who::Paul).must(record_brief(newer.clone()));
    let changed = changes(&brief(), &newer);
    let fields: Vec<&str> = changed.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["region", "targets.peak_concurrency"]);
    assert_eq!(changed[1].before, json!({ "low": 32, "high": 64 }));
    assert_eq!(changed[1].after, json!({ "known": 64 }));
    let needs = &world.procurement().needs;
    assert_eq!(needs.earlier.len(), 1);
    let by = |field: &str| needs.said[field].by.person();
    assert_eq!(by("region"), Some(Who::Paul.id()));
    assert_eq!(by("model.parameters_b"), Some(Who::Rita.id()));
    assert_eq!(needs.said["cards.substitutes"].position, 2);
}
