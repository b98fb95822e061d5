//! Lists of tools: short and long ones, against the same bytes from a buffer.

use crate::Failure;
use crate::client::{Client, HttpClient};
use crate::http;
use crate::messages::Request;
use crate::options::Options;
use crate::peer::{Http, Peer};
use crate::table::{Row, Table, at_least};

const CONNECTIONS: u32 = 16;

pub(crate) fn measure(options: &Options, peers: &[Peer], table: &mut Table) -> Result<(), Failure> {
    for tools in [1, 100, 1000] {
        let servers = start(peers, tools)?;
        let last = if tools == 1 {
            "plan".into()
        } else {
            format!("tool_{}", tools - 1)
        };
        let request = Request::list(&last);
        for _ in 0..options.repeats() {
            for (peer, server) in peers.iter().zip(&servers) {
                let seen = http::run(server, &request, CONNECTIONS, options.span())?;
                let what = format!("tools/list of {tools}");
                let mut rate = Row::new(format!("{what}: requests"), "1/s");
                if tools == 1000 {
                    rate = rate.with(at_least("floor", 1.0 / 1.5));
                }
                table.note(rate, peer, seen.rate);
                table.note(
                    Row::new(format!("{what}: CPU"), "µs"),
                    peer,
                    seen.cpu_micros,
                );
            }
        }
    }
    Ok(())
}

/// Starts the servers; the floor gets mrtr's list as a file.
fn start(peers: &[Peer], tools: usize) -> Result<Vec<Http>, Failure> {
    let args = ["--tools".to_owned(), tools.to_string()];
    let file = std::env::temp_dir().join(format!("mrtr-bench-list-{}", std::process::id()));
    let mut servers = Vec::new();
    for peer in peers {
        let mut args = args.to_vec();
        if peer.is_floor() {
            std::fs::write(&file, result_of(&servers[0])?)?;
            args.extend(["--list".to_owned(), file.display().to_string()]);
        }
        servers.push(peer.http(&[], &args)?);
    }
    let answers = |server| HttpClient::new(server).ask(&Request::list("plan"));
    if answers(&servers[0])? != answers(&servers[1])? {
        return Err("the floor's list of tools is not mrtr's".into());
    }
    std::fs::remove_file(&file)?;
    Ok(servers)
}

/// The `result` of the server's list as JSON text.
fn result_of(server: &Http) -> Result<String, Failure> {
    let answer = String::from_utf8(HttpClient::new(server).ask(&Request::list("plan"))?)?;
    let result = answer.split_once(r#""result":"#).map(|(_, rest)| rest);
    let result = result.and_then(|rest| rest.strip_suffix('}'));
    Ok(result.ok_or("the list has no result")?.to_owned())
}
