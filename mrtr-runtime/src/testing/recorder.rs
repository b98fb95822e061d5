//! A place where the effects of a test are written down.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Writes effects down, so that a test can count them. Clones share what they hold.
///
/// Give it to the server with `.state(recorder)`, for tools that take `State<Recorder>`; or put it
/// into the stand-in for your own database and name it with [`Client::recording`]. Either way the
/// client looks at it by itself: an effect in a round that ends in a question fails the test.
///
/// [`Client::recording`]: super::Client::recording
///
/// # Examples
/// ```
/// # use mrtr_runtime as mrtr;
/// use mrtr::testing::Recorder;
/// let sent = Recorder::new();
/// sent.record("mail to Ada");
/// assert_eq!(sent.effects(), ["mail to Ada"]);
/// ```
#[derive(Clone, Default)]
pub struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes down that an effect happened.
    pub fn record(&self, effect: impl Into<String>) {
        self.lock().push(effect.into());
    }

    /// Writes an effect down as something that takes a moment, like a request to a real service:
    /// it waits before and after. A handler that is dropped half-way does not get to write.
    pub async fn perform(&self, effect: impl Into<String>) {
        tokio::task::yield_now().await;
        self.record(effect);
        tokio::task::yield_now().await;
    }

    /// How many effects there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// The effects in the order they happened.
    #[must_use]
    pub fn effects(&self) -> Vec<String> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lock().iter()).finish()
    }
}
