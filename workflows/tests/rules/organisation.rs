//! Suppliers, people and policies: what is shared by all procurements.

use chrono::Duration;
use chrono_tz::Tz;
use sixgate_workflows::{
    evidence::ContentHash,
    function::Function,
    ids::{PersonId, SupplierId, TokenId},
    locale::Locale,
    money::Money,
    percent::{Band, Percent},
    person::{self, MailAddress, Person, Substitute},
    policy::{self, Policies, Policy},
    recorded::Stamp,
    rejection::Rejection,
    shortlist::score::ScoreCriterion,
    stage::Stage,
    supplier::{self, BillingProfile, Metering, Qualification, Supplier},
};
use uuid::Uuid;

use crate::{
    fixture::{certificate, day, name, number, text},
    harness::{Who, nothing},
};

pub(crate) fn stamp() -> Stamp {
    let context = nothing().context;
    Stamp { at: context.now, by: context.actor.id, position: 1, index: 0 }
}

pub(crate) const NEWCOMER: PersonId = PersonId(Uuid::from_u128(0x200));
const SUPPLIER: SupplierId = SupplierId(Uuid::from_u128(0x300));
const TOKEN: TokenId = TokenId(Uuid::from_u128(0x400));

/// Runs commands on one supplier until one is rejected.
pub(crate) fn supplier_after(
    commands: Vec<supplier::Command>,
) -> (Option<Supplier>, Vec<supplier::Event>, Option<Rejection>) {
    let (context, mut state, mut log) = (nothing().context, None, Vec::new());
    for command in commands {
        match supplier::decide(state.as_ref(), SUPPLIER, command, &context) {
            Err(rejection) => return (state, log, Some(rejection)),
            Ok(events) => {
                for event in events {
                    supplier::evolve(&mut state, &event, stamp());
                    log.push(event);
                }
            }
        }
    }
    (state, log, None)
}

pub(crate) fn register_supplier() -> supplier::Command {
    supplier::Command::Register { name: name("Frost Cloud"), contact: name("ask@frost.example") }
}

pub(crate) fn record_certificate(expires_on: &str) -> supplier::Command {
    let certificate = certificate(Qualification::Mlps, day(expires_on));
    supplier::Command::RecordCertificate { certificate }
}

pub(crate) fn record_billing() -> supplier::Command {
    supplier::Command::RecordBilling {
        profile: BillingProfile {
            metering: Metering::PerMinute,
            price_locked: true,
            while_stopped: text("storage"),
            when_destroyed: text("the system disk"),
            overtime: text("per started minute"),
        },
    }
}

pub(crate) fn withdraw_supplier() -> supplier::Command {
    supplier::Command::Withdraw { reason: text("left the market") }
}

#[test]
fn a_supplier_is_registered_once_and_keeps_the_newest_certificate_of_each_kind() {
    let (state, log, rejection) = supplier_after(vec![
        register_supplier(),
        record_certificate("2026-06-30"),
        record_certificate("2027-06-30"),
        record_billing(),
    ]);
    assert_eq!((log.len(), rejection), (4, None));
    let supplier = state.unwrap();
    assert_eq!(supplier.certificates.len(), 1);
    let newest = &supplier.certificates[&Qualification::Mlps].value;
    assert_eq!(newest.expires_on, day("2027-06-30"));
    assert_eq!(supplier.billing.unwrap().value.metering, Metering::PerMinute);
    let (.., rejection) = supplier_after(vec![register_supplier(), register_supplier()]);
    assert_eq!(rejection, Some(Rejection::AlreadyRegistered));
}

#[test]
fn an_expired_certificate_is_not_recorded() {
    let (.., rejection) =
        supplier_after(vec![register_supplier(), record_certificate("2026-01-04")]);
    let expires_on = day("2026-01-04");
    assert_eq!(rejection, Some(Rejection::AlreadyExpired { expires_on }));
    let (.., rejection) =
        supplier_after(vec![register_supplier(), record_certificate("2026-01-05")]);
    assert_eq!(rejection, None);
}

