//! How the servers of the benchmark are told what to serve, the same for each of them.

use std::path::PathBuf;

/// What a server is to serve.
#[derive(Debug, Default)]
pub struct Setup {
    /// The port of Streamable HTTP on the loopback address; stdio otherwise.
    pub port: Option<u16>,
    /// How many tools there are; those beyond the first two are never called.
    pub tools: usize,
    /// One thread for everything, so that instructions can be counted.
    pub single: bool,
    /// A list of tools to send as it is, for the floor.
    pub list: Option<PathBuf>,
}

/// How many rounds a flow may have, for servers that limit them.
pub const MOST_ROUNDS: u8 = 64;

/// The key that seals the request states of every server.
pub const KEY: [u8; 32] = *b"thirty-two bytes for a benchmark";

impl Setup {
    /// Reads `[--http PORT] [--tools N] [--single] [--list FILE]`.
    ///
    /// # Panics
    /// When the arguments are others: only the runner starts these servers.
    #[must_use]
    pub fn from_args() -> Self {
        let mut setup = Self {
            tools: 2,
            ..Self::default()
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().expect("the option has a value");
            match arg.as_str() {
                "--http" => setup.port = Some(value().parse().expect("a port")),
                "--tools" => setup.tools = value().parse().expect("a number"),
                "--single" => setup.single = true,
                "--list" => setup.list = Some(value().into()),
                other => panic!("unknown argument `{other}`"),
            }
        }
        setup
    }

    /// The tools that are never called: name and description.
    pub fn others(&self) -> impl Iterator<Item = (String, String)> + use<> {
        (2..self.tools).map(|number| {
            (
                format!("tool_{number}"),
                format!("Looks up the departures of station {number}."),
            )
        })
    }

    /// Runs a server in the runtime that `tokio::main` makes, or in one of a single thread.
    ///
    /// # Panics
    /// When there is no runtime, or the server fails.
    pub fn run<F>(self, serve: impl FnOnce(Self) -> F)
    where
        F: Future<Output = Result<(), Box<dyn std::error::Error>>>,
    {
        let mut builder = if self.single {
            tokio::runtime::Builder::new_current_thread()
        } else {
            tokio::runtime::Builder::new_multi_thread()
        };
        let runtime = builder.enable_all().build().expect("a runtime");
        runtime.block_on(serve(self)).expect("the server runs");
    }
}
