//! Reads and checks a tuple struct of one field, which is a field of the type inside.

use syn::{DeriveInput, Field, Ident, Type};

use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::docs::Docs;
use crate::handler::types::last_segment;

use super::bounds::check_bounds;
use super::foreign::Foreign;
use super::model::NewtypeModel;
use super::rules::{self, Subject};

/// Options of the container that a newtype cannot follow; `transparent` is what it is anyway, and
/// `from` or `try_from` name the type that is read.
const REFUSED: [&str; 6] = [
    "tag",
    "content",
    "untagged",
    "remote",
    "schema_with",
    "repr",
];

/// The inside takes no options: a newtype's stand on the type.
const INSIDE: Grammar = Grammar {
    attribute: "form",
    legal: &[],
    elsewhere: &[
        ("not_secret", "the newtype itself"),
        ("enum_names", "an enum"),
    ],
};

/// The field that a newtype is.
pub(crate) fn read(
    input: &DeriveInput,
    field: &Field,
    options: &mut Options,
    diag: &mut Diag,
) -> NewtypeModel {
    let container = Foreign::of(&input.attrs);
    let inside = Foreign::of(&field.attrs);
    rules::check_container(&container, &REFUSED, diag);
    rules::check_rules(&inside, diag);
    Options::of(&field.attrs, &INSIDE, diag);
    let other = read_as(&container).or_else(|| inside.described_as());
    check_twin(&inside, diag);
    let is_inner = other.is_none();
    let ty = other.unwrap_or_else(|| field.ty.clone());
    check_bounds(&inside, &ty, diag);
    check_single(&input.ident, &ty, diag);
    let docs = Docs::of(&input.attrs);
    let subject = Subject {
        ident: &input.ident,
        wire: "",
        foreign: &container,
        docs: &docs,
        ty: &ty,
    };
    rules::check_secret(&subject, options, diag);
    NewtypeModel { ty, is_inner }
}

/// The type that serde reads first, by `try_from = "T"` or `from = "T"`, or that schemars describes.
fn read_as(container: &Foreign) -> Option<Type> {
    let other = container
        .serde("try_from")
        .or_else(|| container.serde("from"));
    let other = other.or_else(|| container.schemars("with"));
    other?.text()?.parse().ok()
}

fn check_twin(inside: &Foreign, diag: &mut Diag) {
    let reader = inside
        .serde("with")
        .or_else(|| inside.serde("deserialize_with"));
    let described = inside
        .schemars("with")
        .or_else(|| inside.schemars("schema_with"));
    if let (Some(reader), None) = (reader, described) {
        let key = &reader.key;
        diag.error(
            key,
            format!("`{key}` needs a twin that describes what it reads"),
        )
        .help("add `#[schemars(with = \"String\")]`, with the type that stands in the answer");
    }
}

/// The `Option` or `Vec` of a field is the field's own, not its type's.
fn check_single(ident: &Ident, ty: &Type, diag: &mut Diag) {
    let Some(segment) = last_segment(ty) else {
        return;
    };
    let wrapper = segment.ident.to_string();
    if matches!(&*wrapper, "Option" | "Vec") {
        let article = if wrapper == "Option" { "an" } else { "a" };
        diag.error(
            ty,
            format!("newtype `{ident}` must hold one value, not {article} `{wrapper}`"),
        )
        .help(format!(
            "write `{wrapper}<{ident}>` where the newtype is used"
        ));
    }
}
