//! Threads that may wait in a system call, and the standard streams as they read and write them.

use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Runs a future in a thread of its own, and gives what comes of it.
///
/// The thread is never waited for: one that waits for input would keep the process from ending.
pub(super) fn on_its_own<F>(
    name: &'static str,
    future: F,
) -> io::Result<impl Future<Output = io::Result<()>>>
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let (sender, ended) = oneshot::channel();
    let runtime = Handle::current();
    std::thread::Builder::new()
        .name(name.into())
        .spawn(move || {
            // Nobody may be left to be told.
            let _ = sender.send(runtime.block_on(future));
        })?;
    Ok(async move {
        let panicked = |_| Err(io::Error::other(format!("the thread `{name}` panicked")));
        ended.await.unwrap_or_else(panicked)
    })
}

/// A stream that blocks the thread that polls it.
pub(super) struct Blocking<S>(pub(super) S);

impl<R: Read + Unpin> AsyncRead for Blocking<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match self.0.read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl<W: Write + Unpin> AsyncWrite for Blocking<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write_all(bytes).map(|()| bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn what_blocks_has_a_thread_of_its_own_and_the_runtime_at_hand() {
        let work = async {
            let mut text = String::new();
            Blocking(io::Cursor::new("one\ntwo"))
                .read_to_string(&mut text)
                .await?;
            let mut out = Blocking(Vec::new());
            out.write_all(text.as_bytes()).await?;
            out.flush().await?;
            assert_eq!(out.0, b"one\ntwo");
            let name = std::thread::current().name().map(str::to_owned);
            assert_eq!(name.as_deref(), Some("a-thread"));
            // What is started goes to the runtime.
            tokio::spawn(async {}).await.map_err(io::Error::other)
        };
        on_its_own("a-thread", work).unwrap().await.unwrap();
    }

    #[tokio::test]
    async fn a_thread_that_panics_is_named() {
        let panics = async { panic!("oh no") };
        let error = on_its_own("a-thread", panics).unwrap().await.unwrap_err();
        assert_eq!(error.to_string(), "the thread `a-thread` panicked");
    }
}
