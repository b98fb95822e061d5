//! `#[instrument]` below `#[tool]`: the span keeps the tool's name and leaves our own parameter out.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Meta, MetaList};

use crate::names::{CTX, hidden};

/// The attribute as it must stand on the inner function; other attributes are returned as they are.
///
/// `tracing` would name the span after the inner function and record the context with `Debug`.
pub(crate) fn adapt(attr: Attribute, name: &Ident) -> Attribute {
    if attr
        .path()
        .segments
        .last()
        .is_none_or(|last| last.ident != "instrument")
    {
        return attr;
    }
    let given = match &attr.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(_) => return attr,
    };
    let tokens = with_skip(with_name(given, name), name);
    let path = attr.path().clone();
    Attribute {
        meta: Meta::List(MetaList {
            path,
            delimiter: syn::MacroDelimiter::Paren(Default::default()),
            tokens,
        }),
        ..attr
    }
}

/// A span's name is the first literal or `name = ..`; without either the function's name would be used.
fn with_name(tokens: TokenStream, name: &Ident) -> TokenStream {
    let named = match tokens.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) => true,
        _ => has_word(&tokens, "name"),
    };
    let text = name.to_string();
    if named {
        tokens
    } else {
        quote!(name = #text, #tokens)
    }
}

/// `tracing` takes one `skip(..)` only, so the context joins the one that is there.
fn with_skip(tokens: TokenStream, name: &Ident) -> TokenStream {
    let ctx = hidden(CTX, name.span());
    if has_word(&tokens, "skip_all") {
        return tokens;
    }
    if !has_word(&tokens, "skip") {
        return quote!(skip(#ctx), #tokens);
    }
    let mut widened = TokenStream::new();
    let mut after_skip = false;
    for token in tokens {
        let skip = matches!(&token, TokenTree::Ident(ident) if ident == "skip");
        widened.extend([match token {
            TokenTree::Group(group) if after_skip => {
                let inner = group.stream();
                TokenTree::Group(Group::new(group.delimiter(), quote!(#ctx, #inner)))
            }
            other => other,
        }]);
        after_skip = skip;
    }
    widened
}

fn has_word(tokens: &TokenStream, word: &str) -> bool {
    tokens
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(ident) if ident == word))
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    #[test]
    fn name_and_skip_are_added_once() {
        let cases: [(Attribute, &str); 6] = [
            (
                parse_quote!(#[instrument]),
                "#[instrument(skip(__mrtr_ctx),name=\"book\",)]",
            ),
            (
                parse_quote!(#[tracing::instrument(skip(desk), level = "info")]),
                "#[tracing::instrument(name=\"book\",skip(__mrtr_ctx,desk),level=\"info\")]",
            ),
            (
                parse_quote!(#[instrument(skip_all)]),
                "#[instrument(name=\"book\",skip_all)]",
            ),
            (
                parse_quote!(#[instrument(name = "b")]),
                "#[instrument(skip(__mrtr_ctx),name=\"b\")]",
            ),
            (
                parse_quote!(#[instrument("b")]),
                "#[instrument(skip(__mrtr_ctx),\"b\")]",
            ),
            (parse_quote!(#[inline]), "#[inline]"),
        ];
        let name = Ident::new("book", proc_macro2::Span::call_site());
        for (attr, expected) in cases {
            let adapted = adapt(attr, &name).to_token_stream().to_string();
            assert_eq!(adapted.replace(' ', ""), expected.replace(' ', ""));
        }
    }
}
