//! Judging what the suite found, and counting.

use std::collections::BTreeSet;

use crate::Failure;

use super::exempt;
use super::record::Record;

/// What came of all the runs.
#[derive(Default)]
pub(super) struct Tally {
    passed: usize,
    failed: usize,
    /// The exemptions that were needed.
    used: BTreeSet<&'static str>,
}

impl Tally {
    /// Prints the table of one run, and counts.
    pub(super) fn judge(&mut self, records: &[Record]) {
        for record in records {
            println!("{}", self.verdict(record));
            for finding in &record.findings {
                println!("         {finding}");
            }
        }
        let checks: usize = records.iter().map(|record| record.passed).sum();
        let [required, others] = [true, false].map(|scored| {
            let records = records.iter().filter(|record| record.scored == scored);
            records.map(|record| record.findings.len()).sum::<usize>()
        });
        println!(
            "-- {} scenarios, {checks} checks passed; failures and warnings: {required} in scored scenarios, {others} in others",
            records.len()
        );
    }

    fn verdict(&mut self, record: &Record) -> String {
        if record.is_clean() {
            self.passed += 1;
            return format!("ok     {record}");
        }
        let exempt = exempt::reason(&record.scenario).filter(|_| !record.scored);
        if let Some((entry, why)) = exempt {
            self.used.insert(entry);
            return format!("exempt {record}: {why}");
        }
        self.failed += 1;
        format!("FAILED {record}")
    }

    /// Prints the counts.
    ///
    /// # Errors
    /// When anything failed, or an exemption was not needed.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        println!();
        for entry in exempt::unused(&self.used) {
            println!("FAILED {entry}: it is exempt, and nothing of it fails");
            self.failed += 1;
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 {
            Ok(())
        } else {
            Err("the server does not conform".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(scenario: &str, scored: bool, finding: Option<&str>) -> Record {
        let mut record = Record::new(scenario, scored);
        record.passed = 1;
        record.findings.extend(finding.map(str::to_owned));
        record
    }

    #[test]
    fn only_what_is_exempt_and_not_scored_may_fail() {
        let mut tally = Tally::default();
        tally.judge(&[
            record("ping", true, None),
            record("ping", true, Some("warning slow: too slow")),
            record("tasks-a", true, Some("failure a: no")),
            record("ping", false, Some("failure b: no")),
            record("tasks-b", false, Some("failure c: no")),
        ]);
        assert_eq!((tally.passed, tally.failed), (1, 3));
        assert!(tally.finish().is_err());
    }

    #[test]
    fn an_exemption_that_nothing_needs_is_a_failure() {
        let needed = |scenarios: &[&str]| {
            let mut tally = Tally::default();
            let failing = |name: &&str| record(name, false, Some("failure a: no"));
            tally.judge(&scenarios.iter().map(failing).collect::<Vec<_>>());
            tally.finish()
        };
        assert!(needed(&["tasks-a", "server-sse-polling"]).is_ok());
        assert!(needed(&["tasks-a"]).is_err());
    }
}
