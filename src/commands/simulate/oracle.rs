//! What is due, worked out a second time and in another way.
//!
//! The rule: it walks day by day through a calendar and knows neither indices nor keys nor the rules
//! of `workflows::deadline`; what it shares with them is the state of a procurement, which days are
//! worked, and what a gate wants. It is asked before and after each pass, so it also says what may
//! not fire. Kinds that follow from sums of money and time are left to their own tests.

mod days;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc, Weekday};
use chrono_tz::Tz;
use sixgate_engine::projection::Views;
use sixgate_workflows::{
    context::local_date,
    deadline::NoticeKind,
    function::Function::{
        self, Finance, Legal, Manager, Operations, Procurement as Buyer, Requester,
    },
    gate::{self, Moment},
    ids::{PersonId, ProcurementId},
    policy::Policy,
    procurement::Procurement,
    stage::Stage,
};

use self::days::Days;
use super::{
    auditor::Firing,
    checks::{Check, Findings},
};

/// One occurrence, told from all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    procurement: ProcurementId,
    kind: NoticeKind,
    due: DateTime<Utc>,
    /// What else of this kind can be due at the same time: a supplier, a function, an entry.
    of: String,
}

/// With whom it may reach.
pub(super) type Due = BTreeMap<Occurrence, BTreeSet<PersonId>>;

pub(super) struct Oracle {
    zone: Tz,
    fired: BTreeSet<Occurrence>,
    /// Due at passes that broke off, so it may have fired then; the readers may have changed since.
    perhaps: BTreeMap<Occurrence, Vec<BTreeSet<PersonId>>>,
}

/// What falls due, to whom, and what it is told by.
struct Found {
    kind: NoticeKind,
    due: DateTime<Utc>,
    of: String,
    to: BTreeSet<Function>,
}

const KINDS: [NoticeKind; 13] = [
    NoticeKind::SignOffWanted,
    NoticeKind::SignOffVoided,
    NoticeKind::StageOverdue,
    NoticeKind::QuoteValidity,
    NoticeKind::QualificationExpiry,
    NoticeKind::TrialEnd,
    NoticeKind::ContractExpiry,
    NoticeKind::ReviewInvitation,
    NoticeKind::ReviewPack,
    NoticeKind::ReviewChaser,
    NoticeKind::SlaIncident,
    NoticeKind::SlaStatement,
    NoticeKind::WeeklyReconciliation,
];

impl Oracle {
    pub(super) fn new(zone: Tz) -> Self {
        Self { zone, fired: BTreeSet::new(), perhaps: BTreeMap::new() }
    }

    /// What is due now and has not fired.
    pub(super) fn due(&self, views: &Views, now: DateTime<Utc>) -> Due {
        let active = views.procurements.states().flatten().filter(|p| p.is_active());
        let mut due = Due::new();
        for procurement in active {
            for (occurrence, to) in self.of_one(procurement, now) {
                if !self.fired.contains(&occurrence) {
                    due.insert(occurrence, readers(views, procurement, &to, self.today(now)));
                }
            }
        }
        due
    }

    /// A pass broke off: what was due may have fired, and is due again if it has not.
    pub(super) fn broke_off(&mut self, due: Due) {
        for (occurrence, to) in due {
            self.perhaps.entry(occurrence).or_default().push(to);
        }
    }

