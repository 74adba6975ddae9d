//! The program as an administrator meets it: local administration, starting, stopping, settings.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::process::run;
use crate::server::Server;
use crate::world::hire;

fn words<'w>(command: &[&'w str], data: &'w Path) -> Vec<&'w str> {
    [command, &["--data", data.to_str().unwrap()]].concat()
}

#[tokio::test]
async fn people_and_tokens_are_kept_on_the_command_line() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "manager", "manager,finance");
    let list = || run(&words(&["person", "list", "--json"], data.path())).json();
    let listed = list();
    let listed = &listed[0];
    assert_eq!(format!("person_{}", listed["id"].as_str().unwrap()), person.id);
    assert_eq!(listed["functions"], json!(["finance", "manager"]));
    assert!(!listed.to_string().contains(&person.token));
    let text = run(&words(&["person", "list"], data.path())).succeeded();
    assert!(text.contains("manager@example.com") && !text.contains(&person.token), "{text}");

    let server = Server::serve(data.path());
    let me = server.api.ask(&person.token, "{ me { id functions tokens { id } } }").await;
    assert_eq!(me["me"]["id"], person.id.as_str());
    assert_eq!(me["me"]["tokens"][0]["id"], listed["tokens"][0]["id"]);
    assert_eq!(server.terminate().code, Some(0));

    let token = listed["tokens"][0]["id"].as_str().unwrap();
    run(&words(&["token", "revoke", "--token", token], data.path())).succeeded();
    assert_eq!(list()[0]["tokens"], json!([]));
    let why = run(&words(&["token", "revoke", "--token", token], data.path())).refused(2);
    assert!(why.contains("nobody has a token"), "{why}");
    let server = Server::serve(data.path());
    let answer = server.api.graphql(&person.token, "{ me { id } }", json!({})).await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn a_directory_that_is_served_is_not_opened_by_another_process() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "manager", "manager");
    let server = Server::serve(data.path());
    let second = Server::refused(data.path());
    let id = person.id.trim_start_matches("person_");
    let add = ["person", "add", "--name", "a", "--mail", "a@example.com", "--function", "legal"];
    let others = [
        second,
        run(&words(&["log", "verify"], data.path())),
        run(&words(&["log", "stats"], data.path())),
        run(&words(&add, data.path())),
        run(&words(&["person", "list"], data.path())),
        run(&words(&["token", "issue", "--person", id], data.path())),
    ];
    for other in others {
        let why = other.refused(2);
        assert!(why.contains("already open in another process"), "{why}");
        assert!(why.contains(data.path().to_str().unwrap()), "{why}");
    }
    let hint = run(&words(&add, data.path())).refused(2);
    assert!(hint.contains("GraphQL"), "{hint}");
    let me = server.api.ask(&person.token, "{ me { id } }").await;
    assert_eq!(me["me"]["id"], person.id.as_str(), "the first goes on undisturbed");
    assert_eq!(server.terminate().code, Some(0));
}

#[tokio::test]
async fn a_server_stops_cleanly_when_it_is_told_to() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "all", "requester,admin");
    let server = Server::serve(data.path());
    let open = json!({ "commandId": "5e1ec7ed-0000-4000-8000-000000000001", "title": "Kept" });
    let opened = server.api.command(&person.token, "openProcurement", open.clone()).await;
    let health = server.api.get("/health").send().await.unwrap();
    assert_eq!((health.status().as_u16(), health.text().await.unwrap()), (200, "ok\n".to_owned()));
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.errors.contains("stopping") && ended.errors.contains("stopped"), "{ended:?}");
    assert!(!ended.errors.contains(&person.token), "a secret is in the program's log");

    let server = Server::serve(data.path());
    let again = server.api.command(&person.token, "openProcurement", open).await;
    assert_eq!((&again["position"], &again["repeated"]), (&opened["position"], &json!(true)));
}

#[tokio::test]
async fn a_command_under_way_when_the_server_is_told_to_stop_is_answered_or_not_carried_out() {
    let data = tempfile::tempdir().unwrap();
    let person = hire(data.path(), "all", "requester,admin");
    let server = Server::serve(data.path());
    let input = |number: usize| {
        let id = format!("5e1ec7ed-0000-4000-8000-{number:012x}");
        json!({ "commandId": id, "title": format!("Case {number}") })
    };
    let mut sending = tokio::task::JoinSet::new();
    for number in 0..40 {
        let (api, token, input) = (server.api.clone(), person.token.clone(), input(number));
        sending
            .spawn(async move { (number, api.try_send(&token, "openProcurement", input).await) });
    }
    // The first answer says that the load has begun.
    let first = sending.join_next().await.unwrap().unwrap();
    let stopping = tokio::task::spawn_blocking(move || server.terminate());
    let mut answers = sending.join_all().await;
    answers.push(first);
    assert_eq!(stopping.await.unwrap().code, Some(0));
    let server = Server::serve(data.path());
    for (number, answer) in answers {
        let again = server.api.command(&person.token, "openProcurement", input(number)).await;
        if let Ok(answer) = answer {
            assert_eq!(again["repeated"], true, "{answer}");
            assert_eq!(again["position"], answer["position"]);
        }
    }
    let board = server.api.ask(&person.token, "{ board { totalCount } }").await;
    assert_eq!(board["board"]["totalCount"], 40);
}

#[test]
fn a_setting_that_nobody_knows_is_refused_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let file = directory.path().join("sixgate.toml");
    let cases = [
        ("[http]\nlisten = \"127.0.0.1:0\"\n\n[mail]\nsender_nam = \"x\"\n", 5),
        ("[organisation]\nzone = \"Nowhere/Land\"\n", 2),
        ("[mail.smtp]\nhost = \"a.example\"\npasword = \"secret words\"\n", 3),
        ("nonsense\n", 1),
    ];
    for (text, line) in cases {
        fs::write(&file, text).unwrap();
        let config = file.to_str().unwrap();
        let words = ["serve", "--data", data.to_str().unwrap(), "--config", config];
        let why = run(&words).refused(2);
        assert!(why.contains(&format!("{config}, line {line}: ")), "{text}: {why}");
        assert!(!why.contains("secret words"), "{why}");
    }
    assert!(!data.exists(), "nothing is created by a refused start");
    let absent = ["serve", "--config", "/nowhere/sixgate.toml"];
    assert!(run(&absent).refused(2).contains("/nowhere/sixgate.toml"));
}

#[test]
fn looking_at_a_log_that_is_not_there_creates_none() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    for command in [
        &["log", "verify"][..],
        &["log", "stats"],
        &["person", "list"],
        &["log", "verify", "--json"],
    ] {
        let why = run(&words(command, &data)).refused(2);
        assert!(why.contains("holds no log"), "{command:?}: {why}");
    }
    assert!(!data.exists());
    let token = ["token", "issue", "--person", "5e1ec7ed-0000-4000-8000-000000000001"];
    assert!(run(&words(&token, &data)).refused(2).contains("holds no log"));
}

#[test]
fn an_address_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = tempfile::tempdir().unwrap();
    let why = run(&words(&["serve", "--listen", &address], data.path())).refused(2);
    assert!(why.contains(&format!("could not listen on {address}")), "{why}");
}

#[test]
fn a_file_is_read_into_json_whatever_it_is_called() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/src/demo/input/poc/starsea/all_reduce_perf.txt");
    for kind in ["auto", "nccl-tests"] {
        let read: Value = run(&["read", kind, file]).json();
        assert_eq!((&read["kind"], &read["complete"]), (&json!("nccl-tests"), &json!(true)));
    }
    assert_eq!(run(&["read", "quote", file]).code, Some(2));
}
