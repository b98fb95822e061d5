//! Functions and blocks that do not parse yet: rustc has said why, and this adds nothing to it.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Signature, Visibility, parse_quote};

use super::model::Func;

/// A function whose body is only known to be in braces; what is wrong with it is in the error.
pub(crate) struct HalfTyped {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: Signature,
}

impl Parse for HalfTyped {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let half = Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
        };
        input.parse::<Group>()?;
        Ok(half)
    }
}

impl HalfTyped {
    /// The function with a body that stands for the one that is being typed.
    pub(crate) fn into_func(self, why: &syn::Error) -> Func {
        let Self { attrs, vis, sig } = self;
        let unread = unread(&sig.ident, why);
        let block = parse_quote!({ #unread });
        Func {
            attrs,
            vis,
            sig,
            block,
        }
    }
}

/// Statements of any type that fail the build, but only when nothing else does.
///
/// rustc parses the item before any macro sees it and says itself what is wrong; then there is no code to
/// generate, and the constant is not looked at. Should rustc take a body that syn cannot read, it is.
pub(crate) fn unread(name: &Ident, why: &syn::Error) -> TokenStream {
    let text = format!("`{name}`: mrtr cannot read this item: {why}");
    quote! {
        fn unread<T>() -> T {
            const { ::core::panic!(#text) }
        }
        unread()
    }
}

/// An `impl` block, each method that does not parse replaced by one that does.
pub(crate) fn parse_block(item: TokenStream, why: &syn::Error) -> Option<ItemImpl> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else {
        return None;
    };
    let header: TokenStream = tokens.into_iter().collect();
    let mut block: ItemImpl = syn::parse2(quote!(#header {})).ok()?;
    let methods = |input: ParseStream<'_>| parse_members(input, why);
    block.items = Parser::parse2(methods, body.stream()).ok()?;
    Some(block)
}

fn parse_members(input: ParseStream<'_>, why: &syn::Error) -> syn::Result<Vec<ImplItem>> {
    let mut members = Vec::new();
    while !input.is_empty() {
        members.push(parse_member(input, why)?);
    }
    Ok(members)
}

fn parse_member(input: ParseStream<'_>, why: &syn::Error) -> syn::Result<ImplItem> {
    if input.fork().parse::<ImplItem>().is_ok() {
        return input.parse();
    }
    let Func {
        attrs,
        vis,
        sig,
        block,
    } = input.parse::<HalfTyped>()?.into_func(why);
    let method: ImplItemFn = parse_quote!(#(#attrs)* #vis #sig #block);
    Ok(ImplItem::Fn(method))
}
