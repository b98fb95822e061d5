//! The stdio transport: one message a line, in and out.
//!
//! Source: MCP 2026-07-28, basic/transports/stdio. One loop reads; each handler runs in a task of
//! its own; one task writes, so that lines never mix. The writer looks a request up before it
//! writes for it: after a cancellation there is nothing to find, and nothing is sent.

mod pump;
#[cfg(feature = "legacy")]
mod session;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinError, JoinSet};

use crate::error::{INVALID_REQUEST, RpcError};
#[cfg(feature = "legacy")]
use crate::legacy::LineSession;
use crate::protocol::{
    Accepted, Conversation, Head, Id, IdKey, Incoming, Malformed, Message, Notice, Refusal, Reply,
    Response, accept_request, read,
};
use crate::server::Endpoint;

use super::lines::{Line, Lines};
use super::{GRACE, shutdown};

/// How many messages wait for the writer before handlers wait, too.
const OUTGOING: usize = 64;
/// From how many bytes on the writer looks for no more messages that could go in the same write.
const BATCH: usize = 32 * 1024;
/// How long requests may still be answered after the client has closed its side. It must end soon,
/// but what was piped in whole should be answered whole.
const COURTESY: Duration = Duration::from_millis(500);

/// Serves stdin and stdout until stdin ends or the process is told to end.
pub(crate) async fn serve(endpoint: &Endpoint) -> io::Result<()> {
    let (sender, chunks) = mpsc::channel(1);
    // A thread of its own and not tokio's stdin: that one keeps a process from ending until one
    // more line comes in.
    std::thread::Builder::new()
        .name("mrtr-stdin".into())
        .spawn(move || pump::stdin(&sender))?;
    serve_chunks(endpoint, chunks, tokio::io::stdout(), shutdown::requested()).await
}

impl Endpoint {
    /// Serves one client over any pair of byte streams, as over stdio: one message a line.
    ///
    /// Returns when the reader ends, after running commits have ended, too.
    ///
    /// # Errors
    /// When the writer fails.
    pub async fn serve_lines(
        &self,
        reader: impl AsyncRead + Send + 'static,
        writer: impl AsyncWrite + Send + 'static,
    ) -> io::Result<()> {
        let (sender, chunks) = mpsc::channel(1);
        let pump = tokio::spawn(pump::reader(Box::pin(reader), sender));
        let served = serve_chunks(self, chunks, Box::pin(writer), std::future::pending()).await;
        pump.abort();
        served
    }
}

async fn serve_chunks(
    endpoint: &Endpoint,
    mut chunks: mpsc::Receiver<io::Result<Bytes>>,
    writer: impl AsyncWrite + Unpin + Send + 'static,
    told_to_end: impl Future<Output = ()>,
) -> io::Result<()> {
    let live = Arc::new(Live::default());
    let (out, queue) = mpsc::channel(OUTGOING);
    let mut writing = tokio::spawn(write(writer, queue, Arc::clone(&live)));
    let mut reading = Reading {
        endpoint,
        live,
        out,
        tasks: JoinSet::new(),
        serial: 0,
        #[cfg(feature = "legacy")]
        session: None,
    };
    let reader = async {
        let mut lines = Lines::new(endpoint.0.max_body);
        while let Some(chunk) = chunks.recv().await {
            match chunk {
                Ok(chunk) => reading.take(lines.feed(&chunk)).await,
                Err(error) => {
                    tracing::warn!(%error, "the input cannot be read any more");
                    break;
                }
            }
        }
        reading.take(lines.finish()).await;
    };
    tokio::select! {
        // The client has gone: nobody is left to be told of changes.
        () = reader => reading.unsubscribe(),
        () = told_to_end => endpoint.0.changes.close(),
        // Nobody reads what we write.
        written = &mut writing => {
            reading.tasks.shutdown().await;
            endpoint.drain(GRACE).await;
            return outcome(written);
        }
    }
    reading.end().await;
    let written = outcome(writing.await);
    endpoint.drain(GRACE).await;
    written
}

