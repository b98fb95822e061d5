//! The revisions of the protocol, and their names.

/// A revision; later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// The first: no tool annotations, no audio, no completions.
    V2024_11_05,
    /// Streamable HTTP, tool annotations, audio.
    V2025_03_26,
    /// Elicitation by forms, titles, structured content.
    V2025_06_18,
    /// Elicitation by URL, choices with titles, icons.
    V2025_11_25,
    /// No handshake: questions are results.
    V2026_07_28,
}

impl Revision {
    /// Those that open with a handshake, the newest first.
    pub const HANDSHAKES: [Self; 4] = [
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

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

    /// The revision with a handshake that has this name.
    #[must_use]
    pub fn of_handshake(name: &str) -> Option<Self> {
        Self::HANDSHAKES
            .into_iter()
            .find(|revision| revision.name() == name)
    }

    /// Whether a conversation in it has no handshake.
    #[must_use]
    pub fn is_modern(self) -> bool {
        self >= Self::V2026_07_28
    }
}
