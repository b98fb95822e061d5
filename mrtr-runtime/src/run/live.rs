//! Asking a client while the handler waits: the way out, and the guard of each open question.
//!
//! Only the revisions before 2026-07-28 have it. A run without it ends in its questions.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mrtr_core::key::AskKey;
use mrtr_core::round::{End, Found, Sent};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::{CommitStep, Run};

/// The way to a client that is asked on the connection of its call.
pub(crate) struct Live {
    questions: mpsc::UnboundedSender<LiveAsk>,
    /// How many questions wait for their answers: the handler's clock stands still meanwhile.
    waiting: watch::Sender<usize>,
}

/// A question on its way to the client.
pub(crate) struct LiveAsk {
    pub(crate) sent: Sent,
    /// Closed when nobody waits for the answer any more.
    pub(crate) answer: oneshot::Sender<LiveAnswer>,
}

/// What became of a question.
#[derive(Debug)]
pub(crate) enum LiveAnswer {
    /// The client's result, as JSON text.
    Result(String),
    /// The client does not know the method.
    NotSupported,
    /// The user refused in a way that is an error on the wire.
    Refused,
    /// The client's revision cannot show it; says why.
    CannotShow(String),
    /// There is no answer; says why.
    Nothing(String),
}

impl Live {
    /// A way out, and where its questions come out.
    pub(crate) fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<LiveAsk>) {
        let (questions, receiver) = mpsc::unbounded_channel();
        let waiting = watch::Sender::new(0);
        (Arc::new(Self { questions, waiting }), receiver)
    }

    /// Resolves when the handler has worked for this long; waiting for answers is no work.
    pub(super) async fn worked(&self, limit: Duration) {
        let mut waiting = self.waiting.subscribe();
        let mut left = limit;
        loop {
            // The sender lives in `self`, so neither of these can fail.
            let _ = waiting.wait_for(|count| *count == 0).await;
            let begun = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                _ = waiting.wait_for(|count| *count > 0) => {
                    left = left.saturating_sub(begun.elapsed());
                }
            }
        }
    }
}

/// A question that waits for its answer. Dropping it before the answer is read ends the call.
pub(crate) struct Waiting {
    run: Arc<Run>,
    live: Arc<Live>,
    key: AskKey,
    answer: oneshot::Receiver<LiveAnswer>,
    read: bool,
}

impl Run {
    /// Sends an open question to the client, if this run has a way there; `None` when it has not,
    /// so that the round ends in the question.
    pub(crate) fn send(self: &Arc<Self>, key: &AskKey) -> Result<Option<Waiting>, End> {
        let Some(live) = &self.live else {
            return Ok(None);
        };
        let Some(sent) = self.lock().round.send(key)? else {
            return Ok(None);
        };
        let (sender, answer) = oneshot::channel();
        // Without a receiver the sender is dropped, and waiting for the answer says so.
        let _ = live.questions.send(LiveAsk {
            sent,
            answer: sender,
        });
        live.waiting.send_modify(|count| *count += 1);
        Ok(Some(Waiting {
            run: Arc::clone(self),
            live: Arc::clone(live),
            key: key.clone(),
            answer,
            read: false,
        }))
    }
}

impl Run {
    /// Whether the client is asked while the handler waits.
    pub(super) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Asks what is open, whose handler was dropped, and makes the run ready to begin again; false
    /// when the call ends instead.
    pub(super) async fn answered(self: &Arc<Self>) -> bool {
        loop {
            let open: Vec<_> = self.lock().round.open_keys().cloned().collect();
            if open.is_empty() {
                return self.again();
            }
            // All of them are on their way before the first answer is waited for.
            let mut sent = Vec::new();
            for key in &open {
                match self.send(key) {
                    Ok(waiting) => sent.extend(waiting),
                    Err(end) => self.end(end),
                }
            }
            for waiting in &mut sent {
                if let Found::Ended(end) = poll_fn(|cx| waiting.poll(cx)).await {
                    self.end(end);
                }
            }
            if self.lock().end.is_some() {
                return false;
            }
        }
    }

    /// Forgets what the dropped handler did, and keeps what is answered.
    fn again(&self) -> bool {
        let mut state = self.lock();
        state.round.again();
        state.commit = CommitStep::None;
        state.said_no = false;
        state.tickets.clear();
        state.end.is_none()
    }
}

impl Waiting {
    /// The question's key.
    pub(crate) fn key(&self) -> &AskKey {
        &self.key
    }

    /// Reads the answer when it is there.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Found> {
        let answer = ready!(Pin::new(&mut self.answer).poll(cx));
        self.read = true;
        let lost = |_| LiveAnswer::Nothing("the connection was lost".into());
        let answer = answer.unwrap_or_else(lost);
        let key = &self.key;
        let round = &mut self.run.lock().round;
        Poll::Ready(match answer {
            LiveAnswer::Result(text) => round.answer(key, &text),
            LiveAnswer::NotSupported => round.not_supported(key),
            LiveAnswer::Refused => round.refused(key),
            LiveAnswer::CannotShow(why) => round.cannot_show(key, why),
            LiveAnswer::Nothing(why) => Found::Ended(End::NoAnswer(key.clone(), why)),
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.live.waiting.send_modify(|count| *count -= 1);
        if !self.read {
            // The client is told by the closed channel; the call must not go on as if the user
            // had been asked.
            self.run.end(End::Abandoned(self.key.clone()));
        }
    }
}
