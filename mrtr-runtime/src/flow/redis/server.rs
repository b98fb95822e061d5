//! A real Redis for the tests of the store, on a free port and with its files in a place of its own.

use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redis::Client;
use redis::aio::MultiplexedConnection;

/// A running Redis; it ends with the value.
pub(super) struct Server {
    process: Child,
    port: u16,
    files: PathBuf,
}

/// Whether tests that need Redis can run here.
///
/// Where nobody installed it they are left out, and say so; in CI they never are.
pub(super) fn is_installed() -> bool {
    let version = Command::new("redis-server")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if version.is_ok_and(|status| status.success()) {
        return true;
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "redis-server is not installed, and CI leaves nothing out: install the package redis-server"
    );
    // Straight to the terminal: the test runner keeps what `eprintln!` says of a test that passes.
    let left_out =
        "LEFT OUT: redis-server is not installed: the flow store in Redis is not tested\n";
    std::io::stderr().write_all(left_out.as_bytes()).unwrap();
    false
}

impl Server {
    /// Starts a Redis with these settings on top of those of a test.
    pub(super) async fn start(settings: &[&str]) -> Self {
        for _ in 0..10 {
            let server = Self::try_start(settings);
            if server.is_ready().await {
                return server;
            }
        }
        panic!("redis-server did not start on any of ten ports");
    }

    /// Starts a replica of another one and waits until it has what that one has.
    pub(super) async fn replica_of(primary: &Self) -> Self {
        let port = primary.port.to_string();
        let replica = Self::start(&["--replicaof", "127.0.0.1", &port]).await;
        for _ in 0..400 {
            let role: redis::InfoDict = replica.command(&["INFO", "replication"]).await;
            if role.get::<String>("master_link_status").as_deref() == Some("up") {
                return replica;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the replica never caught up");
    }

    fn try_start(settings: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // The port is free now; should somebody take it meanwhile, the next attempt gets another.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let files =
            std::env::temp_dir().join(format!("mrtr-redis-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&files).unwrap();
        let process = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .args(["--port", &port.to_string(), "--dir"])
            .arg(&files)
            .args(settings)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            process,
            port,
            files,
        }
    }

    async fn is_ready(&self) -> bool {
        for _ in 0..200 {
            if self.pid_answers().await {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        false
    }

    /// Whether what answers at the port is this process and not another one that was faster.
    async fn pid_answers(&self) -> bool {
        let Ok(client) = Client::open(self.url()) else {
            return false;
        };
        let Ok(mut connection) = client.get_multiplexed_async_connection().await else {
            return false;
        };
        let info: redis::RedisResult<redis::InfoDict> = redis::cmd("INFO")
            .arg("server")
            .query_async(&mut connection)
            .await;
        info.is_ok_and(|info| info.get("process_id") == Some(self.process.id()))
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// A connection beside the store's.
    pub(super) async fn connection(&self) -> MultiplexedConnection {
        let client = Client::open(self.url()).unwrap();
        client.get_multiplexed_async_connection().await.unwrap()
    }

    /// Runs a command beside the store.
    pub(super) async fn command<T: redis::FromRedisValue>(&self, words: &[&str]) -> T {
        let mut command = redis::Cmd::new();
        command.arg(words);
        command
            .query_async(&mut self.connection().await)
            .await
            .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that has failed already must not fail again here.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.files);
    }
}
