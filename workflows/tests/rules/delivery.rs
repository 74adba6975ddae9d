//! When a person's letters go out, and which go together.

use chrono::{DateTime, Duration, NaiveTime, Utc};
use chrono_tz::Tz;
use sixgate_workflows::{
    deadline::NoticeKind,
    delivery::{
        Delivery, Frequency, QuietHours,
        plan::{Move, Plan, Reader, Waiting, plan},
        rules::{MailRules, Urgency},
    },
    invalid::Invalid,
    notice::{
        Event, Outcome, Step,
        digest::{Command, Digest, Gathered, decide, evolve},
    },
    recorded::Stamp,
    rejection::Rejection,
};

use crate::{
    fixture::text,
    harness::{Who, nothing, time},
    notices::{letter, to},
    organisation::{person_after, publish, register_person},
};

/// A Monday, eleven in the morning in Shanghai.
const NOW: &str = "2026-03-02T03:00:00Z";

fn clock(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").unwrap()
}

fn quiet(from: &str, until: &str) -> QuietHours {
    QuietHours::new(clock(from), clock(until)).unwrap()
}

pub(crate) fn daily_with_quiet_nights() -> Delivery {
    Delivery {
        frequency: Frequency::Daily { at: clock("09:00") },
        quiet: Some(quiet("20:00", "07:30")),
        muted: [NoticeKind::WeeklyReconciliation].into(),
    }
}

fn waiting(queued_at: &str) -> Waiting {
    let queued_at = time(queued_at);
    Waiting {
        urgency: Urgency::Normal,
        queued_at,
        next_attempt: Some(queued_at),
        can_be_bundled: true,
        is_released: false,
    }
}

fn urgent(queued_at: &str) -> Waiting {
    Waiting { urgency: Urgency::Urgent, ..waiting(queued_at) }
}

/// It failed and is tried again.
fn deferred(queued_at: &str, retry_at: &str) -> Waiting {
    Waiting {
        next_attempt: Some(time(retry_at)),
        can_be_bundled: false,
        is_released: true,
        ..waiting(queued_at)
    }
}

struct Given {
    delivery: Delivery,
    rules: MailRules,
    sent_lately: Vec<DateTime<Utc>>,
}

impl Given {
    fn nothing() -> Self {
        let (delivery, rules) = (Delivery::default(), MailRules::default());
        Self { delivery, rules, sent_lately: Vec::new() }
    }

    fn plan(&self, letters: &[Waiting], now: &str) -> Plan {
        let reader = Reader {
            zone: Tz::Asia__Shanghai,
            delivery: &self.delivery,
            sent_lately: &self.sent_lately,
        };
        plan(letters, reader, &self.rules, time(now))
    }
}

fn sends(indices: impl IntoIterator<Item = usize>) -> Vec<Move> {
    indices.into_iter().map(Move::Send).collect()
}

fn held_until(at: &str) -> Plan {
    Plan { moves: Vec::new(), next: Some(time(at)) }
}

#[test]
fn without_wishes_each_letter_goes_at_once_in_its_order() {
    let letters = [waiting(NOW), urgent(NOW), waiting(NOW)];
    let plan = Given::nothing().plan(&letters, NOW);
    assert_eq!(plan, Plan { moves: sends(0..3), next: None });
}

#[test]
fn nothing_goes_while_a_letter_to_the_same_person_is_under_way() {
    let under_way = Waiting { next_attempt: None, ..waiting(NOW) };
    assert_eq!(Given::nothing().plan(&[under_way, urgent(NOW)], NOW), Plan::default());
}

#[test]
fn a_letter_that_failed_holds_back_the_later_ones_but_not_urgent_ones() {
    let letters = [deferred(NOW, "2026-03-02T03:05:00Z"), waiting(NOW), urgent(NOW)];
    let given = Given::nothing();
    let at = time("2026-03-02T03:05:00Z");
    assert_eq!(given.plan(&letters, NOW), Plan { moves: sends([2]), next: Some(at) });
    assert_eq!(given.plan(&letters[..2], "2026-03-02T03:05:00Z").moves, sends(0..2));
}

