//! `POST /graphql`, as a friend and as a stranger would use it.
//!
//! The rule: a refusal is asserted by status and code together, and every hostile request is
//! followed by an ordinary one.
//! It deliberately does not repeat the guard's own tests; see `guard/tests.rs`.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixgate_graphql::front_door::{Options, authenticate};
use sixgate_graphql::guard::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::world::{World, answer, bombs};

fn impatient() -> Options {
    let request_timeout = Duration::from_millis(500);
    Options { request_timeout, concurrent_requests: 1, ..Options::default() }
}

#[tokio::test]
async fn queries_commands_and_batches_are_answered() {
    let world = World::open().await;
    let one = world.ask("{ viewer }").await;
    assert_eq!((one.status, &one.body), (200, &json!({ "data": { "viewer": "ada" } })));
    assert_eq!(one.headers["content-type"], "application/json");
    assert_eq!(one.headers["cache-control"], "no-store");
    assert_eq!(one.headers["x-content-type-options"], "nosniff");

    let named = json!({
        "query": "query a { viewer } query b($text: String!) { length(text: $text) }",
        "operationName": "b", "variables": { "text": "{[(" }, "extensions": { "x": 1 },
    });
    assert_eq!(answer(world.post().json(&named)).await.body["data"]["length"], 3);

    let batch = json!([{ "query": "mutation { count }" }, { "query": "mutation { count }" }]);
    let both = answer(world.post().json(&batch)).await;
    assert_eq!(both.body, json!([{ "data": { "count": 1 } }, { "data": { "count": 2 } }]));
    let alone = answer(world.post().json(&json!([{ "query": "{ viewer }" }]))).await;
    assert_eq!(alone.body, json!([{ "data": { "viewer": "ada" } }]));
}

#[tokio::test]
async fn bombs_are_refused_quickly_and_the_house_stays_up() {
    let world = World::open().await;
    world.is_alive().await;
    for (bomb, code) in bombs() {
        let start = Instant::now();
        let answer = world.ask(&bomb).await;
        let took = start.elapsed();
        assert_eq!(answer.code(), (400, code), "{}", &bomb[..40]);
        assert!(took < Duration::from_secs(2), "{code} took {took:?}");
        println!("{code}: {} bytes refused in {took:?}", bomb.len());
        world.is_alive().await;
    }
}

#[tokio::test]
async fn what_the_guard_lets_through_stays_cheap() {
    let world = World::open().await;
    let wide = "viewer ".repeat(900);
    let spread =
        format!("{{{}}} fragment f on Query{{{}}}", "...f ".repeat(50), "viewer ".repeat(90));
    let variables: String = (0..2_500).map(|n| format!("$v{n}:Int ")).collect();
    let unknown: String = (0..4_000).map(|n| format!("a{n}:1 ")).collect();
    let chain: String = (1..29)
        .map(|n| {
            format!("fragment f{n} on Query{{...f{} {}}}", n + 1, "length(text:\"a\")".repeat(30))
        })
        .collect();
    let operations: String = (0..10).map(|n| format!("query q{n}{{...f15}}")).collect();
    let listed = format!("{{length(text:[{}])}}", "1 ".repeat(15_000));
    for heavy in [
        format!("{{{wide}}}"),
        spread,
        format!("query({variables}){{viewer}}"),
        listed,
        format!("{{length({unknown})}}"),
        format!("{operations}{chain}fragment f29 on Query{{viewer}}"),
        format!("{{{}}}", "items{items{items{items{items{name}}}}}".repeat(60)),
    ] {
        let start = Instant::now();
        let answer = world.ask(&heavy).await;
        let took = start.elapsed();
        println!("{} bytes answered {} in {took:?}: {}", heavy.len(), answer.status, &heavy[..30]);
        assert!(took < Duration::from_secs(5), "{took:?} for {}", &heavy[..40]);
    }
    world.is_alive().await;
}

