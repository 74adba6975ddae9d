//! A client of the API, as anybody could write it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::sdl;

#[derive(Clone)]
pub(crate) struct Api {
    http: reqwest::Client,
    base: String,
}

/// An answer over HTTP.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

const ERRORS: &str = "userErrors { code message path blockers { criterion reason canBeMetBy } }";

impl Api {
    pub(crate) fn new(address: &str) -> Self {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60));
        Self { http: client.build().unwrap(), base: format!("http://{address}") }
    }

    pub(crate) fn post(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.post(format!("{}{path}", self.base))
    }

    pub(crate) fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.get(format!("{}{path}", self.base))
    }

    /// One GraphQL request, answered in whatever way.
    pub(crate) async fn graphql(&self, token: &str, query: &str, variables: Value) -> Answer {
        self.try_graphql(token, query, variables).await.unwrap()
    }

    /// The same where the server may go away meanwhile.
    pub(crate) async fn try_graphql(
        &self,
        token: &str,
        query: &str,
        variables: Value,
    ) -> Result<Answer, reqwest::Error> {
        let body = json!({ "query": query, "variables": variables });
        let response = self.post("/graphql").bearer_auth(token).json(&body).send().await?;
        Ok(Answer { status: response.status().as_u16(), body: response.json().await? })
    }

    /// The data of an answer without errors.
    pub(crate) async fn ask(&self, token: &str, query: &str) -> Value {
        let mut answer = self.graphql(token, query, json!({})).await;
        assert!(answer.body.get("errors").is_none(), "{query}: {answer:?}");
        answer.body["data"].take()
    }

    /// The code of the first top-level error.
    pub(crate) async fn error(&self, token: &str, query: &str) -> String {
        let answer = self.graphql(token, query, json!({})).await;
        code(&answer.body).unwrap_or_else(|| panic!("{query}: {answer:?}")).to_owned()
    }

    /// The payload of a mutation, whether it was carried out or not.
    pub(crate) async fn send(&self, token: &str, mutation: &str, input: Value) -> Value {
        self.try_send(token, mutation, input).await.unwrap()
    }

    pub(crate) async fn try_send(
        &self,
        token: &str,
        mutation: &str,
        input: Value,
    ) -> Result<Value, reqwest::Error> {
        let signature = sdl::mutation(mutation);
        let place = match signature.payload.as_str() {
            "IssueTokenPayload" => "secret",
            _ => "position revision repeated",
        };
        let query = format!(
            "mutation($input: {}!) {{ {mutation}(input: $input) {{ {place} {ERRORS} }} }}",
            signature.input
        );
        let mut answer = self.try_graphql(token, &query, json!({ "input": input })).await?;
        assert!(answer.body.get("errors").is_none(), "{mutation}: {answer:?}");
        Ok(answer.body["data"][mutation].take())
    }

    /// The payload of a mutation that has to be carried out.
    pub(crate) async fn command(&self, token: &str, mutation: &str, input: Value) -> Value {
        let payload = self.send(token, mutation, input).await;
        assert_eq!(payload["userErrors"], json!([]), "{mutation}: {payload}");
        payload
    }

    /// Why a mutation that has to be refused was refused.
    pub(crate) async fn refused(&self, token: &str, mutation: &str, input: Value) -> Value {
        let mut payload = self.send(token, mutation, input).await;
        assert_eq!(payload["userErrors"].as_array().unwrap().len(), 1, "{mutation}: {payload}");
        assert!(payload["position"].is_null(), "{mutation}: {payload}");
        payload["userErrors"][0].take()
    }

    /// Uploads a file; what a command refers to it by.
    pub(crate) async fn upload(&self, token: &str, name: &str, bytes: &[u8]) -> Value {
        let request = self.post("/evidence").bearer_auth(token).body(bytes.to_vec());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 201);
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["bytes"], bytes.len());
        json!({ "hash": answer["hash"], "name": name })
    }
}

/// The code of the first top-level error of an answer.
pub(crate) fn code(body: &Value) -> Option<&str> {
    body["errors"][0]["extensions"]["code"].as_str()
}
