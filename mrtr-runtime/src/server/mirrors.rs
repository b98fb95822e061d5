//! Which arguments a published schema mirrors in headers, and whether it may.
//!
//! Source: MCP 2026-07-28, server/tools, "`x-mcp-header`". A client drops a whole tool for one
//! annotation that breaks a rule, so that none is ever published.

use mrtr_core::json::{Value, View};

use crate::protocol::Mirror;

const ANNOTATION: &str = "x-mcp-header";

/// Why an argument cannot be mirrored in a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MirrorProblem {
    /// It stands where no path of members leads.
    #[error(
        "`x-mcp-header` stands at `{at}`, which no argument's path reaches\n  help: only members of `properties`, from the root down, can be mirrored"
    )]
    Unreachable {
        /// Where, as a JSON pointer.
        at: String,
    },
    /// The argument's type has no header text.
    #[error(
        "argument `{argument}` is mirrored in a header, but is neither a string nor an integer nor a boolean\n  help: leave `header` out"
    )]
    Type {
        /// The argument.
        argument: String,
    },
    /// The schema has no argument of the name.
    #[error("argument `{argument}` is mirrored in a header, but the schema has no such argument")]
    Lost {
        /// The argument.
        argument: String,
    },
    /// The name cannot be part of a header.
    #[error(
        "argument `{argument}` is mirrored in a header whose name is no header name\n  help: use letters, digits and `-`"
    )]
    Name {
        /// The argument.
        argument: String,
    },
    /// Two arguments share a header.
    #[error(
        "the header `{header}` mirrors two arguments; upper and lower case make no difference\n  help: give one of them another name"
    )]
    Twice {
        /// The header.
        header: String,
    },
}

/// Reads the mirrored arguments out of a published schema.
pub(super) fn mirrors(schema: Value<'_>) -> Result<Vec<Mirror>, MirrorProblem> {
    let mut mirrors = Vec::new();
    walk(schema, &mut Vec::new(), &mut mirrors)?;
    for (index, mirror) in mirrors.iter().enumerate() {
        if mirrors[..index]
            .iter()
            .any(|earlier| earlier.header == mirror.header)
        {
            return Err(MirrorProblem::Twice {
                header: mirror.header.to_string(),
            });
        }
    }
    Ok(mirrors)
}

/// Checks that every declared header stands in the schema.
pub(super) fn all_found(
    mirrors: Vec<Mirror>,
    declared: &[(&str, &str)],
) -> Result<Vec<Mirror>, MirrorProblem> {
    let lost = declared.iter().find(|(argument, _)| {
        !mirrors
            .iter()
            .any(|mirror| mirror.path.len() == 1 && *mirror.path[0] == **argument)
    });
    match lost {
        Some((argument, _)) => Err(MirrorProblem::Lost {
            argument: (*argument).into(),
        }),
        None => Ok(mirrors),
    }
}

/// Goes down the chain of `properties`; an annotation anywhere else is an error.
fn walk(
    schema: Value<'_>,
    path: &mut Vec<Box<str>>,
    mirrors: &mut Vec<Mirror>,
) -> Result<(), MirrorProblem> {
    let Some(members) = schema.as_object() else {
        return Ok(());
    };
    if let Some(name) = schema.get(ANNOTATION) {
        mirrors.push(mirror(name, schema, path)?);
    }
    for (keyword, member) in members.sorted() {
        match (&*keyword, member.view()) {
            ("properties", View::Object(properties)) => {
                for (name, property) in properties.sorted() {
                    path.push((&*name).into());
                    walk(property, path, mirrors)?;
                    path.pop();
                }
            }
            ("default" | "const" | "enum" | "examples", _) => {}
            _ => refuse_below(member, &mut format!("{}/{keyword}", pointer(path)))?,
        }
    }
    Ok(())
}

fn mirror(name: Value<'_>, schema: Value<'_>, path: &[Box<str>]) -> Result<Mirror, MirrorProblem> {
    let argument = || path.join(".");
    if path.is_empty() {
        return Err(MirrorProblem::Unreachable { at: "/".into() });
    }
    let kind = schema.get("type").and_then(Value::as_str);
    if !matches!(kind.as_deref(), Some("string" | "integer" | "boolean")) {
        return Err(MirrorProblem::Type {
            argument: argument(),
        });
    }
    match name.as_str().as_deref() {
        Some(name) if !name.is_empty() && name.bytes().all(is_token) => Ok(Mirror {
            path: path.to_vec(),
            header: format!("mcp-param-{}", name.to_ascii_lowercase()).into(),
        }),
        _ => Err(MirrorProblem::Name {
            argument: argument(),
        }),
    }
}

/// The characters of an RFC 9110 token.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn refuse_below(json: Value<'_>, at: &mut String) -> Result<(), MirrorProblem> {
    let length = at.len();
    match json.view() {
        View::Object(members) => {
            if json.get(ANNOTATION).is_some() {
                return Err(MirrorProblem::Unreachable { at: at.clone() });
            }
            for (name, member) in members.sorted() {
                at.push('/');
                at.push_str(&name);
                refuse_below(member, at)?;
                at.truncate(length);
            }
        }
        View::Array(items) => {
            for (index, item) in items.enumerate() {
                at.push_str(&format!("/{index}"));
                refuse_below(item, at)?;
                at.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

fn pointer(path: &[Box<str>]) -> String {
    path.iter()
        .map(|name| format!("/properties/{name}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use mrtr_core::json::Json;

    use super::*;

    fn read(schema: &str) -> Result<Vec<(String, String)>, MirrorProblem> {
        let mirrors = mirrors(Json::parse(schema, 64).unwrap().root())?;
        Ok(mirrors
            .into_iter()
            .map(|mirror| (mirror.path.join("."), mirror.header.to_string()))
            .collect())
    }

    #[test]
    fn arguments_are_found_along_properties() {
        let found = read(
            r#"{"type":"object","properties":{
                "region":{"type":"string","x-mcp-header":"Region"},
                "at":{"type":"object","properties":{"hour":{"type":"integer","x-mcp-header":"Hour"}}},
                "x-mcp-header":{"type":"string"}}}"#,
        );
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            found.unwrap(),
            [
                pair("at.hour", "mcp-param-hour"),
                pair("region", "mcp-param-region")
            ]
        );
    }

    #[test]
    fn an_annotation_that_clients_would_refuse_is_refused_here() {
        let cases = [
            (
                r#"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
                "neither a string",
            ),
            (
                r#"{"properties":{"a":{"type":"array","x-mcp-header":"A"}}}"#,
                "neither a string",
            ),
            (
                r#"{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}"#,
                "neither a string",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#,
                "no header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}"#,
                "no header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":1}}}"#,
                "no header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"R"},"b":{"type":"string","x-mcp-header":"r"}}}"#,
                "two arguments",
            ),
            (
                r#"{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}"#,
                "/properties/a/items",
            ),
            (
                r#"{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
                "/anyOf/0/properties/a",
            ),
            (
                r#"{"$defs":{"T":{"type":"string","x-mcp-header":"A"}}}"#,
                "/$defs/T",
            ),
            (r#"{"type":"object","x-mcp-header":"A"}"#, "stands at `/`"),
        ];
        for (schema, expected) in cases {
            let problem = read(schema).expect_err(schema).to_string();
            assert!(problem.contains(expected), "{schema}: {problem}");
        }
    }
}
