//! Notifications to the client of a session.

use rmcp::RoleServer;
use rmcp::model::ServerNotification;
use rmcp::service::Peer;
use serde_json::{Value, json};

/// Sends a notification that was written for the wire. A client that has gone loses it.
pub(super) async fn notify(peer: &Peer<RoleServer>, message: Value) {
    match serde_json::from_value::<ServerNotification>(message) {
        Ok(notification) => {
            let _ = peer.send_notification(notification).await;
        }
        Err(error) => tracing::error!(%error, "a notification of our own was not understood"),
    }
}

/// Tells the client that nobody waits for its answer any more.
pub(super) async fn cancel(peer: &Peer<RoleServer>, id: Value, reason: &str) {
    let params = json!({"requestId": id, "reason": reason});
    let method = "notifications/cancelled";
    notify(peer, json!({"method": method, "params": params})).await;
}