    /// A pass is over: what was due before or after it has fired, and nothing else.
    pub(super) fn judge(
        &mut self,
        before: Due,
        after: &Due,
        firings: &[Firing],
        findings: &mut Findings,
    ) {
        let mut left: BTreeMap<_, Vec<&Firing>> = BTreeMap::new();
        for firing in firings {
            findings.hold(Check::FiringNotEarly, firing.at, firing.due <= firing.at, || {
                format!("{} fired before {}", firing.key, firing.due)
            });
            if KINDS.contains(&firing.kind) {
                let told_by = (firing.procurement, firing.kind, firing.due);
                left.entry(told_by).or_default().push(firing);
            }
        }
        let mut must: BTreeSet<Occurrence> = before.keys().cloned().collect();
        must.extend(after.keys().cloned());
        let mut readers = std::mem::take(&mut self.perhaps);
        for (occurrence, to) in before.into_iter().chain(after.clone()) {
            readers.entry(occurrence).or_default().push(to);
        }
        // What must have fired is looked for first.
        let (musts, mays): (Vec<_>, Vec<_>) =
            readers.into_iter().partition(|(occurrence, _)| must.contains(occurrence));
        for (occurrence, readers) in musts.into_iter().chain(mays) {
            let told_by = (occurrence.procurement, occurrence.kind, occurrence.due);
            // Of several that only differ in what they are about, the one with the same readers.
            let firing = left.get_mut(&told_by).and_then(|firings| {
                let fits = firings.iter().position(|firing| readers.contains(&firing.to));
                let any = (!firings.is_empty()).then_some(0);
                fits.or(any).map(|index| firings.swap_remove(index))
            });
            if must.contains(&occurrence) {
                findings.hold(Check::OccurrenceFired, occurrence.due, firing.is_some(), || {
                    format!("it is due and has not fired: {occurrence:?}")
                });
            }
            let Some(firing) = firing else { continue };
            // Where nobody is concerned, somebody hears of that.
            let fits = match firing.unaddressed {
                true => readers.iter().any(BTreeSet::is_empty),
                false => readers.contains(&firing.to),
            };
            findings.hold(Check::Recipients, firing.at, fits, || {
                format!("{} reached {:?} instead of {readers:?}", firing.key, firing.to)
            });
            self.fired.insert(occurrence);
        }
        for firing in firings.iter().filter(|firing| KINDS.contains(&firing.kind)) {
            let told_by = (firing.procurement, firing.kind, firing.due);
            let over = left.get(&told_by).is_some_and(|left| left.contains(&firing));
            findings.hold(Check::FiringDue, firing.at, !over, || {
                format!("{} fired, which was not due or had fired before", firing.key)
            });
        }
    }

    fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        local_date(now, self.zone)
    }

    /// By the policy it runs by, and by the one before for what was due before it was adopted.
    fn of_one(
        &self,
        procurement: &Procurement,
        now: DateTime<Utc>,
    ) -> Vec<(Occurrence, BTreeSet<Function>)> {
        let Some(adoption) = &procurement.adoption else {
            let found = self.by_policy(procurement, &procurement.policy, now);
            return found.into_iter().map(|found| named(procurement, found)).collect();
        };
        let since = adoption.latest.at;
        let mut found = self.by_policy(procurement, &procurement.policy, now);
        found.retain(|found| since <= found.due);
        let before = Procurement { policy: (*adoption.before).clone(), ..procurement.clone() };
        let past = self.by_policy(&before, &before.policy, now);
        found.extend(past.into_iter().filter(|found| found.due < since));
        let stamped = found.into_iter().map(|mut found| {
            let held = adoption.earlier.iter().chain([&adoption.latest]);
            let adopted = held.rev().find(|stamp| stamp.at <= found.due);
            if let Some(adopted) = adopted {
                found.of.push_str(&format!(" since {}", adopted.position));
            }
            named(procurement, found)
        });
        stamped.collect()
    }

    fn by_policy(
        &self,
        procurement: &Procurement,
        policy: &Policy,
        now: DateTime<Utc>,
    ) -> Vec<Found> {
        let days = Days { zone: self.zone, now, worked: &policy.working_days };
        let mut found = signatures(procurement, policy, &days);
        found.extend(overdue(procurement, policy, &days));
        found.extend(last_days(procurement, policy, &days));
        if procurement.stage == Stage::Operation {
            found.extend(reviews(procurement, policy, &days));
            found.extend(running(procurement, &days));
        }
        found.retain(|found| found.due <= now && now - found.due <= useful_for(found.kind));
        found
    }
}

fn named(procurement: &Procurement, found: Found) -> (Occurrence, BTreeSet<Function>) {
    let Found { kind, due, of, to } = found;
    (Occurrence { procurement: procurement.id, kind, due, of }, to)
}

