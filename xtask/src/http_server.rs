//! A server of ours on a port of this machine, for programs that play against it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::Failure;

/// A running server, stopped when dropped.
pub(crate) struct HttpServer {
    child: Child,
    url: String,
}

impl HttpServer {
    /// Starts it and reads from its standard error where it listens.
    ///
    /// # Errors
    /// When it ends before it has said so.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take().expect("stderr is piped");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let url = lines.find_map(|line| url_in(&line));
        // The pipe must be emptied, or a full one would stop the server.
        thread::spawn(move || lines.for_each(|line| eprintln!("server: {line}")));
        let url = url.ok_or("the server ended before it said where it listens")?;
        Ok(Self { child, url })
    }

    /// The endpoint.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // It may have ended by itself, which is no concern here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn url_in(line: &str) -> Option<String> {
    let start = line.find("http://")?;
    let url: String = line[start..]
        .chars()
        .take_while(|c| !c.is_whitespace())
        .collect();
    Some(if url.ends_with("/mcp") {
        url
    } else {
        format!("{}/mcp", url.trim_end_matches('/'))
    })
}
