//! What a session is told of changes: of every list, and of the resources it subscribed to.
//!
//! Source: MCP 2025-11-25, server/resources, "Subscriptions".

use std::sync::Arc;

use mrtr_core::principal::Principal;
use mrtr_core::text::log_name;
use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::Peer;
use serde_json::json;
use tokio_util::task::AbortOnDropHandle;

use crate::changes::Listening;
use crate::error::INVALID_REQUEST;
use crate::protocol::{MOST_URIS, every_list, is_readable};
use crate::server::Inner;

use super::lower::NO_RESOURCE;
use super::passed::rpc_error;
use super::sends;

/// What one session is told; dropping it ends that.
pub(super) struct Watch {
    server: Arc<Inner>,
    listening: Arc<Listening>,
    _telling: AbortOnDropHandle<()>,
}

impl Watch {
    /// Tells the client of every list from now on.
    pub(super) fn start(server: &Arc<Inner>, peer: Peer<RoleServer>) -> Self {
        let listening = Arc::new(server.changes.follow(every_list(server)));
        let telling = tokio::spawn(tell(Arc::clone(&listening), peer));
        Self {
            server: Arc::clone(server),
            listening,
            _telling: AbortOnDropHandle::new(telling),
        }
    }

    /// Tells the client of a resource, too.
    ///
    /// # Errors
    /// When there is no such resource for this caller, or the session watches too many.
    pub(super) fn subscribe(&self, uri: &str, caller: Option<&Principal>) -> Result<(), ErrorData> {
        if !is_readable(&self.server, uri, caller) {
            let (error, data) = ("resource not found", json!({ "uri": uri }));
            return Err(rpc_error(NO_RESOURCE, error.into(), Some(data)));
        }
        if !self.listening.watch(uri, MOST_URIS) {
            let error = format!(
                "{} is one too many: a session subscribes to at most {MOST_URIS} resources",
                log_name(uri)
            );
            return Err(rpc_error(INVALID_REQUEST.into(), error, None));
        }
        Ok(())
    }

    /// Tells the client of a resource no more.
    pub(super) fn unsubscribe(&self, uri: &str) {
        self.listening.unwatch(uri);
    }
}

async fn tell(listening: Arc<Listening>, peer: Peer<RoleServer>) {
    while let Some(change) = listening.next().await {
        let mut message = json!({"jsonrpc": "2.0", "method": change.method()});
        if let Some(uri) = change.uri() {
            message["params"] = json!({ "uri": uri });
        }
        sends::notify(&peer, message).await;
    }
}
