//! From the tokens of `#[tool]` to its expansion: parse, lower, check, then expand or fall back.

use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Item, ItemFn, Signature, Visibility};

use super::expand::expand_tool;
use super::foreign::without_attributes;
use super::model::{Func, Handler};
use super::options::ToolOptions;
use crate::diag::Diag;
use crate::fallback;

/// The definition of a free tool, or what is wrong and a stub.
pub(crate) fn expand_tool_item(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::new();
    let options = ToolOptions::parse(options, &mut diag);
    let Ok(func) = syn::parse2::<ItemFn>(item.clone()) else {
        return not_a_function("tool", item, diag);
    };
    let krate = options.krate.clone();
    let original = Func::from(func);
    refuse_method(&original.sig, &mut diag);
    let handler = Handler::parse(options, original.clone(), &mut diag);
    match diag.finish() {
        Ok(()) => expand_tool(&handler),
        Err(error) => {
            let (error, stub) = (error.into_compile_error(), fallback::tool(original, &krate));
            quote!(#error #stub)
        }
    }
}

fn refuse_method(sig: &Signature, diag: &mut Diag) {
    if let Some(receiver) = sig.receiver() {
        diag.error(
            receiver.self_token,
            format!("method `{}` is a tool only inside `#[handlers]`", sig.ident),
        )
        .help("write `#[handlers]` above the `impl` block");
    }
}

/// What is emitted when the item is no function that syn can read.
///
/// If it is a function whose body is half typed, rustc's own error is the better one and stays alone.
pub(crate) fn not_a_function(attribute: &str, item: TokenStream, mut diag: Diag) -> TokenStream {
    if let Ok(half) = syn::parse2::<HalfTyped>(item.clone()) {
        // The options' mistakes can wait until the function is typed.
        let _ = diag.finish();
        return match attribute {
            "tool" if half.sig.receiver().is_none() => fallback::unfinished(
                &half.sig,
                &half.attrs,
                &half.vis,
                half.body.to_token_stream(),
            ),
            _ => without_attributes(item),
        };
    }
    let Ok(other) = syn::parse2::<Item>(item.clone()) else {
        let _ = diag.finish();
        return without_attributes(item);
    };
    let report = diag.error(
        first_token(&other),
        format!("`#[{attribute}]` stands on an `async fn`"),
    );
    match &other {
        Item::Impl(_) if attribute == "tool" => {
            report.help("write `#[handlers]` on the `impl` and `#[tool]` on its methods");
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
    struct Bare(bool);
    impl syn::visit_mut::VisitMut for Bare {
        fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
            if !std::mem::replace(&mut self.0, true) {
                attrs.clear();
            }
        }
    }
    syn::visit_mut::VisitMut::visit_item_mut(&mut Bare(false), &mut item);
    item
}

/// A function whose body is only known to be in braces.
struct HalfTyped {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: Signature,
    body: Group,
}

impl Parse for HalfTyped {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}
