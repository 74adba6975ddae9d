//! `sixgate token`: access tokens, issued and withdrawn by whoever has the machine.
//!
//! The rule: the secret is printed once, alone on standard output, and kept nowhere; the log knows
//! only its hash.

use std::process::ExitCode;

use anyhow::bail;
use chrono::Days;
use sixgate_engine::{access, ids};
use sixgate_workflows::{
    ids::{PersonId, TokenId},
    person::Command,
};

use super::person::{carry_out, open};
use crate::arguments::{TokenIssueArguments, TokenRevokeArguments};
use crate::{output, store};

pub(crate) async fn issue(arguments: TokenIssueArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    let secret = ids::fresh_token();
    let token = TokenId(ids::fresh());
    let hash = ids::content_hash(secret.as_bytes());
    let expires_at = opened.engine.moment().now + Days::new(arguments.days.into());
    let label = arguments.label;
    let command = Command::IssueToken { token, hash, label, expires_at };
    carry_out(&opened, arguments.person, command).await?;
    let until = expires_at.format("%F %R UTC");
    eprintln!("token {token}, valid until {until}; the secret is shown this once:");
    output::line(secret)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn revoke(arguments: TokenRevokeArguments) -> anyhow::Result<ExitCode> {
    store::expect_log(&arguments.store.data.data)?;
    let opened = open(&arguments.store).await?;
    let token = arguments.token;
    let owner: Option<PersonId> = access::people(&opened.engine.views())
        .find(|person| person.tokens.contains_key(&token))
        .map(|person| person.id);
    let Some(owner) = owner else { bail!("nobody has a token with the id {token}") };
    carry_out(&opened, owner, Command::RevokeToken { token }).await?;
    eprintln!("token {token} of person {owner} is withdrawn");
    Ok(ExitCode::SUCCESS)
}
