//! Which hosts a request may be for and which web pages may send one.
//!
//! A page that rebinds its own name to this machine's address reaches a local server with that
//! name in `Host`; any page can reach a server it knows the address of, with its own name in
//! `Origin`. Both are refused on every verb. Forwarded headers are never read: anybody writes them.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, HeaderName, Version};
use mrtr_core::text::log_name;

/// The hosts and origins that are allowed beside this machine's own names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Door {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Why the door stays shut. `Display` is for the log: it names the setting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shut {
    /// There is no single host to look at.
    NoHost,
    /// The host is not allowed.
    Host(String),
    /// The origin is not allowed.
    Origin(String),
}

impl Door {
    pub(crate) fn allow_host(&mut self, host: &str) {
        self.hosts.push(host.trim().to_owned());
    }

    pub(crate) fn allow_origin(&mut self, origin: &str) {
        self.origins
            .push(origin.trim().trim_end_matches('/').to_owned());
    }

    pub(crate) fn names_a_host(&self) -> bool {
        !self.hosts.is_empty()
    }

    /// The settings that no request could ever match: setting, value and what to write instead.
    pub(crate) fn unreadable(&self) -> impl Iterator<Item = (&'static str, &str, &'static str)> {
        let hosts = self.hosts.iter().filter(|host| Authority::read(host).is_none()).map(|host| {
            let remedy = "write the name alone, with its port if clients send one: `mcp.example.com`, `mcp.example.com:8443`";
            ("allow_host", host.as_str(), remedy)
        });
        let origins = self
            .origins
            .iter()
            .filter(|origin| origin_parts(origin).is_none());
        hosts.chain(origins.map(|origin| {
            let remedy =
                "write scheme and host, with the port if it has one: `https://app.example.com`";
            ("allow_origin", origin.as_str(), remedy)
        }))
    }

    /// Whether a request with this head may come in.
    pub(super) fn admits(&self, parts: &Parts) -> Result<(), Shut> {
        let host = host(parts).ok_or(Shut::NoHost)?;
        let name = Authority::read(host).ok_or(Shut::NoHost)?;
        let local = name.is_loopback();
        if !local
            && !self
                .hosts
                .iter()
                .any(|allowed| Authority::read(allowed) == Some(name))
        {
            return Err(Shut::Host(log_name(host)));
        }
        match single(&parts.headers, ORIGIN) {
            Ok(None) => Ok(()),
            Ok(Some(origin)) if self.admits_origin(origin, local) => Ok(()),
            Ok(Some(origin)) => Err(Shut::Origin(log_name(origin))),
            Err(()) => Err(Shut::Origin("unreadable".into())),
        }
    }

    /// Pages of this machine may talk to this machine; all others must be allowed.
    fn admits_origin(&self, origin: &str, local: bool) -> bool {
        let Some((scheme, authority)) = origin_parts(origin) else {
            return false;
        };
        (local && authority.is_loopback())
            || self
                .origins
                .iter()
                .filter_map(|allowed| origin_parts(allowed))
                .any(|(allowed_scheme, allowed)| {
                    allowed_scheme.eq_ignore_ascii_case(scheme) && allowed == authority
                })
    }
}

/// The host that a request is for, if there is exactly one.
fn host(parts: &Parts) -> Option<&str> {
    let authority = parts.uri.authority().map(http::uri::Authority::as_str);
    match (single(&parts.headers, HOST).ok()?, authority) {
        (Some(host), None) => Some(host),
        (Some(host), Some(authority)) if host.eq_ignore_ascii_case(authority) => Some(host),
        // HTTP/2 has the authority in the request line only.
        (None, Some(authority)) if parts.version >= Version::HTTP_2 => Some(authority),
        _ => None,
    }
}

/// The value of a header that may come once.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(|text| Some(text.trim())).map_err(drop),
        (Some(_), Some(_)) => Err(()),
    }
}

/// A host and its port. Names are equal whatever their case and with or without the final dot.
#[derive(Debug, Clone, Copy)]
struct Authority<'a> {
    name: &'a str,
    port: Option<u16>,
}

impl<'a> Authority<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let after_name = text
            .strip_prefix('[')
            .and_then(|rest| rest.find(']'))
            .map(|end| end + 2);
        let end = after_name.unwrap_or_else(|| text.find(':').unwrap_or(text.len()));
        let (name, port) = text.split_at(end);
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            _ => return None,
        };
        let name = name.strip_suffix('.').unwrap_or(name);
        let readable = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'[' | b']' | b':')
        };
        (!name.is_empty() && name.bytes().all(readable)).then_some(Self { name, port })
    }

    /// Whether it is a name of this machine, whatever the port.
    fn is_loopback(self) -> bool {
        let address = self.name.trim_start_matches('[').trim_end_matches(']');
        self.name.eq_ignore_ascii_case("localhost")
            || self
                .name
                .parse::<Ipv4Addr>()
                .is_ok_and(|address| address.is_loopback())
            || (self.name.starts_with('[')
                && address
                    .parse::<Ipv6Addr>()
                    .is_ok_and(|address| address.is_loopback()))
    }
}

