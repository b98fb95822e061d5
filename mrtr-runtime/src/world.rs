//! Time and randomness, as the only place that takes them from the operating system.

/// Where a server gets the time and its random bytes from.
pub(crate) trait World: Send + Sync + 'static {
    /// Milliseconds since the Unix epoch.
    fn now(&self) -> u64;

    /// Fills the buffer with bytes nobody can guess.
    ///
    /// # Errors
    /// When there are none to be had; the call then fails rather than go on with weaker ones.
    fn random(&self, buffer: &mut [u8]) -> Result<(), NoEntropy>;
}

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub(crate) struct NoEntropy;

/// The clock and the random source of the operating system.
pub(crate) struct System;

impl World for System {
    fn now(&self) -> u64 {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| {
                u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
            })
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoEntropy> {
        getrandom::fill(buffer).map_err(|_| NoEntropy)
    }
}
