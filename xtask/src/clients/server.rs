//! The server that the clients play against.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::lane::Transport;
use crate::Failure;
use crate::http_server::HttpServer;
use crate::process::target;

/// A server for one client.
pub(crate) struct Server {
    /// Where the client finds it.
    pub(crate) place: Value,
    /// It runs by itself over HTTP; over stdio the client starts it.
    _http: Option<HttpServer>,
}

impl Server {
    /// One whose messages are written into `log`.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn start(transport: Transport, log: &Path) -> Result<Self, Failure> {
        match transport {
            Transport::Stdio => Self::stdio(log),
            Transport::Http => Self::http(log),
        }
    }

    fn stdio(log: &Path) -> Result<Self, Failure> {
        // `tee` adds to the file, because some clients start the server twice.
        std::fs::write(log, "")?;
        let tee = std::env::current_exe()?;
        Ok(Self {
            place: json!({ "stdio": [tee, "tee", log, binary()] }),
            _http: None,
        })
    }

    fn http(log: &Path) -> Result<Self, Failure> {
        let http = HttpServer::start(Command::new(binary()).arg("http").arg(log))?;
        Ok(Self {
            place: json!({ "http": http.url() }),
            _http: Some(http),
        })
    }
}

fn binary() -> PathBuf {
    target()
        .join("debug")
        .join(format!("mrtr-clients{}", std::env::consts::EXE_SUFFIX))
}