impl PartialEq for Authority<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name.eq_ignore_ascii_case(other.name) && self.port == other.port
    }
}

/// Scheme and authority of an origin; the port of the scheme goes without saying.
fn origin_parts(origin: &str) -> Option<(&str, Authority<'_>)> {
    let (scheme, rest) = origin.split_once("://")?;
    let default = match scheme {
        _ if scheme.eq_ignore_ascii_case("https") => 443,
        _ if scheme.eq_ignore_ascii_case("http") => 80,
        _ => return None,
    };
    let authority = Authority::read(rest)?;
    Some((
        scheme,
        Authority {
            port: authority.port.filter(|port| *port != default),
            ..authority
        },
    ))
}

impl Shut {
    /// What the client is told.
    pub(super) fn told(&self) -> &'static str {
        match self {
            Self::NoHost => "the request must name one host",
            Self::Host(_) => "the host is not allowed",
            Self::Origin(_) => "the origin is not allowed",
        }
    }
}

impl fmt::Display for Shut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost => f.write_str("the request names no host, or more than one"),
            Self::Host(host) => write!(
                f,
                "the host `{host}` is not allowed; if it should be, add `.allow_host(..)` or set MRTR_ALLOW_HOSTS"
            ),
            Self::Origin(origin) => write!(
                f,
                "the origin `{origin}` is not allowed; if it should be, add `.allow_origin(..)`"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        let mut door = Door::default();
        door.allow_host("mcp.example.com");
        door.allow_host("Other.Example:8443");
        door.allow_origin("https://app.example.com/");
        door
    }

    fn admits(uri: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let mut request = http::Request::post(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        door().admits(&parts).map_err(|shut| shut.told().to_owned())
    }

    #[test]
    fn a_host_is_allowed_or_a_name_of_this_machine() {
        let cases = [
            ("localhost", true),
            ("LOCALHOST.:8080", true),
            ("127.0.0.1:1", true),
            ("127.9.9.9", true),
            ("[::1]:8080", true),
            ("mcp.example.com", true),
            ("MCP.example.COM.", true),
            ("other.example:8443", true),
            ("mcp.example.com:8080", false),
            ("other.example", false),
            ("evil.example", false),
            ("mcp.example.com.evil.example", false),
            ("localhost.evil.example", false),
            ("evil.example:80@localhost", false),
            ("128.0.0.1", false),
            ("127.0.0.1.evil.example", false),
            ("[::2]", false),
            ("::1", false),
            ("localhost:port", false),
            ("localhost:99999", false),
            ("", false),
        ];
        for (host, expected) in cases {
            assert_eq!(
                admits("/mcp", &[("host", host)]).is_ok(),
                expected,
                "{host}"
            );
        }
    }

    #[test]
    fn the_host_must_be_one_and_agree_with_the_request_line() {
        assert!(admits("/mcp", &[]).is_err());
        assert!(admits("/mcp", &[("host", "localhost"), ("host", "localhost")]).is_err());
        assert!(admits("http://localhost/mcp", &[("host", "localhost")]).is_ok());
        assert!(admits("http://localhost/mcp", &[("host", "mcp.example.com")]).is_err());
        assert!(admits("http://localhost/mcp", &[]).is_err());
        let forwarded = [("host", "evil.example"), ("x-forwarded-host", "localhost")];
        assert!(admits("/mcp", &forwarded).is_err());
    }

    #[test]
    fn an_origin_is_allowed_or_local_to_local() {
        let cases = [
            ("localhost", "http://localhost:3000", true),
            ("localhost", "https://127.0.0.1", true),
            ("localhost", "https://app.example.com", true),
            ("localhost", "https://APP.example.com:443", true),
            ("mcp.example.com", "https://app.example.com", true),
            ("mcp.example.com", "http://localhost:3000", false),
            ("mcp.example.com", "http://app.example.com", false),
            ("mcp.example.com", "https://app.example.com:8443", false),
            ("localhost", "null", false),
            ("localhost", "", false),
            ("localhost", "http://evil.example", false),
            ("localhost", "http://localhost.evil.example", false),
            ("localhost", "http://localhost/path", false),
            ("localhost", "file://localhost", false),
            ("localhost", "http://user@localhost", false),
        ];
        for (host, origin, expected) in cases {
            let admitted = admits("/mcp", &[("host", host), ("origin", origin)]);
            assert_eq!(admitted.is_ok(), expected, "{host} {origin}");
        }
        let twice = [
            ("host", "localhost"),
            ("origin", "http://localhost"),
            ("origin", "http://localhost"),
        ];
        assert!(admits("/mcp", &twice).is_err());
    }
}
