//! Transports: thin shells that bring messages to an endpoint and its answers back.

#[cfg(feature = "http")]
pub(crate) mod http;
mod lines;
mod shutdown;
pub(crate) mod stdio;
#[cfg(test)]
mod stdio_tests;

use std::time::Duration;

/// How long running commits, and requests that were taken, have when the process is told to end.
const GRACE: Duration = Duration::from_secs(30);
