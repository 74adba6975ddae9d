//! `sixgate mail kinds` and `preview`: which mails go out by themselves, and what they look like.
//!
//! The rule: a preview is written by the same code as a real letter, from made-up figures; it opens no
//! data directory and sends nothing.

use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use sixgate_engine::{mail::freeze, preview};
use sixgate_workflows::{deadline::NoticeKind, texts};

use crate::arguments::{MailFormat, MailKindsArguments, MailPreviewArguments};
use crate::output;

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    name: String,
    /// Whether a reader may turn it off.
    optional: bool,
}

pub(crate) fn kinds(arguments: &MailKindsArguments) -> anyhow::Result<ExitCode> {
    let kinds = NoticeKind::ALL.map(|kind| Kind {
        kind: kind.id(),
        name: texts::text(&format!("mail.{}.name", kind.id()), arguments.locale).to_owned(),
        optional: kind.is_optional(),
    });
    if arguments.json {
        output::json(&kinds)?;
    } else {
        for Kind { kind, name, optional } in &kinds {
            let mark = if *optional { "  (optional)" } else { "" };
            output::line(format!("{kind:<22}  {name}{mark}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn preview_one(arguments: &MailPreviewArguments) -> anyhow::Result<ExitCode> {
    let letter = preview(arguments.kind, arguments.locale)?;
    match arguments.format {
        MailFormat::Text => output::line(format!("{}\n\n{}", letter.subject, letter.text))?,
        MailFormat::Html => output::line(letter.html.unwrap_or_default().trim_end())?,
        MailFormat::Eml => {
            let bytes = freeze(&letter).context("the letter cannot be written")?;
            output::line(String::from_utf8(bytes).context("the letter is not ASCII")?.trim_end())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