#[test]
fn an_unknown_or_withdrawn_supplier_takes_nothing() {
    let unknown = Some(Rejection::NoSuchSupplier { supplier: SUPPLIER });
    let withdrawn = Some(Rejection::SupplierWithdrawn { supplier: SUPPLIER });
    for command in [record_certificate("2027-01-01"), record_billing(), withdraw_supplier()] {
        assert_eq!(supplier_after(vec![command.clone()]).2, unknown);
        let (state, _, rejection) =
            supplier_after(vec![register_supplier(), withdraw_supplier(), command]);
        assert_eq!(rejection, withdrawn);
        assert!(state.unwrap().withdrawn.is_some());
    }
}

pub(crate) fn person_after(
    commands: Vec<person::Command>,
) -> (Option<Person>, Vec<person::Event>, Option<Rejection>) {
    let (context, mut state, mut log) = (nothing().context, None, Vec::new());
    for command in commands {
        match person::decide(state.as_ref(), NEWCOMER, command, &context) {
            Err(rejection) => return (state, log, Some(rejection)),
            Ok(events) => {
                for event in events {
                    person::evolve(&mut state, &event, stamp());
                    log.push(event);
                }
            }
        }
    }
    (state, log, None)
}

pub(crate) fn register_person() -> person::Command {
    person::Command::Register {
        name: name("Nora Newcomer"),
        mail: MailAddress::new("nora@buyer.example").unwrap(),
        locale: Locale::ZhCn,
        zone: Tz::Asia__Shanghai,
        functions: [Function::Finance].into(),
    }
}

pub(crate) fn grant(function: Function) -> person::Command {
    person::Command::GrantFunction { function }
}

pub(crate) fn revoke(function: Function) -> person::Command {
    person::Command::RevokeFunction { function }
}

pub(crate) fn issue_token(hours: i64) -> person::Command {
    person::Command::IssueToken {
        token: TOKEN,
        hash: ContentHash::new(&"0f".repeat(32)).unwrap(),
        label: name("laptop"),
        expires_at: nothing().context.now + Duration::hours(hours),
    }
}

pub(crate) fn revoke_token() -> person::Command {
    person::Command::RevokeToken { token: TOKEN }
}

pub(crate) fn set_preferences() -> person::Command {
    person::Command::SetPreferences { locale: Locale::En, zone: Tz::Europe__Berlin }
}

pub(crate) fn set_delivery() -> person::Command {
    person::Command::SetDelivery { delivery: crate::delivery::daily_with_quiet_nights() }
}

pub(crate) fn substitute(person: PersonId, from: &str, until: &str) -> person::Command {
    let substitute = Substitute { person, from: day(from), until: day(until) };
    person::Command::NameSubstitute { substitute }
}

#[test]
fn functions_are_granted_and_revoked_once() {
    let (state, _, rejection) = person_after(vec![
        register_person(),
        grant(Function::Legal),
        revoke(Function::Finance),
        set_preferences(),
    ]);
    let person = state.unwrap();
    assert_eq!(rejection, None);
    assert_eq!(person.functions, [Function::Legal].into());
    assert_eq!((person.locale, person.zone), (Locale::En, Tz::Europe__Berlin));
    for pointless in [grant(Function::Finance), revoke(Function::Legal), revoke_token()] {
        let (.., rejection) = person_after(vec![register_person(), pointless]);
        assert_eq!(rejection, Some(Rejection::NothingChanges));
    }
}

#[test]
fn a_person_is_registered_once_and_must_be_known() {
    let (.., rejection) = person_after(vec![register_person(), register_person()]);
    assert_eq!(rejection, Some(Rejection::AlreadyRegistered));
    let (.., rejection) = person_after(vec![set_preferences()]);
    assert_eq!(rejection, Some(Rejection::NoSuchPerson { person: NEWCOMER }));
}

#[test]
fn a_substitute_stands_in_from_the_first_to_the_last_day() {
    let named = substitute(Who::Fiona.id(), "2026-02-10", "2026-02-20");
    let (state, ..) = person_after(vec![register_person(), named]);
    let person = state.unwrap();
    for (on, expected) in [
        ("2026-02-09", None),
        ("2026-02-10", Some(Who::Fiona.id())),
        ("2026-02-20", Some(Who::Fiona.id())),
        ("2026-02-21", None),
    ] {
        assert_eq!(person.substitute_on(day(on)), expected, "{on}");
    }
}

