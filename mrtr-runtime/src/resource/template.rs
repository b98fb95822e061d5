//! Matching a URI against a URI template.
//!
//! Source: RFC 6570. `iri-string`, which forms use already, checks the template's syntax. The one
//! crate that also matches is under the AGPL, so that each expression becomes a group of a regular
//! expression; `regex-lite` takes linear time whatever a client sends.

use std::borrow::Cow;
use std::collections::BTreeMap;

use iri_string::template::UriTemplateStr;
use iri_string::types::UriStr;
use percent_encoding::percent_decode_str;
use regex_lite::Regex;

use super::safety::{Place, is_safe};

/// The longest URI that is looked at.
const LONGEST_URI: usize = 8 * 1024;

/// A template that can be matched.
#[derive(Debug, Clone)]
pub(crate) struct UriTemplate {
    pattern: Regex,
    groups: Vec<Group>,
}

/// One captured part of a URI.
#[derive(Debug, Clone)]
enum Group {
    /// The value of one variable.
    Value(String, Place),
    /// `name=value` pairs, each of these variables at most once.
    Pairs(Vec<String>),
}

/// The variables of a URI, by name.
pub(crate) type Variables = BTreeMap<String, String>;

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// What is wrong with it, and the remedy.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        UriTemplateStr::new(text).map_err(|_| {
            "it is no URI template; write it as in `file:///{path}`, with `{` and `}` in pairs"
                .to_owned()
        })?;
        if text.starts_with('{') {
            return Err(
                "it begins with a variable; begin with a scheme, as in `notes:///{id}`".into(),
            );
        }
        let mut template = Builder::default();
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once('{') {
            template.literal(literal);
            let Some((expression, after)) = after.split_once('}') else {
                return Err("a `{` has no `}`".into());
            };
            template.expression(expression)?;
            rest = after;
        }
        template.literal(rest);
        template.finish()
    }

    /// The variables of a URI; `None` when the template does not make it, or when a variable would
    /// lead a path out of its place.
    pub(crate) fn matches(&self, uri: &str) -> Option<Variables> {
        if uri.len() > LONGEST_URI {
            return None;
        }
        let captures = self.pattern.captures(uri)?;
        let mut variables = Variables::new();
        for (index, group) in self.groups.iter().enumerate() {
            let Some(found) = captures.get(index + 1) else {
                continue;
            };
            match group {
                Group::Value(name, place) => {
                    let value = decoded(found.as_str(), *place)?;
                    variables.insert(name.clone(), value);
                }
                Group::Pairs(names) => read_pairs(found.as_str(), names, &mut variables)?,
            }
        }
        Some(variables)
    }

    /// The names of the variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().flat_map(|group| match group {
            Group::Value(name, _) => std::slice::from_ref(name).iter().map(String::as_str),
            Group::Pairs(names) => names.iter().map(String::as_str),
        })
    }
}

/// Takes `a=1&b=2` apart. A name that is unknown or comes twice is another resource.
fn read_pairs(text: &str, names: &[String], variables: &mut Variables) -> Option<()> {
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = names.iter().find(|known| *known == name)?;
        let value = decoded(value, Place::Query)?;
        if variables.insert(name.clone(), value).is_some() {
            return None;
        }
    }
    Some(())
}

fn decoded(text: &str, place: Place) -> Option<String> {
    // A `/` that was written as `%2F` is part of a name for whoever wrote it and a way out for
    // whoever joins paths.
    if place == Place::Path && text.to_ascii_lowercase().contains("%2f") {
        return None;
    }
    let value: Cow<'_, str> = percent_decode_str(text).decode_utf8().ok()?;
    is_safe(&value, place).then(|| value.into_owned())
}

/// A template being read.
#[derive(Default)]
struct Builder {
    pattern: String,
    groups: Vec<Group>,
}

impl Builder {
    fn literal(&mut self, text: &str) {
        self.pattern.push_str(&regex_lite::escape(text));
    }

