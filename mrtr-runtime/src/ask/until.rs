//! Waiting until what a link is for is done.

use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::answers::AnswersUrl;
use mrtr_core::reply::FromAnswer;
use mrtr_core::round::End;
use tokio::time::{Instant, sleep};

use super::{Ask, Progress};

/// How long a round waits, unless the author says otherwise.
pub(super) const WAIT: Duration = Duration::from_secs(2);

/// How long it waits between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// Says whether what a link is for is done.
pub(super) struct Until<'a, T> {
    check: Arc<dyn Fn() -> Waiting<'a> + Send + Sync + 'a>,
    is_accepted: fn(&T) -> bool,
}

/// A look whether it is done, at work; an error is why nobody can tell.
pub(super) type Waiting<'a> = Pin<Box<dyn Future<Output = Result<bool, String>> + Send + 'a>>;

/// What a look comes to: a `bool`, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether it is done",
    label = "not a yes or a no",
    note = "`until` is given a `bool`, or a `Result<bool, E>`"
)]
pub trait Done {
    /// Whether it is done.
    ///
    /// # Errors
    /// Why nobody can tell, for the log.
    fn done(self) -> Result<bool, String>;
}

impl Done for bool {
    fn done(self) -> Result<bool, String> {
        Ok(self)
    }
}

impl<E: Display> Done for Result<bool, E> {
    fn done(self) -> Result<bool, String> {
        self.map_err(|error| error.to_string())
    }
}

impl<'a, T> Until<'a, T> {
    /// The wait for an accepted answer; a no waits for nothing.
    pub(super) fn wait_for(&self, value: &T, wait: Duration) -> Option<Waiting<'a>> {
        let check = Arc::clone(&self.check);
        (self.is_accepted)(value).then(|| Box::pin(within(check, wait)) as Waiting<'a>)
    }
}

/// Looks until it is done or the time is over. A look that has begun is waited for.
async fn within<'a>(
    check: Arc<dyn Fn() -> Waiting<'a> + Send + Sync + 'a>,
    wait: Duration,
) -> Result<bool, String> {
    let end = Instant::now() + wait;
    loop {
        if check().await? {
            return Ok(true);
        }
        if Instant::now() + PAUSE > end {
            return Ok(false);
        }
        sleep(PAUSE).await;
    }
}

impl<'a, T: AnswersUrl> Ask<'a, T> {
    /// Yields the answer only when what the link is for is done, as this says: an `async` closure
    /// that gives a `bool`, or a `Result` whose error ends the call.
    ///
    /// It is looked at several times in each round, so it must change nothing. A round waits for
    /// it a moment; then the question is asked again and says that it is not finished yet, which
    /// is not counted as a wrong answer.
    pub fn until<F, R>(mut self, check: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'a,
        R: Future + Send + 'a,
        R::Output: Done,
    {
        self.until = Some(Until {
            check: Arc::new(move || {
                let looking = check();
                Box::pin(async move { looking.await.done() })
            }),
            is_accepted: |value| FromAnswer::accepted(value).is_some(),
        });
        self
    }

    /// How long a round waits for [`until`](Ask::until), instead of 2 seconds.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}

impl<'a, T> Ask<'a, T> {
    /// What comes of the wait.
    pub(super) fn waited(&mut self, done: Result<bool, String>) -> Progress<'a, T> {
        let finishing = std::mem::replace(&mut self.progress, Progress::Parked);
        let Progress::Finishing(key, value, _) = finishing else {
            return Progress::Parked;
        };
        match done {
            Ok(true) => Progress::Answered(value),
            Ok(false) => {
                let found = self.ctx.run().lock().round.not_done(&key);
                self.found(key, found)
            }
            Err(error) => {
                tracing::error!(ask = %key, %error, "`until` failed");
                self.end(End::CheckFailed(key))
            }
        }
    }
}
