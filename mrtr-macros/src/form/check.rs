//! Refuses the shapes of types that no form has.

use quote::ToTokens;
use syn::{DataUnion, DeriveInput, Fields};

use crate::diag::Diag;

/// A form is published once, for one type.
pub(crate) fn no_generics(input: &DeriveInput, diag: &mut Diag) {
    if !input.generics.params.is_empty() {
        let ident = &input.ident;
        diag.error(
            &input.generics.params,
            format!("form `{ident}` must not be generic"),
        )
        .help("write the types out: a form is one question with one schema");
    }
}

/// A union has no fields that serde could read.
pub(crate) fn no_union(input: &DeriveInput, data: &DataUnion, diag: &mut Diag) {
    let ident = &input.ident;
    diag.error(
        data.union_token,
        format!("form `{ident}` must be a struct or an enum"),
    );
}

/// Tuple structs have no names to show, and a unit struct is read from `null`.
pub(crate) fn named_fields(input: &DeriveInput, fields: &Fields, diag: &mut Diag) {
    let ident = &input.ident;
    let (place, instead) = match fields {
        Fields::Unit => (ident.to_token_stream(), format!("struct {ident} {{}}")),
        fields => (
            fields.to_token_stream(),
            format!("struct {ident} {{ name: Type }}"),
        ),
    };
    diag.error(place, format!("form `{ident}` must have named fields"))
        .help(format!("write `{instead}`"))
        .note("the client shows each field under its name");
}
