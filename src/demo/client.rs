//! A client of the public API: what anybody could write against it.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

pub(super) struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    pub(super) fn new(address: SocketAddr) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(60))
            .build()
            .context("no HTTP client")?;
        Ok(Self { http, base: format!("http://{address}") })
    }

    /// The `data` of an answer without errors.
    pub(super) async fn graphql(
        &self,
        token: &str,
        query: &str,
        variables: Value,
    ) -> anyhow::Result<Value> {
        let answer: Value = self
            .http
            .post(format!("{}/graphql", self.base))
            .bearer_auth(token)
            .json(&json!({ "query": query, "variables": variables }))
            .send()
            .await?
            .json()
            .await?;
        if let Some(errors) = answer.get("errors") {
            bail!("the API answered with errors: {errors}");
        }
        Ok(answer["data"].clone())
    }

    pub(super) async fn upload(&self, token: &str, bytes: &'static [u8]) -> anyhow::Result<String> {
        let answer: Value = self
            .http
            .post(format!("{}/evidence", self.base))
            .bearer_auth(token)
            .body(bytes)
            .send()
            .await?
            .json()
            .await?;
        ensure!(answer["hash"].is_string(), "the upload was refused: {answer}");
        Ok(answer["hash"].as_str().unwrap_or_default().to_owned())
    }
}
