//! The words of `sixgate mail`.

use clap::{Args, Subcommand, ValueEnum};
use sixgate_workflows::{deadline::NoticeKind, locale::Locale};

use super::{StoreArguments, locale};

#[derive(Debug, Subcommand)]
pub(crate) enum MailCommand {
    /// Lists letters that were refused or given up, and addresses that take none; 1 if there are any
    Dead(MailDeadArguments),
    /// Queues dead letters again; the next server on the directory sends them
    Requeue(MailRequeueArguments),
    /// Lists the kinds of mail
    Kinds(MailKindsArguments),
    /// Prints a mail of one kind with made-up figures
    Preview(MailPreviewArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MailDeadArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MailRequeueArguments {
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    /// Every dead letter
    #[arg(long, conflicts_with = "letters", required_unless_present = "letters")]
    pub(crate) all: bool,
    /// Their Message-IDs, as `mail dead` lists them
    #[arg(value_name = "MESSAGE-ID")]
    pub(crate) letters: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MailKindsArguments {
    /// The language of their names: zh-CN or en
    #[arg(long, default_value = "en", value_parser = locale)]
    pub(crate) locale: Locale,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MailPreviewArguments {
    /// Which, as `mail kinds` lists them
    #[arg(value_name = "KIND", value_parser = notice_kind)]
    pub(crate) kind: NoticeKind,
    /// The language of its reader: zh-CN or en
    #[arg(long, default_value = "en", value_parser = locale)]
    pub(crate) locale: Locale,
    /// The plain text, the HTML, or the whole message as it goes over the wire
    #[arg(long, value_enum, default_value_t = MailFormat::Text)]
    pub(crate) format: MailFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MailFormat {
    Text,
    Html,
    Eml,
}

fn notice_kind(text: &str) -> Result<NoticeKind, String> {
    let id = text.replace('-', "_");
    NoticeKind::ALL.into_iter().find(|kind| kind.id() == id).ok_or_else(|| {
        let known = NoticeKind::ALL.map(NoticeKind::id).join(", ");
        format!("known are {known}")
    })
}
