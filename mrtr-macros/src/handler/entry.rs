//! From the tokens of `#[tool]`, `#[prompt]` or `#[resource]` to the expansion: parse, lower, check, then expand or fall back.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, ItemFn, Signature};

use super::expand::expand_handler;
use super::foreign::without_attributes;
use super::half_typed::HalfTyped;
use super::kind::Kind;
use super::model::{Func, Handler};
use super::options::HandlerOptions;
use super::tried::refuse_tried;
use crate::diag::Diag;
use crate::fallback;
use crate::walk::{Node, with_attributes};

/// The definition of a free handler, or what is wrong and a stub.
pub(crate) fn expand_item(kind: Kind, options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::new();
    let options = HandlerOptions::parse(kind, options, &mut diag);
    let krate = options.krate.clone();
    let mut original = match parse_function(item) {
        Parsed::Whole(func) => func,
        Parsed::Half(func) => {
            diag.forget();
            return fallback::unfinished(&func, kind, &krate);
        }
        Parsed::Other(item) => return refuse_item(kind.noun(), item, diag),
    };
    refuse_method(kind, &original.sig, &mut diag);
    refuse_tried(&original.sig, &mut original.block, &mut diag);
    let handler = Handler::parse(options, original.clone(), None, &mut diag);
    match diag.finish() {
        Ok(()) => expand_handler(&handler),
        Err(error) => {
            let (error, stub) = (
                error.into_compile_error(),
                fallback::handler(original, kind, &krate),
            );
            quote!(#error #stub)
        }
    }
}

/// What an attribute for functions stands on.
pub(crate) enum Parsed {
    /// A function.
    Whole(Func),
    /// A function whose body does not parse; the body here stands for it.
    Half(Func),
    /// Something else.
    Other(TokenStream),
}

/// Reads the item below an attribute for functions.
pub(crate) fn parse_function(item: TokenStream) -> Parsed {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(func) => Parsed::Whole(func.into()),
        Err(why) => match syn::parse2::<HalfTyped>(item.clone()) {
            Ok(half) => Parsed::Half(half.into_func(&why)),
            Err(_) => Parsed::Other(item),
        },
    }
}

fn refuse_method(kind: Kind, sig: &Signature, diag: &mut Diag) {
    if let Some(receiver) = sig.receiver() {
        diag.error(
            receiver.self_token,
            format!(
                "method `{}` is a {} only inside `#[handlers]`",
                sig.ident,
                kind.noun()
            ),
        )
        .help("write `#[handlers]` above the `impl` block");
    }
}

/// What is emitted when the item is no function; if it is no item at all, rustc has said so.
pub(crate) fn refuse_item(attribute: &str, item: TokenStream, mut diag: Diag) -> TokenStream {
    let Ok(other) = syn::parse2::<Item>(item.clone()) else {
        diag.forget();
        return without_attributes(item);
    };
    let report = diag.error(
        first_token(&other),
        format!("`#[{attribute}]` stands on an `async fn`"),
    );
    match &other {
        Item::Impl(_) if Kind::ALL.iter().any(|kind| kind.noun() == attribute) => {
            report.help(format!(
                "write `#[handlers]` on the `impl` and `#[{attribute}]` on its methods"
            ));
        }
        _ => {
            report.help(format!("move `#[{attribute}]` to the function"));
        }
    }
    let error = diag.finish().err().map(syn::Error::into_compile_error);
    quote!(#error #other)
}

/// The keyword or name that an item begins with, to have something small to point at.
pub(crate) fn first_token(item: &Item) -> TokenStream {
    let bare: TokenStream = without_outer_attributes(item.clone()).into_token_stream();
    bare.into_iter()
        .next()
        .map(TokenStream::from)
        .unwrap_or_default()
}

fn without_outer_attributes(mut item: Item) -> Item {
    with_attributes(Node::Item(&mut item), &mut Vec::clear);
    item
}
