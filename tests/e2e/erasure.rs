//! Somebody is erased: over the API, on the command line, and in what is left in the directory.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::run;
use crate::server::Server;
use crate::story;
use crate::world::{World, hire};

const READS: &str = "{ people { nodes { name mail active erased tokens { id } } }
    suppliers { nodes { contact } }
    board { nodes { needs { brief } history { nodes { data by { name } } } } }
    auditTrail(first: 100) { nodes { data } } }";

#[tokio::test]
async fn whom_an_admin_has_erased_nobody_reads_and_nothing_lets_in() {
    let world = World::open().await;
    let procurement = world.open_procurement("requester", "Serving cluster").await;
    let brief =
        json!({ "procurementId": procurement, "brief": story::brief("Gao Yun, +86 10 5550 1234") });
    world.command("requester", "recordBrief", brief).await;
    let supplier = world.register_supplier("Starsea").await;
    let before = world.ask("auditor", READS).await.to_string();
    let personal = ["林晓", "requester@example.com", "Gao Yun", "5550 1234", "Wang Ke", "Sun Wei"];
    assert!(personal.iter().all(|word| before.contains(word)), "{before}");

    let requester = world.person("requester").clone();
    let erased = json!({ "personId": requester.id });
    let payload = world.command("admin", "erasePerson", erased.clone()).await;
    assert!(payload["position"].is_number(), "{payload}");
    let again = world.refused("admin", "erasePerson", erased).await;
    assert_eq!(again["code"], "nothing_changes");
    let contact = json!({ "supplierId": supplier });
    world.command("admin", "eraseSupplierContact", contact).await;
    let contact = json!({ "procurementId": procurement });
    world.command("admin", "eraseProcurementContact", contact).await;

    let after = world.ask("auditor", READS).await;
    let people = after["people"]["nodes"].as_array().unwrap();
    let pseudonyms: Vec<&Value> = people.iter().filter(|person| person["erased"] == true).collect();
    assert_eq!(pseudonyms.len(), 1, "{people:?}");
    assert!(pseudonyms[0]["name"].as_str().unwrap().starts_with("erased-"));
    assert_eq!((&pseudonyms[0]["active"], &pseudonyms[0]["tokens"]), (&json!(false), &json!([])));
    let after = after.to_string();
    for word in personal {
        assert_eq!(after.contains(word), word == "Sun Wei", "{word}: {after}");
    }
    let answer = world.api.graphql(&requester.token, "{ me { name } }", json!({})).await;
    assert_eq!(answer.status, 401);
    let member = json!({ "procurementId": procurement, "personId": requester.id });
    assert_eq!(world.refused("manager", "addMember", member).await["code"], "no_such_person");
    let substitute = json!({
        "personId": world.person("legal").id, "substituteId": requester.id,
        "from": "2026-03-01", "until": "2026-03-10",
    });
    let refused = world.refused("legal", "nameSubstitute", substitute).await;
    assert_eq!(refused["code"], "no_such_person");
}

/// Files below a directory that hold a word, but for some folders.
fn files_with(directory: &Path, but: &[&str], word: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !but.iter().any(|folder| path.ends_with(folder)) {
                found.extend(files_with(&path, but, word));
            }
        } else if fs::read(&path).unwrap().windows(word.len()).any(|w| w == word.as_bytes()) {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_command_line_erases_and_the_log_stays_whole_with_and_without_its_keys() {
    let data = tempfile::tempdir().unwrap();
    let (admin, leaver) =
        (hire(data.path(), "admin", "admin"), hire(data.path(), "leaver", "legal"));
    let at = data.path().to_str().unwrap();
    let verify = || run(&["log", "verify", "--json", "--data", at]).json();
    let before = verify();
    let id = leaver.id.trim_start_matches("person_");
    run(&["person", "erase", id, "--data", at]).succeeded();
    let why = run(&["person", "erase", id, "--data", at]).refused(2);
    assert!(why.contains("nothing was changed"), "{why}");
    let listed = run(&["person", "list", "--json", "--data", at]).json();
    let of = |id: &str| {
        let people = listed.as_array().unwrap();
        people.iter().find(|person| person["id"] == id).unwrap()
    };
    assert_eq!((&of(id)["erased"], &of(id)["tokens"]), (&json!(true), &json!([])));
    let admins = of(admin.id.trim_start_matches("person_"));
    assert_eq!((&admins["name"], &admins["erased"]), (&json!("admin"), &json!(false)));
    let text = run(&["person", "list", "--data", at]).succeeded();
    assert!(text.contains("(erased)") && !text.contains("leaver"), "{text}");
    assert_eq!(files_with(data.path(), &[], "leaver@example.com"), Vec::<PathBuf>::new());

    // No key is needed to prove the log, only to read names in it.
    let keys = data.path().join("keys");
    let aside = data.path().join("keys.aside");
    fs::rename(&keys, &aside).unwrap();
    let after = verify();
    assert_eq!((&after["ok"], &before["ok"]), (&json!(true), &json!(true)));
    assert_eq!(after["commits"].as_u64(), before["commits"].as_u64().map(|commits| commits + 1));
    let refused = Server::refused(data.path());
    assert!(refused.errors.contains("key file"), "{refused:?}");
    fs::rename(&aside, &keys).unwrap();
    assert_eq!(Server::serve(data.path()).terminate().code, Some(0));
}

#[test]
fn the_demo_leaves_no_name_in_plain_words_but_in_mails_and_in_what_was_uploaded() {
    let data = tempfile::tempdir().unwrap();
    let played = run(&["demo", "--once", "--data", data.path().to_str().unwrap()]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let people = ["林晓", "周航", "陈启", "吴悦", "郑明", "Sun Wei", "He Jia", "Qian Lin", "冯洁"];
    let contacts = ["王珂", "刘畅", "赵雷", "@example.com"];
    for word in people.iter().chain(&contacts) {
        let found = files_with(data.path(), &["mail", "blobs"], word);
        assert_eq!(found, Vec::<PathBuf>::new(), "{word}");
    }
    assert!(!files_with(data.path(), &["mail", "blobs"], "星海算力").is_empty());
}
