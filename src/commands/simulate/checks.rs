//! What a simulation is held to, by name, and what was found against it.

use std::collections::BTreeMap;

use serde::Serialize;

macro_rules! checks {
    ($($variant:ident $id:literal $says:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Check {
            $(#[doc = $says] $variant,)+
        }

        impl Check {
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)+];

            pub(super) fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            pub(super) fn says(self) -> &'static str {
                match self { $(Self::$variant => $says,)+ }
            }
        }
    };
}

checks! {
    OccurrenceFired "occurrence_fired" "what is due has fired when a pass ends";
    FiringDue "firing_due" "what fires is due, and has not fired before";
    WokenInTime "woken_in_time" "nothing falls due before the time that the last pass named";
    FiringNotEarly "firing_not_early" "nothing fires before its time";
    Recipients "recipients" "letters go to who is concerned, or to their substitutes";
    LetterSettled "letter_settled" "no letter waits for ever";
    SentIsTaken "sent_is_taken" "what is recorded as sent was taken by the relay";
    CopiesExplained "copies_explained" "a second copy follows an unknown outcome";
    SameBytes "same_bytes" "every attempt sends the same bytes to the same reader";
    RefusedIsRefused "refused_is_refused" "what is recorded as refused was refused by the relay";
    MailIsOurs "mail_is_ours" "whatever the relay saw was queued before";
    ReaderIsHere "reader_is_here" "nobody who has left or was erased gets mail";
    QuietHours "quiet_hours" "in somebody's quiet hours only what is urgent reaches them";
    LogVerified "log_verified" "positions, revisions and hashes of the log follow each other";
    CommandOnce "command_once" "a command is carried out once, however often it is sent";
    ProjectionsRebuilt "projections_rebuilt" "read models equal those built from zero";
    GateRespected "gate_respected" "nothing advances with an unmet, unwaived criterion or unsigned";
    SignaturesApart "signatures_apart" "nobody signs for two functions, nor what only they entered";
    EngineHolds "engine_holds" "the engine neither fails nor runs in circles";
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Violation {
    pub(super) seed: u64,
    pub(super) check: &'static str,
    /// In simulated time.
    pub(super) at: String,
    pub(super) what: String,
}

/// So many violations tell enough; more are only counted.
const TOLD_MAX: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) counts: BTreeMap<Check, u64>,
    pub(super) violations: Vec<(Check, String, String)>,
    pub(super) untold: u64,
}

impl Findings {
    /// Counts one look, and keeps what was found against it.
    pub(super) fn hold(
        &mut self,
        check: Check,
        at: impl std::fmt::Display,
        holds: bool,
        otherwise: impl FnOnce() -> String,
    ) {
        *self.counts.entry(check).or_default() += 1;
        if holds {
            return;
        }
        match self.violations.len() < TOLD_MAX {
            true => self.violations.push((check, at.to_string(), otherwise())),
            false => self.untold += 1,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (check, count) in other.counts {
            *self.counts.entry(check).or_default() += count;
        }
        self.untold += other.untold;
    }
}
