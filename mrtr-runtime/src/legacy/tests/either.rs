//! A client of a session over either transport, with one call at a time.

use serde_json::Value;

#[cfg(feature = "http")]
use super::http;
use super::{line, reply};
use crate::server::Server;

/// A client of a session.
pub(super) enum Either {
    Line(line::Client),
    /// The client, and the stream of its call.
    #[cfg(feature = "http")]
    Http(http::Client, Option<http::Answer>),
}

impl Either {
    /// A client for each transport, with an open session of its own server.
    pub(super) async fn both(server: impl Fn() -> Server, revision: &'static str) -> Vec<Self> {
        let line = line::Client::open(server(), revision).await;
        vec![
            Self::Line(line),
            #[cfg(feature = "http")]
            Self::Http(
                http::Client::open(&http::router_of(server()), "alice", revision).await,
                None,
            ),
        ]
    }

    /// Sends a request and gives back what comes first.
    pub(super) async fn ask(&mut self, message: &Value) -> Value {
        match self {
            Self::Line(client) => client.ask(message).await,
            #[cfg(feature = "http")]
            Self::Http(client, stream) => {
                *stream = Some(client.post(message).await);
                self.receive().await
            }
        }
    }

    /// Answers a question and gives back what comes next on the connection of the call.
    pub(super) async fn answer(&mut self, question: &Value, result: Value) -> Value {
        self.respond(&reply(question, result)).await
    }

    /// Sends a response and gives back what comes next on the connection of the call.
    pub(super) async fn respond(&mut self, response: &Value) -> Value {
        match self {
            Self::Line(client) => client.ask(response).await,
            #[cfg(feature = "http")]
            Self::Http(client, _) => {
                assert_eq!(client.post(response).await.status, 202);
                self.receive().await
            }
        }
    }

    /// What comes next on the connection of the call.
    pub(super) async fn receive(&mut self) -> Value {
        match self {
            Self::Line(client) => client.receive().await,
            #[cfg(feature = "http")]
            Self::Http(_, stream) => {
                let stream = stream.as_mut().expect("a call is running");
                stream.next().await.expect("a message")
            }
        }
    }
}
