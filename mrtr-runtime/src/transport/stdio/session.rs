//! Lines of a session of an older revision, beside the modern ones.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::legacy::{LineSession, ToClient, Whose};
use crate::protocol::{Message, Reply, read};

use super::OUTGOING;
use super::live::Outgoing;
use super::reading::{Reading, cancelled_id};

static INITIALIZE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(br#""initialize""#));

impl Reading {
    /// Takes a line that belongs to a session, or opens one.
    pub(super) async fn in_session(&mut self, line: &[u8]) -> bool {
        if self.session.as_ref().is_none_or(LineSession::is_over) {
            // The name is looked for before anything is parsed, for the many lines without it.
            if INITIALIZE.find(line).is_none() || !LineSession::opens(line) {
                return false;
            }
            self.session = Some(self.open_session());
        }
        if self.cancels_ours(line) {
            return false;
        }
        let Some(session) = self.session.take() else {
            return false;
        };
        // A session that is full takes more only when the client reads.
        let stop = self.stop.clone();
        let taken = stop.run_until_cancelled(self.pass(&session, line)).await;
        self.session = Some(session);
        taken.unwrap_or(true)
    }

    async fn pass(&mut self, session: &LineSession, line: &[u8]) -> bool {
        if let Some(messages) = LineSession::batch(line) {
            return self.take_batch(session, &messages).await;
        }
        match session.take(line).await {
            Whose::Taken => true,
            Whose::NotOurs => false,
            Whose::Refused(reply) => {
                self.refused(reply);
                true
            }
        }
    }

    /// Each message of a batch is taken, or answered, by itself.
    async fn take_batch(&mut self, session: &LineSession, messages: &[&RawValue]) -> bool {
        for message in messages {
            let text = message.get().as_bytes();
            match session.pass(text).await {
                Whose::Taken => {}
                Whose::NotOurs => return false,
                Whose::Refused(reply) => self.refused(reply),
            }
        }
        true
    }

    fn refused(&mut self, reply: Option<Reply>) {
        if let Some(reply) = reply {
            self.reply(&reply);
        }
    }

    /// Whether the line cancels a modern request: a cancellation goes by the id it names.
    fn cancels_ours(&self, line: &[u8]) -> bool {
        match read(line) {
            Ok(Message::Notification(notice)) if notice.method == "notifications/cancelled" => {
                cancelled_id(&notice).is_some_and(|key| self.live.lock().contains_key(&key))
            }
            _ => false,
        }
    }

    fn open_session(&self) -> LineSession {
        let (sender, mut messages) = mpsc::channel::<ToClient>(OUTGOING);
        let out = self.out.clone();
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                let outgoing = Outgoing {
                    request: None,
                    last: true,
                    text: Some(message.text),
                };
                if out.send(outgoing).await.is_err() {
                    return;
                }
            }
        });
        let server = &self.endpoint.0;
        LineSession::start(server, server.stdio_principal.clone(), sender)
    }
}