#[test]
fn nobody_stands_in_for_themselves_and_only_who_exists_does() {
    let stranger = PersonId(Uuid::from_u128(0x999));
    for person in [NEWCOMER, stranger] {
        let named = substitute(person, "2026-02-10", "2026-02-20");
        let (.., rejection) = person_after(vec![register_person(), named]);
        assert_eq!(rejection, Some(Rejection::NoSuchPerson { person }));
    }
    let backwards = substitute(Who::Fiona.id(), "2026-02-10", "2026-02-09");
    let (.., rejection) = person_after(vec![register_person(), backwards]);
    assert_eq!(rejection.unwrap().code(), "invalid_value");
}

#[test]
fn a_token_lives_until_it_is_revoked_or_its_owner_leaves() {
    let (state, ..) = person_after(vec![register_person(), issue_token(1)]);
    assert_eq!(state.unwrap().tokens.len(), 1);
    let (state, ..) = person_after(vec![register_person(), issue_token(1), revoke_token()]);
    assert!(state.unwrap().tokens.is_empty());
    let leaves = person::Command::Deactivate;
    let (state, ..) = person_after(vec![register_person(), issue_token(1), leaves.clone()]);
    let person = state.unwrap();
    assert!(!person.active && person.tokens.is_empty());
    for hours in [0, -1] {
        let (.., rejection) = person_after(vec![register_person(), issue_token(hours)]);
        assert_eq!(rejection.unwrap().code(), "already_expired");
    }
    let (.., rejection) = person_after(vec![register_person(), leaves, set_preferences()]);
    assert_eq!(rejection, Some(Rejection::PersonInactive { person: NEWCOMER }));
}

#[test]
fn an_address_is_one_line_with_one_place_to_go() {
    for good in ["nora@buyer.example", " n.n+x@buyer.example "] {
        assert_eq!(MailAddress::new(good).unwrap().as_str(), good.trim());
    }
    for bad in
        ["", "nora", "@buyer.example", "nora@", "a b@c.example", "a@b.example\nBcc: x@y", "<a@b>"]
    {
        assert!(MailAddress::new(bad).is_err(), "{bad:?} was taken");
    }
}

pub(crate) fn publish(change: impl FnOnce(&mut Policy)) -> policy::Command {
    let mut policy = Policy { version: 2, ..Policy::shipped() };
    change(&mut policy);
    policy::Command::Publish { policy: Box::new(policy), reason: name("yearly revision") }
}

fn published(change: impl FnOnce(&mut Policy)) -> Result<Vec<policy::Event>, Rejection> {
    policy::decide(&Policies::default(), publish(change), &nothing().context)
}

#[test]
fn policies_count_up_and_none_is_lost() {
    let mut policies = Policies::default();
    assert_eq!(policies.newest(), &Policy::shipped());
    for event in published(|policy| policy.candidates_max = 6).unwrap() {
        policy::evolve(&mut policies, &event, stamp());
    }
    assert_eq!((policies.all().len(), policies.newest().candidates_max), (2, 6));
    let again = policy::decide(&policies, publish(|_| ()), &nothing().context);
    assert_eq!(again, Err(Rejection::PolicyVersionTaken { version: 2, expected: 3 }));
}

#[test]
fn a_policy_that_contradicts_itself_is_not_published() {
    type Change = fn(&mut Policy);
    let cases: [Change; 12] = [
        |policy| policy.score_weights.insert(ScoreCriterion::Sla, Percent::of(21)).map_or((), drop),
        |policy| policy.candidates_min = 0,
        |policy| policy.candidates_min = 6,
        |policy| policy.finalists_min = 0,
        |policy| policy.finalists_min = 4,
        |policy| policy.reserve = Band { low: Percent::of(20), high: Percent::of(15) },
        |policy| policy.sign_offs.get_mut(&Stage::Poc).unwrap().clear(),
        |policy| policy.sign_offs.remove(&Stage::Poc).map_or((), drop),
        |policy| policy.sign_offs.insert(Stage::Poc, [Function::Auditor].into()).map_or((), drop),
        |policy| policy.review_notice_days = 90,
        |policy| policy.planned_days.insert(Stage::Poc, u32::MAX).map_or((), drop),
        |policy| policy.sign_off_reminder_working_days = u32::MAX,
    ];
    for (index, change) in cases.into_iter().enumerate() {
        let code = published(change).unwrap_err().code();
        assert_eq!(code, "invalid_value", "case {index}");
    }
    assert!(
        published(
            |policy| policy.budget_limit = Money::new(number("1"), policy.budget_limit.currency)
        )
        .is_ok()
    );
}