#[test]
fn the_daily_digest_gathers_what_came_since_the_day_before() {
    let mut given = Given::nothing();
    given.delivery.frequency = Frequency::Daily { at: clock("09:00") };
    let letters = [waiting(NOW), waiting("2026-03-02T10:00:00Z"), waiting("2026-03-03T00:59:00Z")];
    assert_eq!(given.plan(&letters, "2026-03-03T00:59:59Z"), held_until("2026-03-03T01:00:00Z"));
    let moves = given.plan(&letters, "2026-03-03T01:00:00Z").moves;
    assert_eq!(moves, [Move::Bundle(vec![0, 1, 2])]);
    let moves = given.plan(&letters[..1], "2026-03-03T01:00:00Z").moves;
    assert_eq!(moves, sends([0]), "one is no digest");
    let letters = [waiting(NOW), urgent(NOW)];
    assert_eq!(given.plan(&letters, NOW).moves, sends([1]), "what is urgent does not wait");
}

#[test]
fn the_digest_window_waits_for_others() {
    let mut given = Given::nothing();
    given.rules.digest_window_minutes = 15;
    let letters = [waiting(NOW), waiting("2026-03-02T03:14:00Z")];
    assert_eq!(given.plan(&letters, "2026-03-02T03:14:59Z"), held_until("2026-03-02T03:15:00Z"));
    let moves = given.plan(&letters, "2026-03-02T03:15:00Z").moves;
    assert_eq!(moves, [Move::Bundle(vec![0, 1])]);
}

#[test]
fn an_invitation_goes_by_itself_beside_the_digest() {
    let mut given = Given::nothing();
    given.delivery.frequency = Frequency::Daily { at: clock("09:00") };
    let invitation = Waiting { can_be_bundled: false, ..waiting(NOW) };
    let letters = [waiting(NOW), invitation, waiting(NOW)];
    let moves = given.plan(&letters, "2026-03-03T01:00:00Z").moves;
    assert_eq!(moves, [Move::Bundle(vec![0, 2]), Move::Send(1)]);
}

#[test]
fn quiet_hours_are_those_of_the_reader_s_zone_and_cross_midnight() {
    let mut given = Given::nothing();
    given.delivery.quiet = Some(quiet("20:00", "07:30"));
    let letters = |at| [waiting(at), urgent(at)];
    // 20:00 and 07:29 in Shanghai.
    for at in ["2026-03-02T12:00:00Z", "2026-03-02T23:29:00Z"] {
        let plan = given.plan(&letters(at), at);
        let until = Some(time("2026-03-02T23:30:00Z"));
        assert_eq!(plan, Plan { moves: sends([1]), next: until }, "{at}: only what is urgent");
    }
    for at in ["2026-03-02T11:59:00Z", "2026-03-02T23:30:00Z"] {
        assert_eq!(given.plan(&letters(at), at).moves, sends(0..2), "{at}");
    }
}

#[test]
fn a_retry_keeps_quiet_hours_too() {
    let mut given = Given::nothing();
    given.delivery.quiet = Some(quiet("20:00", "07:30"));
    let letters = [deferred("2026-03-02T11:58:00Z", "2026-03-02T12:03:00Z")];
    let until = held_until("2026-03-02T23:30:00Z");
    assert_eq!(given.plan(&letters, "2026-03-02T12:03:00Z"), until);
}

#[test]
fn quiet_hours_end_though_clocks_are_set_forward_or_back() {
    let end = |hours: QuietHours, at| hours.end(time(at), Tz::Europe__Berlin);
    // 29 March 2026: there is no 02:30, and 03:00 comes right after 01:59.
    let gap = end(quiet("22:00", "02:30"), "2026-03-29T00:30:00Z");
    assert_eq!(gap, Some(time("2026-03-29T01:00:00Z")));
    // 25 October 2026: 02:30 comes twice; the first ends the quiet.
    let twice = quiet("22:00", "02:30");
    assert_eq!(end(twice, "2026-10-25T00:00:00Z"), Some(time("2026-10-25T00:30:00Z")));
    assert_eq!(end(twice, "2026-10-25T01:15:00Z"), None, "02:15 for the second time");
    assert_eq!(
        end(quiet("12:00", "13:00"), "2026-03-02T11:30:00Z"),
        Some(time("2026-03-02T12:00:00Z"))
    );
    assert_eq!(end(quiet("12:00", "13:00"), "2026-03-02T12:00:00Z"), None);
}

