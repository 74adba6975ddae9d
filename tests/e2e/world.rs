//! A served data directory with one person for each function, made as an administrator makes it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::api::Api;
use crate::process::run;
use crate::server::Server;
use crate::story;

/// The eight functions, by the names of the people who have one each.
pub(crate) const FUNCTIONS: [&str; 8] =
    ["requester", "procurement", "finance", "legal", "operations", "manager", "auditor", "admin"];

/// Everybody: names, functions and languages. The outsider is a member of nothing.
const PEOPLE: [(&str, &str, &str, &str); 8] = [
    ("requester", "林晓", "REQUESTER", "ZH_CN"),
    ("procurement", "陈启", "PROCUREMENT", "ZH_CN"),
    ("finance", "吴悦", "FINANCE", "EN"),
    ("legal", "郑明", "LEGAL", "EN"),
    ("operations", "Sun Wei", "OPERATIONS", "EN"),
    ("manager", "He Jia", "MANAGER", "EN"),
    ("auditor", "Qian Lin", "AUDITOR", "EN"),
    ("outsider", "Zhou Hang", "REQUESTER", "EN"),
];

#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) who: &'static str,
    /// As the API knows them.
    pub(crate) id: String,
    pub(crate) token: String,
}

pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) server: Server,
    pub(crate) people: Vec<Person>,
    ids: Ids,
    /// Passes away after the server that uses it.
    _data: TempDir,
}

/// Command ids, each different.
#[derive(Default)]
pub(crate) struct Ids(AtomicU64);

impl Ids {
    pub(crate) fn fresh(&self) -> String {
        format!("5e1ec7ed-0000-4000-8000-{:012x}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Registers somebody on the command line, with a token.
pub(crate) fn hire(data: &Path, who: &'static str, functions: &str) -> Person {
    let data = data.to_str().unwrap();
    let mail = format!("{who}@example.com");
    let add = ["person", "add", "--data", data, "--name", who, "--mail", &mail, "--locale", "en"];
    let id = run(&[&add[..], &["--function", functions]].concat()).succeeded();
    let id = id.trim();
    let secret = run(&["token", "issue", "--data", data, "--person", id]).succeeded();
    Person { who, id: format!("person_{id}"), token: secret.trim().to_owned() }
}

impl World {
    pub(crate) async fn open() -> Self {
        let data = tempfile::tempdir().unwrap();
        let admin = hire(data.path(), "admin", "admin");
        let server = Server::serve(data.path());
        let api = server.api.clone();
        let mut world = Self { api, server, people: vec![admin], ids: Ids::default(), _data: data };
        for (who, name, function, locale) in PEOPLE {
            let person = world.register(who, name, &[function], locale).await;
            world.people.push(person);
        }
        world
    }

    /// Registers somebody over the API, with a token.
    pub(crate) async fn register(
        &self,
        who: &'static str,
        name: &str,
        functions: &[&str],
        locale: &str,
    ) -> Person {
        let command = self.fresh();
        let register = json!({
            "commandId": command, "name": name, "mail": format!("{who}@example.com"),
            "locale": locale, "zone": "Asia/Shanghai", "functions": functions,
        });
        self.command("admin", "registerPerson", register).await;
        let id = format!("person_{command}");
        let issue = json!({ "personId": id, "label": "test" });
        let issued = self.command("admin", "issueToken", issue).await;
        Person { who, id, token: issued["secret"].as_str().unwrap().to_owned() }
    }

    pub(crate) fn fresh(&self) -> String {
        self.ids.fresh()
    }

    pub(crate) fn person(&self, who: &str) -> &Person {
        self.people.iter().find(|person| person.who == who).unwrap()
    }

    pub(crate) fn token(&self, who: &str) -> &str {
        &self.person(who).token
    }

    /// An input with a command id, a fresh one unless it has one.
    fn identified(&self, mut input: Value) -> Value {
        if input.get("commandId").is_none() {
            input["commandId"] = json!(self.fresh());
        }
        input
    }

    pub(crate) async fn ask(&self, who: &str, query: &str) -> Value {
        self.api.ask(self.token(who), query).await
    }

    pub(crate) async fn error(&self, who: &str, query: &str) -> String {
        self.api.error(self.token(who), query).await
    }

    pub(crate) async fn send(&self, who: &str, mutation: &str, input: Value) -> Value {
        self.api.send(self.token(who), mutation, self.identified(input)).await
    }

    pub(crate) async fn command(&self, who: &str, mutation: &str, input: Value) -> Value {
        self.api.command(self.token(who), mutation, self.identified(input)).await
    }

    pub(crate) async fn refused(&self, who: &str, mutation: &str, input: Value) -> Value {
        self.api.refused(self.token(who), mutation, self.identified(input)).await
    }

    /// Opens a procurement; its id.
    pub(crate) async fn open_procurement(&self, who: &str, title: &str) -> String {
        let command = self.fresh();
        let input = json!({ "commandId": command, "title": title });
        self.command(who, "openProcurement", input).await;
        format!("procurement_{command}")
    }

    /// Registers a supplier; its id.
    pub(crate) async fn register_supplier(&self, name: &str) -> String {
        let command = self.fresh();
        let input = json!({ "commandId": command, "name": name, "contact": "Wang Ke" });
        self.command("procurement", "registerSupplier", input).await;
        format!("supplier_{command}")
    }

    /// Everything that the first gate asks for, but the signatures.
    pub(crate) async fn fill_needs(&self, who: &str, procurement: &str) {
        let brief = json!({ "procurementId": procurement, "brief": story::brief("He Jia") });
        self.command(who, "recordBrief", brief).await;
        self.command(who, "recordSizing", story::sizing(procurement)).await;
    }
}
