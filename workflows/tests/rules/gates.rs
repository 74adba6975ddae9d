//! What each gate asks for, and that a closed one names everything and everybody.

use sixgate_workflows::{
    budget::tco::{Cost, CostKind},
    estimate::Estimate,
    function::Function,
    gate::Criterion,
    locale::Locale,
    money::Currency,
    needs::brief::{Brief, Precision, Use},
    percent::Percent,
    procurement::{Command, Course},
    rejection::Rejection,
    stage::Stage,
    texts,
};

use crate::{
    fixture::{
        amount, at_stage, brief, cost, filled, filled_but, name, number, plan, plan_budget,
        record_brief, record_sizing, sizing_input, text,
    },
    harness::{Ask, Who, World},
};

#[test]
fn a_closed_gate_lets_nothing_through() {
    for stage in [Stage::Needs, Stage::Budget, Stage::Shortlist, Stage::Poc, Stage::Negotiation] {
        let mut world = at_stage(stage);
        let blockers = world.gate().blockers();
        world
            .by(Who::Paul)
            .when(Course::Advance)
            .then_rejects(Rejection::GateClosed { stage, blockers });
    }
}

#[test]
fn a_closed_gate_names_all_unmet_criteria_and_missing_signatures_at_once() {
    for stage in Stage::ALL {
        let world = at_stage(stage);
        let mut expected: Vec<String> = Criterion::ALL
            .iter()
            .filter(|criterion| criterion.stage() == stage)
            .map(|criterion| criterion.id().to_owned())
            // Two contracts are kept from the first day of operation.
            .filter(|id| id != "operation.two_suppliers")
            .collect();
        let signs = &world.procurement().policy.sign_offs[&stage];
        expected.extend(signs.iter().map(|function| format!("{stage}.sign_off.{function}")));
        assert_eq!(world.blockers(), expected);
    }
}

#[test]
fn every_blocker_says_who_can_meet_it_in_both_languages() {
    for stage in Stage::ALL {
        for blocker in at_stage(stage).gate().blockers() {
            assert!(!blocker.can_be_met_by.is_empty(), "{blocker:?}");
            for locale in Locale::ALL {
                let line = texts::blocker(&blocker, locale);
                assert!(!line.contains(['{', '_']), "{line}");
                let key = format!("function.{}", blocker.can_be_met_by[0]);
                let who = texts::text(&key, locale);
                assert!(line.contains(who), "{line}");
            }
        }
    }
}

#[test]
fn the_signer_is_who_can_meet_a_missing_signature() {
    let world = filled(Stage::Budget);
    let blockers = world.gate().blockers();
    assert_eq!(world.blockers(), ["budget.sign_off.finance"]);
    assert_eq!(blockers[0].can_be_met_by, [Function::Finance]);
}

fn needs_with(change: impl Fn(&mut Brief)) -> World {
    let mut wanted = brief();
    change(&mut wanted);
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(wanted));
    // What is still open may keep it from being sized at all.
    let _ = world.run(record_sizing());
    world
}

fn unmet(world: &World) -> Vec<String> {
    world.blockers().into_iter().filter(|id| !id.contains(".sign_off.")).collect()
}

#[test]
fn each_figure_of_the_brief_that_is_open_keeps_its_criterion_unmet() {
    type Change = fn(&mut Brief);
    let cases: [(&str, Change); 6] = [
        ("needs.use_known", |brief| brief.usage = Estimate::tbd("asked")),
        ("needs.model_known", |brief| brief.model.parameters_b = Estimate::tbd("asked")),
        ("needs.precision_known", |brief| brief.model.precision = Estimate::tbd("asked")),
        ("needs.concurrency_known", |brief| brief.targets.peak_concurrency = Estimate::tbd("?")),
        ("needs.context_known", |brief| brief.targets.context_tokens = Estimate::tbd("asked")),
        ("needs.latency_known", |brief| brief.targets.latency_ms = Estimate::tbd("asked")),
    ];
    for (criterion, change) in cases {
        let world = needs_with(change);
        assert!(unmet(&world).contains(&criterion.to_owned()), "{criterion}");
        assert_eq!(world.why(criterion).key, "still_to_be_determined");
    }
    assert_eq!(unmet(&needs_with(|_| ())), Vec::<String>::new());
}

