//! `#[handlers] impl Desk`: methods that are tools, mounted together on one value.

use mrtr_lint::Allow;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, FnArg, ImplItem, ImplItemFn, ItemImpl, ReceiverKind, Signature, Type};

use super::ask::arguments;
use super::definition::{Callee, expand_definition};
use super::entry::first_token;
use super::expand::expand_arguments;
use super::foreign::without_attributes;
use super::function::expand_function;
use super::half_typed::{parse_block, unread};
use super::kind::Kind;
use super::model::{Func, Handler};
use super::options::HandlerOptions;
use super::params::Param;
use super::tried::refuse_tried;
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::fallback;
use crate::names::{Krate, hidden, ours};
use crate::walk::{Change, Node};

/// What `#[handlers(..)]` accepts.
const HANDLERS: Grammar = Grammar {
    attribute: "handlers",
    legal: &["crate"],
    elsewhere: &[
        ("name", "`#[tool(..)]`"),
        ("title", "`#[tool(..)]`"),
        ("effects", "`#[tool(..)]`"),
    ],
};

/// A method of the block and, if it is a tool, what was read from it.
enum Member {
    Other(Box<ImplItem>),
    Tool {
        original: Box<ImplItemFn>,
        handler: Box<Handler>,
    },
}

/// The block with its tools taken out of it and listed by the trait.
pub(crate) fn expand_handlers(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::new();
    let mut options = Options::parse(options, &HANDLERS, &mut diag);
    let krate = options
        .path("crate", &mut diag)
        .map_or_else(Krate::default_path, Krate::renamed);
    let mut block = match syn::parse2::<ItemImpl>(item.clone()) {
        Ok(block) => block,
        Err(why) => return half_typed(item, &why, &krate, diag),
    };
    check_block(&block, &mut diag);
    let mut members = Vec::new();
    for item in std::mem::take(&mut block.items) {
        members.push(parse_member(item, &block, &krate, &mut diag));
    }
    if !members
        .iter()
        .any(|member| matches!(member, Member::Tool { .. }))
        && diag.is_clean()
    {
        diag.error(
            block.impl_token,
            "`#[handlers]` found no `#[tool]`, `#[prompt]` or `#[resource]` in this block",
        )
        .help("write one of them above an `async fn` that takes `&self`");
    }
    match diag.finish() {
        Ok(()) => expand(block, members, &krate),
        Err(error) => {
            let error = error.into_compile_error();
            let stubs = fall_back(block, members, &krate);
            quote!(#error #stubs)
        }
    }
}

fn check_block(block: &ItemImpl, diag: &mut Diag) {
    if let Some((path, _)) = &block.trait_ {
        diag.error(path, "`#[handlers]` stands on an `impl` without a trait")
            .help("move the handlers to a block `impl Type { .. }`");
    }
}

fn parse_member(item: ImplItem, block: &ItemImpl, krate: &Krate, diag: &mut Diag) -> Member {
    let ImplItem::Fn(mut method) = item else {
        return Member::Other(Box::new(item));
    };
    let Some((at, kind)) = kind_of(&method, krate) else {
        return Member::Other(Box::new(ImplItem::Fn(method)));
    };
    let attr = method.attrs.remove(at);
    let mut options = HandlerOptions::parse(kind, arguments(&attr, diag), diag);
    options.krate = krate.clone();
    check_receiver(kind, &method.sig, diag);
    refuse_tried(&method.sig, &mut method.block, diag);
    let func = Func {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        sig: method.sig.clone(),
        block: method.block.clone(),
    };
    let mut handler = Handler::parse(options, func, Some(&block.self_ty), diag);
    name_self(&mut handler, &block.self_ty);
    Member::Tool {
        original: Box::new(method),
        handler: Box::new(handler),
    }
}

/// The attribute that makes a method a handler: its place and its kind.
fn kind_of(method: &ImplItemFn, krate: &Krate) -> Option<(usize, Kind)> {
    let mut attrs = method.attrs.iter().enumerate();
    attrs.find_map(|(at, attr)| {
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| krate.owns(attr, kind.noun()))?;
        Some((at, kind))
    })
}

fn check_receiver(kind: Kind, sig: &Signature, diag: &mut Diag) {
    let (name, noun) = (&sig.ident, kind.noun());
    let help = format!("write `async fn {name}(&self, ..)`");
    match sig.receiver() {
        None => {
            diag.error(name, format!("{noun} `{name}` must take `&self`"))
                .help(help)
                .note(format!(
                    "a {noun} that needs no value is a free function with `#[{noun}]`"
                ));
        }
        Some(receiver) if !matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) => {
            diag.error(
                receiver.self_token,
                format!("{noun} `{name}` must take `&self`"),
            )
            .help(help)
            .note("all calls of all tools share the one value");
        }
        Some(_) => {}
    }
}

/// The generated struct is an item of its own, in which `Self` would be the struct.
fn name_self(handler: &mut Handler, self_ty: &Type) {
    struct Name<'a>(&'a Type);
    impl Change for Name<'_> {
        fn change(&mut self, node: Node<'_>) {
            let is_self = |ty: &Type| matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self"));
            match node {
                Node::Type(ty) if is_self(ty) => *ty = self.0.clone(),
                other => other.walk(self),
            }
        }
    }
    for param in &mut handler.params {
        if let Param::Argument(argument) = param {
            Name(self_ty).change(Node::Type(&mut argument.ty));
        }
    }
}

