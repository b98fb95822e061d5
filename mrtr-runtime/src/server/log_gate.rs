//! How often the log hears of refusals that anybody can cause at will.

use std::sync::{Mutex, PoisonError};

/// The most lines in one window.
const LINES: u32 = 10;
/// The length of a window in milliseconds.
const WINDOW: u64 = 1_000;

/// Lets a bounded number of log lines through.
#[derive(Debug, Default)]
pub(crate) struct LogGate(Mutex<Window>);

#[derive(Debug, Default)]
struct Window {
    start: u64,
    lines: u32,
    skipped: u64,
}

impl LogGate {
    /// Whether a line may be written now; says how many were skipped since the last one.
    pub(crate) fn admit(&self, now: u64) -> Option<u64> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that went back opens a new window, too.
        if now.abs_diff(window.start) >= WINDOW {
            window.start = now;
            window.lines = 0;
        }
        if window.lines == LINES {
            window.skipped = window.skipped.saturating_add(1);
            return None;
        }
        window.lines += 1;
        Some(std::mem::take(&mut window.skipped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_leaves_a_few_lines_and_their_number() {
        let gate = LogGate::default();
        let admitted = (0..1000).filter(|_| gate.admit(5_000).is_some()).count();
        assert_eq!(admitted, 10);
        assert_eq!(gate.admit(5_999), None);
        assert_eq!(gate.admit(6_000), Some(991));
        assert_eq!(gate.admit(6_000), Some(0));
        assert_eq!(gate.admit(1_000), Some(0));
    }
}
