//! Where the story is played: a served engine, a clock set by hand, and checked API calls.

use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::{Value, json};
use sixgate_engine::{Engine, clock::SetClock};
use sixgate_graphql::front_door::Options;
use sixgate_workflows::calendar;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use uuid::Uuid;

use super::{client::Client, inputs, organisation::Person};

pub(super) struct Theatre {
    pub(super) engine: Arc<Engine>,
    clock: Arc<SetClock>,
    client: Client,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// Monday, 5 January 2026, nine o'clock in Shanghai.
pub(super) fn opening_time() -> DateTime<Utc> {
    local("2026-01-05 09:00")
}

/// A local time of the sample organisation.
pub(super) fn local(text: &str) -> DateTime<Utc> {
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M")
        .expect("the times of the story are written as times");
    calendar::instant(time, chrono_tz::Asia::Shanghai)
}

impl Theatre {
    /// Serves the engine on a free port of this machine, through the same doors as ever.
    pub(super) async fn open(engine: Arc<Engine>, clock: Arc<SetClock>) -> anyhow::Result<Self> {
        let listener =
            TcpListener::bind("127.0.0.1:0").await.context("no port is free on the loopback")?;
        let client = Client::new(listener.local_addr()?)?;
        let app = sixgate_graphql::app(Arc::clone(&engine), Options::default());
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            axum::serve(listener, app)
                .with_graceful_shutdown(async {
                    let _ = stopped.await;
                })
                .await
        });
        Ok(Self { engine, clock, client, stop, serving })
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        // The client keeps connections open, which would keep the server from ending.
        drop(self.client);
        let _ = self.stop.send(());
        self.serving.await??;
        Ok(())
    }

    /// Puts the clock forward and lets everything happen that is due by then.
    pub(super) async fn at(&self, time: &str) -> anyhow::Result<()> {
        self.clock.set(local(time));
        self.settle().await
    }

    pub(super) async fn settle(&self) -> anyhow::Result<()> {
        self.engine.settle().await.context("what was due could not be carried out")?;
        Ok(())
    }

    pub(super) async fn ask(&self, person: &Person, query: &str) -> anyhow::Result<Value> {
        self.client.graphql(&person.token, query, json!({})).await
    }

    /// Sends a command that has to be accepted.
    pub(super) async fn command(
        &self,
        person: &Person,
        mutation: &str,
        input: Value,
    ) -> anyhow::Result<()> {
        let errors = self.send(person, mutation, input).await?;
        ensure!(errors.is_empty(), "{mutation} by {}: {}", person.name, Value::Array(errors));
        Ok(())
    }

    /// Sends a command that has to be rejected with this code.
    pub(super) async fn rejected(
        &self,
        person: &Person,
        mutation: &str,
        input: Value,
        code: &str,
    ) -> anyhow::Result<()> {
        let errors = self.send(person, mutation, input).await?;
        match errors.first().and_then(|error| error["code"].as_str()) {
            Some(found) if found == code => Ok(()),
            Some(found) => bail!("{mutation} by {}: {found} instead of {code}", person.name),
            None => bail!("{mutation} by {}: accepted instead of {code}", person.name),
        }
    }

    async fn send(
        &self,
        person: &Person,
        mutation: &str,
        mut input: Value,
    ) -> anyhow::Result<Vec<Value>> {
        if input.get("commandId").is_none() {
            input["commandId"] = json!(sixgate_engine::ids::fresh());
        }
        let input_type = input_type(mutation);
        let query = format!(
            "mutation($input: {input_type}!) {{ {mutation}(input: $input) {{ position \
             userErrors {{ code message blockers {{ criterion reason canBeMetBy }} }} }} }}"
        );
        let data = self
            .client
            .graphql(&person.token, &query, json!({ "input": input }))
            .await
            .with_context(|| format!("{mutation} by {}", person.name))?;
        Ok(data[mutation]["userErrors"].as_array().cloned().unwrap_or_default())
    }

    /// Uploads one of the demo's input files; what a command refers to it by.
    pub(super) async fn upload(&self, person: &Person, path: &str) -> anyhow::Result<Value> {
        let bytes = inputs::file(path)?;
        let hash = self.client.upload(&person.token, bytes).await?;
        let name = path.rsplit('/').next().unwrap_or(path);
        Ok(json!({ "hash": hash, "name": name }))
    }

    /// Signs the present gate in the version that it shows.
    pub(super) async fn sign(
        &self,
        person: &Person,
        procurement: &str,
        function: &str,
    ) -> anyhow::Result<()> {
        let query = format!("{{ procurement(id: \"{procurement}\") {{ gate {{ version }} }} }}");
        let seen = self.ask(person, &query).await?;
        let version = &seen["procurement"]["gate"]["version"];
        let input =
            json!({ "procurementId": procurement, "function": function, "version": version });
        self.command(person, "signOff", input).await
    }

    pub(super) async fn advance(&self, person: &Person, procurement: &str) -> anyhow::Result<()> {
        self.command(person, "advance", json!({ "procurementId": procurement })).await
    }

    /// Opens a procurement under an id that this command gives it.
    pub(super) async fn open_procurement(
        &self,
        person: &Person,
        title: &str,
    ) -> anyhow::Result<String> {
        let id: Uuid = sixgate_engine::ids::fresh();
        let input = json!({ "commandId": id, "title": title });
        self.command(person, "openProcurement", input).await?;
        Ok(format!("procurement_{id}"))
    }
}

/// Most inputs are named after their mutation; some commands share one.
fn input_type(mutation: &str) -> String {
    match mutation {
        "advance" | "resume" | "close" | "adoptPolicy" => "ProcurementInput".to_owned(),
        "hold" | "cancel" => "ReasonInput".to_owned(),
        "addMember" | "removeMember" => "MemberInput".to_owned(),
        "addCandidate" | "reviewQualifications" => "CandidateInput".to_owned(),
        "recordBaseline" => "FinalistInput".to_owned(),
        "recordUsage" | "recordBill" => "RecordFeedInput".to_owned(),
        other => {
            let (first, rest) = other.split_at(1);
            format!("{}{rest}Input", first.to_uppercase())
        }
    }
}
