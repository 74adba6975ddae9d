//! Killed at any moment under load, the program loses nothing it acknowledged and does nothing twice.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::api::Api;
use crate::log_of_ids::{self, Found};
use crate::process::run;
use crate::server::{self, Server};
use crate::story;
use crate::world::hire;

const KILLS: u32 = 50;
const CLIENTS: u32 = 4;
/// More than a client gets done before the kill.
const COMMANDS: u32 = 200;

/// A command that is known before it is sent.
struct Planned {
    id: String,
    mutation: &'static str,
    input: Value,
}

/// What a client heard of its commands before the server was gone.
struct Heard {
    acknowledged: Vec<(String, u64)>,
    /// Sent, and not answered.
    open: Vec<Planned>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_nothing_acknowledged_and_repeats_nothing() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "all", "requester,procurement,manager");
    let token: Arc<str> = person.token.as_str().into();
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let mut random = seed | 1;
    let mut acknowledged: BTreeMap<String, u64> = BTreeMap::new();
    let (mut left_open, mut read_up_to) = (0, 0);
    let mut server = Server::serve(data.path());
    for round in 0..KILLS {
        let enough = next(&mut random) % 60;
        let pause = Duration::from_micros(next(&mut random) % 3_000);
        let heard = load_and_kill(server, &token, round, enough, pause).await;
        if round % 5 == 4 {
            let pause = Duration::from_micros(next(&mut random) % 40_000);
            server::kill_while_starting(data.path(), || spin(pause));
        }

        server = Server::serve(data.path());
        let (found, last) = log_of_ids::read(&server.api, &token, read_up_to).await;
        for (id, position) in &heard.acknowledged {
            let places = found.get(id).map(|places| places.iter().copied().collect::<Vec<_>>());
            assert_eq!(places, Some(vec![*position]), "round {round}: {id}");
        }
        if let Some((id, position)) = heard.acknowledged.last() {
            let again = again(&server.api, &token, round, id).await;
            assert_eq!((&again["position"], &again["repeated"]), (&json!(position), &json!(true)));
        }
        left_open += heard.open.len();
        for planned in heard.open {
            let answer = server.api.command(&token, planned.mutation, planned.input).await;
            let position = answer["position"].as_u64().unwrap();
            let before = found.get(&planned.id).is_some_and(|places| places.contains(&position));
            assert_eq!(answer["repeated"], before, "round {round}: {} {answer}", planned.id);
            acknowledged.insert(planned.id, position);
        }
        acknowledged.extend(heard.acknowledged);
        read_up_to = last;
    }
    let (found, commits) = log_of_ids::read(&server.api, &token, 0).await;
    each_once(&found, &acknowledged);
    assert_eq!(server.terminate().code, Some(0));
    verified(data.path(), commits);
    println!(
        "{} kills, {} commands acknowledged, {left_open} of them only after they were sent again",
        KILLS + KILLS / 5,
        acknowledged.len()
    );
    assert!(acknowledged.len() > 500, "{}", acknowledged.len());
}

#[test]
fn a_server_killed_at_its_very_first_start_can_be_started_again() {
    let mut random = u64::from(std::process::id()) | 1;
    for attempt in 0..25 {
        let data = tempfile::tempdir().unwrap();
        let pause = Duration::from_micros(next(&mut random) % 40_000);
        server::kill_while_starting(data.path(), || spin(pause));
        hire(data.path(), "first", "admin");
        let ran = run(&["log", "verify", "--json", "--data", data.path().to_str().unwrap()]);
        assert_eq!(ran.json()["commits"], 2, "attempt {attempt} after {pause:?}: {ran:?}");
    }
}

