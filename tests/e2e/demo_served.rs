//! The served demo: a whole organisation to look around in, whose time does not depend on today.

use serde_json::{Value, json};

use crate::server::Server;

struct Served {
    server: Server,
}

impl Served {
    fn demo() -> Self {
        Self { server: Server::start(&["demo", "--listen", "127.0.0.1:0"]) }
    }

    /// The token of a person, as it was printed beside their name and functions.
    fn token(&self, word: &str) -> &str {
        let mut lines = self.server.said.iter().filter(|line| !line.contains("curl"));
        let line = lines.find(|line| line.split_whitespace().any(|part| part == word));
        let line = line.unwrap_or_else(|| panic!("no {word}: {:?}", self.server.said));
        line.split_whitespace().last().unwrap()
    }

    async fn ask(&self, word: &str, query: &str) -> Value {
        self.server.api.ask(self.token(word), query).await
    }

    /// The procurement that went through all stages.
    async fn full_case(&self) -> String {
        let seen = self.ask("auditor", "{ board(phase: CLOSED) { nodes { id } } }").await;
        seen["board"]["nodes"][0]["id"].as_str().unwrap().to_owned()
    }

    async fn about_full_case(&self, fields: &str) -> Value {
        let query = format!("{{ procurement(id: \"{}\") {{ {fields} }} }}", self.full_case().await);
        self.ask("auditor", &query).await["procurement"].take()
    }
}

#[tokio::test]
async fn it_tells_whom_to_be_and_what_to_ask() {
    let demo = Served::demo();
    let said = demo.server.said.join("\n");
    let board = "{ board { totalCount } }";
    for (who, count) in [("manager", 3), ("auditor", 3), ("林晓", 2), ("周航", 2)] {
        assert_eq!(demo.ask(who, board).await["board"]["totalCount"], count, "{who}");
    }
    let mut tried = 0;
    for (_, body) in said.lines().filter_map(|line| line.split_once("-d '")) {
        let body: Value = serde_json::from_str(body.trim_end_matches('\'')).unwrap();
        let seen = demo.ask("auditor", body["query"].as_str().unwrap()).await;
        assert!(seen.is_object());
        tried += 1;
    }
    assert_eq!(tried, 3, "{said}");
    assert!(said.contains(&format!("http://{}/graphql", demo.server.address)), "{said}");
    assert_eq!(demo.server.terminate().code, Some(0));
}

#[tokio::test]
async fn the_full_case_shows_what_each_stage_was_left_on() {
    let demo = Served::demo();
    let seen = demo
        .about_full_case(
            "phase passedStages { stage } checklist { id status since because { position } }
             checklistCounts { met } shortlist { candidates { supplier { name } qualified } }
             poc { finalists { supplier { name } verdict { overall } explanation { text } } }",
        )
        .await;
    let stages = ["NEEDS", "BUDGET", "SHORTLIST", "POC", "NEGOTIATION", "OPERATION"];
    let passed = stages.map(|stage| json!({ "stage": stage }));
    assert_eq!(seen["passedStages"], json!(passed));
    assert_eq!(seen["checklistCounts"]["met"], 10);
    for item in seen["checklist"].as_array().unwrap() {
        assert_eq!(item["status"], "MET", "{item}");
        assert!(item["since"].is_string() && item["because"]["position"].is_u64(), "{item}");
    }
    let verdicts: Vec<&Value> = seen["poc"]["finalists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finalist| &finalist["verdict"]["overall"])
        .collect();
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "PASS").count(), 2, "{verdicts:?}");
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "FAIL").count(), 1, "{verdicts:?}");

    let seen = demo
        .about_full_case(
            "negotiation { awards { role sharePercent } contracts { endsOn document { hash } } }
             operation { incidents { severity endedAt } reviews { quarter actions { what } }
             availability(monthOf: \"2026-03-15\") { availabilityPercent promisedPercent }
             bills { billed { amount currency } } outcome }",
        )
        .await;
    let operation = &seen["operation"];
    assert_eq!(operation["outcome"], "RENEWED");
    assert_eq!(operation["reviews"][0]["quarter"], "2026-Q1");
    assert_eq!(operation["incidents"][0]["severity"], "P0");
    assert_eq!(operation["availability"].as_array().unwrap().len(), 2);
    assert_eq!(seen["negotiation"]["awards"].as_array().unwrap().len(), 2);
    for contract in seen["negotiation"]["contracts"].as_array().unwrap() {
        let path = format!("/evidence/{}", contract["document"]["hash"].as_str().unwrap());
        let request = demo.server.api.get(&path).bearer_auth(demo.token("auditor"));
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
}

#[tokio::test]
async fn the_full_case_can_be_seen_as_it_stood_on_any_day() {
    let demo = Served::demo();
    let id = demo.full_case().await;
    let days = [
        ("2026-01-07", "NEEDS", "ACTIVE"),
        ("2026-01-10", "BUDGET", "ACTIVE"),
        ("2026-01-15", "SHORTLIST", "ACTIVE"),
        ("2026-01-25", "POC", "ACTIVE"),
        ("2026-02-25", "NEGOTIATION", "ACTIVE"),
        ("2026-03-15", "OPERATION", "ACTIVE"),
        ("2026-04-09", "OPERATION", "CLOSED"),
    ];
    let mut met = Vec::new();
    for (day, stage, phase) in days {
        let query = format!(
            "{{ procurement(id: \"{id}\", asOf: {{ time: \"{day}T00:00:00Z\" }})
             {{ stage phase checklistCounts {{ met }} }} }}"
        );
        let seen = demo.ask("auditor", &query).await["procurement"].take();
        assert_eq!((&seen["stage"], &seen["phase"]), (&json!(stage), &json!(phase)), "{day}");
        met.push(seen["checklistCounts"]["met"].as_u64().unwrap());
    }
    assert!(met.is_sorted() && met[0] < 2 && met.ends_with(&[10]), "{met:?}");
    let before = format!(
        "{{ procurement(id: \"{id}\", asOf: {{ time: \"2026-01-05T00:00:00Z\" }}) {{ id }} }}"
    );
    assert_eq!(demo.ask("auditor", &before).await["procurement"], Value::Null);
}

#[tokio::test]
async fn every_letter_of_the_full_case_is_shown_as_sent_once() {
    let demo = Served::demo();
    let fields = "reminders { kind firedAt letters { messageId status attempts to { name } } }";
    let seen = demo.about_full_case(fields).await;
    let letters: Vec<&Value> = seen["reminders"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|reminder| reminder["letters"].as_array().unwrap())
        .collect();
    assert!(letters.len() > 50, "{}", letters.len());
    for letter in letters {
        assert_eq!((&letter["status"], &letter["attempts"]), (&json!("SENT"), &json!(1)));
        assert!(letter["to"]["name"].is_string(), "{letter}");
    }
}
