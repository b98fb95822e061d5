//! What lines come to: each request is polled once, and what is not ready goes on in a task.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::error::{INVALID_REQUEST, RpcError};
#[cfg(feature = "legacy")]
use crate::legacy::LineSession;
use crate::protocol::{
    Accepted, Begun, Conversation, Head, Id, IdKey, Incoming, Malformed, Message, Notice, Refusal,
    Reply, Response, accept_request, read,
};
use crate::server::Endpoint;

use super::super::lines::Line;
use super::COURTESY;
use super::live::{Live, Outgoing, Running};

/// How long the handlers of a chunk may hold the loop together.
const LONG: Duration = Duration::from_millis(50);
/// How many of the next requests are left to tasks for each millisecond that they did hold it, if
/// that was longer: one that blocks holds it again only when hundreds of requests have passed, and a
/// processor that was taken away for a moment costs little.
const LEFT_TO_TASKS: u128 = 10;

/// The reading side: it takes lines and starts handlers.
pub(super) struct Reading {
    pub(super) endpoint: Endpoint,
    pub(super) live: Arc<Live>,
    pub(super) out: mpsc::Sender<Outgoing>,
    /// The answers that are ready to go out, a line each.
    pub(super) replies: Vec<u8>,
    /// Once this is cancelled, nothing is waited for here any more.
    pub(super) stop: CancellationToken,
    tasks: JoinSet<()>,
    serial: u64,
    /// How long the handlers of this chunk have held the loop.
    held: Duration,
    /// How many of the next requests are not polled here.
    left_to_tasks: u128,
    /// The session, once a client has opened one.
    #[cfg(feature = "legacy")]
    pub(super) session: Option<LineSession>,
}

impl Reading {
    pub(super) fn new(
        endpoint: &Endpoint,
        live: Arc<Live>,
        out: mpsc::Sender<Outgoing>,
        stop: CancellationToken,
    ) -> Self {
        Self {
            endpoint: endpoint.clone(),
            live,
            out,
            replies: Vec::new(),
            stop,
            tasks: JoinSet::new(),
            serial: 0,
            held: Duration::ZERO,
            left_to_tasks: 0,
            #[cfg(feature = "legacy")]
            session: None,
        }
    }

    /// Begins with a chunk: forgets the tasks that have ended, and what the chunk before took.
    pub(super) fn begin_chunk(&mut self) {
        self.held = Duration::ZERO;
        while self.tasks.try_join_next().is_some() {}
    }

    /// Whether as much of what tasks say waits for the client as may.
    pub(super) fn is_crowded(&self) -> bool {
        self.out.capacity() == 0
    }

    /// Waits until all that waits now is on its way: a client that sends and does not read would
    /// have the answers of its requests pile up.
    pub(super) async fn room(&self) {
        // Places are given out in the order in which they were asked for.
        self.stop.run_until_cancelled(self.out.reserve()).await;
    }

    pub(super) async fn line(&mut self, line: Line<'_>) {
        match line {
            Line::Whole(line) => self.message(line).await,
            Line::TooLong => {
                let most = self.endpoint.0.max_body;
                let error = format!("the message is longer than {most} bytes");
                self.refuse(None, RpcError::new(INVALID_REQUEST, error));
            }
        }
    }

    async fn message(&mut self, line: &[u8]) {
        #[cfg(feature = "legacy")]
        if self.in_session(line).await {
            return;
        }
        match read(line) {
            Ok(Message::Request(request)) => self.request(request),
            Ok(Message::Notification(notice)) => self.notification(&notice),
            Err(Malformed {
                unanswerable: true,
                error,
                ..
            }) => {
                tracing::debug!(reason = %error.message, "a message was passed over");
            }
            Err(Malformed { id, error, .. }) => self.refuse(id, error),
        }
    }

    fn request(&mut self, request: Incoming<'_>) {
        if self.is_running(request.id) {
            let error = "a request with this id is still running";
            return self.refuse(Some(request.id), RpcError::new(INVALID_REQUEST, error));
        }
        let id = request.id;
        let principal = self.endpoint.0.stdio_principal.clone();
        match accept_request(&self.endpoint.0, &Head::Line, request, principal) {
            Accepted::Answered(Response::Json(reply)) => self.reply(&reply),
            Accepted::Answered(_) => {}
            Accepted::Running(conversation) => self.start(id, conversation),
        }
    }

    fn is_running(&self, id: Id<'_>) -> bool {
        let live = self.live.lock();
        !live.is_empty() && live.contains_key(&id.key())
    }

    fn start(&mut self, id: Id<'_>, conversation: Box<Conversation>) {
        let endless = conversation.is_endless();
        match self.poll(conversation) {
            Begun::Over | Begun::Goes(Response::Accepted | Response::Nothing) => {}
            Begun::Goes(Response::Json(reply)) => self.reply(&reply),
            Begun::Goes(response) => self.go_on(id.key(), endless, Ok(response)),
            Begun::Waits(conversation) => self.go_on(id.key(), endless, Err(conversation)),
        }
    }

