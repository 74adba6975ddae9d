//! Mail that nobody takes: seen by whoever watches, by administrators and on the command line, and
//! sent once that is mended.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::run;
use crate::server::Server;
use crate::story;
use crate::world::{Ids, Person, World, hire};

/// A relay that says one thing in the place of one of its replies. It ends with the test.
fn relay(greeting: &'static str, recipient: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            // The other side may be gone by then, which is its business.
            let _ = converse(stream.unwrap(), greeting, recipient);
        }
    });
    port
}

fn converse(stream: TcpStream, greeting: &str, recipient: &str) -> std::io::Result<()> {
    let mut answers = stream.try_clone()?;
    answers.write_all(format!("{greeting}\r\n").as_bytes())?;
    for line in BufReader::new(stream).lines() {
        let reply = match line?.split_ascii_whitespace().next() {
            Some("RCPT") => recipient,
            Some("QUIT") => return answers.write_all(b"221 bye\r\n"),
            _ => "250 ok",
        };
        answers.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

fn serve_with(data: &Path, port: u16) -> Server {
    let configuration = data.join("sixgate.toml");
    let text = format!("[mail.smtp]\nhost = '127.0.0.1'\nport = {port}\nsecurity = 'none'\n");
    std::fs::write(&configuration, text).unwrap();
    let [data, configuration] = [data, &configuration].map(|path| path.to_str().unwrap());
    let words = ["serve", "--data", data, "--config", configuration, "--listen", "127.0.0.1:0"];
    Server::start(&words)
}

/// One procurement whose gate lacks two signatures, so that two letters are written.
async fn two_letters(server: &Server, runner: &Person) {
    let ids = Ids::default();
    let id = ids.fresh();
    let procurement = format!("procurement_{id}");
    let mut sizing = story::sizing(&procurement);
    sizing["commandId"] = json!(ids.fresh());
    let brief = json!({
        "commandId": ids.fresh(), "procurementId": procurement, "brief": story::brief("He Jia"),
    });
    let open = json!({ "commandId": id, "title": "Serving cluster" });
    for (mutation, input) in
        [("openProcurement", open), ("recordBrief", brief), ("recordSizing", sizing)]
    {
        server.api.command(&runner.token, mutation, input).await;
    }
}

const ROOM: &str = "{ mailRoom { relay trouble { why } waiting deadCount
    dead { kind letter { messageId status why to { name } } } } health { mailRelay } }";

/// Asks again, a bounded number of times, until the room is as it should be.
async fn until(server: &Server, runner: &Person, wanted: impl Fn(&Value) -> bool) -> Value {
    let mut asking = tokio::time::interval(Duration::from_millis(40));
    let mut seen = Value::Null;
    for _ in 0..2_000 {
        asking.tick().await;
        seen = server.api.ask(&runner.token, ROOM).await;
        if wanted(&seen["mailRoom"]) {
            return seen;
        }
    }
    panic!("the mail room never was as expected: {seen}")
}

#[tokio::test]
async fn a_relay_that_is_set_up_wrongly_is_told_to_whoever_watches_and_to_administrators() {
    let data = tempfile::tempdir().unwrap();
    let runner = hire(data.path(), "runner", "requester,procurement,admin");
    let server = serve_with(data.path(), relay("554 no service for you", "250 ok"));
    two_letters(&server, &runner).await;
    let seen = until(&server, &runner, |room| room["relay"] == "MISCONFIGURED").await;
    assert_eq!(seen["health"]["mailRelay"], "MISCONFIGURED");
    let why = seen["mailRoom"]["trouble"]["why"].as_str().unwrap();
    assert!(why.contains("no service for you"), "{seen}");
    let counts = (&seen["mailRoom"]["waiting"], &seen["mailRoom"]["deadCount"]);
    assert_eq!(counts, (&json!(2), &json!(0)), "two signatures are wanted");
    let health = server.api.get("/health").send().await.unwrap();
    assert_eq!(health.status().as_u16(), 200, "the process itself is well");
    assert_eq!(health.text().await.unwrap(), "ok\nmail: misconfigured\n");
    assert_eq!(server.terminate().code, Some(0));
}

#[tokio::test]
async fn a_dead_letter_is_listed_and_queued_again_on_the_command_line() {
    let data = tempfile::tempdir().unwrap();
    let directory = data.path().to_str().unwrap();
    let runner = hire(data.path(), "runner", "requester,procurement,admin");
    let none = run(&["mail", "dead", "--data", directory]);
    assert_eq!((none.code, none.output.trim()), (Some(0), ""));

    let server = serve_with(data.path(), relay("220 relay", "550 5.1.1 no such mailbox"));
    two_letters(&server, &runner).await;
    let seen = until(&server, &runner, |room| room["deadCount"] == 2).await;
    let letters = seen["mailRoom"]["dead"].as_array().unwrap().iter().map(|dead| &dead["letter"]);
    assert!(letters.clone().all(|letter| letter["status"] == "REFUSED"), "{seen}");
    let ids: Vec<String> =
        letters.map(|letter| letter["messageId"].as_str().unwrap().to_owned()).collect();
    assert_eq!(server.terminate().code, Some(0));

    let listed = run(&["mail", "dead", "--json", "--data", directory]);
    assert_eq!(listed.code, Some(1), "{listed:?}");
    assert_eq!(listed.json()["dead"][0]["message_id"], ids[0].as_str());
    let unknown = run(&["mail", "requeue", "none@example.com", "--data", directory]);
    assert!(unknown.refused(2).contains("no dead letter has this id"));
    let queued = run(&["mail", "requeue", "--all", "--data", directory]);
    assert_eq!((queued.code, queued.output.trim()), (Some(0), ids.join("\n").as_str()));

    // Without a relay it is written into the folder, under the Message-ID that it had.
    let server = Server::serve(data.path());
    until(&server, &runner, |room| room["waiting"] == 0 && room["deadCount"] == 0).await;
    for id in ids {
        assert!(data.path().join("mail").join(format!("{id}.eml")).exists(), "{id}");
    }
    assert_eq!(server.terminate().code, Some(0));
}

#[tokio::test]
async fn everybody_says_how_mail_reaches_them_within_what_must_be_said() {
    let world = World::open().await;
    let person = &world.person("finance").id;
    let wishes = json!({
        "personId": person, "frequency": "DAILY", "dailyAt": "10:30", "quietFrom": "20:00",
        "quietUntil": "07:30", "muted": ["WEEKLY_RECONCILIATION"],
    });
    world.command("finance", "setDelivery", wishes.clone()).await;
    let query = "{ me { delivery { frequency dailyAt quietFrom quietUntil muted } } }";
    let kept = world.ask("finance", query).await;
    let mut expected = wishes.clone();
    expected.as_object_mut().unwrap().remove("personId");
    assert_eq!(kept["me"]["delivery"], expected);
    let others = world.ask("legal", "{ people { nodes { id delivery { frequency } } } }").await;
    let shown = others["people"]["nodes"].as_array().unwrap();
    let visible = shown.iter().filter(|person| !person["delivery"].is_null());
    assert_eq!(visible.count(), 1, "only one's own");
    for (field, value) in [
        ("muted", json!(["SLA_BREACH"])),
        ("dailyAt", json!("25:00")),
        ("quietUntil", json!("20:00")),
        ("quietUntil", Value::Null),
        ("frequency", json!("IMMEDIATE")),
    ] {
        let mut bad = wishes.clone();
        bad[field] = value;
        let refused = world.refused("finance", "setDelivery", bad.clone()).await;
        assert_eq!(refused["code"], "invalid_value", "{bad}: {refused}");
    }
}
