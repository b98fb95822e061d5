//! Counting effects from outside the handler.

use std::sync::Arc;

use super::recorder::Recorder;

/// A way to count effects.
#[derive(Clone)]
pub(super) enum Tally<'a> {
    /// Effects are written down.
    Recorder(Recorder),
    /// The test counts.
    Closure(Arc<dyn Fn() -> usize + Send + Sync + 'a>),
}

impl Tally<'_> {
    /// How many effects there have been.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Recorder(recorder) => recorder.count(),
            Self::Closure(count) => count(),
        }
    }

    /// What happened since there were so many.
    pub(super) fn since(&self, earlier: usize) -> Vec<String> {
        match self {
            Self::Recorder(recorder) => recorder.effects().split_off(earlier.min(recorder.count())),
            Self::Closure(count) => match count().saturating_sub(earlier) {
                0 => Vec::new(),
                more => (1..=more)
                    .map(|number| format!("effect {number}"))
                    .collect(),
            },
        }
    }
}
