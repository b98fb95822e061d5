//! What was checked, and how it came out.

use std::fmt::Display;
use std::sync::Mutex;

/// The checks of a run, in the order in which they came out. Threads share it.
#[derive(Default)]
pub(super) struct Report(Mutex<Vec<(String, Result<(), String>)>>);

impl Report {
    /// Notes whether something holds, with what was found when it does not.
    pub(super) fn check(&self, what: impl Into<String>, holds: bool, found: impl Display) {
        let what = what.into();
        let outcome = if holds {
            Ok(())
        } else {
            Err(found.to_string())
        };
        match &outcome {
            Ok(()) => println!("ok      {what}"),
            Err(found) => println!("FAILED  {what}: {found}"),
        }
        let mut checks = self.0.lock().expect("no check panics");
        checks.push((what, outcome));
    }

    /// Notes that something could not even be tried.
    pub(super) fn broken(&self, what: &str, failure: impl Display) {
        self.check(what, false, failure);
    }

    /// How many checks held, and how many did not.
    pub(super) fn counts(&self) -> (usize, usize) {
        let checks = self.0.lock().expect("no check panics");
        let failed = checks.iter().filter(|(_, outcome)| outcome.is_err());
        let failed = failed.count();
        (checks.len() - failed, failed)
    }
}
