//! `#[arg(..)]`: a header that clients repeat an argument in, or the function that completes it.

use syn::ext::IdentExt;
use syn::{Attribute, LitStr, Meta, PatType, Path, Type};

use super::ask::{Binding, arguments};
use super::types::{is_named, last_segment, type_argument};
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::names::Krate;

/// What `#[arg(..)]` accepts.
const ARG: Grammar = Grammar {
    attribute: "arg",
    legal: &["header"],
    elsewhere: &[
        ("default", "`#[serde(..)]`"),
        ("rename", "`#[serde(..)]`"),
        ("description", "`#[schemars(..)]`, or write a doc comment"),
        ("title", "`#[schemars(..)]`"),
        ("message", "`#[ask(..)]`"),
        ("complete", "`#[arg(..)]` of a prompt or a resource"),
    ],
};

/// What `#[arg(..)]` accepts where arguments are text.
const TEXT_ARG: Grammar = Grammar {
    attribute: "arg",
    legal: &["complete"],
    elsewhere: &[
        ("header", "`#[arg(..)]` of a tool"),
        ("rename", "`#[serde(..)]`"),
        ("description", "a doc comment"),
        ("message", "`#[ask(..)]`"),
    ],
};

/// Types whose values the specification lets a header repeat.
const PLAIN: &[&str] = &[
    "String", "bool", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize",
];

/// Words in a header or argument name that speak of a secret; proxies log headers.
const SECRET_WORDS: &[&str] = &[
    "password", "passwd", "secret", "token", "key", "apikey", "ssn", "pin", "cvv", "auth",
];

/// The header's name and the argument's name on the wire.
pub(crate) fn parse_header(
    typed: &PatType,
    binding: &Binding,
    krate: &Krate,
    diag: &mut Diag,
) -> Option<(LitStr, LitStr)> {
    let attr = typed.attrs.iter().find(|attr| krate.owns(attr, "arg"))?;
    let mut options = Options::parse(arguments(attr, diag), &ARG, diag);
    let header = options.text("header", diag)?;
    let wire = wire_name(typed, binding);
    check_token(&header, diag);
    check_secret(&header, &header.value(), diag);
    check_secret(&header, &wire.value(), diag);
    check_type(&binding.ty, diag);
    Some((header, wire))
}

/// The function that completes a text argument.
pub(crate) fn parse_complete(typed: &PatType, krate: &Krate, diag: &mut Diag) -> Option<Path> {
    let attr = typed.attrs.iter().find(|attr| krate.owns(attr, "arg"))?;
    Options::parse(arguments(attr, diag), &TEXT_ARG, diag).path("complete", diag)
}

/// Two headers that differ in case only are one header.
pub(crate) fn check_unique<'a>(headers: impl Iterator<Item = &'a LitStr>, diag: &mut Diag) {
    let mut seen = Vec::new();
    for header in headers {
        let name = header.value().to_ascii_lowercase();
        if seen.contains(&name) {
            diag.error(header, format!("header `{}` is used twice", header.value()))
                .note("the names of headers do not differ by case");
        }
        seen.push(name);
    }
}

fn check_token(header: &LitStr, diag: &mut Diag) {
    let text = header.value();
    let legal = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if text.is_empty() || !text.chars().all(legal) {
        diag.error(
            header,
            "a header name is one word of ASCII letters, digits and `-`",
        )
        .help("write a name such as `header = \"Region\"`; clients send `Mcp-Param-Region`");
    }
}

fn check_secret(at: &LitStr, name: &str, diag: &mut Diag) {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    if let Some(word) = words.find(|word| SECRET_WORDS.contains(word)) {
        diag.error(
            at,
            format!("an argument that holds a `{word}` must not be in a header"),
        )
        .help("remove `#[arg(header = ..)]`")
        .note("proxies and servers write headers to their logs");
    }
}

fn check_type(ty: &Type, diag: &mut Diag) {
    let inner = if is_named(ty, "Option") {
        type_argument(ty).unwrap_or(ty)
    } else {
        ty
    };
    let plain =
        last_segment(inner).is_some_and(|segment| PLAIN.iter().any(|known| segment.ident == known));
    if !plain {
        diag.error(ty, "a header repeats a `String`, an integer or a `bool`")
            .help("change the type, or remove `#[arg(header = ..)]`")
            .note("clients drop a tool whose header is of another type");
    }
}

/// The argument's name in JSON, which `#[serde(rename = "..")]` may change.
pub(crate) fn wire_name(typed: &PatType, binding: &Binding) -> LitStr {
    let renamed = typed
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde"))
        .find_map(renamed);
    renamed.unwrap_or_else(|| LitStr::new(&binding.name.unraw().to_string(), binding.name.span()))
}

fn renamed(attr: &Attribute) -> Option<LitStr> {
    let Meta::List(list) = &attr.meta else {
        return None;
    };
    let mut found = None;
    // Anything this does not understand is serde's to refuse.
    let _ = list.parse_nested_meta(|meta| {
        if meta.path.is_ident("rename") && meta.input.peek(syn::Token![=]) {
            found = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("rename") {
            meta.parse_nested_meta(|side| {
                let name: LitStr = side.value()?.parse()?;
                if side.path.is_ident("deserialize") {
                    found = Some(name);
                }
                Ok(())
            })?;
        } else if meta.input.peek(syn::Token![=]) {
            meta.value()?.parse::<syn::Expr>()?;
        }
        Ok(())
    });
    found
}
