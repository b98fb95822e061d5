//! The stdio transport: one message a line, in and out.
//!
//! Source: MCP 2026-07-28, basic/transports/stdio. One loop reads. It polls each handler once
//! itself, because most are ready then: an ask ends its round at the first poll. What a chunk of
//! input is answered with right away goes out in one write at the end of the chunk. A handler that
//! has to wait for something, or that says something before its end, goes on in a task; one more
//! loop writes what tasks say. A message is written whole, so that lines never mix.
//!
//! What this means for a handler that computes, or blocks, before its first `.await`: nothing is
//! read meanwhile, and a cancellation, which could not stop it anyway, is seen late. So that this is
//! rare, handlers that held the loop for long send those that come next to tasks of their own.
//!
//! Over stdio both loops have threads of their own. They may wait in system calls, so that a request
//! that is answered right away costs two of them and no way from one thread to another.
//!
//! These threads outlive whoever serves, so that a pipe has a token which says that no more is taken,
//! and a guard that ends all of it when the serving future is dropped.

mod live;
mod reading;
#[cfg(feature = "legacy")]
mod session;
mod thread;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::server::Endpoint;

use super::lines::Lines;
use super::{GRACE, shutdown};

use live::{Live, Outgoing};
use reading::Reading;
use thread::{Blocking, on_its_own};

/// How many bytes are read at once.
const CHUNK: usize = 64 * 1024;
/// How many messages wait for the writer before handlers wait, too.
const OUTGOING: usize = 64;
/// From how many bytes on no more messages go in the same write.
const BATCH: usize = 32 * 1024;
/// How long requests may still be answered after the client has closed its side. It must end soon,
/// but what was piped in whole should be answered whole.
const COURTESY: Duration = Duration::from_millis(500);

/// Serves stdin and stdout until stdin ends or the process is told to end.
pub(crate) async fn serve(endpoint: &Endpoint) -> io::Result<()> {
    serve_blocking(endpoint, io::stdin(), io::stdout(), shutdown::requested()).await
}

/// Serves streams that block, each in a thread of its own.
pub(super) async fn serve_blocking(
    endpoint: &Endpoint,
    reader: impl Read + Unpin + Send + 'static,
    writer: impl Write + Unpin + Send + 'static,
    told_to_end: impl Future<Output = ()>,
) -> io::Result<()> {
    let (pipe, queue) = Pipe::new(endpoint, Blocking(writer));
    let _guard = Guard(Arc::clone(&pipe), Handle::current());
    let reading = Arc::clone(&pipe).read(Blocking(reader));
    let reading = on_its_own("mrtr-stdin", reading)?;
    let writing = on_its_own("mrtr-stdout", Arc::clone(&pipe).write(queue))?;
    pipe.serve(reading, writing, told_to_end).await
}

impl Endpoint {
    /// Serves one client over any pair of byte streams, as over stdio: one message a line.
    ///
    /// Returns when the reader ends, after running commits have ended, too. Dropping the future ends
    /// everything but these.
    ///
    /// # Errors
    /// When the writer fails.
    pub async fn serve_lines(
        &self,
        reader: impl AsyncRead + Send + 'static,
        writer: impl AsyncWrite + Send + 'static,
    ) -> io::Result<()> {
        let (pipe, queue) = Pipe::new(self, Box::pin(writer));
        let _guard = Guard(Arc::clone(&pipe), Handle::current());
        let reading = Arc::clone(&pipe).read(Box::pin(reader));
        let task = AbortOnDropHandle::new(tokio::spawn(Arc::clone(&pipe).write(queue)));
        let writing = async { task.await.unwrap_or_else(|error| Err(ended_badly(&error))) };
        pipe.serve(reading, writing, std::future::pending()).await
    }
}

fn ended_badly(error: &JoinError) -> io::Error {
    io::Error::other(format!("the writing task ended: {error}"))
}

/// One client: what is known of it, and the way to it.
struct Pipe<W> {
    endpoint: Endpoint,
    /// Nothing any more once the pipe ends: what comes in then is nobody's.
    reading: Mutex<Option<Reading>>,
    output: Mutex<W>,
    live: Arc<Live>,
    /// Once this is cancelled, no line is taken any more.
    stop: CancellationToken,
}

/// Ends what is left of a pipe when nobody serves it any more: its threads hold the pipe, too.
struct Guard<W: AsyncWrite + Send + 'static>(Arc<Pipe<W>>, Handle);

impl<W: AsyncWrite + Send + 'static> Drop for Guard<W> {
    fn drop(&mut self) {
        self.0.stop.cancel();
        self.0.live.abort();
        // The loop lets go of the reading side when it has seen the token. With that side goes the
        // last sender to the writer, which ends then.
        let pipe = Arc::clone(&self.0);
        self.1
            .spawn(async move { drop(pipe.reading.lock().await.take()) });
    }
}