    /// Polls a handler, unless others held the loop for too long not long ago.
    fn poll(&mut self, conversation: Box<Conversation>) -> Begun {
        if self.left_to_tasks > 0 {
            self.left_to_tasks -= 1;
            return Begun::Waits(conversation);
        }
        let start = Instant::now();
        let begun = conversation.begin_now(&mut self.replies);
        self.held += start.elapsed();
        if self.held > LONG {
            self.left_to_tasks = self.held.as_millis() * LEFT_TO_TASKS;
        }
        begun
    }

    /// Lets a request go on in a task.
    fn go_on(&mut self, key: IdKey, endless: bool, begun: Result<Response, Box<Conversation>>) {
        self.serial += 1;
        let serial = self.serial;
        let answering = answer(begun, (key.clone(), serial), self.out.clone());
        // Held until the request can be found: the task may have its answer at once.
        let mut live = self.live.lock();
        let abort = self.tasks.spawn(answering);
        live.insert(
            key,
            Running {
                serial,
                endless,
                abort,
            },
        );
    }

    /// The only notification that means anything here is the cancellation of a request.
    fn notification(&self, notice: &Notice<'_>) {
        if notice.method != "notifications/cancelled" {
            let method = mrtr_core::text::log_name(&notice.method);
            tracing::debug!(%method, "a notification was passed over");
            return;
        }
        let cancelled = cancelled_id(notice).and_then(|key| self.live.lock().remove(&key));
        if let Some(running) = cancelled {
            running.abort.abort();
        }
    }

    fn refuse(&mut self, id: Option<Id<'_>>, error: RpcError) {
        let refusal = Refusal::new(400, error);
        self.reply(&Reply::refused(id.map(Id::as_json), refusal));
    }

    pub(super) fn reply(&mut self, reply: &Reply) {
        self.replies.extend_from_slice(reply.body());
        self.replies.push(b'\n');
    }

    /// Stops what would go on until the client ends it.
    pub(super) fn unsubscribe(&mut self) {
        self.live.lock().retain(|_, running| {
            if running.endless {
                running.abort.abort();
            }
            !running.endless
        });
    }

    /// Lets requests that are nearly done be answered and stops the others.
    pub(super) async fn end(mut self) {
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

    /// Stops everything at once.
    pub(super) async fn stop(&mut self) {
        self.tasks.shutdown().await;
    }
}

pub(super) fn cancelled_id(notice: &Notice<'_>) -> Option<IdKey> {
    let params = notice.params().filter(|params| !params.repeats_a_key())?;
    Id::read(params.get("requestId")?).map(Id::key)
}

/// Runs a handler, or what is left of it, and queues what it has to say.
async fn answer(
    begun: Result<Response, Box<Conversation>>,
    request: (IdKey, u64),
    out: mpsc::Sender<Outgoing>,
) {
    let message = |text, last| Outgoing {
        request: Some(request.clone()),
        last,
        text,
    };
    let response = match begun {
        Ok(response) => response,
        Err(conversation) => conversation.begin().await,
    };
    match response {
        Response::Json(reply) => {
            let _ = out.send(message(Some(reply.body), true)).await;
        }
        Response::Events(mut events) => {
            let mut answered = false;
            while let Some(text) = events.next().await {
                answered = events.is_over();
                let _ = out.send(message(Some(text), answered)).await;
            }
            // A run that ends without a response leaves its id free all the same.
            if !answered {
                let _ = out.send(message(None, true)).await;
            }
        }
        Response::Accepted | Response::Nothing => {
            let _ = out.send(message(None, true)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    use crate::fixture::{TestWorld, Traces, call, server};

    #[tokio::test]
    async fn a_stream_that_ended_well_says_so_once() {
        let endpoint = server(&TestWorld::new(), &Traces::default());
        let endpoint = endpoint.build_lines().unwrap();
        let (out, mut queue) = mpsc::channel(64);
        let mut reading = Reading::new(&endpoint, Arc::default(), out, CancellationToken::new());
        let mut message = call("chatty", json!({}));
        message["params"]["_meta"]["progressToken"] = json!("t");
        reading
            .line(Line::Whole(message.to_string().as_bytes()))
            .await;
        reading.end().await;
        let mut said = Vec::new();
        while let Some(outgoing) = queue.recv().await {
            said.push((outgoing.text.is_some(), outgoing.last));
        }
        assert_eq!(said, [(true, false), (true, true)]);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_room_is_told_to_stop() {
        let endpoint = server(&TestWorld::new(), &Traces::default());
        let endpoint = endpoint.build_lines().unwrap();
        let (out, _unread) = mpsc::channel(1);
        let full = Outgoing {
            request: None,
            last: true,
            text: None,
        };
        assert!(out.try_send(full).is_ok());
        let stop = CancellationToken::new();
        let reading = Reading::new(&endpoint, Arc::default(), out, stop.clone());
        assert!(reading.is_crowded());
        let wait = || tokio::time::timeout(Duration::from_secs(60), reading.room());
        assert!(wait().await.is_err(), "there is no room");
        let (waited, ()) = tokio::join!(wait(), async { stop.cancel() });
        assert!(waited.is_ok());
    }
}