/// Several clients send what they have planned, until the server is killed under them.
async fn load_and_kill(
    server: Server,
    token: &Arc<str>,
    round: u32,
    enough: u64,
    pause: Duration,
) -> Heard {
    let (sender, mut answered) = unbounded_channel();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (api, token, sender) = (server.api.clone(), Arc::clone(token), sender.clone());
        clients.spawn(async move { send_until_killed(api, token, round, client, sender).await });
    }
    drop(sender);
    let mut heard = Heard { acknowledged: Vec::new(), open: Vec::new() };
    while (heard.acknowledged.len() as u64) < enough {
        heard.acknowledged.extend(answered.recv().await);
    }
    spin(pause);
    server.kill();
    heard.open = clients.join_all().await.into_iter().flatten().collect();
    while let Some(answer) = answered.recv().await {
        heard.acknowledged.push(answer);
    }
    heard
}

/// The command that was under way when the server went away.
async fn send_until_killed(
    api: Api,
    token: Arc<str>,
    round: u32,
    client: u32,
    answered: UnboundedSender<(String, u64)>,
) -> Option<Planned> {
    for number in 0..COMMANDS {
        let planned = plan(round, client, number);
        let answer = api.try_send(&token, planned.mutation, planned.input.clone()).await;
        let Ok(answer) = answer else { return Some(planned) };
        assert_eq!(answer["userErrors"], json!([]), "{}: {answer}", planned.mutation);
        assert_eq!(answer["repeated"], false, "{}: {answer}", planned.mutation);
        answered.send((planned.id, answer["position"].as_u64().unwrap())).unwrap();
    }
    None
}

fn id(round: u32, client: u32, number: u32) -> String {
    format!("{round:08x}-0000-4000-8000-{client:04x}{number:08x}")
}

/// The first command of a client opens a procurement, which those after it are about.
fn plan(round: u32, client: u32, number: u32) -> Planned {
    let id = id(round, client, number);
    let (mutation, input) = match number % 4 {
        _ if number == 0 => ("openProcurement", json!({ "title": id })),
        1 => ("registerSupplier", json!({ "name": id, "contact": "Wang Ke" })),
        2 => {
            let supplier = format!("supplier_{}", self::id(round, client, number - 1));
            let certificate = json!({
                "supplierId": supplier, "qualification": "MLPS", "number": id,
                "expiresOn": "2099-12-31",
            });
            ("recordCertificate", certificate)
        }
        _ => {
            let procurement = format!("procurement_{}", self::id(round, client, 0));
            ("recordBrief", json!({ "procurementId": procurement, "brief": story::brief(&id) }))
        }
    };
    let mut input = input;
    input["commandId"] = json!(id);
    Planned { id, mutation, input }
}

/// Sends an acknowledged command once more.
async fn again(api: &Api, token: &str, round: u32, wanted: &str) -> Value {
    let all = (0..CLIENTS).flat_map(|client| (0..COMMANDS).map(move |n| plan(round, client, n)));
    let planned = all.into_iter().find(|planned| planned.id == wanted).unwrap();
    api.command(token, planned.mutation, planned.input).await
}

fn each_once(found: &Found, acknowledged: &BTreeMap<String, u64>) {
    for (id, position) in acknowledged {
        let places = found.get(id).unwrap_or_else(|| panic!("{id} is lost"));
        assert_eq!(places.iter().collect::<Vec<_>>(), [position], "{id}");
    }
    let unknown: Vec<&String> = found.keys().filter(|id| !acknowledged.contains_key(*id)).collect();
    assert_eq!(unknown, Vec::<&String>::new(), "the log holds what nobody sent");
}

fn verified(data: &Path, commits: u64) {
    let ran = run(&["log", "verify", "--json", "--data", data.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verified = ran.json();
    assert_eq!(verified["ok"], true, "{verified}");
    assert!(verified["commits"].as_u64().unwrap() >= commits, "{verified}");
}

/// Passes time without giving the processor away, so that the moment of the kill is arbitrary.
pub(crate) fn spin(pause: Duration) {
    let start = Instant::now();
    while start.elapsed() < pause {
        std::hint::spin_loop();
    }
}

/// A small generator of numbers that are random enough to choose moments.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
