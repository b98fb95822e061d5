//! Attributes that are macros only to say where they belong, and marks that only the lint reads.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::foreign::without_attributes;
use crate::diag::Diag;

/// `#[ask]`, `#[memo]` or `#[commit]` that no handler's macro took away.
pub(crate) fn expand_misplaced(attribute: &str, item: TokenStream) -> TokenStream {
    let mut diag = Diag::new();
    let places = match attribute {
        "commit" => "a `#[tool]` function",
        _ => "a `#[tool]`, `#[prompt]`, `#[resource]` or `#[asking]` function",
    };
    let report = diag.error_at(
        Span::call_site(),
        format!("`#[{attribute}]` works only inside {places}"),
    );
    report.help(match attribute {
        "ask" => "put `#[asking]` on this function, or use `ctx.ask(\"key\", \"question\").await`",
        "memo" => "put `#[asking]` on this function",
        _ => "commit in the tool, and pass the commit on as `c: &mut Commit`",
    });
    report.note("an error beside it about custom attributes goes away with this one");
    let error = diag.finish().err().map(syn::Error::into_compile_error);
    let item = without_attributes(item);
    quote!(#error #item)
}

/// `#[effect]` and `#[read_only]`, which the lint finds in the source: the item stays as it is.
pub(crate) fn expand_marker(
    attribute: &str,
    options: TokenStream,
    item: TokenStream,
) -> TokenStream {
    if options.is_empty() {
        return item;
    }
    let mut diag = Diag::new();
    diag.error(options, format!("`#[{attribute}]` takes no options"))
        .help(format!("write `#[{attribute}]`"));
    let error = diag.finish().err().map(syn::Error::into_compile_error);
    quote!(#error #item)
}
