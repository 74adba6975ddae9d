//! Keeping the log: backups with and without a server, restores, compaction, and proof for outsiders.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::process::{Ran, program, run};
use crate::server::Server;
use crate::world::hire;

fn log(words: &[&str], data: &Path) -> Ran {
    run(&[&["log"], words, &["--json", "--data", data.to_str().unwrap()]].concat())
}

#[tokio::test]
async fn a_backup_of_a_running_server_becomes_the_same_log() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let admin = hire(&data, "admin", "admin");
    let auditor = hire(&data, "auditor", "auditor");
    let server = Server::serve(&data);
    let (file, second) = (place.path().join("backup"), place.path().join("second"));
    let url = format!("http://{}", server.address);
    let backup = |token: &str, file: &Path| {
        let words = ["log", "backup", "--json", "--url", &url, file.to_str().unwrap()];
        program(&words).env("SIXGATE_TOKEN", token).output().unwrap()
    };
    assert_eq!(backup(&auditor.token, &second).status.code(), Some(2));
    assert!(!second.exists());
    assert!(backup(&admin.token, &file).status.success());
    assert_eq!(backup(&admin.token, &file).status.code(), Some(2), "nothing is written over");
    let nobody = server.api.get("/log/export").send().await.unwrap();
    assert_eq!(nobody.status(), 401);
    // The server has the directory, and says so to whoever wants it otherwise.
    log(&["backup", second.to_str().unwrap()], &data).refused(2);
    log(&["compact"], &data).refused(2);
    server.terminate();

    let restored = place.path().join("restored");
    let counts = log(&["restore", file.to_str().unwrap()], &restored).json();
    let verified = log(&["verify"], &restored).json();
    assert_eq!(verified["ok"], true);
    assert_eq!(verified["head_hash"], counts["head_hash"]);
    assert_eq!(verified["head_hash"], log(&["verify"], &data).json()["head_hash"]);

    let whole = fs::read(&file).unwrap();
    fs::write(&second, &whole[..whole.len() - 1]).unwrap();
    let target = place.path().join("target");
    let told = log(&["import", second.to_str().unwrap()], &target).refused(1);
    assert!(told.contains("line ") && !target.exists(), "{told}");

    assert_eq!(log(&["compact", "--keep-old"], &data).json()["head_hash"], counts["head_hash"]);
    assert_eq!(log(&["verify"], &data).json()["head_hash"], counts["head_hash"]);
    let again = log(&["compact", "--keep-old"], &data).refused(2);
    assert!(again.contains("before-compaction"), "{again}");
}

#[tokio::test]
async fn a_bundle_is_proved_without_a_database() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let requester = hire(&data, "requester", "requester");
    let server = Server::serve(&data);
    let id = "5e1ec7ed-0000-4000-8000-00000000000a";
    let input = json!({ "commandId": id, "title": "inference" });
    server.api.command(&requester.token, "openProcurement", input).await;
    server.terminate();
    let key = log(&["checkpoint"], &data).json()["key"].as_str().unwrap().to_owned();
    let file = place.path().join("bundle");
    let name = file.to_str().unwrap();
    log(&["bundle", "--procurement", id, name], &data).succeeded();
    let verify = |key: &str| run(&["log", "verify", "--json", "--bundle", name, "--key", key]);
    let found = verify(&key).json();
    assert_eq!((&found["ok"], &found["key_given"]), (&json!(true), &json!(true)));
    assert_eq!(found["proved"]["stream"], format!("procurement-{id}"));
    assert_eq!(verify(&"0".repeat(64)).code, Some(1));
    let mut changed = fs::read(&file).unwrap();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(&file, changed).unwrap();
    let refused = verify(&key);
    assert_eq!((refused.code, &refused.json()["ok"]), (Some(1), &json!(false)));
}

#[tokio::test]
async fn a_missing_file_is_damage_and_an_orphan_is_not() {
    let data = tempfile::tempdir().unwrap();
    hire(data.path(), "admin", "admin");
    let shelf = data.path().join("blobs/00");
    fs::create_dir_all(&shelf).unwrap();
    fs::write(shelf.join("0".repeat(62)), "not what its name says").unwrap();
    let found = log(&["verify"], data.path());
    assert_eq!(found.code, Some(1));
    assert_eq!(found.json()["files"]["damaged"].as_array().unwrap().len(), 1);
    fs::remove_dir_all(&shelf).unwrap();
    fs::create_dir_all(data.path().join("blobs/e3")).unwrap();
    let empty = "b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    fs::write(data.path().join("blobs/e3").join(empty), "").unwrap();
    let found = log(&["verify"], data.path());
    assert_eq!((found.code, &found.json()["files"]["orphans"]), (Some(0), &json!(1)));
}
