//! A pipe fitting: starts a server and writes down every line that goes in and comes out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::Failure;

/// `tee FILE COMMAND ARG..`: lines to the command are written with `>` before them, lines from it
/// with `<`. They are added to the file: a client may start a server twice.
pub(crate) fn run(args: &[String]) -> Result<(), Failure> {
    let [file, command, rest @ ..] = args else {
        return Err("usage: cargo xtask tee FILE COMMAND ARG..".into());
    };
    let log = Arc::new(Mutex::new(
        File::options().create(true).append(true).open(file)?,
    ));
    let mut server = Command::new(command)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let to_server = server.stdin.take().expect("stdin is piped");
    let from_server = server.stdout.take().expect("stdout is piped");
    let incoming = Arc::clone(&log);
    // Detached: when the server has ended nobody waits for the client's next line.
    thread::spawn(move || copy(stdin(), to_server, b'>', &incoming));
    copy(from_server, stdout(), b'<', &log)?;
    let status = server.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the server ended with {status}").into())
    }
}

fn copy(from: impl Read, mut to: impl Write, mark: u8, log: &Mutex<File>) -> std::io::Result<()> {
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        {
            let mut log = log.lock().expect("writing to a file does not panic");
            log.write_all(&[&[mark], line.as_slice()].concat())?;
            // The log's order is the conversation's only if a line is in it before it goes on.
            to.write_all(&line)?;
        }
        to.flush()?;
        line.clear();
    }
    Ok(())
}
