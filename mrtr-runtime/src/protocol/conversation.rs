//! A handler at work for one request: its notifications, and what it comes to.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use tokio::sync::mpsc;
use tracing::Span;

use crate::caught::caught;
use crate::error::MISSING_CAPABILITY;
use crate::run::Ended;
use crate::server::Inner;

use super::response::{Events, Reply, Response};
use super::{Refusal, encode, trace};

/// What a request for a handler comes to, once it is polled. A refusal is one that had to wait for
/// the flow store.
pub(super) type Work = Pin<Box<dyn Future<Output = Result<Ended, Refusal>> + Send>>;

/// A handler that was started. Dropping it cancels the handler, as far as that can be done.
pub(crate) struct Conversation {
    pub(super) server: Arc<Inner>,
    /// The request's id as JSON text.
    pub(super) id: Box<str>,
    pub(super) work: Work,
    /// Where notifications come from, if the request asked for any.
    pub(super) notifications: Option<mpsc::Receiver<String>>,
    pub(super) ended: Option<Result<Ended, Refusal>>,
    pub(super) over: bool,
    /// What is logged when the work panics. The driver catches what handlers do.
    pub(super) panicked: &'static str,
    /// It goes on until somebody ends it: a subscription.
    pub(super) endless: bool,
    pub(super) span: Span,
}

/// What the first poll of a conversation came to.
pub(crate) enum Begun {
    /// All is said.
    Over,
    /// There is something to send, and maybe more to come.
    Goes(Response),
    /// It has to wait.
    Waits(Box<Conversation>),
}

/// What comes next in a conversation.
enum Next {
    Notification(String),
    Ended(Result<Ended, Refusal>),
}

impl Conversation {
    /// Whether it goes on until somebody ends it.
    pub(crate) fn is_endless(&self) -> bool {
        self.endless
    }

    /// Runs the handler to its first notification or its end, so that the head of the answer is
    /// decided no sooner than it must be.
    pub(crate) async fn begin(mut self: Box<Self>) -> Response {
        let next = std::future::poll_fn(|cx| self.poll_step(cx)).await;
        self.begun(next)
    }

    /// The same by a single poll, for a stream of lines: an answer that is all there is to say is
    /// written as a line behind what there is already.
    ///
    /// A conversation that has to wait for something will be woken only once it is polled again.
    pub(crate) fn begin_now(mut self: Box<Self>, lines: &mut Vec<u8>) -> Begun {
        let next = match self.poll_step(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(next) => next,
            Poll::Pending => return Begun::Waits(self),
        };
        let ended = match next {
            Next::Ended(Ok(ended)) => ended,
            other => return Begun::Goes(self.begun(other)),
        };
        if self.is_answered(&ended) {
            encode::ended(lines, &self.id, &self.server.shared, &ended);
            lines.push(b'\n');
        }
        Begun::Over
    }

    fn begun(self: Box<Self>, next: Next) -> Response {
        match next {
            Next::Notification(first) => Response::Events(Events {
                first: Some(first.into()),
                rest: self,
            }),
            Next::Ended(ended) => self.answer(ended),
        }
    }

    /// The next message; `None` when there is none any more.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        if self.over {
            return None;
        }
        match std::future::poll_fn(|cx| self.poll_step(cx)).await {
            Next::Notification(text) => Some(text.into()),
            Next::Ended(ended) => {
                self.over = true;
                match self.answer(ended) {
                    Response::Json(reply) => Some(reply.body),
                    _ => None,
                }
            }
        }
    }

    /// Notifications that were sent before the end come before it.
    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Next> {
        loop {
            if let Some(receiver) = &mut self.notifications {
                match receiver.poll_recv(cx) {
                    Poll::Ready(Some(text)) => return Poll::Ready(Next::Notification(text)),
                    Poll::Ready(None) => self.notifications = None,
                    Poll::Pending => {}
                }
            }
            if let Some(ended) = self.ended.take() {
                return Poll::Ready(Next::Ended(ended));
            }
            let (span, work) = (&self.span, &mut self.work);
            let polled = caught(|| span.in_scope(|| work.as_mut().poll(cx)));
            let ended = match polled {
                Some(Poll::Pending) => return Poll::Pending,
                Some(Poll::Ready(ended)) => ended,
                None => {
                    tracing::error!(parent: span, "{}", self.panicked);
                    Ok(Ended::internal())
                }
            };
            self.ended = Some(ended);
            // A clone of the call may live on in another task; it is not listened to any more.
            if let Some(receiver) = &mut self.notifications {
                receiver.close();
            }
        }
    }

    fn answer(&self, ended: Result<Ended, Refusal>) -> Response {
        let ended = match ended {
            Ok(ended) => ended,
            Err(refusal) => {
                trace::failed(&self.span, refusal.error.code);
                return Response::Json(Reply::refused(Some(&self.id), refusal));
            }
        };
        if !self.is_answered(&ended) {
            return Response::Nothing;
        }
        let mut body = Vec::new();
        encode::ended(&mut body, &self.id, &self.server.shared, &ended);
        Response::Json(Reply {
            status: status(&ended),
            headers: Vec::new(),
            body: body.into(),
        })
    }

    /// Whether an answer goes out, which the span is told of.
    fn is_answered(&self, ended: &Ended) -> bool {
        match ended {
            Ended::Cancelled => return false,
            Ended::Failed(error) => trace::failed(&self.span, error.code),
            Ended::Complete(result) if result.is_error() => trace::tool_error(&self.span),
            Ended::Complete(_)
            | Ended::Asked { .. }
            | Ended::Recorded(_)
            | Ended::Unsubscribed(_) => {}
        }
        true
    }
}

/// A missing capability has a status of its own; other errors are what the method came to.
fn status(ended: &Ended) -> u16 {
    match ended {
        Ended::Failed(error) if error.code == MISSING_CAPABILITY => 400,
        _ => 200,
    }
}
