//! The revisions of the protocol, and how their names are read.

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
    /// The older revision, opened by a handshake, that has this name.
    #[must_use]
    pub fn of_handshake(name: &str) -> Option<Self> {
        Some(match name {
            "2024-11-05" => Self::V2024_11_05,
            "2025-03-26" => Self::V2025_03_26,
            "2025-06-18" => Self::V2025_06_18,
            "2025-11-25" => Self::V2025_11_25,
            _ => return None,
        })
    }

    /// Whether a conversation in it has no handshake.
    #[must_use]
    pub fn is_modern(self) -> bool {
        self >= Self::V2026_07_28
    }
}
