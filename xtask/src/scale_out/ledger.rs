//! The ledger: one line for each effect, in a file outside the servers that they only append to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

use super::place::Place;

/// A ledger of the run.
pub(super) struct Ledger {
    place: Place,
}

/// What the ledger says of one ticket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Payments {
    /// How many times it was paid.
    pub(super) count: usize,
    /// Who paid it, the last time.
    pub(super) who: String,
}

impl Ledger {
    /// An empty one.
    pub(super) fn new(name: &str) -> Result<Self, Failure> {
        let place = Place::new(&format!("ledger-{name}"))?;
        Ok(Self { place })
    }

    /// Its file.
    pub(super) fn file(&self) -> PathBuf {
        self.place.file("ledger")
    }

    /// Everything that was paid, by ticket.
    pub(super) fn read(&self) -> Result<HashMap<u64, Payments>, Failure> {
        read(&self.file())
    }

    /// How many times a ticket was paid.
    pub(super) fn count(&self, ticket: u64) -> Result<usize, Failure> {
        let all = self.read()?;
        Ok(all.get(&ticket).map_or(0, |payments| payments.count))
    }
}

fn read(file: &Path) -> Result<HashMap<u64, Payments>, Failure> {
    let mut all: HashMap<u64, Payments> = HashMap::new();
    if !file.exists() {
        return Ok(all);
    }
    for line in fs::read_to_string(file)?.lines() {
        let mut words = line.split(' ');
        let ticket = words.next().unwrap_or_default();
        let ticket = ticket
            .parse()
            .map_err(|_| format!("the ledger says {line:?}"))?;
        let payments = all.entry(ticket).or_default();
        payments.count += 1;
        payments.who = words.next().unwrap_or_default().into();
    }
    Ok(all)
}
