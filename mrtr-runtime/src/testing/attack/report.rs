//! What an attack came to, as a table.

use std::fmt;

use super::moves::Move;

/// What became of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It won nothing.
    Held,
    /// It had effects that this server is not set up to prevent.
    NotGuaranteed,
    /// It had effects that should not be, or lost one that should.
    Broken,
    /// It does not apply; the note says why.
    Skipped,
}

/// A line of a [`Report`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Row {
    /// What was tried.
    pub what: Move,
    /// How many effects it had.
    pub effects: usize,
    /// What became of it.
    pub verdict: Verdict,
    /// What there is to say of it; may be empty.
    pub note: String,
}

/// What an attack came to. Displayed, it is a table.
#[derive(Clone)]
pub struct Report {
    pub(super) tool: String,
    pub(super) per_call: usize,
    pub(super) rows: Vec<Row>,
}

impl Report {
    /// A line for each move, in the order of [`Move::ALL`].
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many effects one honest call has.
    #[must_use]
    pub fn effects_per_call(&self) -> usize {
        self.per_call
    }

    /// What became of a move.
    #[must_use]
    pub fn verdict(&self, what: Move) -> Verdict {
        let row = self.rows.iter().find(|row| row.what == what);
        row.map_or(Verdict::Skipped, |row| row.verdict)
    }

    pub(super) fn is_broken(&self) -> bool {
        self.rows.iter().any(|row| row.verdict == Verdict::Broken)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            per_call,
            rows,
        } = self;
        write!(
            f,
            "attack on `{tool}`; effects of one honest call: {per_call}"
        )?;
        for Row {
            what,
            effects,
            verdict,
            note,
        } in rows
        {
            let dash = if note.is_empty() { "" } else { ": " };
            let effects = match verdict {
                Verdict::Skipped => "-".to_owned(),
                _ => effects.to_string(),
            };
            write!(f, "\n  {what:<38}{effects:>3}  {verdict}{dash}{note}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Held => "held",
            Self::NotGuaranteed => "not guaranteed",
            Self::Broken => "BROKEN",
            Self::Skipped => "skipped",
        })
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