/// Later than this nobody wants to read it.
fn useful_for(kind: NoticeKind) -> Duration {
    match kind {
        NoticeKind::ReviewInvitation
        | NoticeKind::ReviewMoved
        | NoticeKind::ReviewCancelled
        | NoticeKind::ReviewPack
        | NoticeKind::ReviewChaser => Duration::days(92),
        NoticeKind::SlaStatement => Duration::days(31),
        NoticeKind::WeeklyReconciliation => Duration::days(7),
        NoticeKind::SignOffWanted
        | NoticeKind::SignOffVoided
        | NoticeKind::StageOverdue
        | NoticeKind::QuoteValidity
        | NoticeKind::QualificationExpiry
        | NoticeKind::TrialEnd
        | NoticeKind::ContractExpiry
        | NoticeKind::SlaIncident
        | NoticeKind::SlaBreach
        | NoticeKind::SupplierSplit
        | NoticeKind::TooFewSuppliers
        | NoticeKind::BudgetBurn
        | NoticeKind::SlaClaim
        | NoticeKind::BudgetForecast
        | NoticeKind::RentToOwn => Duration::MAX,
    }
}

fn found(
    kind: NoticeKind,
    due: DateTime<Utc>,
    of: impl std::fmt::Display,
    to: impl IntoIterator<Item = Function>,
) -> Found {
    Found { kind, due, of: of.to_string(), to: to.into_iter().collect() }
}

fn signatures(procurement: &Procurement, policy: &Policy, days: &Days<'_>) -> Vec<Found> {
    let mut all = Vec::new();
    if let Some(voided) = &procurement.voided {
        let to = voided.functions.iter().copied();
        let of = voided.stamp.position;
        all.push(found(NoticeKind::SignOffVoided, voided.stamp.at, of, to));
    }
    let Some(ready) = procurement.ready_since else { return all };
    let moment = Moment { now: days.now, zone: days.zone };
    let gate = gate::gate(procurement, procurement.stage, moment);
    if !gate.awaits_sign_offs() {
        return all;
    }
    let mut newest = ready.at;
    let mut worked = 0;
    let first_day = local_date(ready.at, days.zone);
    for day in first_day.iter_days().skip(1).take_while(|day| *day <= days.today()) {
        worked += u32::from(days.worked.holds(day));
        let is_turn =
            days.worked.holds(day) && worked % policy.sign_off_reminder_working_days.max(1) == 0;
        if is_turn && days.morning(day) <= days.now {
            newest = days.morning(day);
        }
    }
    for wanted in gate.sign_offs.iter().filter(|wanted| !wanted.signed) {
        let function = wanted.function;
        let of = format!("{function} {} {}", gate.version, ready.position);
        all.push(found(NoticeKind::SignOffWanted, newest, of, [function]));
    }
    all
}

fn overdue(procurement: &Procurement, policy: &Policy, days: &Days<'_>) -> Option<Found> {
    let planned = policy.planned_days.get(&procurement.stage)?;
    let entered = local_date(procurement.entered.at, days.zone);
    let first = entered.checked_add_signed(Duration::days(i64::from(*planned)))?;
    let due = days.newest_since(first, |day| (day - first).num_days() % 7 == 0)?;
    let moment = Moment { now: days.now, zone: days.zone };
    let blockers = gate::gate(procurement, procurement.stage, moment).blockers();
    let mut to: BTreeSet<Function> =
        blockers.into_iter().flat_map(|blocker| blocker.can_be_met_by).collect();
    if to.is_empty() {
        to.insert(Buyer);
    }
    Some(found(NoticeKind::StageOverdue, due, procurement.entered.position, to))
}

fn last_days(procurement: &Procurement, policy: &Policy, days: &Days<'_>) -> Vec<Found> {
    let notices = &policy.expiry_notice_days;
    let mut all = Vec::new();
    let mut count_down = |kind, last_day, notices, of: &dyn std::fmt::Display| {
        if let Some(due) = days.newest_before(last_day, notices) {
            all.push(found(kind, due, format!("{of} {last_day}"), [Buyer]));
        }
    };
    for (supplier, candidate) in procurement.shortlist.running() {
        if let Some(day) = candidate.review.as_ref().and_then(|review| review.value.expires_on()) {
            count_down(NoticeKind::QualificationExpiry, day, notices, supplier);
        }
        if let Some(quote) = &candidate.quote
            && procurement.stage != Stage::Operation
        {
            count_down(NoticeKind::QuoteValidity, quote.value.valid_until, notices, supplier);
        }
    }
    if procurement.stage == Stage::Poc {
        for (supplier, finalist) in &procurement.poc.finalists {
            let last_day = finalist.trial_ends_on;
            count_down(NoticeKind::TrialEnd, last_day, &policy.trial_notice_days, supplier);
        }
    }
    if procurement.stage == Stage::Operation {
        for (supplier, contract) in &procurement.negotiation.contracts {
            count_down(NoticeKind::ContractExpiry, contract.value.ends_on, notices, supplier);
        }
    }
    all
}

