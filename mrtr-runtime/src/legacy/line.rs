//! A session on a pipe, beside the modern requests that come on it.
//!
//! Each line is judged by itself: the pipe is never handed over.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mrtr_core::principal::Principal;
use rmcp::RoleServer;
use rmcp::model::{JsonRpcMessage, ServerRequest};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_server};
use rmcp::transport::Transport;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};
use tokio_util::task::AbortOnDropHandle;

use crate::protocol::Reply;
use crate::server::Inner;

use super::exchange::Named;
#[cfg(feature = "testing")]
use super::identity::Identity;
use super::incoming::Examined;
use super::session::Session;
use super::shape::{self, Shape};

/// How many messages wait on either side.
const QUEUE: usize = 64;

/// A session that was opened on a pipe.
pub(crate) struct LineSession {
    sender: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    /// How many requests wait for their answers.
    running: watch::Receiver<usize>,
    #[cfg(feature = "testing")]
    identity: Identity,
    serving: AbortOnDropHandle<()>,
}

/// A message to the client.
pub(crate) struct ToClient {
    /// One JSON object.
    pub(crate) text: Bytes,
    /// What it is to a handler, if it is a question.
    #[cfg_attr(
        not(feature = "testing"),
        expect(dead_code, reason = "only the test kit looks behind the wire")
    )]
    pub(crate) question: Option<Named>,
}

/// Whose a message is.
#[derive(Debug)]
pub(crate) enum Whose {
    /// The session's; it has been taken.
    Taken,
    /// The session's, and it cannot be read; it is answered so, if anybody waits for an answer.
    Refused(Option<Reply>),
    /// Not the session's.
    NotOurs,
}

impl LineSession {
    /// Whether a line opens a session: `initialize` without a version of its own.
    pub(crate) fn opens(line: &[u8]) -> bool {
        Shape::of(line).is_some_and(|shape| shape.is_initialize() && !shape.is_modern())
    }

    /// Starts a session with this caller, whose messages to the client go to `out`.
    pub(crate) fn start(
        server: &Arc<Inner>,
        principal: Option<Principal>,
        out: mpsc::Sender<ToClient>,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (count, running) = watch::channel(0);
        let pipe = Pipe {
            receiver,
            out,
            count: Arc::new(count),
        };
        let session = Session::new(server, principal);
        #[cfg(feature = "testing")]
        let identity = session.identity;
        let serving = AbortOnDropHandle::new(tokio::spawn(async move {
            match serve_server(session, pipe).await {
                Ok(service) => drop(service.waiting().await),
                Err(error) => tracing::warn!(%error, "a session was not opened"),
            }
        }));
        Self {
            sender,
            running,
            #[cfg(feature = "testing")]
            identity,
            serving,
        }
    }

    /// The root of the flow that a request with this id has.
    #[cfg(feature = "testing")]
    pub(crate) fn root(&self, id: i64) -> Option<mrtr_core::state::Root> {
        use rmcp::model::RequestId;
        self.identity
            .root("mrtr v1 legacy", &[], &RequestId::Number(id))
    }

    /// Takes a message of a line of its own, if it is the session's.
    pub(crate) async fn take(&self, line: &[u8]) -> Whose {
        // A client that probes gets its answer in modern form, session or not.
        let modern = |shape: Shape<'_>| shape.is_modern() || shape.is_probe();
        if Shape::of(line).is_none_or(modern) {
            return Whose::NotOurs;
        }
        self.pass(line).await
    }

    /// The messages of a batch, which came with 2025-03-26 and went with the next revision.
    pub(crate) fn batch(line: &[u8]) -> Option<Vec<&RawValue>> {
        shape::batch(line)
    }

    /// Takes one message, of whatever era it may be.
    pub(crate) async fn pass(&self, message: &[u8]) -> Whose {
        let message = match Examined::of(message) {
            Examined::Pass(message) => message,
            Examined::Refuse(reply) => return Whose::Refused(reply),
        };
        let Ok(message) = serde_json::from_slice(&message) else {
            return Whose::Refused(None);
        };
        match self.sender.send(message).await {
            Ok(()) => Whose::Taken,
            // The handshake failed: there is no session.
            Err(_) => Whose::NotOurs,
        }
    }

    /// Whether the session has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.sender.is_closed()
    }

    /// Lets requests that are nearly done be answered, then ends the session.
    pub(crate) async fn end(mut self, courtesy: Duration) {
        let done = self.running.wait_for(|running| *running == 0);
        let _ = tokio::time::timeout(courtesy, done).await;
        drop(self.sender);
        // What has not ended then is aborted.
        let _ = tokio::time::timeout(courtesy, self.serving).await;
    }
}

impl ToClient {
    fn of(message: &TxJsonRpcMessage<RoleServer>) -> Option<Self> {
        let question = match message {
            JsonRpcMessage::Request(request) => match &request.request {
                ServerRequest::CustomRequest(question) => question.extensions.get().cloned(),
                _ => None,
            },
            _ => None,
        };
        let text = serde_json::to_vec(message).ok()?.into();
        Some(Self { text, question })
    }
}

/// The session's end of the pipe.
struct Pipe {
    receiver: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    out: mpsc::Sender<ToClient>,
    count: Arc<watch::Sender<usize>>,
}

impl Transport<RoleServer> for Pipe {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let (out, count) = (self.out.clone(), Arc::clone(&self.count));
        let answers = matches!(
            message,
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)
        );
        // The SDK sends each message in a task of its own: what has room goes out before that, so
        // that messages keep their order.
        let left = ToClient::of(&message).and_then(|message| match out.try_send(message) {
            Err(mpsc::error::TrySendError::Full(message)) => Some(message),
            _ => None,
        });
        async move {
            if let Some(message) = left {
                // The client has gone when this fails, and the loop ends for that reason.
                let _ = out.send(message).await;
            }
            if answers {
                count.send_modify(|running| *running = running.saturating_sub(1));
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.receiver.recv().await?;
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.count.send_modify(|running| *running += 1);
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.receiver.close();
        Ok(())
    }
}
