//! What can be seen of a round, and the mark of its commit.

use crate::key::AskKey;
use crate::state::{Entry, Root};

use super::{Round, RoundEvent};

impl Round {
    /// Whether a question waits for its answer.
    #[must_use]
    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The keys of the open questions, in the order they were asked.
    pub fn open_keys(&self) -> impl Iterator<Item = &AskKey> {
        self.open.iter().map(|open| &open.key)
    }

    /// Marks the commit as begun: from here on an ask is a fault.
    pub fn commit(&mut self) {
        self.committed = true;
    }

    /// Whether the commit has begun.
    #[must_use]
    pub fn committed(&self) -> bool {
        self.committed
    }

    /// Whether the request presented a state.
    #[must_use]
    pub fn presented(&self) -> bool {
        self.presented
    }

    /// The number of this round, from 1.
    #[must_use]
    pub fn number(&self) -> u8 {
        self.number
    }

    /// The time the flow started, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The time the flow is over, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn flow_end(&self) -> u64 {
        self.flow_end
    }

    /// Until when the questions of a round that ends now can be answered.
    #[must_use]
    pub fn answers_until(&self, now: u64) -> u64 {
        now.saturating_add(self.limits.round).min(self.flow_end)
    }

    /// The flow's root.
    #[must_use]
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The entries of the flow, by key.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What happened since this was last asked.
    pub fn take_events(&mut self) -> Vec<RoundEvent> {
        std::mem::take(&mut self.events)
    }
}
