//! Killed while it sends letters, the program sends every one of them and writes each file once.
//!
//! A letter that was under way when the program was killed has an unknown outcome and is sent again
//! after a minute under the same Message-ID, so this test takes a little longer than that.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::api::Api;
use crate::crash::{next, spin};
use crate::process::run;
use crate::server::Server;
use crate::story;
use crate::world::{Ids, Person, hire};

const BUYERS: usize = 15;
const PROCUREMENTS: usize = 10;
/// Each buyer and the one requester is asked for a signature at every gate.
const LETTERS: usize = PROCUREMENTS * (BUYERS + 1);
const KILLS: usize = 15;

#[derive(Debug)]
struct Letter {
    status: String,
    attempts: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_while_it_sends_mail_sends_every_letter_into_one_file() {
    let data = tempfile::tempdir().unwrap();
    let runner = hire(data.path(), "runner", "requester,manager,admin");
    let mut random = u64::from(std::process::id()) | 1;
    let server = Server::serve(data.path());
    let ids = Ids::default();
    register_buyers(&server.api, &runner, &ids).await;
    let procurements = ask_for_signatures(&server.api, &runner, &ids).await;
    let mut server = server;
    for kill in 1..=KILLS {
        let enough = LETTERS * kill / (KILLS + 1);
        until(&server.api, &runner, &procurements, |letters| {
            letters.values().filter(|letter| letter.status == "SENT").count() >= enough
        })
        .await;
        spin(Duration::from_micros(next(&mut random) % 8_000));
        server.kill();
        server = Server::serve(data.path());
        let letters = letters(&server.api, &runner, &procurements).await;
        each_written_once(data.path(), &letters, false);
    }
    let letters = until(&server.api, &runner, &procurements, |letters| {
        letters.len() == LETTERS && letters.values().all(|letter| letter.status == "SENT")
    })
    .await;
    each_written_once(data.path(), &letters, true);
    let files = fs::read_dir(data.path().join("mail")).unwrap().count();
    assert_eq!(files, LETTERS, "an interrupted letter left something behind");
    let twice = letters.values().filter(|letter| letter.attempts > 1).count();
    println!("{KILLS} kills, {LETTERS} letters, {twice} sent again");
    assert_eq!(server.terminate().code, Some(0));
    let verified = run(&["log", "verify", "--json", "--data", data.path().to_str().unwrap()]);
    assert_eq!(verified.json()["ok"], true, "{verified:?}");
}

async fn register_buyers(api: &Api, runner: &Person, ids: &Ids) {
    for buyer in 0..BUYERS {
        let register = json!({
            "commandId": ids.fresh(), "name": format!("Buyer {buyer}"), "locale": "EN",
            "mail": format!("buyer.{buyer}@example.com"), "zone": "Asia/Shanghai",
            "functions": ["PROCUREMENT"],
        });
        api.command(&runner.token, "registerPerson", register).await;
    }
}

/// Procurements whose gates lack nothing but signatures.
async fn ask_for_signatures(api: &Api, runner: &Person, ids: &Ids) -> Vec<String> {
    let mut procurements = Vec::new();
    for number in 0..PROCUREMENTS {
        let id = ids.fresh();
        let open = json!({ "commandId": id, "title": format!("Case {number}") });
        api.command(&runner.token, "openProcurement", open).await;
        let procurement = format!("procurement_{id}");
        let brief = json!({
            "commandId": ids.fresh(), "procurementId": procurement, "brief": story::brief("He Jia"),
        });
        api.command(&runner.token, "recordBrief", brief).await;
        let mut sizing = story::sizing(&procurement);
        sizing["commandId"] = json!(ids.fresh());
        api.command(&runner.token, "recordSizing", sizing).await;
        procurements.push(procurement);
    }
    procurements
}

/// What the API says of every letter, by Message-ID.
async fn letters(api: &Api, runner: &Person, procurements: &[String]) -> BTreeMap<String, Letter> {
    let mut letters = BTreeMap::new();
    for procurement in procurements {
        let query = format!(
            "{{ procurement(id: \"{procurement}\") {{ reminders {{ kind
             letters {{ messageId status attempts }} }} }} }}"
        );
        let seen = api.ask(&runner.token, &query).await;
        let reminders = seen["procurement"]["reminders"].as_array().unwrap();
        let asking = reminders.iter().filter(|reminder| reminder["kind"] == "SIGN_OFF_WANTED");
        for letter in asking.flat_map(|reminder| reminder["letters"].as_array().unwrap()) {
            let text = |field: &str| letter[field].as_str().unwrap().to_owned();
            let attempts = letter["attempts"].as_u64().unwrap();
            let kept = Letter { status: text("status"), attempts };
            let earlier = letters.insert(text("messageId"), kept);
            assert!(earlier.is_none(), "two letters have one Message-ID: {letter}");
        }
    }
    letters
}

/// Asks again, a bounded number of times, until the letters are as they should be.
async fn until(
    api: &Api,
    runner: &Person,
    procurements: &[String],
    wanted: impl Fn(&BTreeMap<String, Letter>) -> bool,
) -> BTreeMap<String, Letter> {
    let mut asking = tokio::time::interval(Duration::from_millis(40));
    let mut seen = BTreeMap::new();
    for _ in 0..4_000 {
        asking.tick().await;
        seen = letters(api, runner, procurements).await;
        if wanted(&seen) {
            return seen;
        }
    }
    panic!("the letters did not become what they should: {seen:?}");
}

/// No file without a letter; once all are sent, no letter without its file.
fn each_written_once(data: &Path, letters: &BTreeMap<String, Letter>, all_sent: bool) {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(data.join("mail")).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(id) = name.strip_suffix(".eml") else { continue };
        let id = letters.keys().find(|known| known.trim_matches(['<', '>']) == id);
        assert!(files.insert(id.unwrap_or_else(|| panic!("nobody queued {name}"))), "{name}");
    }
    for (id, letter) in letters {
        let written = files.contains(id);
        assert!(written || letter.status != "SENT", "{id} is said to be sent and is not there");
        assert!(written || !all_sent, "{id} was never written");
    }
}
