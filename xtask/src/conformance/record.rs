//! What the suite found in one scenario.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::Failure;

/// One scenario with its checks.
pub(super) struct Record {
    pub(super) scenario: String,
    /// The revision requires it, or the suite has no list of what it requires.
    pub(super) scored: bool,
    pub(super) passed: usize,
    skipped: usize,
    /// Failures and warnings, for people.
    pub(super) findings: Vec<String>,
}

/// One check, as the suite writes it down.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: Status,
    error_message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Success,
    Failure,
    Warning,
    Skipped,
    Info,
}

impl Record {
    /// A scenario that nothing is known of yet.
    pub(super) fn new(scenario: &str, scored: bool) -> Self {
        Self {
            scenario: scenario.to_owned(),
            scored,
            passed: 0,
            skipped: 0,
            findings: Vec::new(),
        }
    }

    /// Adds the checks that the suite has left in a folder.
    pub(super) fn read(&mut self, folder: &Path) -> Result<(), Failure> {
        let text = fs::read_to_string(folder.join("checks.json"))?;
        for check in serde_json::from_str::<Vec<Check>>(&text)? {
            self.add(check);
        }
        Ok(())
    }

    fn add(&mut self, check: Check) {
        match check.status {
            Status::Success => self.passed += 1,
            Status::Skipped => self.skipped += 1,
            Status::Info => {}
            Status::Failure | Status::Warning => {
                let kind = format!("{:?}", check.status).to_lowercase();
                let why = check.error_message.unwrap_or_default();
                self.findings.push(format!("{kind} {}: {why}", check.id));
            }
        }
    }

    /// Whether something was checked, and nothing was found.
    pub(super) fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.passed > 0
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.scored { "" } else { " (not scored)" };
        write!(f, "{}{kind}: {} checks", self.scenario, self.passed)?;
        match self.skipped {
            0 => Ok(()),
            skipped => write!(f, ", {skipped} skipped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(checks: &str) -> Record {
        let mut record = Record::new("a", true);
        for check in serde_json::from_str::<Vec<Check>>(checks).unwrap() {
            record.add(check);
        }
        record
    }

    #[test]
    fn a_warning_is_a_finding_and_nothing_at_all_is_not_clean() {
        let good = r#"{"id": "x", "status": "SUCCESS", "name": "X"}"#;
        let note = r#"{"id": "i", "status": "INFO"}"#;
        let skip = r#"{"id": "s", "status": "SKIPPED"}"#;
        let clean = record(&format!("[{good}, {note}, {skip}]"));
        assert!(clean.is_clean());
        assert_eq!(clean.to_string(), "a: 1 checks, 1 skipped");
        assert!(!record(&format!("[{note}, {skip}]")).is_clean());
        let warned = r#"{"id": "w", "status": "WARNING", "errorMessage": "too slow"}"#;
        let warned = record(&format!("[{good}, {warned}]"));
        assert!(!warned.is_clean());
        assert_eq!(warned.findings, ["warning w: too slow"]);
    }
}
