//! Evidence files: they come back byte by byte, within their bound, and only for people with a token.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::story;
use crate::world::World;

const LIMIT: usize = 64 * 1024 * 1024;

#[tokio::test]
async fn a_file_comes_back_as_it_was_uploaded() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "With a file").await;
    let bytes = story::file("brief.zh.txt");
    let file = world.api.upload(world.token("requester"), "brief.zh.txt", &bytes).await;
    let again = world.api.upload(world.token("operations"), "other name", &bytes).await;
    assert_eq!(file["hash"], again["hash"], "the same bytes are the same file");
    let path = format!("/evidence/{}", file["hash"].as_str().unwrap());
    let download = || world.api.get(&path).bearer_auth(world.token("requester")).send();
    assert_eq!(download().await.unwrap().status(), 404, "nothing refers to it yet");

    let brief = json!({ "procurementId": id, "file": file });
    world.command("requester", "recordBrief", brief).await;
    let answer = download().await.unwrap();
    assert_eq!(answer.status(), 200);
    for (name, value) in
        [("content-disposition", "attachment"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(answer.headers()[name], value);
    }
    assert_eq!(answer.bytes().await.unwrap(), bytes);
    let source =
        format!("{{ procurement(id: \"{id}\") {{ needs {{ briefSource {{ hash name }} }} }} }}");
    assert_eq!(world.ask("requester", &source).await["procurement"]["needs"]["briefSource"], file);
}

#[tokio::test]
async fn a_command_that_names_a_file_nobody_uploaded_is_refused() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Without a file").await;
    let file = json!({ "hash": "0".repeat(64), "name": "brief.txt" });
    let brief = json!({ "procurementId": id, "file": file });
    assert_eq!(world.refused("requester", "recordBrief", brief).await["code"], "invalid_value");
    let supplier = world.register_supplier("Starsea").await;
    let certificate = json!({
        "supplierId": supplier, "qualification": "MLPS", "number": "1", "expiresOn": "2099-12-31",
        "document": file,
    });
    let refused = world.refused("procurement", "recordCertificate", certificate).await;
    assert_eq!(refused["code"], "invalid_value");
    let no_hash = json!({ "procurementId": id, "file": { "hash": "x", "name": "brief.txt" } });
    assert_eq!(world.refused("requester", "recordBrief", no_hash).await["code"], "invalid_value");
}

#[tokio::test]
async fn a_file_that_is_not_what_it_should_be_is_refused_with_a_reason() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Wrong file").await;
    let token = world.token("requester");
    for (name, bytes) in
        [("noise", &[0_u8, 159, 146, 150][..]), ("words", &b"nothing of the kind"[..])]
    {
        let file = world.api.upload(token, name, bytes).await;
        let input = json!({ "procurementId": id, "file": file });
        let refused = world.refused("requester", "recordBrief", input).await;
        assert!(!refused["message"].as_str().unwrap().is_empty(), "{refused}");
        assert_ne!(refused["code"], "invalid_value", "{refused}");
    }
}

#[tokio::test]
async fn a_file_larger_than_the_limit_is_refused() {
    let world = World::open().await;
    let upload = |bytes: usize| {
        let request = world.api.post("/evidence").bearer_auth(world.token("requester"));
        request.body(vec![b'x'; bytes]).send()
    };
    let largest = upload(LIMIT).await.unwrap();
    assert_eq!(largest.status(), 201);
    let answer: Value = largest.json().await.unwrap();
    assert_eq!(answer["bytes"], LIMIT);
    let refused = upload(LIMIT + 1).await.unwrap();
    assert_eq!(refused.status(), 413);
    let answer: Value = refused.json().await.unwrap();
    assert_eq!(answer["error"]["code"], "body_too_large");
    let empty = upload(0).await.unwrap();
    assert_eq!(empty.status(), 400);
}

#[tokio::test]
async fn an_upload_without_a_token_is_refused_before_its_body_is_read() {
    let world = World::open().await;
    for header in ["", "Authorization: Bearer wrong\r\n"] {
        let mut stream = TcpStream::connect(&world.server.address).await.unwrap();
        let head = format!(
            "POST /evidence HTTP/1.1\r\nHost: localhost\r\n{header}Content-Length: 1000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // Not a byte of the body is ever sent, so only a server that does not want it answers.
        let mut answer = [0; 12];
        let read = stream.read_exact(&mut answer);
        tokio::time::timeout(Duration::from_secs(60), read).await.unwrap().unwrap();
        assert_eq!(&answer, b"HTTP/1.1 401");
    }
    for (who, status) in [("auditor", 403), ("admin", 403), ("legal", 201)] {
        let request = world.api.post("/evidence").bearer_auth(world.token(who)).body("a file");
        assert_eq!(request.send().await.unwrap().status(), status, "{who}");
    }
}
