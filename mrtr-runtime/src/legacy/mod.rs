//! The revisions with a handshake, 2024-11-05 to 2025-11-25, served by the official SDK.
//!
//! `rmcp` opens the session and keeps its streams; each request of a session is then answered by
//! the functions that answer modern ones, with a client that is asked while the handler waits.
//! Nothing of a session reaches modern requests, and no type of `rmcp` leaves this module, except by
//! `mount` to `mrtr-rmcp`.

mod crowd;
mod exchange;
mod form;
#[cfg(feature = "http")]
mod http;
mod identity;
mod incoming;
mod line;
mod lower;
#[expect(
    deprecated,
    reason = "logging is deprecated by the revision after these; in these it is not"
)]
mod methods;
pub mod mount;
mod passed;
mod revision;
#[cfg(feature = "http")]
mod running;
mod sample;
mod sends;
mod session;
mod shape;
#[cfg(test)]
mod tests;
mod watch;

pub(crate) use crowd::Crowd;
#[cfg(feature = "http")]
pub(crate) use http::Sessions;
pub(crate) use line::{LineSession, ToClient, Whose};
