//! What the vendor's diagnosis found.
//!
//! All tests skipped is no pass. Whether a finding speaks against the hardware follows DCGM's own
//! numbers: severity 2 (isolate) and 6 (reset), and the categories 9 to 15 (heat, memory, links,
//! switches, PCIe, power, other hardware) do; severity 5 is a matter of configuration, and so is
//! persistence mode (error 29).

use super::{
    check::{Because, CheckName, Outcome},
    sheet::{Rests, Sheet},
};
use crate::poc::reading::{DiagnosticFinding, DiagnosticsReading};

pub(super) fn check(reading: Option<&DiagnosticsReading>, sheet: &mut Sheet<'_>) {
    let promised = "≥ 1";
    match reading {
        Some(run) if run.executed == 0 => {
            let measured = Some(format!("0 ({} skipped)", run.skipped));
            let because = Because::NothingExecuted;
            sheet.open(CheckName::DiagnosticsExecuted, because, measured, promised);
        }
        Some(_) | None => {
            let executed = reading.map(|run| run.executed);
            let name = CheckName::DiagnosticsExecuted;
            sheet.figure(name, executed, promised, Rests::OnWholeRun, |tests| *tests > 0);
        }
    }
    let Some(run) = reading.filter(|run| run.executed > 0 || run.failed > 0) else { return };
    let hardware: Vec<_> = run.findings.iter().filter(|finding| is_hardware(finding)).collect();
    let measured = Some(format!("{} failed of {}", run.failed, run.executed));
    let name = CheckName::DiagnosticsPassed;
    let only_settings = !run.findings.is_empty() && run.findings.iter().all(is_configuration);
    if !hardware.is_empty() {
        sheet.decided(name, Outcome::Fail, measured, "0 failed").detail(words(hardware));
    } else if run.failed > 0 && only_settings {
        sheet
            .open(name, Because::ConfigurationOnly, measured, "0 failed")
            .detail(words(&run.findings));
    } else if run.failed > 0 {
        sheet.decided(name, Outcome::Fail, measured, "0 failed").detail(words(&run.findings));
    } else {
        sheet
            .figure(name, measured, "0 failed", Rests::OnWholeRun, |_| true)
            .detail(words(&run.findings));
    }
}

fn is_hardware(finding: &DiagnosticFinding) -> bool {
    !is_configuration(finding)
        && (matches!(finding.severity, Some(2 | 6)) || matches!(finding.category, Some(9..=15)))
}

fn is_configuration(finding: &DiagnosticFinding) -> bool {
    finding.severity == Some(5) || finding.id == Some(29)
}

/// The first few in the tool's words.
fn words<'a>(findings: impl IntoIterator<Item = &'a DiagnosticFinding>) -> String {
    let texts = findings.into_iter().take(4);
    texts
        .map(|finding| format!("{}: {}", finding.test, finding.text))
        .collect::<Vec<_>>()
        .join("; ")
}
