//! The roots of a client: the folders that it works in.
//!
//! Source: MCP 2026-07-28, client/roots. The revision deprecates them: new servers take paths as
//! arguments instead.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use iri_string::types::UriStr;
use serde::Deserialize;

use crate::reply::{Accepted, RootsQuestion};

/// The roots that a client sent. They inform, they grant nothing.
///
/// `Debug` shows how many there are.
#[derive(Clone, PartialEq, Eq)]
#[must_use = "roots that are not looked at were not worth a question"]
pub struct Roots(Vec<Root>);

/// One root: a `file:` address, and the name that people know it by.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Root {
    uri: String,
    #[serde(default)]
    name: Option<String>,
}

/// What a client answers; members beyond these are skipped.
#[derive(Deserialize)]
struct Wire {
    roots: Vec<Root>,
}

/// Validates an answer.
///
/// # Errors
/// What is wrong with it, never what it holds.
pub(crate) fn check(content: &str) -> Result<(), String> {
    read(content).map(drop)
}

fn read(content: &str) -> Result<Roots, String> {
    let wire: Wire = serde_json::from_str(content)
        .map_err(|_| "`roots` is a list of objects with a `uri`".to_owned())?;
    for (at, root) in wire.roots.iter().enumerate() {
        root.decoded()
            .ok_or_else(|| format!("`roots[{at}].uri` is not an absolute `file:` URI"))?;
    }
    Ok(Roots(wire.roots))
}

impl Accepted for Roots {
    type Kind = RootsQuestion;

    fn decode(content: &str) -> Result<Self, String> {
        read(content)
    }
}

impl Roots {
    /// The roots in the client's order.
    pub fn iter(&self) -> impl Iterator<Item = &Root> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an absolute path lies within one of the roots, by its words alone: links are not
    /// followed, and a path with `..` lies nowhere.
    #[must_use]
    pub fn contain(&self, path: &Path) -> bool {
        let plain =
            path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
        plain && self.0.iter().any(|root| path.starts_with(root.path()))
    }
}

impl Root {
    /// The address, which begins with `file:`.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The name for people, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The path on the client's machine, which need not be this one.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.decoded()
            .expect("invariant: roots are checked when they are read")
    }

    fn decoded(&self) -> Option<PathBuf> {
        let uri = UriStr::new(&self.uri).ok()?;
        let here = uri
            .authority_str()
            .is_none_or(|authority| matches!(authority, "" | "localhost"));
        let is_file = uri.scheme_str().eq_ignore_ascii_case("file") && here;
        let path = uri.path_str();
        if !is_file || !path.starts_with('/') || uri.query().is_some() || uri.fragment().is_some() {
            return None;
        }
        let path = percent_decoded(path)?;
        // A drive comes as `/C:/..`.
        let path = path
            .strip_prefix('/')
            .filter(|_| cfg!(windows))
            .unwrap_or(&path);
        let plain = !path.split('/').any(|part| part == "..");
        plain.then(|| PathBuf::from(path))
    }
}

/// The text with `%41` written as `A`; none when that is no text, or holds a NUL.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|path| !path.contains('\0'))
}

impl<'a> IntoIterator for &'a Roots {
    type Item = &'a Root;
    type IntoIter = std::slice::Iter<'a, Root>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roots({})", self.0.len())
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Root(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_file_addresses_are_roots() {
        let one = |uri: &str| read(&format!(r#"{{"roots":[{{"uri":"{uri}","name":"x"}}]}}"#));
        for uri in [
            "file:///home/ada",
            "FILE:///a%20b",
            "file://localhost/x",
            "file:/x",
            "file:///",
        ] {
            assert!(one(uri).is_ok(), "{uri}");
        }
        for uri in [
            "https://x.example/",
            "file://host/share",
            "file:x",
            "home",
            "",
            "file:///a/../b",
            "file:///a%00b",
            "file:///a%2e%2e/../b",
            "file:///%ff",
            "file:///a?b",
            "file:///a/%2e%2e/b",
        ] {
            let why = one(uri).expect_err(uri);
            assert!(
                why.contains("`roots[0].uri`")
                    && !why.contains(uri.get(1..).filter(|uri| !uri.is_empty()).unwrap_or("?")),
                "{why}"
            );
        }
        for text in [
            "{}",
            r#"{"roots":{}}"#,
            r#"{"roots":["file:///a"]}"#,
            r#"{"roots":[{}]}"#,
            "[]",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(
            read(r#"{"roots":[],"_meta":{}}"#)
                .expect("no root is fine")
                .is_empty()
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_path_lies_within_its_root() {
        let roots = read(r#"{"roots":[{"uri":"file:///home/ada%20l"}]}"#).expect("a root");
        assert_eq!(
            roots.iter().next().map(Root::path),
            Some("/home/ada l".into())
        );
        assert!(roots.contain(Path::new("/home/ada l/x")));
        for path in [
            "/home/ada",
            "/home/ada lovelace",
            "x",
            "/home/ada l/../x",
            "/",
        ] {
            assert!(!roots.contain(Path::new(path)), "{path}");
        }
    }
}
