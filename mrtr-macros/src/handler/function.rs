//! The user's function as it runs: with the context in front and its statements lowered.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, FnArg, Signature, Stmt, parse_quote, parse_quote_spanned};

use super::instrument::adapt;
use super::model::Handler;
use super::params::{Argument, Param};
use crate::names::{ASKS, CTX, hidden, ours};

/// The function, free or a method, that owns the context and holds the lowered body.
pub(crate) fn expand_function<'a>(
    handler: &Handler,
    attrs: impl Iterator<Item = &'a Attribute>,
    name: &Ident,
) -> TokenStream {
    let signature = lowered_signature(handler, name);
    let attrs = attrs.map(|attr| adapt(attr.clone(), &handler.sig.ident));
    let block = with_asks(handler);
    // The context is one parameter more than the user wrote, and a tool without an ask may have no `.await`.
    quote!(#(#attrs)* #[allow(clippy::too_many_arguments, clippy::unused_async)] #signature #block)
}

/// The user's signature with the context as a parameter; asks are no parameters any more.
fn lowered_signature(handler: &Handler, name: &Ident) -> Signature {
    let mut sig = handler.sig.clone();
    sig.ident = name.clone();
    let krate = &handler.options.krate;
    let ctx = hidden(CTX, handler.sig.ident.span());
    let receiver = sig.receiver().cloned();
    sig.inputs = Punctuated::new();
    if let Some(receiver) = receiver {
        sig.inputs.push(FnArg::Receiver(receiver));
    }
    sig.inputs.push(parse_quote!(#ctx: #krate::Ctx));
    for param in &handler.params {
        if let Some(input) = own_input(param) {
            sig.inputs.push(input);
        }
    }
    sig
}

fn own_input(param: &Param) -> Option<FnArg> {
    match param {
        Param::Argument(argument) => {
            let Argument {
                mutability,
                name,
                ty,
                ..
            } = &**argument;
            Some(parse_quote!(#mutability #name: #ty))
        }
        Param::Struct(typed) | Param::Injected(typed) => Some(FnArg::Typed(typed.clone())),
        Param::Ctx(_) | Param::Ask(_) => None,
    }
}

/// The lowered body behind the shared borrow that its statements ask through.
fn with_asks(handler: &Handler) -> Block {
    let mut block = handler.block.clone();
    let head = borrow_context(&handler.sig.ident, handler.context());
    prepend(&mut block, head);
    block
}

/// Puts statements before those of a block.
pub(crate) fn prepend(block: &mut Block, mut head: Vec<Stmt>) {
    head.append(&mut block.stmts);
    block.stmts = head;
}

/// The statements that borrow the context, for our own statements and under the user's name for it.
pub(crate) fn borrow_context(at: &Ident, context: Option<&Ident>) -> Vec<Stmt> {
    let at = at.span();
    let (ctx, asks) = (hidden(CTX, at), hidden(ASKS, at));
    let mut head = vec![parse_quote_spanned!(ours(at)=> let #asks = &#ctx;)];
    if let Some(name) = context {
        head.push(parse_quote_spanned!(ours(at)=> let #name = #asks;));
    }
    head
}

/// Whether an attribute belongs on the function that the user's code sees, not on the one that runs.
///
/// Lint levels stand outside, where they reach the inner function as well; all others, such as `#[instrument]`,
/// are about the running code.
pub(crate) fn is_outer(attr: &Attribute) -> bool {
    const OUTER: &[&str] = &[
        "doc",
        "cfg",
        "cfg_attr",
        "deprecated",
        "allow",
        "expect",
        "warn",
        "deny",
        "forbid",
    ];
    OUTER.iter().any(|name| attr.path().is_ident(name))
}
