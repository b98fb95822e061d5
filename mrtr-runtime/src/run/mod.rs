//! Running a handler for one round: the driver, and what it shares with the handler's asks.
//!
//! An ask that is not answered stays pending and is written down here. The driver looks after each
//! poll ([`step::next_step`] decides) and ends the round, lets the commit through, or waits.

#[cfg(test)]
mod desk;
mod drive;
mod execute;
#[cfg(test)]
mod limit_tests;
#[cfg_attr(
    not(feature = "legacy"),
    expect(
        dead_code,
        reason = "only older revisions are asked while a handler waits"
    )
)]
mod live;
mod outcome;
mod settle;
mod shield;
mod step;
#[cfg(test)]
mod store_tests;
mod telling;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thing_tests;
mod work;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use drive::WakeFlag;
use mrtr_core::key::AskKey;
use mrtr_core::round::{End, Round};

pub(crate) use drive::Working;
pub(crate) use execute::{Execution, execute};
pub(crate) use live::{Live, Waiting as WaitingAsk};
#[cfg(feature = "legacy")]
pub(crate) use live::{LiveAnswer, LiveAsk};
pub(crate) use outcome::{Ended, missing_capability};
pub(crate) use settle::Waiting;
use shield::Phase;

/// One run of a handler, as its asks and its driver see it.
pub(crate) struct Run {
    state: Mutex<RunState>,
    /// Whether it has reached its commit, or has been left before.
    phase: Phase,
    /// What wakes it.
    wake: WakeFlag,
    /// The way to a client that is asked while the handler waits.
    live: Option<Arc<Live>>,
}

/// What the asks of a run leave for its driver.
pub(crate) struct RunState {
    pub(crate) round: Round,
    /// The first reason that ends the call, whatever the handler does afterwards.
    pub(crate) end: Option<End>,
    pub(crate) commit: CommitStep,
    /// The user said no to something: whatever comes of it, no commit may follow in this flow.
    pub(crate) said_no: bool,
    /// Random bytes for the next state, if some were drawn with the root.
    random: Option<[u8; 24]>,
    /// The tickets made in this run, by the key of their ask.
    pub(crate) tickets: Vec<(AskKey, String)>,
}

/// How far the handler's commit is.
pub(crate) enum CommitStep {
    /// Not reached.
    None,
    /// Reached: it waits for the driver.
    Wanted(Waker, CommitTerms),
    /// Let through.
    Granted,
}

/// What the author wants of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CommitTerms {
    /// The name of the thing it is about, which has a record beside the flow's.
    pub(crate) thing: Option<String>,
    /// It wants a flow even where nothing was asked: the client is sent round once.
    pub(crate) in_flow: bool,
}

impl Run {
    pub(crate) fn new(round: Round, random: Option<[u8; 24]>, live: Option<Arc<Live>>) -> Self {
        Self {
            state: Mutex::new(RunState {
                round,
                end: None,
                commit: CommitStep::None,
                said_no: false,
                random,
                tickets: Vec::new(),
            }),
            phase: Phase::default(),
            wake: WakeFlag::default(),
            live,
        }
    }

    /// The state; a handler that panicked while it held the lock is ended by the driver anyway.
    pub(crate) fn lock(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the call for this reason, unless an earlier one already does.
    pub(crate) fn end(&self, end: End) {
        self.lock().end.get_or_insert(end);
    }
}
