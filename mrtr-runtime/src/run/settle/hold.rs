//! A claim that is held: kept alive while its effect runs, and never left half-told to the store.

use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::flow::{Finish, Renew, Renewed, StoreError};

use super::{LEASE, Settlement};
use crate::error::Certainty;
use crate::run::Ended;

/// How often the holder gives a sign of life: three in a lease.
const RENEWAL: Duration = Duration::from_secs(10);

/// How long to wait before the store is told again, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(30));

/// A claim that is held. Its signs of life end when it is dropped.
pub(in crate::run) struct Hold {
    settlement: Settlement,
    alive: AbortHandle,
}

impl Hold {
    pub(super) fn new(settlement: Settlement) -> Self {
        let alive = tokio::spawn(stay_alive(settlement.clone())).abort_handle();
        Self { settlement, alive }
    }

    /// Tells the record what the claimed run came to, and says what the caller gets.
    pub(in crate::run) async fn finish(self, ended: Ended, certainty: Certainty) -> Ended {
        let settlement = &self.settlement;
        match certainty {
            Certainty::NothingDone => {
                settlement.release().await;
                ended
            }
            Certainty::Unknown => {
                settlement.mark_lost().await;
                ended
            }
            Certainty::Ended => settlement.record(ended).await,
        }
    }

    /// The record's name, and the claim.
    #[cfg(test)]
    pub(in crate::run) fn claim(&self) -> (crate::flow::FlowKey, crate::flow::ClaimId) {
        (self.settlement.name.flow, self.settlement.id)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.alive.abort();
    }
}

async fn stay_alive(settlement: Settlement) {
    loop {
        tokio::time::sleep(RENEWAL).await;
        let renew = Renew {
            id: settlement.id,
            lease: LEASE,
            keep: settlement.keep,
        };
        match settlement.store.renew(settlement.name.flow, renew).await {
            Ok(Renewed::Held) => {}
            Ok(Renewed::Gone) => {
                tracing::error!(flow = %settlement.flow, "the claim of a running commit is gone");
                return;
            }
            // The effect goes on; others are told that its outcome is unknown until it is recorded.
            Err(error) => {
                tracing::warn!(flow = %settlement.flow, %error, "a claim could not be renewed");
            }
        }
    }
}

/// Records an end that the store could not be told, until its record would be gone anyway.
pub(super) fn finish_later(settlement: Settlement, finish: Finish) {
    tell_later(settlement.clone(), settlement.keep, "finish", move || {
        let (settlement, finish) = (settlement.clone(), finish.clone());
        async move { settlement.store.finish(settlement.name.flow, finish).await }
    });
}

/// Gives a claim back that the store could not be told of, for so long from now on.
pub(super) fn release_later(settlement: Settlement, give_up: Duration) {
    tell_later(settlement.clone(), give_up, "release", move || {
        let settlement = settlement.clone();
        async move {
            settlement
                .store
                .release(settlement.name.flow, settlement.id)
                .await
        }
    });
}

/// Tells the store again and again, in a task that a server which ends waits for.
fn tell_later<T, F>(
    settlement: Settlement,
    give_up: Duration,
    verb: &'static str,
    tell: impl Fn() -> F + Send + 'static,
) where
    T: Send,
    F: Future<Output = Result<T, StoreError>> + Send,
{
    let tasks = settlement.shared.tasks.clone();
    tasks.spawn(async move {
        let give_up = Instant::now() + give_up;
        let mut pause = RETRY.0;
        while Instant::now() < give_up {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(RETRY.1);
            if tell().await.is_ok() {
                return;
            }
        }
        tracing::error!(flow = %settlement.flow, verb, "the flow store was never told");
    });
}
