//! The `_meta` of a request: version, capabilities, log level, progress token.
//!
//! Source: MCP 2026-07-28, basic, "`_meta`". It is the only source of these: nothing is taken from
//! earlier requests on the same connection.

use std::borrow::Cow;

use mrtr_core::json::Value;

use crate::client::ClientCapabilities;
use crate::notify::LogLevel;

use super::message::Id;
use super::refusal::Refusal;
use super::trace::is_traceparent;

/// What a request says of itself.
#[derive(Debug)]
pub(super) struct Meta<'a> {
    pub(super) version: Cow<'a, str>,
    pub(super) client: ClientCapabilities,
    pub(super) level: Option<LogLevel>,
    pub(super) token: Option<Value<'a>>,
    pub(super) traceparent: Option<Cow<'a, str>>,
}

/// The members that are read, before they are looked at; everything else under `_meta` is passed
/// over.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RawMeta<'a> {
    version: Option<Value<'a>>,
    capabilities: Option<Value<'a>>,
    level: Option<Value<'a>>,
    token: Option<Value<'a>>,
    traceparent: Option<Value<'a>>,
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LEVEL: &str = "io.modelcontextprotocol/logLevel";

impl<'a> RawMeta<'a> {
    /// Reads the members.
    pub(super) fn read(meta: Option<Value<'a>>) -> Result<Self, Refusal> {
        if meta.is_some_and(|meta| !meta.is_object()) {
            return Err(Refusal::meta("`_meta` must be an object"));
        }
        if meta.is_some_and(Value::repeats_a_key) {
            return Err(Refusal::invalid_params("a member of `_meta` occurs twice"));
        }
        let mut members = Self::default();
        for (name, value) in meta.and_then(Value::as_object).into_iter().flatten() {
            let member = match &*name {
                VERSION => &mut members.version,
                CAPABILITIES => &mut members.capabilities,
                LEVEL => &mut members.level,
                "progressToken" => &mut members.token,
                "traceparent" => &mut members.traceparent,
                _ => continue,
            };
            *member = Some(value);
        }
        Ok(members)
    }

    /// Whether it names a version, as every request of a modern client does.
    pub(super) fn names_version(&self) -> bool {
        self.version.is_some()
    }

    /// Checks that the members are what they must be.
    pub(super) fn check(&self) -> Result<Meta<'a>, Refusal> {
        let version = self
            .version
            .and_then(Value::as_str)
            .ok_or_else(|| missing(VERSION, "a string"))?;
        let capabilities = self
            .capabilities
            .filter(|declared| declared.is_object())
            .ok_or_else(|| missing(CAPABILITIES, "an object"))?;
        let client = ClientCapabilities::read(capabilities).ok_or_else(|| {
            Refusal::invalid_params(
                "a capability in `clientCapabilities` must be an object, and be declared once",
            )
        })?;
        let level = self.level.map(|level| serde_json::from_str(level.raw()));
        let level = level.transpose().map_err(|_| {
            Refusal::invalid_params(
                "the log level must be debug, info, notice, warning, error, critical, alert or emergency",
            )
        })?;
        if self.token.is_some_and(|token| Id::read(token).is_none()) {
            return Err(Refusal::invalid_params(
                "`progressToken` must be a string or an integer",
            ));
        }
        let traceparent = self.traceparent.and_then(Value::as_str);
        Ok(Meta {
            version,
            client,
            level,
            token: self.token,
            traceparent: traceparent.filter(|text| is_traceparent(text)),
        })
    }
}

fn missing(member: &str, kind: &str) -> Refusal {
    Refusal::meta(format!(
        "`_meta` of every request needs `{member}`, {kind}; see `supported` for the versions"
    ))
}

#[cfg(test)]
mod tests {
    use mrtr_core::json::Json;

    use super::*;

    const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    const CAPABILITIES: &str = r#""io.modelcontextprotocol/clientCapabilities":{}"#;

    fn check(text: &str) -> Result<(bool, bool), i32> {
        let json = Json::scan(text).unwrap();
        let meta = RawMeta::read(Some(json.root())).and_then(|meta| {
            let meta = meta.check()?;
            Ok((meta.level.is_some(), meta.traceparent.is_some()))
        });
        meta.map_err(|refusal| refusal.error.code)
    }

    #[test]
    fn the_required_members_are_required_and_the_others_are_not() {
        let with = |more: &str| format!("{{{VERSION},{CAPABILITIES}{more}}}");
        assert_eq!(check(&with("")), Ok((false, false)));
        assert_eq!(
            check(&with(r#","io.modelcontextprotocol/new":[1],"x":{}"#)),
            Ok((false, false))
        );
        assert_eq!(
            check(&with(r#","io.modelcontextprotocol/logLevel":"info""#)),
            Ok((true, false))
        );
        assert_eq!(
            check(&with(r#","progressToken":"p","traceparent":"nonsense""#)),
            Ok((false, false))
        );
        let parent = r#","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01""#;
        assert_eq!(check(&with(parent)), Ok((false, true)));
        for text in [
            "[]".to_owned(),
            "{}".to_owned(),
            format!("{{{VERSION}}}"),
            format!("{{{CAPABILITIES}}}"),
            format!(r#"{{"io.modelcontextprotocol/protocolVersion":20260728,{CAPABILITIES}}}"#),
            format!(r#"{{{VERSION},"io.modelcontextprotocol/clientCapabilities":true}}"#),
            format!(r#"{{{VERSION},"io.modelcontextprotocol/clientCapabilities":[]}}"#),
            format!(r#"{{{VERSION},"io.modelcontextprotocol/clientCapabilities":{{"roots":1}}}}"#),
            with(r#","io.modelcontextprotocol/logLevel":"loud""#),
            with(r#","io.modelcontextprotocol/logLevel":null"#),
            with(r#","progressToken":1.5"#),
            with(r#","progressToken":null"#),
            with(&format!(",{VERSION}")),
        ] {
            assert_eq!(check(&text), Err(-32602), "{text}");
        }
    }
}
