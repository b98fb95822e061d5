//! What every scene has: a Redis, a ledger, tickets, and instances between which it can choose.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Failure;

use super::client::{Client, Reply, Request, Told};
use super::instance::{Instance, Settings};
use super::ledger::Ledger;
use super::redis::Redis;
use super::report::Report;

/// Longer than a claim is believed without a sign of life, and the wait of a repeat.
pub(super) const PAST_LEASE: Duration = Duration::from_secs(75);

/// As long as a request without obstacles may take, on a machine that does much else.
pub(super) const SOON: Duration = Duration::from_secs(20);

/// A stage of its own for one scene.
pub(super) struct Scene<'a> {
    pub(super) report: &'a Report,
    pub(super) redis: Redis,
    pub(super) ledger: Ledger,
    pub(super) settings: Settings,
}

impl<'a> Scene<'a> {
    pub(super) fn new(name: &str, report: &'a Report) -> Result<Self, Failure> {
        let redis = Redis::start(&format!("redis-{name}"))?;
        let ledger = Ledger::new(name)?;
        let settings = Settings::new(redis.url(0), &ledger.file());
        Ok(Self {
            report,
            redis,
            ledger,
            settings,
        })
    }

    /// An instance with the settings of the scene.
    pub(super) fn instance(&self) -> Result<Instance, Failure> {
        Instance::start(&self.settings)
    }

    /// An instance that holds at this point.
    pub(super) fn held_at(&self, point: &'static str) -> Result<Instance, Failure> {
        Instance::start(&self.settings.held_at(point))
    }

    /// Checks how many times a ticket was paid.
    pub(super) fn check_paid(&self, what: &str, ticket: u64, times: usize) -> Result<(), Failure> {
        let count = self.ledger.count(ticket)?;
        let found = format!("it is in the ledger {count} times");
        self.report.check(what, count == times, found);
        Ok(())
    }

    /// Checks what a request was told.
    pub(super) fn check_told(&self, what: &str, reply: &Reply, expected: &Told) {
        self.report
            .check(what, reply.told == *expected, format!("{:?}", reply.told));
    }

    /// Checks that a request was told the receipt, and returns its bytes.
    pub(super) fn check_receipt(&self, what: &str, reply: &Reply) -> String {
        match &reply.told {
            Told::Paid(bytes) => {
                self.report.check(what, true, "");
                bytes.clone()
            }
            other => {
                self.report.check(what, false, format!("{other:?}"));
                String::new()
            }
        }
    }
}

/// A ticket that nobody else in the run has.
pub(super) fn new_ticket() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(1_000_000);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// Sends the same request to these clients in turn, all at once, `times` in all, each insisting.
pub(super) fn all_at_once(
    clients: &[Client],
    request: &Request,
    times: usize,
    patience: Duration,
) -> Vec<Told> {
    std::thread::scope(|scope| {
        let sent: Vec<_> = (0..times)
            .map(|turn| {
                let client = &clients[turn % clients.len()];
                scope.spawn(move || client.insist(request, patience).told)
            })
            .collect();
        sent.into_iter()
            .map(|sent| sent.join().expect("a client does not panic"))
            .collect()
    })
}

/// Whether all were told the same.
pub(super) fn all_same(told: &[Told]) -> bool {
    told.windows(2).all(|pair| pair[0] == pair[1])
}
