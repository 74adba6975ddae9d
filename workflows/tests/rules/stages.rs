//! The way through all six stages.

use sixgate_workflows::{
    checklist::{Item, Status, checklist, counts},
    procurement::Phase,
    stage::Stage,
};

use crate::{
    fixture::{at_stage, closed, filled},
    harness::Who,
};

#[test]
fn the_happy_path_goes_through_all_six_stages_and_ends_closed() {
    let world = closed();
    let procurement = world.procurement();
    assert!(matches!(procurement.phase, Phase::Closed { .. }));
    assert_eq!(procurement.passed.keys().copied().collect::<Vec<_>>(), Stage::ALL);
    assert_eq!(procurement.entries, 6);
    assert_eq!(procurement.members, [Who::Rita.id()].into());
}

#[test]
fn a_stage_is_entered_with_its_gate_closed() {
    for stage in Stage::ALL {
        let world = at_stage(stage);
        assert_eq!(world.procurement().stage, stage);
        assert!(!world.gate().is_open(), "{stage}");
    }
}

#[test]
fn a_filled_stage_awaits_signatures_alone() {
    for stage in Stage::ALL {
        let world = filled(stage);
        assert!(world.gate().awaits_sign_offs(), "{stage}: {:?}", world.blockers());
        assert!(world.blockers().iter().all(|blocker| blocker.contains(".sign_off.")));
        assert!(world.procurement().ready_since.is_some(), "{stage}");
    }
}

#[test]
fn all_ten_points_are_met_at_the_end() {
    let world = closed();
    let entries = checklist(world.procurement(), world.moment());
    assert_eq!(counts(&entries).met, Item::ALL.len());
    assert!(entries.iter().all(|entry| entry.status == Status::Met && !entry.evidence.is_empty()));
}
