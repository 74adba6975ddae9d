//! Commands about people, for admins and for one's own record.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{Duration, NaiveDate, NaiveTime};
use sixgate_engine::{Error, ids};
use sixgate_workflows::{
    delivery::{Delivery, Frequency, QuietHours},
    ids::{PersonId, TokenId},
    invalid::Invalid,
    person::{Command, MailAddress, Substitute},
};

use super::{PersonPayload, employed, engine, viewer};
use crate::schema::{
    global_id::GlobalId,
    input::{CommandHead, name},
    problem::{UserError, answer},
    scalars::{Function, Language, MailFrequency, NoticeKind},
};

#[derive(Default)]
pub(super) struct PersonMutation;

#[derive(InputObject)]
pub(super) struct RegisterPersonInput {
    #[graphql(flatten)]
    head: CommandHead,
    name: String,
    mail: String,
    locale: Language,
    /// IANA name, such as `Asia/Shanghai`.
    zone: String,
    functions: Vec<Function>,
}

#[derive(InputObject)]
pub(super) struct FunctionInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    function: Function,
}

#[derive(InputObject)]
pub(super) struct SetPreferencesInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    locale: Language,
    /// IANA name, such as `Asia/Shanghai`.
    zone: String,
}

/// Replaces what was wished before.
#[derive(InputObject)]
pub(super) struct SetDeliveryInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    frequency: MailFrequency,
    /// Of the daily digest in the person's zone; nine o'clock if absent.
    daily_at: Option<String>,
    /// Together with `quietUntil`, in the person's zone.
    quiet_from: Option<String>,
    quiet_until: Option<String>,
    /// Only kinds that merely inform.
    #[graphql(default)]
    muted: Vec<NoticeKind>,
}

#[derive(InputObject)]
pub(super) struct NameSubstituteInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    substitute_id: ID,
    from: NaiveDate,
    /// The last day.
    until: NaiveDate,
}

#[derive(InputObject)]
pub(super) struct IssueTokenInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    /// What it is for.
    label: String,
    #[graphql(default = 90)]
    days: u32,
}

#[derive(InputObject)]
pub(super) struct RevokeTokenInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
    token_id: ID,
}

#[derive(InputObject)]
pub(super) struct PersonInput {
    #[graphql(flatten)]
    head: CommandHead,
    person_id: ID,
}

/// The secret is shown here, once; the log keeps only its hash.
#[derive(SimpleObject)]
pub(super) struct IssueTokenPayload {
    secret: Option<String>,
    user_errors: Vec<UserError>,
}

fn zone(name: &str) -> Result<chrono_tz::Tz, Invalid> {
    name.parse().map_err(|_| Invalid::new("zone", format!("`{name}` is not an IANA zone")))
}

fn time_of_day(text: &str) -> Result<NaiveTime, Invalid> {
    NaiveTime::parse_from_str(text, "%H:%M")
        .map_err(|_| Invalid::new("time of day", format!("`{text}` is not of the form 09:00")))
}

fn delivery(input: &SetDeliveryInput) -> Result<Delivery, Invalid> {
    let frequency = match (input.frequency, &input.daily_at) {
        (MailFrequency::Immediate, None) => Frequency::Immediate,
        (MailFrequency::Immediate, Some(_)) => {
            return Err(Invalid::new("dailyAt", "is for a daily digest only"));
        }
        (MailFrequency::Daily, at) => {
            Frequency::Daily { at: time_of_day(at.as_deref().unwrap_or("09:00"))? }
        }
    };
    let quiet = match (&input.quiet_from, &input.quiet_until) {
        (None, None) => None,
        (Some(from), Some(until)) => {
            Some(QuietHours::new(time_of_day(from)?, time_of_day(until)?)?)
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(Invalid::new("quiet hours", "both ends must be given, or neither"));
        }
    };
    let muted = input.muted.iter().map(|kind| (*kind).into()).collect();
    Ok(Delivery { frequency, quiet, muted })
}

/// As long as on the command line; a date that far ahead always exists.
fn validity(days: u32) -> Result<Duration, Invalid> {
    match days {
        1..=3_660 => Ok(Duration::days(i64::from(days))),
        _ => Err(Invalid::new("days", format!("must be 1 to 3660, not {days}"))),
    }
}

#[Object]
impl PersonMutation {
    /// The person's id follows from the command id.
    async fn register_person(
        &self,
        context: &Context<'_>,
        input: RegisterPersonInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = || -> Result<Command, Error> {
            Ok(Command::Register {
                name: name(&input.name)?,
                mail: MailAddress::new(&input.mail)?,
                locale: input.locale.into(),
                zone: zone(&input.zone)?,
                functions: input.functions.iter().map(|function| (*function).into()).collect(),
            })
        };
        let id = PersonId(input.head.command_id);
        carry_out(context, input.head, id, command()).await
    }

