//! What a checked handler becomes: the function that returns its definition.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Signature;

use super::definition::{Callee, expand_definition};
use super::function::{expand_function, is_outer};
use super::kind::Kind;
use super::model::Handler;
use super::params::Argument;
use crate::names::{hidden, ours};

/// The function `fn book() -> Tool` in place of the user's function.
pub(crate) fn expand_handler(handler: &Handler) -> TokenStream {
    let Handler {
        vis,
        sig,
        block,
        options,
        ..
    } = handler;
    let Signature {
        fn_token,
        ident,
        paren_token,
        ..
    } = sig;
    let krate = &options.krate;
    let body_name = hidden("body", ident.span());
    let (outer, inner): (Vec<_>, Vec<_>) = handler.attrs.iter().partition(|attr| is_outer(attr));
    let warnings = &handler.judged.warnings;
    let arguments = expand_arguments(handler);
    let body = expand_function(handler, inner.into_iter(), &body_name);
    let definition = expand_definition(handler, &Callee::Free(&body_name));
    let mut tokens = quote!(#(#outer)* #vis #fn_token #ident);
    // With the user's own parentheses and braces rustc still says "never used" of a tool nobody registered.
    paren_token.surround(&mut tokens, |_| ());
    let ty = options.kind.ty(krate);
    tokens.extend(quote!(-> #ty));
    block.brace_token.surround(&mut tokens, |inside| {
        inside.extend(quote!(#warnings #arguments #body #definition));
    });
    tokens
}

/// The struct that the plain arguments are read into.
pub(crate) fn expand_arguments(handler: &Handler) -> TokenStream {
    let fields: Vec<_> = handler.arguments().map(expand_field).collect();
    // Arguments that are text on the wire are read one by one.
    if fields.is_empty() || handler.options.kind != Kind::Tool {
        return TokenStream::new();
    }
    let krate = &handler.options.krate;
    let private = krate.private_at(handler.sig.ident.span());
    let (serde, schemars) = (krate.private_text("serde"), krate.private_text("schemars"));
    let name = handler.arguments_name();
    // At the tool's name, so that an argument type without derives is not reported at `#[tool]`.
    // The derive of schemars calls `.into()` and so needs the trait, which `no_implicit_prelude` takes away.
    quote_spanned!(ours(handler.sig.ident.span())=>
        #[allow(unused_imports)]
        use ::core::convert::Into as _;
        #[derive(#private::serde::Deserialize, #private::schemars::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        struct #name { #(#fields),* }
    )
}

fn expand_field(argument: &Argument) -> TokenStream {
    let Argument {
        docs,
        attrs,
        name,
        ty,
        ..
    } = argument;
    let docs = docs.iter();
    quote!(#(#[doc = #docs])* #(#attrs)* #name: #ty)
}