#[tokio::test]
async fn common_tools_may_still_introspect() {
    let world = World::open().await;
    let query = "query IntrospectionQuery { __schema { queryType { name } mutationType { name } \
        subscriptionType { name } types { ...FullType } directives { name description locations \
        args { ...InputValue } } } } \
        fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name \
        description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } \
        inputFields { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) \
        { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } } \
        fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue } \
        fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind \
        name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { \
        kind name ofType { kind name } } } } } } } } } }";
    let answer = world.ask(query).await;
    assert_eq!(answer.body["errors"], Value::Null);
    assert_eq!(answer.body["data"]["__schema"]["queryType"]["name"], "Query");
}

#[tokio::test]
async fn only_post_is_answered_and_a_get_runs_nothing() {
    let world = World::open().await;
    let address = format!("http://{}/graphql", world.address);
    let get = world
        .client
        .get(format!("{address}?query=mutation%7Bcount%7D"))
        .bearer_auth("token-of-ada");
    let refused = answer(get).await;
    assert_eq!(refused.code(), (405, "method_not_allowed"));
    assert_eq!(refused.headers["allow"], "POST");
    for method in [reqwest::Method::PUT, reqwest::Method::DELETE, reqwest::Method::OPTIONS] {
        assert_eq!(answer(world.client.request(method, &address)).await.status, 405);
    }
    assert_eq!(world.house.commands.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn only_json_is_read() {
    let world = World::open().await;
    let body = json!({ "query": "mutation { count }" }).to_string();
    for media_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json2",
        "application/graphql",
        "application/json, text/plain",
        "application/json; charset=utf-16",
        "",
    ] {
        let request = world.client.post(format!("http://{}/graphql", world.address));
        let request = request.bearer_auth("token-of-ada").header("content-type", media_type);
        let refused = answer(request.body(body.clone())).await;
        assert_eq!(refused.code(), (415, "media_type_not_supported"), "{media_type}");
    }
    let zipped = answer(world.post().header("content-encoding", "gzip").body(body.clone())).await;
    assert_eq!(zipped.status, 415);
    assert_eq!(world.house.commands.load(Ordering::SeqCst), 0);
    for media_type in ["application/json; charset=UTF-8", "application/graphql-response+json"] {
        let request = world.client.post(format!("http://{}/graphql", world.address));
        let request = request.bearer_auth("token-of-ada").header("content-type", media_type);
        assert_eq!(answer(request.body(body.clone())).await.status, 200, "{media_type}");
    }
}

#[tokio::test]
async fn the_newer_media_type_gets_its_status() {
    let world = World::open().await;
    let accept = |query: &str| {
        let request = world.post().header("accept", "application/graphql-response+json");
        request.body(json!({ "query": query }).to_string())
    };
    let good = answer(accept("{ viewer }")).await;
    assert_eq!(good.headers["content-type"], "application/graphql-response+json");
    assert_eq!(answer(accept("{ nothing }")).await.code(), (400, "query_invalid"));
    assert_eq!(world.ask("{ nothing }").await.code(), (200, "query_invalid"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let limits = Limits { body_bytes: 4_096, ..Limits::default() };
    let world = World::with(Options { limits, ..Options::default() }).await;
    let long = json!({ "query": "{ viewer }", "variables": { "x": "y".repeat(5_000) } });
    assert_eq!(answer(world.post().json(&long)).await.code(), (413, "body_too_large"));

    // A body of unknown length is counted as it arrives; this one never ends by itself.
    let mut raw = TcpStream::connect(&world.address).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         authorization: Bearer token-of-ada\r\ntransfer-encoding: chunked\r\n\r\n",
        world.address
    );
    raw.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..3 {
        raw.write_all(format!("800\r\n{}\r\n", "x".repeat(2_048)).as_bytes()).await.unwrap();
    }
    assert!(first_line(&mut raw).await.starts_with("HTTP/1.1 413"));
    world.is_alive().await;
}

async fn first_line(raw: &mut TcpStream) -> String {
    let mut start = vec![0; 64];
    raw.read_exact(&mut start).await.unwrap();
    String::from_utf8_lossy(&start).lines().next().unwrap().to_owned()
}

#[tokio::test]
async fn a_batch_has_a_limit() {
    let world = World::open().await;
    for count in [0, 11, 3_000] {
        let batch = vec![json!({ "query": "mutation { count }" }); count];
        let refused = answer(world.post().json(&batch)).await;
        assert_eq!(refused.code(), (400, "batch_too_large"), "{count}");
    }
    assert_eq!(world.house.commands.load(Ordering::SeqCst), 0);
    let mixed = json!([{ "query": "mutation { count }" }, { "query": "{" }]);
    let refused = answer(world.post().json(&mixed)).await;
    assert_eq!(refused.code(), (400, "query_malformed"));
    assert_eq!(world.house.commands.load(Ordering::SeqCst), 0, "a batch runs whole or not at all");
}

#[tokio::test]
async fn pages_of_other_sites_are_refused() {
    let allowed_origins = vec!["https://console.example".to_owned()];
    let world = World::with(Options { allowed_origins, ..Options::default() }).await;
    let own = format!("http://{}", world.address);
    let body = json!({ "query": "{ viewer }" }).to_string();
    let lookalike = format!("http://{}.evil.test", world.address);
    for evil in ["https://evil.test", "null", "", &lookalike, "https://console.example.evil.test"] {
        let refused = answer(world.post().header("origin", evil).body(body.clone())).await;
        assert_eq!(refused.code(), (403, "origin_not_allowed"), "{evil}");
    }
    let two = world.post().header("origin", &own).header("origin", "https://evil.test");
    assert_eq!(answer(two.body(body.clone())).await.status, 403);
    for fine in [own.as_str(), "https://console.example"] {
        let request = world.post().header("origin", fine).body(body.clone());
        assert_eq!(answer(request).await.status, 200, "{fine}");
    }
}

#[tokio::test]
async fn without_a_valid_token_not_even_the_body_is_looked_at() {
    let world = World::open().await;
    world.revoke("bob");
    for authorization in [
        None,
        Some("Bearer wrong"),
        Some("Bearer token-of-bob"),
        Some("Bearer "),
        Some("Basic token-of-ada"),
        Some("token-of-ada"),
    ] {
        for body in ["{ not json", "{\"query\":\"{viewer}\"}"] {
            let mut request = world
                .client
                .post(format!("http://{}/graphql", world.address))
                .header("content-type", "application/json");
            if let Some(value) = authorization {
                request = request.header("authorization", value);
            }
            let refused = answer(request.body(body)).await;
            assert_eq!(refused.code(), (401, "unauthenticated"), "{authorization:?}");
            assert_eq!(refused.headers["www-authenticate"], "Bearer");
            assert_eq!(refused.headers["cache-control"], "no-store");
        }
    }
    let twice = world.post().header("authorization", "Bearer token-of-bob").body("{}");
    assert_eq!(answer(twice).await.status, 401);
}

#[tokio::test]
async fn a_token_too_long_is_never_looked_up() {
    let world = World::open().await;
    let token = format!("token-of-{}", "a".repeat(600));
    let request = world.client.post(format!("http://{}/graphql", world.address));
    let request = request.bearer_auth(token).header("content-type", "application/json");
    assert_eq!(answer(request.body("{}")).await.status, 401);
    assert_eq!(world.house.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn other_routes_share_the_way_in() {
    let world = World::open().await;
    let mut headers = axum::http::HeaderMap::new();
    let refused = authenticate(&*world.house, &headers).await.unwrap_err();
    assert_eq!(refused.status(), 401);
    headers.insert("authorization", "bearer token-of-ada".parse().unwrap());
    assert_eq!(authenticate(&*world.house, &headers).await.unwrap().0, "ada");
}

#[tokio::test]
async fn a_body_that_is_not_a_request_is_explained() {
    let world = World::open().await;
    for body in [
        "",
        "{",
        "{\"query\"",
        "null",
        "5",
        "[1]",
        "{}",
        "{\"query\":5}",
        "{\"query\":null}",
        "{\"query\":\"{viewer}\",\"query\":\"{viewer}\"}",
        "{\"query\":\"{viewer}\",\"variables\":[]}",
        "\u{feff}{}",
        "{\"query\":\"{viewer}\"} trailing",
    ] {
        let refused = answer(world.post().body(body)).await;
        assert_eq!(refused.code(), (400, "request_malformed"), "{body}");
        let message = refused.body["errors"][0]["message"].as_str().unwrap();
        assert!(!message.contains("Error(") && !message.contains("serde"), "{message}");
    }
    let bytes = answer(world.post().body(vec![0xff, 0xfe])).await;
    assert_eq!(bytes.code(), (400, "request_malformed"));
}

#[tokio::test]
async fn variables_may_not_nest_too_deeply() {
    let world = World::open().await;
    let query = "query($date: JSON) { day(date: $date) }";
    for depth in [65, 120, 5_000, 400_000] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let body = format!("{{\"query\":\"{query}\",\"variables\":{{\"date\":{open}{close}}}}}");
        assert_eq!(answer(world.post().body(body)).await.code(), (400, "json_too_deep"));
        world.is_alive().await;
    }
    let odd = json!({ "query": "{ viewer }", "variables": { "a b": 1, "": 2, "é": [1e300] } });
    assert_eq!(answer(world.post().json(&odd)).await.status, 200);
}

#[tokio::test]
async fn internal_failures_are_named_but_not_told() {
    let world = World::open().await;
    for (query, status, code) in [
        ("{ leaks }", 200, "internal"),
        ("{ uncoded }", 200, "internal"),
        ("{ panics }", 500, "internal"),
        ("{ refuses }", 200, "not_found"),
        ("{ day(date: 1, zone: \"x\") }", 200, "argument_invalid"),
        ("{ viewr }", 200, "query_invalid"),
        ("subscription { three }", 200, "query_invalid"),
    ] {
        let answer = world.ask(query).await;
        assert_eq!(answer.code(), (status, code), "{query}: {}", answer.body);
        assert!(!answer.body.to_string().contains("hunter2"), "{}", answer.body);
        assert!(!answer.body.to_string().contains("Did you mean"), "{}", answer.body);
        let incident = &answer.body["errors"][0]["extensions"]["incident"];
        assert_eq!(incident == "incident-1", code == "internal", "{query}");
    }
    let kept = world.ask("{ refuses }").await;
    assert_eq!(kept.body["errors"][0]["message"], "no such thing");
    world.is_alive().await;
}

#[tokio::test]
async fn a_query_without_end_is_given_up_and_frees_its_place() {
    let world = World::with(impatient()).await;
    let given_up = world.ask("{ never }").await;
    assert_eq!(given_up.code(), (503, "timed_out"));
    assert_eq!(given_up.headers["retry-after"], "5");
    world.is_alive().await;
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_not_cut_in_half() {
    let world = World::with(impatient()).await;
    assert_eq!(world.ask("mutation { slow }").await.code(), (503, "timed_out"));
    let busy = world.ask("{ viewer }").await;
    assert_eq!(busy.code(), (503, "busy"), "the command still holds the only place");
    assert_eq!(busy.headers["retry-after"], "1");
    world.house.gate.add_permits(1);
    world.house.done.notified().await;
    world.is_alive().await;
    assert_eq!(world.house.commands.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_body_that_never_comes_is_given_up() {
    let world = World::with(impatient()).await;
    let mut raw = TcpStream::connect(&world.address).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         authorization: Bearer token-of-ada\r\ncontent-length: 100\r\n\r\n{{",
        world.address
    );
    raw.write_all(head.as_bytes()).await.unwrap();
    assert!(first_line(&mut raw).await.starts_with("HTTP/1.1 408"));
}

#[tokio::test]
async fn health_needs_no_token() {
    let world = World::open().await;
    let request = world.client.get(format!("http://{}/health", world.address));
    assert_eq!(answer(request).await.status, 200);
}