    fn expression(&mut self, text: &str) -> Result<(), String> {
        let (operator, names) = match text.chars().next() {
            Some(operator @ ('+' | '#' | '.' | '/' | ';' | '?' | '&')) => {
                (Some(operator), &text[1..])
            }
            _ => (None, text),
        };
        let names: Vec<&str> = names.split(',').collect();
        if let Some(name) = names.iter().find(|name| name.contains(['*', ':'])) {
            return Err(format!(
                "`{name}` has a modifier, which cannot be matched; write `{{+name}}` for a path"
            ));
        }
        match (operator, &*names) {
            (Some('?'), _) => self.pairs(r"(?:\?([^#]*))?", &names),
            (Some('&'), _) => self.pairs("((?:&[^&#]*)*)", &names),
            (Some('+'), [name]) => self.value("(.+)", name, Place::Path),
            (Some('#'), [name]) => self.value("(?:#(.*))?", name, Place::Query),
            (Some('+' | '#'), _) => {
                return Err(format!(
                    "`{{{text}}}` has several variables, which cannot be told apart; write one"
                ));
            }
            (Some('/'), _) => self.each(&names, |_| r"(?:/([^/?#]+))?".into()),
            (Some('.'), _) => self.each(&names, |_| r"(?:\.([^/?#.]+))?".into()),
            (Some(';'), _) => self.each(&names, |name| {
                format!("(?:;{}=([^/?#;]+))?", regex_lite::escape(name))
            }),
            (_, [name]) => self.value("([^/?#]+)", name, Place::Segment),
            (_, [first, others @ ..]) => {
                self.value("([^/?#,]+)", first, Place::Segment);
                self.each(others, |_| ",([^/?#,]+)".into());
            }
            (_, []) => {}
        }
        Ok(())
    }

    fn value(&mut self, pattern: &str, name: &str, place: Place) {
        self.pattern.push_str(pattern);
        self.groups.push(Group::Value(name.to_owned(), place));
    }

    fn each(&mut self, names: &[&str], pattern: impl Fn(&str) -> String) {
        for name in names {
            self.value(&pattern(name), name, Place::Segment);
        }
    }

    fn pairs(&mut self, pattern: &str, names: &[&str]) {
        self.pattern.push_str(pattern);
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        self.groups.push(Group::Pairs(names));
    }

    fn finish(self) -> Result<UriTemplate, String> {
        let template = UriTemplate {
            pattern: Regex::new(&format!("^{}$", self.pattern))
                .map_err(|_| "it is too long to be matched".to_owned())?,
            groups: self.groups,
        };
        let mut names: Vec<&str> = template.names().collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the variable `{}` stands in it twice", twice[0]));
        }
        if names.is_empty() {
            return Err("it has no variable; write `uri = \"..\"` for one resource".into());
        }
        Ok(template)
    }
}

/// Why a text is no URI that a resource can be at, if it is none.
pub(crate) fn uri_problem(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST_URI {
        return Some("it is too long");
    }
    UriStr::new(text)
        .err()
        .map(|_| "it is no absolute URI; begin with a scheme, as in `notes:///today`")
}

#[cfg(test)]
mod tests {
    use iri_string::spec::UriSpec;
    use iri_string::template::simple_context::SimpleContext;
    use proptest::prelude::*;

    use super::*;

    /// The variables as `a=1 b=2`, or `-` when the URI is another one.
    fn matched(template: &str, uri: &str) -> String {
        let template = UriTemplate::new(template).unwrap();
        match template.matches(uri) {
            None => "-".into(),
            Some(variables) => variables
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join(" "),
        }
    }

