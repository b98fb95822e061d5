//! Notifications that belong to one request: progress and log messages.
//!
//! Source: MCP 2026-07-28, basic/patterns/progress and server/utilities/logging. A request gets
//! progress only if it brought a token, and log messages only if it named a level.

use std::sync::Mutex;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

/// How serious a log message is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Details for whoever debugs.
    Debug,
    /// Something worth knowing.
    Info,
    /// Something normal but significant.
    Notice,
    /// Something that may turn bad.
    Warning,
    /// Something failed.
    Error,
    /// A part of the server failed.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// The server is unusable.
    Emergency,
}

/// The way to the stream of one request.
pub(crate) struct Notifier {
    sender: Option<mpsc::Sender<String>>,
    token: Option<Box<RawValue>>,
    level: Option<LogLevel>,
    /// The progress last reported: it must grow.
    last: Mutex<f64>,
}

#[derive(Serialize)]
struct Message<'a, P> {
    jsonrpc: &'static str,
    method: &'a str,
    params: P,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Progress<'a> {
    progress_token: &'a RawValue,
    progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct Log<'a, D> {
    level: LogLevel,
    logger: &'a str,
    data: &'a D,
}

impl Notifier {
    /// A way that drops everything: the request asked for no notifications.
    pub(crate) fn none() -> Self {
        Self::new(None, None, None)
    }

    /// A way to `sender` for what the request asked for.
    pub(crate) fn new(
        sender: Option<mpsc::Sender<String>>,
        token: Option<Box<RawValue>>,
        level: Option<LogLevel>,
    ) -> Self {
        Self {
            sender,
            token,
            level,
            last: Mutex::new(f64::NEG_INFINITY),
        }
    }

    /// Reports progress, if the request brought a token and the number has grown.
    pub(crate) async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.token else { return };
        if !self.grows(progress) {
            return;
        }
        self.send(
            "notifications/progress",
            Progress {
                progress_token: token,
                progress,
                total,
                message,
            },
        )
        .await;
    }

    /// Sends a log message, if the request asked for its level.
    pub(crate) async fn log(&self, level: LogLevel, logger: &str, data: &impl Serialize) {
        if self.level.is_some_and(|least| level >= least) {
            self.send(
                "notifications/message",
                Log {
                    level,
                    logger,
                    data,
                },
            )
            .await;
        }
    }

    fn grows(&self, progress: f64) -> bool {
        let mut last = self
            .last
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let grows = progress.is_finite() && progress > *last;
        if grows {
            *last = progress;
        }
        grows
    }

    /// Waits while the stream is full; a client that has gone away loses the message.
    async fn send(&self, method: &str, params: impl Serialize) {
        let Some(sender) = &self.sender else { return };
        let message = Message {
            jsonrpc: "2.0",
            method,
            params,
        };
        if let Ok(text) = serde_json::to_string(&message) {
            let _ = sender.send(text).await;
        }
    }
}