    async fn grant_function(
        &self,
        context: &Context<'_>,
        input: FunctionInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = Command::GrantFunction { function: input.function.into() };
        about(context, input.head, &input.person_id, Ok(command)).await
    }

    async fn revoke_function(
        &self,
        context: &Context<'_>,
        input: FunctionInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = Command::RevokeFunction { function: input.function.into() };
        about(context, input.head, &input.person_id, Ok(command)).await
    }

    async fn set_preferences(
        &self,
        context: &Context<'_>,
        input: SetPreferencesInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = zone(&input.zone)
            .map(|zone| Command::SetPreferences { locale: input.locale.into(), zone });
        about(context, input.head, &input.person_id, command.map_err(Error::from)).await
    }

    /// How mail reaches the person; holds for what waits already.
    async fn set_delivery(
        &self,
        context: &Context<'_>,
        input: SetDeliveryInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = delivery(&input).map(|delivery| Command::SetDelivery { delivery });
        about(context, input.head, &input.person_id, command.map_err(Error::from)).await
    }

    /// Somebody who signs in one's place for some days; it cannot be passed on.
    async fn name_substitute(
        &self,
        context: &Context<'_>,
        input: NameSubstituteInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = GlobalId::person(&input.substitute_id).map(|person| {
            let substitute = Substitute { person, from: input.from, until: input.until };
            Command::NameSubstitute { substitute }
        });
        about(context, input.head, &input.person_id, command.map_err(Error::from)).await
    }

    async fn issue_token(
        &self,
        context: &Context<'_>,
        input: IssueTokenInput,
    ) -> async_graphql::Result<IssueTokenPayload> {
        let (engine, viewer) = (engine(context)?, viewer(context)?);
        let secret = ids::fresh_token();
        let issue = || -> Result<(PersonId, Command), Error> {
            let command = Command::IssueToken {
                token: TokenId(input.head.command_id),
                hash: ids::content_hash(secret.as_bytes()),
                label: name(&input.label)?,
                expires_at: engine.moment().now + validity(input.days)?,
            };
            Ok((GlobalId::person(&input.person_id)?, command))
        };
        let done = match issue() {
            Ok((id, command)) => {
                engine.employ(&viewer.actor, input.head.envelope(), id, command).await
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(_) => Ok(IssueTokenPayload { secret: Some(secret), user_errors: Vec::new() }),
            Err(error) => Ok(IssueTokenPayload {
                secret: None,
                user_errors: vec![answer(&error, viewer.locale)?],
            }),
        }
    }

    async fn revoke_token(
        &self,
        context: &Context<'_>,
        input: RevokeTokenInput,
    ) -> async_graphql::Result<PersonPayload> {
        let command = input.token_id.parse::<TokenId>().map(|token| Command::RevokeToken { token });
        about(context, input.head, &input.person_id, command.map_err(Error::from)).await
    }

    /// Ends all access at once; what the person did stays in the log.
    async fn deactivate_person(
        &self,
        context: &Context<'_>,
        input: PersonInput,
    ) -> async_graphql::Result<PersonPayload> {
        about(context, input.head, &input.person_id, Ok(Command::Deactivate)).await
    }

    /// Ends all access and destroys the key of the person's name and address: from now on a
    /// pseudonym stands in their place, and no mail goes there. It cannot be undone.
    async fn erase_person(
        &self,
        context: &Context<'_>,
        input: PersonInput,
    ) -> async_graphql::Result<PersonPayload> {
        about(context, input.head, &input.person_id, Ok(Command::Erase)).await
    }
}

async fn about(
    context: &Context<'_>,
    head: CommandHead,
    id: &ID,
    command: Result<Command, Error>,
) -> async_graphql::Result<PersonPayload> {
    match GlobalId::person(id) {
        Ok(id) => carry_out(context, head, id, command).await,
        Err(_) => PersonPayload::new(context, None, Err(Error::NotFound)),
    }
}

async fn carry_out(
    context: &Context<'_>,
    head: CommandHead,
    id: PersonId,
    command: Result<Command, Error>,
) -> async_graphql::Result<PersonPayload> {
    let done = match command {
        Ok(command) => {
            let actor = &viewer(context)?.actor;
            engine(context)?.employ(actor, head.envelope(), id, command).await
        }
        Err(error) => Err(error),
    };
    employed(context, id, done)
}