#[test]
fn what_is_above_the_hourly_bound_goes_into_one_digest() {
    let mut given = Given::nothing();
    given.rules.letters_an_hour_max = 3;
    let letters = [waiting(NOW); 7];
    let plan = given.plan(&letters, NOW);
    let moves = [Move::Send(0), Move::Send(1), Move::Bundle(vec![2, 3, 4, 5, 6])];
    assert_eq!(plan, Plan { moves: moves.into(), next: None }, "three letters, and nothing lost");
    assert_eq!(given.plan(&letters[..3], NOW).moves, sends(0..3));
}

#[test]
fn with_the_hour_used_up_letters_wait_for_room_and_urgent_ones_share_one() {
    let mut given = Given::nothing();
    given.rules.letters_an_hour_max = 2;
    given.sent_lately = vec![time("2026-03-02T02:10:00Z"), time("2026-03-02T02:40:00Z")];
    let letters = [waiting(NOW), urgent(NOW), urgent(NOW), waiting(NOW)];
    let plan = given.plan(&letters, NOW);
    let room_at = Some(time("2026-03-02T03:10:00Z"));
    assert_eq!(plan, Plan { moves: vec![Move::Bundle(vec![1, 2])], next: room_at });
    let left = [letters[0], letters[3]];
    assert_eq!(given.plan(&left, "2026-03-02T03:10:00Z").moves, [Move::Bundle(vec![0, 1])]);
}

#[test]
fn retries_and_invitations_above_the_hourly_bound_wait_in_their_order() {
    let mut given = Given::nothing();
    given.rules.letters_an_hour_max = 2;
    given.sent_lately = vec![time("2026-03-02T02:40:00Z")];
    let invitation = Waiting { can_be_bundled: false, ..waiting(NOW) };
    let plan = given.plan(&[invitation; 3], NOW);
    assert_eq!(plan, Plan { moves: sends([0]), next: Some(time("2026-03-02T03:40:00Z")) });
}

#[test]
fn at_most_the_bound_goes_in_any_hour_and_nothing_is_left_behind() {
    for number in 1..60 {
        for most in 1..6 {
            for sent in 0..=most {
                let mut given = Given::nothing();
                given.rules.letters_an_hour_max = most;
                given.sent_lately = (0..sent).map(|_| time("2026-03-02T02:30:00Z")).collect();
                let letters = vec![waiting(NOW); number];
                let Plan { moves, next } = given.plan(&letters, NOW);
                let room = usize::try_from(most - sent).unwrap();
                assert!(moves.len() <= room, "{number} {most} {sent}: {moves:?}");
                let taken: usize = moves
                    .iter()
                    .map(|taken| match taken {
                        Move::Send(_) => 1,
                        Move::Bundle(indices) => indices.len(),
                    })
                    .sum();
                assert_eq!(taken, if room == 0 { 0 } else { number });
                assert_eq!(next.is_some(), room == 0);
            }
        }
    }
}

#[test]
fn only_what_merely_informs_can_be_muted() {
    for kind in NoticeKind::ALL {
        let delivery = Delivery { muted: [kind].into(), ..Delivery::default() };
        assert_eq!(delivery.check().is_ok(), kind.is_optional(), "{kind:?}");
    }
    let delivery = Delivery { muted: [NoticeKind::SlaBreach].into(), ..Delivery::default() };
    let command = sixgate_workflows::person::Command::SetDelivery { delivery };
    let (.., rejection) = person_after(vec![register_person(), command]);
    assert!(matches!(rejection, Some(Rejection::InvalidValue { .. })), "{rejection:?}");
}