/// A client that has gone is the usual end of a server on a pipe.
fn outcome(written: Result<io::Result<()>, JoinError>) -> io::Result<()> {
    match written {
        Ok(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// The requests whose handlers are running, by their ids.
#[derive(Default)]
struct Live(Mutex<HashMap<IdKey, Running>>);

struct Running {
    /// Tells this request from an earlier one of the same id.
    serial: u64,
    /// It goes on until somebody ends it.
    endless: bool,
    abort: Option<AbortHandle>,
}

impl Live {
    fn lock(&self) -> MutexGuard<'_, HashMap<IdKey, Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a message for the request may still go out; the last one ends it.
    fn admits(&self, request: &(IdKey, u64), last: bool) -> bool {
        let mut live = self.lock();
        let admits = live
            .get(&request.0)
            .is_some_and(|running| running.serial == request.1);
        if admits && last {
            live.remove(&request.0);
        }
        admits
    }

    /// Adds a message as a line, unless its request is not live any more.
    fn put(&self, outgoing: Outgoing, lines: &mut Vec<u8>) {
        let admitted = outgoing
            .request
            .is_none_or(|request| self.admits(&request, outgoing.last));
        if let Some(text) = outgoing.text.filter(|_| admitted) {
            lines.extend_from_slice(&text);
            lines.push(b'\n');
        }
    }
}

/// A message on its way out.
struct Outgoing {
    /// The running request it belongs to; other messages always go out.
    request: Option<(IdKey, u64)>,
    last: bool,
    /// Nothing, for a request that ends without an answer.
    text: Option<Bytes>,
}

async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut queue: mpsc::Receiver<Outgoing>,
    live: Arc<Live>,
) -> io::Result<()> {
    while let Some(first) = queue.recv().await {
        // A write to stdout is a way to another thread and back, so that all that waits goes at once.
        let mut lines = Vec::new();
        live.put(first, &mut lines);
        while lines.len() < BATCH
            && let Ok(next) = queue.try_recv()
        {
            live.put(next, &mut lines);
        }
        writer.write_all(&lines).await?;
        writer.flush().await?;
    }
    Ok(())
}

/// The reading side: it takes lines and starts handlers.
struct Reading<'a> {
    endpoint: &'a Endpoint,
    live: Arc<Live>,
    out: mpsc::Sender<Outgoing>,
    tasks: JoinSet<()>,
    serial: u64,
    /// The session, once a client has opened one.
    #[cfg(feature = "legacy")]
    session: Option<LineSession>,
}

impl Reading<'_> {
    async fn take(&mut self, lines: impl IntoIterator<Item = Line>) {
        for line in lines {
            // Handlers that have ended are forgotten.
            while self.tasks.try_join_next().is_some() {}
            match line {
                Line::Whole(line) => self.message(&line).await,
                Line::TooLong => {
                    let most = self.endpoint.0.max_body;
                    let error = format!("the message is longer than {most} bytes");
                    self.refuse(None, RpcError::new(INVALID_REQUEST, error))
                        .await;
                }
            }
        }
    }

    async fn message(&mut self, line: &[u8]) {
        #[cfg(feature = "legacy")]
        if self.in_session(line).await {
            return;
        }
        match read(line) {
            Ok(Message::Request(request)) => self.request(request).await,
            Ok(Message::Notification(notice)) => self.notification(&notice),
            Err(Malformed {
                unanswerable: true,
                error,
                ..
            }) => {
                tracing::debug!(reason = %error.message, "a message was passed over");
            }
            Err(Malformed { id, error, .. }) => self.refuse(id, error).await,
        }
    }

    async fn request(&mut self, request: Incoming<'_>) {
        let key = request.id.key();
        if self.live.lock().contains_key(&key) {
            let error = "a request with this id is still running";
            return self
                .refuse(Some(request.id), RpcError::new(INVALID_REQUEST, error))
                .await;
        }
        let principal = self.endpoint.0.stdio_principal.clone();
        match accept_request(&self.endpoint.0, &Head::Line, request, principal) {
            Accepted::Answered(Response::Json(reply)) => self.send(reply).await,
            Accepted::Answered(_) => {}
            Accepted::Running(conversation) => self.start(key, conversation),
        }
    }

    fn start(&mut self, key: IdKey, conversation: Box<Conversation>) {
        self.serial += 1;
        let serial = self.serial;
        self.live.lock().insert(
            key.clone(),
            Running {
                serial,
                endless: conversation.is_endless(),
                abort: None,
            },
        );
        let abort = self.tasks.spawn(answer(
            conversation,
            (key.clone(), serial),
            self.out.clone(),
        ));
        if let Some(running) = self.live.lock().get_mut(&key) {
            running.abort = Some(abort);
        }
    }

    /// The only notification that means anything here is the cancellation of a request.
    fn notification(&mut self, notice: &Notice<'_>) {
        if notice.method != "notifications/cancelled" {
            let method = mrtr_core::text::log_name(&notice.method);
            tracing::debug!(%method, "a notification was passed over");
            return;
        }
        let cancelled = cancelled_id(notice).and_then(|key| self.live.lock().remove(&key));
        if let Some(Running {
            abort: Some(abort), ..
        }) = cancelled
        {
            // Dropping its future cancels the handler, unless its commit has begun.
            abort.abort();
        }
    }

    async fn refuse(&self, id: Option<Id<'_>>, error: RpcError) {
        self.send(Reply::refused(
            id.map(Id::as_json),
            Refusal::new(400, error),
        ))
        .await;
    }

    async fn send(&self, reply: Reply) {
        let outgoing = Outgoing {
            request: None,
            last: true,
            text: Some(reply.body),
        };
        // The writer has failed when this does; the loop ends for that reason.
        let _ = self.out.send(outgoing).await;
    }

    /// Stops what would go on until the client ends it.
    fn unsubscribe(&mut self) {
        self.live.lock().retain(|_, running| {
            if let (true, Some(abort)) = (running.endless, &running.abort) {
                abort.abort();
            }
            !running.endless
        });
    }

    /// Lets requests that are nearly done be answered and stops the others.
    async fn end(mut self) {
        let modern = async {
            let done = async { while self.tasks.join_next().await.is_some() {} };
            if tokio::time::timeout(COURTESY, done).await.is_err() {
                tracing::debug!("handlers are stopped: the client has gone");
                self.tasks.shutdown().await;
            }
        };
        #[cfg(feature = "legacy")]
        let older = async {
            if let Some(session) = self.session.take() {
                session.end(COURTESY).await;
            }
        };
        #[cfg(not(feature = "legacy"))]
        let older = std::future::ready(());
        tokio::join!(modern, older);
    }
}

fn cancelled_id(notice: &Notice<'_>) -> Option<IdKey> {
    #[derive(Deserialize)]
    struct Cancelled<'a> {
        #[serde(rename = "requestId", borrow)]
        request_id: &'a RawValue,
    }
    let cancelled: Cancelled<'_> = serde_json::from_str(notice.params?.get()).ok()?;
    Id::read(cancelled.request_id).map(Id::key)
}

/// Runs a handler and queues what it has to say.
async fn answer(
    conversation: Box<Conversation>,
    request: (IdKey, u64),
    out: mpsc::Sender<Outgoing>,
) {
    let message = |text, last| Outgoing {
        request: Some(request.clone()),
        last,
        text,
    };
    match conversation.begin().await {
        Response::Json(reply) => {
            let _ = out.send(message(Some(reply.body), true)).await;
        }
        Response::Events(mut events) => {
            while let Some(text) = events.next().await {
                let _ = out.send(message(Some(text), events.is_over())).await;
            }
            // A run that ends without a response leaves its id free all the same.
            let _ = out.send(message(None, true)).await;
        }
        Response::Accepted | Response::Nothing => {
            let _ = out.send(message(None, true)).await;
        }
    }
}
