//! The example server that the clients play against.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use crate::Failure;
use crate::http_server::HttpServer;
use crate::process::target;

/// Where a client finds the server.
pub(crate) enum Place<'a> {
    /// It starts the server itself.
    Stdio,
    /// At this address.
    Http(&'a str),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stdio => "stdio",
            Self::Http(_) => "HTTP",
        })
    }
}

/// The server's program.
pub(crate) fn server_binary() -> PathBuf {
    target()
        .join("debug")
        .join(format!("mrtr-examples{}", std::env::consts::EXE_SUFFIX))
}

/// The server over HTTP, on a free port.
pub(crate) fn over_http() -> Result<HttpServer, Failure> {
    HttpServer::start(Command::new(server_binary()).args(["serve", "--http", "127.0.0.1:0"]))
}
