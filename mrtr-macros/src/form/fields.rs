//! Reads and checks a struct with named fields.

use syn::{DeriveInput, Expr, Field, FieldsNamed, Ident, parse_quote};

use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::docs::Docs;

use super::bounds::check_bounds;
use super::foreign::{Foreign, Item};
use super::model::FieldModel;
use super::rename::{Source, described_name, wire_name};
use super::rules::{self, Subject};

const GRAMMAR: Grammar = Grammar {
    attribute: "form",
    legal: &["not_secret"],
    elsewhere: &[
        ("enum_names", "the enum itself"),
        ("crate", "the struct itself"),
        (
            "title",
            "an attribute of schemars: `#[schemars(title = \"..\")]`",
        ),
        (
            "range",
            "an attribute of schemars: `#[schemars(range(min = 1, max = 9))]`",
        ),
        (
            "length",
            "an attribute of schemars: `#[schemars(length(min = 1, max = 9))]`",
        ),
        ("email", "an attribute of schemars: `#[schemars(email)]`"),
        ("url", "an attribute of schemars: `#[schemars(url)]`"),
        ("default", "an attribute of serde: `#[serde(default)]`"),
        (
            "rename",
            "an attribute of serde: `#[serde(rename = \"..\")]`",
        ),
    ],
};

/// Options of the container that make an answer something else than an object of the fields.
const REFUSED: [&str; 10] = [
    "tag",
    "content",
    "untagged",
    "transparent",
    "from",
    "try_from",
    "remote",
    "with",
    "schema_with",
    "repr",
];

/// The fields that an answer holds, in the author's order.
pub(crate) fn read(input: &DeriveInput, named: &FieldsNamed, diag: &mut Diag) -> Vec<FieldModel> {
    let container = Foreign::of(&input.attrs);
    rules::check_container(&container, &REFUSED, diag);
    let (mut fields, mut seen) = (Vec::new(), Vec::new());
    for field in &named.named {
        let ident = field
            .ident
            .as_ref()
            .expect("invariant: named fields have names");
        let foreign = Foreign::of(&field.attrs);
        if let Some(model) = read_field(ident, field, &foreign, &container, diag) {
            unique(&model.wire, ident, &seen, diag);
            seen.push((model.wire.clone(), ident));
            fields.push(model);
        }
    }
    fields
}

/// One field; none if serde skips it.
fn read_field(
    ident: &Ident,
    field: &Field,
    foreign: &Foreign,
    container: &Foreign,
    diag: &mut Diag,
) -> Option<FieldModel> {
    let mut options = Options::of(&field.attrs, &GRAMMAR, diag);
    if foreign.is_skipped() {
        options.refuse(
            "not_secret",
            "has nothing to excuse on a skipped field",
            "remove `not_secret`",
            diag,
        );
        return None;
    }
    check_serde(foreign, diag);
    rules::check_rules(foreign, diag);
    let wire = wire_name(ident, foreign, container, Source::Field);
    check_names(ident, &wire, foreign, container, diag);
    let described = foreign.described_as();
    let ty = described.clone().unwrap_or_else(|| field.ty.clone());
    check_bounds(foreign, &ty, diag);
    let docs = Docs::of(&field.attrs);
    let subject = Subject {
        ident,
        wire: &wire,
        foreign,
        docs: &docs,
        ty: &ty,
    };
    rules::check_secret(&subject, &mut options, diag);
    // A value of another type than the described one cannot be shown as its default.
    let default = match described {
        None => default_of(ident, field, foreign, container),
        Some(_) => None,
    };
    Some(FieldModel { wire, ty, default })
}

/// What serde may not do to one field, and what it may do only if schemars follows.
fn check_serde(foreign: &Foreign, diag: &mut Diag) {
    for owner in ["serde", "schemars"] {
        if let Some(flatten) = foreign.get(owner, "flatten") {
            diag.error(&flatten.key, "a form cannot be flattened into another")
                .help("write its fields here")
                .note("the order of flattened fields is lost, and MCP forms are flat");
        }
    }
    let reader = foreign
        .serde("with")
        .or_else(|| foreign.serde("deserialize_with"));
    let described = foreign
        .schemars("with")
        .or_else(|| foreign.schemars("schema_with"));
    if let (Some(reader), None) = (reader, described) {
        let key = &reader.key;
        diag.error(
            key,
            format!("`{key}` needs a twin that describes what it reads"),
        )
        .help("add `#[schemars(with = \"String\")]`, with the type that stands in the answer");
    }
    for key in ["skip", "skip_deserializing", "default"] {
        if let (Some(item), None) = (foreign.schemars(key), foreign.serde(key)) {
            only_schemars(item, diag);
        }
    }
}

fn only_schemars(item: &Item, diag: &mut Diag) {
    let key = &item.key;
    diag.error(key, format!("only schemars knows this `{key}`"))
        .help(format!("write `#[serde({key})]`, which schemars reads too"))
        .note("serde would refuse the answers that the form allows");
}

fn check_names(ident: &Ident, wire: &str, own: &Foreign, container: &Foreign, diag: &mut Diag) {
    let described = described_name(ident, own, container, Source::Field);
    if described == *wire {
        return;
    }
    // The field's own option is nearer than the container's rule, which may be right elsewhere.
    let place = own.schemars("rename").map(Item::place);
    diag.error(
        place.unwrap_or_else(|| quote::ToTokens::to_token_stream(ident)),
        format!("serde reads `{wire}` and schemars publishes `{described}`"),
    )
    .help("use `#[serde(rename = \"..\")]` or `rename_all`, which schemars reads too");
}

fn unique(wire: &str, ident: &Ident, seen: &[(String, &Ident)], diag: &mut Diag) {
    if let Some((_, first)) = seen.iter().rfind(|(known, _)| known == wire) {
        diag.error(
            ident,
            format!("fields `{first}` and `{ident}` are both `{wire}` in an answer"),
        )
        .help("rename one of them");
    }
}

/// The default that serde fills in, as an expression: schemars knows it only for `Serialize` types.
fn default_of(
    ident: &Ident,
    field: &Field,
    foreign: &Foreign,
    container: &Foreign,
) -> Option<Expr> {
    let ty = &field.ty;
    if let Some(default) = foreign.serde("default") {
        return Some(match path_of(default) {
            Some(path) => parse_quote!(#path()),
            None => parse_quote!(<#ty as ::core::default::Default>::default()),
        });
    }
    let default = container.serde("default")?;
    Some(match path_of(default) {
        Some(path) => parse_quote!(#path().#ident),
        None => parse_quote!(<Self as ::core::default::Default>::default().#ident),
    })
}

fn path_of(default: &Item) -> Option<syn::ExprPath> {
    default.text()?.parse().ok()
}
