//! What a handshake agreed on, and what a server may send because of it.
//!
//! Source: basic/lifecycle and basic/transports of the revisions 2024-11-05 to 2025-11-25.

use std::collections::HashSet;

use serde_json::Value;

use crate::members::{Members, only};
use crate::question::question_faults;
use crate::{Faults, Revision};

use Revision::{V2025_06_18, V2025_11_25};

const INITIALIZED: Members = Members {
    first: &[
        "protocolVersion",
        "capabilities",
        "serverInfo",
        "instructions",
        "_meta",
    ],
    later: &[],
};

const SERVER_INFO: Members = Members {
    first: &["name", "version"],
    later: &[
        (V2025_06_18, "title"),
        (V2025_11_25, "icons"),
        (V2025_11_25, "websiteUrl"),
        (V2025_11_25, "description"),
    ],
};

const CAPABILITIES: Members = Members {
    first: &["tools", "prompts", "resources", "logging", "experimental"],
    later: &[
        (Revision::V2025_03_26, "completions"),
        (V2025_11_25, "tasks"),
    ],
};

/// An open session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    /// What the client declared.
    declared: Value,
    /// What the server offered.
    offered: Value,
    /// The ids of the server's own requests, by their JSON text; none may come twice.
    used: HashSet<String>,
    /// Those of them that the client has not answered.
    open: HashSet<String>,
    /// The ids of URL questions.
    links: HashSet<String>,
}

impl Session {
    /// The session that this answer to `initialize` opens; `declared` is what the client declared.
    pub(crate) fn open(declared: Value, result: &Value, faults: &mut Faults) -> Option<Self> {
        let version = result["protocolVersion"].as_str().unwrap_or_default();
        let Some(revision) = Revision::of_handshake(version) else {
            faults.push(format!("`{version}` is no revision with a handshake"));
            return None;
        };
        INITIALIZED.judge(revision, result, faults);
        SERVER_INFO.judge(revision, &result["serverInfo"], faults);
        let info = &result["serverInfo"];
        if !(info["name"].is_string() && info["version"].is_string()) {
            faults.push("`serverInfo` lacks `name` or `version`".to_owned());
        }
        if !result["capabilities"].is_object() {
            faults.push("`capabilities` is not an object".to_owned());
        }
        CAPABILITIES.judge(revision, &result["capabilities"], faults);
        Some(Self {
            revision,
            declared,
            offered: result["capabilities"].clone(),
            used: HashSet::new(),
            open: HashSet::new(),
            links: HashSet::new(),
        })
    }

    /// Takes note of the client's answer to a request of the server.
    pub(crate) fn answered(&mut self, id: &Value) {
        self.open.remove(&id.to_string());
    }

    /// The server's requests that the client has not answered.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &String> {
        self.open.iter()
    }

    /// Judges a request of the server; `busy` says whether the client waits for anything.
    pub(crate) fn request(&mut self, message: &Value, busy: bool, faults: &mut Faults) {
        only(message, &["jsonrpc", "id", "method", "params"], faults);
        let id = message["id"].to_string();
        if !(message["id"].is_string() || message["id"].is_i64()) {
            faults.push("the id of a request is a string or a whole number".to_owned());
        }
        if !self.used.insert(id.clone()) {
            faults.push(format!("the server has used the id {id} before"));
        }
        self.open.insert(id);
        if message["method"] == "ping" {
            return;
        }
        if !busy {
            faults.push("a question that belongs to no request of the client".to_owned());
        }
        question_faults(self.revision, &self.declared, message, faults);
        if let Some(link) = message["params"]["elicitationId"].as_str()
            && !self.links.insert(link.to_owned())
        {
            faults.push(format!("the `elicitationId` {link} comes twice"));
        }
    }

    /// Judges a notification that no running request has to have brought; `false` for others.
    pub(crate) fn notification(&mut self, message: &Value, faults: &mut Faults) -> bool {
        let offers = |what: &str, flag: &str| self.offered[what][flag] == true;
        let params = &message["params"];
        let offered = match message["method"].as_str().unwrap_or_default() {
            "notifications/message" => self.offered["logging"].is_object(),
            "notifications/tools/list_changed" => offers("tools", "listChanged"),
            "notifications/prompts/list_changed" => offers("prompts", "listChanged"),
            "notifications/resources/list_changed" => offers("resources", "listChanged"),
            "notifications/resources/updated" => offers("resources", "subscribe"),
            "notifications/elicitation/complete" => params["elicitationId"]
                .as_str()
                .is_some_and(|link| self.links.contains(link)),
            // The server does not wait for an answer any more.
            "notifications/cancelled" => self.open.remove(&params["requestId"].to_string()),
            _ => return false,
        };
        if !offered {
            faults.push(format!(
                "{} comes although the server did not offer it, or names what is unknown",
                message["method"]
            ));
        }
        true
    }
}
