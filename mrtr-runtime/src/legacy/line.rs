//! A session on a pipe, beside the modern requests that come on it.
//!
//! Each line is judged by itself: the pipe is never handed over.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_server};
use rmcp::transport::Transport;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::server::Inner;

use super::session::Session;
use super::shape::{self, Shape};

/// How many messages wait on either side.
const QUEUE: usize = 64;

/// A session that was opened on a pipe.
pub(crate) struct LineSession {
    sender: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    /// How many requests wait for their answers.
    running: watch::Receiver<usize>,
    serving: JoinHandle<()>,
}

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The session's; it has been taken.
    Taken,
    /// The session's, and it cannot be read.
    Unreadable,
    /// Not the session's.
    NotOurs,
}

impl LineSession {
    /// Whether a line opens a session: `initialize` without a version of its own.
    pub(crate) fn opens(line: &[u8]) -> bool {
        Shape::of(line).is_some_and(|shape| shape.is_initialize() && !shape.is_modern())
    }

    /// Starts a session whose messages to the client go to `out`, one JSON object each.
    pub(crate) fn start(server: &Arc<Inner>, out: mpsc::Sender<Bytes>) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (count, running) = watch::channel(0);
        let pipe = Pipe {
            receiver,
            out,
            count: Arc::new(count),
        };
        let session = Session::new(server);
        let serving = tokio::spawn(async move {
            match serve_server(session, pipe).await {
                Ok(service) => drop(service.waiting().await),
                Err(error) => tracing::warn!(%error, "a session was not opened"),
            }
        });
        Self {
            sender,
            running,
            serving,
        }
    }

    /// Takes a line, if it is the session's.
    pub(crate) async fn take(&self, line: &[u8]) -> Whose {
        if let Some(messages) = shape::batch(line) {
            return self.batch(messages).await;
        }
        // A client that probes gets its answer in modern form, session or not.
        let modern = |shape: Shape<'_>| shape.is_modern() || shape.is_probe();
        if Shape::of(line).is_none_or(modern) {
            return Whose::NotOurs;
        }
        self.pass(line).await
    }

    /// Batches came with 2025-03-26 and went with the next revision; they are taken one by one.
    async fn batch(&self, messages: Vec<&RawValue>) -> Whose {
        let mut taken = Whose::NotOurs;
        for message in messages {
            taken = self.pass(message.get().as_bytes()).await;
        }
        taken
    }

    async fn pass(&self, message: &[u8]) -> Whose {
        match serde_json::from_slice(message) {
            Ok(message) => match self.sender.send(message).await {
                Ok(()) => Whose::Taken,
                // The handshake failed: there is no session.
                Err(_) => Whose::NotOurs,
            },
            Err(_) => Whose::Unreadable,
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
        if tokio::time::timeout(courtesy, &mut self.serving)
            .await
            .is_err()
        {
            self.serving.abort();
        }
    }
}

/// The session's end of the pipe.
struct Pipe {
    receiver: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    out: mpsc::Sender<Bytes>,
    count: Arc<watch::Sender<usize>>,
}

impl Transport<RoleServer> for Pipe {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let (out, count) = (self.out.clone(), Arc::clone(&self.count));
        async move {
            let answers = matches!(
                message,
                JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)
            );
            if let Ok(text) = serde_json::to_vec(&message) {
                // The client has gone when this fails, and the loop ends for that reason.
                let _ = out.send(text.into()).await;
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
