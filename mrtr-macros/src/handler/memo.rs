//! `#[memo] let x: T = EXPR;`: a value that is remembered along the rounds.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Attribute, Expr, Local, Pat, Stmt};

use super::ask::{Binding, arguments, plain_key};
use crate::attr::{Grammar, Options};
use crate::diag::Diag;
use crate::names::{ASKS, hidden, ours};

/// What `#[memo(..)]` accepts.
const MEMO: Grammar = Grammar {
    attribute: "memo",
    legal: &["repeatable"],
    elsewhere: &[
        (
            "key",
            "`#[ask(..)]`; a memo's key is the name of its variable",
        ),
        ("pin", "`#[ask(..)]`"),
    ],
};

/// The statement that takes the value from the state, or makes it and remembers it.
pub(crate) fn lower_memo(attr: &Attribute, stmt: Stmt, diag: &mut Diag) -> Stmt {
    let mut options = Options::parse(arguments(attr, diag), &MEMO, diag);
    if let Some(reason) = options.text("repeatable", diag)
        && reason.value().trim().is_empty()
    {
        diag.error(&reason, "`repeatable` needs a reason")
            .help("say why running it twice does no harm");
    }
    let Stmt::Local(local) = stmt else {
        refuse_form(attr, diag);
        return stmt;
    };
    match parse_memo(&local, attr, diag) {
        Some((binding, value)) => Stmt::Expr(
            Expr::Verbatim(expand_memo(attr, &local, &binding, &value)),
            None,
        ),
        None => Stmt::Local(local),
    }
}

fn parse_memo(local: &Local, attr: &Attribute, diag: &mut Diag) -> Option<(Binding, Expr)> {
    let (Pat::Type(typed), Some(init), None) = (
        &local.pat,
        &local.init,
        local.init.as_ref().and_then(|init| init.diverge.as_ref()),
    ) else {
        refuse_form(attr, diag);
        return None;
    };
    let binding = Binding::of(typed, local.attrs.clone(), "a memo", diag)?;
    Some((binding, (*init.expr).clone()))
}

fn refuse_form(attr: &Attribute, diag: &mut Diag) {
    diag.error(attr.path(), "`#[memo]` stands on `let NAME: TYPE = VALUE;`")
        .help("write the type and the value: `#[memo] let quote: Quote = ..;`")
        .note("the value is stored under the variable's name and read back as that type");
}

fn expand_memo(attr: &Attribute, local: &Local, binding: &Binding, value: &Expr) -> TokenStream {
    let at = attr
        .path()
        .segments
        .last()
        .map_or_else(|| local.let_token.span, |last| last.ident.span());
    let asks = hidden(ASKS, at);
    let kept = hidden("kept", at);
    let key = plain_key(&binding.name);
    let Binding {
        attrs,
        mutability,
        name,
        ty,
    } = binding;
    let attrs = attrs.iter().filter(|attr| !attr.path().is_ident("doc"));
    quote_spanned!(ours(at)=>
        #(#attrs)* let #mutability #name: #ty = match #asks.memo_get::<#ty>(#key) {
            ::core::option::Option::Some(#kept) => #kept,
            ::core::option::Option::None => {
                let #kept: #ty = #value;
                #asks.memo_put::<#ty>(#key, &#kept);
                #kept
            }
        };
    )
}