#[test]
fn hours_that_end_when_they_begin_are_refused_also_when_they_are_read() {
    let refused = QuietHours::new(clock("09:00"), clock("09:00"));
    assert!(matches!(refused, Err(Invalid { what: "quiet hours", .. })));
    let written = r#"{"from": "09:00:00", "until": "09:00:00"}"#;
    assert!(serde_json::from_str::<QuietHours>(written).is_err());
}

#[test]
fn a_policy_says_what_is_urgent_useful_and_too_much_within_bounds() {
    let rules = MailRules {
        urgency: [(NoticeKind::TrialEnd, Urgency::Urgent)].into(),
        useful_hours: [(NoticeKind::TrialEnd, 24)].into(),
        ..MailRules::default()
    };
    assert_eq!(rules.urgency(NoticeKind::TrialEnd), Urgency::Urgent);
    assert_eq!(rules.urgency(NoticeKind::SlaBreach), Urgency::Urgent);
    assert_eq!(rules.urgency(NoticeKind::ReviewPack), Urgency::Normal);
    let due = time(NOW);
    let until = rules.useful_until(NoticeKind::TrialEnd, due);
    assert_eq!(until, Some(due + Duration::hours(24)));
    assert_eq!(rules.useful_until(NoticeKind::SlaBreach, due), None);
    for bad in [
        MailRules { letters_an_hour_max: 0, ..MailRules::default() },
        MailRules { refusals_max: 0, ..MailRules::default() },
        MailRules { digest_window_minutes: 1_441, ..MailRules::default() },
        MailRules { useful_hours: [(NoticeKind::TrialEnd, 0)].into(), ..MailRules::default() },
    ] {
        assert!(bad.check().is_err(), "{bad:?}");
        let published = publish(|policy| policy.mail = bad.clone());
        let state = sixgate_workflows::policy::Policies::default();
        let refused = sixgate_workflows::policy::decide(&state, published, &nothing().context);
        assert!(matches!(refused, Err(Rejection::InvalidValue { .. })), "{refused:?}");
    }
}

fn stamp() -> Stamp {
    let by = Who::System.actor().id;
    Stamp { at: nothing().context.now, by, position: 1, index: 0 }
}

fn gather() -> Command {
    let notices = ["first", "second"].map(str::to_owned).into();
    let digest = Gathered { key: "digest:17".to_owned(), to: to(), notices, urgent: false };
    Command::Gather { digest, letter: letter(to()) }
}

/// The events of a digest that was sent.
pub(crate) fn gathered() -> Vec<Event> {
    decide(None, gather(), &nothing().context).unwrap()
}

fn one_digest() -> Option<Digest> {
    let mut digest = None;
    gathered().iter().for_each(|event| evolve(&mut digest, event, stamp()));
    digest
}

#[test]
fn a_digest_is_gathered_once_and_goes_the_way_of_a_letter() {
    let mut digest = one_digest();
    let context = nothing().context;
    let again = decide(digest.as_ref(), gather(), &context);
    assert_eq!(again, Err(Rejection::AlreadyRegistered));
    let lease = sixgate_workflows::notice::Lease { by: "here".to_owned(), until: context.now };
    for step in [
        Step::Attempt { lease },
        Step::Settle { attempt: 1, outcome: Outcome::Sent { reply: text("250 taken") } },
    ] {
        for event in decide(digest.as_ref(), Command::About { step }, &context).unwrap() {
            evolve(&mut digest, &event, stamp());
        }
    }
    let sent = digest.as_ref().unwrap().letter.as_ref().unwrap();
    assert_eq!((sent.status.id(), sent.attempts), ("sent", 1));
    let step = Step::Withdraw { because: sixgate_workflows::notice::Because::NoLongerHolds };
    let withdrawn = decide(digest.as_ref(), Command::About { step }, &context);
    assert_eq!(withdrawn, Err(Rejection::NothingChanges));
    let nothing_there = decide(None, Command::About { step: Step::Requeue }, &context);
    assert_eq!(nothing_there, Err(Rejection::NothingChanges));
}
