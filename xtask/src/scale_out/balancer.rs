//! HAProxy in front of three instances, in turn.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use crate::Failure;

use super::place::{Place, Process, free_port, wait_for_port};

/// The header by which a client says which instance it has just come from.
pub(super) const CAME_FROM: &str = "x-came-from";

/// The header by which the balancer says which instance answered.
pub(super) const ANSWERED_BY: &str = "x-answered-by";

/// A running balancer.
pub(super) struct Balancer {
    port: u16,
    _place: Place,
    _process: Process,
}

impl Balancer {
    /// Starts one in front of these ports.
    pub(super) fn start(instances: &[u16]) -> Result<Self, Failure> {
        let (place, port) = (Place::new("balancer")?, free_port()?);
        let config = place.file("haproxy.cfg");
        fs::write(&config, configuration(port, instances))?;
        let child = Command::new("haproxy")
            .arg("-db")
            .arg("-f")
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("haproxy does not start: {error}"))?;
        let process = Process(child);
        wait_for_port(port, "haproxy")?;
        Ok(Self {
            port,
            _place: place,
            _process: process,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

/// Round robin, but never back to where the client came from while another instance lives: so
/// every round of a flow is on another one than the round before.
fn configuration(port: u16, instances: &[u16]) -> String {
    let mut text = format!(
        "global\n  maxconn 4000\n\
         defaults\n  mode http\n  timeout connect 1s\n  timeout client 90s\n  timeout server 90s\n  \
         timeout queue 5s\n  retries 3\n  option redispatch 1\n\
         frontend door\n  bind 127.0.0.1:{port}\n"
    );
    let mut backends = backend("any", instances, None);
    for avoided in 0..instances.len() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  use_backend not{avoided} if {{ req.hdr({CAME_FROM}) i{avoided} }}"
        );
        backends += &backend(&format!("not{avoided}"), instances, Some(avoided));
    }
    text + "  default_backend any\n" + &backends
}

fn backend(name: &str, instances: &[u16], avoided: Option<usize>) -> String {
    let mut text = format!(
        "backend {name}\n  balance roundrobin\n  http-response set-header {ANSWERED_BY} %s\n"
    );
    for (number, port) in instances.iter().enumerate() {
        let last = if avoided == Some(number) {
            " backup"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  server i{number} 127.0.0.1:{port} check inter 100ms fall 1 rise 1{last}"
        );
    }
    text
}