#[test]
fn a_range_is_as_good_as_a_known_figure() {
    let ranges = |brief: &mut Brief| {
        brief.model.parameters_b = Estimate::range(number("65"), number("72")).unwrap();
        brief.model.precision = Estimate::range(Precision::Bf16, Precision::Fp8).unwrap();
    };
    assert_eq!(unmet(&needs_with(ranges)), Vec::<String>::new());
}

#[test]
fn nobody_waits_for_a_training_run_so_it_needs_no_latency() {
    let training = |brief: &mut Brief| {
        brief.usage = Estimate::known(Use::Training);
        brief.targets.latency_ms = Estimate::tbd("does not apply");
    };
    assert_eq!(unmet(&needs_with(training)), Vec::<String>::new());
}

#[test]
fn a_blank_group_is_named() {
    let blank = |brief: &mut Brief| {
        brief.region = Estimate::tbd("open");
        brief.contact.name = Estimate::tbd("open");
    };
    let world = needs_with(blank);
    assert_eq!(world.why("needs.brief_complete").details["groups"], "region, contact");
}

#[test]
fn a_newer_brief_makes_the_sizing_void() {
    let mut world = filled(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief()));
    assert_eq!(world.why("needs.sizing_fits").key, "sizing_missing");
}

#[test]
fn a_model_that_fits_only_at_best_does_not_fit() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief()));
    for (cards, reason) in [(2, "sizing_does_not_fit"), (3, "sizing_fits_only_at_best")] {
        let mut input = sizing_input();
        input.cards = cards;
        world.must(sixgate_workflows::needs::Command::RecordSizing { input });
        assert_eq!(world.why("needs.sizing_fits").key, reason, "{cards} cards");
    }
    world.must(record_sizing());
    assert!(!unmet(&world).contains(&"needs.sizing_fits".to_owned()));
}

#[test]
fn a_sizing_says_which_figure_it_needs() {
    let mut world = needs_with(|brief| brief.targets.context_tokens = Estimate::tbd("open"));
    let field = "context_tokens".to_owned();
    world.when(record_sizing()).then_rejects(Rejection::SizingNeeds { field });
}

#[test]
fn a_negative_figure_cannot_make_a_model_fit() {
    let mut world = at_stage(Stage::Needs);
    world.by(Who::Rita).must(record_brief(brief()));
    let mut input = sizing_input();
    input.overhead_gib = Estimate::known(number("-1000"));
    let sizing = sixgate_workflows::needs::Command::RecordSizing { input };
    let field = "overhead_gib".to_owned();
    world.when(sizing).then_rejects(Rejection::SizingNeeds { field });
}

#[test]
fn without_a_plan_a_budget_says_nothing() {
    let mut world = at_stage(Stage::Budget);
    for criterion in ["budget.tco_complete", "budget.reserve_set"] {
        assert_eq!(world.why(criterion).key, "budget_plan_missing");
    }
    world
        .by(Who::Fiona)
        .when(cost(CostKind::Rental, "100"))
        .then_rejects(Rejection::BudgetPlanMissing);
}

#[test]
fn every_kind_of_cost_that_is_not_stated_is_named() {
    let is_cost = |command: &Command, wanted: CostKind| {
        matches!(
            command,
            Command::Budget(sixgate_workflows::budget::Command::RecordCost { cost_kind, .. })
                if *cost_kind == wanted
        )
    };
    for kind in CostKind::ALL {
        let world = filled_but(Stage::Budget, |command| is_cost(command, kind));
        assert_eq!(unmet(&world), ["budget.tco_complete"]);
        assert_eq!(world.why("budget.tco_complete").details["kinds"], kind.id());
    }
}

#[test]
fn a_cost_to_be_determined_is_not_stated_and_a_zero_with_its_reason_is() {
    let mut world = filled(Stage::Budget);
    let open = amount(Estimate::tbd("asked the carrier"));
    let cost_kind = CostKind::NetworkEgress;
    let record = |cost| sixgate_workflows::budget::Command::RecordCost { cost_kind, cost };
    world.by(Who::Fiona).must(record(open));
    assert_eq!(world.why("budget.tco_complete").details["kinds"], "network_egress");
    world.must(record(Cost::Zero { reason: text("included in the rent") }));
    assert!(unmet(&world).is_empty());
}

