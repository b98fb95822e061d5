//! A claim that is held: kept alive while its effect runs, and never left half-told to the store.

use std::time::Duration;

use tokio::task::AbortHandle;

use crate::flow::{Finish, Renew, Renewed};

use super::{LEASE, Settlement};

/// How often the holder gives a sign of life: three in a lease.
const RENEWAL: Duration = Duration::from_secs(10);

/// How long to wait before the store is told again, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(30));

/// A claim that is held. Its signs of life end when it is dropped.
pub(in crate::run) struct Hold(AbortHandle);

impl Hold {
    pub(super) fn new(settlement: Settlement) -> Self {
        Self(tokio::spawn(stay_alive(settlement)).abort_handle())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.abort();
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
    let tasks = settlement.shared.tasks.clone();
    tasks.spawn(async move {
        let give_up = tokio::time::Instant::now() + settlement.keep;
        let mut pause = RETRY.0;
        while tokio::time::Instant::now() < give_up {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(RETRY.1);
            if settlement
                .store
                .finish(settlement.name.flow, finish.clone())
                .await
                .is_ok()
            {
                return;
            }
        }
        tracing::error!(flow = %settlement.flow, "a commit's result was never recorded");
    });
}

/// Gives back a claim of which nobody knows whether it was won, until its lease would be over.
pub(super) fn release_for_a_while(settlement: Settlement) {
    let tasks = settlement.shared.tasks.clone();
    tasks.spawn(async move {
        let give_up = tokio::time::Instant::now() + LEASE;
        while tokio::time::Instant::now() < give_up {
            tokio::time::sleep(RETRY.0).await;
            if settlement
                .store
                .release(settlement.name.flow, settlement.id)
                .await
                .is_ok()
            {
                return;
            }
        }
    });
}
