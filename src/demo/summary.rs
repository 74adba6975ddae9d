//! What the demo shows at its end: to people as a table, to programs as JSON.

use std::{fmt::Write as _, net::SocketAddr, time::Instant};

use anyhow::ensure;
use serde::Serialize;
use serde_json::{Value, json};
use sixgate_engine::Engine;
use sixgate_storage::{Statistics, sled::Verification};
use sixgate_workflows::{
    checklist::{self, Counts},
    notice::Status,
    procurement::Phase,
    stage::Stage,
};

use super::{inputs, organisation::Organisation, stage::Theatre};

#[derive(Serialize)]
pub(super) struct Summary {
    procurements: Vec<Line>,
    commits: u64,
    events: u64,
    mails: Mails,
    log: Log,
    inputs: Vec<&'static str>,
    seconds: f64,
}

#[derive(Serialize)]
struct Line {
    id: String,
    title: String,
    stage: Stage,
    phase: &'static str,
    stages_passed: usize,
    checklist: Counts,
    signoffs: usize,
}

/// Letters by what became of them; one that was withdrawn counts as none of these.
#[derive(Serialize)]
pub(super) struct Mails {
    queued: usize,
    pub(super) sent: usize,
    failed: usize,
    by_kind: std::collections::BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct Log {
    verified: bool,
    head: String,
}

/// Everything that the API shows an auditor, for comparing before and after a restart.
pub(super) async fn everything(theatre: &Theatre, people: &Organisation) -> anyhow::Result<Value> {
    let board = "{ board(first: 5) { totalCount nodes { id title stage phase revision position \
                 gate { open version blockers { criterion reason } } \
                 checklist { id status since reason because { position } } } } }";
    let history = "{ board(first: 5) { nodes { id history(first: 100) { nodes { position index \
                   kind at data } } } } }";
    let reminders = "{ board(first: 5) { nodes { reminders { key due firedAt letters { \
                     messageId status attempts } } } } }";
    let mut seen = Vec::new();
    for query in [board, history, reminders] {
        seen.push(theatre.ask(&people.auditor, query).await?);
    }
    seen.push(theatre.ask(&people.buyer, "{ inbox(first: 100) { nodes { label } } }").await?);
    Ok(json!(seen))
}

pub(super) fn mails(engine: &Engine) -> Mails {
    let views = engine.views();
    let mut mails =
        Mails { queued: 0, sent: 0, failed: 0, by_kind: std::collections::BTreeMap::new() };
    for notice in views.notices.states().filter_map(Option::as_ref) {
        for letter in notice.letters.values() {
            match letter.status {
                Status::Queued
                | Status::Transmitting { .. }
                | Status::Deferred { .. }
                | Status::Unknown { .. }
                | Status::Bundled { .. } => mails.queued += 1,
                Status::Sent { .. } | Status::Delivered { .. } => {
                    mails.sent += 1;
                    *mails.by_kind.entry(notice.subject.kind.id()).or_default() += 1;
                }
                Status::Refused { .. } | Status::GivenUp { .. } => mails.failed += 1,
                Status::Withdrawn { .. } => {}
            }
        }
    }
    mails
}

impl Summary {
    /// Also the last look at whether the demo has shown what it should.
    pub(super) fn of(
        engine: &Engine,
        verified: &Verification,
        statistics: &Statistics,
        began: Instant,
    ) -> anyhow::Result<Self> {
        let moment = engine.moment();
        let procurements: Vec<Line> = engine
            .views()
            .procurements
            .states()
            .filter_map(Option::as_ref)
            .map(|procurement| Line {
                id: procurement.id.to_string(),
                title: procurement.title.to_string(),
                stage: procurement.stage,
                phase: phase(&procurement.phase),
                stages_passed: procurement.passed.len(),
                checklist: checklist::counts(&checklist::checklist(procurement, moment)),
                signoffs: procurement.ledgers.values().map(|l| l.sign_offs.len()).sum(),
            })
            .collect();
        let full = procurements.iter().find(|line| line.phase == "closed");
        ensure!(
            full.is_some_and(|line| line.stages_passed == 6 && line.checklist.met == 10),
            "end: the full case has not passed all six stages with ten of ten items met"
        );
        let mails = mails(engine);
        let wanted = [
            "sign_off_wanted",
            "stage_overdue",
            "review_invitation",
            "sla_incident",
            "supplier_split",
        ];
        for kind in wanted {
            ensure!(mails.by_kind.contains_key(kind), "mail: no {kind} was sent");
        }
        ensure!(mails.queued == 0 && mails.failed == 0, "mail: not every letter was sent");
        ensure!(
            verified.ok,
            "log: {}",
            verified.why.as_deref().unwrap_or("it could not be verified")
        );
        Ok(Self {
            procurements,
            commits: statistics.commits,
            events: statistics.events,
            mails,
            log: Log { verified: verified.ok, head: verified.head_hash.to_string() },
            inputs: inputs::paths(),
            seconds: (began.elapsed().as_secs_f64() * 100.0).round() / 100.0,
        })
    }

    pub(super) fn as_text(&self) -> String {
        let mut text = String::from(
            "procurement                     stage        phase    checklist  signed\n",
        );
        for line in &self.procurements {
            let title = padded(&line.title, 30);
            let _ = writeln!(
                text,
                "{title}  {:<11}  {:<8} {:>2}/10      {:>2}",
                line.stage.id(),
                line.phase,
                line.checklist.met,
                line.signoffs
            );
        }
        let _ = write!(
            text,
            "\n{} events in {} commits, log verified, head {}\n{} mails sent once each \
             ({} kinds), none waiting, none failed\nThe engine was restarted on the same data: \
             nothing changed. {} input files, {:.1} s.",
            self.events,
            self.commits,
            &self.log.head[..16],
            self.mails.sent,
            self.mails.by_kind.len(),
            self.inputs.len(),
            self.seconds
        );
        text
    }
}

fn phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::Active => "active",
        Phase::OnHold { .. } => "on_hold",
        Phase::Cancelled { .. } => "cancelled",
        Phase::Closed { .. } => "closed",
    }
}

/// Chinese characters take two columns of a terminal.
fn padded(text: &str, columns: usize) -> String {
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    format!("{text}{}", " ".repeat(columns.saturating_sub(width)))
}

/// Whom to be, and what to ask first.
pub(super) fn invitation(address: SocketAddr, people: &Organisation) -> String {
    let mut text = String::from("\nPeople of the sample organisation and their tokens:\n");
    for person in people.people() {
        let functions: Vec<&str> = person.functions.iter().map(|f| f.id()).collect();
        let name = padded(&person.name, 10);
        let _ = writeln!(text, "  {name} {:<12} {}", functions.join(", "), person.token);
    }
    let queries = [
        (
            &people.manager,
            "{ board { totalCount nodes { id title stageLabel phase checklistCounts { met unmet } } } }",
        ),
        (&people.buyer, "{ inbox { nodes { title label } } }"),
        (
            &people.auditor,
            "{ board { nodes { title checklist { label status since } gate { blockers { criterion reason canBeMetBy } } } } }",
        ),
    ];
    text.push_str("\nThree queries to try:\n");
    for (person, query) in queries {
        let _ = writeln!(
            text,
            "\n  curl -s http://{address}/graphql -H 'Authorization: Bearer {}' \\\n    \
             -H 'Content-Type: application/json' -d '{}'",
            person.token,
            json!({ "query": query })
        );
    }
    text
}