/// Of the newest quarter whose invitation has come, unless its review was held.
fn reviews(procurement: &Procurement, policy: &Policy, days: &Days<'_>) -> Vec<Found> {
    let Some(first) = &procurement.operation.first_review else { return Vec::new() };
    let notice = Duration::days(i64::from(policy.review_notice_days));
    let ends_quarter = |day: NaiveDate| days::last_of_quarter(day + notice).is_some();
    let Some(begin) = first.value.last_day().checked_sub_signed(notice) else { return Vec::new() };
    let Some(invited) = days.newest_day_since(begin, ends_quarter) else { return Vec::new() };
    let last_day = invited + notice;
    let Some(quarter) = days::last_of_quarter(last_day) else { return Vec::new() };
    if procurement.operation.reviews.contains_key(&quarter) {
        return Vec::new();
    }
    let to = [Requester, Buyer, Finance, Operations, Manager];
    let mut all = Vec::new();
    if days.today() <= days.worked_up_to(last_day) {
        all.push(found(NoticeKind::ReviewInvitation, days.morning(invited), quarter, to));
    }
    for (kind, working_day) in [(NoticeKind::ReviewPack, 1), (NoticeKind::ReviewChaser, 11)] {
        all.push(found(
            kind,
            days.morning(days.nth_worked_after(last_day, working_day)),
            quarter,
            to,
        ));
    }
    all
}

fn running(procurement: &Procurement, days: &Days<'_>) -> Vec<Found> {
    let incidents = procurement.operation.incidents.iter();
    let mut all: Vec<Found> = incidents
        .map(|(incident, (_, fact))| {
            let to = [Operations, Buyer, Legal];
            found(NoticeKind::SlaIncident, fact.stamp.at, incident, to)
        })
        .collect();
    let entered = local_date(procurement.entered.at, days.zone);
    let mondays = |day: NaiveDate| day.weekday() == Weekday::Mon;
    if let Some(due) = entered.succ_opt().and_then(|first| days.newest_since(first, mondays)) {
        all.push(found(NoticeKind::WeeklyReconciliation, due, "", [Operations, Finance]));
    }
    let contracts = procurement.negotiation.contracts.values();
    let begun = contracts.map(|contract| contract.value.starts_on).min();
    let month_before = days.today() - Duration::days(i64::from(days.today().day()));
    if begun.is_some_and(|begun| (begun.year(), begun.month()) <= year_and_month(month_before)) {
        let due = days.morning(days.nth_worked_after(month_before, 1));
        let to = [Operations, Buyer, Legal];
        all.push(found(NoticeKind::SlaStatement, due, month_before.format("%Y-%m"), to));
    }
    all
}

fn year_and_month(day: NaiveDate) -> (i32, u32) {
    (day.year(), day.month())
}

/// Everybody active who holds one of the functions, or who stands in for them today; somebody who
/// is only a requester, if a member.
fn readers(
    views: &Views,
    procurement: &Procurement,
    to: &BTreeSet<Function>,
    today: NaiveDate,
) -> BTreeSet<PersonId> {
    let active = || views.people.states().flatten().filter(|person| person.active);
    let concerned = active().filter(|person| {
        let only_requester = person.functions.iter().all(|f| *f == Requester);
        let may_know = !only_requester || procurement.members.contains(&person.id);
        may_know && person.functions.iter().any(|function| to.contains(function))
    });
    let present = concerned.map(|person| {
        let away = person.substitute.as_ref().filter(|s| s.from <= today && today <= s.until);
        let stands_in = away.map(|away| away.person);
        stands_in.filter(|id| active().any(|other| other.id == *id)).unwrap_or(person.id)
    });
    present.collect()
}
