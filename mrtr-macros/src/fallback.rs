//! What is emitted beside errors: the user's item without our attributes, and stubs, so that no error follows.

use std::mem::take;

use mrtr_lint::Allow;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Block, FnArg, Generics, Local, Macro, Pat, Stmt, Type, parse_quote,
    parse_quote_spanned,
};

use crate::handler::{
    Commit, Func, Kind, Mark, attributes_in, has_own_macro, is_loaded, is_outer, prepend, subjects,
    take_marks, without_attributes,
};
use crate::names::{Krate, hidden};
use crate::walk::{Change, Node};

/// The stub of a free handler, with the user's body inside so that imports count as used and rustc checks the rest.
pub(crate) fn handler(func: Func, kind: Kind, krate: &Krate) -> TokenStream {
    if func.sig.receiver().is_some() {
        return function(func, krate);
    }
    let name = &func.sig.ident;
    let vis = &func.vis;
    let outer = func
        .attrs
        .iter()
        .filter(|attr| is_outer(attr) && !Allow::is_allow(attr));
    let ty = kind.ty(krate);
    let outer = quote!(#(#outer)* #[allow(unused, clippy::all)] #vis fn #name() -> #ty);
    let never = never();
    let mut inner = Func {
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        ..func
    };
    inner.sig.ident = hidden("body", inner.sig.ident.span());
    // Without `async` an `.await` would be one more error.
    inner.sig.asyncness.get_or_insert_with(Default::default);
    let inner = function(inner, krate);
    quote!(#outer { #inner #never })
}

/// The function itself, its statements made harmless; nothing, where rustc would only repeat us.
pub(crate) fn function(mut func: Func, krate: &Krate) -> TokenStream {
    if !func.sig.inputs.iter().all(is_plain_input) {
        return TokenStream::new();
    }
    let mut inert = Inert {
        krate,
        unknown: false,
    };
    let mut used = Vec::new();
    for input in &mut func.sig.inputs {
        inert.used_by(input, &mut used);
        inert.change(Node::Input(input));
    }
    inert.change(Node::Block(&mut func.block));
    prepend(&mut func.block, used);
    if inert.unknown {
        let never = never();
        func.block = parse_quote!({ #never });
    }
    let Func {
        attrs,
        vis,
        sig,
        block,
    } = func;
    let attrs = attrs.iter().filter(|attr| !Allow::is_allow(attr));
    quote!(#(#attrs)* #[allow(unused, clippy::all)] #vis #sig #block)
}

/// The stub of a handler whose body does not parse yet, with the body that stands for it.
pub(crate) fn unfinished(func: &Func, kind: Kind, krate: &Krate) -> TokenStream {
    let Func {
        attrs,
        vis,
        sig,
        block,
    } = func;
    if sig.receiver().is_some() {
        return function(func.clone(), krate);
    }
    let name = &sig.ident;
    let outer = attrs.iter().filter(|attr| is_outer(attr));
    let ty = kind.ty(krate);
    quote!(#(#outer)* #[allow(unused)] #vis fn #name() -> #ty #block)
}

/// A value of any type, in code that never runs because the build fails.
pub(crate) fn never() -> TokenStream {
    quote!(::core::unreachable!("a handler with errors does not run"))
}

/// Whether a parameter makes sense to rustc as it stands.
fn is_plain_input(input: &FnArg) -> bool {
    match input {
        FnArg::Receiver(_) => true,
        FnArg::Typed(typed) => {
            let named = matches!(&*typed.pat, Pat::Ident(_) | Pat::Wild(_)) || is_loaded(&typed.ty);
            named && !matches!(&*typed.ty, Type::Infer(_))
        }
    }
}

/// Takes our attributes away and gives each answer a value that is never made.
struct Inert<'a> {
    krate: &'a Krate,
    /// A variable has no type, so that code that uses it cannot be checked.
    unknown: bool,
}

impl Change for Inert<'_> {
    fn change(&mut self, node: Node<'_>) {
        match node {
            Node::Block(block) => self.block(block),
            Node::Item(item) if has_own_macro(item, self.krate) => {}
            Node::Macro(call) => self.call(call),
            Node::Attributes(attrs) => self.attributes(attrs),
            // On parameters even doc comments and serde's attributes are ours alone.
            Node::Input(FnArg::Typed(typed)) => typed.attrs.clear(),
            Node::Input(FnArg::Receiver(_)) => {}
            other => other.walk(self),
        }
    }
}

impl Inert<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in take(&mut block.stmts) {
            for mark in take_marks(&mut stmt, self.krate) {
                if let Some(name) = self.commit_name(&mark) {
                    out.push(name);
                }
                if let (Mark::Ask(attr), Stmt::Local(local)) = (&mark, &mut stmt) {
                    self.answer(local);
                    use_subjects(attr, &mut out);
                }
            }
            self.change(Node::Stmt(&mut stmt));
            out.push(stmt);
        }
        block.stmts = out;
    }

    fn call(&mut self, call: &mut Macro) {
        self.unknown |= !attributes_in(call.tokens.clone()).is_empty();
        call.tokens = without_attributes(take(&mut call.tokens));
    }

    fn attributes(&mut self, attrs: &mut Vec<Attribute>) {
        let parameter_only = ["arg", "from_call"];
        attrs.retain(|attr| {
            let mark = Mark::of(attr, self.krate).is_some() || Allow::is_allow(attr);
            !mark
                && !parameter_only
                    .iter()
                    .any(|name| self.krate.owns(attr, name))
        });
    }

    /// What the ask of a parameter is made of.
    fn used_by(&self, input: &FnArg, used: &mut Vec<Stmt>) {
        if let FnArg::Typed(typed) = input {
            for attr in &typed.attrs {
                if self.krate.owns(attr, "ask") {
                    use_subjects(attr, used);
                }
            }
        }
    }

    fn answer(&mut self, local: &mut Local) {
        let typed = matches!(&local.pat, Pat::Type(typed) if !matches!(&*typed.ty, Type::Infer(_)));
        self.unknown |= !typed;
        if local.init.is_none() {
            let never = never();
            let declared: Stmt = parse_quote!(let _ = #never;);
            if let Stmt::Local(filled) = declared {
                local.init = filled.init;
            }
        }
    }

    fn commit_name(&self, mark: &Mark) -> Option<Stmt> {
        let Mark::Commit(attr) = mark else {
            return None;
        };
        let name = Commit::name_of(attr)?;
        let krate = self.krate;
        let never = never();
        Some(parse_quote_spanned!(name.span()=> let #name: &mut #krate::Commit = #never;))
    }
}

/// Adds statements that use what an ask is made of.
fn use_subjects(ask: &Attribute, out: &mut Vec<Stmt>) {
    for used in subjects(ask) {
        out.push(parse_quote!(let _ = &#used;));
    }
}

/// `impl Handlers` without tools, so that `.handlers(desk)` is no second error.
pub(crate) fn handlers_stub(
    generics: &Generics,
    self_ty: &Type,
    krate: &Krate,
    body: &TokenStream,
) -> TokenStream {
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let private = krate.private();
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::Handlers for #self_ty #where_clause {
            fn handlers(self: #private::Arc<Self>) -> #private::Vec<#krate::AnyHandler> {
                #body
            }
        }
    }
}
