//! Which web addresses a question may send a user to.
//!
//! A user who opens a link trusts the server that sent it, and parts of it may come from arguments
//! that a model or a web page wrote. Hosts are therefore declared, and an address must read the
//! same to every parser: RFC 3986 is narrower than what browsers take.

use iri_string::types::UriStr;

/// The longest address, in bytes.
pub const MAX_URL_BYTES: usize = 4096;

/// The hosts that questions may lead to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlPolicy {
    hosts: Vec<String>,
    loopback: bool,
}

/// Why an address may not be sent. The texts name what the author has to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlProblem {
    /// It is no absolute URI, or too long.
    #[error(
        "its URL is not valid: write an absolute URL, percent-encoded, of at most {MAX_URL_BYTES} bytes"
    )]
    Malformed,
    /// It has another scheme than `https`.
    #[error("its URL has the scheme `{0}`: only `https` may be opened")]
    Scheme(String),
    /// It is `http` and not on this machine.
    #[error(
        "its URL is plain `http`: use `https`, or `.allow_loopback_urls()` for a page on this machine"
    )]
    Insecure,
    /// It holds a user name or password.
    #[error("its URL holds a user name or password: remove what stands before the `@`")]
    UserInfo,
    /// It names an IP address.
    #[error("its URL names an IP address: use a host name that `.url_hosts([..])` declares")]
    IpLiteral,
    /// It leads to a host that nobody declared.
    #[error("its URL leads to `{0}`, which is not declared: add it to `.url_hosts([..])`")]
    OtherHost(String),
}

impl UrlPolicy {
    /// Declares a host, such as `pay.example`, or `pay.example:8443` for another port than 443.
    ///
    /// Says whether it is a host name.
    pub fn declare(&mut self, host: &str) -> bool {
        let wanted = host.to_ascii_lowercase();
        let url = format!("https://{wanted}/");
        let plain =
            Target::of(&url).is_ok_and(|target| target.names_host(&wanted) && !is_ip(target.host));
        if plain {
            self.hosts.push(wanted);
        }
        plain
    }

    /// Allows pages on this machine, also by `http`, for development and local programs.
    pub fn allow_loopback(&mut self) {
        self.loopback = true;
    }

    /// Whether some address may be sent.
    #[must_use]
    pub fn allows_an_address(&self) -> bool {
        self.loopback || !self.hosts.is_empty()
    }

    /// Looks at an address.
    ///
    /// # Errors
    /// Why it may not be sent, with the remedy.
    pub fn check(&self, url: &str) -> Result<(), UrlProblem> {
        let target = Target::of(url)?;
        let on_this_machine = is_loopback(target.host);
        if on_this_machine && self.loopback {
            return Ok(());
        }
        if is_ip(target.host) {
            return Err(UrlProblem::IpLiteral);
        }
        if target.scheme != "https" {
            return Err(UrlProblem::Insecure);
        }
        if self.hosts.iter().any(|host| target.names_host(host)) {
            return Ok(());
        }
        Err(UrlProblem::OtherHost(crate::text::log_name(target.host)))
    }
}

/// The parts of an address that decide where it leads.
struct Target<'a> {
    scheme: String,
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> Target<'a> {
    fn of(url: &'a str) -> Result<Self, UrlProblem> {
        if url.len() > MAX_URL_BYTES {
            return Err(UrlProblem::Malformed);
        }
        let uri = UriStr::new(url).map_err(|_| UrlProblem::Malformed)?;
        let scheme = uri.scheme_str().to_ascii_lowercase();
        if scheme != "https" && scheme != "http" {
            return Err(UrlProblem::Scheme(scheme));
        }
        let authority = uri.authority_components().ok_or(UrlProblem::Malformed)?;
        if authority.userinfo().is_some() {
            return Err(UrlProblem::UserInfo);
        }
        let host = authority.host();
        if host.is_empty() {
            return Err(UrlProblem::Malformed);
        }
        let port = authority.port().filter(|port| !port.is_empty());
        Ok(Self { scheme, host, port })
    }

    /// Whether the address leads to a declared host, at its port or else the usual one.
    fn names_host(&self, declared: &str) -> bool {
        let (host, port) = match declared.split_once(':') {
            Some((host, port)) => (host, port),
            None => (declared, "443"),
        };
        self.host.eq_ignore_ascii_case(host) && self.port.unwrap_or("443") == port
    }
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host == "127.0.0.1" || host == "[::1]"
}

