//! A session with one client: what the handshake agreed on, and its requests.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mrtr_core::principal::Principal;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, InitializeRequestParams, InitializeResult};
use rmcp::service::{Peer, RequestContext};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::INVALID_REQUEST;
use crate::server::Inner;

use super::identity::Identity;
use super::lower;
use super::passed::{Passed, answer, modern, object, rpc_error, typed};
use super::revision::Revision;
use super::watch::Watch;

/// A session, as `rmcp` serves it.
pub(super) struct Session {
    server: Arc<Inner>,
    pub(super) identity: Identity,
    agreed: OnceLock<Agreed>,
    /// Who is at the other end of a pipe; over HTTP each request says who sends it.
    principal: Option<Principal>,
    /// The level that the client set; these revisions set it for the session.
    level: Mutex<String>,
    /// What it is told of changes, once it is open and if the server tells of any.
    watch: OnceLock<Option<Watch>>,
}

/// What the handshake agreed on.
struct Agreed {
    revision: Revision,
    /// What the client can be asked.
    capabilities: Map<String, Value>,
}

/// Who sent a request over HTTP, as the transport leaves it in the request's extensions.
#[cfg(feature = "http")]
#[derive(Clone)]
pub(super) struct Caller(pub(super) Option<Principal>);

impl Session {
    pub(super) fn new(server: &Arc<Inner>, principal: Option<Principal>) -> Self {
        Self {
            server: Arc::clone(server),
            identity: Identity::draw(&*server.shared.world),
            agreed: OnceLock::new(),
            principal,
            // A client that says nothing hears what is worth knowing.
            level: Mutex::new("info".into()),
            watch: OnceLock::new(),
        }
    }

    /// Sets the level of log messages.
    pub(super) fn set(&self, level: String) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// What the client is told of changes; nothing, if the author never tells.
    pub(super) fn watch(&self, peer: &Peer<RoleServer>) -> Option<&Watch> {
        let start = || {
            let told = self.server.changes.is_taken();
            told.then(|| Watch::start(&self.server, peer.clone()))
        };
        self.watch.get_or_init(start).as_ref()
    }

    fn level(&self) -> String {
        let level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        level.clone()
    }

    /// Agrees on a revision.
    pub(super) fn open(
        &self,
        client: &InitializeRequestParams,
    ) -> Result<InitializeResult, ErrorData> {
        let revision = Revision::agreed(client.protocol_version.as_str());
        let agreed = Agreed {
            revision,
            capabilities: revision.capabilities(object(&client.capabilities)),
        };
        if self.agreed.set(agreed).is_err() {
            let error = "the session is open already";
            return Err(rpc_error(INVALID_REQUEST.into(), error.into(), None));
        }
        let mut ours: Value = serde_json::from_str(&self.server.discovered).unwrap_or_default();
        let mut info = ours["_meta"]["io.modelcontextprotocol/serverInfo"].take();
        if let Some(info) = info.as_object_mut() {
            lower::server_info(revision, info);
        }
        let mut result = json!({
            "protocolVersion": revision.name(),
            "capabilities": revision.offers(object(&ours["capabilities"])),
            "serverInfo": info,
        });
        if let Some(instructions) = ours.get_mut("instructions") {
            result["instructions"] = instructions.take();
        }
        typed(result)
    }

    /// Answers a request with the function that answers it in the modern revision.
    pub(super) async fn serve<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
        context: RequestContext<RoleServer>,
    ) -> Result<T, ErrorData> {
        let Some(agreed) = self.agreed.get() else {
            let error = "the session is not open: send `initialize` first";
            return Err(rpc_error(INVALID_REQUEST.into(), error.into(), None));
        };
        let level = self.level();
        let capabilities = &agreed.capabilities;
        let passed = Passed {
            server: &self.server,
            text: modern(
                method,
                object(&params),
                &context,
                capabilities,
                Some(&level),
            ),
            older: Some(agreed.revision),
            root: self.identity.root("mrtr v1 legacy", &[], &context.id),
            handler: None,
            caller: self.caller(&context),
            context: &context,
        };
        answer(agreed.revision, method, passed.response().await.as_deref())
    }

    #[cfg_attr(
        not(feature = "http"),
        expect(unused_variables, reason = "only HTTP has callers")
    )]
    pub(super) fn caller(&self, context: &RequestContext<RoleServer>) -> Option<Principal> {
        #[cfg(feature = "http")]
        if let Some(parts) = context.extensions.get::<::http::request::Parts>() {
            return parts.extensions.get::<Caller>()?.0.clone();
        }
        self.principal.clone()
    }
}
