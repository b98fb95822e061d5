//! `#[derive(Form)]`: read the attributes, check them all, then expand; or expand to stubs.

mod bounds;
mod check;
mod choice;
mod expand;
mod fields;
mod foreign;
mod model;
mod newtype;
mod rename;
mod rules;
mod secrets;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, Fields};

use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::names::Krate;

use model::Shape;

/// The expansion of the derive, or its errors beside stub impls that keep rustc silent about them.
pub(crate) fn derive(tokens: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut diag = Diag::new();
    check::no_generics(&input, &mut diag);
    let mut options = Options::of(&input.attrs, grammar_of(&input.data), &mut diag);
    let krate = options.path("crate", &mut diag);
    let krate = krate.map_or_else(Krate::default_path, Krate::renamed);
    let shape = shape(&input, &mut options, &mut diag);
    match (shape, diag.finish()) {
        (Some(shape), Ok(())) => expand::expand(&input.ident, &shape, &krate),
        (_, found) => {
            let errors = found.err().map(|error| error.to_compile_error());
            expand::fallback(&input, &krate, errors.unwrap_or_default())
        }
    }
}

/// Reads and checks what the type is; none of a shape that no form has.
fn shape(input: &DeriveInput, options: &mut Options, diag: &mut Diag) -> Option<Shape> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => Some(Shape::Fields(fields::read(input, named, diag))),
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => {
                let field = &unnamed.unnamed[0];
                let newtype = newtype::read(input, field, options, diag);
                Some(Shape::Newtype(Box::new(newtype)))
            }
            _ => {
                check::named_fields(input, &data.fields, diag);
                None
            }
        },
        Data::Enum(data) => Some(Shape::Choice(choice::read(input, data, options, diag))),
        Data::Union(data) => {
            check::no_union(input, data, diag);
            None
        }
    }
}

/// The options of `#[form(..)]` on the type itself.
fn grammar_of(data: &Data) -> &'static Grammar {
    const FIELD: (&str, &str) = ("not_secret", "the field it is about");
    const ENUM: (&str, &str) = ("enum_names", "an enum");
    match data {
        Data::Enum(_) => &Grammar {
            attribute: "form",
            legal: &["enum_names", "crate"],
            elsewhere: &[FIELD],
        },
        Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)) => &Grammar {
            attribute: "form",
            legal: &["not_secret", "crate"],
            elsewhere: &[ENUM],
        },
        _ => &Grammar {
            attribute: "form",
            legal: &["crate"],
            elsewhere: &[FIELD, ENUM],
        },
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
