//! The metadata of a protected resource: where clients learn who issues tokens for this server.
//!
//! Source: RFC 9728; MCP 2026-07-28, basic/authorization, "Authorization server discovery".

use bytes::Bytes;
use http::Uri;
use serde::Serialize;

use crate::server::Problem;

use super::authenticate::{scope_text, with_parameters};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What the author gives.
#[derive(Debug, Clone)]
pub(crate) struct ResourceSettings {
    pub(crate) url: String,
    pub(crate) issuers: Vec<String>,
}

/// What is published, worked out once.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(super) metadata: Bytes,
    /// Where the metadata is served.
    pub(super) paths: Vec<String>,
    /// The challenge for whoever has to sign in.
    pub(crate) challenge: String,
    /// The challenge without scopes.
    pub(super) challenge_base: String,
}

#[derive(Serialize)]
struct Metadata<'a> {
    resource: &'a str,
    authorization_servers: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes_supported: &'a [String],
    bearer_methods_supported: [&'a str; 1],
}

impl Resource {
    pub(crate) fn new(settings: ResourceSettings, scopes: &[String]) -> Result<Self, Problem> {
        let ResourceSettings { url, issuers } = settings;
        let Some((origin, path)) = split(&url) else {
            return Err(Problem::Setting {
                setting: "protected_resource",
                value: url,
                remedy: "it must be the `https:` URL of this endpoint, such as `https://mcp.example.com/mcp`, without query and fragment",
            });
        };
        if issuers.is_empty() || issuers.iter().any(|issuer| split(issuer).is_none()) {
            return Err(Problem::Setting {
                setting: "protected_resource",
                value: issuers.join(", "),
                remedy: "it needs at least one issuer of tokens, each an `https:` URL",
            });
        }
        let metadata = Metadata {
            resource: &url,
            authorization_servers: &issuers,
            scopes_supported: scopes,
            bearer_methods_supported: ["header"],
        };
        let metadata = serde_json::to_vec(&metadata)
            .expect("invariant: texts serialise")
            .into();
        let location = format!("{origin}{WELL_KNOWN}{path}");
        let challenge_base = with_parameters("Bearer".into(), &[("resource_metadata", &location)]);
        let challenge = with_parameters(challenge_base.clone(), &[("scope", &scope_text(scopes))]);
        let mut paths = vec![WELL_KNOWN.to_owned(), format!("{WELL_KNOWN}/mcp")];
        if !path.is_empty() && path != "/mcp" {
            paths.push(format!("{WELL_KNOWN}{path}"));
        }
        Ok(Self {
            metadata,
            paths,
            challenge,
            challenge_base,
        })
    }
}

/// Origin and path of an absolute URL that clients may be sent to: `https:`, or `http:` on this
/// machine for development.
fn split(url: &str) -> Option<(&str, &str)> {
    let uri: Uri = url.parse().ok()?;
    let authority = uri.authority()?;
    let local = matches!(uri.host()?, "localhost" | "127.0.0.1" | "[::1]");
    let secure = match uri.scheme_str()? {
        "https" => true,
        "http" => local,
        _ => false,
    };
    let plain = !authority.as_str().contains('@')
        && url.bytes().all(|byte| byte.is_ascii_graphic())
        && !url.contains(['?', '#', '"', '\\', '{', '}', '*']);
    let start = url.find("://")? + 3 + authority.as_str().len();
    let (origin, path) = url.split_at_checked(start)?;
    (secure && plain).then(|| (origin, path.strip_suffix('/').unwrap_or(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(url: &str, issuers: &[&str]) -> Result<Resource, Problem> {
        let issuers = issuers.iter().map(|issuer| (*issuer).to_owned()).collect();
        Resource::new(
            ResourceSettings {
                url: url.into(),
                issuers,
            },
            &["read".into(), "wri\"te".into()],
        )
    }

    #[test]
    fn the_metadata_lies_between_host_and_path() {
        let issuers = ["https://issuer.example"];
        let cases = [
            (
                "https://mcp.example.com/mcp",
                "https://mcp.example.com/.well-known/oauth-protected-resource/mcp",
            ),
            (
                "https://mcp.example.com",
                "https://mcp.example.com/.well-known/oauth-protected-resource",
            ),
            (
                "https://a.example:8443/t/mcp",
                "https://a.example:8443/.well-known/oauth-protected-resource/t/mcp",
            ),
            (
                "http://localhost:8080/mcp",
                "http://localhost:8080/.well-known/oauth-protected-resource/mcp",
            ),
        ];
        for (url, location) in cases {
            let resource = resource(url, &issuers).unwrap();
            assert_eq!(
                resource.challenge,
                format!("Bearer resource_metadata=\"{location}\", scope=\"read write\"")
            );
            assert!(
                resource
                    .paths
                    .iter()
                    .any(|path| location.ends_with(path.as_str())),
                "{url}"
            );
        }
        let metadata = resource("https://mcp.example.com/mcp", &issuers)
            .unwrap()
            .metadata;
        assert_eq!(
            metadata,
            r#"{"resource":"https://mcp.example.com/mcp","authorization_servers":["https://issuer.example"],"scopes_supported":["read","wri\"te"],"bearer_methods_supported":["header"]}"#
        );
    }

    #[test]
    fn an_url_that_clients_must_not_be_sent_to_is_refused() {
        let issuer = ["https://issuer.example"];
        for url in [
            "",
            "/mcp",
            "mcp.example.com",
            "http://mcp.example.com/mcp",
            "ftp://a.example/",
            "https://user@a.example/mcp",
            "https://a.example/mcp#x",
            "https://a.example/mcp?x=1",
        ] {
            assert!(resource(url, &issuer).is_err(), "{url}");
        }
        assert!(resource("https://a.example/mcp", &[]).is_err());
        assert!(resource("https://a.example/mcp", &["issuer.example"]).is_err());
    }
}
