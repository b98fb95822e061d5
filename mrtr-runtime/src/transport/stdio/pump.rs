//! Reading bytes as they come and passing them on in chunks.

use std::io::{self, Read};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

/// How many bytes are read at once.
const CHUNK: usize = 64 * 1024;

/// Reads stdin, until it ends or nobody listens.
pub(super) fn stdin(sender: &mpsc::Sender<io::Result<Bytes>>) {
    let mut stdin = io::stdin().lock();
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match stdin.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(Bytes::copy_from_slice(&buffer[..length])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.blocking_send(read).is_err() || failed {
            return;
        }
    }
}

/// Reads any byte stream, until it ends or nobody listens.
pub(super) async fn reader(
    mut reader: impl AsyncRead + Unpin,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match reader.read(&mut buffer).await {
            Ok(0) => return,
            Ok(length) => Ok(Bytes::copy_from_slice(&buffer[..length])),
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.send(read).await.is_err() || failed {
            return;
        }
    }
}
