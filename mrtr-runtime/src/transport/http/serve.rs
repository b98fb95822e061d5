//! Listening, and ending without dropping what is under way.

use std::io;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::server::Endpoint;

use super::super::{GRACE, shutdown};

/// How long sessions of older revisions go on after the process is told to end.
#[cfg(feature = "legacy")]
const COURTESY: std::time::Duration = std::time::Duration::from_secs(2);

/// Serves until the process is told to end. Requests that were taken then have a grace to be
/// answered in, and after them the commits that are still running.
pub(crate) async fn serve(endpoint: &Endpoint, listener: TcpListener) -> io::Result<()> {
    let told = CancellationToken::new();
    let ending = told.clone();
    // Streams that tell of changes would go on for ever.
    let changes = std::sync::Arc::clone(&endpoint.0.changes);
    let route = super::Route::new(endpoint);
    #[cfg(feature = "legacy")]
    let sessions = std::sync::Arc::clone(&route.sessions);
    let serving = axum::serve(listener, super::routes(route)).with_graceful_shutdown(async move {
        shutdown::requested().await;
        tracing::info!("the server ends: it takes no new requests");
        ending.cancel();
        changes.close();
        // Their streams stay open as long as the sessions do.
        #[cfg(feature = "legacy")]
        tokio::spawn(async move {
            tokio::time::sleep(COURTESY).await;
            sessions.end();
        });
    });
    let overdue = async {
        told.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = serving.into_future() => served?,
        () = overdue => tracing::warn!("requests are dropped: they took too long to end"),
    }
    endpoint.drain(GRACE).await;
    Ok(())
}
