//! Serving: the ways from a `Server` to a running program.

use std::fmt;

use super::build::Listener;
use super::config::{Config, ConfigError};
use super::problem::BuildError;
use super::{Endpoint, Server};

/// Why a server does not run, or no longer.
///
/// `Debug` is the same text as `Display`, because it is what a `main` that returns the error prints.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An environment variable cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Something could not be read, written or listened on.
    #[error("{doing}: {error}")]
    Io {
        /// What was being done.
        doing: String,
        /// Why it failed.
        error: std::io::Error,
    },
    /// The command line says nothing that [`Server::run`] knows.
    #[error("{0}\nusage: [stdio | --http ADDRESS]   (ADDRESS such as 127.0.0.1:8080)")]
    Usage(String),
}

impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ServeError {
    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |error| Self::Io { doing, error }
    }
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Mode {
    Stdio,
    Http(String),
}

impl Server {
    /// Serves what the command line asks for: stdio without arguments or with `stdio`, HTTP with
    /// `--http ADDRESS`. The variables of [`Config::from_env`] with the prefix `MRTR` are applied
    /// first, over what the program has set.
    ///
    /// It returns when the client has gone (stdio) or the process is told to end (HTTP).
    ///
    /// # Errors
    /// When the server cannot be built, or its transport fails.
    pub async fn run(self) -> Result<(), ServeError> {
        let mode = mode(std::env::args().skip(1))?;
        let server = self.config(Config::from_env("MRTR")?);
        match mode {
            Mode::Stdio => server.serve_stdio().await,
            #[cfg(feature = "http")]
            Mode::Http(address) => server.serve_http(address).await,
            #[cfg(not(feature = "http"))]
            Mode::Http(_) => Err(ServeError::Usage(
                "this program was built without the feature `http`".into(),
            )),
        }
    }

    /// Serves the one client at the other end of stdin and stdout, until stdin ends or the process
    /// is told to.
    ///
    /// Nothing but the protocol may be written to stdout: use `tracing` or `eprintln!`. A handler that
    /// computes or blocks before its first `.await` may hold up what the client sends next; put such
    /// work into `tokio::task::spawn_blocking`.
    ///
    /// # Errors
    /// When the server cannot be built, or stdout cannot be written.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let endpoint = self.build_for(Listener::Stdio)?;
        crate::transport::stdio::serve(&endpoint)
            .await
            .map_err(ServeError::io("stdout"))
    }

    /// Builds the server for [`Endpoint::serve_lines`]: one trusted client, as over stdio.
    ///
    /// # Errors
    /// As [`Server::build`], without what only matters where others can connect.
    pub fn build_lines(self) -> Result<Endpoint, BuildError> {
        self.build_for(Listener::Stdio)
    }
}

#[cfg(feature = "http")]
impl Server {
    /// Serves Streamable HTTP at `/mcp` on this address, such as `127.0.0.1:8080`, until the
    /// process is told to end. The bound address is written to stderr.
    ///
    /// # Errors
    /// When the address cannot be bound, or the server cannot be built: an address that others
    /// can reach needs a key and an allowed host.
    pub async fn serve_http(
        self,
        address: impl tokio::net::ToSocketAddrs,
    ) -> Result<(), ServeError> {
        let listener = tokio::net::TcpListener::bind(address).await;
        self.serve_listener(listener.map_err(ServeError::io("the address cannot be listened on"))?)
            .await
    }

    /// Serves Streamable HTTP at `/mcp` on a listener that is bound already.
    ///
    /// # Errors
    /// As [`Server::serve_http`].
    pub async fn serve_listener(self, listener: tokio::net::TcpListener) -> Result<(), ServeError> {
        let address = listener
            .local_addr()
            .map_err(ServeError::io("the listener has no address"))?;
        let kind = if address.ip().to_canonical().is_loopback() {
            Listener::Loopback
        } else {
            Listener::Public
        };
        let endpoint = self.build_for(kind)?;
        eprintln!("listening on http://{address}/mcp");
        let served = crate::transport::http::serve(&endpoint, listener).await;
        served.map_err(ServeError::io("the listener failed"))
    }

    /// The routes `/mcp` and, with [`protected_resource`](Server::protected_resource), the OAuth
    /// metadata, for a program that listens itself. It counts as a listener anybody can reach.
    ///
    /// # Errors
    /// As [`Server::build`].
    pub fn router(self) -> Result<axum::Router, BuildError> {
        Ok(self.build_for(Listener::Public)?.router())
    }
}

#[cfg(feature = "http")]
impl Endpoint {
    /// The routes `/mcp` and, with `.protected_resource(..)`, the OAuth metadata.
    pub fn router(&self) -> axum::Router {
        crate::transport::http::router(self)
    }
}

fn mode(mut arguments: impl Iterator<Item = String>) -> Result<Mode, ServeError> {
    let mode = match arguments.next().as_deref() {
        None | Some("stdio") => Mode::Stdio,
        Some("--http") => match arguments.next() {
            Some(address) => Mode::Http(address),
            None => return Err(ServeError::Usage("`--http` needs an address".into())),
        },
        Some(option) => match option.strip_prefix("--http=") {
            Some(address) => Mode::Http(address.into()),
            None => return Err(ServeError::Usage(format!("unknown argument `{option}`"))),
        },
    };
    match arguments.next() {
        None => Ok(mode),
        Some(more) => Err(ServeError::Usage(format!("unknown argument `{more}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_chooses_the_transport() {
        let read = |arguments: &[&str]| mode(arguments.iter().map(|text| (*text).to_owned()));
        assert_eq!(read(&[]).unwrap(), Mode::Stdio);
        assert_eq!(read(&["stdio"]).unwrap(), Mode::Stdio);
        assert_eq!(
            read(&["--http", "[::1]:80"]).unwrap(),
            Mode::Http("[::1]:80".into())
        );
        assert_eq!(read(&["--http=:0"]).unwrap(), Mode::Http(":0".into()));
        for arguments in [
            &["--http"][..],
            &["--htp", "x"],
            &["stdio", "more"],
            &["--http", "a", "b"],
        ] {
            let error = read(arguments).unwrap_err().to_string();
            assert!(error.contains("usage: [stdio | --http ADDRESS]"), "{error}");
        }
    }
}