#[test]
fn the_reserve_must_lie_within_the_band() {
    for (reserve, is_met) in [(14, false), (15, true), (20, true), (21, false)] {
        let mut world = filled(Stage::Budget);
        let mut changed = plan();
        changed.reserve = Percent::of(reserve);
        world.by(Who::Fiona).must(plan_budget(changed));
        assert_eq!(unmet(&world).is_empty(), is_met, "{reserve} %");
    }
}

#[test]
fn a_plan_in_another_currency_than_the_costs_is_refused() {
    let mut world = filled(Stage::Budget);
    let mut euros = plan();
    euros.currency = Currency::Eur;
    world.by(Who::Fiona).when(plan_budget(euros)).then_rejects_as("invalid_value");
}

#[test]
fn costs_left_over_in_another_currency_cannot_be_added_up() {
    let mut world = at_stage(Stage::Budget);
    world.by(Who::Fiona).must(plan_budget(plan())).must(cost(CostKind::Rental, "100"));
    let mut euros = plan();
    euros.currency = Currency::Eur;
    world.must(plan_budget(euros));
    for cost_kind in CostKind::ALL.into_iter().skip(1) {
        let zero = Cost::Zero { reason: text("none") };
        world.must(sixgate_workflows::budget::Command::RecordCost { cost_kind, cost: zero });
    }
    assert_eq!(world.why("budget.tco_complete").key, "cost_lines_unknown");
}

#[test]
fn a_term_is_between_one_and_120_months() {
    for months in [0, 121] {
        let mut world = at_stage(Stage::Budget);
        let mut odd = plan();
        odd.term_months = months;
        world.by(Who::Fiona).when(plan_budget(odd)).then_rejects_as("invalid_value");
    }
}

#[test]
fn the_manager_signs_the_budget_only_above_the_limit() {
    let mut world = filled(Stage::Budget);
    assert_eq!(world.blockers(), ["budget.sign_off.finance"]);
    // 60 706 a month with 18 % reserve comes to 1 003 996.80 over twelve months at the high end.
    world.by(Who::Fiona).must(cost(CostKind::OperationsLabour, "15904"));
    assert_eq!(world.blockers(), ["budget.sign_off.finance", "budget.sign_off.manager"]);
    let version = world.version();
    world.by(Who::Maya).must(Course::SignOff { function: Function::Manager, version });
    assert_eq!(world.signed(Stage::Budget), [Function::Manager]);
}

#[test]
fn a_total_of_exactly_the_limit_needs_no_manager() {
    let mut world = filled(Stage::Budget);
    let total = world.procurement().budget.totals().unwrap().for_term.high;
    let mut policy = world.procurement().policy.clone();
    policy.version += 1;
    policy.budget_limit = total;
    world.context.policy = policy;
    world.by(Who::Maya).must(Course::AdoptPolicy);
    assert_eq!(world.blockers(), ["budget.sign_off.finance"]);
}

#[test]
fn a_total_in_another_currency_than_the_limit_is_not_waved_through() {
    let mut world = filled(Stage::Budget);
    let mut policy = world.procurement().policy.clone();
    policy.version += 1;
    policy.budget_limit.currency = Currency::Usd;
    world.context.policy = policy;
    world.by(Who::Maya).must(Course::AdoptPolicy);
    assert!(world.blockers().contains(&"budget.sign_off.manager".to_owned()));
}

#[test]
fn a_command_of_another_stage_is_turned_away() {
    let mut world = at_stage(Stage::Budget);
    let needed = Stage::Needs;
    let current = Stage::Budget;
    world
        .by(Who::Rita)
        .when(record_brief(brief()).ask())
        .then_rejects(Rejection::WrongStage { needed, current });
    assert_eq!(record_brief(brief()).ask().stage(), Some(Stage::Needs));
    assert_eq!(Course::Open { title: name("Another") }.ask().stage(), None);
}

#[test]
fn a_total_that_was_waived_is_not_known_to_stay_below_the_limit() {
    let mut world = at_stage(Stage::Budget);
    world.by(Who::Fiona).must(plan_budget(plan()));
    assert!(!world.blockers().contains(&"budget.sign_off.manager".to_owned()));
    let expires_on = "2026-02-28".parse().unwrap();
    let criterion = Criterion::TcoComplete;
    world.by(Who::Maya).must(Course::Waive { criterion, reason: text("pilot"), expires_on });
    assert!(world.blockers().contains(&"budget.sign_off.manager".to_owned()));
}
