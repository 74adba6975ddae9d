//! What letters about signatures and stages say.

use super::{By, Desk, Draft};
use crate::{calendar, context::local_date, gate, stage::Stage, texts};

pub(super) fn sign_off_wanted(desk: &Desk) -> Draft {
    let procurement = desk.procurement();
    let gate = gate::gate(procurement, procurement.stage, desk.source.moment);
    let named = |signed: bool| {
        let functions: Vec<&str> = gate
            .sign_offs
            .iter()
            .filter(|wanted| wanted.signed == signed)
            .map(|wanted| wanted.function.id())
            .collect();
        let joined = functions.join(", ");
        (!joined.is_empty()).then(|| desk.filled("mail.functions", &[("function", &joined)]))
    };
    let total = (procurement.stage == Stage::Budget)
        .then(|| procurement.budget.totals())
        .flatten()
        .map(|totals| desk.money(totals.for_term.high));
    stage(desk, Draft::new(answer_by(desk)))
        .figure(desk, "version", gate.version.to_string())
        .figure(desk, "total_for_term", total)
        .figure(desk, "signed_by", named(true))
        .figure(desk, "missing_from", named(false))
}

pub(super) fn sign_off_voided(desk: &Desk) -> Draft {
    let voided = desk.procurement().voided.as_ref();
    let change = voided.map(|voided| desk.filled("mail.change", &[("change", &voided.because)]));
    Draft::new(answer_by(desk)).figure(desk, "change", change).figure(
        desk,
        "changed_at",
        voided.map(|voided| desk.instant(voided.stamp.at)),
    )
}

pub(super) fn stage_overdue(desk: &Desk) -> Draft {
    let procurement = desk.procurement();
    let blockers = gate::gate(procurement, procurement.stage, desk.source.moment).blockers();
    let items = blockers.iter().map(|blocker| texts::blocker(blocker, desk.locale())).collect();
    let weeks = calendar::days_after(desk.due_day(), 7);
    let draft = stage(desk, Draft::new(desk.in_time(weeks)));
    let ended = planned_end(desk).map(|day| desk.day(day)).unwrap_or_default();
    draft.word("planned_end", ended).list(desk, "blockers", items)
}

fn stage(desk: &Desk, draft: Draft) -> Draft {
    let procurement = desk.procurement();
    let stage = desk.filled("mail.stage", &[("stage", procurement.stage.id())]);
    let entered = local_date(procurement.entered.at, desk.source.moment.zone);
    let end = planned_end(desk);
    let over = end.map(|end| (desk.today() - end).num_days()).filter(|days| *days > 0);
    draft
        .figure(desk, "stage", stage)
        .figure(desk, "entered", desk.day(entered))
        .figure(desk, "planned_end", end.map(|day| desk.day(day)))
        .figure(desk, "days_over", over.map(|days| days.to_string()))
}

/// The day on which the planned duration has passed.
fn planned_end(desk: &Desk) -> Option<chrono::NaiveDate> {
    let procurement = desk.procurement();
    let planned = procurement.policy.planned_days.get(&procurement.stage)?;
    let entered = local_date(procurement.entered.at, desk.source.moment.zone);
    Some(calendar::days_after(entered, *planned))
}

/// Before the next reminder, or by the planned end when that is later.
fn answer_by(desk: &Desk) -> By {
    let policy = &desk.procurement().policy;
    let days = policy.sign_off_reminder_working_days.max(1);
    let reminder = policy.working_days.after(desk.due_day(), days);
    desk.in_time(planned_end(desk).map_or(reminder, |end| end.max(reminder)))
}