impl<W: AsyncWrite + Unpin> Pipe<W> {
    fn new(endpoint: &Endpoint, writer: W) -> (Arc<Self>, mpsc::Receiver<Outgoing>) {
        let live = Arc::new(Live::default());
        let (out, queue) = mpsc::channel(OUTGOING);
        let stop = CancellationToken::new();
        let reading = Reading::new(endpoint, Arc::clone(&live), out, stop.clone());
        let pipe = Arc::new(Self {
            endpoint: endpoint.clone(),
            reading: Mutex::new(Some(reading)),
            output: Mutex::new(writer),
            live,
            stop,
        });
        (pipe, queue)
    }

    /// Reads until the input ends; fails when the client cannot be answered.
    async fn read(self: Arc<Self>, mut reader: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut lines = Lines::new(self.endpoint.0.max_body);
        let mut buffer = vec![0; CHUNK];
        loop {
            let count = reader.read(&mut buffer).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the input cannot be read any more");
                0
            });
            let mut reading = self.reading.lock().await;
            let Some(reading) = &mut *reading else {
                return Ok(());
            };
            self.take(reading, &mut lines, &buffer[..count]).await?;
            if count == 0 || self.stop.is_cancelled() {
                return Ok(());
            }
        }
    }

    /// Takes what has come, which is nothing at the end.
    async fn take(
        &self,
        reading: &mut Reading,
        lines: &mut Lines,
        mut chunk: &[u8],
    ) -> io::Result<()> {
        reading.begin_chunk();
        let ends = chunk.is_empty();
        while let Some(line) = lines.next(&mut chunk) {
            if reading.is_crowded() {
                self.reply(reading).await?;
                reading.room().await;
            }
            if self.stop.is_cancelled() {
                return self.reply(reading).await;
            }
            reading.line(line).await;
            if reading.replies.len() >= BATCH {
                self.reply(reading).await?;
            }
        }
        if ends
            && !self.stop.is_cancelled()
            && let Some(line) = lines.last()
        {
            reading.line(line).await;
        }
        self.reply(reading).await
    }

    /// Writes the answers that are there.
    async fn reply(&self, reading: &mut Reading) -> io::Result<()> {
        let replies = &mut reading.replies;
        if !replies.is_empty() {
            send(&mut *self.output.lock().await, replies).await?;
            replies.clear();
            replies.shrink_to(2 * BATCH);
        }
        Ok(())
    }

    /// Writes what tasks say, until there is none any more.
    async fn write(self: Arc<Self>, mut queue: mpsc::Receiver<Outgoing>) -> io::Result<()> {
        while let Some(first) = queue.recv().await {
            // What is looked up now is written before anything that comes of a later line.
            let mut output = self.output.lock().await;
            let mut lines = Vec::new();
            self.live.put(first, &mut lines);
            while lines.len() < BATCH
                && let Ok(next) = queue.try_recv()
            {
                self.live.put(next, &mut lines);
            }
            send(&mut *output, &lines).await?;
        }
        Ok(())
    }

    /// Waits for the end, and gives what is running a grace.
    async fn serve(
        &self,
        reading: impl Future<Output = io::Result<()>>,
        writing: impl Future<Output = io::Result<()>>,
        told_to_end: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let mut writing = std::pin::pin!(writing);
        let end = tokio::select! {
            read = reading => read.map_or_else(|error| End::Broken(Err(error)), |()| End::Input),
            () = told_to_end => End::Told,
            written = &mut writing => End::Broken(written),
        };
        let deadline = Instant::now() + GRACE;
        let ending = tokio::time::timeout_at(deadline, self.end(end, writing));
        let served = ending.await.unwrap_or_else(|_| {
            tracing::warn!(
                "requests were still running or unread after {} seconds: \
                 a handler blocks, or the client does not read",
                GRACE.as_secs()
            );
            Ok(())
        });
        self.endpoint.drain(deadline - Instant::now()).await;
        outcome(served)
    }

    /// What needs no lock comes first: a handler may block the loop that holds it.
    async fn end(&self, end: End, writing: impl Future<Output = io::Result<()>>) -> io::Result<()> {
        self.stop.cancel();
        if matches!(end, End::Told) {
            self.endpoint.0.changes.close();
        }
        let Some(mut reading) = self.reading.lock().await.take() else {
            return Ok(());
        };
        match end {
            End::Input => reading.unsubscribe(),
            End::Told => {}
            End::Broken(failed) => {
                reading.stop().await;
                return failed;
            }
        }
        reading.end().await;
        writing.await
    }
}

/// Why a pipe ends.
enum End {
    /// The client has gone: nobody is left to be told of changes.
    Input,
    /// The process is told to end.
    Told,
    /// Nobody reads what we write.
    Broken(io::Result<()>),
}

async fn send(output: &mut (impl AsyncWrite + Unpin), lines: &[u8]) -> io::Result<()> {
    output.write_all(lines).await?;
    output.flush().await
}

/// A client that has gone is the usual end of a server on a pipe.
fn outcome(served: io::Result<()>) -> io::Result<()> {
    match served {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
