//! What a simulation answers: how much was looked at, and everything that was found against it.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use serde::Serialize;

use super::{
    checks::{Check, Findings, Violation},
    run::{Played, Tally},
};

#[derive(Serialize)]
pub(super) struct Report {
    /// The first one.
    seed: u64,
    years: u32,
    runs: u64,
    /// How often each was looked at.
    checks: BTreeMap<&'static str, u64>,
    violations: Vec<Violation>,
    /// Found and not told, for there were too many.
    violations_untold: u64,
    happened: Tally,
    /// By seed, of the whole history.
    fingerprints: BTreeMap<u64, String>,
    seconds: f64,
    years_per_second: f64,
    #[serde(skip)]
    findings: Findings,
}

impl Report {
    pub(super) fn new(seed: u64, years: u32, runs: u64) -> Self {
        Self {
            seed,
            years,
            runs,
            checks: BTreeMap::new(),
            violations: Vec::new(),
            violations_untold: 0,
            happened: Tally::default(),
            fingerprints: BTreeMap::new(),
            seconds: 0.0,
            years_per_second: 0.0,
            findings: Findings::default(),
        }
    }

    pub(super) fn add(&mut self, mut played: Played) {
        for (check, at, what) in std::mem::take(&mut played.findings.violations) {
            let check = check.id();
            self.violations.push(Violation { seed: played.seed, check, at, what });
        }
        self.findings.add(played.findings);
        self.happened.add(&played.tally);
        self.fingerprints.insert(played.seed, played.fingerprint);
    }

    pub(super) fn played(&self) -> usize {
        self.fingerprints.len()
    }

    pub(super) fn finished(mut self, took: Duration) -> Self {
        let counted = |check: &Check| self.findings.counts.get(check).copied().unwrap_or(0);
        self.checks = Check::ALL.iter().map(|check| (check.id(), counted(check))).collect();
        self.violations_untold = self.findings.untold;
        // Threads end in any order.
        self.violations.sort_by_key(|violation| violation.seed);
        self.seconds = took.as_secs_f64();
        let years = f64::from(self.years) * self.fingerprints.len() as f64;
        self.years_per_second = years / self.seconds.max(0.001);
        self
    }

    pub(super) fn holds(&self) -> bool {
        self.violations.is_empty() && self.violations_untold == 0
    }

    pub(super) fn as_text(&self) -> String {
        let Tally { commits, procurements, closed, passes, firings, letters, .. } = &self.happened;
        let Tally { attempts_to_send, faults_of_the_relay, crashes, clock_jumps, commands, .. } =
            &self.happened;
        let refused: u64 = self.happened.refused.values().sum();
        let mut text = format!(
            "seed {} and the {} after it, {} years each\n\
             {procurements} procurements, {closed} of them ended; {commands} commands, {refused} \
             of them refused\n\
             {commits} commits, {passes} passes, {firings} notices, {letters} letters\n\
             {attempts_to_send} attempts to send, {faults_of_the_relay} of them met a fault; \
             {crashes} crashes, {clock_jumps} jumps of the clock\n\n",
            self.seed,
            self.runs.saturating_sub(1),
            self.years,
        );
        for check in Check::ALL {
            let against = self.violations.iter().filter(|v| v.check == check.id()).count();
            let told = if against == 0 { "holds".to_owned() } else { format!("{against} AGAINST") };
            let looked = self.checks.get(check.id()).copied().unwrap_or(0);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{looked:>10}  {told:<12} {}: {}", check.id(), check.says());
        }
        for violation in &self.violations {
            let Violation { seed, check, at, what } = violation;
            let _ = write!(text, "\nseed {seed}, {at}: {check}: {what}");
        }
        if self.violations_untold > 0 {
            let _ = write!(text, "\nand {} more", self.violations_untold);
        }
        let _ = write!(
            text,
            "\n{} in {:.1} s, {:.2} simulated years a second",
            if self.holds() { "all holds" } else { "NOT all holds" },
            self.seconds,
            self.years_per_second
        );
        text
    }
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.commits += other.commits;
        self.procurements += other.procurements;
        self.closed += other.closed;
        self.passes += other.passes;
        self.firings += other.firings;
        self.letters += other.letters;
        self.attempts_to_send += other.attempts_to_send;
        self.faults_of_the_relay += other.faults_of_the_relay;
        self.crashes += other.crashes;
        self.clock_jumps += other.clock_jumps;
        self.commands += other.commands;
        for (code, count) in &other.refused {
            *self.refused.entry(code.clone()).or_default() += count;
        }
    }
}