    #[test]
    fn a_uri_gives_back_what_the_template_was_filled_with() {
        let cases = [
            ("t://x/{id}/data", "t://x/7/data", "id=7"),
            ("t://x/{id}/data", "t://x/a%20b/data", "id=a b"),
            ("t://x/{id}/data", "t://x//data", "-"),
            ("t://x/{id}/data", "t://x/7/data/", "-"),
            ("t://x/{id}", "t://y/7", "-"),
            ("t://x/{id}", "T://x/7", "-"),
            ("t://x/{a},{b}", "t://x/1,2", "a=1 b=2"),
            ("t://x/{a,b}", "t://x/1,2", "a=1 b=2"),
            ("file:///{+path}", "file:///a/b.txt", "path=a/b.txt"),
            ("t://x{/a,b}", "t://x/1/2", "a=1 b=2"),
            ("t://x{/a,b}", "t://x/1", "a=1"),
            ("t://x/{a}{.ext}", "t://x/1", "a=1"),
            ("t://x{?q,n}", "t://x", ""),
            ("t://x{?q,n}", "t://x?n=2&q=a%26b", "n=2 q=a&b"),
            ("t://x{?q,n}", "t://x?n=2&n=3", "-"),
            ("t://x{?q,n}", "t://x?other=2", "-"),
            ("t://x?v=1{&q}", "t://x?v=1&q=a", "q=a"),
            ("t://x{#part}", "t://x#top", "part=top"),
            ("t://x{;a,b}", "t://x;b=2", "b=2"),
            ("t://x/{id}", "t://x/%FF", "-"),
        ];
        for (template, uri, expected) in cases {
            assert_eq!(matched(template, uri), expected, "{template} {uri}");
        }
    }

    #[test]
    fn a_variable_never_leads_out_of_its_place() {
        let secrets = [
            ("file:///{path}", "file:///..%2Fetc%2Fpasswd"),
            ("file:///{path}", "file:///.."),
            ("file:///{path}", "file:///%2e%2e"),
            ("file:///{path}", "file:///a%5C..%5Cb"),
            ("file:///{path}", "file:///a%00"),
            ("file:///{+path}", "file:///a/../../etc/passwd"),
            ("file:///{+path}", "file:////etc/passwd"),
            ("file:///{+path}", "file:///a/%2e%2e/b"),
            ("file:///{+path}", "file:///%2Fetc/passwd"),
            ("file:///{+path}", "file:///C:/x"),
            ("t://x{/a}", "t://x/.."),
        ];
        for (template, uri) in secrets {
            assert_eq!(matched(template, uri), "-", "{template} {uri}");
        }
    }

    #[test]
    fn a_template_that_cannot_be_matched_is_none() {
        for text in [
            "t://{",
            "t://}",
            "t://{}",
            "t://{a",
            "t://x",
            "{a}",
            "t://{a*}",
            "t://{a:3}",
            "t://{+a,b}",
            "t://{a}/{a}",
            "t://{!a}",
            "",
        ] {
            assert!(UriTemplate::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_relative_reference_is_no_uri() {
        for text in ["notes:///today", "urn:x", "https://a.example/b?c#d"] {
            assert_eq!(uri_problem(text), None, "{text}");
        }
        for text in ["", "today", "/today", "a b:c", "notes:///\u{e9}", "1:x"] {
            assert!(uri_problem(text).is_some(), "{text}");
        }
    }

    proptest! {
        /// Whatever a template is filled with by another implementation, it gives back.
        #[test]
        fn matching_undoes_expanding(value in "[^\\x00-\\x1f\\x7f-\\x9f/\\\\]{1,20}", other in "[a-z0-9 ]{1,9}") {
            // Not `{#a}`: it lets escapes through, so that it cannot be undone.
            for text in ["t://x/{a}", "t://x{/a}", "t://x/{a,b}", "t://x{?a,b}"] {
                prop_assume!(is_safe(&value, Place::Segment));
                let mut context = SimpleContext::new();
                context.insert("a", value.clone());
                context.insert("b", other.clone());
                let uri = UriTemplateStr::new(text).unwrap();
                let uri = uri.expand::<UriSpec, _>(&context).unwrap().to_string();
                let found = UriTemplate::new(text).unwrap().matches(&uri);
                let found = found.and_then(|found| found.get("a").cloned());
                prop_assert_eq!(found.as_deref(), Some(&*value), "{}", uri);
            }
        }

        #[test]
        fn no_uri_makes_it_panic(uri in ".{0,60}") {
            for text in ["t://x/{a}", "{+a}:x{b}", "t:{+a}{?b}"] {
                if let Ok(template) = UriTemplate::new(text) {
                    let _ = template.matches(&uri);
                }
            }
        }
    }
}
