//! What has to be true of a procurement in the moment before it advances, or is signed.
//!
//! The rule: only the state before is looked at, and by no function of the gate that let it pass
//! but the stages' own findings.

use std::collections::BTreeSet;

use sixgate_workflows::{
    context::local_date,
    gate::{self, Moment},
    ids::PersonId,
    procurement::{Course, Procurement},
};

use super::checks::{Check, Findings};

/// After a course was accepted, of the state that it was accepted in.
pub(super) fn accepted(
    before: &Procurement,
    course: &Course,
    signer: PersonId,
    moment: Moment,
    findings: &mut Findings,
) {
    match course {
        Course::Advance | Course::Close => passed(before, moment, findings),
        Course::SignOff { version, .. } => {
            let ledger = before.ledger(before.stage);
            findings.hold(Check::SignaturesApart, moment.now, *version == ledger.version, || {
                format!("{} was signed in another version than the present one", before.id)
            });
            let only_author = ledger.authors.iter().all(|author| *author == signer);
            let apart = ledger.authors.is_empty() || !only_author;
            findings.hold(Check::SignaturesApart, moment.now, apart, || {
                format!("{signer} signed in {} what only they entered", before.id)
            });
        }
        Course::Open { .. }
        | Course::AddMember { .. }
        | Course::RemoveMember { .. }
        | Course::Waive { .. }
        | Course::SendBack { .. }
        | Course::Hold { .. }
        | Course::Resume
        | Course::Cancel { .. }
        | Course::AdoptPolicy
        | Course::NoteLapse { .. }
        | Course::EraseContact => {}
    }
}

fn passed(before: &Procurement, moment: Moment, findings: &mut Findings) {
    let stage = before.stage;
    let today = local_date(moment.now, moment.zone);
    for finding in gate::findings(before, stage, moment) {
        let waiver = before.waivers.get(&finding.criterion);
        let waived = waiver.is_some_and(|waiver| today <= waiver.expires_on);
        let holds = finding.outcome.is_ok() || waived;
        findings.hold(Check::GateRespected, moment.now, holds, || {
            format!("{} passed {stage} with {} unmet", before.id, finding.criterion)
        });
    }
    let ledger = before.ledger(stage);
    for function in before.policy.sign_offs.get(&stage).into_iter().flatten() {
        let signed = ledger.sign_offs.get(function).is_some_and(|s| s.version == ledger.version);
        findings.hold(Check::GateRespected, moment.now, signed, || {
            format!("{} passed {stage} without the signature of {function}", before.id)
        });
    }
    let mut signers = BTreeSet::new();
    for signed in ledger.sign_offs.values() {
        for signer in signed.stamp.by.person().into_iter().chain(signed.on_behalf_of) {
            let apart = signers.insert(signer);
            findings.hold(Check::SignaturesApart, moment.now, apart, || {
                format!("{signer} stands for two signatures at {stage} of {}", before.id)
            });
        }
    }
}
