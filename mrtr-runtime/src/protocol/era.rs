//! Which era a request belongs to: the only place that decides it.
//!
//! Source: MCP 2026-07-28, basic/versioning, "Backward compatibility". Modern requests carry their
//! version in `_meta`; the revisions before opened with a handshake.

/// The revision of this server's own protocol.
pub(crate) const MODERN: &str = "2026-07-28";

/// The revisions that begin with `initialize`.
pub(crate) const HANDSHAKE: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The era of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// Stateless, each request by itself.
    Modern,
    /// The handshake revisions.
    Handshake,
}

/// What the era hangs on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs<'a> {
    /// The request's `_meta` names a version.
    pub(super) names_version: bool,
    /// It came over HTTP.
    pub(super) http: bool,
    /// Its `MCP-Protocol-Version` header.
    pub(super) header: Option<&'a str>,
    pub(super) method: &'a str,
}

/// Decides the era.
///
/// A client that probes with a modern method and gets `_meta` wrong is told so in modern form.
pub(super) fn era(signs: Signs<'_>) -> Era {
    let handshake = match signs {
        Signs {
            names_version: true,
            ..
        } => false,
        Signs {
            http: false,
            method,
            ..
        } => method == "initialize",
        Signs {
            header: Some(version),
            ..
        } => HANDSHAKE.contains(&version),
        Signs { header: None, .. } => true,
    };
    if handshake {
        Era::Handshake
    } else {
        Era::Modern
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_era_is_told_by_meta_then_header_then_method() {
        let line = Signs {
            names_version: false,
            http: false,
            header: None,
            method: "tools/list",
        };
        let http = Signs { http: true, ..line };
        let cases = [
            (
                Signs {
                    names_version: true,
                    method: "initialize",
                    ..line
                },
                Era::Modern,
            ),
            (
                Signs {
                    names_version: true,
                    header: Some("2025-11-25"),
                    ..http
                },
                Era::Modern,
            ),
            (
                Signs {
                    names_version: true,
                    ..http
                },
                Era::Modern,
            ),
            (line, Era::Modern),
            (
                Signs {
                    method: "server/discover",
                    ..line
                },
                Era::Modern,
            ),
            (
                Signs {
                    method: "initialize",
                    ..line
                },
                Era::Handshake,
            ),
            (
                Signs {
                    header: Some("2026-07-28"),
                    ..http
                },
                Era::Modern,
            ),
            (
                Signs {
                    header: Some("2031-01-01"),
                    ..http
                },
                Era::Modern,
            ),
            (
                Signs {
                    header: Some("2025-06-18"),
                    ..http
                },
                Era::Handshake,
            ),
            (http, Era::Handshake),
        ];
        for (signs, expected) in cases {
            assert_eq!(era(signs), expected, "{signs:?}");
        }
    }
}