fn expand(mut block: ItemImpl, members: Vec<Member>, krate: &Krate) -> TokenStream {
    let private = krate.private();
    let tools: Vec<_> = members.iter().filter_map(expand_entry).collect();
    for member in members {
        block.items.push(expand_member(member));
    }
    let (impl_generics, _, where_clause) = block.generics.split_for_impl();
    let self_ty = &block.self_ty;
    let at = block.impl_token.span;
    let (this, list) = (hidden("this", at), hidden("tools", at));
    quote_spanned!(ours(at)=>
        #block
        #[automatically_derived]
        impl #impl_generics #krate::Handlers for #self_ty #where_clause {
            fn handlers(self: #private::Arc<Self>) -> #private::Vec<#krate::AnyHandler> {
                let #this = self;
                let mut #list = #private::Vec::new();
                #(#tools)*
                #list
            }
        }
    )
}

/// The statement that adds one tool to the list.
fn expand_entry(member: &Member) -> Option<TokenStream> {
    let Member::Tool { handler, .. } = member else {
        return None;
    };
    let at = ours(handler.sig.ident.span());
    let list = hidden("tools", at);
    let cfgs = handler
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"));
    let struct_ = expand_arguments(handler);
    let warnings = &handler.judged.warnings;
    let hidden_name = hidden_method(&handler.sig.ident);
    let callee = if handler.facts.lowered {
        Callee::Hidden(&hidden_name)
    } else {
        Callee::Method(&handler.sig.ident)
    };
    let definition = expand_definition(handler, &callee);
    let krate = &handler.options.krate;
    let kind = handler.options.kind.variant();
    Some(quote_spanned!(at=>
        #(#cfgs)* #warnings #list.push(#krate::AnyHandler::#kind({ #struct_ #definition }));
    ))
}

fn expand_member(member: Member) -> ImplItem {
    match member {
        Member::Other(item) => *item,
        Member::Tool { handler, .. } if handler.facts.lowered => {
            let name = hidden_method(&handler.sig.ident);
            let attrs = handler
                .attrs
                .iter()
                .filter(|attr| !attr.path().is_ident("doc"));
            let func = expand_function(&handler, attrs, &name);
            ImplItem::Verbatim(quote!(#[doc(hidden)] #func))
        }
        Member::Tool {
            mut original,
            handler,
        } => {
            original.attrs.retain(|attr| !Allow::is_allow(attr));
            original.sig.inputs.iter_mut().for_each(drop_attributes);
            original.block = handler.block;
            ImplItem::Fn(*original)
        }
    }
}

/// The method that runs in the place of one that asks.
fn hidden_method(name: &Ident) -> Ident {
    format_ident!("__mrtr_{name}", span = ours(name.span()))
}

fn drop_attributes(input: &mut FnArg) {
    let none: Vec<Attribute> = Vec::new();
    match input {
        FnArg::Receiver(receiver) => receiver.attrs = none,
        FnArg::Typed(typed) => typed.attrs = none,
    }
}

fn fall_back(mut block: ItemImpl, members: Vec<Member>, krate: &Krate) -> TokenStream {
    let inherent = block.trait_.is_none();
    for member in members {
        block.items.push(match member {
            Member::Other(item) => *item,
            Member::Tool { original, .. } => {
                let ImplItemFn {
                    attrs,
                    vis,
                    sig,
                    block,
                    ..
                } = *original;
                ImplItem::Verbatim(fallback::function(
                    Func {
                        attrs,
                        vis,
                        sig,
                        block,
                    },
                    krate,
                ))
            }
        });
    }
    let stub = inherent.then(|| {
        fallback::handlers_stub(&block.generics, &block.self_ty, krate, &fallback::never())
    });
    quote!(#block #stub)
}

/// A block in which a method is half typed: the tools wait, the other methods stay.
fn half_typed(item: TokenStream, why: &syn::Error, krate: &Krate, diag: Diag) -> TokenStream {
    let Some(mut block) = parse_block(item.clone(), why) else {
        return not_a_block(item, diag);
    };
    diag.forget();
    for member in &mut block.items {
        if let ImplItem::Fn(method) = member {
            method
                .attrs
                .retain(|attr| !Kind::ALL.iter().any(|kind| krate.owns(attr, kind.noun())));
            let ImplItemFn {
                attrs,
                vis,
                sig,
                block,
                ..
            } = method.clone();
            let func = Func {
                attrs,
                vis,
                sig,
                block,
            };
            *member = ImplItem::Verbatim(fallback::function(func, krate));
        }
    }
    let unread = unread(&Ident::new("handlers", block.impl_token.span), why);
    let stub = fallback::handlers_stub(&block.generics, &block.self_ty, krate, &unread);
    quote!(#block #stub)
}

fn not_a_block(item: TokenStream, mut diag: Diag) -> TokenStream {
    let Ok(other) = syn::parse2::<syn::Item>(item.clone()) else {
        diag.forget();
        return without_attributes(item);
    };
    diag.error(
        first_token(&other),
        "`#[handlers]` stands on an `impl` block",
    )
    .help("write `#[handlers] impl Type { .. }`; a free function takes `#[tool]`, `#[prompt]` or `#[resource]`");
    let error = diag.finish().err().map(syn::Error::into_compile_error);
    quote!(#error #other)
}
