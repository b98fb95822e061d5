//! What the driver does after each poll of a handler: a pure decision.

/// How often a handler that woke itself is polled again before its questions go out.
pub(super) const MOST_SPINS: u8 = 32;

/// What a poll of the handler came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polled {
    /// The handler returned, with any result.
    Ready,
    /// It waits; `woken` says that it woke itself during the poll.
    Pending {
        /// Whether the handler was woken while it was polled.
        woken: bool,
    },
}

/// What the run looks like after a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Something ended the call.
    pub(super) ended: bool,
    /// At least one question is open.
    pub(super) open: bool,
    /// At least one question waits for its answer while the handler goes on.
    pub(super) waiting: bool,
    /// The commit waits to be let through.
    pub(super) commit_wanted: bool,
    /// How often in a row the handler has been polled again.
    pub(super) spins: u8,
}

/// What the driver does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The handler's result stands.
    Finish,
    /// The call ends for another reason; the handler is dropped.
    Stop,
    /// The round ends in its questions; the handler, or its result, is dropped.
    Mint,
    /// The commit may begin.
    Commit,
    /// Poll once more: something the handler waits for is ready already.
    Again,
    /// Wait until the handler is woken.
    Wait,
}

/// Decides the next step.
///
/// A question that was asked goes out whatever the handler did with it; nothing commits while one
/// is open or waits for its answer, and no handler ends around one that waits.
pub(super) fn next_step(polled: Polled, seen: Seen) -> Step {
    if seen.ended {
        return Step::Stop;
    }
    match polled {
        Polled::Ready if seen.waiting => Step::Stop,
        Polled::Ready if seen.open => Step::Mint,
        Polled::Ready => Step::Finish,
        // What is open there goes out once the answers that are on their way have come.
        Polled::Pending { .. } if seen.open && seen.waiting => Step::Wait,
        Polled::Pending { woken: true } if seen.open && seen.spins < MOST_SPINS => Step::Again,
        Polled::Pending { .. } if seen.open => Step::Mint,
        Polled::Pending { .. } if seen.commit_wanted && !seen.waiting => Step::Commit,
        Polled::Pending { .. } => Step::Wait,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Seen = Seen {
        ended: false,
        open: false,
        waiting: false,
        commit_wanted: false,
        spins: 0,
    };

    #[test]
    fn each_poll_has_one_next_step() {
        let asleep = Polled::Pending { woken: false };
        let awake = Polled::Pending { woken: true };
        let open = Seen {
            open: true,
            ..QUIET
        };
        let wants = Seen {
            commit_wanted: true,
            ..QUIET
        };
        let cases = [
            (Polled::Ready, QUIET, Step::Finish),
            (Polled::Ready, open, Step::Mint),
            (asleep, open, Step::Mint),
            (awake, open, Step::Again),
            (
                awake,
                Seen {
                    spins: MOST_SPINS,
                    ..open
                },
                Step::Mint,
            ),
            (asleep, QUIET, Step::Wait),
            (
                asleep,
                Seen {
                    waiting: true,
                    ..open
                },
                Step::Wait,
            ),
            (awake, QUIET, Step::Wait),
            (asleep, wants, Step::Commit),
            (
                asleep,
                Seen {
                    waiting: true,
                    ..wants
                },
                Step::Wait,
            ),
            (
                Polled::Ready,
                Seen {
                    waiting: true,
                    ..QUIET
                },
                Step::Stop,
            ),
            (
                asleep,
                Seen {
                    open: true,
                    ..wants
                },
                Step::Mint,
            ),
            (
                awake,
                Seen {
                    open: true,
                    ..wants
                },
                Step::Again,
            ),
            (
                Polled::Ready,
                Seen {
                    ended: true,
                    ..open
                },
                Step::Stop,
            ),
            (
                asleep,
                Seen {
                    ended: true,
                    ..wants
                },
                Step::Stop,
            ),
        ];
        for (polled, seen, expected) in cases {
            assert_eq!(next_step(polled, seen), expected, "{polled:?} {seen:?}");
        }
    }
}
