//! Listening, and ending without dropping what is under way.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::make::Shared;

use crate::server::Endpoint;

use super::super::{GRACE, shutdown};
use super::straight::straight;

/// How long sessions of older revisions go on after the process is told to end.
#[cfg(feature = "legacy")]
const COURTESY: std::time::Duration = std::time::Duration::from_secs(2);

/// Serves until the process is told to end. Requests that were taken then have a grace to be
/// answered in, and so have the commits that are still running: both the same one, because whoever
/// told the process to end may wait no longer before it kills it.
pub(crate) async fn serve(endpoint: &Endpoint, listener: TcpListener) -> io::Result<()> {
    let told = CancellationToken::new();
    let ending = told.clone();
    let deadline = Arc::new(OnceLock::new());
    let end = Arc::clone(&deadline);
    // Streams that tell of changes would go on for ever.
    let changes = Arc::clone(&endpoint.0.changes);
    let route = super::Route::new(endpoint);
    #[cfg(feature = "legacy")]
    let sessions = Arc::clone(&route.sessions);
    let serving =
        axum::serve(listener, Shared::new(straight(route))).with_graceful_shutdown(async move {
            shutdown::requested().await;
            tracing::info!("the server ends: it takes no new requests");
            end.get_or_init(|| Instant::now() + GRACE);
            ending.cancel();
            changes.close();
            // Their streams stay open as long as the sessions do.
            #[cfg(feature = "legacy")]
            tokio::spawn(async move {
                tokio::time::sleep(COURTESY).await;
                sessions.end();
            });
        });
    let left = || {
        let end = deadline.get_or_init(|| Instant::now() + GRACE);
        end.saturating_duration_since(Instant::now())
    };
    let overdue = async {
        told.cancelled().await;
        tokio::time::sleep(left()).await;
    };
    tokio::select! {
        served = serving.into_future() => served?,
        () = overdue => tracing::warn!("requests are dropped: they took too long to end"),
    }
    endpoint.drain(left()).await;
    Ok(())
}
