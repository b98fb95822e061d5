//! The revisions of the protocol that the client of a test can speak.

use std::fmt;

/// A revision of the protocol, as the client of a test speaks it.
///
/// From 2025-11-25 down a client opens a session and is asked on its connection, while the handler
/// waits; each revision shows what it has, and the rest is an error that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Era {
    /// Sessions; no questions to the user, no sounds.
    V2024_11_05,
    /// Sessions; no questions to the user.
    V2025_03_26,
    /// Sessions; forms with single choices, no links.
    V2025_06_18,
    /// Sessions; everything that can be asked today.
    V2025_11_25,
    /// Rounds: what a client speaks unless it is told otherwise.
    V2026_07_28,
}

impl Era {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether its clients open sessions.
    pub(super) fn has_sessions(self) -> bool {
        self < Self::V2026_07_28
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