/// Whether a browser takes the host for an address: also `127.1`, `0x7f.1` and `2130706433`.
fn is_ip(host: &str) -> bool {
    let last = host
        .trim_end_matches('.')
        .rsplit('.')
        .next()
        .unwrap_or(host);
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    host.starts_with('[')
        || (!last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
        || hex.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> UrlPolicy {
        let mut policy = UrlPolicy::default();
        assert!(policy.declare("pay.example") && policy.declare("Shop.Example:8443"));
        policy
    }

    #[test]
    fn declared_hosts_open_and_nothing_that_looks_like_them() {
        use UrlProblem as P;
        let other = |host: &str| Err(P::OtherHost(host.into()));
        let cases = [
            ("https://pay.example/x?y=1#z", Ok(())),
            ("HTTPS://PAY.EXAMPLE", Ok(())),
            ("https://pay.example:443/", Ok(())),
            ("https://shop.example:8443/", Ok(())),
            ("https://shop.example/", other("shop.example")),
            ("https://pay.example:8443/", other("pay.example")),
            (
                "https://pay.example.evil.test/",
                other("pay.example.evil.test"),
            ),
            ("https://evilpay.example/", other("evilpay.example")),
            ("https://pay.example./", other("pay.example.")),
            ("https://pay%2Eexample/", other("pay%2Eexample")),
            ("https://evil.test/?https://pay.example", other("evil.test")),
            ("http://pay.example/", Err(P::Insecure)),
            ("https://pay.example@evil.test/", Err(P::UserInfo)),
            ("https://a:b@pay.example/", Err(P::UserInfo)),
            ("https://@pay.example/", Err(P::UserInfo)),
            ("javascript:alert(1)", Err(P::Scheme("javascript".into()))),
            ("data:text/html,x", Err(P::Scheme("data".into()))),
            ("file:///etc/passwd", Err(P::Scheme("file".into()))),
            ("vscode://x", Err(P::Scheme("vscode".into()))),
            ("https://127.0.0.1/", Err(P::IpLiteral)),
            ("https://[::1]/", Err(P::IpLiteral)),
            ("https://2130706433/", Err(P::IpLiteral)),
            ("https://0x7f.1/", Err(P::IpLiteral)),
            ("https://127.0.0.0x1/", Err(P::IpLiteral)),
            ("https://localhost/", other("localhost")),
            ("https:///x", Err(P::Malformed)),
            ("https:pay.example", Err(P::Malformed)),
            ("//pay.example/", Err(P::Malformed)),
            ("pay.example", Err(P::Malformed)),
            ("", Err(P::Malformed)),
            ("https://pay.example/\n", Err(P::Malformed)),
            ("https://pay.example\\@evil.test/", Err(P::Malformed)),
            ("https://pay.example/a b", Err(P::Malformed)),
            ("https://p\u{430}y.example/", Err(P::Malformed)),
            (" https://pay.example/", Err(P::Malformed)),
        ];
        for (url, expected) in cases {
            assert_eq!(policy().check(url), expected, "{url}");
        }
        let long = format!("https://pay.example/{}", "a".repeat(MAX_URL_BYTES));
        assert_eq!(policy().check(&long), Err(P::Malformed));
    }

    #[test]
    fn pages_on_this_machine_are_for_who_asks_for_them() {
        let mut policy = policy();
        policy.allow_loopback();
        for url in [
            "http://localhost:3000/x",
            "http://127.0.0.1:1",
            "https://[::1]:8/",
        ] {
            assert_eq!(policy.check(url), Ok(()), "{url}");
        }
        for url in [
            "http://127.0.0.2/",
            "http://localhost.evil.test/",
            "http://127.1/",
        ] {
            assert!(policy.check(url).is_err(), "{url}");
        }
    }

    #[test]
    fn only_host_names_are_declared() {
        let mut policy = UrlPolicy::default();
        for host in [
            "",
            "a b",
            "https://pay.example",
            "pay.example/",
            "a@b",
            "127.0.0.1",
            "[::1]",
            "x:y",
        ] {
            assert!(!policy.declare(host), "{host}");
        }
        assert!(!policy.allows_an_address());
    }
}
